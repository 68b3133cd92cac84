"""The numbers of a sheet, fitted to the solved values of a game.

The loss of a sheet is the sum, over all turns, of what it gives away in a turn when the best play
follows: of the solved values before the turn, less what the turn by the sheet and the solved
values after it bring. It is added up over a sample of the cards that the sheet leads to, and
lowered by changing a number at a time. Which cards these are depends on the sheet, so that cards
and numbers are found in turn, a few times. The result is whole numbers, the
same whatever the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.dice import kernel_sheet
from oddscalc.dice.holdlines import hold_lines
from oddscalc.dice.kernel_sheet import SheetArrays
from oddscalc.dice.lattice import lattice
from oddscalc.dice.leads import counted_face, lead_of
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.sheet_cards import Cards, likely_cards
from oddscalc.dice.solver import Progress, StateValues, as_game, mark_of, solve
from oddscalc.dice.strategy import (
    LEADS,
    Numbers,
    SheetStrategy,
    follow,
    outcome_numbers,
    sheet_arrays,
)
from oddscalc.jit import run_parts, threads

__all__ = ["fit", "sheet"]

Array = NDArray[Any]

FIT = 4  # goes into the fingerprint: raise it when stored numbers would change
NUMBERS = tuple(part.name for part in fields(Numbers))
STEPS = (4, 2, 1)  # of the sweeps of each round
ROUNDS = 6
ROUNDS_WITH_LEADS = 4  # as good, of more cards
LEADS_SAVE = 2e-3  # share of the expected total, for which a person is asked to count the lead
LEAST = 1e-6  # a change that saves less is none
SPARE = 2e-5  # share of the expected total that a line may save and still be left out


def fit(solved: StateValues, progress: Progress | None = None) -> Numbers:
    """Return the numbers of a good sheet for a game; with leads if they save enough."""
    plain, worths = np.zeros(0), _start_of_worths(solved.game)
    plans = [(plain, ROUNDS)] + ([(worths, ROUNDS_WITH_LEADS)] if len(worths) else [])
    done, every = 0, len(STEPS) * sum(rounds for _, rounds in plans)

    def sweep_done() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, every)

    numbers = [_fitted(solved, start, rounds, sweep_done) for start, rounds in plans]
    if len(plans) == 1:
        return numbers[0]
    without, with_leads = (follow(solved, sheet_arrays(solved, one))[0] for one in numbers)
    saves = with_leads - without > LEADS_SAVE * abs(solved.value)
    return numbers[1 if saves else 0]


def _fitted(
    solved: StateValues, worths: Array, rounds: int, sweep_done: Callable[[], None]
) -> Numbers:
    """Return the numbers that some rounds find, from worths of leads that may be none."""
    numbers = _start(solved, worths)
    with ThreadPoolExecutor(threads()) as pool:
        for number in range(rounds):
            cards = likely_cards(solved, numbers)
            if number < 2:  # by then the cards are those that a good sheet leads to
                numbers = _analysed(solved, cards, numbers)
            search = _Search(solved, cards, numbers, pool)
            for step in STEPS:
                search.sweep(step)
                sweep_done()
            if number == rounds - 1:  # not before: what is left out does not come back
                search.spare()
                search.sweep(1)
            numbers = search.numbers
    return numbers


def _start(solved: StateValues, worths: Array) -> Numbers:
    """Return numbers whose prices are what an open box adds to the mean state."""
    game, arrays, values = solved.game, solved.arrays, solved.values
    masks = np.flatnonzero(np.diff(arrays.offset))
    mean = np.zeros(len(arrays.group))
    mean[masks] = np.add.reduceat(values, arrays.offset[masks]) / np.diff(arrays.offset)[masks]
    prices = np.zeros(len(game.boxes))
    for place in range(len(game.boxes)):
        open_there = masks[arrays.open[masks] >> place & 1 == 1]
        prices[place] = (mean[open_there] - mean[open_there | 1 << place]).mean().round()
    counts = np.array([_counted(game, place) for place in range(len(prices))]) - prices[:, None]
    return _with_lines(solved, prices, -prices, counts, worths)


def _start_of_worths(game: DiceGame) -> Array:
    """Return worths of leads that rise by equal steps; none for a game without a lead."""
    lead = lead_of(game)
    if lead is None:
        return np.zeros(0)
    return (np.linspace(0.1, 0.9, 2 * LEADS + 1) * game.bonuses[lead.bonus].points).round()


def _counted(game: DiceGame, place: int) -> Array:
    """Return the points of a count box by how many dice show its face; 0 for another box."""
    face = counted_face(game.boxes[place])
    par = getattr(game.boxes[place].scorings[0].pattern, "par", 0)
    return (np.arange(game.dice + 1.0) - par) * (face or 0)


def _analysed(solved: StateValues, cards: Cards, numbers: Numbers) -> Numbers:
    """Return numbers that tell, in the mean over the cards, what an outcome is worth.

    What it does for the lead is told by the worths of `numbers`, which stay.
    """
    game, arrays = solved.game, solved.arrays
    open_there = arrays.open[cards.masks][:, None] >> arrays.outcome_box & 1
    weights = cards.weights[:, None] * open_there
    shifts = _shifts(sheet_arrays(solved, numbers), cards.masks, cards.leads)
    gain = (weights * (cards.worth - cards.before[:, None] - shifts)).sum(axis=0)
    gain = gain / np.maximum(weights.sum(axis=0), 1e-300) - arrays.outcome_extra
    prices, missed = np.zeros(len(game.boxes)), np.zeros(len(game.boxes))
    counts = np.zeros((len(game.boxes), game.dice + 1))
    for place, box in enumerate(game.boxes):
        rolled = arrays.outcomes[: len(arrays.chance), place]
        points, mean = arrays.outcome_points[rolled], gain[rolled]
        prices[place] = (arrays.chance @ (points - mean)).round()
        missed[place] = mean[points == 0].mean().round() if (points == 0).any() else 0.0
        if counted_face(box) is not None:
            slope, level = np.polyfit(points, mean, 1, w=np.sqrt(arrays.chance))
            counts[place] = (max(0.0, slope) * _counted(game, place) + level).round()
    return _with_lines(solved, prices, missed, counts, numbers.worths)


def _with_lines(
    solved: StateValues, prices: Array, missed: Array, counts: Array, worths: Array
) -> Numbers:
    """Return numbers whose lines tell what the box alone is worth with the dice held for it."""
    game, arrays = solved.game, solved.arrays
    lines, entries = hold_lines(game)
    keep, line, box = np.array(entries, np.int64).T
    numbers = Numbers(
        prices,
        missed,
        counts,
        np.zeros((game.rolls - 1, len(lines))),
        np.zeros(len(lines), bool),
        worths,
    )
    sheet = sheet_arrays(solved, numbers)
    fresh = sheet.leads[:1]
    scores = sheet.scores + _shifts(sheet, np.zeros(1, int), fresh)[0]
    worth = _alone(solved, scores[arrays.outcomes[: len(arrays.chance)]])[:, keep, box]
    sums = np.array([sum(dice) for dice in lattice(game.dice, game.faces).keeps], float)[keep]
    for place in range(len(lines)):
        mine = line == place
        plain, added = worth[:, mine], worth[:, mine] - sums[mine]
        numbers.adds[place] = added.std(axis=1).sum() < plain.std(axis=1).sum() - LEAST
        numbers.holds[:, place] = (added if numbers.adds[place] else plain).mean(axis=1).round()
    nothing, boxes = _given_up(solved)
    numbers.holds[:, nothing] = np.maximum(numbers.holds[:, nothing], missed[boxes] + 1)
    return numbers


def _shifts(sheet: SheetArrays, masks: Array, leads: Array) -> Array:
    """Return what the lead does to the numbers of the outcomes on some cards, (M, O)."""
    scores = np.tile(sheet.scores, (len(masks), 1))
    for place, (mask, lead) in enumerate(zip(masks, leads, strict=True)):
        kernel_sheet.lead_scores(sheet, mask, lead, scores[place])
    return scores - sheet.scores


def _given_up(solved: StateValues) -> tuple[Array, Array]:
    """Return the lines on which nothing is held for a box that may be missed, and the boxes."""
    game, arrays = solved.game, solved.arrays
    lines = {line.box: place for place, line in enumerate(hold_lines(game)[0]) if not line.dice}
    boxes = [
        place
        for place, box in enumerate(game.boxes)
        if not box.is_count and (arrays.outcome_points[arrays.outcome_box == place] == 0).any()
    ]
    return np.array([lines[game.boxes[b].name] for b in boxes], int), np.array(boxes, int)


def _alone(solved: StateValues, scores: Array) -> Array:
    """Return (rolls - 1, C, B), what each keep is worth for each box alone, by rolls left.

    `scores` (R, B) are the numbers of the boxes for the last roll.
    """
    arrays = solved.arrays
    dice, faces, rolls = (int(number) for number in arrays.size[:3])
    first, keeps = arrays.first, len(arrays.fewer)
    values = np.zeros((keeps + 1, scores.shape[1]))
    values[first[dice] : keeps] = scores
    result = np.zeros((rolls - 1, first[dice], scores.shape[1]))
    for left in range(rolls - 1):
        for size in range(dice - 1, -1, -1):
            keep = slice(first[size], first[size + 1])
            values[keep] = values[arrays.more[keep]].sum(axis=1) / faces
        result[left] = values[: first[dice]]
        best = values.copy()
        for size in range(1, dice + 1):
            keep = slice(first[size], first[size + 1])
            best[keep] = np.maximum(best[keep], best[arrays.fewer[keep]].max(axis=1))
        values[first[dice] : keeps] = np.maximum(scores, best[first[dice] : keeps])
    return result


@dataclass(frozen=True)
class _Move:
    """Numbers that change together.

    Attributes
    ----------
    array, entries
        Where they stand.
    box
        The only box concerned; None for all.
    left
        With how many rolls left they matter; 0: always.
    rolls
        bool (R,), the rolls that they concern.
    """

    array: Array
    entries: Any
    box: int | None
    left: int
    rolls: Array


class _Search:
    """Numbers that are changed one at a time, and what the cards bring with them."""

    def __init__(
        self, solved: StateValues, cards: Cards, numbers: Numbers, pool: ThreadPoolExecutor
    ) -> None:
        self.numbers = deepcopy(numbers)
        self._solved, self._cards, self._pool = solved, cards, pool
        self._sheet = sheet_arrays(solved, self.numbers)
        open_there = solved.arrays.open[cards.masks]
        self._concerned: dict[int | None, Array] = {None: np.arange(len(cards.masks))}
        for box in range(len(solved.game.boxes)):
            self._concerned[box] = np.flatnonzero(open_there >> box & 1)
        many, rolls, turns = len(cards.masks), len(solved.arrays.chance), solved.game.rolls
        self._cache = kernel_sheet.TurnCache(
            np.zeros((many, 2, rolls)),
            np.zeros((many, 2, rolls), np.int64),
            np.zeros((many, turns, rolls)),
            np.zeros((many, turns, rolls), np.int64),
            np.zeros((many, turns, len(solved.arrays.more))),
        )
        self._moves = list(self._every_move())
        self._given_up = _given_up(solved)
        arrays, sheet, cache, masks = solved.arrays, self._sheet, self._cache, cards.masks
        kernel_sheet.hold_cards(arrays, sheet, masks, cache, 0, 1)
        self._values = self._work_out(self._moves[0], None, True)
        self._idle: set[int] = set()

    def _every_move(self) -> Iterator[_Move]:
        game, numbers, arrays = self._solved.game, self.numbers, self._solved.arrays
        lines, entries = hold_lines(game)
        everything = np.ones(len(arrays.chance), bool)
        rolls_of = np.zeros((len(lines), len(arrays.chance)), bool)
        containing: dict[int, list[int]] = {}
        for roll in range(len(arrays.chance)):
            for hold in arrays.holds[arrays.holds_from[roll] : arrays.holds_from[roll + 1]]:
                containing.setdefault(int(hold), []).append(roll)
        for keep, place, _ in entries:
            rolls_of[place, containing[keep]] = True
        for place, box in enumerate(game.boxes):
            rows = np.array([line.box == box.name for line in lines])
            if counted_face(box) is not None:
                yield _Move(numbers.counts, place, place, 0, everything)
            else:
                yield _Move(numbers.prices, place, place, 0, everything)
                yield _Move(numbers.missed, place, place, 0, everything)
            for left in range(1, game.rolls):
                yield _Move(numbers.holds, (left - 1, rows), place, left, everything)
        for place in range(len(numbers.worths)):
            yield _Move(numbers.worths, slice(place, None), None, 0, everything)
        for dice in range(game.dice + 1):
            yield _Move(numbers.counts, (slice(None), dice), None, 0, everything)
        for place, line in enumerate(lines):
            for left in range(1, game.rolls):
                box_place = game.box_index(line.box)
                yield _Move(numbers.holds, (left - 1, place), box_place, left, rolls_of[place])

    def sweep(self, step: int) -> None:
        """Move every number by a step, as long as that saves something."""
        for place, move in enumerate(self._moves):
            if place in self._idle:
                continue
            touched = False
            for change in (step, -step):
                moved = False
                while (gain := self._changed(move, change)) > LEAST:
                    moved = True
                touched |= moved or gain != 0.0  # what was not sensible may be so later
                if moved:
                    break
            if not touched:
                self._idle.add(place)

    def spare(self) -> None:
        """Leave out the lines that save next to nothing."""
        little = SPARE * abs(self._solved.value)
        for move in self._moves:
            if move.array is self.numbers.holds and isinstance(move.entries[1], int):
                self._changed(move, -np.inf, -little)

    def _changed(self, move: _Move, change: float, least: float = LEAST) -> float:
        """Change numbers; return what that saves, and undo it if that is not more than `least`."""
        before, scores = move.array[move.entries].copy(), self._sheet.scores.copy()
        move.array[move.entries] += change
        gain = -np.inf
        if self._is_sensible():
            if move.left == 0:
                self._sheet.scores[:] = outcome_numbers(self._solved, self.numbers)
                self._sheet.worths[: len(self.numbers.worths)] = self.numbers.worths
            values = self._work_out(move, move.box, False)
            concerned = self._concerned[move.box]
            gain = float(self._cards.weights[concerned] @ (values - self._values[concerned]))
        if gain > least:
            self._values[concerned] = self._work_out(move, move.box, True)
        else:
            move.array[move.entries] = before
            self._sheet.scores[:] = scores
            self._sheet.worths[: len(self.numbers.worths)] = self.numbers.worths
        return gain

    def _is_sensible(self) -> bool:
        """Tell whether the numbers are such as a person would understand.

        More dice of a box's face are never less, rolling beats giving up, and leads are worth parts
        of their bonus, larger ones no less.
        """
        lines, boxes = self._given_up
        rolling = self.numbers.holds[:, lines] > self.numbers.missed[boxes]
        prize = self._sheet.prize
        parts = np.concatenate([[0.0], self.numbers.worths * np.sign(prize), [abs(prize)]])
        rising = (np.diff(self.numbers.counts) >= 0).all() and (np.diff(parts) >= 0).all()
        return bool(rolling.all() and rising)

    def _work_out(self, move: _Move, box: int | None, store: bool) -> Array:
        """Return what a turn brings on the cards that a box concerns, after a move."""
        places, parts = self._concerned[box], threads()
        values = np.zeros(len(places))

        def part(number: int) -> None:
            kernel_sheet.turn_values(
                self._solved.arrays,
                self._sheet,
                self._cards.masks,
                self._cards.leads,
                self._cards.worth,
                places,
                self._cache,
                move.left,
                move.rolls,
                store,
                number,
                parts,
                values,
            )

        run_parts(self._pool, part, parts)
        return values


def sheet(game: DiceGame | str = "poker-dice", progress: Progress | None = None) -> SheetStrategy:
    """Return the sheet of a game: a strategy that fits on a page, and what it costs to follow it.

    Its numbers are fitted once and stored; what they bring is worked out each time.

    Parameters
    ----------
    game
        A game, or the name of a built-in one.
    progress
        Called with work done and work in all.

    Raises
    ------
    InputError
        If there is no such game, or its bonuses need too many states.

    >>> found = sheet("poker-dice-short")
    >>> found.best - found.expected < 0.2
    True
    """
    solved = solve(as_game(game))
    mark = store.fingerprint("dice-sheet", FIT, mark_of(solved.game))

    def build() -> store.Table:
        numbers = fit(solved, progress)
        return store.Table({name: getattr(numbers, name) for name in NUMBERS}, {})

    table = store.fetch(f"dice-sheet-{solved.game.name}", mark, build)
    return SheetStrategy(solved, Numbers(**{name: table.arrays[name] for name in NUMBERS}))
