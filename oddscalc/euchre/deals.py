"""What is known of a deal → a sample of the deals that are possible, or every one of them.

A deal is a row of hands by seat, the dummy and a lot (see `kernel_deals.deal_hands`). Every
possible deal is far too many to list; but unseen cards between which no known card ranks are
alike, and cards that are out of play only matter by their number. So worlds are listed as
*patterns* with weights: how many cards of each group are live, and then who holds which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_choices, kernel_deals
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.notation import deck_cards
from oddscalc.euchre.rules import CARDS_IN_HAND
from oddscalc.euchre.tables import in_trumps, plain_bit, trump_bit

__all__ = ["Worlds", "count_deals", "sample_deals", "unseen_cards"]

_TOP = 4  # the three highest of the deck, if a bower was turned down


def unseen_cards(deck: int, seen: Iterable[int]) -> tuple[int, ...]:
    """Return the cards of the deck that are not among those seen."""
    known = set(seen)
    return tuple(card for card in deck_cards(deck) if card not in known)


def count_deals(unseen: int, parties: Sequence[int]) -> int:
    """Return in how many ways hands of these sizes are dealt from the unseen cards.

    >>> count_deals(18, [5, 5, 5]), count_deals(18, [5])
    (617512896, 8568)
    """
    rest = unseen - sum(parties)
    return factorial(unseen) // prod(factorial(size) for size in (*parties, rest))


def sample_deals(
    unseen: Sequence[int], holders: Sequence[int], seats: int, dummy: int, seed: int, rows: range
) -> Masks:
    """Return the deals with the numbers `rows`: uint64[deals, seats + 2].

    A deal depends on the seed, its number and the unseen cards alone: not on how many are asked
    for at a time.
    """
    deals = np.zeros((len(rows), seats + 2), np.uint64)
    bits = np.array([1 << plain_bit(card) for card in unseen], np.uint64)
    kernel_deals.deal_hands(
        bits, np.array(holders, np.uint64), dummy, np.uint64(seed), np.uint64(rows.start), deals
    )
    return deals


@cache
def _choices(places: int) -> Masks:
    return np.array(list(combinations(range(places), CARDS_IN_HAND)), np.uint64)


@dataclass(frozen=True)
class Worlds:
    """Every way in which the unseen cards may lie, with weights, for one trump suit.

    Attributes
    ----------
    cards : uint64[unseen]
        One bit each, plain layout, group by group.
    sizes : int64[groups]
    patterns : int64[n, groups]
        How many cards of each group are live.
    weights : int64[n]
        How many choices of live cards a pattern stands for.
    holders : uint64[1 … 3]
        Seats that get five cards each.
    seats
        Seats of the game.
    """

    cards: Masks
    sizes: NDArray[np.int64]
    patterns: NDArray[np.int64]
    weights: NDArray[np.int64]
    holders: Masks
    seats: int

    @classmethod
    def of(
        cls,
        unseen: Sequence[int],
        known: Iterable[int],
        trump: int,
        holders: Sequence[int],
        seats: int,
        *,
        by_aces: bool = True,
        by_top_trumps: bool = False,
    ) -> Worlds:
        """List the worlds.

        Parameters
        ----------
        unseen, known
            Cards that may lie anywhere, and cards that may come into play from known places.
        by_aces, by_top_trumps
            Whether a player's choice looks at the aces of side suits, at the highest trumps.
        """
        walls = list(known)
        if by_top_trumps:
            walls += sorted((*unseen, *known), key=lambda card: trump_bit(card, trump))[:_TOP]
        places = in_trumps(set(walls), trump) | (int(kernel_choices.ACES) if by_aces else 0)
        bits = np.zeros(len(unseen), np.uint64)
        sizes = np.zeros(len(unseen), np.int64)
        groups = kernel_deals.group_cards(
            np.uint64(in_trumps(unseen, trump)),
            np.uint64(places),
            bits,
            sizes,
        )
        sizes = sizes[:groups]
        plain = {1 << trump_bit(card, trump): 1 << plain_bit(card) for card in unseen}
        live = CARDS_IN_HAND * len(holders)
        found = kernel_deals.count_patterns(sizes, live)
        patterns = np.zeros((found, groups), np.int64)
        weights = np.zeros(found, np.int64)
        kernel_deals.list_patterns(sizes, live, patterns, weights)
        cards = np.array([plain[bit] for bit in bits.tolist()], np.uint64)
        return cls(cards, sizes, patterns, weights, np.array(holders, np.uint64), seats)

    @property
    def arrangements(self) -> int:
        """In how many ways the live cards of a pattern are dealt to the holders."""
        return count_deals(CARDS_IN_HAND * len(self.holders), [CARDS_IN_HAND] * len(self.holders))

    @property
    def rows(self) -> int:
        """How many distinct positions there are."""
        return len(self.weights) * self.arrangements

    @property
    def total(self) -> int:
        """How many worlds they stand for; checked against the binomial coefficient.

        Raises
        ------
        ArithmeticError
            If the patterns do not add up to every choice of live cards.
        """
        choices = int(self.weights.sum())
        if choices != comb(len(self.cards), CARDS_IN_HAND * len(self.holders)):
            raise ArithmeticError("the weights of the worlds do not add up")
        return choices * self.arrangements

    def deal(self, rows: range) -> tuple[Masks, NDArray[np.int64]]:
        """Return some of the positions, as uint64[rows, seats + 2], and their weights."""
        deals = np.zeros((len(rows), self.seats + 2), np.uint64)
        kernel_deals.deal_worlds(
            self.cards,
            self.sizes,
            self.patterns,
            self.holders,
            _choices(3 * CARDS_IN_HAND),
            _choices(2 * CARDS_IN_HAND),
            rows.start,
            deals,
        )
        return deals, self.weights[np.arange(rows.start, rows.stop) // self.arrangements]
