"""``oddscalc euchre table``: what analysts load, written as Parquet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from oddscalc.cli.euchre import (
    Play,
    RulesOption,
    SeedOption,
    chosen_game,
)
from oddscalc.cli.euchre_match import OutcomesOption
from oddscalc.cli.output import (
    ClusterOption,
    Format,
    FormatOption,
    JsonOption,
    PlotOption,
    WrittenTable,
    emit,
    long_job,
)

if TYPE_CHECKING:
    from oddscalc.euchre.rules import EuchreGame

__all__ = ["app"]

app = typer.Typer(
    help="Write a table as Parquet.\n\n"
    "For example: oddscalc euchre table bids two-handed -o two-handed.parquet",
    no_args_is_help=True,
)

GameArgument = Annotated[
    str | None, typer.Argument(metavar="[GAME]", help="A game; four-handed unless given.")
]
FileOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The Parquet file to write.")
]


@dataclass(frozen=True)
class WrittenEuchreTable(WrittenTable):
    """A table of Euchre that was written to a file."""

    schema: ClassVar[str] = "oddscalc.euchre.table/1"


def _written(
    game: EuchreGame, kind: str, path: Path, rows: int, start: float
) -> WrittenEuchreTable:
    return WrittenEuchreTable(game.name, kind, str(path), rows, perf_counter() - start)


@app.command()
def bids(
    output: FileOption,
    game: GameArgument = None,
    bidding_round: Annotated[
        int | None, typer.Option("--round", "-r", metavar="1|2", help="Both unless given.")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals", "-n", metavar="N", help="Deals sampled for each hand, where not exact."
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="Only the first N classes, as a trial."),
    ] = None,
    plot: PlotOption = None,
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write the odds of every bid for every class of hands, upcard, seat and round.

    Play is with open hands. Interrupted work goes on where it stopped when the same command is
    given again.

    For example:

    oddscalc euchre table bids two-handed -o two-handed.parquet

    oddscalc euchre table bids four-handed -o trial.parquet --limit 100 -n 500

    oddscalc euchre table bids two-handed -o two-handed.parquet --plot odds.svg
    """
    from oddscalc.euchre.bid_table import DEFAULT_TABLE_DEALS, parts_folder, write_bid_table
    from oddscalc.euchre.classes import hand_classes
    from oddscalc.euchre.strength import check_drawn, draw_bids

    chosen = chosen_game(game, rules_file)
    if plot is not None:
        check_drawn(plot, bidding_round)
    start = perf_counter()
    classes = None if limit is None else range(min(limit, len(hand_classes(chosen.deck))))
    with long_job("Hands", parts_folder(output)) as progress:
        rows = write_bid_table(
            chosen,
            output,
            rounds=(1, 2) if bidding_round is None else (bidding_round,),
            deals=DEFAULT_TABLE_DEALS if deals is None else deals,
            seed=seed,
            classes=classes,
            progress=progress,
            cluster=cluster,
        )
    if plot is not None:
        draw_bids(output, plot)
    emit(_written(chosen, "bids", output, rows, start), form, json=json)


@app.command()
def deals(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder of the files.")
    ],
    game: GameArgument = None,
    number: Annotated[
        int | None, typer.Option("--deals", "-n", metavar="N", help="How many deals.")
    ] = None,
    play: Annotated[Play, typer.Option("--play", help="How the hands are played.")] = Play.open,
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write random deals with the result of every contract, as files in a folder.

    Interrupted work goes on where it stopped when the same command is given again.

    For example:

    oddscalc euchre table deals four-handed -o deals -n 100000

    oddscalc euchre table deals three-handed -o closed -n 5000 --play closed
    """
    from oddscalc.euchre.deals_table import DEFAULT_LIBRARY_DEALS, deals_folder, write_deals

    chosen = chosen_game(game, rules_file)
    start = perf_counter()
    with long_job("Deals", deals_folder(output)) as progress:
        rows = write_deals(
            chosen,
            output,
            deals=DEFAULT_LIBRARY_DEALS if number is None else number,
            seed=seed,
            play=play.value,
            progress=progress,
            cluster=cluster,
        )
    emit(_written(chosen, "deals", output, rows, start), form, json=json)


@app.command()
def match(
    output: FileOption,
    game: GameArgument = None,
    outcomes: OutcomesOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write the chance of winning the match for every score and seat.

    For example: oddscalc euchre table match three-handed -o match.parquet
    """
    from oddscalc.euchre.hand_outcomes import read_outcomes
    from oddscalc.euchre.matches import write_match_table

    chosen = chosen_game(game, rules_file)
    start = perf_counter()
    figures = None if outcomes is None else read_outcomes(outcomes, chosen)
    rows = write_match_table(chosen, output, figures)
    emit(_written(chosen, "match", output, rows, start), form, json=json)
