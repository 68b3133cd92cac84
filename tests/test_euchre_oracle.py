"""The oracle against the rules' words and DDS, then the product's bids against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb
from random import Random
from typing import Any

import pytest

from oddscalc.euchre import bids, counting, plays
from oddscalc.euchre.bids import Action
from oddscalc.euchre.deals import Worlds, sample_deals
from oddscalc.euchre.notation import card_names, read_cards, read_suit
from oddscalc.euchre.rules import EuchreGame, Points, load_game
from oddscalc.euchre.tables import cards_of
from tests.oracle import dds
from tests.oracle import euchre as slow

bid_odds = partial(bids.bid_odds, play="open")


def cards(text: str) -> frozenset[str]:
    return frozenset(text.split())


@pytest.mark.parametrize("size", [24, 25, 32])
def test_deck_has_each_card_once(size: int) -> None:
    deck = slow.deck(size)
    assert len(deck) == len(set(deck)) == size
    assert ("Jo" in deck) == (size == 25)
    assert ("7D" in deck and "8D" in deck) == (size == 32)


@pytest.mark.parametrize(
    ("size", "trump", "order"),
    [
        (24, "S", "JS JC AS KS QS TS 9S"),
        (24, "C", "JC JS AC KC QC TC 9C"),
        (24, "H", "JH JD AH KH QH TH 9H"),
        (24, "D", "JD JH AD KD QD TD 9D"),
        (25, "S", "Jo JS JC AS KS QS TS 9S"),
        (25, "D", "Jo JD JH AD KD QD TD 9D"),
        (32, "H", "JH JD AH KH QH TH 9H 8H 7H"),
        (32, "C", "JC JS AC KC QC TC 9C 8C 7C"),
    ],
)
def test_trumps_from_the_top(size: int, trump: str, order: str) -> None:
    trumps = [card for card in slow.deck(size) if slow.suit_of(card, trump) == trump]
    assert sorted(trumps, key=lambda card: -slow.height(card, trump)) == order.split()


@pytest.mark.parametrize(
    ("size", "trump", "suit", "order"),
    [
        (24, "S", "C", "AC KC QC TC 9C"),
        (24, "S", "H", "AH KH QH JH TH 9H"),
        (25, "H", "D", "AD KD QD TD 9D"),
        (32, "D", "H", "AH KH QH TH 9H 8H 7H"),
        (32, "D", "S", "AS KS QS JS TS 9S 8S 7S"),
    ],
)
def test_other_suits_from_the_top(size: int, trump: str, suit: str, order: str) -> None:
    held = [card for card in slow.deck(size) if slow.suit_of(card, trump) == suit]
    assert sorted(held, key=lambda card: -slow.height(card, trump)) == order.split()


@pytest.mark.parametrize(
    ("trump", "led", "hand", "may"),
    [
        pytest.param("S", "9S", "JC AH KD", "JC", id="left-bower-must-follow-trumps"),
        pytest.param("S", "JC", "9S AC KC", "9S", id="left-bower-led-asks-for-trumps"),
        pytest.param("S", "AC", "JC 9C AH", "9C", id="left-bower-does-not-follow-its-colour"),
        pytest.param("S", "AC", "JC 9S AH", "JC 9S AH", id="left-bower-alone-is-no-club"),
        pytest.param("H", "AD", "JD 9D", "9D", id="left-bower-red"),
        pytest.param("C", "JS", "JC 9S", "JC", id="right-follows-left"),
        pytest.param("D", "JC", "9C JS", "9C", id="other-jacks-are-plain"),
        pytest.param("S", "9S", "Jo AH KH", "Jo", id="joker-must-follow-trumps"),
        pytest.param("S", "Jo", "JC AC", "JC", id="joker-led-asks-for-trumps"),
        pytest.param("S", "9D", "JS KC AH", "JS KC AH", id="void-plays-anything"),
        pytest.param("S", None, "JC AC", "JC AC", id="leader-plays-anything"),
    ],
)
def test_legal_cards(trump: str, led: str | None, hand: str, may: str) -> None:
    assert frozenset(slow.legal(cards(hand), led, trump)) == cards(may)


@pytest.mark.parametrize(
    ("trump", "trick", "taken_by"),
    [
        pytest.param("S", "AH KH 9H QH", "AH", id="highest-of-the-suit-led"),
        pytest.param("S", "9H AD AC KD", "9H", id="other-suits-never-win"),
        pytest.param("S", "AH 9S KH QH", "9S", id="trump-over-ace"),
        pytest.param("S", "AS JC KS QS", "JC", id="left-over-ace"),
        pytest.param("S", "JC AS JS 9S", "JS", id="right-over-left"),
        pytest.param("S", "JS Jo JC AS", "Jo", id="joker-over-right"),
        pytest.param("S", "9C AC JC KC", "JC", id="left-ruffs-its-own-colour"),
        pytest.param("H", "JS QS TS 9S", "QS", id="plain-jack-under-queen"),
        pytest.param("H", "TS JS 9S 9D", "JS", id="plain-jack-over-ten"),
        pytest.param("D", "8S 7S 9C TC", "8S", id="low-cards-of-32"),
        pytest.param("C", "JS AS KS", "JS", id="three-cards"),
        pytest.param("C", "AS JS", "JS", id="two-cards"),
    ],
)
def test_trick_winner(trump: str, trick: str, taken_by: str) -> None:
    played = list(enumerate(trick.split()))
    assert played[slow.winner(played, trump)][1] == taken_by


@pytest.mark.parametrize(
    ("trump", "hands", "makers", "leader", "tricks"),
    [
        pytest.param("S", ["JS JC AS KS QS", "9H TH QH KH AH"], [0], 1, 5, id="five-top-trumps"),
        pytest.param("S", ["9S", "AC"], [0], 1, 1, id="last-trump-ruffs"),
        pytest.param("S", ["AC", "JC"], [0], 0, 0, id="left-ruffs-the-ace"),
        pytest.param("S", ["JC 9H", "AS AH"], [0], 0, 1, id="left-draws-the-ace"),
        pytest.param("S", ["9C 9D", "AS QS", "TD TC", "KS KC"], [1, 3], 0, 2, id="partners"),
        pytest.param("S", ["9H TS", "JS AS", "JC 9C"], [1], 0, 1, id="left-over-ruffs"),
        pytest.param("S", ["JC 9C", "JS AS", "9H TS"], [1], 2, 2, id="left-behind-drops"),
        pytest.param("S", ["JC KS", "JS AS", "9H 9D"], [0], 1, 1, id="left-guarded"),
    ],
)
def test_known_ends(
    trump: str, hands: list[str], makers: list[int], leader: int, tricks: int
) -> None:
    deal = {seat: cards(hand) for seat, hand in enumerate(hands)}
    position = slow.Position(deal, trump, makers, leader)
    assert slow.tricks([position]) == dds.tricks([position]) == [tricks]


SHAPES = [
    pytest.param((0, 1, 2, 3), (0, 2), 3, id="four"),
    pytest.param((0, 1, 2, 3), (1, 3), 3, id="four-defending-first"),
    pytest.param((0, 1, 3), (0,), 4, id="loner-third-sits-out"),
    pytest.param((1, 2, 3), (2,), 4, id="loner-first-sits-out"),
    pytest.param((0, 2, 3), (0, 2), 4, id="lone-defender"),
    pytest.param((0, 1, 2), (1,), 4, id="three"),
    pytest.param((0, 3), (3,), 5, id="loner-against-lone-defender"),
    pytest.param((0, 1), (1,), 5, id="two"),
]


def random_positions(
    seats: tuple[int, ...],
    makers: tuple[int, ...],
    held: int,
    size: int,
    count: int,
    random: Random,
) -> list[slow.Position]:
    positions = []
    for _ in range(count):
        dealt = random.sample(slow.deck(size), held * len(seats))
        deal = {seat: frozenset(dealt[n * held : (n + 1) * held]) for n, seat in enumerate(seats)}
        trump, leader = random.choice(slow.SUITS), random.choice(seats)
        positions.append(slow.Position(deal, trump, makers, leader))
    return positions


@pytest.mark.parametrize("size", [24, 25, 32])
@pytest.mark.parametrize(("seats", "makers", "most"), SHAPES)
def test_oracle_agrees_with_dds(
    size: int, seats: tuple[int, ...], makers: tuple[int, ...], most: int
) -> None:
    random = Random(size)
    positions = [
        position
        for held in range(1, most + 1)
        for position in random_positions(seats, makers, held, size, 12, random)
    ]
    ours = slow.tricks(positions)
    assert ours == dds.tricks(positions)
    assert len(set(ours)) > 2


def test_oracle_agrees_with_dds_on_full_deals() -> None:
    positions = random_positions((0, 1, 2, 3), (0, 2), 5, 24, 1, Random(7))
    ours = slow.tricks(positions)
    assert ours == dds.tricks(positions)


FOUR, THREE, TWO = "four-handed", "three-handed", "two-handed"


@pytest.mark.parametrize(
    ("name", "tricks", "alone", "lone_defender", "makers", "others"),
    [
        (TWO, 2, False, False, 0, 2),
        (TWO, 3, False, False, 1, 0),
        (TWO, 4, False, False, 1, 0),
        (TWO, 5, False, False, 2, 0),
        (THREE, 0, False, False, 0, 2),
        (THREE, 2, True, False, 0, 2),
        (THREE, 3, False, False, 1, 0),
        (THREE, 4, True, False, 1, 0),
        (THREE, 5, False, False, 3, 0),
        (THREE, 5, True, False, 3, 0),
        (THREE, 5, True, True, 3, 0),
        (THREE, 2, False, True, 0, 2),
        (THREE, 1, True, True, 0, 2),
        (THREE, 0, False, True, 0, 4),
        (FOUR, 0, False, False, 0, 2),
        (FOUR, 2, True, False, 0, 2),
        (FOUR, 3, False, False, 1, 0),
        (FOUR, 4, True, False, 1, 0),
        (FOUR, 5, False, False, 2, 0),
        (FOUR, 5, True, False, 4, 0),
        (FOUR, 2, False, True, 0, 4),
        (FOUR, 3, False, True, 1, 0),
    ],
)
def test_points_as_the_rules_say(
    name: str, tricks: int, alone: bool, lone_defender: bool, makers: int, others: int
) -> None:
    game = load_game(name)
    for maker in range(game.hands):
        points = slow.score(game, maker, tricks, alone=alone, lone_defender=lone_defender)
        side = [maker, maker ^ 2] if name == FOUR else [maker]
        assert points == [makers if seat in side else others for seat in range(game.hands)]
        assert slow.worth(points, side) == makers - others


@pytest.mark.parametrize(
    ("name", "maker", "alone", "defender", "leader"),
    [
        pytest.param(TWO, 0, False, None, 0, id="two-non-dealer-makes"),
        pytest.param(TWO, 1, False, None, 0, id="two-dealer-makes"),
        pytest.param(THREE, 1, False, None, 0, id="three-dealers-left"),
        pytest.param(THREE, 0, True, None, 1, id="three-loners-left"),
        pytest.param(THREE, 1, True, None, 2, id="three-loners-left-is-the-dealer"),
        pytest.param(THREE, 2, True, None, 0, id="three-dealer-alone"),
        pytest.param(THREE, 0, False, 1, 0, id="three-left-of-lone-defender-sits-out"),
        pytest.param(THREE, 0, False, 2, 0, id="three-left-of-the-lone-dealer"),
        pytest.param(THREE, 1, False, 0, 1, id="three-left-of-lone-first"),
        pytest.param(THREE, 0, True, 1, 1, id="three-both-alone-makers-left"),
        pytest.param(THREE, 0, True, 2, 2, id="three-both-alone-left-sits-out"),
        pytest.param(FOUR, 3, False, None, 0, id="four-dealers-left"),
        pytest.param(FOUR, 3, True, None, 0, id="four-dealer-alone"),
        pytest.param(FOUR, 0, True, None, 0, id="four-loner-leads"),
        pytest.param(FOUR, 2, True, None, 1, id="four-loners-partner-would-lead"),
        pytest.param(FOUR, 1, True, 2, 1, id="four-both-alone"),
        pytest.param(FOUR, 3, False, 2, 1, id="four-lone-defenders-partner-would-lead"),
    ],
)
def test_leader_as_the_rules_say(
    name: str, maker: int, alone: bool, defender: int | None, leader: int
) -> None:
    game = load_game(name)
    assert slow.first_leader(game, maker, alone=alone, defender=defender) == leader


def test_leader_by_switches() -> None:
    left = replace(load_game(FOUR), loner_lead="loners-left")
    assert slow.first_leader(left, 1, alone=True) == 2
    assert slow.first_leader(left, 0, alone=True) == 1
    assert slow.first_leader(left, 2, alone=False) == 0
    assert slow.first_leader(left, 3, alone=True, defender=0) == 0
    assert slow.first_leader(left, 1, alone=True, defender=2) == 2
    by_defender = replace(left, both_alone_lead="defender")
    assert slow.first_leader(by_defender, 1, alone=True, defender=2) == 1
    assert slow.first_leader(by_defender, 1, alone=True) == 2


HOUSES = [
    load_game(FOUR),
    load_game(THREE),
    load_game(TWO),
    replace(load_game(FOUR), loner_lead="loners-left"),
    replace(load_game(FOUR), loner_lead="loners-left", both_alone_lead="defender"),
    replace(load_game(FOUR), partners=False),
    replace(load_game(THREE), loner_lead="dealers-left"),
    replace(
        load_game(THREE),
        both_alone_lead="defender",
        points=Points(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    ),
]


@pytest.mark.parametrize("game", HOUSES)
def test_rules_dataclass_agrees(game: EuchreGame) -> None:
    for maker, alone, tricks in product(range(game.hands), (False, True), range(6)):
        opponents = [seat for seat in range(game.hands) if seat not in slow.side_of(game, maker)]
        for defender in (None, *opponents):
            lone = defender is not None
            playing = slow.in_the_hand(game, maker, alone=alone, defender=defender)
            assert list(game.playing(maker, alone=alone, defender=defender)) == playing
            assert game.leader(maker, maker if alone else None, defender) == slow.first_leader(
                game, maker, alone=alone, defender=defender
            )
            points = slow.score(game, maker, tricks, alone=alone, lone_defender=lone)
            earned = game.score(tricks, alone=alone, lone_defender=lone)
            assert earned == (points[maker], points[opponents[0]])
        assert list(game.side(maker)) == sorted(slow.side_of(game, maker))


def test_worlds_are_all_deals_once() -> None:
    unseen = slow.deck(24)[:7]
    found = list(slow.worlds(unseen, [2, 3, 1]))
    assert len(found) == len(set(found)) == comb(7, 2) * comb(5, 3) * comb(2, 1)
    assert all(len(a | b | c) == 6 for a, b, c in found)


# The product's bids against the oracle


def asked(bid: slow.Bid, **more: Any) -> Action:
    """Return the product's figures for the oracle's bid."""
    answer = bid_odds(
        " ".join(sorted(bid.hand)),
        up=bid.up,
        seat=bid.game.seats[bid.seat],
        bidding_round=1 if bid.ordered else 2,
        trump=bid.trump,
        game=bid.game,
        **more,
    )
    return next(a for a in answer.actions if a.trump is not None and a.alone == bid.alone)


def chances(results: Sequence[Sequence[slow.Result]]) -> list[Fraction]:
    """Return how often the makers are euchred, make it, take all five."""
    of = dict.fromkeys(["euchred", "made", "march"], Fraction(0))
    for lots in results:
        for end in lots:
            of[slow.outcome(end.tricks)] += Fraction(1, len(lots) * len(results))
    return list(of.values())


def mean_points(bid: slow.Bid, results: Sequence[Sequence[slow.Result]]) -> Fraction:
    return slow.mean([[slow.bid_worth(bid, end) for end in lots] for lots in results])


def assert_same(bid: slow.Bid, found: Action, results: Sequence[Sequence[slow.Result]]) -> None:
    expected = [*chances(results), mean_points(bid, results)]
    figures = [found.p_euchred, found.p_made, found.p_march, found.points]
    assert figures == pytest.approx([float(figure) for figure in expected], abs=1e-12)


def choices_of(
    bid: slow.Bid, deals: Sequence[Mapping[int, slow.Hand]]
) -> dict[str | None, list[list[slow.Result]]]:
    """Return how the deals end for each discard open to the asker."""
    six = bid.hand | {bid.up}
    return {
        min(six - own) if len(bid.own_choices()) > 1 else None: slow.results(
            bid, own, deals, dds.tricks
        )
        for own in bid.own_choices()
    }


def assert_best(
    bid: slow.Bid, found: Action, choices: dict[str | None, list[list[slow.Result]]]
) -> None:
    """Check the choice of the best discard and of the runner-up, and the best one's figures."""
    worth = {discard: mean_points(bid, results) for discard, results in choices.items()}
    told = found.to_dict()
    assert worth[told["discard"]] == max(worth.values())
    assert_same(bid, found, choices[told["discard"]])
    if len(worth) > 1:
        best, second = sorted(worth.values(), reverse=True)[:2]
        loss = best - worth[told["runner_up"]]
        assert told["runner_up_loss"] == pytest.approx(float(loss), abs=1e-12)
        # of discards that are alike just one is told
        assert best == second or worth[told["runner_up"]] == second


