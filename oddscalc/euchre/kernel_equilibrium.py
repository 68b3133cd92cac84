"""Turns of a bidding over many deals: fitting what actions are worth, and answering with them."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.jit import jit

# Weights and points are summed in whole parts: in any order, on any number of threads, alike.
WEIGHT_UNIT, POINT_UNIT = 1 << 20, 1 << 10


@jit
def reach_of(
    passes: NDArray[np.float32], row: Any, turn: Any, own: NDArray[np.bool_], floor: Any
) -> Any:
    """Return the chance that all turns before this one were passes.

    Own earlier passes count for `floor` at least: what a player would do who passed against the
    own policy is asked as well.
    """
    chance = 1.0
    for earlier in range(turn):
        one = passes[row, earlier]
        chance *= max(one, floor) if own[earlier] else one
    return chance


@jit
def worth_of(worths: NDArray[np.float32], entries: NDArray[np.int32], row: Any, option: Any) -> Any:
    """Return the sum of an option's entries of a table."""
    worth = 0.0
    for i in range(entries.shape[2]):
        worth += worths[entries[row, option, i]]
    return worth


@jit
def add_rows(
    entries: NDArray[np.int32],
    tables: NDArray[np.int64],
    columns: NDArray[np.int64],
    outcomes: NDArray[np.uint8],
    points: NDArray[np.float64],
    more: NDArray[np.float32],
    rest: NDArray[np.float64],
    passes: NDArray[np.float32],
    turn: Any,
    own: NDArray[np.bool_],
    floor: Any,
    gram: NDArray[np.int64],
    moments: NDArray[np.int64],
) -> None:
    """Add deals to the normal equations of one turn.

    Parameters
    ----------
    entries : int32[deals, options, features]
        The entries of each option, a pass first; one that begins with -1 is not open.
    tables : int64[options]
        The table that each option reads.
    columns : int64[options, kinds]
        The column of `outcomes` that each action leads to, -1 for none.
    points : float64[columns, codes]
        The bidder's points.
    more : float32[tables, kinds, size]
        What a bid earns the bidder besides, by own features.
    rest : float64[deals]
        The bidder's points after a pass.
    passes : float32[deals, turns]
        Chances of a pass at each turn, given the cards.
    own, floor
        Turns of the same player; see `reach_of`.
    gram : int64[tables, size, size]
        Sums of weights, in 1/WEIGHT_UNIT; the upper triangle.
    moments : int64[tables, kinds, size]
        Sums of weights times points, in 1/(WEIGHT_UNIT POINT_UNIT).
    """
    options, features = entries.shape[1], entries.shape[2]
    for row in range(entries.shape[0]):
        weight = np.int64(reach_of(passes, row, turn, own, floor) * WEIGHT_UNIT + 0.5)
        if weight == 0:
            continue
        for option in range(options):
            if entries[row, option, 0] < 0:
                continue
            table = tables[option]
            for i in range(features):
                one = entries[row, option, i]
                gram[table, one, one] += weight
                for j in range(i):
                    other = entries[row, option, j]
                    if other == one:
                        gram[table, one, one] += 2 * weight
                    else:
                        gram[table, min(one, other), max(one, other)] += weight
            for kind in range(columns.shape[1]):
                column = columns[option, kind]
                if option == 0:
                    if kind > 0:
                        continue
                    worth = rest[row]
                elif column < 0:
                    continue
                else:
                    worth = points[column, outcomes[row, column]]
                    worth += worth_of(more[table, kind], entries, row, option)
                share = weight * np.int64(np.floor(worth * POINT_UNIT + 0.5))
                for i in range(features):
                    moments[table, kind, entries[row, option, i]] += share


