"""A game's strategy as Polars frames and Parquet files; docs/tables.md has the columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from oddscalc import __version__, store
from oddscalc.charts import check_chart, save_distribution, save_rounds
from oddscalc.dice.advice import HoldOption, options_of
from oddscalc.dice.beating import NeedTable
from oddscalc.dice.distribution import outcomes
from oddscalc.dice.goals import DIGITS, goal_of
from oddscalc.dice.lattice import lattice
from oddscalc.dice.notation import roll_text
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.scorecard import Scorecard, state_of
from oddscalc.dice.solver import Progress, as_game, mark_of, solve
from oddscalc.errors import InputError, unknown_name
from oddscalc.export import check_parquet, write_frame

if TYPE_CHECKING:
    import polars as pl

__all__ = ["KINDS", "check_drawn", "draw_table", "table_about", "table_frame", "write_table"]

KINDS = ("holds", "boxes", "rounds", "values", "outcomes")
DRAWN = ("rounds", "outcomes")

FORMAT = 1  # goes into the fingerprint: raise it when columns or their meanings change


def table_frame(
    kind: str, game: DiceGame | str, *, best: bool = False, progress: Progress | None = None
) -> pl.DataFrame:
    """Return a table of a game, exact, sorted for look-ups.

    Parameters
    ----------
    kind
        "holds": every hold of every roll; "boxes": every box for every roll; "rounds": when boxes
        are filled, with what, at what price; "values": every state; "outcomes": every total.
    best
        For "outcomes": with the best chance of each total, which takes minutes for large games.
    progress
        Called with work done and work in all.

    Raises
    ------
    InputError
        If there is no such table or game, or `best` is asked of another table.

    >>> table_frame("holds", "yahtzee").height
    8736
    """
    game = as_game(game)
    _check(kind, best)
    solve(game, progress)
    match kind:
        case "holds":
            return _holds(game)
        case "boxes":
            return _boxes(game)
        case "rounds":
            return _rounds(game, progress)
        case "values":
            return solve(game).to_polars()
        case _:
            return _outcomes(game, best, progress)


def write_table(
    kind: str,
    game: DiceGame | str,
    path: Path | str,
    *,
    best: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write a table of a game as Parquet and return the number of rows.

    The file's metadata tell game, fingerprint, version and method. Parameters as for `table_frame`.

    Raises
    ------
    InputError
        As `table_frame` does; if the file's ending or folder cannot be.
    ExportError
        If the file cannot be written.
    """
    game, path = as_game(game), Path(path)
    check_parquet(path)
    frame = table_frame(kind, game, best=best, progress=progress)
    write_frame(frame, path, table_about(kind, game, best=best))
    return frame.height


def draw_table(
    kind: str, game: DiceGame | str, path: Path | str, progress: Progress | None = None
) -> None:
    """Draw the chart of a table: "rounds", or "outcomes" as `save_distribution` does.

    Raises
    ------
    InputError
        If there is no such table or game, the table has no chart, or the file cannot be one.
    ExportError
        If the extra `plots` is not installed, or the file cannot be written.
    """
    game, path = as_game(game), Path(path)
    check_drawn(kind, path)
    found = outcomes(game, progress=progress)
    if kind == "outcomes":
        save_distribution(found.headline(), "Final total", *found.curve(), path)
    else:
        titles = {box.name: box.title for box in game.boxes}
        rows = [asdict(one) | {"box": titles[one.box]} for one in found.rounds]
        save_rounds(game.title, rows, path)


def check_drawn(kind: str, path: Path) -> None:
    """Refuse a table without a chart and a file that cannot be one, before the work is done."""
    if kind not in DRAWN:
        raise InputError(f"The table '{kind}' has no chart; accepted: {' or '.join(DRAWN)}.")
    check_chart(path)


def table_about(kind: str, game: DiceGame | str, *, best: bool = False) -> dict[str, str]:
    """Return what the file of a table says of itself, without computing the table.

    Raises
    ------
    InputError
        As `table_frame` does.
    """
    game = as_game(game)
    _check(kind, best)
    made_of = [FORMAT, __version__, kind, mark_of(game), best]
    return {
        "oddscalc.table": f"dice.{kind}",
        "oddscalc.fingerprint": store.fingerprint("dice-table", *made_of),
        "oddscalc.version": __version__,
        "oddscalc.game": json.dumps(game.to_dict(), ensure_ascii=False),
        "oddscalc.game_fingerprint": store.fingerprint(game.to_dict()),
        "oddscalc.method": "exact",
        "oddscalc.seed": "",
        "oddscalc.play": "every choice maximises the expected final total",
    }


