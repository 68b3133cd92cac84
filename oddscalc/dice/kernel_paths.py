"""The compiled work of following a strategy: the chance of every way a game may go."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.kernels import (
    LANES,
    TIE,
    best_hold,
    best_keeps,
    best_outcome,
    best_value,
    expect,
    load_states,
    step,
)
from oddscalc.dice.tables import GameArrays
from oddscalc.jit import jit

__all__ = ["follow", "push_totals", "span_totals", "tally_turn", "turn_chances"]

Array = NDArray[Any]


@jit
def turn_chances(
    game: GameArrays, values: Array, states: Array, part: int, parts: int, chances: Array
) -> None:
    """Write how likely each outcome of a turn is when the mean is maximised.

    `states` is int64 (U, 2), mask and code; `chances` float64 (U, O). Blocks of `LANES` states
    are dealt out to `parts`; ties are broken as in the advice.
    """
    turns, doubled = game.size[2], game.size[6]
    count, last = game.chance.shape[0], game.first[game.size[0]]
    keeps, share = game.fewer.shape[0], 1.0 / game.size[1]
    # Sheet 0 ends with the values of last rolls; sheet t with those of rolls that t - 1 rolls may
    # follow, and before them what it is worth to hold a keep with t rolls left.
    sheets = np.zeros((turns + 1, (keeps + 1) * LANES))
    outcomes = np.empty((LANES, game.outcome_box.shape[0]))
    picks = np.empty((2, LANES, count * (game.size[3] + 3)), np.uint16)
    many, slot = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    likely = np.empty(keeps)
    blocks = (len(states) + LANES - 1) // LANES
    for block in range(part, blocks, parts):
        start = block * LANES
        width = min(LANES, len(states) - start)
        load_states(game, values, states, start, width, outcomes, picks, many, slot, sheets[0])
        for turn in range(1, turns + 1):
            sheets[turn] = sheets[turn - 1]
            if turn > 1:
                best_keeps(game, sheets[turn])
            expect(game, sheets[turn])
        for lane in range(width):
            found = chances[start + lane]
            found[:] = 0.0
            likely[last:] = game.chance
            for turn in range(turns - 1, -1, -1):
                pick = picks[1 if doubled and turn == turns - 1 else 0, slot[lane]]
                likely[:last] = 0.0
                for roll in range(count):
                    if likely[last + roll] == 0.0:
                        continue
                    chosen = best_outcome(outcomes[lane], pick, roll, many[lane])
                    if doubled and turn == turns - 1:
                        held = best_value(game, sheets[turn], lane, roll)
                    else:
                        held = sheets[turn + 1, (last + roll) * LANES + lane]
                    if turn == 0 or held <= outcomes[lane, chosen] + TIE:
                        found[chosen] += likely[last + roll]
                    else:
                        hold = best_hold(game, sheets[turn], lane, roll, held - TIE)
                        likely[hold] += likely[last + roll]
                likely[last:] = 0.0
                for keep in range(last):
                    if likely[keep] > 0.0:
                        for face in range(game.size[1]):
                            likely[game.more[keep, face]] += likely[keep] * share


@jit
def follow(game: GameArrays, states: Array, chances: Array, after: Array, paid: Array) -> None:
    """Write the state that each outcome leads to, int64 (U, O), -1 if it never comes, and pays."""
    state, points = np.empty(1, np.uint64), np.empty(1)
    for place in range(len(states)):
        for outcome in range(chances.shape[1]):
            after[place, outcome] = -1
            if chances[place, outcome] > 0.0:
                step(game, states[place, 0], states[place, 1:], outcome, state, points)
                after[place, outcome], paid[place, outcome] = state[0], points[0]


@jit
def tally_turn(
    game: GameArrays, states: Array, weights: Array, chances: Array, outcomes: Array, bonuses: Array
) -> float:
    """Add up how likely each outcome and each bonus is; return the joker's bonus on average.

    `weights` float64 (U,) are the chances of the states themselves.
    """
    joker = 0.0
    for place in range(len(states)):
        mask, code = states[place, 0], states[place, 1]
        for outcome in range(chances.shape[1]):
            weight = weights[place] * chances[place, outcome]
            if weight == 0.0:
                continue
            outcomes[outcome] += weight
            if game.outcome_extra[outcome] != 0.0 and code >= game.size[5] // 2:
                joker += weight * game.outcome_extra[outcome]
            box = game.outcome_box[outcome]
            for bonus in range(game.bonus.shape[0]):
                boxes = game.bonus[bonus, 0]
                if boxes & (mask | (1 << box)) == boxes and (boxes >> box) & 1:
                    reached = code + game.outcome_shift[outcome]
                    progress = reached // game.bonus[bonus, 3] % game.bonus[bonus, 4]
                    if progress + game.bonus[bonus, 5] >= game.bonus[bonus, 1]:
                        bonuses[bonus] += weight
    return joker


@jit
def span_totals(
    first: Array, low: Array, after: Array, paid: Array, next_low: Array, next_high: Array
) -> None:
    """Lower and raise the lowest and highest totals so far of the states of the next layer."""
    for place in range(len(low)):
        high = low[place] + first[place + 1] - first[place] - 1
        for outcome in range(after.shape[1]):
            state = after[place, outcome]
            if state >= 0:
                points = np.int64(paid[place, outcome])
                next_low[state] = min(next_low[state], low[place] + points)
                next_high[state] = max(next_high[state], high + points)


@jit
def push_totals(
    chances: Array,
    after: Array,
    paid: Array,
    first: Array,
    low: Array,
    totals: Array,
    next_first: Array,
    next_low: Array,
    next_totals: Array,
    part: int,
    parts: int,
) -> None:
    """Push the chances of totals so far one turn on, to the states numbered `part` of `parts`.

    State u has the chances of totals from ``low[u]`` on at ``totals[first[u]:first[u + 1]]``;
    `after` numbers the states of the next layer, which are laid out in the same way.
    """
    for place in range(len(low)):
        start, many = np.uint64(first[place]), np.uint64(first[place + 1] - first[place])
        for outcome in range(chances.shape[1]):
            state = after[place, outcome]
            if state < 0 or state % parts != part:
                continue
            chance = chances[place, outcome]
            moved = low[place] + np.int64(paid[place, outcome]) - next_low[state]
            there = np.uint64(next_first[state] + moved)
            for total in range(many):
                next_totals[there + total] += chance * totals[start + total]
