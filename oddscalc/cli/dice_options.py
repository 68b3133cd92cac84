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
    from oddscalc.dice.scorecard import Scorecard, parse_filled, read_card

    ways = {"--filled": filled, "--card": file, "--open": open_boxes}
    used = [name for name, value in ways.items() if value is not None]
    if len(used) > 1:
        raise InputError(f"{' and '.join(used)} are given together; accepted: one of them.")
    if open_boxes is None and (progress is not None or points is not None):
        option = "--bonus-progress" if progress is not None else "--points"
        raise InputError(f"{option} is given without --open; accepted: together with --open.")
    if filled is None and joker_bonus:
        raise InputError("--joker-bonus is given without --filled; accepted: together with it.")
    if file is not None:
        return read_card(file, game)
    if open_boxes is not None:
        names = [word for word in map(str.strip, open_boxes.split(",")) if word]
        if not names:
            raise InputError("--open is empty; accepted: names of boxes, parted by commas.")
        return Scorecard.with_open(game, names, _progress(game, progress), points or 0)
    return Scorecard(game, parse_filled(filled or ""), joker_bonus)


def _progress(game: DiceGame, text: str | None) -> dict[str, int]:
    from oddscalc.dice.scorecard import parse_filled

    if text is None:
        return {}
    names = [bonus.name for bonus in game.bonuses]
    if not names:
        raise InputError(
            f"--bonus-progress is given, but '{game.name}' has no bonus; accepted: none."
        )
    if "=" not in text and len(names) == 1:
        text = f"{names[0]}={text}"
    return parse_filled(text, "sum of a bonus's boxes")
