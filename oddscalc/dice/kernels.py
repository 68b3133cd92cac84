"""The compiled work on dice games: solving states and advising on rolls.

All kernels work on `LANES` states side by side, one vector. A *sheet* is a flat array of rows of
`LANES` numbers: a row for each keep of the lattice, a row that stays 0, then what the outcomes
are worth. Indices are unsigned: signed ones would be checked for counting from the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from oddscalc.dice.tables import GameArrays
from oddscalc.jit import jit

__all__ = [
    "LANES",
    "TIE",
    "advise_states",
    "all_outcomes",
    "best_keeps",
    "expect",
    "pick_outcomes",
    "put_best",
    "put_sum",
    "score",
    "solve_masks",
    "solve_turn",
    "step",
]

Array = NDArray[Any]

LANES = 8
TIE = 1e-9  # values closer than this are equal: rounding in float64 stays far below


def _vector_rows(context: Any, builder: Any, signature: Any, args: Any) -> tuple[Any, list[Any]]:
    """Return the pointer to the row written and the rows read, as vectors of `LANES` numbers."""
    sheet = context.make_array(signature.args[0])(context, builder, value=args[0])
    vector = ir.VectorType(ir.DoubleType(), LANES).as_pointer()

    def pointer(index: Any) -> Any:
        return builder.bitcast(builder.gep(sheet.data, [index]), vector)

    rows = cgutils.unpack_tuple(builder, args[2])
    return pointer(args[1]), [builder.load(pointer(row), align=8) for row in rows]


# Numba cannot know that the row written is none of those read, and so would work number by
# number; these two say it in vectors.
@intrinsic  # type: ignore[untyped-decorator]
def put_best(typing: Any, sheet: Any, here: Any, rows: Any) -> Any:
    """Write the largest numbers of some rows, lane by lane, to the row at `here`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target, vectors = _vector_rows(context, builder, signature, args)
        while len(vectors) > 1:
            a, b = vectors.pop(0), vectors.pop(0)
            vectors.append(builder.select(builder.fcmp_ordered(">", a, b), a, b))
        builder.store(vectors[0], target, align=8)
        return context.get_dummy_value()

    return types.void(sheet, here, rows), generate


