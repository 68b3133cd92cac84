"""Single decisions of closed play, for timing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import Told
from oddscalc.euchre.kernel_bits import Masks, U, to_trumps
from oddscalc.euchre.kernel_closed import choose_card
from oddscalc.euchre.kernel_closed_plays import seat_table
from oddscalc.euchre.kernel_deals import random_word
from oddscalc.euchre.kernel_plan import P_SEATS, P_TRUMP
from oddscalc.euchre.kernel_table import new_scratch, new_table
from oddscalc.jit import jit


@jit
def choose_leads(
    deals: Masks,
    plan: Masks,
    seating: Masks,
    pairs: Masks,
    points: NDArray[np.int64],
    skills: Masks,
    told: Told,
    leads: Masks,
) -> None:
    """Write the card that is led to the first trick of each deal.

    Parameters
    ----------
    deals, plan, seating, pairs, points, skills, told
        As in `kernel_closed_plays.play_closed`; the hands are played as they were dealt.
    leads : uint64[deals]
    """
    held = np.zeros(4, np.uint64)
    table = new_table(pairs)
    scratch = new_scratch()
    for row in range(deals.shape[0]):
        for seat in range(plan[P_SEATS]):
            held[U(seat)] = to_trumps(deals[U(row), U(seat)], plan[P_TRUMP])
        seat_table(table, held, held, plan, seating, points, skills)
        leads[U(row)] = choose_card(table, scratch, told, random_word(U(row)))
