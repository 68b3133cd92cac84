"""Kernels on bits: layouts, search, the two-handed tablebase, sampled and listed deals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from oddscalc.euchre import kernel_bits, kernel_choices, kernel_deals, kernel_pairs, kernels
from oddscalc.euchre.deals import Worlds, count_deals, sample_deals, unseen_cards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.notation import JOKER, card_name, deck_cards, read_cards
from oddscalc.euchre.plays import OUTCOMES, Bid, Play, Question
from oddscalc.euchre.rules import load_game
from oddscalc.euchre.solver import makers_tricks
from oddscalc.euchre.tablebase import pair_table, positions
from oddscalc.euchre.tables import cards_of, in_trumps, mask_of, trump_bit
from tests.oracle import dds
from tests.oracle import euchre as slow

U = np.uint64
ALL_CARDS = (*deck_cards(32), JOKER)


@pytest.mark.parametrize("trump", range(4))
def test_trumps_rank_joker_right_left_ace(trump: int) -> None:
    ranked = sorted(ALL_CARDS, key=lambda card: trump_bit(card, trump))
    right, left = 8 * trump + 4, 8 * (trump ^ 1) + 4
    own = [8 * trump + rank for rank in (7, 6, 5, 3, 2, 1, 0)]
    assert ranked[:10] == [JOKER, right, left, *own]
    for card in ALL_CARDS:
        assert kernel_bits.to_trumps(U(mask_of([card])), U(trump)) == 1 << trump_bit(card, trump)
    assert len({trump_bit(card, trump) for card in ALL_CARDS}) == len(ALL_CARDS)


def test_plain_layout_goes_both_ways() -> None:
    assert set(cards_of(mask_of(ALL_CARDS))) == set(ALL_CARDS)


def outcomes(deals: list[list[list[int]]], trump: int, makers: int) -> list[int]:
    stack, memo = np.zeros(320, U), np.zeros(512, U)
    found = []
    for deal in deals:
        hands = np.zeros(4, U)
        hands[: len(deal)] = [in_trumps(hand, trump) for hand in deal]
        before = hands.copy()
        outcome, _ = kernels.outcome_of(hands, stack, memo, U(len(deal)), U(makers), U(1))
        assert np.array_equal(hands, before)
        found.append(int(outcome))
    return found


@pytest.mark.parametrize("deck", [24, 25, 32])
@pytest.mark.parametrize(
    ("players", "makers"), [(4, 0b0101), (4, 0b1010), (3, 0b001), (3, 0b100), (2, 0b01), (2, 0b10)]
)
def test_outcomes_agree_with_dds(deck: int, players: int, makers: int) -> None:
    random = Random(deck + makers)
    deals, wanted = [], []
    for _ in range(400):
        cards = random.sample(deck_cards(deck), 5 * players)
        deal = [cards[5 * seat :][:5] for seat in range(players)]
        deals.append(deal)
        named = {seat: frozenset(map(card_name, hand)) for seat, hand in enumerate(deal)}
        side = [seat for seat in range(players) if makers >> seat & 1]
        wanted.append(slow.Position(named, "H", side, 0))
    tricks = dds.tricks(wanted)
    assert outcomes(deals, 2, makers) == [(taken + 1) // 2 for taken in tricks]


def test_tablebase_has_every_position() -> None:
    assert positions(24) == (1, 20, 210, 1660, 10220, 50652)
    assert sum(positions(24)) == 62763


@pytest.mark.parametrize("deck", [24, 25, 32])
@pytest.mark.parametrize("size", range(1, 6))
def test_tablebase_agrees_with_the_search(deck: int, size: int) -> None:
    random = Random(size)
    for _ in range(300):
        cards = random.sample(deck_cards(deck), 2 * size)
        hands = cards[:size], cards[size:]
        leader, other = (U(in_trumps(hand, 1)) for hand in hands)
        tricks = kernel_pairs.pair_tricks(pair_table(deck), leader, other)
        assert tricks == makers_tricks(hands, 1, [True, False], 0)


# Sampled deals


def sampled(rows: range, seed: int = 5) -> Masks:
    return sample_deals(unseen_cards(24, range(2, 8)), [0, 1, 3], 4, 3, seed, rows)


def test_a_deal_depends_on_its_number_alone() -> None:
    whole = sampled(range(1000))
    parts = [sampled(range(start, start + 50)) for start in range(0, 1000, 50)]
    assert np.array_equal(whole, np.concatenate(parts))
    assert not np.array_equal(whole, sampled(range(1000), seed=6))


def test_sampled_deals_are_deals() -> None:
    for row in sampled(range(300)).tolist():
        hands = [set(cards_of(mask)) for mask in (*row[:2], row[3], row[4])]
        assert [len(hand) for hand in hands] == [5, 5, 5, 3]
        assert set().union(*hands) == set(unseen_cards(24, range(2, 8)))
        assert 0 <= row[5] < 6


def test_every_card_is_as_likely_everywhere() -> None:
    deals = sampled(range(60_000))
    unseen = unseen_cards(24, range(2, 8))
    for column, size in ((0, 5), (1, 5), (3, 5), (4, 3)):
        for card in unseen:
            held = np.count_nonzero(deals[:, column] & U(mask_of([card])))
            chance = size / len(unseen)
            error = (60_000 * chance * (1 - chance)) ** 0.5
            assert abs(held - 60_000 * chance) < 4.5 * error
    assert max(Counter(deals[:, 5].tolist()).values()) < 10_500


# Listed worlds


def worlds(trump: int, holders: list[int], seats: int = 4) -> Worlds:
    known = read_cards("JC AS 9S KH TD QS", 24)
    return Worlds.of(unseen_cards(24, known), known, trump, holders, seats)


@pytest.mark.parametrize(
    ("holders", "total"), [([0, 1, 3], 617_512_896), ([0, 2], 11_027_016), ([1], 8_568)]
)
def test_worlds_stand_for_every_deal(holders: list[int], total: int) -> None:
    for trump in range(4):
        listed = worlds(trump, holders)
        assert listed.total == total == count_deals(18, [5] * len(holders))
        assert listed.rows < total


def test_worlds_are_distinct_deals_from_any_row_on() -> None:
    listed = worlds(0, [0, 2])
    deals, weights = listed.deal(range(listed.rows))
    assert len({tuple(row) for row in deals.tolist()}) == listed.rows
    assert int(weights.sum()) == listed.total
    some, their_weights = listed.deal(range(777, 1777))
    assert np.array_equal(some, deals[777:1777])
    assert np.array_equal(their_weights, weights[777:1777])


@pytest.mark.parametrize("trump", [0, 2])
@pytest.mark.parametrize("asking", ["1", "dealer"])
def test_worlds_count_what_all_deals_count(trump: int, asking: str) -> None:
    game = load_game("two-handed")
    hand = tuple(read_cards("JC AS 9S KH TD", 24))
    up = read_cards("QS" if trump == 0 else "QH", 24)[0]
    question = Question(game, hand, up, game.seat_index(asking), 2)
    play = Play.of(question, Bid(trump, alone=False))
    other = 1 - question.seat
    unseen = unseen_cards(24, (*hand, up))
    every = np.zeros((8568, 4), U)
    every[:, other] = [mask_of(five) for five in combinations(unseen, 5)]
    five = in_trumps(hand, trump)
    listed = Worlds.of(unseen, (*hand, up), trump, [other], 2)
    deals, weights = listed.deal(range(listed.rows))
    wanted = np.bincount(play.outcomes(every, 0, five), minlength=OUTCOMES)
    found = np.bincount(play.outcomes(deals, 0, five), weights, OUTCOMES)
    assert found.tolist() == wanted.tolist()


# Choices by rule


def discards(six: str, trump: int = 0) -> set[str]:
    cards = read_cards(six, 32)
    names = {1 << trump_bit(card, trump): card_name(card) for card in cards}
    hand = U(in_trumps(cards, trump))
    return {names[int(kernel_choices.discard(hand, U(0), U(lot))[0])] for lot in range(6)}


@pytest.mark.parametrize(
    ("six", "thrown"),
    [
        ("JS JC AS KH QH 9D", {"9D"}),
        ("JS JC AS KH QH AD", {"QH"}),
        ("JS JC AS KS 9H TD", {"9H", "TD"}),
        ("JS JC AS 9H TD QC", {"9H", "TD", "QC"}),
        ("JS JC AS KS AH AD", {"AH", "AD"}),
        ("JS JC AH 9H QD TD", {"TD"}),
        ("JS JC AS KS QS 9S", {"9S"}),
        ("JS JC AS KS QS AD", {"AD"}),
        ("JS 9S AH KH QH JD", {"JD"}),
    ],
)
def test_the_dealers_rule(six: str, thrown: set[str]) -> None:
    assert discards(six) == thrown


def test_lots_are_fair() -> None:
    hand = U(in_trumps(read_cards("JS JC AS 9H TD QC", 24), 0))
    picks = Counter(int(kernel_choices.discard(hand, U(0), U(lot))[0]) for lot in range(6))
    assert set(picks.values()) == {2}


@pytest.mark.parametrize("pool", ["JS AS AH KH QH AD 9D TD AC 9C", "9S TS AH 9H QH AD 9D TD AC 9C"])
def test_keeps_are_the_highest_of_each_suit(pool: str) -> None:
    cards = read_cards(pool, 24)
    keeps, plan = np.zeros(64, U), np.zeros(17, U)
    found = kernel_choices.list_keeps(U(in_trumps(cards, 0)), plan, keeps)
    by_suit = {suit: sorted(c for c in cards if c >> 3 == suit) for suit in range(4)}
    trumps = by_suit[0]
    wanted = {
        in_trumps([*trumps, *kept], 0)
        for kept in combinations([c for c in cards if c >> 3], 5 - len(trumps))
        if all(
            set(by_suit[suit][len(by_suit[suit]) - n :]) == {c for c in kept if c >> 3 == suit}
            for suit in (1, 2, 3)
            for n in [sum(c >> 3 == suit for c in kept)]
        )
    }
    assert set(keeps[:found].tolist()) == wanted
    assert found == len(wanted)


def test_more_than_five_trumps_keep_the_highest() -> None:
    cards = read_cards("JS JC AS KS QS TS 9S AH KH AD", 24)
    keeps, plan = np.zeros(64, U), np.zeros(17, U)
    assert kernel_choices.list_keeps(U(in_trumps(cards, 0)), plan, keeps) == 1
    assert keeps[0] == in_trumps(cards[:5], 0)


def test_patterns_are_every_choice() -> None:
    for sizes in permutations([1, 2, 3, 4]):
        groups = np.array(sizes)
        for wanted in range(11):
            number = kernel_deals.count_patterns(groups, wanted)
            patterns, weights = np.zeros((number, 4), np.int64), np.zeros(number, np.int64)
            kernel_deals.list_patterns(groups, wanted, patterns, weights)
            assert len({tuple(row) for row in patterns.tolist()}) == number
            assert (patterns.sum(axis=1) == wanted).all()
            assert (patterns <= groups).all()
            assert int(weights.sum()) == count_deals(10, [wanted])
