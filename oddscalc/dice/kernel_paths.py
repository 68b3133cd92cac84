"""The compiled work of following a strategy: the chance of every way a game may go."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.kernels import (
    LANES,
    TIE,
    all_outcomes,
    best_keeps,
    expect,
    pick_outcomes,
    put_sum,
    score,
    step,
)
from oddscalc.dice.tables import GameArrays
from oddscalc.jit import jit

__all__ = ["push_totals", "renumber", "span_totals", "tally_turn", "turn_chances"]

Array = NDArray[Any]


@jit
def turn_chances(
    game: GameArrays,
    values: Array,
    states: Array,
    runs: Array,
    part: int,
    parts: int,
    chances: Array,
    after: Array,
    paid: Array,
) -> None:
    """Write how likely each outcome of a turn is when the mean is maximised, and what it leads to.

    `states` is int64 (U, 2), mask and code; those of one mask stand together, from ``runs[i]`` to
    ``runs[i + 1]``, and the runs are dealt out to `parts`. `chances`, `after` and `paid` are
    (U, O): the chance, the state that follows, -1 if the outcome never comes, and the points.
    Ties are broken as in the advice.
    """
    turns, size = game.size[2], game.outcome_box.shape[0]
    count, last = game.chance.shape[0], game.first[game.size[0]] * LANES
    worth = (game.fewer.shape[0] + 1) * LANES
    sheets = np.zeros((turns + 1, worth + size * LANES))
    likely, found = np.zeros(worth), np.zeros(size * LANES)
    picks = np.empty((2, count * (game.size[3] + 3)), np.uint16)
    decisions = np.empty((turns, count * LANES), np.int64)
    codes = np.zeros(LANES, np.int64)
    reached, points = np.empty(LANES, np.uint64), np.empty(LANES)
    for run in range(part, len(runs) - 1, parts):
        mask = states[runs[run], 0]
        many = pick_outcomes(game, game.outcomes, mask, picks[0])
        if game.size[6]:
            pick_outcomes(game, game.outcomes_first, mask, picks[1])
        for start in range(runs[run], runs[run + 1], LANES):
            width = min(LANES, runs[run + 1] - start)
            for lane in range(LANES):
                codes[lane] = states[start + (lane if lane < width else 0), 1]
            all_outcomes(game, values, mask, codes, sheets[0, worth:], LANES)
            _decide(game, sheets, worth, picks, many, decisions)
            likely[:] = 0.0
            found[:] = 0.0
            for roll in range(count):
                for lane in range(LANES):
                    likely[last + roll * LANES + lane] = game.chance[roll]
            for turn in range(turns - 1, -1, -1):
                _follow_decisions(game, decisions[turn], likely, found)
            for outcome in range(size):
                if not (game.open[mask] >> game.outcome_box[outcome]) & 1:
                    for lane in range(width):
                        chances[start + lane, outcome], after[start + lane, outcome] = 0.0, -1
                    continue
                step(game, mask, codes, outcome, reached, points)
                for lane in range(width):
                    chance = found[outcome * LANES + lane]
                    chances[start + lane, outcome] = chance
                    after[start + lane, outcome] = reached[lane] if chance > 0.0 else -1
                    paid[start + lane, outcome] = points[lane]


@jit
def _decide(
    game: GameArrays, sheets: Array, worth: int, picks: Array, many: int, decisions: Array
) -> None:
    """Write what is done with each roll by turns left: the keep held, or K and the outcome scored.

    Sheet 0 comes with what the outcomes are worth. It ends with the values of last rolls; sheet t
    with those of rolls that t - 1 rolls may follow, before them what it is worth to hold a keep
    with t rolls left.
    """
    turns, doubled = game.size[2], game.size[6]
    count, last, keeps = game.chance.shape[0], game.first[game.size[0]], game.fewer.shape[0]
    score(sheets[0], worth, LANES, picks[0, : count * many], many, last * LANES)
    for turn in range(1, turns + 1):
        for place in range(worth):
            sheets[turn, place] = sheets[turn - 1, place]
        if turn > 1:
            best_keeps(game, sheets[turn])
        expect(game, sheets[turn])
    held = np.empty(LANES)
    for turn in range(turns):
        first = doubled and turn == turns - 1
        for roll in range(count):
            here = decisions[turn, roll * LANES : (roll + 1) * LANES]
            pick = picks[1 if first else 0, roll * many : (roll + 1) * many]
            scored = _best_picks(sheets[0, worth:], pick, keeps, here)
            if turn == 0:
                continue
            holds = game.holds[game.holds_from[roll] : game.holds_from[roll + 1]]
            held[:] = -np.inf
            for hold in holds:
                for lane in range(LANES):
                    held[lane] = max(held[lane], sheets[turn, np.int64(hold) * LANES + lane])
            for lane in range(LANES):
                if held[lane] > scored[lane] + TIE:  # among equals: score rather than roll
                    here[lane] = -1
            for hold in holds:  # most dice first
                for lane in range(LANES):
                    value = sheets[turn, np.int64(hold) * LANES + lane]
                    if here[lane] < 0 and value >= held[lane] - TIE:
                        here[lane] = hold


@jit
def _best_picks(worth: Array, pick: Array, keeps: int, here: Array) -> Array:
    """Write `keeps` and the best outcome picked, for each lane; return what it is worth."""
    best = np.full(LANES, -np.inf)
    for outcome in pick:
        for lane in range(LANES):
            value = worth[np.int64(outcome) * LANES + lane]
            if value > best[lane]:
                best[lane], here[lane] = value, keeps + np.int64(outcome)
    return best


@jit
def _follow_decisions(game: GameArrays, decisions: Array, likely: Array, found: Array) -> None:
    """Move the chances of rolls to outcomes, or through the keeps held to the next rolls."""
    count, last, keeps = game.chance.shape[0], game.first[game.size[0]], game.fewer.shape[0]
    for place in range(count * LANES):
        chance = likely[last * LANES + place]
        choice, lane = decisions[place], place % LANES
        if choice >= keeps:
            found[(choice - keeps) * LANES + lane] += chance
        else:
            likely[choice * LANES + lane] += chance
        likely[last * LANES + place] = 0.0
    share, lanes = 1.0 / game.size[1], np.uint64(LANES)
    nothing = np.uint64(keeps) * lanes
    for keep in range(np.uint64(last)):
        here = keep * lanes
        put_sum(likely, here, (here, nothing), share)
        for face in range(np.uint64(game.size[1])):
            more = np.uint64(game.more[keep, face]) * lanes
            put_sum(likely, more, (more, here), 1.0)
        put_sum(likely, here, (nothing, nothing), 1.0)


@jit
def renumber(after: Array, number: Array, mark: bool) -> None:
    """Mark the states that follow with 0 in `number`, or put their numbers in their place."""
    for place in range(after.shape[0]):
        for outcome in range(after.shape[1]):
            state = after[place, outcome]
            if state >= 0:
                if mark:
                    number[state] = 0
                else:
                    after[place, outcome] = number[state]


@jit
def tally_turn(
    game: GameArrays,
    values: Array,
    states: Array,
    weights: Array,
    chances: Array,
    after: Array,
    outcomes: Array,
    prices: Array,
    bonuses: Array,
) -> float:
    """Add up how likely each outcome and each bonus is; return the joker's bonus on average.

    `weights` float64 (U,) are the chances of the states themselves. `prices` float64 (O,) gets
    what the states are worth less what follows each outcome but its own points, by its chance.
    """
    joker = 0.0
    for place in range(len(states)):
        mask, code = states[place, 0], states[place, 1]
        here = values[game.offset[mask] + game.lane_of[game.group[mask], code]]
        for outcome in range(chances.shape[1]):
            weight = weights[place] * chances[place, outcome]
            if weight == 0.0:
                continue
            outcomes[outcome] += weight
            price = here - values[after[place, outcome]]
            if game.outcome_extra[outcome] != 0.0 and code >= game.size[5] // 2:
                joker += weight * game.outcome_extra[outcome]
                price -= game.outcome_extra[outcome]
            box = game.outcome_box[outcome]
            for bonus in range(game.bonus.shape[0]):
                boxes = game.bonus[bonus, 0]
                if boxes & (mask | (1 << box)) == boxes and (boxes >> box) & 1:
                    reached = code + game.outcome_shift[outcome]
                    progress = reached // game.bonus[bonus, 3] % game.bonus[bonus, 4]
                    if progress + game.bonus[bonus, 5] >= game.bonus[bonus, 1]:
                        bonuses[bonus] += weight
                        price -= game.bonus[bonus, 2]
            prices[outcome] += weight * price
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
