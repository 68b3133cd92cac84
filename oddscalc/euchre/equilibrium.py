"""The bidding equilibrium: smooth fictitious play over a library of deals.

A bidding is a row of turns: whose turn it is passes, or takes an action that ends the bidding.
What an action is worth to a hand is fitted by ridge regression over the deals, weighted by how
likely all earlier turns were passes with the cards that those players hold. Turn by turn, from the
last to the first, the tables move towards the fit; no choice ever sees more than its own features.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_equilibrium
from oddscalc.jit import run_parts, threads

__all__ = ["Answers", "Bidding", "Turn", "answers", "best_response", "fit_turn", "settle", "sweep"]

_ROWS = 2048  # deals whose features are at hand at a time
_ACCURACY = 1e-4
_FLOOR = 0.05  # least weight of an own earlier pass in a fit
_LEAST_STEP = 0.1

Worths = NDArray[np.float32]
Chances = NDArray[np.float32]
Points = NDArray[np.float64]


@dataclass(frozen=True)
class Turn:
    """One player's turn to bid.

    Attributes
    ----------
    player
    tables : int64[options]
        The table that each option reads; the first option is a pass.
    columns : int64[options, kinds]
        The column of the outcomes that each action leads to, -1 where there is none.
    """

    player: int
    tables: NDArray[np.int64]
    columns: NDArray[np.int64]

    def own(self, turns: Sequence[Turn]) -> NDArray[np.bool_]:
        """Tell which turns are the same player's."""
        return np.array([turn.player == self.player for turn in turns])


