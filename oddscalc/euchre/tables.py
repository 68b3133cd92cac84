"""Cards as bits: a hand is one 64-bit number.

Each suit has a field of 16 bits, higher cards in lower bits. In the *plain* layout the fields are
the four suits in the order of their numbers, the joker apart. In the *trump* layout of a suit the
first field holds the trumps (joker, right bower, left bower, A K Q 10 9 8 7), the second the other
suit of the colour without its jack, then the two others: of two cards that can take a trick, the
one in the lower bit does. Free bits between the fields keep suits apart in bit arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable

from oddscalc.euchre.notation import JACK, JOKER, rank_of, suit_of

__all__ = ["FIELD", "JOKER_BIT", "cards_of", "in_trumps", "mask_of", "plain_bit", "trump_bit"]

FIELD = 16
JOKER_BIT = 63
_ACE = 3  # its place in a field: three places are kept for joker, right and left bower


def plain_bit(card: int) -> int:
    """Return the place of a card in the plain layout."""
    return JOKER_BIT if card == JOKER else FIELD * suit_of(card) + _ACE + 7 - rank_of(card)


def trump_bit(card: int, trump: int) -> int:
    """Return the place of a card in the layout of a trump suit.

    >>> [trump_bit(card, 0) for card in (JOKER, 4, 12, 7, 15)]
    [0, 1, 2, 3, 19]
    """
    if card == JOKER:
        return 0
    suit = suit_of(card) ^ trump
    if rank_of(card) == JACK and suit < 2:
        return 1 + suit
    return FIELD * suit + _ACE + 7 - rank_of(card)


def mask_of(cards: Iterable[int]) -> int:
    """Return the cards as bits of the plain layout."""
    return sum(1 << plain_bit(card) for card in cards)


def cards_of(mask: int) -> tuple[int, ...]:
    """Return the cards of a mask in the plain layout, in the order of their bits."""
    places = (place for place in range(64) if mask >> place & 1)
    return tuple(
        JOKER if place == JOKER_BIT else 8 * (place // FIELD) + _ACE + 7 - place % FIELD
        for place in places
    )


def in_trumps(cards: Iterable[int], trump: int) -> int:
    """Return the cards as bits of the layout of a trump suit."""
    return sum(1 << trump_bit(card, trump) for card in cards)
