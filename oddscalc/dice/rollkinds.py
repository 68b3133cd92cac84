"""What a sheet says for all rolls, grouped by kind of roll, so that a person finds theirs at once.

A kind is how many dice are alike: (3, 1, 1) three alike and two others. What the sheet says for a
kind is a list of entries; the first one that fits the roll says what to do, exactly as the
numbers do.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from oddscalc.dice.lattice import lattice
from oddscalc.dice.leads import counted_face
from oddscalc.dice.strategy import SheetStrategy
from oddscalc.dice.turns import choices

__all__ = ["Fill", "FillFace", "Hold", "HoldGroups", "Kind", "groups_of", "roll_kinds"]

Roll = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fill:
    """Fill a box, if the roll earns `at_least` there; None: with all rolls that are left.

    `rolls` are those that do so.
    """

    box: str
    at_least: int | None
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class FillFace:
    """Fill the count box of the face of which the roll has most dice."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold the first of these sets of dice that the roll has."""

    holds: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class HoldGroups:
    """Hold the `groups` largest groups of alike dice, the higher of equals; none: roll all."""

    groups: int


Entry = Fill | FillFace | Hold | HoldGroups


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of roll, how many rolls it has, and what to do with them."""

    shape: tuple[int, ...]
    rolls: int
    entries: tuple[Entry, ...]


def groups_of(roll: Roll) -> list[Roll]:
    """Return the groups of alike dice, largest first, then the higher ones.

    >>> groups_of((2, 2, 3, 5, 5))
    [(5, 5), (2, 2), (3,)]
    """
    groups = [(face,) * roll.count(face) for face in set(roll)]
    return sorted(groups, key=lambda group: (len(group), group[0]), reverse=True)


def roll_kinds(strategy: SheetStrategy, mask: int, left: int) -> list[Kind]:
    """Return what the sheet says for every kind of roll, with a set of filled boxes.

    Parameters
    ----------
    mask
        The filled boxes; they leave no doubt about the lead.
    left
        How many rolls may follow.
    """
    rolls = lattice(strategy.game.dice, strategy.game.faces).rolls
    found: dict[tuple[int, ...], list[int]] = {}
    for place, roll in enumerate(rolls):
        found.setdefault(tuple(map(len, groups_of(roll))), []).append(place)
    reader = _Reader(strategy, mask, left)
    return [
        Kind(shape, len(places), tuple(reader.entries(places)))
        for shape, places in sorted(found.items(), reverse=True)
    ]


class _Reader:
    """The decisions of a sheet for one set of filled boxes and number of rolls left."""

    def __init__(self, strategy: SheetStrategy, mask: int, left: int) -> None:
        game, arrays = strategy.game, strategy.solved.arrays
        grid = lattice(game.dice, game.faces)
        self._game, self._grid, self._arrays = game, grid, arrays
        (lead,) = strategy.leads(mask)
        self._decisions = strategy.decisions(mask, lead)[left].tolist()
        self._numbers = strategy.hold_numbers(mask, left) if left else np.zeros(0)
        self._scores = strategy.fill_numbers(mask, lead)
        rows, self._allowed = choices(arrays, mask)
        first = left == game.rolls - 1
        self._outcomes = (arrays.outcomes_first if first else arrays.outcomes)[rows]

    def entries(self, places: list[int]) -> list[Entry]:
        """Return what to do with some rolls, the first entry that fits saying it."""
        found = self._fills_first(places)
        return self._in_order(places) if found is None else found

    def _fills_first(self, places: list[int]) -> list[Entry] | None:
        """Return entries that name each box once, before all holds; None if they cannot."""
        left = list(places)
        filled = [place for place in places if self._box(place) is not None]
        if self._by_face(filled) and len(filled) == len(places):
            return [FillFace()]
        filled.sort(key=lambda place: -self._number(place))
        result: list[Entry] = []
        for box in dict.fromkeys(self._box(place) for place in filled):
            mine = [place for place in left if self._box(place) == box]
            entry = self._fill(mine, left)
            if entry is None:
                return None
            result.append(entry)
            left = [place for place in left if place not in mine]
        return result + self._holds(left)

    def _in_order(self, places: list[int]) -> list[Entry]:
        """Return entries in the order of their numbers."""
        result: list[Entry] = []
        order = sorted(places, key=self._rank)
        runs = [(box, list(same)) for box, same in groupby(order, key=self._box)]
        for number, (box, mine) in enumerate(runs):
            left = order[order.index(mine[0]) :]
            if box is not None:
                result += [entry for entry in [self._fill(mine, left)] if entry is not None]
            elif number == len(runs) - 1:
                result += self._holds(mine)
            else:
                held = (self._grid.keeps[self._decisions[place]] for place in mine)
                result.append(Hold(tuple(dict.fromkeys(held))))
        return result

    def _fill(self, mine: list[int], left: list[int]) -> Fill | None:
        """Return the entry for rolls that fill the same box; None if others earn as much there."""
        box = self._box(mine[0])
        assert box is not None
        least = min(self._points(place, box) for place in mine)
        fitting = {
            place
            for place in left
            if self._allowed[place, box] and self._points(place, box) >= least
        }
        if fitting != set(mine):
            return None
        rolls = tuple(self._grid.rolls[place] for place in sorted(mine))
        everything = len(mine) == len(left)
        return Fill(self._game.boxes[box].name, None if everything else least, rolls)

    def _by_face(self, places: list[int]) -> bool:
        return all(
            counted_face(self._game.boxes[self._box(place) or 0])
            == groups_of(self._grid.rolls[place])[0][0]
            for place in places
        )

    def _box(self, place: int) -> int | None:
        outcome = self._decisions[place] - len(self._grid.keeps)
        return None if outcome < 0 else int(self._arrays.outcome_box[outcome])

    def _number(self, place: int) -> float:
        choice, keeps = self._decisions[place], len(self._grid.keeps)
        return float(self._numbers[choice] if choice < keeps else self._scores[choice - keeps])

    def _points(self, place: int, box: int) -> int:
        return int(self._arrays.outcome_points[self._outcomes[place, box]])

    def _rank(self, place: int) -> tuple[float, int, list[int]]:
        """Return the place of what is done with a roll among all that is done."""
        box = self._box(place)
        if box is not None:
            return -self._number(place), box - len(self._game.boxes), []
        hold = self._grid.keeps[self._decisions[place]]
        return -self._number(place), self._game.dice - len(hold), [-die for die in reversed(hold)]

    def _holds(self, places: list[int]) -> list[Entry]:
        rolls = sorted(places, key=self._rank)
        decided = [(self._grid.rolls[p], self._grid.keeps[self._decisions[p]]) for p in rolls]
        order = list(dict.fromkeys(hold for _, hold in decided))
        listed, groups = _told_by_groups(order, decided)
        result: list[Entry] = [Hold(tuple(order[:listed]))] if listed else []
        return result + ([HoldGroups(groups)] if listed < len(order) else [])


def _told_by_groups(order: list[Roll], decided: list[tuple[Roll, Roll]]) -> tuple[int, int]:
    """Return how many holds are to be listed, and how many groups tell all that remain."""
    best = len(order), 0
    for groups in range(max((len(roll) for roll, _ in decided), default=0)):
        untold = {
            hold
            for roll, hold in decided
            if tuple(sorted(sum(groups_of(roll)[:groups], ()))) != hold
        }
        listed = max((place + 1 for place, hold in enumerate(order) if hold in untold), default=0)
        best = min(best, (listed, groups))
    return best
