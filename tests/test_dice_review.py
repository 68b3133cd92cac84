"""Game records, and reviews of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import fsum
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddscalc import dice
from oddscalc.cli import main
from oddscalc.dice.notation import parse_roll
from oddscalc.errors import ExportError, InputError, OddscalcError, RecordError
from oddscalc.export import write_parquet
from tests.oracle import dice as oracle
from tests.small_games import QUICK_GAMES, small_game

RECORDS = Path(__file__).parent / "records"
SAMPLES = ["poker-dice", "yahtzee"]

Choose = Callable[[dice.HoldAdvice], dice.HoldOption]


def sample(name: str) -> dice.GameRecord:
    return dice.read_record(RECORDS / f"{name}.txt")


class Table:
    """A card of one player, kept by the oracle."""

    def __init__(self, game: dice.DiceGame) -> None:
        self.cards = oracle.play(game)
        self.state = self.cards.start()
        self.filled: dict[str, int] = {}
        self.bonus = self.total = 0

    def score(self, box: str, roll: tuple[int, ...], *, first: bool) -> int:
        """Fill a box; return the points of the box alone."""
        joker = self.cards.places(self.state.filled, roll)[box]
        points = self.cards.points(box, roll, first, joker)
        extra = self.cards.bonus(self.state, roll)
        self.state, credited = self.cards.after(self.state, box, points)
        self.filled[box] = points
        self.bonus += extra
        self.total += points + extra + credited
        return points

    def card(self) -> dice.Scorecard:
        """Return the card as the product knows it."""
        return dice.Scorecard(self.cards.game, self.filled, self.bonus)


def played(game: dice.DiceGame, seed: int, choose: Choose) -> tuple[dice.GameRecord, int]:
    """Return the record of a seeded game and the total that the oracle counts."""
    random, table, turns = Random(seed), Table(game), []

    def rolled(held: tuple[int, ...]) -> tuple[int, ...]:
        fallen = (random.randint(1, game.faces) for _ in range(game.dice - len(held)))
        return tuple(sorted((*held, *fallen)))

    for _ in game.boxes:
        rolls: list[tuple[int, ...]] = [rolled(())]
        holds: list[tuple[int, ...]] = []
        while True:
            left = game.rolls - len(rolls)
            option = choose(dice.advise(rolls[-1], game=game, rolls_left=left, card=table.card()))
            if option.box:
                break
            holds.append(option.hold)
            rolls.append(rolled(option.hold))
        table.score(option.box, rolls[-1], first=len(rolls) == 1)
        turns.append(dice.Turn(tuple(rolls), tuple(holds), option.box))
    return dice.GameRecord(game, tuple(turns)), table.total


# Reviews


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_agrees_with_the_advice_and_with_the_oracles_scores(name: str) -> None:
    record = sample(name)
    game, table, losses = record.game, Table(record.game), []
    for turn in record.turns:
        for place, roll in enumerate(turn.rolls):
            left = game.rolls - 1 - place
            options = dice.advise(roll, game=game, rolls_left=left, card=table.card()).options
            last = place == len(turn.rolls) - 1
            taken = [
                option.value
                for option in options
                if (option.box == turn.box if last else option.hold == turn.holds[place])
                and (option.action == "score") == last
            ]
            assert len(taken) == 1
            losses.append(max(option.value for option in options) - taken[0])
        table.score(str(turn.box), turn.rolls[-1], first=len(turn.rolls) == 1)
    found = dice.review(record)
    assert found.record.finished
    assert found.total == found.expected == table.total
    assert [decision.loss for decision in found.decisions] == pytest.approx(losses, abs=2e-9)
    assert found.loss == pytest.approx(fsum(losses), abs=1e-7)
    assert [(turn.box, turn.points) for turn in found.turns] == list(table.filled.items())


@pytest.mark.parametrize(
    ("name", "total", "loss", "luck", "blunders", "bonuses"),
    [
        ("poker-dice", 237, 9.1012, 81.1902, 2, {6: {"part-one": 50}}),
        ("yahtzee", 392, 17.6023, 155.0146, 3, {10: {"upper": 35}}),
    ],
)
def test_the_figures_of_the_samples(
    name: str, total: int, loss: float, luck: float, blunders: int, bonuses: dict[int, Any]
) -> None:
    found = dice.review(sample(name))
    assert (found.total, len(found.blunders)) == (total, blunders)
    assert found.loss == pytest.approx(loss, abs=5e-5)
    assert found.luck == pytest.approx(luck, abs=5e-5)
    assert {turn.turn: turn.bonuses for turn in found.turns if turn.bonuses} == bonuses


def test_a_joker_scores_in_full_and_earns_its_bonus() -> None:
    found = dice.review(sample("yahtzee"))
    joker = found.turns[11]
    assert (joker.box, joker.points, joker.joker_bonus) == ("large-straight", 40, 100)
    assert sum(turn.joker_bonus for turn in found.turns) == 100
    assert "large-straight 40 +100" in found.to_markdown()


@pytest.mark.parametrize("name", SAMPLES)
def test_luck_is_what_each_roll_added_and_sums_to_what_choices_do_not_explain(name: str) -> None:
    record = sample(name)
    found, table = dice.review(record), Table(record.game)
    value, solved = found.start, dice.solve(record.game)
    assert value == pytest.approx(solved.value, abs=1e-9)
    turn = 0
    for decision in found.decisions:
        if decision.turn > turn:  # what was expected before the turn, from the card alone
            turn = decision.turn
            remaining = solved.remaining(table.card())
            assert decision.before == pytest.approx(table.total + remaining, abs=2e-9)
        assert decision.before == value
        assert decision.luck == round(decision.advice.best.value - value, 9)
        value = decision.best.value - decision.loss
        assert decision.after == pytest.approx(value, abs=2e-9)
        value = decision.after
        if decision.chosen and decision.chosen.box:
            first = decision.advice.rolls_left == record.game.rolls - 1
            table.score(decision.chosen.box, decision.advice.roll, first=first)
    assert round(found.start + found.luck - found.loss, 8) == found.expected == found.total


@pytest.mark.parametrize("name", SAMPLES)
def test_the_mean_luck_of_a_roll_is_zero(name: str) -> None:
    record = sample(name)
    game = record.game
    for number, place in ((0, 0), (4, 1), (4, 2)):
        turn = record.turns[number]
        held = turn.holds[place - 1] if place else ()
        mean = 0.0
        fallen = oracle.outcomes(game.dice - len(held), game.faces)
        for roll, ways in fallen:
            rolls = (*turn.rolls[:place], (*held, *roll))
            cut = dice.Turn(rolls, turn.holds[:place])
            found = dice.review(replace(record, turns=(*record.turns[:number], cut)))
            mean += found.decisions[-1].luck * ways
        assert mean / sum(ways for _, ways in fallen) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("name", QUICK_GAMES)
def test_who_follows_the_advice_loses_nothing(name: str) -> None:
    game = dice.load_game(name)
    for seed in range(3):
        record, total = played(game, seed, lambda advice: advice.best)
        found = dice.review(record)
        assert found.loss == 0
        assert not found.blunders
        assert all(decision.best is decision.chosen for decision in found.decisions)
        assert found.total == total
        assert found.luck == pytest.approx(total - found.start, abs=1e-7)
        assert "every choice was the best one" in found.headline()
        assert dice.parse_record(record.to_text()) == record


@pytest.mark.parametrize(
    "name",
    [
        "best-of",
        "2-dice-4-rolls",
        "parts-in-turn-fixed-any",
        "bonuses-overlapping",
        "joker-forced-20-fixed",
        "joker-forced-parts-in-turn",
        "joker-free-20-dice",
        "joker-upper-filled-in-a-bonus",
        "joker-none-20-fixed",
    ],
)
def test_losses_of_careless_games_are_the_oracles(name: str) -> None:
    game, random = small_game(name), Random(name)
    for seed in range(4):
        record, total = played(game, seed, lambda advice: random.choice(advice.options))
        found = dice.review(record)
        assert found.total == total
        filled: list[tuple[str, int]] = []
        for decision in found.decisions:
            left, chosen = decision.advice.rolls_left, decision.chosen
            assert chosen is not None
            options = oracle.options(game, tuple(filled), decision.advice.roll, left)
            scored = chosen.action == "score"
            key = ("score", chosen.box) if scored else ("reroll", chosen.hold)
            loss: Fraction = max(options.values()) - options[key]  # type: ignore[index]
            assert decision.loss == pytest.approx(float(loss), abs=2e-9)
            if chosen.box:
                filled.append((chosen.box, chosen.points or 0))


def test_blunders_begin_where_they_are_told_to() -> None:
    record = sample("poker-dice")
    found = dice.review(record)
    losses = [decision.loss for decision in found.decisions if decision.loss]
    assert len(found.blunders) == sum(loss >= 1 for loss in losses)
    assert len(dice.review(record, blunder=min(losses)).blunders) == len(losses)
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="accepted: points above 0"):
            dice.review(record, blunder=wrong)


@pytest.mark.parametrize(
    ("line", "choice", "decisions"),
    [
        ("6 6 6 2 1", None, 1),
        ("6 6 6 2 1 | 6 6 6", "keep 6 6 6", 1),
        ("6 6 6 2 1 | -", "roll all", 1),
        ("6 6 6 2 1 | 6 6 6 | 6 6 6 1 1", None, 2),
    ],
)
def test_a_turn_that_is_not_over(line: str, choice: str | None, decisions: int) -> None:
    found = dice.review(f"game: poker-dice\n{line}\n")
    last = found.decisions[-1]
    assert (len(found.decisions), found.records()[-1]["choice"]) == (decisions, choice)
    assert found.expected == (last.chosen.value if last.chosen else last.advice.best.value)
    assert found.expected == pytest.approx(found.start + found.luck - found.loss, abs=1e-8)
    assert found.total == 0
    assert "after 0 of 15 turns" in found.headline()
    assert "reviewed as far as it goes" in found.to_markdown()
    assert dice.parse_record(found.record.to_text()) == found.record


def test_a_game_that_has_not_begun() -> None:
    found = dice.review("game: yatzy")
    assert (found.loss, found.luck, found.total) == (0, 0, 0)
    assert found.expected == found.start == pytest.approx(248.439989, abs=5e-7)
    assert found.to_polars().schema == dice.review(sample("yahtzee")).to_polars().schema


def test_another_game_may_be_told() -> None:
    record = sample("yahtzee")
    found = dice.review(record, game="yahtzee-free-joker")
    assert found.record.game.name == "yahtzee-free-joker"
    assert found.start > dice.review(record).start
    text = "game: chess\n5 5 5 5 5 > kniffel"
    assert dice.review(text, game="kniffel").total == 50


# Records


def test_generous_input_is_the_canonical_record() -> None:
    plain = dice.parse_record(
        "game: yahtzee\nplayer: A B\n"
        "1 2 2 4 6 | 2 2 | 1 2 2 6 6 | 6 6 | 1 5 6 6 6 > sixes\n"
        "1 1 2 3 5 | - | 1 1 4 4 4 > full-house"
    )
    for text in (
        "\ufeffGAME = Yahtzee-Official\r\nplayer   A   B\r\n\r\n# said\r\n"
        "1. 42261 | 22 | ⚁⚁⚅⚅⚀ | 6,6 | 6 66,51 -> Sixes # a word\r\n"
        "2) 32115|none|44411=FULL HOUSE",
        "Game Yahtzee\rPlayer:A B\r2-2-1-4-6 / 2-2 / 2-2-6-6-1 / 66 / 66615 → SIXES\r"
        "11235 ; — ; 41414 => full_house",
    ):
        assert dice.parse_record(text) == plain
    assert [turn.line for turn in plain.turns] == [3, 4]
    assert plain.to_text() == (
        "game: yahtzee\nplayer: A B\n\n"
        "1 2 2 4 6 | 2 2 | 1 2 2 6 6 | 6 6 | 1 5 6 6 6 > sixes\n"
        "1 1 2 3 5 | - | 1 1 4 4 4 > full-house\n"
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_goes_round(name: str) -> None:
    record = sample(name)
    again = dice.parse_record(record.to_text())
    assert again == record
    assert again.to_text() == record.to_text()
    assert (again.player, again.date) == (record.player, record.date)


PART_ONE = "".join(f"1 2 3 4 6 > {box}\n" for box in ("ones", "twos", "threes", "fours", "fives"))
JOKER = "game: yahtzee\n44444 > yahtzee\n"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("game: poker-dice\n\n2 3 6 2 > twos", 3, ["'2 2 3 6'", "4 dice", "all 5 on the table"]),
        ("game: poker-dice\n2 3 6 2 1 1 > twos", 2, ["6 dice", "all 5"]),
        ("game: poker-dice\n2 3 6 2 1 | 2 2 | 2 5 6 > twos", 2, ["'2 5 6'", "held ones included"]),
        ("game: poker-dice\n2 3 7 2 1 > twos", 2, ["'7'", "faces from 1 to 6"]),
        ("game: poker-dice\n2 x 6 2 1 > twos", 2, ["'x'", "faces from 1 to 6"]),
        ("game: poker-dice\n23621 | 2 5 | 22563 > twos", 2, ["'2 5'", "keeps 5", "'1 2 2 3 6'"]),
        ("game: poker-dice\n23621 | 2 2 2 | 22263 > twos", 2, ["'2 2 2'", "keeps 2", "- for none"]),
        (
            "game: poker-dice\n23621 | 2 2 | 1 2 3 4 5 > twos",
            2,
            ["'1 2 3 4 5'", "lacks 2", "'2 2'"],
        ),
        ("game: poker-dice\n23621 | 23621 | 23621 > twos", 2, ["keeps all dice", "fewer"]),
        (
            "game: poker-dice\n# a word\n11234 | 1 | 11234 | 1 | 11234 | 1 | 11235 > ones",
            3,
            ["'1 1 2 3 5'", "number 4", "at most 3"],
        ),
        ("game: poker-dice\n11234 | 1 | 11234 | 1 | 11234 | 1 1", 2, ["'1 1'", "last roll"]),
        ("game: poker-dice\n11234 | 1 1 > ones", 2, ["'1 1'", "a roll before '>'"]),
        ("game: poker-dice\n11234 | | 11234 > ones", 2, ["hold", "empty", "- for none"]),
        ("game: poker-dice\n> ones", 2, ["roll", "empty"]),
        ("game: poker-dice\n11234 > onse", 2, ["'onse'", "did you mean 'ones'", "Accepted: ones"]),
        ("game: poker-dice\n11234 >", 2, ["no box ''"]),
        ("game: poker-dice\n11234 > ones > twos", 2, ["2 boxes", "one, at the end"]),
        (
            "game: poker-dice\n11234 > ones\n\n11235 > Ones",
            4,
            ["'Ones'", "in turn 1", "twos, threes"],
        ),
        ("game: poker-dice\n11234 > pair", 2, ["'pair'", "not open yet", "ones, twos"]),
        (
            f"game: poker-dice\n{PART_ONE}1 1 2 3 5 > chance",
            7,
            ["'chance'", "accepted now: sixes."],
        ),
        ("game: poker-dice\n11234\n11234 > ones", 2, ["'1 1 2 3 4' has no box", "'> BOX'"]),
        (f"{JOKER}44444 > chance", 3, ["'chance'", "joker '4 4 4 4 4'", "accepted: fours."]),
        (f"{JOKER}12344 > fours\n44444 > ones", 4, ["'ones'", "three-of-a-kind", "chance."]),
        ("game: yatzi\n11234 > ones", 1, ["'yatzi'", "did you mean 'yatzy'"]),
        ("\n11234 > ones", 2, ["no game yet", "'game: NAME'"]),
        ("game: yatzy\ngame: yacht", 2, ["'game'", "twice"]),
        ("game: yatzy\n11234 > ones\nplayer: A", 3, ["'player'", "before all turns"]),
        ("game: yatzy\nplayer:", 2, ["'player' is empty"]),
        ("game: yatzy\nplayer: a\x07b", 2, ["player", "printable"]),
        (f"game: yatzy\nplayer: {'a' * 101}", 2, ["at most 100"]),
        ("game: yatzy\nwho: A", 2, ["'who'", "game, player, date"]),
        (f"game: yatzy\n{'1' * 5000} > ones", 2, ["5007 letters", "at most 500"]),
        (
            "game: poker-dice-short\n11123 > three-alike\n11123 > combination\n11123 > combination",
            4,
            ["All 2 boxes", "no further turn"],
        ),
    ],
)
def test_a_damaged_record_is_refused_with_its_line(text: str, line: int, words: list[str]) -> None:
    with pytest.raises(RecordError) as caught:
        dice.parse_record(text)
    said = str(caught.value)
    assert said.startswith(f"Line {line}: ")
    for word in words:
        assert word in said
    assert len(said) < 400


def test_a_record_needs_a_game() -> None:
    with pytest.raises(RecordError, match="names no game; accepted: a line 'game: NAME'"):
        dice.parse_record("# nothing\n")
    assert not dice.parse_record("", game=dice.load_game("yatzy")).turns


def test_a_record_made_in_python_is_checked_and_sorted() -> None:
    game = dice.load_game("yatzy")
    record = dice.GameRecord(game, (dice.Turn(((3, 1, 2, 5, 4),), box="Small straight"),), " Anna ")
    assert record.turns == (dice.Turn(((1, 2, 3, 4, 5),), (), "small-straight"),)
    assert record.player == "Anna"
    ones = dice.Turn(((1, 1, 2, 3, 4),), box="ones")
    for turns, said in (
        ((ones, ones), "Turn 2: The box 'ones' is filled already, in turn 1"),
        ((dice.Turn(()),), "Turn 1: The turn has 0 rolls and 0 holds"),
        ((dice.Turn(((1, 1, 2, 3, 4),) * 2),), "Turn 1: The turn has 2 rolls and 0 holds"),
        ((dice.Turn(((1, 1, 2, 3, 9),)),), "Turn 1: '9' is not a die"),
    ):
        with pytest.raises(RecordError, match=said):
            dice.GameRecord(game, turns)
    with pytest.raises(RecordError, match="player"):
        dice.GameRecord(game, (), player="A # B")


def test_boxes_from_top_to_bottom() -> None:
    game = small_game("parts-in-turn-fixed-any")
    with pytest.raises(RecordError, match="Line 1: The box 'twos' is not open yet"):
        dice.parse_record("11 > twos", game=game)


ALPHABET = "0123456789 |/;>=-→⚀⚅\n\r\t#:.,gameplyrdtonswfuh²٣\x00\u2028"


@given(st.one_of(st.text(max_size=80), st.text(ALPHABET, max_size=120)))
@settings(max_examples=400)
def test_only_our_errors_come_of_any_text(text: str) -> None:
    for told in (None, dice.load_game("yahtzee")):
        try:
            record = dice.parse_record(text, game=told)
        except OddscalcError:
            continue
        assert dice.parse_record(record.to_text()) == record


@given(st.data(), st.sampled_from(SAMPLES))
@settings(max_examples=150)
def test_only_our_errors_come_of_a_damaged_record(data: st.DataObject, name: str) -> None:
    text = (RECORDS / f"{name}.txt").read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 3))
        text = text[:place] + data.draw(st.text(ALPHABET, max_size=3)) + text[place + gone :]
    try:
        record = dice.parse_record(text)
    except RecordError:
        with pytest.raises(RecordError, match=r"^(Line \d|The record names no game)"):
            dice.parse_record(text)
        return
    assert dice.parse_record(record.to_text()) == record
    found = dice.review(record)
    assert found.expected == pytest.approx(found.start + found.luck - found.loss, abs=1e-7)


def test_a_very_long_word_is_no_die() -> None:
    with pytest.raises(OddscalcError, match="dice"):
        parse_roll("1" * 5000, 6, fewest=5, most=5)


# The command line


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Return exit code, stdout and stderr of ``oddscalc dice review``."""
    with pytest.raises(SystemExit) as caught:
        main(["dice", "review", *args])
    return (int(caught.value.code or 0), *capsys.readouterr())


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, str(RECORDS / "yahtzee.txt"))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == (
        "Björn & Zoë: 392 points, 254.6 expected: the dice gave 155.0, 6 choices lost 17.6, "
        "3 of them blunders."
    )
    row = next(line for line in lines if "10.20" in line)
    assert " ".join(row.split()) == "13 1 1 2 6 6 6 -7.40 roll all keep 6 6 6 10.20 ??"
    assert "= the final total 392." in out
    assert "+35 upper bonus in turn 10, +100 joker in turn 12" in out


