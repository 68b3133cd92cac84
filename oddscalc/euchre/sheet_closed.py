"""What following a bidding sheet costs when nobody sees a hidden card."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.bid_sheet import PASS, Actions, Cost, Layout
from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.closed import closed_outcomes
from oddscalc.euchre.contracts import renamed_game, upcards
from oddscalc.euchre.equilibrium import Chances, answers
from oddscalc.euchre.library import Library
from oddscalc.euchre.plays import Bid, Play, Question
from oddscalc.euchre.scores import game_sides
from oddscalc.euchre.turns import bidding_of, plain_shares
from oddscalc.jit import threads

__all__ = ["closed_duplicate"]

Columns = NDArray[np.int64]
Progress = Callable[[int, int], None]


def closed_duplicate(
    library: Library,
    policy: BiddingPolicy,
    actions: Actions,
    known: Cost,
    progress: Progress | None = None,
) -> Cost:
    """Return what following a sheet costs a hand, played closed, on deals played twice or more.

    The policy's bids are drawn, the same ones with and without the sheet; only hands that end in
    another contract are played. Nobody is told of the sheet: passes and bids are read as the
    policy's. What closed play changes is added to the cost with open hands, which more deals tell.

    Parameters
    ----------
    known
        The cost with open hands.
    """
    layout = Layout.of(policy.game)
    game = layout.game
    bidding = bidding_of(library, plain_shares(library))
    drawn = np.zeros((len(bidding.turns), len(library)), np.int64)
    by_sheet = drawn.copy()

    def look(turn: int, chances: Chances) -> None:
        columns = bidding.turns[turn].columns
        lots = np.random.Generator(np.random.Philox(turn)).random(len(library))
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

    sides = game_sides(game)
    base, followed = ends(()), [ends(side) for side in sides]
    asked = sorted(
        {
            (int(column), int(deal))
            for end in followed
            for deal in np.flatnonzero(end != base)
            for column in (base[deal], end[deal])
            if column >= 0
        }
    )
    # By contract and deal, what its closed play brings each player more than open hands.
    more = {}
    played = _played(library, policy, asked, progress)
    for (column, deal), code in zip(asked, played, strict=True):
        points = bidding.points[:, column]
        more[column, deal] = points[:, code] - points[:, library.outcomes[deal, column]]
    lost = np.zeros((len(sides), len(library)))
    for place, (side, end) in enumerate(zip(sides, followed, strict=True)):
        for deal in np.flatnonzero(end != base).tolist():
            for sign, column in ((1, int(base[deal])), (-1, int(end[deal]))):
                if column >= 0:
                    lost[place, deal] += sign * more[column, deal][side[0]]
    each = lost.mean(axis=0)
    stderr = (float(each.var(ddof=1)) / len(each) + known.stderr**2) ** 0.5
    return Cost(known.points + float(each.mean()), stderr, len(each))


def _played(
    library: Library,
    policy: BiddingPolicy,
    asked: list[tuple[int, int]],
    progress: Progress | None,
) -> list[int]:
    """Return the outcomes of contracts, asked for by column and deal in order."""
    game = renamed_game(library.contracts.game)
    policy = replace(policy, game=game)
    ups = library.deals[:, -1]
    groups: dict[tuple[int, int], list[int]] = {}
    for place, (column, deal) in enumerate(asked):
        groups.setdefault((column, int(ups[deal])), []).append(place)
    outcomes = np.zeros(len(asked), np.uint8)
    done = 0
    with ThreadPoolExecutor(threads()) as pool:
        for (column, up), places in groups.items():
            one = library.contracts.every[column]
            play = Play.of(
                Question(game, (), upcards(game)[up], one.maker, one.round),
                Bid(one.trump, one.alone),
                seed=column,
            )
            deals = library.deals[[asked[place][1] for place in places], :-1]
            outcomes[places] = closed_outcomes(
                play, np.ascontiguousarray(deals), 0, policy=policy, pool=pool
            )
            done += len(places)
            if progress:
                progress(done, len(asked))
    return outcomes.tolist()
