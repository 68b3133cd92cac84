"""The figures of the project's reference for Euchre: counts, and open hands.

Points without an "own" sampling error are given to two or three decimals after some ten thousand
deals, so a sampled figure may differ by four standard errors and by the last decimal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb, factorial

from tests.oracle import euchre as slow


def classes(cards: list[str]) -> set[tuple[frozenset[str], ...]]:
    """Return the hands of five, spades trumps, up to swapping hearts and diamonds."""
    found = set()
    for hand in combinations(cards, 5):
        spades, clubs, hearts, diamonds = (
            frozenset(
                card if suit == "S" else card[0] for card in hand if slow.suit_of(card, "S") == suit
            )
            for suit in "SCHD"
        )
        found.add((spades, clubs, *sorted([hearts, diamonds], key=sorted)))
    return found


def test_hand_classes() -> None:
    deck = slow.deck(24)
    assert len(classes(deck)) == 22_398
    for up in ("JS", "9S"):
        assert len(classes([card for card in deck if card != up])) == 17_633
    assert 17_633 * sum(card[1] == "S" for card in deck) == 105_798


def test_worlds() -> None:
    unseen = 24 - 5 - 1
    assert factorial(unseen) // (factorial(5) ** 3 * factorial(3)) == 617_512_896
    assert comb(unseen, 5) * comb(unseen - 5, 5) == 11_027_016
    assert sum(1 for _ in slow.worlds(slow.deck(24)[:unseen], [5])) == 8_568


def test_trumps_in_a_hand() -> None:
    deck = slow.deck(24)
    trumps = [card for card in deck if slow.suit_of(card, "H") == "H"]
    chances = slow.held_of(deck, 5, trumps)
    percent = [round(100 * float(chance), 3) for chance in chances[:6]]
    assert percent == [14.559, 39.196, 33.597, 11.199, 1.400, 0.049]
    assert round(100 * float(slow.held_of(deck, 5, ["JS", "JC"])[2]), 3) == 3.623


def test_partner_holds_one_of_some() -> None:
    unseen = slow.deck(24)[:18]
    at_least_one = [1 - slow.held_of(unseen, 5, unseen[:number])[0] for number in range(1, 7)]
    percent = [round(100 * float(chance), 2) for chance in at_least_one]
    assert percent == [27.78, 49.02, 64.95, 76.63, 84.98, 90.76]


def two_handed_positions() -> Iterator[int]:
    """Yield the cards held by each in every position: only the owners within a suit matter."""
    suits: list[Counter[tuple[int, int]]] = []
    for length in (7, 5, 6, 6):
        owners = (o for cards in range(length + 1) for o in product((0, 1), repeat=cards))
        suits.append(Counter((o.count(0), o.count(1)) for o in owners))
    for four in product(*suits):
        mine, yours = (sum(suit[player] for suit in four) for player in (0, 1))
        if mine == yours <= 5:
            number = 1
            for suit, held in zip(suits, four, strict=True):
                number *= suit[held]
            yield from [mine] * number


def test_two_handed_positions() -> None:
    sizes = Counter(two_handed_positions())
    assert sizes[5] == 50_652
    assert sizes.total() == 62_763
