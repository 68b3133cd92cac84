"""Which boxes are filled, with what: scorecards from names and text ↔ states."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from oddscalc.dice.rules import Bonus, DiceGame
from oddscalc.dice.scoring import box_scores
from oddscalc.dice.tables import GameArrays
from oddscalc.errors import ScorecardError, unknown_name
from oddscalc.reading import whole_number

__all__ = ["Scorecard", "card_for", "code_of", "parse_filled", "read_card", "state_of"]


@dataclass(frozen=True)
class Scorecard:
    """The card of one player at the start of a turn.

    Parameters
    ----------
    filled
        Points in each filled box, by name or alias; None where they are not known.
    joker_bonus
        Points already earned by further rolls of the joker's box.
    progress
        Sum of a bonus's boxes, by the bonus's name; needed where their points are not known.
    points
        Points so far, if they are not the sum of what the card shows.

    Raises
    ------
    ScorecardError
        If the card cannot come about in the game.
    UnknownNameError
        If the game has no such box or bonus.

    >>> from oddscalc.dice.rules import load_game
    >>> card = Scorecard(load_game("yahtzee"), {"sixes": 24, "chance": 20})
    >>> card.points_so_far, card.progress
    (44, {'upper': 24})
    """

    game: DiceGame
    filled: Mapping[str, int | None] = field(default_factory=dict)
    joker_bonus: int = 0
    progress: Mapping[str, int | None] = field(default_factory=dict)
    points: int | None = None

    def __post_init__(self) -> None:
        game = self.game
        filled: dict[str, int | None] = {}
        for word, points in self.filled.items():
            box = game.boxes[game.box_index(word)]
            if box.name in filled:
                raise ScorecardError(f"The box '{word}' is filled twice; accepted: once.")
            _check_points(game, box.name, points)
            filled[box.name] = points
        object.__setattr__(self, "filled", filled)
        _check_order(game, filled)
        progress = {bonus.name: self._sum(bonus) for bonus in game.bonuses}
        for word in self.progress:
            if word not in progress:
                raise unknown_name("bonus", word, progress)
        object.__setattr__(self, "progress", progress)
        self._check_joker_bonus()

    @classmethod
    def with_open(
        cls, game: DiceGame, open_boxes: Iterable[str], progress: Mapping[str, int], points: int
    ) -> Scorecard:
        """Return a card of which only the open boxes are known."""
        listed = [game.boxes[game.box_index(word)].name for word in open_boxes]
        for name in listed:
            if listed.count(name) > 1:
                raise ScorecardError(f"The box '{name}' is listed as open twice; accepted: once.")
        filled = {box.name: None for box in game.boxes if box.name not in listed}
        return cls(game, filled, progress=progress, points=points)

    @property
    def open(self) -> tuple[str, ...]:
        """Names of the boxes that are not filled, as the sheet lists them."""
        return tuple(box.name for box in self.game.boxes if box.name not in self.filled)

    @property
    def points_so_far(self) -> int:
        """Points on the card: boxes, settled bonuses, joker bonus; or what was told."""
        if self.points is not None:
            return self.points
        settled = [bonus for bonus in self.game.bonuses if set(bonus.boxes) <= set(self.filled)]
        sums = {bonus.name: self.progress[bonus.name] for bonus in settled}
        earned = sum(b.points for b in settled if (sums[b.name] or 0) >= b.at_least)
        return sum(points or 0 for points in self.filled.values()) + earned + self.joker_bonus

    @property
    def joker_made(self) -> bool:
        """Whether further rolls of the joker's box earn its bonus."""
        joker = self.game.joker
        return joker is not None and (self.filled.get(joker.box) or 0) > 0

    def to_dict(self) -> dict[str, Any]:
        """Return what the card shows."""
        return {
            "filled": dict(self.filled),
            "joker_bonus": self.joker_bonus,
            "progress": dict(self.progress),
            "points": self.points_so_far,
        }

    def _sum(self, bonus: Bonus) -> int | None:
        filled = {name: points for name, points in self.filled.items() if name in bonus.boxes}
        known = [points for points in filled.values() if points is not None]
        if bonus.name in self.progress:
            told = self.progress[bonus.name]
            if told is not None and len(known) == len(filled) and told != sum(known):
                raise ScorecardError(
                    f"The progress {told} of the {bonus.title.lower()} does not agree with its "
                    f"boxes; accepted: {sum(known)}."
                )
            return told
        if len(known) == len(filled):
            return sum(known)
        if len(filled) == len(bonus.boxes):
            return None  # settled: part of the points so far
        raise ScorecardError(
            f"The progress towards the {bonus.title.lower()} is missing; accepted: the sum of "
            f"{', '.join(filled)}."
        )

    def _check_joker_bonus(self) -> None:
        joker = self.game.joker
        step = joker.bonus if joker else 0
        if self.joker_bonus == 0:
            return
        most = step * (len(self.filled) - 1) if self.joker_made else 0
        if 0 < self.joker_bonus <= most and self.joker_bonus % step == 0:
            return
        allowed = (
            f"a multiple of {step} up to {most}, for this card" if most else "0, for this card"
        )
        raise ScorecardError(f"The joker bonus is {self.joker_bonus}; accepted: {allowed}.")


def card_for(game: DiceGame, card: Scorecard | None) -> Scorecard:
    """Return the card, or an empty one if there is none.

    Raises
    ------
    ScorecardError
        If it is a card of another game.
    """
    if card is None:
        return Scorecard(game)
    if card.game != game:
        raise ScorecardError(f"The card is one of '{card.game.name}'; accepted: '{game.name}'.")
    return card


