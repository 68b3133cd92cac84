"""Sheets as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oddscalc.sheets.sheet import Block, Break, Cards, Cell, Dice, Piece, Sheet

__all__ = ["markdown_page"]

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RULES = {"left": "---", "right": "---:", "center": ":---:"}


def markdown_page(sheets: Sequence[Sheet]) -> str:
    """Return sheets as Markdown, one below the other; shades are left out."""
    return "\n".join(map(_sheet, sheets))


def _sheet(sheet: Sheet) -> str:
    lines = [f"# {_escaped(sheet.title)}", "", f"**{_escaped(sheet.cost)}**", ""]
    lines += [_escaped(sheet.facts), ""]
    for block in sheet.blocks():
        lines += _block(block)
    lines += [_escaped(note) for note in sheet.notes]
    return "\n".join(lines).strip() + "\n"


def _block(block: Block) -> Iterator[str]:
    if block.title:
        yield from (f"## {_escaped(block.title)}", "")
    if block.text:
        yield from (_escaped(block.text), "")
    if block.columns:
        heads = [f"{column.group} {column.title}".strip() for column in block.columns]
        yield _row(map(_escaped, heads))
        yield _row(RULES[column.align] for column in block.columns)
        yield from (_row(map(_cell, row)) for row in block.rows)
        yield ""


def _row(cells: object) -> str:
    return "| " + " | ".join(cells) + " |"  # type: ignore[arg-type]


def _cell(cell: Cell) -> str:
    return " ".join(filter(None, map(_piece, cell.pieces)))


def _piece(piece: Piece) -> str:
    if isinstance(piece, Break):
        return "<br/>"
    if isinstance(piece, Dice):
        return "`" + " ".join(map(str, piece.dice)) + "`"
    if isinstance(piece, Cards):
        return " ".join(rank + SUITS[suit] for rank, suit in piece.cards)
    text = _escaped(piece.text)
    return f"**{text}**" if piece.strong and text else text


def _escaped(text: str) -> str:
    """Return a text that Markdown and the HTML within it leave as it is."""
    for sign in "\\`*_[]|#":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", " ")