NO_UPCARD_THROWN = replace(load_game(TWO), discard_upcard=False)
MUST_TAKE = replace(load_game(TWO), dealer_must_take=True)
SWEPT = replace(load_game(TWO), points=replace(load_game(TWO).points, swept=4))


@pytest.mark.parametrize(
    ("game", "hand", "up", "seat", "trump", "ordered"),
    [
        pytest.param(load_game(TWO), "JS AS KS AH 9D", "9S", 0, "S", True, id="order"),
        pytest.param(load_game(TWO), "9C 9D 9H JC QC", "KD", 0, "D", True, id="order-weak"),
        pytest.param(load_game(TWO), "9H KC KS QD QS", "AS", 0, "S", True, id="order-ace"),
        pytest.param(MUST_TAKE, "JC QS AH KH 9D", "JS", 0, "S", True, id="order-must-take"),
        pytest.param(SWEPT, "9H TH 9D TD QD", "JS", 0, "S", True, id="order-swept"),
        pytest.param(load_game(TWO), "JC 9C AH KH 9D", "TS", 1, "S", True, id="take"),
        pytest.param(load_game(TWO), "AC KC QS KS QD", "9H", 1, "H", True, id="take-and-throw-it"),
        pytest.param(load_game(TWO), "JS AS KS QS JC", "9S", 1, "S", True, id="take-six-trumps"),
        pytest.param(NO_UPCARD_THROWN, "AC KC QS KS QD", "9H", 1, "H", True, id="take-and-keep"),
        pytest.param(load_game(TWO), "JC QC AH 9H KD", "JS", 0, "C", False, id="name-without-left"),
        pytest.param(load_game(TWO), "JS AS AH 9H KD", "9C", 1, "S", False, id="name-as-dealer"),
        pytest.param(
            replace(load_game(TWO), deck=25), "Jo AH 9H KD JD", "9C", 0, "H", False, id="name-25"
        ),
        pytest.param(
            replace(load_game(TWO), deck=25), "JC AH 9H KD JD", "Jo", 1, "D", True, id="take-joker"
        ),
        pytest.param(
            replace(load_game(TWO), deck=25), "JC AH 9H KD JD", "Jo", 0, "H", True, id="order-joker"
        ),
    ],
)
def test_two_handed_bids_over_every_deal(
    game: EuchreGame, hand: str, up: str, seat: int, trump: str, ordered: bool
) -> None:
    bid = slow.Bid(game, cards(hand), up, seat, trump, ordered=ordered)
    deals = [{1 - seat: dealt} for (dealt,) in slow.worlds(bid.unseen(), [5])]
    found = asked(bid)
    assert found.deals == len(deals)
    assert found.stderr == 0
    assert_best(bid, found, choices_of(bid, deals))


