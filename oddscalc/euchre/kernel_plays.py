"""One bid played out in many deals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_bits import (
    FIVE,
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
from oddscalc.euchre.kernel_choices import ACES, alike, discard, list_keeps, taken_up
from oddscalc.euchre.kernel_deals import LOTS, count_patterns, group_cards, list_patterns, shuffle
from oddscalc.euchre.kernel_pairs import pair_tricks
from oddscalc.euchre.kernel_plan import (
    P_DEALER,
    P_DECK,
    P_DEFEND,
    P_DUMMY,
    P_INNER,
    P_KNOWN,
    P_MAKER,
    P_MAKERS,
    P_POOL,
    P_SEATS,
    P_SEED,
    P_SEES,
    P_SWEPT,
    P_TAKES,
    P_THROW_UP,
    P_TRUMP,
    P_UP,
)
from oddscalc.euchre.kernels import CELLS, MOST_PLIES, outcome_of
from oddscalc.jit import jit

FIRST_LOOK, STAY = 16, 3  # deals on which every five is tried, and how many go on


@jit
def seat_players(held: Masks, plan: Masks, seating: Masks, hands: Masks) -> Any:
    """Write the hands that play, the leader's first; return their number, the makers, the loner.

    Parameters
    ----------
    held : uint64[4]
        Hands by seat, trump layout.
    seating : uint64[seats + 1, 3]
        For each lone defender, and in the last row for none: who plays, who leads, the makers.

    Returns
    -------
    tuple
        Players, the mask of the makers among them, and FOUR with a lone defender, else ZERO.
    """
    seats = plan[P_SEATS]
    defender = seats
    if plan[P_DEFEND] == ONE:
        # Three highest trumps are three tricks: a player who holds them risks nothing alone.
        for step in range(1, seats):
            seat = (plan[P_MAKER] + U(step)) % seats
            if (plan[P_MAKERS] >> seat) & ONE == ZERO and defender == seats:
                lower = plan[P_DECK] & TRUMPS & ~held[seat]
                run = count(held[seat] & TRUMPS & ((lower & (~lower + ONE)) - ONE))
                if run >= THREE:
                    defender = seat
    playing, leader, making = seating[defender, 0], seating[defender, 1], seating[defender, 2]
    players, makers = ZERO, ZERO
    hands[:] = ZERO
    for step in range(seats):
        seat = leader + U(step)
        seat = seat - seats if seat >= seats else seat
        if (playing >> seat) & ONE == ONE:
            hands[players] = held[seat]
            makers |= ((making >> seat) & ONE) << players
            players += ONE
    return players, makers, ZERO if defender == seats else FOUR


@jit
def play_tricks(
    players: Any, makers: Any, swept: Any, table: Masks, hands: Masks, stack: Masks, memo: Masks
) -> Any:
    """Return the outcome of the hands that play, the first one leading.

    Parameters
    ----------
    swept
        ONE if no trick must be told from one or two.
    table : uint64[cells]
        Two-handed tablebase.
    """
    if players == TWO:
        tricks = pair_tricks(table, hands[0], hands[1])
        tricks = tricks if makers == ONE else FIVE - tricks
        return (tricks + ONE) >> ONE
    outcome, _ = outcome_of(hands, stack, memo, players, makers, swept)
    return outcome


@jit
def finish(
    held: Masks, plan: Masks, seating: Masks, table: Masks, hands: Masks, stack: Masks, memo: Masks
) -> Any:
    """Return the outcome of hands as they are played; arguments as in the two parts."""
    players, makers, lone = seat_players(held, plan, seating, hands)
    return lone | play_tricks(players, makers, plan[P_SWEPT], table, hands, stack, memo)


@jit
def take_up(
    held: Masks,
    lot: Any,
    plan: Masks,
    seating: Masks,
    table: Masks,
    hands: Masks,
    stack: Masks,
    memo: Masks,
) -> Any:
    """Let another dealer take the upcard or leave it, and return the outcome.

    The dealer keeps to the rule (`taken_up`), or seeing every card (P_SEES) tries each discard.
    Other arguments as in `finish`.
    """
    dealer = plan[P_DEALER]
    up = plan[P_UP]
    own = held[dealer]
    if plan[P_TAKES] == ZERO or own == ZERO:
        return finish(held, plan, seating, table, hands, stack, memo)
    if plan[P_SEES] == ZERO:
        held[dealer] = taken_up(own, lot, plan)
        return finish(held, plan, seating, table, hands, stack, memo)
    six = own | up
    making = (plan[P_MAKERS] >> dealer) & ONE == ONE
    best = ZERO if making else U(7)
    choices = six
    if plan[P_THROW_UP] == ZERO and plan[P_TAKES] == TWO:
        choices = own
    while choices != ZERO:
        thrown = choices & (~choices + ONE)
        choices ^= thrown
        held[dealer] = six ^ thrown
        outcome = finish(held, plan, seating, table, hands, stack, memo)
        best = max(best, outcome) if making else min(best, outcome)
    return best


@jit
def count_lots(deals: Masks, plan: Masks, lots: NDArray[np.int64]) -> None:
    """Write for each deal between how many suits another dealer's discard is by lot."""
    for row in range(deals.shape[0]):
        own = to_trumps(deals[U(row), plan[P_DEALER]], plan[P_TRUMP])
        _, lots[U(row)] = discard(own | plan[P_UP], ZERO, ZERO)


