"""The lead: how far the filled count boxes are ahead of what their bonus asks for.

A bonus of count boxes asks for so many dice of each face on the whole; what a box has more than
that, times its face, is its part of the lead, and below zero if it has fewer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.rules import Box, Count, DiceGame
from oddscalc.dice.tables import GameArrays

__all__ = ["SETTLED", "Lead", "counted_face", "dice_counted", "lane_leads", "lead_of", "swings"]

Array = NDArray[Any]

SETTLED = -(1 << 20)  # in place of a lead: the bonus is sure or out of reach, or none is concerned


@dataclass(frozen=True, slots=True)
class Lead:
    """What a lead is measured against.

    Attributes
    ----------
    bonus
        The place of the bonus in the game.
    dice
        How many dice of a face make no lead.
    needed
        The lead that brings the bonus once all of its boxes are filled.
    """

    bonus: int
    dice: int
    needed: int


def counted_face(box: Box) -> int | None:
    """Return the face of a box that does nothing but count it, else None."""
    first = box.scorings[0]
    plain = len(box.scorings) == 1 and isinstance(first.pattern, Count) and first.first_roll == 1
    return first.pattern.face if plain and isinstance(first.pattern, Count) else None


def dice_counted(box: Box, points: Array) -> Array:
    """Return how many dice of its face give a count box some points, int64."""
    par = getattr(box.scorings[0].pattern, "par", 0)
    return (points / (counted_face(box) or 1) + par).round().astype(np.int64)


@cache
def lead_of(game: DiceGame) -> Lead | None:
    """Return what the lead of a game is measured against, or None if it has none.

    It is that of the first bonus whose boxes do nothing but count a face. Where parts are played in
    turn they are of one part, so that a part is begun with one lead and no other.
    """
    for place, bonus in enumerate(game.bonuses):
        boxes = [game.boxes[game.box_index(name)] for name in bonus.boxes]
        faces = [counted_face(box) for box in boxes]
        within = [part for part in game.parts if set(bonus.boxes) <= set(part.boxes)]
        if None in faces or (game.parts_in_turn and not within):
            continue
        total = sum(face or 0 for face in faces)
        asked = bonus.at_least - sum(_points(game, box, 0) for box in boxes)
        dice = round(asked / total)
        if 0 < dice < game.dice:
            return Lead(place, dice, asked - dice * total)
    return None


def _points(game: DiceGame, box: Box, dice: int) -> int:
    """Return the points of a count box for some dice of its face."""
    par = getattr(box.scorings[0].pattern, "par", 0)
    return (dice - par) * (counted_face(box) or 0)


def _boxes(game: DiceGame, lead: Lead) -> list[int]:
    """Return the places of the boxes of the lead's bonus."""
    return [game.box_index(name) for name in game.bonuses[lead.bonus].boxes]


def swings(game: DiceGame, arrays: GameArrays, lead: Lead | None) -> Array:
    """Return what each outcome adds to the lead, int64 (O,); SETTLED where it is none of its."""
    result = np.full(len(arrays.outcome_box), SETTLED)
    if lead is None:
        return result
    for place in _boxes(game, lead):
        mine, box = arrays.outcome_box == place, game.boxes[place]
        dice = dice_counted(box, arrays.outcome_points[mine])
        result[mine] = (dice - lead.dice) * (counted_face(box) or 0)
    return result


def lane_leads(game: DiceGame, arrays: GameArrays, lead: Lead | None) -> Array:
    """Return the lead of each lane of each group, int64, as `arrays.codes` has them."""
    if lead is None:
        return np.full(len(arrays.codes), SETTLED)
    group = np.repeat(np.arange(len(arrays.lanes) - 1), np.diff(arrays.lanes))
    _, at_least, _, stride, radix, low = arrays.bonus[lead.bonus]
    points = arrays.codes // stride % radix + low
    result, least, most = points.copy(), points.copy(), points.copy()
    for place in _boxes(game, lead):
        box, filled = game.boxes[place], group & arrays.group[1 << place] > 0
        result -= np.where(filled, _points(game, box, lead.dice), 0)
        least += np.where(filled, 0, _points(game, box, 0))
        most += np.where(filled, 0, _points(game, box, game.dice))
    return np.where((least >= at_least) | (most < at_least), SETTLED, result)
