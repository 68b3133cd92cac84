"""Many rolls and states at once → the best hold and its value for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oddscalc.dice.lattice import lattice
from oddscalc.dice.notation import parse_roll, roll_text
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.scorecard import code_of
from oddscalc.dice.solver import StateValues, as_game, solve
from oddscalc.dice.tables import GameArrays
from oddscalc.errors import InputError, NotationError, ScorecardError
from oddscalc.results import Column, Result

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BatchAdvice", "advise_many"]

Array = NDArray[Any]


@dataclass(frozen=True)
class BatchAdvice(Result):
    """The best option for each of N questions; exact.

    Attributes
    ----------
    hold
        uint8 (N, dice): the dice kept, filled up with 0; all dice where the roll is scored.
    box
        int64 (N,): the box in which the roll is scored, -1 where dice are rolled again.
    points
        int64 (N,): what the box gets, 0 where dice are rolled again.
    value
        float64 (N,): expected points still to come.
    """

    schema: ClassVar[str] = "oddscalc.dice.advise-many/1"
    shown: ClassVar[int] = 10

    game: DiceGame
    hold: Array = field(repr=False)
    box: Array = field(repr=False)
    points: Array = field(repr=False)
    value: Array = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return game and answers."""
        return {"game": self.game.name, "method": "exact", "answers": self.records()}

    def headline(self) -> str:
        """Say how many answers there are."""
        return f"{self.game.title}: {len(self.box):,} answers."

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("action", "Action"),
            Column("hold", "Hold", roll_text),
            Column("box", "Box", lambda box: box or "–"),
            Column("points", "Points", lambda n: "–" if n is None else str(n), right=True),
            Column("value", "Expected remaining", "{:.4f}".format, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each question, in their order."""
        return self.to_polars().to_dicts()

    def to_polars(self) -> pl.DataFrame:
        """Return action, hold, box, points and value, a row for each question, in their order."""
        import polars as pl

        scored = self.box >= 0
        names = pl.Series([*(box.name for box in self.game.boxes), None])
        hold = (
            pl.Series(self.hold)
            .cast(pl.List(pl.UInt8))
            .list.eval(pl.element().filter(pl.element() > 0))
        )
        points = pl.Series(self.points).cast(pl.Int32)
        return pl.DataFrame(
            {
                "action": pl.Series(np.where(scored, "score", "reroll")),
                "hold": hold,
                "box": names.gather(np.where(scored, self.box, len(names) - 1)),
                "points": points.set(pl.Series(~scored), None),
                "value": self.value,
            }
        )


def advise_many(
    rolls: ArrayLike | pl.DataFrame,
    *,
    game: DiceGame | str = "poker-dice",
    rolls_left: ArrayLike | None = None,
    filled: ArrayLike = 0,
    progress: Mapping[str, ArrayLike] | None = None,
    joker_made: ArrayLike = False,
) -> BatchAdvice:
    """Return the best option for each of many rolls and states.

    Parameters
    ----------
    rolls
        (N, dice) faces; or a Polars frame with a column `roll` of lists or texts, and, where
        these are not the same for all, `rolls_left`, `filled`, `progress_…` and `joker_made`.
    rolls_left
        How many rolls may follow; after the first roll if not told.
    filled
        The filled boxes, bit i for box i as the sheet lists them.
    progress
        The sum of each bonus's boxes, by the bonus's name; 0 if not told.
    joker_made
        Whether the joker's box holds its points.

    Raises
    ------
    InputError
        If a question cannot be in this game; the text names the row, counted from 0.

    >>> answers = advise_many([[2, 3, 6, 2, 1], [6, 6, 6, 6, 6]])
    >>> answers.hold.tolist()
    [[2, 2, 0, 0, 0], [6, 6, 6, 6, 6]]
    """
    game = as_game(game)
    progress = dict(progress or {})
    if hasattr(rolls, "get_columns"):
        frame: Any = rolls
        rolls = _rolls_of(frame, game)
        told = {name: frame[name].to_numpy() for name in frame.columns if name != "roll"}
        rolls_left = told.pop("rolls_left", rolls_left)
        filled, joker_made = told.pop("filled", filled), told.pop("joker_made", joker_made)
        prefix = "progress_"
        for name in told:
            if not name.startswith(prefix):
                raise InputError(
                    f"The frame has a column '{name}'; accepted: roll, rolls_left, filled, "
                    "progress_…, joker_made."
                )
        progress |= {n.removeprefix(prefix): v for n, v in told.items() if n.startswith(prefix)}
    try:
        ids = _roll_ids(np.atleast_2d(np.asarray(rolls)), game)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise NotationError(
            f"The rolls differ in length; accepted: {game.dice} dice each."
        ) from None
    left = _column(game.rolls - 1 if rolls_left is None else rolls_left, len(ids), "rolls_left")
    _refuse((left < 0) | (left >= game.rolls), left, "rolls left", f"0 to {game.rolls - 1}")
    solved = solve(game)
    states = _states(solved, len(ids), filled, progress, joker_made)
    return _answers(solved, ids, left, states)


def _answers(solved: StateValues, ids: Array, left: Array, states: Array) -> BatchAdvice:
    from oddscalc.dice import kernels
    from oddscalc.jit import run_parts, threads

    arrays, game = solved.arrays, solved.game
    order = np.lexsort((states[:, 1], states[:, 0]))
    ordered = states[order]
    changes = np.flatnonzero((ordered[1:] != ordered[:-1]).any(axis=1)) + 1
    first = np.concatenate([[0], changes, [len(ids)]]) if len(ids) else np.zeros(1, np.int64)
    asked = ordered[first[:-1]]
    changed = np.flatnonzero(np.diff(asked[:, 0])) + 1
    runs = np.unique([0, *changed, len(asked)])  # no run at all without questions
    answers, worth = np.empty((len(ids), 2), np.int64), np.empty(len(ids))
    questions = asked, runs, first, ids[order], left[order]
    parts = threads() * 4

    def part(number: int) -> None:
        kernels.advise_states(arrays, solved.values, *questions, number, parts, answers, worth)

    with ThreadPoolExecutor(threads()) as pool:
        run_parts(pool, part, parts)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    held, outcome = answers[back].T
    grid = lattice(game.dice, game.faces)
    padded = [keep + (0,) * (game.dice - len(keep)) for keep in grid.keeps]
    scored = outcome >= 0
    return BatchAdvice(
        game,
        np.array(padded, np.uint8)[np.where(scored, ids + grid.first[game.dice], held)],
        np.where(scored, arrays.outcome_box[outcome], -1),
        np.where(scored, arrays.outcome_points[outcome], 0).astype(np.int64),
        worth[back],
    )


def _rolls_of(frame: Any, game: DiceGame) -> Array:
    if "roll" not in frame.columns:
        raise InputError(f"The frame has columns {', '.join(frame.columns)}; accepted: roll, …")
    rolls = frame["roll"]
    if rolls.dtype.is_nested():
        if rolls.null_count() or not (rolls.list.len() == game.dice).all():
            raise NotationError(f"A roll has not {game.dice} dice; accepted: lists of {game.dice}.")
        return np.asarray(rolls.explode().to_numpy()).reshape(-1, game.dice)
    texts = map(str, rolls.to_list())
    return np.array([parse_roll(r, game.faces, fewest=game.dice, most=game.dice) for r in texts])


def _roll_ids(rolls: Array, game: DiceGame) -> Array:
    if rolls.ndim != 2 or rolls.shape[1] != game.dice or rolls.dtype.kind not in "iu":
        raise NotationError(
            f"The rolls are an array of {rolls.dtype} {rolls.shape}; accepted: whole numbers, "
            f"(N, {game.dice})."
        )
    rolls = np.sort(rolls.astype(np.int64), axis=1)
    wrong = ((rolls < 1) | (rolls > game.faces)).any(axis=1)
    _refuse(np.asarray(wrong), rolls, "roll", f"faces from 1 to {game.faces}")
    base = (game.faces + 1) ** np.arange(game.dice)[::-1]
    known = np.array(lattice(game.dice, game.faces).rolls) @ base  # in rising order
    return np.searchsorted(known, rolls @ base)


def _column(values: ArrayLike, count: int, what: str) -> Array:
    column = np.asarray(values)
    if column.dtype.kind not in "iub" or column.shape not in ((), (count,)):
        raise InputError(
            f"{what} is an array of {column.dtype} {column.shape}; accepted: whole numbers, "
            f"one or {count}."
        )
    return np.broadcast_to(column.astype(np.int64), count)


def _refuse(wrong: Array, values: Array, what: str, accepted: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        shown = " ".join(map(str, np.atleast_1d(values[row])))
        raise InputError(f"Row {row} has the {what} {shown}; accepted: {accepted}.")


def _states(
    solved: StateValues,
    count: int,
    filled: ArrayLike,
    progress: Mapping[str, ArrayLike],
    joker_made: ArrayLike,
) -> Array:
    """Return mask and code of each question, int64 (N, 2)."""
    game, arrays = solved.game, solved.arrays
    masks = _column(filled, count, "filled")
    everything = (1 << len(game.boxes)) - 1
    outside = (masks < 0) | (masks >= everything)
    outside |= np.diff(arrays.offset)[np.where(outside, 0, masks)] == 0
    _refuse(outside, masks, "filled boxes", "masks of boxes that may be filled, one left open")
    made = _column(joker_made, count, "joker_made").astype(bool)
    for name in progress:
        if name not in {bonus.name for bonus in game.bonuses}:
            raise InputError(
                f"There is no bonus '{name}'; accepted: {', '.join(b.name for b in game.bonuses)}."
            )
    sums = [_column(progress.get(b.name, 0), count, f"progress_{b.name}") for b in game.bonuses]
    codes = _codes(game, arrays, masks, sums, made)
    return np.stack([masks, codes], axis=1)


def _codes(
    game: DiceGame, arrays: GameArrays, masks: Array, sums: list[Array], made: Array
) -> Array:
    groups = arrays.group[masks]
    some = arrays.codes[arrays.lanes[groups]].astype(np.int64)
    codes = np.zeros(len(masks), np.int64)
    fits = np.ones(len(masks), bool)
    strides = set()
    for told, row in zip(sums, arrays.bonus.tolist(), strict=True):
        boxes, _, _, stride, radix, low = row
        place = np.where(boxes & masks == boxes, some // stride % radix, told - low)
        fits &= (place >= 0) & (place < radix)
        if stride not in strides:
            codes += stride * place
        strides.add(stride)
    if game.joker and game.joker.bonus:
        codes += np.where(made, arrays.size[5] // 2, 0)
    codes = np.where(fits, codes, 0)
    fits &= arrays.lane_of[groups, codes] >= 0
    for row in np.flatnonzero(~fits):
        # A settled sum beside one that is not: look for any that go together.
        full = [boxes & int(masks[row]) == boxes for boxes in arrays.bonus[:, 0].tolist()]
        asked = [None if f else int(column[row]) for f, column in zip(full, sums, strict=True)]
        try:
            codes[row] = code_of(game, arrays, int(masks[row]), asked, bool(made[row]))
        except ScorecardError as error:
            raise ScorecardError(f"Row {row}: {error}") from None
    return codes
