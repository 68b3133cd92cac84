"""Dice and suits as SVG shapes, so that no face depends on a font."""

from __future__ import annotations

from functools import cache

__all__ = ["die_shapes", "suit_shape", "svg"]

_LOW, _MID, _HIGH = 2.4, 5.0, 7.6
_CORNERS = ((_LOW, _LOW), (_HIGH, _HIGH), (_HIGH, _LOW), (_LOW, _HIGH))
_SIDES = ((_LOW, _MID), (_HIGH, _MID))
_ENDS = ((_MID, _LOW), (_MID, _HIGH))
_TEN = tuple((x, y) for y in (_LOW, _HIGH) for x in (_LOW, _MID, _HIGH)) + tuple(
    (x, _MID) for x in (1.7, 3.9, 6.1, 8.3)
)


@cache
def die_shapes(face: int) -> str:
    """Return a die of 10 by 10 as SVG shapes of the classes `die` and `pip`; faces 1 to 10."""
    if face == 10:
        pips = _TEN
    else:
        even = face - face % 2
        pips = (*_CORNERS[:even], *_SIDES[: max(0, even - 4)], *_ENDS[: max(0, even - 6)])
        pips += ((_MID, _MID),) if face % 2 else ()
    radius = 1.05 if face <= 6 else 0.85
    dots = "".join(f'<circle class="pip" cx="{x}" cy="{y}" r="{radius}"/>' for x, y in pips)
    return f'<rect class="die" x="0.4" y="0.4" width="9.2" height="9.2" rx="1.8"/>{dots}'


_SUITS = {
    "H": "M5 9 C1.6 6.6 0.8 4.9 0.8 3.5 C0.8 2.1 1.8 1.2 3 1.2 C3.9 1.2 4.7 1.8 5 2.6 "
    "C5.3 1.8 6.1 1.2 7 1.2 C8.2 1.2 9.2 2.1 9.2 3.5 C9.2 4.9 8.4 6.6 5 9 Z",
    "D": "M5 0.7 C6 2.5 7 3.8 8.5 5 C7 6.2 6 7.5 5 9.3 C4 7.5 3 6.2 1.5 5 C3 3.8 4 2.5 5 0.7 Z",
    "S": "M5 0.7 C6.2 2.7 9.2 4.2 9.2 6.3 C9.2 7.5 8.3 8.2 7.3 8.2 C6.6 8.2 5.9 7.8 5.5 7.2 "
    "C5.6 8.2 6 8.8 6.6 9.3 L3.4 9.3 C4 8.8 4.4 8.2 4.5 7.2 C4.1 7.8 3.4 8.2 2.7 8.2 "
    "C1.7 8.2 0.8 7.5 0.8 6.3 C0.8 4.2 3.8 2.7 5 0.7 Z",
    "C": "M5 0.8 C6.2 0.8 7.1 1.7 7.1 2.8 C7.1 3.4 6.8 3.9 6.4 4.3 C6.7 4.1 7.1 4 7.4 4 "
    "C8.5 4 9.3 4.9 9.3 6 C9.3 7.1 8.5 7.9 7.4 7.9 C6.6 7.9 5.9 7.5 5.5 6.9 "
    "C5.6 8 6 8.8 6.6 9.3 L3.4 9.3 C4 8.8 4.4 8 4.5 6.9 C4.1 7.5 3.4 7.9 2.6 7.9 "
    "C1.5 7.9 0.7 7.1 0.7 6 C0.7 4.9 1.5 4 2.6 4 C2.9 4 3.3 4.1 3.6 4.3 "
    "C3.2 3.9 2.9 3.4 2.9 2.8 C2.9 1.7 3.8 0.8 5 0.8 Z",
}


def suit_shape(suit: str) -> str:
    """Return a suit, "S", "H", "D" or "C", of 10 by 10 as a shape of the class `red` or `black`."""
    colour = "red" if suit in "HD" else "black"
    return f'<path class="{colour}" d="{_SUITS[suit]}"/>'


def svg(shapes: str, style: str) -> str:
    """Return shapes of 10 by 10 as an SVG image of its own, with a style sheet."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" height="10">'
    return f"{head}<style>{style}</style>{shapes}</svg>"