def test_json_csv_and_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(RECORDS / "poker-dice.txt")
    answer = json.loads(run(capsys, file, "--json", "--blunder", "3")[1])
    assert answer["schema"] == "oddscalc.dice.review/1"
    assert (answer["game"], answer["player"], answer["date"]) == (
        "poker-dice",
        "Anna",
        "2026-02-14",
    )
    assert (answer["method"], answer["finished"], answer["blunders"]) == ("exact", True, 1)
    assert len(answer["turns"]) == 15
    assert len(answer["decisions"]) == 36
    start, luck, loss = answer["start"], answer["luck"], answer["loss"]
    assert start + luck - loss == pytest.approx(answer["total"], abs=1e-8)
    blunder = next(one for one in answer["decisions"] if one["mark"] == "blunder")
    assert (blunder["turn"], blunder["rolls_left"], blunder["chosen"]["hold"]) == (6, 2, [4, 5])
    assert blunder["best"]["hold"] == [4]
    rows = list(csv.DictReader(io.StringIO(run(capsys, file, "--format", "csv")[1])))
    assert len(rows) == 36
    assert (
        rows[0] | {"choice": "keep 3", "best": "keep 6", "mark": "", "roll": "1 2 3 4 6"} == rows[0]
    )
    assert rows[-1]["total"] == "237"
    assert run(capsys, file, "--format", "md")[1].startswith("**Anna: 237 points")


