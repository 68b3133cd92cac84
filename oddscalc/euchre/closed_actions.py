"""A bid or a pass played out closed in the deals of a question, in more and more of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_auction
from oddscalc.euchre.beliefs import kernel_policy_of
from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.closed import closed_outcomes, open_outcomes
from oddscalc.euchre.endings import PASSED_OUT, Ending, Wins, worths_of
from oddscalc.euchre.kernel_policy import ACTIONS
from oddscalc.euchre.likely_deals import LikelyDeals, likely_deals
from oddscalc.euchre.plays import OUTCOMES, Bid, Play, Question, Try, tries_of
from oddscalc.euchre.strata import error_of, weighted_means
from oddscalc.euchre.tables import mask_of

__all__ = ["Made", "Passed", "PlayedOut", "Table"]

_RARE = 1e-4  # a chance that is not followed where every deal is counted

Numbers = NDArray[np.float64]


class Table:
    """The deals of a question.

    Attributes
    ----------
    exact
        Whether they are every possible deal.
    """

    def __init__(
        self,
        question: Question,
        deals: int,
        seed: int,
        policy: BiddingPolicy,
        pool: ThreadPoolExecutor,
    ) -> None:
        self.question, self.policy, self.seed, self.pool = question, policy, seed, pool
        self.tables = kernel_policy_of(policy)
        self.exact = question.game.hands == 2 and not question.game.dummy
        self.dealt: LikelyDeals = likely_deals(question, deals, self.tables, seed, pool)

    def effective(self, deals: int) -> float:
        """Return how many deals of equal weight would be as good as the first ones."""
        weights = self.dealt.weights[:deals]
        return float(weights.sum() ** 2 / (weights**2).sum())

    def means(self, values: Numbers, strata: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
        """Return means of what is known of the first deals, as `strata.weighted_means`."""
        weights = self.dealt.weights
        if self.exact:
            return weights @ values / weights.sum(), np.zeros_like(values)
        return weighted_means(values, strata, weights)


class PlayedOut(ABC):
    """An action, played out in the first deals.

    Attributes
    ----------
    bid
        None if it is a pass.
    endings
        Those that may have come up.
    shares : float64[deals played, endings]
        By deal: the chance of each ending.
    strata : int64[all deals]
        What open hands make of each deal, and after a pass how the bidding ends.
    attempts, runner_up
        The best discard or five cards and the next best; by how many points, and the error.
    """

    bid: Bid | None
    endings: tuple[Ending, ...]
    shares: Numbers
    strata: NDArray[np.int64]
    attempts: tuple[Try, ...] = ()
    runner_up: tuple[float, float] | None = None

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def played(self) -> int:
        """In how many deals it has been played."""
        return len(self.shares)

    def means(self, wins: Wins | None = None) -> tuple[Numbers, Numbers]:
        """Return what it is worth, and what each deal adds to the errors: float64[all, worths].

        That is the asker's points less the mean of the opponents', and with `wins` the chance to
        win the match.
        """
        question = self._table.question
        earned = [ending.earned(question) for ending in self.endings]
        columns = [worths_of(question, earned)]
        if wins is not None:
            columns.append(wins(earned))
        return self._table.means(self.shares @ np.stack(columns, axis=1), self.strata)

    def points(self) -> tuple[float, float]:
        """Return the points alone, and their error."""
        means, added = self.means()
        return float(means[0]), error_of(added[:, 0])

    def chances(self) -> dict[Ending, float]:
        """Return the chance of each ending that has come up."""
        chances, _ = self._table.means(self.shares, self.strata)
        pairs = zip(self.endings, chances, strict=True)
        return {ending: float(chance) for ending, chance in pairs if chance > 0}

    @abstractmethod
    def play_on(self, deals: int) -> None:
        """Play it in so many deals in all."""


class Made(PlayedOut):
    """A bid, with the best discard or five cards of those that open hands favour."""

    def __init__(self, table: Table, bid: Bid, deals: int) -> None:
        super().__init__(table)
        question, self.bid = table.question, bid
        self.endings = tuple(
            Ending(question.seat, question.round, bid.alone, code) for code in range(OUTCOMES)
        )
        play = Play.of(question, bid, seed=table.seed)
        tries = tries_of(play, sees=False)
        solved = [play.outcomes(table.dealt.deals, 0, one.five, table.pool) for one in tries]
        worths = [float(table.dealt.weights @ play.points[outcomes]) for outcomes in solved]
        order = sorted(range(len(tries)), key=lambda place: -worths[place])[:2]
        played = [self._shares(tries[place], range(deals)) for place in order]
        if len(order) > 1:
            (first, by_first), (second, by_second) = (
                table.means(shares @ play.points[:, None], solved[place].astype(np.int64))
                for shares, place in zip(played, order, strict=True)
            )
            loss = float(first[0] - second[0])
            self.runner_up = abs(loss), error_of(by_first[:, 0] - by_second[:, 0])
            if loss < 0:
                order.reverse()
                played.reverse()
        self.shares, self.strata = played[0], solved[order[0]].astype(np.int64)
        self.attempts = tuple(tries[place] for place in order)

    def play_on(self, deals: int) -> None:
        """Play it in so many deals in all, with the best discard."""
        more = self._shares(self.attempts[0], range(self.played, deals))
        self.shares = np.concatenate([self.shares, more])

    def _shares(self, one: Try, deals: range) -> Numbers:
        table = self._table
        outcomes = closed_outcomes(
            one.play,
            table.dealt.deals[deals.start : deals.stop],
            deals.start,
            one.five,
            policy=table.policy,
            pool=table.pool,
        )
        return np.eye(OUTCOMES)[outcomes]


@dataclass(frozen=True)
class _End:
    """One way in which the bidding ends after a pass, and the deals in which it may.

    Attributes
    ----------
    turn, action
        As `kernel_auction.hold_auctions` writes them.
    rows, chances : int64[n], float64[n]
        The numbers of the deals, ascending, and how likely each ends so.
    """

    turn: int
    action: int
    rows: NDArray[np.int64]
    chances: Numbers


class Passed(PlayedOut):
    """A pass; the bidding goes on by the policy."""

    bid = None

    def __init__(self, table: Table, deals: int) -> None:
        super().__init__(table)
        self._all = list(self._ends())
        self._columns: dict[Ending, Numbers] = {}
        self.shares = np.zeros((0, 0))
        dealt = table.dealt.deals
        self.strata = np.zeros(len(dealt), np.int64)
        for end in self._all:
            self.strata[end.rows] = (end.turn * ACTIONS + end.action) * OUTCOMES
            if end.action and not table.exact:
                self.strata[end.rows] += open_outcomes(
                    self._after(end), dealt[end.rows], table.pool
                )
        self.play_on(deals)

    def play_on(self, deals: int) -> None:
        """Play in so many deals in all what the bidding comes to."""
        columns, every = self._columns, len(self._table.dealt)
        for end in self._all:
            for ending, rows, chances in self._outcomes(end, range(self.played, deals)):
                columns.setdefault(ending, np.zeros(every))[rows] += chances
        self.endings = tuple(columns)
        self.shares = np.stack([column[:deals] for column in columns.values()], axis=1)

    def _outcomes(
        self, end: _End, deals: range
    ) -> Iterator[tuple[Ending, NDArray[np.int64], Numbers]]:
        """Yield what becomes of an end of the bidding in some of the deals."""
        table = self._table
        start, stop = np.searchsorted(end.rows, (deals.start, deals.stop))
        rows, chances = end.rows[start:stop], end.chances[start:stop]
        if end.action == 0:
            yield PASSED_OUT, rows, chances
            return
        play = self._after(end)
        outcomes = closed_outcomes(
            play, table.dealt.deals[rows], int(start), policy=table.policy, pool=table.pool
        )
        maker, bid = play.question, play.bid
        for code in np.unique(outcomes):
            same = outcomes == code
            ending = Ending(maker.seat, maker.round, bid.alone, int(code))
            yield ending, rows[same], chances[same]

    def _after(self, end: _End) -> Play:
        question, action = self._table.question, end.action - 1
        bidding_round, seat = divmod(end.turn, question.game.hands)
        asked = replace(question, hand=(), seat=seat, round=1 + bidding_round)
        return Play.of(asked, Bid(action % 4, action > 3), seed=self._table.seed)

    def _ends(self) -> Iterator[_End]:
        table = self._table
        question, deals = table.question, table.dealt.deals
        ups = np.full(len(deals), mask_of([question.up]), np.uint64)
        start = question.seat + (question.round - 1) * question.game.hands + 1
        last = 2 * question.game.hands - 1
        if table.exact:
            chances = np.zeros((len(deals), 2 * question.game.hands, ACTIONS))
            kernel_auction.spread_auctions(deals, ups, start, table.tables, chances)
            chances[chances < _RARE] = 0.0
            chances /= chances.sum(axis=(1, 2), keepdims=True)
        else:
            ends = np.zeros((len(deals), 2), np.int64)
            seed = ~np.uint64(table.seed)
            kernel_auction.hold_auctions(deals, ups, start, 0, seed, table.tables, ends)
            chances = np.zeros((len(deals), 2 * question.game.hands, ACTIONS))
            chances[np.arange(len(deals)), ends[:, 0], ends[:, 1]] = 1.0
        for turn in range(min(start, last), last + 1):
            for action in range(ACTIONS):
                rows = np.flatnonzero(chances[:, turn, action])
                if rows.size:
                    yield _End(turn, action, rows, chances[rows, turn, action])
