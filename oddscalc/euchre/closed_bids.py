"""What bids and a pass are worth when nobody sees a hidden card.

Every action is played out closed in the same deals. What open hands make of many more deals tells
how lucky those deals were: deals are counted as often as their like comes up among all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_auction
from oddscalc.euchre.beliefs import kernel_policy_of
from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.closed import closed_outcomes, open_outcomes
from oddscalc.euchre.kernel_policy import ACTIONS
from oddscalc.euchre.likely_deals import LikelyDeals, likely_deals
from oddscalc.euchre.plays import LEAST_TRICKS, OUTCOMES, Bid, Play, Question, Try, tries_of
from oddscalc.euchre.rules import CARDS_IN_HAND, TRICKS_TO_MAKE
from oddscalc.euchre.scores import game_sides, points_by_side
from oddscalc.euchre.tables import mask_of

__all__ = ["ClosedOdds", "Ending", "Wins", "closed_odds"]

OPEN_DEALS = 10  # as many more deals are solved with open hands
PASS_DEALS = 2  # as many more are played closed after a pass, which may end in many ways
_FIRST_LOOK = 4  # of so many deals one decides between the two best discards

Progress = Callable[[int, int], None]
Numbers = NDArray[np.float64]
Wins = Callable[[Sequence[tuple[int, ...]]], Numbers]
_FEWEST = 10  # deals played closed in a stratum
_RARE = 1e-4  # a chance that is not followed where every deal is counted


@dataclass(frozen=True, slots=True)
class Ending:
    """How a bidding and the play after it may end.

    Attributes
    ----------
    maker, round, alone
        Who made trumps; the seat is None if all passed.
    outcome
        As the kernels code it.
    """

    maker: int | None
    round: int | None
    alone: bool
    outcome: int

    def earned(self, question: Question) -> tuple[int, ...]:
        """Return the points by side, in order from the dealer's left."""
        game = question.game
        if self.maker is None:
            return tuple(0 for _ in points_by_side(game, 0, (0, 0)))
        tricks = LEAST_TRICKS[self.outcome % 4]
        score = game.score(tricks, alone=self.alone, lone_defender=self.outcome >= 4)
        return points_by_side(game, self.maker, score)

    @property
    def result(self) -> str:
        """What became of the makers, in a word."""
        if self.maker is None:
            return "passed out"
        tricks = LEAST_TRICKS[self.outcome % 4]
        if tricks < TRICKS_TO_MAKE:
            return "euchred"
        return "made" if tricks < CARDS_IN_HAND else "march"


PASSED_OUT = Ending(None, None, False, 0)


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


@dataclass(frozen=True)
class _Sample:
    """An action played out.

    Attributes
    ----------
    endings
        Those that came up.
    shares : float64[deals, endings]
        By deal, for the first deals: the chance of each ending.
    strata : int64[all deals]
        What open hands make of each deal, and after a pass how the bidding ends.
    """

    bid: Bid | None
    endings: tuple[Ending, ...]
    shares: Numbers
    strata: NDArray[np.int64]
    attempts: tuple[Try, ...] = ()
    runner_up: tuple[float, float] | None = None