@jit
def keep_five(
    pool: Any,
    dummy: Any,
    deal: Any,
    plan: Masks,
    seating: Masks,
    table: Masks,
    points: NDArray[np.int64],
    held: Masks,
    hands: Masks,
    stack: Masks,
    memo: Masks,
) -> Any:
    """Return the five cards of `pool` that are best on average over deals of the other cards.

    The maker sees the own cards, the upcard and the dummy. The deals that decide (P_INNER of
    them) are drawn apart from those that are counted; after a first look only the best go on.
    """
    keeps = np.empty(64, np.uint64)
    found = list_keeps(pool, plan, keeps)
    best = keeps[0]
    if found > 1:
        totals = np.zeros(64, np.int64)
        running = np.ones(64, np.bool_)
        unseen = plan[P_DECK] & ~plan[P_KNOWN] & ~dummy
        cards = np.empty(int(count(unseen)), np.uint64)
        for place in range(cards.size):
            cards[U(place)] = unseen & (~unseen + ONE)
            unseen ^= cards[U(place)]
        seats, maker = plan[P_SEATS], plan[P_MAKER]
        for inner in range(plan[P_INNER]):
            number = deal * plan[P_INNER] + U(inner)
            lot = shuffle(cards, FIVE * (seats - ONE), ~plan[P_SEED], number) % LOTS
            if inner == FIRST_LOOK:
                for candidate in range(found):
                    better = np.count_nonzero(totals[:found] > totals[candidate])
                    running[candidate] = better < STAY
            for candidate in range(found):
                if not running[candidate]:
                    continue
                drawn = ZERO
                for seat in range(seats):
                    if U(seat) == maker:
                        held[U(seat)] = keeps[U(candidate)]
                        continue
                    held[U(seat)] = ZERO
                    for _ in range(5):
                        held[U(seat)] |= cards[drawn]
                        drawn += ONE
                outcome = take_up(held, lot, plan, seating, table, hands, stack, memo)
                totals[U(candidate)] += points[outcome]
        lead = -1
        for candidate in range(found):
            if running[candidate] and (lead < 0 or totals[candidate] > totals[lead]):
                lead = candidate
        best = keeps[U(lead)]
    return best


