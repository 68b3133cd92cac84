"""The stake of poker dice with points: each wins or pays the difference to the mean of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from oddscalc.dice.distribution import FIELDS, Outcomes, Totals, bar_columns, outcomes
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.solver import Progress
from oddscalc.errors import InputError
from oddscalc.results import Column, Result

__all__ = ["Settlement", "settle"]

FEWEST, MOST = 2, 8


@dataclass(frozen=True)
class Settlement(Result):
    """The distribution of the amount that a player wins, or below 0 pays; exact.

    Attributes
    ----------
    amounts
        The distribution of the amount times the number of players, a whole number.
    """

    schema: ClassVar[str] = "oddscalc.dice.settle/1"
    shown: ClassVar[int] = 24

    game: DiceGame
    players: int
    amounts: Totals

    @property
    def mean(self) -> float:
        """The mean amount."""
        return self.amounts.mean / self.players

    @property
    def sd(self) -> float:
        """The standard deviation of the amount."""
        return self.amounts.sd / self.players

    def to_dict(self) -> dict[str, Any]:
        """Return the distribution with its summaries."""
        return {
            "game": self.game.name,
            "players": self.players,
            "method": "exact",
            "mean": round(self.mean, 9) + 0.0,
            "sd": self.sd,
            "min": self.amounts.low / self.players,
            "max": self.amounts.high / self.players,
            "amounts": self.records(),
        }

    def headline(self) -> str:
        """Return the spread as a sentence."""
        return (
            f"{self.game.title}, {self.players} players: the amount won has mean 0 and standard "
            f"deviation {self.sd:.2f}."
        )

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return bar_columns("Amount", "amount")

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars: those of the table without its bars."""
        return "amount", *FIELDS[1:]

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each amount that has a chance."""
        low, reached = self.amounts.low, self.amounts.reached
        return [
            {"amount": (low + i) / self.players, "chance": float(p), "at_least": float(q)}
            for i, (p, q) in enumerate(zip(self.amounts.chances, reached, strict=True))
            if p > 0
        ]

    def view(self, limit: int | None) -> list[dict[str, Any]]:
        """Return about twenty rows of amounts drawn together, with bars; or all if not limited."""
        if limit is None:
            return [{**row, "bar": ""} for row in self.records()]
        return [{**row, "amount": row["total"]} for row in self.amounts.bins(self.players)]

    def curve(self) -> tuple[list[float], list[float]]:
        """Return the amounts, from whole points to less than the next, and their chances."""
        low, high = self.amounts.low // self.players, self.amounts.high // self.players
        edges = np.arange(low, high + 1) * self.players - self.amounts.low
        sums = np.add.reduceat(self.amounts.chances, edges.clip(min=0))
        return [float(n) for n in range(low, high + 1)], sums.tolist()

    def notes(self) -> list[str]:
        """Say why everybody maximises the mean, and how the chances were obtained."""
        return [
            "The amount is the own total less the mean of all totals: it rises by the same for "
            "each point of one's own, so that maximising the expected total is the best play for "
            "it, whatever the others do.",
            "Exact, all players maximising their expected totals.",
        ]


def settle(
    players: int, *, game: DiceGame | str = "poker-dice", progress: Progress | None = None
) -> Settlement:
    """Return the distribution of the amount won among players who all maximise the mean.

    Raises
    ------
    InputError
        If there is no such game, or for a number of players that is not.

    >>> round(settle(2, game="poker-dice-short").mean, 9) + 0.0
    0.0
    """
    if not FEWEST <= players <= MOST:
        raise InputError(f"There cannot be {players} players; accepted: {FEWEST} to {MOST}.")
    one = outcomes(game, progress=progress)
    return Settlement(one.game, players, _amounts(one, players))


def _amounts(one: Outcomes, players: int) -> Totals:
    """Return the distribution of (players - 1) times one total less all others."""
    others = np.ones(1)
    for _ in range(players - 1):
        others = np.convolve(others, one.chances)
    mine = np.zeros((len(one.chances) - 1) * (players - 1) + 1)
    mine[:: players - 1] = one.chances
    amounts = np.convolve(mine, others[::-1])
    # The lowest: own lowest total beside everybody's highest.
    low = (players - 1) * (one.low - one.high)
    return Totals(one.game, low, amounts)
