"""Play without seeing hidden cards: worlds that look alike to a player, searched with open hands.

Players are numbered from the leader of the first trick, as in `kernels`. What a player knows is
the own hand, the cards played, who failed to follow suit, and what `Table` says of the bidding;
nothing else enters a choice, not even by the random numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import Bids, Policy, believed, new_bids
from oddscalc.euchre.kernel_bits import (
    FIELD_OF,
    FIVE,
    ONE,
    PLACES,
    THREE,
    TOP,
    TRUMPS,
    ZERO,
    Masks,
    U,
    count,
    lowest,
    zeros_above,
)
from oddscalc.euchre.kernel_deals import random_word
from oddscalc.euchre.kernel_worlds import deal_world, draw
from oddscalc.euchre.kernels import CELLS, MOST_PLIES, search
from oddscalc.jit import jit

# words of a trick
(
    T_SEAT,  # player to play
    T_PLACE,  # place in the trick, 0 for the leader
    T_BEST,  # winning card
    T_TAKER,  # its player
    T_LED,  # field of the suit led
    T_LEFT,  # tricks left, the one under way included
    T_TAKEN,  # tricks of the makers
    T_AWAY,  # cards played
) = map(U, range(8))

# words of a contract
(
    C_PLAYERS,
    C_MAKERS,  # mask of players
    C_DECK,  # cards in play or hidden
    C_SWEPT,  # 1 if no trick must be told from one or two
    C_PINNED,  # a card that a player is known to have taken up, or 0
    C_HOLDER,  # that player
) = map(U, range(6))

# A skill is a number of worlds, with bits for what is done beside searching them; or one of these.
RANDOM, RULES, SEEING = U(0), U(1 << 20), U(1 << 21)
BY_RULE, LATE, ROLLED, BIDS, RACED = U(1 << 12), U(1 << 13), U(1 << 14), U(1 << 15), U(1 << 16)
CLEAR = 36
ATTEMPTS = 12  # to deal a world that fits the bidding
WORLDS = BY_RULE - ONE
SHARE = 4  # a world's search counts four times as much as its play by rule


class Table(NamedTuple):
    """A hand being played: uint64 arrays, one row a player unless said otherwise.

    Attributes
    ----------
    hands : cards left
    seen : cards out of play that a player knows
    barred : cards that a player cannot have, as all have seen
    shown : cards a player has played
    skills : how a player chooses
    contract, trick : words C_... and T_...
    worth : int64[4]; the makers' points less the others', by outcome
    bids : what the bidding tells
    """

    hands: Masks
    seen: Masks
    barred: Masks
    shown: Masks
    skills: Masks
    contract: Masks
    trick: Masks
    worth: NDArray[np.int64]
    bids: Bids


class Scratch(NamedTuple):
    """What the kernels write on."""

    world: Masks
    sizes: Masks
    after: Masks
    outcomes: NDArray[np.int64]
    totals: NDArray[np.int64]
    stack: Masks
    memo: Masks


@jit
def new_table() -> Any:
    """Return an empty table."""
    return Table(
        np.zeros(4, np.uint64),
        np.zeros(4, np.uint64),
        np.zeros(4, np.uint64),
        np.zeros(4, np.uint64),
        np.zeros(4, np.uint64),
        np.zeros(6, np.uint64),
        np.zeros(8, np.uint64),
        np.zeros(4, np.int64),
        new_bids(),
    )


@jit
def new_scratch() -> Any:
    """Return room for one thread."""
    return Scratch(
        np.zeros(4, np.uint64),
        np.zeros(4, np.uint64),
        np.zeros(8, np.uint64),
        np.zeros(5, np.int64),
        np.zeros(5, np.int64),
        np.zeros(MOST_PLIES << 4, np.uint64),
        np.zeros(2 * CELLS, np.uint64),
    )


@jit
def cheapest(cards: Any) -> Any:
    """Return the lowest side card, else the lowest trump."""
    return TOP >> zeros_above(cards)


@jit
def legal_cards(mine: Any, led: Any, others: Any) -> Any:
    """Return the cards of a hand that may be played, the highest of those that are alike.

    Cards are alike if no card of `others` ranks between them.
    """
    free = PLACES & ~others
    moves = mine & ((free ^ mine) + (free & ~(free << ONE)))
    if mine & led != ZERO:
        moves &= led
    return moves


@jit
def follow(trick: Masks, card: Any, players: Any, makers: Any) -> None:
    """Move the trick's words on by a card, to the next trick after the last player's."""
    if trick[T_PLACE] == ZERO:
        trick[T_LED] = TRUMPS << (lowest(card) & FIELD_OF)
        trick[T_BEST], trick[T_TAKER] = card, trick[T_SEAT]
    elif card & (trick[T_LED] | TRUMPS) != ZERO and card < trick[T_BEST]:
        trick[T_BEST], trick[T_TAKER] = card, trick[T_SEAT]
    trick[T_AWAY] |= card
    if trick[T_PLACE] == players - ONE:
        trick[T_SEAT] = trick[T_TAKER]
        trick[T_PLACE] = trick[T_BEST] = trick[T_LED] = ZERO
        trick[T_LEFT] -= ONE
        trick[T_TAKEN] += (makers >> trick[T_TAKER]) & ONE
    else:
        trick[T_PLACE] += ONE
        trick[T_SEAT] = ZERO if trick[T_SEAT] == players - ONE else trick[T_SEAT] + ONE


@jit
def result_of(taken: Any) -> Any:
    """Return the outcome of a hand by the makers' tricks."""
    if taken >= THREE:
        return 3 if taken == FIVE else 2
    return 1 if taken > ZERO else 0


