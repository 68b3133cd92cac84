"""One bid played out closed in many deals, and the cards of one decision weighed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import (
    B_DEALER,
    B_MAKER,
    B_MERGED,
    B_TAKEN,
    B_TRUMP,
    B_UP,
    Told,
    bids_chance,
)
from oddscalc.euchre.kernel_bits import (
    FIVE,
    ONE,
    PLACES,
    TOP,
    TRUMPS,
    TWO,
    ZERO,
    Masks,
    U,
    copy_words,
    count,
    to_trumps,
    zeros_above,
)
from oddscalc.euchre.kernel_choices import discard, taken_up
from oddscalc.euchre.kernel_closed import BIDS, draw_world, list_unknown, play_on
from oddscalc.euchre.kernel_deals import random_word
from oddscalc.euchre.kernel_duels import list_hands
from oddscalc.euchre.kernel_plan import (
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
from oddscalc.euchre.kernel_table import (
    C_DECK,
    C_HOLDER,
    C_MAKERS,
    C_PINNED,
    C_PLAYERS,
    C_SWEPT,
    T_LEFT,
    T_SEAT,
    Table,
    look_around,
    new_scratch,
    new_table,
    put_down,
    unknown_cards,
)
from oddscalc.euchre.kernel_worlds import draw
from oddscalc.jit import jit, jit_lent

MOST_ATTEMPTS = U(2000)  # to draw a world that is believed, where it is not one of many

CARDS_WITHOUT_DUMMY = U(6)  # the most that a player has had in hand


@jit_lent
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
    note_bids(table, plan)
    if count(had[plan[P_MAKER]]) > CARDS_WITHOUT_DUMMY:
        table.bids.words[B_MERGED] = ONE
    for outcome in range(4):
        table.worth[outcome] = points[U(outcome) | lone]
    return lone


@jit_lent
def note_bids(table: Table, plan: Masks) -> None:
    """Write what the bidding was; whether the dealer took the upcard is in the contract."""
    words, up = table.bids.words, plan[P_UP]
    words[B_MAKER], words[B_TRUMP] = plan[P_MAKER], plan[P_TRUMP]
    words[B_UP], words[B_DEALER] = up, plan[P_DEALER]
    words[B_TAKEN] = ONE if table.contract[C_PINNED] != ZERO else ZERO
    words[B_MERGED] = plan[P_DUMMY]


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
    told: Told,
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
    told
        What the bidding tells.
    """
    plan = plan.copy()
    held = np.zeros(4, np.uint64)
    had = np.zeros(4, np.uint64)
    table = new_table(pairs)
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
        outcomes[U(row)] = play_on(table, scratch, told, word) | lone


@jit_lent
def tell_buried(table: Table, dead: Any, left: Any, seen: Masks, word: Any) -> None:
    """Write what each player has buried in a world, where the player to play can only guess.

    A dealer has thrown the lowest of the cards out of play (as `hand_bid` has it), a maker with
    the dummy has left `left` side cards.
    """
    words, me = table.bids.words, table.trick[T_SEAT]
    for player in range(table.contract[C_PLAYERS]):
        seat = table.bids.seats[U(player)]
        seen[U(player)] = table.seen[U(player)]
        if U(player) == me or dead == ZERO:
            continue
        if seat == words[B_MAKER] and words[B_MERGED] == ONE:
            side = dead & ~TRUMPS
            seen[U(player)], _ = draw(side, min(left, count(side)), word)
        elif seat == words[B_DEALER] and words[B_TAKEN] == ONE:
            seen[U(player)] = TOP >> zeros_above(dead)


@jit
def copied_table(table: Table) -> Any:
    """Return a copy of a table to play on; what is not written in play stays shared."""
    return Table(
        table.hands.copy(), table.seen.copy(), table.barred.copy(), table.shown.copy(),
        table.skills, table.contract, table.trick.copy(), table.worth,
        table.bids, table.pairs,
    )  # fmt: skip


@jit
def draw_worlds(table: Table, told: Told, seed: Any, first: Any, worlds: Masks) -> None:
    """Deal the cards that the player to play does not know, again and again.

    Parameters
    ----------
    table
        What that player knows, and the skill that tells which worlds are likely.
    first : number of the first world
    worlds : uint64[worlds, 4]
        Written: the hands.
    """
    scratch = new_scratch()
    skill = table.skills[table.trick[T_SEAT]]
    for row in range(worlds.shape[0]):
        word = random_word(seed ^ random_word(U(first) + U(row)))
        look_around(table, scratch, False)
        list_unknown(table, scratch, table.contract[C_PINNED])
        draw_world(table, scratch, told, skill, MOST_ATTEMPTS, word)
        worlds[U(row)] = scratch.world


@jit
def list_duels(table: Table, told: Told) -> Any:
    """Return every world of a player with one opponent, and how likely it is beside the others.

    Returns
    -------
    uint64[worlds, 4], float64[worlds]
    """
    me, unknown = table.trick[T_SEAT], unknown_cards(table)
    hands, _ = list_hands(table, PLACES)
    worlds = np.zeros((hands.size, 4), np.uint64)
    weights = np.ones(hands.size)
    for row in range(hands.size):
        worlds[U(row), me] = table.hands[me]
        worlds[U(row), ONE - me] = hands[row]
        if table.skills[me] & BIDS != ZERO:
            five = hands[row] | table.shown[ONE - me]
            dead = unknown & ~hands[row]
            weights[row] = bids_chance(table.bids, told, ONE - me, five, dead)
    return worlds, weights


@jit
def try_cards(
    table: Table,
    told: Told,
    moves: Any,
    left: Any,
    worlds: Masks,
    seed: Any,
    first: Any,
    outcomes: NDArray[np.uint8],
) -> None:
    """Write the outcome of each card that may be played, in each world, played on closed.

    Parameters
    ----------
    table
        What the player to play knows.
    moves
        The cards to try.
    left
        How many cards a maker with the dummy has left of hand and dummy.
    worlds : uint64[worlds, 4]
    first : number of the first world
    outcomes : uint8[worlds, moves]
        By the order of the moves' bits.
    """
    scratch = new_scratch()
    now = copied_table(table)
    unknown = unknown_cards(table)
    for row in range(worlds.shape[0]):
        world = worlds[U(row)]
        dead = unknown & ~(world[0] | world[1] | world[2] | world[3])
        word = random_word(~seed ^ random_word(U(first) + U(row)))
        rest = moves
        for move in range(outcomes.shape[1]):
            copy_words(world, now.hands)
            copy_words(table.barred, now.barred)
            copy_words(table.shown, now.shown)
            copy_words(table.trick, now.trick)
            tell_buried(table, dead, left, now.seen, word)
            put_down(now, rest & (~rest + ONE))
            rest &= rest - ONE
            outcomes[U(row), U(move)] = play_on(now, scratch, told, word)
