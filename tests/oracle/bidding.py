"""The features of a hand at the bidding, from the names of its cards, as words.

Two hands get the same entry of a table exactly if the word is the same.
"""

from __future__ import annotations

from collections.abc import Sequence

SUITS = "SCHD"
RANKS = "AKQJT987"
HIGH = ("Jo", "right", "left", "A", "K", "Q")


def relative(suit: str, step: int) -> str:
    """Return a suit by its distance: 1 for the other of the colour."""
    return SUITS[SUITS.index(suit) ^ step]


def trumps_of(hand: Sequence[str], trump: str) -> list[str]:
    """Return the trumps by rank."""
    names = {"Jo": "Jo", f"J{trump}": "right", f"J{relative(trump, 1)}": "left"}
    names |= {rank + trump: rank for rank in RANKS if rank != "J"}
    return [name for card, name in names.items() if card in hand]


def side_of(hand: Sequence[str], suit: str, trump: str) -> str:
    """Return the ranks held in a side suit, the highest first."""
    ranks = [rank for rank in RANKS if rank + suit in hand]
    return "".join(rank for rank in ranks if (rank, suit) != ("J", relative(trump, 1)))


def held(ranks: Sequence[str], high: Sequence[str]) -> str:
    """Return the high ranks by name, and the number of the others."""
    return f"{[rank for rank in ranks if rank in high]} {sum(rank not in high for rank in ranks)}"


def outline(hand: Sequence[str], trump: str) -> str:
    """Return how many trumps, which bowers, side aces and voids."""
    trumps = trumps_of(hand, trump)
    sides = [side_of(hand, relative(trump, step), trump) for step in (1, 2, 3)]
    bowers = [name for name in trumps if name in ("right", "left")]
    return f"{len(trumps)} {bowers} {sum('A' in side for side in sides)} {sides.count('')}"


def bid_words(hand: Sequence[str], trump: str, up: str, turned: str, *, joker: bool) -> list[str]:
    """Return the features of making trumps.

    Parameters
    ----------
    turned
        The suit turned down, or "" if it becomes trumps.
    joker
        Whether the deck has one.
    """
    trumps = trumps_of(hand, trump)
    rank = up if up == "Jo" else up[0]
    seen = rank
    if turned:
        seen = "J" if turned == relative(trump, 1) and rank == "J" else ""
    words = [f"{seen} {held(trumps, HIGH)}", outline(hand, trump)]
    sure, losing = 0, []
    for step in (1, 2, 3):
        suit = relative(trump, step)
        side = side_of(hand, suit, trump)
        length = min(max(len(trumps), 1), 4)
        where = f"turned {rank}" if suit == turned else f"side {step == 1} {length}"
        words.append(f"{where} {held(side, 'AKQJ')}")
        full = "AKQT987" if step == 1 else "AKQJT987"
        run = next((n for n, one in enumerate(full) if one not in side), len(full))
        sure += min(run, 4)
        # By how many cards of the suit are missing above it.
        losing += [n - run for n, one in enumerate(full) if one in side and n > run]
    top = HIGH if joker else HIGH[1:]
    run = next((n for n, name in enumerate(top) if name not in trumps), len(top))
    words.append(f"{len(trumps)} {min(run, 5)} {min(sure, 5)}")
    losers = "none"
    if losing:
        losers = f"one {min(losing[0], 3)}" if len(losing) == 1 else f"several {sure > 0}"
    low = sum(name not in HIGH for name in trumps)
    words.append(f"{[name for name in trumps if name in HIGH]} {min(low, 3)} {losers}")
    return words


def strength(hand: Sequence[str], trump: str) -> int:
    """Return roughly how good a hand is with these trumps: aces, high trumps, voids to ruff."""
    trumps = trumps_of(hand, trump)
    sides = [side_of(hand, relative(trump, step), trump) for step in (1, 2, 3)]
    worth = 2 * len(trumps) + 2 * sum("A" in side for side in sides)
    worth += sum({"Jo": 2, "right": 1, "left": 1, "A": 1}.get(name, 0) for name in trumps)
    return worth + (sides.count("") if trumps else 0)


def pass_words(hand: Sequence[str], base: str, up: str) -> list[str]:
    """Return the features of a pass; `base` is the upcard's suit."""
    rank = up if up == "Jo" else up[0]
    words = [f"{rank} {held(trumps_of(hand, base), HIGH)}", outline(hand, base)]
    worths = []
    for step in (1, 2, 3):
        suit = relative(base, step)
        kind = ("jack" if rank == "J" else "next") if step == 1 else "cross"
        words.append(f"{kind} {held(trumps_of(hand, suit), HIGH)}")
        worths.append(min(strength(hand, suit), 23))
    best, second, _ = sorted(worths, reverse=True)
    return [*words, str(best), str(second)]