@jit
def by_rule(mine: Any, trick: Masks, makers: Any, unknown: Any) -> Any:
    """Return the card of a player who goes by simple rules.

    Makers lead their highest trump, others a card that is the highest left of its side suit; a
    trick that the own side does not hold is taken with the cheapest card that takes it; otherwise
    the lowest card is played, a side card before a trump.
    """
    seat = trick[T_SEAT]
    making = (makers >> seat) & ONE
    if trick[T_PLACE] == ZERO:
        trumps = mine & TRUMPS
        if making == ONE and trumps != ZERO:
            return trumps & (~trumps + ONE)
        for field in range(1, 4):
            suit = TRUMPS << U(16 * field)
            held, rest = mine & suit, unknown & suit
            high = held & (~held + ONE)
            if held != ZERO and (rest == ZERO or high < (rest & (~rest + ONE))):
                return high
        return cheapest(mine)
    led = trick[T_LED]
    moves = mine & led if mine & led != ZERO else mine
    takes = moves & (led | TRUMPS) & (trick[T_BEST] - ONE)
    if takes != ZERO and ((makers >> trick[T_TAKER]) & ONE) != making:
        return cheapest(takes)
    return cheapest(moves)


@jit
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


@jit
def search_moves(table: Table, scratch: Scratch, moves: Any) -> None:
    """Write the outcome of each move in a world, all cards seen, by the order of their bits."""
    trick, after, outcomes = table.trick, scratch.after, scratch.outcomes
    world = scratch.world
    scratch.memo[:] = ZERO
    seat = trick[T_SEAT]
    making = (table.contract[C_MAKERS] >> seat) & ONE == ONE
    swept = table.contract[C_SWEPT] == ONE
    found = count(moves)
    for move in range(found):
        outcomes[move] = 0 if swept else 1
    for step in range(3):
        target = THREE if step == 0 else FIVE if step == 1 else ONE
        if trick[T_TAKEN] + trick[T_LEFT] < target or (step == 2 and not swept):
            continue
        # If even the best move is not good enough, or the worst one is, all are the same.
        best = reaches(table, scratch, trick, target)
        rest = moves
        for move in range(found):
            card = rest & (~rest + ONE)
            rest ^= card
            if (outcomes[move] >= 2) != (step == 1) and step > 0:
                continue
            answer = best
            if best == making:
                for word in range(after.size):
                    after[word] = trick[word]
                follow(after, card, table.contract[C_PLAYERS], table.contract[C_MAKERS])
                world[seat] ^= card
                answer = reaches(table, scratch, after, target)
                world[seat] |= card
            if answer:
                outcomes[move] = 2 if step == 0 else 3 if step == 1 else 1


@jit
def roll_out(table: Table, scratch: Scratch, card: Any) -> Any:
    """Return the outcome of a card in a world if everybody goes on by simple rules."""
    trick, world = scratch.after, scratch.world
    players, makers, deck = (
        table.contract[C_PLAYERS],
        table.contract[C_MAKERS],
        table.contract[C_DECK],
    )
    for word in range(trick.size):
        trick[word] = table.trick[word]
    a, b, c, d = world[0], world[1], world[2], world[3]
    world[trick[T_SEAT]] ^= card
    follow(trick, card, players, makers)
    while trick[T_LEFT] > ZERO:
        seat = trick[T_SEAT]
        mine = world[seat]
        card = by_rule(mine, trick, makers, deck & ~trick[T_AWAY] & ~mine)
        world[seat] ^= card
        follow(trick, card, players, makers)
    world[0], world[1], world[2], world[3] = a, b, c, d
    return result_of(trick[T_TAKEN])


