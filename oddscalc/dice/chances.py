"""The exact chance of making a combination when playing only for it, in whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from oddscalc.dice.lattice import Lattice, lattice
from oddscalc.dice.notation import parse_roll, roll_text
from oddscalc.dice.rules import Box, Chance, DiceGame, game_names, load_game, plain_word
from oddscalc.dice.scoring import is_made
from oddscalc.dice.solver import as_game
from oddscalc.errors import InputError, unknown_name
from oddscalc.results import Column, Result

__all__ = ["Odds", "odds"]

MOST_ROLLS = 10


@dataclass(frozen=True)
class Odds(Result):
    """The chance of a combination by the number of rolls.

    Attributes
    ----------
    start
        The dice on the table, or None for a fresh turn.
    by_roll
        Number of rolls and exact chance; the first is 0 rolls if all dice lie on the table.
    """

    schema: ClassVar[str] = "oddscalc.dice.odds/1"

    game: DiceGame
    combination: str
    start: tuple[int, ...] | None
    by_roll: tuple[tuple[int, Fraction], ...]

    @property
    def probability(self) -> Fraction:
        """The chance within all rolls."""
        return self.by_roll[-1][1]

    def to_dict(self) -> dict[str, Any]:
        """Return the chance within all rolls, and by the number of rolls."""
        return {
            "game": self.game.name,
            "combination": self.combination,
            "from": None if self.start is None else list(self.start),
            "method": "exact",
            "probability": {"fraction": str(self.probability), "value": float(self.probability)},
            "by_roll": self.records(),
        }

    def headline(self) -> str:
        """Return the chance as a sentence."""
        rolls = self.by_roll[-1][0]
        of = f"from {roll_text(self.start)} " if self.start else ""
        within = f"within {rolls} roll{'' if rolls == 1 else 's'}"
        chance = f"{float(self.probability):.4%} ({self.probability})"
        return f"{self.combination.capitalize()} {of}{within}: {chance}."

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("rolls", "Rolls", right=True),
            Column("fraction", "Chance", right=True),
            Column("value", "Decimal", "{:.10f}".format, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each number of rolls."""
        return [
            {"rolls": rolls, "fraction": str(chance), "value": float(chance)}
            for rolls, chance in self.by_roll
        ]

    def notes(self) -> list[str]:
        """Say how the chances were obtained."""
        return [f"Exact, playing only for it. {self.game.title}."]


def odds(
    combination: str,
    *,
    game: DiceGame | str = "poker-dice",
    rolls: int | None = None,
    start: str | Iterable[int] | None = None,
) -> Odds:
    """Return the exact chance of making a combination when playing only for it.

    Parameters
    ----------
    combination
        A box of the game, or of another built-in game if this one has none of that name.
    rolls
        How many rolls there are: those of a turn, or one less if `start` is told.
    start
        Dice on the table; fewer than all of them are dice that are held, the rest being rolled.

    Raises
    ------
    InputError
        If the combination is not known or cannot be missed, or rolls or dice cannot be.

    >>> odds("poker").probability
    Fraction(347897, 7558272)
    >>> odds("large-straight", game="yahtzee", start="2345", rolls=2).probability
    Fraction(5, 9)
    """
    game = as_game(game)
    box = _combination(game, combination)
    dice = None if start is None else parse_roll(start, game.faces, fewest=0, most=game.dice)
    most = rolls if rolls is not None else game.rolls - (dice is not None)
    if not 1 <= most <= MOST_ROLLS:
        raise InputError(f"There cannot be {most} rolls; accepted: 1 to {MOST_ROLLS}.")
    grid = lattice(game.dice, game.faces)
    hits = [is_made(box, roll) for roll in grid.rolls]
    held = grid.index[dice or ()]
    chances: list[tuple[int, Fraction]] = []
    if held >= grid.first[game.dice]:
        chances.append((0, Fraction(hits[held - grid.first[game.dice]])))
    best = [int(hit) for hit in hits]
    for roll in range(1, most + 1):
        # Whole numbers: a keep of n dice counts ways out of faces^(dice rolled so far).
        keeps = _expected(grid, best)
        reached = _best_within(grid, keeps)
        rolled = grid.faces ** (game.dice * roll)
        if held < grid.first[game.dice]:
            chances.append((roll, Fraction(keeps[held], rolled)))
        else:
            chances.append((roll, Fraction(reached[held], rolled)))
        best = reached[grid.first[game.dice] :]
    return Odds(game, box.name, dice, tuple(chances))


def _expected(grid: Lattice, rolls: list[int]) -> list[int]:
    """Return for each keep its sum over all falls of all dice, held dice counted as often."""
    keeps = [0] * grid.first[grid.dice] + [n * grid.faces**grid.dice for n in rolls]
    for keep in range(grid.first[grid.dice] - 1, -1, -1):
        dice = grid.keeps[keep]
        more = [grid.index[tuple(sorted((*dice, f)))] for f in range(1, grid.faces + 1)]
        keeps[keep] = sum(keeps[other] for other in more) // grid.faces
    return keeps


def _best_within(grid: Lattice, keeps: list[int]) -> list[int]:
    """Return for each keep the best of it and all that it contains."""
    best = list(keeps)
    for keep, dice in enumerate(grid.keeps[1:], 1):
        fewer = {grid.index[dice[:i] + dice[i + 1 :]] for i in range(len(dice))}
        best[keep] = max(best[keep], *(best[other] for other in fewer))
    return best


def _combination(game: DiceGame, word: str) -> Box:
    """Return the box that a word names, in the game or else in any built-in game."""
    found = _named(game, word)
    for name in game_names():
        other = load_game(name)
        if found is None and (other.dice, other.faces) == (game.dice, game.faces):
            found = _named(other, word)
    missable = [box.name for box in game.boxes if _can_be_missed(box)]
    if found is None:
        raise unknown_name("combination", word, missable)
    if not _can_be_missed(found):
        raise InputError(f"'{word}' cannot be missed; accepted: {', '.join(missable)}.")
    return found


def _named(game: DiceGame, word: str) -> Box | None:
    for box in game.boxes:
        if plain_word(word) in (box.name, plain_word(box.title), *box.aliases):
            return box
    return None


def _can_be_missed(box: Box) -> bool:
    return not any(isinstance(scoring.pattern, Chance) for scoring in box.scorings)