def named(masks: Iterable[int]) -> list[slow.Hand]:
    return [frozenset(card_names(cards_of(int(mask)))) for mask in masks]


def sampled_deals(bid: slow.Bid, dummy: int, seed: int, rows: range) -> list[dict[int, slow.Hand]]:
    """Return the product's own deals for a question, other seats' hands by name."""
    unseen = read_cards(" ".join(bid.unseen()), bid.game.deck)
    others = [seat for seat in range(bid.game.hands) if seat != bid.seat]
    deals = sample_deals(sorted(unseen), others, bid.game.hands, dummy, seed, rows)
    return [
        {seat: hand for seat, hand in enumerate(named(row[:-2])) if seat != bid.seat}
        for row in deals
    ]


LEFT_LEADS = replace(load_game(FOUR), loner_lead="loners-left")
DEFENDED = replace(load_game(FOUR), defend_alone=True)
JOKER = replace(load_game(FOUR), deck=25)
LONG = replace(load_game(FOUR), deck=32, dealer_must_take=False)
NO_DUMMY = replace(load_game(THREE), dummy_use="nobody")

# The hands are such that the product names their suits as they are: the upcard a spade (or, turned
# down, the trump's colour below), no diamonds above hearts.
SAMPLED = [
    pytest.param(load_game(FOUR), "AS KS 9H TH AC", "JS", 3, "S", False, True, id="take"),
    pytest.param(load_game(FOUR), "AS KS 9H TH AC", "JS", 3, "S", True, True, id="take-alone"),
    pytest.param(load_game(FOUR), "JC KS 9H TH AC", "QS", 0, "S", False, True, id="order-first"),
    pytest.param(load_game(FOUR), "JC KS 9H TH AC", "QS", 1, "S", False, True, id="order-partner"),
    pytest.param(load_game(FOUR), "JC KS AS AH AC", "QS", 1, "S", True, True, id="alone-partner"),
    pytest.param(load_game(FOUR), "JC KS AS AH AC", "QS", 2, "S", True, True, id="alone-third"),
    pytest.param(LEFT_LEADS, "JC KS AS AH AC", "QS", 2, "S", True, True, id="alone-left-leads"),
    pytest.param(load_game(FOUR), "JC 9C JH KH AC", "JS", 2, "H", False, False, id="name-red"),
    pytest.param(load_game(FOUR), "AC KC QC 9H AH", "JS", 1, "C", False, False, id="no-left"),
    pytest.param(load_game(FOUR), "AC KC QC 9H AH", "JS", 2, "C", True, False, id="no-left-alone"),
    pytest.param(DEFENDED, "KS QS AH KH AC", "9S", 0, "S", False, True, id="defended"),
    pytest.param(DEFENDED, "QC TC AH KH 9H", "JS", 2, "C", True, False, id="defended-no-left"),
    pytest.param(JOKER, "JS AS AH KH AC", "Jo", 2, "S", False, True, id="joker-up"),
    pytest.param(JOKER, "JS AS Jo KH AC", "9S", 3, "S", False, True, id="joker-held"),
    pytest.param(LONG, "JS 7S 8H KH AC", "8S", 1, "S", False, True, id="long-deck"),
    pytest.param(NO_DUMMY, "JS 9S AH KH AC", "TS", 0, "S", False, True, id="three"),
    pytest.param(NO_DUMMY, "JS 9S AH KH AC", "TS", 2, "S", False, True, id="three-take"),
    pytest.param(NO_DUMMY, "JS KS AH KH AC", "TS", 1, "S", True, True, id="three-alone"),
    pytest.param(NO_DUMMY, "9C TC AH KH QH", "JS", 1, "C", True, False, id="three-no-left"),
]


