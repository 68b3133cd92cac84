"""The command line as a person and a program meet it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from oddscalc.cli import main


class Run:
    """Runs the command line in this process and keeps what it said."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *args: str) -> tuple[int, str, str]:
        """Return exit code, stdout and stderr."""
        with pytest.raises(SystemExit) as caught:
            main(list(args))
        out, err = self._capsys.readouterr()
        code = caught.value.code
        assert isinstance(code, int)
        return code, out, err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


def test_hold_leads_with_the_answer(run: Run) -> None:
    code, out, err = run("dice", "hold", "2", "3", "6", "2", "1")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "Keep 2 2, roll three."
    assert "161.7531" in out
    assert out.count("keep ") == 5


def test_all_shows_every_option(run: Run) -> None:
    _, out, _ = run("dice", "hold", "23621", "--all")
    assert out.count("keep ") + out.count("roll all five") == 23 + 0
    assert "score -2 in ones" in out


def test_json_of_hold(run: Run) -> None:
    code, out, _ = run("dice", "hold", "55661", "--game", "yatzy", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["schema"] == "oddscalc.dice.hold/1"
    assert {"game", "roll", "rolls_left", "goal", "options"} <= set(answer)
    assert (answer["game"], answer["roll"], answer["rolls_left"]) == ("yatzy", [1, 5, 5, 6, 6], 2)
    best = answer["options"][0]
    assert best["action"] == "reroll"
    assert best["hold"] == [5, 5, 6, 6]
    assert best["value"] == pytest.approx(250.1063, abs=1e-4)
    assert best["expected_remaining"] == best["value"]
    assert {"action", "hold", "box", "points", "value", "loss"} <= set(best)
    assert sum(option["action"] == "score" for option in answer["options"]) == 15


@pytest.mark.parametrize(
    ("args", "schema", "fields"),
    [
        (["games"], "games", {"games"}),
        (["rules", "yacht"], "rules", {"name", "title", "boxes", "bonuses"}),
        (["solve", "poker-dice-short"], "solve", {"game", "value", "states", "seconds"}),
        (["odds", "poker"], "odds", {"probability", "by_roll"}),
    ],
)
def test_json_of_the_others(run: Run, args: list[str], schema: str, fields: set[str]) -> None:
    code, out, _ = run("dice", *args, "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert answer["schema"] == f"oddscalc.dice.{schema}/1"
    assert fields <= set(answer)


def test_games_are_listed_with_their_fields(run: Run) -> None:
    games = json.loads(run("dice", "games", "--json")[1])["games"]
    assert games[0]["name"] == "poker-dice"
    assert {"name", "title", "aliases"} <= set(games[0])
    assert {game["name"] for game in games} >= {
        "poker-dice",
        "poker-dice-any-order",
        "poker-dice-short",
        "yahtzee",
        "yahtzee-verhoeff",
        "yahtzee-free-joker",
        "yahtzee-plain",
        "kniffel",
        "yatzy",
        "yacht",
    }


def test_csv_and_markdown(run: Run) -> None:
    _, out, _ = run("dice", "odds", "poker", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["fraction"] for row in rows] == ["1/1296", "221/17496", "347897/7558272"]
    _, out, _ = run("dice", "hold", "23621", "--format", "md")
    assert out.startswith("**Keep 2 2, roll three.**\n\n| # | Option |")


def test_scorecards_by_every_way(run: Run, tmp_path: Path) -> None:
    card = {"yahtzee": 50, "fours": 12}
    (tmp_path / "card.json").write_text(json.dumps(card))
    (tmp_path / "card.toml").write_text("joker_bonus = 100\n[filled]\nyahtzee = 50\nfours = 12\n")
    answers = [
        json.loads(run("dice", "hold", "44444", "-g", "yahtzee", "-n", "0", "--json", *args)[1])
        for args in (
            ["--filled", "yahtzee=50, fours=12"],
            ["--card", str(tmp_path / "card.json")],
            ["--filled", "YAHTZEE: 50; Fours: 12", "--joker-bonus", "100"],
            ["--card", str(tmp_path / "card.toml")],
        )
    ]
    values = [answer["options"][0]["value"] for answer in answers]
    assert values[0] == values[1] == values[2] - 100 == values[3] - 100
    remaining = {answer["options"][0]["expected_remaining"] for answer in answers}
    assert max(remaining) - min(remaining) < 1e-9


def test_open_boxes_with_progress(run: Run) -> None:
    args = ["dice", "hold", "23456", "--open", "sixes, chance", "-g", "yahtzee", "--json"]
    need = json.loads(run(*args, "--bonus-progress", "45")[1])
    have = json.loads(run(*args, "--bonus-progress", "upper=57", "--points", "100")[1])
    assert need["card"]["points"] == 0
    assert have["card"]["points"] == 100
    assert have["options"][0]["value"] == have["options"][0]["expected_remaining"] + 100


def test_a_joker_box_of_unknown_points_is_said_to_be_taken_as_zero(run: Run) -> None:
    _, out, _ = run("dice", "hold", "66666", "-g", "yahtzee", "--open", "chance")
    assert "The box yahtzee is taken to hold 0." in out


def test_goal_of_a_box_needs_no_solution(run: Run, tmp_path: Path) -> None:
    _, out, _ = run("dice", "hold", "12366", "-g", "yatzy", "--goal", "box:Small straight")
    assert out.splitlines()[0] == "Keep 1 2 3, roll two."
    assert "when only that box counts" in out


def test_rules_of_ones_own(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('base = "poker-dice-short"\nrolls = 2\ntitle = "House"\n')
    assert "House: " in run("dice", "solve", "--rules", str(file))[1]
    assert "2 rolls a turn" in run("dice", "rules", "--rules", str(file))[1]
    assert run("dice", "hold", "66612", "--rules", str(file))[1].startswith("Keep 6 6 6")


def test_the_file_of_a_game_can_be_printed_and_used(run: Run, tmp_path: Path) -> None:
    text = run("dice", "rules", "kniffel", "--toml")[1]
    file = tmp_path / "mine.toml"
    file.write_text(text.replace("bonus = 0 ", "bonus = 50"))
    assert (
        json.loads(run("dice", "rules", "--rules", str(file), "--json")[1])["joker"]["bonus"] == 50
    )


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["hold", "2362"], ["'2 3 6 2' has 4 dice", "5 dice from 1 to 6"]),
        (["hold", "236212"], ["6 dice"]),
        (["hold", "2", "3", "7", "2", "1"], ["'7' is not a die", "1 to 6"]),
        (["hold", "abcde"], ["'a' in 'abcde'"]),
        (["hold"], ["The roll is empty", "5 dice"]),
        (["hold", ""], ["The roll is empty"]),
        (["hold", "12345", "--game", "yatsy"], ["'yatsy'", "did you mean 'yatzy'"]),
        (["hold", "12345", "--filled", "onse=1"], ["'onse'", "did you mean 'ones'"]),
        (["hold", "12345", "--filled", "ones=1,ones=2"], ["'ones' is given twice"]),
        (["hold", "12345", "--filled", "ones=7"], ["'ones' cannot hold 7", "-3, -2, -1, 0, 1, 2"]),
        (["hold", "12345", "--filled", "ones"], ["'ones' is not a score", "NAME=WHOLE NUMBER"]),
        (["hold", "12345", "--filled", "pair=12"], ["'pair'", "ones, twos", "part two"]),
        (["hold", "12345", "--rolls-left", "3"], ["3 rolls left", "0 to 2"]),
        (["hold", "12345", "--rolls-left", "-1"], ["-1 rolls left"]),
        (["hold", "12345", "--rolls-left", "two"], ["two"]),
        (["hold", "12345", "--goal", "fun"], ["'fun'", "mean, beat:N, box:NAME, pot"]),
        (["hold", "12345", "--goal", "box:yams"], ["'yams'"]),
        (["hold", "12345", "--open", ""], ["--open is empty"]),
        (["hold", "12345", "--open", "pair, pair"], ["'pair' is listed as open twice"]),
        (["hold", "12345", "--open", "ones,chance"], ["'pair'", "ones"]),
        (["hold", "12345", "--open", "pair", "--filled", "ones=1"], ["--filled and --open"]),
        (["hold", "12345", "--bonus-progress", "3"], ["--bonus-progress", "--open"]),
        (["hold", "12345", "-g", "yatzy", "--open", "ones", "--bonus-progress", "x"], ["x"]),
        (
            ["hold", "12345", "-g", "yatzy", "--open", "ones", "--bonus-progress", "101"],
            ["progress 101", "accepted"],
        ),
        (["hold", "12345", "-g", "yatzy", "--open", "ones,pair"], ["progress", "missing"]),
        (["hold", "12345", "--card", "nowhere.json"], ["nowhere.json", "No such file"]),
        (["hold", "12345", "--rules", "nowhere.toml"], ["nowhere.toml", "No such file"]),
        (["hold", "12345", "--rules", "a.toml", "--game", "yatzy"], ["--rules", "one of them"]),
        (["solve", "chess"], ["'chess'", "poker-dice"]),
        (["rules", "pokerdice"], ["'pokerdice'", "did you mean 'poker-dice'"]),
        (["odds", "royal-flush"], ["'royal-flush'"]),
        (["odds", "chance"], ["'chance' cannot be missed"]),
        (["hold", "12345", "-g", "yacht", "--open", "ones", "--bonus-progress", "5"], ["'yacht'"]),
        (["hold", "11111", "-g", "yahtzee", "--joker-bonus", "100", "--filled", "ones=1"], ["100"]),
        (["hold", "12345", "-g", "yahtzee", "--open", "chance", "--bonus-progress", "-1"], ["-1"]),
        (["odds", "poker", "--rolls", "0"], ["0 rolls", "1 to"]),
        (["odds", "poker", "--from", "66666666"], ["8 dice"]),
    ],
)
def test_wrong_input(run: Run, args: list[str], words: list[str]) -> None:
    code, out, err = run("dice", *args)
    assert code == 2
    assert out == ""
    assert "Traceback" not in err
    for word in words:
        assert word in err


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[1, 2]", "is a list"),
        ('{"ones": "two"}', "filled.ones is 'two'"),
        ('{"filled": {}, "total": 3}', "'total'"),
        ('{"ones": 1', "neither"),
        ("ones = 1.5", "1.5"),
        ('{"filled": 3}', "filled is 3"),
        ("points = true", "points is True"),
        ('{"ones": 1, "ones": 2}', "'ones' is given twice"),
    ],
)
def test_a_wrong_card_file(run: Run, tmp_path: Path, text: str, word: str) -> None:
    file = tmp_path / "card.json"
    file.write_text(text)
    code, _, err = run("dice", "hold", "12345", "--card", str(file))
    assert code == 2
    assert word in err


