"""The odds of many hands at once: a Polars frame of hands, or every class of hands as Parquet.

Renaming suits within the rules changes nothing, so hands come in classes: with 24 cards 17,633
for each upcard, 105,798 in all. The table is worked out in chunks, each a file of its own until
all are there; work that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from oddscalc import __version__, store
from oddscalc.errors import InputError, StoreError
from oddscalc.euchre import kernels
from oddscalc.euchre.bids import PLAY_MODEL, Action, ask, read_question
from oddscalc.euchre.notation import (
    JOKER,
    card_name,
    card_names,
    deck_cards,
    nameable_suits,
    orderable_suits,
    rank_of,
    sorted_cards,
    suit_name,
    suit_of,
)
from oddscalc.euchre.plays import DEALER_RULE, DEFENDER_RULE, INNER_DEALS, Bid, Play, Question
from oddscalc.euchre.rules import CARDS_IN_HAND, DEFAULT_GAME, EuchreGame, load_game
from oddscalc.euchre.tables import mask_of, trump_bit
from oddscalc.jit import run_parts, threads

if TYPE_CHECKING:
    import polars as pl

__all__ = ["DEFAULT_TABLE_DEALS", "HandClasses", "bid_odds_frame", "bid_table", "hand_classes"]

DEFAULT_TABLE_DEALS = 2_000

_FORMAT = 1
_CLASSES_COUNTED, _CLASSES_SAMPLED = 8192, 128  # in a chunk
_MARK = "oddscalc.fingerprint"

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class HandClasses:
    """Hands with an upcard, one for each class.

    Attributes
    ----------
    hands : int64[classes, 5]
    ups : int64[classes]
    sizes : int64[classes]
        How many hands with an upcard a class stands for.
    """

    hands: NDArray[np.int64]
    ups: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ups)


@cache
def hand_classes(deck: int) -> HandClasses:
    """Return the classes of hands of five with an upcard under renaming of suits.

    >>> len(hand_classes(24)), int(hand_classes(24).sizes.sum())
    (105798, 1009476)
    """
    names = [
        rename
        for rename in permutations(range(4))
        if rename[0] ^ 1 == rename[1] and rename[2] ^ 1 == rename[3]
    ]
    cards = deck_cards(deck)
    found = []
    for up in cards:
        if up != JOKER and suit_of(up) != 0:
            continue
        others = np.array([card for card in cards if card != up])
        picks = np.array(list(combinations(range(len(others)), CARDS_IN_HAND)))
        hands = others[picks]
        # Renamings that leave the upcard where it is; the hand with the least mask is the class.
        staying = [rename for rename in names if up == JOKER or rename[0] == 0]
        masks = np.array(
            [
                np.array([mask_of([_renamed(card, rename)]) for card in others], np.uint64)[
                    picks
                ].sum(axis=1, dtype=np.uint64)
                for rename in staying
            ]
        )
        least = masks[0] == masks.min(axis=0)
        alike = (masks == masks[0]).sum(axis=0)
        orbit = (1 if up == JOKER else 4) * len(staying) // alike[least]
        found.append((hands[least], np.full(int(least.sum()), up), orbit))
    hands, ups, sizes = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return HandClasses(hands, ups, sizes)


def _renamed(card: int, rename: Sequence[int]) -> int:
    return card if card == JOKER else 8 * rename[suit_of(card)] + rank_of(card)


# Frames


def bid_odds_frame(
    frame: pl.DataFrame,
    *,
    game: EuchreGame | str = DEFAULT_GAME,
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
    game, deals, exact, seed, progress
        As for `bid_odds`; every hand gets its own deals, from the same seed.

    Raises
    ------
    InputError
        If a column is missing or a row cannot be; the text names the row.
    """
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
        answer = ask(asked, deals=deals, exact=exact, seed=seed)
        rows += [_row(name, action, answer.method) for action in answer.actions]
    return _frame(rows)


