"""The contracts of a library of deals played closed, and how that differs from open hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.closed import (
    CLOSED_FORM,
    DEFAULT_WORLDS,
    REFINEMENTS,
    closed_outcomes,
    skill_of,
)
from oddscalc.euchre.contracts import Contract, contracts, renamed_game, upcards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.library import chunk_numbers, draw_deals, library_spec, play_of
from oddscalc.euchre.rules import EuchreGame
from oddscalc.jobs import Spec

__all__ = ["closed_part", "closed_spec", "play_contracts", "play_words"]

# The bidding tells nothing where contracts are played that nobody would have made.
_USED = tuple(name for name in REFINEMENTS if name != "bids")


def play_words(game: EuchreGame) -> str:
    """Return how the hands of a library are played closed, in words."""
    worlds = f"{DEFAULT_WORLDS} worlds a decision ({', '.join(_USED)})"
    if game.hands == 2:
        worlds = "every hand that the other may hold"
    return f"closed: {worlds}, the bidding telling nothing"


def closed_spec(
    game: EuchreGame, deals: int, seed: int, bidding: Mapping[str, Any] | None = None
) -> Spec:
    """Return the job of a library of deals 0 … deals - 1, played closed.

    Parameters
    ----------
    bidding
        What tells the policy apart by which players read bids and passes, if they do.
    """
    how = {"closed_form": CLOSED_FORM, "worlds": DEFAULT_WORLDS, "refinements": list(_USED)}
    how["bidding"] = bidding
    return library_spec(game, deals, seed, "closed", **how)


def closed_part(
    game: EuchreGame, spec: Spec, index: int, policy: BiddingPolicy | None = None
) -> dict[str, NDArray[Any]]:
    """Work out one chunk of a library played closed, bids and passes read by a policy if any."""
    numbers, seed = chunk_numbers(spec, index), spec.seed or 0
    deals = draw_deals(game, numbers, seed)
    return {"deals": deals, "outcomes": play_contracts(game, deals, numbers.start, seed, policy)}


def play_contracts(
    game: EuchreGame, deals: Masks, first: int, seed: int, policy: BiddingPolicy | None = None
) -> NDArray[np.uint8]:
    """Return the outcome of every contract, played closed.

    Parameters
    ----------
    deals : uint64[deals, seats + 3]
        As in `library.Library`.
    first
        Number of the first deal.
    policy
        By which players read bids and passes; without one the bidding tells nothing.
    """
    named, every = renamed_game(game), contracts(game)
    skills = [skill_of(refinements=_USED) if policy is None else skill_of()] * game.hands
    policy = policy and replace(policy, game=named)
    outcomes = np.full((len(deals), len(every)), CLOSED)
    for number, up in enumerate(upcards(game)):
        rows = np.flatnonzero(deals[:, -1] == number)
        some = np.ascontiguousarray(deals[rows])
        for column, one in enumerate(every):
            if not one.open_to(named, up):
                continue
            partner = _of_partner(game, one)
            if policy is None and partner in every[:column]:
                # A side plays alike whichever of the two has made, if that tells nothing.
                outcomes[rows, column] = outcomes[rows, every.index(partner)]
                continue
            # Numbers that no other upcard's deals have.
            start = first + (number << 40)
            outcomes[rows, column] = closed_outcomes(
                play_of(named, one, up, seed), some, start, policy=policy, skills=skills
            )
    return outcomes


def _of_partner(game: EuchreGame, one: Contract) -> Contract | None:
    side = [seat for seat in game.side(one.maker) if seat != one.maker]
    return Contract(one.round, one.trump, side[0], False) if side and not one.alone else None
