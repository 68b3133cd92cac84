"""The odds of every class of hands, as Parquet."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddscalc import store
from oddscalc.clusters import check_cluster
from oddscalc.errors import ExportError, InputError
from oddscalc.euchre.bid_models import PLAY_MODEL
from oddscalc.euchre.bids import ask, check_sample
from oddscalc.euchre.classes import hand_classes
from oddscalc.euchre.frames import row_of, schema, table_types
from oddscalc.euchre.notation import card_name, card_names
from oddscalc.euchre.pairs import counted_frame
from oddscalc.euchre.plays import DEALER_RULE, DEFENDER_RULE, INNER_DEALS, Question
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.export import check_parquet, packed, unpacked, write_frame
from oddscalc.jit import threads
from oddscalc.jobs import Job, Spec

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

__all__ = ["DEFAULT_TABLE_DEALS", "parts_folder", "write_bid_table"]

DEFAULT_TABLE_DEALS = 2_000

_FORM = 2
_CLASSES_COUNTED, _CLASSES_SAMPLED = 8192, 128  # in a chunk

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class _Chunk:
    """Classes asked about together: the same round and seat."""

    round: int
    seat: int
    classes: range


def parts_folder(path: Path) -> Path:
    """Return the folder where a table's chunks lie until all are there."""
    return path.with_name(path.name + ".parts")


def write_bid_table(
    game: EuchreGame | str,
    path: Path | str,
    *,
    rounds: Sequence[int] = (1, 2),
    deals: int = DEFAULT_TABLE_DEALS,
    seed: int = 0,
    classes: range | None = None,
    progress: Progress | None = None,
    cluster: str | None = None,
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
        Takes chunks done and chunks in all.
    cluster
        The address of a Dask scheduler, or ``local:N``; all workers share the file's folder.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    InputError
        If the file's ending or folder, the rounds, the number of deals, the seed, the classes or
        the cluster cannot be; nothing is written then.
    StoreError
        If the chunks that lie there were made by another game, seed, number of deals or version,
        another process is making them, or one cannot be written.
    ExportError
        If the file cannot be written.
    """
    game = load_game(game) if isinstance(game, str) else game
    path = Path(path)
    check_parquet(path)
    check_sample(deals, seed)
    if cluster is not None:
        check_cluster(cluster)
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
    spec = _spec(game, sorted(set(rounds)), deals, seed, some)
    job = Job(spec, parts_folder(path))
    with job.alone():
        job.run(partial(_part, game), progress=progress, cluster=cluster)
        try:
            return _put_together(job, path, _about(game, spec), table_types(game))
        except OSError as error:
            reason = error.strerror or error
            raise ExportError(f"The file '{path}' cannot be written: {reason}.") from None


def _spec(game: EuchreGame, rounds: Sequence[int], deals: int, seed: int, classes: range) -> Spec:
    counted = game.hands == 2 and game.dummy == 0
    settings = {
        "form": _FORM,
        "rounds": list(rounds),
        "method": "exact" if counted else "monte-carlo",
        "deals": None if counted else deals,
        "classes": [classes.start, classes.stop, classes.step],
        "step": _CLASSES_COUNTED if counted else _CLASSES_SAMPLED,
    }
    return Spec(
        "euchre.bids",
        game.to_dict(),
        None if counted else seed,
        len(_chunks(game, settings)),
        settings,
    )


def _chunks(game: EuchreGame, settings: Mapping[str, Any]) -> list[_Chunk]:
    some, step = range(*settings["classes"]), settings["step"]
    return [
        _Chunk(bidding_round, seat, some[start : start + step])
        for bidding_round in settings["rounds"]
        for seat in range(game.hands)
        for start in range(0, len(some), step)
    ]


def _part(game: EuchreGame, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    """Work out one chunk."""
    chunk = _chunks(game, spec.settings)[index]
    if spec.settings["method"] == "monte-carlo":
        frame = _sampled_frame(game, chunk, spec.settings["deals"], spec.seed or 0)
    else:
        every = hand_classes(game.deck)
        with ThreadPoolExecutor(threads()) as pool:
            frame = counted_frame(game, every, chunk.classes, chunk.seat, chunk.round, pool)
    return {"frame": packed(frame)}


def _put_together(job: Job, path: Path, about: dict[str, str], types: Mapping[Any, Any]) -> int:
    """Make one file of all chunks, remove their folder and return the rows."""
    import polars as pl

    chunks = range(job.spec.chunks)
    parts = [unpacked(job.table(index).arrays["frame"]) for index in chunks]
    table = pl.concat(parts).cast(types)
    write_frame(table, path, about)
    job.remove()
    return table.height


def _about(game: EuchreGame, spec: Spec) -> dict[str, str]:
    """Return what the file says of itself."""
    discards = f"the asking dealer: best on average; another dealer: {DEALER_RULE}"
    if game.dummy:
        discards += f"; the five kept with a dummy: best on average over {INNER_DEALS} deals"
    if game.defend_alone:
        discards += f"; {DEFENDER_RULE}"
    return {
        "oddscalc.table": "euchre.bids",
        "oddscalc.fingerprint": spec.mark,
        "oddscalc.version": spec.version,
        "oddscalc.game": json.dumps(game.to_dict(), ensure_ascii=False),
        "oddscalc.game_fingerprint": store.fingerprint(game.to_dict()),
        "oddscalc.method": spec.settings["method"],
        "oddscalc.deals": str(spec.settings["deals"] or "all"),
        "oddscalc.seed": "" if spec.seed is None else str(spec.seed),
        "oddscalc.play": PLAY_MODEL,
        "oddscalc.discards": discards,
        "oddscalc.pass": "not computed by this version",
    }


def _sampled_frame(game: EuchreGame, chunk: _Chunk, deals: int, seed: int) -> pl.DataFrame:
    import polars as pl

    every = hand_classes(game.deck)
    rows = []
    for number in chunk.classes:
        hand, up = tuple(every.hands[number].tolist()), int(every.ups[number])
        asked = Question(game, hand, up, chunk.seat, chunk.round)
        answer = ask(asked, play="open", deals=deals, seed=seed)
        name = (" ".join(card_names(answer.hand)), card_name(up), answer.seat, answer.round)
        rows += [
            {**row_of(name, action, answer.method), "hands": int(every.sizes[number])}
            for action in answer.actions
        ]
    return pl.DataFrame(rows, schema=schema() | {"hands": pl.Int64})