@pytest.mark.parametrize(("game", "hand", "up", "seat", "trump", "alone", "ordered"), SAMPLED)
def test_sampled_bids_on_their_own_deals(
    game: EuchreGame, hand: str, up: str, seat: int, trump: str, alone: bool, ordered: bool
) -> None:
    """The same deals give the same figures; only a discard by lot may differ, as a coin does."""
    bid = slow.Bid(game, cards(hand), up, seat, trump, alone=alone, ordered=ordered)
    number, seed = 1000, 5
    found = asked(bid, deals=number, seed=seed)
    deals = sampled_deals(bid, 0, seed, range(number))
    choices = choices_of(bid, deals)
    if ordered and seat != bid.dealer and not (alone and bid.dealer in slow.side_of(game, seat)):
        (results,) = choices.values()
        worths = [[slow.bid_worth(bid, end) for end in lots] for lots in results]
        tossed = [lots for lots in worths if len(set(lots)) > 1]
        spread = sum(max(lots) - min(lots) for lots in tossed)
        assert 0 < len(tossed) < number / 5
        variance = sum(
            sum((one - sum(lots) / len(lots)) ** 2 for one in lots) / len(lots) for lots in tossed
        )
        assert found.points is not None
        off = abs(found.points - float(slow.mean(worths))) * number
        assert off <= min(float(spread), 4 * float(variance) ** 0.5)
    else:
        assert_best(bid, found, choices)


