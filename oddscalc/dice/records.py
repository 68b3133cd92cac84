"""Game records: text, one turn a line ↔ GameRecord. docs/game-records.md gives the format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from oddscalc.dice.notation import parse_roll, roll_text
from oddscalc.dice.rules import Count, DiceGame, load_game
from oddscalc.dice.scoring import is_joker
from oddscalc.errors import InputError, RecordError

__all__ = ["GameRecord", "Turn", "parse_record", "read_record"]

HEADERS = ("game", "player", "date")
LONGEST_LINE = 500
LONGEST_HEADER = 100

_LINE_END = re.compile(r"\r\n|\r|\n")
_HEADER = re.compile(r"([^\W\d_][\w-]*)\s*[:=]?\s*(.*)")
_NUMBER = re.compile(r"^\d{1,2}[.)]+\s+")  # "3. " before a turn
_BOX_SIGN = re.compile(r"->|=>|→|>|=")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))  # noqa: RUF001

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it was played.

    Attributes
    ----------
    rolls
        All dice on the table after each roll.
    holds
        The dice kept after each roll that was not the last one.
    box
        The box that the last roll went into; None for a turn that is not over, which may end
        with a roll or with a hold.
    line
        The line of the record.
    """

    rolls: tuple[Dice, ...]
    holds: tuple[Dice, ...] = ()
    box: str | None = None
    line: int | None = field(default=None, compare=False)

    def to_text(self) -> str:
        """Return the turn as a line of a record.

        >>> Turn(((1, 2, 2, 3, 6), (2, 2, 2, 5, 6)), ((2, 2),), "twos").to_text()
        '1 2 2 3 6 | 2 2 | 2 2 2 5 6 > twos'
        """
        pieces = []
        for place, roll in enumerate(self.rolls):
            pieces += [roll_text(roll), *(roll_text(h) or "-" for h in self.holds[place:][:1])]
        return " | ".join(pieces) + (f" > {self.box}" if self.box else "")


@dataclass(frozen=True)
class GameRecord:
    r"""One player's game, as far as it was played.

    Raises
    ------
    RecordError
        If a turn cannot be in this game; the text names its line, or its number if it has none.

    >>> record = parse_record("game: yahtzee\n55566 > full-house")
    >>> record.turns[0].box, record.finished
    ('full-house', False)
    """

    game: DiceGame
    turns: tuple[Turn, ...]
    player: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        for key in HEADERS[1:]:
            object.__setattr__(self, key, _words(key, getattr(self, key)))
        turns: list[Turn] = []
        filled: dict[str, int] = {}
        for number, turn in enumerate(self.turns, 1):
            with _at(f"Turn {number}" if turn.line is None else f"Line {turn.line}"):
                checked = _checked(self.game, filled, turn, last=number == len(self.turns))
            turns.append(checked)
            if checked.box is not None:
                filled[checked.box] = number
        object.__setattr__(self, "turns", tuple(turns))

    @property
    def finished(self) -> bool:
        """Whether every box is filled."""
        return sum(turn.box is not None for turn in self.turns) == len(self.game.boxes)

    def to_text(self) -> str:
        """Return the record as text that `parse_record` reads."""
        heads = ((key, getattr(self, key)) for key in HEADERS[1:])
        lines = [f"game: {self.game.name}", *(f"{key}: {word}" for key, word in heads if word)]
        return "\n".join([*lines, "", *(turn.to_text() for turn in self.turns)]).rstrip() + "\n"