@jit
def second_best(totals: NDArray[np.int64], found: Any, sign: Any) -> Any:
    """Return the best total and the next."""
    top, second = sign * totals[0], -(1 << 40)
    for move in range(ONE, found):
        total = sign * totals[move]
        second = max(second, min(top, total))
        top = max(top, total)
    return top, second


@jit
def look_around(table: Table, scratch: Scratch, seeing: Any) -> None:
    """Write what the player to play sees of the hands: the own cards and how many others have."""
    trick, players = table.trick, table.contract[C_PLAYERS]
    for player in range(4):
        mine = seeing or U(player) == trick[T_SEAT]
        scratch.world[U(player)] = table.hands[U(player)] if mine else ZERO
        # Turns since the leader's.
        turn = (U(player) + players - trick[T_SEAT] + trick[T_PLACE]) % players
        scratch.sizes[U(player)] = trick[T_LEFT] - (ONE if turn < trick[T_PLACE] else ZERO)


@jit
def draw_world(
    table: Table, scratch: Scratch, policy: Policy, unknown: Any, attempts: Any, word: Any
) -> Any:
    """Deal the cards that the player to play does not know, as the bidding makes likely.

    With one attempt every world is as likely; the last of several is taken if none is believed.

    Returns
    -------
    uint64, uint64
        The next random word, and the cards that are out of play in this world.
    """
    players, me, world = table.contract[C_PLAYERS], table.trick[T_SEAT], scratch.world
    dead = ZERO
    for _ in range(attempts):
        word = deal_world(
            world, me, players, unknown, scratch.sizes, table.barred,
            table.contract[C_PINNED], table.contract[C_HOLDER], word,
        )  # fmt: skip
        dead = unknown & ~(world[0] | world[1] | world[2] | world[3])
        if attempts > 1:
            kept, word = believed(table.bids, policy, world, table.shown, players, me, dead, word)
            if kept:
                break
    return word, dead


@jit
def unknown_cards(table: Table) -> Any:
    """Return the cards that the player to play has not seen."""
    me = table.trick[T_SEAT]
    seen = table.trick[T_AWAY] | table.hands[me] | table.seen[me]
    return table.contract[C_DECK] & ~seen


@jit
def choose_card(table: Table, scratch: Scratch, policy: Policy, word: Any) -> Any:
    """Return the card that the player to play chooses."""
    trick, totals, outcomes = table.trick, scratch.totals, scratch.outcomes
    makers = table.contract[C_MAKERS]
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
    worlds = ONE if skill == SEEING else skill & WORLDS
    if skill & LATE != ZERO and trick[T_LEFT] <= THREE:
        worlds *= THREE
    sign = 1 if (makers >> me) & ONE == ONE else -1
    look_around(table, scratch, skill == SEEING)
    totals[:] = 0
    found = count(moves)
    for number in range(worlds):
        if skill & RACED != ZERO and number >= 8 and number & 3 == 0:
            top, second = second_best(totals, found, sign)
            gap = top - second
            if gap * gap > CLEAR * number:
                break
        if skill != SEEING:
            attempts = ATTEMPTS if skill & BIDS != ZERO else 1
            word, _ = draw_world(table, scratch, policy, unknown, attempts, word)
        search_moves(table, scratch, moves)
        for move in range(found):
            totals[move] += SHARE * table.worth[outcomes[move]]
        if skill & ROLLED != ZERO and trick[T_LEFT] >= THREE:
            rest = moves
            for move in range(found):
                totals[move] += table.worth[roll_out(table, scratch, rest & (~rest + ONE))]
                rest &= rest - ONE
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


@jit
def put_down(table: Table, card: Any) -> None:
    """Let the player to play play a card."""
    trick = table.trick
    seat = trick[T_SEAT]
    if trick[T_LED] & card == ZERO:
        table.barred[seat] |= trick[T_LED]
    table.hands[seat] ^= card
    table.shown[seat] |= card
    follow(trick, card, table.contract[C_PLAYERS], table.contract[C_MAKERS])


@jit
def play_on(table: Table, scratch: Scratch, policy: Policy, word: Any) -> Any:
    """Play the tricks that are left and return the outcome; the table's state is used up."""
    trick = table.trick
    while trick[T_LEFT] > ZERO:
        seat = trick[T_SEAT]
        card = table.hands[seat]
        if card & (card - ONE) != ZERO:
            word = random_word(word + ONE)
            card = choose_card(table, scratch, policy, word)
        put_down(table, card)
    outcome = result_of(trick[T_TAKEN])
    return outcome if outcome > 0 or table.contract[C_SWEPT] == ONE else 1
