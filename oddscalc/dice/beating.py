"""Beating a score: the best chance of a final total of at least N, for all N at once.

The table of a game is a job in the cache folder, a layer a chunk: layer 0 has all boxes filled. A
layer is built when a question needs it, after those before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.dice.distribution import outcomes
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.scorecard import Scorecard, card_for, state_of
from oddscalc.dice.solver import Progress, as_game, check_size, mark_of, solve
from oddscalc.errors import StoreError
from oddscalc.jobs import Job, Spec
from oddscalc.results import Column, Result, percent

__all__ = ["Beat", "NeedTable", "beat"]

Array = NDArray[Any]

TABLE = 1  # goes into the fingerprint: raise it when stored chances would change


@dataclass(frozen=True)
class Beat(Result):
    """The best chance of a final total of at least `total`, and that of maximising the mean."""

    schema: ClassVar[str] = "oddscalc.dice.beat/1"

    game: DiceGame
    total: int
    card: Scorecard
    probability: float
    usual: float

    def to_dict(self) -> dict[str, Any]:
        """Return both chances."""
        return {
            "game": self.game.name,
            "total": self.total,
            "card": self.card.to_dict(),
            "method": "exact",
            "probability": self.probability,
            "usual": self.usual,
        }

    def headline(self) -> str:
        """Return the chance as a sentence."""
        return f"{self.game.title}: {percent(self.probability)} to end with at least {self.total}."

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("play", "Play"),
            Column("probability", f"At least {self.total}", percent, right=True),
        )

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars."""
        return "total", "goal", "probability"

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each way to play."""
        return [
            {
                "total": self.total,
                "goal": f"beat:{self.total}",
                "play": f"for a total of {self.total}",
                "probability": self.probability,
            },
            {
                "total": self.total,
                "goal": "mean",
                "play": "for the highest expected total",
                "probability": self.usual,
            },
        ]

    def notes(self) -> list[str]:
        """Say how the chances were obtained."""
        return ["Exact: the best chance over every possible play, and that of the usual play."]


class NeedTable:
    """The best chance in every state for every number of points still needed.

    Parameters
    ----------
    share
        What a final total of one point less than needed counts: 0, or a share of a pot.
    progress
        Called with chances found and chances in all whenever a layer has to be built.
    """

    def __init__(
        self, game: DiceGame, *, share: float = 0.0, progress: Progress | None = None
    ) -> None:
        check_size(game, "Beating a score")
        self.game = game
        self.arrays = solve(game).arrays
        self._progress = progress
        self._share = share
        self._layers: dict[int, store.Table] = {}
        self._stored = True  # until that fails

    def chance(self, state: int, needs: Array) -> Array:
        """Return the best chances in a state for an array of needs."""
        low, high = int(self._frame["low"][state]), int(self._frame["high"][state])
        inside = needs[(needs > low) & (needs <= high)]
        chances = np.where(needs <= low, 1.0, 0.0)
        if len(inside):
            first = int(self._frame["first"][state])
            start, stop = int(inside.min()) - low - 1, int(inside.max()) - low
            row = self._part(self._layer_of(state), first + start, first + stop)
            chances[(needs > low) & (needs <= high)] = row[inside - low - 1 - start]
        return chances

    @property
    def cells(self) -> int:
        """How many chances the whole table holds."""
        return int((self._frame["high"] - self._frame["low"]).sum())

    def layer(self, index: int) -> store.Table:
        """Return the layer of all masks with so many boxes open, built if it is not stored."""
        if index not in self._layers:
            try:
                self._layers[index] = self._job.table(index, check=False)
            except (FileNotFoundError, StoreError):
                self._layers[index] = self._built(index)
        return self._layers[index]

    @cached_property
    def _masks(self) -> Array:
        return np.flatnonzero(np.diff(self.arrays.offset))

    @cached_property
    def _frame(self) -> dict[str, Array]:
        """The lowest and highest need of each state's row, and where the row starts."""
        name = f"dice-beat-{self.game.name}-frame"
        return dict(store.fetch(name, self._mark("frame"), self._framed).arrays)

    @cached_property
    def _job(self) -> Job:
        mark = self._mark("layers")
        name = f"dice-beat-{self.game.name}-{mark}"
        settings = {"table": TABLE, "share": self._share, "values": mark_of(self.game)}
        spec = Spec("dice.beat", self.game.to_dict(), None, len(self.game.boxes) + 1, settings)
        return Job(spec, store.cache_folder() / name, in_turn=True, wait=True)

    def _mark(self, what: str) -> str:
        return store.fingerprint("dice-beat", TABLE, mark_of(self.game), self._share, what)

    def _layer_of(self, state: int) -> int:
        mask = int(np.searchsorted(self.arrays.offset, state, side="right")) - 1
        return len(self.game.boxes) - mask.bit_count()

    def _part(self, index: int, start: int, stop: int) -> Array:
        layer = self.layer(index)
        try:
            return layer.part("chances", start, stop)
        except StoreError as error:
            store.warn("Stored table unusable: %s; it is built again.", error)
            self._layers[index] = self._built(index)
            return self._layers[index].part("chances", start, stop)

    def _built(self, index: int) -> store.Table:
        """Build a layer and those before it, or what of them is missing or damaged."""
        store.check_may_build(self._job.folder.name)
        if self._stored:
            self._layers.clear()
            try:
                self._job.run(lambda spec, layer: self._solved(layer), stop=index + 1)
                return self._job.table(index, check=False)
            except StoreError as error:
                store.warn("%s The table is not stored.", error)
                self._stored = False
        return store.Table(self._solved(index), {})

    def _framed(self) -> store.Table:
        from oddscalc.dice import kernel_needs

        arrays, states = self.arrays, int(self.arrays.offset[-1])
        low, high = np.zeros(states, np.int64), np.zeros(states, np.int64)
        first = np.zeros(states, np.int64)
        high[-self._widths[-1] :] = 1  # the end: one point less than needed counts the share
        for index in range(len(self.game.boxes) + 1):
            masks = self._masks[self._open == index]
            if index:
                kernel_needs.find_ranges(arrays, masks, low, high)
            mine = np.concatenate([np.arange(*arrays.offset[[m, m + 1]]) for m in masks])
            first[mine] = np.concatenate([[0], np.cumsum((high - low)[mine])[:-1]])
        return store.Table({"low": low, "high": high, "first": first}, {})

    @cached_property
    def _widths(self) -> Array:
        return np.diff(self.arrays.offset)[self._masks]

    @cached_property
    def _open(self) -> Array:
        return len(self.game.boxes) - np.bitwise_count(self._masks).astype(np.int64)

    def _solved(self, index: int) -> dict[str, Array]:
        from oddscalc.dice import kernel_needs
        from oddscalc.jit import run_parts, threads

        frame, arrays = self._frame, self.arrays
        masks = self._masks[self._open == index]
        spans = frame["high"] - frame["low"]
        sizes = np.add.reduceat(spans, arrays.offset[self._masks])
        values = np.empty(int(sizes[self._open == index].sum()))
        if index == 0:
            values[:] = self._share
            return {"chances": values}
        after = self.layer(index - 1)
        beyond = after.part("chances", 0, len(after.arrays["chances"]))
        done = int(sizes[self._open < index].sum())
        rows = frame["low"], frame["high"], frame["first"], values, beyond
        with ThreadPoolExecutor(threads()) as pool:
            for some in np.array_split(masks, max(1, len(masks) // 256)):
                parts = min(4 * threads(), len(some))

                def part(number: int, some: Array = some, parts: int = parts) -> None:
                    kernel_needs.solve_needs(arrays, some, number, parts, *rows)

                run_parts(pool, part, parts)
                done += int(sizes[np.isin(self._masks, some)].sum())
                if self._progress is not None:
                    self._progress(done, int(sizes.sum()))
        return {"chances": values}


def beat(
    total: int,
    *,
    game: DiceGame | str = "poker-dice",
    card: Scorecard | None = None,
    progress: Progress | None = None,
) -> Beat:
    """Return the best chance of a final total of at least `total`.

    Parameters
    ----------
    card
        The scorecard at the start of a turn; an empty one if not told.
    progress
        Called with work done and work in all, should a table have to be built first.

    Raises
    ------
    InputError
        If there is no such game, or the card cannot come about in it.

    >>> found = beat(74, game="poker-dice-short")
    >>> found.probability > found.usual
    True
    """
    game = as_game(game)
    card = card_for(game, card)
    table = NeedTable(game, progress=progress)
    mask, code = state_of(card, table.arrays)
    state = int(table.arrays.offset[mask] + table.arrays.lane_of[table.arrays.group[mask], code])
    need = np.array([total - card.points_so_far])
    best = float(table.chance(state, need)[0])
    usual = outcomes(game, card=card).at_least(total)
    return Beat(game, total, card, best, min(usual, best))