def parse_record(text: str, *, game: DiceGame | None = None) -> GameRecord:
    """Return the game of a record.

    Parameters
    ----------
    game
        The game to read it as, whatever game the record names.

    Raises
    ------
    RecordError
        If a line cannot be read or cannot be in the game; the text names the line, the word and
        what is accepted.
    """
    known: DiceGame | None = game
    heads: dict[str, str] = {}
    turns: list[Turn] = []
    for number, full in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1):
        line = full.partition("#")[0].strip()
        with _at(f"Line {number}"):
            if len(line) > LONGEST_LINE:
                raise RecordError(
                    f"'{line[:20]}…' has {len(line)} letters; accepted: at most {LONGEST_LINE}."
                )
            header = _HEADER.fullmatch(line)
            if header:
                key = _header(header[1], header[2], heads, turns)
                if key == "game" and game is None:
                    known = load_game(heads[key])
            elif line and known is None:
                raise RecordError("A turn, and no game yet; accepted: first a line 'game: NAME'.")
            elif line and known:
                turns.append(_turn(line, known, number))
    if known is None:
        raise RecordError("The record names no game; accepted: a line 'game: NAME' and turns.")
    heads.pop("game", None)
    return GameRecord(known, tuple(turns), **heads)


def read_record(path: Path | str, *, game: DiceGame | None = None) -> GameRecord:
    """Return the game of a record in a file.

    Raises
    ------
    RecordError
        If the file cannot be read, and as `parse_record` does.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise RecordError(f"The record '{path}' cannot be read: {reason}.") from None
    return parse_record(text, game=game)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Put the place before what is said of wrong input."""
    try:
        yield
    except InputError as error:
        raise RecordError(f"{place}: {error}") from None


def _header(word: str, value: str, heads: dict[str, str], turns: list[Turn]) -> str:
    key = word.lower()
    if key not in HEADERS:
        raise RecordError(
            f"'{word}' begins neither a header nor a turn; accepted: {', '.join(HEADERS)}, or a "
            f"turn like '2 3 6 2 1 | 2 2 | 2 2 2 5 6 > twos'."
        )
    if key in heads:
        raise RecordError(f"The header '{key}' is given twice; accepted: once.")
    if turns:
        raise RecordError(f"The header '{key}' stands after a turn; accepted: before all turns.")
    if not value:
        raise RecordError(f"The header '{key}' is empty; accepted: '{key}: …'.")
    heads[key] = _words(key, value)
    return key


def _words(key: str, value: str) -> str:
    words = " ".join(value.split())
    if len(words) > LONGEST_HEADER or not words.isprintable() or "#" in words:
        raise RecordError(
            f"The {key} is {words[:60]!r}; accepted: at most {LONGEST_HEADER} printable letters, "
            f"no #."
        )
    return words


def _turn(line: str, game: DiceGame, number: int) -> Turn:
    played, *boxes = _BOX_SIGN.split(_NUMBER.sub("", line, count=1))
    if len(boxes) > 1:
        raise RecordError(f"'{line}' has {len(boxes)} boxes; accepted: one, at the end.")
    rolls: list[Dice] = []
    holds: list[Dice] = []
    for place, piece in enumerate(re.split(r"[|/;]", played.translate(_DASHES))):
        word = piece.strip()
        what = "hold" if place % 2 else "roll"
        if not word:
            none = ", or - for none" if what == "hold" else " on the table"
            raise RecordError(f"A {what} of '{line}' is empty; accepted: dice{none}.")
        nothing = what == "hold" and word.lower() in ("none", "nothing", "0")
        # Wrong numbers of dice are refused when the turn is checked.
        dice = () if nothing else parse_roll(word, game.faces, fewest=0, most=LONGEST_LINE)
        (holds if place % 2 else rolls).append(dice)
    return Turn(tuple(rolls), tuple(holds), boxes[0].strip() if boxes else None, number)