@intrinsic  # type: ignore[untyped-decorator]
def put_sum(typing: Any, sheet: Any, here: Any, rows: Any, factor: Any) -> Any:
    """Write the sum of some rows, lane by lane, times a factor to the row at `here`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target, vectors = _vector_rows(context, builder, signature, args)
        while len(vectors) > 1:
            vectors.append(builder.fadd(vectors.pop(0), vectors.pop(0)))
        undefined = ir.Constant(vectors[0].type, ir.Undefined)
        first = builder.insert_element(undefined, args[3], ir.Constant(ir.IntType(32), 0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        factors = builder.shuffle_vector(first, undefined, lanes)
        builder.store(builder.fmul(vectors[0], factors), target, align=8)
        return context.get_dummy_value()

    return types.void(sheet, here, rows, types.float64), generate


@jit
def expect(game: GameArrays, sheet: Array) -> None:
    """From the values of rolls: the value of each smaller keep, its dice being rolled next."""
    lanes, columns = np.uint64(LANES), np.uint64(game.more.shape[1])
    share = 1.0 / game.size[1]
    for down in range(1, game.more.shape[0] + 1):
        keep = np.uint64(game.more.shape[0] - down)
        here = keep * lanes
        rows = _six(game.more, keep, np.uint64(0))
        if columns == np.uint64(6):
            put_sum(sheet, here, rows, share)
        else:
            put_sum(sheet, here, rows, 1.0)
            put_sum(sheet, here, (here, *_six(game.more, keep, np.uint64(6))), share)


@jit
def _six(table: Array, row: Any, start: Any) -> tuple[Any, ...]:
    """Return where the rows named by six entries of a table start."""
    lanes = np.uint64(LANES)
    return (
        table[row, start] * lanes,
        table[row, start + np.uint64(1)] * lanes,
        table[row, start + np.uint64(2)] * lanes,
        table[row, start + np.uint64(3)] * lanes,
        table[row, start + np.uint64(4)] * lanes,
        table[row, start + np.uint64(5)] * lanes,
    )


@jit
def best_keeps(game: GameArrays, sheet: Array) -> None:
    """From the value of each keep: the best value among a keep and all that it contains."""
    lanes = np.uint64(LANES)
    for keep in range(np.uint64(1), np.uint64(game.fewer.shape[0])):
        here = keep * lanes
        a, b, c, d, e, f = _six(game.fewer, keep, np.uint64(0))
        if c == f:  # entries repeat the last one
            put_best(sheet, here, (here, a, b, c))
        else:
            put_best(sheet, here, (here, a, b, c, d, e, f))


@jit
def pick_outcomes(game: GameArrays, outcomes: Array, mask: int, pick: Array) -> int:
    """Write for each roll the outcomes among which a player may choose; return how many.

    The last one is repeated to fill up.
    """
    boxes, joker_box = game.size[3], game.size[4]
    open_boxes = np.uint32(game.open[mask])
    listed = np.empty(boxes + 3, np.uint64)
    many = 0
    for box in range(boxes):
        if (open_boxes >> box) & 1:
            listed[many] = box
            many += 1
    while many % 4:  # `score` takes four at a time
        listed[many] = listed[many - 1]
        many += 1
    width = np.uint64(many)
    for roll in range(np.uint64(game.chance.shape[0])):
        for place in range(width):
            pick[roll * width + place] = outcomes[roll, listed[place]]
    if joker_box < 0 or not (mask >> joker_box) & 1:
        return many
    unfilled = ~np.uint32(mask) & np.uint32((1 << boxes) - 1)
    for roll in range(game.chance.shape[0]):
        row = game.joker[roll]
        if row < 0:
            continue
        if not game.joker_own[roll] & unfilled:
            row += 1
        while not game.allowed[row] & open_boxes:
            row += 1
        choice = open_boxes & game.allowed[row]
        chosen = 0
        for place in range(many):
            if (choice >> listed[place]) & 1:
                chosen = outcomes[row, listed[place]]
        for place in range(many):
            fits = (choice >> listed[place]) & 1
            pick[roll * many + place] = outcomes[row, listed[place]] if fits else chosen
    return many


@jit
def step(
    game: GameArrays, mask: int, codes: Array, outcome: int, states: Array, paid: Array
) -> None:
    """Write the state that an outcome leads to and the points that it pays, for each code."""
    box = game.outcome_box[outcome]
    after = mask | (1 << box)
    there, group = np.uint64(game.offset[after]), np.uint64(game.group[after])
    shift, points = np.uint64(game.outcome_shift[outcome]), game.outcome_points[outcome]
    lanes = np.uint64(codes.shape[0])
    for lane in range(lanes):
        reached = np.uint64(codes[lane]) + shift
        states[lane] = there + np.uint64(game.lane_of[group, reached])
        paid[lane] = points
    if game.outcome_extra[outcome] != 0.0:
        for lane in range(lanes):
            if codes[lane] >= game.size[5] // 2:
                paid[lane] += game.outcome_extra[outcome]
    for bonus in range(game.bonus.shape[0]):
        boxes = game.bonus[bonus, 0]
        if boxes & after == boxes and (boxes >> box) & 1:
            for lane in range(lanes):
                reached = np.uint64(codes[lane]) + shift
                progress = np.int64(reached) // game.bonus[bonus, 3] % game.bonus[bonus, 4]
                if progress + game.bonus[bonus, 5] >= game.bonus[bonus, 1]:
                    paid[lane] += game.bonus[bonus, 2]


@jit
def all_outcomes(
    game: GameArrays, values: Array, mask: int, codes: Array, worth: Array, apart: int
) -> None:
    """Write what each outcome of an open box is worth: its points and all that may come after.

    `codes` are those of the mask's states that are asked for; a state a lane, outcomes `apart`.
    """
    lanes = np.uint64(codes.shape[0])
    states, paid = np.empty(codes.shape[0], np.uint64), np.empty(codes.shape[0])
    for outcome in range(game.outcome_box.shape[0]):
        if (game.open[mask] >> game.outcome_box[outcome]) & 1:
            step(game, mask, codes, outcome, states, paid)
            row = np.uint64(outcome * apart)
            for lane in range(lanes):
                worth[row + lane] = paid[lane] + values[states[lane]]


@jit
def score(sheet: Array, worth: int, step: int, pick: Array, width: int, target: int) -> None:
    """Write for each roll the best of the outcomes picked for it, from the row `target` on.

    Outcomes stand `step` apart, the first one at `worth`.
    """
    start, apart, many = np.uint64(worth), np.uint64(step), np.uint64(width)
    for roll in range(np.uint64(pick.shape[0] // width)):
        here = np.uint64(target) + roll * np.uint64(LANES)
        for place in range(roll * many, (roll + np.uint64(1)) * many, np.uint64(4)):
            a = start + np.uint64(pick[place]) * apart
            b = start + np.uint64(pick[place + np.uint64(1)]) * apart
            c = start + np.uint64(pick[place + np.uint64(2)]) * apart
            d = start + np.uint64(pick[place + np.uint64(3)]) * apart
            if place == roll * many:
                put_best(sheet, here, (a, b, c, d))
            else:
                put_best(sheet, here, (here, a, b, c, d))


@jit
def solve_turn(
    game: GameArrays, sheet: Array, worth: int, step: int, picks: Array, many: int
) -> None:
    """Write to row 0 what a turn is worth, from what its outcomes are worth."""
    turns, doubled = game.size[2], game.size[6]
    last = game.first[game.size[0]] * LANES
    used = game.chance.shape[0] * many
    for turn in range(turns):  # the last roll comes first
        if turn > 0:
            expect(game, sheet)
        # Holding all dice of the first roll means scoring them doubled, or not holding them all.
        if doubled and turn == turns - 1:
            score(sheet, worth, step, picks[1, :used], many, last)
        elif turn == 0:
            score(sheet, worth, step, picks[0, :used], many, last)
        if turn > 0:
            best_keeps(game, sheet)
    expect(game, sheet)


@jit
def solve_masks(game: GameArrays, masks: Array, part: int, parts: int, values: Array) -> None:
    """Solve every state of ``masks[part::parts]``; all masks with a box more are solved.

    `values` is float64, one a state: the expected points still to come at the start of a turn.
    """
    widest = 0
    for index in range(part, len(masks), parts):
        widest = max(widest, game.offset[masks[index] + 1] - game.offset[masks[index]])
    widest = (widest + LANES - 1) // LANES * LANES
    worth = (game.fewer.shape[0] + 1) * LANES
    sheet = np.zeros(worth + game.outcome_box.shape[0] * widest)
    picks = np.empty((2, game.chance.shape[0] * (game.size[3] + 3)), np.uint16)
    for index in range(part, len(masks), parts):
        mask = masks[index]
        width = game.offset[mask + 1] - game.offset[mask]
        padded = (width + LANES - 1) // LANES * LANES
        first = game.lanes[game.group[mask]]
        codes = game.codes[first : first + width]
        all_outcomes(game, values, mask, codes, sheet[worth:], padded)
        many = pick_outcomes(game, game.outcomes, mask, picks[0])
        if game.size[6]:
            pick_outcomes(game, game.outcomes_first, mask, picks[1])
        for start in range(0, width, LANES):
            solve_turn(game, sheet, worth + start, padded, picks, many)
            for lane in range(min(LANES, width - start)):
                values[game.offset[mask] + start + lane] = sheet[lane]


@jit
def advise_states(
    game: GameArrays,
    values: Array,
    states: Array,
    runs: Array,
    first: Array,
    rolls: Array,
    left: Array,
    part: int,
    parts: int,
    answers: Array,
    worth: Array,
) -> None:
    """Answer the questions of some states, `LANES` states at a time.

    `states` is int64 (U, 2), mask and code; those of one mask stand together, from ``runs[i]`` to
    ``runs[i + 1]``, and the runs are dealt out to `parts`. The questions of state u are
    ``first[u]`` to ``first[u + 1]``, each a roll and how many rolls are left. Writes to `answers`,
    int64 (N, 2), the keep held or -1 and the outcome scored or -1, and to `worth` the value,
    float64 (N,).
    """
    turns, count = game.size[2], game.chance.shape[0]
    last = game.first[game.size[0]] * LANES
    outcomes = (game.fewer.shape[0] + 1) * LANES
    sheet = np.zeros(outcomes + game.outcome_box.shape[0] * LANES)
    picks = np.empty((2, count * (game.size[3] + 3)), np.uint16)
    codes = np.zeros(LANES, np.int64)
    for run in range(part, len(runs) - 1, parts):
        mask = states[runs[run], 0]
        many = pick_outcomes(game, game.outcomes, mask, picks[0])
        if game.size[6]:
            pick_outcomes(game, game.outcomes_first, mask, picks[1])
        for start in range(runs[run], runs[run + 1], LANES):
            width = min(LANES, runs[run + 1] - start)
            for lane in range(LANES):
                codes[lane] = states[start + (lane if lane < width else 0), 1]
            all_outcomes(game, values, mask, codes, sheet[outcomes:], LANES)
            score(sheet, outcomes, LANES, picks[0, : count * many], many, last)
            most = 0
            for question in range(first[start], first[start + width]):
                most = max(most, left[question])
            for turn in range(most + 1):
                if turn > 0:
                    expect(game, sheet)
                pick = picks[1 if game.size[6] and turn == turns - 1 else 0]
                for lane in range(width):
                    for question in range(first[start + lane], first[start + lane + 1]):
                        if left[question] == turn:
                            roll = rolls[question]
                            chosen = _best_outcome(sheet[outcomes + lane :], pick, roll, many)
                            hold, value = -1, sheet[outcomes + lane + chosen * LANES]
                            held = _best_value(game, sheet, lane, roll) if turn > 0 else -np.inf
                            if held > value + TIE:  # among equals: score rather than roll
                                hold = _best_hold(game, sheet, lane, roll, held - TIE)
                                value = held
                            answers[question, 0] = hold
                            answers[question, 1] = chosen if hold < 0 else -1
                            worth[question] = value
                if 0 < turn < most:
                    best_keeps(game, sheet)


@jit
def _best_hold(game: GameArrays, sheet: Array, lane: int, roll: int, least: float) -> int:
    """Return the first hold of a roll, most dice first, that is worth at least `least`."""
    for place in range(game.holds_from[roll], game.holds_from[roll + 1]):
        hold = np.int64(game.holds[place])
        if sheet[hold * LANES + lane] >= least:
            return int(hold)
    return -1


@jit
def _best_value(game: GameArrays, sheet: Array, lane: int, roll: int) -> float:
    """Return the highest value among all holds of a roll."""
    best = -np.inf
    for place in range(game.holds_from[roll], game.holds_from[roll + 1]):
        best = max(best, sheet[np.int64(game.holds[place]) * LANES + lane])
    return best


@jit
def _best_outcome(worth: Array, pick: Array, roll: int, many: int) -> int:
    """Return the best of the outcomes picked for a roll; `worth` has them `LANES` apart."""
    best = np.int64(pick[roll * many])
    for place in range(roll * many + 1, (roll + 1) * many):
        other = np.int64(pick[place])
        if worth[other * LANES] > worth[best * LANES]:
            best = other
    return int(best)
