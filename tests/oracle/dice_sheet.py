"""Following a sheet slowly and exactly: plain Python and fractions, from what the sheet says.

A sheet is taken as its JSON form tells it. Nothing here comes from the product but the dataclasses
that hold the rules.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from oddscalc.dice.rules import Alike, Bonus, Box, Chance, Count, DiceGame, Straight
from tests.oracle.dice import Action, Roll, State, holds, outcomes, play


class Follower:
    """A player who looks up every number and does what has the highest one."""

    def __init__(self, game: DiceGame, said: dict[str, Any]) -> None:
        self.game = game
        self.boxes = {box["box"]: box for box in said["boxes"]}
        self.lines = said["lines"]
        self.lead = said["lead"]
        self.cards = play(game)
        self.choice = cache(self._choice)
        self.value = cache(self._value)

    def expected(self) -> Fraction:
        """Return the expected final total."""
        return self.value(self.cards.reduced(self.cards.start()))

    def lead_counts(self, state: State) -> bool:
        """Tell whether the bonus of the lead is neither sure nor out of reach."""
        if self.lead is None:
            return False
        bonus, points = self._bonus(state)
        unfilled = [box for box in self.game.boxes if box.name in set(bonus.boxes) - state.filled]
        least = points + sum(_dice_points(box, 0) for box in unfilled)
        most = points + sum(_dice_points(box, self.game.dice) for box in unfilled)
        return least < bonus.at_least <= most

    def _bonus(self, state: State) -> tuple[Bonus, int]:
        """Return the bonus of the lead and the points that its boxes hold."""
        together = zip(self.game.bonuses, state.progress, strict=True)
        return next(pair for pair in together if pair[0].name == self.lead["bonus"])

    def lead_worth(self, state: State, box: Box, dice: int) -> int:
        """Return what the lead is worth more when a box is filled with some dice of its face."""
        bonus, points = self._bonus(state)
        if box.name not in bonus.boxes or not self.lead_counts(state):
            return 0
        filled = [one for one in self.game.boxes if one.name in state.filled & set(bonus.boxes)]
        lead = points - sum(_dice_points(one, self.lead["dice"]) for one in filled)
        then = lead + _dice_points(box, dice) - _dice_points(box, self.lead["dice"])
        if len(filled) == len(bonus.boxes) - 1:
            reached = points + _dice_points(box, dice) >= bonus.at_least
            return (bonus.points if reached else 0) - self._worth(lead)
        return self._worth(then) - self._worth(lead)

    def _worth(self, lead: int) -> int:
        lowest, worths = self.lead["lowest"], self.lead["worths"]
        return int(worths[min(max(0, lead - lowest), len(worths) - 1)])

    def filling(self, state: State, roll: Roll, first_roll: bool) -> dict[str, int]:
        """Return the number of every box that may be filled, the upper one first."""
        result, filled = {}, state.filled
        places = self.cards.places(filled, roll)
        for box in self.game.boxes:
            if box.name not in places:
                continue
            points = self.cards.points(box.name, roll, first_roll, places[box.name])
            said, counts = self.boxes[box.name], self.boxes[box.name]["counts"]
            first = box.scorings[0].pattern
            if counts is not None:
                assert isinstance(first, Count)
                dice = roll.count(first.face or 0)
                number = counts[dice] + (self.lead_worth(state, box, dice) if self.lead else 0)
            elif points == 0 and not isinstance(first, Count):
                number = said["missed"]
            else:
                number = points - said["price"]
            if self.game.joker and self.cards.is_further(filled, roll):
                number += self.game.joker.bonus
            result[box.name] = number
        return result

    def keeping(self, filled: frozenset[str], hold: Roll, left: int) -> int | None:
        """Return the highest number of keeping some dice, or None."""
        numbers = []
        for line in self.lines:
            box = next(box for box in self.game.boxes if box.name == line["box"])
            number = line["numbers"][left - 1]
            opened = box.name in self.cards.open_boxes(filled)
            if number is not None and opened and _is_on(line, box, hold, self.game.faces):
                numbers.append(number + (sum(hold) if line["adds"] else 0))
        return max(numbers, default=None)

    def _choice(self, state: State, roll: Roll, left: int) -> Action:
        filling = self.filling(state, roll, left == self.game.rolls - 1)
        best = max(filling.values())
        action: Action = ("score", next(name for name, n in filling.items() if n == best))
        order = sorted(holds(roll), key=lambda hold: (len(hold), hold[::-1]), reverse=True)
        for hold in order if left else ():
            number = self.keeping(state.filled, hold, left)
            if number is not None and number > best:
                best, action = number, ("reroll", hold)
        return action

    def _value(self, state: State) -> Fraction:
        if len(state.filled) == len(self.game.boxes):
            return Fraction(0)

        @cache
        def of_roll(roll: Roll, left: int) -> Fraction:
            what, chosen = self.choice(state, roll, left)
            if what == "reroll":
                assert isinstance(chosen, tuple)
                return of_hold(chosen, left)
            assert isinstance(chosen, str)
            joker = self.cards.places(state.filled, roll)[chosen]
            points = self.cards.points(chosen, roll, left == self.game.rolls - 1, joker)
            then, credited = self.cards.after(state, chosen, points)
            paid = points + credited + self.cards.bonus(state, roll)
            return paid + self.value(self.cards.reduced(then))

        @cache
        def of_hold(hold: Roll, left: int) -> Fraction:
            rolls = outcomes(self.game.dice - len(hold), self.game.faces)
            total = sum(
                ways * of_roll(tuple(sorted(hold + roll)), left - 1) for roll, ways in rolls
            )
            return Fraction(total) / sum(ways for _, ways in rolls)

        return of_hold((), self.game.rolls)


def _dice_points(box: Box, dice: int) -> int:
    """Return the points of a count box for some dice of its face."""
    pattern = box.scorings[0].pattern
    assert isinstance(pattern, Count)
    return (dice - pattern.par) * (pattern.face or 0)


def _is_on(line: dict[str, Any], box: Box, hold: Roll, faces: int) -> bool:
    """Tell whether the dice held for a box are those of a line."""
    shape = sorted((hold.count(face) for face in set(hold)), reverse=True)
    if len(hold) != line["dice"]:
        return False
    if not hold:
        return True
    for scoring in box.scorings:
        pattern = scoring.pattern
        if isinstance(pattern, Straight) and line["length"] == pattern.length:
            places = [set(range(low, low + pattern.length)) for low in pattern.lowest]
            ways = sum(set(hold) <= place for place in places)
            if shape == [1] * len(hold) and min(2, ways) == line["ways"]:
                return True
        elif line["length"]:
            continue
        elif isinstance(pattern, Chance):
            if not line["shape"] and all(2 * die > faces for die in hold):
                return True
        elif isinstance(pattern, Count):
            if shape == line["shape"] == [len(hold)] and pattern.face in (None, hold[0]):
                return True
        elif isinstance(pattern, Alike) and shape == line["shape"]:
            return True
    return False
