"""How players bid: features of a hand for each action, and the chance of each action.

An action's worth is a sum of table entries, one for each feature of the player's own cards: which
trumps they hold, aces and voids beside them, each side suit; for a pass also each suit that may
still be named. The chances of the actions follow their worths by the logit rule.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre.kernel_bits import (
    ONE,
    TOP,
    TRUMPS,
    ZERO,
    Masks,
    U,
    count,
    lowest,
    to_trumps,
)
from oddscalc.euchre.kernel_choices import ACES, discard
from oddscalc.jit import jit

# Words of a form: what of the rules the bidding depends on, and the sizes of the tables.
(
    F_SEATS,
    F_ALONE,  # 1 if the maker may play alone
    F_STUCK,  # 1 if the dealer must name a suit in the end
    F_DOWN,  # 1 if the suit turned down may be named
    F_ANY,  # 1 if a turned-up joker stands for any suit
    F_JOKER_SUIT,  # else for this one
    F_THROW_UP,  # 1 if the upcard may be discarded
    F_LOWEST,  # place of the lowest card in a suit's field
    F_JOKER,  # 1 if the deck has a joker
    F_UPS,  # upcards that differ
    F_LOWS,  # how many cards below the queen of trumps may be held, and none
    F_TRUMPS,  # where the parts of a table begin
    F_ACES,
    F_SIDE,
    F_TURNED,
    F_RUNS,
    F_HIGHS,
    F_NAMED,
    F_BEST,
    F_SIZE,  # entries in all
) = range(20)

FEATURES = 8  # of an action; unused ones are 0, the entry that all hands share
OPTIONS = 5  # pass, and each suit from the upcard's own on
PASS, SAME, NEXT, CROSS = range(4)
TABLES = 4  # of a turn: for a pass, the upcard's suit, the next suit, the cross suits
KINDS = 2  # with the partner or the dummy, and alone
ACTIONS = 9  # pass, each suit, each suit alone
GROUPS = 4  # of numbers of trumps
BINS = 24
MOST_LOW = 3  # low trumps told apart beside the high ones
LOSERS = 6  # what side cards may lose


@jit
def highs_of(trumps: Any, joker: Any) -> Any:
    """Return which of joker, bowers, ace, king and queen are among trumps, as a small number."""
    return (trumps & U(0x3F)) >> (ONE - joker)


@jit
def trump_entry(trumps: Any, up: Any, form: NDArray[np.int64]) -> Any:
    """Return the entry of the trumps held."""
    joker = U(form[F_JOKER])
    high = int(highs_of(trumps, joker))
    low = int(count(trumps >> U(6)))
    return form[F_TRUMPS] + ((up << (5 + int(joker))) + high) * form[F_LOWS] + low


@jit
def ace_entry(hand: Any, form: NDArray[np.int64]) -> Any:
    """Return the entry of the number of trumps, which bowers, side aces and side suits void."""
    trumps = hand & TRUMPS
    voids = 0
    for field in range(1, 4):
        if hand & (TRUMPS << U(16 * field)) == ZERO:
            voids += 1
    code = int(count(trumps)) << 2 | int(trumps >> ONE & U(3))
    return form[F_ACES] + ((code << 2 | int(count(hand & ACES))) << 2 | voids)


@jit
def side_suit(hand: Any, field: Any) -> Any:
    """Return the cards of a side suit, its highest in bit 0: one suit has no jack."""
    suit = hand >> U(16 * field + 3) & U(0xFF)
    if field == 1:
        suit = (suit & U(7)) | (suit >> U(4)) << U(3)
    return suit


@jit
def sure_cards(hand: Any) -> Any:
    """Return how many side cards no card of their suits beats: aces, kings beside aces, so on."""
    sure = ZERO
    for field in range(1, 4):
        sure += lowest(~(side_suit(hand, field) & U(15)))
    return sure


@jit
def run_entry(hand: Any, form: NDArray[np.int64]) -> Any:
    """Return the entry of the number of trumps, the highest in a row, and sure side cards."""
    top = highs_of(hand & TRUMPS, U(form[F_JOKER]))
    trumps = int(count(hand & TRUMPS))
    run = int(lowest(~top))
    return form[F_RUNS] + (trumps * 6 + min(run, 5)) * 6 + min(int(sure_cards(hand)), 5)


@jit
def losers_of(hand: Any) -> Any:
    """Return what side cards may lose, as a small number.

    0 for none, 1 to 3 for one card that comes after the highest left of its suit, after the two
    highest or after more of them, 4 and 5 for several without and with a sure card beside them.
    """
    sure, losers, rank = ZERO, ZERO, ZERO
    for field in range(1, 4):
        suit = side_suit(hand, field)
        run = lowest(~suit)
        sure += run
        losers += count(suit) - run
        if suit >> run != ZERO:
            rank = lowest(suit >> run)
    if losers == ZERO:
        return 0
    if losers == ONE:
        return int(min(rank, U(3)))
    return 4 if sure == ZERO else 5


@jit
def keen_entry(hand: Any, form: NDArray[np.int64]) -> Any:
    """Return the entry of the trumps held, low ones by number, with what side cards may lose.

    Whether a hand is played alone depends on both, which neither tells without the other.
    """
    trumps = hand & TRUMPS
    high = int(highs_of(trumps, U(form[F_JOKER])))
    low = min(int(count(trumps >> U(6))), MOST_LOW)
    return form[F_HIGHS] + (high * (MOST_LOW + 1) + low) * LOSERS + int(losers_of(hand))


@jit
def write_bid(
    hand: Any, up: Any, field_of_up: Any, bidding_round: Any, form: NDArray[np.int64], entries: Any
) -> None:
    """Write the entries of making trumps.

    Parameters
    ----------
    hand
        Layout of these trumps, after the pick-up and the discard.
    up
        Number of the upcard, from the lowest.
    field_of_up
        Field of the upcard's suit in this layout: 0 for the same suit, 1 for the next.
    entries : int32[FEATURES]
    """
    trumps = hand & TRUMPS
    entries[0] = 0
    seen = up
    if field_of_up != 0:
        # Of a turned-down card it matters if it was the jack: then there is no left bower.
        seen = 1 if field_of_up == 1 and up == form[F_LOWEST] - 6 else 0
    entries[1] = trump_entry(trumps, seen, form)
    entries[2] = ace_entry(hand, form)
    group = min(max(int(count(trumps)) - 1, 0), GROUPS - 1)
    lows = form[F_LOWS]
    for field in range(1, 4):
        suit = hand >> U(16 * field) & TRUMPS
        code = int(suit >> U(3) & U(15)) * lows + int(count(suit >> U(7)))
        if field == field_of_up:
            entries[2 + field] = form[F_TURNED] + up * 16 * lows + code
        else:
            kind = 0 if field == 1 else GROUPS
            entries[2 + field] = form[F_SIDE] + (kind + group) * 16 * lows + code
    entries[6] = run_entry(hand, form)
    entries[7] = keen_entry(hand, form)


@jit
def strength(hand: Any) -> Any:
    """Return roughly how good a hand is with these trumps, in quarters of a trick."""
    trumps = hand & TRUMPS
    worth = int(count(trumps)) * 2 + int(count(trumps & U(0b1101))) + int(count(trumps & U(0b11)))
    worth += 2 * int(count(hand & ACES))
    if trumps != ZERO:
        for field in range(1, 4):
            if hand & (TRUMPS << U(16 * field)) == ZERO:
                worth += 1
    return min(worth, BINS - 1)


@jit
def write_pass(hand: Any, base: Any, up: Any, form: NDArray[np.int64], entries: Any) -> None:
    """Write the entries of a pass.

    Parameters
    ----------
    hand
        Plain layout.
    base, up
        The upcard's suit and its number, from the lowest.
    entries : int32[FEATURES]
    """
    own = to_trumps(hand, base)
    entries[0] = 0
    entries[1] = trump_entry(own & TRUMPS, up, form)
    entries[2] = ace_entry(own, form)
    best, second = 0, 0
    joker = U(form[F_JOKER])
    cells = form[F_LOWS] << (5 + int(joker))
    for step in range(1, 4):
        other = to_trumps(hand, base ^ U(step))
        trumps = other & TRUMPS
        code = int(highs_of(trumps, joker)) * form[F_LOWS] + int(count(trumps >> U(6)))
        kind = 0
        if step == 1:
            kind = 2 if up == form[F_LOWEST] - 6 else 1
        entries[2 + step] = form[F_NAMED] + kind * cells + code
        worth = strength(other)
        if worth > best:
            best, second = worth, best
        elif worth > second:
            second = worth
    entries[6] = form[F_BEST] + best
    entries[7] = form[F_BEST] + BINS + second


@jit
def may_make(step: Any, joker_up: Any, bidding_round: Any, form: NDArray[np.int64]) -> Any:
    """Tell whether a suit may be made trumps; `step` is 0 for the upcard's, 1 for the next."""
    if joker_up and form[F_ANY] == 1:
        return True
    if bidding_round == 1:
        return step == 0
    return step != 0 or form[F_DOWN] == 1