def closed_odds(
    question: Question,
    bids: Sequence[Bid | None],
    deals: int,
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
        How many are played closed, `PASS_DEALS` times as many after a pass. Two-handed all are.
    wins
        Takes points by side and returns the asker's chance to win the match after each.
    """
    table = _Table(question, deals, seed, policy, pool)
    samples = []
    for done, bid in enumerate(bids):
        if progress:
            progress(done, len(bids))
        samples.append(table.passed() if bid is None else table.made(bid))
    return _measured(table, samples, wins)


class _Table:
    """The deals of a question, and what becomes of an action in them."""

    def __init__(
        self,
        question: Question,
        deals: int,
        seed: int,
        policy: BiddingPolicy,
        pool: ThreadPoolExecutor,
    ) -> None:
        self.question, self.policy, self._seed, self._pool = question, policy, seed, pool
        self._tables = kernel_policy_of(policy)
        self.exact = question.game.hands == 2 and not question.game.dummy
        self.dealt: LikelyDeals = likely_deals(
            question, OPEN_DEALS * deals, self._tables, seed, pool
        )
        every = len(self.dealt)
        self.closed = every if self.exact else min(deals, every)
        self.passes = every if self.exact else min(PASS_DEALS * deals, every)

    def effective(self, deals: int) -> float:
        """Return how many deals of equal weight would be as good as the first ones."""
        weights = self.dealt.weights[:deals]
        return float(weights.sum() ** 2 / (weights**2).sum())

    def made(self, bid: Bid) -> _Sample:
        """Play out a bid, with the best discard or five cards of those that open hands favour."""
        question, weights = self.question, self.dealt.weights
        play = Play.of(question, bid, seed=self._seed)
        strata = []
        tries = tries_of(play, sees=False)
        for one in tries:
            outcomes = play.outcomes(self.dealt.deals, 0, one.five, self._pool)
            strata.append(outcomes.astype(np.int64))
        worths = [float(weights @ play.points[outcomes]) for outcomes in strata]
        order = sorted(range(len(tries)), key=lambda place: -worths[place])[:2]
        played = [np.zeros(0, np.uint8) for _ in order]
        runner_up = None
        if len(order) > 1:
            look = self.closed if self.exact else max(2, self.closed // _FIRST_LOOK)
            played = [self._play(play, tries[place], range(look)) for place in order]
            values = [play.points[outcomes].astype(np.float64) for outcomes in played]
            (first, by_first), (second, by_second) = (
                _means(values[n][:, None], strata[place], weights, self.exact)
                for n, place in enumerate(order)
            )
            loss, error = float(first[0] - second[0]), _error(by_first[:, 0] - by_second[:, 0])
            if loss < 0:
                order.reverse()
                played.reverse()
            runner_up = abs(loss), error
        best = tries[order[0]]
        rest = self._play(play, best, range(len(played[0]), self.closed))
        outcomes = np.concatenate([played[0], rest])
        shares = np.zeros((self.closed, OUTCOMES))
        shares[np.arange(self.closed), outcomes] = 1.0
        endings = tuple(
            Ending(question.seat, question.round, bid.alone, code) for code in range(OUTCOMES)
        )
        attempts = tuple(tries[place] for place in order)
        return _Sample(bid, endings, shares, strata[order[0]], attempts, runner_up)

    def _play(self, play: Play, one: Try, rows: range) -> NDArray[np.uint8]:
        return closed_outcomes(
            play,
            self.dealt.deals[rows.start : rows.stop],
            rows.start,
            one.five,
            policy=self.policy,
            pool=self._pool,
        )

    def passed(self) -> _Sample:
        """Pass, and let the bidding go on by the policy."""
        question, dealt = self.question, self.dealt
        strata = np.zeros(len(dealt), np.int64)
        columns: dict[Ending, Numbers] = {}
        for turn, action, rows, chances in self._ends():
            closed = rows < self.passes
            strata[rows] = (turn * ACTIONS + action) * OUTCOMES
            if action == 0:
                place = columns.setdefault(PASSED_OUT, np.zeros(self.passes))
                place[rows[closed]] += chances[closed]
                continue
            maker, bidding_round = turn % question.game.hands, 1 + turn // question.game.hands
            bid = Bid((action - 1) % 4, action > 4)
            asked = replace(question, hand=(), seat=maker, round=bidding_round)
            play = Play.of(asked, bid, seed=self._seed)
            if not self.exact:
                strata[rows] += open_outcomes(play, dealt.deals[rows], self._pool)
            outcomes = closed_outcomes(
                play, dealt.deals[rows[closed]], 0, policy=self.policy, pool=self._pool
            )
            for code in np.unique(outcomes):
                ending = Ending(maker, bidding_round, bid.alone, int(code))
                place = columns.setdefault(ending, np.zeros(self.passes))
                same = outcomes == code
                place[rows[closed][same]] += chances[closed][same]
        return _Sample(None, tuple(columns), np.stack(list(columns.values()), axis=1), strata)

    def _ends(self) -> Iterator[tuple[int, int, NDArray[np.int64], Numbers]]:
        """Yield turn, action (0: all passed), the deals that end so, and with which chance."""
        question, deals = self.question, self.dealt.deals
        ups = np.full(len(deals), mask_of([question.up]), np.uint64)
        start = question.seat + (question.round - 1) * question.game.hands + 1
        last = 2 * question.game.hands - 1
        if self.exact:
            chances = np.zeros((len(deals), 2 * question.game.hands, ACTIONS))
            kernel_auction.spread_auctions(deals, ups, start, self._tables, chances)
            chances[chances < _RARE] = 0.0
            chances /= chances.sum(axis=(1, 2), keepdims=True)
        else:
            ends = np.zeros((len(deals), 2), np.int64)
            seed = ~np.uint64(self._seed)
            kernel_auction.hold_auctions(deals, ups, start, 0, seed, self._tables, ends)
            chances = np.zeros((len(deals), 2 * question.game.hands, ACTIONS))
            chances[np.arange(len(deals)), ends[:, 0], ends[:, 1]] = 1.0
        for turn in range(min(start, last), last + 1):
            for action in range(ACTIONS):
                rows = np.flatnonzero(chances[:, turn, action])
                if rows.size:
                    yield turn, action, rows, chances[rows, turn, action]


def _means(
    values: Numbers, strata: NDArray[np.int64], weights: Numbers, exact: bool
) -> tuple[Numbers, Numbers]:
    """Return weighted means of columns and what each deal adds to their errors.

    Parameters
    ----------
    values : float64[deals, columns]
        Of the first deals.
    strata, weights : int64[all deals], float64[all deals]
        What is known of all deals: the means of strata count as their deals come among all.
    """
    first = weights[: len(values)]
    means = first @ values / first.sum()
    added = np.zeros((len(weights), values.shape[1]))
    if exact:
        return means, added
    strata = _merged(strata, len(values))
    known = strata[: len(values)]
    number = int(strata.max()) + 1
    here = np.bincount(known, first, number)
    inside = np.stack(
        [np.bincount(known, first * column, number) / here for column in values.T], axis=1
    )
    shares = np.bincount(strata, weights, number)
    shares = shares / shares.sum()
    means = shares @ inside
    added[: len(values)] = (shares / here)[known, None] * first[:, None] * (values - inside[known])
    added += (weights / weights.sum())[:, None] * (inside[strata] - means)
    return means, added


def _merged(strata: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Return strata numbered from 0; those with few of the first deals are one with the largest."""
    _, numbers = np.unique(strata, return_inverse=True)
    counts = np.bincount(numbers[:first], minlength=int(numbers.max()) + 1)
    numbers[counts[numbers] < _FEWEST] = int(counts.argmax())
    return np.unique(numbers, return_inverse=True)[1]


def _error(added: Numbers) -> float:
    return sqrt(float(added @ added))


def _measured(table: _Table, samples: Sequence[_Sample], wins: Wins | None) -> list[ClosedOdds]:
    """Return the odds of actions from how they were played out in the same deals."""
    question = table.question
    found: list[ClosedOdds] = []
    errors: list[Numbers] = []
    for sample in samples:
        earned = [ending.earned(question) for ending in sample.endings]
        columns = [_worths(question, earned)]
        if wins is not None:
            columns.append(wins(earned))
        worths = np.stack(columns, axis=1)
        chances, _ = _means(sample.shares, sample.strata, table.dealt.weights, table.exact)
        values = sample.shares @ worths
        means, added = _means(values, sample.strata, table.dealt.weights, table.exact)
        errors.append(added)
        odds = ClosedOdds(
            bid=sample.bid,
            endings={
                ending: float(chance)
                for ending, chance in zip(sample.endings, chances, strict=True)
                if chance > 0
            },
            deals=len(values),
            effective=table.effective(len(values)),
            exact=table.exact,
            points=float(means[0]),
            stderr=_error(added[:, 0]),
        )
        if wins is not None:
            odds = replace(odds, win=float(means[1]), win_stderr=_error(added[:, 1]))
        if sample.attempts:
            best = sample.attempts[0]
            odds = replace(
                odds,
                merges=best.play.merges,
                dealer_decides=best.play.dealer_decides,
                discard=best.discard,
                keep=best.keep,
            )
        if sample.runner_up:
            second = sample.attempts[1]
            odds = replace(
                odds,
                runner_up=second.discard,
                runner_up_keep=second.keep,
                runner_up_loss=sample.runner_up[0],
                runner_up_stderr=sample.runner_up[1],
            )
        found.append(odds)
    most = max(range(len(found)), key=lambda n: found[n].points)
    found = [
        replace(
            odds,
            loss=found[most].points - odds.points,
            loss_stderr=_error(errors[most][:, 0] - added[:, 0]),
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
            win_loss_stderr=_error(errors[most][:, 1] - added[:, 1]),
        )
        for odds, added in zip(found, errors, strict=True)
    ]


def _worths(question: Question, earned: Sequence[tuple[int, ...]]) -> Numbers:
    """Return the asker's points less the mean of the opponents', for points by side."""
    sides = game_sides(question.game)
    own = next(n for n, side in enumerate(sides) if question.seat in side)
    points = np.array(earned, np.float64).reshape(-1, len(sides))
    others = np.array([len(side) for n, side in enumerate(sides) if n != own], np.float64)
    mean: Numbers = np.delete(points, own, axis=1) @ others / others.sum()
    worths: Numbers = points[:, own] - mean
    return worths
