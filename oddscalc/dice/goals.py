"""What a player may play for: the mean, beating a score, one box, the pot.

What only one goal needs is imported by it: a look-up for the mean must come at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.scorecard import Scorecard, state_of
from oddscalc.dice.solver import Progress, solve
from oddscalc.dice.tables import GameArrays, compile_game
from oddscalc.dice.turns import steps
from oddscalc.errors import InputError, ScorecardError, unknown_name
from oddscalc.reading import whole_number

__all__ = ["DIGITS", "Goal", "goal_of"]

Array = NDArray[Any]

DIGITS = 9  # of points, 12 of chances: fewer than float64 spoils, so that equals tie


@dataclass(frozen=True)
class Goal:
    """A goal in one state of a game.

    Attributes
    ----------
    name
        "mean", "beat:240", "box:pair" or "pot".
    card
        The scorecard of the player who asks.
    worth
        float64 (O, 2): for each outcome of the turn what is maximised, and what decides among
        equals; -inf where a box cannot be filled.
    before
        What is added to a value to have the final one.
    digits
        To how many decimals values are told.
    means
        What a value is, in words.
    """

    name: str
    card: Scorecard
    arrays: GameArrays
    mask: int
    worth: Array
    before: float
    digits: int
    means: str

    @property
    def is_chance(self) -> bool:
        """Whether values are chances or shares, told in per cent."""
        return self.name == "pot" or self.name.startswith("beat:")


def goal_of(
    name: str,
    card: Scorecard,
    *,
    totals: Sequence[int] | None = None,
    seat: int | None = None,
    progress: Progress | None = None,
) -> Goal:
    """Return the goal of that name.

    Raises
    ------
    InputError
        If there is no such goal, or it cannot be in this game and state.
    """
    kind, colon, word = name.strip().partition(":")
    if name != "pot" and (totals is not None or seat is not None):
        raise InputError(f"totals and a seat are told for the goal '{name}'; accepted: for pot.")
    if name == "mean":
        return _mean(card, progress)
    if kind == "box" and colon:
        return _box(card, word)
    if kind == "beat" and colon:
        total = whole_number(word)
        if total is None:
            raise InputError(f"'{word}' is not a total to beat; accepted: a whole number.")
        return _beat(card, total, progress)
    if name == "pot":
        return _pot(card, totals, seat, progress)
    raise unknown_name("goal", name, ["mean", "beat:N", "box:NAME", "pot"])


def _mean(card: Scorecard, progress: Progress | None) -> Goal:
    solved = solve(card.game, progress)
    mask, code = state_of(card, solved.arrays)
    mine, after, paid = steps(solved.arrays, mask, code)
    worth = _no_worth(solved.arrays)
    worth[mine] = (paid + solved.values[after])[:, None]
    before = card.points_so_far
    means = "expected final total, every later choice the best one"
    return Goal("mean", card, solved.arrays, mask, worth, before, DIGITS, means)


def _box(card: Scorecard, word: str) -> Goal:
    game, arrays = card.game, compile_game(card.game)
    box = game.box_index(word)
    mask, _ = state_of(card, arrays)
    if not arrays.open[mask] >> box & 1:
        names = [other.name for i, other in enumerate(game.boxes) if arrays.open[mask] >> i & 1]
        raise ScorecardError(
            f"The box '{word}' cannot be filled now; accepted: {', '.join(names)}."
        )
    worth = _no_worth(arrays)
    mine = arrays.outcome_box == box
    worth[mine] = arrays.outcome_points[mine, None]
    name = game.boxes[box].name
    means = f"expected points in {name}, when only that box counts"
    return Goal(f"box:{name}", card, arrays, mask, worth, 0, DIGITS, means)


def _beat(card: Scorecard, total: int, progress: Progress | None, share: float = 0.0) -> Goal:
    """Return the goal of so many points; one point less counts the share."""
    from oddscalc.dice.beating import NeedTable

    table = NeedTable(card.game, share=share, progress=progress)
    mean = _mean(card, None)
    mask, code = state_of(card, table.arrays)
    worth = mean.worth.copy()
    for outcome, state, points in zip(*steps(table.arrays, mask, code), strict=True):
        need = np.array([total - card.points_so_far - round(float(points))])
        worth[outcome, 0] = table.chance(int(state), need)[0]
    means = f"chance of a final total of at least {total}, every later choice the best one for it"
    return Goal(f"beat:{total}", card, table.arrays, mask, worth, 0, DIGITS + 3, means)


def _pot(
    card: Scorecard, totals: Sequence[int] | None, seat: int | None, progress: Progress | None
) -> Goal:
    from oddscalc.dice.pots import FEWEST, MOST, has_pot

    game = card.game
    if totals is not None and seat == len(totals) + 1:
        totals = [*totals, card.points_so_far]  # the last player has told only what others have
    if totals is None or not FEWEST <= len(totals) <= MOST:
        told = "no totals" if totals is None else f"{len(totals)} totals"
        raise InputError(
            f"The goal pot is told {told}; accepted: the totals so far of {FEWEST} to {MOST} "
            "players in seat order."
        )
    if seat is None or not 1 <= seat <= len(totals):
        told = "no seat" if seat is None else f"the seat {seat}"
        raise InputError(f"The goal pot is told {told}; accepted: 1 to {len(totals)}.")
    if has_pot(game):
        return _two_turn_pot(card, list(totals), seat - 1, progress)
    if seat != len(totals):
        raise InputError(
            f"The seat {seat} of {len(totals)} is not the last; accepted: {len(totals)}. In "
            f"'{game.name}' the pot is exact for the last player, when all other totals are final."
        )
    if totals[-1] != card.points_so_far:
        raise InputError(
            f"The total {totals[-1]} of seat {seat} does not agree with the card; accepted: "
            f"{card.points_so_far}."
        )
    best = max(totals[:-1])
    share = 1 / (1 + list(totals[:-1]).count(best))
    goal = _beat(card, best + 1, progress, share)
    means = f"share of the pot against a best total of {best}; equal totals share"
    return Goal("pot", card, goal.arrays, goal.mask, goal.worth, 0, DIGITS + 3, means)


def _two_turn_pot(card: Scorecard, totals: list[int], seat: int, progress: Progress | None) -> Goal:
    from oddscalc.dice.pots import PotTable

    game = card.game
    table = PotTable(game, len(totals), progress)
    firsts = table.first_totals()
    second = bool(card.filled) or totals[seat] != 0
    first_box, second_box = (box.name for box in game.boxes)
    if card.filled and totals[seat] != card.points_so_far:
        raise InputError(
            f"The total {totals[seat]} of seat {seat + 1} does not agree with the card; accepted: "
            f"{card.points_so_far}."
        )
    if not card.filled and second:
        card = Scorecard(game, {first_box: None}, points=totals[seat])
    for other, total in enumerate(totals):
        if second and other < seat:
            continue  # any final total
        due = second or other < seat
        if due and total not in firsts:
            listed = ", ".join(map(str, firsts))
            raise InputError(
                f"The total {total} of seat {other + 1} cannot be after the {first_box} turn; "
                f"accepted: {listed}."
            )
        if not due and total != 0:
            raise InputError(
                f"Seat {other + 1} has the total {total} before its first turn; accepted: 0."
            )
    arrays = table.arrays
    mask, _ = state_of(card, arrays)
    if second:
        low, high = table.second_totals()
        for other, total in enumerate(totals[:seat]):
            if not low <= total <= high:
                raise InputError(
                    f"The total {total} of seat {other + 1} cannot be after the {second_box} "
                    f"turn; accepted: {low} to {high}."
                )
        shares, reached = table.second_turn(seat, totals)
    else:
        shares, reached = table.first_turn(seat, totals[:seat])
    worth = _no_worth(arrays)
    mine = arrays.outcome_box == (1 if second else 0)
    worth[mine] = np.stack([shares, reached], axis=1)[mine]
    means = "share of the pot, every player playing for their own; equal totals share"
    return Goal("pot", card, arrays, mask, worth, 0, DIGITS + 3, means)


def _no_worth(arrays: GameArrays) -> Array:
    return np.full((len(arrays.outcome_box), 2), -np.inf)
