"""Every contract of many random deals, solved with open hands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_bits import (
    FOUR,
    ONE,
    THREE,
    TRUMPS,
    TWO,
    ZERO,
    Masks,
    U,
    count,
    to_trumps,
)
from oddscalc.euchre.kernel_choices import ACES, discard, taken_up
from oddscalc.euchre.kernel_deals import LOTS, random_word, shuffle
from oddscalc.euchre.kernel_plan import (
    P_DEALER,
    P_DECK,
    P_DUMMY,
    P_KNOWN,
    P_MAKER,
    P_POOL,
    P_SEATS,
    P_TAKES,
    P_THROW_UP,
    P_TRUMP,
    P_UP,
)
from oddscalc.euchre.kernel_plays import keep_five, play_tricks, seat_players
from oddscalc.euchre.kernels import CELLS, MOST_PLIES
from oddscalc.jit import jit

CLOSED = np.uint8(255)  # the outcome of a contract that is not open with the upcard
STRATA = 18  # of hands: 0 … 5 trumps, 0, 1 or more side aces
ALIKE = 8  # positions of one trump suit remembered in a deal


@jit
def draw_deals(
    deck: Masks,
    ups: Masks,
    up_of: NDArray[np.uint8],
    dummy: Any,
    seed: Any,
    first: Any,
    deals: Masks,
) -> None:
    """Deal everybody's cards and turn one up, in every row of `deals`.

    Parameters
    ----------
    deck : uint64[cards]
        One bit each, plain layout.
    ups : uint64[upcards]
        The upcards that differ.
    up_of : uint8[cards]
        Which of them each card of the deck is called.
    first : number of the first row's deal
    deals : uint64[deals, seats + 3]
        Written: hands by seat, the dummy, a lot for ties, and the number of the upcard.
    """
    seats = deals.shape[1] - 3
    cards = np.empty(deck.size - 1, np.uint64)
    for row in range(deals.shape[0]):
        number = U(first) + U(row)
        word = random_word(seed ^ random_word(~number))
        up = up_of[((word >> U(32)) * U(deck.size)) >> U(32)]
        size = ZERO
        for card in deck:
            if card != ups[up]:
                cards[size] = card
                size += ONE
        word = shuffle(cards, 5 * seats + dummy, seed, number)
        place = ZERO
        for party in range(seats + 1):
            deals[U(row), U(party)] = ZERO
            for _ in range(dummy if party == seats else 5):
                deals[U(row), U(party)] |= cards[place]
                place += ONE
        deals[U(row), U(seats + 1)] = word % LOTS
        deals[U(row), U(seats + 2)] = U(up)


@jit
def taken_by_maker(own: Any, lot: Any, plan: Masks) -> Any:
    """Return the maker's hand once the upcard is taken, by the rule, if that is the dealer."""
    up = plan[P_UP]
    if plan[P_MAKER] != plan[P_DEALER] or plan[P_DECK] & up == ZERO:
        return own
    six = own | up
    thrown, _ = discard(six, ZERO if plan[P_THROW_UP] == ONE else up, lot)
    return six ^ thrown


@jit
def solve_contracts(
    deals: Masks,
    first: Any,
    plans: Masks,
    seatings: Masks,
    table: Masks,
    points: NDArray[np.int64],
    outcomes: NDArray[np.uint8],
) -> None:
    """Write the outcome of every contract in every deal.

    Parameters
    ----------
    deals : uint64[deals, seats + 3]
        As written by `draw_deals`.
    first : number of the first row's deal
    plans : uint64[upcards, contracts, 18]
        Words P_...; P_SEATS is 0 for a contract that is not open.
    seatings : uint64[contracts, seats + 1, 3]
    table, points
        As in `play_out`; `points` has a row for each contract.
    outcomes : uint8[deals, contracts]
        Codes as in `kernels`, or CLOSED.
    """
    held = np.zeros(4, np.uint64)
    hands = np.zeros(4, np.uint64)
    stack = np.zeros(MOST_PLIES << 4, np.uint64)
    memo = np.zeros(2 * CELLS, np.uint64)
    known = np.zeros((6, ALIKE + 1), np.uint64)
    own_plans = plans.copy()
    seats = deals.shape[1] - 3
    for row in range(deals.shape[0]):
        up = deals[U(row), U(seats + 2)]
        lot = deals[U(row), U(seats + 1)]
        found = 0
        last = FOUR
        for contract in range(plans.shape[1]):
            plan = own_plans[up, U(contract)]
            seating = seatings[U(contract)]
            if plan[P_SEATS] == ZERO:
                outcomes[U(row), U(contract)] = CLOSED
                continue
            trump, maker = plan[P_TRUMP], plan[P_MAKER]
            if trump != last:
                found, last = 0, trump
            five = to_trumps(deals[U(row), maker], trump)
            plan[P_KNOWN] = five | plan[P_UP]
            if plan[P_POOL] == ZERO:
                five = taken_by_maker(five, lot, plan)
            if plan[P_DUMMY] == ONE:
                dummy = to_trumps(deals[U(row), U(seats)], trump)
                pool = five | dummy
                if plan[P_POOL] == ONE:
                    pool |= plan[P_UP]
                five = keep_five(
                    pool, dummy, U(first) + U(row),
                    plan, seating, table, points[U(contract)], held, hands, stack, memo,
                )  # fmt: skip
            for seat in range(seats):
                held[U(seat)] = to_trumps(deals[U(row), U(seat)], trump)
            held[maker] = five
            if plan[P_TAKES] != ZERO:
                dealer = plan[P_DEALER]
                held[dealer] = taken_up(held[dealer], lot, plan)
            players, makers, lone = seat_players(held, plan, seating, hands)
            place = 0
            while place < found and (
                known[4, place] != players
                or known[0, place] != hands[0]
                or known[1, place] != hands[1]
                or known[2, place] != hands[2]
                or known[3, place] != hands[3]
            ):
                place += 1
            made, outcome = known[5, place] >> FOUR, known[5, place] & THREE
            others = ((ONE << players) - ONE) & ~makers
            if place == found or made not in (makers, others):
                outcome = play_tricks(players, makers, ONE, table, hands, stack, memo)
                if found < ALIKE:
                    for seat in range(4):
                        known[U(seat), found] = hands[U(seat)]
                    known[4, found] = players
                    known[5, found] = makers << FOUR | outcome
                    found += 1
            elif made != makers:
                # One side takes what the other leaves, whoever made.
                outcome = THREE - outcome
            outcomes[U(row), U(contract)] = lone | outcome


@jit
def add_strata(deals: Masks, plans: Masks, outcomes: NDArray[np.uint8]) -> None:
    """Add to each outcome 8 times the stratum of the maker's hand: its trumps and side aces.

    Parameters
    ----------
    deals, plans, outcomes
        As in `solve_contracts`; an outcome comes to less than 8 STRATA.
    """
    seats = deals.shape[1] - 3
    for row in range(deals.shape[0]):
        up = deals[U(row), U(seats + 2)]
        lot = deals[U(row), U(seats + 1)]
        for contract in range(plans.shape[1]):
            plan = plans[up, U(contract)]
            if plan[P_SEATS] == ZERO:
                continue
            own = to_trumps(deals[U(row), plan[P_MAKER]], plan[P_TRUMP])
            five = taken_by_maker(own, lot, plan)
            stratum = 3 * count(five & TRUMPS) + min(count(five & ACES), TWO)
            outcomes[U(row), U(contract)] += np.uint8(stratum << THREE)