def test_parquet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "evening.parquet"
    code, out, err = run(capsys, str(RECORDS / "yahtzee.txt"), "-o", str(file))
    assert (code, err) == (0, "")
    assert out.startswith("Björn & Zoë: 392 points")
    frame = pl.read_parquet(file)
    assert frame.equals(dice.review(sample("yahtzee")).to_polars())
    assert frame["roll"].to_list()[0] == [2, 3, 3, 4, 4]
    assert frame["chosen_hold"].to_list()[3] == []
    assert sum(frame["points"].drop_nulls()) + sum(frame["bonus"].drop_nulls()) == 392
    assert frame["total"][-1] == 392
    assert fsum(frame["luck"]) - fsum(frame["loss"]) == pytest.approx(392 - 254.587729, abs=1e-5)
    assert [path.name for path in tmp_path.iterdir()] == ["evening.parquet"]


def test_a_file_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = str(RECORDS / "poker-dice.txt")
    code, out, err = run(capsys, record, "-o", str(tmp_path / "a.csv"))
    assert (code, out) == (2, "")
    assert "accepted: NAME.parquet" in err
    code, _, err = run(capsys, record, "-o", str(tmp_path / "none" / "a.parquet"))
    assert code == 2
    assert "There is no folder" in err
    (tmp_path / "a.parquet").mkdir()
    code, out, err = run(capsys, record, "-o", str(tmp_path / "a.parquet"))
    assert (code, out) == (1, "")
    assert "a.parquet' cannot be written: Is a directory." in err
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]
    with pytest.raises(ExportError):
        write_parquet(dice.review("game: yacht"), tmp_path / "a.parquet")