@jit
def write_entries(
    hand: Any,
    up_card: Any,
    seat: Any,
    bidding_round: Any,
    form: NDArray[np.int64],
    entries: NDArray[np.int32],
) -> Any:
    """Write the entries of every action open to a player, -1 for those that are not.

    Parameters
    ----------
    hand, up_card
        Plain layout; the hand without the upcard.
    seat
        From the dealer's left.
    entries : int32[OPTIONS, FEATURES]
        Written: a pass, and each suit from the upcard's own on (suit ``base ^ step``).

    Returns
    -------
    int
        The upcard's suit.
    """
    joker_up = up_card == TOP
    base, up = U(form[F_JOKER_SUIT]), form[F_UPS] - 1
    if not joker_up:
        place = lowest(up_card)
        base, up = place >> U(4), form[F_LOWEST] - int(place & U(15))
    dealer = seat == form[F_SEATS] - 1
    entries[:, 0] = -1
    if not (bidding_round == 2 and dealer and form[F_STUCK] == 1):
        write_pass(hand, base, up, form, entries[0])
    for step in range(4):
        if may_make(step, joker_up, bidding_round, form):
            own = to_trumps(hand, base ^ U(step))
            field_of_up = step
            if bidding_round == 1:
                field_of_up = 0
                if dealer:
                    card = to_trumps(up_card, base ^ U(step))
                    thrown, _ = discard(own | card, ZERO if form[F_THROW_UP] == 1 else card, ZERO)
                    own = (own | card) ^ thrown
            write_bid(own, up, field_of_up, bidding_round, form, entries[1 + step])
    return base


