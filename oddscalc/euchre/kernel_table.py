"""A hand being played, as the kernels of closed play know it.

Players are numbered from the leader of the first trick, as in `kernels`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_beliefs import Bids
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
    lowest,
    zeros_above,
)
from oddscalc.euchre.kernel_worlds import Lots, new_lots
from oddscalc.euchre.kernels import CELLS, MOST_PLIES
from oddscalc.jit import jit, jit_lent

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

MOST_LISTED = 500  # worlds that are listed rather than drawn
RECALLED = 1 << 14  # places for what players of two have chosen


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
    pairs : uint64[cells]; two-handed tablebase
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
    pairs: Masks


class Scratch(NamedTuple):
    """What the kernels write on.

    Attributes
    ----------
    known, recalled : uint64[RECALLED]
        What a player of two knew, as a number, and the card chosen then.
    """

    world: Masks
    sizes: Masks
    after: Masks
    outcomes: NDArray[np.int64]
    totals: NDArray[np.int64]
    stack: Masks
    memo: Masks
    lots: Lots
    every: Masks
    weights: NDArray[np.float64]
    known: Masks
    recalled: Masks


@jit
def new_table(pairs: Masks) -> Any:
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
        Bids(np.zeros(6, np.uint64), np.zeros(4, np.uint64)),
        pairs,
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
        new_lots(),
        np.zeros((MOST_LISTED, 4), np.uint64),
        np.zeros(MOST_LISTED),
        np.zeros(RECALLED, np.uint64),
        np.zeros(RECALLED, np.uint64),
    )


@jit_lent
def cheapest(cards: Any) -> Any:
    """Return the lowest side card, else the lowest trump."""
    return TOP >> zeros_above(cards)


@jit_lent
def legal_cards(mine: Any, led: Any, others: Any) -> Any:
    """Return the cards of a hand that may be played, the highest of those that are alike.

    Cards are alike if no card of `others` ranks between them.
    """
    free = PLACES & ~others
    moves = mine & ((free ^ mine) + (free & ~(free << ONE)))
    if mine & led != ZERO:
        moves &= led
    return moves


@jit_lent
def unknown_cards(table: Table) -> Any:
    """Return the cards that the player to play has not seen."""
    me = table.trick[T_SEAT]
    seen = table.trick[T_AWAY] | table.hands[me] | table.seen[me]
    return table.contract[C_DECK] & ~seen


@jit_lent
def look_around(table: Table, scratch: Scratch, seeing: Any) -> None:
    """Write what the player to play sees of the hands: the own cards and how many others have."""
    trick, players = table.trick, table.contract[C_PLAYERS]
    for player in range(4):
        mine = seeing or U(player) == trick[T_SEAT]
        scratch.world[U(player)] = table.hands[U(player)] if mine else ZERO
        # Turns since the leader's.
        turn = (U(player) + players - trick[T_SEAT] + trick[T_PLACE]) % players
        scratch.sizes[U(player)] = trick[T_LEFT] - (ONE if turn < trick[T_PLACE] else ZERO)


@jit_lent
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


@jit_lent
def put_down(table: Table, card: Any) -> None:
    """Let the player to play play a card."""
    trick = table.trick
    seat = trick[T_SEAT]
    if trick[T_LED] & card == ZERO:
        table.barred[seat] |= trick[T_LED]
    table.hands[seat] ^= card
    table.shown[seat] |= card
    follow(trick, card, table.contract[C_PLAYERS], table.contract[C_MAKERS])


@jit_lent
def result_of(taken: Any) -> Any:
    """Return the outcome of a hand by the makers' tricks."""
    if taken >= THREE:
        return 3 if taken == FIVE else 2
    return 1 if taken > ZERO else 0


@jit_lent
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
