"""Totals and best chances slowly and exactly: whole numbers over a known denominator.

Whatever a turn is worth is carried as numbers out of `faces ** dice` to the power of the rolls
that may still come, so that all is added and compared exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, partial
from operator import mul
from typing import Generic, NamedTuple, TypeVar

from oddscalc.dice.rules import Count, DiceGame
from tests.oracle.dice import (
    Action,
    Filled,
    Roll,
    State,
    _ways,
    holds,
    outcomes,
    play,
)

T = TypeVar("T")
Row = tuple[int, ...]


def mixed_rows(parts: Sequence[tuple[int, Row]]) -> Row:
    times = [number for number, _ in parts]
    columns = zip(*(row for _, row in parts), strict=True)
    return tuple(sum(map(mul, times, column)) for column in columns)


class Turn(Generic[T]):
    """One turn with values that can be mixed.

    Parameters
    ----------
    ends
        From the final roll and whether it is the first: every way to end the turn, with its
        value; the way to prefer among equals first.
    mix
        Adds values after multiplying each by its number.
    pick
        Which of several options, the one to prefer among equals first.
    """

    def __init__(
        self,
        game: DiceGame,
        ends: Callable[[Roll, bool], dict[Action, T]],
        mix: Callable[[Sequence[tuple[int, T]]], T],
        pick: Callable[[list[T]], T],
    ) -> None:
        self.game, self.mix, self.pick = game, mix, pick
        self.ends: Callable[[Roll, bool], dict[Action, T]] = cache(ends)
        self.best: Callable[[Roll, int], T] = cache(self._best)
        self.rolled: Callable[[Roll, int], T] = cache(self._rolled)

    def options(self, roll: Roll, left: int) -> dict[Action, T]:
        """Return the value of all that may be done, out of the ways of `left` rolls of all dice."""
        game, scale = self.game, (self.game.faces**self.game.dice) ** left
        ends = self.ends(roll, left == game.rolls - 1)
        result = {action: self.mix([(scale, value)]) for action, value in ends.items()}
        # Among equals: score; else hold most dice, the lowest ones.
        ordered = sorted(holds(roll), key=lambda hold: (-len(hold), hold)) if left else []
        return result | {("reroll", hold): self.rolled(hold, left) for hold in ordered}

    def _best(self, roll: Roll, left: int) -> T:
        return self.pick(list(self.options(roll, left).values()))

    def _rolled(self, hold: Roll, left: int) -> T:
        """Return the value of rolling all dice but those held."""
        # Dice held count as rolled too, to no effect.
        same = self.game.faces ** len(hold)
        rolls = outcomes(self.game.dice - len(hold), self.game.faces)
        return self.mix(
            [(same * ways, self.best(tuple(sorted(hold + r)), left - 1)) for r, ways in rolls]
        )

    def start(self) -> T:
        """Return the value before the first roll."""
        return self.rolled((), self.game.rolls)


def scale(game: DiceGame, turns: int) -> int:
    """Return out of how many ways the values before some turns are."""
    return int(game.faces ** (game.dice * game.rolls * turns))


def _turns_left(game: DiceGame, state: State) -> int:
    return len(game.boxes) - len(state.filled)


def _in_order(game: DiceGame, boxes: Iterable[str]) -> list[str]:
    """Return boxes as the sheet lists them."""
    return sorted(boxes, key=[box.name for box in game.boxes].index)


# The distribution of the final total when the mean is maximised


class Tally(NamedTuple):
    """Points still to come: their sum over all ways, ways by points, and sums of other counts.

    Keys of `extras` are ``("mean", box)``, ``("made", box)``, ``("bonus", name)`` and
    ``("joker", "")``.
    """

    mean: int
    totals: dict[int, int]
    extras: dict[tuple[str, str], int]


def _mixed_tallies(parts: Sequence[tuple[int, Tally]]) -> Tally:
    mean, totals, extras = 0, dict[int, int](), dict[tuple[str, str], int]()
    for times, part in parts:
        mean += times * part.mean
        for points, ways in part.totals.items():
            totals[points] = totals.get(points, 0) + times * ways
        for key, held in part.extras.items():
            extras[key] = extras.get(key, 0) + times * held
    return Tally(mean, totals, extras)


def hit(game: DiceGame, box: str, roll: Roll, joker: bool) -> bool:
    """Tell whether a roll makes a box: a count from its par on, without a par from one die on."""
    for scoring in next(one.scorings for one in game.boxes if one.name == box):
        pattern = scoring.pattern
        if isinstance(pattern, Count):
            faces = set(roll) if pattern.face is None else {pattern.face}
            if any(roll.count(face) >= (pattern.par or 1) for face in faces):
                return True
        elif _ways(pattern, roll) or (joker and isinstance(scoring.points, int)):
            return True
    return False


class Usual:
    """Play for the highest mean, whose ties are broken in a settled order."""

    def __init__(self, game: DiceGame) -> None:
        self.game, self.cards = game, play(game)
        self.turn: Callable[[State], Turn[Tally]] = cache(self._turn)
        self.value: Callable[[State], Tally] = cache(self._value)

    def _ends(self, state: State, roll: Roll, first: bool) -> dict[Action, Tally]:
        cards, result = self.cards, dict[Action, Tally]()
        ways = scale(self.game, _turns_left(self.game, state) - 1)
        places = cards.places(state.filled, roll)
        for box in _in_order(self.game, places):
            points = cards.points(box, roll, first, places[box])
            then, credited = cards.after(state, box, points)
            paid = cards.bonus(state, roll)
            now = points + credited + paid
            mean, totals, extras = self.value(cards.reduced(then))
            extras = dict(extras)
            extras["mean", box] = points * ways
            extras["made", box] = hit(self.game, box, roll, places[box]) * ways
            extras["joker", ""] = extras.get(("joker", ""), 0) + paid * ways
            for place, bonus in enumerate(self.game.bonuses):
                if box in bonus.boxes and then.filled >= set(bonus.boxes):
                    reached = then.progress[place] >= bonus.at_least
                    extras["bonus", bonus.name] = reached * ways
            totals = {now + more: held for more, held in totals.items()}
            result["score", box] = Tally(mean + now * ways, totals, extras)
        return result

    def _turn(self, state: State) -> Turn[Tally]:
        def best(options: list[Tally]) -> Tally:
            return max(options, key=lambda option: option.mean)

        return Turn(self.game, partial(self._ends, state), _mixed_tallies, best)

    def _value(self, state: State) -> Tally:
        if not _turns_left(self.game, state):
            return Tally(0, {0: 1}, {})
        return self.turn(state).start()


@cache
def usual(game: DiceGame) -> Usual:
    """Return the usual play of a game, so that what is known of it is kept."""
    return Usual(game)


def distribution(game: DiceGame, filled: Filled = (), total: int = 0) -> dict[int, Fraction]:
    """Return the chance of every final total of usual play, with `total` points on the card."""
    state = play(game).card(filled)
    tally, ways = usual(game).value(state), scale(game, _turns_left(game, state))
    return {total + points: Fraction(held, ways) for points, held in sorted(tally.totals.items())}


def extras(game: DiceGame, filled: Filled = ()) -> dict[tuple[str, str], Fraction]:
    """Return what else usual play brings on average; `Tally` lists the keys."""
    state = play(game).card(filled)
    ways = scale(game, _turns_left(game, state))
    return {key: Fraction(n, ways) for key, n in usual(game).value(state).extras.items()}


# The best chance of a total


class Reach:
    """Play for the most of 1 for more points than needed, `share` for just as many, else 0.

    All numbers of points needed are held side by side, from more than fewest to more than can
    be made. With a share of 1 it is the chance of at least as many.
    """

    def __init__(self, game: DiceGame, share: Fraction = Fraction(1)) -> None:
        self.game, self.cards, self.share = game, play(game), share
        self.turn: Callable[[State], Turn[Row]] = cache(self._turn)
        self.value: Callable[[State], Row] = cache(self._value)
        switches = [(False, False), (False, True), (True, False), (True, True)]
        points = [
            [self.cards.points(box.name, roll, *s) for roll in self.cards.rolls for s in switches]
            for box in game.boxes
        ] + [[bonus.points] for bonus in game.bonuses]
        jokers = game.joker.bonus * len(game.boxes) if game.joker else 0
        self.low = sum(min(0, *one) for one in points) - 1
        self.high = sum(max(0, *one) for one in points) + jokers + 1

    def place(self, needed: int) -> int:
        """Return where a number of points needed stands; outside it makes no difference."""
        return min(max(needed, self.low), self.high) - self.low

    def _ends(self, state: State, roll: Roll, first: bool) -> dict[Action, Row]:
        cards, result = self.cards, dict[Action, Row]()
        for box, joker in cards.places(state.filled, roll).items():
            points = cards.points(box, roll, first, joker)
            then, credited = cards.after(state, box, points)
            now = points + credited + cards.bonus(state, roll)
            after = self.value(cards.reduced(then))
            result["score", box] = tuple(
                after[self.place(needed - now)] for needed in range(self.low, self.high + 1)
            )
        return result

    def _turn(self, state: State) -> Turn[Row]:
        def best(options: list[Row]) -> Row:
            return tuple(max(column) for column in zip(*options, strict=True))

        return Turn(self.game, partial(self._ends, state), mixed_rows, best)

    def _value(self, state: State) -> Row:
        if _turns_left(self.game, state):
            return self.turn(state).start()
        above, share = self.share.denominator, self.share.numerator
        exactly = range(self.low, self.high + 1)
        return tuple(above if n < 0 else share if n == 0 else 0 for n in exactly)

    def chance(self, filled: Filled, needed: int) -> Fraction:
        """Return the most that can be had from the start of a turn."""
        state = self.cards.card(filled)
        ways = scale(self.game, _turns_left(self.game, state)) * self.share.denominator
        return Fraction(self.value(state)[self.place(needed)], ways)

    def options(self, filled: Filled, needed: int, roll: Roll, left: int) -> dict[Action, Fraction]:
        """Return the most that can be had after all that may be done."""
        state = self.cards.card(filled)
        ways = scale(self.game, _turns_left(self.game, state) - 1) * self.share.denominator
        ways *= (self.game.faces**self.game.dice) ** left
        found = self.turn(state).options(tuple(sorted(roll)), left)
        return {act: Fraction(row[self.place(needed)], ways) for act, row in found.items()}


@cache
def reach(game: DiceGame, share: Fraction = Fraction(1)) -> Reach:
    """Return the play for a total, so that what is known of it is kept."""
    return Reach(game, share)
