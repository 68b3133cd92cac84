"""The odds of bids by how strong a hand is: what a table of bids says in a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from oddscalc.charts import check_chart, save_bids
from oddscalc.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["bid_strengths", "check_drawn", "draw_bids"]

_LEFT = {"S": "JC", "C": "JS", "H": "JD", "D": "JH"}
_MEANS = ("p_euchred", "p_made", "p_march", "points")


def bid_strengths(table: pl.DataFrame) -> pl.DataFrame:
    """Return the odds of making the upcard's suit trumps, by seat, bowers and trumps in hand.

    The maker plays with partner or dummy, if there is one. Every hand counts as often as it is
    dealt.

    Parameters
    ----------
    table
        A table of bids, or part of it: rows of round 1.

    Returns
    -------
    DataFrame
        Columns `seat`, `bowers`, `trumps`, `p_euchred`, `p_made`, `p_march`, `points`, `hands`:
        means over so many hands with an upcard. A joker is a bower; the upcard is not counted.

    Raises
    ------
    InputError
        If there is no such bid among the rows.
    """
    import polars as pl

    hand, trump = pl.col("hand"), pl.col("trump").cast(pl.String)
    left = hand.str.contains(trump.replace_strict(_LEFT, default=None), literal=True)
    joker = hand.str.contains("Jo", literal=True)
    bids = table.filter(pl.col("round") == 1, ~pl.col("alone"), pl.col("points").is_not_null())
    if bids.is_empty():
        raise InputError("The table has no bids of round 1; accepted: one with some.")
    seats = bids["seat"].cast(pl.String).unique(maintain_order=True).to_list()
    weight = pl.col("hands") / pl.col("hands").sum()
    means = [(pl.col(key) * weight).sum() for key in _MEANS]
    return (
        bids.with_columns(
            pl.col("seat").cast(pl.String).cast(pl.Enum(seats)),
            bowers=(hand.str.contains("J" + trump, literal=True).cast(pl.UInt8) + left + joker),
            trumps=hand.str.count_matches(trump, literal=True).cast(pl.UInt8) + left + joker,
        )
        .group_by("seat", "bowers", "trumps")
        .agg(*means, pl.col("hands").sum())
        .sort("seat", "bowers", "trumps")
    )


def check_drawn(chart: Path, bidding_round: int | None = None) -> None:
    """Refuse a chart of the second round alone, and a file that cannot be a chart.

    Raises
    ------
    InputError, ExportError
        As `draw_bids` does.
    """
    if bidding_round == 2:
        raise InputError("The chart is one of bids of round 1; accepted: a table with that round.")
    check_chart(chart)


def draw_bids(file: Path, chart: Path) -> None:
    """Draw the odds of bids in round 1 by seat, trumps and bowers, from the file of a table.

    Raises
    ------
    InputError
        If the table has no such bids, or the chart's file cannot be one.
    ExportError
        If the extra `plots` is not installed, or the file cannot be written.
    """
    import polars as pl

    check_chart(chart)
    about = pl.read_parquet_metadata(file)
    title = json.loads(about["oddscalc.game"])["title"]
    exact = about["oddscalc.method"] == "exact"
    deals = "all deals counted" if exact else f"{about['oddscalc.deals']} deals for each hand"
    rows = bid_strengths(pl.read_parquet(file)).to_dicts()
    save_bids(f"{title}: the upcard's suit is made trumps", f"Open hands, {deals}", rows, chart)
