"""What a dice game is: frozen dataclasses, read and checked from TOML.

A game file may start from another game with ``base = "yatzy"`` and name only what differs;
tables are merged key by key. docs/rule-files.md gives the vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from oddscalc.errors import RulesError, unknown_name
from oddscalc.gamefiles import GameFiles, plain_word
from oddscalc.reading import Reader

__all__ = [
    "Alike",
    "Bonus",
    "Box",
    "Chance",
    "Count",
    "DiceGame",
    "Joker",
    "Part",
    "Scoring",
    "Straight",
    "game_names",
    "game_source",
    "load_game",
    "plain_word",
    "read_game",
]

DEFAULT_GAME = "poker-dice"

MOST_BOXES = 20
MOST_POINTS = 10_000
PLACEMENTS = ("none", "forced", "upper-filled", "free")

Points = int | Literal["dice", "all"]


@dataclass(frozen=True, slots=True)
class Count:
    """``(dice of the face - par) * face``; face None is a face that the player names."""

    face: int | None
    par: int = 0


@dataclass(frozen=True, slots=True)
class Alike:
    """Groups of alike dice, largest first: (2,) a pair, (3, 2) a full house, (5,) five alike."""

    groups: tuple[int, ...]
    different_faces: bool = True


@dataclass(frozen=True, slots=True)
class Straight:
    """`length` faces in sequence, starting from one of the faces `lowest`."""

    length: int
    lowest: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """Any roll."""


Pattern = Count | Alike | Straight | Chance


@dataclass(frozen=True, slots=True)
class Scoring:
    """A pattern and what it earns.

    Attributes
    ----------
    points
        A fixed number, or the sum of the dice that form the pattern ("dice") or of all dice.
    extra
        Added once to a made pattern, after any multiplication.
    first_roll
        Multiplies `points` if the pattern is scored on the first roll of the turn.
    """

    pattern: Pattern
    points: Points
    extra: int = 0
    first_roll: int = 1


@dataclass(frozen=True, slots=True)
class Box:
    """A line of the scorecard; with several scorings the best one counts."""

    name: str
    title: str
    scorings: tuple[Scoring, ...]
    aliases: tuple[str, ...] = ()

    @property
    def is_count(self) -> bool:
        """Whether the box counts dice of one face, as the upper boxes do."""
        return isinstance(self.scorings[0].pattern, Count)


@dataclass(frozen=True, slots=True)
class Part:
    """A group of boxes, filled in any order or from top to bottom."""

    name: str
    title: str
    boxes: tuple[str, ...]
    order: Literal["any", "fixed"] = "any"


@dataclass(frozen=True, slots=True)
class Bonus:
    """`points` if `boxes` together hold `at_least`; credited when the last of them is filled."""

    name: str
    title: str
    boxes: tuple[str, ...]
    at_least: int
    points: int


@dataclass(frozen=True, slots=True)
class Joker:
    """What a further roll of `box` (all dice alike) may do once that box is filled.

    Attributes
    ----------
    bonus
        Points for each further one, if the box holds its points.
    placement
        "none": a roll like any other. "forced": the count box of its face if open, else any
        other open box at full value, else any open box. "upper-filled": any open box, at full
        value once the count box of its face is filled. "free": any open box at full value.
    """

    box: str
    bonus: int
    placement: Literal["none", "forced", "upper-filled", "free"]


@dataclass(frozen=True, slots=True)
class DiceGame:
    """A dice reroll game.

    >>> game = load_game("yatzy")
    >>> len(game.boxes), game.bonuses[0].at_least
    (15, 63)
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    summary: str
    dice: int
    faces: int
    rolls: int
    parts_in_turn: bool
    parts: tuple[Part, ...]
    boxes: tuple[Box, ...]
    bonuses: tuple[Bonus, ...] = ()
    joker: Joker | None = None
    _index: Mapping[str, int] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<DiceGame {self.name}: {self.title}>"

    def __hash__(self) -> int:
        # Not of every box: games are the keys of caches that each look-up reads several times.
        return hash((self.name, self.title, self.dice, self.faces, self.rolls))

    def box_index(self, word: str) -> int:
        """Return the place of a box by its name, alias or title.

        Raises
        ------
        UnknownNameError
            If the game has no such box.
        """
        place = self._index.get(plain_word(word))
        if place is None:
            raise unknown_name("box", word, [box.name for box in self.boxes])
        return place

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain dicts, lists and numbers."""
        rules = asdict(self)
        del rules["_index"]
        for box, plain in zip(self.boxes, rules["boxes"], strict=True):
            for scoring, made in zip(box.scorings, plain["scorings"], strict=True):
                made["pattern"]["kind"] = type(scoring.pattern).__name__.lower()
        return rules


def game_names() -> list[str]:
    """Return the names of the built-in games, the default game first."""
    return _FILES.names()


def game_source(name: str) -> str:
    """Return the TOML text of a built-in game, to start a house's own file from."""
    return _FILES.source(name)


