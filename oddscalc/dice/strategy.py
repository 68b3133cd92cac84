"""What a sheet says: numbers for all that a player may do, the highest of which is done.

A box that is filled now is worth its points less its price; dice that are held for a box have a
number of their own, on a line of the sheet. Where a sheet says what leads are worth, a count box of
the bonus is filled for its number plus what the lead is worth then, less what it is worth now.
Whoever plays by the sheet looks up every open box and does what has the highest number. Among equal
numbers a box is filled rather than dice rolled, the upper one on the card first; then more dice are
held, then higher ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.holdlines import hold_lines
from oddscalc.dice.lattice import lattice
from oddscalc.dice.leads import (
    SETTLED,
    Lead,
    counted_face,
    dice_counted,
    lane_leads,
    lead_of,
    swings,
)
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.solver import StateValues
from oddscalc.results import Column, Result

if TYPE_CHECKING:
    from oddscalc.dice.kernel_sheet import SheetArrays

__all__ = ["LEADS", "Numbers", "SheetStrategy", "follow", "sheet_arrays"]

Array = NDArray[Any]

LEADS = 8  # a larger lead is worth what this one is, and so below zero


@dataclass(frozen=True)
class Numbers:
    """The numbers of a sheet, all of them whole.

    Attributes
    ----------
    prices
        (B,) what is taken from the points of a box.
    missed
        (B,) the number of a box that is given up for no points; not for count boxes.
    counts
        (B, dice + 1) the numbers of count boxes by how many dice show their face.
    holds
        (rolls - 1, L) the numbers of the lines by rolls left, from 1 on; -inf: not on the sheet.
    adds
        bool (L,): lines whose held dice are added to the number.
    worths
        (2 * LEADS + 1,) what leads are worth, the lowest one first; () if the sheet has none.
    """

    prices: Array
    missed: Array
    counts: Array
    holds: Array
    adds: Array
    worths: Array


def outcome_numbers(solved: StateValues, numbers: Numbers) -> Array:
    """Return the number of each outcome, float64 (O,); a joker's bonus is part of it."""
    game, arrays = solved.game, solved.arrays
    points, box = arrays.outcome_points, arrays.outcome_box
    result = points - numbers.prices[box]
    for place, one in enumerate(game.boxes):
        mine, face = box == place, counted_face(one)
        if face is not None:
            result[mine] = numbers.counts[place, dice_counted(one, points[mine])]
        elif not one.is_count:
            result[mine & (points == 0)] = numbers.missed[place]
    return result + arrays.outcome_extra


def sheet_arrays(solved: StateValues, numbers: Numbers) -> SheetArrays:
    """Return a sheet as the kernels read it."""
    from oddscalc.dice.kernel_sheet import SheetArrays

    game, arrays = solved.game, solved.arrays
    keeps = lattice(game.dice, game.faces).keeps
    _, entries = hold_lines(game)
    keep, line, box = np.array(entries, np.int64).T
    order = [
        sorted(
            arrays.holds[start:end].tolist(),
            key=lambda hold: (len(keeps[hold]), keeps[hold][::-1]),
            reverse=True,
        )
        for start, end in zip(arrays.holds_from[:-1], arrays.holds_from[1:], strict=True)
    ]
    sums = np.array([sum(keeps[hold]) for hold in keep], float)
    lead = lead_of(game) if len(numbers.worths) else None
    bonus = game.bonuses[lead.bonus] if lead else None
    return SheetArrays(
        holds=np.concatenate(order).astype(np.uint16),
        entries_from=np.searchsorted(keep, np.arange(len(arrays.more) + 1)),
        line=line.astype(np.int32),
        box=box.astype(np.int32),
        add=np.where(numbers.adds[line], sums, 0.0),
        numbers=np.require(numbers.holds, requirements="W"),  # stored ones would compile anew
        scores=outcome_numbers(solved, numbers),
        leads=lane_leads(game, arrays, lead),
        swings=swings(game, arrays, lead),
        settled=SETTLED,
        worths=np.array(numbers.worths if lead else [0.0]),
        lead_boxes=sum(1 << game.box_index(name) for name in bonus.boxes) if bonus else 0,
        needed=lead.needed if lead else 0,
        prize=float(bonus.points) if bonus else 0.0,
    )


def follow(solved: StateValues, sheet: SheetArrays) -> Array:
    """Return what following the sheet brings from every state, float64, by backward induction."""
    from oddscalc.dice import kernel_sheet
    from oddscalc.jit import run_parts, threads

    arrays = solved.arrays
    masks = np.flatnonzero(np.diff(arrays.offset))
    filled = np.bitwise_count(masks)
    values = np.zeros(arrays.offset[-1])
    with ThreadPoolExecutor(threads()) as pool:
        for count in range(int(arrays.size[3]) - 1, -1, -1):
            layer = masks[filled == count]
            parts = min(4 * threads(), len(layer))

            def part(number: int, layer: Any = layer, parts: int = parts) -> None:
                kernel_sheet.follow_masks(arrays, sheet, layer, number, parts, values)

            run_parts(pool, part, parts)
    return values


