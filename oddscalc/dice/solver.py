"""DiceGame → StateValues: what every state of a game is worth, solved once and stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.dice.rules import DiceGame, load_game
from oddscalc.dice.scorecard import Scorecard, card_for, state_of
from oddscalc.dice.tables import GameArrays, compile_game
from oddscalc.errors import InputError, StoreError
from oddscalc.results import Column, Result

if TYPE_CHECKING:
    import polars as pl

    from oddscalc.jobs import Job

__all__ = ["StateValues", "as_game", "check_size", "mark_of", "shipped_at", "solve", "solve_arrays"]

SOLVER = 1  # goes into the fingerprint: raise it when stored values would change
LARGE = 5_000_000  # states; games with more are solved as a job, and for the mean only

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class StateValues(Result):
    """The expected points still to come from every state, under the play that maximises them.

    Exact up to rounding in float64, about 1e-12.

    Attributes
    ----------
    values
        float64, one a state, ordered by the mask of filled boxes, then by lane.
    seconds
        How long solving took when the values were computed, compiling the kernels left out.
    """

    schema: ClassVar[str] = "oddscalc.dice.solve/1"

    game: DiceGame
    arrays: GameArrays = field(repr=False)
    values: NDArray[np.float64] = field(repr=False)
    seconds: float

    @property
    def value(self) -> float:
        """Expected final total from an empty card."""
        return float(self.values[0])

    def remaining(self, card: Scorecard) -> float:
        """Return the expected points still to come, at the start of a turn.

        Raises
        ------
        ScorecardError
            If the card cannot come about.
        """
        mask, code = state_of(card_for(self.game, card), self.arrays)
        lane = self.arrays.lane_of[self.arrays.group[mask], code]
        return float(self.values[self.arrays.offset[mask] + lane])

    def to_dict(self) -> dict[str, Any]:
        """Return game, value, number of states, seconds."""
        return {
            "game": self.game.name,
            "value": self.value,
            "states": len(self.values),
            "seconds": self.seconds,
            "method": "exact",
        }

    def headline(self) -> str:
        """Return the value as a sentence."""
        return f"{self.game.title}: {self.value:.6f} points expected under the best play."

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("game", "Game"),
            Column("value", "Expected total", "{:.6f}".format, right=True),
            Column("states", "States", "{:,}".format, right=True),
            Column("seconds", "Solved in", "{:.2f} s".format, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return one row."""
        return [self.to_dict()]

    def notes(self) -> list[str]:
        """Say how the value was obtained."""
        return ["Exact: every state of the game solved by backward induction."]

    def to_polars(self) -> pl.DataFrame:
        """Return every state and its value.

        Columns: `filled` (bit i for box i, as the sheet lists them), a `progress_…` for each
        bonus, `joker_made` for games with a joker's bonus, `value`. States from which the bonus
        falls the same way are one row, with one of their sums.
        """
        import polars as pl

        arrays = self.arrays
        masks = np.flatnonzero(np.diff(arrays.offset))
        widths = np.diff(arrays.offset)[masks]
        starts = arrays.lanes[arrays.group[masks]]
        within = np.arange(len(self.values)) - np.repeat(arrays.offset[masks], widths)
        codes = arrays.codes[np.repeat(starts, widths) + within].astype(np.int64)
        data: dict[str, Any] = {"filled": np.repeat(masks, widths).astype(np.uint32)}
        for bonus, row in zip(self.game.bonuses, arrays.bonus.tolist(), strict=True):
            sums = codes // row[3] % row[4] + row[5]
            data[f"progress_{bonus.name}"] = sums.astype(np.int32)
        if self.game.joker and self.game.joker.bonus:
            data["joker_made"] = codes >= arrays.size[5] // 2
        return pl.DataFrame({**data, "value": np.asarray(self.values)})


def as_game(game: DiceGame | str) -> DiceGame:
    """Return the game itself, or the built-in one of that name or alias."""
    return load_game(game) if isinstance(game, str) else game


def solve(game: DiceGame | str = "poker-dice", progress: Progress | None = None) -> StateValues:
    """Solve a game, or read its stored solution.

    Parameters
    ----------
    game
        A game, or the name of a built-in one.
    progress
        Called with states solved and states in all.

    Raises
    ------
    UnknownNameError
        If there is no such game.
    RulesError
        If its bonuses need too many states.

    >>> round(solve("poker-dice-short").value, 6)
    62.341176
    """
    game = as_game(game)
    mark = mark_of(game)
    known = _SOLVED.get(mark)
    if known is None:
        name = f"dice-{game.name}"
        table = store.fetch(name, mark, lambda: _solved(game, progress))
        if _layers_folder(game).exists() and store.stored_at(name, mark).exists():
            _job(game).remove()
        arrays = GameArrays(**{name: table.arrays[name] for name in GameArrays._fields})
        known = arrays, table.arrays["values"], table.metadata["seconds"]
        _SOLVED[mark] = known
        while len(_SOLVED) > 16:
            del _SOLVED[next(iter(_SOLVED))]
    return StateValues(game, *known)


