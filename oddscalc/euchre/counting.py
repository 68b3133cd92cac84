"""Bids over many deals: sampled with common random numbers, or every possible deal counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernels
from oddscalc.euchre.deals import Worlds, count_deals, sample_deals, unseen_cards
from oddscalc.euchre.notation import JOKER, rank_of, suit_of
from oddscalc.euchre.plays import INNER_DEALS, OUTCOMES, Bid, Play, Question
from oddscalc.euchre.rules import CARDS_IN_HAND
from oddscalc.euchre.tables import in_trumps, mask_of, trump_bit
from oddscalc.jit import threads

__all__ = ["Odds", "odds_of"]

# Deals after which discards are dropped, and how many of them go on.
_STAGES = ((1_000, 3), (5_000, 2))
_CLEARLY_WORSE = 4.0  # standard errors of the difference
_EXACT_RACE = 10_000  # sampled deals that rule discards out before all are counted
_CHUNK = 1 << 15
_PROBE, _PROBES = 1 << 12, 40  # positions timed at a time, and how often
_LOTS = int(kernels.LOTS)
_ROWS_A_DUMMY = 100_000

Progress = Callable[[int, int], None]
Tally = NDArray[np.int64]


@dataclass(frozen=True)
class Odds:
    """What a bid is worth over the deals; `tally` counts them by outcome."""

    bid: Bid
    tally: tuple[int, ...]
    points: float
    stderr: float
    deals: int
    exact: bool
    merges: bool
    dealer_decides: bool
    discard: int | None = None
    runner_up: int | None = None
    runner_up_loss: float | None = None
    runner_up_stderr: float | None = None
    loss: float = 0.0
    loss_stderr: float = 0.0

    @property
    def chances(self) -> tuple[float, float, float]:
        """Chances of fewer than three tricks, of three or four, and of all five."""
        return tuple(part / sum(self.tally) for part in self.parts)  # type: ignore[return-value]

    @property
    def parts(self) -> tuple[int, int, int]:
        """The tally by euchred, made, all five; whoever defended alone."""
        low, some, made, march = (self.tally[n] + self.tally[n + 4] for n in range(4))
        return low + some, made, march

    @property
    def inner(self) -> str:
        """Which deals decided the best five with a dummy."""
        return "all of those deals" if self.exact else f"{INNER_DEALS} other deals"


@dataclass(frozen=True)
class _Try:
    """One way to play a bid: the five cards (trump layout) after the discard, if there is one."""

    play: Play
    five: int
    discard: int | None


def odds_of(
    question: Question,
    bids: Sequence[Bid],
    deals: int,
    *,
    exact: bool = False,
    seed: int = 0,
    dealer_sees: bool = False,
    progress: Progress | None = None,
    announce: Callable[[str], None] | None = None,
) -> list[Odds]:
    """Return the odds of bids, in their order.

    Two-handed bids without a dummy are always counted in full. The work is done with suits
    renamed in one fixed way, so that figures do not depend on their names.
    """
    rename = _renaming(question)
    back = {suit: name for name, suit in enumerate(rename)}
    asked = replace(
        question,
        hand=tuple(sorted(_renamed(card, rename) for card in question.hand)),
        up=_renamed(question.up, rename),
    )
    plays = [
        Play.of(asked, Bid(rename[bid.trump], bid.alone), seed=seed, sees=dealer_sees)
        for bid in bids
    ]
    everything = exact or (asked.game.hands == 2 and not any(play.merges for play in plays))
    with ThreadPoolExecutor(threads()) as pool:
        if everything:
            found = _counted(plays, seed, pool, progress, announce)
        else:
            found = _sampled(plays, deals, seed, pool, progress)
    return [
        replace(
            odds,
            bid=bid,
            discard=None if odds.discard is None else _renamed(odds.discard, back),
            runner_up=None if odds.runner_up is None else _renamed(odds.runner_up, back),
        )
        for bid, odds in zip(bids, found, strict=True)
    ]


def _renaming(question: Question) -> tuple[int, ...]:
    """Return the new name of each suit: of the eight that keep colours together the least."""
    names = [
        (a ^ black, 1 ^ a ^ black, (2 ^ b) ^ black, (3 ^ b) ^ black)
        for black in (0, 2)
        for a in (0, 1)
        for b in (0, 1)
    ]

    def place(rename: tuple[int, ...]) -> tuple[int, int]:
        hand = mask_of(_renamed(card, rename) for card in question.hand)
        return mask_of([_renamed(question.up, rename)]), hand

    return min(names, key=place)


def _renamed(card: int, rename: Sequence[int] | dict[int, int]) -> int:
    return card if card == JOKER else 8 * rename[suit_of(card)] + rank_of(card)


# What the asker may play with


def _tries(play: Play, *, sees: bool) -> list[_Try]:
    """Return the asker's choices; of discards that are alike only the lowest."""
    question, trump = play.question, play.bid.trump
    own = in_trumps(question.hand, trump)
    if not question.takes_up or sees or play.plan[kernels.P_POOL]:
        return [_Try(play, own, None)]
    six = sorted((*question.hand, question.up), key=lambda card: trump_bit(card, trump))
    thrown = [card for card in six if question.game.discard_upcard or card != question.up]
    places = [trump_bit(card, trump) for card in unseen_cards(question.game.deck, six)]
    choices = [
        card
        for card, lower in zip(thrown, [*thrown[1:], None], strict=True)
        if lower is None or not _alike(trump_bit(card, trump), trump_bit(lower, trump), places)
    ]
    # The lowest first: where all are worth the same, that one is shown.
    return [
        _Try(play, in_trumps([other for other in six if other != card], trump), card)
        for card in reversed(choices)
    ]


