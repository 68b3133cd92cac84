"""Advice on single rolls and on many at once."""

from __future__ import annotations

import io
from contextlib import suppress
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from oddscalc import dice
from oddscalc.errors import InputError, NotationError, ScorecardError, UnknownNameError
from tests.small_games import QUICK_GAMES

ROLLS = st.lists(st.integers(1, 6), min_size=5, max_size=5)


@given(ROLLS, st.sampled_from(QUICK_GAMES), st.integers(0, 2))
@settings(max_examples=200)
def test_options_are_all_there_and_best_first(roll: list[int], name: str, left: int) -> None:
    advice = dice.advise(roll, game=name, rolls_left=left)
    losses = [option.loss for option in advice.options]
    assert losses[0] == 0
    assert min(losses) >= 0
    assert losses == sorted(losses)
    assert advice.best.value == max(option.value for option in advice.options)
    holds = [option.hold for option in advice.options if option.action == "reroll"]
    proper = {h for size in range(5) for h in combinations(sorted(roll), size)}
    assert sorted(holds) == (sorted(proper) if left else [])
    scored = [option.box for option in advice.options if option.action == "score"]
    game = advice.game
    assert scored == [
        b for b in scored if b in (game.parts[0].boxes if game.parts_in_turn else advice.card.open)
    ]
    assert len(scored) == len(game.parts[0].boxes if game.parts_in_turn else game.boxes)


@given(ROLLS, st.sampled_from(QUICK_GAMES), st.data())
@settings(max_examples=100)
def test_another_roll_left_never_hurts(roll: list[int], name: str, data: st.DataObject) -> None:
    left = data.draw(st.integers(0, 0 if name.startswith("poker") else 1))
    fewer = dice.advise(roll, game=name, rolls_left=left).best.value
    assert dice.advise(roll, game=name, rolls_left=left + 1).best.value >= fewer - 1e-9


@given(ROLLS, st.integers(0, 4), st.integers(0, 2))
@settings(max_examples=200)
def test_a_better_roll_never_lowers_chance(roll: list[int], die: int, left: int) -> None:
    """Where only the sum counts, raising a die helps or changes nothing."""
    better = [*roll]
    better[die] = min(6, better[die] + 1)
    values = [
        dice.advise(r, game="yahtzee", rolls_left=left, goal="box:chance").best.value
        for r in (roll, better)
    ]
    assert values[1] >= values[0] - 1e-12


@given(ROLLS, st.permutations(range(1, 7)), st.integers(0, 2))
@settings(max_examples=100)
def test_relabelling_faces_changes_nothing_where_points_are_fixed(
    roll: list[int], faces: list[int], left: int
) -> None:
    renamed = [faces[die - 1] for die in roll]
    for box in ("yahtzee", "full-house"):
        values = [
            dice.advise(r, game="yahtzee", rolls_left=left, goal=f"box:{box}").best.value
            for r in (roll, renamed)
        ]
        assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_goal_of_a_box_agrees_with_its_odds() -> None:
    """Full house earns 25 or nothing, so its expected points are 25 times its chance."""
    chance = dice.odds("full-house", game="yahtzee", start="22345", rolls=2).probability
    best = dice.advise("22345", game="yahtzee", goal="box:full-house").best
    assert best.value == pytest.approx(25 * float(chance), abs=1e-9)


def test_ties_are_shown_as_ties() -> None:
    """One box of five alike is left: which of two pairs is held does not matter."""
    card = dice.Scorecard.with_open(dice.load_game("yahtzee-plain"), ["yahtzee"], {}, 0)
    advice = dice.advise("55661", game="yahtzee-plain", card=card)
    assert [(o.hold, o.loss) for o in advice.options[:2]] == [((5, 5), 0), ((6, 6), 0)]
    assert [row["rank"] for row in advice.records()[:3]] == [1, 1, 3]
    assert advice.headline() == "Keep 5 5, roll three, or as good: keep 6 6, roll three."


def test_the_first_roll_doubles() -> None:
    game = dice.load_game("poker-dice")
    card = dice.Scorecard(game, dict.fromkeys(game.parts[0].boxes, 0))
    points = {
        left: {
            o.box: o.points
            for o in dice.advise("66622", game=game, rolls_left=left, card=card).options
            if o.action == "score"
        }
        for left in (2, 1, 0)
    }
    assert points[2]["full-house"] == 44
    assert points[1]["full-house"] == points[0]["full-house"] == 22
    assert points[2]["pair"] == 24
    assert points[2]["chance"] == points[1]["chance"] == 22
    five = dice.advise("44444", game=game, card=card).options
    assert next(o.points for o in five if o.box == "poker") == 2 * 20 + 50


def test_worked_example_of_the_short_game() -> None:
    """A pair of sixes kept from the first roll is 24; three alike before it earned the 50."""
    game = dice.load_game("poker-dice-short")
    card = dice.Scorecard(game, {"three-alike": 0})
    assert card.points_so_far == 50
    kept = [o for o in dice.advise("66123", game=game, card=card).options if o.action == "score"]
    assert kept[0].points == 24
    last = dice.advise("12345"[:4] + "2", game=game, rolls_left=0, card=card).best
    assert last.points == 1 + 2 + 3 + 4


