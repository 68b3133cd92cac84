"""Deals of the unseen cards: drawn at random, or all of them as patterns with weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_bits import FOUR, MIX, ONE, ZERO, Masks, U, copy_words, lowest
from oddscalc.jit import jit

LOTS = U(6)  # a deal's lot decides between up to three suits alike


@jit
def random_word(state: Any) -> Any:
    """Return the word of a counter (splitmix64): the same for the same counter, everywhere."""
    word = state * MIX
    word = (word ^ (word >> U(30))) * U(0xBF58_476D_1CE4_E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D0_49BB_1331_11EB)
    return word ^ (word >> U(31))


@jit
def random_shares(seed: Any, first: Any, shares: NDArray[np.float64]) -> None:
    """Write a random number from 0 to 1 for each deal, `first` being the first one's number."""
    for row in range(shares.size):
        word = random_word(seed ^ random_word(U(first) + U(row)))
        shares[row] = (word >> U(11)) * (1.0 / (1 << 53))


@jit
def shuffle(cards: Masks, wanted: Any, seed: Any, deal: Any) -> Any:
    """Draw the first `wanted` of `cards` at random, in place; return a further random word.

    What is drawn depends on the order of `cards`, the seed and the number of the deal.
    """
    state = random_word(seed ^ random_word(deal + ONE))
    size = U(cards.size)
    for place in range(wanted):
        state += ONE
        # 32 random bits for at most 32 cards: no card is favoured by more than one in 10^8.
        pick = U(place) + (((random_word(state) >> U(32)) * (size - U(place))) >> U(32))
        cards[U(place)], cards[pick] = cards[pick], cards[U(place)]
    return random_word(state + ONE)


@jit
def deal_hands(
    unseen: Masks, holders: Masks, dummy: Any, seed: Any, first: Any, deals: Masks
) -> None:
    """Deal five unseen cards to each holder and `dummy` to the dummy, in every row of `deals`.

    Parameters
    ----------
    unseen : uint64[cards]
        One bit each, plain layout.
    holders : uint64[parties]
        Seats that get cards.
    first : number of the first row's deal
    deals : uint64[deals, seats + 2]
        Hands by seat, the dummy, and a lot for ties (0 … 5). Other columns are left alone.
    """
    cards = unseen.copy()
    last = U(deals.shape[1] - 1)
    for row in range(deals.shape[0]):
        copy_words(unseen, cards)
        word = shuffle(cards, 5 * holders.size + dummy, seed, U(first) + U(row))
        deals[U(row), last] = word % LOTS
        place = ZERO
        for party in range(holders.size):
            hand = ZERO
            for _ in range(5):
                hand |= cards[place]
                place += ONE
            deals[U(row), holders[U(party)]] = hand
        hand = ZERO
        for _ in range(dummy):
            hand |= cards[place]
            place += ONE
        deals[U(row), last - ONE] = hand


@jit
def group_cards(unseen: Any, walls: Any, cards: Masks, sizes: NDArray[np.int64]) -> Any:
    """Part the unseen cards into groups of alike ones; return how many groups there are.

    Cards of a suit are alike if no wall ranks between them.

    Parameters
    ----------
    unseen, walls : trump layout; a wall may itself be unseen: then it is a group of its own
    cards : uint64[unseen], sizes : int64[unseen]
        Written: the cards group by group, and how many are in each group.
    """
    groups, place = 0, 0
    last = ZERO
    while unseen != ZERO:
        card = unseen & (~unseen + ONE)
        unseen ^= card
        # Bits from the last card to this one, both included.
        between = (card | (card - ONE)) & ~(last - ONE)
        if last == ZERO or between & walls != ZERO or lowest(card) >> FOUR != lowest(last) >> FOUR:
            sizes[groups] = 0
            groups += 1
        sizes[groups - 1] += 1
        cards[place] = card
        place += 1
        last = card
    return groups


@jit
def count_patterns(sizes: NDArray[np.int64], wanted: Any) -> Any:
    """Return in how many ways `wanted` cards are taken from groups of alike cards."""
    ways = np.zeros(wanted + 1, np.int64)
    ways[0] = 1
    for size in sizes:
        for total in range(wanted, 0, -1):
            for taken in range(1, min(size, total) + 1):
                ways[total] += ways[total - taken]
    return ways[wanted]


@jit
def list_patterns(
    sizes: NDArray[np.int64], wanted: Any, patterns: NDArray[np.int64], weights: NDArray[np.int64]
) -> None:
    """Write every way to take `wanted` cards from groups, and the choices of cards it stands for.

    Parameters
    ----------
    sizes : int64[groups]
    patterns : int64[n, groups], weights : int64[n]
        With `n` from `count_patterns`.
    """
    groups = sizes.size
    taken = np.zeros(groups, np.int64)
    room = np.zeros(groups + 1, np.int64)
    for group in range(groups - 1, -1, -1):
        room[group] = room[group + 1] + sizes[group]
    for row in range(weights.size):
        if row > 0:
            # Give one card more to the last group that can take it, then the least to those after.
            group, after = groups - 1, 0
            while taken[group] == sizes[group] or after == 0:
                after += taken[group]
                group -= 1
            taken[group] += 1
            for later in range(group + 1, groups):
                taken[later] = 0
        total = wanted
        for group in range(groups):
            total -= taken[group]
        for group in range(groups - 1, -1, -1):
            more = min(total, sizes[group] - taken[group])
            taken[group] += more
            total -= more
        weight = 1
        for group in range(groups):
            patterns[row, group] = taken[group]
            for card in range(taken[group]):
                weight = weight * (sizes[group] - card) // (card + 1)
        weights[row] = weight


@jit
def deal_worlds(
    cards: Masks,
    sizes: NDArray[np.int64],
    patterns: NDArray[np.int64],
    holders: Masks,
    of_fifteen: Masks,
    of_ten: Masks,
    first: Any,
    deals: Masks,
) -> None:
    """Write rows `first`, `first + 1` … of all worlds: a pattern of live cards, then their owners.

    Parameters
    ----------
    cards : uint64[unseen]
        One bit each, group by group.
    sizes, patterns
        As in `list_patterns`; a pattern tells how many cards of each group are live.
    holders : uint64[1 … 3]
        Seats that get five live cards each.
    of_fifteen, of_ten : uint64[3003, 5], uint64[252, 5]
        Every choice of five places.
    """
    parties = holders.size
    live = np.zeros(15, np.uint64)
    each = 1
    if parties > 1:
        each *= of_ten.shape[0]
    if parties > 2:
        each *= of_fifteen.shape[0]
    for row in range(deals.shape[0]):
        world = first + row
        pattern, arrangement = world // each, world % each
        size, start = 0, 0
        for group in range(sizes.size):
            for place in range(patterns[pattern, group]):
                live[size] = cards[start + place]
                size += 1
            start += sizes[group]
        choices = of_fifteen if parties == 3 else of_ten
        for party in range(parties - 1):
            choice = arrangement % choices.shape[0]
            arrangement //= choices.shape[0]
            hand = ZERO
            for pick in range(5):
                place = choices[choice, pick]
                hand |= live[place]
                live[place] = ZERO
            deals[U(row), holders[party]] = hand
            size = 0
            for place in range(15):
                if live[place] != ZERO:
                    live[size] = live[place]
                    if size != place:
                        live[place] = ZERO
                    size += 1
            choices = of_ten
        hand = ZERO
        for place in range(5):
            hand |= live[place]
        deals[U(row), holders[parties - 1]] = hand
