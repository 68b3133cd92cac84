"""Closed play: what players know, the worlds they think of, and how well they play."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import sqrt
from random import Random

import numpy as np
import pytest

from oddscalc.euchre import (
    kernel_beliefs,
    kernel_closed,
    kernel_closed_plays,
    kernel_duels,
    kernel_every,
    kernel_table,
)
from oddscalc.euchre.beliefs import told_by
from oddscalc.euchre.bidding import bidding_policy
from oddscalc.euchre.closed import REFINEMENTS, STYLES, closed_outcomes, skill_of
from oddscalc.euchre.deals import sample_deals, unseen_cards
from oddscalc.euchre.kernel_beliefs import Told
from oddscalc.euchre.kernel_table import Scratch, Table
from oddscalc.euchre.notation import SUITS, card_name, deck_cards, read_cards
from oddscalc.euchre.plays import Bid, Play, Question
from oddscalc.euchre.rules import load_game
from oddscalc.euchre.tables import in_trumps, trump_bit
from tests.oracle import euchre as oracle

PLAIN = [name for name in REFINEMENTS if name != "bids"]
EVERY = (1 << 64) - 1


def bits(mask: int) -> list[int]:
    return [1 << place for place in range(64) if int(mask) >> place & 1]


def ones(mask: int) -> int:
    return int(mask).bit_count()


# A hand at its start, as the players who hold it know it

# game, round, maker, alone
HANDS = {
    "two-handed": ("two-handed", 1, 0, False),
    "two-handed, named": ("two-handed", 2, 1, False),
    "three-handed, dummy": ("three-handed", 2, 1, False),
    "three-handed, alone": ("three-handed", 1, 0, True),
    "four-handed": ("four-handed", 1, 1, False),
    "four-handed, dealer": ("four-handed", 1, 3, False),
    "four-handed, alone": ("four-handed", 2, 0, True),
}
SPADES, CLUBS = 0, 1


def dealt(kind: str, random: Random, skill: int) -> tuple[Table, Told]:
    """Return a random hand before the first lead, and what the bidding tells of it, if anything.

    Who may take up or merge keeps any five.
    """
    name, number, maker, alone = HANDS[kind]
    game = load_game(name)
    cards = random.sample(deck_cards(game.deck), 24)
    up = next(card for card in cards if card < 8)
    cards.remove(up)
    trump = SPADES if number == 1 else CLUBS
    play = Play.of(Question(game, (), up, maker, number), Bid(trump, alone))
    held, had = np.zeros(4, np.uint64), np.zeros(4, np.uint64)
    for seat in range(game.hands):
        hand = [cards.pop() for _ in range(5)]
        if number == 1 and seat == game.dealer:
            hand.append(up)
        if game.may_use_dummy(maker, alone=alone) and seat == maker:
            hand += [cards.pop() for _ in range(game.dummy)]
        had[seat] = in_trumps(hand, trump)
        held[seat] = in_trumps(
            [up, *random.sample([c for c in hand if c != up], 4)]
            if up in hand
            else random.sample(hand, 5),
            trump,
        )
    table: Table = kernel_table.new_table(play.table)
    skills = np.full(4, skill, np.uint64)
    kernel_closed_plays.seat_table(table, held, had, play.plan, play.seating, play.points, skills)
    return table, told_by(play, bidding_policy(game) if tells(kind) else None)


def tells(kind: str) -> bool:
    """Tell whether the kind of hand has a bidding policy that is there at once."""
    return kind.startswith("four")


def copied(table: Table) -> Table:
    return table._replace(
        hands=table.hands.copy(),
        seen=table.seen.copy(),
        barred=table.barred.copy(),
        shown=table.shown.copy(),
        trick=table.trick.copy(),
    )


def looks_alike(table: Table, random: Random) -> Table:
    """Return another hand that the player to play cannot tell from this one."""
    other = copied(table)
    me, players = int(table.trick[kernel_table.T_SEAT]), int(table.contract[0])
    known = int(table.trick[kernel_table.T_AWAY] | table.hands[me] | table.seen[me])
    hidden = bits(int(table.contract[kernel_table.C_DECK]) & ~known & EVERY)
    pinned = int(table.contract[kernel_table.C_PINNED])
    holder = int(table.contract[kernel_table.C_HOLDER])
    while True:
        random.shuffle(hidden)
        rest = list(hidden)
        for player in set(range(players)) - {me}:
            hand = [rest.pop() for _ in range(ones(table.hands[player]))]
            other.hands[player] = sum(hand)
        fits = all(other.hands[p] & table.barred[p] == 0 for p in range(players) if p != me)
        if pinned in hidden and holder != me:
            fits = fits and int(other.hands[holder]) & pinned != 0
        if fits:
            for player in set(range(players)) - {me}:
                other.seen[player] = sum(rest[: ones(table.seen[player])])
            return other


def open_moves(table: Table) -> int:
    """Return the cards that may be played, no two being taken for alike."""
    mine = table.hands[int(table.trick[kernel_table.T_SEAT])]
    others = np.uint64(EVERY ^ int(mine))
    return int(kernel_table.legal_cards(mine, table.trick[kernel_table.T_LED], others))


def decisions(table: Table, random: Random) -> Iterator[Table]:
    """Yield the table whenever there is a choice; cards are played at random."""
    while table.trick[kernel_table.T_LEFT]:
        moves = open_moves(table)
        if ones(moves) > 1:
            yield table
        kernel_table.put_down(table, np.uint64(random.choice(bits(moves))))


def chosen(table: Table, told: Told, word: int) -> int:
    return int(kernel_closed.choose_card(table, kernel_table.new_scratch(), told, np.uint64(word)))


@pytest.mark.parametrize("kind", HANDS)
def test_hands_that_look_alike_are_played_alike(kind: str) -> None:
    random = Random(kind)
    skills = [skill_of(6, [*REFINEMENTS] if tells(kind) else PLAIN), STYLES["rules"], 0]
    found = 0
    for number in range(24):
        start, told = dealt(kind, random, skills[number % 3])
        for table in decisions(start, random):
            found += 1
            word = random.getrandbits(64)
            other = looks_alike(table, random)
            assert chosen(table, told, word) == chosen(other, told, word)
    assert found > 100


def test_who_sees_every_card_tells_them_apart() -> None:
    random = Random(3)
    differ = 0
    for _ in range(20):
        start, told = dealt("four-handed", random, STYLES["open"])
        for table in decisions(start, random):
            differ += chosen(table, told, 1) != chosen(looks_alike(table, random), told, 1)
    assert differ > 5


@pytest.mark.parametrize("kind", HANDS)
def test_players_know_what_they_buried_and_nobody_elses_cards(kind: str) -> None:
    random = Random(kind)
    _, number, maker, _alone = HANDS[kind]
    for _ in range(20):
        table, _told = dealt(kind, random, 0)
        players = int(table.contract[kernel_table.C_PLAYERS])
        seats = table.bids.seats[:players].tolist()
        dealer = load_game(HANDS[kind][0]).dealer
        for player, seat in enumerate(seats):
            buried = (number == 1 and seat == dealer) + 5 * (
                kind == "three-handed, dummy" and seat == maker
            )
            assert ones(table.seen[player]) == buried
            assert not any(table.seen[player] & table.hands[other] for other in range(players))


# Worlds

# sizes, barred cards by player, a pinned card and its holder; player 0 asks, 7 cards are unknown
POSITIONS = {
    "nothing shown": ((0, 2, 2, 1), (0, 0, 0, 0), 0, 0),
    "one void": ((0, 2, 2, 2), (0, 0b11, 0, 0), 0, 0),
    "two players, the same void": ((0, 2, 2, 1), (0, 0b110, 0b110, 0), 0, 0),
    "voids that overlap": ((0, 2, 1, 2), (0, 0b1110, 0b0111, 0), 0, 0),
    "every player has shown one": ((0, 2, 2, 2), (0, 0b1, 0b11000, 0b0110), 0, 0),
    "several suits": ((0, 1, 2, 2), (0, 0b0111100, 0b1100001, 0b0000110), 0, 0),
    "a card that was taken up": ((0, 2, 2, 1), (0, 0b11, 0, 0b100), 0b1000, 2),
    "two hands": ((0, 3, 0, 0), (0, 0b1, 0, 0), 0b10, 1),
}
UNKNOWN = 0b1111111


def possible(
    sizes: tuple[int, ...], barred: tuple[int, ...], pinned: int, holder: int
) -> set[tuple[int, ...]]:
    """Return every world, found by trying all."""
    found: set[tuple[int, ...]] = set()
    cards = bits(UNKNOWN)
    for first in combinations(cards, sizes[1]):
        left = [card for card in cards if card not in first]
        for second in combinations(left, sizes[2]):
            rest = [card for card in left if card not in second]
            for third in combinations(rest, sizes[3]):
                world = (0, sum(first), sum(second), sum(third))
                if not any(hand & bar for hand, bar in zip(world, barred, strict=True)) and (
                    not pinned or world[holder] & pinned
                ):
                    found.add(world)
    return found


@pytest.mark.parametrize("position", POSITIONS)
def test_worlds_are_possible_and_equally_likely(position: str) -> None:
    sizes, barred, pinned, holder = POSITIONS[position]
    every = possible(sizes, barred, pinned, holder)
    players = 2 if position == "two hands" else 4
    table, told = dealt("four-handed", Random(1), 0)
    table.hands[0] = table.seen[0] = table.trick[kernel_table.T_AWAY] = 0
    table.barred[:] = barred
    table.contract[:] = players, 1, UNKNOWN, 0, pinned, holder
    table.trick[kernel_table.T_SEAT] = 0
    scratch: Scratch = kernel_table.new_scratch()
    scratch.sizes[:] = sizes
    kernel_closed.list_unknown(table, scratch, np.uint64(pinned))
    counts: Counter[tuple[int, ...]] = Counter()
    word, plain = np.uint64(7), np.uint64(skill_of(refinements=PLAIN))
    draws = 100 * len(every)
    for _ in range(draws):
        after, _ = kernel_closed.draw_world(table, scratch, told, plain, np.uint64(1), word)
        word, world = np.uint64(after), scratch.world
        counts[tuple(world.tolist())] += 1
    assert set(counts) == every
    freedom = len(every) - 1
    chi = sum((count - 100) ** 2 / 100 for count in counts.values())
    assert chi < freedom + 4 * sqrt(2 * freedom) + 4


def test_worlds_agree_with_what_was_shown() -> None:
    random = Random(11)
    for kind in ("four-handed", "four-handed, dealer", "three-handed, dummy"):
        skill = skill_of(refinements=tuple(REFINEMENTS) if tells(kind) else PLAIN)
        for _ in range(6):
            start, told = dealt(kind, random, skill)
            for table in decisions(start, random):
                me = int(table.trick[kernel_table.T_SEAT])
                players = int(table.contract[kernel_table.C_PLAYERS])
                sizes = [ones(hand) for hand in table.hands]
                pinned = int(table.contract[kernel_table.C_PINNED])
                holder = int(table.contract[kernel_table.C_HOLDER])
                hidden = pinned & ~int(table.trick[kernel_table.T_AWAY])
                worlds = np.zeros((3, 4), np.uint64)
                kernel_closed_plays.draw_worlds(table, told, np.uint64(5), np.uint64(0), worlds)
                for world in worlds.tolist():
                    assert [ones(hand) for hand in world] == sizes
                    assert world[me] == table.hands[me]
                    together = sum(world)
                    assert ones(together) == sum(sizes)
                    assert not together & int(table.trick[kernel_table.T_AWAY] | table.seen[me])
                    for player in range(players):
                        assert player == me or not world[player] & int(table.barred[player])
                    assert not hidden or holder == me or world[holder] & hidden


def listed(table: Table, told: Told, most: int) -> set[tuple[int, ...]]:
    """Return the worlds that are listed for the player to play, none twice."""
    scratch = kernel_table.new_scratch()
    kernel_table.look_around(table, scratch, False)
    number = int(
        kernel_every.list_worlds(
            table, told, False, scratch.sizes, scratch.every, scratch.weights, np.uint64(most)
        )
    )
    worlds = scratch.every[:number].copy()
    me = int(table.trick[kernel_table.T_SEAT])
    worlds[:, me] = table.hands[me]
    found = {tuple(row) for row in worlds.tolist()}
    assert len(found) == number
    return found


@pytest.mark.parametrize("kind", ["four-handed, dealer", "four-handed, alone"])
def test_worlds_of_the_last_two_tricks_are_listed_all(kind: str) -> None:
    random = Random(kind)
    compared = 0
    while compared < 12:
        start, told = dealt(kind, random, skill_of(20, PLAIN))
        for table in decisions(start, random):
            if table.trick[kernel_table.T_LEFT] != 2:
                continue
            found = listed(table, told, kernel_table.MOST_LISTED)
            if not 0 < len(found) < 150:
                continue
            # So many draws miss none.
            drawn = np.zeros((20 * len(found), 4), np.uint64)
            kernel_closed_plays.draw_worlds(table, told, np.uint64(5), np.uint64(0), drawn)
            assert {tuple(row) for row in drawn.tolist()} == found
            assert not listed(table, told, len(found) // 3)
            compared += 1


# What the bidding tells


def test_a_world_is_as_likely_as_its_bids() -> None:
    policy = bidding_policy("four-handed")
    game = policy.game
    random = Random(5)
    for _ in range(40):
        cards = random.sample(deck_cards(24), 24)
        up = cards.pop()
        hands = [tuple(cards[5 * seat :][:5]) for seat in range(4)]
        dead = cards[20:]
        number, maker, alone = random.choice((1, 2)), random.randrange(4), random.random() < 0.3
        trump = up >> 3 if number == 1 else random.choice([s for s in range(4) if s != up >> 3])
        play = Play.of(Question(game, (), up, maker, number), Bid(trump, alone))
        told = told_by(play, policy)
        table = kernel_table.new_table(play.table)
        table.bids.seats[:] = range(4)
        taken = number == 1
        table.contract[kernel_table.C_PINNED] = in_trumps([up], trump) if taken else 0
        kernel_closed_plays.note_bids(table, play.plan)
        for seat in range(4):
            five, out = hands[seat], in_trumps(dead, trump)
            if taken and seat == 3:
                # The dealer is thought to have thrown the lowest card that is out of play.
                thrown = max(dead, key=lambda card: trump_bit(card, trump))
                five = (*five[:4], up)
                asked = (*five[:4], thrown)
            else:
                asked = five
            expected = 1.0
            for turn in range(1, number + 1):
                chances = {
                    (one.trump, one.alone): one.chance
                    for one in policy.chances(asked, up, game.seats[seat], turn)
                }
                if turn < number or seat < maker:
                    expected *= chances[None, False]
                elif seat == maker:
                    expected *= chances.get((trump, alone), 0.0)
            found = kernel_beliefs.bids_chance(
                table.bids, told, np.uint64(seat), np.uint64(in_trumps(five, trump)),
                np.uint64(out),
            )  # fmt: skip
            assert found == pytest.approx(expected, abs=1e-6)


def test_hands_are_kept_as_often_as_they_are_likely() -> None:
    random = Random(2)
    word = np.uint64(1)
    tried = 0
    while tried < 5:
        table, told = dealt("four-handed", random, skill_of())
        me = np.uint64(random.randrange(4))
        out = int(table.contract[kernel_table.C_DECK]) & ~sum(table.hands.tolist())
        dead = np.uint64(out & ~int(table.seen[me]))
        for player in set(range(4)) - {int(me)}:
            chance = float(
                kernel_beliefs.bids_chance(
                    table.bids, told, np.uint64(player), table.hands[player], dead
                )
            )
            if not 0.02 < chance < 0.98:
                continue
            tried += 1
            kept = 0
            for _ in range(4000):
                answer, after = kernel_beliefs.believed(
                    table.bids, told, np.uint64(player), table.hands[player], dead, word
                )
                word = np.uint64(after)
                kept += bool(answer)
            assert abs(kept / 4000 - chance) < 4 * sqrt(chance * (1 - chance) / 4000)


@pytest.mark.parametrize("kind", ["four-handed", "four-handed, dealer", "four-handed, alone"])
def test_worlds_come_as_often_as_the_bidding_makes_them_likely(kind: str) -> None:
    random = Random(kind)
    skill = skill_of(refinements=tuple(REFINEMENTS))
    tried = 0
    while tried < 4:
        start, told = dealt(kind, random, skill)
        here = [copied(table) for table in decisions(start, random)]
        late = [table for table in here if table.trick[kernel_table.T_LEFT] == 2]
        if not late:
            continue
        table = late[-1]
        shares = likely_holders(table, told)
        if shares is None:
            continue
        tried += 1
        number = 3000
        worlds = np.zeros((number, 4), np.uint64)
        kernel_closed_plays.draw_worlds(table, told, np.uint64(tried), np.uint64(0), worlds)
        for (player, card), share in shares.items():
            found = np.mean(worlds[:, player] & np.uint64(card) != 0)
            assert abs(found - share) < 5 * sqrt(share * (1 - share) / number) + 1e-6
        # Listed, they have these chances without an error.
        scratch: Scratch = kernel_table.new_scratch()
        kernel_table.look_around(table, scratch, False)
        every, weights = np.zeros((20_000, 4), np.uint64), np.zeros(20_000)
        kernel_every.list_worlds(
            table, told, True, scratch.sizes, every, weights, np.uint64(len(every))
        )
        for (player, card), share in shares.items():
            held = every[:, player] & np.uint64(card) != 0
            assert weights[held].sum() / weights.sum() == pytest.approx(share, abs=1e-6)


def likely_holders(table: Table, told: Told) -> dict[tuple[int, int], float] | None:
    """Return how likely each player is to hold each hidden card, by trying every world.

    None if the bidding hardly tells these worlds apart, or none of them is likely.
    """
    me, players = int(table.trick[kernel_table.T_SEAT]), int(table.contract[0])
    known = int(table.trick[kernel_table.T_AWAY] | table.hands[me] | table.seen[me])
    hidden = bits(int(table.contract[kernel_table.C_DECK]) & ~known & EVERY)
    holder = int(table.contract[kernel_table.C_HOLDER])
    pinned = int(table.contract[kernel_table.C_PINNED]) & ~int(table.barred[holder])
    others = [player for player in range(players) if player != me]

    def worlds(rest: list[int], turn: int, world: dict[int, int]) -> Iterator[dict[int, int]]:
        if turn == len(others):
            yield world
            return
        player = others[turn]
        free = [card for card in rest if not card & int(table.barred[player])]
        for hand in combinations(free, ones(table.hands[player])):
            if pinned in rest and (player == holder) != (pinned in hand):
                continue
            left = [card for card in rest if card not in hand]
            yield from worlds(left, turn + 1, world | {player: sum(hand)})

    sums: dict[tuple[int, int], float] = defaultdict(float)
    weights = []
    for world in worlds(hidden, 0, {}):
        dead = np.uint64(sum(hidden) - sum(world.values()))
        weight = 1.0
        for player, hand in world.items():
            five = np.uint64(hand | int(table.shown[player]))
            weight *= float(
                kernel_beliefs.bids_chance(table.bids, told, np.uint64(player), five, dead)
            )
        weights.append(weight)
        for player, hand in world.items():
            for card in bits(hand):
                sums[player, card] += weight
    total = sum(weights)
    if total < 0.02 * len(weights) or max(weights) < 1.2 * min(weights):
        return None
    return {place: weight / total for place, weight in sums.items()}


# Two hands: every hand of the other is looked up


def names(mask: int, trump: int) -> list[str]:
    every = {trump_bit(card, trump): card for card in deck_cards(24)}
    return [card_name(every[bit.bit_length() - 1]) for bit in bits(mask)]


def test_two_hands_are_weighed_as_by_trying_every_hand() -> None:
    random = Random(9)
    compared = 0
    while compared < 12:
        table, told = dealt("two-handed", random, 0)
        for here in decisions(table, random):
            if here.trick[kernel_table.T_LEFT] > 3 or random.random() < 0.5:
                continue
            me = int(here.trick[kernel_table.T_SEAT])
            moves = kernel_table.legal_cards(
                here.hands[me],
                here.trick[kernel_table.T_LED],
                np.uint64(EVERY ^ int(here.hands[me])),
            )
            totals = np.zeros(5, np.int64)
            kernel_duels.weigh_moves(here, told, False, np.uint64(moves), totals)
            assert totals[: ones(moves)].tolist() == slowly_weighed(here, me, bits(moves))
            compared += 1


def test_what_was_chosen_is_recalled_where_nothing_that_is_known_differs() -> None:
    random, skill = Random(4), skill_of(refinements=("ties by rule",))
    shared: Scratch = kernel_table.new_scratch()
    seen = 0
    for _ in range(60):
        start, told = dealt("two-handed", random, skill)
        for here in decisions(start, random):
            for _ in range(2):
                card = kernel_closed.choose_card(here, shared, told, np.uint64(3))
                assert int(card) == chosen(here, told, 5)
            seen += 1
    assert np.count_nonzero(shared.known) > 0.9 * seen


def slowly_weighed(table: Table, me: int, moves: list[int]) -> list[int]:
    """Return the makers' points of each move, summed over all hands of the other, by the rules."""
    trump = SPADES
    known = int(table.trick[kernel_table.T_AWAY] | table.hands[me] | table.seen[me])
    hidden = bits(int(table.contract[kernel_table.C_DECK]) & ~known)
    left, place = int(table.trick[kernel_table.T_LEFT]), int(table.trick[kernel_table.T_PLACE])
    pinned = int(table.contract[kernel_table.C_PINNED])
    must = pinned if pinned in hidden and int(table.contract[kernel_table.C_HOLDER]) != me else 0
    best = int(table.trick[kernel_table.T_BEST])
    making = 0 if int(table.contract[kernel_table.C_MAKERS]) == 1 else 1
    totals = [0] * len(moves)
    for cards in combinations(hidden, left - place):
        hand = sum(cards)
        if hand & int(table.barred[1 - me]) or (must and not hand & must):
            continue
        own = frozenset(names(int(table.hands[me]), trump))
        other = frozenset(names(hand | best, trump))
        deal = {me: own, 1 - me: other}
        leader = 1 - me if place else me
        search = oracle.OpenHands(deal, SUITS[trump], [making])
        for number, move in enumerate(moves):
            played = [*names(best, trump), *names(move, trump)] if place else names(move, trump)
            tricks = int(table.trick[kernel_table.T_TAKEN]) + search.after(leader, played)
            totals[number] += int(table.worth[0 if tricks < 1 else (tricks + 1) // 2])
    return totals


# How well it is played


def asked(alone: bool = False) -> tuple[Play, np.ndarray, int]:
    """Return the reference question: deals of the unseen cards, and the five that are played."""
    game = load_game("four-handed")
    hand = tuple(read_cards("AS KS 9H TD AC", 24))
    up = read_cards("JS", 24)[0]
    play = Play.of(Question(game, hand, up, 3, 1), Bid(SPADES, alone))
    unseen = unseen_cards(24, (*hand, up))
    deals = sample_deals(unseen, [0, 1, 2], 4, 0, 1, range(2400))
    return play, deals, in_trumps(read_cards("AS KS 9H AC JS", 24), SPADES)


def test_the_reference_hand() -> None:
    play, deals, five = asked()
    skills = [skill_of(20, PLAIN)] * 4
    with ThreadPoolExecutor(2) as pool:
        outcomes = closed_outcomes(
            play, deals, 0, five, policy=bidding_policy("four-handed"), skills=skills, pool=pool
        )
    points = play.points[outcomes]
    error = sqrt(points.var() / len(points) + 0.02**2)
    assert abs(points.mean() - 1.21) < 3 * error
    share = np.bincount(np.maximum(outcomes, 1), minlength=4) / len(outcomes)
    for found, known in zip(share[1:], (0.025, 0.686, 0.289), strict=True):
        assert abs(found - known) < 4 * sqrt(known * (1 - known) * (1 / len(deals) + 1 / 2500))


@pytest.mark.parametrize("alone", [False, True])
def test_nobody_beats_a_side_that_sees_every_card(alone: bool) -> None:
    play, deals, five = asked(alone)
    deals = deals[:300]
    policy = bidding_policy("four-handed")
    closed, seeing = skill_of(), STYLES["open"]
    value = play.points[play.outcomes(deals, 0, five)]

    def points(makers: int, others: int) -> np.ndarray:
        skills = [others, makers, others, makers]
        return play.points[closed_outcomes(play, deals, 0, five, policy=policy, skills=skills)]

    assert (points(seeing, seeing) == value).all()
    assert (points(closed, seeing) <= value).all()
    assert (points(seeing, closed) >= value).all()
    assert (points(closed, seeing) < value).any()
    assert (points(seeing, closed) > value).any()


@pytest.mark.parametrize("name", ["two-handed", "three-handed"])
def test_nobody_beats_open_hands_in_other_games(name: str) -> None:
    game = load_game(name)
    up = read_cards("9S", 24)[0]
    play = Play.of(Question(game, (), up, 0, 2), Bid(CLUBS, game.alone))
    deals = sample_deals(unseen_cards(24, [up]), range(game.hands), game.hands, 0, 2, range(200))
    value = play.points[play.outcomes(deals, 0, 0)]
    skills = [skill_of(20, PLAIN), *[STYLES["open"]] * (game.hands - 1)]
    found = play.points[closed_outcomes(play, deals, 0, policy=None, skills=skills)]
    assert (found <= value).all()
    assert (found < value).any()


def test_the_same_bytes_however_the_work_is_split() -> None:
    play, deals, five = asked()
    deals = deals[:200]
    policy = bidding_policy("four-handed")
    alone = closed_outcomes(play, deals, 0, five, policy=policy)
    with ThreadPoolExecutor(3) as pool:
        assert (closed_outcomes(play, deals, 0, five, policy=policy, pool=pool) == alone).all()
    parts = [
        closed_outcomes(play, deals[rows], rows.start, five, policy=policy)
        for rows in (slice(0, 77), slice(77, 200))
    ]
    assert (np.concatenate(parts) == alone).all()
    other = Play.of(play.question, play.bid, seed=1)
    assert (closed_outcomes(other, deals, 0, five, policy=policy) != alone).any()
