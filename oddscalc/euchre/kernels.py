"""Kernels on hands as bits (layouts: see tables.py): deal, choose by rule, search, look up.

All integers are unsigned 64-bit: Numba turns a mixture with signed ones into floats. Seats are
numbers from the dealer's left; `makers` is a mask of seats. An *outcome* is 0 for no trick of the
makers, 1 for one or two, 2 for three or four, 3 for all five; 4 more if a defender played alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from oddscalc.jit import jit

Masks = NDArray[np.uint64]

U = np.uint64
ZERO, ONE, TWO, THREE, FOUR, FIVE = U(0), U(1), U(2), U(3), U(4), U(5)
TRUMPS = U(0xFFFF)
FIELD_OF = U(48)  # place of a card & FIELD_OF: where its field begins
FIRSTS = U(0x0001_0001_0001_0001)
GUARDS = U(0x8000_8000_8000_8000)
ACES = U(0x0008_0008_0008_0000)  # of side suits: the rule for a discard looks at them
PLACES = U(0x07FF_07FF_07FF_07FF)
TOP = U(1 << 63)

# words of a frame of the search's stack
REST, FIRST, CARD, SEAT, BEST, TAKER, LED, NEED, KEY, PLACE, LEFT = map(U, range(11))
FRAME = FOUR  # 16 words
LOTS = U(6)
FIRST_LOOK, STAY = 16, 3  # deals on which every five is tried, and how many go on
MOST_PLIES = 20
CELLS = 256
CELL = U(64 - 8)
CODE = U(11)  # bits for the owners of a suit's cards, and a leading one
MIX = U(0x9E37_79B9_7F4A_7C15)

# words of a plan: how one action is played out
(
    P_TRUMP,  # suit
    P_SEATS,
    P_MAKER,
    P_MAKERS,  # mask of the maker's side, also who sits out
    P_DEALER,
    P_TAKES,  # 1 if another dealer may take the upcard, 2 if that is a must
    P_UP,  # the upcard, trump layout
    P_THROW_UP,  # 1 if the upcard may be discarded
    P_DEFEND,  # 1 if defenders may play alone
    P_DECK,  # the deck's cards, trump layout
    P_DUMMY,  # 1 if the maker merges the dummy
    P_POOL,  # 1 if the upcard is still in the pool when the dummy is merged
    P_SEES,  # 1 if the dealer sees every card when discarding
    P_SWEPT,  # 1 if no trick must be told from one or two
    P_INNER,  # deals that decide the best five with a dummy
    P_SEED,
    P_KNOWN,  # what the maker sees when bidding: own hand and upcard, trump layout
) = map(U, range(17))


@intrinsic  # type: ignore[untyped-decorator]
def lowest(typing: Any, bits: Any) -> Any:
    """Return the place of the lowest set bit; there must be one."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), build


@intrinsic  # type: ignore[untyped-decorator]
def zeros_above(typing: Any, bits: Any) -> Any:
    """Return how many zeros lie above the highest set bit; there must be one."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), build


@intrinsic  # type: ignore[untyped-decorator]
def count(typing: Any, bits: Any) -> Any:
    """Return how many bits are set."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), build


# One deal, all cards seen


