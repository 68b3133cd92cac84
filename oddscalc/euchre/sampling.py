"""Bids over sampled deals, the same for every bid; discards race on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_plan
from oddscalc.euchre.deals import sample_deals, unseen_cards
from oddscalc.euchre.plays import OUTCOMES, Odds, Play, Question, Try, odds_from, tries_of

__all__ = ["Sample", "difference", "sampled", "worth_counting"]

# Deals after which discards are dropped, and how many of them go on.
_STAGES = ((1_000, 3), (5_000, 2))
_CLEARLY_WORSE = 4.0  # standard errors of the difference
_FOR_COUNTING = 10_000  # deals that rule discards out before every deal is counted

Progress = Callable[[int, int], None]


class Sample:
    """The deals that all bids of a question share."""

    def __init__(self, question: Question, merges: bool, seed: int, pool: ThreadPoolExecutor):
        self._question, self._seed, self._pool = question, seed, pool
        game = question.game
        self._unseen = unseen_cards(game.deck, question.known)
        self._holders = [seat for seat in range(game.hands) if seat != question.seat]
        self._dummy = game.dummy if merges else 0
        self._deals = np.zeros((0, game.hands + 2), np.uint64)

    def outcomes(self, attempt: Try, rows: range) -> NDArray[np.uint8]:
        """Return the outcomes of the deals with these numbers."""
        if rows.stop > len(self._deals):
            more = range(len(self._deals), rows.stop)
            seats = self._question.game.hands
            dealt = sample_deals(self._unseen, self._holders, seats, self._dummy, self._seed, more)
            self._deals = np.concatenate([self._deals, dealt])
        deals = self._deals[rows.start : rows.stop]
        return attempt.play.outcomes(deals, rows.start, attempt.five, self._pool)


@dataclass
class Run:
    """A try and its outcomes so far."""

    attempt: Try
    outcomes: NDArray[np.uint8]

    def points(self, deals: int) -> NDArray[np.int64]:
        return self.attempt.play.points[self.outcomes[:deals]]


def difference(better: Run, worse: Run) -> tuple[float, float]:
    """Return the mean difference on the deals of both, and its standard error."""
    deals = min(len(better.outcomes), len(worse.outcomes))
    difference = better.points(deals) - worse.points(deals)
    return float(difference.mean()), _stderr(difference)


def _stderr(points: NDArray[np.int64]) -> float:
    return float(points.std(ddof=1)) / sqrt(len(points))


def _race(sample: Sample, tries: Sequence[Try], deals: int) -> list[Run]:
    """Play the tries on ever more deals, drop the worse ones, and return all, best first."""
    running = [Run(attempt, np.zeros(0, np.uint8)) for attempt in tries]
    dropped: list[Run] = []
    stages = [(stop, left) for stop, left in _STAGES if stop < deals] if len(tries) > 1 else []
    for stop, left in [*stages, (deals, len(tries))]:
        for run in running:
            more = sample.outcomes(run.attempt, range(len(run.outcomes), stop))
            run.outcomes = np.concatenate([run.outcomes, more])
        running.sort(key=lambda run: -float(run.points(stop).mean()))
        # The runner-up is shown, so two go on to the end.
        dropped = running[left:] + dropped
        running = running[:left]
    return running + dropped


def sampled(
    plays: Sequence[Play],
    deals: int,
    seed: int,
    pool: ThreadPoolExecutor,
    progress: Progress | None,
) -> list[Odds]:
    """Return what bids are worth on `deals` common deals; `progress` is told of bids done."""
    merges = any(play.merges for play in plays)
    sample = Sample(plays[0].question, merges, seed, pool)
    best: list[Run] = []
    found: list[Odds] = []
    for done, play in enumerate(plays):
        if progress:
            progress(done, len(plays))
        runs = _race(sample, tries_of(play, sees=bool(play.plan[kernel_plan.P_SEES])), deals)
        tally = np.bincount(runs[0].outcomes, minlength=OUTCOMES)
        odds = odds_from(play, tally, deals, exact=False)
        odds = replace(odds, stderr=_stderr(runs[0].points(deals)))
        if len(runs) > 1:
            loss, error = difference(runs[0], runs[1])
            odds = odds.choosing(runs[0].attempt, runs[1].attempt, loss, error)
        else:
            odds = odds.choosing(runs[0].attempt)
        best.append(runs[0])
        found.append(odds)
    top = best[max(range(len(found)), key=lambda n: found[n].points)]
    for number, run in enumerate(best):
        loss, error = difference(top, run)
        found[number] = replace(found[number], loss=loss, loss_stderr=error)
    return found


def worth_counting(
    tries: Sequence[Try], merges: bool, seed: int, pool: ThreadPoolExecutor
) -> list[Try]:
    """Return the tries that may be the best: all but those clearly worse on sampled deals."""
    sample = Sample(tries[0].play.question, merges, seed, pool)
    runs = [Run(one, sample.outcomes(one, range(_FOR_COUNTING))) for one in tries]
    runs.sort(key=lambda run: -float(run.points(_FOR_COUNTING).mean()))
    losses = [difference(runs[0], run) for run in runs]
    return [
        run.attempt
        for place, (run, (loss, error)) in enumerate(zip(runs, losses, strict=True))
        if place < 2 or loss <= _CLEARLY_WORSE * error
    ]
