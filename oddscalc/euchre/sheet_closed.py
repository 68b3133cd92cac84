"""What following a bidding sheet costs when nobody sees a hidden card."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.bid_sheet import PASS, Actions, Cost, Layout, sides_of
from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.closed import closed_outcomes
from oddscalc.euchre.contracts import renamed_game, upcards
from oddscalc.euchre.equilibrium import Chances, answers
from oddscalc.euchre.library import Library
from oddscalc.euchre.plays import Bid, Play, Question
from oddscalc.euchre.turns import bidding_of
from oddscalc.jit import threads

__all__ = ["closed_duplicate"]

Columns = NDArray[np.int64]
Progress = Callable[[int, int], None]


def closed_duplicate(
    library: Library,
    policy: BiddingPolicy,
    layout: Layout,
    actions: Actions,
    seed: int,
    progress: Progress | None = None,
) -> Cost:
    """Return what following a sheet costs a hand, played closed, on deals played twice or more.

    The policy's bids are drawn, the same ones with and without the sheet; only hands that end in
    another contract are played. Nobody is told of the sheet: passes and bids are read as the
    policy's.

    Parameters
    ----------
    seed
        Of the policy's bids.
    """
    game = layout.game
    bidding = bidding_of(library)
    drawn = np.zeros((len(bidding.turns), len(library)), np.int64)
    by_sheet = drawn.copy()

    def look(turn: int, chances: Chances) -> None:
        columns = bidding.turns[turn].columns
        lots = np.random.Generator(np.random.Philox([seed, turn])).random(len(library))
        sums = np.cumsum(chances.reshape(len(library), -1), axis=1, dtype=np.float64)
        place = (sums < lots[:, None] * sums[:, -1:]).sum(axis=1)
        drawn[turn] = columns.ravel()[place]
        cells, steps = layout.looked_at(library.deals, turn)
        done = actions[turn].ravel()[cells].astype(np.int64)
        by_sheet[turn] = np.where(done == PASS, -1, columns[steps + 1, done - 1])

    answers(bidding, policy.worths, policy.temperature, look)

    def ends(side: Collection[int]) -> Columns:
        end = np.full(len(library), -1)
        for turn in reversed(range(len(drawn))):
            column = (by_sheet if turn % game.hands in side else drawn)[turn]
            end = np.where(column >= 0, column, end)
        return end

    sides = sides_of(game)
    base, followed = ends(()), [ends(side) for side in sides]
    asked = {
        (int(deal), int(column))
        for end in followed
        for deal in np.flatnonzero(end != base)
        for column in (base[deal], end[deal])
        if column >= 0
    }
    outcomes = _played(library, policy, sorted(asked, key=lambda one: one[::-1]), progress)
    lost = np.zeros((len(sides), len(library)))
    for place, (side, end) in enumerate(zip(sides, followed, strict=True)):
        for deal in np.flatnonzero(end != base):
            for sign, column in ((1, base[deal]), (-1, end[deal])):
                if column >= 0:
                    code = outcomes[int(deal), int(column)]
                    lost[place, deal] += sign * bidding.points[side[0], column, code]
    each = lost.mean(axis=0)
    return Cost(float(each.mean()), float(each.std(ddof=1) / len(each) ** 0.5), len(each))


def _played(
    library: Library,
    policy: BiddingPolicy,
    asked: list[tuple[int, int]],
    progress: Progress | None,
) -> dict[tuple[int, int], int]:
    """Return the outcome of contracts by deal and column."""
    game = renamed_game(library.contracts.game)
    groups: dict[tuple[int, int], list[int]] = {}
    for deal, column in asked:
        groups.setdefault((int(library.deals[deal, -1]), column), []).append(deal)
    outcomes = {}
    with ThreadPoolExecutor(threads()) as pool:
        for (up, column), deals in groups.items():
            one = library.contracts.every[column]
            play = Play.of(
                Question(game, (), upcards(game)[up], one.maker, one.round),
                Bid(one.trump, one.alone),
                seed=0,
            )
            codes = closed_outcomes(play, library.deals[deals, :-1], 0, policy=policy, pool=pool)
            outcomes |= {(deal, column): int(code) for deal, code in zip(deals, codes, strict=True)}
            if progress:
                progress(len(outcomes), len(asked))
    return outcomes
