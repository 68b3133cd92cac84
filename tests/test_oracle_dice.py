"""The oracle itself, against the rules' worked examples and figures computed by hand."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from oddscalc.dice.rules import load_game
from tests.oracle import dice as oracle
from tests.small_games import SMALL_GAMES, game_of, small_game

FIVE = (5, 5, 5, 5, 5)
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


def total(game_name: str, turns: Iterable[tuple[str, str, bool]]) -> int:
    """Return the final total of turns: a box, the roll that it takes, whether the first one."""
    cards = oracle.play(load_game(game_name))
    state, result = cards.start(), 0
    for box, text, first_roll in turns:
        roll = dice(text)
        points = cards.points(box, roll, first_roll, cards.places(state.filled, roll)[box])
        result += points + cards.bonus(state, roll)
        state, credited = cards.after(state, box, points)
        result += credited
    return result


def dice(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def earns(game_name: str, box: str, text: str, *, first: bool = False, joker: bool = False) -> int:
    return oracle.scores(load_game(game_name), box, dice(text), first_roll=first, joker=joker)


# Points


@pytest.mark.parametrize(
    ("game", "box", "roll", "first", "points"),
    [
        # rules.md, poker-dice
        ("poker-dice", "sixes", "66666", False, 12),
        ("poker-dice", "sixes", "12345", False, -18),
        ("poker-dice", "sixes", "12666", True, 0),
        ("poker-dice", "twos", "22345", True, -2),
        ("poker-dice", "pair", "33124", False, 6),
        ("poker-dice", "pair", "33664", False, 12),
        ("poker-dice", "pair", "33664", True, 24),
        ("poker-dice", "pair", "55554", False, 10),
        ("poker-dice", "pair", "12346", False, 0),
        ("poker-dice", "pair", "12346", True, 0),
        ("poker-dice", "two-pairs", "33664", False, 18),
        ("poker-dice", "two-pairs", "33366", False, 18),
        ("poker-dice", "two-pairs", "66664", False, 0),
        ("poker-dice", "two-pairs", "66666", False, 0),
        ("poker-dice", "three-of-a-kind", "44442", False, 12),
        ("poker-dice", "small-straight", "12345", False, 15),
        ("poker-dice", "small-straight", "12345", True, 30),
        ("poker-dice", "small-straight", "12346", False, 0),
        ("poker-dice", "large-straight", "23456", False, 20),
        ("poker-dice", "large-straight", "12345", False, 0),
        ("poker-dice", "full-house", "33366", False, 21),
        ("poker-dice", "full-house", "66666", False, 0),
        ("poker-dice", "four-of-a-kind", "44444", True, 32),
        ("poker-dice", "poker", "44444", False, 70),
        ("poker-dice", "poker", "44444", True, 90),
        ("poker-dice", "poker", "44443", True, 0),
        ("poker-dice", "chance", "13466", True, 20),
        # rules.md, poker-dice-short
        ("poker-dice-short", "three-alike", "22456", False, -2),
        ("poker-dice-short", "three-alike", "66661", False, 6),
        ("poker-dice-short", "three-alike", "13456", False, -2),
        ("poker-dice-short", "three-alike", "34566", False, -6),
        ("poker-dice-short", "combination", "22345", False, 14),
        ("poker-dice-short", "combination", "22345", True, 28),
        ("poker-dice-short", "combination", "55512", False, 15),
        ("poker-dice-short", "combination", "66455", False, 22),
        ("poker-dice-short", "combination", "23456", False, 20),
        ("poker-dice-short", "combination", "13466", False, 12),
        ("poker-dice-short", "combination", "12346", False, 10),
        ("poker-dice-short", "combination", "12356", False, 0),
        ("poker-dice-short", "combination", "11111", False, 55),
        ("poker-dice-short", "combination", "11111", True, 60),
        # rules.md, the relatives
        ("yahtzee", "three-of-a-kind", "33326", False, 17),
        ("yahtzee", "four-of-a-kind", "33326", False, 0),
        ("yahtzee", "full-house", "33322", False, 25),
        ("yahtzee", "full-house", "33333", False, 0),
        ("yahtzee", "small-straight", "23451", False, 30),
        ("yahtzee", "small-straight", "34561", False, 30),
        ("yahtzee", "small-straight", "12356", False, 0),
        ("yahtzee", "large-straight", "65432", False, 40),
        ("yahtzee", "yahtzee", "66666", True, 50),
        ("yatzy", "pair", "33366", False, 12),
        ("yatzy", "two-pairs", "44441", False, 0),
        ("yatzy", "four-of-a-kind", "44441", False, 16),
        ("yatzy", "large-straight", "12345", False, 0),
        ("yatzy", "full-house", "44466", False, 24),
        ("yatzy", "full-house", "44444", False, 0),
        ("yatzy", "yatzy", "11111", False, 50),
        ("yacht", "full-house", "22333", False, 13),
        ("yacht", "four-of-a-kind", "55551", False, 20),
        ("yacht", "large-straight", "23456", False, 30),
        ("yacht", "chance", "13456", False, 19),
    ],
)
def test_points(game: str, box: str, roll: str, first: bool, points: int) -> None:
    assert earns(game, box, roll, first=first) == points


def test_five_alike_is_a_full_house_only_where_faces_may_repeat() -> None:
    same = "different_faces = false"
    boxes = f"""base = "yatzy"
    [boxes]
    full-house = {{ {same} }}
    two-pairs = {{ {same} }}"""
    game = game_of(boxes)
    assert oracle.scores(game, "full-house", FIVE) == 25
    assert oracle.scores(game, "full-house", (5, 5, 5, 5, 2)) == 0
    assert oracle.scores(game, "two-pairs", (5, 5, 5, 5, 2)) == 20
    assert oracle.scores(game, "two-pairs", (5, 5, 5, 2, 2)) == 14


def test_a_joker_makes_boxes_of_fixed_points_only() -> None:
    boxes = [box.name for box in load_game("yahtzee").boxes]
    points = [earns("yahtzee", box, "55555", joker=True) for box in boxes]
    assert points == [0, 0, 0, 0, 25, 0, 25, 25, 25, 30, 40, 50, 25]
    assert earns("yacht", "full-house", "55555", joker=True) == 0


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([("three-alike", "44412", False), ("combination", "66125", True)], 74),
        ([("three-alike", "22456", False), ("combination", "22345", False)], 12),
        ([("three-alike", "66663", False), ("combination", "55512", False)], 71),
    ],
)
def test_worked_examples_of_the_pot_game(turns: list[tuple[str, str, bool]], expected: int) -> None:
    assert total("poker-dice-short", turns) == expected


def test_bonus_is_credited_with_the_last_box() -> None:
    rolls = ["11166", "22266", "33366", "44466", "55566"]
    threes = [(box, roll, False) for box, roll in zip(UPPER[:5], rolls, strict=True)]
    assert total("poker-dice", threes) == 0
    assert total("poker-dice", [*threes, ("sixes", "66612", False)]) == 50
    assert total("poker-dice", [*threes, ("sixes", "66512", False)]) == -6


# Which boxes are open


def places(game: str, filled: Iterable[str], roll: str) -> dict[str, bool]:
    return oracle.play(load_game(game)).places(frozenset(filled), dice(roll))


def test_part_two_opens_after_part_one() -> None:
    assert set(places("poker-dice", ["sixes"], "12345")) == set(UPPER[:5])
    assert "ones" in places("poker-dice-any-order", ["pair"], "12345")
    game = load_game("poker-dice")
    assert set(places("poker-dice", UPPER, "12345")) == set(game.parts[1].boxes)


LOWER = {"three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight"}
LOWER |= {"chance"}
ALL = set(UPPER) | LOWER


@pytest.mark.parametrize(
    ("game", "filled", "boxes", "joker"),
    [
        ("yahtzee", ["yahtzee"], {"fives"}, False),
        ("yahtzee", ["yahtzee", "fives"], LOWER, True),
        ("yahtzee", ["yahtzee", "fives", *LOWER], set(UPPER) - {"fives"}, False),
        ("yahtzee-verhoeff", ["yahtzee"], ALL, False),
        ("yahtzee-verhoeff", ["yahtzee", "fives"], ALL - {"fives"}, True),
        ("yahtzee-free-joker", ["yahtzee"], ALL, True),
        ("yahtzee-plain", ["yahtzee"], ALL, False),
        ("yahtzee", ["fives"], (ALL | {"yahtzee"}) - {"fives"}, False),
    ],
)
def test_where_five_fives_may_go(
    game: str, filled: list[str], boxes: set[str], joker: bool
) -> None:
    assert places(game, filled, "55555") == dict.fromkeys(boxes, joker)


def test_further_yahtzees_earn_a_hundred_if_the_box_holds_fifty() -> None:
    further = [("fives", "55555", False), ("full-house", "55555", False), ("ones", "44444", False)]
    lower = [(box, "12346", False) for box in sorted(LOWER - {"full-house"})]
    lower += [("fours", "12346", False)]
    # Small straight 30 and chance 16; 4 in the fours.
    assert total("yahtzee", [("yahtzee", "66666", True), *lower]) == 50 + 30 + 16 + 4
    turns = [("yahtzee", "66666", False), *further[:2], *lower, further[2]]
    assert total("yahtzee", turns) == 50 + 125 + 125 + 50 + 100
    turns[0] = ("yahtzee", "12346", False)
    assert total("yahtzee", turns) == 0 + 25 + 25 + 50 + 0


# Chances and means

ONE_ROLL = [
    ("yatzy", "yatzy", 6),
    ("yatzy", "four-of-a-kind", 150 + 6),
    ("yatzy", "full-house", 300),
    ("yatzy", "three-of-a-kind", 1200 + 300 + 150 + 6),
    ("yatzy", "two-pairs", 1800 + 300),
    ("yatzy", "pair", 6**5 - 720),
    ("yatzy", "small-straight", 120),
    ("yahtzee", "small-straight", 960 + 240),
    ("yahtzee", "large-straight", 240),
    ("yahtzee", "chance", 6**5),
]


@pytest.mark.parametrize(("game", "box", "rolls"), ONE_ROLL)
def test_every_ordered_roll(game: str, box: str, rolls: int) -> None:
    rules = load_game(game)
    assert oracle.chance_by_enumeration(rules, box) == Fraction(rolls, 6**5)
    assert oracle.chance(rules, box, 1) == Fraction(rolls, 6**5)


# reference.md, "One turn, three rolls, playing only for it (exact)"
@pytest.mark.parametrize(
    ("game", "box", "rolls", "held", "expected"),
    [
        ("yatzy", "yatzy", 1, "", "1/1296"),
        ("yatzy", "yatzy", 2, "", "221/17496"),
        ("yatzy", "yatzy", 3, "", "347897/7558272"),
        ("yatzy", "four-of-a-kind", 3, "", "2197897/7558272"),
        ("yatzy", "three-of-a-kind", 3, "", "234053/314928"),
        ("yatzy", "full-house", 3, "", "5485535/15116544"),
        ("yahtzee", "small-straight", 3, "", "753572225/1224440064"),
        ("yahtzee", "large-straight", 3, "", "319695199/1224440064"),
        ("yatzy", "small-straight", 3, "", "3856086575/19591041024"),
        ("yatzy", "two-pairs", 3, "", "22445605/30233088"),
        ("yatzy", "yatzy", 2, "1111", "11/36"),
        ("yatzy", "yatzy", 2, "111", "121/1296"),
        ("yahtzee", "large-straight", 2, "2345", "5/9"),
    ],
)
def test_chance(game: str, box: str, rolls: int, held: str, expected: str) -> None:
    assert oracle.chance(load_game(game), box, rolls, dice(held)) == Fraction(expected)


@pytest.mark.parametrize(
    ("rolls", "mean"), [(1, Fraction(35, 2)), (2, Fraction(85, 4)), (3, Fraction(70, 3))]
)
def test_mean_of_the_chance_box(rolls: int, mean: Fraction) -> None:
    assert oracle.box_value(load_game("yatzy"), (), "chance", (), rolls) == mean


def test_rolls_and_keeps_are_as_many_as_they_should_be() -> None:
    rolls = [roll for roll, _ in oracle.outcomes(5, 6)]
    assert len(rolls) == 252
    proper = {hold for roll in rolls for hold in oracle.holds(roll)}
    assert len(proper) + len(rolls) == 462
    assert sum(len(oracle.holds(roll)) + 1 for roll in rolls) == 4368


# Whole games by hand


def test_one_die_by_hand() -> None:
    game = game_of("dice = 1\n[boxes]\nchance = { kind = 'chance' }")
    # Roll again below 5, then below 4: means 7/2, 17/4, 14/3.
    assert oracle.value(game) == Fraction(14, 3)
    assert oracle.options(game, (), (4,), 2) == {
        ("score", "chance"): 4,
        ("reroll", ()): Fraction(17, 4),
    }


@pytest.mark.parametrize(("first_roll", "expected"), [(1, "5/2"), (2, "4")])
def test_two_coins_by_hand(first_roll: int, expected: str) -> None:
    pair = f'kind = "alike", groups = [2], points = "dice", first_roll = {first_roll}'
    game = game_of(f"dice = 2\nfaces = 2\nrolls = 2\n[boxes]\npair = {{ {pair} }}")
    # 2 2 stands; 1 2 holds the 2; 1 1 stands too, as rolling both again brings 3/2.
    assert oracle.value(game) == Fraction(expected)
    assert oracle.options(game, (), (1, 2), 1) == {
        ("score", "pair"): 0,
        ("reroll", ()): Fraction(3, 2),
        ("reroll", (1,)): 1,
        ("reroll", (2,)): 2,
    }


def test_the_bonus_is_worth_a_worse_score() -> None:
    game = game_of(
        """
        dice = 1
        faces = 2
        rolls = 1
        [boxes]
        ones = { kind = "count", face = 1 }
        twos = { kind = "count", face = 2 }
        [bonuses.both]
        boxes = ["ones", "twos"]
        at_least = 3
        points = 4
        """
    )
    # Either roll to its own box, then even chances: 1 + (2 + 4) / 2 and 2 + (1 + 4) / 2.
    assert oracle.options(game, (), (1,), 0) == {("score", "ones"): 4, ("score", "twos"): 0.5}
    assert oracle.options(game, (), (2,), 0) == {("score", "ones"): 1, ("score", "twos"): 4.5}
    assert oracle.value(game) == Fraction(17, 4)
    assert oracle.value(game, [("twos", 2)]) == Fraction(5, 2)


def test_forced_joker_leaves_a_box_nothing() -> None:
    game = load_game("yahtzee")
    filled = [("yahtzee", 50)]
    assert oracle.box_value(game, filled, "full-house", FIVE, 0) == 0
    assert oracle.box_options(game, filled, "full-house", FIVE, 0) == {}
    assert oracle.box_value(game, [*filled, ("fives", 5)], "full-house", FIVE, 0) == 25
    with pytest.raises(ValueError, match="yahtzee is not open"):
        oracle.box_value(game, filled, "yahtzee", FIVE, 0)


# reference.md, "Dice: expected total under optimal play"
def test_value_of_the_pot_game() -> None:
    game = load_game("poker-dice-short")
    two = oracle.value(game, [("three-alike", 0)])
    assert float(two) == pytest.approx(24.496816776, abs=5e-10)
    assert float(oracle.value(game) - two) == pytest.approx(37.844359332, abs=5e-10)


@pytest.mark.slow
def test_value_of_part_two() -> None:
    filled = [(box, 0) for box in UPPER]
    value = oracle.value(load_game("poker-dice"), filled)
    assert float(value) == pytest.approx(150.414840202, abs=5e-10)


# Census


def test_census_of_yatzy() -> None:
    found = oracle.reachable(load_game("yatzy"))
    assert len(found) == 2**15
    assert sum(map(len, found.values())) == 1_430_528


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # Ones and twos hold 0 to 3 of their faces: 1 + 4 + 4 sums, then 0 … 6 of 0 … 9.
        ("bonus", 1 + 4 + 4 + 7),
        # From -2 … 1 and -4 -2 0 2: sums -6 … 3.
        ("bonus-par-zero", 1 + 4 + 4 + 10),
        # Without a bonus only the boxes count.
        ("count-par", 4),
        ("parts-in-turn-fixed-fixed", 1 + 3 + 7 + 7 + 7),
    ],
)
def test_census_of_small_games(name: str, expected: int) -> None:
    assert sum(map(len, oracle.reachable(small_game(name)).values())) == expected


def test_small_games_turn_every_switch() -> None:
    games = [small_game(name) for name in SMALL_GAMES]
    scorings = [one for game in games for box in game.boxes for one in box.scorings]
    assert {type(one.points) for one in scorings} == {int, str}
    assert {"dice", "all"} <= {one.points for one in scorings}
    assert {game.rolls for game in games} == {1, 2, 3, 4}
    assert {game.dice for game in games} == {1, 2, 3, 4}
    assert {part.order for game in games for part in game.parts} == {"any", "fixed"}
    jokers = {(game.joker.placement, game.joker.bonus > 0) for game in games if game.joker}
    assert len(jokers) == 2 * 4 - 1  # "none" without a bonus is no joker