@pytest.mark.parametrize("deck", [24, 32])
def test_listed_worlds_are_all_deals_with_their_weights(deck: int) -> None:
    """Three-handed with most cards seen: the product's worlds against every deal."""
    random = Random(deck + 10)
    mixed = random.sample(slow.deck(deck), deck)
    own, unseen, seen = mixed[:5], mixed[5:16], mixed[16:]
    trump, by_name = "D", Counter[int]()
    numbers = sorted(read_cards(" ".join(unseen), deck))
    known = read_cards(" ".join(own), deck)
    listed = Worlds.of(numbers, known, read_suit(trump), [0, 2], 3)
    rows, weights = listed.deal(range(listed.rows))
    positions = []
    for row in rows:
        first, _, third = named(row[:3])
        positions.append(slow.Position({0: first, 1: frozenset(own), 2: third}, trump, [1], 0))
    for taken, weight in zip(dds.tricks(positions), weights, strict=True):
        by_name[taken] += int(weight)
    every = [
        slow.Position({0: first, 1: frozenset(own), 2: third}, trump, [1], 0)
        for first, third in slow.worlds(unseen, [5, 5])
    ]
    assert len(seen) == deck - 16
    assert len(every) == listed.total == 2_772
    assert by_name == Counter(dds.tricks(every))
    assert len(by_name) > 2
    assert len(rows) < len(every)