def _alike(higher: int, lower: int, others: Sequence[int]) -> bool:
    same_suit = higher // 16 == lower // 16
    return same_suit and not any(higher < place < lower for place in others)


# Sampled deals


class _Sample:
    """The deals that all bids of a question share."""

    def __init__(self, question: Question, merges: bool, seed: int, pool: ThreadPoolExecutor):
        self._question, self._seed, self._pool = question, seed, pool
        game = question.game
        self._unseen = unseen_cards(game.deck, (*question.hand, question.up))
        self._holders = [seat for seat in range(game.hands) if seat != question.seat]
        self._dummy = game.dummy if merges else 0
        self._deals = np.zeros((0, game.hands + 2), np.uint64)

    def outcomes(self, attempt: _Try, rows: range) -> NDArray[np.uint8]:
        """Return the outcomes of the deals with these numbers."""
        if rows.stop > len(self._deals):
            more = range(len(self._deals), rows.stop)
            seats = self._question.game.hands
            dealt = sample_deals(self._unseen, self._holders, seats, self._dummy, self._seed, more)
            self._deals = np.concatenate([self._deals, dealt])
        deals = self._deals[rows.start : rows.stop]
        return attempt.play.outcomes(deals, rows.start, attempt.five, self._pool)


@dataclass
class _Run:
    """A try and its outcomes so far."""

    attempt: _Try
    outcomes: NDArray[np.uint8]

    def points(self, deals: int) -> NDArray[np.int64]:
        return self.attempt.play.points[self.outcomes[:deals]]


def _difference(better: _Run, worse: _Run) -> tuple[float, float]:
    """Return the mean difference on the deals of both, and its standard error."""
    deals = min(len(better.outcomes), len(worse.outcomes))
    difference = better.points(deals) - worse.points(deals)
    return float(difference.mean()), _stderr(difference)


def _stderr(points: NDArray[np.int64]) -> float:
    return float(points.std(ddof=1)) / sqrt(len(points))


def _race(sample: _Sample, tries: Sequence[_Try], deals: int) -> list[_Run]:
    """Play the tries on ever more deals, drop the worse ones, and return all, best first."""
    running = [_Run(attempt, np.zeros(0, np.uint8)) for attempt in tries]
    dropped: list[_Run] = []
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


def _sampled(
    plays: Sequence[Play],
    deals: int,
    seed: int,
    pool: ThreadPoolExecutor,
    progress: Progress | None,
) -> list[Odds]:
    merges = any(play.merges for play in plays)
    sample = _Sample(plays[0].question, merges, seed, pool)
    best: list[_Run] = []
    found: list[Odds] = []
    for done, play in enumerate(plays):
        if progress:
            progress(done, len(plays))
        runs = _race(sample, _tries(play, sees=bool(play.plan[kernels.P_SEES])), deals)
        tally = np.bincount(runs[0].outcomes, minlength=OUTCOMES)
        odds = _odds(play, tally, deals, exact=False)
        odds = replace(odds, stderr=_stderr(runs[0].points(deals)))
        if len(runs) > 1:
            loss, error = _difference(runs[0], runs[1])
            odds = replace(
                odds,
                discard=runs[0].attempt.discard,
                runner_up=runs[1].attempt.discard,
                runner_up_loss=loss,
                runner_up_stderr=error,
            )
        elif runs[0].attempt.discard is not None:
            odds = replace(odds, discard=runs[0].attempt.discard)
        best.append(runs[0])
        found.append(odds)
    top = best[max(range(len(found)), key=lambda n: found[n].points)]
    for number, run in enumerate(best):
        loss, error = _difference(top, run)
        found[number] = replace(found[number], loss=loss, loss_stderr=error)
    return found


