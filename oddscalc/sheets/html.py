"""Sheets as one HTML file that needs nothing beside it, dark and light, and prints on A4."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from itertools import groupby

from oddscalc.sheets.drawing import die_shapes, suit_shape
from oddscalc.sheets.sheet import Block, Break, Cards, Cell, Dice, Piece, Sheet

__all__ = ["html_page"]

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def html_page(sheets: Sequence[Sheet]) -> str:
    """Return sheets as an HTML document that prints each on a page of its own."""
    style = (files("oddscalc.sheets") / "page.css").read_text(encoding="utf-8")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{escape(sheets[0].title)}</title>
<style>
{style}</style>
</head>
<body>
{"".join(map(_main, sheets))}</body>
</html>
"""


def _main(sheet: Sheet) -> str:
    bands = "\n".join(
        f'<div class="band">{"".join(map(_block, band))}</div>' for band in sheet.bands
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in sheet.notes)
    return f"""<main{' class="wide"' if sheet.wide else ""}>
<header><h1>{escape(sheet.title)}</h1><p class="cost">{escape(sheet.cost)}</p></header>
<p class="facts">{escape(sheet.facts)}</p>
{bands}
<footer>{notes}</footer>
</main>
"""


def _block(block: Block) -> str:
    text = f"<p>{escape(block.text)}</p>" if block.text else ""
    table = _table(block) if block.columns else ""
    return f"<section><h2>{escape(block.title)}</h2>{text}{table}</section>"


def _table(block: Block) -> str:
    heads = ""
    if any(column.group for column in block.columns):
        for group, same in groupby(block.columns, key=lambda column: column.group):
            heads += f'<th colspan="{len(list(same))}" class="center">{escape(group)}</th>'
        heads = f"<tr>{heads}</tr>"
    names = "".join(
        f'<th class="{column.align}">{escape(column.title)}</th>' for column in block.columns
    )
    rows = "".join(
        "<tr>"
        + "".join(
            _cell(cell, column.align) for cell, column in zip(row, block.columns, strict=True)
        )
        + "</tr>\n"
        for row in block.rows
    )
    return f"<table><thead>{heads}<tr>{names}</tr></thead>\n<tbody>\n{rows}</tbody></table>"


def _cell(cell: Cell, align: str) -> str:
    shade = f' style="--shade:{cell.shade:.3f}"' if cell.shade else ""
    kind = f"{align} shaded" if cell.shade else align
    return f'<td class="{kind}"{shade}>{" ".join(map(_piece, cell.pieces))}</td>'


def _piece(piece: Piece) -> str:
    if isinstance(piece, Break):
        return "<br/>"
    if isinstance(piece, Dice):
        said = " ".join(map(str, piece.dice))
        dice = "".join(_picture(die_shapes(die)) for die in piece.dice)
        return f'<span class="dice" role="img" aria-label="{said}">{dice}</span>'
    if isinstance(piece, Cards):
        said = " ".join(f"{rank} of {SUITS[suit]}".strip() for rank, suit in piece.cards)
        cards = "".join(
            f"<span>{escape(rank)}{_picture(suit_shape(suit))}</span>" for rank, suit in piece.cards
        )
        return f'<span class="cards" role="img" aria-label="{escape(said)}">{cards}</span>'
    return f"<b>{escape(piece.text)}</b>" if piece.strong else escape(piece.text)


def _picture(shapes: str) -> str:
    return f'<svg viewBox="0 0 10 10" aria-hidden="true">{shapes}</svg>'
