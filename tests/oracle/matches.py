"""The race to a target, slowly: players in chairs, a dealer, and what a hand earns each chair.

Shares nothing with the product. Points of a hand stand from the dealer's left, the dealer's last.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

Points = tuple[int, ...]


def race(
    target: int, hands: Mapping[Points, Fraction], score: Points, dealer: int
) -> list[Fraction]:
    """Return each chair's chance of winning, in the order of chairs, as the score is."""
    chairs = len(score)

    def finished(reached: Points) -> list[Fraction] | None:
        if max(reached) < target:
            return None
        first = [chair for chair in range(chairs) if reached[chair] == max(reached)]
        return [Fraction(chair in first, len(first)) for chair in range(chairs)]

    @cache
    def wins(before: Points, deals: int) -> list[Fraction]:
        # With x for the chances when `deals` deals again at this score: chances = sure + back * x.
        sure, back = [Fraction(0)] * chairs, Fraction(1)
        for turn in range(chairs):
            now = (deals + turn) % chairs
            for earned, chance in hands.items():
                if any(earned):
                    reached = list(before)
                    for place, points in enumerate(earned):
                        reached[(now + 1 + place) % chairs] += points
                    after = tuple(reached)
                    value = finished(after) or wins(after, (now + 1) % chairs)
                    sure = [had + back * chance * v for had, v in zip(sure, value, strict=True)]
            back *= hands.get((0,) * chairs, Fraction(0))
        return [chance / (1 - back) for chance in sure]

    return wins(score, dealer)
