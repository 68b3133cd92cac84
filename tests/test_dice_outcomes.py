"""Totals, best chances and pots: against the oracle, the reference, and games played by chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from oddscalc import dice
from oddscalc.dice.rules import Count, DiceGame
from tests.oracle import dice as oracle
from tests.oracle import dice_outcomes, dice_pot
from tests.small_games import game_of, small_game
from tests.test_dice_reference import house_game
from tests.test_dice_simulation import play
from tests.test_dice_small_games import NAMES, NEAR, Card, check, some_cards

EXACT = 1e-12

# Many small games from the start, some also with cards in the middle; all of them when slow.
CASES = [
    *((name, 0 if place % 5 else 2) for place, name in enumerate(NAMES) if place % 5 in (0, 2, 4)),
    *(pytest.param(name, 4, marks=pytest.mark.slow) for name in NAMES),
]


def scorecard(game: DiceGame, card: Card) -> dice.Scorecard:
    return dice.Scorecard(game, card.points, card.joker_bonus)


def totals(found: dice.Outcomes) -> dict[int, float]:
    """Return the chances by total, as far as they are not zero."""
    return {found.low + i: chance for i, chance in enumerate(found.chances.tolist()) if chance}


# The oracle


@pytest.mark.parametrize("name", NAMES[::3])
def test_oracle_agrees_with_the_expected_total(name: str) -> None:
    game = small_game(name)
    for card in some_cards(name, game, 2):
        found = dice_outcomes.distribution(game, card.filled)
        assert sum(found.values()) == 1
        mean = sum(total * chance for total, chance in found.items())
        assert mean == oracle.value(game, card.filled)
        extras = dice_outcomes.extras(game, card.filled)
        parts = [held for (what, _), held in extras.items() if what in ("mean", "joker")]
        bonuses = [extras.get(("bonus", b.name), Fraction(0)) * b.points for b in game.bonuses]
        assert mean == sum([*parts, *bonuses])


def best_chance(game: DiceGame, needed: int) -> Fraction:
    """Return the best chance of a total, the points so far carried along in every state."""
    cards = oracle.play(game)

    @cache
    def chance(state: oracle.State, total: int) -> Fraction:
        if len(state.filled) == len(game.boxes):
            return Fraction(total >= needed)

        def worth(roll: oracle.Roll, first: bool) -> Fraction:
            best = Fraction(0)
            for box, joker in cards.places(state.filled, roll).items():
                points = cards.points(box, roll, first, joker)
                then, credited = cards.after(state, box, points)
                now = points + credited + cards.bonus(state, roll)
                best = max(best, chance(cards.reduced(then), total + now))
            return best

        return oracle.Turn(game, worth).rolled((), game.rolls)

    return chance(cards.start(), 0)


@pytest.mark.parametrize("name", ["best-of", "penalty", "joker-forced-parts-in-turn"])
def test_oracle_of_best_chances_without_shortcuts(name: str) -> None:
    game = small_game(name)
    likely = dice_outcomes.distribution(game)
    for needed in range(min(likely), max(likely) + 2, 3):
        assert dice_outcomes.reach(game).chance((), needed) == best_chance(game, needed)


# Small games


@pytest.mark.parametrize(("name", "cards"), CASES)
def test_distribution(name: str, cards: int) -> None:
    game = small_game(name)
    for card in some_cards(name, game, cards):
        found = dice.outcomes(game, card=scorecard(game, card))
        wanted = dice_outcomes.distribution(game, card.filled, card.total)
        assert found.chances.dtype == np.float64
        assert found.chances.sum() == pytest.approx(1, abs=EXACT, rel=0)
        assert totals(found) == pytest.approx(
            {total: float(chance) for total, chance in wanted.items()}, abs=EXACT, rel=0
        )
        mean = sum(total * chance for total, chance in wanted.items())
        square = sum((total - mean) ** 2 * chance for total, chance in wanted.items())
        assert found.mean == pytest.approx(float(mean), abs=NEAR, rel=0)
        assert found.sd == pytest.approx(math.sqrt(square), abs=1e-6, rel=0)
        below = Fraction(0)
        for total, chance in wanted.items():
            assert found.at_least(total) == pytest.approx(float(1 - below), abs=EXACT, rel=0)
            assert found.quantile(float(100 * (below + chance / 2))) == total
            below += chance
        assert found.at_least(min(wanted) - 5) == pytest.approx(1, abs=EXACT, rel=0)
        assert found.at_least(max(wanted) + 1) == pytest.approx(0, abs=EXACT, rel=0)


def shows_when_made(game: DiceGame, name: str) -> bool:
    """Tell whether the points of a box show if it is made, and that it has but one meaning."""
    box = game.boxes[game.box_index(name)]
    if any(isinstance(scoring.pattern, Count) for scoring in box.scorings):
        return len(box.scorings) == 1
    return all(
        oracle.scores(game, name, roll, first_roll=first, joker=joker) > 0
        for roll in oracle.play(game).rolls
        for first in (False, True)
        for joker in (False, True)
        if dice_outcomes.hit(game, name, roll, joker)
    )


@pytest.mark.parametrize(("name", "cards"), CASES)
def test_what_boxes_and_bonuses_bring(name: str, cards: int) -> None:
    game = small_game(name)
    for card in some_cards(name, game, cards):
        found = dice.outcomes(game, card=scorecard(game, card))
        wanted = dice_outcomes.extras(game, card.filled)
        still = {one.box: one for one in found.boxes if one.box not in card.points}
        assert list(still) == [box.name for box in game.boxes if box.name not in card.points]
        for box, one in still.items():
            assert one.mean == pytest.approx(float(wanted["mean", box]), abs=NEAR, rel=0), box
            if shows_when_made(game, box):
                assert one.made == pytest.approx(float(wanted["made", box]), abs=NEAR, rel=0), box
        # Settled bonuses are part of the points so far, as is what jokers have earned.
        open_bonuses = {b.name for b in game.bonuses if not card.points.keys() >= set(b.boxes)}
        assert found.bonuses == pytest.approx(
            {name: float(wanted["bonus", name]) for name in open_bonuses}, abs=NEAR, rel=0
        )
        joker = float(wanted.get(("joker", ""), 0))
        assert found.joker_bonus == pytest.approx(joker, abs=NEAR, rel=0)


def worthwhile(reach: dice_outcomes.Reach, card: Card) -> range:
    """Return the totals from surely reached to never reached, and one more at either end."""
    chances = {
        needed: reach.chance(card.filled, needed) for needed in range(reach.low, reach.high + 1)
    }
    first = max(needed for needed, chance in chances.items() if chance == 1)
    last = min(needed for needed, chance in chances.items() if chance == 0)
    return range(card.total + first - 1, card.total + last + 2)


@pytest.mark.parametrize(("name", "cards"), CASES)
def test_best_chance_of_every_total(name: str, cards: int) -> None:
    game = small_game(name)
    reach = dice_outcomes.reach(game)
    for card in some_cards(name, game, cards):
        usual = dice_outcomes.distribution(game, card.filled, card.total)
        held = scorecard(game, card)
        for total in worthwhile(reach, card):
            found = dice.beat(total, game=game, card=held)
            best = reach.chance(card.filled, total - card.total)
            plain = sum(chance for reached, chance in usual.items() if reached >= total)
            assert found.probability == pytest.approx(float(best), abs=EXACT, rel=0), total
            assert found.usual == pytest.approx(float(plain), abs=EXACT, rel=0), total


@pytest.mark.parametrize(("name", "cards"), CASES)
def test_holds_for_a_total(name: str, cards: int) -> None:
    game = small_game(name)
    random, reach = Random(name), dice_outcomes.reach(game)
    for card in some_cards(name, game, cards):
        held = scorecard(game, card)
        for total in random.sample(worthwhile(reach, card), k=3):
            for roll in random.sample(oracle.play(game).rolls, k=2):
                for left in range(game.rolls):
                    wanted = reach.options(card.filled, total - card.total, roll, left)
                    advice = dice.advise(
                        roll, game=game, rolls_left=left, card=held, goal=f"beat:{total}"
                    )
                    check(advice.options, roll, {act: float(one) for act, one in wanted.items()})


# The reference


@pytest.mark.parametrize(
    ("base", "changes", "sd"),
    [
        ("yahtzee", "", 59.6076),
        pytest.param("yahtzee-verhoeff", "", 59.6114, marks=pytest.mark.slow),
        ("yahtzee-plain", "", 39.8201),
        pytest.param(
            *("kniffel", 'joker.bonus=50;joker.placement="forced"', 47.1770), marks=pytest.mark.slow
        ),
        ("yatzy", "", 38.4964),
        ("yacht", "", 34.9816),
    ],
)
def test_standard_deviation(tmp_path: Path, base: str, changes: str, sd: float) -> None:
    game = house_game(tmp_path, base, changes) if changes else dice.load_game(base)
    found = dice.outcomes(game)
    assert found.mean == pytest.approx(dice.solve(game).value, abs=1e-8, rel=0)
    # The fourth decimal depends on how ties are broken.
    assert found.sd == pytest.approx(sd, abs=2e-4, rel=0)
    assert found.chances.sum() == pytest.approx(1, abs=EXACT, rel=0)


@pytest.mark.parametrize(
    ("name", "quantiles", "bonus", "lowest", "highest"),
    [
        ("yahtzee", (151, 180, 217, 248, 272, 388, 474), 0.681222, 12, 1575),
        ("yatzy", (145, 179, 225, 249, 276, 309, 325), 0.898065, 10, 374),
    ],
)
def test_distribution_of_known_games(
    name: str, quantiles: tuple[int, ...], bonus: float, lowest: int, highest: int
) -> None:
    found = dice.outcomes(name)
    percents = (1, 5, 25, 50, 75, 95, 99)
    assert tuple(found.quantile(percent) for percent in percents) == quantiles
    assert next(iter(found.bonuses.values())) == pytest.approx(bonus, abs=5e-7, rel=0)
    reached = totals(found)
    assert (min(reached), max(reached)) == (lowest, highest)


def test_totals_of_yahtzee() -> None:
    found = dice.outcomes("yahtzee")
    reached = totals(found)
    assert max(reached, key=reached.__getitem__) == 266
    assert found.at_least(200) == pytest.approx(0.863571, abs=5e-7, rel=0)
    assert found.at_least(300) == pytest.approx(0.143264, abs=5e-7, rel=0)
    assert found.at_least(500) == pytest.approx(0.0071887, abs=5e-8, rel=0)


def test_best_chance_in_poker_dice() -> None:
    found = dice.beat(165, game="poker-dice")
    assert found.probability == pytest.approx(0.532942679, abs=5e-10, rel=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "total", "chance", "digits"),
    [
        ("yahtzee", 200, 0.91076, 5e-6),
        ("yahtzee", 300, 0.17602, 5e-6),
        # The reference gives about five digits of these two: .049258 and .53544.
        ("yahtzee", 400, 0.049258, 1e-6),
        ("yahtzee-plain", 250, 0.53544, 1e-5),
        # From a plain program in C++ that shares nothing with the product.
        ("yahtzee-plain", 150, 0.997896889507, 1e-11),
        ("yahtzee-plain", 200, 0.909943009268, 1e-11),
        ("yahtzee-plain", 250, 0.535431995376, 1e-11),
    ],
)
def test_best_chance_in_yahtzee(name: str, total: int, chance: float, digits: float) -> None:
    found = dice.beat(total, game=name)
    assert found.probability == pytest.approx(chance, abs=digits, rel=0)


@pytest.mark.parametrize(("name", "most"), [("poker-dice-short", 172), ("poker-dice", 510)])
def test_best_chances_beside_the_usual(name: str, most: int) -> None:
    found = dice.outcomes(name)
    usual = totals(found)
    chances = []
    for total in range(min(usual) - 1, most + 2):
        one = dice.beat(total, game=name)
        assert one.usual == pytest.approx(found.at_least(total), abs=EXACT, rel=0)
        assert one.probability >= one.usual - EXACT
        chances.append(one.probability)
    assert all(more <= less for less, more in pairwise(chances))
    assert chances[:2] == pytest.approx([1, 1], abs=EXACT, rel=0)
    assert chances[-2] > 0
    assert chances[-1] == 0
    assert dice.beat(-10_000, game=name).probability == 1
    assert dice.beat(10_000, game=name).probability == 0


def test_the_short_game_from_the_oracle() -> None:
    game = dice.load_game("poker-dice-short")
    wanted = {total: float(p) for total, p in dice_outcomes.distribution(game).items()}
    assert totals(dice.outcomes(game)) == pytest.approx(wanted, abs=EXACT, rel=0)
    for points in (-6, 0, 6):
        card = dice.Scorecard(game, {"three-alike": points})
        total = points + 50 * (points >= 0)
        for needed in range(-1, 112):
            best = dice_outcomes.reach(game).chance([("three-alike", points)], needed)
            found = dice.beat(total + needed, game=game, card=card)
            assert found.probability == pytest.approx(float(best), abs=EXACT, rel=0), needed


# Simulation


def fit(found: dice.Outcomes, games: int, seed: int) -> float:
    """Return how likely games are that fit their distribution worse: chi-square's p-value."""
    played = play(found.game, games, seed).astype(np.int64)
    seen = np.bincount(played - found.low, minlength=len(found.chances))
    assert len(seen) == len(found.chances)
    cells: list[tuple[float, int]] = []
    expected, count = 0.0, 0
    for chance, number in zip(found.chances.tolist(), seen.tolist(), strict=True):
        assert chance > 0 or number == 0
        expected, count = expected + chance * games, count + number
        if expected >= 10:
            cells.append((expected, count))
            expected, count = 0.0, 0
    last = cells.pop()
    cells.append((last[0] + expected, last[1] + count))
    square = sum((count - expected) ** 2 / expected for expected, count in cells)
    return chi_square_tail(square, len(cells) - 1)


