"""Dice games slowly and exactly: plain Python and fractions, from the rules by their names.

Nothing here comes from the product but the dataclasses that hold the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from oddscalc.dice.rules import Alike, Box, Chance, Count, DiceGame, Pattern, Scoring, Straight

Roll = tuple[int, ...]
Filled = Iterable[tuple[str, int]]
Action = tuple[str, str | Roll]
"""``("score", box)`` or ``("reroll", dice held)``."""


class State(NamedTuple):
    """What a scorecard means for the turns to come.

    Attributes
    ----------
    progress
        For each bonus of the game, the points that its boxes hold so far.
    pays
        Whether a further roll of the joker's box earns the joker's bonus.
    """

    filled: frozenset[str]
    progress: tuple[int, ...]
    pays: bool


# Points


def _ways(pattern: Pattern, roll: Roll) -> list[int]:
    """Return the sum of the forming dice for each way in which the roll makes the pattern."""
    count = Counter(roll)
    if isinstance(pattern, Count):
        # A count is always made, however few its dice; a named face has to be on the table.
        named = set(roll) if pattern.face is None else {pattern.face}
        return [(count[face] - pattern.par) * face for face in named]
    if isinstance(pattern, Alike):
        sums = []
        for faces in product(count, repeat=len(pattern.groups)):
            needed: Counter[int] = Counter()
            for face, size in zip(faces, pattern.groups, strict=True):
                needed[face] += size
            distinct = len(needed) == len(faces)
            if needed <= count and (distinct or not pattern.different_faces):
                sums.append(sum(needed.elements()))
        return sums
    if isinstance(pattern, Straight):
        places = [range(low, low + pattern.length) for low in pattern.lowest]
        return [sum(place) for place in places if count.keys() >= set(place)]
    assert isinstance(pattern, Chance)
    return [sum(roll)]


def _scored(scoring: Scoring, roll: Roll, first_roll: bool, joker: bool) -> int:
    ways = _ways(scoring.pattern, roll)
    if isinstance(scoring.points, int) and (ways or joker):
        points = scoring.points
    elif not ways:
        return 0
    else:
        points = sum(roll) if scoring.points == "all" else max(ways)
    return points * (scoring.first_roll if first_roll else 1) + scoring.extra


def _box(game: DiceGame, name: str) -> Box:
    return next(box for box in game.boxes if box.name == name)


def scores(
    game: DiceGame, box: str, roll: Roll, *, first_roll: bool = False, joker: bool = False
) -> int:
    """Return the points that a box earns for a roll; a joker makes every box of fixed points."""
    return max(_scored(one, roll, first_roll, joker) for one in _box(game, box).scorings)


def made(game: DiceGame, box: str, roll: Roll) -> bool:
    """Tell whether the roll makes one of the combinations of a box."""
    return any(_ways(one.pattern, roll) for one in _box(game, box).scorings)


# One turn


@cache
def outcomes(dice: int, faces: int) -> tuple[tuple[Roll, int], ...]:
    """Return the sorted rolls of some dice, each with the number of its ordered rolls."""
    ordered = product(range(1, faces + 1), repeat=dice)
    return tuple(Counter(tuple(sorted(roll)) for roll in ordered).items())


@cache
def holds(roll: Roll) -> tuple[Roll, ...]:
    """Return what may be held of a roll when something is rolled again, each once."""
    return tuple(sorted({held for k in range(len(roll)) for held in combinations(roll, k)}))


class Turn:
    """One turn, played for the most of what it is worth to end it with a roll.

    Parameters
    ----------
    worth
        From the final roll and whether it is the first of the turn.
    """

    def __init__(self, game: DiceGame, worth: Callable[[Roll, bool], Fraction]) -> None:
        self.dice, self.faces, self.rolls = game.dice, game.faces, game.rolls
        self.worth: Callable[[Roll, bool], Fraction] = cache(worth)
        self.best: Callable[[Roll, int], Fraction] = cache(self._best)
        self.rolled: Callable[[Roll, int], Fraction] = cache(self._rolled)

    def _best(self, roll: Roll, left: int) -> Fraction:
        """Return what a sorted roll is worth with some rolls left."""
        worth = self.worth(roll, left == self.rolls - 1)
        return max([worth, *(self.rolled(hold, left) for hold in holds(roll))] if left else [worth])

    def _rolled(self, hold: Roll, left: int) -> Fraction:
        """Return the mean worth of rolling all dice but those held, with some rolls left."""
        rolls = outcomes(self.dice - len(hold), self.faces)
        total = sum(ways * self.best(tuple(sorted(hold + roll)), left - 1) for roll, ways in rolls)
        return Fraction(total) / sum(ways for _, ways in rolls)


# The whole game


class Play:
    """A game's scorecards: what may be filled, what it earns and what is still to come."""

    def __init__(self, game: DiceGame) -> None:
        self.game = game
        self.points: Callable[[str, Roll, bool, bool], int] = cache(self._points)
        self.places: Callable[[frozenset[str], Roll], dict[str, bool]] = cache(self._places)
        self.turn: Callable[[State], Turn] = cache(self._turn)
        self.value: Callable[[State], Fraction] = cache(self._value)
        self.rolls = [roll for roll, _ in outcomes(game.dice, game.faces)]
        # Points cannot be lost again where none are below zero: progress may stop at the bonus.
        self.capped = [all(self._least(box) >= 0 for box in bonus.boxes) for bonus in game.bonuses]

    def _points(self, box: str, roll: Roll, first_roll: bool, joker: bool) -> int:
        """Return `scores`, remembered."""
        return scores(self.game, box, roll, first_roll=first_roll, joker=joker)

    def _least(self, box: str) -> int:
        switches = list(product((False, True), repeat=2))
        return min(self.points(box, roll, *switch) for roll in self.rolls for switch in switches)

    def _sum(self, place: int, points: int) -> int:
        return min(points, self.game.bonuses[place].at_least) if self.capped[place] else points

    def open_boxes(self, filled: frozenset[str]) -> Iterator[str]:
        """Yield the boxes that may be filled next."""
        for part in self.game.parts:
            left = [box for box in part.boxes if box not in filled]
            yield from left[:1] if part.order == "fixed" else left
            if left and self.game.parts_in_turn:
                return

    def is_further(self, filled: frozenset[str], roll: Roll) -> bool:
        """Tell whether all dice are alike while the joker's box is filled."""
        joker = self.game.joker
        return joker is not None and joker.box in filled and len(set(roll)) == 1

    def _places(self, filled: frozenset[str], roll: Roll) -> dict[str, bool]:
        """Return the boxes that may take the roll, and whether each takes it as a joker."""
        opened = list(self.open_boxes(filled))
        joker = self.game.joker
        if joker is None or not self.is_further(filled, roll) or joker.placement == "none":
            return dict.fromkeys(opened, False)
        counts = {box.name for box in self.game.boxes if box.is_count}
        patterns = {box.name: box.scorings[0].pattern for box in self.game.boxes}
        of_face = {box for box in counts if getattr(patterns[box], "face", None) == roll[0]}
        if joker.placement == "free":
            return dict.fromkeys(opened, True)
        if joker.placement == "upper-filled":
            return dict.fromkeys(opened, filled >= of_face)
        forced = [box for box in opened if box in of_face]
        full = [box for box in opened if box not in counts]
        return dict.fromkeys(forced or full or opened, not forced and bool(full))

    def start(self) -> State:
        """Return the empty card."""
        sums = tuple(self._sum(place, 0) for place in range(len(self.game.bonuses)))
        return State(frozenset(), sums, False)

    def after(self, state: State, box: str, points: int) -> tuple[State, int]:
        """Fill a box; return the new card and the bonuses that are credited for it."""
        filled = state.filled | {box}
        progress = list(state.progress)
        credited = 0
        for place, bonus in enumerate(self.game.bonuses):
            if box in bonus.boxes:
                progress[place] = self._sum(place, progress[place] + points)
                reached = progress[place] >= bonus.at_least
                credited += bonus.points if reached and filled >= set(bonus.boxes) else 0
        joker = self.game.joker
        earns = joker is not None and joker.box == box and joker.bonus > 0 and points > 0
        return State(filled, tuple(progress), state.pays or earns), credited

    def card(self, filled: Filled) -> State:
        """Return the card that holds these points, as far as it matters for later turns."""
        state = self.start()
        for box, points in filled:
            state, _ = self.after(state, box, points)
        return self.reduced(state)

    def reduced(self, state: State) -> State:
        """Forget the progress of bonuses that are decided."""
        progress = [
            0 if state.filled >= set(bonus.boxes) else held
            for bonus, held in zip(self.game.bonuses, state.progress, strict=True)
        ]
        return state._replace(progress=tuple(progress))

    def bonus(self, state: State, roll: Roll) -> int:
        """Return what the joker pays for ending a turn with the roll."""
        joker = self.game.joker
        return joker.bonus if joker and state.pays and self.is_further(state.filled, roll) else 0

    def filling(self, state: State, roll: Roll, first_roll: bool) -> dict[str, Fraction]:
        """Return for each box that may take the roll all points from here to the end."""
        result = {}
        for box, joker in self.places(state.filled, roll).items():
            points = self.points(box, roll, first_roll, joker)
            then, credited = self.after(state, box, points)
            now = points + credited + self.bonus(state, roll)
            result[box] = now + self.value(self.reduced(then))
        return result

    def _turn(self, state: State) -> Turn:
        """Return the next turn, played for all points from here to the end."""
        return Turn(self.game, lambda roll, first: max(self.filling(state, roll, first).values()))

    def _value(self, state: State) -> Fraction:
        """Return the points still to come from the start of a turn."""
        if len(state.filled) == len(self.game.boxes):
            return Fraction(0)
        return self.turn(state).rolled((), self.game.rolls)