@jit
def sure_tricks(hands: Masks, players: Any, seat: Any, makers: Any) -> Any:
    """Return tricks that the leader's side and the makers, and the others, have for sure.

    The leader cashes the highest trumps; once no opponent can have one left, also the side cards
    that nobody can beat (a partner who must ruff holds trumps only and takes what is left). Who
    holds the highest trumps gets a trick for each of them whoever leads.

    Returns
    -------
    tuple
        Two bounds: tricks of the makers' side, tricks of the other side.
    """
    live = hands[0] | hands[1] | hands[2] | hands[3]
    mine = hands[seat]
    others = live ^ mine
    leading = (makers >> seat) & ONE
    tops = ((others | GUARDS) - FIRSTS) & ~others & mine
    most = ZERO
    for other in range(players):
        if (makers >> U(other)) & ONE != leading:
            most = max(most, count(hands[U(other)] & TRUMPS))
    sure = count(tops & TRUMPS)
    if sure >= most:
        sure = count(tops)
    for_makers = sure if leading == ONE else ZERO
    for_others = ZERO if leading == ONE else sure
    trumps = live & TRUMPS
    if trumps != ZERO:
        holder = ZERO
        while hands[holder] & trumps & (~trumps + ONE) == ZERO:
            holder += ONE
        lower = trumps & ~hands[holder]
        run = count(hands[holder] & trumps & ((lower & (~lower + ONE)) - ONE))
        if (makers >> holder) & ONE == ONE:
            for_makers = max(for_makers, run)
        else:
            for_others = max(for_others, run)
    return for_makers, for_others


@jit
def last_trick(hands: Masks, players: Any, seat: Any) -> Any:
    """Return who takes the last trick if `seat` leads."""
    best = hands[seat]
    counts = TRUMPS | (TRUMPS << (lowest(best) & FIELD_OF))
    taker = seat
    for step in range(ONE, players):
        other = seat + U(step)
        other = other - players if other >= players else other
        card = hands[other]
        if card & counts != ZERO and card < best:
            best, taker = card, other
    return taker


@jit
def search(
    hands: Masks,
    stack: Masks,
    memo: Masks,
    players: Any,
    makers: Any,
    seat: Any,
    left: Any,
    need: Any,
    place: Any,
    best: Any,
    taker: Any,
    led: Any,
) -> Any:
    """Tell whether the makers' side takes at least `need` of the `left` tricks, all cards seen.

    Alpha-beta without recursion. Of cards of one hand between which no card is left in another
    hand only the highest is tried; positions between tricks are remembered in `memo`.

    Parameters
    ----------
    hands : uint64[4]
        Cards left, trump layout, of the seats 0 … players - 1; the others 0. Unchanged on return.
    stack, memo : uint64[20 * 16], uint64[2 * 256]
        Scratch; `memo` must be zero, or from a search of the same deal with the same makers.
    seat, place : seat to play and its place in the trick, 0 for the leader
    best, taker, led : winning card and its seat, field of the suit led; 0 before a lead

    Returns
    -------
    bool, int
        The answer, and the nodes visited.
    """
    last = players - ONE
    depth = ZERO
    nodes = ZERO
    while True:
        nodes += ONE
        decided = False
        answer = False
        key = ZERO
        if place == ZERO:
            if need == ZERO:
                decided = answer = True
            elif need > left:
                decided = True
            elif left == ONE:
                decided = True
                answer = (makers >> last_trick(hands, players, seat)) & ONE == ONE
            else:
                for_makers, for_others = sure_tricks(hands, players, seat, makers)
                if for_makers >= need:
                    decided = answer = True
                elif left - for_others < need:
                    decided = True
                else:
                    key = hands[0] | hands[1] | hands[2] | hands[3] | (seat << U(60))
                    cell = ((key * MIX) >> CELL) << ONE
                    if memo[cell] == key:
                        bounds = memo[cell | ONE]
                        if bounds & U(15) >= need:
                            decided = answer = True
                        elif bounds >> FOUR < need:
                            decided = True
        if decided:
            # Climb to the nearest node where the answer is bad for the player and a move is left.
            frame = ZERO
            while True:
                if depth == ZERO:
                    return answer, nodes
                depth -= ONE
                frame = depth << FRAME
                seat = stack[frame | SEAT]
                hands[seat] |= stack[frame | CARD]
                making = (makers >> seat) & ONE == ONE
                if answer != making and stack[frame | FIRST] | stack[frame | REST] != ZERO:
                    break
                key = stack[frame | KEY]
                if key != ZERO:
                    need = stack[frame | NEED]
                    cell = ((key * MIX) >> CELL) << ONE
                    if memo[cell] != key:
                        memo[cell] = key
                        memo[cell | ONE] = U(0xF0)
                    bounds = memo[cell | ONE]
                    if answer:
                        memo[cell | ONE] = (bounds & U(0xF0)) | need
                    else:
                        memo[cell | ONE] = (bounds & U(15)) | ((need - ONE) << FOUR)
            place = stack[frame | PLACE]
            left = stack[frame | LEFT]
            best = stack[frame | BEST]
            taker = stack[frame | TAKER]
            led = stack[frame | LED]
            need = stack[frame | NEED]
            first = stack[frame | FIRST]
            rest = stack[frame | REST]
        else:
            mine = hands[seat]
            others = (hands[0] | hands[1] | hands[2] | hands[3] | best) & ~mine
            free = PLACES & ~others
            # The carry runs from each gap's start over absent cards to the first card held.
            moves = mine & ((free ^ mine) + (free & ~(free << ONE)))
            if place == ZERO:
                first = ((others | GUARDS) - FIRSTS) & ~others & moves
            else:
                if mine & led != ZERO:
                    moves &= led
                first = moves & (led | TRUMPS) & (best - ONE)
                if place == last and ((makers >> taker) ^ (makers >> seat)) & ONE == ZERO:
                    first = moves ^ first
            rest = moves ^ first
            frame = depth << FRAME
            stack[frame | SEAT] = seat
            stack[frame | PLACE] = place
            stack[frame | LEFT] = left
            stack[frame | BEST] = best
            stack[frame | TAKER] = taker
            stack[frame | LED] = led
            stack[frame | NEED] = need
            stack[frame | KEY] = key
        # Winners before others, the highest first; the last to play takes with the cheapest.
        # Others are tried from the lowest, leads from the highest.
        if first != ZERO:
            card = TOP >> zeros_above(first) if place == last else first & (~first + ONE)
            first ^= card
        else:
            card = rest & (~rest + ONE) if place == ZERO else TOP >> zeros_above(rest)
            rest ^= card
        stack[frame | FIRST] = first
        stack[frame | REST] = rest
        stack[frame | CARD] = card
        hands[seat] ^= card
        depth += ONE
        if place == ZERO:
            led = TRUMPS << (lowest(card) & FIELD_OF)
            best, taker = card, seat
        elif card & (led | TRUMPS) != ZERO and card < best:
            best, taker = card, seat
        if place == last:
            place = ZERO
            seat = taker
            left -= ONE
            need -= (makers >> taker) & ONE
            best = ZERO
        else:
            place += ONE
            seat = ZERO if seat == last else seat + ONE


