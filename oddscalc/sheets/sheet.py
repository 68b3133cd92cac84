"""What a sheet says: a title, facts, and tables whose cells hold texts, figures, dice or cards.

Faces draw it and compute nothing. A sheet is one page, so its blocks stand in bands, one below
the other; the blocks of a band stand side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = [
    *("Band", "Block", "Break", "Cards", "Cell", "Column", "Dice", "Piece", "Sheet", "Words"),
    "signed",
]


@dataclass(frozen=True, slots=True)
class Words:
    """A text or a figure."""

    text: str
    strong: bool = False
    kind: Literal["words"] = "words"


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice beside each other."""

    dice: tuple[int, ...]
    kind: Literal["dice"] = "dice"


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards beside each other: a rank or nothing, and a suit, "S", "H", "D" or "C"."""

    cards: tuple[tuple[str, str], ...]
    kind: Literal["cards"] = "cards"


@dataclass(frozen=True, slots=True)
class Break:
    """The end of a line."""

    kind: Literal["break"] = "break"


Piece = Words | Dice | Cards | Break


@dataclass(frozen=True, slots=True)
class Cell:
    """Pieces one after the other.

    Attributes
    ----------
    shade
        How dark its ground is, from 0 to 1.
    """

    pieces: tuple[Piece, ...]
    shade: float = 0.0

    @classmethod
    def of(cls, text: object, *, strong: bool = False, shade: float = 0.0) -> Cell:
        """Return a cell with a text."""
        return cls((Words(str(text), strong),), shade)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    share
        Its part of the width that is left when all columns without a share have what they need;
        0: what it needs.
    group
        A head above the heads of neighbouring columns of the same group.
    """

    title: str
    align: Literal["left", "right", "center"] = "left"
    share: float = 0.0
    group: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A table under a title, a paragraph, or both."""

    title: str
    text: str = ""
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()


Band = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page.

    Attributes
    ----------
    facts
        The rules in a few words.
    cost
        What it costs to follow the page.
    notes
        Small print: how the numbers were obtained.
    wide
        Whether the page is wider than high.
    """

    title: str
    facts: str
    cost: str
    bands: tuple[Band, ...]
    notes: tuple[str, ...]
    wide: bool = False

    def blocks(self) -> Sequence[Block]:
        """Return all blocks in reading order."""
        return [block for band in self.bands for block in band]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return asdict(self)


def signed(number: float) -> str:
    """Return a whole number with a true minus sign."""
    return f"{round(number)}".replace("-", "−")
