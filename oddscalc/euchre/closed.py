"""Bids played out closed: nobody sees a hidden card."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_closed, kernel_closed_plays
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.plays import Play
from oddscalc.jit import run_parts

__all__ = ["closed_outcomes"]

DEFAULT_WORLDS = 20
_CHUNK = 64


def skill_of(worlds: int) -> int:
    return worlds | int(kernel_closed.BY_RULE | kernel_closed.LATE | kernel_closed.ROLLED)


def closed_outcomes(
    play: Play,
    deals: Masks,
    first: int,
    five: int = 0,
    *,
    worlds: int = DEFAULT_WORLDS,
    pool: ThreadPoolExecutor | None = None,
    skills=None,
) -> NDArray[np.uint8]:
    out = np.empty(len(deals), np.uint8)
    if skills is None:
        skills = np.full(4, skill_of(worlds), np.uint64)

    def part(number: int) -> None:
        rows = slice(number * _CHUNK, (number + 1) * _CHUNK)
        kernel_closed_plays.play_closed(
            deals[rows], np.uint64(first + rows.start), np.uint64(five),
            play.plan, play.seating, play.table, play.points, skills, out[rows],
        )  # fmt: skip

    parts = -(-len(deals) // _CHUNK)
    if pool is None or parts == 1:
        for number in range(parts):
            part(number)
    else:
        run_parts(pool, part, parts)
    return out
