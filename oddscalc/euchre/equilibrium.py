"""The bidding equilibrium: smooth fictitious play over a library of deals.

A bidding is a row of turns: who has the turn passes on, or takes an action that ends the bidding.
What an action is worth to a hand is fitted by ridge regression over the deals, weighted by how
likely all earlier turns were passes with the cards that those players hold. Turn by turn from the
last to the first, everybody's tables move towards what the fit says; nobody's choice ever sees
another card than the own features.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_equilibrium
from oddscalc.euchre.kernel_equilibrium import POINT_UNIT, WEIGHT_UNIT
from oddscalc.jit import run_parts, threads

__all__ = ["Bidding", "Fit", "Turn", "evaluate", "fit_turn", "settle"]

FLOOR = 0.05  # least weight of an own earlier pass in a fit
_ROWS = 2048  # deals whose features are at hand at a time

Worths = NDArray[np.float32]


@dataclass(frozen=True)
class Turn:
    """One player's turn to bid.

    Attributes
    ----------
    player
    blocks : int64[options]
        The table that each option reads; the first option is a pass.
    columns : int64[options, kinds]
        The column of the outcomes that each action leads to, -1 where there is none.
    """

    player: int
    blocks: NDArray[np.int64]
    columns: NDArray[np.int64]


@dataclass(frozen=True)
class Bidding:
    """A bidding over a library of deals.

    Attributes
    ----------
    turns
    features
        Takes a turn's number and a slice of deals; returns int32[deals, options, features].
    outcomes : uint8[deals, columns]
    points : float64[players, columns, codes]
    shape
        Blocks, kinds and entries of a turn's tables.
    """

    turns: Sequence[Turn]
    features: Callable[[int, slice], NDArray[np.int32]]
    outcomes: NDArray[np.uint8]
    points: NDArray[np.float64]
    shape: tuple[int, int, int]

    def __len__(self) -> int:
        return len(self.outcomes)


@dataclass(frozen=True)
class Fit:
    """Fitted tables of one turn.

    Attributes
    ----------
    worths : float32[blocks, kinds, size]
    weight : float64[blocks, size]
        How much of the deals stands behind each entry.
    """

    worths: Worths
    weight: NDArray[np.float64]


def settle(
    bidding: Bidding,
    *,
    temperature: float,
    ridge: float,
    sweeps: int,
    worths: Worths | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[Worths, float]:
    """Return the tables in which the bidding settles, and how far the last sweep moved a pass.

    Parameters
    ----------
    temperature
        Of the logit rule, in points.
    ridge
        Deals' worth of pull towards the mean, for each entry of a table.
    worths
        Where to start.
    progress
        Takes the sweep and the mean change of the chances of a pass.
    """
    turns = len(bidding.turns)
    if worths is None:
        worths = np.zeros((turns, *bidding.shape), np.float32)
    passes = np.ones((len(bidding), turns), np.float32)
    moved = 0.0
    for sweep in range(sweeps):
        before = passes.copy()
        rest = np.zeros((len(bidding), len(bidding.points)))
        step = max(2.0 / (sweep + 2), 0.1)
        for turn in reversed(range(turns)):
            fit = fit_turn(bidding, turn, rest, passes, ridge)
            worths[turn] += np.float32(step) * (fit.worths - worths[turn])
            _answer(bidding, turn, worths[turn], 1 / temperature, rest, passes)
        moved = float(np.abs(passes - before).mean())
        if progress:
            progress(sweep, moved)
    return worths, moved


def fit_turn(
    bidding: Bidding,
    turn: int,
    rest: NDArray[np.float64],
    passes: NDArray[np.float32],
    ridge: float,
    floor: float = FLOOR,
) -> Fit:
    """Fit what the actions of a turn are worth, given how all others bid."""
    one = bidding.turns[turn]
    blocks, kinds, size = bidding.shape
    points = np.ascontiguousarray(bidding.points[one.player])
    own = np.array([other.player == one.player for other in bidding.turns])
    workers = threads()
    grams = np.zeros((workers, blocks, size, size), np.int64)
    moments = np.zeros((workers, blocks, kinds, size), np.int64)
    starts = range(0, len(bidding), _ROWS)

    def part(worker: int) -> None:
        for start in starts[worker::workers]:
            rows = slice(start, start + _ROWS)
            kernel_equilibrium.add_rows(
                bidding.features(turn, rows),
                one.blocks,
                one.columns,
                bidding.outcomes[rows],
                points,
                rest[rows, one.player],
                passes[rows],
                turn,
                own,
                floor,
                grams[worker],
                moments[worker],
            )

    with ThreadPoolExecutor(workers) as pool:
        run_parts(pool, part, workers)
    return solve_normal(grams.sum(axis=0), moments.sum(axis=0), ridge)


def solve_normal(gram: NDArray[np.int64], moments: NDArray[np.int64], ridge: float) -> Fit:
    """Solve the normal equations of every block; entry 0 is shared by all hands and free."""
    blocks, kinds, size = moments.shape
    worths = np.zeros((blocks, kinds, size), np.float32)
    weight = np.zeros((blocks, size))
    for block in range(blocks):
        diagonal = np.diagonal(gram[block]) / WEIGHT_UNIT
        weight[block] = diagonal
        used = np.flatnonzero(diagonal)
        if not len(used):
            continue
        upper = gram[block][np.ix_(used, used)] / WEIGHT_UNIT
        full = upper + np.triu(upper, 1).T
        full[np.diag_indices_from(full)] += np.where(used == 0, 1e-6, ridge)
        right = moments[block][:, used] / (WEIGHT_UNIT * POINT_UNIT)
        worths[block][:, used] = np.linalg.solve(full, right.T).T
    return Fit(worths, weight)


def _answer(
    bidding: Bidding,
    turn: int,
    worths: Worths,
    sharpness: float,
    rest: NDArray[np.float64],
    passes: NDArray[np.float32],
    chances: NDArray[np.float32] | None = None,
) -> None:
    one = bidding.turns[turn]
    options, kinds = one.columns.shape

    def part(number: int) -> None:
        rows = slice(number * _ROWS, (number + 1) * _ROWS)
        entries = bidding.features(turn, rows)
        found = np.empty(len(entries), np.float32)
        every = np.empty((len(entries), options, kinds), np.float32)
        kernel_equilibrium.answer_rows(
            entries,
            one.blocks,
            one.columns,
            bidding.outcomes[rows],
            bidding.points,
            worths,
            sharpness,
            rest[rows],
            found,
            every,
        )
        passes[rows, turn] = found
        if chances is not None:
            chances[rows] = every

    with ThreadPoolExecutor(threads()) as pool:
        run_parts(pool, part, -(-len(bidding) // _ROWS))


@dataclass(frozen=True)
class Bids:
    """How deals are bid with given tables.

    Attributes
    ----------
    rest : float64[deals, players]
        Points from the start.
    passes : float32[deals, turns]
    chances : float32[turns, deals, options, kinds]
        Of each action, once its turn has come.
    """

    rest: NDArray[np.float64]
    passes: NDArray[np.float32]
    chances: NDArray[np.float32]


def best_response(
    fitted: Bidding,
    fresh: Bidding,
    worths: Worths,
    temperature: float,
    ridge: float,
    deviating: Collection[int],
) -> NDArray[np.float64]:
    """Return what the first deviating player gains on each of the fresh deals.

    The deviating players, together, take at each of their turns the action that a fit over the
    other deals calls best, given that the others keep to the policy.
    """
    player = min(deviating)
    bids = [evaluate(bidding, worths, temperature) for bidding in (fitted, fresh)]
    rests = [np.zeros_like(one.rest) for one in bids]
    for turn in reversed(range(len(fitted.turns))):
        tables, sharpness = worths[turn], 1 / temperature
        if fitted.turns[turn].player in deviating:
            tables = fit_turn(fitted, turn, rests[0], bids[0].passes, ridge, 1.0).worths
            sharpness = np.inf
        for bidding, one, rest in zip((fitted, fresh), bids, rests, strict=True):
            _answer(bidding, turn, tables, sharpness, rest, one.passes.copy())
    gain: NDArray[np.float64] = rests[1][:, player] - bids[1].rest[:, player]
    return gain


def evaluate(bidding: Bidding, worths: Worths, temperature: float) -> Bids:
    """Return how the deals are bid, and what everybody gets."""
    turns = len(bidding.turns)
    rest = np.zeros((len(bidding), len(bidding.points)))
    passes = np.ones((len(bidding), turns), np.float32)
    options, kinds = bidding.turns[0].columns.shape
    chances = np.zeros((turns, len(bidding), options, kinds), np.float32)
    for turn in reversed(range(turns)):
        _answer(bidding, turn, worths[turn], 1 / temperature, rest, passes, chances[turn])
    return Bids(rest, passes, chances)
