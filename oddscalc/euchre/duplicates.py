"""Styles of closed play against each other over duplicate deals: each played with sides changed.

Hands are dealt and bid at random by the game's policy; those that are passed out are dealt again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.errors import InputError
from oddscalc.euchre import kernel_auction
from oddscalc.euchre.beliefs import kernel_policy_of
from oddscalc.euchre.bidding import BiddingPolicy, bidding_policy
from oddscalc.euchre.closed import CLOSED_FORM, closed_outcomes
from oddscalc.euchre.contracts import renamed_game, upcards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.library import chunk_numbers, draw_deals
from oddscalc.euchre.plays import Bid, Play, Question
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.euchre.tables import mask_of
from oddscalc.jobs import Job, Spec

__all__ = [
    "DEFAULT_DUPLICATES",
    "Duplicates",
    "Made",
    "bid_hands",
    "duplicates_part",
    "duplicates_spec",
    "makers_points",
    "play_duplicates",
    "read_duplicates",
]

DEFAULT_DUPLICATES = 20_000

_STEP = 500  # deals in a chunk
_ROOM = 32  # bits for the numbers of the deals that are drawn for a chunk

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Made:
    """Deals in which the same bid was made.

    Attributes
    ----------
    deals
        As in `library.Library`.
    first
        Number of the first one, as the players' random numbers know it.
    """

    play: Play
    deals: Masks
    first: int


@dataclass(frozen=True)
class Duplicates:
    """What a style gains on another, in points a hand to its side.

    Attributes
    ----------
    gain, stderr
        Over both sides, with the standard error.
    as_makers, as_defenders
        What a side gains that alone changes to the style.
    """

    deals: int
    gain: float
    stderr: float
    as_makers: float
    as_defenders: float


def play_duplicates(
    game: EuchreGame | str,
    style: int,
    other: int,
    folder: Path | str,
    *,
    deals: int = DEFAULT_DUPLICATES,
    seed: int = 0,
    progress: Progress | None = None,
    cluster: str | None = None,
) -> Duplicates:
    """Play random deals with each of two styles on either side.

    What is played stays in the folder: interrupted work goes on from there.

    Parameters
    ----------
    style, other
        As `closed.skill_of` returns them, or of `closed.STYLES`.
    progress
        Takes chunks done and chunks in all.
    cluster
        The address of a Dask scheduler, or ``local:N``; all workers share the folder.

    Raises
    ------
    InputError
        If there cannot be so many deals, such a seed or such a cluster.
    StoreError
        If the folder belongs to another job, another process works on it, or it cannot be written.
    """
    game = load_game(game) if isinstance(game, str) else game
    if deals < 2:
        raise InputError(f"{deals} deals are too few to compare styles; accepted: 2 or more.")
    if not 0 <= seed < 1 << 63:
        raise InputError(f"The seed {seed} is out of range; accepted: 0 to 2^63 - 1.")
    bidding_policy(game)  # built now, if it has to be: workers find it stored
    job = Job(duplicates_spec(game, style, other, deals, seed), folder)
    job.run(partial(duplicates_part, game), progress=progress, cluster=cluster)
    return read_duplicates(job)


def duplicates_spec(game: EuchreGame, style: int, other: int, deals: int, seed: int) -> Spec:
    """Return the job of playing so many deals with each style on either side."""
    settings = {"form": CLOSED_FORM, "style": style, "other": other, "deals": deals, "step": _STEP}
    return Spec("euchre.duplicates", game.to_dict(), seed, -(-deals // _STEP), settings)


def duplicates_part(game: EuchreGame, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    """Play one chunk.

    Returns
    -------
    dict
        The makers' points, int64[deals], as `makers_points` has them: with the style on the makers'
        side, on the defenders' and on neither.
    """
    hands = bid_hands(game, spec, index)
    style, other = spec.settings["style"], spec.settings["other"]
    return {
        "making": makers_points(game, hands, style, other),
        "defending": makers_points(game, hands, other, style),
        "neither": makers_points(game, hands, other, other),
    }


def read_duplicates(job: Job) -> Duplicates:
    """Return what has been played, of a finished job."""
    parts = [job.table(index).arrays for index in range(job.spec.chunks)]
    making, defending, neither = (
        np.concatenate([part[name] for part in parts])
        for name in ("making", "defending", "neither")
    )
    gains = (making - defending) / 2
    return Duplicates(
        len(gains),
        float(gains.mean()),
        float(gains.std(ddof=1)) / sqrt(len(gains)),
        float((making - neither).mean()),
        float((neither - defending).mean()),
    )


def bid_hands(game: EuchreGame, spec: Spec, index: int) -> list[Made]:
    """Return the deals of a chunk, ordered by the bid that was made."""
    policy, wanted, seed = _policy(game), len(chunk_numbers(spec, index)), spec.seed or 0
    game, ups = policy.game, upcards(policy.game)
    masks = np.array([mask_of([up]) for up in ups], np.uint64)
    dealt = np.zeros((0, game.hands + 3), np.uint64)
    ends = np.zeros((0, 2), np.int64)
    start = index << _ROOM
    while (short := wanted - len(dealt)) > 0:
        numbers = range(start, start + 2 * short)
        more, ended = draw_deals(game, numbers, seed), np.zeros((len(numbers), 2), np.int64)
        kernel_auction.hold_auctions(
            more, masks[more[:, -1]], 0, numbers.start, np.uint64(seed),
            kernel_policy_of(policy), ended,
        )  # fmt: skip
        kept = np.flatnonzero(ended[:, 1])[:short]
        dealt, ends = np.concatenate([dealt, more[kept]]), np.concatenate([ends, ended[kept]])
        start = numbers.stop
    kinds = np.column_stack([dealt[:, -1].astype(np.int64), ends])
    found, first = [], index << _ROOM
    for kind in np.unique(kinds, axis=0):
        up, turn, action = kind.tolist()
        question = Question(game, (), ups[up], turn % game.hands, 1 + turn // game.hands)
        play = Play.of(question, Bid((action - 1) % 4, action > 4), seed=seed)
        found.append(Made(play, dealt[(kinds == kind).all(axis=1)], first))
        first += len(found[-1].deals)
    return found


def makers_points(
    game: EuchreGame, hands: Sequence[Made], makers: int, defenders: int
) -> NDArray[np.int64]:
    """Return the makers' points less the others', deal by deal, each side playing its style."""
    policy, found = _policy(game), []
    for made in hands:
        side = game.side(made.play.question.seat)
        skills = [makers if seat in side else defenders for seat in range(game.hands)]
        outcomes = closed_outcomes(made.play, made.deals, made.first, policy=policy, skills=skills)
        found.append(made.play.points[outcomes])
    return np.concatenate(found)


@cache
def _policy(game: EuchreGame) -> BiddingPolicy:
    """Return the policy, its suits called as those of drawn deals; the same object each time."""
    return replace(bidding_policy(game), game=renamed_game(game))
