"""What open hands say of closed play: compared deal by deal, by kind of contract."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_library
from oddscalc.euchre.contracts import Contract
from oddscalc.euchre.equilibrium import fit_turn
from oddscalc.euchre.kernel_library import CLOSED, STRATA
from oddscalc.euchre.library import Library
from oddscalc.euchre.plays import OUTCOMES
from oddscalc.euchre.turns import Shares, bidding_of, plain_shares

__all__ = ["Difference", "differences", "kind_of", "residuals", "stratified", "translated"]

_RIDGE = 60.0  # deals
_PULL = 30.0  # deals' worth of pull from a stratum to all hands


def kind_of(one: Contract) -> tuple[int, str, int, bool]:
    """Return what contracts have in common whose suits only are called otherwise.

    That is the round, the trumps seen from the upcard, the maker's seat, and alone or not.
    """
    return one.round, ("same", "next", "cross", "cross")[one.trump], one.maker, one.alone


def stratified(library: Library) -> Library:
    """Return a library whose codes tell the maker's trumps and side aces too."""
    outcomes = library.outcomes.copy()
    kernel_library.add_strata(library.deals, library.contracts.plans, outcomes)
    return replace(library, outcomes=outcomes)


def translated(library: Library, closed: NDArray[np.uint8]) -> Shares:
    """Return the chance of each outcome of closed play given a code of `stratified`.

    Parameters
    ----------
    library
        Deals with open hands.
    closed : uint8[deals, contracts]
        The outcomes of the same deals, played closed.

    Returns
    -------
    float64[contracts, codes, 8]
        Contracts of a kind share them; where a stratum has few deals, all hands speak too.
    """
    every = library.contracts.every
    codes = stratified(library).outcomes
    counts: dict[Hashable, NDArray[np.float64]] = {}
    for column, one in enumerate(every):
        is_open = codes[:, column] != CLOSED
        cells = codes[is_open, column].astype(np.int64) * OUTCOMES + closed[is_open, column]
        found = np.bincount(cells, minlength=STRATA * OUTCOMES * OUTCOMES).astype(float)
        kind = kind_of(one)
        counts[kind] = counts.get(kind, 0.0) + found.reshape(STRATA, OUTCOMES, OUTCOMES)
    shares = np.zeros((len(every), int(CLOSED) + 1, OUTCOMES))
    for column, one in enumerate(every):
        count = counts[kind_of(one)]
        # An outcome that no deal has shown is taken to be the same played closed.
        overall = count.sum(axis=0) + np.eye(OUTCOMES)
        overall /= overall.sum(axis=1, keepdims=True)
        mixed = count + _PULL * overall
        mixed /= mixed.sum(axis=2, keepdims=True)
        shares[column, : STRATA * OUTCOMES] = mixed.reshape(-1, OUTCOMES)
    return shares


def residuals(library: Library, closed: NDArray[np.uint8], shares: Shares) -> NDArray[np.float32]:
    """Return what bids earn in closed play beyond `translated`, fitted to the bidder's hand.

    Parameters
    ----------
    library, closed
        As in `translated`, which gave `shares`.

    Returns
    -------
    float32[turns, tables, kinds, entries]
    """
    played = bidding_of(replace(library, outcomes=closed), plain_shares(library))
    told = bidding_of(stratified(library), shares)
    nothing, certain = told.passed_out, np.ones((len(told), len(told.turns)), np.float32)
    return np.stack(
        [
            fit_turn(played, turn, nothing, certain, _RIDGE)
            - fit_turn(told, turn, nothing, certain, _RIDGE)
            for turn in range(len(told.turns))
        ]
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """How closed play differs from open hands in one kind of contract, in points of the maker.

    Attributes
    ----------
    round, trumps, seat, alone
        As in `kind_of`.
    deals
        Weight of the deals behind it.
    open, closed, stderr
        Means, and the standard error of their difference.
    """

    round: int
    trumps: str
    seat: int
    alone: bool
    deals: float
    open: float
    closed: float
    stderr: float


def differences(
    library: Library, closed: NDArray[np.uint8], weights: NDArray[np.float64]
) -> list[Difference]:
    """Return how closed play differs, by kind of contract.

    Parameters
    ----------
    library, closed
        As in `translated`.
    weights : float64[deals, contracts]
        Of each contract in each deal: 1 for all hands alike, or the chance that it is made.
    """
    sums: dict[tuple[int, str, int, bool], NDArray[np.float64]] = {}
    for column, one in enumerate(library.contracts.every):
        is_open = library.outcomes[:, column] != CLOSED
        points = library.contracts.points[column]
        before = points[library.outcomes[is_open, column]]
        after = points[closed[is_open, column]]
        weight = weights[is_open, column]
        moments = [weight, weight * before, weight * after]
        moments += [weight**2 * (after - before) ** power for power in range(3)]
        kind = kind_of(one)
        sums[kind] = sums.get(kind, 0.0) + np.array([moment.sum() for moment in moments])
    found = []
    for kind, (weight, before, after, squares, first, second) in sums.items():
        mean = (after - before) / weight
        spread = second - 2 * mean * first + mean**2 * squares
        found.append(
            Difference(*kind, weight, before / weight, after / weight, spread**0.5 / weight)
        )
    return found
