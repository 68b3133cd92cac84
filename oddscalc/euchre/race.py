"""The race to the target, worked out backwards from the scores that are nearest to it.

Hands follow each other, the deal moves on to the left, and what a hand earns depends only on who
deals. Seen from the dealer the next hand is the same race with the sides moved up by one, so that
one table over scores in order from the dealer's left, the dealer's side last, holds every dealer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.hand_outcomes import HandOutcomes

__all__ = ["race", "win_after_hand"]

Chances = NDArray[np.float64]
Scores = NDArray[np.int64]


def race(target: int, outcomes: HandOutcomes) -> tuple[Chances, Chances | None]:
    """Return each side's chance of winning from every score, and its standard error.

    Hands with points raise the sum of the score, so that scores with the same sum are worked out
    together. A hand without points moves the deal on at the same score: after one such hand for
    each side the first dealer deals again, and these rounds sum up as a geometric series.

    Returns
    -------
    win, errors : float64[target, ..., target, sides]
        By the points of each side from the dealer's left, the dealer's side last; then by side.
        The errors are those of counting in `outcomes.hands` hands, by the delta method; None if
        the outcomes were not counted.
    """
    sides, chances = outcomes.sides, outcomes.chances
    nothing = (0,) * sides
    idle = chances.get(nothing, 0.0)
    scoring = [points for points in chances if any(points)]
    scores = np.indices((target,) * sides).reshape(sides, -1).T
    sums = scores.sum(axis=1)
    levels = np.split(np.argsort(sums, kind="stable"), np.cumsum(np.bincount(sums))[:-1])
    win = np.zeros((len(scores), sides))
    # The derivative of each chance of winning by the chance of each kind of hand.
    slopes = np.zeros((len(scores), sides, len(chances))) if outcomes.hands else None
    for level in reversed(levels):
        at = scores[level]
        after = {points: win_after_hand(win, at + points, target) for points in scoring}
        win[level] = sum(chances[points] * after[points] for points in scoring)
        _add_idle_hands(win, level, at, idle, target)
        if slopes is not None:
            after[nothing] = _deal_moved(win, at, target)
            slopes[level] = np.stack([after[points] for points in chances], axis=2)
            for points in scoring:
                slopes[level] += chances[points] * _slopes_after(slopes, at + points, target)
            _add_idle_hands(slopes, level, at, idle, target)
    shape = (target,) * sides + (sides,)
    if slopes is None:
        return win.reshape(shape), None
    shares = np.array(list(chances.values()))
    variances = (slopes**2 @ shares - (slopes @ shares) ** 2) / outcomes.hands
    return win.reshape(shape), np.sqrt(variances.clip(min=0.0)).reshape(shape)


def win_after_hand(win: Chances, reached: Scores, target: int) -> Chances:
    """Return each side's chance of winning once a hand has ended.

    Whoever reaches the target wins; of sides that reach it in the same hand the one with more
    points, and equal ones share the win.

    Parameters
    ----------
    win : float64[scores, sides]
        The chances by score, in the order of the flattened table of `race`.
    reached : int64[n, sides]
        Scores after the hand, seen from the dealer of that hand.
    """
    best = reached == reached.max(axis=1, keepdims=True)
    won = best / best.sum(axis=1, keepdims=True)
    ended = reached.max(axis=1) >= target
    return np.where(ended[:, None], won, _deal_moved(win, reached, target))


def _slopes_after(slopes: Chances, reached: Scores, target: int) -> Chances:
    ended = reached.max(axis=1) >= target
    return np.where(ended[:, None, None], 0.0, _deal_moved(slopes, reached, target))


def _deal_moved(values: Chances, scores: Scores, target: int) -> Chances:
    """Return the values of scores when the side at the dealer's left deals, as the old dealer saw.

    What is returned for scores past the target is of no use.
    """
    seen = np.minimum(np.roll(scores, -1, axis=1), target - 1)
    places = np.ravel_multi_index(tuple(seen.T), (target,) * scores.shape[1])
    return np.roll(values[places], 1, axis=1)


def _add_idle_hands(values: Chances, level: Scores, at: Scores, idle: float, target: int) -> None:
    """Add to the values of a level what any number of hands without points before them brings."""
    sides = at.shape[1]
    total = values[level]
    for _ in range(sides - 1):
        values[level] = idle * _deal_moved(values, at, target)
        total += values[level]
    values[level] = total / (1 - idle**sides)
