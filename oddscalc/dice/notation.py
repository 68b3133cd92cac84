"""Rolls as text: "2 3 6 2 1", "23621", "⚁⚂⚅⚁⚀" ↔ a sorted tuple of faces."""

from __future__ import annotations

from collections.abc import Iterable

from oddscalc.errors import NotationError

__all__ = ["parse_roll", "roll_text"]

_GLYPHS = {glyph: str(face) for face, glyph in enumerate("⚀⚁⚂⚃⚄⚅", 1)}
_SEPARATORS = str.maketrans(dict.fromkeys(",;/|-+", " "))


def parse_roll(
    roll: str | Iterable[int | str], faces: int, *, fewest: int, most: int
) -> tuple[int, ...]:
    """Return the faces of a roll, sorted.

    Any separators or none; faces above nine need separators.

    Raises
    ------
    NotationError
        If a word is not a face, or there are fewer or more dice than asked for.

    >>> parse_roll("2 3 6 2 1", 6, fewest=5, most=5)
    (1, 2, 2, 3, 6)
    >>> parse_roll("⚁⚂", 6, fewest=0, most=5)
    (2, 3)
    """
    text = roll if isinstance(roll, str) else " ".join(map(str, roll))
    words = text.translate(_SEPARATORS).split()
    dice: list[int] = []
    for word in words:
        plain = "".join(_GLYPHS.get(letter, letter) for letter in word)
        whole = plain.isascii() and plain.isdecimal() and len(plain) < 3 and int(plain) <= faces
        several = faces > 9 and len(words) > 1 and len(plain) > 1  # then each word is a die
        for piece in [plain] if several or (whole and int(plain) > 9) else plain:
            if not (piece.isascii() and piece.isdecimal() and 1 <= int(piece) <= faces):
                seen = f"'{word}'" if piece == word else f"'{piece}' in '{word}'"
                raise NotationError(f"{seen} is not a die; accepted: faces from 1 to {faces}.")
            dice.append(int(piece))
    if not fewest <= len(dice) <= most:
        needed = f"{most}" if fewest == most else f"{fewest} to {most}"
        count = "no dice" if not dice else f"{len(dice)} dice" if len(dice) > 1 else "1 die"
        shown = f"'{roll_text(dice)}' has {count}" if dice else "The roll is empty"
        raise NotationError(f"{shown}; accepted: {needed} dice from 1 to {faces}.")
    return tuple(sorted(dice))


def roll_text(dice: Iterable[int]) -> str:
    """Return dice as text.

    >>> roll_text((2, 2))
    '2 2'
    """
    return " ".join(map(str, dice))