def _odds(play: Play, tally: Tally, deals: int, *, exact: bool) -> Odds:
    return Odds(
        bid=play.bid,
        tally=tuple(int(number) for number in tally),
        points=int(tally @ play.points) / int(tally.sum()),
        stderr=0.0,
        deals=deals,
        exact=exact,
        merges=play.merges,
        dealer_decides=play.dealer_decides,
    )


# Every possible deal


@dataclass(frozen=True)
class _Count:
    """All worlds of one bid, and the tries to play in them."""

    play: Play
    tries: tuple[_Try, ...]
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
        unseen = unseen_cards(question.game.deck, (*question.hand, question.up))
        parties = [CARDS_IN_HAND] * len(self.holders)
        return count_deals(len(unseen), [question.game.dummy, *parties])

    def dummies(self) -> list[tuple[int, ...]]:
        """Return every dummy."""
        question = self.play.question
        unseen = unseen_cards(question.game.deck, (*question.hand, question.up))
        return list(combinations(unseen, question.game.dummy))


def _counted(
    plays: Sequence[Play],
    seed: int,
    pool: ThreadPoolExecutor,
    progress: Progress | None,
    announce: Callable[[str], None] | None,
) -> list[Odds]:
    question = plays[0].question
    game = question.game
    counts = [_count(play, seed, pool) for play in plays]
    total = count_deals(
        len(unseen_cards(game.deck, (*question.hand, question.up))),
        [CARDS_IN_HAND] * (game.hands - 1),
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
    known = (*question.hand, question.up)
    unseen = unseen_cards(game.deck, known)
    playing = int(play.seating[-1, 0])
    holders = tuple(
        seat for seat in range(game.hands) if seat != question.seat and playing >> seat & 1
    )
    tries = _tries(play, sees=bool(play.plan[kernels.P_SEES]))
    if game.hands > 2 and len(tries) > 2:
        # A discard that is clearly worse on a sample is not counted in full.
        sample = _Sample(question, play.merges, seed, pool)
        runs = [_Run(one, sample.outcomes(one, range(_EXACT_RACE))) for one in tries]
        runs.sort(key=lambda run: -float(run.points(_EXACT_RACE).mean()))
        losses = [_difference(runs[0], run) for run in runs]
        tries = [
            run.attempt
            for place, (run, (loss, error)) in enumerate(zip(runs, losses, strict=True))
            if place < 2 or loss <= _CLEARLY_WORSE * error
        ]
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
    odds = _odds(play, tallies[order[0]], total, exact=True)
    odds = replace(odds, discard=count.tries[order[0]].discard)
    if len(order) > 1:
        odds = replace(
            odds,
            runner_up=count.tries[order[1]].discard,
            runner_up_loss=float(means[order[0]] - means[order[1]]),
            runner_up_stderr=0.0,
        )
    return odds


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


def _tallies(
    play: Play, fives: Sequence[int], deals: kernels.Masks, weights: NDArray[np.int64]
) -> Tally:
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
    plan[kernels.P_DUMMY] = 0
    bare = replace(play, plan=plan)
    tallies = np.zeros((len(count.tries), OUTCOMES), np.int64)
    keeps = np.zeros(64, np.uint64)
    for dummy in dummies:
        known = (*question.hand, question.up, *dummy)
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
            if plan[kernels.P_POOL]:
                pool |= int(plan[kernels.P_UP])
            found = kernels.list_keeps(np.uint64(pool), plan, keeps)
            kept = _tallies(bare, keeps[:found].tolist(), deals, weights)
            tallies[number] += kept[np.argmax(kept @ play.points)]
    return tallies


def _estimate(counts: Sequence[_Count], total: int, pool: ThreadPoolExecutor) -> str:
    """Return how long counting will take, measured on a part of each count."""
    seconds, positions = 0.0, 0
    for count in counts:
        probes: Sequence[object]
        if count.worlds is None:
            dummies = count.dummies()
            probes = [(dummy,) for dummy in dummies[:: max(1, len(dummies) // _PROBES)]]
            share = len(probes) / len(dummies)
            part: Callable[..., Tally] = _with_dummies
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
        + (f" as {positions:,} positions with weights" if positions else "")
        + f" takes about {_in_words(seconds)} on {threads()} threads."
    )


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} minutes"
    return f"{seconds / 3600:.1f} hours"