def test_sampled_deals_are_uniform() -> None:
    """Each unseen card is with each seat as often as chance has it, and so is each pair."""
    bid = slow.Bid(load_game(FOUR), cards("AS KS 9H TH AC"), "JS", 3, "S")
    number = 20_000
    deals = sampled_deals(bid, 0, 11, range(number))
    assert all(len(deal[0] | deal[1] | deal[2]) == 15 for deal in deals)
    single = Counter((seat, card) for deal in deals for seat in deal for card in deal[seat])
    pairs = Counter(pair for deal in deals for pair in combinations(sorted(deal[1]), 2))
    assert len(single) == 3 * 18
    assert len(pairs) == comb(18, 2)
    for counts, chance in ((single, 5 / 18), (pairs, 5 * 4 / (18 * 17))):
        spread = (number * chance * (1 - chance)) ** 0.5
        assert all(abs(times - number * chance) < 4.5 * spread for times in counts.values())
        # not more evenly than chance, either
        squares = sum((times - number * chance) ** 2 for times in counts.values())
        assert 0.5 < squares / len(counts) / spread**2 < 1.6


def test_deals_do_not_depend_on_how_many_are_asked_for() -> None:
    unseen, others = sorted(read_cards(" ".join(slow.deck(24)[6:]), 24)), [0, 2, 3]
    whole = sample_deals(unseen, others, 4, 0, 7, range(1000)).tolist()
    parts = [range(1), range(1, 300), range(300, 301), range(301, 1000)]
    split = [row for part in parts for row in sample_deals(unseen, others, 4, 0, 7, part).tolist()]
    assert split == whole
    assert sample_deals(unseen, others, 4, 0, 8, range(1000)).tolist() != whole