@jit
def play_out(
    deals: Masks,
    first: Any,
    own: Any,
    plan: Masks,
    seating: Masks,
    table: Masks,
    points: NDArray[np.int64],
    outcomes: NDArray[np.uint8],
) -> None:
    """Write the outcome of one action in each deal.

    Parameters
    ----------
    deals : uint64[deals, seats + 2]
        As written by `deal_hands`.
    first : number of the first row's deal
    own : the maker's hand as it will be played, trump layout; with a dummy before it is merged;
        0 for the one in `deals`
    plan : uint64[18]
        Words P_....
    seating, table
        As in `seat_players` and `play_tricks`.
    points : int64[8]
        The maker's points less the others', by outcome.
    outcomes : uint8[deals]
    """
    held = np.zeros(4, np.uint64)
    hands = np.zeros(4, np.uint64)
    stack = np.zeros(MOST_PLIES << 4, np.uint64)
    memo = np.zeros(2 * CELLS, np.uint64)
    seats, maker, trump = plan[P_SEATS], plan[P_MAKER], plan[P_TRUMP]
    for row in range(deals.shape[0]):
        five = own
        if plan[P_DUMMY] == ONE:
            dummy = to_trumps(deals[U(row), seats], trump)
            pool = five | dummy
            if plan[P_POOL] == ONE:
                pool |= plan[P_UP]
            five = keep_five(
                pool, dummy, U(first) + U(row),
                plan, seating, table, points, held, hands, stack, memo,
            )  # fmt: skip
        for seat in range(seats):
            held[U(seat)] = to_trumps(deals[U(row), U(seat)], trump)
        if five != ZERO:
            held[maker] = five
        lot = deals[U(row), seats + ONE]
        outcomes[U(row)] = take_up(held, lot, plan, seating, table, hands, stack, memo)


@jit
def count_pairs(
    asked: Masks, takes_up: Any, plan: Masks, leads: Any, table: Masks, tallies: NDArray[np.int64]
) -> None:
    """Count every world of two-handed questions by the asker's discard and the outcome.

    Parameters
    ----------
    asked : uint64[questions, 2]
        The asker's hand and the upcard, trump layout.
    takes_up : bool
        Whether the asker takes the upcard and throws a card.
    plan
        Of a bid of any of the questions; the upcard's word is written.
    leads : bool
        Whether the asker leads.
    tallies : int64[questions, 6, 8]
        Zero. Written: six times the worlds (once a lot), by the card thrown (the lowest bit of
        the six first) and the outcome; with nothing to throw in row 0. Of cards that are alike
        only the lowest is thrown.
    """
    for question in range(asked.shape[0]):
        own, up = asked[question, 0], asked[question, 1]
        plan[P_UP] = up
        unseen = plan[P_DECK] & ~own & ~up
        cards = np.zeros(int(count(unseen)), np.uint64)
        sizes = np.zeros(cards.size, np.int64)
        walls = own | up if plan[P_TAKES] == ZERO else own | up | ACES
        groups = group_cards(unseen, walls, cards, sizes)
        sizes = sizes[:groups]
        found = count_patterns(sizes, 5)
        patterns = np.zeros((found, groups), np.int64)
        weights = np.zeros(found, np.int64)
        list_patterns(sizes, 5, patterns, weights)
        for row in range(found):
            hand = ZERO
            start = 0
            for group in range(groups):
                for place in range(patterns[row, group]):
                    hand |= cards[start + place]
                start += sizes[group]
            lots = ONE
            if plan[P_TAKES] != ZERO:
                _, lots = discard(hand | up, ZERO, ZERO)
            weight = weights[row] * int(LOTS // lots)
            for lot in range(lots):
                other = hand if plan[P_TAKES] == ZERO else taken_up(hand, U(lot), plan)
                choices = own | up if takes_up else ONE
                choice = -1
                while choices != ZERO:
                    thrown = choices & (~choices + ONE)
                    choices ^= thrown
                    choice += 1
                    five = own
                    if takes_up:
                        five = (own | up) ^ thrown
                        follower = choices & (~choices + ONE)
                        if thrown == up and plan[P_THROW_UP] == ZERO:
                            continue
                        if alike(thrown, follower, unseen) and (
                            follower != up or plan[P_THROW_UP] == ONE
                        ):
                            continue
                    if leads:
                        tricks = pair_tricks(table, five, other)
                    else:
                        tricks = FIVE - pair_tricks(table, other, five)
                    tallies[question, choice, (tricks + ONE) >> ONE] += weight