def _process(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "oddscalc", *args],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        check=False,
    )


def test_as_a_process() -> None:
    done = _process("dice", "hold", "2", "3", "6", "2", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    wrong = _process("dice", "hold", "2", "3", "6", "2", "9")
    assert wrong.returncode == 2
    assert wrong.stderr == "Error: '9' is not a die; accepted: faces from 1 to 6.\n"


def test_version_and_help() -> None:
    from oddscalc import __version__

    assert _process("--version").stdout == f"oddscalc {__version__}\n"
    assert "Examples" in _process("dice", "hold", "--help").stdout
    assert _process("dice", "hodl").returncode == 2


def test_a_reader_that_stops_early_is_no_failure_worth_a_traceback() -> None:
    line = f"{sys.executable} -m oddscalc dice rules yatzy --json | head -1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "{\n"
    assert "Traceback" not in done.stderr


def test_an_answers_card_can_be_asked_again(run: Run, tmp_path: Path) -> None:
    args = ["dice", "hold", "23456", "-g", "yahtzee", "--json"]
    first = json.loads(run(*args, "--open", "sixes, chance", "--bonus-progress", "45")[1])
    (tmp_path / "card.json").write_text(json.dumps(first["card"]))
    again = json.loads(run(*args, "--card", str(tmp_path / "card.json"))[1])
    assert again["options"] == first["options"]


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "latin-1"])
def test_terminals_without_our_characters(encoding: str) -> None:
    done = _process("dice", "hold", "23621", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Keep 2 2, roll three.")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_answer_that_cannot_be_written() -> None:
    line = f"{sys.executable} -m oddscalc dice rules yatzy --json > /dev/full"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "Error: the answer cannot be written: No space left on device.\n"
