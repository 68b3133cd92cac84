"""What a box earns for a roll."""

from __future__ import annotations

from collections.abc import Iterator

from oddscalc.dice.lattice import lattice
from oddscalc.dice.rules import Alike, Box, Count, DiceGame, Pattern, Scoring, Straight

__all__ = ["box_scores", "is_joker", "is_made", "made", "score"]


def box_scores(game: DiceGame, box: Box) -> Iterator[int]:
    """Yield every number that the box can hold, some of them several times."""
    for roll in lattice(game.dice, game.faces).rolls:
        for joker in (False, True) if game.joker and is_joker(roll) else (False,):
            yield score(box, roll, joker, False)
            if any(scoring.first_roll > 1 for scoring in box.scorings):
                yield score(box, roll, joker, True)


def made(pattern: Pattern, roll: tuple[int, ...]) -> int | None:
    """Return the sum of the dice that form the pattern, the highest one; None if not made."""
    if isinstance(pattern, Count):
        faces = set(roll) if pattern.face is None else {pattern.face}
        return max((roll.count(face) - pattern.par) * face for face in faces)
    if isinstance(pattern, Alike):
        counts = {face: roll.count(face) for face in set(roll)}
        return _best_groups(pattern.groups, counts, pattern.different_faces)
    if isinstance(pattern, Straight):
        sums = [
            sum(range(low, low + pattern.length))
            for low in pattern.lowest
            if set(range(low, low + pattern.length)) <= set(roll)
        ]
        return max(sums, default=None)
    return sum(roll)


def _best_groups(groups: tuple[int, ...], counts: dict[int, int], different: bool) -> int | None:
    if not groups:
        return 0
    sums = []
    for face, count in counts.items():
        if count >= groups[0]:
            left = counts | {face: 0 if different else count - groups[0]}
            rest = _best_groups(groups[1:], left, different)
            if rest is not None:
                sums.append(rest + face * groups[0])
    return max(sums, default=None)


def score(box: Box, roll: tuple[int, ...], joker: bool, first: bool) -> int:
    """Return what the box earns; a joker earns fixed points whatever its dice."""
    return max(_points(scoring, roll, joker, first) for scoring in box.scorings)


def _points(scoring: Scoring, roll: tuple[int, ...], joker: bool, first: bool) -> int:
    dice = made(scoring.pattern, roll)
    full = joker and isinstance(scoring.points, int)
    if dice is None and not full:
        return 0
    if isinstance(scoring.points, int):
        points = scoring.points
    else:
        points = sum(roll) if scoring.points == "all" or dice is None else dice
    return points * (scoring.first_roll if first else 1) + scoring.extra


def is_made(box: Box, roll: tuple[int, ...]) -> bool:
    """Tell whether a roll makes the combination: for a count box its par, or a die without par."""
    for scoring in box.scorings:
        sum_of_dice = made(scoring.pattern, roll)
        if isinstance(scoring.pattern, Count):
            if sum_of_dice is not None and sum_of_dice >= (0 if scoring.pattern.par else 1):
                return True
        elif sum_of_dice is not None:
            return True
    return False


def is_joker(roll: tuple[int, ...]) -> bool:
    """Tell whether all dice are alike."""
    return len(set(roll)) == 1