def chi_square_tail(square: float, freedom: int) -> float:
    """Return the chance of more than `square`, by Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    normal = ((square / freedom) ** (1 / 3) - (1 - part)) / math.sqrt(part)
    return math.erfc(normal / math.sqrt(2)) / 2


def test_chi_square_tail() -> None:
    # Tables of chi-square.
    assert chi_square_tail(124.342, 100) == pytest.approx(0.05, abs=1e-4)
    assert chi_square_tail(149.449, 100) == pytest.approx(0.001, abs=2e-5)


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("poker-dice-short", 1_000_000),
        ("poker-dice", 200_000),
        pytest.param("yahtzee", 1_000_000, marks=pytest.mark.slow),
    ],
)
def test_games_by_chance_fit_the_distribution(name: str, games: int) -> None:
    assert 1e-3 < fit(dice.outcomes(name), games, seed=2026) < 1 - 1e-3


# The pot


def pot_game(
    dice: int,
    faces: int,
    rolls: int,
    *,
    par: int,
    at_least: int = 0,
    points: int,
    first_roll: int = 2,
    first_of_faces: int = 1,
) -> DiceGame:
    """Return a game like the one for the pot, with fewer dice and faces."""
    patterns = [f'kind = "straight", length = {n}' for n in range(2, min(dice, faces) + 1)] + [
        f'kind = "alike", groups = [{n}], extra = {4 if n == dice else 0}'
        for n in range(2, dice + 1)
    ]
    of = "\n".join(
        f'{{ {pattern}, points = "dice", first_roll = {first_roll} }},' for pattern in patterns
    )
    return game_of(
        f"""
