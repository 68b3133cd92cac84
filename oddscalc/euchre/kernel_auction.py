"""Biddings held by a policy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import Policy
from oddscalc.euchre.kernel_bits import ONE, Masks, U
from oddscalc.euchre.kernel_deals import random_word
from oddscalc.euchre.kernel_policy import ACTIONS, FEATURES, OPTIONS, bid_chances
from oddscalc.jit import jit


@jit
def weigh_passes(
    deals: Masks,
    ups: Masks,
    before: Any,
    skipped: Any,
    policy: Policy,
    weights: NDArray[np.float64],
) -> None:
    """Write for each deal the chance that every turn before one was a pass.

    Parameters
    ----------
    deals : uint64[deals, seats + 2 or more]
        Hands by seat, plain layout.
    ups : uint64[deals]
    before
        Number of the turn: the seats of round one, then those of round two.
    skipped
        A seat whose passes are certain: who asks has passed.
    weights : float64[deals]
    """
    entries = np.zeros((OPTIONS, FEATURES), np.int32)
    chances = np.zeros(ACTIONS, np.float64)
    seats = policy.form[0]
    for row in range(deals.shape[0]):
        weight = 1.0
        for turn in range(before):
            seat = turn % seats
            if seat != skipped:
                weight *= bid_chances(
                    deals[U(row), U(seat)], ups[row], seat, 1 + turn // seats, policy.form,
                    policy.worths, policy.sharpness, entries, chances,
                )  # fmt: skip
        weights[row] = weight


@jit
def hold_auctions(
    deals: Masks,
    ups: Masks,
    start: Any,
    first: Any,
    seed: Any,
    policy: Policy,
    ends: NDArray[np.int64],
) -> None:
    """Let players bid from a turn on, and write how each bidding ends.

    Parameters
    ----------
    deals, ups
        As in `weigh_passes`.
    start
        Number of the turn that bids first.
    first : number of the first row's deal
    ends : int64[deals, 2]
        Written: the turn that bid and its action (`kernel_policy.ACTIONS`); the last turn and 0 if
        all passed.
    """
    entries = np.zeros((OPTIONS, FEATURES), np.int32)
    chances = np.zeros(ACTIONS, np.float64)
    seats = policy.form[0]
    for row in range(deals.shape[0]):
        word = random_word(seed ^ random_word(U(first) + U(row)))
        ends[row, 0], ends[row, 1] = 2 * seats - 1, 0
        for turn in range(start, 2 * seats):
            seat = turn % seats
            passes = bid_chances(
                deals[U(row), U(seat)], ups[row], seat, 1 + turn // seats, policy.form,
                policy.worths, policy.sharpness, entries, chances,
            )  # fmt: skip
            word += ONE
            draw = (random_word(word) >> U(11)) * (1.0 / (1 << 53)) - passes
            if draw < 0.0:
                continue
            action = 0
            for other in range(1, ACTIONS):
                if chances[other] > 0.0 and (draw >= 0.0 or action == 0):
                    draw -= chances[other]
                    action = other
            ends[row, 0], ends[row, 1] = turn, action
            break


@jit
def spread_auctions(
    deals: Masks, ups: Masks, start: Any, policy: Policy, chances: NDArray[np.float64]
) -> None:
    """Write how likely each ending of the biddings is; arguments as in `hold_auctions`.

    Parameters
    ----------
    chances : float64[deals, turns, ACTIONS]
        Written: the chance of each action at each turn from `start` on, and at the last turn,
        action 0, that all pass.
    """
    entries = np.zeros((OPTIONS, FEATURES), np.int32)
    found = np.zeros(ACTIONS, np.float64)
    seats = policy.form[0]
    for row in range(deals.shape[0]):
        rest = 1.0
        for turn in range(start, 2 * seats):
            seat = turn % seats
            bid_chances(
                deals[U(row), U(seat)], ups[row], seat, 1 + turn // seats, policy.form,
                policy.worths, policy.sharpness, entries, found,
            )  # fmt: skip
            for action in range(1, ACTIONS):
                chances[row, turn, action] = rest * found[action]
            rest *= found[0]
        chances[row, 2 * seats - 1, 0] = rest
