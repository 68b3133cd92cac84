"""The pot of a two-turn game slowly and exactly: every player plays for the own share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from math import comb, lcm
from typing import NamedTuple

from oddscalc.dice.rules import Count, DiceGame
from tests.oracle.dice import Action, Roll, State, play, scores
from tests.oracle.dice_outcomes import Row, Turn, mixed_rows, scale


class Standing(NamedTuple):
    """A player's card and points."""

    state: State
    total: int


Table = tuple[Standing, ...]


class Pot:
    """All players fill their first box in turn, then all the second; the highest total wins.

    Every player plays for the own share, then the own mean total, knowing that later ones do.

    Parameters
    ----------
    goal
        "pot"; or "mean", when nobody minds the others.
    free_face
        Whether a box of any face takes any face on the table, rather than the best one.
    reverse
        Whether options equal in share and mean total are preferred in the reverse order.
    """

    def __init__(
        self,
        game: DiceGame,
        players: int,
        *,
        goal: str = "pot",
        free_face: bool = True,
        reverse: bool = False,
    ) -> None:
        self.game, self.players, self.cards = game, players, play(game)
        self.goal, self.free_face, self.reverse = goal, free_face, reverse
        self.whole = lcm(*range(1, players + 1))
        self.turn: Callable[[Table, int], Turn[Row]] = cache(self._turn)
        self.value: Callable[[Table, int], Row] = cache(self._value)

    def _points(self, box: str, roll: Roll, first: bool) -> dict[str, int]:
        """Return what a box may be given, by what is said."""
        (scoring, *more) = next(one.scorings for one in self.game.boxes if one.name == box)
        pattern = scoring.pattern
        if not (self.free_face and isinstance(pattern, Count) and pattern.face is None):
            return {box: scores(self.game, box, roll, first_roll=first)}
        assert not more
        times = scoring.first_roll if first else 1
        return {
            f"{box} as {face}": (roll.count(face) - pattern.par) * face * times
            for face in sorted(set(roll))
        }

    def _ends(self, table: Table, place: int, roll: Roll, first: bool) -> dict[Action, Row]:
        seat = place % self.players
        state, total = table[seat]
        (box,) = self.cards.open_boxes(state.filled)
        result: dict[Action, Row] = {}
        for said, points in self._points(box, roll, first).items():
            then, credited = self.cards.after(state, box, points)
            own = Standing(self.cards.reduced(then), total + points + credited)
            after = (*table[:seat], own, *table[seat + 1 :])
            result["score", said] = self.value(after, place + 1)
        return result

    def _turn(self, table: Table, place: int) -> Turn[Row]:
        seat = place % self.players

        def wish(value: Row) -> tuple[int, int]:
            share = value[seat] if self.goal == "pot" else 0
            return share, value[self.players + seat]

        def best(options: list[Row]) -> Row:
            return max(reversed(options) if self.reverse else options, key=wish)

        return Turn(self.game, partial(self._ends, table, place), mixed_rows, best)

    def _value(self, table: Table, place: int) -> Row:
        """Return the shares, then the mean totals of all players."""
        if place < 2 * self.players:
            return self.turn(table, place).start()
        totals = [standing.total for standing in table]
        top = max(totals)
        shares = [self.whole // totals.count(top) if one == top else 0 for one in totals]
        return (*shares, *(self.whole * total for total in totals))

    def win(self) -> tuple[Fraction, ...]:
        """Return the share of the pot of each seat."""
        table = (Standing(self.cards.start(), 0),) * self.players
        ways = scale(self.game, 2 * self.players) * self.whole
        return tuple(Fraction(n, ways) for n in self.value(table, 0)[: self.players])


def share(own: dict[int, Fraction], others: dict[int, Fraction], number: int) -> Fraction:
    """Return the share of the pot against a number of others alike, all independent."""
    result = Fraction(0)
    for total, chance in own.items():
        below = sum((more for other, more in others.items() if other < total), Fraction(0))
        same = others.get(total, Fraction(0))
        for ties in range(number + 1):
            ways = comb(number, ties) * same**ties * below ** (number - ties)
            result += chance * ways / (1 + ties)
    return result
