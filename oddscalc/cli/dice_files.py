"""The commands of ``oddscalc dice`` that write files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Annotated, ClassVar

import typer

from oddscalc.cli.dice_options import GameArgument, RulesOption, chosen_game
from oddscalc.cli.output import (
    Format,
    FormatOption,
    JsonOption,
    PlotOption,
    WrittenTable,
    emit,
    progress_bar,
)

__all__ = ["table"]


class TableKind(StrEnum):
    """What a table holds."""

    holds = "holds"
    boxes = "boxes"
    rounds = "rounds"
    values = "values"
    outcomes = "outcomes"


@dataclass(frozen=True)
class WrittenDiceTable(WrittenTable):
    """A table of a dice game that was written to a file."""

    schema: ClassVar[str] = "oddscalc.dice.table/1"


def table(
    kind: Annotated[
        TableKind,
        typer.Argument(
            metavar="KIND",
            help="holds: every hold of every roll; boxes: every box for every roll; rounds: when "
            "boxes are filled, with what, at what price; values: every state; outcomes: every "
            "total.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The file to write: NAME.parquet."),
    ],
    game: GameArgument = None,
    rules: RulesOption = None,
    best: Annotated[
        bool,
        typer.Option(
            "--best", help="With outcomes: the best chance of each total, too; may take minutes."
        ),
    ] = False,
    plot: PlotOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write a table of a game's strategy as Parquet: docs/tables.md has the columns.

    [bold]Examples[/bold]

    oddscalc dice table holds yahtzee -o holds.parquet

    oddscalc dice table rounds yatzy -o rounds.parquet --plot rounds.svg

    oddscalc dice table outcomes poker-dice -o totals.parquet --best
    """
    from oddscalc.dice.frames import check_drawn, draw_table, write_table

    chosen = chosen_game(game, rules)
    start = perf_counter()
    if plot is not None:
        check_drawn(kind.value, plot)
    with progress_bar(f"Solving {chosen.title}") as progress:
        rows = write_table(kind.value, chosen, output, best=best, progress=progress)
        if plot is not None:
            draw_table(kind.value, chosen, plot)
    seconds = perf_counter() - start
    emit(
        WrittenDiceTable(chosen.name, kind.value, str(output), rows, seconds),
        form,
        json=json,
    )
