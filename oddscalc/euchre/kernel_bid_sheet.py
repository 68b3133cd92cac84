"""Which cell of a bidding sheet a player looks at: what can be counted in a hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_bits import ONE, TOP, TRUMPS, ZERO, Masks, U, count, lowest, to_trumps
from oddscalc.euchre.kernel_choices import ACES, discard
from oddscalc.euchre.kernel_policy import (
    F_JOKER_SUIT,
    F_LOWEST,
    F_SEATS,
    F_THROW_UP,
    F_UPS,
    may_make,
)
from oddscalc.jit import jit

MOST_ACES = 2  # so many outside aces, or more
TRUMPS_HELD = 6  # none to five
NEXT, CROSS, TURNED = range(3)  # suits of the second round


@jit
def row_of(own: Any, bowers: NDArray[np.uint8], ranks: Any) -> Any:
    """Return the row of a hand in the layout of its trumps: more trumps, then better bowers."""
    trumps = own & TRUMPS
    highs = (trumps & ONE) << U(2) | (trumps >> ONE & ONE) << ONE | trumps >> U(2) & ONE
    return int(count(trumps)) * ranks + bowers[highs]


@jit
def find_cells(
    deals: Masks,
    ups: Masks,
    seat: Any,
    bidding_round: Any,
    form: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    bowers: NDArray[np.uint8],
    cells: NDArray[np.int32],
    steps: NDArray[np.uint8],
) -> None:
    """Write the suit that a player considers, and the cell that tells what is done with it.

    Of the suits that may be made trumps it is the one whose row is the highest; of equals that
    with more outside aces, then the next suit, the cross suits, the suit turned down.

    Parameters
    ----------
    deals : uint64[deals, seats + 3]
        As in `kernel_library.draw_deals`; only the player's own hand and the upcard are read.
    ups : uint64[upcards]
    form
        As in `kernel_policy`.
    kinds : uint8[upcards]
        The kind of each upcard: its block of cells in the first round.
    bowers : uint8[8]
        The rank of each set of the left bower (1), the right bower (2) and the joker (4).
    cells : int32[deals]
        Written: ``((block * TRUMPS_HELD + trumps) * ranks + rank) * (MOST_ACES + 1) + aces``.
    steps : uint8[deals]
        Written: 0 for the upcard's suit, 1 for the next, 2 and 3 for the cross suits.
    """
    ranks = int(bowers.max()) + 1
    blocks = int(kinds.max()) + 1
    last = U(deals.shape[1] - 1)
    dealer = seat == form[F_SEATS] - 1
    for number in range(deals.shape[0]):
        hand, up_card = deals[U(number), U(seat)], ups[deals[U(number), last]]
        joker_up = up_card == TOP
        base, up = U(form[F_JOKER_SUIT] & 3), form[F_UPS] - 1
        if not joker_up:
            place = lowest(up_card)
            base, up = place >> U(4), form[F_LOWEST] - int(place & U(15))
        best = -1
        for turn in range(1, 5):
            step = turn & 3
            if not may_make(step, joker_up, bidding_round, form):
                continue
            own = to_trumps(hand, base ^ U(step))
            block = int(kinds[up])
            if bidding_round == 2:
                block = blocks + CROSS
                if not joker_up and step < 2:
                    block = blocks + (NEXT if step == 1 else TURNED)
            elif dealer:
                card = to_trumps(up_card, base ^ U(step))
                thrown, _ = discard(own | card, ZERO if form[F_THROW_UP] == 1 else card, ZERO)
                own = (own | card) ^ thrown
            row = row_of(own, bowers, ranks)
            aces = min(int(count(own & ACES)), MOST_ACES)
            if row * (MOST_ACES + 1) + aces > best:
                best = row * (MOST_ACES + 1) + aces
                cells[number] = block * TRUMPS_HELD * ranks * (MOST_ACES + 1) + best
                steps[number] = step
