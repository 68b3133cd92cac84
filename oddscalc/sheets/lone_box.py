"""The play that a sheet says for the last open box, in a few words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from oddscalc.dice.lattice import lattice
from oddscalc.dice.leads import counted_face
from oddscalc.dice.rollkinds import groups_of
from oddscalc.dice.rules import Box, DiceGame, Straight
from oddscalc.dice.strategy import SheetStrategy

__all__ = ["lone_play"]

Roll = tuple[int, ...]
Rule = tuple[str, Callable[[Roll], Roll]]


def lone_play(strategy: SheetStrategy, place: int) -> str:
    """Return what is kept after each roll when only one box may be filled.

    Said in words only if these tell exactly what the sheet says for every roll; else the box's
    row of numbers is named.
    """
    game = strategy.game
    grid = lattice(game.dice, game.faces)
    arrays = strategy.solved.arrays
    alone = (arrays.open == 1 << place) & (np.diff(arrays.offset) > 0)
    mask = int(np.flatnonzero(alone)[-1])
    rules = list(_rules(game, game.boxes[place]))
    by_lead = [strategy.decisions(mask, lead) for lead in strategy.leads(mask)]
    words = []
    for left in range(game.rolls - 1, 0, -1):
        kept = {
            (roll, grid.keeps[choice])
            for decisions in by_lead
            for roll, choice in zip(grid.rolls, decisions[left].tolist(), strict=True)
            if choice < len(grid.keeps)
        }
        fitting = (said for said, rule in rules if all(rule(r) == h for r, h in kept))
        words.append(next(fitting, "its row"))
    return words[0] if len(set(words)) == 1 else ", then ".join(words)


def _rules(game: DiceGame, box: Box) -> Iterator[Rule]:
    """Yield rules for what to keep, the simplest ones first."""
    face = counted_face(box)
    if face is not None:
        yield f"every {face}", lambda roll: tuple(die for die in roll if die == face)
    yield "nothing", lambda roll: ()
    yield "most alike", lambda roll: groups_of(roll)[0]
    yield "pairs and more", _pairs
    for scoring in box.scorings:
        if isinstance(scoring.pattern, Straight):
            straight = scoring.pattern
            yield "the straight's", lambda roll, straight=straight: _of_straight(straight, roll)  # type: ignore[misc]
    for least in range(2, game.faces + 1):
        yield f"{least} and up", lambda roll, least=least: tuple(d for d in roll if d >= least)  # type: ignore[misc]


def _pairs(roll: Roll) -> Roll:
    """Return all dice that are not alone, or the highest die."""
    pairs = tuple(die for die in roll if roll.count(die) > 1)
    return pairs or roll[-1:]


def _of_straight(straight: Straight, roll: Roll) -> Roll:
    """Return the most dice that are of one straight, of equals the higher ones."""
    places = [
        tuple(die for die in sorted(set(roll)) if low <= die < low + straight.length)
        for low in straight.lowest
    ]
    return max(places, key=lambda dice: (len(dice), dice))
