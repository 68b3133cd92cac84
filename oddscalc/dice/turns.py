"""One turn looked up with NumPy alone: what may be done with a roll, and what it is worth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.tables import GameArrays

__all__ = ["best_of", "choices", "keep_values", "steps"]

Array = NDArray[Any]

EQUAL = 1e-12  # values closer than this are equal, and the second number decides


def choices(arrays: GameArrays, mask: int) -> tuple[Array, Array]:
    """Return for each roll its row of `outcomes`, and (R, B) which boxes may be chosen."""
    boxes, joker_box = int(arrays.size[3]), int(arrays.size[4])
    rows = np.arange(len(arrays.chance))
    open_boxes = arrays.open[mask]
    if joker_box >= 0 and mask >> joker_box & 1:
        unfilled = np.uint32(~mask & ((1 << boxes) - 1))
        jokers = np.flatnonzero(arrays.joker >= 0)
        case = arrays.joker[jokers] + (arrays.joker_own[jokers] & unfilled == 0)
        for _ in range(2):
            case += arrays.allowed[case] & open_boxes == 0
        rows[jokers] = case
    allowed = arrays.allowed[rows] & open_boxes
    return rows, (allowed[:, None] >> np.arange(boxes, dtype=np.uint32) & 1).astype(bool)


def steps(arrays: GameArrays, mask: int, code: int) -> tuple[Array, Array, Array]:
    """Return the outcomes of the boxes open in a state, the states after them, what they pay."""
    mine = np.flatnonzero(arrays.open[mask] >> arrays.outcome_box & 1)
    after, reached = mask | 1 << arrays.outcome_box[mine], code + arrays.outcome_shift[mine]
    lane = arrays.lane_of[arrays.group[after], reached]
    paid = arrays.outcome_points[mine].copy()
    paid += np.where(code >= arrays.size[5] // 2, arrays.outcome_extra[mine], 0.0)
    for boxes, at_least, points, stride, radix, low in arrays.bonus.tolist():
        completes = (after & boxes == boxes) & (boxes >> arrays.outcome_box[mine] & 1 == 1)
        paid += points * (completes & (reached // stride % radix + low >= at_least))
    return mine, arrays.offset[after] + lane, paid


def keep_values(arrays: GameArrays, rolls: Array, left: int) -> Array:
    """Return what each keep is worth with `left` rolls to come, from the values of last rolls.

    `rolls` is (R, 2): what is maximised, and what decides among equals; so is the result, (K, 2).
    """
    first, faces = arrays.first, int(arrays.size[1])
    keeps = np.zeros((len(arrays.fewer), 2))
    keeps[first[-2] :] = rolls
    for turn in range(left):
        for size in range(len(first) - 3, -1, -1):
            here = slice(first[size], first[size + 1])
            more = keeps.take(arrays.more[here, :faces].T, axis=0)  # quicker than keeps[...]
            keeps[here] = np.add.reduce(more, axis=0) / faces
        for size in range(1, len(first) - 1) if turn < left - 1 else ():
            here = slice(first[size], first[size + 1])
            fewer = keeps.take(arrays.fewer[here].T, axis=0)
            keeps[here] = best_of(np.concatenate([keeps[None, here], fewer]))
    return keeps


def best_of(pairs: Array) -> Array:
    """Return the best pair along the first axis: the second number decides among equals."""
    first, second = pairs[..., 0], pairs[..., 1]
    best = np.empty(pairs.shape[1:])
    first.max(axis=0, out=best[..., 0])
    equal = first >= best[..., 0] - EQUAL
    np.where(equal, second, -np.inf).max(axis=0, out=best[..., 1])
    return best