def load_game(name: str = DEFAULT_GAME) -> DiceGame:
    """Return a built-in game by its name or alias.

    Raises
    ------
    UnknownNameError
        If there is no such game; the text names the nearest one.
    """
    return _FILES.load(name)


def read_game(path: Path | str) -> DiceGame:
    """Return the game described by a TOML file; its name is the file's, without the ending.

    Raises
    ------
    RulesError
        If the file cannot be read or a key is wrong; the text names key, value and what is
        allowed.
    """
    return _FILES.read(path)


def _over_base(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    # A house that lists its own parts means these alone, not the base's beside them.
    if "parts" in over and any("boxes" in part for part in _tables(over["parts"])):
        under.pop("parts", None)
        under["boxes"] = _listed(under.get("boxes", {}), over["parts"])
    return _laid_over(under, over)


def _tables(value: Any) -> list[dict[str, Any]]:
    entries = value.values() if isinstance(value, dict) else ()
    return [entry for entry in entries if isinstance(entry, dict)]


def _listed(boxes: dict[str, Any], parts: Any) -> dict[str, Any]:
    names = {n for part in _tables(parts) for n in part.get("boxes", []) if isinstance(n, str)}
    return {name: box for name, box in boxes.items() if name in names}


def _laid_over(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    result = dict(under)
    for key, value in over.items():
        below = result.get(key)
        both = isinstance(below, dict) and isinstance(value, dict)
        # A box that changes its kind is a new box.
        replaced = both and "kind" in value and value["kind"] != below.get("kind")  # type: ignore[union-attr]
        result[key] = _laid_over(below, value) if both and not replaced else value  # type: ignore[arg-type]
    return result


def _game(name: str, data: dict[str, Any]) -> DiceGame:
    top = Reader(data)
    title = top.text("title", name)
    aliases = top.names("aliases", [])
    summary = top.text("summary", "")
    dice = top.integer("dice", 1, 6)
    faces = top.integer("faces", 2, 10, default=6)
    rolls = top.integer("rolls", 1, 4, default=3)
    in_turn = top.flag("parts_in_turn", False)
    boxes = tuple(
        _box(box, reader, dice, faces) for box, reader in top.tables("boxes", required=True)
    )
    if len(boxes) > MOST_BOXES:
        raise RulesError(f"boxes has {len(boxes)} entries; allowed: 1 to {MOST_BOXES}.")
    names = [box.name for box in boxes]
    parts = tuple(_part(part, reader, names) for part, reader in top.tables("parts"))
    parts = parts or (Part("card", "Scorecard", tuple(names)),)
    listed = [box for part in parts for box in part.boxes]
    for box in names:
        if listed.count(box) != 1:
            raise RulesError(
                f"parts lists the box '{box}' {listed.count(box)} times; allowed: once."
            )
    bonuses = tuple(_bonus(bonus, reader, names) for bonus, reader in top.tables("bonuses"))
    # Boxes stand in the order in which the parts list them.
    boxes = tuple(sorted(boxes, key=lambda box: listed.index(box.name)))
    joker = _joker(top.table("joker"), boxes, dice) if top.has("joker") else None
    top.done()
    index: dict[str, int] = {}
    for place, one in enumerate(boxes):
        for word in {plain_word(word) for word in (one.name, one.title, *one.aliases)}:
            if word in index:
                both = f"{boxes[index[word]].name} and {one.name}"
                raise RulesError(f"boxes {both} are both called '{word}'; allowed: one of them.")
            index[word] = place
    return DiceGame(
        name,
        title,
        tuple(aliases),
        summary,
        dice,
        faces,
        rolls,
        in_turn,
        parts,
        boxes,
        bonuses,
        joker,
        index,
    )


_FILES = GameFiles("oddscalc.dice", DEFAULT_GAME, _game, _over_base)


def _part(name: str, reader: Reader, boxes: list[str]) -> Part:
    listed = reader.members("boxes", boxes)
    order: Any = reader.choice("order", ("any", "fixed"), "any")
    part = Part(name, reader.text("title", titled(name)), tuple(listed), order)
    reader.done()
    return part


def _bonus(name: str, reader: Reader, boxes: list[str]) -> Bonus:
    bonus = Bonus(
        name,
        reader.text("title", f"{titled(name)} bonus"),
        tuple(reader.members("boxes", boxes)),
        reader.integer("at_least", -MOST_POINTS, MOST_POINTS),
        reader.integer("points", -MOST_POINTS, MOST_POINTS),
    )
    reader.done()
    return bonus


def _joker(reader: Reader, boxes: tuple[Box, ...], dice: int) -> Joker | None:
    whole = [b.name for b in boxes if b.scorings[0].pattern == Alike((dice,)) and dice > 1]
    box = reader.choice("box", whole)
    bonus = reader.integer("bonus", 0, MOST_POINTS, default=0)
    placement: Any = reader.choice("placement", PLACEMENTS)
    reader.done()
    return None if placement == "none" and not bonus else Joker(box, bonus, placement)


def _box(name: str, reader: Reader, dice: int, faces: int) -> Box:
    title = reader.text("title", titled(name))
    aliases = tuple(reader.names("aliases", []))
    kinds = ("count", "alike", "straight", "chance", "best-of")
    if reader.choice("kind", kinds) == "best-of":
        scorings = tuple(_scoring(one, dice, faces) for one in reader.list_of_tables("of"))
    else:
        scorings = (_scoring(reader, dice, faces),)
    reader.done()
    return Box(name, title, scorings, aliases)


def _scoring(reader: Reader, dice: int, faces: int) -> Scoring:
    kind = reader.choice("kind", ("count", "alike", "straight", "chance"))
    points: Points = "all"
    pattern: Pattern
    if kind == "count":
        face = reader.integer("face", 1, faces, words=("any",))
        pattern = Count(None if face == "any" else face, reader.integer("par", 0, dice, default=0))
        points = "dice"
    elif kind == "alike":
        groups = sorted(reader.integers("groups", 1, dice), reverse=True)
        different = reader.flag("different_faces", True)
        if sum(groups) > dice:
            reader.wrong("groups", groups, f"groups of at most {dice} dice together")
        if different and len(groups) > faces:
            reader.wrong("groups", groups, f"at most {faces} groups of different faces")
        pattern = Alike(tuple(groups), different)
    elif kind == "straight":
        length = reader.integer("length", 2, min(dice, faces))
        highest = faces - length + 1
        every = list(range(1, highest + 1))
        lowest = sorted(set(reader.integers("lowest", 1, highest, default=every)))
        pattern = Straight(length, tuple(lowest))
    else:
        pattern = Chance()
    if kind in ("alike", "straight"):
        points = reader.integer("points", -MOST_POINTS, MOST_POINTS, words=("dice", "all"))
    extra = reader.integer("extra", -MOST_POINTS, MOST_POINTS, default=0) if kind != "count" else 0
    first_roll = reader.integer("first_roll", 1, 10, default=1)
    reader.done()
    return Scoring(pattern, points, extra, first_roll)


def titled(name: str) -> str:
    """Return a name as a title.

    >>> titled("three-of-a-kind")
    'Three of a kind'
    """
    return name.replace("-", " ").capitalize()