@dataclass(frozen=True)
class SheetStrategy(Result):
    """A strategy that fits on a page, and what it costs to follow it; exact.

    Attributes
    ----------
    expected
        Expected final total of following it, by backward induction over all states.
    best
        Expected final total under the best play.
    """

    schema: ClassVar[str] = "oddscalc.dice.sheet/1"

    solved: StateValues = field(repr=False)
    numbers: Numbers = field(repr=False)

    @property
    def game(self) -> DiceGame:
        """The game."""
        return self.solved.game

    @cached_property
    def arrays(self) -> SheetArrays:
        """The sheet as the kernels read it."""
        return sheet_arrays(self.solved, self.numbers)

    @cached_property
    def expected(self) -> float:
        """Expected final total of following the sheet, from every state on by its own rules."""
        return float(follow(self.solved, self.arrays)[0])

    @property
    def best(self) -> float:
        """Expected final total under the best play."""
        return self.solved.value

    @property
    def lead(self) -> Lead | None:
        """What leads are measured against; None if the sheet does not ask for the lead."""
        return lead_of(self.game) if len(self.numbers.worths) else None

    def leads(self, mask: int) -> list[int]:
        """Return the leads that a card may have, and SETTLED where the lead does not matter."""
        arrays = self.solved.arrays
        start, end = arrays.lanes[arrays.group[mask]], arrays.lanes[arrays.group[mask] + 1]
        return sorted(set(self.arrays.leads[start:end].tolist()))

    def decisions(self, mask: int, lead: int) -> Array:
        """Return int64 (rolls, R): by rolls left the keep to hold, or K and the outcome scored."""
        from oddscalc.dice import kernel_sheet

        arrays = self.solved.arrays
        decisions = np.empty((int(arrays.size[2]), len(arrays.chance)), np.int64)
        kernel_sheet.sheet_decisions(arrays, self.arrays, mask, lead, decisions)
        return decisions

    def fill_numbers(self, mask: int, lead: int) -> Array:
        """Return the number of each outcome of a card with a lead, float64 (O,)."""
        from oddscalc.dice import kernel_sheet

        scores = self.arrays.scores.copy()
        kernel_sheet.lead_scores(self.arrays, mask, lead, scores)
        return scores

    def hold_numbers(self, mask: int, left: int) -> Array:
        """Return the number of each keep, float64 (C,), with some rolls left; -inf for none."""
        sheet, open_boxes = self.arrays, self.solved.arrays.open[mask]
        keeps = np.repeat(np.arange(len(sheet.entries_from) - 1), np.diff(sheet.entries_from))
        mine = open_boxes >> sheet.box & 1 == 1
        result = np.full(len(sheet.entries_from) - 1, -np.inf)
        numbers = sheet.numbers[left - 1, sheet.line] + sheet.add
        np.maximum.at(result, keeps[mine], numbers[mine])
        return result

    def to_dict(self) -> dict[str, Any]:
        """Return what following the sheet brings, and its numbers."""
        lines, _ = hold_lines(self.game)
        return {
            "game": self.game.name,
            "method": "exact",
            "expected": self.expected,
            "best": self.best,
            "boxes": self.records(),
            "lead": self._lead(),
            "lines": [
                {
                    "box": line.box,
                    "dice": line.dice,
                    "shape": list(line.shape),
                    "length": line.length,
                    "ways": line.ways,
                    "adds": bool(adds),
                    "numbers": [None if np.isinf(number) else int(number) for number in numbers],
                }
                for line, adds, numbers in zip(
                    lines, self.numbers.adds, self.numbers.holds.T, strict=True
                )
                if np.isfinite(numbers).any()
            ],
        }

    def _lead(self) -> dict[str, Any] | None:
        """Return what leads are worth."""
        lead = self.lead
        if lead is None:
            return None
        return {
            "bonus": self.game.bonuses[lead.bonus].name,
            "dice": lead.dice,
            "lowest": -LEADS,
            "worths": [int(worth) for worth in self.numbers.worths],
        }

    def headline(self) -> str:
        """Return what following the sheet brings as a sentence."""
        return (
            f"{self.game.title}: following its sheet brings {self.expected:.2f} points on average, "
            f"the best play {self.best:.2f}."
        )

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table of boxes."""
        return (
            Column("box", "Box"),
            Column("price", "Price", _shown, right=True),
            Column("missed", "For no points", _shown, right=True),
            Column("counts", "By dice of the face", _shown, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each box; what it has no number for is None."""
        rows = []
        for place, box in enumerate(self.game.boxes):
            counted = counted_face(box) is not None
            rows.append(
                {
                    "box": box.name,
                    "price": None if counted else int(self.numbers.prices[place]),
                    "missed": None if box.is_count else int(self.numbers.missed[place]),
                    "counts": [int(n) for n in self.numbers.counts[place]] if counted else None,
                }
            )
        return rows

    def notes(self) -> list[str]:
        """Say how the numbers were obtained."""
        return ["Exact, by backward induction over all states; the numbers were fitted."]


def _shown(value: Any) -> str:
    return (
        "" if value is None else " ".join(map(str, value if isinstance(value, list) else [value]))
    )
