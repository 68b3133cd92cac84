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
    lowest,
    zeros_above,
)
from oddscalc.euchre.kernel_policy import ACTIONS, FEATURES, OPTIONS, bid_chances
from oddscalc.euchre.kernel_worlds import next_word, ways
from oddscalc.jit import jit, jit_lent

# words of a bidding that is over
(
    B_MAKER,  # seat
    B_TRUMP,
    B_UP,  # the upcard, trump layout
    B_DEALER,
    B_TAKEN,  # 1 if the dealer has taken the upcard
    B_MERGED,  # 1 if the maker has kept the best five with the dummy
) = map(U, range(6))


class Policy(NamedTuple):
    """How all players bid, as `kernel_policy.bid_chances` reads it."""

    form: NDArray[np.int64]
    worths: NDArray[np.float32]
    sharpness: float


class Told(NamedTuple):
    """How likely each hand of five is to bid as was bid.

    Attributes
    ----------
    ranks : int64[5, 64]
        What a card adds to its hand's number, by how many lower cards there are and its place.
    chances : float32[seats, hands]
    spoke : bool[seats]
        Whether a seat has bid at all.
    """

    ranks: NDArray[np.int64]
    chances: NDArray[np.float32]
    spoke: NDArray[np.bool_]


class Bids(NamedTuple):
    """What players know of the bidding: words B_…, and the seat of each player."""

    words: Masks
    seats: Masks


@jit_lent
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


@jit_lent
def accepts(chance: Any, word: Any) -> Any:
    """Return True with a chance, decided by a random word."""
    return (word >> U(11)) * (1.0 / (1 << 53)) < chance


@jit_lent
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
def list_chances(cards: Masks, up: Any, policy: Policy, chances: NDArray[np.float32]) -> None:
    """Write how likely every hand of five takes each action at each turn.

    Parameters
    ----------
    cards : uint64[cards]
        One bit each, plain layout, the lowest first; without the upcard.
    chances : float32[turns, hands, ACTIONS]
        Hands by their number: the highest card last, then the next.
    """
    entries = np.zeros((OPTIONS, FEATURES), np.int32)
    found = np.zeros(ACTIONS, np.float64)
    seats = policy.form[0]
    for turn in range(chances.shape[0]):
        number = 0
        for e in range(4, cards.size):
            for d in range(3, e):
                for c in range(2, d):
                    for b in range(1, c):
                        for a in range(b):
                            hand = cards[a] | cards[b] | cards[c] | cards[d] | cards[e]
                            bid_chances(
                                hand, up, turn % seats, 1 + turn // seats, policy.form,
                                policy.worths, policy.sharpness, entries, found,
                            )  # fmt: skip
                            for action in range(ACTIONS):
                                chances[turn, number, action] = found[action]
                            number += 1


@jit_lent
def hand_number(hand: Any, ranks: NDArray[np.int64]) -> Any:
    """Return the number of a hand of five, plain layout."""
    number = 0
    for lower in range(5):
        number += ranks[lower, lowest(hand)]
        hand &= hand - ONE
    return number


@jit_lent
def merge_chance(dead: Any) -> Any:
    """Return how likely a maker with the dummy has left these cards, of those out of play.

    Of the five that the maker left none was a trump, so all dead trumps were undealt.
    """
    trumps = count(dead & TRUMPS)
    return float(ways(count(dead) - FIVE, trumps)) / float(ways(count(dead), trumps))


@jit_lent
def bids_chance(bids: Bids, told: Told, player: Any, five: Any, dead: Any) -> Any:
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
    return float(told.chances[seat, hand_number(hand, told.ranks)])


@jit_lent
def needs_dead(bids: Bids, player: Any) -> Any:
    """Tell whether it takes the cards out of play to say how likely a player bids as was bid."""
    words, seat = bids.words, bids.seats[player]
    if seat == words[B_MAKER] and words[B_MERGED] == ONE:
        return True
    return seat == words[B_DEALER] and words[B_TAKEN] == ONE


@jit_lent
def believed(bids: Bids, told: Told, player: Any, five: Any, dead: Any, word: Any) -> Any:
    """Decide whether a hand is kept, with the chance that it would have bid as was bid.

    Parameters
    ----------
    five, dead
        As in `bids_chance`.

    Returns
    -------
    bool, uint64
        The answer and the next random word.
    """
    if not told.spoke[bids.seats[player]]:
        return True, word
    word = next_word(word)
    return accepts(bids_chance(bids, told, player, five, dead), word), word