def parse_filled(text: str, what: str = "score") -> dict[str, int]:
    """Return names and numbers of a text like "ones=-1, pair=12".

    Raises
    ------
    ScorecardError
        If a word is not a name and a whole number, or a name comes twice.
    """
    pairs: dict[str, int] = {}
    for piece in filter(None, (piece.strip() for piece in text.replace(";", ",").split(","))):
        name, equals, number = piece.replace(":", "=").partition("=")
        name = name.strip()
        whole = whole_number(number)
        if not name or not equals or whole is None:
            raise ScorecardError(f"'{piece}' is not a {what}; accepted: NAME=WHOLE NUMBER.")
        if name in pairs:
            raise ScorecardError(f"'{name}' is given twice; accepted: once.")
        pairs[name] = whole
    return pairs


def read_card(path: Path, game: DiceGame) -> Scorecard:
    """Return the card of a JSON or TOML file.

    Either the boxes at the top level, or under `filled` beside `joker_bonus`, `progress` and
    `points`.

    Raises
    ------
    ScorecardError
        If the file cannot be read, or is not such a card.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        start = text.lstrip()[:2]  # "[" with a letter behind it begins a table of TOML
        is_json = start[:1] in ("{", "[") and not start[1:].isalpha()
        data = json.loads(text, object_pairs_hook=_once) if is_json else tomllib.loads(text)
    except OSError as error:
        raise ScorecardError(f"The card '{path}' cannot be read: {error.strerror}.") from None
    except ScorecardError:
        raise
    except (ValueError, RecursionError) as error:
        raise ScorecardError(f"The card '{path}' is neither JSON nor TOML: {error}.") from None
    if not isinstance(data, dict):
        raise ScorecardError(f"The card '{path}' is a list; accepted: a table of boxes and points.")
    keys = ("filled", "joker_bonus", "progress", "points")
    if not any(key in data for key in keys):
        data = {"filled": data}
    for key in data:
        if key not in keys:
            raise ScorecardError(f"The card has a key '{key}'; accepted: {', '.join(keys)}.")
    points = data.get("points")
    return Scorecard(
        game,
        _numbers(data.get("filled", {}), "filled"),
        _whole(data.get("joker_bonus", 0), "joker_bonus"),
        _numbers(data.get("progress", {}), "progress"),
        points if points is None else _whole(points, "points"),
    )


def state_of(card: Scorecard, arrays: GameArrays) -> tuple[int, int]:
    """Return the mask of filled boxes and the code of the rest of the state.

    Raises
    ------
    ScorecardError
        If the progress towards a bonus cannot come about with these boxes.
    """
    mask = sum(1 << i for i, box in enumerate(card.game.boxes) if box.name in card.filled)
    sums = [card.progress[bonus.name] for bonus in card.game.bonuses]
    return mask, code_of(card.game, arrays, mask, sums, card.joker_made)


def code_of(
    game: DiceGame, arrays: GameArrays, mask: int, sums: Sequence[int | None], joker_made: bool
) -> int:
    """Return a code of the state; a sum may be None for a settled bonus, where it does not matter.

    Raises
    ------
    ScorecardError
        If a sum of a bonus's boxes, a sum for each bonus, cannot come about.
    """
    codes = np.flatnonzero(arrays.lane_of[arrays.group[mask]] >= 0)
    if game.joker and game.joker.bonus:
        codes = codes[(codes >= arrays.size[5] // 2) == joker_made]
    for bonus, told, row in zip(game.bonuses, sums, arrays.bonus.tolist(), strict=True):
        _, _, _, stride, radix, low = row
        if told is not None:
            progress = codes // stride % radix + low
            codes = codes[progress == told]
            if not len(codes):
                listed = ", ".join(map(str, np.unique(progress)))
                raise ScorecardError(
                    f"The progress {told} of the {bonus.title.lower()} cannot come about with "
                    f"the boxes filled; accepted: {listed}."
                )
    return int(codes[0])


def _check_points(game: DiceGame, name: str, points: int | None) -> None:
    if points is None:
        return
    accepted = _scores(game, game.box_index(name))
    if points not in accepted:
        listed = ", ".join(map(str, accepted))
        raise ScorecardError(f"The box '{name}' cannot hold {points}; accepted: {listed}.")


@lru_cache(maxsize=512)
def _scores(game: DiceGame, box: int) -> tuple[int, ...]:
    return tuple(sorted(set(box_scores(game, game.boxes[box]))))


def _check_order(game: DiceGame, filled: Mapping[str, Any]) -> None:
    missing: list[str] = []
    for part in game.parts:
        own = [name for name in part.boxes if name in filled]
        if game.parts_in_turn and own and missing:
            raise ScorecardError(
                f"The box '{own[0]}' of {part.title.lower()} is filled, and {', '.join(missing)} "
                f"open; accepted: {part.title.lower()} once all earlier parts are complete."
            )
        for name in own if part.order == "fixed" else ():
            before = [box for box in part.boxes[: part.boxes.index(name)] if box not in filled]
            if before:
                raise ScorecardError(
                    f"The box '{name}' is filled, and {', '.join(before)} open; accepted: "
                    f"{part.title.lower()} filled from top to bottom."
                )
        missing += [name for name in part.boxes if name not in filled]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of a JSON object, none of them twice."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ScorecardError(f"'{name}' is given twice; accepted: once.")
    return dict(pairs)


def _numbers(data: Any, what: str) -> dict[str, int | None]:
    """Return names with whole numbers; null, as an answer's card says it, for unknown ones."""
    if not isinstance(data, dict):
        raise ScorecardError(f"{what} is {data!r}; accepted: names with whole numbers.")
    return {
        name: None if number is None else _whole(number, f"{what}.{name}")
        for name, number in data.items()
    }


def _whole(number: Any, what: str) -> int:
    if type(number) is not int:
        raise ScorecardError(f"{what} is {number!r}; accepted: a whole number.")
    return number