@jit
def most_tricks(
    hands: Masks,
    stack: Masks,
    memo: Masks,
    players: Any,
    makers: Any,
    seat: Any,
    left: Any,
    place: Any,
    best: Any,
    taker: Any,
    led: Any,
) -> Any:
    """Return the tricks that the makers' side takes of those left; arguments as in `search`.

    A trick under way counts as one of those left.
    """
    memo[:] = ZERO
    taken = ZERO
    while taken < left:
        more, _ = search(
            hands, stack, memo, players, makers, seat, left, taken + ONE, place, best, taker, led
        )
        if not more:
            break
        taken += ONE
    return taken


@jit
def outcome_of(
    hands: Masks, stack: Masks, memo: Masks, players: Any, makers: Any, swept: Any
) -> Any:
    """Return the outcome of five tricks, seat 0 leading, and the nodes visited."""
    memo[:] = ZERO
    made, nodes = search(
        hands, stack, memo, players, makers, ZERO, FIVE, THREE, ZERO, ZERO, ZERO, ZERO
    )
    if made or swept == ONE:
        target = FIVE if made else ONE
        more, extra = search(
            hands, stack, memo, players, makers, ZERO, FIVE, target, ZERO, ZERO, ZERO, ZERO
        )
        nodes += extra
        return (TWO if made else ZERO) + (ONE if more else ZERO), nodes
    return ONE, nodes


# Two hands: all positions


