"""The endpoints answer what the command line answers, and nothing gets past the guard."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from starlette.testclient import TestClient

from oddscalc import store
from oddscalc.cli import app as command_line
from oddscalc.cli import main
from oddscalc.dice import advise, solve
from oddscalc.dice.beating import NeedTable
from oddscalc.errors import MissingTableError, RulesError
from oddscalc.results import Result
from oddscalc.web.app import create_app
from oddscalc.web.endpoints import ENDPOINTS
from oddscalc.web.games import Games
from oddscalc.web.lanes import BusyError, Lane
from tests.small_games import small_game

RECORD = Path(__file__).parent / "records" / "poker-dice.txt"
LINES = {"Accept": "application/x-ndjson"}
HAND = {"hand": "JS AS KS AH 9D", "up": "9S", "seat": "1"}
BID_ARGS = ["euchre", "bid", HAND["hand"], "-u", "9S", "-s", "1"]
PLAYED = "JS 9D TS KS / AH 9H QH TH"
PLAY_ARGS = ["euchre", "play", "KH AS 9C", "-t", "S", "-m", "1", "-u", "9S"]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(), base_url="http://localhost") as client:
        yield client


def _printed(capsys: pytest.CaptureFixture[str], args: list[str]) -> tuple[int, str]:
    """Return exit code and what the command line says: JSON, or the sentence of an error."""
    with pytest.raises(SystemExit) as caught:
        main(args)
    out, err = capsys.readouterr()
    # Typer draws a box around what it refuses itself.
    words = [line.strip("│ ") for line in err.splitlines() if line and line[0] not in "╭╰UT"]
    return int(caught.value.code or 0), out or " ".join(words).removeprefix("Error: ")


ASKED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("dice/games", {}, ["dice", "games"]),
    ("dice/rules", {"game": "yatzy"}, ["dice", "rules", "yatzy"]),
    ("dice/hold", {"roll": "23621"}, ["dice", "hold", "23621"]),
    (
        "dice/hold",
        {"roll": "4 4 4 4 4", "game": "yahtzee", "rolls-left": 0, "filled": "yahtzee=50, fours=12"},
        ["dice", "hold", "44444", "-g", "yahtzee", "-n", "0", "--filled", "yahtzee=50, fours=12"],
    ),
    (
        "dice/hold",
        {"roll": "66123", "game": "poker-dice-short", "goal": "beat:60"},
        ["dice", "hold", "66123", "-g", "poker-dice-short", "--goal", "beat:60"],
    ),
    (
        "dice/hold",
        {"roll": "33456", "open": "large-straight, chance", "points": 100},
        ["dice", "hold", "33456", "--open", "large-straight, chance", "--points", "100"],
    ),
    (
        "dice/odds",
        {"combination": "full-house", "from": "22", "rolls": 2},
        ["dice", "odds", "full-house", "--from", "22", "--rolls", "2"],
    ),
    ("dice/solve", {"game": "poker-dice-short"}, ["dice", "solve", "poker-dice-short"]),
    ("dice/outcomes", {"game": "poker-dice-short"}, ["dice", "outcomes", "poker-dice-short"]),
    (
        "dice/beat",
        {"total": 74, "game": "poker-dice-short"},
        ["dice", "beat", "74", "-g", "poker-dice-short"],
    ),
    ("dice/pot", {"players": 2}, ["dice", "pot", "--players", "2"]),
    ("euchre/games", {}, ["euchre", "games"]),
    ("euchre/rules", {"game": "three-handed"}, ["euchre", "rules", "three-handed"]),
    (
        "euchre/bid",
        {**HAND, "game": "two-handed", "play": "open"},
        [*BID_ARGS, "-g", "two-handed", "--play", "open"],
    ),
    (
        "euchre/bid",
        {**HAND, "deals": 50, "seed": 3, "score": "9-6"},
        [*BID_ARGS, "-n", "50", "--seed", "3", "--score", "9-6"],
    ),
    (
        "euchre/play",
        {"hand": "KH AS 9C", "trump": "S", "maker": "1", "up": "9S", "played": PLAYED, "deals": 20},
        [*PLAY_ARGS, "-p", PLAYED, "-n", "20"],
    ),
    (
        "euchre/match",
        {"score": "9-6", "seat": "1"},
        ["euchre", "match", "--score", "9-6", "--seat", "1"],
    ),
    (
        "euchre/solve",
        {"deal": "JS AS KS QS 9H / TS 9S AH KH QH", "trump": "S", "game": "two-handed"},
        ["euchre", "solve", "JS AS KS QS 9H / TS 9S AH KH QH", "-t", "S", "-g", "two-handed"],
    ),
    (
        "euchre/chance",
        {"of": "bowers", "hand": "AS KS 9H TD AC", "up": "QS"},
        ["euchre", "chance", "--of", "bowers", "--hand", "AS KS 9H TD AC", "-u", "QS"],
    ),
]


@pytest.mark.parametrize(("path", "asked", "args"), ASKED)
def test_endpoints_answer_what_the_command_line_prints(
    client: TestClient,
    capsys: pytest.CaptureFixture[str],
    path: str,
    asked: dict[str, Any],
    args: list[str],
) -> None:
    code, printed = _printed(capsys, [*args, "--json"])
    answer = client.get(f"/api/{path}", params=asked)
    assert (code, answer.status_code) == (0, 200), answer.text
    told, expected = answer.json(), json.loads(printed)
    assert list(told) == list(expected)
    told.pop("seconds", None), expected.pop("seconds", None)
    assert told == expected


def test_a_record_is_reviewed(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    _, printed = _printed(capsys, ["dice", "review", str(RECORD), "--json"])
    answer = client.post("/api/dice/review", content=RECORD.read_bytes())
    assert answer.json() == json.loads(printed)


REFUSED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("dice/hold", {"roll": "2362"}, ["dice", "hold", "2362"]),
    ("dice/hold", {}, ["dice", "hold"]),
    ("dice/hold", {"roll": "23621", "game": "yatzi"}, ["dice", "hold", "23621", "-g", "yatzi"]),
    ("dice/hold", {"roll": "23621", "rolls-left": "x"}, ["dice", "hold", "23621", "-n", "x"]),
    ("dice/hold", {"roll": "23621", "rolls-left": 7}, ["dice", "hold", "23621", "-n", "7"]),
    (
        "dice/hold",
        {"roll": "23621", "filled": "ones=9"},
        ["dice", "hold", "23621", "--filled", "ones=9"],
    ),
    (
        "dice/hold",
        {"roll": "23621", "filled": "ones=1", "open": "twos"},
        ["dice", "hold", "23621", "--filled", "ones=1", "--open", "twos"],
    ),
    ("dice/hold", {"roll": "23621", "points": 3}, ["dice", "hold", "23621", "--points", "3"]),
    ("dice/hold", {"roll": "23621", "goal": "win"}, ["dice", "hold", "23621", "--goal", "win"]),
    ("dice/beat", {}, ["dice", "beat"]),
    ("dice/odds", {"combination": "chance"}, ["dice", "odds", "chance"]),
    ("dice/pot", {"players": 9}, ["dice", "pot", "--players", "9"]),
    ("euchre/bid", {**HAND, "up": "JS"}, ["euchre", "bid", HAND["hand"], "-u", "JS", "-s", "1"]),
    ("euchre/bid", {"hand": HAND["hand"], "up": "9S"}, ["euchre", "bid", HAND["hand"], "-u", "9S"]),
    ("euchre/bid", {**HAND, "play": "x"}, [*BID_ARGS, "--play", "x"]),
    ("euchre/bid", {**HAND, "score": "99-1"}, [*BID_ARGS, "--score", "99-1"]),
    (
        "euchre/play",
        {"hand": "KH", "trump": "S", "maker": "1", "up": "9S"},
        ["euchre", "play", "KH", "-t", "S", "-m", "1", "-u", "9S"],
    ),
    ("euchre/match", {"seat": "1"}, ["euchre", "match", "--seat", "1"]),
    ("euchre/rules", {"game": "five"}, ["euchre", "rules", "five"]),
    ("euchre/chance", {}, ["euchre", "chance"]),
]


@pytest.mark.parametrize(("path", "asked", "args"), REFUSED)
def test_wrong_input_is_refused_in_the_words_of_the_command_line(
    client: TestClient,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    asked: dict[str, Any],
    args: list[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    code, sentence = _printed(capsys, args)
    answer = client.get(f"/api/{path}", params=asked)
    assert (code, answer.status_code) == (2, 400)
    assert answer.json() == {"schema": "oddscalc.web.error/1", "error": sentence}


def test_parameters_are_the_options_of_the_command_line() -> None:
    commands = typer.main.get_command(command_line).commands  # type: ignore[attr-defined]
    for endpoint in ENDPOINTS.values():
        family, name = endpoint.command.split()
        known = set()
        for parameter in commands[family].commands[name].params:
            known |= {word.lstrip("-") for word in (*parameter.opts, parameter.name)}
        unknown = {parameter.name for parameter in endpoint.parameters} - known
        assert not unknown, endpoint.path
        assert (
            not known
            & {"card", "rules", "output", "plot"}
            & {parameter.name for parameter in endpoint.parameters}
        )


def test_parameters_are_known_and_given_once(client: TestClient) -> None:
    answer = client.get("/api/dice/rules?games=yatzy")
    assert answer.json()["error"] == "There is no parameter 'games'; accepted: game."
    answer = client.get("/api/dice/rules?game=yatzy&game=yacht")
    assert answer.json()["error"] == "'game' is given twice; accepted: once."
    assert client.get("/api/dice/hold?roll=23621&card=/etc/passwd").status_code == 400


def test_every_endpoint_is_documented_with_its_parameters() -> None:
    page = (Path(__file__).parent.parent / "docs" / "web.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1].split()[-1]: line for line in page.splitlines() if "` | `" in line}
    assert set(rows) == set(ENDPOINTS)
    for path, endpoint in ENDPOINTS.items():
        assert f"`{endpoint.command}`" in rows[path]
        told = [word.split(":")[0].strip("* ") for word in rows[path].split("|")[3].split("; ")]
        wanted = [parameter.name for parameter in endpoint.parameters]
        assert [name for name in told if name in wanted] == wanted, path


def test_a_sample_is_bounded(client: TestClient) -> None:
    answer = client.get("/api/euchre/bid", params={**HAND, "deals": 100_001})
    assert answer.status_code == 400
    assert "accepted: 2 to 100,000" in answer.json()["error"]


def test_a_long_answer_is_a_stream_that_sharpens(client: TestClient) -> None:
    asked: dict[str, str | int] = {**HAND, "deals": 3_000, "play": "open"}
    with client.stream("GET", "/api/euchre/bid", params=asked, headers=LINES) as answer:
        words = [json.loads(line) for line in answer.iter_lines()]
    answers = [word for word in words if word["schema"] == "oddscalc.euchre.bid/1"]
    assert [word["deals"] for word in answers] == [500, 2_000, 3_000]
    assert answers[-1] == client.get("/api/euchre/bid", params=asked).json()
    refused = client.get("/api/euchre/bid", params={**asked, "seat": "9"}, headers=LINES)
    assert refused.status_code == 400


def test_a_sheet_is_shown_where_nothing_can_run(client: TestClient) -> None:
    page = client.get("/api/dice/sheet.html?game=poker-dice-short")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "script-src" not in policy
    drawn = client.get("/api/dice/sheet.png?game=poker-dice-short")
    assert drawn.content.startswith(b"\x89PNG")
    cost = client.get("/api/dice/sheet?game=poker-dice-short").json()
    assert 0 < cost["best"] - cost["expected"] < 0.2


def test_every_response_carries_the_headers(client: TestClient) -> None:
    for path in ("/", "/api/dice/games", "/api/none", "/static/dice.js"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(("localhost:8000", 200), ("127.0.0.1", 200), ("[::1]:8000", 200), ("192.168.1.5", 200)),
        *(("evil.example", 421), ("localhost.evil.example:80", 421), ("", 421)),
    ],
)
def test_only_addresses_and_known_names_are_served(
    client: TestClient, host: str, status: int
) -> None:
    assert client.get("/", headers={"Host": host}).status_code == status


def test_pages_of_other_sites_may_not_ask(client: TestClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/api/dice/games", headers=headers).status_code == 403
    assert client.get("/", headers=headers).status_code == 200


def test_requests_are_bounded(client: TestClient) -> None:
    assert client.post("/api/dice/review", content=b"#" * 70_000).status_code == 413
    assert client.get(f"/api/dice/hold?roll={'1' * 9_000}").status_code == 414
    assert client.post("/api/dice/review", content=b"\xff").status_code == 400
    assert client.post("/api/dice/hold").status_code == 405
    assert client.get("/api/dice/review").status_code == 405


def test_no_request_names_a_file(client: TestClient) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/app.py"):
        assert client.get(path).status_code == 404


def test_files_are_sent_once(client: TestClient) -> None:
    answer = client.get("/static/style.css")
    tag = {"If-None-Match": answer.headers["etag"]}
    assert client.get("/static/style.css", headers=tag).status_code == 304


def test_pages_ask_for_nothing_elsewhere() -> None:
    folder = Path(sys.modules["oddscalc.web.files"].__file__ or "").parent / "static"
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert "http:" not in text, path.name
        assert "https:" not in text, path.name
        if path.suffix == ".html":
            assert "<style" not in text, path.name
            assert " style=" not in text, path.name
            assert "<script>" not in text, path.name


def test_rule_files_are_games(tmp_path: Path) -> None:
    house, friday = tmp_path / "house.toml", tmp_path / "friday.toml"
    house.write_text('base = "poker-dice-short"\nrolls = 2\n', encoding="utf-8")
    friday.write_text('base = "four-handed"\nstick_the_dealer = true\n', encoding="utf-8")
    games = Games.of_files([house, friday])
    with TestClient(create_app(games), base_url="http://localhost") as client:
        names = [game["name"] for game in client.get("/api/dice/games").json()["games"]]
        assert names[-1] == "house"
        assert client.get("/api/euchre/rules?game=friday").json()["stick_the_dealer"] is True
        answer = client.get("/api/dice/hold?roll=66123&game=house").json()
        assert (answer["game"], answer["rolls_left"]) == ("house", 1)
        # It is solved and stored now: nothing has to be built.
        with store.stored_only():
            endpoint = ENDPOINTS["/api/dice/hold"]
            asked = endpoint.read([("roll", "66124"), ("game", "house")])
            found = endpoint.question(games, asked, None)
            assert isinstance(found, Result)
            assert found.to_dict()["game"] == "house"
    house.rename(tmp_path / "yatzy.toml")
    with pytest.raises(RulesError, match="name of another game, 'yatzy'"):
        Games.of_files([tmp_path / "yatzy.toml"])


def test_nothing_is_built_where_only_stored_tables_may_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODDSCALC_CACHE", str(tmp_path))
    with store.stored_only(), pytest.raises(MissingTableError):
        store.fetch("table", "mark", pytest.fail)
    game = small_game("parts-in-turn-fixed-any")
    NeedTable(game).cells  # noqa: B018  the rows are laid out and stored, the chances are not
    with store.stored_only(), pytest.raises(MissingTableError):
        advise([1] * game.dice, game=game, goal=f"beat:{round(solve(game).value)}")


def _lane_of(lane: Lane, work: Any) -> Any:
    """Run some work beside a lane."""

    async def both() -> Any:
        running = asyncio.create_task(lane.run())
        try:
            return await work()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    return asyncio.run(both())


BID = ENDPOINTS["/api/euchre/bid"]


def test_a_job_that_takes_too_long_is_ended_and_the_next_one_answered() -> None:
    rules = ENDPOINTS["/api/euchre/rules"]
    lane = Lane(Games(), longest=0.2)  # a worker is not even started in that time

    async def work() -> None:
        job = lane.ask(BID, BID.read(HAND.items()), stream=False)
        assert [word async for word in job] == [{"late": "The answer takes longer than 0.2 s."}]
        lane._longest = 60.0
        job = lane.ask(rules, rules.read([]), stream=False)
        assert "answer" in [word async for word in job][-1]

    _lane_of(lane, work)


def test_an_abandoned_job_is_stopped_and_the_worker_goes_on() -> None:
    lane = Lane(Games(), longest=60.0)

    async def work() -> None:
        asked = BID.read([*HAND.items(), ("play", "open"), ("deals", "100000")])
        job = lane.ask(BID, asked, stream=True)
        async for word in job:
            if "answer" in word:
                break
        worker = lane._process
        job.abandon()
        waiting = lane.ask(BID, asked, stream=True)
        waiting.abandon()
        assert [word async for word in waiting] == []
        few = BID.read([*HAND.items(), ("play", "open"), ("deals", "100")])
        job = lane.ask(BID, few, stream=False)
        answers = [word for word in [word async for word in job] if "answer" in word]
        assert json.loads(answers[0]["answer"])["deals"] == 100
        assert lane._process is worker

    _lane_of(lane, work)


def test_a_full_queue_refuses() -> None:
    lane = Lane(Games(), longest=60.0, most_waiting=1)
    asked = BID.read(HAND.items())
    lane.ask(BID, asked, stream=False)
    with pytest.raises(BusyError):
        lane.ask(BID, asked, stream=False)


def test_the_command_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    code, sentence = _printed(capsys, ["web"])
    assert code == 1
    assert sentence == (
        "The page needs uvicorn, which is not installed; pip install 'oddscalc[web]'."
    )


def test_a_port_in_use_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, sentence = _printed(capsys, ["web", "--port", str(port)])
    assert code == 1
    assert sentence.startswith(f"Port {port} of 127.0.0.1 cannot be used: ")
    code, sentence = _printed(capsys, ["web", "--host", "no.such.host.invalid"])
    assert code == 2


def test_another_address_is_warned_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oddscalc.web.server.serve", lambda *_: None)
    assert _printed(capsys, ["web"]) == (0, "")
    code, warning = _printed(capsys, ["web", "--host", "0.0.0.0"])
    assert code == 0
    assert warning.startswith("Warning: on 0.0.0.0 everybody in your network can ask")
