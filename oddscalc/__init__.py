"""Exact odds for dice reroll games and odds with error bars for Euchre.

>>> from oddscalc import dice
>>> dice.load_game("yahtzee").title
'Yahtzee, official rules'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oddscalc import dice, euchre

__all__ = ["__version__", "dice", "euchre"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in ("dice", "euchre"):
        return import_module(f"oddscalc.{name}")
    raise AttributeError(f"module 'oddscalc' has no attribute '{name}'")