@jit
def bid_chances(
    hand: Any,
    up_card: Any,
    seat: Any,
    bidding_round: Any,
    form: NDArray[np.int64],
    worths: NDArray[np.float32],
    sharpness: Any,
    entries: NDArray[np.int32],
    chances: NDArray[np.float64],
) -> Any:
    """Write the chance of every action of a player whose turn it is; return that of a pass.

    Parameters
    ----------
    hand, up_card, seat, bidding_round, form
        As in `write_entries`; the first seat is 0.
    worths : float32[2 * seats, TABLES, KINDS, entries]
        By turn: the seats of round one, then those of round two.
    sharpness
        One over the temperature of the logit rule, in points.
    entries : int32[OPTIONS, FEATURES]
        Scratch.
    chances : float64[ACTIONS]
        Written: pass, trump suit 0 … 3, trump suit 0 … 3 alone.
    """
    base = write_entries(hand, up_card, seat, bidding_round, form, entries)
    turn = seat + (bidding_round - 1) * form[F_SEATS]
    chances[:] = 0.0
    top = -1e30
    for option in range(OPTIONS):
        if entries[option, 0] < 0:
            continue
        block = min(option, CROSS)
        for kind in range(KINDS if option > 0 and form[F_ALONE] == 1 else 1):
            table = worths[turn, block, kind]
            worth = 0.0
            for feature in range(FEATURES):
                worth += table[entries[option, feature]]
            action = 0
            if option > 0:
                action = 1 + 4 * kind + int(base ^ U(option - 1))
            chances[action] = worth
            top = max(top, worth)
    total = 0.0
    for option in range(OPTIONS):
        if entries[option, 0] < 0:
            continue
        for kind in range(KINDS if option > 0 and form[F_ALONE] == 1 else 1):
            action = 0
            if option > 0:
                action = 1 + 4 * kind + int(base ^ U(option - 1))
            chances[action] = exp((chances[action] - top) * sharpness)
            total += chances[action]
    for action in range(ACTIONS):
        chances[action] /= total
    return chances[0]


@jit
def list_entries(
    deals: Masks,
    ups: Masks,
    seat: Any,
    bidding_round: Any,
    form: NDArray[np.int64],
    entries: NDArray[np.int32],
) -> None:
    """Write the entries of one turn to bid in many deals.

    Parameters
    ----------
    deals : uint64[deals, seats + 3]
        As in `kernel_library.draw_deals`.
    ups : uint64[upcards]
    entries : int32[deals, OPTIONS, FEATURES]
    """
    last = U(deals.shape[1] - 1)
    for row in range(deals.shape[0]):
        up = ups[deals[U(row), last]]
        write_entries(deals[U(row), U(seat)], up, seat, bidding_round, form, entries[row])