@jit
def pair_key(leader: Any, other: Any) -> Any:
    """Return a number for a two-handed position that depends only on owners in rank order."""
    key = ZERO
    for field in range(4):
        shift = U(16 * field)
        cards = ((leader | other) >> shift) & TRUMPS
        own = (leader >> shift) & TRUMPS
        code = ONE
        while cards != ZERO:
            card = cards & (~cards + ONE)
            cards ^= card
            code = (code << ONE) | (ONE if own & card != ZERO else ZERO)
        key = (key << CODE) | code
    return key


@jit
def pair_cell(table: Masks, key: Any) -> Any:
    """Return the cell of `key` in the tablebase: its own, or the free one where it belongs.

    A cell is the key, shifted left by 8, and the leader's tricks plus 1; a free one is 0.
    """
    size = U(table.size)
    cell = (key * MIX) >> (U(1) + zeros_above(size))
    while table[cell] != ZERO and table[cell] >> U(8) != key:
        cell = (cell + ONE) & (size - ONE)
    return cell


@jit
def pair_tricks(table: Masks, leader: Any, other: Any) -> Any:
    """Return the leader's tricks of a two-handed position of the tablebase."""
    return (table[pair_cell(table, pair_key(leader, other))] & U(0xFF)) - ONE


@jit
def solve_pairs(table: Masks, size: Any, longest: Any) -> Any:
    """Fill in all two-handed positions of `size` cards each; smaller ones must be there.

    Parameters
    ----------
    longest : int64[4]
        Most cards of each field: trumps, the other suit of the colour, the two others.

    Returns
    -------
    int
        How many there are, up to cards that are equivalent.
    """
    found = 0
    cards = 2 * size
    for a in range(min(longest[0], cards) + 1):
        for b in range(min(longest[1], cards - a) + 1):
            for c in range(min(longest[2], cards - a - b) + 1):
                if cards - a - b - c > longest[3]:
                    continue
                lengths = (a, b, c, cards - a - b - c)
                for owners in range(1 << cards):
                    if count(U(owners)) != U(size):
                        continue
                    leader, other = ZERO, ZERO
                    owner = U(owners)
                    for field in range(4):
                        for step in range(lengths[field]):
                            card = ONE << U(16 * field + step)
                            if owner & ONE == ONE:
                                leader |= card
                            else:
                                other |= card
                            owner >>= ONE
                    key = pair_key(leader, other)
                    tricks = pair_value(table, leader, other, U(size))
                    table[pair_cell(table, key)] = (key << U(8)) | (tricks + ONE)
                    found += 1
    return found


@jit
def pair_value(table: Masks, leader: Any, other: Any, size: Any) -> Any:
    """Return the leader's tricks by trying every lead and reply on the smaller positions."""
    most = ZERO
    leads = leader
    while leads != ZERO:
        lead = leads & (~leads + ONE)
        leads ^= lead
        led = TRUMPS << (lowest(lead) & FIELD_OF)
        replies = other & led if other & led != ZERO else other
        least = size
        while replies != ZERO:
            reply = replies & (~replies + ONE)
            replies ^= reply
            loses = reply & (led | TRUMPS) != ZERO and reply < lead
            if size == ONE:
                tricks = ZERO if loses else ONE
            elif loses:
                tricks = size - ONE - pair_tricks(table, other ^ reply, leader ^ lead)
            else:
                tricks = ONE + pair_tricks(table, leader ^ lead, other ^ reply)
            least = min(least, tricks)
        most = max(most, least)
    return most


# Deals: sampled, or all of them as patterns


@jit
def random_word(state: Any) -> Any:
    """Return the word of a counter (splitmix64): the same for the same counter, everywhere."""
    word = state * MIX
    word = (word ^ (word >> U(30))) * U(0xBF58_476D_1CE4_E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D0_49BB_1331_11EB)
    return word ^ (word >> U(31))