@jit
def answer_rows(
    entries: NDArray[np.int32],
    tables: NDArray[np.int64],
    columns: NDArray[np.int64],
    outcomes: NDArray[np.uint8],
    points: NDArray[np.float64],
    more: NDArray[np.float32],
    sides: NDArray[np.float64],
    worths: NDArray[np.float32],
    sharpness: Any,
    rest: NDArray[np.float64],
    chances: NDArray[np.float32],
) -> None:
    """Let one turn be bid by the logit rule: write chances, and what all players get from here.

    Parameters
    ----------
    entries, tables, columns, outcomes
        As in `add_rows`.
    points : float64[players, columns, codes]
    more : float32[tables, kinds, size]
        As in `add_rows`.
    sides : float64[players]
        What each player gets of a point of the bidder's.
    worths : float32[tables, kinds, size]
    sharpness
        One over the temperature; infinite for the best action alone.
    rest : float64[deals, players]
        Points after a pass; written: points before the turn.
    chances : float32[deals, options, kinds]
        Written: chance of every action.
    """
    options, kinds = columns.shape
    besides = np.zeros((options, kinds), np.float64)
    quality = np.empty((options, kinds), np.float64)
    for row in range(entries.shape[0]):
        top = -np.inf
        for option in range(options):
            for kind in range(kinds):
                quality[option, kind] = -np.inf
                if entries[row, option, 0] < 0 or (columns[option, kind] < 0 and option + kind > 0):
                    continue
                worth = worth_of(worths[tables[option], kind], entries, row, option)
                quality[option, kind] = worth
                if option > 0:
                    besides[option, kind] = worth_of(
                        more[tables[option], kind], entries, row, option
                    )
                top = max(top, worth)
        total = 0.0
        for option in range(options):
            for kind in range(kinds):
                behind = quality[option, kind] - top
                quality[option, kind] = 1.0 if behind == 0.0 else exp(behind * sharpness)
                total += quality[option, kind]
        for player in range(points.shape[0]):
            mean = quality[0, 0] * rest[row, player]
            for option in range(1, options):
                for kind in range(kinds):
                    if quality[option, kind] > 0.0:
                        column = columns[option, kind]
                        earned = points[player, column, outcomes[row, column]]
                        earned += sides[player] * besides[option, kind]
                        mean += quality[option, kind] * earned
            rest[row, player] = mean / total
        for option in range(options):
            for kind in range(kinds):
                chances[row, option, kind] = quality[option, kind] / total


@jit
def solve_ridge(
    gram: NDArray[np.int64],
    moments: NDArray[np.int64],
    ridge: Any,
    accuracy: Any,
    worths: NDArray[np.float32],
) -> Any:
    """Solve the normal equations of a table by conjugate gradients; return the steps taken.

    Parameters
    ----------
    gram, moments : int64[size, size], int64[size]
        As in `add_rows`.
    ridge
        Weight of the pull to 0 of each entry but the first, which all deals share.
    accuracy
        Of the residual, compared with the moments'.
    worths : float32[size]
        Where to start; written. Entries of no weight become 0.
    """
    size = 0
    used = np.empty(worths.size, np.int64)
    for entry in range(worths.size):
        if gram[entry, entry] > 0:
            used[size] = entry
            size += 1
    full = np.empty((size, size), np.float64)
    for i in range(size):
        for j in range(i, size):
            full[i, j] = gram[used[i], used[j]] / WEIGHT_UNIT
            full[j, i] = full[i, j]
        full[i, i] += ridge if used[i] > 0 else 1e-6
    found, residual = np.empty(size), np.empty(size)
    for i in range(size):
        found[i] = worths[used[i]]
    start = 0.0
    for i in range(size):
        moment = moments[used[i]] / (WEIGHT_UNIT * POINT_UNIT)
        start += moment * moment / full[i, i]
        for j in range(size):
            moment -= full[i, j] * found[j]
        residual[i] = moment
    way, image = np.zeros(size), np.empty(size)
    before, steps = 1.0, 0
    while steps < 4 * size:
        now = 0.0
        for i in range(size):
            now += residual[i] * residual[i] / full[i, i]
        if now <= accuracy * accuracy * start:
            break
        for i in range(size):
            way[i] = residual[i] / full[i, i] + (now / before if steps > 0 else 0.0) * way[i]
        slope = 0.0
        for i in range(size):
            total = 0.0
            for j in range(size):
                total += full[i, j] * way[j]
            image[i] = total
            slope += way[i] * total
        for i in range(size):
            found[i] += now / slope * way[i]
            residual[i] -= now / slope * image[i]
        before = now
        steps += 1
    worths[:] = 0.0
    for i in range(size):
        worths[used[i]] = found[i]
    return steps
