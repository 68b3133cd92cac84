"""The bidding equilibrium: a game with a known one, the normal equations, threads."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from oddscalc.euchre import equilibrium
from oddscalc.euchre.equilibrium import Bidding, Turn

# Two players draw x and y, uniform on [0, 1], and bid in turn. A bidder wins 1 from the other with
# the higher number, else loses 2; if both pass nobody wins. The second bids from 1/2, as 3/4 of the
# hands of the first have passed, those below 1/2 all. Then with x >= 1/2 a pass earns 2 (x - 1/2) -
# (1 - x), just what a bid earns: 3 x - 2; below, a pass loses 1/2, and a bid more. The value is the
# integral of these: -1/4 + 1/8.
CARDS = 120
VALUE = -1 / 8
TEMPERATURE = 0.01


def toy(cards: int = CARDS) -> Bidding:
    x, y = (grid.ravel() for grid in np.meshgrid(np.arange(cards), np.arange(cards)))
    x, y = x[x != y], y[x != y]
    outcomes = np.stack([x > y, y > x], axis=1).astype(np.uint8)
    own = np.array([[-2.0, 1.0], [2.0, -1.0]])
    turns = [Turn(player, np.array([0, 1]), np.array([[-1], [player]])) for player in (0, 1)]

    def entries(turn: int, rows: slice) -> NDArray[np.int32]:
        card = (x, y)[turn][rows] + 1
        shared = np.zeros_like(card)
        return np.stack([np.stack([shared, card], axis=1)] * 2, axis=1).astype(np.int32)

    nothing = np.zeros((2, 2, 1, cards + 1), np.float32)
    sides = np.array([[1.0, -1.0], [-1.0, 1.0]])
    return Bidding(turns, entries, outcomes, np.stack([own, -own]), sides, nothing)


@cache
def settled() -> NDArray[np.float32]:
    return equilibrium.settle(toy(), temperature=TEMPERATURE, ridge=1e-3, sweeps=150)


def passes(turn: int) -> NDArray[np.float64]:
    """Return the chance of a pass by card."""
    game = toy()
    chances = equilibrium.answers(game, settled(), TEMPERATURE).passes[:, turn]
    cards = game.entries(turn, slice(None))[:, 0, 1] - 1
    total = np.bincount(cards, chances, CARDS) / np.bincount(cards, minlength=CARDS)
    return np.asarray(total, np.float64)


def test_a_known_equilibrium_is_found() -> None:
    first, second = passes(0), passes(1)
    half = CARDS // 2
    assert first[: half - 6].min() > 0.99
    assert first.mean() == pytest.approx(0.75, abs=0.02)
    assert second[: half - 6].min() > 0.9
    assert second[half + 6 :].max() < 0.1
    value = equilibrium.answers(toy(), settled(), TEMPERATURE).points[:, 0].mean()
    assert value == pytest.approx(VALUE, abs=0.01)


@pytest.mark.parametrize("player", [0, 1])
def test_nobody_gains_by_leaving_it(player: int) -> None:
    gain = equilibrium.best_response(toy(), toy(), settled(), TEMPERATURE, 1e-3, [player])
    assert 0 <= gain.mean() < 0.01


def test_a_best_response_finds_what_a_bad_policy_gives_away() -> None:
    never = np.zeros_like(settled())
    never[:, 0] = 10.0
    # Against one who always passes the other wins 3 E|y - 2/3|: bids from 2/3 … or less.
    gain = equilibrium.best_response(toy(), toy(), never, TEMPERATURE, 1e-3, [1])
    assert gain.mean() == pytest.approx((1 - 2 / 3) * 0.5, abs=0.01)
