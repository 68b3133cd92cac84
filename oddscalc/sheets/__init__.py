"""Sheets to print: what one says is worked out once, how it looks is left to its faces.

>>> from oddscalc import dice, sheets
>>> sheets.dice_sheet(dice.sheet("poker-dice-short")).title
'Poker dice for the pot'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oddscalc.sheets.dice import dice_sheet
    from oddscalc.sheets.euchre import euchre_pages
    from oddscalc.sheets.faces import render, write_sheet
    from oddscalc.sheets.sheet import Sheet

_HOME = {
    "Sheet": "sheet",
    "dice_sheet": "dice",
    "euchre_pages": "euchre",
    "render": "faces",
    "write_sheet": "faces",
}

__all__ = ["Sheet", "dice_sheet", "euchre_pages", "render", "write_sheet"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"oddscalc.sheets.{_HOME[name]}"), name)
    raise AttributeError(f"module 'oddscalc.sheets' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
