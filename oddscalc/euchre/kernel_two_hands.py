"""The bidding of two hands over all deals with one upcard."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_bits import ZERO, Masks, U
from oddscalc.euchre.kernel_deals import LOTS, random_word
from oddscalc.euchre.kernel_library import solve_contracts
from oddscalc.jit import jit

# Sums for a hand over the other's: weights of its turns in both rounds, points of making in round
# one, of the other's bids between its turns, of all that follows its last pass, of naming a suit.
S_FIRST, S_SECOND, S_MAKE, S_BETWEEN, S_AFTER, S_NAME = range(6)
SUITS = 4
SUMS = S_NAME + SUITS


@jit
def code_pairs(
    own: Any,
    hands: Masks,
    up: Any,
    plans: Masks,
    seatings: Masks,
    table: Masks,
    points: NDArray[np.int64],
    deals: Masks,
    outcomes: NDArray[np.uint8],
    codes: NDArray[np.uint32],
) -> None:
    """Write the outcomes of all contracts, two bits each, of one hand against each other hand.

    Parameters
    ----------
    own : number of the first player's hand
    hands : uint64[hands]
        All hands without the upcard, plain layout.
    up : number of the upcard
    plans, seatings, table, points
        As in `kernel_library.solve_contracts`.
    deals, outcomes : uint64[pairs, 5], uint8[pairs, contracts]
        Scratch; `pairs` hands have no card of the own one.
    codes : uint32[pairs]
    """
    row = 0
    for other in range(hands.size):
        if hands[other] & hands[own] == ZERO:
            deals[row, 0], deals[row, 1], deals[row, 2] = hands[own], hands[other], ZERO
            deals[row, 3] = random_word(hands[own] ^ random_word(hands[other])) % LOTS
            deals[row, 4] = up
            row += 1
    solve_contracts(deals, 0, plans, seatings, table, points, outcomes)
    for pair in range(row):
        code = np.uint32(0)
        for contract in range(outcomes.shape[1]):
            code |= np.uint32(outcomes[pair, contract] & 3) << np.uint32(2 * contract)
        codes[pair] = code


@jit
def sum_pairs(
    firsts: NDArray[np.int64],
    weights: NDArray[np.float64],
    hands: Masks,
    codes: NDArray[Any],
    contracts: NDArray[np.int64],
    points: NDArray[np.float64],
    passes_first: NDArray[np.float64],
    passes_other: NDArray[np.float64],
    names_first: NDArray[np.float64],
    names_other: NDArray[np.float64],
    sums_first: NDArray[np.float64],
    sums_other: NDArray[np.float64],
) -> None:
    """Sum up what actions earn, for both players' hands, each given how the other bids.

    Parameters
    ----------
    firsts, weights : int64[n], float64[n]
        Numbers of hands of the first player, and for how many each stands.
    hands : uint64[hands]
    codes : uint[n, pairs]
        As in `code_pairs`.
    contracts : int64[2, 1 + SUITS]
        By player: the contract of making in round one, of each suit in round two; -1 for none.
    points : float64[2, contracts, 4]
        The first player's points, whoever makes.
    passes_first, passes_other : float64[hands]
        Chances of a pass in round one.
    names_first, names_other : float64[hands, 1 + SUITS]
        Chances in round two: a pass, each suit.
    sums_first, sums_other : float64[n, SUMS], float64[hands, SUMS]
        Added to: points of the hand's own player.
    """
    earned = np.empty((2, 1 + SUITS))
    for place in range(firsts.size):
        own = firsts[place]
        weight = weights[place]
        come = weight * passes_first[own]
        again = come * names_first[own, 0]
        mine = sums_first[place]
        pair = 0
        for other in range(hands.size):
            if hands[other] & hands[own] != ZERO:
                continue
            code = np.uint64(codes[place, pair])
            pair += 1
            for player in range(2):
                for action in range(1 + SUITS):
                    contract = contracts[player, action]
                    if contract >= 0:
                        earned[player, action] = points[
                            player, contract, code >> U(2 * contract) & U(3)
                        ]
            passed = passes_other[other]
            after, between = 0.0, 0.0
            for suit in range(1, 1 + SUITS):
                if contracts[1, suit] >= 0:
                    after += names_other[other, suit] * earned[1, suit]
                    between += names_first[own, suit] * earned[0, suit]
                    mine[S_NAME + suit - 1] += passed * earned[0, suit]
                    sums_other[other, S_NAME + suit - 1] -= again * earned[1, suit]
            mine[S_FIRST] += 1.0
            mine[S_SECOND] += passed
            mine[S_MAKE] += earned[0, 0]
            mine[S_BETWEEN] += (1.0 - passed) * earned[1, 0]
            mine[S_AFTER] += passed * after
            sums_other[other, S_FIRST] += come
            sums_other[other, S_SECOND] += again
            sums_other[other, S_MAKE] -= come * earned[1, 0]
            sums_other[other, S_BETWEEN] -= come * between


@jit
def tally_pairs(
    firsts: NDArray[np.int64],
    weights: NDArray[np.float64],
    hands: Masks,
    codes: NDArray[Any],
    contracts: NDArray[np.int64],
    passes_first: NDArray[np.float64],
    passes_other: NDArray[np.float64],
    names_first: NDArray[np.float64],
    names_other: NDArray[np.float64],
    tally: NDArray[np.float64],
) -> None:
    """Add up how often each contract is made and how it ends; arguments as in `sum_pairs`.

    Parameters
    ----------
    tally : float64[contracts + 1, 4]
        By contract and outcome; in the last row, first, deals in which all pass.
    """
    for place in range(firsts.size):
        own = firsts[place]
        pair = 0
        for other in range(hands.size):
            if hands[other] & hands[own] != ZERO:
                continue
            code = np.uint64(codes[place, pair])
            pair += 1
            left = weights[place]
            for turn in range(4):
                player = turn & 1
                names = names_first[own] if player == 0 else names_other[other]
                passed = passes_first[own] if player == 0 else passes_other[other]
                if turn < 2:
                    contract = contracts[player, 0]
                    tally[contract, code >> U(2 * contract) & U(3)] += left * (1.0 - passed)
                    left *= passed
                else:
                    for suit in range(1, 1 + SUITS):
                        contract = contracts[player, suit]
                        if contract >= 0:
                            tally[contract, code >> U(2 * contract) & U(3)] += left * names[suit]
                    left *= names[0]
            tally[tally.shape[0] - 1, 0] += left