@jit
def shuffle(cards: Masks, wanted: Any, seed: Any, deal: Any) -> Any:
    """Draw the first `wanted` of `cards` at random, in place; return a further random word.

    What is drawn depends on the order of `cards`, the seed and the number of the deal.
    """
    state = random_word(seed ^ random_word(deal + ONE))
    size = U(cards.size)
    for place in range(wanted):
        state += ONE
        # 32 random bits for at most 32 cards: no card is favoured by more than one in 10^8.
        pick = U(place) + (((random_word(state) >> U(32)) * (size - U(place))) >> U(32))
        cards[U(place)], cards[pick] = cards[pick], cards[U(place)]
    return random_word(state + ONE)


@jit
def deal_hands(
    unseen: Masks, holders: Masks, dummy: Any, seed: Any, first: Any, deals: Masks
) -> None:
    """Deal five unseen cards to each holder and `dummy` to the dummy, in every row of `deals`.

    Parameters
    ----------
    unseen : uint64[cards]
        One bit each, plain layout.
    holders : uint64[parties]
        Seats that get cards.
    first : number of the first row's deal
    deals : uint64[deals, seats + 2]
        Hands by seat, the dummy, and a lot for ties (0 … 5). Other columns are left alone.
    """
    cards = unseen.copy()
    last = U(deals.shape[1] - 1)
    for row in range(deals.shape[0]):
        cards[:] = unseen
        word = shuffle(cards, 5 * holders.size + dummy, seed, U(first) + U(row))
        deals[U(row), last] = word % LOTS
        place = ZERO
        for party in range(holders.size):
            hand = ZERO
            for _ in range(5):
                hand |= cards[place]
                place += ONE
            deals[U(row), holders[U(party)]] = hand
        hand = ZERO
        for _ in range(dummy):
            hand |= cards[place]
            place += ONE
        deals[U(row), last - ONE] = hand


@jit
def group_cards(unseen: Any, walls: Any, cards: Masks, sizes: NDArray[np.int64]) -> Any:
    """Part the unseen cards into groups of alike ones; return how many groups there are.

    Cards of a suit are alike if no wall ranks between them.

    Parameters
    ----------
    unseen, walls : trump layout; a wall may itself be unseen: then it is a group of its own
    cards : uint64[unseen], sizes : int64[unseen]
        Written: the cards group by group, and how many are in each group.
    """
    groups, place = 0, 0
    last = ZERO
    while unseen != ZERO:
        card = unseen & (~unseen + ONE)
        unseen ^= card
        # Bits from the last card to this one, both included.
        between = (card | (card - ONE)) & ~(last - ONE)
        if last == ZERO or between & walls != ZERO or lowest(card) >> FOUR != lowest(last) >> FOUR:
            sizes[groups] = 0
            groups += 1
        sizes[groups - 1] += 1
        cards[place] = card
        place += 1
        last = card
    return groups


@jit
def count_patterns(sizes: NDArray[np.int64], wanted: Any) -> Any:
    """Return in how many ways `wanted` cards are taken from groups of alike cards."""
    ways = np.zeros(wanted + 1, np.int64)
    ways[0] = 1
    for size in sizes:
        for total in range(wanted, 0, -1):
            for taken in range(1, min(size, total) + 1):
                ways[total] += ways[total - taken]
    return ways[wanted]


@jit
def list_patterns(
    sizes: NDArray[np.int64], wanted: Any, patterns: NDArray[np.int64], weights: NDArray[np.int64]
) -> None:
    """Write every way to take `wanted` cards from groups, and the choices of cards it stands for.

    Parameters
    ----------
    sizes : int64[groups]
    patterns : int64[n, groups], weights : int64[n]
        With `n` from `count_patterns`.
    """
    groups = sizes.size
    taken = np.zeros(groups, np.int64)
    room = np.zeros(groups + 1, np.int64)
    for group in range(groups - 1, -1, -1):
        room[group] = room[group + 1] + sizes[group]
    for row in range(weights.size):
        if row > 0:
            # Give one card more to the last group that can take it, then the least to those after.
            group, after = groups - 1, 0
            while taken[group] == sizes[group] or after == 0:
                after += taken[group]
                group -= 1
            taken[group] += 1
            for later in range(group + 1, groups):
                taken[later] = 0
        total = wanted
        for group in range(groups):
            total -= taken[group]
        for group in range(groups - 1, -1, -1):
            more = min(total, sizes[group] - taken[group])
            taken[group] += more
            total -= more
        weight = 1
        for group in range(groups):
            patterns[row, group] = taken[group]
            for card in range(taken[group]):
                weight = weight * (sizes[group] - card) // (card + 1)
        weights[row] = weight


