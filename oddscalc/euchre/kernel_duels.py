"""Closed play of two: every hand that the other may hold is looked up, none is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import Told, bids_chance
from oddscalc.euchre.kernel_bits import ONE, TRUMPS, ZERO, Masks, U, count
from oddscalc.euchre.kernel_choices import ACES
from oddscalc.euchre.kernel_deals import (
    count_patterns,
    group_cards,
    list_patterns,
    random_word,
)
from oddscalc.euchre.kernel_pairs import lead_tricks, reply_tricks
from oddscalc.euchre.kernel_table import (
    C_HOLDER,
    C_MAKERS,
    C_PINNED,
    T_BEST,
    T_LED,
    T_LEFT,
    T_PLACE,
    T_SEAT,
    T_TAKEN,
    Table,
    result_of,
    unknown_cards,
)
from oddscalc.jit import jit

TOPS = U(0b1111)  # the highest trumps, at which the bidding looks hard
FINE = 1 << 16  # steps of a chance


@jit
def list_hands(table: Table, walls: Any) -> Any:
    """Return the hands that the other player may hold, of those that are alike only one.

    Parameters
    ----------
    walls
        Cards of a suit are alike if no wall ranks between them.

    Returns
    -------
    uint64[n], int64[n]
        The hands, and how many each stands for.
    """
    other = ONE - table.trick[T_SEAT]
    unknown = unknown_cards(table) & ~table.barred[other]
    pinned = ZERO
    if table.contract[C_HOLDER] == other:
        pinned = table.contract[C_PINNED] & unknown
    held = table.trick[T_LEFT] - table.trick[T_PLACE]
    if held == ZERO:
        pinned = ZERO
    unknown ^= pinned
    wanted = int(held - count(pinned))
    cards = np.zeros(int(count(unknown)), np.uint64)
    sizes = np.zeros(cards.size, np.int64)
    sizes = sizes[: group_cards(unknown, walls, cards, sizes)]
    found = count_patterns(sizes, wanted)
    patterns = np.zeros((found, sizes.size), np.int64)
    weights = np.zeros(found, np.int64)
    list_patterns(sizes, wanted, patterns, weights)
    hands = np.zeros(found, np.uint64)
    for row in range(found):
        hand = pinned
        start = 0
        for group in range(sizes.size):
            for place in range(patterns[row, group]):
                hand |= cards[start + place]
            start += sizes[group]
        hands[row] = hand
    return hands, weights


@jit
def makers_tricks(table: Table, pairs: Masks, card: Any, hand: Any) -> Any:
    """Return the makers' tricks in all once a card is played, the other player having `hand`."""
    trick = table.trick
    me, left = trick[T_SEAT], trick[T_LEFT]
    mine = table.hands[me]
    if trick[T_PLACE] == ZERO:
        tricks = lead_tricks(pairs, mine, hand, left, card)
    else:
        takes = card & (trick[T_LED] | TRUMPS) != ZERO and card < trick[T_BEST]
        tricks = left - reply_tricks(pairs, hand, mine ^ card, left, not takes)
    if (table.contract[C_MAKERS] >> me) & ONE == ZERO:
        tricks = left - tricks
    return trick[T_TAKEN] + tricks


@jit
def known_number(table: Table) -> Any:
    """Return a number that stands for all that decides the choice of the player to play.

    What the bidding tells is left out: it is the same in all that share a scratch.
    """
    me = table.trick[T_SEAT]
    other = ONE - me
    word = random_word(table.hands[me])
    word = random_word(word ^ table.seen[me])
    word = random_word(word ^ table.barred[other])
    word = random_word(word ^ table.shown[other])
    word = random_word(word ^ table.skills[me])
    for words in (table.trick, table.contract, table.bids.words, table.bids.seats):
        for part in words:
            word = random_word(word ^ part)
    for points in table.worth:
        word = random_word(word ^ U(points))
    return word


@jit
def weigh_moves(
    table: Table, told: Told, believing: Any, moves: Any, totals: NDArray[np.int64]
) -> None:
    """Write what each move promises over all hands of the other player, by the order of the bits.

    Parameters
    ----------
    believing
        Whether hands count as the bidding makes them likely.
    totals : int64[moves]
    """
    me = table.trick[T_SEAT]
    other = ONE - me
    walls = table.hands[me] | table.trick[T_BEST]
    if believing:
        walls |= TOPS | ACES
    hands, weights = list_hands(table, walls)
    unknown = unknown_cards(table)
    totals[:] = 0
    for row in range(hands.size):
        hand, weight = hands[row], weights[row]
        if believing:
            five = hand | table.shown[other]
            chance = bids_chance(table.bids, told, other, five, unknown & ~hand)
            weight *= 1 + int(FINE * chance)
        rest = moves
        for move in range(count(moves)):
            tricks = makers_tricks(table, table.pairs, rest & (~rest + ONE), hand)
            totals[move] += weight * table.worth[result_of(tricks)]
            rest &= rest - ONE
