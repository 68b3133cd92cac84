"""``oddscalc dice``: games, rules, solve, hold, odds."""

from __future__ import annotations

import typer

app = typer.Typer(help="Dice reroll games.", no_args_is_help=True)


@app.callback()
def dice() -> None:
    """Dice reroll games: the best hold, the odds, the rules."""
