"""Every dice figure of the reference: values, first decisions, chances of one turn, counts."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from oddscalc import dice, store
from oddscalc.dice.lattice import lattice
from oddscalc.dice.shipping import SHIPPED
from oddscalc.dice.solver import mark_of, shipped_at, solve_arrays
from oddscalc.dice.tables import compile_game
from tests.small_games import QUICK_GAMES

GOLDEN = Path(__file__).parent / "golden"


def _rows(name: str) -> list[list[str]]:
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def house_game(folder: Path, base: str, changes: str) -> dice.DiceGame:
    """Return a built-in game with some lines of its file changed, as a house would."""
    path = folder / "house.toml"
    path.write_text("\n".join([f'base = "{base}"', *changes.split(";")]), encoding="utf-8")
    return dice.read_game(path)


@pytest.mark.parametrize(
    ("base", "changes", "value", "digits", "source"),
    _rows("dice_values.tsv"),
    ids=lambda text: text[:40] or "as it is",
)
def test_value(
    tmp_path: Path, base: str, changes: str, value: str, digits: str, source: str
) -> None:
    game = house_game(tmp_path, base, changes) if changes else dice.load_game(base)
    assert dice.solve(game).value == pytest.approx(float(value), abs=float(digits), rel=0)


@pytest.mark.slow
@pytest.mark.parametrize(("straight", "value"), [(21, 394.557506820), (30, 399.817096554)])
def test_maxi_yatzy(tmp_path: Path, straight: int, value: float) -> None:
    """Six dice and twenty boxes, 33,456,128 states: a minute or two."""
    game = house_game(tmp_path, "maxi-yatzy", f"[boxes.full-straight];points = {straight}")
    assert dice.solve(game).value == pytest.approx(value, abs=1e-6, rel=0)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_comes_with_the_program_is_what_is_solved(name: str) -> None:
    """If not: python -m oddscalc.dice.shipping."""
    game = dice.load_game(name)
    shipped = store.load(shipped_at(game), mark_of(game)).arrays["values"]
    assert shipped.tobytes() == solve_arrays(compile_game(game)).tobytes()


def test_poker_dice_parts() -> None:
    values = dice.solve("poker-dice")
    part_two = dice.Scorecard.with_open(
        values.game, values.game.parts[1].boxes, {"part-one": 0}, points=0
    )
    assert values.remaining(part_two) == pytest.approx(150.414840202, abs=1e-8)
    # The bonus is part one's, so that what is left of the whole is part one's value.
    assert values.value - values.remaining(part_two) == pytest.approx(14.496131127, abs=1e-8)


def test_poker_dice_short_parts() -> None:
    values = dice.solve("poker-dice-short")
    stage_two = dice.Scorecard(values.game, {"three-alike": 0})
    assert values.remaining(stage_two) == pytest.approx(24.496816776, abs=1e-8)
    assert values.value - values.remaining(stage_two) == pytest.approx(37.844359332, abs=1e-8)


@pytest.mark.parametrize(
    ("game", "roll", "hold", "value"),
    [
        ("poker-dice", "23621", (2, 2), 161.753060),
        ("poker-dice", "23621", (6,), 161.122829),
        ("yahtzee", "55661", (6, 6), 253.9353),
        ("yahtzee", "22345", (2, 3, 4, 5), 254.8754),
        ("yahtzee", "11166", (1, 1, 1), 254.9945),
        ("yatzy", "55661", (5, 5, 6, 6), 250.1063),
        ("yatzy", "55661", (6, 6), 249.2786),
    ],
)
def test_first_decision(game: str, roll: str, hold: tuple[int, ...], value: float) -> None:
    options = dice.advise(roll, game=game).options
    found = next(o for o in options if o.action == "reroll" and o.hold == hold)
    digits = 1e-6 if game == "poker-dice" else 1e-4
    assert found.value == pytest.approx(value, abs=digits)


@pytest.mark.parametrize(
    ("game", "roll", "hold"),
    [
        ("poker-dice", "23621", (2, 2)),
        ("yahtzee", "55661", (6, 6)),
        ("yahtzee", "22345", (2, 3, 4, 5)),
        ("yahtzee", "11166", (1, 1, 1)),
        ("yatzy", "55661", (5, 5, 6, 6)),
    ],
)
def test_first_decision_is_best(game: str, roll: str, hold: tuple[int, ...]) -> None:
    assert dice.advise(roll, game=game).best.hold == hold


def test_scored_at_once_and_last_roll() -> None:
    options = {o.box: o.value for o in dice.advise("11166", game="yahtzee").options if o.box}
    assert options["full-house"] == pytest.approx(253.9092, abs=1e-4)
    last = dice.advise("14455", game="yahtzee", rolls_left=0)
    assert [(o.box, round(o.value, 4)) for o in last.options[:2]] == [
        ("ones", 239.6289),
        ("chance", 238.9583),
    ]


@pytest.mark.parametrize(
    ("combination", "game", "start", "rolls", "chance"),
    [
        ("poker", "poker-dice", None, 1, "1/1296"),
        ("poker", "poker-dice", None, 2, "221/17496"),
        ("poker", "poker-dice", None, 3, "347897/7558272"),
        ("four-of-a-kind", "yahtzee", None, 3, "2197897/7558272"),
        ("three-of-a-kind", "yahtzee", None, 3, "234053/314928"),
        ("full-house", "yahtzee", None, 3, "5485535/15116544"),
        ("small-straight", "yahtzee", None, 3, "753572225/1224440064"),
        ("large-straight", "yahtzee", None, 3, "319695199/1224440064"),
        ("small-straight", "yatzy", None, 3, "3856086575/19591041024"),
        ("two-pairs", "yatzy", None, 3, "22445605/30233088"),
        ("yahtzee", "yahtzee", "1111", 2, "11/36"),
        ("yahtzee", "yahtzee", "111", 2, "121/1296"),
        ("large-straight", "yahtzee", "2345", 2, "5/9"),
    ],
)
def test_one_turn(combination: str, game: str, start: str | None, rolls: int, chance: str) -> None:
    found = dice.odds(combination, game=game, start=start, rolls=rolls)
    assert found.probability == Fraction(chance)


@pytest.mark.parametrize(("left", "mean"), [(0, 35 / 2), (1, 85 / 4), (2, 70 / 3)])
def test_mean_of_the_chance_box(left: int, mean: float) -> None:
    game = dice.load_game("yahtzee")
    grid = lattice(5, 6)
    best = [
        dice.advise(roll, game=game, rolls_left=left, goal="box:chance").best.value
        for roll in grid.rolls
    ]
    ways = [grid.ways(roll) for roll in grid.rolls]
    assert np.dot(best, ways) / 6**5 == pytest.approx(mean, abs=1e-8)


def test_counts_of_five_dice() -> None:
    grid = lattice(5, 6)
    assert (len(grid.rolls), len(grid.keeps)) == (252, 462)
    assert sum(len(grid.holds(roll)) + 1 for roll in grid.rolls) == 4368
    assert sum(grid.ways(roll) for roll in grid.rolls) == 6**5


def test_census_of_yatzy() -> None:
    """Sums of the upper boxes from 0 to 63 (63 and more are one) that can come about."""
    arrays = compile_game(dice.load_game("yatzy"))
    reached = arrays.lane_of >= 0  # a row for each set of upper boxes, a column for each sum
    sums = reached[:, :63].sum(axis=1) + reached[:, 63:].any(axis=1)
    assert sums.sum() * 2**9 == 1_430_528


@pytest.mark.parametrize("name", QUICK_GAMES)
def test_census_of_every_game(name: str) -> None:
    """The states that can come about, counted by the oracle game by game."""
    from tests.oracle import dice as oracle

    game = dice.load_game(name)
    arrays = compile_game(game)
    wanted = oracle.reachable(game)
    masks = np.flatnonzero(np.diff(arrays.offset))
    states = {}
    for group in np.unique(arrays.group[masks]).tolist():
        codes = np.flatnonzero(arrays.lane_of[group] >= 0)
        for _, at_least, _, stride, radix, low in arrays.bonus.tolist():
            if low == 0:  # where no score is below 0, sums at or above the bonus are one
                sums = codes // stride % radix
                codes = codes - (sums - np.minimum(sums, at_least)) * stride
        states[group] = len(np.unique(codes))
    assert len(masks) == len(wanted)
    assert sum(states[group] for group in arrays.group[masks].tolist()) == sum(
        map(len, wanted.values())
    )
