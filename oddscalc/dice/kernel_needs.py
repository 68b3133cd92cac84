"""The compiled work of beating a score: the best chance by the points that are still needed.

A state's row has the best chance for each need from ``low + 1`` to ``high``: as many points or
more are to come. Fewer are certain, more impossible, so that these are 1 and 0 and not stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.kernels import LANES, pick_outcomes, solve_turn, step
from oddscalc.dice.tables import GameArrays
from oddscalc.jit import jit

__all__ = ["find_ranges", "solve_needs"]

Array = NDArray[Any]


@jit
def find_ranges(game: GameArrays, masks: Array, low: Array, high: Array) -> None:
    """Write the fewest and most points that may still come in every state of some masks.

    All states with a box more are done. int64, one a state.
    """
    for mask in masks:
        start, width = game.offset[mask], game.offset[mask + 1] - game.offset[mask]
        first = game.lanes[game.group[mask]]
        states, paid = np.empty(width, np.uint64), np.empty(width)
        for lane in range(width):
            low[start + lane], high[start + lane] = 1 << 40, -(1 << 40)
        for outcome in range(game.outcome_box.shape[0]):
            if (game.open[mask] >> game.outcome_box[outcome]) & 1:
                step(game, mask, game.codes[first : first + width], outcome, states, paid)
                for lane in range(width):
                    after, points = np.int64(states[lane]), np.int64(paid[lane])
                    low[start + lane] = min(low[start + lane], low[after] + points)
                    high[start + lane] = max(high[start + lane], high[after] + points)


@jit
def solve_needs(
    game: GameArrays,
    masks: Array,
    part: int,
    parts: int,
    low: Array,
    high: Array,
    first: Array,
    values: Array,
    next_values: Array,
) -> None:
    """Write the rows of every state of ``masks[part::parts]``, a layer of masks.

    State s has its row at ``values[first[s]:]``; those with a box more at ``next_values``.
    """
    widest = 0
    for index in range(part, len(masks), parts):
        for state in range(game.offset[masks[index]], game.offset[masks[index] + 1]):
            widest = max(widest, high[state] - low[state])
    widest = (widest + LANES - 1) // LANES * LANES
    size = game.outcome_box.shape[0]
    worth = (game.fewer.shape[0] + 1) * LANES
    sheet = np.zeros(worth + size * widest)
    picks = np.empty((2, game.chance.shape[0] * (game.size[3] + 3)), np.uint16)
    after, paid = np.empty((size, 1), np.uint64), np.empty((size, 1))
    for index in range(part, len(masks), parts):
        mask = masks[index]
        many = pick_outcomes(game, game.outcomes, mask, picks[0])
        if game.size[6]:
            pick_outcomes(game, game.outcomes_first, mask, picks[1])
        place = game.lanes[game.group[mask]]
        for state in range(game.offset[mask], game.offset[mask + 1]):
            codes = game.codes[place : place + 1]
            place += 1
            width = high[state] - low[state]
            padded = (width + LANES - 1) // LANES * LANES
            for outcome in range(size):
                if (game.open[mask] >> game.outcome_box[outcome]) & 1:
                    step(game, mask, codes, outcome, after[outcome], paid[outcome])
                    then = np.int64(after[outcome, 0])
                    # The need of the first lane, less what is paid, counted from the next row.
                    start = low[state] - np.int64(paid[outcome, 0]) - low[then]
                    row = sheet[worth + outcome * padded : worth + (outcome + 1) * padded]
                    _copy_row(next_values[first[then] :], high[then] - low[then], start, row)
            for start in range(0, width, LANES):
                solve_turn(game, sheet, worth + start, padded, picks, many)
                for lane in range(min(LANES, width - start)):
                    values[first[state] + start + lane] = sheet[lane]


@jit
def _copy_row(source: Array, width: int, start: int, row: Array) -> None:
    """Copy a row of `width` chances from place `start` on: 1 before it, 0 behind."""
    certain = min(max(0, -start), row.shape[0])
    known = min(max(certain, width - start), row.shape[0])
    row[:certain] = 1.0
    inside = row[certain:known]
    shifted = source[start + certain : start + known]
    for place in range(inside.shape[0]):
        inside[place] = shifted[place]
    row[known:] = 0.0
