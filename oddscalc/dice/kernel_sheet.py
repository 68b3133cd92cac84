"""The compiled work of following a sheet: what it says for every roll, and what that is worth.

What a sheet says depends on the boxes that are open and on the lead, not on points; so what is held
for the boxes is found once for a mask, what is filled once for a lead, and followed by its lanes.
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
    "hold_cards",
    "lead_scores",
    "sheet_decisions",
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
    leads: Array  # int64: the lead of each lane, as the codes of the game stand
    swings: Array  # int64 (O,): what an outcome adds to the lead
    settled: int  # stands in both of them where the lead does not matter
    worths: Array  # float64: what the leads from the lowest to the highest are worth
    lead_boxes: int  # the boxes of the lead's bonus, as a mask
    needed: int  # the lead that brings the bonus once they are filled
    prize: float  # the bonus


class TurnRoom(NamedTuple):
    """Room for what a sheet says for a mask, whatever the lead, and for one lead.

    Fills are for rolls that are not the first of the turn, then for those that are.
    """

    picks: Array  # uint16: as `pick_outcomes` writes them
    swayed: Array  # uint16 (2, R, B + 3): the outcomes whose number depends on the lead
    many: Array  # int64 (2, R): how many of them
    steady: Array  # float64 (2, R): the highest number of all other outcomes
    steady_fills: Array  # int64 (2, R): and which it is, or -1
    keeps: Array  # float64 (C,): the numbers of keeps
    held: Array  # float64 (T, R): the highest number of a hold
    holds: Array  # int64 (T, R): and which it is
    scores: Array  # float64 (O,): the number of each outcome at the lead
    numbers: Array  # float64 (2, R): the highest number of an outcome
    fills: Array  # int64 (2, R): and which it is


@jit
def turn_room(game: GameArrays) -> TurnRoom:
    """Return room for a turn."""
    count, most, turns = game.chance.shape[0], game.size[3] + 3, game.size[2]
    return TurnRoom(
        np.empty(count * most, np.uint16),
        np.empty((2, count, most), np.uint16),
        np.zeros((2, count), np.int64),
        np.empty((2, count)),
        np.empty((2, count), np.int64),
        np.empty(game.more.shape[0]),
        np.full((turns, count), -np.inf),
        np.full((turns, count), -1),
        np.empty(game.outcome_box.shape[0]),
        np.empty((2, count)),
        np.empty((2, count), np.int64),
    )


@jit
def _copy_row(source: Array, target: Array) -> None:
    """Copy a row; an assignment of arrays would do so too, and compile for seconds."""
    for place in range(source.shape[0]):
        target[place] = source[place]


@jit
def find_steady(game: GameArrays, sheet: SheetArrays, mask: int, room: TurnRoom) -> None:
    """Find for each roll the best of the outcomes that no lead concerns, and list the others."""
    for first in range(2):
        if first and not game.size[6]:
            _copy_row(room.swayed[0].ravel(), room.swayed[1].ravel())
            _copy_row(room.many[0], room.many[1])
            _copy_row(room.steady[0], room.steady[1])
            _copy_row(room.steady_fills[0], room.steady_fills[1])
            return
        rows = game.outcomes_first if first else game.outcomes
        many = pick_outcomes(game, rows, mask, room.picks)
        for roll in range(game.chance.shape[0]):
            best, fill, listed = -np.inf, np.int64(-1), 0
            for place in range(roll * many, (roll + 1) * many):
                outcome = np.int64(room.picks[place])
                if sheet.swings[outcome] != sheet.settled:
                    room.swayed[first, roll, listed] = outcome
                    listed += 1
                elif sheet.scores[outcome] > best:
                    best, fill = sheet.scores[outcome], outcome
            room.steady[first, roll], room.steady_fills[first, roll] = best, fill
            room.many[first, roll] = listed


@jit
def lead_scores(sheet: SheetArrays, mask: int, lead: int, scores: Array) -> None:
    """Write the numbers of the outcomes that a lead concerns: with what it is worth, and was."""
    half = sheet.worths.shape[0] // 2
    unfilled = sheet.lead_boxes & ~mask
    for outcome in range(scores.shape[0]):
        swing = sheet.swings[outcome]
        if swing == sheet.settled:
            continue
        scores[outcome] = sheet.scores[outcome]
        if lead != sheet.settled:
            then = lead + swing
            if unfilled & (unfilled - 1):
                worth = sheet.worths[half + min(max(then, -half), half)]
            else:
                worth = sheet.prize if then >= sheet.needed else 0.0
            scores[outcome] += worth - sheet.worths[half + min(max(lead, -half), half)]


@jit
def best_fills(game: GameArrays, room: TurnRoom) -> None:
    """Find for each roll the highest number of an outcome, and which it is.

    Of equal numbers that of the upper box.
    """
    for first in range(2):
        for roll in range(game.chance.shape[0]):
            best, fill = room.steady[first, roll], room.steady_fills[first, roll]
            for place in range(room.many[first, roll]):
                outcome = np.int64(room.swayed[first, roll, place])
                number = room.scores[outcome]
                if number > best or (
                    number == best and game.outcome_box[outcome] < game.outcome_box[fill]
                ):
                    best, fill = number, outcome
            room.numbers[first, roll], room.fills[first, roll] = best, fill


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
def best_holds(game: GameArrays, sheet: SheetArrays, mask: int, room: TurnRoom) -> None:
    """Find for each roll the hold with the highest number, by rolls left."""
    none = game.fewer.shape[0]
    for left in range(1, game.size[2]):
        keep_numbers(game, sheet, mask, left, room.keeps)
        for roll in range(game.chance.shape[0]):
            choice = best_choice(game, sheet, roll, room.keeps, -np.inf, 0)
            room.holds[left, roll] = choice
            room.held[left, roll] = room.keeps[choice] if choice < none else -np.inf


@jit
def look_up(game: GameArrays, sheet: SheetArrays, mask: int, room: TurnRoom) -> None:
    """Find all that a sheet says for a mask whatever the lead."""
    find_steady(game, sheet, mask, room)
    best_holds(game, sheet, mask, room)


@jit
def decide(
    game: GameArrays, sheet: SheetArrays, mask: int, lead: int, room: TurnRoom, decisions: Array
) -> None:
    """Write what a sheet says at a lead, after `look_up`.

    `decisions` is int64 (T, R): by rolls left the keep to hold, or K and the outcome to score.
    """
    lead_scores(sheet, mask, lead, room.scores)
    best_fills(game, room)
    turns, none = game.size[2], game.fewer.shape[0]
    for left in range(turns):
        first = 1 if left == turns - 1 else 0
        for roll in range(game.chance.shape[0]):
            if room.held[left, roll] > room.numbers[first, roll]:
                decisions[left, roll] = room.holds[left, roll]
            else:
                decisions[left, roll] = none + room.fills[first, roll]


@jit
def sheet_decisions(
    game: GameArrays, sheet: SheetArrays, mask: int, lead: int, decisions: Array
) -> None:
    """Write what a sheet says for a mask and a lead, as `decide` does."""
    room = turn_room(game)
    look_up(game, sheet, mask, room)
    decide(game, sheet, mask, lead, room, decisions)


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
    decisions = np.empty((LANES, turns, count), np.int64)
    room = turn_room(game)
    for index in range(part, len(masks), parts):
        mask = masks[index]
        width = game.offset[mask + 1] - game.offset[mask]
        padded = (width + LANES - 1) // LANES * LANES
        first = game.lanes[game.group[mask]]
        all_outcomes(game, values, mask, game.codes[first : first + width], worth, padded)
        look_up(game, sheet, mask, room)
        for start in range(0, width, LANES):
            leads = sheet.leads[first + start : first + min(start + LANES, width)]
            alike = leads.min() == leads.max()
            for lane in range(1 if alike else leads.shape[0]):
                decide(game, sheet, mask, leads[lane], room, decisions[lane])
            for left in range(turns):
                if left > 0:
                    expect(game, rows)
                for roll in range(count):
                    here = np.uint64((last + roll) * LANES)
                    if not alike:
                        for lane in range(np.uint64(leads.shape[0])):
                            choice = decisions[lane, left, roll]
                            if choice >= none:
                                source = np.uint64((choice - none) * padded + start)
                                rows[here + lane] = worth[source + lane]
                            else:
                                rows[here + lane] = rows[np.uint64(choice * LANES) + lane]
                        continue
                    choice = decisions[0, left, roll]
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

    numbers: Array  # float64 (M, 2, R): as `best_fills` finds them
    fills: Array  # int64 (M, 2, R)
    held: Array  # float64 (M, T, R): as `best_holds` finds them
    holds: Array  # int64 (M, T, R)
    keeps: Array  # float64 (M, T, C): what each keep is worth by rolls left; nothing for 0


@jit
def hold_cards(
    game: GameArrays, sheet: SheetArrays, masks: Array, cache: TurnCache, part: int, parts: int
) -> None:
    """Write to the cache what is held on the cards ``masks[part::parts]``."""
    room = turn_room(game)
    for card in range(part, len(masks), parts):
        best_holds(game, sheet, masks[card], room)
        _copy_row(room.held.ravel(), cache.held[card].ravel())
        _copy_row(room.holds.ravel(), cache.holds[card].ravel())


@jit
def turn_values(
    game: GameArrays,
    sheet: SheetArrays,
    masks: Array,
    leads: Array,
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

    `masks` (M,) and `leads` (M,) are the cards, `worth` (M, O) what each outcome is worth there.
    What has changed are numbers of outcomes if `since` is 0, else those of holds with so many rolls
    left, on lines that concern the rolls of `concerned`, bool (R,). The cache is written if told.
    """
    turns, count = game.size[2], game.chance.shape[0]
    last, none = game.first[game.size[0]], game.fewer.shape[0]
    rows, keeps = np.zeros(none + 1), np.empty(last)
    room = turn_room(game)
    share = 1.0 / game.size[1]
    for index in range(part, len(places), parts):
        card = places[index]
        numbers, fills = cache.numbers[card], cache.fills[card]
        if since == 0:
            find_steady(game, sheet, masks[card], room)
            lead_scores(sheet, masks[card], leads[card], room.scores)
            best_fills(game, room)
            numbers, fills = room.numbers, room.fills
            if store:
                _copy_row(numbers.ravel(), cache.numbers[card].ravel())
                _copy_row(fills.ravel(), cache.fills[card].ravel())
        else:
            keep_numbers(game, sheet, masks[card], since, keeps)
            _copy_row(cache.keeps[card, since], rows[:last])
        for left in range(since, turns):
            first = 1 if left == turns - 1 else 0
            if left > since:
                for keep in range(last - 1, -1, -1):
                    total = 0.0
                    for column in range(game.more.shape[1]):
                        total += rows[game.more[keep, column]]
                    rows[keep] = total * share
            for roll in range(count):
                held, hold = cache.held[card, left, roll], cache.holds[card, left, roll]
                if left == since and left > 0 and concerned[roll]:
                    hold = best_choice(game, sheet, roll, keeps, -np.inf, 0)
                    held = keeps[hold] if hold < none else -np.inf
                    if store:
                        cache.held[card, left, roll], cache.holds[card, left, roll] = held, hold
                if held > numbers[first, roll]:
                    rows[last + roll] = rows[hold]
                else:
                    rows[last + roll] = worth[card, fills[first, roll]]
            if store:
                _copy_row(rows[:last], cache.keeps[card, left])
        total = 0.0
        for roll in range(count):
            total += game.chance[roll] * rows[last + roll]
        values[index] = total