def _checked(game: DiceGame, filled: dict[str, int], turn: Turn, *, last: bool) -> Turn:
    """Return the turn with its dice sorted and its box by name, if it can follow `filled`."""
    if len(filled) == len(game.boxes):
        raise RecordError(f"All {len(filled)} boxes are filled; accepted: no further turn.")
    rolls, holds = (
        tuple(parse_roll(dice, game.faces, fewest=0, most=LONGEST_LINE) for dice in some)
        for some in (turn.rolls, turn.holds)
    )
    if not rolls or not 0 <= len(rolls) - len(holds) <= 1:
        raise RecordError(
            f"The turn has {len(rolls)} rolls and {len(holds)} holds; accepted: roll, hold, roll."
        )
    for roll in rolls:
        if len(roll) != game.dice:
            raise RecordError(
                f"The roll '{roll_text(roll)}' has {len(roll)} dice; accepted: all {game.dice} on "
                f"the table, held ones included."
            )
    if len(rolls) > game.rolls:
        raise RecordError(
            f"The roll '{roll_text(rolls[game.rolls])}' is number {game.rolls + 1} of its turn; "
            f"accepted: at most {game.rolls}."
        )
    _check_holds(game, rolls, holds)
    if turn.box is None:
        if not last:
            raise RecordError(
                f"The turn '{turn.to_text()}' has no box; accepted: '> BOX' at its end, except in "
                f"the last turn of a game that is not over."
            )
        return Turn(rolls, holds, None, turn.line)
    if len(holds) == len(rolls):
        raise RecordError(
            f"The hold '{roll_text(holds[-1]) or '-'}' stands before the box; accepted: a roll "
            f"before '>'."
        )
    return Turn(rolls, holds, _box(game, filled, turn.box, rolls[-1]), turn.line)


def _check_holds(game: DiceGame, rolls: tuple[Dice, ...], holds: tuple[Dice, ...]) -> None:
    for place, hold in enumerate(holds):
        said, roll = f"The hold '{roll_text(hold)}'", roll_text(rolls[place])
        foreign = tuple((Counter(hold) - Counter(rolls[place])).elements())
        if foreign:
            raise RecordError(
                f"{said} keeps {roll_text(foreign)}, not on the table; accepted: dice of '{roll}', "
                f"or - for none."
            )
        if len(hold) == game.dice:
            raise RecordError(
                f"{said} keeps all dice; accepted: fewer, or no further roll but the box."
            )
        if place == game.rolls - 1:
            raise RecordError(f"{said} follows the last roll; accepted: '> BOX'.")
        if place + 1 < len(rolls):
            lost = tuple((Counter(hold) - Counter(rolls[place + 1])).elements())
            if lost:
                raise RecordError(
                    f"The roll '{roll_text(rolls[place + 1])}' lacks {roll_text(lost)} of the held "
                    f"'{roll_text(hold)}'; accepted: all dice on the table, held ones included."
                )


def _box(game: DiceGame, filled: dict[str, int], word: str, roll: Dice) -> str:
    """Return the name of the box if it may take the roll now."""
    name = game.boxes[game.box_index(word)].name
    may = _open_boxes(game, filled)
    if name in filled:
        raise RecordError(
            f"The box '{word}' is filled already, in turn {filled[name]}; accepted: "
            f"{', '.join(may)}."
        )
    if name not in may:
        raise RecordError(f"The box '{word}' is not open yet; accepted now: {', '.join(may)}.")
    may = _for_joker(game, may, roll[0]) if _is_forced(game, filled, roll) else may
    if name not in may:
        raise RecordError(
            f"The box '{word}' cannot take the joker '{roll_text(roll)}'; accepted: "
            f"{', '.join(may)}."
        )
    return name


def _open_boxes(game: DiceGame, filled: Collection[str]) -> list[str]:
    may: list[str] = []
    for part in game.parts:
        left = [box for box in part.boxes if box not in filled]
        may += left[:1] if part.order == "fixed" else left
        if left and game.parts_in_turn:
            break
    return may


def _is_forced(game: DiceGame, filled: Collection[str], roll: Dice) -> bool:
    joker = game.joker
    forced = joker is not None and joker.placement == "forced" and joker.box in filled
    return forced and is_joker(roll)


def _for_joker(game: DiceGame, may: list[str], face: int) -> list[str]:
    """Return the boxes that a forced joker may go into: its face's, else combinations, else any."""
    boxes = {box.name: box for box in game.boxes if box.name in may}
    patterns = {name: box.scorings[0].pattern for name, box in boxes.items()}
    own = [name for name, p in patterns.items() if isinstance(p, Count) and p.face == face]
    return own or [name for name, box in boxes.items() if not box.is_count] or may
