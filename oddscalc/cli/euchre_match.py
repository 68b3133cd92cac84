"""``oddscalc euchre match``: the chance of winning the race, by score and dealer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from oddscalc.cli.euchre import RulesOption, app, chosen_game
from oddscalc.cli.output import Format, FormatOption, JsonOption, PlotOption, emit, progress_bar
from oddscalc.errors import InputError

__all__ = ["OutcomesOption"]

OutcomesOption = Annotated[
    Path | None,
    typer.Option(
        "--outcomes", metavar="FILE", help="What hands earn at your table, as TOML or JSON."
    ),
]


@app.command()
def match(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; four-handed unless given.")
    ] = None,
    score: Annotated[
        str | None,
        typer.Option(
            "--score",
            metavar="US-THEM",
            help="Only this score, yours first; with more sides then from your left: 9-6-4.",
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", "-s", metavar="SEAT", help="With --score: your seat: 1 … dealer."),
    ] = None,
    outcomes: OutcomesOption = None,
    plot: PlotOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Give the chance of winning the match, by score and dealer.

    For example:

    oddscalc euchre match

    oddscalc euchre match --score 9-6 --seat 1

    oddscalc euchre match three-handed --score 9-6-4

    oddscalc euchre match --outcomes fridays.toml --plot chances.svg
    """
    from oddscalc.euchre.hand_outcomes import read_outcomes
    from oddscalc.euchre.matches import match_table

    if seat is not None and score is None:
        raise InputError(f"The seat '{seat}' is given without a score; accepted: with --score.")
    chosen = chosen_game(game, rules_file)
    figures = None if outcomes is None else read_outcomes(outcomes, chosen)
    with progress_bar("Bidding") as progress:
        table = match_table(chosen, figures, progress=progress)
    answer = table if score is None else table.at(score, seat)
    if plot is not None:
        from oddscalc.charts import save_heatmaps

        panels = [
            (f"{who.capitalize()} dealing", chances.tolist()) for who, chances in table.matrices()
        ]
        save_heatmaps(table.headline(), ("Us", table.others), table.shown_points, panels, plot)
    emit(answer, form, json=json)
