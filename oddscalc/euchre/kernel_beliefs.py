"""What the bidding tells of hidden cards: how likely a world is, given who passed and who made."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    count,
    zeros_above,
)
from oddscalc.euchre.kernel_policy import ACTIONS, FEATURES, OPTIONS, bid_chances
from oddscalc.euchre.kernel_worlds import next_word, ways
from oddscalc.jit import jit

# words of a bidding that is over
(
    B_SEATS,
    B_ROUND,
    B_MAKER,  # seat
    B_TRUMP,
    B_ACTION,  # as `kernel_policy.ACTIONS` counts them
    B_UP,  # the upcard, trump layout
    B_UP_PLAIN,  # and plain layout
    B_DEALER,
    B_TAKEN,  # 1 if the dealer has taken the upcard
    B_MERGED,  # 1 if the maker has kept the best five with the dummy
) = map(U, range(10))


class Policy(NamedTuple):
    """How all players bid, as `kernel_policy.bid_chances` reads it."""

    form: NDArray[np.int64]
    worths: NDArray[np.float32]
    sharpness: float


class Bids(NamedTuple):
    """What players know of the bidding, and scratch."""

    words: Masks
    seats: Masks  # uint64[4]; the seat of each player
    entries: NDArray[np.int32]
    chances: NDArray[np.float64]


@jit
def new_bids() -> Any:
    """Return room for one thread."""
    return Bids(
        np.zeros(10, np.uint64),
        np.zeros(4, np.uint64),
        np.zeros((OPTIONS, FEATURES), np.int32),
        np.zeros(ACTIONS, np.float64),
    )


@jit
def to_plain(hand: Any, trump: Any) -> Any:
    """Return a hand of a trump suit's layout in the plain one."""
    bowers = (hand >> ONE & ONE) << U(6) | (hand >> TWO & ONE) << U(22)
    fields = (hand & PLACES & ~U(0b111)) | bowers
    if trump & ONE != ZERO:
        fields = ((fields & U(0xFFFF_0000_FFFF)) << U(16)) | (
            (fields >> U(16)) & U(0xFFFF_0000_FFFF)
        )
    if trump & TWO != ZERO:
        fields = (fields << U(32)) | (fields >> U(32))
    return fields | (hand & ONE) << U(63)


@jit
def accepts(chance: Any, word: Any) -> Any:
    """Return True with a chance, decided by a random word."""
    return (word >> U(11)) * (1.0 / (1 << 53)) < chance


@jit
def hand_bid(bids: Bids, player: Any, five: Any, dead: Any) -> Any:
    """Return with which cards a player has bid, plain layout.

    A dealer who has taken the upcard is given back the lowest of the cards out of play, as the
    discard.
    """
    words = bids.words
    took = bids.seats[player] == words[B_DEALER] and words[B_TAKEN] == ONE
    if took and five & words[B_UP] != ZERO and dead != ZERO:
        five ^= words[B_UP] | TOP >> zeros_above(dead)
    return to_plain(five, words[B_TRUMP])


@jit
def turn_chance(bids: Bids, policy: Policy, seat: Any, hand: Any, bidding_round: Any) -> Any:
    """Return how likely a player bids as was bid in a round, with a hand in plain layout."""
    words = bids.words
    last = U(bidding_round) == words[B_ROUND]
    if last and seat > words[B_MAKER]:
        return 1.0
    chance = bid_chances(
        hand, words[B_UP_PLAIN], np.int64(seat), bidding_round, policy.form, policy.worths,
        policy.sharpness, bids.entries, bids.chances,
    )  # fmt: skip
    return bids.chances[words[B_ACTION]] if last and seat == words[B_MAKER] else chance


@jit
def merge_chance(dead: Any) -> Any:
    """Return how likely a maker with the dummy has left these cards, of those out of play.

    Of the five that the maker left none was a trump, so all dead trumps were undealt.
    """
    trumps = count(dead & TRUMPS)
    return float(ways(count(dead) - FIVE, trumps)) / float(ways(count(dead), trumps))


@jit
def bids_chance(bids: Bids, policy: Policy, player: Any, five: Any, dead: Any) -> Any:
    """Return how likely a player, who had these five cards, bids as was bid.

    Parameters
    ----------
    dead
        Cards out of play that the other players do not know.
    """
    words, seat = bids.words, bids.seats[player]
    if seat == words[B_MAKER] and words[B_MERGED] == ONE:
        return merge_chance(dead)
    hand = hand_bid(bids, player, five, dead)
    chance = 1.0
    for bidding_round in range(1, int(words[B_ROUND]) + 1):
        chance *= turn_chance(bids, policy, seat, hand, bidding_round)
    return chance


@jit
def believed(
    bids: Bids,
    policy: Policy,
    world: Masks,
    shown: Masks,
    players: Any,
    me: Any,
    dead: Any,
    word: Any,
) -> Any:
    """Return whether a world is kept, with the chance that these hands would have bid as was bid.

    Parameters
    ----------
    world, shown : uint64[4]
        Cards left and cards played, by player.
    dead
        Cards out of play that `me` does not know.

    Returns
    -------
    bool, uint64
        The answer and the next random word.
    """
    for step in range(2):
        # The maker first: a bid tells more than a pass.
        for player in range(players):
            making = bids.seats[U(player)] == bids.words[B_MAKER]
            if U(player) == me or making != (step == 0):
                continue
            five = world[U(player)] | shown[U(player)]
            word = next_word(word)
            if not accepts(bids_chance(bids, policy, U(player), five, dead), word):
                return False, word
    return True, word
