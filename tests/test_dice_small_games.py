"""The product against the oracle: every small game, and the last turns of the real ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from oddscalc import dice
from oddscalc.dice.rules import Chance, Count, DiceGame, load_game
from oddscalc.errors import InputError, ScorecardError
from tests.oracle import dice as oracle
from tests.small_games import SMALL_GAMES, small_game

NAMES = [*SMALL_GAMES, *(f"random-{seed}" for seed in range(60))]
NEAR = 1e-9


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if "ODDSCALC_CACHE" not in os.environ:
            patch.setenv("ODDSCALC_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@dataclass
class Card:
    """A scorecard that legal turns lead to; `total` counts decided bonuses and jokers too."""

    points: dict[str, int]
    joker_bonus: int
    total: int

    @property
    def filled(self) -> list[tuple[str, int]]:
        """The boxes with their points, as the oracle takes them."""
        return list(self.points.items())


def played(game: DiceGame, random: Random, turns: int) -> Card:
    """Return the card after turns at random, with more alike dice than luck would bring."""
    cards = oracle.play(game)
    state, card = cards.start(), Card({}, 0, 0)
    for _ in range(turns):
        roll = random.choice(cards.rolls)
        if random.random() < 0.4:
            roll = (random.randint(1, game.faces),) * game.dice
        first_roll = game.rolls == 1 or random.random() < 0.4
        box, joker = random.choice(list(cards.places(state.filled, roll).items()))
        points = cards.points(box, roll, first_roll, joker)
        paid = cards.bonus(state, roll)
        state, credited = cards.after(state, box, points)
        card.points[box] = points
        card.joker_bonus += paid
        card.total += points + paid + credited
    return card


def some_cards(name: str, game: DiceGame, number: int) -> Iterator[Card]:
    """Yield the empty card and others in the middle, the same ones in every run."""
    random = Random(name)
    yield Card({}, 0, 0)
    for _ in range(number):
        yield played(game, random, random.randrange(min(1, len(game.boxes) - 1), len(game.boxes)))


def check(
    options: tuple[dice.HoldOption, ...],
    roll: tuple[int, ...],
    wanted: dict[oracle.Action, float],
) -> None:
    """Hold all options, their order and losses against the wanted values."""
    values = [option.value for option in options]
    assert all(worse <= better + NEAR for better, worse in pairwise(values))
    found: dict[oracle.Action, float] = {}
    for option in options:
        assert option.loss == pytest.approx(values[0] - option.value, abs=NEAR)
        if option.action == "score":
            assert option.box is not None
            assert sorted(option.hold) == sorted(roll)
            found["score", option.box] = option.value
        else:
            assert option.box is None
            assert option.points is None
            found["reroll", tuple(sorted(option.hold))] = option.value
    assert len(found) == len(values)
    assert found == pytest.approx(wanted, abs=NEAR, rel=0)


@pytest.mark.parametrize("name", NAMES)
def test_value(name: str) -> None:
    game = small_game(name)
    assert dice.solve(game).value == pytest.approx(float(oracle.value(game)), abs=NEAR, rel=0)


@pytest.mark.parametrize("name", NAMES)
def test_remaining(name: str) -> None:
    game = small_game(name)
    values = dice.solve(game)
    for turns in range(len(game.boxes) + 1):
        for seed in range(6):
            card = played(game, Random(f"{name} {turns} {seed}"), turns)
            found = values.remaining(dice.Scorecard(game, card.points, card.joker_bonus))
            wanted = float(oracle.value(game, card.filled))
            assert found == pytest.approx(wanted, abs=NEAR, rel=0), card


@pytest.mark.slow
def test_value_of_many_random_games() -> None:
    wrong = []
    for seed in range(60, 1060):
        game = small_game(f"random-{seed}")
        if dice.solve(game).value != pytest.approx(float(oracle.value(game)), abs=NEAR, rel=0):
            wrong.append(seed)
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_options(name: str) -> None:
    game = small_game(name)
    for card in some_cards(name, game, 3):
        scorecard = dice.Scorecard(game, card.points, card.joker_bonus)
        state = oracle.play(game).card(card.filled)
        for roll, _ in oracle.outcomes(game.dice, game.faces):
            for left in range(game.rolls):
                advice = dice.advise(roll, game=game, rolls_left=left, card=scorecard, goal="mean")
                after = oracle.options(game, card.filled, roll, left)
                check(
                    advice.options,
                    roll,
                    {act: float(card.total + more) for act, more in after.items()},
                )
                places = oracle.play(game).places(state.filled, roll)
                for option in advice.options:
                    if option.box is not None:
                        first, joker = left == game.rolls - 1, places[option.box]
                        points = oracle.play(game).points(option.box, roll, first, joker)
                        assert option.points == points


@pytest.mark.parametrize("name", NAMES)
def test_box_goal(name: str) -> None:
    game = small_game(name)
    random = Random(name)
    for card in some_cards(name, game, 2):
        scorecard = dice.Scorecard(game, card.points, card.joker_bonus)
        for box in oracle.play(game).open_boxes(frozenset(card.points)):
            for roll in random.sample(oracle.play(game).rolls, k=2):
                for left in range(game.rolls):
                    wanted = oracle.box_options(game, card.filled, box, roll, left)
                    if not wanted:
                        continue
                    advice = dice.advise(
                        roll, game=game, rolls_left=left, card=scorecard, goal=f"box:{box}"
                    )
                    check(
                        advice.options, roll, {act: float(worth) for act, worth in wanted.items()}
                    )


@pytest.mark.parametrize("name", NAMES)
def test_odds(name: str) -> None:
    game = small_game(name)
    for box in game.boxes:
        kinds = {type(scoring.pattern) for scoring in box.scorings}
        if Chance in kinds:
            with pytest.raises(InputError, match="cannot be missed"):
                dice.odds(box.name, game=game)
        elif Count not in kinds:
            for rolls in range(1, game.rolls + 1):
                found = dice.odds(box.name, game=game, rolls=rolls).probability
                assert isinstance(found, Fraction)
                assert found == oracle.chance(game, box.name, rolls)


@pytest.mark.parametrize(
    ("game", "box", "rolls", "start"),
    [
        ("yatzy", "yatzy", 2, (1, 1, 1, 1)),
        ("yatzy", "yatzy", 2, (1, 1, 1)),
        ("yahtzee", "large-straight", 2, (2, 3, 4, 5)),
        ("yatzy", "full-house", 2, (3, 3, 4, 4)),
        ("yatzy", "two-pairs", 1, (6, 6)),
    ],
)
def test_odds_from_dice_on_the_table(
    game: str, box: str, rolls: int, start: tuple[int, ...]
) -> None:
    wanted = oracle.chance(load_game(game), box, rolls, start)
    assert dice.odds(box, game=game, rolls=rolls, start=start).probability == wanted


# The last turns of real games, few enough for the oracle. The boxes left open, the face whose
# boxes hold three dice each so that a bonus may hang on them, and the joker's box.
ENDINGS = [
    ("poker-dice", ["chance", "poker"], 0),
    ("poker-dice", ["large-straight", "pair"], 0),
    ("yahtzee", ["chance", "sixes"], 50),
    ("yahtzee", ["full-house", "fives"], 50),
    ("yahtzee", ["large-straight", "ones"], 0),
    ("yahtzee", ["yahtzee", "threes"], 0),
    ("yahtzee-verhoeff", ["full-house", "twos"], 50),
    ("yahtzee-verhoeff", ["small-straight", "fours"], 0),
    ("yahtzee-free-joker", ["large-straight", "sixes"], 50),
    ("yahtzee-plain", ["full-house", "sixes"], 50),
    ("kniffel", ["small-straight", "four-of-a-kind"], 50),
    ("yatzy", ["two-pairs", "sixes"], 50),
    ("yatzy", ["full-house", "pair"], 0),
    ("yacht", ["yacht", "full-house"], 0),
]


@pytest.mark.parametrize(("name", "left", "whole"), ENDINGS)
def test_endings_of_real_games(name: str, left: list[str], whole: int) -> None:
    game = load_game(name)
    points: dict[str, int] = {}
    for box in game.boxes:
        pattern = box.scorings[0].pattern
        if box.name in left:
            continue
        points[box.name] = 0
        if isinstance(pattern, Count) and pattern.face is not None:
            points[box.name] = (3 - pattern.par) * pattern.face
        elif box.scorings[0].points == 50:
            points[box.name] = whole
    if "chance" in points:
        points["chance"] = 20
    card = dice.Scorecard(game, points)
    filled = list(points.items())
    values = dice.solve(game)
    wanted = float(oracle.value(game, filled))
    assert values.remaining(card) == pytest.approx(wanted, abs=NEAR, rel=0)
    decided = sum(
        bonus.points
        for bonus in game.bonuses
        if points.keys() >= set(bonus.boxes)
        and sum(points[box] for box in bonus.boxes) >= bonus.at_least
    )
    total = sum(points.values()) + decided
    random = Random(f"{name} {left}")
    for rolls_left in range(game.rolls):
        rolls = [*random.sample(oracle.play(game).rolls, k=4), (6,) * 5, (2,) * 5]
        for roll in rolls:
            advice = dice.advise(roll, game=game, rolls_left=rolls_left, card=card, goal="mean")
            after = oracle.options(game, filled, roll, rolls_left)
            check(advice.options, roll, {act: float(total + more) for act, more in after.items()})


def test_value_of_the_pot_game() -> None:
    game = load_game("poker-dice-short")
    assert dice.solve(game).value == pytest.approx(float(oracle.value(game)), abs=NEAR, rel=0)


@pytest.mark.parametrize(
    ("name", "points", "joker_bonus"),
    [
        ("count", {"ones": 4}, 0),
        ("count-par", {"twos": 1}, 0),
        ("pair-dice", {"pair": 5}, 0),
        ("parts-in-turn-any-any", {"chance": 4}, 0),
        ("parts-free-fixed-any", {"twos": -2}, 0),
        ("count", {"ones": 1}, 5),
        ("joker-free-20-fixed", {"whole": 10, "ones": 1}, 13),
        ("joker-free-20-fixed", {"whole": 0, "ones": 1}, 20),
    ],
)
def test_impossible_scorecards(name: str, points: dict[str, int], joker_bonus: int) -> None:
    with pytest.raises(ScorecardError):
        dice.Scorecard(small_game(name), points, joker_bonus)
