"""The odds of every class of hands, as Parquet.

The table is worked out in chunks, each a file of its own until all are there; work that was
interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddscalc import __version__, store
from oddscalc.errors import ExportError, InputError, StoreError
from oddscalc.euchre.bids import PLAY_MODEL, ask, check_sample
from oddscalc.euchre.classes import HandClasses, hand_classes
from oddscalc.euchre.frames import row_of, schema, table_types
from oddscalc.euchre.notation import card_name, card_names
from oddscalc.euchre.pairs import counted_frame
from oddscalc.euchre.plays import DEALER_RULE, DEFENDER_RULE, INNER_DEALS, Question
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.export import check_parquet
from oddscalc.jit import threads

if TYPE_CHECKING:
    import polars as pl

__all__ = ["DEFAULT_TABLE_DEALS", "write_bid_table"]

DEFAULT_TABLE_DEALS = 2_000

_FORMAT = 2
_CLASSES_COUNTED, _CLASSES_SAMPLED = 8192, 128  # in a chunk
_MARK = "oddscalc.fingerprint"

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class _Chunk:
    """Classes asked about together: the same round and seat."""

    round: int
    seat: int
    classes: range


def write_bid_table(
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
        Only these of all classes, by number.
    progress
        Takes hands done and hands in all.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    InputError
        If the file's ending or folder, the rounds, the number of deals, the seed or the classes
        cannot be; nothing is written then.
    StoreError
        If the chunks that lie there were made by another game, seed, number of deals or version.
    ExportError
        If the file cannot be written.
    """
    game = load_game(game) if isinstance(game, str) else game
    path = Path(path)
    check_parquet(path)
    check_sample(deals, seed)
    for bidding_round in rounds or (None,):
        if bidding_round not in (1, 2):
            raise InputError(f"There is no bidding round {bidding_round}; accepted: 1, 2 or both.")
    every = hand_classes(game.deck)
    some = range(len(every)) if classes is None else classes
    if not some or min(some) < 0 or max(some) >= len(every):
        raise InputError(
            f"The classes {some} cannot be, with {game.deck} cards; accepted: numbers from 0 to "
            f"{len(every) - 1}, at least one."
        )
    counted = game.hands == 2 and game.dummy == 0
    step = _CLASSES_COUNTED if counted else _CLASSES_SAMPLED
    chunks = [
        _Chunk(bidding_round, seat, some[start : start + step])
        for bidding_round in sorted(set(rounds))
        for seat in range(game.hands)
        for start in range(0, len(some), step)
    ]
    about = _about(game, sorted(set(rounds)), deals, seed, some, counted=counted)

    def frame_of(chunk: _Chunk, pool: ThreadPoolExecutor) -> pl.DataFrame:
        if counted:
            return counted_frame(game, every, chunk.classes, chunk.seat, chunk.round, pool)
        return _sampled_frame(game, every, chunk, deals, seed)

    try:
        return _fill(path, chunks, about, frame_of, table_types(game), progress)
    except OSError as error:
        reason = error.strerror or error
        raise ExportError(f"The file '{path}' cannot be written: {reason}.") from None


def _fill(
    path: Path,
    chunks: Sequence[_Chunk],
    about: dict[str, str],
    frame_of: Callable[[_Chunk, ThreadPoolExecutor], pl.DataFrame],
    types: Mapping[Any, Any],
    progress: Progress | None,
) -> int:
    """Work out the chunks that are not there yet, put all together and return the rows."""
    import polars as pl

    folder = path.with_name(path.name + ".parts")
    folder.mkdir(exist_ok=True)
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
                _write(frame_of(chunk, pool), part, {_MARK: about[_MARK]})
            done += len(chunk.classes)
            if progress:
                progress(done, work)
    table = pl.concat([pl.read_parquet(part) for part in parts]).cast(types)
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
    import polars as pl

    rows = []
    for number in chunk.classes:
        hand, up = tuple(every.hands[number].tolist()), int(every.ups[number])
        asked = Question(game, hand, up, chunk.seat, chunk.round)
        answer = ask(asked, deals=deals, seed=seed)
        name = (" ".join(card_names(answer.hand)), card_name(up), answer.seat, answer.round)
        rows += [
            {**row_of(name, action, answer.method), "hands": int(every.sizes[number])}
            for action in answer.actions
        ]
    return pl.DataFrame(rows, schema=schema() | {"hands": pl.Int64})