@jit
def deal_worlds(
    cards: Masks,
    sizes: NDArray[np.int64],
    patterns: NDArray[np.int64],
    holders: Masks,
    of_fifteen: Masks,
    of_ten: Masks,
    first: Any,
    deals: Masks,
) -> None:
    """Write rows `first`, `first + 1` … of all worlds: a pattern of live cards, then their owners.

    Parameters
    ----------
    cards : uint64[unseen]
        One bit each, group by group.
    sizes, patterns
        As in `list_patterns`; a pattern tells how many cards of each group are live.
    holders : uint64[1 … 3]
        Seats that get five live cards each.
    of_fifteen, of_ten : uint64[3003, 5], uint64[252, 5]
        Every choice of five places.
    """
    parties = holders.size
    live = np.zeros(15, np.uint64)
    each = 1
    if parties > 1:
        each *= of_ten.shape[0]
    if parties > 2:
        each *= of_fifteen.shape[0]
    for row in range(deals.shape[0]):
        world = first + row
        pattern, arrangement = world // each, world % each
        size, start = 0, 0
        for group in range(sizes.size):
            for place in range(patterns[pattern, group]):
                live[size] = cards[start + place]
                size += 1
            start += sizes[group]
        choices = of_fifteen if parties == 3 else of_ten
        for party in range(parties - 1):
            choice = arrangement % choices.shape[0]
            arrangement //= choices.shape[0]
            hand = ZERO
            for pick in range(5):
                place = choices[choice, pick]
                hand |= live[place]
                live[place] = ZERO
            deals[U(row), holders[party]] = hand
            size = 0
            for place in range(15):
                if live[place] != ZERO:
                    live[size] = live[place]
                    if size != place:
                        live[place] = ZERO
                    size += 1
            choices = of_ten
        hand = ZERO
        for place in range(5):
            hand |= live[place]
        deals[U(row), holders[parties - 1]] = hand


# One bid in many deals: choices by rule, then the play


@jit
def to_trumps(hand: Any, trump: Any) -> Any:
    """Return a hand of the plain layout in the layout of a trump suit."""
    fields = hand & PLACES
    if trump & ONE != ZERO:
        fields = ((fields & U(0xFFFF_0000_FFFF)) << U(16)) | (
            (fields >> U(16)) & U(0xFFFF_0000_FFFF)
        )
    if trump & TWO != ZERO:
        fields = (fields << U(32)) | (fields >> U(32))
    bowers = ((fields >> U(6)) & ONE) << ONE | ((fields >> U(22)) & ONE) << TWO
    return (fields & ~U(0x40_0040)) | bowers | (hand >> U(63))


@jit
def reluctance(cards: Any) -> Any:
    """Return how much a dealer likes to keep a side suit (its field moved to the first place)."""
    if cards == ZERO:
        return U(1 << 16)
    length = count(cards)
    ace = cards >> THREE & ONE
    lone_ace = ace if length == ONE else ZERO
    return lone_ace << U(8) | length << ONE | ace


