"""One bid played out closed in many deals, and the cards of one decision weighed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import (
    B_ACTION,
    B_DEALER,
    B_MAKER,
    B_MERGED,
    B_ROUND,
    B_TAKEN,
    B_TRUMP,
    B_UP,
    B_UP_PLAIN,
    Policy,
    to_plain,
)
from oddscalc.euchre.kernel_bits import FIVE, FOUR, ONE, TWO, ZERO, Masks, U, to_trumps
from oddscalc.euchre.kernel_choices import discard, taken_up
from oddscalc.euchre.kernel_closed import (
    C_DECK,
    C_HOLDER,
    C_MAKERS,
    C_PINNED,
    C_PLAYERS,
    C_SWEPT,
    T_LEFT,
    Table,
    new_scratch,
    new_table,
    play_on,
)
from oddscalc.euchre.kernel_deals import random_word
from oddscalc.euchre.kernel_plan import (
    P_ALONE,
    P_DEALER,
    P_DECK,
    P_DUMMY,
    P_KNOWN,
    P_MAKER,
    P_POOL,
    P_SEATS,
    P_SEED,
    P_SWEPT,
    P_TAKES,
    P_THROW_UP,
    P_TRUMP,
    P_UP,
)
from oddscalc.euchre.kernel_plays import keep_five, seat_players
from oddscalc.jit import jit


@jit
def seat_table(
    table: Table,
    held: Masks,
    had: Masks,
    plan: Masks,
    seating: Masks,
    points: NDArray[np.int64],
    skills: Masks,
) -> Any:
    """Seat the players of a hand about to be played; return FOUR with a lone defender, else ZERO.

    Parameters
    ----------
    held, had : uint64[4]
        By seat: the cards that are played, and all that the player has had in hand.
    skills : uint64[4]
        By seat.
    """
    table.barred[:] = ZERO
    table.shown[:] = ZERO
    table.trick[:] = ZERO
    table.trick[T_LEFT] = FIVE
    players, makers, lone = seat_players(held, plan, seating, table.hands)
    contract, up, dealer, seats = table.contract, plan[P_UP], plan[P_DEALER], plan[P_SEATS]
    contract[C_PLAYERS], contract[C_MAKERS] = players, makers
    contract[C_SWEPT] = plan[P_SWEPT]
    contract[C_PINNED] = ZERO
    contract[C_DECK] = plan[P_DECK]
    up_played = plan[P_DECK] & up != ZERO
    for player in range(players):
        for seat in range(seats):
            if held[U(seat)] == table.hands[U(player)]:
                table.bids.seats[U(player)] = U(seat)
                table.seen[U(player)] = had[U(seat)] & ~held[U(seat)]
                table.skills[U(player)] = skills[U(seat)]
                # A dealer who must take the upcard may have thrown it, but nobody knows.
                took = held[dealer] & up != ZERO or plan[P_TAKES] != ONE
                if U(seat) == dealer and up_played and took:
                    contract[C_PINNED], contract[C_HOLDER] = up, U(player)
    if contract[C_PINNED] == ZERO:
        contract[C_DECK] &= ~up
    words = table.bids.words
    words[B_MAKER], words[B_TRUMP] = plan[P_MAKER], plan[P_TRUMP]
    words[B_UP], words[B_UP_PLAIN], words[B_DEALER] = up, to_plain(up, plan[P_TRUMP]), dealer
    words[B_ROUND] = ONE if up_played else TWO
    words[B_TAKEN] = ONE if contract[C_PINNED] != ZERO else ZERO
    words[B_MERGED] = plan[P_DUMMY]
    words[B_ACTION] = ONE + plan[P_TRUMP] + (FOUR if plan[P_ALONE] == ONE else ZERO)
    for outcome in range(4):
        table.worth[outcome] = points[U(outcome) | lone]
    return lone


@jit
def play_closed(
    deals: Masks,
    first: Any,
    own: Any,
    plan: Masks,
    seating: Masks,
    pairs: Masks,
    points: NDArray[np.int64],
    skills: Masks,
    policy: Policy,
    outcomes: NDArray[np.uint8],
) -> None:
    """Write the outcome of one action in each deal, nobody seeing hidden cards.

    Parameters
    ----------
    deals, first, own, plan, seating, points, outcomes
        As in `kernel_plays.play_out`; with `own` 0 a dealer who makes discards by the rule.
    pairs : uint64[cells]
        Two-handed tablebase.
    skills : uint64[4]
        How each seat chooses its cards.
    """
    plan = plan.copy()
    held = np.zeros(4, np.uint64)
    had = np.zeros(4, np.uint64)
    table = new_table()
    scratch = new_scratch()
    seats, maker, trump, dealer = plan[P_SEATS], plan[P_MAKER], plan[P_TRUMP], plan[P_DEALER]
    up = plan[P_UP]
    takes = maker == dealer and plan[P_DECK] & up != ZERO
    for row in range(deals.shape[0]):
        lot = deals[U(row), seats + ONE]
        for seat in range(seats):
            held[U(seat)] = had[U(seat)] = to_trumps(deals[U(row), U(seat)], trump)
        five = own
        if own == ZERO:
            five = held[maker]
            plan[P_KNOWN] = five | up
            if takes and plan[P_POOL] == ZERO:
                six = five | up
                thrown, _ = discard(six, ZERO if plan[P_THROW_UP] == ONE else up, lot)
                five = six ^ thrown
        had[maker] = plan[P_KNOWN] if takes else plan[P_KNOWN] & ~up
        if plan[P_DUMMY] == ONE:
            dummy = to_trumps(deals[U(row), seats], trump)
            had[maker] |= dummy
            pool = five | dummy
            if plan[P_POOL] == ONE:
                pool |= up
            five = keep_five(
                pool, dummy, U(first) + U(row), plan, seating, pairs, points,
                held, table.hands, scratch.stack, scratch.memo,
            )  # fmt: skip
            for seat in range(seats):
                held[U(seat)] = to_trumps(deals[U(row), U(seat)], trump)
        held[maker] = five
        if plan[P_TAKES] != ZERO:
            held[dealer] = taken_up(had[dealer], lot, plan)
            had[dealer] |= held[dealer]
            if plan[P_TAKES] == TWO:
                had[dealer] |= up
        lone = seat_table(table, held, had, plan, seating, points, skills)
        word = random_word(plan[P_SEED] ^ random_word(U(first) + U(row)))
        outcomes[U(row)] = play_on(table, scratch, policy, word) | lone
