"""The contracts of a library of deals played closed, and how that differs from open hands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.closed import CLOSED_FORM, DEFAULT_WORLDS, closed_outcomes, skill_of
from oddscalc.euchre.contracts import Contract, contracts, renamed_game, upcards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.library import chunk_numbers, draw_deals, library_spec, play_of
from oddscalc.euchre.rules import EuchreGame
from oddscalc.jobs import Spec

__all__ = ["PLAY_WORDS", "closed_part", "closed_spec", "play_contracts"]

# The bidding tells nothing where contracts are played that nobody would have made.
_USED = ("ties by rule", "stops when clear")
PLAY_WORDS = (
    f"closed: {DEFAULT_WORLDS} worlds a decision ({', '.join(_USED)}), the bidding telling nothing"
)


def closed_spec(game: EuchreGame, deals: int, seed: int) -> Spec:
    """Return the job of a library of deals 0 … deals - 1, played closed."""
    how = {"closed_form": CLOSED_FORM, "worlds": DEFAULT_WORLDS, "refinements": list(_USED)}
    return library_spec(game, deals, seed, "closed", **how)


def closed_part(game: EuchreGame, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    """Work out one chunk of a library played closed."""
    numbers, seed = chunk_numbers(spec, index), spec.seed or 0
    deals = draw_deals(game, numbers, seed)
    return {"deals": deals, "outcomes": play_contracts(game, deals, numbers.start, seed)}


def play_contracts(game: EuchreGame, deals: Masks, first: int, seed: int) -> NDArray[np.uint8]:
    """Return the outcome of every contract, played closed.

    Parameters
    ----------
    deals : uint64[deals, seats + 3]
        As in `library.Library`.
    first
        Number of the first deal.
    """
    named, every = renamed_game(game), contracts(game)
    skills = [skill_of(refinements=_USED)] * game.hands
    outcomes = np.full((len(deals), len(every)), CLOSED)
    for number, up in enumerate(upcards(game)):
        rows = np.flatnonzero(deals[:, -1] == number)
        some = np.ascontiguousarray(deals[rows])
        for column, one in enumerate(every):
            if not one.open_to(named, up):
                continue
            partner = _of_partner(game, one)
            if partner in every[:column]:
                # A side plays alike whichever of the two has made.
                outcomes[rows, column] = outcomes[rows, every.index(partner)]
                continue
            # Numbers that no other upcard's deals have.
            start = first + (number << 40)
            outcomes[rows, column] = closed_outcomes(
                play_of(named, one, up, seed), some, start, policy=None, skills=skills
            )
    return outcomes


def _of_partner(game: EuchreGame, one: Contract) -> Contract | None:
    side = [seat for seat in game.side(one.maker) if seat != one.maker]
    return Contract(one.round, one.trump, side[0], False) if side and not one.alone else None
