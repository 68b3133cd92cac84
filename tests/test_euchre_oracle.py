"""The oracle itself: against the rules' words, one case at a time, and against DDS."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import comb
from random import Random

import pytest

from oddscalc.euchre.rules import EuchreGame, Points, load_game
from tests.oracle import dds
from tests.oracle import euchre as slow


def cards(text: str) -> frozenset[str]:
    return frozenset(text.split())


@pytest.mark.parametrize("size", [24, 25, 32])
def test_deck_has_each_card_once(size: int) -> None:
    deck = slow.deck(size)
    assert len(deck) == len(set(deck)) == size
    assert ("Jo" in deck) == (size == 25)
    assert ("7D" in deck and "8D" in deck) == (size == 32)


@pytest.mark.parametrize(
    ("size", "trump", "order"),
    [
        (24, "S", "JS JC AS KS QS TS 9S"),
        (24, "C", "JC JS AC KC QC TC 9C"),
        (24, "H", "JH JD AH KH QH TH 9H"),
        (24, "D", "JD JH AD KD QD TD 9D"),
        (25, "S", "Jo JS JC AS KS QS TS 9S"),
        (25, "D", "Jo JD JH AD KD QD TD 9D"),
        (32, "H", "JH JD AH KH QH TH 9H 8H 7H"),
        (32, "C", "JC JS AC KC QC TC 9C 8C 7C"),
    ],
)
def test_trumps_from_the_top(size: int, trump: str, order: str) -> None:
    trumps = [card for card in slow.deck(size) if slow.suit_of(card, trump) == trump]
    assert sorted(trumps, key=lambda card: -slow.height(card, trump)) == order.split()


@pytest.mark.parametrize(
    ("size", "trump", "suit", "order"),
    [
        (24, "S", "C", "AC KC QC TC 9C"),
        (24, "S", "H", "AH KH QH JH TH 9H"),
        (25, "H", "D", "AD KD QD TD 9D"),
        (32, "D", "H", "AH KH QH TH 9H 8H 7H"),
        (32, "D", "S", "AS KS QS JS TS 9S 8S 7S"),
    ],
)
def test_other_suits_from_the_top(size: int, trump: str, suit: str, order: str) -> None:
    held = [card for card in slow.deck(size) if slow.suit_of(card, trump) == suit]
    assert sorted(held, key=lambda card: -slow.height(card, trump)) == order.split()


@pytest.mark.parametrize(
    ("trump", "led", "hand", "may"),
    [
        pytest.param("S", "9S", "JC AH KD", "JC", id="left-bower-must-follow-trumps"),
        pytest.param("S", "JC", "9S AC KC", "9S", id="left-bower-led-asks-for-trumps"),
        pytest.param("S", "AC", "JC 9C AH", "9C", id="left-bower-does-not-follow-its-colour"),
        pytest.param("S", "AC", "JC 9S AH", "JC 9S AH", id="left-bower-alone-is-no-club"),
        pytest.param("H", "AD", "JD 9D", "9D", id="left-bower-red"),
        pytest.param("C", "JS", "JC 9S", "JC", id="right-follows-left"),
        pytest.param("D", "JC", "9C JS", "9C", id="other-jacks-are-plain"),
        pytest.param("S", "9S", "Jo AH KH", "Jo", id="joker-must-follow-trumps"),
        pytest.param("S", "Jo", "JC AC", "JC", id="joker-led-asks-for-trumps"),
        pytest.param("S", "9D", "JS KC AH", "JS KC AH", id="void-plays-anything"),
        pytest.param("S", None, "JC AC", "JC AC", id="leader-plays-anything"),
    ],
)
def test_legal_cards(trump: str, led: str | None, hand: str, may: str) -> None:
    assert frozenset(slow.legal(cards(hand), led, trump)) == cards(may)


@pytest.mark.parametrize(
    ("trump", "trick", "taken_by"),
    [
        pytest.param("S", "AH KH 9H QH", "AH", id="highest-of-the-suit-led"),
        pytest.param("S", "9H AD AC KD", "9H", id="other-suits-never-win"),
        pytest.param("S", "AH 9S KH QH", "9S", id="trump-over-ace"),
        pytest.param("S", "AS JC KS QS", "JC", id="left-over-ace"),
        pytest.param("S", "JC AS JS 9S", "JS", id="right-over-left"),
        pytest.param("S", "JS Jo JC AS", "Jo", id="joker-over-right"),
        pytest.param("S", "9C AC JC KC", "JC", id="left-ruffs-its-own-colour"),
        pytest.param("H", "JS QS TS 9S", "QS", id="plain-jack-under-queen"),
        pytest.param("H", "TS JS 9S 9D", "JS", id="plain-jack-over-ten"),
        pytest.param("D", "8S 7S 9C TC", "8S", id="low-cards-of-32"),
        pytest.param("C", "JS AS KS", "JS", id="three-cards"),
        pytest.param("C", "AS JS", "JS", id="two-cards"),
    ],
)
def test_trick_winner(trump: str, trick: str, taken_by: str) -> None:
    played = list(enumerate(trick.split()))
    assert played[slow.winner(played, trump)][1] == taken_by


@pytest.mark.parametrize(
    ("trump", "hands", "makers", "leader", "tricks"),
    [
        pytest.param("S", ["JS JC AS KS QS", "9H TH QH KH AH"], [0], 1, 5, id="five-top-trumps"),
        pytest.param("S", ["9S", "AC"], [0], 1, 1, id="last-trump-ruffs"),
        pytest.param("S", ["AC", "JC"], [0], 0, 0, id="left-ruffs-the-ace"),
        pytest.param("S", ["JC 9H", "AS AH"], [0], 0, 1, id="left-draws-the-ace"),
        pytest.param("S", ["9C 9D", "AS QS", "TD TC", "KS KC"], [1, 3], 0, 2, id="partners"),
        pytest.param("S", ["9H TS", "JS AS", "JC 9C"], [1], 0, 1, id="left-over-ruffs"),
        pytest.param("S", ["JC 9C", "JS AS", "9H TS"], [1], 2, 2, id="left-behind-drops"),
        pytest.param("S", ["JC KS", "JS AS", "9H 9D"], [0], 1, 1, id="left-guarded"),
    ],
)
def test_known_ends(
    trump: str, hands: list[str], makers: list[int], leader: int, tricks: int
) -> None:
    deal = {seat: cards(hand) for seat, hand in enumerate(hands)}
    position = slow.Position(deal, trump, makers, leader)
    assert slow.tricks([position]) == dds.tricks([position]) == [tricks]


SHAPES = [
    pytest.param((0, 1, 2, 3), (0, 2), 3, id="four"),
    pytest.param((0, 1, 2, 3), (1, 3), 3, id="four-defending-first"),
    pytest.param((0, 1, 3), (0,), 4, id="loner-third-sits-out"),
    pytest.param((1, 2, 3), (2,), 4, id="loner-first-sits-out"),
    pytest.param((0, 2, 3), (0, 2), 4, id="lone-defender"),
    pytest.param((0, 1, 2), (1,), 4, id="three"),
    pytest.param((0, 3), (3,), 5, id="loner-against-lone-defender"),
    pytest.param((0, 1), (1,), 5, id="two"),
]


def random_positions(
    seats: tuple[int, ...],
    makers: tuple[int, ...],
    held: int,
    size: int,
    count: int,
    random: Random,
) -> list[slow.Position]:
    positions = []
    for _ in range(count):
        dealt = random.sample(slow.deck(size), held * len(seats))
        deal = {seat: frozenset(dealt[n * held : (n + 1) * held]) for n, seat in enumerate(seats)}
        trump, leader = random.choice(slow.SUITS), random.choice(seats)
        positions.append(slow.Position(deal, trump, makers, leader))
    return positions


@pytest.mark.parametrize("size", [24, 25, 32])
@pytest.mark.parametrize(("seats", "makers", "most"), SHAPES)
def test_oracle_agrees_with_dds(
    size: int, seats: tuple[int, ...], makers: tuple[int, ...], most: int
) -> None:
    random = Random(size)
    positions = [
        position
        for held in range(1, most + 1)
        for position in random_positions(seats, makers, held, size, 12, random)
    ]
    ours = slow.tricks(positions)
    assert ours == dds.tricks(positions)
    assert len(set(ours)) > 2


def test_oracle_agrees_with_dds_on_full_deals() -> None:
    positions = random_positions((0, 1, 2, 3), (0, 2), 5, 24, 1, Random(7))
    ours = slow.tricks(positions)
    assert ours == dds.tricks(positions)


FOUR, THREE, TWO = "four-handed", "three-handed", "two-handed"


@pytest.mark.parametrize(
    ("name", "tricks", "alone", "lone_defender", "makers", "others"),
    [
        (TWO, 2, False, False, 0, 2),
        (TWO, 3, False, False, 1, 0),
        (TWO, 4, False, False, 1, 0),
        (TWO, 5, False, False, 2, 0),
        (THREE, 0, False, False, 0, 2),
        (THREE, 2, True, False, 0, 2),
        (THREE, 3, False, False, 1, 0),
        (THREE, 4, True, False, 1, 0),
        (THREE, 5, False, False, 3, 0),
        (THREE, 5, True, False, 3, 0),
        (THREE, 5, True, True, 3, 0),
        (THREE, 2, False, True, 0, 2),
        (THREE, 1, True, True, 0, 2),
        (THREE, 0, False, True, 0, 4),
        (FOUR, 0, False, False, 0, 2),
        (FOUR, 2, True, False, 0, 2),
        (FOUR, 3, False, False, 1, 0),
        (FOUR, 4, True, False, 1, 0),
        (FOUR, 5, False, False, 2, 0),
        (FOUR, 5, True, False, 4, 0),
        (FOUR, 2, False, True, 0, 4),
        (FOUR, 3, False, True, 1, 0),
    ],
)
def test_points_as_the_rules_say(
    name: str, tricks: int, alone: bool, lone_defender: bool, makers: int, others: int
) -> None:
    game = load_game(name)
    for maker in range(game.hands):
        points = slow.score(game, maker, tricks, alone=alone, lone_defender=lone_defender)
        side = [maker, maker ^ 2] if name == FOUR else [maker]
        assert points == [makers if seat in side else others for seat in range(game.hands)]
        assert slow.worth(points, side) == makers - others


@pytest.mark.parametrize(
    ("name", "maker", "alone", "defender", "leader"),
    [
        pytest.param(TWO, 0, False, None, 0, id="two-non-dealer-makes"),
        pytest.param(TWO, 1, False, None, 0, id="two-dealer-makes"),
        pytest.param(THREE, 1, False, None, 0, id="three-dealers-left"),
        pytest.param(THREE, 0, True, None, 1, id="three-loners-left"),
        pytest.param(THREE, 1, True, None, 2, id="three-loners-left-is-the-dealer"),
        pytest.param(THREE, 2, True, None, 0, id="three-dealer-alone"),
        pytest.param(THREE, 0, False, 1, 0, id="three-left-of-lone-defender-sits-out"),
        pytest.param(THREE, 0, False, 2, 0, id="three-left-of-the-lone-dealer"),
        pytest.param(THREE, 1, False, 0, 1, id="three-left-of-lone-first"),
        pytest.param(THREE, 0, True, 1, 1, id="three-both-alone-makers-left"),
        pytest.param(THREE, 0, True, 2, 2, id="three-both-alone-left-sits-out"),
        pytest.param(FOUR, 3, False, None, 0, id="four-dealers-left"),
        pytest.param(FOUR, 3, True, None, 0, id="four-dealer-alone"),
        pytest.param(FOUR, 0, True, None, 0, id="four-loner-leads"),
        pytest.param(FOUR, 2, True, None, 1, id="four-loners-partner-would-lead"),
        pytest.param(FOUR, 1, True, 2, 1, id="four-both-alone"),
        pytest.param(FOUR, 3, False, 2, 1, id="four-lone-defenders-partner-would-lead"),
    ],
)
def test_leader_as_the_rules_say(
    name: str, maker: int, alone: bool, defender: int | None, leader: int
) -> None:
    game = load_game(name)
    assert slow.first_leader(game, maker, alone=alone, defender=defender) == leader


def test_leader_by_switches() -> None:
    left = replace(load_game(FOUR), loner_lead="loners-left")
    assert slow.first_leader(left, 1, alone=True) == 2
    assert slow.first_leader(left, 0, alone=True) == 1
    assert slow.first_leader(left, 2, alone=False) == 0
    assert slow.first_leader(left, 3, alone=True, defender=0) == 0
    assert slow.first_leader(left, 1, alone=True, defender=2) == 2
    by_defender = replace(left, both_alone_lead="defender")
    assert slow.first_leader(by_defender, 1, alone=True, defender=2) == 1
    assert slow.first_leader(by_defender, 1, alone=True) == 2


HOUSES = [
    load_game(FOUR),
    load_game(THREE),
    load_game(TWO),
    replace(load_game(FOUR), loner_lead="loners-left"),
    replace(load_game(FOUR), loner_lead="loners-left", both_alone_lead="defender"),
    replace(load_game(FOUR), partners=False),
    replace(load_game(THREE), loner_lead="dealers-left"),
    replace(
        load_game(THREE),
        both_alone_lead="defender",
        points=Points(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    ),
]


@pytest.mark.parametrize("game", HOUSES)
def test_rules_dataclass_agrees(game: EuchreGame) -> None:
    for maker, alone, tricks in product(range(game.hands), (False, True), range(6)):
        opponents = [seat for seat in range(game.hands) if seat not in slow.side_of(game, maker)]
        for defender in (None, *opponents):
            lone = defender is not None
            playing = slow.in_the_hand(game, maker, alone=alone, defender=defender)
            assert list(game.playing(maker, alone=alone, defender=defender)) == playing
            assert game.leader(maker, maker if alone else None, defender) == slow.first_leader(
                game, maker, alone=alone, defender=defender
            )
            points = slow.score(game, maker, tricks, alone=alone, lone_defender=lone)
            earned = game.score(tricks, alone=alone, lone_defender=lone)
            assert earned == (points[maker], points[opponents[0]])
        assert list(game.side(maker)) == sorted(slow.side_of(game, maker))


def test_worlds_are_all_deals_once() -> None:
    unseen = slow.deck(24)[:7]
    found = list(slow.worlds(unseen, [2, 3, 1]))
    assert len(found) == len(set(found)) == comb(7, 2) * comb(5, 3) * comb(2, 1)
    assert all(len(a | b | c) == 6 for a, b, c in found)
