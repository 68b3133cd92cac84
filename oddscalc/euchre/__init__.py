"""Euchre with two, three and four hands: rules as data, open hands solved, odds of bids.

>>> from oddscalc import euchre
>>> euchre.chance("JS JC", seat="partner", hand="AS KS 9H TD AC", up="QS").probability
Fraction(25, 51)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oddscalc.euchre.chances import CardChance, chance
    from oddscalc.euchre.rules import EuchreGame, game_names, load_game, read_game

__all__ = ["CardChance", "EuchreGame", "chance", "game_names", "load_game", "read_game"]

_HOMES = {
    "chances": ("CardChance", "chance"),
    "rules": ("EuchreGame", "game_names", "load_game", "read_game"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"oddscalc.euchre.{module}"), name)
    raise AttributeError(f"module 'oddscalc.euchre' has no attribute '{name}'")