dice = {dice}
faces = {faces}
rolls = {rolls}
parts_in_turn = true
[parts.one]
boxes = ["alike"]
[parts.two]
boxes = ["combination"]
[boxes.alike]
kind = "count"
face = "any"
par = {par}
first_roll = {first_of_faces}
[boxes.combination]
kind = "best-of"
of = [{of}]
[bonuses.stage-one]
boxes = ["alike"]
at_least = {at_least}
points = {points}
"""
    )


POTS = {
    "two-faces": (2, pot_game(2, 2, 3, par=2, points=3)),
    "two-dice": (2, pot_game(2, 4, 3, par=2, points=5)),
    "two-dice-two-rolls": (2, pot_game(2, 4, 2, par=2, points=20, first_roll=1)),
    "no-bonus": (2, pot_game(2, 3, 3, par=1, points=0)),
    "penalty": (2, pot_game(2, 3, 3, par=2, points=-4)),
    "one-roll": (2, pot_game(2, 3, 1, par=2, points=3)),
    "three-dice": (2, pot_game(3, 3, 3, par=3, points=10)),
    "three-dice-four-faces": (2, pot_game(3, 4, 2, par=3, points=10)),
    "three-dice-doubled": (2, pot_game(3, 3, 2, par=2, at_least=1, points=6, first_of_faces=2)),
    "three-players": (3, pot_game(2, 3, 3, par=2, points=5)),
    "three-players-two-faces": (3, pot_game(3, 2, 2, par=3, points=4)),
    "three-players-below-par": (3, pot_game(2, 3, 2, par=2, at_least=-1, points=2, first_roll=1)),
    "four-players": (4, pot_game(2, 2, 3, par=2, points=3)),
    "four-players-two-rolls": (4, pot_game(2, 2, 2, par=1, points=2, first_roll=1)),
}


LONGER = ("three-players", "four-players")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in LONGER else []) for name in POTS],
)
def test_pot_of_small_games(name: str) -> None:
    players, game = POTS[name]
    wanted = dice_pot.Pot(game, players).win()
    assert sum(wanted) == 1
    found = dice.pot(players, game=game).win
    assert found == pytest.approx(tuple(map(float, wanted)), abs=EXACT, rel=0)
    assert sum(found) == pytest.approx(1, abs=EXACT, rel=0)


@pytest.mark.parametrize("name", ["two-dice", "three-dice-doubled", "four-players-two-rolls"])
def test_no_face_but_the_best_is_worth_naming(name: str) -> None:
    players, game = POTS[name]
    named = dice_pot.Pot(game, players, free_face=False)
    assert named.win() == dice_pot.Pot(game, players, free_face=True).win()


@pytest.mark.parametrize("name", ["two-dice", "three-dice", "four-players-two-rolls"])
def test_who_ignores_the_others_has_an_equal_share(name: str) -> None:
    players, game = POTS[name]
    assert set(dice_pot.Pot(game, players, goal="mean").win()) == {Fraction(1, players)}
    found = {total: Fraction(chance) for total, chance in totals(dice.outcomes(game)).items()}
    share = dice_pot.share(found, found, players - 1)
    assert float(share) == pytest.approx(1 / players, abs=EXACT, rel=0)


def test_pot_of_two_from_the_oracle() -> None:
    """Two players share one pot, so that each plays against what the other can still make."""
    game = dice.load_game("poker-dice-short")
    cards, reach = oracle.play(game), dice_outcomes.reach(game, Fraction(1, 2))
    one, two = (box.name for box in game.boxes)
    turn_ways = dice_outcomes.scale(game, 1)

    def most(options: list[dice_outcomes.Row]) -> dice_outcomes.Row:
        return tuple(map(max, zip(*options, strict=True)))

    def turn(after: Callable[[oracle.Roll, bool], dice_outcomes.Row]) -> dice_outcomes.Row:
        def ends(roll: oracle.Roll, first: bool) -> dict[oracle.Action, dice_outcomes.Row]:
            return {("score", ""): after(roll, first)}

        return dice_outcomes.Turn(game, ends, dice_outcomes.mixed_rows, most).start()

    # What stage one may earn, without and with its bonus.
    points = sorted({cards.points(one, roll, False, False) for roll in cards.rolls})
    earned = {point: point + 50 * (point >= 0) for point in points}
    # The last turn: seat two's share out of `whole`, by what is needed.
    last = {p: reach.value(cards.card([(one, p)])) for p in points}
    whole = 2 * turn_ways

    def against(own: int, roll: oracle.Roll, first: bool) -> dice_outcomes.Row:
        """Return seat one's share for a final roll, by the points of seat two."""
        total = earned[own] + cards.points(two, roll, first, False)
        return tuple(whole - last[p][reach.place(total - earned[p])] for p in points)

    third = {own: turn(partial(against, own)) for own in points}
    whole *= turn_ways

    def second(roll: oracle.Roll, first: bool) -> dice_outcomes.Row:
        """Return seat two's share for its stage one, by the points of seat one."""
        place = points.index(cards.points(one, roll, first, False))
        return tuple(whole - third[own][place] for own in points)

    answer = turn(second)
    whole *= turn_ways

    def start(roll: oracle.Roll, first: bool) -> dice_outcomes.Row:
        return (whole - answer[points.index(cards.points(one, roll, first, False))],)

    share = Fraction(turn(start)[0], whole * turn_ways)
    found = dice.pot(2, game=game).win
    assert found == pytest.approx((float(share), float(1 - share)), abs=EXACT, rel=0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pot_of_the_short_game(players: int) -> None:
    found = dice.pot(players, game="poker-dice-short")
    assert len(found.win) == players
    assert sum(found.win) == pytest.approx(1, abs=EXACT, rel=0)
    # Whoever plays later knows more.
    assert all(earlier < later for earlier, later in pairwise(found.win))
