"""``oddscalc euchre table``: Parquet files of bids, of deals and of the race to the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, ClassVar

import typer

from oddscalc.cli.euchre import Play, RulesOption, SeedOption, app, chosen_game
from oddscalc.cli.euchre_match import OutcomesOption
from oddscalc.cli.output import (
    ClusterOption,
    Format,
    FormatOption,
    JsonOption,
    emit,
    long_job,
    progress_bar,
)
from oddscalc.errors import InputError
from oddscalc.results import Column, Result

__all__ = ["TableKind", "WrittenTable"]


class TableKind(StrEnum):
    """What a table holds."""

    bids = "bids"
    deals = "deals"
    match = "match"


# Options that a kind of table has no use for.
_UNUSED = {
    TableKind.bids: ("--outcomes",),
    TableKind.deals: ("--round", "--limit", "--outcomes"),
    TableKind.match: ("--round", "--deals", "--limit", "--cluster"),
}


@dataclass(frozen=True)
class WrittenTable(Result):
    """A table that was written to a file."""

    schema: ClassVar[str] = "oddscalc.euchre.table/1"

    game: str
    kind: str
    file: str
    rows: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return asdict(self)

    def headline(self) -> str:
        """Return the answer as a sentence."""
        return f"{self.file}: {self.rows:,} rows in {self.seconds:.1f} s"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("game", "Game"),
            Column("kind", "Kind"),
            Column("file", "File"),
            Column("rows", "Rows", "{:,}".format, right=True),
            Column("seconds", "Seconds", "{:.1f}".format, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return the one row."""
        return [self.to_dict()]


@app.command()
def table(
    kind: Annotated[
        TableKind,
        typer.Argument(
            metavar="KIND",
            help="bids: the odds of every bid; deals: random deals, every contract played; "
            "match: the chance of winning, by score and dealer.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="PATH", help="The Parquet file, for deals the folder."
        ),
    ],
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; four-handed unless given.")
    ] = None,
    bidding_round: Annotated[
        int | None, typer.Option("--round", "-r", metavar="1|2", help="bids: both unless given.")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            help="bids: deals sampled for each hand, where not exact; deals: how many.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="N", min=1, help="bids: only the first N classes, as a trial."
        ),
    ] = None,
    play: Annotated[
        Play, typer.Option("--play", help="How the hands are played after the bidding.")
    ] = Play.open,
    cluster: ClusterOption = None,
    seed: SeedOption = 0,
    outcomes: OutcomesOption = None,
    rules_file: RulesOption = None,
    form: FormatOption = Format.table,
    json: JsonOption = False,
) -> None:
    """Write a table as Parquet.

    bids: the odds of every bid for every class of hands, upcard, seat and round. deals: random
    deals, each with the result of every contract, as files in a folder. match: the chance of
    winning the match for every score and seat.
    Interrupted work goes on where it stopped when the same command is given again.

    For example:

    oddscalc euchre table bids two-handed -o two-handed.parquet

    oddscalc euchre table bids four-handed -o trial.parquet --limit 100 -n 500

    oddscalc euchre table deals four-handed -o deals -n 100000

    oddscalc euchre table match three-handed -o match.parquet
    """
    chosen = chosen_game(game, rules_file)
    start = perf_counter()
    given = {
        "--round": bidding_round,
        "--deals": deals,
        "--limit": limit,
        "--cluster": cluster,
        "--outcomes": outcomes,
    }
    for option in _UNUSED[kind]:
        if given[option] is not None:
            raise InputError(f"{option} is given with a table of {kind}; accepted: without it.")
    if kind is TableKind.bids:
        from oddscalc.euchre.bid_table import DEFAULT_TABLE_DEALS, parts_folder, write_bid_table
        from oddscalc.euchre.classes import hand_classes

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
    elif kind is TableKind.deals:
        from oddscalc.euchre.deals_table import DEFAULT_LIBRARY_DEALS, deals_folder, write_deals

        with long_job("Deals", deals_folder(output)) as progress:
            rows = write_deals(
                chosen,
                output,
                deals=DEFAULT_LIBRARY_DEALS if deals is None else deals,
                seed=seed,
                play=play.value,
                progress=progress,
                cluster=cluster,
            )
    else:
        from oddscalc.euchre.hand_outcomes import read_outcomes
        from oddscalc.euchre.matches import write_match_table

        figures = None if outcomes is None else read_outcomes(outcomes, chosen)
        with progress_bar("Bidding") as progress:
            rows = write_match_table(chosen, output, figures, progress=progress)
    emit(
        WrittenTable(chosen.name, kind.value, str(output), rows, perf_counter() - start),
        form,
        json=json,
    )
