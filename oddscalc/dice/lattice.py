"""The multisets of dice, and the steps between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

__all__ = ["Lattice", "lattice"]


@dataclass(frozen=True)
class Lattice:
    """The multisets of 0 to `dice` dice, by size, then in lexicographic order.

    Attributes
    ----------
    keeps
        Each multiset as a sorted tuple; its place in the list is its id.
    index
        From multiset to id.
    first
        (dice + 2,) id of the first multiset of each size; the last entry is their number.
    """

    dice: int
    faces: int
    keeps: tuple[tuple[int, ...], ...]
    index: dict[tuple[int, ...], int]
    first: tuple[int, ...]

    @property
    def rolls(self) -> tuple[tuple[int, ...], ...]:
        """The multisets of all dice."""
        return self.keeps[self.first[self.dice] :]

    def ways(self, roll: tuple[int, ...]) -> int:
        """Return in how many orders the dice of a keep can fall."""
        return factorial(len(roll)) // prod(factorial(roll.count(face)) for face in set(roll))

    def holds(self, roll: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return what may be held of a roll to reroll the rest, most dice first."""
        sizes = range(len(roll) - 1, -1, -1)
        return [hold for size in sizes for hold in sorted(set(combinations(roll, size)))]


@cache
def lattice(dice: int, faces: int) -> Lattice:
    """Return the lattice of multisets.

    >>> five = lattice(5, 6)
    >>> len(five.keeps), len(five.rolls)
    (462, 252)
    """
    keeps: list[tuple[int, ...]] = []
    first = []
    for size in range(dice + 1):
        first.append(len(keeps))
        keeps += combinations_with_replacement(range(1, faces + 1), size)
    index = {keep: place for place, keep in enumerate(keeps)}
    return Lattice(dice, faces, tuple(keeps), index, (*first, len(keeps)))
