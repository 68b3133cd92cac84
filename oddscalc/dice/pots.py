"""Playing for the pot: everybody plays for their own share, in turn order, all exactly optimal.

Solved for games of two turns, every player's first before any player's second; the best total
takes the pot, equal totals share it. A player who is indifferent takes the higher expected total.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.solver import Progress, as_game, mark_of, solve
from oddscalc.errors import InputError
from oddscalc.results import Column, Result, percent

__all__ = ["Pot", "PotTable", "has_pot", "pot"]

Array = NDArray[Any]

TABLE = 1  # goes into the fingerprint: raise it when stored shares would change
FEWEST, MOST = 2, 4
_LANES = 8


@dataclass(frozen=True)
class Pot(Result):
    """What each seat may expect before anybody has rolled; exact."""

    schema: ClassVar[str] = "oddscalc.dice.pot/1"

    game: DiceGame
    win: tuple[float, ...]
    totals: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the expected share of the pot and the expected total of each seat."""
        return {
            "game": self.game.name,
            "players": len(self.win),
            "method": "exact",
            "win": list(self.win),
            "totals": list(self.totals),
        }

    def headline(self) -> str:
        """Return the shares as a sentence."""
        best = max(range(len(self.win)), key=lambda seat: self.win[seat])
        return (
            f"{self.game.title}, {len(self.win)} players: seat {best + 1} has the best chance, "
            f"{self.win[best]:.4%} of the pot."
        )

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("seat", "Seat", right=True),
            Column("win", "Share of the pot", percent, right=True),
            Column("total", "Expected total", "{:.4f}".format, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each seat."""
        return [
            {"seat": seat, "win": win, "total": total}
            for seat, (win, total) in enumerate(zip(self.win, self.totals, strict=True), 1)
        ]

    def notes(self) -> list[str]:
        """Say how the shares were obtained."""
        return [
            "Exact: every player plays for their own share of the pot, knowing all that lies on "
            "the table; equal totals share; a player who is indifferent takes the higher expected "
            "total. A named face is the one that scores most."
        ]


def has_pot(game: DiceGame) -> bool:
    """Tell whether a pot is solved for the game: two turns, one after the other, no joker."""
    two = len(game.parts) == len(game.boxes) == 2 and game.parts_in_turn
    first = (game.boxes[0].name,)
    return two and game.joker is None and all(bonus.boxes == first for bonus in game.bonuses)


class PotTable:
    """The shares of a pot for everything that may lie on the table.

    Parameters
    ----------
    players
        2 to 4.
    """

    def __init__(self, game: DiceGame, players: int, progress: Progress | None = None) -> None:
        self.game, self.players = game, players
        self.arrays = arrays = solve(game).arrays
        self._mine, self._first_points = _first_turn(game, solve(game).arrays)
        self._points = np.where(arrays.outcome_box == 1, arrays.outcome_points, 0).astype(np.int64)
        second = self._points[arrays.outcome_box == 1]
        self._base = int(self._mine.min() + second.min())
        self._span = int(self._mine.max() + second.max()) - self._base + 1
        mark = store.fingerprint("dice-pot", TABLE, mark_of(game), players)
        table = store.fetch(f"dice-pot-{game.name}-{players}", mark, lambda: self._solved(progress))
        self._levels = [table.arrays[f"second_{seat}"] for seat in range(players + 1)]
        self._opening = [table.arrays[f"first_{seat}"] for seat in range(players + 1)]

    @property
    def start(self) -> Array:
        """Shares, then totals, of all seats before anybody has rolled."""
        row: Array = self._opening[0][0]
        return row

    def first_totals(self) -> list[int]:
        """Return the totals that a player may have after the first turn."""
        return [int(total) for total in self._mine]

    def second_totals(self) -> tuple[int, int]:
        """Return the lowest and the highest final total."""
        return self._base, self._base + self._span - 1

    def first_turn(self, seat: int, totals: Sequence[int]) -> tuple[Array, Array]:
        """Return the share and the expected total behind each outcome of a first turn.

        `totals` are those of the earlier seats.
        """
        rows = self._opening[seat + 1][self._place(totals) * len(self._mine) + self._first_points]
        return rows[:, seat], rows[:, self.players + seat]

    def second_turn(self, seat: int, totals: Sequence[int]) -> tuple[Array, Array]:
        """Return the share and the total behind each outcome of a second turn."""
        rest = self._place(totals[seat + 1 :])
        reached = totals[seat] + self._points - self._base
        best = max(totals[:seat], default=self._base - 1) - self._base
        leaders = list(totals[:seat]).count(best + self._base)
        after = self._levels[seat + 1]
        shares = np.zeros(len(reached))
        ahead = reached > best
        shares[ahead] = after[reached[ahead], 0, rest, 2]
        if leaders:
            shares[reached == best] = after[best, leaders, rest, 2]
        return shares, reached + float(self._base)

    def _place(self, totals: Sequence[int]) -> int:
        """Return the place of some players' first totals among all such."""
        place = 0
        for total in totals:
            place = place * len(self._mine) + int(np.searchsorted(self._mine, total))
        return place

    def _solved(self, progress: Progress | None) -> store.Table:
        from oddscalc.jit import threads

        players = self.players
        ends = np.zeros((self._span, players, 1, _LANES))
        ends[:, :, 0, 2] = 1 / np.arange(1, players + 1)
        seconds = {players: ends}
        with ThreadPoolExecutor(threads()) as pool:
            for seat in range(players - 1, -1, -1):
                seconds[seat] = self._second_level(pool, seat, seconds[seat + 1])
                if progress is not None:
                    progress(players - seat, players + 1)
            firsts = {players: self._in_seats(seconds[0][0, 0])}
            for seat in range(players - 1, -1, -1):
                firsts[seat] = self._first_level(pool, seat, firsts[seat + 1])
        if progress is not None:
            progress(players + 1, players + 1)
        arrays = {f"second_{seat}": level for seat, level in seconds.items()}
        arrays |= {f"first_{seat}": level for seat, level in firsts.items()}
        return store.Table(arrays, {})

    def _second_level(self, pool: ThreadPoolExecutor, seat: int, after: Array) -> Array:
        """Return the prospects before a seat's second turn, as `play_levels` lays them out."""
        from oddscalc.dice.kernel_pot import play_levels
        from oddscalc.jit import run_parts

        opening = seat == 0
        shape = (1, 1) if opening else (self._span, seat)
        result = np.zeros((*shape, len(self._mine) ** (self.players - seat), _LANES))
        parts = len(result)

        def part(number: int) -> None:
            table = self._mine, self._points, self._base
            play_levels(self.arrays, 1, *table, opening, after, number, parts, result)

        run_parts(pool, part, parts)
        return result

    def _first_level(self, pool: ThreadPoolExecutor, seat: int, after: Array) -> Array:
        """Return the prospects before a seat's first turn, a row for all earlier totals."""
        from oddscalc.dice.kernel_pot import play_turns
        from oddscalc.jit import run_parts

        rows = after.reshape(-1, len(self._mine), _LANES)
        prospects = np.ascontiguousarray(rows[:, self._first_points])
        result, parts = np.zeros((len(rows), _LANES)), 8

        def part(number: int) -> None:
            lanes = seat, self.players + seat
            play_turns(self.arrays, 0, prospects, *lanes, number, parts, result)

        run_parts(pool, part, parts)
        return result

    def _in_seats(self, rows: Array) -> Array:
        """Return the opening player's rows with all shares first, then all totals."""
        later = self.players - 1
        order = [0, *range(2, 2 + later), 1, *range(2 + later, 2 + 2 * later)]
        result = np.zeros_like(rows)
        result[:, : len(order)] = rows[:, order]
        return result


def _first_turn(game: DiceGame, arrays: Any) -> tuple[Array, Array]:
    """Return the totals that may stand after a first turn, and for each outcome which it is."""
    points = arrays.outcome_points.astype(np.int64)
    first = arrays.outcome_box == 0
    for boxes, at_least, bonus, *_ in arrays.bonus.tolist():
        if boxes == 1:
            points = points + np.where(points >= at_least, bonus, 0)
    mine = np.unique(points[first])
    return mine, np.where(first, np.searchsorted(mine, points), 0).clip(max=len(mine) - 1)


def pot(
    players: int, *, game: DiceGame | str = "poker-dice-short", progress: Progress | None = None
) -> Pot:
    """Return what each seat may expect when all play for the pot.

    Raises
    ------
    InputError
        If the pot of the game is not solved, or for a number of players that is not.

    >>> round(sum(pot(2).win), 9)
    1.0
    """
    game = as_game(game)
    if not has_pot(game):
        raise InputError(
            f"The pot of '{game.name}' is solved for the last player's turns only (hold --goal "
            f"pot); accepted here: games of two turns, such as poker-dice-short."
        )
    if not FEWEST <= players <= MOST:
        raise InputError(f"There cannot be {players} players; accepted: {FEWEST} to {MOST}.")
    start = PotTable(game, players, progress).start.tolist()
    return Pot(game, tuple(start[:players]), tuple(start[players : 2 * players]))
