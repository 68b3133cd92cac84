"""The options that dice commands share, and what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oddscalc.errors import InputError

if TYPE_CHECKING:
    from oddscalc.dice.rules import DiceGame
    from oddscalc.dice.scorecard import Scorecard

__all__ = [
    "CardOption",
    "FilledOption",
    "GameArgument",
    "GameOption",
    "JokerBonusOption",
    "OpenOption",
    "PointsOption",
    "ProgressOption",
    "RulesOption",
    "chosen_game",
    "told_card",
]

GameArgument = Annotated[str | None, typer.Argument(help="A built-in game.")]
GameOption = Annotated[
    str | None, typer.Option("--game", "-g", help="A built-in game; poker-dice if not told.")
]
RulesOption = Annotated[
    Path | None, typer.Option("--rules", help="A rule file of your own, instead of --game.")
]
FilledOption = Annotated[
    str | None, typer.Option(help='Filled boxes and their points: "ones=-1, pair=12".')
]
CardOption = Annotated[Path | None, typer.Option(help="The scorecard as a JSON or TOML file.")]
OpenOption = Annotated[
    str | None, typer.Option("--open", help='Only these boxes are open: "poker, chance".')
]
ProgressOption = Annotated[
    str | None,
    typer.Option(
        "--bonus-progress", help="With --open: the sum of the bonus's boxes (NAME=SUM for several)."
    ),
]
PointsOption = Annotated[int | None, typer.Option(help="With --open: points so far.")]
JokerBonusOption = Annotated[
    int, typer.Option(help="With --filled: points from further yahtzees so far.")
]


def chosen_game(name: str | None, rules: Path | None) -> DiceGame:
    """Return the built-in game, or that of a rule file.

    Raises
    ------
    InputError
        If both are told, or there is no such game.
    """
    from oddscalc.dice.rules import load_game, read_game

    if rules is None:
        return load_game(name) if name is not None else load_game()
    if name is not None:
        raise InputError(f"Both a game, '{name}', and --rules are given; accepted: one of them.")
    return read_game(rules)


def told_card(
    game: DiceGame,
    filled: str | None,
    file: Path | None,
    open_boxes: str | None,
    progress: str | None,
    points: int | None,
    joker_bonus: int,
) -> Scorecard:
    """Return the scorecard that the options tell, an empty one if they tell nothing.

    Raises
    ------
    InputError
        If the options do not go together, or the card cannot be in this game.
    """
    from oddscalc.dice.asking import asked_card
    from oddscalc.dice.scorecard import read_card

    ways = {"--filled": filled, "--card": file, "--open": open_boxes}
    used = [name for name, value in ways.items() if value is not None]
    if len(used) > 1:
        raise InputError(f"{' and '.join(used)} are given together; accepted: one of them.")
    card = asked_card(
        game,
        filled=filled,
        open_boxes=open_boxes,
        bonus_progress=progress,
        points=points,
        joker_bonus=joker_bonus,
    )
    return card if file is None else read_card(file, game)
