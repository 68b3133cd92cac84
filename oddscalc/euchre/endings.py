"""How a hand of Euchre may end, bidding and play, and what that earns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.plays import LEAST_TRICKS, Question
from oddscalc.euchre.rules import CARDS_IN_HAND, TRICKS_TO_MAKE
from oddscalc.euchre.scores import game_sides, points_by_side

__all__ = ["PASSED_OUT", "Ending", "Wins", "worths_of"]

# Takes points by side and returns the asker's chance to win the match after each.
Wins = Callable[[Sequence[tuple[int, ...]]], NDArray[np.float64]]


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


def worths_of(question: Question, earned: Sequence[tuple[int, ...]]) -> NDArray[np.float64]:
    """Return the asker's points less the mean of the opponents', for points by side."""
    sides = game_sides(question.game)
    own = next(n for n, side in enumerate(sides) if question.seat in side)
    points = np.array(earned, np.float64).reshape(-1, len(sides))
    others = np.array([len(side) for n, side in enumerate(sides) if n != own], np.float64)
    mean: NDArray[np.float64] = np.delete(points, own, axis=1) @ others / others.sum()
    worths: NDArray[np.float64] = points[:, own] - mean
    return worths
