"""Dice reroll games: exact values, the best hold, the odds of a combination.

>>> from oddscalc import dice
>>> dice.advise("2 3 6 2 1").headline()
'Keep 2 2, roll three.'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oddscalc.dice.advice import HoldAdvice, HoldOption, advise
    from oddscalc.dice.batch import BatchAdvice, advise_many
    from oddscalc.dice.chances import Odds, odds
    from oddscalc.dice.rules import DiceGame, game_names, load_game, read_game
    from oddscalc.dice.scorecard import Scorecard, read_card
    from oddscalc.dice.solver import StateValues, solve

_HOME = {
    "BatchAdvice": "batch",
    "DiceGame": "rules",
    "HoldAdvice": "advice",
    "HoldOption": "advice",
    "Odds": "chances",
    "Scorecard": "scorecard",
    "StateValues": "solver",
    "advise": "advice",
    "advise_many": "batch",
    "game_names": "rules",
    "load_game": "rules",
    "odds": "chances",
    "read_card": "scorecard",
    "read_game": "rules",
    "solve": "solver",
}

__all__ = [
    "BatchAdvice",
    "DiceGame",
    "HoldAdvice",
    "HoldOption",
    "Odds",
    "Scorecard",
    "StateValues",
    "advise",
    "advise_many",
    "game_names",
    "load_game",
    "odds",
    "read_card",
    "read_game",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"oddscalc.dice.{_HOME[name]}"), name)
    raise AttributeError(f"module 'oddscalc.dice' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
