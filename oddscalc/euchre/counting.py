"""Bids over every possible deal, as positions with weights."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_choices, kernel_deals, kernel_plan
from oddscalc.euchre.deals import Worlds, count_deals, unseen_cards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.plays import OUTCOMES, Odds, Play, Tally, Try, odds_from, tries_of
from oddscalc.euchre.rules import CARDS_IN_HAND
from oddscalc.euchre.sampling import worth_counting
from oddscalc.euchre.tables import in_trumps
from oddscalc.jit import threads

__all__ = ["counted"]

_CHUNK = 1 << 15
_PROBE, _PROBES = 1 << 12, 40  # positions timed at a time, and how often
_LOTS = int(kernel_deals.LOTS)
_ROWS_A_DUMMY = 100_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class _Count:
    """All worlds of one bid, and the tries to play in them."""

    play: Play
    tries: tuple[Try, ...]
    holders: tuple[int, ...]
    worlds: Worlds | None  # None with a dummy: then there are worlds for each dummy

    @property
    def work(self) -> int:
        """Positions to solve, or with a dummy about as many as there will be."""
        if self.worlds is not None:
            return self.worlds.rows * len(self.tries)
        return len(self.dummies()) * self.work_a_dummy

    @property
    def work_a_dummy(self) -> int:
        """Positions for each dummy, roughly."""
        return _ROWS_A_DUMMY * len(self.tries)

    @property
    def total(self) -> int:
        """Worlds to count: ways to deal the cards of those who play, and the dummy."""
        if self.worlds is not None:
            return self.worlds.total
        question = self.play.question
        unseen = unseen_cards(question.game.deck, question.known)
        parties = [CARDS_IN_HAND] * len(self.holders)
        return count_deals(len(unseen), [question.game.dummy, *parties])

    def dummies(self) -> list[tuple[int, ...]]:
        """Return every dummy."""
        question = self.play.question
        unseen = unseen_cards(question.game.deck, question.known)
        return list(combinations(unseen, question.game.dummy))


def counted(
    plays: Sequence[Play],
    seed: int,
    pool: ThreadPoolExecutor,
    progress: Progress | None,
    announce: Callable[[str], None] | None,
) -> list[Odds]:
    """Return what bids are worth over every possible deal.

    `announce` is told beforehand how long that will take, as measured on a part; `progress` of
    positions done and positions in all. The seed draws deals that rule discards out.
    """
    question = plays[0].question
    game = question.game
    counts = [_count(play, seed, pool) for play in plays]
    # Of all bids alike, so a loner's worlds count once for every dummy.
    dummy = [game.dummy] if any(play.merges for play in plays) else []
    total = count_deals(
        len(unseen_cards(game.deck, question.known)),
        [CARDS_IN_HAND] * (game.hands - 1) + dummy,
    )
    if announce and game.hands > 2:
        announce(_estimate(counts, total, pool))
    work, done = sum(count.work for count in counts), 0
    found = []
    for count in counts:
        tallies = np.zeros((len(count.tries), OUTCOMES), np.int64)
        for part, steps in _parts(count, pool):
            tallies += part
            done += steps
            if progress:
                progress(done, work)
        if np.any(tallies.sum(axis=1) != _LOTS * count.total):
            raise ArithmeticError("not every world was counted")
        found.append(_best(count, tallies, total))
    top = max(odds.points for odds in found)
    return [replace(odds, loss=top - odds.points) for odds in found]


def _count(play: Play, seed: int, pool: ThreadPoolExecutor) -> _Count:
    question, game = play.question, play.question.game
    known = question.known
    unseen = unseen_cards(game.deck, known)
    playing = int(play.seating[-1, 0])
    holders = tuple(
        seat for seat in range(game.hands) if seat != question.seat and playing >> seat & 1
    )
    tries = tries_of(play, sees=bool(play.plan[kernel_plan.P_SEES]))
    if game.hands > 2 and len(tries) > 2:
        tries = worth_counting(tries, play.merges, seed, pool)
    worlds = None
    if not play.merges:
        worlds = Worlds.of(
            unseen,
            known,
            play.bid.trump,
            holders,
            game.hands,
            by_aces=play.dealer_decides,
            by_top_trumps=game.defend_alone,
        )
    return _Count(play, tuple(tries), holders, worlds)


def _best(count: _Count, tallies: Tally, total: int) -> Odds:
    play = count.play
    means = tallies @ play.points / tallies.sum(axis=1)
    order = np.argsort(-means, kind="stable")
    odds = odds_from(play, tallies[order[0]], total, exact=True)
    best = count.tries[order[0]]
    if len(order) == 1:
        return odds.choosing(best)
    loss = float(means[order[0]] - means[order[1]])
    return odds.choosing(best, count.tries[order[1]], loss)


def _parts(count: _Count, pool: ThreadPoolExecutor) -> Iterator[tuple[Tally, int]]:
    """Yield the tallies of the parts of a count by try and outcome, and the work in each."""
    if count.worlds is None:
        dummies = count.dummies()
        batches = [dummies[start : start + 16] for start in range(0, len(dummies), 16)]
        tallies = pool.map(lambda some: _with_dummies(count, some), batches)
        for batch, tally in zip(batches, tallies, strict=True):
            yield tally, len(batch) * count.work_a_dummy
        return
    worlds = count.worlds
    if worlds.total <= 0:
        raise ArithmeticError("there is no world")
    starts = range(0, worlds.rows, _CHUNK)
    chunks = [range(start, min(start + _CHUNK, worlds.rows)) for start in starts]
    tallies = pool.map(lambda rows: _tallied(count, rows), chunks)
    for chunk, tally in zip(chunks, tallies, strict=True):
        yield tally, len(chunk) * len(count.tries)


def _tallied(count: _Count, rows: range) -> Tally:
    if count.worlds is None:
        raise ArithmeticError("worlds depend on the dummy")
    deals, weights = count.worlds.deal(rows)
    return _tallies(count.play, [one.five for one in count.tries], deals, weights)


def _tallies(play: Play, fives: Sequence[int], deals: Masks, weights: NDArray[np.int64]) -> Tally:
    """Return six times the worlds (once a lot) by the maker's five and the outcome."""
    lots = play.lots(deals)
    tallies = np.zeros((len(fives), OUTCOMES), np.int64)
    for lot in range(int(lots.max())):
        rows = lots > lot
        some = deals if lot == 0 else deals[rows]
        some[:, -1] = lot
        weight = weights[rows] * (_LOTS // lots[rows])
        for number, five in enumerate(fives):
            # Sums of whole numbers below 2^53 are exact in floats.
            counted = np.bincount(play.outcomes(some, 0, five), weight, OUTCOMES)
            tallies[number] += counted.astype(np.int64)
    return tallies


def _with_dummies(count: _Count, dummies: Sequence[tuple[int, ...]]) -> Tally:
    """Count all worlds of some dummies; for each the best five on average over its worlds."""
    play, question = count.play, count.play.question
    game, trump = question.game, play.bid.trump
    plan = play.plan.copy()
    plan[kernel_plan.P_DUMMY] = 0
    bare = replace(play, plan=plan)
    tallies = np.zeros((len(count.tries), OUTCOMES), np.int64)
    keeps = np.zeros(64, np.uint64)
    for dummy in dummies:
        known = (*question.known, *dummy)
        worlds = Worlds.of(
            unseen_cards(game.deck, known),
            known,
            trump,
            count.holders,
            game.hands,
            by_aces=play.dealer_decides,
            by_top_trumps=game.defend_alone,
        )
        deals, weights = worlds.deal(range(worlds.rows))
        for number, one in enumerate(count.tries):
            pool = one.five | in_trumps(dummy, trump)
            if plan[kernel_plan.P_POOL]:
                pool |= int(plan[kernel_plan.P_UP])
            found = kernel_choices.list_keeps(np.uint64(pool), plan, keeps)
            kept = _tallies(bare, keeps[:found].tolist(), deals, weights)
            tallies[number] += kept[np.argmax(kept @ play.points)]
    return tallies


def _estimate(counts: Sequence[_Count], total: int, pool: ThreadPoolExecutor) -> str:
    """Return how long counting will take, measured on a part of each count."""
    seconds, positions, every = 0.0, 0, True
    for count in counts:
        probes: Sequence[object]
        if count.worlds is None:
            dummies = count.dummies()
            probes = [(dummy,) for dummy in dummies[:: max(1, len(dummies) // _PROBES)]]
            share = len(probes) / len(dummies)
            part: Callable[..., Tally] = _with_dummies
            every = False
        else:
            rows = count.worlds.rows
            positions += rows
            step = max(_PROBE, rows // _PROBES)
            probes = [range(at, min(at + _PROBE, rows)) for at in range(0, rows, step)]
            share = min(1.0, len(probes) * _PROBE / rows)
            part = _tallied
        part(count, probes[0])  # so that compiling is not timed
        start = time.perf_counter()
        list(pool.map(part, [count] * len(probes), probes))
        seconds += (time.perf_counter() - start) / share
    return (
        f"Counting all {total:,} deals"
        + (f" as {positions:,} positions with weights" if every else "")
        + f" takes about {_in_words(seconds)} on {threads()} threads."
    )


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} minutes"
    return f"{seconds / 3600:.1f} hours"
