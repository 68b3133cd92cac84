"""The compiled work of following a sheet: what it says for every roll, and what that is worth.

What a sheet says depends on the boxes that are open, not on progress or points; so the decisions
of a mask are made once and followed for all of its lanes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.kernels import LANES, all_outcomes, expect, pick_outcomes, step
from oddscalc.dice.tables import GameArrays
from oddscalc.jit import jit

__all__ = [
    "SheetArrays",
    "TurnCache",
    "follow_masks",
    "mask_decisions",
    "turn_values",
    "visit_masks",
]

Array = NDArray[Any]


class SheetArrays(NamedTuple):
    """A sheet as arrays: E entries, a hold that is on a line; L lines; T rolls a turn."""

    holds: Array  # uint16: the holds of each roll in the order that decides among equals
    entries_from: Array  # int64 (C + 1,): where each keep's entries start
    line: Array  # int32 (E,)
    box: Array  # int32 (E,): the box of the line
    add: Array  # float64 (E,): what the held dice add to the line's number
    numbers: Array  # float64 (T, L): by rolls left, from 1 on; -inf for what is not on the sheet
    scores: Array  # float64 (O,): the number of each outcome


@jit
def _copy_row(source: Array, target: Array) -> None:
    """Copy a row; an assignment of arrays would do so too, and compile for seconds."""
    for place in range(source.shape[0]):
        target[place] = source[place]


@jit
def best_fills(
    game: GameArrays, sheet: SheetArrays, mask: int, picks: Array, numbers: Array, fills: Array
) -> None:
    """Write for each roll the highest number of an outcome, and which it is.

    `picks` uint16 (R * (B + 3),) is room to work in; `numbers` and `fills` are (2, R): for rolls
    that are not the first of the turn, and for those that are.
    """
    for first in range(2):
        if first and not game.size[6]:
            numbers[1], fills[1] = numbers[0], fills[0]
            return
        many = pick_outcomes(game, game.outcomes_first if first else game.outcomes, mask, picks)
        for roll in range(game.chance.shape[0]):
            best, fill = -np.inf, np.int64(-1)
            for place in range(roll * many, (roll + 1) * many):
                number = sheet.scores[picks[place]]
                if number > best:
                    best, fill = number, np.int64(picks[place])
            numbers[first, roll], fills[first, roll] = best, fill


@jit
def keep_numbers(game: GameArrays, sheet: SheetArrays, mask: int, left: int, keeps: Array) -> None:
    """Write the number of each keep, float64 (C,), with some rolls left; -inf for none."""
    open_boxes = np.uint32(game.open[mask])
    for keep in range(keeps.shape[0]):
        best = -np.inf
        for entry in range(sheet.entries_from[keep], sheet.entries_from[keep + 1]):
            if (open_boxes >> np.uint32(sheet.box[entry])) & np.uint32(1):
                best = max(best, sheet.numbers[left - 1, sheet.line[entry]] + sheet.add[entry])
        keeps[keep] = best


@jit
def best_choice(
    game: GameArrays, sheet: SheetArrays, roll: int, keeps: Array, number: float, fill: int
) -> int:
    """Return the hold with the highest number, or K and the outcome if none is above `number`."""
    choice = game.fewer.shape[0] + fill
    for place in range(game.holds_from[roll], game.holds_from[roll + 1]):
        hold = np.int64(sheet.holds[place])
        if keeps[hold] > number:
            number, choice = keeps[hold], hold
    return int(choice)


@jit
def mask_decisions(game: GameArrays, sheet: SheetArrays, mask: int, decisions: Array) -> None:
    """Write what the sheet says by rolls left: the keep to hold, or K and the outcome to score.

    `decisions` is int64 (T, R).
    """
    turns, count = game.size[2], game.chance.shape[0]
    picks = np.empty(count * (game.size[3] + 3), np.uint16)
    numbers, fills = np.empty((2, count)), np.empty((2, count), np.int64)
    keeps = np.empty(game.more.shape[0])
    best_fills(game, sheet, mask, picks, numbers, fills)
    for left in range(turns):
        first = 1 if left == turns - 1 else 0
        if left == 0:
            for roll in range(count):
                decisions[0, roll] = game.fewer.shape[0] + fills[first, roll]
            continue
        keep_numbers(game, sheet, mask, left, keeps)
        for roll in range(count):
            number, fill = numbers[first, roll], fills[first, roll]
            decisions[left, roll] = best_choice(game, sheet, roll, keeps, number, fill)


@jit
def follow_masks(
    game: GameArrays, sheet: SheetArrays, masks: Array, part: int, parts: int, values: Array
) -> None:
    """Write what following the sheet brings from every state of ``masks[part::parts]``.

    All masks with a box more are done. `values` is float64, one a state.
    """
    widest = 0
    for index in range(part, len(masks), parts):
        widest = max(widest, game.offset[masks[index] + 1] - game.offset[masks[index]])
    widest = (widest + LANES - 1) // LANES * LANES
    turns, count = game.size[2], game.chance.shape[0]
    last, none = game.first[game.size[0]], game.fewer.shape[0]
    rows = np.zeros((none + 1) * LANES)
    worth = np.zeros(game.outcome_box.shape[0] * widest)
    decisions = np.empty((turns, count), np.int64)
    for index in range(part, len(masks), parts):
        mask = masks[index]
        width = game.offset[mask + 1] - game.offset[mask]
        padded = (width + LANES - 1) // LANES * LANES
        first = game.lanes[game.group[mask]]
        all_outcomes(game, values, mask, game.codes[first : first + width], worth, padded)
        mask_decisions(game, sheet, mask, decisions)
        for start in range(0, width, LANES):
            for left in range(turns):
                if left > 0:
                    expect(game, rows)
                for roll in range(count):
                    choice = decisions[left, roll]
                    here = np.uint64((last + roll) * LANES)
                    if choice >= none:
                        source = np.uint64((choice - none) * padded + start)
                        for lane in range(np.uint64(LANES)):
                            rows[here + lane] = worth[source + lane]
                    else:
                        source = np.uint64(choice * LANES)
                        for lane in range(np.uint64(LANES)):
                            rows[here + lane] = rows[source + lane]
            expect(game, rows)
            for lane in range(min(LANES, width - start)):
                values[game.offset[mask] + start + lane] = rows[lane]


class TurnCache(NamedTuple):
    """What is known of a turn on M cards, so that a changed number has only its own effects."""

    numbers: Array  # float64 (M, 2, R): as `best_fills` writes them
    fills: Array  # int64 (M, 2, R)
    decisions: Array  # int64 (M, T, R)
    keeps: Array  # float64 (M, T, C): what each keep is worth by rolls left; nothing for 0


@jit
def turn_values(
    game: GameArrays,
    sheet: SheetArrays,
    masks: Array,
    worth: Array,
    places: Array,
    cache: TurnCache,
    since: int,
    concerned: Array,
    store: bool,
    part: int,
    parts: int,
    values: Array,
) -> None:
    """Write what one turn by the sheet brings from some of the cards, ``places[part::parts]``.

    `masks` (M,) and `worth` (M, O) are the cards and what each outcome is worth there. If `since`
    is 0 anything may have changed, else only the numbers of holds with so many rolls left, on
    lines that concern the rolls of `concerned`, bool (R,). The cache is written if told so.
    """
    turns, count = game.size[2], game.chance.shape[0]
    last, none = game.first[game.size[0]], game.fewer.shape[0]
    rows, keeps = np.zeros(none + 1), np.empty(last)
    picks = np.empty(count * (game.size[3] + 3), np.uint16)
    numbers, fills = np.empty((2, count)), np.empty((2, count), np.int64)
    share = 1.0 / game.size[1]
    for index in range(part, len(places), parts):
        card = places[index]
        if since == 0:
            best_fills(game, sheet, masks[card], picks, numbers, fills)
            if store:
                _copy_row(numbers, cache.numbers[card])
                _copy_row(fills, cache.fills[card])
        else:
            _copy_row(cache.numbers[card], numbers)
            _copy_row(cache.fills[card], fills)
            _copy_row(cache.keeps[card, since], rows[:last])
        for left in range(since, turns):
            first = 1 if left == turns - 1 else 0
            if left > since:
                for keep in range(last - 1, -1, -1):
                    total = 0.0
                    for column in range(game.more.shape[1]):
                        total += rows[game.more[keep, column]]
                    rows[keep] = total * share
            anew = since == 0 or left == since
            if anew and left > 0:
                keep_numbers(game, sheet, masks[card], left, keeps)
            for roll in range(count):
                choice = cache.decisions[card, left, roll]
                if anew and left == 0:
                    choice = none + fills[first, roll]
                elif anew and (since == 0 or concerned[roll]):
                    number, fill = numbers[first, roll], fills[first, roll]
                    choice = best_choice(game, sheet, roll, keeps, number, fill)
                if choice >= none:
                    rows[last + roll] = worth[card, choice - none]
                else:
                    rows[last + roll] = rows[choice]
                if store:
                    cache.decisions[card, left, roll] = choice
            if store:
                _copy_row(rows[:last], cache.keeps[card, left])
        total = 0.0
        for roll in range(count):
            total += game.chance[roll] * rows[last + roll]
        values[index] = total


@jit
def visit_masks(
    game: GameArrays, sheet: SheetArrays, masks: Array, visits: Array, chances: Array
) -> None:
    """Push the chances of states a turn on; all states with a box fewer are done.

    `visits` is float64, one a state; `chances` (masks, O) receives how likely each outcome is.
    """
    turns, count = game.size[2], game.chance.shape[0]
    last, none = game.first[game.size[0]], game.fewer.shape[0]
    decisions = np.empty((turns, count), np.int64)
    likely = np.zeros(none + 1)
    share = 1.0 / game.size[1]
    for index in range(len(masks)):
        mask = masks[index]
        start, end = game.offset[mask], game.offset[mask + 1]
        if visits[start:end].sum() == 0.0:
            continue
        mask_decisions(game, sheet, mask, decisions)
        likely[:] = 0.0
        _copy_row(game.chance, likely[last:none])
        for left in range(turns - 1, -1, -1):
            for roll in range(count):
                choice = decisions[left, roll]
                if choice >= none:
                    chances[index, choice - none] += likely[last + roll]
                else:
                    likely[choice] += likely[last + roll]
                likely[last + roll] = 0.0
            for keep in range(last):
                for face in range(game.size[1]):
                    likely[game.more[keep, face]] += likely[keep] * share
                likely[keep] = 0.0
        first = game.lanes[game.group[mask]]
        codes = game.codes[first : first + end - start]
        states, paid = np.empty(end - start, np.uint64), np.empty(end - start)
        for outcome in range(chances.shape[1]):
            chance = chances[index, outcome]
            if chance > 0.0:
                step(game, mask, codes, outcome, states, paid)
                for lane in range(end - start):
                    visits[states[lane]] += chance * visits[start + lane]
