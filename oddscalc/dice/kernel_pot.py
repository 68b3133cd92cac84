"""The compiled work of playing for a pot: turns in which several players' prospects are carried.

A row of a sheet is not `LANES` states here but the prospects of one: what each player may expect.
Two of its numbers are the acting player's share of the pot and expected total; the first decides,
the second among equals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.kernels import LANES, expect
from oddscalc.dice.tables import GameArrays
from oddscalc.jit import jit

__all__ = ["play_levels", "play_turns"]

Array = NDArray[Any]

EQUAL = 1e-12  # shares closer than this are equal


@jit
def _better_keeps(game: GameArrays, sheet: Array, share: int, total: int) -> None:
    """Let each keep have the best row among its own and those of all that it contains."""
    for keep in range(1, game.fewer.shape[0]):
        best = np.int64(keep)
        for place in range(game.fewer.shape[1]):
            other = np.int64(game.fewer[keep, place])
            more = sheet[other * LANES + share] - sheet[best * LANES + share]
            if more > EQUAL or (
                more >= -EQUAL
                and sheet[other * LANES + total] > sheet[best * LANES + total] + EQUAL
            ):
                best = other
        if best != keep:
            for lane in range(LANES):
                sheet[keep * LANES + lane] = sheet[best * LANES + lane]


@jit
def _play_turn(
    game: GameArrays, box: int, prospects: Array, share: int, total: int, sheet: Array
) -> None:
    """Write to row 0 the prospects of a turn, from those of each outcome of its one box."""
    turns, doubled = game.size[2], game.size[6]
    last = game.first[game.size[0]]
    for turn in range(turns):  # the last roll comes first
        if turn > 0:
            expect(game, sheet)
        if turn == 0 or (doubled and turn == turns - 1):
            table = game.outcomes_first if doubled and turn == turns - 1 else game.outcomes
            for roll in range(game.chance.shape[0]):
                outcome = np.int64(table[roll, box])
                for lane in range(LANES):
                    sheet[(last + roll) * LANES + lane] = prospects[outcome, lane]
        if turn > 0:
            _better_keeps(game, sheet, share, total)
    expect(game, sheet)


@jit
def play_turns(
    game: GameArrays,
    box: int,
    prospects: Array,
    share: int,
    total: int,
    part: int,
    parts: int,
    result: Array,
) -> None:
    """Write to `result` (T, LANES) what turns are worth, from `prospects` (T, O, LANES)."""
    sheet = np.zeros((game.fewer.shape[0] + 1) * LANES)
    for turn in range(part, len(prospects), parts):
        _play_turn(game, box, prospects[turn], share, total, sheet)
        result[turn] = sheet[:LANES]


@jit
def play_levels(
    game: GameArrays,
    box: int,
    mine: Array,
    points: Array,
    base: int,
    opening: bool,
    after: Array,
    part: int,
    parts: int,
    result: Array,
) -> None:
    """Solve the last turn of one player for everything that may lie on the table.

    `mine` are the totals that a player may bring to the last turn, `points` (O,) what its
    outcomes add. `result` is (T, K, S, LANES): the best total on the table, counted from `base`,
    how many share it, and, S of them, the totals of this and all later players. `after` is the
    same for the next player. A row holds the player's share and total, the share of each that
    leads now, then the shares and at last the totals of all later players; for the opening
    player, whom nobody leads, T and K are 1 and the third number is left out.
    """
    later = after.shape[2]
    players = 0  # who come later
    while len(mine) ** players < later:
        players += 1
    others = 2 if opening else 3
    sheet = np.zeros((game.fewer.shape[0] + 1) * LANES)
    prospects = np.zeros((len(points), LANES))
    for best in range(part, result.shape[0], parts):
        for leaders in range(result.shape[1]):
            for rest in range(later):
                for brought in range(len(mine)):
                    for outcome in range(len(points)):
                        row = prospects[outcome]
                        reached = mine[brought] + points[outcome] - base
                        row[:] = 0.0
                        row[1] = reached + base
                        if opening or reached > best:
                            then = after[reached, 0, rest]
                            row[0] = then[2]
                        elif reached == best:
                            then = after[reached, leaders + 1, rest]
                            row[0], row[2] = then[2], then[2]
                        else:
                            then = after[best, leaders, rest]
                            row[2] = then[2]
                        if players > 0:
                            row[others], row[others + players] = then[0], then[1]
                        for other in range(1, players):
                            row[others + other] = then[2 + other]
                            row[others + players + other] = then[1 + players + other]
                    _play_turn(game, box, prospects, 0, 1, sheet)
                    result[best, leaders, brought * later + rest] = sheet[:LANES]
