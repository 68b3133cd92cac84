"""Worlds that look alike to a player: the hidden cards dealt anew."""

from __future__ import annotations

from typing import Any

from oddscalc.euchre.kernel_bits import ONE, ZERO, Masks, U, count
from oddscalc.jit import jit_lent

TRIES = 1000  # before a card that was taken in hand is believed to have been thrown


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
def deal_world(
    world: Masks,
    fixed: Any,
    players: Any,
    unknown: Any,
    sizes: Masks,
    barred: Masks,
    pinned: Any,
    holder: Any,
    word: Any,
) -> Any:
    """Deal the unknown cards to the players who have none, each possible world equally likely.

    Parameters
    ----------
    world : uint64[4]
        Written, but for the rows of `fixed`.
    fixed
        Mask of the players whose cards are dealt already.
    sizes, barred : uint64[4]
        Cards that each player has left; those that each cannot have.
    pinned, holder
        A card that a player is known to have, or 0.

    Returns
    -------
    uint64
        The next random word.
    """
    pinned &= unknown & ~barred[holder]
    if (fixed >> holder) & ONE == ONE:
        pinned = ZERO
    tries = 0
    while True:
        tries += 1
        if tries > TRIES:
            pinned = ZERO
        free = unknown & ~pinned
        rest = free
        fits = True
        done = fixed
        claimed, drawn = ZERO, ZERO
        for _ in range(players - count(fixed)):
            # Who may have the fewest cards draws first.
            turn, fewest = ZERO, U(64)
            for other in range(players):
                room = count(free & ~barred[U(other)])
                if (done >> U(other)) & ONE == ZERO and room < fewest:
                    turn, fewest = U(other), room
            done |= ONE << turn
            mine = pinned if turn == holder else ZERO
            wanted = sizes[turn] - count(mine)
            room = count(rest & ~barred[turn])
            if room < wanted:
                fits = False
                break
            aside = count(claimed & barred[turn])
            if aside != ZERO:
                # The fewer cards the others left to this player, the fewer worlds follow.
                most = ways(fewest - (drawn - aside if drawn > aside else ZERO), wanted)
                word = next_word(word)
                if ((word >> U(40)) * most) >> U(24) >= ways(room, wanted):
                    fits = False
                    break
            taken, word = draw(rest & ~barred[turn], wanted, word)
            world[turn] = mine | taken
            rest ^= taken
            claimed |= free & ~barred[turn]
            drawn += wanted
        if fits:
            return word