def _row(name: tuple[Any, ...], action: Action, method: str) -> dict[str, Any]:
    values = action.to_dict()
    values["n"] = values.pop("deals")
    del values["win"]
    asked = dict(zip(("hand", "up", "seat", "round"), name, strict=True))
    return {**asked, **values, "method": None if action.points is None else method}


def _schema() -> dict[str, Any]:
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


def _frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(list(rows), schema=_schema())


# The table of every class


@dataclass(frozen=True)
class _Chunk:
    """Classes asked about together: the same round and seat."""

    round: int
    seat: int
    classes: range


def bid_table(
    game: EuchreGame | str,
    path: Path | str,
    *,
    rounds: Sequence[int] = (1, 2),
    deals: int = DEFAULT_TABLE_DEALS,
    seed: int = 0,
    classes: range | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the odds of every action for every class of hands, seat and round, as Parquet.

    One row an action; `hands` tells how many hands with an upcard the class stands for. Two-handed
    games without a dummy are counted in full, others sampled. Chunks that are done lie in a folder
    beside the file until all are there, so that interrupted work is resumed by the same call.

    Parameters
    ----------
    path
        The Parquet file. Its metadata tell game, fingerprint, seed and models.
    rounds
        1 for ordering, 2 for naming.
    deals
        Sampled for each hand.
    classes
        Only these of `hand_classes`.
    progress
        Takes hands done and hands in all.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    StoreError
        If the chunks that lie there were made by another game, seed, number of deals or version.
    OSError
        If the file cannot be written.
    """
    import polars as pl

    game = load_game(game) if isinstance(game, str) else game
    path = Path(path)
    if not rounds or not set(rounds) <= {1, 2}:
        raise InputError(f"The rounds {list(rounds)} cannot be; accepted: 1, 2 or both.")
    every = hand_classes(game.deck)
    some = range(len(every)) if classes is None else classes
    counted = game.hands == 2 and game.dummy == 0
    step = _CLASSES_COUNTED if counted else _CLASSES_SAMPLED
    chunks = [
        _Chunk(bidding_round, seat, some[start : start + step])
        for bidding_round in sorted(set(rounds))
        for seat in range(game.hands)
        for start in range(0, len(some), step)
    ]
    about = _about(game, sorted(set(rounds)), deals, seed, some, counted=counted)
    folder = path.with_name(path.name + ".parts")
    folder.mkdir(parents=True, exist_ok=True)
    parts = [folder / f"{number:06d}.parquet" for number in range(len(chunks))]
    for part in sorted(folder.glob("*.parquet")):
        if pl.read_parquet_metadata(part).get(_MARK) != about[_MARK] or part not in parts:
            raise StoreError(
                f"{part} was made by another game, seed, number of deals or version; remove the "
                f"folder {folder.name} or write to another file."
            )
    work, done = sum(len(chunk.classes) for chunk in chunks), 0
    with ThreadPoolExecutor(threads()) as pool:
        for chunk, part in zip(chunks, parts, strict=True):
            if not part.exists():
                if counted:
                    frame = _counted_frame(game, every, chunk, pool)
                else:
                    frame = _sampled_frame(game, every, chunk, deals, seed)
                _write(frame, part, {_MARK: about[_MARK]})
            done += len(chunk.classes)
            if progress:
                progress(done, work)
    table = pl.concat([pl.read_parquet(part) for part in parts])
    _write(table, path, about)
    shutil.rmtree(folder)
    return table.height


def _about(
    game: EuchreGame,
    rounds: Sequence[int],
    deals: int,
    seed: int,
    classes: range,
    *,
    counted: bool,
) -> dict[str, str]:
    """Return what the file says of itself."""
    method = "exact" if counted else "monte-carlo"
    made_of = {
        "format": _FORMAT,
        "version": __version__,
        "game": game.to_dict(),
        "rounds": list(rounds),
        "method": method,
        "deals": None if counted else deals,
        "seed": None if counted else seed,
        "classes": [classes.start, classes.stop, classes.step],
    }
    discards = f"the asking dealer: best on average; another dealer: {DEALER_RULE}"
    if game.dummy:
        discards += f"; the five kept with a dummy: best on average over {INNER_DEALS} deals"
    if game.defend_alone:
        discards += f"; {DEFENDER_RULE}"
    return {
        "oddscalc.table": "euchre.bids",
        _MARK: store.fingerprint(made_of),
        "oddscalc.version": __version__,
        "oddscalc.game": json.dumps(game.to_dict(), ensure_ascii=False),
        "oddscalc.game_fingerprint": store.fingerprint(game.to_dict()),
        "oddscalc.method": method,
        "oddscalc.deals": "all" if counted else str(deals),
        "oddscalc.seed": "" if counted else str(seed),
        "oddscalc.play": PLAY_MODEL,
        "oddscalc.discards": discards,
        "oddscalc.pass": "not computed by this version",
    }


def _write(frame: pl.DataFrame, path: Path, metadata: dict[str, str]) -> None:
    """Write a Parquet file that is there in full or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        frame.write_parquet(temporary, metadata=metadata)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _sampled_frame(
    game: EuchreGame, every: HandClasses, chunk: _Chunk, deals: int, seed: int
) -> pl.DataFrame:
    rows = []
    for number in chunk.classes:
        hand, up = tuple(every.hands[number].tolist()), int(every.ups[number])
        asked = Question(game, hand, up, chunk.seat, chunk.round)
        answer = ask(asked, deals=deals, seed=seed)
        name = (" ".join(card_names(answer.hand)), card_name(up), answer.seat, answer.round)
        rows += [
            {**_row(name, action, answer.method), "hands": int(every.sizes[number])}
            for action in answer.actions
        ]
    import polars as pl

    return pl.DataFrame(rows, schema=_schema() | {"hands": pl.Int64})


# Two hands: every world of many hands at a time


@dataclass(frozen=True)
class _Figures:
    """One bid for many hands; `best` and `second` are the places of the cards thrown."""

    bid: Bid
    tally: NDArray[np.int64]
    points: NDArray[np.float64]
    six: NDArray[np.int64] | None
    best: NDArray[np.int64]
    second: NDArray[np.int64]
    loss: NDArray[np.float64]


def _counted_frame(
    game: EuchreGame, every: HandClasses, chunk: _Chunk, pool: ThreadPoolExecutor
) -> pl.DataFrame:
    import polars as pl

    classes = np.array(chunk.classes)
    hands, ups = every.hands[classes], every.ups[classes]
    suits = orderable_suits if chunk.round == 1 else nameable_suits
    frames = []
    names = np.array([" ".join(card_names(sorted_cards(hand))) for hand in hands.tolist()])
    for up in np.unique(ups).tolist():
        rows = np.flatnonzero(ups == up)
        question = Question(game, tuple(hands[rows[0]].tolist()), up, chunk.seat, chunk.round)
        figures = [
            _figures(question, Bid(trump, False), hands[rows], pool) for trump in suits(game, up)
        ]
        top = np.max([one.points for one in figures], axis=0)
        worlds = int(figures[0].tally[0].sum()) // int(kernels.LOTS)
        action = "name" if chunk.round == 2 else "take" if question.takes_up else "order"
        place = np.argsort(np.argsort([-one.points for one in figures], axis=0, kind="stable"), 0)
        for number, one in enumerate(figures):
            total = one.tally.sum(axis=1)
            columns: dict[str, Any] = {
                "row": rows,
                "place": place[number],
                "action": action,
                "trump": suit_name(one.bid.trump),
                "alone": False,
                "discard": _thrown(one, one.best),
                "runner_up": _thrown(one, one.second),
                "runner_up_loss": one.loss,
                "runner_up_stderr": 0 * one.loss,
                "p_euchred": (one.tally[:, 0] + one.tally[:, 1]) / total,
                "p_made": one.tally[:, 2] / total,
                "p_march": one.tally[:, 3] / total,
                "points": one.points,
                "stderr": 0.0,
                "loss": top - one.points,
                "loss_stderr": 0.0,
                "n": worlds,
                "method": "exact",
            }
            frames.append(pl.DataFrame(columns, schema_overrides=_kinds(columns)))
        if not (game.stick_the_dealer and chunk.round == 2 and chunk.seat == game.dealer):
            columns = {"row": rows, "place": len(figures), "action": "pass", "alone": False}
            frames.append(pl.DataFrame(columns, schema_overrides=_kinds(columns)))
    asked = {
        "row": np.arange(len(classes)),
        "hand": names,
        "up": [card_name(up) for up in ups.tolist()],
        "seat": game.seats[chunk.seat],
        "round": chunk.round,
        "hands": every.sizes[classes],
    }
    left = pl.DataFrame(asked, schema_overrides=_kinds(asked))
    table = left.join(pl.concat(frames, how="diagonal"), on="row", how="left")
    nan = pl.col("runner_up_loss", "runner_up_stderr").fill_nan(None)
    return table.sort("row", "place").select(*_schema(), "hands").with_columns(nan)


def _kinds(columns: dict[str, Any]) -> dict[str, Any]:
    import polars as pl

    kinds = _schema() | {"row": pl.Int64, "place": pl.Int64, "hands": pl.Int64}
    return {column: kinds[column] for column in columns}


def _thrown(figures: _Figures, places: NDArray[np.int64]) -> list[str | None]:
    if figures.six is None:
        return [None] * len(places)
    cards = figures.six[np.arange(len(places)), places].tolist()
    return [
        None if place < 0 else card_name(card)
        for card, place in zip(cards, places.tolist(), strict=True)
    ]


def _figures(
    question: Question, bid: Bid, hands: NDArray[np.int64], pool: ThreadPoolExecutor
) -> _Figures:
    """Count every world of one bid for many hands that share the upcard."""
    play = Play.of(question, bid)
    trump, up = bid.trump, question.up
    bits = np.zeros(JOKER + 1, np.uint64)
    for card in deck_cards(question.game.deck):
        bits[card] = 1 << trump_bit(card, trump)
    asked = np.stack([bits[hands].sum(axis=1, dtype=np.uint64), np.full(len(hands), bits[up])], 1)
    tallies = np.zeros((len(hands), CARDS_IN_HAND + 1, 8), np.int64)
    size = -(-len(hands) // (4 * threads()))

    def part(number: int) -> None:
        rows = slice(number * size, (number + 1) * size)
        kernels.count_pairs(
            np.ascontiguousarray(asked[rows]),
            question.takes_up,
            play.plan.copy(),
            int(play.seating[-1, 1]) == question.seat,
            play.table,
            tallies[rows],
        )

    run_parts(pool, part, -(-len(hands) // size))
    rows = np.arange(len(hands))
    if not question.takes_up:
        tally = tallies[:, 0]
        points = (tally @ play.points) / tally.sum(axis=1)
        none = np.zeros(len(hands), np.int64)
        return _Figures(bid, tally, points, None, none, none, np.full(len(hands), np.nan))
    six = np.concatenate([hands, np.full((len(hands), 1), up)], axis=1)
    six = np.take_along_axis(six, np.argsort(bits[six], axis=1), axis=1)
    totals = tallies.sum(axis=2)
    # Ties go to the lowest card.
    worth = np.where(totals > 0, (tallies @ play.points) / np.maximum(totals, 1), -np.inf)
    order = np.argsort(-worth[:, ::-1], axis=1, kind="stable")
    best, second = 5 - order[:, 0], 5 - order[:, 1]
    points, next_best = worth[rows, best], worth[rows, second]
    only = ~np.isfinite(next_best)
    loss = np.where(only, np.nan, points - next_best)
    second = np.where(only, -1, second)
    return _Figures(bid, tallies[rows, best], points, six, best, second, loss)