@dataclass(frozen=True)
class Bidding:
    """A bidding over a library of deals.

    Attributes
    ----------
    turns
    entries
        Takes a turn's number and a slice of deals; returns int32[deals, options, features], the
        places in a table that are summed. An option that begins with -1 is not open.
    outcomes : uint8[deals, columns]
    points : float64[players, columns, codes]
    sides : float64[players, players]
        What each player gets of a point of a bidder's.
    more : float32[turns, tables, kinds, entries]
        What a bid earns the bidder besides, by own features.
    """

    turns: Sequence[Turn]
    entries: Callable[[int, slice], NDArray[np.int32]]
    outcomes: NDArray[np.uint8]
    points: Points
    sides: NDArray[np.float64]
    more: Worths

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Tables of a turn, kinds of actions, entries of a table."""
        return self.more.shape[1:]

    @property
    def passed_out(self) -> Points:
        """What everybody gets when all pass: nothing."""
        return np.zeros((len(self), len(self.points)))


def settle(
    bidding: Bidding,
    *,
    temperature: float,
    ridge: float,
    sweeps: int,
    progress: Callable[[int, float], None] | None = None,
) -> Worths:
    """Return the tables in which the bidding settles: float32[turns, tables, kinds, entries].

    Parameters
    ----------
    temperature
        Of the logit rule, in points.
    ridge
        How many deals' worth each entry of a table is pulled to 0.
    progress
        Takes the sweep and the mean change of a chance of a pass.
    """
    worths = np.zeros_like(bidding.more)
    for number in range(sweeps):
        worths, moved = sweep(bidding, number, worths, temperature, ridge)
        if progress:
            progress(number, moved)
    return worths


def sweep(
    bidding: Bidding, number: int, worths: Worths, temperature: float, ridge: float
) -> tuple[Worths, float]:
    """Return the tables after one sweep more, and how far it has moved a chance of a pass."""
    turns = len(bidding.turns)
    # Nobody has bid before the first sweep.
    passes = answers(bidding, worths, temperature).passes if number else _certain(bidding)
    before = passes.copy()
    rest = bidding.passed_out
    step = np.float32(max(2.0 / (number + 2), _LEAST_STEP))
    moved = worths.copy()
    for turn in reversed(range(turns)):
        fitted = fit_turn(bidding, turn, rest, passes, ridge, start=worths[turn])
        moved[turn] += step * (fitted - worths[turn])
        _answer(bidding, turn, moved[turn], 1 / temperature, rest, passes)
    return moved, float(np.abs(passes - before).mean())


def _certain(bidding: Bidding) -> Chances:
    return np.ones((len(bidding), len(bidding.turns)), np.float32)


def fit_turn(
    bidding: Bidding,
    turn: int,
    rest: Points,
    passes: Chances,
    ridge: float,
    *,
    start: Worths | None = None,
    floor: float = _FLOOR,
) -> Worths:
    """Fit what the actions of a turn are worth, given how all others bid.

    Parameters
    ----------
    rest : float64[deals, players]
        Points after a pass.
    passes : float32[deals, turns]
    start
        Tables to start from.
    floor
        The least weight of an own earlier pass: the hands with which the player would not have
        passed count a little.
    """
    one = bidding.turns[turn]
    _, kinds, size = bidding.shape
    open_to = np.flatnonzero((one.columns >= 0).any(axis=1) | (np.arange(len(one.tables)) == 0))
    names = np.unique(one.tables[open_to])
    tables = np.searchsorted(names, one.tables)
    workers = threads()
    grams = np.zeros((workers, len(names), size, size), np.int64)
    moments = np.zeros((workers, len(names), kinds, size), np.int64)
    points, own = bidding.points[one.player], one.own(bidding.turns)
    more = bidding.more[turn][names]
    starts = range(0, len(bidding), _ROWS)

    def part(worker: int) -> None:
        for first in starts[worker::workers]:
            rows = slice(first, first + _ROWS)
            kernel_equilibrium.add_rows(
                bidding.entries(turn, rows),
                tables,
                one.columns,
                bidding.outcomes[rows],
                points,
                more,
                rest[rows, one.player],
                passes[rows],
                turn,
                own,
                floor,
                grams[worker],
                moments[worker],
            )

    worths = np.zeros(bidding.shape, np.float32) if start is None else start.copy()
    kinds_of = [(place, kind) for place in range(len(names)) for kind in range(kinds)]

    def solve(number: int) -> None:
        place, kind = kinds_of[number]
        kernel_equilibrium.solve_ridge(
            gram[place], moment[place, kind], ridge, _ACCURACY, worths[names[place], kind]
        )

    with ThreadPoolExecutor(workers) as pool:
        run_parts(pool, part, workers)
        gram, moment = grams.sum(axis=0), moments.sum(axis=0)
        run_parts(pool, solve, len(kinds_of))
    return worths


def _answer(
    bidding: Bidding,
    turn: int,
    worths: Worths,
    sharpness: float,
    rest: Points,
    passes: Chances,
    chances: Chances | None = None,
) -> None:
    """Let a turn be bid: write the passes, the chances of its actions and what all get from it."""
    one = bidding.turns[turn]

    def part(number: int) -> None:
        rows = slice(number * _ROWS, (number + 1) * _ROWS)
        entries = bidding.entries(turn, rows)
        found = np.empty((len(entries), *one.columns.shape), np.float32)
        kernel_equilibrium.answer_rows(
            entries,
            one.tables,
            one.columns,
            bidding.outcomes[rows],
            bidding.points,
            bidding.more[turn],
            bidding.sides[one.player],
            worths,
            sharpness,
            rest[rows],
            found,
        )
        passes[rows, turn] = found[:, 0, 0]
        if chances is not None:
            chances[rows] = found

    with ThreadPoolExecutor(threads()) as pool:
        run_parts(pool, part, -(-len(bidding) // _ROWS))


@dataclass(frozen=True)
class Answers:
    """How deals are bid.

    Attributes
    ----------
    points : float64[deals, players]
    passes : float32[deals, turns]
        Chance of a pass at each turn, once it has come.
    """

    points: Points
    passes: Chances

    @property
    def reached(self) -> NDArray[np.float64]:
        """The chance that each turn comes, and last that all pass: float64[deals, turns + 1]."""
        first = np.ones((len(self.passes), 1))
        return np.concatenate([first, np.cumprod(self.passes, axis=1, dtype=np.float64)], axis=1)


def answers(
    bidding: Bidding,
    worths: Worths,
    temperature: float,
    look: Callable[[int, Chances], None] | None = None,
) -> Answers:
    """Return how the deals are bid, and what everybody gets.

    Parameters
    ----------
    look
        Takes each turn and the chances of its actions, float32[deals, options, kinds]; the last
        turn first.
    """
    rest, passes = bidding.passed_out, _certain(bidding)
    for turn in reversed(range(len(bidding.turns))):
        chances = None
        if look:
            chances = np.empty((len(bidding), *bidding.turns[turn].columns.shape), np.float32)
        _answer(bidding, turn, worths[turn], 1 / temperature, rest, passes, chances)
        if look and chances is not None:
            look(turn, chances)
    return Answers(rest, passes)


def best_response(
    fitted: Bidding,
    fresh: Bidding,
    worths: Worths,
    temperature: float,
    ridge: float,
    deviating: Collection[int],
) -> Points:
    """Return what the first deviating player gains on each of the fresh deals.

    The deviating players, together, take at each of their turns the action that a fit over the
    other deals calls best, the others keeping to their tables. Fit and gain have no deal in common,
    so that noise cannot pass for a gain.
    """
    both = (fitted, fresh)
    kept = [answers(bidding, worths, temperature) for bidding in both]
    rests = [bidding.passed_out for bidding in both]
    for turn in reversed(range(len(fitted.turns))):
        tables, sharpness = worths[turn], 1 / temperature
        if fitted.turns[turn].player in deviating:
            tables = fit_turn(fitted, turn, rests[0], kept[0].passes, ridge, floor=1.0)
            sharpness = np.inf
        for bidding, rest in zip(both, rests, strict=True):
            _answer(bidding, turn, tables, sharpness, rest, _certain(bidding))
    player = min(deviating)
    return rests[1][:, player] - kept[1].points[:, player]
