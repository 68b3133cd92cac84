"""The exact distribution of the final total when the mean is maximised."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.dice.lattice import lattice
from oddscalc.dice.rules import Box, DiceGame
from oddscalc.dice.scorecard import Scorecard, card_for, state_of
from oddscalc.dice.scoring import is_made, score
from oddscalc.dice.solver import Progress, StateValues, as_game, check_size, mark_of, solve
from oddscalc.results import Column, Detail, Result

__all__ = ["FIELDS", "BoxOutcome", "BoxRound", "Outcomes", "Totals", "bar_columns", "outcomes"]

Array = NDArray[Any]

WALK = 2  # goes into the fingerprint: raise it when stored chances would change
FIELDS = ("total", "chance", "at_least")  # a distribution as data: its columns but the bars
QUANTILES = (1, 5, 25, 50, 75, 95, 99)


@dataclass(frozen=True, slots=True)
class BoxOutcome:
    """What a box brings on average, and how often its combination is made.

    A count box is made at its par, and without a par whenever it scores. Told from the points: a
    combination that earns no more when it is made than when it is not counts as made.
    """

    box: str
    mean: float
    made: float


@dataclass(frozen=True, slots=True)
class BoxRound:
    """A box in one round: how often it is filled then, what it gets and what that costs.

    Attributes
    ----------
    round
        Of all rounds of the game, from 1.
    chance
        That the box is filled in this round.
    mean, made
        Given that it is: its mean points, and how often its combination is made; None if it never
        is filled then.
    price
        Given that it is: how much less is to come afterwards on average, a bonus that is won with
        it not counted as lost. Over all boxes of a round, points and prices are equal on
        average.
    """

    round: int
    box: str
    chance: float
    mean: float | None
    made: float | None
    price: float | None


@dataclass(frozen=True)
class Totals(Result):
    """A distribution of whole numbers, exact.

    Attributes
    ----------
    low
        The lowest total that has a chance.
    chances
        float64: the chance of `low`, of `low` + 1, and so on; their sum is 1.
    """

    game: DiceGame
    low: int
    chances: Array = field(repr=False)

    @cached_property
    def reached(self) -> Array:
        """The chance of each total or more, as long as `chances`."""
        return np.cumsum(self.chances[::-1])[::-1].clip(max=1.0)

    @property
    def high(self) -> int:
        """The highest total that has a chance."""
        return self.low + len(self.chances) - 1

    @property
    def mean(self) -> float:
        """The mean."""
        return float(self.chances @ np.arange(self.low, self.high + 1))

    @property
    def sd(self) -> float:
        """The standard deviation."""
        deviations = np.arange(self.low, self.high + 1) - self.mean
        return float(np.sqrt(self.chances @ deviations**2))

    def at_least(self, total: float) -> float:
        """Return the chance of this total or more."""
        return float(self.chances[max(0, int(np.ceil(total)) - self.low) :].sum())

    def quantile(self, percent: float) -> int:
        """Return the lowest total at or below which at least `percent` (0 to 100) of games end."""
        below = np.cumsum(self.chances)
        place = int(np.searchsorted(below, percent / 100 - 1e-12))
        return self.low + min(place, len(below) - 1)

    def bins(self, unit: int = 1) -> list[dict[str, Any]]:
        """Return about twenty rows of totals drawn together, with bars; told in so many a unit."""
        spread = (self.quantile(99.9) - self.quantile(0.1)) / unit
        width = next(w for w in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if spread / w <= 24)
        starts = np.arange(self.low // (width * unit), self.high // (width * unit) + 1) * width
        edges = np.clip(starts * unit - self.low, 0, None)
        sums = np.add.reduceat(self.chances, edges)
        rows = []
        for start, edge, chance in zip(starts.tolist(), edges.tolist(), sums.tolist(), strict=True):
            if chance >= 5e-6:  # three digits of a per cent
                span = f"{start}" if width == unit == 1 else f"{start} to {start + width - 1}"
                if unit > 1:
                    span = f"from {start}"
                bar = _bar(chance / sums.max())
                at_least = float(self.reached[edge])
                rows.append({"total": span, "chance": chance, "at_least": at_least, "bar": bar})
        return rows


@dataclass(frozen=True)
class Outcomes(Totals):
    """The distribution of final totals, and what every box and bonus brings; exact."""

    schema: ClassVar[str] = "oddscalc.dice.outcomes/1"
    shown: ClassVar[int] = 24

    card: Scorecard
    boxes: tuple[BoxOutcome, ...]
    rounds: tuple[BoxRound, ...] = field(repr=False)
    bonuses: dict[str, float]
    joker_bonus: float

    def to_dict(self) -> dict[str, Any]:
        """Return the distribution with its summaries."""
        bonuses = list(self.bonuses.values())
        return {
            "game": self.game.name,
            "card": self.card.to_dict(),
            "method": "exact",
            "mean": self.mean,
            "sd": self.sd,
            "min": self.low,
            "max": self.high,
            "quantiles": {str(q): self.quantile(q) for q in QUANTILES},
            "p_bonus": bonuses[0] if len(bonuses) == 1 else None,
            "bonuses": dict(self.bonuses),
            "joker_bonus": self.joker_bonus,
            "boxes": [{"box": box.box, "mean": box.mean, "made": box.made} for box in self.boxes],
            "at_least": [
                {"total": self.low + i, "probability": float(p)} for i, p in enumerate(self.reached)
            ],
        }

    def headline(self) -> str:
        """Return mean, spread and median as a sentence."""
        return (
            f"{self.game.title}: {self.mean:.2f} points on average, standard deviation "
            f"{self.sd:.2f}; half of the games end with {self.quantile(50)} or less."
        )

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return bar_columns("Total")

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars: those of the table without its bars."""
        return FIELDS

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each total."""
        return [
            {"total": self.low + i, "chance": float(p), "at_least": float(q)}
            for i, (p, q) in enumerate(zip(self.chances, self.reached, strict=True))
        ]

    def view(self, limit: int | None) -> list[dict[str, Any]]:
        """Return about twenty rows of totals drawn together, with bars; or all if not limited."""
        if limit is not None:
            return self.bins()
        most = self.chances.max()
        return [{**row, "bar": _bar(row["chance"] / most)} for row in self.records()]

    def curve(self) -> tuple[list[float], list[float]]:
        """Return the totals and their chances."""
        return [float(n) for n in range(self.low, self.high + 1)], self.chances.tolist()

    def details(self) -> list[Detail]:
        """Return the table of boxes."""
        columns = (
            Column("box", "Box"),
            Column("mean", "Mean", "{:.2f}".format, right=True),
            Column("made", "Made", "{:.2%}".format, right=True),
        )
        rows = [{"box": box.box, "mean": box.mean, "made": box.made} for box in self.boxes]
        return [Detail("Boxes", columns, rows)]

    def notes(self) -> list[str]:
        """Return quantiles, bonuses and how it was obtained."""
        titles = {bonus.name: bonus.title for bonus in self.game.bonuses}
        quantiles = ", ".join(f"{q} %: {self.quantile(q)}" for q in QUANTILES)
        notes = [f"Quantiles: {quantiles}. Lowest {self.low}, highest {self.high}."]
        notes += [f"{titles[name]}: {chance:.4%}." for name, chance in self.bonuses.items()]
        if self.game.joker and self.game.joker.bonus:
            notes.append(f"Joker bonus: {self.joker_bonus:.4f} points on average.")
        return [*notes, "Exact, under the play that maximises the expected total."]


def outcomes(
    game: DiceGame | str = "poker-dice",
    *,
    card: Scorecard | None = None,
    progress: Progress | None = None,
) -> Outcomes:
    """Return the exact distribution of the final total when the mean is maximised.

    The chances are pushed forward through the solved strategy, nothing is simulated. Ties are
    broken as in the advice.

    Parameters
    ----------
    card
        The scorecard to go on from; an empty one if not told.
    progress
        Called with turns done and turns in all.

    Raises
    ------
    InputError
        If there is no such game, or the card cannot come about in it.

    >>> found = outcomes("poker-dice-short")
    >>> round(found.mean, 6), found.low, found.high
    (62.341176, -6, 172)
    """
    game = as_game(game)
    card = card_for(game, card)
    check_size(game, "The distribution of totals")
    solved = solve(game)
    mask, _ = state_of(card, solved.arrays)

    def walk() -> store.Table:
        return _walked(solved, card, progress)

    if mask == 0:
        mark = store.fingerprint("dice-outcomes", WALK, mark_of(game))
        table = store.fetch(f"dice-outcomes-{game.name}", mark, walk)
    else:
        table = walk()
    weights, told = table.arrays["weights"].sum(axis=0), table.metadata
    made = _made_outcomes(game, solved)
    boxes = []
    for place, box in enumerate(game.boxes):
        if not mask >> place & 1:
            mine = weights * (solved.arrays.outcome_box == place)
            mean = float(mine @ solved.arrays.outcome_points)
            boxes.append(BoxOutcome(box.name, mean, float(mine @ made)))
    return Outcomes(
        game,
        told["low"] + card.points_so_far,
        table.arrays["chances"],
        card,
        tuple(boxes),
        _box_rounds(solved, card, table, made),
        dict(told["bonuses"]),
        told["joker_bonus"],
    )


def _box_rounds(
    solved: StateValues, card: Scorecard, table: store.Table, made: Array
) -> tuple[BoxRound, ...]:
    """Return every open box in every round to come."""
    game, arrays = solved.game, solved.arrays
    found = []
    turns = zip(table.arrays["weights"], table.arrays["prices"], strict=True)
    for number, (weights, prices) in enumerate(turns, len(game.boxes) - len(card.open) + 1):
        for name in card.open:
            mine = arrays.outcome_box == game.box_index(name)
            chance = float(weights[mine].sum())
            sums = weights @ (mine * arrays.outcome_points), weights @ (mine & made), prices @ mine
            means = [float(one) / chance if chance else None for one in sums]
            found.append(BoxRound(number, name, chance, *means))
    return tuple(found)


def _walked(solved: StateValues, card: Scorecard, progress: Progress | None) -> store.Table:
    """Return the distribution of the points still to come, and what makes it up."""
    walk = _Walk(solved, *state_of(card, solved.arrays))
    for turn in range(1, len(card.open) + 1):
        walk.turn()
        if progress is not None:
            progress(turn, len(card.open))
    low, chances = walk.together()
    earned = zip(solved.game.bonuses, walk.bonuses, strict=True)
    told = {
        "low": low,
        "bonuses": {b.name: min(1.0, float(chance)) for b, chance in earned if chance >= 0},
        "joker_bonus": walk.joker_bonus,
    }
    arrays = {"weights": np.array(walk.weights), "prices": np.array(walk.prices)}
    return store.Table({"chances": chances, **arrays}, told)


class _Walk:
    """The states that may be reached after some turns, and the chances of their totals."""

    def __init__(self, solved: StateValues, mask: int, code: int) -> None:
        self._solved = solved
        self._arrays = solved.arrays
        self._states = np.array([[mask, code]], np.int64)
        self._first = np.array([0, 1], np.int64)
        self.low = np.zeros(1, np.int64)
        self.totals = np.ones(1)
        # What happens in each turn: how likely every outcome is, and what it costs by its chance.
        self.weights: list[Array] = []
        self.prices: list[Array] = []
        boxes = solved.arrays.bonus[:, 0]
        self.bonuses = np.where(boxes & mask == boxes, -1.0, 0.0)  # settled ones stay below 0
        self.joker_bonus = 0.0

    def turn(self) -> None:
        """Go on by a turn."""
        from oddscalc.dice import kernel_paths as paths
        from oddscalc.jit import run_parts, threads

        arrays, states = self._arrays, self._states
        shape = len(states), len(arrays.outcome_box)
        chances, paid = np.empty(shape), np.empty(shape)
        after = np.empty(shape, np.int64)
        parts = threads() * 4
        changes = np.flatnonzero(np.diff(states[:, 0])) + 1
        runs = np.concatenate([[0], changes, [len(states)]])

        def find(part: int) -> None:
            found = chances, after, paid
            paths.turn_chances(arrays, self._solved.values, states, runs, part, parts, *found)

        with ThreadPoolExecutor(threads()) as pool:
            run_parts(pool, find, parts)
            weights = np.add.reduceat(self.totals, self._first[:-1])
            self.weights.append(np.zeros(shape[1]))
            self.prices.append(np.zeros(shape[1]))
            tallies = self.weights[-1], self.prices[-1], self.bonuses
            self.joker_bonus += paths.tally_turn(
                arrays, self._solved.values, states, weights, chances, after, *tallies
            )
            number = np.full(int(arrays.offset[-1]), -1, np.int64)
            paths.renumber(after, number, True)
            reached = np.flatnonzero(number == 0)
            number[reached] = np.arange(len(reached))
            paths.renumber(after, number, False)
            low = np.full(len(reached), np.iinfo(np.int64).max)
            high = np.full(len(reached), np.iinfo(np.int64).min)
            paths.span_totals(self._first, self.low, after, paid, low, high)
            first = np.concatenate([[0], np.cumsum(high - low + 1)])
            totals = np.zeros(int(first[-1]))

            def push(part: int) -> None:
                here = self._first, self.low, self.totals
                paths.push_totals(chances, after, paid, *here, first, low, totals, part, parts)

            run_parts(pool, push, parts)
        masks = np.searchsorted(arrays.offset, reached, side="right") - 1
        place = arrays.lanes[arrays.group[masks]] + reached - arrays.offset[masks]
        self._states = np.stack([masks, arrays.codes[place]], axis=1).astype(np.int64)
        self._first, self.low, self.totals = first, low, totals

    def together(self) -> tuple[int, Array]:
        """Return the lowest total, and the chances from it on, of all states together."""
        ends = self.low + np.diff(self._first)
        low = int(self.low.min())
        chances = np.zeros(int(ends.max()) - low)
        for place, start in enumerate(self.low - low):
            mine = self.totals[self._first[place] : self._first[place + 1]]
            chances[start : start + len(mine)] += mine
        some = np.flatnonzero(chances)
        return low + int(some[0]), chances[some[0] : some[-1] + 1]


def _made_outcomes(game: DiceGame, solved: StateValues) -> Array:
    """Return for each outcome whether it means that the box's combination is made, bool (O,)."""
    arrays = solved.arrays
    least = [_least_made(game, box) for box in game.boxes]
    return arrays.outcome_points >= np.array(least)[arrays.outcome_box]


def _least_made(game: DiceGame, box: Box) -> float:
    """Return the fewest points of a made combination."""
    rolls = lattice(game.dice, game.faces).rolls
    return min((score(box, r, False, False) for r in rolls if is_made(box, r)), default=np.inf)


def bar_columns(what: str, key: str = "total") -> tuple[Column, ...]:
    """Return the columns of a distribution of totals drawn together."""
    return (
        Column(key, what, right=True),
        Column("chance", "Chance", "{:.3%}".format, right=True),
        Column("at_least", "At least", "{:.3%}".format, right=True),
        Column("bar", ""),
    )


def _bar(share: float) -> str:
    """Return a bar of block characters, 30 of them for 1."""
    eighths = round(share * 240)
    return "█" * (eighths // 8) + ("▏▎▍▌▋▊▉"[eighths % 8 - 1] if eighths % 8 else "")
