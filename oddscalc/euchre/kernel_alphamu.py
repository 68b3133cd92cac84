"""Own next choices that are the same in all worlds that then look alike: αμ search.

Searched with open hands, a player may play each world on as only that world deserves. Here the
player's own next choice, too, has to be one for all worlds in which the same cards have been
played until then (Cazenave and Ventos, "The αμ search algorithm for the game of Bridge"). The
others, the partner among them, are taken to see the cards: each world chooses for itself.

A *vector* tells what one way to play brings in every world: for each of three outcomes a mask of
the worlds, in which it is at least as good for the player. A *front* is the vectors of which none
is as good as another one in every world.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_bits import FIVE, ONE, THREE, TRUMPS, ZERO, Masks, U, count, lowest
from oddscalc.euchre.kernel_table import (
    C_MAKERS,
    C_PLAYERS,
    C_SWEPT,
    T_AWAY,
    T_BEST,
    T_LED,
    T_LEFT,
    T_PLACE,
    T_SEAT,
    T_TAKEN,
    T_TAKER,
    Alike,
    Scratch,
    Table,
    follow,
    legal_cards,
    result_of,
    unknown_cards,
)
from oddscalc.euchre.kernels import search
from oddscalc.jit import jit_lent

MOST_WORLDS = 64
WIDEST = U(16)  # vectors of a front; of more the best by their sum are kept
EVERY = ~ZERO


@jit_lent
def level_words(outcome: Any, making: Any, level: Any) -> Any:
    """Return a mask of all worlds if an outcome is so good for the player, else of none."""
    return EVERY if (outcome > level) == making else ZERO


@jit_lent
def reached(table: Table, scratch: Scratch, world: Any, trick: Masks, target: Any) -> Any:
    """Tell whether the makers reach `target` tricks in all in a world, all cards seen."""
    if trick[T_TAKEN] >= target:
        return True
    need = target - trick[T_TAKEN]
    if need > trick[T_LEFT]:
        return False
    answer, _ = search(
        scratch.alike.worlds[world], scratch.stack, scratch.alike.memos[world],
        table.contract[C_PLAYERS], table.contract[C_MAKERS],
        trick[T_SEAT], trick[T_LEFT], need,
        trick[T_PLACE], trick[T_BEST], trick[T_TAKER], trick[T_LED],
    )  # fmt: skip
    return answer


@jit_lent
def open_outcome(table: Table, scratch: Scratch, world: Any, trick: Masks) -> Any:
    """Return the outcome of a world, all cards seen."""
    if reached(table, scratch, world, trick, THREE):
        return 3 if reached(table, scratch, world, trick, FIVE) else 2
    if table.contract[C_SWEPT] == ONE and not reached(table, scratch, world, trick, ONE):
        return 0
    return 1


@jit_lent
def play_in(alike: Alike, active: Any, seat: Any, card: Any) -> None:
    """Take a card from a player's hand in every world of a mask, or put it back."""
    while active != ZERO:
        alike.worlds[lowest(active), seat] ^= card
        active &= active - ONE


@jit_lent
def add_vector(
    table: Table, front: Masks, size: Any, first: Any, second: Any, third: Any, making: Any
) -> Any:
    """Add a vector to a front unless one there is as good; return the front's size."""
    kept = ZERO
    for row in range(size):
        row = U(row) * THREE
        one, two, three = front[row], front[row + ONE], front[row + U(2)]
        if (first & ~one) | (second & ~two) | (third & ~three) == ZERO:
            return size
        if (one & ~first) | (two & ~second) | (three & ~third) != ZERO:
            to = kept * THREE
            front[to], front[to + ONE], front[to + U(2)] = one, two, three
            kept += ONE
    if kept == WIDEST:
        worst, least = kept, vector_points(table, first, second, third)
        for row in range(kept):
            row = U(row) * THREE
            points = vector_points(table, front[row], front[row + ONE], front[row + U(2)])
            if points < least:
                worst, least = row, points
        if worst == kept:
            return kept
        kept = worst // THREE
        size = WIDEST
    else:
        size = kept + ONE
    to = kept * THREE
    front[to], front[to + ONE], front[to + U(2)] = first, second, third
    return size


