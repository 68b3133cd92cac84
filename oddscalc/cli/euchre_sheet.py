"""``oddscalc euchre sheet``: pages to bid by."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from oddscalc.cli.euchre import RulesOption, app, chosen_game
from oddscalc.cli.output import Format, FormatOption, JsonOption, emit, progress_bar

__all__ = ["sheet"]


@app.command()
def sheet(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The pages: .html, .pdf, .png, .svg or .md."
        ),
    ],
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; four-handed unless given.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat", "-s", metavar="SEAT", help="Only this seat's page: 1 … dealer; .png and .svg."
        ),
    ] = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write a page for each seat to bid by, and say what following them costs.

    The first sheet of a game takes a minute or two; pdf, png and svg need the extra 'sheets'.

    For example:

    oddscalc euchre sheet -o euchre.pdf

    oddscalc euchre sheet three-handed --seat dealer -o dealer.png

    oddscalc euchre sheet --rules house.toml -o house.html
    """
    from oddscalc.euchre.bid_fitting import sheet as fitted
    from oddscalc.sheets.euchre import euchre_pages
    from oddscalc.sheets.faces import check_sheet, write_sheet

    chosen = chosen_game(game, rules_file)
    seats = chosen.seats if seat is None else (chosen.seats[chosen.seat_index(seat)],)
    check_sheet(output, len(seats))
    with progress_bar(f"Fitting the sheet of {chosen.title}") as progress:
        strategy = fitted(chosen, progress=progress)
    write_sheet(euchre_pages(strategy, seats), output)
    emit(strategy, form, json=json)
