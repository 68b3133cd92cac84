"""Building a two-handed bidding policy over all deals instead of a sample."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.contracts import upcards
from oddscalc.euchre.kernel_two_hands import S_FIRST, S_SECOND
from oddscalc.euchre.rules import EuchreGame
from oddscalc.euchre.two_hands import AllDeals
from oddscalc.jobs import Spec

TEMPERATURE = 0.02  # points
SWEEPS = 16


def counted_spec(game: EuchreGame) -> Spec:
    """Return the job of a game: an upcard is a chunk."""
    settings = {"form": 1, "temperature": TEMPERATURE, "sweeps": SWEEPS}
    return Spec("euchre.bidding.counted", game.to_dict(), None, len(upcards(game)), settings)


def counted_part(game: EuchreGame, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    """Let the bidding with one upcard settle."""
    deals = AllDeals(game, index)
    worths = deals.settle(TEMPERATURE, SWEEPS)
    sums = deals.sums((worths[0].chances(TEMPERATURE), worths[1].chances(TEMPERATURE)))
    return {
        "codes": deals.codes,
        "first": np.stack([one.first for one in worths]),
        "second": np.stack([one.second for one in worths]),
        "reached": np.stack([one[:, [S_FIRST, S_SECOND]] for one in sums]),
    }