@jit
def discard(six: Any, fixed: Any, lot: Any) -> Any:
    """Return what a dealer throws from `six` by rule, never `fixed`, and how many suits tied.

    The lowest card of the shortest side suit, a lone ace last; of suits equally long first one
    without its ace, then by `lot` (0 … 5). Without side cards the lowest trump.
    """
    free = six & ~fixed
    if free & ~TRUMPS == ZERO:
        return TOP >> zeros_above(free), ONE
    least = U(1 << 16)
    for field in range(1, 4):
        least = min(least, reluctance(free >> U(16 * field) & TRUMPS))
    tied = ZERO
    for field in range(1, 4):
        if reluctance(free >> U(16 * field) & TRUMPS) == least:
            tied += ONE
    pick = lot % tied
    choice = ZERO
    for field in range(1, 4):
        if reluctance(free >> U(16 * field) & TRUMPS) == least:
            if pick == ZERO:
                choice = free & (TRUMPS << U(16 * field))
            pick -= ONE
    return TOP >> zeros_above(choice), tied


@jit
def finish(
    held: Masks, plan: Masks, seating: Masks, table: Masks, hands: Masks, stack: Masks, memo: Masks
) -> Any:
    """Return the outcome of hands as they are played: who defends alone, who leads, the tricks.

    Parameters
    ----------
    held : uint64[4]
        Hands by seat, trump layout.
    seating : uint64[seats + 1, 3]
        For each lone defender, and in the last row for none: who plays, who leads, the makers.
    table : uint64[cells]
        Two-handed tablebase.
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
    if players == TWO:
        tricks = pair_tricks(table, hands[0], hands[1])
        tricks = tricks if makers == ONE else FIVE - tricks
        outcome = (tricks + ONE) >> ONE
    else:
        outcome, _ = outcome_of(hands, stack, memo, players, makers, plan[P_SWEPT])
    return outcome if defender == seats else outcome | FOUR


@jit
def taken_up(own: Any, lot: Any, plan: Masks) -> Any:
    """Return what another dealer plays with once the upcard is ordered, by the rule.

    The dealer takes the upcard unless the rule would throw it at once.
    """
    up = plan[P_UP]
    six = own | up
    thrown, _ = discard(six, ZERO, lot)
    if thrown == up and plan[P_THROW_UP] == ZERO and plan[P_TAKES] == TWO:
        thrown, _ = discard(six, up, lot)
    return six ^ thrown


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
def highest_of(cards: Any, wanted: Any) -> Any:
    """Return the `wanted` highest of the cards of one suit."""
    kept = ZERO
    for _ in range(wanted):
        card = cards & (~cards + ONE)
        cards ^= card
        kept |= card
    return kept


@jit
def list_keeps(pool: Any, plan: Masks, keeps: Masks) -> Any:
    """Write the fives of `pool` that come into question to `keeps`; return how many.

    All trumps (the five highest if there are more), then the highest of each side suit in every
    mixture. An upcard in the pool that may not be discarded is kept.
    """
    trumps = pool & TRUMPS
    if count(trumps) >= FIVE:
        keeps[0] = highest_of(trumps, FIVE)
        if plan[P_POOL] == ONE and plan[P_THROW_UP] == ZERO and keeps[0] & plan[P_UP] == ZERO:
            keeps[0] ^= (TOP >> zeros_above(keeps[0])) | plan[P_UP]
        return 1
    more = int(FIVE - count(trumps))
    a, b, c = pool & (TRUMPS << U(16)), pool & (TRUMPS << U(32)), pool & (TRUMPS << U(48))
    found = 0
    for of_a in range(min(more, int(count(a))) + 1):
        for of_b in range(min(more - of_a, int(count(b))) + 1):
            of_c = more - of_a - of_b
            if of_c <= int(count(c)):
                side = highest_of(a, of_a) | highest_of(b, of_b) | highest_of(c, of_c)
                keeps[U(found)] = trumps | side
                found += 1
    return found


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
    plan : uint64[17]
        Words P_....
    seating, table
        As in `finish`.
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


@jit
def alike(higher: Any, lower: Any, unseen: Any) -> Any:
    """Tell whether two cards of a hand are of one suit, no unseen card ranking between them."""
    if lower == ZERO or lowest(higher) >> FOUR != lowest(lower) >> FOUR:
        return False
    return (lower - ONE) & ~(higher - ONE) & unseen == ZERO
