"""Roll + scorecard + solved values → the best hold, and what every other one loses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.goals import Goal, goal_of
from oddscalc.dice.lattice import lattice
from oddscalc.dice.notation import parse_roll, roll_text
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.scorecard import Scorecard, card_for
from oddscalc.dice.solver import Progress, as_game
from oddscalc.dice.turns import best_of, choices, keep_values
from oddscalc.errors import InputError, ScorecardError
from oddscalc.results import Column, Result, percent

__all__ = ["HoldAdvice", "HoldOption", "advise", "options_of"]

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
        Expected final total, points on the card included; for the goal of a box, its points; for
        beating a score the chance of it; for the pot the share of it.
    loss
        How much less than the best option; 0 for all that tie with it.
    expected_remaining
        `value` without the points that the card shows already; None for a chance or share.
    """

    action: Literal["reroll", "score"]
    hold: tuple[int, ...]
    box: str | None
    points: int | None
    value: float
    loss: float
    expected_remaining: float | None


@dataclass(frozen=True)
class HoldAdvice(Result):
    """All options for a roll, best first; exact.

    Attributes
    ----------
    means
        What a value is, in words.
    usual
        Where values are chances: the option that maximises the expected total.
    """

    schema: ClassVar[str] = "oddscalc.dice.hold/1"
    shown: ClassVar[int] = 5

    game: DiceGame
    roll: tuple[int, ...]
    rolls_left: int
    goal: str
    card: Scorecard
    options: tuple[HoldOption, ...]
    means: str
    usual: HoldOption | None

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
            "options": [_plain(option) for option in self.options],
            "usual": None if self.usual is None else _plain(self.usual),
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
        kind = self.goal.partition(":")[0]
        what = {
            "mean": "Expected total",
            "box": "Expected points",
            "beat": f"At least {self.goal[5:]}",
            "pot": "Share of the pot",
        }[kind]
        form: Callable[[float], str] = percent if self.usual else "{:.4f}".format
        return (
            Column("rank", "#", str, right=True),
            Column("option", "Option"),
            Column("value", what, form, right=True),
            Column("loss", "Loss", lambda loss: form(loss) if loss else "–", right=True),
        )

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars, which tell an option's parts."""
        return "rank", "action", "hold", "box", "points", "value", "loss"

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
        notes = [f"Exact: {self.means}. {self.game.title}, {left}."]
        if self.usual and self.usual.loss:
            notes.append(
                f"The usual choice, for the highest expected total: {self.said(self.usual)}, "
                f"{percent(self.usual.value)} ({percent(self.usual.loss)} less)."
            )
        elif self.usual:
            notes.append("The highest expected total asks for the same.")
        if self.goal == "mean" and self.card.points == 0 and None in self.card.filled.values():
            notes.append("The points on the card are taken to be 0; --points tells them.")
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


def _plain(option: HoldOption) -> dict[str, Any]:
    # Field by field: `asdict` copies deeply, which took a quarter of a look-up.
    plain = {name: getattr(option, name) for name in HoldOption.__slots__}
    return {**plain, "hold": list(option.hold)}


def advise(
    roll: str | Iterable[int],
    *,
    game: DiceGame | str = "poker-dice",
    rolls_left: int | None = None,
    card: Scorecard | None = None,
    goal: str = "mean",
    totals: Sequence[int] | None = None,
    seat: int | None = None,
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
        "mean", the highest expected final total; "beat:N", the best chance of at least N;
        "box:NAME", when only that box counts; "pot", the highest share of a pot.
    totals, seat
        For the pot: the totals so far of all players in seat order, and one's own seat, from 1.
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
    >>> advise("6 6 1 2 3", game="poker-dice-short", goal="beat:60").best.value
    0.697675463417
    """
    game = as_game(game)
    dice = parse_roll(roll, game.faces, fewest=game.dice, most=game.dice)
    left = _rolls_left(game, rolls_left)
    card = card_for(game, card)
    if not card.open:
        raise ScorecardError("Every box is filled; accepted: a card with an open box.")
    aim = goal_of(goal, card, totals=totals, seat=seat, progress=progress)
    options = options_of(aim, dice, left)
    usual = None
    if aim.is_chance:
        usual = options_of(goal_of("mean", aim.card), dice, left)[0]
        usual = next(o for o in options if (o.hold, o.box) == (usual.hold, usual.box))
    return HoldAdvice(game, dice, left, aim.name, aim.card, tuple(options), aim.means, usual)


def _rolls_left(game: DiceGame, rolls_left: int | None) -> int:
    if rolls_left is None:
        return game.rolls - 1
    if not 0 <= rolls_left < game.rolls:
        raise InputError(
            f"There cannot be {rolls_left} rolls left; accepted: 0 to {game.rolls - 1}."
        )
    return rolls_left


def options_of(goal: Goal, dice: tuple[int, ...], left: int) -> list[HoldOption]:
    """Return every option, best first.

    Among equals the goal's second number decides; then score rather than roll, then hold more.
    """
    game, arrays = goal.card.game, goal.arrays
    grid = lattice(game.dice, game.faces)
    roll = grid.index[dice] - grid.first[game.dice]
    rows, allowed = choices(arrays, goal.mask)
    table = arrays.outcomes_first if left == game.rolls - 1 else arrays.outcomes
    found: list[tuple[Any, ...]] = []
    outcomes = table[rows[roll]]
    for place in np.flatnonzero(allowed[roll]).tolist():
        outcome = outcomes[place]
        worth, second = goal.worth[outcome].tolist()
        if worth > -np.inf:
            points = int(arrays.outcome_points[outcome])
            found.append(("score", dice, game.boxes[place].name, points, worth, second))
    if left:
        keeps = keep_values(arrays, _last_rolls(goal, rows, allowed), left)
        held = arrays.holds[arrays.holds_from[roll] : arrays.holds_from[roll + 1]]
        for keep, values in zip(held.tolist(), keeps[held].tolist(), strict=True):
            found.append(("reroll", grid.keeps[keep], None, None, *values))
    if not found:  # a joker that must go elsewhere, when only one box counts
        found.append(("score", dice, None, 0, 0.0, 0.0))
    best = round(max(worth for *_, worth, _ in found), goal.digits)
    is_chance, options = goal.is_chance, []
    for action, hold, name, points, worth, second in found:
        value = round(worth, goal.digits)
        loss = round(best - value, goal.digits)
        final = value + goal.before
        remaining = None if is_chance else value
        option = HoldOption(action, hold, name, points, final, loss, remaining)
        order = -value, -round(second, 9), action == "reroll", -len(hold)
        options.append((order, option))
    return [option for _, option in sorted(options, key=lambda pair: pair[0])]


def _last_rolls(goal: Goal, rows: Array, allowed: Array) -> Array:
    """Return what each last roll is worth, float64 (R, 2)."""
    mine = np.flatnonzero(allowed.any(axis=0))
    outcomes = goal.arrays.outcomes.take(rows, axis=0).T
    worth = goal.worth.take(outcomes.take(mine, axis=0), axis=0)
    np.copyto(worth, -np.inf, where=~allowed.T[mine, :, None])
    best = best_of(worth)
    # A joker that must go elsewhere brings nothing to the one box that counts.
    return np.where(best > -np.inf, best, 0.0)
