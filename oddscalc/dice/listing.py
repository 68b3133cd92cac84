"""The built-in games as a list, and the rules of one game in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from oddscalc.dice.rules import (
    Alike,
    Count,
    DiceGame,
    Scoring,
    Straight,
    game_names,
    load_game,
)
from oddscalc.results import Column, Result

__all__ = ["GameList", "GameRules"]

_COUNTS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True)
class GameList(Result):
    """The built-in games."""

    schema: ClassVar[str] = "oddscalc.dice.games/1"

    games: tuple[DiceGame, ...]

    @classmethod
    def of_all(cls) -> GameList:
        """Return the list of all built-in games."""
        return cls(tuple(map(load_game, game_names())))

    def to_dict(self) -> dict[str, Any]:
        """Return the games."""
        return {"games": self.records()}

    def headline(self) -> str:
        """Say how many there are."""
        return f"{len(self.games)} dice games, the first one the default."

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("name", "Name"),
            Column("title", "Title"),
            Column("boxes", "Boxes", right=True),
            Column("summary", "What it is"),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each game."""
        return [
            {
                "name": game.name,
                "title": game.title,
                "aliases": list(game.aliases),
                "summary": game.summary,
                "dice": game.dice,
                "faces": game.faces,
                "rolls": game.rolls,
                "boxes": len(game.boxes),
            }
            for game in self.games
        ]


@dataclass(frozen=True)
class GameRules(Result):
    """The rules of a game, a row for each box."""

    schema: ClassVar[str] = "oddscalc.dice.rules/1"

    game: DiceGame

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as data."""
        return self.game.to_dict()

    def headline(self) -> str:
        """Return title and summary."""
        return f"{self.game.title}. {self.game.summary}".strip()

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("part", "Part"),
            Column("name", "Box"),
            Column("title", "Title"),
            Column("scores", "Scores"),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each box."""
        part_of = {name: part.title for part in self.game.parts for name in part.boxes}
        return [
            {
                "part": part_of[box.name],
                "name": box.name,
                "title": box.title,
                "scores": "; or ".join(scoring_text(s) for s in box.scorings),
            }
            for box in self.game.boxes
        ]

    def notes(self) -> list[str]:
        """Return what the boxes alone do not say."""
        game = self.game
        notes = [
            f"{game.dice} {'die' if game.dice == 1 else 'dice'} with faces 1 to {game.faces}, "
            f"{game.rolls} {'roll' if game.rolls == 1 else 'rolls'} a turn."
        ]
        if game.parts_in_turn and len(game.parts) > 1:
            notes.append(f"In turn: {', then '.join(part.title.lower() for part in game.parts)}.")
        notes += [
            f"{part.title}: filled from top to bottom."
            for part in game.parts
            if part.order == "fixed"
        ]
        notes += [
            f"{bonus.title}: {bonus.points} if {_boxes_text(bonus.boxes)} together hold at least "
            f"{bonus.at_least}."
            for bonus in game.bonuses
        ]
        return notes + self._joker_notes()

    def _joker_notes(self) -> list[str]:
        joker = self.game.joker
        if joker is None:
            return []
        placement = {
            "none": "it is scored like any other roll",
            "forced": "it goes in the upper box of its face if that is open; else in any other "
            "box at full value; else it is a zero in an upper box",
            "upper-filled": "it goes in any open box, at full value once the upper box of its "
            "face is filled",
            "free": "it goes in any open box at full value",
        }[joker.placement]
        bonus = f"; it earns {joker.bonus} if that box holds its points" if joker.bonus else ""
        return [f"Joker, a further {joker.box} once that box is filled: {placement}{bonus}."]


def scoring_text(scoring: Scoring) -> str:
    """Return what a scoring asks for and earns.

    >>> scoring_text(Scoring(Alike((3, 2)), 25))
    'three and two alike: 25'
    >>> scoring_text(Scoring(Alike((5,)), "dice", 50, 2))
    'five alike: sum of these dice, doubled on the first roll, plus 50'
    """
    pattern = scoring.pattern
    if isinstance(pattern, Count):
        face = "a face that you name" if pattern.face is None else f"{pattern.face}"
        count = f"dice of {face}" if pattern.face is None else f"dice showing {face}"
        less = f" less {pattern.par}" if pattern.par else ""
        times = "the face" if pattern.face is None else f"{pattern.face}"
        text = (
            f"({count}{less}) × {times}" if less or pattern.face is None else f"sum of the {count}"
        )
        return text + _times(scoring)
    if isinstance(pattern, Alike):
        if set(pattern.groups) == {2}:
            what = "a pair" if len(pattern.groups) == 1 else f"{_COUNTS[len(pattern.groups)]} pairs"
        else:
            what = " and ".join(_COUNTS[size] for size in pattern.groups) + " alike"
        if len(pattern.groups) > 1 and not pattern.different_faces:
            what += ", which may be of one face"
    elif isinstance(pattern, Straight):
        places = [f"{low}–{low + pattern.length - 1}" for low in pattern.lowest]
        what = f"{_COUNTS[pattern.length]} in sequence ({' or '.join(places)})"
    else:
        what = "any dice"
    earns = {"dice": "sum of these dice", "all": "sum of all dice"}
    text = earns[scoring.points] if isinstance(scoring.points, str) else str(scoring.points)
    extra = f", plus {scoring.extra}" if scoring.extra else ""
    return f"{what}: {text}{_times(scoring)}{extra}"


def _times(scoring: Scoring) -> str:
    if scoring.first_roll == 1:
        return ""
    times = "doubled" if scoring.first_roll == 2 else f"times {scoring.first_roll}"
    return f", {times} on the first roll"


def _boxes_text(names: Sequence[str]) -> str:
    return f"{names[0]} to {names[-1]}" if len(names) > 4 else ", ".join(names)
