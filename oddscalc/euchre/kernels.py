"""The search of one deal with all cards seen.

Seats are numbers from the first who plays; `makers` is a mask of them. An *outcome* is 0 for no
trick of the makers, 1 for one or two, 2 for three or four, 3 for all five; 4 more if a defender
played alone.
"""

from __future__ import annotations

from typing import Any

from oddscalc.euchre.kernel_bits import (
    FIELD_OF,
    FIRSTS,
    FIVE,
    FOUR,
    GUARDS,
    MIX,
    ONE,
    PLACES,
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
from oddscalc.jit import jit_lent

# words of a frame of the search's stack
REST, FIRST, CARD, SEAT, BEST, TAKER, LED, NEED, KEY, PLACE, LEFT = map(U, range(11))
FRAME = FOUR  # 16 words
MOST_PLIES = 20
CELLS = 256
CELL = U(64 - 8)


@jit_lent
def sure_tricks(hands: Masks, players: Any, seat: Any, makers: Any) -> Any:
    """Return tricks that the leader's side and the makers, and the others, have for sure.

    The leader cashes the highest trumps; once no opponent can have one left, also the side cards
    that nobody can beat (a partner who must ruff holds trumps only and takes what is left). Who
    holds the highest trumps gets a trick for each of them whoever leads.

    Returns
    -------
    tuple
        Two bounds: tricks of the makers' side, tricks of the other side.
    """
    live = hands[0] | hands[1] | hands[2] | hands[3]
    mine = hands[seat]
    others = live ^ mine
    leading = (makers >> seat) & ONE
    tops = ((others | GUARDS) - FIRSTS) & ~others & mine
    most = ZERO
    for other in range(players):
        if (makers >> U(other)) & ONE != leading:
            most = max(most, count(hands[U(other)] & TRUMPS))
    sure = count(tops & TRUMPS)
    if sure >= most:
        sure = count(tops)
    for_makers = sure if leading == ONE else ZERO
    for_others = ZERO if leading == ONE else sure
    trumps = live & TRUMPS
    if trumps != ZERO:
        holder = ZERO
        while hands[holder] & trumps & (~trumps + ONE) == ZERO:
            holder += ONE
        lower = trumps & ~hands[holder]
        run = count(hands[holder] & trumps & ((lower & (~lower + ONE)) - ONE))
        if (makers >> holder) & ONE == ONE:
            for_makers = max(for_makers, run)
        else:
            for_others = max(for_others, run)
    return for_makers, for_others


@jit_lent
def last_trick(hands: Masks, players: Any, seat: Any) -> Any:
    """Return who takes the last trick if `seat` leads."""
    best = hands[seat]
    counts = TRUMPS | (TRUMPS << (lowest(best) & FIELD_OF))
    taker = seat
    for step in range(ONE, players):
        other = seat + U(step)
        other = other - players if other >= players else other
        card = hands[other]
        if card & counts != ZERO and card < best:
            best, taker = card, other
    return taker


@jit_lent
def search(
    hands: Masks,
    stack: Masks,
    memo: Masks,
    players: Any,
    makers: Any,
    seat: Any,
    left: Any,
    need: Any,
    place: Any,
    best: Any,
    taker: Any,
    led: Any,
) -> Any:
    """Tell whether the makers' side takes at least `need` of the `left` tricks, all cards seen.

    Alpha-beta without recursion. Of cards of one hand between which no card is left in another
    hand only the highest is tried; positions between tricks are remembered in `memo`.

    Parameters
    ----------
    hands : uint64[4]
        Cards left, trump layout, of the seats 0 … players - 1; the others 0. Unchanged on return.
    stack, memo : uint64[20 * 16], uint64[2 * 256]
        Scratch; `memo` must be zero, or from a search of the same deal with the same makers.
    seat, place : seat to play and its place in the trick, 0 for the leader
    best, taker, led : winning card and its seat, field of the suit led; 0 before a lead

    Returns
    -------
    bool, int
        The answer, and the nodes visited.
    """
    last = players - ONE
    depth = ZERO
    nodes = ZERO
    while True:
        nodes += ONE
        decided = False
        answer = False
        key = ZERO
        if place == ZERO:
            if need == ZERO:
                decided = answer = True
            elif need > left:
                decided = True
            elif left == ONE:
                decided = True
                answer = (makers >> last_trick(hands, players, seat)) & ONE == ONE
            else:
                for_makers, for_others = sure_tricks(hands, players, seat, makers)
                if for_makers >= need:
                    decided = answer = True
                elif left - for_others < need:
                    decided = True
                else:
                    key = hands[0] | hands[1] | hands[2] | hands[3] | (seat << U(60))
                    cell = ((key * MIX) >> CELL) << ONE
                    if memo[cell] == key:
                        bounds = memo[cell | ONE]
                        if bounds & U(15) >= need:
                            decided = answer = True
                        elif bounds >> FOUR < need:
                            decided = True
        if decided:
            # Climb to the nearest node where the answer is bad for the player and a move is left.
            frame = ZERO
            while True:
                if depth == ZERO:
                    return answer, nodes
                depth -= ONE
                frame = depth << FRAME
                seat = stack[frame | SEAT]
                hands[seat] |= stack[frame | CARD]
                making = (makers >> seat) & ONE == ONE
                if answer != making and stack[frame | FIRST] | stack[frame | REST] != ZERO:
                    break
                key = stack[frame | KEY]
                if key != ZERO:
                    need = stack[frame | NEED]
                    cell = ((key * MIX) >> CELL) << ONE
                    if memo[cell] != key:
                        memo[cell] = key
                        memo[cell | ONE] = U(0xF0)
                    bounds = memo[cell | ONE]
                    if answer:
                        memo[cell | ONE] = (bounds & U(0xF0)) | need
                    else:
                        memo[cell | ONE] = (bounds & U(15)) | ((need - ONE) << FOUR)
            place = stack[frame | PLACE]
            left = stack[frame | LEFT]
            best = stack[frame | BEST]
            taker = stack[frame | TAKER]
            led = stack[frame | LED]
            need = stack[frame | NEED]
            first = stack[frame | FIRST]
            rest = stack[frame | REST]
        else:
            mine = hands[seat]
            others = (hands[0] | hands[1] | hands[2] | hands[3] | best) & ~mine
            free = PLACES & ~others
            # The carry runs from each gap's start over absent cards to the first card held.
            moves = mine & ((free ^ mine) + (free & ~(free << ONE)))
            if place == ZERO:
                first = ((others | GUARDS) - FIRSTS) & ~others & moves
            else:
                if mine & led != ZERO:
                    moves &= led
                first = moves & (led | TRUMPS) & (best - ONE)
                if place == last and ((makers >> taker) ^ (makers >> seat)) & ONE == ZERO:
                    first = moves ^ first
            rest = moves ^ first
            frame = depth << FRAME
            stack[frame | SEAT] = seat
            stack[frame | PLACE] = place
            stack[frame | LEFT] = left
            stack[frame | BEST] = best
            stack[frame | TAKER] = taker
            stack[frame | LED] = led
            stack[frame | NEED] = need
            stack[frame | KEY] = key
        # Winners before others, the highest first; the last to play takes with the cheapest.
        # Others are tried from the lowest, leads from the highest.
        if first != ZERO:
            card = TOP >> zeros_above(first) if place == last else first & (~first + ONE)
            first ^= card
        else:
            card = rest & (~rest + ONE) if place == ZERO else TOP >> zeros_above(rest)
            rest ^= card
        stack[frame | FIRST] = first
        stack[frame | REST] = rest
        stack[frame | CARD] = card
        hands[seat] ^= card
        depth += ONE
        if place == ZERO:
            led = TRUMPS << (lowest(card) & FIELD_OF)
            best, taker = card, seat
        elif card & (led | TRUMPS) != ZERO and card < best:
            best, taker = card, seat
        if place == last:
            place = ZERO
            seat = taker
            left -= ONE
            need -= (makers >> taker) & ONE
            best = ZERO
        else:
            place += ONE
            seat = ZERO if seat == last else seat + ONE


@jit_lent
def most_tricks(
    hands: Masks,
    stack: Masks,
    memo: Masks,
    players: Any,
    makers: Any,
    seat: Any,
    left: Any,
    place: Any,
    best: Any,
    taker: Any,
    led: Any,
) -> Any:
    """Return the tricks that the makers' side takes of those left; arguments as in `search`.

    A trick under way counts as one of those left.
    """
    memo[:] = ZERO
    taken = ZERO
    while taken < left:
        more, _ = search(
            hands, stack, memo, players, makers, seat, left, taken + ONE, place, best, taker, led
        )
        if not more:
            break
        taken += ONE
    return taken


@jit_lent
def outcome_of(
    hands: Masks, stack: Masks, memo: Masks, players: Any, makers: Any, swept: Any
) -> Any:
    """Return the outcome of five tricks, seat 0 leading, and the nodes visited."""
    memo[:] = ZERO
    made, nodes = search(
        hands, stack, memo, players, makers, ZERO, FIVE, THREE, ZERO, ZERO, ZERO, ZERO
    )
    if made or swept == ONE:
        target = FIVE if made else ONE
        more, extra = search(
            hands, stack, memo, players, makers, ZERO, FIVE, target, ZERO, ZERO, ZERO, ZERO
        )
        nodes += extra
        return (TWO if made else ZERO) + (ONE if more else ZERO), nodes
    return ONE, nodes