@jit_lent
def vector_points(table: Table, first: Any, second: Any, third: Any) -> Any:
    """Return the points of a vector above the least that there can be, all worlds together."""
    worth = table.worth
    return (
        np.int64(count(first)) * (worth[1] - worth[0])
        + np.int64(count(second)) * (worth[2] - worth[1])
        + np.int64(count(third)) * (worth[3] - worth[2])
    )


@jit_lent
def go_on(table: Table, alike: Alike, depth: Any, active: Any, card: Any) -> None:
    """Let the player to play play a card, in all worlds of a mask; `play_in` takes it back."""
    now, after = alike.tricks[depth], alike.tricks[depth + ONE]
    for word in range(now.size):
        after[word] = now[word]
    follow(after, card, table.contract[C_PLAYERS], table.contract[C_MAKERS])
    play_in(alike, active, now[T_SEAT], card)


@jit_lent
def find_front(table: Table, scratch: Scratch, depth: Any, active: Any, deep: Any) -> Any:
    """Write the front of the position `depth` cards on, to that depth's; return its size.

    Parameters
    ----------
    active
        Mask of the worlds in which this position is reached.
    deep
        Own choices that are still made without seeing the cards.
    """
    alike = scratch.alike
    trick, front = alike.tricks[depth], alike.fronts[depth, ZERO]
    me, seat = table.trick[T_SEAT], trick[T_SEAT]
    makers = table.contract[C_MAKERS]
    making = (makers >> me) & ONE == ONE
    least, most = result_of(trick[T_TAKEN]), result_of(trick[T_TAKEN] + trick[T_LEFT])
    if table.contract[C_SWEPT] != ONE:
        least, most = max(least, 1), max(most, 1)
    if deep == ZERO or active & (active - ONE) == ZERO or least == most:
        first, second, third = ZERO, ZERO, ZERO
        while active != ZERO:
            world = lowest(active)
            bit = ONE << world
            active ^= bit
            outcome = least if least == most else open_outcome(table, scratch, world, trick)
            first |= bit & level_words(outcome, making, 0)
            second |= bit & level_words(outcome, making, 1)
            third |= bit & level_words(outcome, making, 2)
        front[0], front[1], front[2] = first, second, third
        return ONE
    below = alike.fronts[depth + ONE, ZERO]
    size = ZERO
    if seat == me:
        mine = alike.worlds[lowest(active), me]
        others = (unknown_cards(table) & ~trick[T_AWAY]) | trick[T_BEST]
        moves = legal_cards(mine, trick[T_LED], others)
        while moves != ZERO:
            card = moves & (~moves + ONE)
            moves ^= card
            go_on(table, alike, depth, active, card)
            found = find_front(table, scratch, depth + ONE, active, deep - ONE)
            play_in(alike, active, seat, card)
            for row in range(found):
                row = U(row) * THREE
                size = add_vector(
                    table, front, size, below[row], below[row + ONE], below[row + U(2)], making
                )
        return size
    # Each world chooses for itself: what is best for the player, or what is worst.
    helping = ((makers >> seat) & ONE == ONE) == making
    good, bad = (most, least) if making else (least, most)
    bound = good if helping else bad
    ends_1 = level_words(bound, making, 0)
    ends_2 = level_words(bound, making, 1)
    ends_3 = level_words(bound, making, 2)
    start = ZERO if helping else active
    front[0] = front[1] = front[2] = start
    size = ONE
    open_yet = active
    tried = ZERO
    joined = alike.fronts[depth, ONE]
    while True:
        # The next card of the first world that has one left.
        card = ZERO
        rest = open_yet
        while rest != ZERO and card == ZERO:
            mine = alike.worlds[lowest(rest), seat]
            if mine & trick[T_LED] != ZERO:
                mine &= trick[T_LED]
            mine &= ~tried
            card = mine & (~mine + ONE)
            if card == ZERO:
                rest &= rest - ONE
        if card == ZERO:
            return size
        tried |= card
        playing = ZERO
        while rest != ZERO:
            world = lowest(rest)
            mine = alike.worlds[world, seat]
            if mine & card != ZERO and (
                card & trick[T_LED] != ZERO or mine & trick[T_LED] == ZERO
            ):
                playing |= ONE << world
            rest &= rest - ONE
        go_on(table, alike, depth, playing, card)
        found = find_front(table, scratch, depth + ONE, playing, deep)
        play_in(alike, playing, seat, card)
        fill = ZERO if helping else ~playing
        total = ZERO
        for row in range(size):
            row = U(row) * THREE
            for other in range(found):
                other = U(other) * THREE
                first, second = below[other] | fill, below[other + ONE] | fill
                third = below[other + U(2)] | fill
                if helping:
                    first, second = first | front[row], second | front[row + ONE]
                    third |= front[row + U(2)]
                else:
                    first, second = first & front[row], second & front[row + ONE]
                    third &= front[row + U(2)]
                total = add_vector(table, joined, total, first, second, third, making)
        size = total
        # Worlds in which nothing can change any more need not be looked at again.
        open_yet = ZERO
        for row in range(size):
            row = U(row) * THREE
            for level in range(THREE):
                front[row + U(level)] = joined[row + U(level)]
            open_yet |= front[row] ^ ends_1
            open_yet |= front[row + ONE] ^ ends_2
            open_yet |= front[row + U(2)] ^ ends_3
        open_yet &= active


