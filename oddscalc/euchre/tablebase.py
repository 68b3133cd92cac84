"""All two-handed positions with open hands, solved at once.

Of each suit only who holds its cards in rank order matters: 62,763 positions of none to five cards
each with 24 cards.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from oddscalc import store
from oddscalc.euchre import kernel_pairs
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.rules import CARDS_IN_HAND

__all__ = ["pair_table", "positions"]

# Cards of the trump suit, the other suit of its colour, the two others.
_SUITS = {24: (7, 5, 6, 6), 25: (8, 5, 6, 6), 32: (9, 7, 8, 8)}
_CELLS = 1 << 17
_VERSION = 1


@cache
def _solved(deck: int) -> store.Table:
    def build() -> store.Table:
        cells = np.zeros(_CELLS, np.uint64)
        longest = np.array(_SUITS[deck])
        found = [kernel_pairs.solve_pairs(cells, n + 1, longest) for n in range(CARDS_IN_HAND)]
        return store.Table({"cells": cells, "positions": np.array(found)}, {"deck": deck})

    mark = store.fingerprint("two-handed", _VERSION, deck, _SUITS[deck], _CELLS)
    return store.fetch(f"euchre-two-hands-{deck}", mark, build)


def pair_table(deck: int) -> Masks:
    """Return the hashed tablebase of a deck: uint64, a power of two of cells."""
    return _solved(deck).arrays["cells"]


def positions(deck: int) -> tuple[int, ...]:
    """Return how many positions of 0 … 5 cards each there are, up to equivalence.

    >>> sum(positions(24))
    62763
    """
    return 1, *(int(n) for n in _solved(deck).arrays["positions"])