@cache
def play(game: DiceGame) -> Play:
    """Return the game's scorecards, so that what is known of them is kept."""
    return Play(game)


def value(game: DiceGame, filled: Filled = ()) -> Fraction:
    """Return the expected points still to come, bonuses included, from the start of a turn."""
    return play(game).value(play(game).card(filled))


def options(game: DiceGame, filled: Filled, roll: Roll, rolls_left: int) -> dict[Action, Fraction]:
    """Return the expected points still to come, this turn's included, of all that may be done."""
    cards, roll = play(game), tuple(sorted(roll))
    state = cards.card(filled)
    boxes = cards.filling(state, roll, rolls_left == game.rolls - 1)
    result: dict[Action, Fraction] = {("score", box): worth for box, worth in boxes.items()}
    return result | _rerolls(cards.turn(state), roll, rolls_left)


def _rerolls(turn: Turn, roll: Roll, left: int) -> dict[Action, Fraction]:
    return {("reroll", hold): turn.rolled(hold, left) for hold in holds(roll) if left}


def _box_turn(game: DiceGame, filled: Filled, box: str) -> Turn:
    cards = play(game)
    state = cards.card(filled)
    if box not in cards.open_boxes(state.filled):
        raise ValueError(f"{box} is not open")

    def worth(roll: Roll, first_roll: bool) -> Fraction:
        joker = cards.places(state.filled, roll).get(box)
        # A joker that has to go elsewhere earns the box nothing.
        return Fraction(0 if joker is None else cards.points(box, roll, first_roll, joker))

    return Turn(game, worth)


