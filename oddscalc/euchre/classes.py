"""Hands with an upcard, in classes: renaming suits within the rules changes nothing.

With 24 cards there are 17,633 classes for each upcard, 105,798 in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.notation import JOKER, deck_cards, rank_of, suit_of
from oddscalc.euchre.rules import CARDS_IN_HAND
from oddscalc.euchre.tables import mask_of

__all__ = ["HandClasses", "hand_classes"]


@dataclass(frozen=True)
class HandClasses:
    """Hands with an upcard, one for each class.

    Attributes
    ----------
    hands : int64[classes, 5]
    ups : int64[classes]
    sizes : int64[classes]
        How many hands with an upcard a class stands for.
    """

    hands: NDArray[np.int64]
    ups: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ups)


@cache
def hand_classes(deck: int) -> HandClasses:
    """Return the classes of hands of five with an upcard under renaming of suits.

    >>> len(hand_classes(24)), int(hand_classes(24).sizes.sum())
    (105798, 807576)
    """
    names = [
        rename
        for rename in permutations(range(4))
        if rename[0] ^ 1 == rename[1] and rename[2] ^ 1 == rename[3]
    ]
    cards = deck_cards(deck)
    found = []
    for up in cards:
        if up != JOKER and suit_of(up) != 0:
            continue
        others = np.array([card for card in cards if card != up])
        picks = np.array(list(combinations(range(len(others)), CARDS_IN_HAND)))
        hands = others[picks]
        # Renamings that leave the upcard where it is; the hand with the least mask is the class.
        staying = [rename for rename in names if up == JOKER or rename[0] == 0]
        masks = np.array(
            [
                np.array([mask_of([_renamed(card, rename)]) for card in others], np.uint64)[
                    picks
                ].sum(axis=1, dtype=np.uint64)
                for rename in staying
            ]
        )
        least = masks[0] == masks.min(axis=0)
        alike = (masks == masks[0]).sum(axis=0)
        orbit = (1 if up == JOKER else 4) * len(staying) // alike[least]
        found.append((hands[least], np.full(int(least.sum()), up), orbit))
    hands, ups, sizes = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return HandClasses(hands, ups, sizes)


def _renamed(card: int, rename: Sequence[int]) -> int:
    return card if card == JOKER else 8 * rename[suit_of(card)] + rank_of(card)