def test_rules_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('base = "poker-dice-short"\nrolls = 2\ntitle = "House"\n')
    (tmp_path / "game.txt").write_text("game: house\n66612 | 666 | 66634 > three alike\n")
    rules = str(tmp_path / "house.toml")
    code, out, _ = run(capsys, str(tmp_path / "game.txt"), "--rules", rules)
    assert code == 0
    assert "50 points after 1 of 2 turns" in out
    assert "Exact: House" in out
    assert run(capsys, str(tmp_path / "game.txt"))[0] == 2
    assert run(capsys, str(tmp_path / "game.txt"), "--rules", rules, "-g", "yatzy")[0] == 2


@pytest.mark.parametrize(
    ("content", "args", "words"),
    [
        (None, [], ["game.txt", "No such file"]),
        (b"\xff\xfe\x00", [], ["game.txt", "not UTF-8"]),
        (b"game: yatzy\n11234 > onse", [], ["Line 2", "'onse'"]),
        (b"game: yatzy\n11234 > ones", ["-g", "poker-dicee"], ["'poker-dicee'"]),
        (b"game: yatzy\n11234 > ones", ["--blunder", "0"], ["0", "above 0"]),
        (b"game: yatzy\n11234 > ones", ["--blunder", "much"], ["much"]),
    ],
)
def test_wrong_input(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    content: bytes | None,
    args: list[str],
    words: list[str],
) -> None:
    file = tmp_path / "game.txt"
    if content is not None:
        file.write_bytes(content)
    code, out, err = run(capsys, str(file), *args)
    assert (code, out) == (2, "")
    for word in words:
        assert word in err