@jit_lent
def keep_world(scratch: Scratch, number: Any) -> None:
    """Keep a world to be searched with those that look alike."""
    alike, number = scratch.alike, U(number)
    for player in range(4):
        alike.worlds[number, U(player)] = scratch.world[U(player)]


@jit_lent
def foresee(
    table: Table, scratch: Scratch, worlds: Any, moves: Any, deep: Any, totals: NDArray[np.int64]
) -> None:
    """Lower what moves promise to what they do if the own next choices do not see the cards.

    Parameters
    ----------
    worlds
        How many are kept, at most 64.
    deep
        Own choices so made, the one of the moves not counted.
    totals : int64[moves]
        The makers' points of each move, all cards seen, summed over the worlds. Moves that are
        already behind remain as they are.
    """
    alike, found = scratch.alike, count(moves)
    making = (table.contract[C_MAKERS] >> table.trick[T_SEAT]) & ONE == ONE
    sign = 1 if making else -1
    worth = table.worth
    for word in range(table.trick.size):
        alike.tricks[ZERO, word] = table.trick[word]
    for world in range(worlds):
        alike.memos[U(world)] = ZERO
    active = EVERY >> (U(MOST_WORLDS) - U(worlds))
    most = -(1 << 40)
    tried = ZERO
    for _ in range(found):
        chosen, top = found, most - 1
        for move in range(found):
            if (tried >> U(move)) & ONE == ZERO and sign * totals[move] > top:
                chosen, top = U(move), sign * totals[move]
        if chosen == found or top < most:
            return
        tried |= ONE << chosen
        rest = moves
        for _ in range(chosen):
            rest &= rest - ONE
        card = rest & (~rest + ONE)
        go_on(table, alike, ZERO, active, card)
        size = find_front(table, scratch, ONE, active, deep)
        play_in(alike, active, table.trick[T_SEAT], card)
        front = alike.fronts[ONE, ZERO]
        points = np.int64(0)
        for row in range(size):
            row = U(row) * THREE
            points = max(
                points, vector_points(table, front[row], front[row + ONE], front[row + U(2)])
            )
        points += np.int64(worlds) * (worth[0] if making else -worth[3])
        totals[chosen] = sign * points
        most = max(most, points)
