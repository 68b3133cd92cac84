"""Roll + scorecard + solved values → the best hold, and what every other one loses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.lattice import lattice
from oddscalc.dice.notation import parse_roll, roll_text
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.scorecard import Scorecard, state_of
from oddscalc.dice.solver import Progress, as_game, solve
from oddscalc.dice.tables import GameArrays, compile_game
from oddscalc.errors import InputError, ScorecardError, unknown_name
from oddscalc.results import Column, Result

__all__ = ["HoldAdvice", "HoldOption", "advise"]

DIGITS = 9  # of values and losses: more than float64 spoils, so that equal options tie

Array = NDArray[Any]

_WORDS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class HoldOption:
    """One thing to do with a roll.

    Attributes
    ----------
    action
        "reroll" the dice that are not held, or "score" the roll in a box.
    hold
        The dice kept; all of them when scoring.
    box, points
        The box and what it gets, when scoring.
    value
        Expected final total, points on the card included; for the goal of a box, its points.
    loss
        How much less than the best option; 0 for all that tie with it.
    expected_remaining
        `value` without the points that the card shows already.
    """

    action: Literal["reroll", "score"]
    hold: tuple[int, ...]
    box: str | None
    points: int | None
    value: float
    loss: float
    expected_remaining: float


@dataclass(frozen=True)
class HoldAdvice(Result):
    """All options for a roll, best first; exact."""

    schema: ClassVar[str] = "oddscalc.dice.hold/1"
    shown: ClassVar[int] = 5

    game: DiceGame
    roll: tuple[int, ...]
    rolls_left: int
    goal: str
    card: Scorecard
    options: tuple[HoldOption, ...]

    @property
    def best(self) -> HoldOption:
        """The first of the best options."""
        return self.options[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the question and all options."""
        return {
            "game": self.game.name,
            "roll": list(self.roll),
            "rolls_left": self.rolls_left,
            "goal": self.goal,
            "card": self.card.to_dict(),
            "method": "exact",
            "options": [{**asdict(o), "hold": list(o.hold)} for o in self.options],
        }

    def headline(self) -> str:
        """Return the advice as a sentence."""
        best = self.said(self.best)
        ties = [self.said(option) for option in self.options[1:] if option.loss == 0]
        equal = f", or as good: {'; '.join(ties[:3])}" if ties else ""
        more = f"; {len(ties) - 3} more" if len(ties) > 3 else ""
        return best[0].upper() + best[1:] + equal + more + "."

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        what = "Expected total" if self.goal == "mean" else "Expected points"
        return (
            Column("rank", "#", lambda rank: f"{rank}", right=True),
            Column("option", "Option"),
            Column("value", what, "{:.4f}".format, right=True),
            Column("loss", "Loss", lambda loss: f"{loss:.4f}" if loss else "–", right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each option; options that tie share their rank."""
        rows: list[dict[str, Any]] = []
        for place, option in enumerate(self.options, 1):
            tied = rows and option.loss == rows[-1]["loss"]
            rank = rows[-1]["rank"] if tied else place
            rows.append({"rank": rank, "option": self.said(option), **asdict(option)})
        return rows

    def notes(self) -> list[str]:
        """Say what the numbers mean and how they were obtained."""
        left = f"{_WORDS[self.rolls_left]} roll{'' if self.rolls_left == 1 else 's'} left"
        if self.goal == "mean":
            goal = "Exact: expected final total, every later choice the best one"
        else:
            goal = f"Exact: expected points in {self.goal[4:]}, when only that box counts"
        notes = [f"{goal}. {self.game.title}, {left}."]
        joker = self.game.joker
        if joker and joker.bonus and self.card.filled.get(joker.box, 0) is None:
            notes.append(f"The box {joker.box} is taken to hold 0.")
        return notes

    def said(self, option: HoldOption) -> str:
        """Return an option as words."""
        if option.action == "score":
            return f"score {option.points} in {option.box}"
        rest = len(self.roll) - len(option.hold)
        if not option.hold:
            return f"roll all {_WORDS[rest]}" if rest > 1 else "roll again"
        return f"keep {roll_text(option.hold)}, roll {_WORDS[rest]}"


def advise(
    roll: str | Iterable[int],
    *,
    game: DiceGame | str = "poker-dice",
    rolls_left: int | None = None,
    card: Scorecard | None = None,
    goal: str = "mean",
    progress: Progress | None = None,
) -> HoldAdvice:
    """Return every option for a roll, best first.

    Parameters
    ----------
    roll
        All dice on the table, as text or numbers.
    rolls_left
        How many rolls may follow in this turn; after the first roll if not told.
    card
        The scorecard; an empty one if not told.
    goal
        "mean", the highest expected final total, or "box:NAME", when only that box counts.
    progress
        Called with work done and work in all, should the game have to be solved first.

    Raises
    ------
    InputError
        If roll, rolls left, card or goal cannot be in this game.

    >>> advise("2 3 6 2 1").headline()
    'Keep 2 2, roll three.'
    >>> advise("5 5 6 6 1", game="yahtzee").best.hold
    (6, 6)
    """
    game = as_game(game)
    dice = parse_roll(roll, game.faces, fewest=game.dice, most=game.dice)
    left = _rolls_left(game, rolls_left)
    card = Scorecard(game) if card is None else card
    if not card.open:
        raise ScorecardError("Every box is filled; accepted: a card with an open box.")
    kind, _, word = goal.partition(":")
    if kind == "box" and word:
        box = game.box_index(word)
        goal = f"box:{game.boxes[box].name}"
        arrays = compile_game(game)
        mask, code = state_of(card, arrays)
        if not arrays.open[mask] >> box & 1:
            listed = ", ".join(
                b.name for i, b in enumerate(game.boxes) if arrays.open[mask] >> i & 1
            )
            raise ScorecardError(f"The box '{word}' cannot be filled now; accepted: {listed}.")
        worth = np.where(arrays.outcome_box == box, arrays.outcome_points, -np.inf)
        before = 0
    elif goal == "mean":
        solved = solve(game, progress)
        arrays = solved.arrays
        mask, code = state_of(card, arrays)
        worth = _outcomes_worth(arrays, solved.values, mask, code)
        before = card.points_so_far
    else:
        raise unknown_name("goal", goal, ["mean", "box:NAME"])
    found = _options(arrays, game, dice, left, mask, worth)
    best = max(value for *_, value in found)
    options = [
        HoldOption(action, hold, name, points, value + before, round(best - value, DIGITS), value)
        for action, hold, name, points, value in found
    ]
    # Among equals: score rather than roll, hold more rather than less.
    options.sort(key=lambda o: (-o.value, o.action == "reroll", -len(o.hold)))
    return HoldAdvice(game, dice, left, goal, card, tuple(options))


def _rolls_left(game: DiceGame, rolls_left: int | None) -> int:
    if rolls_left is None:
        return game.rolls - 1
    if not 0 <= rolls_left < game.rolls:
        raise InputError(
            f"There cannot be {rolls_left} rolls left; accepted: 0 to {game.rolls - 1}."
        )
    return rolls_left


Found = tuple[Literal["reroll", "score"], tuple[int, ...], str | None, int | None, float]


def _options(
    arrays: GameArrays,
    game: DiceGame,
    dice: tuple[int, ...],
    left: int,
    mask: int,
    worth: Array,
) -> list[Found]:
    """Return every option with its value, in no order that matters."""
    grid = lattice(game.dice, game.faces)
    roll = grid.index[dice] - grid.first[game.dice]
    rows, choices = _choices(arrays, mask)
    table = arrays.outcomes_first if left == game.rolls - 1 else arrays.outcomes
    options: list[Found] = []
    for place, box in enumerate(game.boxes):
        outcome = table[rows[roll], place]
        if choices[roll, place] and worth[outcome] > -np.inf:
            points = int(arrays.outcome_points[outcome])
            options.append(("score", dice, box.name, points, _rounded(worth[outcome])))
    if left:
        scores = np.where(choices, worth[arrays.outcomes[rows]], -np.inf).max(axis=1)
        # A joker that must go elsewhere scores nothing in the one box of a goal.
        keeps = _keep_values(arrays, np.where(scores > -np.inf, scores, 0.0), left)
        options += [
            ("reroll", hold, None, None, _rounded(keeps[grid.index[hold]]))
            for hold in grid.holds(dice)
        ]
    return options or [("score", dice, None, 0, 0.0)]


def _rounded(value: Any) -> float:
    return round(float(value), DIGITS)


def _choices(arrays: GameArrays, mask: int) -> tuple[Array, Array]:
    """Return for each roll its row of `outcomes`, and (R, B) which boxes may be chosen."""
    boxes, joker_box = int(arrays.size[3]), int(arrays.size[4])
    rows = np.arange(len(arrays.chance))
    open_boxes = arrays.open[mask]
    if joker_box >= 0 and mask >> joker_box & 1:
        unfilled = np.uint32(~mask & ((1 << boxes) - 1))
        jokers = np.flatnonzero(arrays.joker >= 0)
        case = arrays.joker[jokers] + (arrays.joker_own[jokers] & unfilled == 0)
        for _ in range(2):
            case += arrays.allowed[case] & open_boxes == 0
        rows[jokers] = case
    allowed = arrays.allowed[rows] & open_boxes
    return rows, (allowed[:, None] >> np.arange(boxes, dtype=np.uint32) & 1).astype(bool)


def _outcomes_worth(arrays: GameArrays, values: Array, mask: int, code: int) -> Array:
    """Return for each outcome its points and all that may come after; -inf if not open."""
    after = mask | 1 << arrays.outcome_box
    worth = np.full(len(after), -np.inf)
    mine = np.flatnonzero(arrays.open[mask] >> arrays.outcome_box & 1)
    after, reached = after[mine], code + arrays.outcome_shift[mine]
    lane = arrays.lane_of[arrays.group[after], reached]
    found = arrays.outcome_points[mine] + values[arrays.offset[after] + lane]
    found += np.where(code >= arrays.size[5] // 2, arrays.outcome_extra[mine], 0.0)
    for boxes, at_least, points, stride, radix, low in arrays.bonus.tolist():
        completes = (after & boxes == boxes) & (boxes >> arrays.outcome_box[mine] & 1 == 1)
        found += points * (completes & (reached // stride % radix + low >= at_least))
    worth[mine] = found
    return worth


def _keep_values(arrays: GameArrays, rolls: Array, left: int) -> Array:
    """Return what each keep is worth with `left` rolls to come, from the values of last rolls."""
    first, faces = arrays.first, int(arrays.size[1])
    keeps = np.zeros(len(arrays.fewer))
    keeps[first[-2] :] = rolls
    for turn in range(left):
        for size in range(len(first) - 3, -1, -1):
            here = slice(first[size], first[size + 1])
            keeps[here] = keeps[arrays.more[here, :faces]].mean(axis=1)
        if turn < left - 1:
            for size in range(1, len(first) - 1):
                here = slice(first[size], first[size + 1])
                keeps[here] = np.maximum(keeps[here], keeps[arrays.fewer[here]].max(axis=1))
    return keeps
