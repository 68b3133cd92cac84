"""Sheets as PDF, PNG and SVG, set by Typst (the extra `sheets`)."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Literal

from oddscalc.sheets.drawing import die_shapes, suit_shape, svg
from oddscalc.sheets.sheet import Cards, Dice, Sheet

__all__ = ["typst_page"]

STYLE = (
    ".die{fill:#ffffff;stroke:#1f2933;stroke-width:.7}.pip{fill:#1f2933}"
    ".red{fill:#b3261e}.black{fill:#1f2933}"
)
DOTS_PER_INCH = 200.0


def typst_page(sheet: Sheet, form: Literal["pdf", "png", "svg"]) -> bytes:
    """Return a sheet as a page, "pdf", "png" or "svg"."""
    import typst

    pieces = [
        piece
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
        sys_inputs={"sheet": json.dumps(sheet.to_dict()), "pictures": json.dumps(pictures)},
        ignore_system_fonts=True,
    )
