"""Bids played out closed: nobody sees a hidden card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_closed, kernel_closed_plays, kernel_library
from oddscalc.euchre.beliefs import told_by
from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.plays import Play
from oddscalc.jit import run_parts

__all__ = [
    "CLOSED_FORM",
    "DEFAULT_WORLDS",
    "REFINEMENTS",
    "STYLES",
    "closed_outcomes",
    "open_outcomes",
    "skill_of",
]

DEFAULT_WORLDS = 20
CLOSED_FORM = 3  # goes into what is stored: raise it when other cards would be chosen
# Of two players what one has chosen is recalled in a chunk.
_CHUNK, _DUEL_CHUNK, _OPEN_CHUNK = 16, 1024, 2048

# What a player may do beside searching worlds; a match tells what each is worth.
REFINEMENTS = {
    "bids": int(kernel_closed.BIDS),
    "ties by rule": int(kernel_closed.BY_RULE),
    "stops when clear": int(kernel_closed.RACED),
    "lists the last worlds": int(kernel_closed.EVERY),
}
STYLES = {
    "random": int(kernel_closed.RANDOM),
    "rules": int(kernel_closed.RULES),
    "open": int(kernel_closed.SEEING),
}


def skill_of(worlds: int = DEFAULT_WORLDS, refinements: Sequence[str] = tuple(REFINEMENTS)) -> int:
    """Return how a player chooses who searches so many worlds, as the kernels read it."""
    return worlds | sum(REFINEMENTS[name] for name in refinements)


def closed_outcomes(
    play: Play,
    deals: Masks,
    first: int,
    five: int = 0,
    *,
    policy: BiddingPolicy | None,
    skills: Sequence[int] | None = None,
    pool: ThreadPoolExecutor | None = None,
) -> NDArray[np.uint8]:
    """Return the outcome of a bid in each deal, everybody knowing the own cards and what was shown.

    Parameters
    ----------
    deals, first, five
        As in `plays.Play.outcomes`; with `five` 0 a dealer who makes discards by the rule.
    policy
        How players are taken to bid: what passes and bids tell. None if no skill has "bids".
    skills
        How each seat chooses its cards; as well as it can unless given.
    """
    out = np.empty(len(deals), np.uint8)
    seats = play.question.game.hands
    chosen = np.zeros(4, np.uint64)
    chosen[:seats] = [skill_of()] * seats if skills is None else skills
    told = told_by(play, policy)
    chunk = _DUEL_CHUNK if seats == 2 else _CHUNK

    def part(number: int) -> None:
        rows = slice(number * chunk, (number + 1) * chunk)
        kernel_closed_plays.play_closed(
            deals[rows],
            np.uint64(first + rows.start),
            np.uint64(five),
            play.plan,
            play.seating,
            play.table,
            play.points,
            chosen,
            told,
            out[rows],
        )

    _run(part, -(-len(deals) // chunk), pool)
    return out


def open_outcomes(
    play: Play, deals: Masks, pool: ThreadPoolExecutor | None = None
) -> NDArray[np.uint8]:
    """Return the same with open hands, the maker's cards as dealt and taken up by the rule."""
    out = np.empty((len(deals), 1), np.uint8)
    numbered = np.concatenate([deals, np.zeros((len(deals), 1), np.uint64)], axis=1)

    def part(number: int) -> None:
        rows = slice(number * _OPEN_CHUNK, (number + 1) * _OPEN_CHUNK)
        kernel_library.solve_contracts(
            numbered[rows],
            np.uint64(rows.start),
            play.plan[None, None],
            play.seating[None],
            play.table,
            play.points[None],
            out[rows],
        )

    _run(part, -(-len(deals) // _OPEN_CHUNK), pool)
    return out[:, 0]


def _run(part: Callable[[int], None], parts: int, pool: ThreadPoolExecutor | None) -> None:
    if pool is None or parts == 1:
        for number in range(parts):
            part(number)
    else:
        run_parts(pool, part, parts)
