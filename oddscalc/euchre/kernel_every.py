"""Every world that looks alike to a player, where they are few: in the last tricks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import (
    Told,
    bids_chance,
    needs_dead,
)
from oddscalc.euchre.kernel_bits import ONE, TWO, ZERO, Masks, U, count
from oddscalc.euchre.kernel_table import (
    C_HOLDER,
    C_PINNED,
    C_PLAYERS,
    T_SEAT,
    Table,
    unknown_cards,
)
from oddscalc.euchre.kernel_worlds import ways
from oddscalc.jit import jit_lent


@jit_lent
def next_choice(choice: Any) -> Any:
    """Return the next greater number with as many bits set."""
    if choice == ZERO:
        return ~ZERO
    bit = choice & (~choice + ONE)
    carried = choice + bit
    return (((carried ^ choice) >> TWO) // bit) | carried


@jit_lent
def cards_of(cards: Any, choice: Any) -> Any:
    """Return the cards that a choice takes, by their order."""
    taken = ZERO
    while choice != ZERO:
        if choice & ONE == ONE:
            taken |= cards & (~cards + ONE)
        cards &= cards - ONE
        choice >>= ONE
    return taken


@jit_lent
def list_worlds(
    table: Table,
    told: Told,
    believing: Any,
    sizes: Masks,
    worlds: Masks,
    weights: NDArray[np.float64],
    most: Any,
) -> Any:
    """Write every world that is possible for the player to play; return how many there are.

    Parameters
    ----------
    believing
        Whether worlds count as the bidding makes them likely; impossible ones are left out then.
    sizes : uint64[4]
        Cards that each player has left.
    worlds : uint64[most, 4]
        Rows of the players to be written; the one to play keeps what is there.
    weights : float64[most]
    most
        If there are more than so many, that is found instead: 0 worlds.
    """
    players, me = table.contract[C_PLAYERS], table.trick[T_SEAT]
    unknown = unknown_cards(table)
    holder = table.contract[C_HOLDER]
    pinned = table.contract[C_PINNED] & unknown & ~table.barred[holder]
    one = (me + ONE) % players
    two = (me + TWO) % players
    three = (me + U(3)) % players if players > U(3) else me
    size_2 = sizes[two] if players > TWO else ZERO
    size_3 = sizes[three] if players > U(3) else ZERO
    bids = table.bids
    # Of whom the cards out of play tell, which are known once all hands are.
    late_1, late_2 = needs_dead(bids, one), needs_dead(bids, two)
    found = ZERO
    cards_1 = unknown & ~table.barred[one]
    free = count(cards_1)
    hidden = count(unknown)
    room_2 = min(count(unknown & ~table.barred[two]), hidden - sizes[one])
    room_3 = min(count(unknown & ~table.barred[three]), hidden - sizes[one] - size_2)
    bound = ONE
    for turn in range(3):
        player = one if turn == 0 else two if turn == 1 else three
        room = free if turn == 0 else room_2 if turn == 1 else room_3
        size = sizes[one] if turn == 0 else size_2 if turn == 1 else size_3
        held = ONE if pinned != ZERO and player == holder and player != me else ZERO
        bound *= ways(room - held, size - held)
    # With suits that players lack it is no more than a bound.
    if bound > most << ONE:
        return ZERO
    choice_1 = (ONE << sizes[one]) - ONE
    while choice_1 >> free == ZERO:
        hand_1 = cards_of(cards_1, choice_1)
        choice_1 = next_choice(choice_1)
        if holder == one and pinned & ~hand_1 != ZERO:
            continue
        chance_1 = 1.0
        if believing and not late_1:
            chance_1 = bids_chance(bids, told, one, hand_1 | table.shown[one], ZERO)
            if chance_1 == 0.0:
                continue
        cards_2 = unknown & ~hand_1 & ~table.barred[two]
        free_2 = count(cards_2)
        choice_2 = (ONE << size_2) - ONE
        while choice_2 >> free_2 == ZERO:
            hand_2 = cards_of(cards_2, choice_2)
            choice_2 = next_choice(choice_2)
            if two != me and holder == two and pinned & ~hand_2 != ZERO:
                continue
            chance_2 = chance_1
            if believing and not late_2 and players > TWO:
                chance_2 *= bids_chance(bids, told, two, hand_2 | table.shown[two], ZERO)
                if chance_2 == 0.0:
                    continue
            cards_3 = unknown & ~hand_1 & ~hand_2 & ~table.barred[three]
            if three == me:
                cards_3 = ZERO
            free_3 = count(cards_3)
            choice_3 = (ONE << size_3) - ONE
            while choice_3 >> free_3 == ZERO:
                hand_3 = cards_of(cards_3, choice_3)
                choice_3 = next_choice(choice_3)
                if three != me and holder == three and pinned & ~hand_3 != ZERO:
                    continue
                chance = chance_2
                dead = unknown & ~hand_1 & ~hand_2 & ~hand_3
                if believing and late_1:
                    chance *= bids_chance(bids, told, one, hand_1 | table.shown[one], dead)
                if believing and late_2 and players > TWO:
                    chance *= bids_chance(bids, told, two, hand_2 | table.shown[two], dead)
                if believing and three != me:
                    chance *= bids_chance(bids, told, three, hand_3 | table.shown[three], dead)
                if chance == 0.0:
                    continue
                if found == most:
                    return ZERO
                if players > U(3):
                    worlds[found, three] = hand_3
                if players > TWO:
                    worlds[found, two] = hand_2
                worlds[found, one] = hand_1
                weights[found] = chance
                found += ONE
    return found