def check_size(game: DiceGame, what: str) -> None:
    """Refuse a game that has too many states for more than its values, before it is solved.

    Raises
    ------
    InputError
        If it has more than five million.
    """
    mark = mark_of(game)
    if mark in _SOLVED or store.stored_at(f"dice-{game.name}", mark).exists():
        states = len(solve(game).values)
    else:
        states = int(compile_game(game).offset[-1])
    if states > LARGE:
        raise InputError(
            f"{what} needs more memory than there is for the {states:,} states of '{game.name}'; "
            f"accepted: games with at most {LARGE:,}."
        )


@lru_cache(maxsize=64)
def mark_of(game: DiceGame) -> str:
    """Return the fingerprint of a game's solution: its rules, whatever they are called."""
    rules = {k: v for k, v in game.to_dict().items() if k not in ("title", "aliases", "summary")}
    return store.fingerprint("dice-values", SOLVER, rules)


_SOLVED: dict[str, tuple[GameArrays, NDArray[np.float64], float]] = {}


def _layers_folder(game: DiceGame) -> Path:
    return store.cache_folder() / f"dice-{game.name}-{mark_of(game)}.parts"


def _job(game: DiceGame) -> Job:
    """Return the job of solving a large game, a layer of scorecards at a time."""
    from oddscalc.jobs import Job, Spec  # a look-up needs it not

    settings = {"solver": SOLVER}
    spec = Spec("dice.values", game.to_dict(), None, len(game.boxes), settings)
    return Job(spec, _layers_folder(game), in_turn=True)


def _solved(game: DiceGame, progress: Progress | None) -> store.Table:
    start = time.perf_counter()
    arrays = compile_game(game)
    values = _shipped(game)
    if values is None:
        from oddscalc.dice import kernels

        pause = time.perf_counter()
        kernels.solve_masks(
            arrays, np.zeros(0, np.int64), 0, 1, np.zeros(0)
        )  # compiles or loads it
        start += time.perf_counter() - pause
        large = int(arrays.offset[-1]) > LARGE
        values = solve_arrays(arrays, progress, _job(game) if large else None)
    seconds = time.perf_counter() - start
    return store.Table({**arrays._asdict(), "values": values}, {"seconds": seconds})


def shipped_at(game: DiceGame) -> Path:
    """Return where the values of a small game are that come with the program."""
    return Path(__file__).parent / "solved" / f"{game.name}.table"


def _shipped(game: DiceGame) -> NDArray[np.float64] | None:
    """Return values that come with the program, so that the first question needs no compiler."""
    try:
        values: NDArray[np.float64] = store.load(shipped_at(game), mark_of(game)).arrays["values"]
    except (OSError, StoreError):  # none of this game, or of other rules under its name
        return None
    return values


def solve_arrays(
    arrays: GameArrays, progress: Progress | None = None, job: Job | None = None
) -> NDArray[np.float64]:
    """Return the values of all states, float64, the last layer of masks solved first.

    With a job each layer is stored when it is solved, and those that are stored are not solved
    again.
    """
    solution = _Layers(arrays, progress)
    if job is not None:
        try:
            job.run(lambda spec, index: solution.part(job, index))
            solution.take(job, job.spec.chunks)
        except StoreError as error:
            store.warn("%s It is solved without.", error)
    solution.finish()
    return solution.values


class _Layers:
    """The values of all states, found layer by layer: chunk 0 fills the last box."""

    def __init__(self, arrays: GameArrays, progress: Progress | None) -> None:
        self._arrays, self._progress = arrays, progress
        self._widths = np.diff(arrays.offset)
        self._masks = np.flatnonzero(self._widths)
        self._chunk = int(arrays.size[3]) - 1 - np.bitwise_count(self._masks).astype(np.int64)
        self._known = 0
        self.values = np.zeros(arrays.offset[-1])

    def part(self, job: Job, index: int) -> dict[str, NDArray[np.float64]]:
        """Return the values of a layer."""
        self.take(job, index)
        self._solve(index)
        return {"values": self.values[self._states(index)]}

    def take(self, job: Job, stop: int) -> None:
        """Take over the layers before one that are stored and not known here."""
        for index in range(self._known, stop):
            self.values[self._states(index)] = job.table(index).arrays["values"]
            self._known = index + 1

    def finish(self) -> None:
        """Solve what is not known."""
        for index in range(self._known, int(self._arrays.size[3])):
            self._solve(index)

    def _states(self, index: int) -> NDArray[np.int64]:
        masks = self._masks[self._chunk == index]
        widths = self._widths[masks]
        before = np.repeat(np.cumsum(widths) - widths, widths)
        start = np.repeat(self._arrays.offset[masks], widths)
        states: NDArray[np.int64] = start + np.arange(len(start)) - before
        return states

    def _solve(self, index: int) -> None:
        from concurrent.futures import ThreadPoolExecutor

        from oddscalc.dice import kernels
        from oddscalc.jit import run_parts, threads

        layer = self._masks[self._chunk == index]
        done = int(self._widths[self._masks[(self._chunk >= 0) & (self._chunk < index)]].sum())
        with ThreadPoolExecutor(threads()) as pool:
            # Small parts let the progress be seen and the threads end together.
            for some in np.array_split(layer, max(1, len(layer) // 4096)):
                parts = min(4 * threads(), len(some))

                def part(number: int, some: Any = some, parts: int = parts) -> None:
                    kernels.solve_masks(self._arrays, some, number, parts, self.values)

                run_parts(pool, part, parts)
                done += int(self._widths[some].sum())
                if self._progress is not None:
                    self._progress(done, len(self.values))
        self._known = index + 1
