"""Every position of two hands, solved once and looked up."""

from __future__ import annotations

from typing import Any

from oddscalc.euchre.kernel_bits import (
    FIELD_OF,
    MIX,
    ONE,
    TRUMPS,
    ZERO,
    Masks,
    U,
    count,
    lowest,
    zeros_above,
)
from oddscalc.jit import jit

CODE = U(11)  # bits for the owners of a suit's cards, and a leading one


@jit
def pair_key(leader: Any, other: Any) -> Any:
    """Return a number for a two-handed position that depends only on owners in rank order."""
    key = ZERO
    for field in range(4):
        shift = U(16 * field)
        cards = ((leader | other) >> shift) & TRUMPS
        own = (leader >> shift) & TRUMPS
        code = ONE
        while cards != ZERO:
            card = cards & (~cards + ONE)
            cards ^= card
            code = (code << ONE) | (ONE if own & card != ZERO else ZERO)
        key = (key << CODE) | code
    return key


@jit
def pair_cell(table: Masks, key: Any) -> Any:
    """Return the cell of `key` in the tablebase: its own, or the free one where it belongs.

    A cell is the key, shifted left by 8, and the leader's tricks plus 1; a free one is 0.
    """
    size = U(table.size)
    cell = (key * MIX) >> (U(1) + zeros_above(size))
    while table[cell] != ZERO and table[cell] >> U(8) != key:
        cell = (cell + ONE) & (size - ONE)
    return cell


@jit
def pair_tricks(table: Masks, leader: Any, other: Any) -> Any:
    """Return the leader's tricks of a two-handed position of the tablebase."""
    return (table[pair_cell(table, pair_key(leader, other))] & U(0xFF)) - ONE


@jit
def solve_pairs(table: Masks, size: Any, longest: Any) -> Any:
    """Fill in all two-handed positions of `size` cards each; smaller ones must be there.

    Parameters
    ----------
    longest : int64[4]
        Most cards of each field: trumps, the other suit of the colour, the two others.

    Returns
    -------
    int
        How many there are, up to cards that are equivalent.
    """
    found = 0
    cards = 2 * size
    for a in range(min(longest[0], cards) + 1):
        for b in range(min(longest[1], cards - a) + 1):
            for c in range(min(longest[2], cards - a - b) + 1):
                if cards - a - b - c > longest[3]:
                    continue
                lengths = (a, b, c, cards - a - b - c)
                for owners in range(1 << cards):
                    if count(U(owners)) != U(size):
                        continue
                    leader, other = ZERO, ZERO
                    owner = U(owners)
                    for field in range(4):
                        for step in range(lengths[field]):
                            card = ONE << U(16 * field + step)
                            if owner & ONE == ONE:
                                leader |= card
                            else:
                                other |= card
                            owner >>= ONE
                    key = pair_key(leader, other)
                    tricks = pair_value(table, leader, other, U(size))
                    table[pair_cell(table, key)] = (key << U(8)) | (tricks + ONE)
                    found += 1
    return found


@jit
def pair_value(table: Masks, leader: Any, other: Any, size: Any) -> Any:
    """Return the leader's tricks by trying every lead and reply on the smaller positions."""
    most = ZERO
    leads = leader
    while leads != ZERO:
        lead = leads & (~leads + ONE)
        leads ^= lead
        most = max(most, lead_tricks(table, leader, other, size, lead))
    return most


@jit
def lead_tricks(table: Masks, leader: Any, other: Any, size: Any, lead: Any) -> Any:
    """Return the leader's tricks with a lead, by trying every reply on the smaller positions."""
    led = TRUMPS << (lowest(lead) & FIELD_OF)
    replies = other & led if other & led != ZERO else other
    least = size
    while replies != ZERO:
        reply = replies & (~replies + ONE)
        replies ^= reply
        loses = reply & (led | TRUMPS) != ZERO and reply < lead
        tricks = reply_tricks(table, leader ^ lead, other ^ reply, size, not loses)
        least = min(least, tricks)
    return least


@jit
def reply_tricks(table: Masks, leader: Any, other: Any, size: Any, takes: Any) -> Any:
    """Return the leader's tricks of `size`, the first being over: taken by the leader, or not."""
    if takes:
        return ONE if size == ONE else ONE + pair_tricks(table, leader, other)
    return ZERO if size == ONE else size - ONE - pair_tricks(table, other, leader)
