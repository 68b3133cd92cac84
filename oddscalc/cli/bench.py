"""``oddscalc bench``: how long things take here, beside others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from oddscalc.cli.output import Format, FormatOption, JsonOption, emit, progress_bar

__all__ = ["bench"]


def bench(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[dice|euchre|cli|NAME]...", help="All suites unless given."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="PEER",
            help="Beside it, in turn: yatzy-solver, endplay, open_spiel, python. Repeatable.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the table there too: NAME.parquet.")
    ] = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Measure what people wait for: time, rate, memory, compiling, on this machine.

    Names of single benchmarks are accepted too; those that take minutes run only by name.

    For example:

    oddscalc bench dice --against yatzy-solver

    oddscalc bench euchre --against endplay --against open_spiel -o euchre.parquet

    oddscalc bench solve-maxi-yatzy
    """
    from oddscalc.bench.results import bench as measured
    from oddscalc.export import check_parquet, write_parquet

    if output is not None:
        check_parquet(output)
    with progress_bar("Measuring") as progress:
        result = measured(what or (), against=against or (), progress=progress)
    if output is not None:
        write_parquet(result, output)
    emit(result, form, json=json)