def test_a_forced_joker() -> None:
    game = dice.load_game("yahtzee")
    forced = dice.advise(
        "44444", game=game, rolls_left=0, card=dice.Scorecard(game, {"yahtzee": 50})
    )
    assert [(o.box, o.points) for o in forced.options] == [("fours", 20)]
    full = dice.Scorecard(game, {"yahtzee": 50, "fours": 12})
    boxes = {
        o.box: o.points for o in dice.advise("44444", game=game, rolls_left=0, card=full).options
    }
    assert boxes == {
        "three-of-a-kind": 20,
        "four-of-a-kind": 20,
        "full-house": 25,
        "small-straight": 30,
        "large-straight": 40,
        "chance": 20,
    }


def test_points_so_far_count_in_the_value() -> None:
    game = dice.load_game("yahtzee")
    card = dice.Scorecard(game, {"yahtzee": 50, "ones": 3, "sixes": 30}, joker_bonus=200)
    advice = dice.advise("12345", game=game, card=card)
    assert card.points_so_far == 283
    assert advice.best.expected_remaining is not None
    assert advice.best.value == pytest.approx(advice.best.expected_remaining + 283)


def test_a_settled_bonus_counts_as_points_so_far() -> None:
    game = dice.load_game("yahtzee")
    upper = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
    assert dice.Scorecard(game, upper).points_so_far == 63 + 35
    assert dice.Scorecard(game, {**upper, "sixes": 12}).points_so_far == 57


def test_roll_is_read_generously() -> None:
    answers = [
        dice.advise(roll) for roll in ("2 3 6 2 1", "23621", "⚁⚂⚅⚁⚀", "2,3,6,2,1", [2, 3, 6, 2, 1])
    ]
    assert {answer.roll for answer in answers} == {(1, 2, 2, 3, 6)}


@pytest.mark.parametrize(
    ("roll", "word"),
    [
        ("2362", "has 4 dice; accepted: 5 dice from 1 to 6"),
        ("236211", "has 6 dice"),
        ("2 3 7 2 1", "'7' is not a die; accepted: faces from 1 to 6"),
        ("23x21", "'x' in '23x21' is not a die"),
        ("", "The roll is empty"),
        ("0 1 2 3 4", "'0' is not a die"),
        ("²3621", "'²' in '²3621' is not a die"),
    ],
)
def test_a_wrong_roll(roll: str, word: str) -> None:
    with pytest.raises(NotationError) as caught:
        dice.advise(roll)
    assert word in str(caught.value)


@given(st.text(max_size=12))
def test_any_text_is_a_roll_or_an_error_of_ours(text: str) -> None:
    with suppress(NotationError):
        assert len(dice.advise(text, game="yacht").roll) == 5


@pytest.mark.parametrize(
    ("filled", "word"),
    [
        ({"onez": 1}, "did you mean 'ones'"),
        ({"ones": 3}, "The box 'ones' cannot hold 3; accepted: -3, -2, -1, 0, 1, 2"),
        ({"pair": 12}, "The box 'pair' of part two is filled, and ones, twos"),
        ({"poker": 55, "five-of-a-kind": 55}, "filled twice"),
    ],
)
def test_a_wrong_card(filled: dict[str, int], word: str) -> None:
    game = dice.load_game("poker-dice")
    with pytest.raises((ScorecardError, UnknownNameError)) as caught:
        dice.Scorecard(game, filled)
    assert word in str(caught.value)


def test_impossible_progress_names_the_sums_that_can_be() -> None:
    card = dice.Scorecard.with_open(
        dice.load_game("yatzy"), ["twos", "chance"], {"upper": 4}, points=0
    )
    assert dice.advise("12345", game="yatzy", card=card).options
    wrong = dice.Scorecard.with_open(
        dice.load_game("yahtzee"),
        [b.name for b in dice.load_game("yahtzee").boxes if b.name != "sixes"],
        {"upper": 7},
        points=0,
    )
    with pytest.raises(ScorecardError, match="accepted: 0, 6, 12, 18, 24, 30"):
        dice.advise("12345", game="yahtzee", card=wrong)


def test_wrong_goals_and_rolls_left() -> None:
    with pytest.raises(UnknownNameError, match="goal 'maen'; did you mean 'mean'"):
        dice.advise("12345", goal="maen")
    with pytest.raises(UnknownNameError, match="box 'yatzy'"):
        dice.advise("12345", goal="box:yatzy")
    with pytest.raises(ScorecardError, match="'poker' cannot be filled now; accepted: ones"):
        dice.advise("12345", goal="box:poker")
    with pytest.raises(InputError, match="3 rolls left; accepted: 0 to 2"):
        dice.advise("12345", rolls_left=3)
    full = dice.Scorecard(dice.load_game("poker-dice-short"), {"three-alike": 0, "combination": 0})
    with pytest.raises(ScorecardError, match="Every box is filled"):
        dice.advise("12345", game="poker-dice-short", card=full)