def _check(kind: str, best: bool) -> None:
    if kind not in KINDS:
        raise unknown_name("table", kind, KINDS)
    if best and kind != "outcomes":
        raise InputError(f"The best chances are asked of the table '{kind}'; accepted: outcomes.")


def _holds(game: DiceGame) -> pl.DataFrame:
    names = ("filled", "rolls_left", "roll", "roll_chance", "rank", "hold", "rerolled")
    rows = []
    for asked, options in _every_roll(game):
        if asked[1] > 0:
            # Of all boxes only the best one rivals the holds.
            best = next(option for option in options if option.action == "score")
            holds = [o for o in options if o.action == "reroll" or o is best]
            for option, ranked in zip(holds, _ranked(holds), strict=True):
                rerolled = game.dice - len(option.hold)
                hold = roll_text(option.hold), rerolled, option.box, option.points
                rows.append((*asked, ranked[0], *hold, *ranked[1:]))
    return _framed(game, (*names, "box", "points", "value", "loss"), rows)


def _boxes(game: DiceGame) -> pl.DataFrame:
    names = ("filled", "rolls_left", "roll", "roll_chance", "rank", "box", "points")
    rows = []
    for asked, options in _every_roll(game):
        boxes = [option for option in options if option.action == "score"]
        for option, ranked in zip(boxes, _ranked(boxes), strict=True):
            rows.append((*asked, ranked[0], option.box, option.points, *ranked[1:]))
    return _framed(game, (*names, "value", "loss"), rows)


def _rounds(game: DiceGame, progress: Progress | None) -> pl.DataFrame:
    found = outcomes(game, progress=progress)
    names = ("round", "box", "chance", "mean", "made", "price")
    return _framed(game, names, [astuple(one) for one in found.rounds])


def _outcomes(game: DiceGame, best: bool, progress: Progress | None) -> pl.DataFrame:
    import polars as pl

    found = outcomes(game, progress=progress)
    totals = np.arange(found.low, found.high + 1)
    chances = NeedTable(game, progress=progress).chance(0, totals) if best else [None] * len(totals)
    return pl.DataFrame(
        {
            "total": pl.Series(totals, dtype=pl.Int32),
            "chance": found.chances,
            "at_most": np.cumsum(found.chances).clip(max=1.0),
            "at_least": found.reached,
            "best": pl.Series(chances, dtype=pl.Float64),
        }
    )


def _every_roll(game: DiceGame) -> Iterator[tuple[tuple[int, int, str, float], list[HoldOption]]]:
    """Yield the question (filled boxes, rolls left, roll, its chance) and all options, best first.

    The card is empty or, where parts are played in turn and no bonus spans them, at the start of a
    part, without points.
    """
    grid, arrays = lattice(game.dice, game.faces), solve(game).arrays
    for part in range(len(game.parts) if game.parts_in_turn else 1):
        still_open = [box for one in game.parts[part:] for box in one.boxes]
        if any(
            set(b.boxes) - set(still_open) and set(b.boxes) & set(still_open) for b in game.bonuses
        ):
            continue  # how much of a bonus is there would have to be told
        card = Scorecard.with_open(game, still_open, {}, 0)
        goal = goal_of("mean", card)
        filled, _ = state_of(card, arrays)
        for left in range(game.rolls - 1, -1, -1):
            for roll in grid.rolls:
                chance = grid.ways(roll) / game.faces**game.dice
                yield (filled, left, roll_text(roll), chance), options_of(goal, roll, left)


def _ranked(options: Sequence[HoldOption]) -> list[tuple[int, float, float]]:
    """Return rank, value and loss among some options, best first; equals share their rank."""
    values = [option.value for option in options]
    return [(1 + values.index(v), v, round(values[0] - v, DIGITS)) for v in values]


def _framed(game: DiceGame, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """Return rows as a frame, each column with the type that it has in every table."""
    import polars as pl

    grid = lattice(game.dice, game.faces)
    types: dict[str, Any] = {
        "filled": pl.UInt32,
        "rolls_left": pl.UInt8,
        "round": pl.UInt8,
        "roll": pl.Enum(map(roll_text, grid.rolls)),
        "rank": pl.UInt16,
        "hold": pl.Enum(map(roll_text, grid.keeps)),
        "rerolled": pl.UInt8,
        "box": pl.Enum([box.name for box in game.boxes]),
        "points": pl.Int32,
    }
    return pl.DataFrame(rows, [(name, types.get(name, pl.Float64)) for name in names], orient="row")
