"""Sheets as one HTML file that needs nothing beside it, dark and light, and prints on A4."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from itertools import groupby, pairwise

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
    title = f"<h2>{escape(block.title)}</h2>" if block.title else ""
    text = f"<p>{escape(block.text)}</p>" if block.text else ""
    table = _table(block) if block.columns else ""
    return f"<section>{title}{text}{table}</section>"


def _table(block: Block) -> str:
    kinds = [column.align for column in block.columns]
    for place, (before, column) in enumerate(pairwise(block.columns), 1):
        if column.group and column.group != before.group:
            kinds[place] += " edge"
    heads = ""
    if any(column.group for column in block.columns):
        for group, same in groupby(block.columns, key=lambda column: column.group):
            kind = "center edge" if group else "center"
            heads += f'<th colspan="{len(list(same))}" class="{kind}">{escape(group)}</th>'
        heads = f"<tr>{heads}</tr>"
    names = "".join(
        f'<th class="{kind}">{escape(column.title)}</th>'
        for kind, column in zip(kinds, block.columns, strict=True)
    )
    rows = "".join(f"<tr>{''.join(map(_cell, row, kinds))}</tr>\n" for row in block.rows)
    return f"<table><thead>{heads}<tr>{names}</tr></thead>\n<tbody>\n{rows}</tbody></table>"


def _cell(cell: Cell, kind: str) -> str:
    shade = f' style="--shade:{cell.shade:.3f}"' if cell.shade else ""
    kind = f"{kind} shaded" if cell.shade else kind
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