@pytest.mark.parametrize(
    ("game", "hand", "up", "seat", "trump", "bidding_round"),
    [
        pytest.param(NO_DUMMY, "JS 9S AH KH AC", "TS", "1", "S", 1, id="order"),
        pytest.param(NO_DUMMY, "JS KS AH KH AC", "TS", "dealer", "S", 1, id="take"),
        pytest.param(NO_DUMMY, "KC QC AH KH 9S", "JS", "2", "C", 2, id="name"),
        pytest.param(
            load_game(FOUR), "JC KS AS AH AC", "QS", "2", "S", 1, id="four", marks=pytest.mark.slow
        ),
    ],
)
def test_sampled_figures_agree_with_every_deal(
    game: EuchreGame, hand: str, up: str, seat: str, trump: str, bidding_round: int
) -> None:
    def figures(**how: Any) -> dict[bool, Action]:
        answer = bid_odds(
            hand, up=up, seat=seat, bidding_round=bidding_round, trump=trump, game=game, **how
        )
        return {action.alone: action for action in answer.actions if action.trump is not None}

    every, some = figures(exact=True), figures(deals=40_000, seed=3)
    assert every.keys() == some.keys() == {False, True}
    for alone, sampled in some.items():
        exact = every[alone]
        assert exact.stderr == 0
        assert None not in (sampled.points, sampled.stderr, exact.points)
        assert 0 < (sampled.stderr or 0) < 0.02
        assert abs((sampled.points or 0) - (exact.points or 0)) < 4 * (sampled.stderr or 0)
        assert (sampled.discard, sampled.runner_up) == (exact.discard, exact.runner_up)
        for name in ("p_euchred", "p_made", "p_march"):
            chance, exactly = getattr(sampled, name), getattr(exact, name)
            assert abs(chance - exactly) <= 4 * (exactly * (1 - exactly) / 40_000) ** 0.5


CONCERNED = [
    pytest.param(load_game(FOUR), {"up": "JS", "seat": "dealer"}, id="take"),
    pytest.param(load_game(FOUR), {"up": "JS", "seat": "2"}, id="order"),
    pytest.param(DEFENDED, {"up": "JS", "seat": "1", "bidding_round": 2}, id="name-defended"),
    pytest.param(load_game(THREE), {"up": "JS", "seat": "dealer"}, id="dummy"),
    pytest.param(load_game(TWO), {"up": "JS", "seat": "1"}, id="two"),
    pytest.param(NO_DUMMY, {"up": "JS", "seat": "1", "trump": "S", "exact": True}, id="exact"),
]


