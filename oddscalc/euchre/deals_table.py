"""A library of deals as a folder of Parquet files: every deal with the result of every contract."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from oddscalc import store
from oddscalc.clusters import check_cluster
from oddscalc.errors import ExportError, InputError, unknown_name
from oddscalc.euchre.closed_library import closed_part, closed_spec, play_words
from oddscalc.euchre.contracts import contracts, upcards
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.library import STEPS, chunk_numbers, library_part, library_spec, rule_words
from oddscalc.euchre.notation import card_name
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.euchre.tables import cards_of, plain_bit
from oddscalc.jobs import Job, Spec

if TYPE_CHECKING:
    import polars as pl

    from oddscalc.euchre.kernel_bits import Masks

__all__ = ["DEFAULT_LIBRARY_DEALS", "deals_folder", "write_deals"]

DEFAULT_LIBRARY_DEALS = 1_000_000

_CHUNKS_A_FILE = 10
_MARK = "oddscalc.fingerprint"

Progress = Callable[[int, int], None]


def deals_folder(path: Path) -> Path:
    """Return the folder where the chunks lie until all are there."""
    return path.with_name(path.name + ".parts")


def write_deals(
    game: EuchreGame | str,
    folder: Path | str,
    *,
    deals: int = DEFAULT_LIBRARY_DEALS,
    seed: int = 0,
    play: str = "open",
    progress: Progress | None = None,
    cluster: str | None = None,
) -> int:
    """Write random deals with the result of every contract, as Parquet files in a folder.

    A row is a deal: its number, the hands before the bidding, the upcard (always a spade or the
    joker: suits are named from it), the dummy, and for each contract an outcome: 0 if the makers
    take no trick, 1 for one or two, 2 for three or four, 3 for all five, 4 more if a defender
    played alone; null where the suit cannot be made trumps. Interrupted work is resumed by the same
    call.

    Parameters
    ----------
    folder
        Made if it is not there; ``polars.scan_parquet(folder / "*.parquet")`` reads all.
    deals
        How many; deal n is the same in every library of the same game and seed.
    play
        How the hands are played: "open" or "closed".
    progress
        Takes chunks done and chunks in all.
    cluster
        The address of a Dask scheduler, or ``local:N``; all workers share the folder's parent.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    InputError
        If the folder, the number of deals, the seed or the play model cannot be.
    StoreError
        If the chunks that lie there are those of another job, or another process makes them.
    ExportError
        If the files cannot be written.
    """
    import polars as pl

    game = load_game(game) if isinstance(game, str) else game
    folder = Path(folder)
    if deals < 1:
        raise InputError(f"{deals} deals cannot be drawn; accepted: 1 or more.")
    if play not in STEPS:
        raise unknown_name("play model", play, STEPS)
    if not 0 <= seed < 1 << 63:
        raise InputError(f"The seed {seed} is out of range; accepted: 0 to 2^63 - 1.")
    if cluster is not None:
        check_cluster(cluster)
    spec = (library_spec if play == "open" else closed_spec)(game, deals, seed)
    _check_folder(folder, spec)
    job = Job(spec, deals_folder(folder))
    with job.alone():
        work = library_part if play == "open" else closed_part
        job.run(partial(work, game), progress=progress, cluster=cluster)
        about = _about(game, spec)
        try:
            for number in range(0, spec.chunks, _CHUNKS_A_FILE):
                frames = [
                    _frame(game, chunk_numbers(spec, index), job.table(index))
                    for index in range(spec.chunks)[number : number + _CHUNKS_A_FILE]
                ]
                path = folder / f"deals-{number // _CHUNKS_A_FILE:06d}.parquet"
                with store.whole(path) as file:
                    pl.concat(frames).write_parquet(file, compression="zstd", metadata=about)
        except OSError as error:
            reason = error.strerror or error
            raise ExportError(f"The folder '{folder}' cannot be written: {reason}.") from None
        job.remove()
    return deals


def _check_folder(folder: Path, spec: Spec) -> None:
    """Refuse a folder that holds something else than this library."""
    import polars as pl

    if folder.exists() and not folder.is_dir():
        raise InputError(f"'{folder}' is a file; accepted: a folder, or the name of a new one.")
    if not folder.parent.is_dir():
        raise InputError(f"There is no folder '{folder.parent}'; accepted: one that exists.")
    for path in sorted(folder.iterdir()) if folder.exists() else []:
        ours = path.suffix == ".parquet" and pl.read_parquet_metadata(path).get(_MARK) == spec.mark
        if not ours and not store.is_unfinished(path.name):
            raise InputError(
                f"The folder '{folder}' holds '{path.name}', which is not of this library; "
                "accepted: a new folder."
            )


def _about(game: EuchreGame, spec: Spec) -> dict[str, str]:
    """Return what each file says of itself."""
    return {
        "oddscalc.table": spec.kind,
        _MARK: spec.mark,
        "oddscalc.version": spec.version,
        "oddscalc.game": json.dumps(game.to_dict(), ensure_ascii=False),
        "oddscalc.game_fingerprint": store.fingerprint(game.to_dict()),
        "oddscalc.method": "monte-carlo",
        "oddscalc.deals": str(spec.settings["deals"]),
        "oddscalc.seed": str(spec.seed),
        "oddscalc.play": "open hands" if spec.settings["play"] == "open" else play_words(game),
        "oddscalc.choices": f"by own cards only: {rule_words(game)}",
        "oddscalc.outcomes": "least tricks of the makers by code: 0, 1, 3, 5; 4 more: "
        "a defender played alone",
    }


def _frame(game: EuchreGame, numbers: range, table: store.Table) -> pl.DataFrame:
    import polars as pl

    deals, outcomes = table.arrays["deals"], table.arrays["outcomes"]
    parties = [*(f"hand_{seat}" for seat in game.seats), *(["dummy"] if game.dummy else [])]
    ups = np.array([card_name(card) for card in upcards(game)])
    hidden = outcomes == CLOSED
    return pl.DataFrame(
        {
            "deal": np.arange(numbers.start, numbers.stop),
            "up": pl.Series(ups[deals[:, -1].astype(np.int64)], dtype=pl.Enum(ups)),
            **{party: _names(deals[:, place]) for place, party in enumerate(parties)},
            **{
                one.column(game): pl.Series(outcomes[:, column]).set(
                    pl.Series(hidden[:, column]), None
                )
                for column, one in enumerate(contracts(game))
            },
        }
    )


def _names(hands: Masks) -> pl.Series:
    """Return hands as text, suit by suit, the highest cards first."""
    import polars as pl

    used = int(np.bitwise_or.reduce(hands))
    names = np.full(64, "", dtype="<U2")
    for card in cards_of(used):
        names[plain_bit(card)] = card_name(card)
    cards: list[pl.Series] = []
    rest = hands.copy()
    while rest.any():
        lowest: Masks = rest & (~rest + np.uint64(1))
        places = np.log2(lowest.astype(np.float64)).astype(np.int64)
        cards.append(pl.Series(str(len(cards)), names[places]))
        rest ^= lowest
    return pl.DataFrame(cards).select(pl.concat_str(pl.all(), separator=" ")).to_series()
