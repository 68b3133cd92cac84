"""The score of a match: the sides of a game, and scores as players say them.

Inside, points stand by side in order from the dealer's left, the dealer's side last; players say
their own points first and go on to the left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from oddscalc.errors import NotationError
from oddscalc.euchre.rules import EuchreGame

__all__ = [
    "as_dealt",
    "as_said",
    "game_sides",
    "points_by_side",
    "read_score",
    "side_of",
    "side_words",
    "split_points",
]

_WORDS = {
    2: ("us", "them"),
    3: ("us", "left", "right"),
    4: ("us", "left", "across", "right"),
}
_PARTS = re.compile(r"\s*(?:[\s\-‐‑–—−:,;/|]|\bto\b)\s*", re.IGNORECASE)  # noqa: RUF001
_EXAMPLES = {2: "US-THEM, as in 9-6", 3: "as in 9-6-4", 4: "as in 9-6-4-2"}


def game_sides(game: EuchreGame) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side, in order from the dealer's left; the dealer's side is last.

    >>> from oddscalc.euchre.rules import load_game
    >>> game_sides(load_game("four-handed"))
    ((0, 2), (1, 3))
    """
    return tuple(dict.fromkeys(game.side(seat) for seat in range(game.hands)))


def side_words(sides: int) -> tuple[str, ...]:
    """Return what a player calls the sides: the own, then in order from the left."""
    return _WORDS[sides]


def side_of(game: EuchreGame, seat: str) -> int:
    """Return the place, from the dealer's left, of the side that a seat is on.

    Raises
    ------
    UnknownNameError
        If the game has no such seat.
    """
    return game_sides(game).index(game.side(game.seat_index(seat)))


def points_by_side(game: EuchreGame, maker: int, earned: tuple[int, int]) -> tuple[int, ...]:
    """Return the points of a hand by side, in order from the dealer's left.

    Parameters
    ----------
    maker
        The maker's seat.
    earned
        Points to the maker's side and to each of the others, as `EuchreGame.score` returns them.

    Examples
    --------
    >>> from oddscalc.euchre.rules import load_game
    >>> points_by_side(load_game("three-handed"), maker=1, earned=(0, 2))
    (2, 0, 2)
    """
    makers, others = earned
    return tuple(makers if maker in side else others for side in game_sides(game))


def read_score(score: str | Sequence[int], game: EuchreGame, seat: str) -> tuple[int, ...]:
    """Return a score, told by a player, by side in order from the dealer's left.

    Parameters
    ----------
    score
        The player's own points first, then those of each side in order from the player's left:
        US-THEM with two sides; "9-6", "9 6", "9:6" or numbers.
    seat
        The player's seat.

    Raises
    ------
    NotationError
        If the text is no score of the game, or a side has the points that win.
    UnknownNameError
        If the game has no such seat.

    Examples
    --------
    >>> from oddscalc.euchre.rules import load_game
    >>> read_score("9-6", load_game("four-handed"), seat="1")
    (9, 6)
    >>> read_score("9-6-4", load_game("three-handed"), seat="dealer")
    (6, 4, 9)
    """
    told = score.strip() if isinstance(score, str) else "-".join(map(str, score))
    words = split_points(told) if isinstance(score, str) else [str(number) for number in score]
    sides = len(game_sides(game))
    if len(words) != sides or not all(word.isascii() and word.isdecimal() for word in words):
        order = "yours first" if sides == 2 else "yours first, then from your left"
        raise NotationError(
            f"'{told}' is not a score of this game; accepted: {sides} numbers, {order}, "
            f"{_EXAMPLES[sides]}."
        )
    points = [int(word.lstrip("0")[:5] or 0) for word in words]  # no target has five digits
    for word, number in zip(words, points, strict=True):
        if number >= game.target:
            raise NotationError(
                f"The score '{told}' has {word} points for a side, and {game.target} win the "
                f"game; accepted: 0 to {game.target - 1} for each side."
            )
    return as_dealt(points, side_of(game, seat))


def split_points(text: str) -> list[str]:
    """Return the words of points joined by hyphens, colons, commas, slashes, spaces or "to".

    >>> split_points("9 – 6"), split_points("2:0:2")
    (['9', '6'], ['2', '0', '2'])
    """
    return _PARTS.split(text.strip())


def as_dealt(own_first: Sequence[int], side: int) -> tuple[int, ...]:
    """Return numbers told from a side's view in order from the dealer's left."""
    sides = len(own_first)
    return tuple(own_first[(place - side) % sides] for place in range(sides))


def as_said(by_side: Sequence[int], side: int) -> tuple[int, ...]:
    """Return numbers in order from the dealer's left as a side tells them, its own first."""
    sides = len(by_side)
    return tuple(by_side[(side + step) % sides] for step in range(sides))