@jit
def outcome_chances(game: GameArrays, decisions: Array, likely: Array, chances: Array) -> None:
    """Write how likely each outcome of a turn is; `likely` (K + 1,) is room to work in."""
    count, last, none = game.chance.shape[0], game.first[game.size[0]], game.fewer.shape[0]
    share = 1.0 / game.size[1]
    chances[:] = 0.0
    likely[:] = 0.0
    _copy_row(game.chance, likely[last:none])
    for left in range(game.size[2] - 1, -1, -1):
        for roll in range(count):
            choice = decisions[left, roll]
            if choice >= none:
                chances[choice - none] += likely[last + roll]
            else:
                likely[choice] += likely[last + roll]
            likely[last + roll] = 0.0
        for keep in range(last):
            for face in range(game.size[1]):
                likely[game.more[keep, face]] += likely[keep] * share
            likely[keep] = 0.0


@jit
def visit_masks(
    game: GameArrays, sheet: SheetArrays, masks: Array, rare: float, visits: Array
) -> None:
    """Push the chances of states a turn on; all states with a box fewer are done.

    `visits` is float64, one a state; those up to `rare` are taken as none.
    """
    decisions = np.empty((game.size[2], game.chance.shape[0]), np.int64)
    likely = np.zeros(game.fewer.shape[0] + 1)
    chances = np.zeros(game.outcome_box.shape[0])
    room = turn_room(game)
    for mask in masks:
        start, width = game.offset[mask], game.offset[mask + 1] - game.offset[mask]
        if visits[start : start + width].max() <= rare:
            continue
        look_up(game, sheet, mask, room)
        first = game.lanes[game.group[mask]]
        states, paid = np.empty(width, np.uint64), np.empty(width)
        lane = 0
        while lane < width:
            end, likeliest = lane, 0.0
            while end < width and sheet.leads[first + end] == sheet.leads[first + lane]:
                likeliest = max(likeliest, visits[start + end])
                end += 1
            if likeliest > rare:
                decide(game, sheet, mask, sheet.leads[first + lane], room, decisions)
                outcome_chances(game, decisions, likely, chances)
                for outcome in range(chances.shape[0]):
                    if chances[outcome] > 0.0:
                        codes = game.codes[first + lane : first + end]
                        step(game, mask, codes, outcome, states, paid)
                        for place in range(end - lane):
                            visits[states[place]] += chances[outcome] * visits[start + lane + place]
            lane = end
