"""The odds of bids as Polars frames: many hands in, one row an action out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from oddscalc.errors import InputError
from oddscalc.euchre.bids import Action, ask, read_question
from oddscalc.euchre.notation import SUITS, card_names, deck_cards
from oddscalc.euchre.plays import Question
from oddscalc.euchre.rules import DEFAULT_GAME, EuchreGame, load_game

if TYPE_CHECKING:
    import polars as pl

__all__ = ["bid_odds_frame", "row_of", "schema", "table_types"]

Progress = Callable[[int, int], None]


def bid_odds_frame(
    frame: pl.DataFrame,
    *,
    game: EuchreGame | str = DEFAULT_GAME,
    play: str = "closed",
    deals: int | None = None,
    exact: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """Return the odds of every action for many hands, one row an action, best first.

    Parameters
    ----------
    frame
        Columns `hand`, `up`, `seat` as text and, if it is not always 1, `round`. They come back
        as they were, with the columns of the answers beside them.
    game, play, deals, exact, seed, progress
        As for `bid_odds`; every hand gets its own deals, from the same seed.

    Raises
    ------
    InputError
        If a column is missing or a row cannot be; the text names the row.
    """
    import polars as pl

    game = load_game(game) if isinstance(game, str) else game
    for column in ("hand", "up", "seat"):
        if column not in frame.columns:
            raise InputError(
                f"The frame has no column '{column}'; accepted: hand, up, seat and, optionally, "
                "round."
            )
    questions: list[Question] = []
    names: list[tuple[Any, ...]] = []
    for number, row in enumerate(frame.iter_rows(named=True)):
        try:
            asked = read_question(
                str(row["hand"]), str(row["up"]), str(row["seat"]), row.get("round", 1), game
            )
        except InputError as error:
            raise InputError(f"Row {number}: {error}") from None
        questions.append(asked)
        names.append((row["hand"], row["up"], row["seat"], asked.round))
    rows: list[dict[str, Any]] = []
    for done, (asked, name) in enumerate(zip(questions, names, strict=True)):
        if progress:
            progress(done, len(questions))
        answer = ask(asked, play=play, deals=deals, exact=exact, seed=seed)
        rows += [row_of(name, action, answer.method) for action in answer.actions]
    return pl.DataFrame(rows, schema=schema())


def row_of(name: tuple[Any, ...], action: Action, method: str) -> dict[str, Any]:
    """Return a row: the question (hand, up, seat, round) and an action's figures."""
    values = action.to_dict()
    values["n"] = values.pop("deals")
    values["method"] = None if action.points is None else method
    asked = dict(zip(("hand", "up", "seat", "round"), name, strict=True))
    return asked | {key: values[key] for key in schema() if key in values}


def schema() -> dict[str, Any]:
    """Return the columns of frames and tables with their types."""
    import polars as pl

    texts = dict.fromkeys(("hand", "up", "seat"), pl.String)
    figures = ("p_euchred", "p_made", "p_march", "points", "stderr", "loss", "loss_stderr")
    return {
        **texts,
        "round": pl.Int8,
        "action": pl.String,
        "trump": pl.String,
        "alone": pl.Boolean,
        "discard": pl.String,
        "runner_up": pl.String,
        "runner_up_loss": pl.Float64,
        "runner_up_stderr": pl.Float64,
        **dict.fromkeys(figures, pl.Float64),
        "n": pl.Int64,
        "method": pl.String,
    }


def table_types(game: EuchreGame) -> dict[str, Any]:
    """Return the types that columns of texts and large numbers have in the files of a game."""
    import polars as pl

    cards = pl.Enum(card_names(deck_cards(game.deck)))
    return {
        "up": cards,
        "seat": pl.Enum(game.seats),
        "action": pl.Enum(["order", "take", "name", "pass"]),
        "trump": pl.Enum(list(SUITS)),
        "discard": cards,
        "runner_up": cards,
        "n": pl.Int32,
        "method": pl.Enum(["exact", "monte-carlo"]),
        "hands": pl.Int32,
    }
