"""Play without seeing hidden cards: worlds that look alike to a player, searched with open hands.

Players are numbered from the leader of the first trick, as in `kernels`. What a player knows is
the own hand, the cards played, who failed to follow suit, and what `Table` says of the bidding;
nothing else enters a choice, not even by the random numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import B_MAKER, Told, believed, needs_dead
from oddscalc.euchre.kernel_bits import (
    FIVE,
    ONE,
    THREE,
    TWO,
    ZERO,
    Masks,
    U,
    count,
)
from oddscalc.euchre.kernel_deals import random_word
from oddscalc.euchre.kernel_duels import known_number, weigh_moves
from oddscalc.euchre.kernel_every import list_worlds
from oddscalc.euchre.kernel_table import (
    C_HOLDER,
    C_MAKERS,
    C_PINNED,
    C_PLAYERS,
    C_SWEPT,
    MOST_LISTED,
    RECALLED,
    T_BEST,
    T_LED,
    T_LEFT,
    T_PLACE,
    T_SEAT,
    T_TAKEN,
    T_TAKER,
    Scratch,
    Table,
    by_rule,
    follow,
    legal_cards,
    look_around,
    put_down,
    result_of,
    unknown_cards,
)
from oddscalc.euchre.kernel_worlds import deal_hand, draw, list_lots
from oddscalc.euchre.kernels import search
from oddscalc.jit import jit, jit_lent

# A skill is a number of worlds, with bits for what is done beside searching them; or one of these.
RANDOM, RULES, SEEING = U(0), U(1 << 20), U(1 << 21)
BY_RULE, BIDS, RACED = U(1 << 12), U(1 << 13), U(1 << 14)
EVERY = U(1 << 15)  # lists the worlds of the last two tricks where they are few
# The search stops, after the fewest worlds, where the best card leads by so many standard errors,
# squared, of a difference that is as wide as the points can be.
FEWEST, CLEAR = 8, 0.14
ATTEMPTS = U(25)  # to deal a likely world, on the average of a decision's worlds
TRIES = 1000  # to deal one that can be, before a card that was taken up is given up
WORLDS = BY_RULE - ONE
FINE = 1 << 20  # steps of a chance


@jit_lent
def reaches(table: Table, scratch: Scratch, trick: Masks, target: Any) -> Any:
    """Tell whether the makers reach `target` tricks in all in a world, all cards seen."""
    if trick[T_TAKEN] >= target:
        return True
    need = target - trick[T_TAKEN]
    if need > trick[T_LEFT]:
        return False
    answer, _ = search(
        scratch.world, scratch.stack, scratch.memo,
        table.contract[C_PLAYERS], table.contract[C_MAKERS],
        trick[T_SEAT], trick[T_LEFT], need,
        trick[T_PLACE], trick[T_BEST], trick[T_TAKER], trick[T_LED],
    )  # fmt: skip
    return answer


@jit_lent
def nth_card(cards: Any, number: Any) -> Any:
    """Return a card by its number in the order of the bits."""
    for _ in range(number):
        cards &= cards - ONE
    return cards & (~cards + ONE)


@jit_lent
def reaches_after(table: Table, scratch: Scratch, card: Any, target: Any) -> Any:
    """Tell whether the makers reach `target` tricks in all once a card is played in a world."""
    after, trick, world = scratch.after, table.trick, scratch.world
    for word in range(after.size):
        after[word] = trick[word]
    follow(after, card, table.contract[C_PLAYERS], table.contract[C_MAKERS])
    world[trick[T_SEAT]] ^= card
    answer = reaches(table, scratch, after, target)
    world[trick[T_SEAT]] |= card
    return answer


@jit_lent
def search_moves(table: Table, scratch: Scratch, moves: Any, likely: Any) -> None:
    """Write the outcome of each move in a world, all cards seen, by the order of their bits.

    Parameters
    ----------
    likely
        Number of a move that is likely to be good: the first to be tried.
    """
    trick, outcomes, world = table.trick, scratch.outcomes, scratch.world
    scratch.memo[:] = ZERO
    seat = trick[T_SEAT]
    making = (table.contract[C_MAKERS] >> seat) & ONE == ONE
    swept = table.contract[C_SWEPT] == ONE
    found = count(moves)
    others = (world[0] | world[1] | world[2] | world[3]) & ~world[seat] | trick[T_BEST]
    differing = legal_cards(world[seat], trick[T_LED], others)
    for move in range(found):
        outcomes[move] = 0 if swept else 1
    for step in range(3):
        target = THREE if step == 0 else FIVE if step == 1 else ONE
        if trick[T_TAKEN] + trick[T_LEFT] < target or (step == 2 and not swept):
            continue
        # If even the best move is not good enough, or the worst one is, all are the same. That is
        # asked first, unless the likely move is good.
        open_yet = step == 0 or (outcomes[likely] >= 2) == (step == 1)
        good = False
        if open_yet and making == (step != 1):
            good = reaches_after(table, scratch, nth_card(moves, likely), target) == making
        best = making if good else reaches(table, scratch, trick, target)
        rest = moves
        for move in range(found):
            card = rest & (~rest + ONE)
            rest ^= card
            if card & differing == ZERO:
                outcomes[move] = outcomes[move - ONE]
                continue
            if (outcomes[move] >= 2) != (step == 1) and step > 0:
                continue
            answer = best
            if best == making and not (good and move == likely):
                answer = reaches_after(table, scratch, card, target)
            if answer:
                outcomes[move] = 2 if step == 0 else 3 if step == 1 else 1


@jit_lent
def second_best(totals: NDArray[np.int64], found: Any, sign: Any) -> Any:
    """Return the best total and the next."""
    top, second = sign * totals[0], -(1 << 40)
    for move in range(ONE, found):
        total = sign * totals[move]
        second = max(second, min(top, total))
        top = max(top, total)
    return top, second


@jit_lent
def list_unknown(table: Table, scratch: Scratch, pinned: Any) -> None:
    """List the cards that the player to play does not know, to be dealt again and again."""
    me, unknown, words = table.trick[T_SEAT], unknown_cards(table), table.bids.words
    pinned &= unknown & ~table.barred[table.contract[C_HOLDER]]
    # The maker's bid tells most: unlikely worlds are found out soonest by these cards.
    first = me
    for player in range(table.contract[C_PLAYERS]):
        if table.bids.seats[U(player)] == words[B_MAKER]:
            first = U(player)
    list_lots(
        scratch.lots, ONE << me, table.contract[C_PLAYERS], unknown & ~pinned, table.barred,
        pinned, first,
    )  # fmt: skip


@jit_lent
def draw_world(
    table: Table, scratch: Scratch, told: Told, skill: Any, attempts: Any, word: Any
) -> Any:
    """Deal the cards listed by `list_unknown`, as a skill holds it likely.

    Parameters
    ----------
    attempts
        After so many the world is taken, likely or not.

    Returns
    -------
    uint64, int
        The next random word, and how many of the attempts are left, 1 at least.
    """
    players, me, world = table.contract[C_PLAYERS], table.trick[T_SEAT], scratch.world
    holder, lots = table.contract[C_HOLDER], scratch.lots
    unknown = unknown_cards(table)
    everybody = (ONE << players) - ONE
    tries = 0
    while True:
        fits, likely = True, True
        trusted = ONE << me if skill & BIDS != ZERO else everybody
        rest, claimed, done = unknown & ~lots.pinned[0], ZERO, ZERO
        free = rest
        for turn in range(players - ONE):
            player = lots.turns[turn]
            mine = lots.pinned[0] if player == holder else ZERO
            wanted, barred = scratch.sizes[player] - count(mine), table.barred[player]
            fits, taken, word = deal_hand(lots, turn, done, rest, claimed, wanted, barred, word)
            if not fits:
                break
            rest ^= taken
            done += wanted
            claimed |= free & ~barred
            world[player] = mine | taken
            if skill & BIDS != ZERO and likely and not needs_dead(table.bids, player):
                five = world[player] | table.shown[player]
                likely, word = believed(table.bids, told, player, five, ZERO, word)
                if not likely and attempts > ONE:
                    break
                trusted |= ONE << player
        if not fits:
            tries += 1
            if tries == TRIES:
                # A card that was taken in hand is believed to have been thrown.
                list_unknown(table, scratch, ZERO)
            continue
        dead = unknown & ~(world[0] | world[1] | world[2] | world[3])
        for player in range(players):
            if likely and (trusted >> U(player)) & ONE == ZERO:
                five = world[U(player)] | table.shown[U(player)]
                likely, word = believed(table.bids, told, U(player), five, dead, word)
        is_last = attempts == ONE
        attempts = ONE if is_last else attempts - ONE
        if likely or is_last:
            return word, attempts


@jit_lent
def try_worlds(
    table: Table, scratch: Scratch, told: Told, skill: Any, moves: Any, word: Any
) -> None:
    """Write what each move promises over drawn worlds, or in the one that is, to the totals."""
    totals, found = scratch.totals, count(moves)
    making = (table.contract[C_MAKERS] >> table.trick[T_SEAT]) & ONE == ONE
    sign = 1 if making else -1
    spread = table.worth[3] - table.worth[0]
    worlds = ONE if skill == SEEING else skill & WORLDS
    look_around(table, scratch, skill == SEEING)
    totals[:] = 0
    if skill != SEEING:
        listing = skill & EVERY != ZERO and table.trick[T_LEFT] == TWO
        if listing and try_every(table, scratch, told, skill, moves):
            return
        list_unknown(table, scratch, table.contract[C_PINNED])
    likely: Any = ZERO
    attempts = ATTEMPTS * worlds
    for number in range(worlds):
        if skill & RACED != ZERO and number >= FEWEST and number & 3 == 0:
            top, second = second_best(totals, found, sign)
            gap = top - second
            if gap * gap > CLEAR * spread * spread * number:
                break
        if skill != SEEING:
            word, attempts = draw_world(table, scratch, told, skill, attempts, word)
        search_moves(table, scratch, moves, likely)
        for move in range(found):
            totals[move] += table.worth[scratch.outcomes[move]]
            if sign * (totals[move] - totals[likely]) > 0:
                likely = move


@jit_lent
def try_every(table: Table, scratch: Scratch, told: Told, skill: Any, moves: Any) -> Any:
    """Write what each move promises over every world; return whether there are few enough."""
    totals, worlds, weights = scratch.totals, scratch.every, scratch.weights
    found, me = count(moves), table.trick[T_SEAT]
    making = (table.contract[C_MAKERS] >> me) & ONE == ONE
    sign = 1 if making else -1
    number = list_worlds(
        table, told, skill & BIDS != ZERO, scratch.sizes, worlds, weights, U(MOST_LISTED)
    )
    if number == ZERO:
        return False
    top, total = 0.0, 0.0
    for world in range(number):
        top = max(top, weights[U(world)])
        total += weights[U(world)]
    spread = table.worth[3] - table.worth[0]
    rest = np.int64(total / top * FINE) + 1
    likely: Any = ZERO
    # The likeliest worlds first: they soon tell enough.
    above, below = top * 0.2, top * 2
    for turn in range(3):
        for world in range(number):
            if not above <= weights[U(world)] < below:
                continue
            best, second = second_best(totals, found, sign)
            if best - second > rest * spread:
                return True
            weight = np.int64(weights[U(world)] / top * FINE)
            rest -= weight
            for player in range(table.contract[C_PLAYERS]):
                if U(player) != me:
                    scratch.world[U(player)] = worlds[U(world), U(player)]
            search_moves(table, scratch, moves, likely)
            for move in range(found):
                totals[move] += weight * table.worth[scratch.outcomes[move]]
                if sign * (totals[move] - totals[likely]) > 0:
                    likely = move
        below, above = above, above * 0.1 if turn == 0 else 0.0
    return True


@jit
def choose_card(table: Table, scratch: Scratch, told: Told, word: Any) -> Any:
    """Return the card that the player to play chooses."""
    trick, makers = table.trick, table.contract[C_MAKERS]
    me = trick[T_SEAT]
    skill = table.skills[me]
    mine = table.hands[me]
    unknown = unknown_cards(table)
    moves = legal_cards(mine, trick[T_LED], unknown | trick[T_BEST])
    if moves & (moves - ONE) == ZERO:
        return moves
    if skill == RULES:
        return by_rule(mine, trick, makers, unknown)
    if skill == RANDOM:
        card, _ = draw(moves, ONE, word)
        return card
    if table.contract[C_PLAYERS] == TWO and skill != SEEING:
        known = known_number(table)
        place = known & U(RECALLED - 1)
        if scratch.known[place] != known:
            weigh_moves(table, told, skill & BIDS != ZERO, moves, scratch.totals)
            scratch.known[place] = known
            scratch.recalled[place] = best_card(table, scratch, skill, moves)
        return scratch.recalled[place]
    try_worlds(table, scratch, told, skill, moves, word)
    return best_card(table, scratch, skill, moves)


@jit_lent
def best_card(table: Table, scratch: Scratch, skill: Any, moves: Any) -> Any:
    """Return the card that promises most by the totals."""
    trick, totals, makers = table.trick, scratch.totals, table.contract[C_MAKERS]
    me = trick[T_SEAT]
    sign = 1 if (makers >> me) & ONE == ONE else -1
    mine, unknown, found = table.hands[me], unknown_cards(table), count(moves)
    top, _ = second_best(totals, found, sign)
    ruled = by_rule(mine, trick, makers, unknown) if skill & BY_RULE != ZERO else ZERO
    card = ZERO
    rest = moves
    for move in range(found):
        this = rest & (~rest + ONE)
        rest ^= this
        if sign * totals[move] == top:
            # Of cards that promise the same the one by rule, else the lowest.
            card = this
            if ruled >= this and (rest == ZERO or ruled < rest & (~rest + ONE)):
                break
    return card


@jit_lent
def is_settled(table: Table) -> Any:
    """Tell whether the tricks to come change nothing any more."""
    taken = table.trick[T_TAKEN]
    least, most = result_of(taken), result_of(taken + table.trick[T_LEFT])
    return least == most or (most == 1 and table.contract[C_SWEPT] == ZERO)


@jit
def play_on(table: Table, scratch: Scratch, told: Told, word: Any) -> Any:
    """Play on until the outcome is certain, and return it; the table's state is used up."""
    trick = table.trick
    while not is_settled(table):
        card = table.hands[trick[T_SEAT]]
        if card & (card - ONE) != ZERO:
            word = random_word(word + ONE)
            card = choose_card(table, scratch, told, word)
        put_down(table, card)
    outcome = result_of(trick[T_TAKEN])
    return outcome if outcome > 0 or table.contract[C_SWEPT] == ONE else 1
