"""Whole games, played by the advice and scored by the oracle, earn what was solved."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from oddscalc import dice
from tests.oracle import dice as oracle


def play(game: dice.DiceGame, games: int, seed: int) -> NDArray[np.float64]:
    """Return the final totals of seeded games, all played turn by turn side by side."""
    score = cache(lambda *args: oracle.scores(game, *args[:2], first_roll=args[2], joker=args[3]))
    generator = np.random.default_rng(seed)
    filled, total = np.zeros(games, np.int64), np.zeros(games)
    sums = {bonus.name: np.zeros(games, np.int64) for bonus in game.bonuses}
    made = np.zeros(games, bool)
    joker_box = game.box_index(game.joker.box) if game.joker else -1
    for _ in game.boxes:
        state: dict[str, Any] = {"filled": filled, "progress": sums, "joker_made": made}
        rolls, box, left = _play_turn(game, generator, games, state)
        joker = (rolls == rolls[:, :1]).all(axis=1) & (filled >> max(joker_box, 0) & 1 == 1)
        joker &= game.joker is not None
        # Forced: full value where the box of the face is filled, else that box as it lies.
        full = joker & (filled >> (rolls[:, 0] - 1) & 1 == 1)
        points = np.array(
            [
                score(game.boxes[b].name, tuple(roll), bool(first), bool(j))
                for b, roll, first, j in zip(
                    box.tolist(), rolls.tolist(), left == game.rolls - 1, full, strict=True
                )
            ]
        )
        total += points
        if game.joker:
            total += np.where(joker & made, game.joker.bonus, 0)
            made |= (box == joker_box) & (points > 0)
        filled |= 1 << box
        for bonus in game.bonuses:
            inside = np.array([b.name in bonus.boxes for b in game.boxes])[box]
            sums[bonus.name] += np.where(inside, points, 0)
    for bonus in game.bonuses:
        total += np.where(sums[bonus.name] >= bonus.at_least, bonus.points, 0)
    return total


def _play_turn(
    game: dice.DiceGame, generator: np.random.Generator, games: int, state: dict[str, Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the final rolls, the boxes they are scored in, and how many rolls were left."""
    rolls = np.sort(generator.integers(1, 7, (games, game.dice)), axis=1)
    box, left_at = np.full(games, -1), np.full(games, -1)
    for left in range(game.rolls - 1, -1, -1):
        answers = dice.advise_many(rolls, game=game, rolls_left=left, **state)
        stop = (answers.box >= 0) & (box < 0)
        box, left_at = np.where(stop, answers.box, box), np.where(stop, left, left_at)
        held = answers.hold.astype(np.int64)
        again = np.where(held > 0, held, generator.integers(1, 7, held.shape))
        rolls = np.where((box >= 0)[:, None], rolls, np.sort(again, axis=1))
    return rolls, box, left_at


@pytest.mark.parametrize("name", ["poker-dice", "poker-dice-short", "yahtzee", "yatzy"])
def test_games_earn_the_solved_value(name: str) -> None:
    totals = play(dice.load_game(name), 20_000, seed=2026)
    stderr = totals.std() / math.sqrt(len(totals))
    assert totals.mean() == pytest.approx(dice.solve(name).value, abs=4 * stderr, rel=0)
