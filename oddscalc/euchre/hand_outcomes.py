"""How often a hand earns each side its points: worked out, or counted at a table."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oddscalc.errors import InputError
from oddscalc.euchre.rules import MOST_POINTS, EuchreGame
from oddscalc.euchre.scores import game_sides, split_points

__all__ = ["HandOutcomes", "read_outcomes"]

Points = tuple[int, ...]

_MOST_HANDS = 10**12
_ROUNDING = 0.5  # how far printed percentages may be from 100 in all
_KEYS = ("source", "hands", "percent")
_LONGEST_SOURCE = 200


@dataclass(frozen=True)
class HandOutcomes:
    """The chances of what one hand earns the sides.

    Attributes
    ----------
    chances
        By the points of each side in order from the dealer's left, the dealer's side last: with
        two sides (0, 2) are two points for the dealer's. All 0: a hand without points. They sum
        to 1, and no hand earns every side points.
    obtained
        Where they come from, in words.
    hands
        Of how many hands they are the shares; None if they are not counted.

    Raises
    ------
    InputError
        If there cannot be such chances, or nobody would ever score.

    Examples
    --------
    >>> HandOutcomes({(0, 1): 0.5, (0, 2): 0.2, (2, 0): 0.3}, "a guess").sides
    2
    """

    chances: Mapping[Points, float]
    obtained: str
    hands: int | None = None

    def __post_init__(self) -> None:
        for points, chance in self.chances.items():
            _check_points(points, self.sides)
            if not 0 <= chance <= 1:
                raise InputError(
                    f"The chance of {_shown(points)} is {chance}; accepted: from 0 to 1."
                )
        total = math.fsum(self.chances.values())
        if abs(total - 1) > 1e-9:
            raise InputError(f"The chances of a hand sum to {total}; accepted: 1.")
        if not any(chance and any(points) for points, chance in self.chances.items()):
            raise InputError("No hand earns points; accepted: at least one that does, at times.")
        if self.hands is not None and self.hands < 1:
            raise InputError(f"The hands are {self.hands}; accepted: 1 or more, or None.")

    @classmethod
    def counted(cls, counts: Mapping[Points, int], obtained: str) -> HandOutcomes:
        """Return the shares of hands that were counted.

        Raises
        ------
        InputError
            If a count is negative, all are 0, or the points cannot be.
        """
        hands = sum(counts.values())
        if hands < 1 or min(counts.values()) < 0:
            raise InputError(
                "The hands counted are none or fewer than none; accepted: at least one in all."
            )
        shares = {points: count / hands for points, count in counts.items()}
        return cls(shares, obtained, hands)

    @property
    def sides(self) -> int:
        """The number of sides."""
        return len(next(iter(self.chances), ()))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return {
            "obtained": self.obtained,
            "hands": self.hands,
            "chances": [
                {"points": list(points), "chance": chance}
                for points, chance in self.chances.items()
            ],
        }


def read_outcomes(path: Path | str, game: EuchreGame) -> HandOutcomes:
    """Return a table's own figures from a TOML or JSON file.

    The file has ``hands`` (how many hands ended so) or ``percent``, each a table with points as
    keys: "0-2" are two points for the dealer's side. ``source`` says where they come from.
    Percentages may sum to 99.5 to 100.5, as printed ones do, and are brought to 100.

    Raises
    ------
    InputError
        If the file cannot be read, or a key or value is wrong.
    """
    path = Path(path)
    data = _content(path)
    try:
        for key in data:
            if key not in _KEYS:
                raise InputError(f"'{key}' is not a key here; accepted: {', '.join(_KEYS)}.")
        source = data.get("source", path.name)
        if not isinstance(source, str) or not source.isprintable() or not source.strip():
            raise InputError(f"source is {source!r}; accepted: a text of one line.")
        if len(source) > _LONGEST_SOURCE:
            raise InputError(
                f"source has {len(source)} characters; accepted: at most {_LONGEST_SOURCE}."
            )
        kinds = [kind for kind in ("hands", "percent") if kind in data]
        if len(kinds) != 1:
            told = " and ".join(kinds) or "neither"
            raise InputError(
                f"Of hands and percent, {told} {'are' if kinds else 'is'} given; accepted: one."
            )
        if kinds == ["hands"]:
            return HandOutcomes.counted(_figures(data["hands"], "hands", game), source)
        percents = _figures(data["percent"], "percent", game)
        total = math.fsum(percents.values())
        if abs(total - 100) > _ROUNDING:
            raise InputError(f"The percentages sum to {total:g}; accepted: 99.5 to 100.5.")
        return HandOutcomes({points: share / total for points, share in percents.items()}, source)
    except InputError as error:
        raise InputError(f"Outcomes '{path}': {error}") from None


def _content(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except OSError as error:
        raise InputError(f"The outcomes '{path}' cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"The outcomes '{path}' are neither JSON nor TOML: {error}.") from None
    if not isinstance(data, dict):
        raise InputError(f"The outcomes '{path}' are a list; accepted: a table.")
    return data


def _figures(table: Any, kind: str, game: EuchreGame) -> dict[Points, Any]:
    """Return the numbers of a table by points."""
    if not isinstance(table, dict):
        raise InputError(f"{kind} is {table!r}; accepted: a table of points and numbers.")
    sides = len(game_sides(game))
    found: dict[Points, Any] = {}
    for key, number in table.items():
        points = _points_of(key, sides)
        if points in found:
            raise InputError(f"{kind} has the points {_shown(points)} twice; accepted: once.")
        _check_number(number, kind, key)
        found[points] = number
    return found


def _points_of(key: str, sides: int) -> Points:
    words = split_points(key)
    numbers = all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words)
    if len(words) != sides or not numbers:
        example = "-".join(["0"] * (sides - 1) + ["2"])
        raise InputError(
            f"'{key}' are not the points of a hand; accepted: {sides} numbers from the dealer's "
            f"left, the dealer's side last, as in {example}."
        )
    points = tuple(map(int, words))
    _check_points(points, sides)
    return points


def _check_number(number: Any, kind: str, key: str) -> None:
    if kind == "hands":
        ok, allowed = type(number) is int and 0 <= number <= _MOST_HANDS, "a whole number"
    else:
        ok, allowed = type(number) in (int, float) and 0 <= number <= 100, "a number up to 100"
    if not ok:
        raise InputError(f"{kind}.{key} is {number!r}; accepted: {allowed}, 0 or more.")


def _check_points(points: Points, sides: int) -> None:
    if len(points) != sides or not 2 <= sides <= 4:
        raise InputError(
            f"The points {_shown(points)} are those of {len(points)} sides; accepted: two, three "
            "or four sides, the same number throughout."
        )
    if any(number != int(number) or not 0 <= number <= MOST_POINTS for number in points):
        raise InputError(
            f"The points {_shown(points)} cannot be; accepted: 0 to {MOST_POINTS} for each side."
        )
    if all(points):
        raise InputError(
            f"The points {_shown(points)} go to every side; accepted: a side that earns none."
        )


def _shown(points: Points) -> str:
    return "-".join(map(str, points))
