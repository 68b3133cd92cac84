"""What bids and a pass are worth when nobody sees a hidden card.

Every action is played out closed in the same deals, in as many of them as its error takes. What
open hands make of many more deals tells how lucky those deals were: see `strata`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.closed_actions import Made, Passed, PlayedOut, Table
from oddscalc.euchre.endings import Ending, Wins
from oddscalc.euchre.plays import Bid, Question
from oddscalc.euchre.strata import error_of

__all__ = ["ClosedOdds", "closed_odds"]

STDERR = 0.02  # points: an action is played closed in as many deals as that takes
BEHIND = 10  # an error of so small a part of what an action is behind the best will do, too
FEWEST_DEALS, MOST_DEALS = 500, 5_000  # played closed
OPEN_DEALS, DUMMY_DEALS = 20_000, 12_000  # solved with open hands; with a dummy that takes long
_OPEN_SHARE = 10  # as many more than are played closed, if that number is given
_FIRST_LOOK = 4  # of so many deals one decides between the two best discards
_STEP = 50  # deals more than the error seems to take, as few of them tell it somewhat wrong

Progress = Callable[[int, int], None]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class ClosedOdds:
    """What an action is worth when nobody sees a hidden card; `bid` is None for a pass.

    Attributes
    ----------
    endings
        The chance of each ending.
    deals, effective
        How many were played; how many of equal weight would be as good.
    points, stderr, loss, loss_stderr
        The asker's points less the mean of the opponents', and how far behind the best action.
    win, win_stderr, win_loss, win_loss_stderr
        The same of the chance to win the match, if it was asked for.
    """

    bid: Bid | None
    endings: dict[Ending, float]
    deals: int
    effective: float
    exact: bool
    points: float
    stderr: float
    loss: float = 0.0
    loss_stderr: float = 0.0
    win: float | None = None
    win_stderr: float | None = None
    win_loss: float | None = None
    win_loss_stderr: float | None = None
    merges: bool = False
    dealer_decides: bool = False
    discard: int | None = None
    keep: tuple[int, ...] | None = None
    runner_up: int | None = None
    runner_up_keep: tuple[int, ...] | None = None
    runner_up_loss: float | None = None
    runner_up_stderr: float | None = None

    @property
    def chances(self) -> tuple[float, float, float]:
        """Chances of fewer than three tricks, of three or four, and of all five."""
        euchred, made, march = (
            sum(chance for ending, chance in self.endings.items() if ending.result == result)
            for result in ("euchred", "made", "march")
        )
        return euchred, made, march


def closed_odds(
    question: Question,
    bids: Sequence[Bid | None],
    deals: int | None,
    seed: int,
    policy: BiddingPolicy,
    wins: Wins | None,
    pool: ThreadPoolExecutor,
    progress: Progress | None = None,
) -> list[ClosedOdds]:
    """Return what actions are worth, in their order.

    Parameters
    ----------
    bids
        None stands for a pass.
    deals
        How many are played closed. Unless given, as many as a standard error of `STDERR` takes,
        `FEWEST_DEALS` to `MOST_DEALS`; fewer for an action that is clearly behind, where only
        points are asked for. Two-handed all are.
    wins
        Takes points by side and returns the asker's chance to win the match after each.
    """
    drawn = DUMMY_DEALS if question.game.dummy else OPEN_DEALS
    if deals is not None:
        drawn = _OPEN_SHARE * deals
    table = Table(question, drawn, seed, policy, pool)
    first, most = FEWEST_DEALS, MOST_DEALS
    if deals is not None:
        first, most = max(2, deals // _FIRST_LOOK), deals
    every = len(table.dealt)
    first, most = every if table.exact else min(first, every), min(most, every)
    actions: list[PlayedOut] = []
    for bid in bids:
        if progress:
            progress(len(actions), 2 * len(bids))
        actions.append(Passed(table, first) if bid is None else Made(table, bid, first))
    while True:
        wanted = [most] * len(actions)
        if deals is None:
            wanted = [min(most, many) for many in _by_error(actions, clearly=wins is None)]
        left = [pair for pair in zip(actions, wanted, strict=True) if pair[1] > pair[0].played]
        if not left:
            return _measured(table, actions, wins)
        for done, (action, many) in enumerate(left):
            if progress:
                progress(2 * len(bids) - len(left) + done, 2 * len(bids))
            action.play_on(many)


def _by_error(actions: Sequence[PlayedOut], *, clearly: bool) -> list[int]:
    """Return in how many deals each action is to be played, given those played so far."""
    worths = [action.points() for action in actions]
    best = max(points for points, _ in worths)
    wanted = []
    for action, (points, error) in zip(actions, worths, strict=True):
        allowed = max(STDERR, (best - points) / BEHIND if clearly else 0.0)
        many = action.played
        if error > allowed:
            many = min(ceil(many * (error / allowed) ** 2) + _STEP, 2 * many)
        wanted.append(many)
    return wanted


def _measured(table: Table, actions: Sequence[PlayedOut], wins: Wins | None) -> list[ClosedOdds]:
    """Return the odds of actions from how they were played out in the same deals."""
    found: list[ClosedOdds] = []
    errors: list[Numbers] = []
    for action in actions:
        means, added = action.means(wins)
        errors.append(added)
        odds = ClosedOdds(
            bid=action.bid,
            endings=action.chances(),
            deals=action.played,
            effective=table.effective(action.played),
            exact=table.exact,
            points=float(means[0]),
            stderr=error_of(added[:, 0]),
        )
        if wins is not None:
            odds = replace(odds, win=float(means[1]), win_stderr=error_of(added[:, 1]))
        if action.attempts:
            best = action.attempts[0]
            odds = replace(
                odds,
                merges=best.play.merges,
                dealer_decides=best.play.dealer_decides,
                discard=best.discard,
                keep=best.keep,
            )
        if action.runner_up:
            second = action.attempts[1]
            odds = replace(
                odds,
                runner_up=second.discard,
                runner_up_keep=second.keep,
                runner_up_loss=action.runner_up[0],
                runner_up_stderr=action.runner_up[1],
            )
        found.append(odds)
    most = max(range(len(found)), key=lambda n: found[n].points)
    found = [
        replace(
            odds,
            loss=found[most].points - odds.points,
            loss_stderr=error_of(errors[most][:, 0] - added[:, 0]),
        )
        for odds, added in zip(found, errors, strict=True)
    ]
    if wins is None:
        return found
    most = max(range(len(found)), key=lambda n: found[n].win or 0.0)
    return [
        replace(
            odds,
            win_loss=(found[most].win or 0.0) - (odds.win or 0.0),
            win_loss_stderr=error_of(errors[most][:, 1] - added[:, 1]),
        )
        for odds, added in zip(found, errors, strict=True)
    ]
