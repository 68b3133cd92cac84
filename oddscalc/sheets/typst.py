"""Sheets as PDF, PNG and SVG, set by Typst (the extra `sheets`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Literal

from oddscalc.sheets.drawing import die_shapes, suit_shape, svg
from oddscalc.sheets.sheet import Cards, Dice, Sheet

__all__ = ["typst_pages"]

STYLE = (
    ".die{fill:#ffffff;stroke:#1f2933;stroke-width:.7}.pip{fill:#1f2933}"
    ".red{fill:#b3261e}.black{fill:#1f2933}"
)
DOTS_PER_INCH = 200.0


def typst_pages(sheets: Sequence[Sheet], form: Literal["pdf", "png", "svg"]) -> bytes:
    """Return sheets as the pages of a file, "pdf", or a single one as "png" or "svg"."""
    import typst

    pieces = [
        piece
        for sheet in sheets
        for block in sheet.blocks()
        for row in block.rows
        for cell in row
        for piece in cell.pieces
    ]
    faces = {die for piece in pieces if isinstance(piece, Dice) for die in piece.dice}
    suits = {suit for piece in pieces if isinstance(piece, Cards) for _, suit in piece.cards}
    pictures = {f"die{face}": svg(die_shapes(face), STYLE) for face in sorted(faces)}
    pictures |= {suit: svg(suit_shape(suit), STYLE) for suit in sorted(suits)}
    return typst.compile(
        (files("oddscalc.sheets") / "page.typ").read_bytes(),
        format=form,
        ppi=DOTS_PER_INCH,
        sys_inputs={
            "sheets": json.dumps([sheet.to_dict() for sheet in sheets]),
            "pictures": json.dumps(pictures),
        },
        ignore_system_fonts=True,
    )