def test_results_have_every_form() -> None:
    advice = dice.advise("2 3 6 2 1")
    assert advice.to_dict()["options"][0]["hold"] == [2, 2]
    assert advice.to_polars().height == len(advice.options)
    assert "<table>" in advice._repr_html_()
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(advice)
    assert console.export_text().startswith("Keep 2 2, roll three.")
    assert advice.to_csv().splitlines()[0] == "rank,action,hold,box,points,value,loss"


# Many at once.


def random_questions(name: str, count: int, seed: int) -> pl.DataFrame:
    """Return random states of a game with random rolls and rolls left."""
    frame = dice.solve(name).to_polars()
    game = dice.load_game(name)
    generator = np.random.default_rng(seed)
    states = frame.filter(pl.col("filled") != (1 << len(game.boxes)) - 1).drop("value")
    chosen = states[generator.integers(0, states.height, count)]
    return chosen.with_columns(
        roll=pl.Series(generator.integers(1, 7, (count, 5))).cast(pl.List(pl.Int64)),
        rolls_left=pl.Series(generator.integers(0, game.rolls, count)),
    )


@pytest.mark.parametrize("name", QUICK_GAMES)
def test_many_agrees_with_one_by_one(name: str) -> None:
    game = dice.load_game(name)
    frame = random_questions(name, 60, seed=5)
    answers = dice.advise_many(frame, game=game)
    names = [box.name for box in game.boxes]
    for row, answer in zip(frame.to_dicts(), answers.to_polars().to_dicts(), strict=True):
        open_boxes = [box for i, box in enumerate(names) if not row["filled"] >> i & 1]
        progress = {n.removeprefix("progress_"): row[n] for n in row if n.startswith("progress_")}
        card = dice.Scorecard.with_open(game, open_boxes, progress, points=0)
        if row.get("joker_made"):
            known = {b: None for b in names if b not in open_boxes} | {game.joker.box: 50}  # type: ignore[union-attr]
            card = dice.Scorecard(game, known, progress=progress, points=0)
        best = dice.advise(row["roll"], game=game, rolls_left=row["rolls_left"], card=card)
        assert answer["value"] == pytest.approx(best.best.value, abs=1e-9)
        ties = [o for o in best.options if o.loss == 0]
        assert (answer["action"], tuple(answer["hold"]), answer["box"]) in [
            (o.action, o.hold, o.box) for o in ties
        ]


def test_many_is_the_same_for_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = random_questions("yahtzee", 500, seed=3)
    answers = []
    for count in ("1", "2", "5"):
        monkeypatch.setenv("ODDSCALC_THREADS", count)
        answers.append(dice.advise_many(frame, game="yahtzee").to_polars())
    assert answers[0].equals(answers[1])
    assert answers[0].equals(answers[2])


def test_solving_gives_the_same_bytes_for_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from oddscalc.dice.solver import solve_arrays
    from oddscalc.dice.tables import compile_game

    arrays = compile_game(dice.load_game("yacht"))
    values = []
    for count in ("1", "2", "5"):
        monkeypatch.setenv("ODDSCALC_THREADS", count)
        values.append(solve_arrays(arrays).tobytes())
    assert values[0] == values[1] == values[2]


def test_wrong_rows_are_named() -> None:
    with pytest.raises(InputError, match="Row 1 has the roll 1 2 3 4 7"):
        dice.advise_many([[1, 2, 3, 4, 5], [1, 2, 3, 4, 7]])
    with pytest.raises(InputError, match="Row 0 has the rolls left 3"):
        dice.advise_many([[1, 2, 3, 4, 5]], rolls_left=3)
    with pytest.raises(InputError, match="Row 0 has the filled boxes 64"):
        dice.advise_many([[1, 2, 3, 4, 5]], filled=64)
    with pytest.raises(InputError, match="Row 1: The progress 1 "):
        dice.advise_many(
            [[1, 2, 3, 4, 5]] * 2, game="yatzy", filled=[1, 2], progress={"upper": [1, 1]}
        )
    with pytest.raises(InputError, match="no bonus 'uper'"):
        dice.advise_many([[1, 2, 3, 4, 5]], game="yatzy", progress={"uper": 0})
    with pytest.raises(InputError, match=r"\(N, 5\)"):
        dice.advise_many([[1, 2, 3]])
    with pytest.raises(InputError, match="column 'rollsleft'"):
        dice.advise_many(pl.DataFrame({"roll": ["12345"], "rollsleft": [1]}))
    with pytest.raises(InputError, match="differ in length"):
        dice.advise_many([[1, 2, 3, 4, 5], [1, 2]])
    with pytest.raises(InputError, match="roll"):
        dice.advise_many(pl.DataFrame({"rol": ["12345"]}))


def test_no_questions_no_answers() -> None:
    assert dice.advise_many(np.zeros((0, 5), int)).to_polars().height == 0