def box_options(
    game: DiceGame, filled: Filled, box: str, roll: Roll, rolls_left: int
) -> dict[Action, Fraction]:
    """Return what the box itself earns by all that may be done when nothing else counts."""
    turn, roll = _box_turn(game, filled, box), tuple(sorted(roll))
    result: dict[Action, Fraction] = {}
    if box in play(game).places(play(game).card(filled).filled, roll):
        result["score", box] = turn.worth(roll, rolls_left == game.rolls - 1)
    return result | _rerolls(turn, roll, rolls_left)


def box_value(game: DiceGame, filled: Filled, box: str, roll: Roll, rolls_left: int) -> Fraction:
    """Return the best expected points of a box when only it counts; no dice: before the roll."""
    turn = _box_turn(game, filled, box)
    return turn.best(tuple(sorted(roll)), rolls_left) if roll else turn.rolled((), rolls_left)


# Chances


def chance(game: DiceGame, box: str, rolls: int, held: Roll = ()) -> Fraction:
    """Return the best chance to make a box's combination, first rolling the dice not held."""
    turn = Turn(game, lambda roll, first: Fraction(made(game, box, roll)))
    return turn.rolled(tuple(sorted(held)), rolls)


def chance_by_enumeration(game: DiceGame, box: str) -> Fraction:
    """Return the chance to make a box's combination in one roll, from every ordered roll."""
    every = product(range(1, game.faces + 1), repeat=game.dice)
    return Fraction(sum(made(game, box, roll) for roll in every), game.faces**game.dice)


# Census

Standing = tuple[tuple[int, ...], bool]
"""Progress towards each bonus, and whether the joker pays."""


def reachable(game: DiceGame) -> dict[frozenset[str], frozenset[Standing]]:
    """Return the standings that can be reached for each set of filled boxes."""
    cards = play(game)
    first_rolls = (True,) if game.rolls == 1 else (False, True)
    alike = {roll for roll in cards.rolls if len(set(roll)) == 1}

    @cache
    def points(box: str, plain: bool) -> frozenset[int]:
        rolls = [roll for roll in cards.rolls if not plain or roll not in alike]
        return frozenset(
            cards.points(box, roll, first, False) for roll in rolls for first in first_rolls
        )

    def earned(filled: frozenset[str]) -> dict[str, set[int]]:
        further = any(cards.is_further(filled, roll) for roll in alike)
        result = {box: set(points(box, further)) for box in cards.open_boxes(filled)}
        for roll in alike if further else ():
            for box, joker in cards.places(filled, roll).items():
                result[box] |= {cards.points(box, roll, first, joker) for first in first_rolls}
        return result

    # Few sets of standings differ, so that it pays to add a box's points to each of them once.
    @cache
    def added(before: frozenset[Standing], box: str, points: frozenset[int]) -> frozenset[Standing]:
        result = set()
        for progress, pays in before:
            for one in points:
                state, _ = cards.after(State(frozenset(), progress, pays), box, one)
                result.add((state.progress, state.pays))
        return frozenset(result)

    empty = cards.start()
    layer = {empty.filled: frozenset({(empty.progress, empty.pays)})}
    result = dict(layer)
    while layer:
        following: dict[frozenset[str], frozenset[Standing]] = {}
        for filled, standings in layer.items():
            for box, box_points in earned(filled).items():
                known = following.get(filled | {box}, frozenset())
                then = added(standings, box, frozenset(box_points))
                following[filled | {box}] = known if known >= then else known | then
        result |= following
        layer = following
    return result
