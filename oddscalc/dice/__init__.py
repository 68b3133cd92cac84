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
    from oddscalc.dice.beating import Beat, beat
    from oddscalc.dice.chances import Odds, odds
    from oddscalc.dice.distribution import Outcomes, outcomes
    from oddscalc.dice.fitting import sheet
    from oddscalc.dice.frames import draw_table, table_frame, write_table
    from oddscalc.dice.pots import Pot, pot
    from oddscalc.dice.records import GameRecord, Turn, parse_record, read_record
    from oddscalc.dice.reviewing import Decision, GameReview, TurnScore, review
    from oddscalc.dice.rules import DiceGame, game_names, load_game, read_game
    from oddscalc.dice.scorecard import Scorecard, read_card
    from oddscalc.dice.settlement import Settlement, settle
    from oddscalc.dice.solver import StateValues, solve
    from oddscalc.dice.strategy import SheetStrategy

_HOME = {
    "BatchAdvice": "batch",
    "Beat": "beating",
    "Decision": "reviewing",
    "DiceGame": "rules",
    "GameRecord": "records",
    "GameReview": "reviewing",
    "HoldAdvice": "advice",
    "HoldOption": "advice",
    "Odds": "chances",
    "Outcomes": "distribution",
    "Pot": "pots",
    "Scorecard": "scorecard",
    "Settlement": "settlement",
    "SheetStrategy": "strategy",
    "StateValues": "solver",
    "Turn": "records",
    "TurnScore": "reviewing",
    "advise": "advice",
    "advise_many": "batch",
    "beat": "beating",
    "draw_table": "frames",
    "game_names": "rules",
    "load_game": "rules",
    "odds": "chances",
    "outcomes": "distribution",
    "parse_record": "records",
    "pot": "pots",
    "read_card": "scorecard",
    "read_game": "rules",
    "read_record": "records",
    "review": "reviewing",
    "settle": "settlement",
    "sheet": "fitting",
    "solve": "solver",
    "table_frame": "frames",
    "write_table": "frames",
}

__all__ = [
    "BatchAdvice",
    "Beat",
    "Decision",
    "DiceGame",
    "GameRecord",
    "GameReview",
    "HoldAdvice",
    "HoldOption",
    "Odds",
    "Outcomes",
    "Pot",
    "Scorecard",
    "Settlement",
    "SheetStrategy",
    "StateValues",
    "Turn",
    "TurnScore",
    "advise",
    "advise_many",
    "beat",
    "draw_table",
    "game_names",
    "load_game",
    "odds",
    "outcomes",
    "parse_record",
    "pot",
    "read_card",
    "read_game",
    "read_record",
    "review",
    "settle",
    "sheet",
    "solve",
    "table_frame",
    "write_table",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"oddscalc.dice.{_HOME[name]}"), name)
    raise AttributeError(f"module 'oddscalc.dice' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
