"""The sheet of a game's bidding: fitted over a library of deals, measured over other deals.

In each cell the action is done that brings most against players who bid by the policy, the
partner bidding by the sheet. What a cell's actions bring is the mean over its deals, each counted
as often as the bidding comes so far; cells with few deals lean on what the policy takes the
actions to be worth, those of turns that hardly come on all deals alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.errors import InputError
from oddscalc.euchre.bid_sheet import (
    PASS,
    Actions,
    Auctions,
    Cost,
    Layout,
    Points,
    duplicate,
)
from oddscalc.euchre.bidding import BiddingPolicy, bidding_policy, policy_mark
from oddscalc.euchre.closed import CLOSED_FORM
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.library import STEPS, Library, deal_library
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.euchre.scores import game_sides
from oddscalc.euchre.sheet_closed import closed_duplicate
from oddscalc.euchre.sheet_strategy import BidSheet

__all__ = ["fit", "sheet", "sheet_of"]

DEALS, DUMMY_DEALS = 400_000, 40_000  # half to fit, half to measure
CLOSED_SHARE = 40  # of so many deals one is played closed
FEWEST_DEALS, MOST_DEALS = 2_000, 10_000_000

_FORM = 3  # goes into the fingerprint: raise it when stored sheets would change
_FIRST = 1 << 40  # far from the deals over which policies are found
_PRIOR = 1_000.0  # deals that the policy's own worths count for
_RARE = 1e-3  # of turns that come in fewer deals the policy's worths tell nothing
_ALIKE = 10.0  # and all deals count there, besides by so many times their mean weight
_FLOOR = 0.02  # least weight of an own earlier pass
_ROUNDS = 3

Progress = Callable[[int, int], None]


def fit(auctions: Auctions) -> Actions:
    """Return the best action of every cell: uint8[turns, blocks, trumps, bowers, aces]."""
    turns, size = len(auctions.cells), int(np.prod(auctions.layout.shape))
    actions = np.zeros((turns, size), np.uint8)
    priors = [
        [_means(auctions, turn, worth) for worth in auctions.priors[turn]] for turn in range(turns)
    ]
    for side in game_sides(auctions.layout.game):
        passes = auctions.passes.astype(np.float64)
        for _ in range(_ROUNDS):
            rest = np.zeros(len(auctions))
            for turn in reversed(range(turns)):
                if turn % auctions.layout.game.hands in side:
                    weights = _reached(auctions, passes, turn)
                    worths = _worths(auctions, turn, side[0], rest, weights, priors[turn])
                    actions[turn] = worths.argmax(axis=0)
                    passes[turn] = actions[turn][auctions.cells[turn]] == PASS
                rest = auctions.before(actions, turn, side, side[0], rest)
    return actions.reshape(turns, *auctions.layout.shape)


def _reached(auctions: Auctions, passes: Points, turn: int) -> Points:
    """Return how likely each deal comes to a turn; own passes count for a little at least."""
    hands = auctions.layout.game.hands
    weights = np.ones(len(auctions))
    for earlier in range(turn):
        own = earlier % hands == turn % hands
        weights *= np.maximum(passes[earlier], _FLOOR) if own else passes[earlier]
    return weights


def _means(auctions: Auctions, turn: int, values: NDArray[np.float32]) -> Points:
    size = int(np.prod(auctions.layout.shape))
    cells = auctions.cells[turn]
    return np.bincount(cells, values, size) / np.maximum(np.bincount(cells, minlength=size), 1)


def _worths(
    auctions: Auctions,
    turn: int,
    player: int,
    rest: Points,
    weights: Points,
    priors: list[Points],
) -> Points:
    """Return what a pass, making and going alone are worth in each cell: float64[3, cells]."""
    layout, cells = auctions.layout, auctions.cells[turn]
    size = int(np.prod(layout.shape))
    counted, mean = _PRIOR, float(weights.mean())
    if mean <= _RARE:
        counted, weights = 1e-6 * mean, weights + _ALIKE * mean
    total = np.bincount(cells, weights, size) + counted
    earned = rest, *auctions.points[player, turn, :2]
    worths = np.array(
        [
            (np.bincount(cells, weights * points, size) + counted * prior) / total
            for points, prior in zip(earned, priors, strict=True)
        ]
    )
    if layout.stuck(turn):
        worths[0] = -np.inf
    if not layout.game.alone:
        worths[2] = -np.inf
    return worths


def _tally(auctions: Auctions, tally: Points) -> None:
    """Add what becomes of the suits considered: float64[turns, cells, 10].

    By cell: weights of the four outcomes when made, and when made alone; the squares of the
    weights, and how many deals.
    """
    size = tally.shape[1]
    for turn, cells in enumerate(auctions.cells):
        weights = _reached(auctions, auctions.passes.astype(np.float64), turn)
        for kind, codes in enumerate(auctions.codes[turn]):
            known = codes != CLOSED
            place = 8 * cells[known] + 4 * kind + (codes[known] & 3)
            tally[turn, :, :8] += np.bincount(place, weights[known], 8 * size).reshape(-1, 8)
        tally[turn, :, 8] += np.bincount(cells, weights**2, size)
        tally[turn, :, 9] += np.bincount(cells, minlength=size)


def sheet_of(policy: BiddingPolicy, deals: int, progress: Progress | None = None) -> BidSheet:
    """Return the sheet fitted against a policy, and what it costs, with nothing stored.

    Parameters
    ----------
    deals, progress
        As in `sheet`.
    """
    layout, half = Layout.of(policy.game), deals // 2
    turns, size = 2 * policy.game.hands, int(np.prod(layout.shape))
    tally = np.zeros((turns, size, 10))
    total = deals + half  # closed play takes about half as long as all that is done before

    def look(numbers: range) -> tuple[Library, Auctions]:
        library = _dealt(policy.game, numbers, progress and (lambda done: progress(done, total)))
        auctions = Auctions.of(library, policy, layout)
        _tally(auctions, tally)
        return library, auctions

    actions = fit(look(range(half))[1])
    fresh, auctions = look(range(half, deals))
    cost = duplicate(auctions, actions)
    closed = closed_duplicate(
        fresh.part(slice(max(deals // CLOSED_SHARE, 2))),
        policy,
        actions,
        cost,
        progress and (lambda done, of: progress(deals + half * done // of, total)),
    )
    return BidSheet(policy, layout, actions, tally.reshape(*actions.shape, 10), cost, closed)


def _dealt(game: EuchreGame, numbers: range, progress: Callable[[int], None] | None) -> Library:
    parts = []
    step = STEPS["open"]
    for start in range(0, len(numbers), step):
        part = numbers[start : start + step]
        parts.append(deal_library(game, range(_FIRST + part.start, _FIRST + part.stop)))
        if progress:
            progress(part.stop)
    return Library(
        parts[0].contracts,
        np.concatenate([part.deals for part in parts]),
        np.concatenate([part.outcomes for part in parts]),
    )


def sheet(
    game: EuchreGame | str = "four-handed",
    *,
    policy: BiddingPolicy | None = None,
    deals: int | None = None,
    progress: Progress | None = None,
) -> BidSheet:
    """Return the sheet of a game's bidding: a strategy that fits on pages, and what it costs.

    It is fitted and measured once, and stored.

    Parameters
    ----------
    game
        A game, or the name of a built-in one.
    policy
        How the others bid, and what the sheet is compared with; the game's own unless given.
    deals
        Half of them fit the sheet, the other half tell what it costs; some of these are played
        closed, too.
    progress
        Takes work done and work in all.

    Raises
    ------
    InputError
        If there is no such game, or there cannot be so many deals.
    """
    game = load_game(game) if isinstance(game, str) else game
    if deals is None:
        deals = DUMMY_DEALS if game.dummy else DEALS
    if not FEWEST_DEALS <= deals <= MOST_DEALS:
        raise InputError(
            f"No sheet is fitted over {deals} deals; accepted: {FEWEST_DEALS:,} to {MOST_DEALS:,}."
        )
    policy = bidding_policy(game, progress=progress) if policy is None else policy
    found_by = [policy.deals, policy.seed, policy.sweeps, policy.temperature, policy.closed]
    mark = store.fingerprint("euchre.sheet", _FORM, CLOSED_FORM, policy_mark(game), found_by, deals)

    def build() -> store.Table:
        found = sheet_of(policy, deals, progress)
        about = {"cost": asdict(found.cost), "closed": asdict(found.closed)}
        return store.Table({"actions": found.actions, "tally": found.tally}, about)

    table = store.fetch("euchre-sheet", mark, build)
    costs = [Cost(**table.metadata[name]) for name in ("cost", "closed")]
    return BidSheet(policy, Layout.of(game), table.arrays["actions"], table.arrays["tally"], *costs)
