"""What is discarded or kept by rule."""

from __future__ import annotations

from typing import Any

from oddscalc.euchre.kernel_bits import (
    FIVE,
    FOUR,
    ONE,
    THREE,
    TOP,
    TRUMPS,
    TWO,
    ZERO,
    Masks,
    U,
    count,
    lowest,
    zeros_above,
)
from oddscalc.euchre.kernel_plan import P_POOL, P_TAKES, P_THROW_UP, P_UP
from oddscalc.jit import jit

ACES = U(0x0008_0008_0008_0000)  # of side suits: the rule for a discard looks at them


@jit
def reluctance(cards: Any) -> Any:
    """Return how much a dealer likes to keep a side suit (its field moved to the first place)."""
    if cards == ZERO:
        return U(1 << 16)
    length = count(cards)
    ace = cards >> THREE & ONE
    lone_ace = ace if length == ONE else ZERO
    return lone_ace << U(8) | length << ONE | ace


@jit
def discard(six: Any, fixed: Any, lot: Any) -> Any:
    """Return what a dealer throws from `six` by rule, never `fixed`, and how many suits tied.

    The lowest card of the shortest side suit, a lone ace last; of suits equally long first one
    without its ace, then by `lot` (0 … 5). Without side cards the lowest trump.
    """
    free = six & ~fixed
    if free & ~TRUMPS == ZERO:
        return TOP >> zeros_above(free), ONE
    least = U(1 << 16)
    for field in range(1, 4):
        least = min(least, reluctance(free >> U(16 * field) & TRUMPS))
    tied = ZERO
    for field in range(1, 4):
        if reluctance(free >> U(16 * field) & TRUMPS) == least:
            tied += ONE
    pick = lot % tied
    choice = ZERO
    for field in range(1, 4):
        if reluctance(free >> U(16 * field) & TRUMPS) == least:
            if pick == ZERO:
                choice = free & (TRUMPS << U(16 * field))
            pick -= ONE
    return TOP >> zeros_above(choice), tied


@jit
def taken_up(own: Any, lot: Any, plan: Masks) -> Any:
    """Return what another dealer plays with once the upcard is ordered, by the rule.

    The dealer takes the upcard unless the rule would throw it at once.
    """
    up = plan[P_UP]
    six = own | up
    thrown, _ = discard(six, ZERO, lot)
    if thrown == up and plan[P_THROW_UP] == ZERO and plan[P_TAKES] == TWO:
        thrown, _ = discard(six, up, lot)
    return six ^ thrown


@jit
def highest_of(cards: Any, wanted: Any) -> Any:
    """Return the `wanted` highest of the cards of one suit."""
    kept = ZERO
    for _ in range(wanted):
        card = cards & (~cards + ONE)
        cards ^= card
        kept |= card
    return kept


@jit
def list_keeps(pool: Any, plan: Masks, keeps: Masks) -> Any:
    """Write the fives of `pool` that come into question to `keeps`; return how many.

    All trumps (the five highest if there are more), then the highest of each side suit in every
    mixture. An upcard in the pool that may not be discarded is kept.
    """
    trumps = pool & TRUMPS
    if count(trumps) >= FIVE:
        keeps[0] = highest_of(trumps, FIVE)
        if plan[P_POOL] == ONE and plan[P_THROW_UP] == ZERO and keeps[0] & plan[P_UP] == ZERO:
            keeps[0] ^= (TOP >> zeros_above(keeps[0])) | plan[P_UP]
        return 1
    more = int(FIVE - count(trumps))
    a, b, c = pool & (TRUMPS << U(16)), pool & (TRUMPS << U(32)), pool & (TRUMPS << U(48))
    found = 0
    for of_a in range(min(more, int(count(a))) + 1):
        for of_b in range(min(more - of_a, int(count(b))) + 1):
            of_c = more - of_a - of_b
            if of_c <= int(count(c)):
                side = highest_of(a, of_a) | highest_of(b, of_b) | highest_of(c, of_c)
                keeps[U(found)] = trumps | side
                found += 1
    return found


@jit
def alike(higher: Any, lower: Any, unseen: Any) -> Any:
    """Tell whether two cards of a hand are of one suit, no unseen card ranking between them."""
    if lower == ZERO or lowest(higher) >> FOUR != lowest(lower) >> FOUR:
        return False
    return (lower - ONE) & ~(higher - ONE) & unseen == ZERO
