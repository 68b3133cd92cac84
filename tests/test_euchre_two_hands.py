"""Two-handed bidding over all deals, with a deck so small that they can be listed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest

from oddscalc.euchre import two_hands
from oddscalc.euchre.bids import bid_odds
from oddscalc.euchre.contracts import Contract
from oddscalc.euchre.library import LIBRARY_INNER, Contracts
from oddscalc.euchre.notation import card_names, read_cards
from oddscalc.euchre.rules import load_game
from oddscalc.euchre.tables import cards_of
from oddscalc.euchre.two_hands import AllDeals, Pair, Worth, may_count

TWO = load_game("two-handed")
STUCK = replace(TWO, name="stuck", stick_the_dealer=True)
# With the nine of spades turned up; hearts and diamonds alike.
CARDS = tuple(read_cards("9S JS AS QS JC KC QC AH JH KH AD JD KD", 24))


@cache
def small(stuck: bool = False) -> AllDeals:
    with patch.object(two_hands, "deck_cards", lambda deck: CARDS):
        return AllDeals(STUCK if stuck else TWO, 0)


def drawn(deals: AllDeals, seed: int) -> Pair:
    """Return chances drawn at random."""
    random = np.random.default_rng(seed)
    classes = len(deals.firsts)
    one, other = (
        Worth(random.normal(size=(classes, 2)), random.normal(size=(classes, 5))) for _ in range(2)
    )
    never = np.array([0, -1e9, 0, 0, 0])  # the suit turned down
    return (
        Worth(one.first, one.second + never).chances(1.0),
        Worth(other.first, other.second + never).chances(1.0),
    )


def test_hands_and_their_twins() -> None:
    deals = small()
    assert len(deals.hands) == 792
    assert deals.sizes.sum() == 792
    for place, hand in enumerate(deals.hands.tolist()):
        first = int(deals.hands[deals.firsts[deals.classes[place]]])
        names = {name.translate(str.maketrans("HD", "DH")) for name in card_names(cards_of(first))}
        own = set(card_names(cards_of(hand)))
        assert own in (names, set(card_names(cards_of(first))))


def test_shares_are_those_of_listed_deals() -> None:
    deals = small()
    chances = drawn(deals, 1)
    tally = deals.tally(chances)
    assert tally.sum() == pytest.approx(1)
    by_hand = deals._weights(chances)
    passes, names = by_hand[:2], by_hand[2:]
    places = {one: place for place, one in enumerate(deals.contracts)}
    wanted = np.zeros(len(places) + 1)
    pairs = 0
    for one, other in product(range(792), repeat=2):
        if deals.hands[one] & deals.hands[other]:
            continue
        pairs += 1
        left = 1.0
        for turn in range(4):
            seat = turn % 2
            hand = (one, other)[seat]
            if turn < 2:
                wanted[places[Contract(1, 0, seat, False)]] += left * (1 - passes[seat][hand])
                left *= passes[seat][hand]
            else:
                for suit in (1, 2, 3):
                    chance = names[seat][hand, 1 + suit]
                    wanted[places[Contract(2, suit, seat, False)]] += left * chance
                left *= names[seat][hand, 0]
        wanted[-1] += left
    assert pairs == 792 * 21
    for seat in (0, 1):
        # The red suits are alike over all deals, though not in a hand that is its own twin.
        red = [places[Contract(2, suit, seat, False)] for suit in (2, 3)]
        wanted[red] = wanted[red].mean()
    assert tally.sum(axis=1) == pytest.approx(wanted / pairs)


def points(deals: AllDeals, chances: Pair) -> float:
    """Return what the first player gets less what the dealer gets."""
    total = 0.0
    for one, shares in zip(deals.contracts, deals.tally(chances)[:-1], strict=True):
        for least, share in zip((0, 1, 3, 5), shares, strict=True):
            own, other = TWO.score(least)
            total += share * (own - other) * (1 if one.maker == 0 else -1)
    return total


def test_a_best_response_is_best() -> None:
    deals = small()
    settled = deals.settle(0.02, 60)
    chances = settled[0].chances(0.02), settled[1].chances(0.02)
    assert all(-1e-9 < gain < 0.02 for gain in deals.gains(chances))
    by_lot = drawn(deals, 2)
    gains = deals.gains(by_lot)
    assert min(gains) > 0.1
    # Who plays the settled way against chance gains, but no more than the best response.
    assert 0 < points(deals, (chances[0], by_lot[1])) - points(deals, by_lot) <= gains[0] + 1e-9
    assert 0 < points(deals, by_lot) - points(deals, (by_lot[0], chances[1])) <= gains[1] + 1e-9


def test_turns_come_as_often_as_they_are_passed_to() -> None:
    deals = small()
    chances = drawn(deals, 3)
    use, tally = deals.use(chances), deals.tally(chances)
    comes = np.append(use[:, 0], tally[-1, 0])
    assert comes[0] == pytest.approx(1)
    assert comes[1:] == pytest.approx(comes[:-1] * use[:, 1])


def test_a_stuck_dealer_names_a_suit() -> None:
    deals = small(True)
    settled = deals.settle(0.02, 5)
    assert deals.tally((settled[0].chances(0.02), settled[1].chances(0.02)))[-1, 0] == 0


@pytest.mark.parametrize("hand", ["JS AC KC QC 9D", "AH KH JD 9C TC"])
def test_naming_earns_what_all_deals_say(hand: str) -> None:
    whole = AllDeals(TWO, 0, np.zeros((0, 0), np.uint16))
    cards = set(read_cards(hand, 24))
    own = next(n for n, one in enumerate(whole.hands.tolist()) if set(cards_of(one)) == cards)
    whole.firsts = np.array([own])
    codes = whole._coded(Contracts.of(TWO, LIBRARY_INNER, 0), 8568)[0]
    answer = bid_odds(hand, up="9S", seat="1", bidding_round=2, game="two-handed", play="open")
    for action in answer.actions:
        if action.trump is None:
            continue
        column = whole.contracts.index(Contract(2, action.trump, 0, False))
        found = np.bincount(codes >> np.uint16(2 * column) & np.uint16(3), minlength=4) / 8568
        wanted = (action.p_euchred, action.p_made, action.p_march)
        assert (found[0] + found[1], found[2], found[3]) == pytest.approx(wanted)


def test_which_games_are_counted() -> None:
    assert may_count(TWO)
    assert not any(map(may_count, (load_game("three-handed"), replace(TWO, deck=32))))
