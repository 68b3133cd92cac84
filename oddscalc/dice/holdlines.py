"""The lines of a sheet: for every box, the dice that may be held for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from oddscalc.dice.lattice import lattice
from oddscalc.dice.rules import Alike, Chance, Count, DiceGame, Straight

__all__ = ["Line", "hold_lines"]

Hold = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Some dice held for a box.

    Attributes
    ----------
    dice
        How many are held.
    shape
        How many of each face, most first: (3,) three alike, (2, 2) two pairs; empty if nothing is
        held.
    length
        For a sequence, how many dice it asks for; else 0.
    ways
        For a sequence, the places into which the held dice fit: 1, or 2 for two and more.
    """

    box: str
    dice: int
    shape: tuple[int, ...]
    length: int = 0
    ways: int = 0


@cache
def hold_lines(game: DiceGame) -> tuple[tuple[Line, ...], tuple[tuple[int, int, int], ...]]:
    """Return the lines of a game, and (keep, line, box) for every hold that is on a line.

    Lines stand in the order of the boxes, then by dice held; holds in the order of the lattice.
    """
    grid = lattice(game.dice, game.faces)
    holds = grid.keeps[: grid.first[grid.dice]]
    found = [
        (keep, line, place)
        for keep, hold in enumerate(holds)
        for place, box in enumerate(game.boxes)
        for line in dict.fromkeys(
            line
            for scoring in box.scorings
            for line in _line(game, box.name, scoring.pattern, hold)
        )
    ]
    order = {box.name: place for place, box in enumerate(game.boxes)}
    lines = sorted(
        {line for _, line, _ in found},
        key=lambda line: (order[line.box], line.length, -line.ways, line.dice, line.shape),
    )
    number = {line: place for place, line in enumerate(lines)}
    return tuple(lines), tuple((keep, number[line], place) for keep, line, place in found)


def _line(game: DiceGame, box: str, pattern: object, hold: Hold) -> Iterator[Line]:
    """Yield the line on which a hold stands for a pattern, if it does."""
    size = len(hold)
    shape = tuple(sorted((hold.count(face) for face in set(hold)), reverse=True))
    if not hold:
        yield Line(box, 0, ())
    elif isinstance(pattern, Count):
        if len(shape) == 1 and pattern.face in (None, hold[0]):
            yield Line(box, size, shape)
    elif isinstance(pattern, Alike):
        if _is_on_the_way(pattern, shape):
            yield Line(box, size, shape)
    elif isinstance(pattern, Straight):
        lows = [low for low in pattern.lowest if low <= hold[0] and hold[-1] < low + pattern.length]
        if len(shape) == size and lows:
            yield Line(box, size, shape, pattern.length, min(2, len(lows)))
    elif isinstance(pattern, Chance) and 2 * hold[0] > game.faces:
        yield Line(box, size, ())


def _is_on_the_way(pattern: Alike, shape: tuple[int, ...]) -> bool:
    groups = pattern.groups
    if len(groups) == 1:
        return len(shape) == 1
    if len(set(groups)) == 1:  # whole groups, then the start of another one
        return len(shape) <= len(groups) and all(size == groups[0] for size in shape[:-1])
    # Beside a group, a lone die is no start of another one.
    fits = len(shape) <= len(groups) and all(a <= b for a, b in zip(shape, groups, strict=False))
    return fits and (min(groups) == 1 or sum(shape) == 1 or min(shape) > 1)
