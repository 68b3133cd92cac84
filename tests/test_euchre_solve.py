"""Open hands solved: held against DDS by the thousand, against the oracle on small deals."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from oddscalc.euchre.notation import read_cards, read_suit
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.euchre.solver import DealSolution, makers_tricks, solve_deal
from tests.oracle import dds
from tests.oracle import euchre as slow

FOUR, THREE, TWO = "four-handed", "three-handed", "two-handed"
DEFENDED = replace(load_game(FOUR), defend_alone=True)
Hands = dict[int, frozenset[str]]


def dealt(game: EuchreGame, random: Random, held: int = 5) -> Hands:
    cards = random.sample(slow.deck(game.deck), held * game.hands)
    return {seat: frozenset(cards[seat * held :][:held]) for seat in range(game.hands)}


def written(hands: Hands) -> str:
    return " / ".join(" ".join(sorted(hand)) for hand in hands.values())


def solved(
    game: EuchreGame,
    hands: Hands,
    trump: str,
    maker: int,
    *,
    alone: bool = False,
    defender: int | None = None,
    leader: int | None = None,
) -> DealSolution:
    names = game.seats
    return solve_deal(
        written(hands),
        trump,
        game=game,
        maker=names[maker],
        alone=names[maker] if alone else None,
        defend_alone=None if defender is None else names[defender],
        leader=None if leader is None else names[leader],
    )


def position(
    game: EuchreGame,
    hands: Hands,
    trump: str,
    maker: int,
    *,
    alone: bool = False,
    defender: int | None = None,
    leader: int | None = None,
) -> slow.Position:
    if leader is None:
        leader = slow.first_leader(game, maker, alone=alone, defender=defender)
    seats = slow.in_the_hand(game, maker, alone=alone, defender=defender)
    makers = [seat for seat in slow.side_of(game, maker) if seat in seats]
    return slow.Position({seat: hands[seat] for seat in seats}, trump, makers, leader)


KINDS = [
    pytest.param(load_game(FOUR), False, False, 1500, id="four"),
    pytest.param(load_game(FOUR), True, False, 1500, id="four-loner"),
    pytest.param(DEFENDED, False, True, 600, id="four-lone-defender"),
    pytest.param(DEFENDED, True, True, 600, id="four-both-alone"),
    pytest.param(load_game(THREE), False, False, 1500, id="three"),
    pytest.param(load_game(THREE), True, False, 600, id="three-without-dummy"),
    pytest.param(load_game(THREE), True, True, 600, id="three-both-alone"),
    pytest.param(load_game(TWO), False, False, 1500, id="two"),
    pytest.param(replace(load_game(FOUR), deck=25), False, False, 600, id="four-joker"),
    pytest.param(replace(load_game(FOUR), deck=32), False, False, 600, id="four-32"),
    pytest.param(replace(load_game(FOUR), deck=25), True, False, 600, id="four-loner-joker"),
    pytest.param(replace(load_game(THREE), deck=32), False, False, 600, id="three-32"),
    pytest.param(replace(load_game(TWO), deck=25), False, False, 600, id="two-joker"),
    pytest.param(replace(load_game(TWO), deck=32), False, False, 600, id="two-32"),
]


@pytest.mark.parametrize(("game", "alone", "defended", "deals"), KINDS)
def test_solutions_agree_with_dds(
    game: EuchreGame, alone: bool, defended: bool, deals: int
) -> None:
    random = Random(f"{game.name} {game.deck} {alone} {defended}")
    solutions, positions, points = [], [], []
    for _ in range(deals):
        hands = dealt(game, random)
        trump, maker = random.choice(slow.SUITS), random.randrange(game.hands)
        others = [seat for seat in range(game.hands) if seat not in slow.side_of(game, maker)]
        defender = random.choice(others) if defended else None
        playing = slow.in_the_hand(game, maker, alone=alone, defender=defender)
        leader = random.choice([None, *playing])
        solutions.append(
            solved(game, hands, trump, maker, alone=alone, defender=defender, leader=leader)
        )
        positions.append(
            position(game, hands, trump, maker, alone=alone, defender=defender, leader=leader)
        )
        earned = slow.score(game, maker, solutions[-1].tricks, alone=alone, lone_defender=defended)
        points.append((earned[maker], earned[others[0]]))
    expected = dds.tricks(positions)
    assert [solution.tricks for solution in solutions] == expected
    assert [solution.points for solution in solutions] == points
    assert len(set(expected)) == 6


@pytest.mark.parametrize("size", [24, 25, 32])
@pytest.mark.parametrize(
    ("seats", "makers", "most"),
    [
        pytest.param((0, 1, 2, 3), (0, 2), 3, id="four"),
        pytest.param((0, 1, 2, 3), (1,), 3, id="one-against-three"),
        pytest.param((0, 1, 2), (2,), 4, id="three"),
        pytest.param((0, 1, 2), (0, 2), 4, id="lone-defender"),
        pytest.param((0, 1), (0,), 5, id="two"),
    ],
)
def test_small_deals_agree_with_the_oracle(
    size: int, seats: tuple[int, ...], makers: tuple[int, ...], most: int
) -> None:
    random = Random(size)
    found, positions = [], []
    for held in range(1, most + 1):
        for _ in range(25):
            cards = random.sample(slow.deck(size), held * len(seats))
            hands = [cards[seat * held :][:held] for seat in seats]
            trump, leader = random.choice(slow.SUITS), random.choice(seats)
            deal = {seat: frozenset(hand) for seat, hand in zip(seats, hands, strict=True)}
            positions.append(slow.Position(deal, trump, makers, leader))
            found.append(
                makers_tricks(
                    [read_cards(" ".join(hand), size) for hand in hands],
                    read_suit(trump),
                    [seat in makers for seat in seats],
                    leader,
                )
            )
    assert found == slow.tricks(positions)


def played(solution: DealSolution) -> list[list[tuple[str, str]]]:
    line = solution.to_dict()["line"]
    return [[(play["seat"], play["card"]) for play in trick["plays"]] for trick in line]


@pytest.mark.parametrize(
    ("game", "alone", "deals"),
    [
        pytest.param(load_game(THREE), False, 6, id="three"),
        pytest.param(load_game(TWO), False, 60, id="two"),
        pytest.param(replace(load_game(TWO), deck=25), False, 60, id="two-joker"),
        pytest.param(replace(load_game(FOUR), deck=32), True, 4, id="loner-32"),
    ],
)
def test_every_card_of_the_line_is_best(game: EuchreGame, alone: bool, deals: int) -> None:
    random = Random(deals)
    for _ in range(deals):
        hands = dealt(game, random)
        trump, maker = random.choice(slow.SUITS), random.randrange(game.hands)
        solution = solved(game, hands, trump, maker, alone=alone)
        start = position(game, hands, trump, maker, alone=alone)
        oracle = slow.OpenHands(start.deal, trump, start.makers)
        cards = [card for trick in played(solution) for _, card in trick]
        assert set(cards) == set().union(*start.deal.values())
        for number in range(len(cards) + 1):
            # also refuses a card that may not be played
            assert oracle.after(start.leader, cards[:number]) == solution.tricks


def test_four_handed_line_keeps_the_value_of_every_trick() -> None:
    game, random = load_game(FOUR), Random(4)
    positions, values = [], []
    for _ in range(150):
        hands = dealt(game, random)
        trump, maker = random.choice(slow.SUITS), random.randrange(4)
        solution = solved(game, hands, trump, maker)
        start = position(game, hands, trump, maker)
        leader, left = start.leader, solution.tricks
        for trick, told in zip(played(solution), solution.line, strict=True):
            positions.append(slow.Position(dict(hands), trump, start.makers, leader))
            values.append(left)
            plays = [(game.seat_index(seat), card) for seat, card in trick]
            assert [seat for seat, _ in plays] == [(leader + step) % 4 for step in range(4)]
            for seat, card in plays:
                assert card in slow.legal(
                    hands[seat], plays[0][1] if seat != leader else None, trump
                )
                hands[seat] -= {card}
            leader = slow.winner(plays, trump)
            assert told.taken_by == game.seats[leader]
            left -= leader in start.makers
        assert left == 0
    assert dds.tricks(positions) == values


def renamed(hands: Hands, names: dict[str, str]) -> Hands:
    return {
        seat: frozenset(card if card == "Jo" else card[0] + names[card[1]] for card in hand)
        for seat, hand in hands.items()
    }


COLOUR_KEEPING = [
    dict(zip("SCHD", order, strict=True))
    for order in permutations("SCHD")
    if slow.SAME_COLOUR[order[0]] == order[1]
]


@pytest.mark.parametrize("deck", [24, 25, 32])
def test_names_of_suits_do_not_matter(deck: int) -> None:
    assert len(COLOUR_KEEPING) == 8
    game, random = replace(load_game(FOUR), deck=deck), Random(deck)
    for _ in range(60):
        hands, maker = dealt(game, random), random.randrange(4)
        tricks = {
            solved(game, renamed(hands, names), names["S"], maker).tricks
            for names in COLOUR_KEEPING
        }
        assert len(tricks) == 1


def test_colours_matter() -> None:
    """Renaming that parts the colours takes the left bower away: not an invariance."""
    hands = {
        0: frozenset(["JC", "9C", "TC", "QC", "KC"]),
        1: frozenset(["9S", "TS", "QS", "KS", "AS"]),
    }
    game = load_game(TWO)
    torn = renamed(hands, {"S": "S", "C": "H", "H": "C", "D": "D"})
    assert solved(game, hands, "S", 0).tricks == 1
    assert solved(game, torn, "S", 0).tricks == 0


@pytest.mark.parametrize("name", [FOUR, THREE, TWO])
def test_swapping_the_other_colour_does_not_matter(name: str) -> None:
    game, random = load_game(name), Random(name)
    swap = {"S": "S", "C": "C", "H": "D", "D": "H"}
    for _ in range(100):
        hands, maker = dealt(game, random), random.randrange(game.hands)
        plain = solved(game, hands, "S", maker)
        assert solved(game, renamed(hands, swap), "S", maker).tricks == plain.tricks


@pytest.mark.parametrize(
    ("name", "alone"), [(FOUR, False), (FOUR, True), (THREE, False), (THREE, True), (TWO, False)]
)
def test_turning_the_table_does_not_matter(name: str, alone: bool) -> None:
    game, random = load_game(name), Random(name)
    for _ in range(60):
        hands, maker = dealt(game, random), random.randrange(game.hands)
        leader = random.choice(slow.in_the_hand(game, maker, alone=alone))
        tricks = set()
        for turn in range(game.hands):
            places = [(seat + turn) % game.hands for seat in range(game.hands)]
            turned = {place: hands[seat] for seat, place in enumerate(places)}
            turned = dict(sorted(turned.items()))
            tricks.add(
                solved(game, turned, "H", places[maker], alone=alone, leader=places[leader]).tricks
            )
        assert len(tricks) == 1


@pytest.mark.parametrize(
    ("trump", "deal", "tricks", "reason"),
    [
        ("S", "JC 9H TH QH KH / AS 9D TD QD KD", 5, "the left bower takes the ace of trumps"),
        ("S", "JC 9H TH QH KH / JS 9D TD QD KD", 4, "the right bower takes the left"),
        ("S", "AC 9H TH QH KH / JC 9D TD QD KD", 0, "the left bower ruffs its own colour"),
        ("C", "JC 9H TH QH KH / JS 9D TD QD KD", 5, "the right bower draws the left"),
        ("H", "JD AD KD QD TD / AH 9S 9C TS TC", 5, "a lone left draws the ace: five diamonds"),
        ("D", "JD AD KD QD TD / JH 9S 9C TS TC", 5, "the left bower drawn by the right"),
        ("S", "AC KC QC TC 9C / JC JS AS KS QS", 0, "led clubs are ruffed"),
    ],
)
def test_left_bower(trump: str, deal: str, tricks: int, reason: str) -> None:
    assert solve_deal(deal, trump, game=TWO, leader="1").tricks == tricks, reason
