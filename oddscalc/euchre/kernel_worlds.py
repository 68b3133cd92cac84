"""Worlds that look alike to a player: the hidden cards dealt anew."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oddscalc.euchre.kernel_bits import ONE, ZERO, Masks, U, count
from oddscalc.jit import jit, jit_lent

MOST_CARDS = 32


class Lots(NamedTuple):
    """How the unknown cards are dealt, one player's turn after the other.

    Attributes
    ----------
    cards : uint64[MOST_CARDS]; the cards, in any order
    turns, rooms : uint64[4]; the players in turn, and how many of the cards each might have
    pinned : uint64[1]; one more card, which a player is known to have, or 0
    """

    cards: Masks
    turns: Masks
    rooms: Masks
    pinned: Masks


@jit
def new_lots() -> Any:
    """Return room for the lots of one player's worlds."""
    return Lots(
        np.zeros(MOST_CARDS, np.uint64),
        np.zeros(4, np.uint64),
        np.zeros(4, np.uint64),
        np.zeros(1, np.uint64),
    )


@jit_lent
def next_word(word: Any) -> Any:
    """Return the random word after this one; the high bits are the random ones."""
    return word * U(6364136223846793005) + U(1442695040888963407)


@jit_lent
def draw(cards: Any, wanted: Any, word: Any) -> Any:
    """Return `wanted` of the cards, each choice equally likely, and the next random word."""
    size = count(cards)
    taken = ZERO
    while wanted > ZERO:
        # One pass over the cards: each is taken with the chance that is due to it.
        card = cards & (~cards + ONE)
        cards ^= card
        word = next_word(word)
        if ((word >> U(32)) * size) >> U(32) < wanted:
            taken |= card
            wanted -= ONE
        size -= ONE
    return taken, word


@jit_lent
def ways(cards: Any, wanted: Any) -> Any:
    """Return how many choices of `wanted` of so many cards there are; 0 if they do not suffice."""
    if cards < wanted:
        return ZERO
    number = ONE
    for step in range(wanted):
        number = number * (cards - U(step)) // (U(step) + ONE)
    return number


@jit_lent
def pick(cards: Masks, done: Any, size: Any, barred: Any, word: Any) -> Any:
    """Bring one of the cards from place `done` on to that place, any but the barred ones.

    Parameters
    ----------
    cards : uint64[cards]
        In any order; those from place `done` to `size` are to be had.

    Returns
    -------
    uint64, uint64
        The card and the next random word.
    """
    while True:
        word = next_word(word)
        place = done + (((word >> U(32)) * (size - done)) >> U(32))
        card = cards[place]
        if card & barred == ZERO:
            cards[place] = cards[done]
            cards[done] = card
            return card, word


@jit_lent
def list_lots(
    lots: Lots, fixed: Any, players: Any, free: Any, barred: Masks, pinned: Any, first: Any
) -> None:
    """Write who is dealt cards in which order: who may have the fewest cards comes first.

    Parameters
    ----------
    fixed
        Mask of the players whose cards are known.
    free, pinned
        Cards to deal, and one more that a player is known to have, or 0.
    barred : uint64[4]
        Cards that each player cannot have.
    first
        Who comes first of those who may have the same number of cards.
    """
    lots.pinned[0] = pinned
    size = 0
    while free != ZERO:
        card = free & (~free + ONE)
        lots.cards[size] = card
        free ^= card
        size += 1
    turn = 0
    for player in range(players):
        if (fixed >> U(player)) & ONE == ONE:
            continue
        room = ZERO
        for place in range(size):
            room += ONE if lots.cards[place] & barred[U(player)] == ZERO else ZERO
        after = turn
        while after > 0 and (
            lots.rooms[after - 1] > room or (lots.rooms[after - 1] == room and U(player) == first)
        ):
            lots.rooms[after] = lots.rooms[after - 1]
            lots.turns[after] = lots.turns[after - 1]
            after -= 1
        lots.rooms[after], lots.turns[after] = room, U(player)
        turn += 1


@jit_lent
def deal_hand(
    lots: Lots, turn: Any, done: Any, rest: Any, claimed: Any, wanted: Any, barred: Any, word: Any
) -> Any:
    """Deal the cards of one turn, after those of the turns before; all worlds are equally likely.

    Parameters
    ----------
    done, rest
        How many of the cards are dealt, and which are not.
    claimed
        The cards that the players of the turns before might have had.
    wanted, barred
        How many cards the player gets, and which not.

    Returns
    -------
    bool, uint64, uint64
        Whether it can be and shall be, the cards, and the next random word.
    """
    room = count(rest & ~barred)
    if room < wanted:
        return False, ZERO, word
    aside = count(claimed & barred)
    if aside != ZERO:
        # The fewer cards the others left to this player, the fewer worlds follow.
        most = ways(lots.rooms[turn] - (done - aside if done > aside else ZERO), wanted)
        word = next_word(word)
        if ((word >> U(40)) * most) >> U(24) >= ways(room, wanted):
            return False, ZERO, word
    taken, size = ZERO, done + count(rest)
    for step in range(wanted):
        card, word = pick(lots.cards, done + U(step), size, barred, word)
        taken |= card
    return True, taken, word
