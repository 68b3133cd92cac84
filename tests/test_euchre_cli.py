"""The euchre commands as a user types them: answers, refusals, what they import."""

import contextlib
import csv
import doctest
import io
import json
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddscalc import euchre
from oddscalc.cli import main
from oddscalc.errors import OddscalcError
from oddscalc.euchre.rules import game_names, game_source

DOCS = Path(__file__).parents[1] / "docs" / "euchre.md"
PLAY = DOCS.with_name("euchre-play.md")
HAND, UP = "AS KS 9H TD AC", "QS"


class Calls:
    """Runs a command in this process: exit code, stdout, stderr."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *args: str) -> tuple[int, str, str]:
        """Return exit code, stdout and stderr."""
        with pytest.raises(SystemExit) as left:
            main(["euchre", *args])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in err
        return int(left.value.code or 0), out, err

    def good(self, *args: str) -> str:
        """Return stdout of a call that must succeed without a word on stderr."""
        code, out, err = self(*args)
        assert (code, err) == (0, "")
        return out

    def json(self, *args: str) -> dict[str, object]:
        """Return the JSON answer."""
        content: dict[str, object] = json.loads(self.good(*args, "--json"))
        assert content["schema"] == f"oddscalc.euchre.{args[0]}/1"
        return content

    def refused(self, *args: str) -> str:
        """Return stderr of a call that must be refused as wrong input."""
        code, out, err = self(*args)
        assert (code, out) == (2, "")
        return err


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Calls:
    return Calls(capsys)


def house(folder: Path, text: str) -> str:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_games(call: Calls) -> None:
    listed = call.json("games")["games"]
    assert isinstance(listed, list)
    assert [game["name"] for game in listed] == game_names()
    assert all(name in call.good("games") for name in game_names())
    rows = list(csv.DictReader(io.StringIO(call.good("games", "--format", "csv"))))
    assert [row["deck"] for row in rows] == ["24"] * 3
    assert call.good("games", "--format", "md").startswith("**Built-in Euchre games**")


def test_rules(call: Calls) -> None:
    assert "Four-handed Euchre, partners" in call.good("rules")
    content = call.json("rules", "three-handed")
    assert (content["name"], content["dummy"]) == ("three-handed", 5)
    assert call.good("rules", "two-handed", "--source") == game_source("two-handed")
    assert call.json("rules", "--game", "two-handed")["hands"] == 2


def test_rules_of_a_house(call: Calls, tmp_path: Path) -> None:
    text = 'base = "two-handed"\ntitle = "Ours"\nstick_the_dealer = true\n'
    path = house(tmp_path, text)
    content = call.json("rules", "--rules", path)
    assert (content["title"], content["stick_the_dealer"]) == ("Ours", True)
    assert call.good("rules", "--rules", path, "--source") == text
    assert "accepted: one of them" in call.refused("rules", "two-handed", "--rules", path)


def test_wrong_rules(call: Calls, tmp_path: Path) -> None:
    assert "did you mean 'two-handed'" in call.refused("rules", "two-hand")
    assert "cannot be read: No such file" in call.refused("rules", "--rules", "nowhere.toml")
    path = house(tmp_path, 'base = "two-handed"\ndeck = 28')
    assert "deck is 28; allowed: 24, 25" in call.refused("rules", "--rules", path)
    assert "house.toml" in call.refused("chance", "--of", "JS", "--rules", path)


def test_chance(call: Calls) -> None:
    content = call.json("chance", "--of", "JS JC", "--hand", HAND, "--up", UP)
    assert content["probability"] == {"fraction": "25/51", "value": 25 / 51}
    assert (content["seat"], content["at_least"]) == ("partner", 1)
    text = call.good("chance", "--of", "J♠ j♣", "-s", "dealer", "-k", "2", "--hand", HAND, "-u", UP)
    assert text.startswith("The dealer holds at least 2 of J♠ J♣: 6.536 % (10/153)")
    rows = call.good("chance", "--of", "JS", "--seat", "1", "--format", "csv").splitlines()
    assert rows[0] == "cards,exactly,at_least,fraction"
    assert rows[2].endswith(",5/24")
    seen = ("--of", "trumps", "-u", "9S", "--hand", "JSASKSAH9D", "-s", "dealer", "--format", "csv")
    # Four trumps are in view: more than three can be nobody else's, but four may be asked for.
    assert len(call.good("chance", *seen).splitlines()) == 1 + 4
    assert call.good("chance", *seen, "-k", "4").splitlines()[-1] == "4,0.0,0.0,0"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--of", "XX"], "'XX' is not a card"),
        (["--of", "JS", "--seat", "norht"], "There is no holder 'norht'"),
        (["--of", "JS", "--hand", "JS JC AS KH JS"], "The card 'JS' is there twice"),
        (["--of", "JS", "--hand", "JS JC AS KH"], "has 4 cards; accepted: 5 cards"),
        (["--of", "JS", "--hand", "JS JC AS KH 9D TD"], "has 6 cards; accepted: 5 cards"),
        (["--of", "JS", "--hand", HAND, "--up", "AS"], "The upcard 'AS' is in the hand"),
        (["--of", "8S"], "The deck of 24 has no card '8S'"),
        (["--of", "JS", "--me", "5"], "There is no seat '5'"),
        (["--of", "JS", "--at-least", "2"], "At least 2 of 1 cards"),
        (["--of", "JS", "--at-least", "two"], "'two' is not a valid int"),
        (["--of", "JS", "--game", "whist"], "There is no game 'whist'"),
        ([], "Missing option '--of'"),
    ],
)
def test_wrong_chances(call: Calls, args: list[str], message: str) -> None:
    assert message in call.refused("chance", *args)


DEAL = "JS AS KS QS 9H / TS 9S AH KH QH / JH TH AD KD QD / JD TD 9D AC KC"
TWO_HANDS = "JS AS KS QS 9H / TS 9S AH KH QH"
THREE_HANDS = f"{TWO_HANDS} / JH TH AD KD QD"


def test_solve(call: Calls) -> None:
    content = call.json("solve", DEAL, "--trump", "spades")
    assert (content["tricks"], content["points"]) == (4, {"makers": 1, "others": 0})
    assert (content["trump"], content["maker"], content["leader"]) == ("S", "1", "1")
    line = content["line"]
    assert isinstance(line, list)
    assert [len(trick["plays"]) for trick in line] == [4] * 5
    assert sum(trick["taken_by"] in ("1", "3") for trick in line) == 4
    played = {play["card"] for trick in line for play in trick["plays"]}
    assert played == set(DEAL.replace("/", " ").split())
    for before, after in pairwise(line):
        assert after["plays"][0]["seat"] == before["taken_by"]
    assert call.json("solve", DEAL.replace(" ", "").lower(), "-t", "♠") == content


@pytest.mark.parametrize(
    ("args", "leader", "seats"),
    [
        (["--alone", "1"], "1", ["1", "2", "dealer"]),
        (["--alone", "2"], "1", ["1", "2", "3"]),
        (["--leader", "3"], "3", ["1", "2", "3", "dealer"]),
    ],
)
def test_solve_with_loners(call: Calls, args: list[str], leader: str, seats: list[str]) -> None:
    content = call.json("solve", DEAL, "-t", "S", *args)
    line = content["line"]
    assert isinstance(line, list)
    assert content["leader"] == line[0]["plays"][0]["seat"] == leader
    assert sorted(play["seat"] for play in line[0]["plays"]) == seats


def test_solve_two_and_three_handed(call: Calls) -> None:
    assert call.json("solve", TWO_HANDS, "-t", "S", "-g", "two-handed")["tricks"] == 4
    three = (THREE_HANDS, "-t", "S", "-g", "three-handed")
    content = call.json("solve", *three, "--maker", "dealer")
    assert (content["tricks"], content["points"]) == (0, {"makers": 0, "others": 2})
    text = call.good("solve", *three, "--maker", "dealer")
    assert text.startswith("♠ by dealer: 0 tricks, euchred: 2 points to each of the others\n")
    two = call.good("solve", TWO_HANDS, "-t", "S", "-g", "two-handed", "--maker", "dealer")
    assert two.startswith("♠ by dealer: 1 trick, euchred: 2 points to the other player\n")


@pytest.mark.parametrize(
    ("args", "leader", "seats", "words"),
    [
        (["--maker", "2", "--alone", "2"], "dealer", ["1", "2", "dealer"], "by seat 2 alone:"),
        (["--defend-alone", "dealer"], "1", ["1", "dealer"], "seat 1, dealer defending alone: "),
        (
            ["--maker", "2", "--alone", "2", "--defend-alone", "1"],
            *(
                "1",
                ["1", "2"],
                "seat 2 alone, seat 1 defending alone: 1 trick, euchred: 2 points to ",
            ),
        ),
    ],
)
def test_solve_three_handed_alone(
    call: Calls, args: list[str], leader: str, seats: list[str], words: str
) -> None:
    asked = ("solve", THREE_HANDS, "-t", "S", "-g", "three-handed", *args)
    content = call.json(*asked)
    line = content["line"]
    assert isinstance(line, list)
    assert content["leader"] == line[0]["plays"][0]["seat"] == leader
    assert sorted(play["seat"] for play in line[0]["plays"]) == seats
    assert words in call.good(*asked)


def test_solve_shows_a_line(call: Calls) -> None:
    text = call.good("solve", DEAL, "-t", "S")
    assert text.startswith("♠ by seat 1: 4 tricks, made: 1 point\n")
    assert "9♥" in text
    other = call.good("solve", DEAL, "-t", "S", "--maker", "2")
    assert other.startswith("♠ by seat 2: 1 trick, euchred: 2 points to the others\n")
    assert "open hands" in text
    assert "Taken by" in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([TWO_HANDS, "-t", "S"], "has 2 hands; accepted: 4 hands"),
        ([DEAL.replace("KC", "JS"), "-t", "S"], "seat 1 and dealer both hold JS"),
        ([DEAL.replace("KC", ""), "-t", "S"], "has 4 cards; accepted: 5 cards"),
        ([DEAL.replace("KC", "KC QC"), "-t", "S"], "has 6 cards; accepted: 5 cards"),
        ([DEAL.replace("KC", "8C"), "-t", "S"], "The deck of 24 has no card '8C'"),
        ([DEAL.replace("KC", "XX"), "-t", "S"], "'XX' is not a card"),
        ([DEAL, "-t", "X"], "'X' is not a suit"),
        ([DEAL], "Missing option '--trump'"),
        ([DEAL, "-t", "S", "--leader", "west"], "There is no seat 'west'"),
        ([DEAL, "-t", "S", "--maker", "4"], "There is no seat '4'"),
        ([DEAL, "-t", "S", "--maker", "1", "--alone", "2"], "Seat '2' cannot play alone"),
        (
            [DEAL, "-t", "S", "--defend-alone", "2"],
            "Seat '2' cannot defend alone, as no defender plays alone in four-handed; accepted: "
            "no lone defender, or rules with defend_alone = true.",
        ),
        ([THREE_HANDS, "-t", "S", "-g", "three-handed", "--defend-alone", "1"], "maker's side"),
        (
            [TWO_HANDS, "-t", "S", "-g", "two-handed", "--alone", "1"],
            "Seat '1' cannot play alone, as nobody makes alone in two-handed; accepted: no lone",
        ),
        (
            [TWO_HANDS, "-t", "S", "-g", "two-handed", "--defend-alone", "dealer"],
            "no defender plays alone in two-handed; accepted: no lone defender.",
        ),
        ([DEAL, "-t", "S", "--alone", "1", "--leader", "3"], "Seat '3' sits out"),
    ],
)
def test_wrong_deals(call: Calls, args: list[str], message: str) -> None:
    assert message in " ".join(call.refused("solve", *args).split())


BID = ("bid", "JS JC AS KH 9D", "--up", "TS", "--seat", "1", "--play", "open")


def test_bid_two_handed_is_exact(call: Calls) -> None:
    content = call.json(
        "bid", "JS AS KS AH 9D", "-u", "9S", "-s", "1", "-g", "two-handed", "--play", "open"
    )
    assert (content["method"], content["deals"], content["seed"]) == ("exact", 8568, None)
    assert (content["game"], content["up"], content["round"]) == ("two-handed", "9S", 1)
    assert content["hand"] == ["AS", "KS", "JS", "AH", "9D"]
    actions = content["actions"]
    assert isinstance(actions, list)
    order, nothing = actions
    assert (order["action"], order["trump"], order["alone"]) == ("order", "S", False)
    total = order["p_euchred"] + order["p_made"] + order["p_march"]
    assert total == pytest.approx(1, abs=1e-12)
    worth = order["p_made"] + 2 * order["p_march"] - 2 * order["p_euchred"]
    assert order["points"] == pytest.approx(worth, abs=1e-12)
    assert order["stderr"] == 0
    assert (nothing["action"], nothing["points"]) == ("pass", None)


def test_bid_by_sampling(call: Calls) -> None:
    content = call.json(*BID, "--deals", "300", "--seed", "7")
    assert (content["method"], content["deals"], content["seed"]) == ("monte-carlo", 300, 7)
    assert (content["seat"], content["play"]) == ("1", "open")
    actions = content["actions"]
    assert isinstance(actions, list)
    assert [(a["action"], a["trump"], a["alone"]) for a in actions] == [
        ("order", "S", False),
        ("order", "S", True),
        ("pass", None, False),
    ]
    assert actions[0]["points"] >= actions[1]["points"]
    assert actions[0]["stderr"] > 0
    assert actions == call.json(*BID, "--deals", "300", "--seed", "7")["actions"]
    assert actions != call.json(*BID, "--deals", "300", "--seed", "8")["actions"]


def test_bid_of_the_dealer_names_the_discard(call: Calls) -> None:
    hand = (
        "bid",
        "JC TS AS AH TD",
        "--up",
        "JS",
        "--seat",
        "dealer",
        "--deals",
        "300",
        "--play",
        "open",
    )
    actions = call.json(*hand)["actions"]
    assert isinstance(actions, list)
    best = actions[0]
    assert (best["action"], best["alone"], best["discard"]) == ("take", True, "TD")
    assert best["runner_up"] in ("AH", "TS")
    assert "10♦" in call.good(*hand)


def test_bid_in_round_two(call: Calls) -> None:
    suits = [suit for suit in "CHD" for alone in (False, True)]
    actions = call.json(*BID, "--round", "2", "--deals", "300")["actions"]
    assert isinstance(actions, list)
    assert sorted(a["trump"] for a in actions if a["action"] == "name") == sorted(suits)
    only = call.json(*BID, "--round", "2", "--trump", "hearts", "--deals", "300")["actions"]
    assert isinstance(only, list)
    assert {a["trump"] for a in only} == {"H", None}


def test_stuck_dealer_cannot_pass(call: Calls, tmp_path: Path) -> None:
    path = house(tmp_path, 'base = "two-handed"\nstick_the_dealer = true')
    last = ("bid", "JS JC AS KH 9D", "-u", "TS", "-r", "2", "--rules", path, "--play", "open")
    for seat, names in (("dealer", {"name"}), ("1", {"name", "pass"})):
        actions = call.json(*last, "--seat", seat)["actions"]
        assert isinstance(actions, list)
        assert {action["action"] for action in actions} == names


def test_bid_says_how_it_is_played(call: Calls) -> None:
    text = " ".join(call.good(*BID, "--deals", "300").split())
    assert "open hands" in text
    assert "300 deals" in text
    assert "seed 0" in text
    assert "The dealer takes the upcard" in text
    assert "pass" in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["JS JC AS KH JS", "-u", "TS", "-s", "1"], "The card 'JS' is there twice"),
        (["JS JC AS KH", "-u", "TS", "-s", "1"], "has 4 cards; accepted: 5 cards"),
        (["JS JC AS KH 9D 9C", "-u", "TS", "-s", "1"], "has 6 cards; accepted: 5 cards"),
        (["JS JC AS KH 8D", "-u", "TS", "-s", "1"], "The deck of 24 has no card '8D'"),
        (["JS JC AS KH 9D", "-u", "JC", "-s", "1"], "The upcard 'JC' is in the hand"),
        (["JS JC AS KH 9D", "-u", "T", "-s", "1"], "'T' is not a card"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "5"], "There is no seat '5'"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "2", "-g", "two-handed"], "Accepted: 1, dealer"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "1", "-r", "3"], "no bidding round 3"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "1", "-r", "2", "-t", "S"], "TS was turned down"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "1", "-t", "X"], "'X' is not a suit"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "1", "-n", "0"], "0 deals cannot be sampled"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "1", "-n", "9", "--exact"], "Both --exact and"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "1", "--seed", "-1"], "The seed -1 is out of range"),
        (["JS JC AS KH 9D", "-u", "TS", "-s", "1", "--play", "shut"], "'shut' is not one of"),
        (["JS JC AS KH 9D", "-u", "TS"], "Missing option '--seat'"),
        (["JS JC AS KH 9D", "-s", "1"], "Missing option '--up'"),
        ([], "Missing argument 'HAND'"),
    ],
)
def test_wrong_bids(call: Calls, args: list[str], message: str) -> None:
    assert message in " ".join(call.refused("bid", *args).split())


def test_table_two_handed(call: Calls, tmp_path: Path) -> None:
    path = tmp_path / "two.parquet"
    content = call.json("table", "bids", "two-handed", "-o", str(path), "--limit", "20")
    table = pl.read_parquet(path)
    assert (content["rows"], content["file"]) == (table.height, str(path))
    assert list(tmp_path.iterdir()) == [path]
    assert set(table["method"].drop_nulls()) == {"exact"}
    assert set(table["seat"]) == {"1", "dealer"}
    row = table.filter(seat="1", action="order").row(3, named=True)
    answer = euchre.bid_odds(row["hand"], up=row["up"], seat="1", game="two-handed", play="open")
    assert row["points"] == pytest.approx(answer.actions[0].points, abs=1e-12)
    metadata = pl.read_parquet_metadata(path)
    assert json.loads(metadata["oddscalc.game"])["name"] == "two-handed"
    assert "open hands" in metadata["oddscalc.play"]


def test_table_of_one_round_by_sampling(call: Calls, tmp_path: Path) -> None:
    args = ("table", "bids", "--limit", "2", "--deals", "20", "--round", "2", "--seed", "3", "-o")
    text = call.good(*args, str(tmp_path / "one.parquet"))
    table = pl.read_parquet(tmp_path / "one.parquet")
    assert f"one.parquet: {table.height:,} rows" in text
    assert set(table["round"]) == {2}
    assert set(table["n"].drop_nulls()) == {20}
    call.good(*args, str(tmp_path / "two.parquet"))
    assert table.equals(pl.read_parquet(tmp_path / "two.parquet"))


def test_wrong_tables(call: Calls, tmp_path: Path) -> None:
    good = str(tmp_path / "bids.parquet")
    assert "accepted: NAME.parquet" in call.refused(
        "table", "bids", "-o", str(tmp_path / "bids.xlsx")
    )
    assert "No such command 'pots'" in call.refused("table", "pots", "-o", good)
    assert "There is no game 'whist'" in call.refused("table", "bids", "whist", "-o", good)
    assert "no bidding round 3" in call.refused("table", "bids", "-r", "3", "-o", good)
    assert "0 deals cannot be" in call.refused("table", "bids", "-n", "0", "-o", good)
    assert "There is no folder" in call.refused(
        "table", "bids", "-o", str(tmp_path / "a" / "b.parquet")
    )
    assert list(tmp_path.iterdir()) == []
    assert "Missing option '--output'" in call.refused("table", "bids")
    (tmp_path / "bids.parquet.parts").touch()
    code, out, err = call("table", "bids", "two-handed", "--limit", "1", "-o", good)
    assert (code, out) == (1, "")
    assert "cannot be written: File exists" in " ".join(err.split())


FRIDAYS = """source = "our Fridays"
[hands]
0-1 = 450
0-2 = 160
0-4 = 50
1-0 = 170
2-0 = 120
4-0 = 50
"""


@pytest.fixture
def fridays(tmp_path: Path) -> str:
    path = tmp_path / "fridays.toml"
    path.write_text(FRIDAYS, encoding="utf-8")
    return str(path)


def test_match_at_a_score(call: Calls, fridays: str) -> None:
    content = call.json("match", "--score", "9-6", "--seat", "1", "--outcomes", fridays)
    assert (content["game"], content["target"], content["score"]) == ("four-handed", 10, [9, 6])
    assert content["chances"] == [
        {
            "seat": "1",
            "score": [9, 6],
            "win": pytest.approx(0.8189, abs=5e-5),
            "stderr": pytest.approx(0.01, abs=0.005),
        }
    ]
    after = content["after"]
    assert isinstance(after, list)
    # Points and scores are the asker's first: the dealer's side makes one in 45 % of the hands.
    assert {"points": [0, 1], "chance": 0.45, "score": [9, 7]}.items() <= after[3].items()
    assert after[0]["win"] == 1
    text = call.good("match", "--score", "9-6", "-s", "1", "--outcomes", fridays)
    assert text.startswith("9-6, seat 1: 81.9 ± ")
    assert "of 1,000 hands" in text
    assert "our Fridays" in text


def test_match_at_a_score_for_every_seat(call: Calls, fridays: str) -> None:
    content = call.json("match", "--score", "9 to 6", "--outcomes", fridays)
    chances = content["chances"]
    assert isinstance(chances, list)
    assert [row["seat"] for row in chances] == ["1", "2", "3", "dealer"]
    assert chances[0]["win"] == chances[2]["win"] < chances[1]["win"]
    assert content["after"] is None
    rows = lines(call.good("match", "--score", "9 to 6", "--outcomes", fridays))
    assert [row.split()[:3] for row in rows[4:6]] == [["1,", "3", "them"], ["2,", "dealer", "us"]]


def test_match_by_score_and_dealer(call: Calls, fridays: str) -> None:
    table = call.good("match", "--outcomes", fridays)
    assert table.startswith("Four-handed Euchre, partners, race to 10: 51.2 ± 0.")
    rows = [row.split() for row in lines(table)]
    assert [row[-1] for row in rows if row[:2] in (["us", "9"], ["them", "9"])] == ["66", "34"]
    chances = call.json("match", "--outcomes", fridays)["chances"]
    assert isinstance(chances, list)
    assert len(chances) == 4 * 100
    csv_lines = call.good("match", "--outcomes", fridays, "--format", "csv").splitlines()
    assert (csv_lines[0], len(csv_lines)) == ("seat,us,them,win,stderr", 1 + 4 * 100)
    assert "| Deals | Us | Them 0 | 1 |" in call.good(
        "match", "--outcomes", fridays, "--format", "md"
    )


def test_match_of_three(call: Calls, tmp_path: Path) -> None:
    path = tmp_path / "three.json"
    path.write_text('{"percent": {"1-0-0": 25, "0-1-0": 25, "0-0-1": 40, "2-2-0": 10}}')
    table = call.good("match", "three-handed", "--outcomes", str(path))
    assert "The others are level with each other here" in table
    chances = [
        call.json("match", "three-handed", "--outcomes", str(path), "--score", score, "-s", seat)
        for score, seat in (("7-8-9", "dealer"), ("8-9-7", "1"), ("9-7-8", "2"))
    ]
    assert sum(answer["chances"][0]["win"] for answer in chances) == pytest.approx(1)  # type: ignore[index]


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_match_as_a_chart(call: Calls, fridays: str, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"chances.{ending}"
    call.good("match", "--outcomes", fridays, "--plot", str(path))
    content = path.read_bytes()
    assert content.startswith(b"<svg" if ending == "svg" else b"\x89PNG")
    if ending == "svg":
        assert b"Them dealing" in content


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--score", "9"], "'9' is not a score of this game; accepted: 2 numbers"),
        (["--score", "10-6"], "has 10 points for a side, and 10 win the game"),
        (["--score", "9-6", "--seat", "west"], "There is no seat 'west'"),
        (["--seat", "1"], "The seat '1' is given without a score; accepted: with --score"),
        (["three-handed"], "'0-1' are not the points of a hand; accepted: 3 numbers"),
        (["--rules", "none.toml"], "cannot be read: No such file"),
        (["whist"], "There is no game 'whist'"),
        (["--plot", "chances.xlsx"], "accepted: .svg, .png, .pdf, .html"),
    ],
)
def test_wrong_matches(call: Calls, fridays: str, args: list[str], message: str) -> None:
    assert message in " ".join(call.refused("match", *args, "--outcomes", fridays).split())


def test_wrong_outcomes(call: Calls, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text("[hands]\n0-1 = 'often'")
    refusal = call.refused("match", "--outcomes", str(path))
    assert "hands.0-1 is 'often'; accepted: a whole number, 0 or more." in refusal
    assert "ours.toml" in refusal


def test_table_of_the_match(call: Calls, fridays: str, tmp_path: Path) -> None:
    path = tmp_path / "match.parquet"
    content = call.json("table", "match", "-o", str(path), "--outcomes", fridays)
    table = pl.read_parquet(path)
    assert (content["kind"], content["rows"], table.height) == ("match", 400, 400)
    nines = table.filter(us=9, them=9, seat="dealer")
    assert nines["win"].item() == pytest.approx(0.66)
    assert "No such option: --deals" in call.refused(
        "table", "match", "-o", str(path), "--deals", "9"
    )


words = st.one_of(st.none(), st.sampled_from(["1", "2", "3", "dealer", "d", "4", "♠", ""]))
texts = st.one_of(st.text(max_size=12), st.sampled_from(["TS", "JS JC AS KH 9D", "S", "1"]))


@given(
    words, words, words, words, st.sampled_from([(DEAL, "four-handed"), (TWO_HANDS, "two-handed")])
)
def test_any_seats_are_solved_or_refused(
    leader: str | None,
    maker: str | None,
    alone: str | None,
    defend_alone: str | None,
    deal: tuple[str, str],
) -> None:
    hands, game = deal
    seats = {"leader": leader, "maker": maker, "alone": alone, "defend_alone": defend_alone}
    with contextlib.suppress(OddscalcError):
        assert euchre.solve_deal(hands, "S", game=game, **seats).tricks in range(6)


@given(texts, texts, texts, texts, st.integers(-1, 3), st.integers(-1, 1))
def test_any_bid_is_answered_or_refused(
    hand: str, up: str, seat: str, trump: str, bidding_round: int, seed: int
) -> None:
    with contextlib.suppress(OddscalcError):
        answer = euchre.bid_odds(
            hand,
            up=up,
            seat=seat,
            trump=trump,
            bidding_round=bidding_round,
            seed=seed,
            deals=2,
            game="two-handed",
            play="open",
        )
        assert answer.actions


def examples() -> list[tuple[str, str]]:
    """Return the commands of the pages with the output shown for each."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS, PLAY))
    blocks = re.findall(r"```console\n(.*?)```", pages, re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)]
    return [(part.split("\n", 1)[0], part.split("\n", 1)[1]) for part in parts if part]


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(("command", "shown"), examples())
def test_examples_of_the_documentation(
    call: Calls, command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(
        r"```toml\n# (\S+\.toml)\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    program, family, *args = shlex.split(command)
    assert (program, family) == ("oddscalc", "euchre")
    out = call.good(*args)
    expected = lines(shown)
    if expected[-1:] == ["..."]:
        expected.pop()
        assert lines(out)[: len(expected)] == expected
    elif expected:
        assert lines(out) == expected


@pytest.mark.parametrize("page", [DOCS, PLAY], ids=lambda page: page.name)
def test_python_of_the_documentation(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert (found.failed, found.attempted > 5) == (0, True)


@pytest.mark.parametrize(
    "command", ["games", "rules", "solve", "bid", "play", "chance", "match", "table"]
)
def test_help_shows_an_example(call: Calls, command: str) -> None:
    help_text = call.good(command, "--help")
    shown = [line for line in lines(help_text) if f" oddscalc euchre {command}" in f" {line}"]
    examples = [line.split("For example: ")[-1].strip() for line in shown if "Usage" not in line]
    assert examples
    for example in examples:
        # An example is whole on its line, so that it can be copied.
        args = shlex.split(example)[2:]
        if command in ("solve", "chance"):
            call.good(*args)
        elif command == "bid":
            call.good(*args, "--play", "open")


def test_public_names_are_there() -> None:
    for name in euchre.__all__:
        assert getattr(euchre, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'odds'"):
        euchre.odds  # noqa: B018


@pytest.mark.parametrize(
    "args",
    ["--help", "euchre --help", "euchre games", "euchre rules --json", "euchre chance --of JS"],
)
def test_light_commands_import_nothing_heavy(args: str) -> None:
    code = (
        "import sys\nfrom oddscalc.cli import main\n"
        f"try: main({args.split()!r})\n"
        "except SystemExit as left: assert not left.code\n"
        "print([m for m in ('numba', 'numpy', 'polars') if m in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr.strip() == "[]"