@pytest.mark.parametrize(("game", "question"), CONCERNED)
def test_threads_and_chunks_do_not_matter(
    game: EuchreGame, question: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def figures() -> dict[str, Any]:
        deals = None if question.get("exact") else 200 if game.dummy else 3000
        return bid_odds("AS KS 9H TH AC", game=game, deals=deals, seed=2, **question).to_dict()

    monkeypatch.setenv("ODDSCALC_THREADS", "1")
    plain = figures()
    monkeypatch.setenv("ODDSCALC_THREADS", "2")
    assert figures() == plain
    monkeypatch.setattr(plays, "_CHUNK", 77)
    monkeypatch.setattr(counting, "_CHUNK", 50_000)
    monkeypatch.setattr(counting, "_PROBE", 100)
    assert figures() == plain
    monkeypatch.setenv("ODDSCALC_THREADS", "1")
    assert figures() == plain


@pytest.mark.parametrize(
    ("hand", "up", "seat", "bidding_round"),
    [("AS KS 9H TD AC", "JS", "dealer", 1), ("JC QC AH 9H KD", "TD", "2", 2)],
)
@pytest.mark.parametrize("name", [FOUR, THREE, TWO])
def test_names_of_suits_do_not_change_a_bid(
    hand: str, up: str, seat: str, bidding_round: int, name: str
) -> None:
    if seat not in load_game(name).seats:
        seat = "1"

    def figures(names: dict[str, str]) -> list[dict[str, Any]]:
        def spelled(text: str) -> str:
            return " ".join(card[0] + names[card[1]] for card in text.split())

        answer = bid_odds(
            spelled(hand),
            up=spelled(up),
            seat=seat,
            bidding_round=bidding_round,
            game=name,
            deals=500,
            seed=4,
        )
        actions = [action.to_dict() for action in answer.actions]
        back = {new: old for old, new in names.items()}
        for action in actions:
            action["trump"] = back.get(action["trump"])
            for key in ("discard", "runner_up"):
                if action[key] is not None:
                    action[key] = action[key][0] + back[action[key][1]]
        return sorted(actions, key=lambda action: (action["trump"] or "", action["alone"]))

    plain = figures(dict(zip("SCHD", "SCHD", strict=True)))
    for order in ("SCDH", "CSHD", "HDSC", "DHCS"):
        assert figures(dict(zip("SCHD", order, strict=True))) == plain


def named_choices(six: frozenset[str], trump: str) -> list[frozenset[str]]:
    """Return the fives of six cards that answers name: all trumps, the highest of other suits."""
    side = [card for card in six if slow.suit_of(card, trump) != trump]
    suits = {slow.suit_of(card, trump) for card in side} if side else {trump}
    return [
        six - {slow.lowest([card for card in six if slow.suit_of(card, trump) == suit], trump)}
        for suit in sorted(suits)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "up", "trump", "named_are_best"),
    [
        pytest.param("KC QC AH 9H TD", "JS", "C", True, id="dull"),
        # With a low trump in the dummy three aces are better than a third trump.
        pytest.param("AD AC KH JD AS", "TD", "H", False, id="aces-before-the-lowest-trump"),
    ],
)
def test_dummy_of_one_card_over_every_deal(
    hand: str, up: str, trump: str, named_are_best: bool
) -> None:
    """The best five of six on average for that dummy, over every dummy and every hand."""
    game = replace(load_game(TWO), dummy=1)
    bid = slow.Bid(game, cards(hand), up, 0, trump, ordered=False)
    ends: list[list[slow.Result]] = []
    best_of_all = []
    for dummy in sorted(bid.unseen()):
        deals = [{1: dealt} for (dealt,) in slow.worlds(bid.unseen() - {dummy}, [5])]
        six = bid.hand | {dummy}
        fives = [six - {card} for card in sorted(six)]
        keeps = {five: slow.results(bid, five, deals, dds.tricks) for five in fives}
        worths = {five: mean_points(bid, results) for five, results in keeps.items()}
        ends += keeps[max(named_choices(six, trump), key=lambda five: worths[five])]
        best_of_all.append([max(worths.values())])
    assert_same(bid, asked(bid, exact=True), ends)
    lost = slow.mean(best_of_all) - mean_points(bid, ends)
    assert lost == 0 if named_are_best else 0 < lost < Fraction(1, 200)


def test_dummy_helps_but_not_beyond_what_can_be_known() -> None:
    """On its own deals the product does worse than by seeing all, better than without a dummy."""
    bid = slow.Bid(load_game(THREE), cards("KC QC AH 9H TH"), "JS", 1, "C", ordered=False)
    number, seed = 20, 3
    found = asked(bid, deals=number, seed=seed)
    deals = sampled_deals(bid, 5, seed, range(number))
    unseen = sorted(read_cards(" ".join(bid.unseen()), 24))
    dummies = named(sample_deals(unseen, [0, 2], 3, 5, seed, range(number))[:, -2])
    seeing, bare = [], []
    for deal, dummy in zip(deals, dummies, strict=True):
        assert len(dummy | deal[0] | deal[2]) == 15
        fives = [frozenset(five) for five in combinations(sorted(bid.hand | dummy), 5)]
        ends = [slow.results(bid, five, [deal], dds.tricks) for five in fives]
        seeing.append([max(slow.bid_worth(bid, end) for ((end,),) in ends)])
        ((end,),) = slow.results(bid, bid.hand, [deal], dds.tricks)
        bare.append([slow.bid_worth(bid, end)])
    assert found.points is not None
    assert slow.mean(bare) + Fraction(1, 2) < found.points < slow.mean(seeing)
    assert found.points > slow.mean(seeing) - Fraction(2, 5)


@pytest.mark.parametrize("dummy", [1, 3])
@pytest.mark.parametrize("hand", ["KC QC AH 9H TD", "JC AC AH 9S TD"])
def test_sampled_choice_with_a_dummy_is_nearly_the_best(hand: str, dummy: int) -> None:
    """Chosen over a few other deals, the five are a little worse than over all, never better."""
    game = replace(load_game(TWO), dummy=dummy)
    bid = slow.Bid(game, cards(hand), "JS", 0, "C", ordered=False)
    every, some = asked(bid, exact=True), asked(bid, deals=20_000)
    assert every.points is not None
    assert some.points is not None
    assert every.points - 0.05 < some.points < every.points + 4 * (some.stderr or 0)


def test_dummy_does_not_matter_to_an_unbeatable_hand() -> None:
    bid = slow.Bid(load_game(THREE), cards("JS JC AS KS AH"), "QS", 2, "S")
    found = asked(bid, deals=200)
    assert (found.p_march, found.points) == (1, 3)
    assert found.to_dict()["discard"] == "AH"
