"""Bids and a pass with closed play: likely deals, biddings by policy, strata, scores."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from oddscalc.errors import InputError
from oddscalc.euchre import kernel_auction
from oddscalc.euchre.answers import Action, BidOdds
from oddscalc.euchre.beliefs import kernel_policy_of
from oddscalc.euchre.bidding import BiddingPolicy, bidding_policy
from oddscalc.euchre.bids import bid_odds, read_question
from oddscalc.euchre.closed_actions import Made, Passed, Table
from oddscalc.euchre.deals import sample_deals, unseen_cards
from oddscalc.euchre.endings import Ending
from oddscalc.euchre.kernel_beliefs import to_plain
from oddscalc.euchre.kernel_bits import to_trumps
from oddscalc.euchre.likely_deals import likely_deals
from oddscalc.euchre.notation import card_names, deck_cards, suit_of
from oddscalc.euchre.plays import Bid, Question
from oddscalc.euchre.rules import load_game
from oddscalc.euchre.strata import weighted_means
from oddscalc.euchre.tables import cards_of, mask_of

FOUR = load_game("four-handed")
HAND, UP = "JS JC AS KH 9D", "TS"


@cache
def policy() -> BiddingPolicy:
    return bidding_policy(FOUR)


@cache
def answer(**asked: Any) -> BidOdds:
    asked = dict[str, Any](hand=HAND, up=UP, seat="1", deals=120) | asked
    return bid_odds(asked.pop("hand"), **asked)


def by_name(odds: BidOdds) -> dict[str, Action]:
    return {str(action): action for action in odds.actions}


def asked(hand: str = HAND, up: str = UP, seat: str = "1", bidding_round: int = 1) -> Question:
    return read_question(hand, up, seat, bidding_round, FOUR)


@pytest.mark.parametrize("trump", range(4))
@pytest.mark.parametrize("deck", [24, 25, 32])
def test_a_hand_goes_to_trumps_and_back(trump: int, deck: int) -> None:
    for card in deck_cards(deck):
        hand = np.uint64(mask_of([card]))
        named = np.uint64(to_trumps(hand, np.uint64(trump)))
        assert to_plain(named, np.uint64(trump)) == hand


def passed_before(question: Question, deal: NDArray[np.uint64]) -> float:
    """Return the chance that all turns before the asker's were passes, from the policy's words."""
    chance = 1.0
    for turn in range(question.seat + (question.round - 1) * 4):
        seat = turn % 4
        if seat == question.seat:
            continue
        hand = cards_of(int(deal[seat]))
        actions = policy().chances(hand, question.up, FOUR.seats[seat], 1 + turn // 4)
        chance *= next(one.chance for one in actions if one.trump is None)
    return chance


@pytest.mark.parametrize(("seat", "bidding_round"), [("3", 1), ("2", 2)])
def test_likely_deals_weigh_the_earlier_passes(seat: str, bidding_round: int) -> None:
    question = asked(seat=seat, bidding_round=bidding_round)
    with ThreadPoolExecutor(2) as pool:
        dealt = likely_deals(question, 2000, kernel_policy_of(policy()), 5, pool)
    assert len(dealt) == pytest.approx(2000, rel=0.2)
    hands = {
        card for deal in dealt.deals[:50, :4] for card in cards_of(int(np.bitwise_or.reduce(deal)))
    }
    assert hands <= set(deck_cards(24)) - {question.up}
    # Importance sampling over uniform deals must agree on how many trumps the left opponent has.
    unseen = unseen_cards(24, question.known)
    others = [place for place in range(4) if place != question.seat]
    uniform = sample_deals(unseen, others, 4, 0, 77, range(4000))
    weights = np.array([passed_before(question, deal) for deal in uniform])
    spades = np.uint64(0x7FF)
    left = (question.seat + 1) % 4

    def mean(deals: NDArray[np.uint64], by: NDArray[np.float64]) -> tuple[float, float]:
        held = np.array([int(deal[left] & spades).bit_count() for deal in deals])
        centre = float(by @ held / by.sum())
        return centre, float(np.sqrt((by**2) @ (held - centre) ** 2) / by.sum())

    (kept, kept_error), (plain, plain_error) = (
        mean(dealt.deals, dealt.weights),
        mean(uniform, weights),
    )
    assert abs(kept - plain) < 4 * np.hypot(kept_error, plain_error)


def test_first_to_bid_learns_nothing() -> None:
    with ThreadPoolExecutor(1) as pool:
        dealt = likely_deals(asked(), 300, kernel_policy_of(policy()), 5, pool)
    assert (len(dealt), dealt.drawn) == (300, 300)
    assert set(dealt.weights) == {1.0}


def test_two_hands_are_listed_in_full() -> None:
    question = read_question("JS AS KS AH 9D", "9S", "1", 1, load_game("two-handed"))
    with ThreadPoolExecutor(1) as pool:
        dealt = likely_deals(question, 7, kernel_policy_of(policy()), 5, pool)
    unseen = unseen_cards(24, question.known)
    assert sorted(dealt.deals[:, 1].tolist()) == sorted(map(mask_of, combinations(unseen, 5)))


def test_biddings_end_as_often_as_their_chances_say() -> None:
    question = asked("9H TH 9D TD QD", "JS")
    with ThreadPoolExecutor(1) as pool:
        deals = likely_deals(question, 4000, kernel_policy_of(policy()), 3, pool).deals
    ups = np.full(len(deals), mask_of([question.up]), np.uint64)
    tables = kernel_policy_of(policy())
    chances = np.zeros((len(deals), 8, 9))
    kernel_auction.spread_auctions(deals, ups, 1, tables, chances)
    assert chances.sum(axis=(1, 2)) == pytest.approx(1)
    ends = np.zeros((len(deals), 2), np.int64)
    kernel_auction.hold_auctions(deals, ups, 1, 0, np.uint64(9), tables, ends)
    happened = np.zeros((8, 9))
    np.add.at(happened, (ends[:, 0], ends[:, 1]), 1 / len(deals))
    expected = chances.mean(axis=0)
    assert np.abs(happened - expected).max() < 4 * np.sqrt(0.25 / len(deals))
    assert happened[expected == 0].sum() == 0


def test_strata_keep_the_mean_and_tell_its_error() -> None:
    rng = np.random.default_rng(1)
    misses = []
    for _ in range(200):
        weights = rng.uniform(0.5, 1.5, 1000)
        control = rng.normal(size=1000)
        values = (0.7 * control[:200] + rng.normal(size=200))[:, None]
        strata = np.floor(3 * control).astype(np.int64)
        means, added = weighted_means(values, strata, weights)
        misses.append(means[0] / np.sqrt(float(added[:, 0] @ added[:, 0])))
    # The true mean is 0: misses in standard errors are standard normal.
    assert abs(np.mean(misses)) < 4 / np.sqrt(200)
    assert np.std(misses) == pytest.approx(1, abs=0.2)


def test_strata_count_as_they_come_up_among_all_deals() -> None:
    # Of the first 40 deals 10 are of the first stratum, of all 100 so are 70.
    strata = np.array([0] * 10 + [1] * 30 + [0] * 60)
    values = np.where(strata[:40] == 0, 2.0, -1.0)[:, None]
    means, added = weighted_means(values, strata, np.ones(100))
    assert means[0] == pytest.approx(0.7 * 2 - 0.3)
    # Only the shares of strata are uncertain: 3 points apart, 100 deals.
    assert np.sqrt(added[:, 0] @ added[:, 0]) == pytest.approx(3 * np.sqrt(0.7 * 0.3 / 100))


def test_every_action_has_figures_that_add_up() -> None:
    actions = by_name(answer())
    assert set(actions) == {"order ♠", "order ♠ alone", "pass"}
    for action in actions.values():
        assert action.points is not None
        assert action.stderr is not None
        assert action.endings is not None
        assert sum(one.chance for one in action.endings) == pytest.approx(1)
        worth = {"euchred": -2, "made": 1, "march": 4 if action.alone else 2, "passed out": 0}
        total = sum(
            one.chance
            * (4 if one.alone and one.result == "march" else worth[one.result])
            * (1 if one.ours else -1)
            for one in action.endings
        )
        assert action.points == pytest.approx(total)
    order = actions["order ♠"]
    assert order.p_euchred is not None
    assert order.p_made is not None
    assert order.p_march is not None
    assert order.p_euchred + order.p_made + order.p_march == pytest.approx(1)
    assert answer().actions[0].loss == 0


def test_strong_hands_bid_and_weak_ones_pass() -> None:
    assert str(answer(hand="JS JC AS KS AH").actions[0]) == "order ♠ alone"
    assert str(answer(hand="9H TH 9D TD QD", up="JS").actions[0]) == "pass"


def test_answers_do_not_depend_on_threads_or_names(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = answer(seat="3").to_dict()
    monkeypatch.setenv("ODDSCALC_THREADS", "1")
    alone = bid_odds(HAND, up=UP, seat="3", deals=120)
    assert alone.to_dict() == whole
    renamed = bid_odds("JD JH AD KS 9C", up="TD", seat="3", deals=120)
    assert [a.points for a in renamed.actions] == [a.points for a in alone.actions]


def test_a_pass_is_worth_what_its_endings_earn() -> None:
    endings = by_name(answer(hand="9H TH 9D TD QD", up="JS"))["pass"].endings
    assert endings is not None
    # Behind a jack turned up on their side the others make most hands.
    theirs = sum(one.chance for one in endings if one.maker is not None and not one.ours)
    assert theirs > 0.5
    assert {one.result for one in endings} <= {"euchred", "made", "march", "passed out"}


def test_stuck_dealer_and_last_pass() -> None:
    last = answer(hand="9H TH 9D TD QD", up="JS", seat="dealer", bidding_round=2)
    endings = by_name(last)["pass"].endings
    assert endings is not None
    assert [(one.maker, one.chance) for one in endings] == [(None, 1.0)]
    assert by_name(last)["pass"].points == 0


def test_an_action_is_played_until_its_error_is_small() -> None:
    """Unless told otherwise: 0.02 points, or a tenth of what it is behind."""
    odds = answer(hand="JH KH 9H AC QD", up="TH", deals=None)
    errors = [(action.stderr or 0, action.loss or 0, action.deals or 0) for action in odds.actions]
    for error, loss, deals in errors:
        assert 500 <= deals < 5_000
        assert error <= max(0.02, loss / 10)
    best, *_, worst = errors
    assert best[0] > 0.019  # no more are played than that takes
    assert worst[1] > 0.25
    assert worst[0] > 0.021
    assert odds.deals == max(deals for *_, deals in errors)
    text = " ".join(odds.notes())
    assert f"as many deals as its error takes, {min(errors, key=lambda e: e[2])[2]:,} to" in text


def test_the_race_needs_every_action_alike() -> None:
    odds = answer(hand="JH KH 9H AC QD", up="TH", deals=None, score="9-6")
    assert all((action.stderr or 0) <= 0.02 for action in odds.actions)


def test_deals_go_on_where_they_stopped() -> None:
    """Played in few deals, then in more: the same as in all of them at once."""
    with ThreadPoolExecutor(2) as pool:
        table = Table(asked(seat="2"), 600, 0, policy(), pool)
        alone = Bid(suit_of(table.question.up), True)
        for at_once, by_steps in (
            (Made(table, alone, 60), Made(table, alone, 20)),
            (Passed(table, 60), Passed(table, 20)),
        ):
            by_steps.play_on(33)
            by_steps.play_on(60)
            assert by_steps.played == 60
            assert by_steps.points() == pytest.approx(at_once.points())
            one, other = (
                dict(zip(action.endings, action.shares.T, strict=True))
                for action in (at_once, by_steps)
            )
            assert one.keys() == other.keys()
            assert all((one[ending] == other[ending]).all() for ending in one)


def test_the_score_changes_the_advice() -> None:
    """At 8-9 a loner's four points are worth no more than two; far behind they are worth more."""
    ahead, behind = answer(score="8-9"), answer(score="2-9")
    assert ahead.score == (8, 9)
    for odds in (ahead, behind):
        wins = [action.win for action in odds.actions]
        assert all(win is not None and 0 <= win <= 1 for win in wins)
        assert wins == sorted(wins, reverse=True)  # type: ignore[type-var]
        assert odds.actions[0].win_loss == 0

    def edge(odds: BidOdds) -> float:
        actions = by_name(odds)
        alone, partner = actions["order ♠ alone"].win, actions["order ♠"].win
        assert alone is not None
        assert partner is not None
        return alone - partner

    assert edge(behind) > edge(ahead)


def test_points_of_endings_follow_the_rules() -> None:
    question = asked(seat="2")
    assert Ending(1, 1, True, 3).earned(question) == (0, 4)
    assert Ending(0, 2, False, 1).earned(question) == (0, 2)
    assert Ending(None, None, False, 0).earned(question) == (0, 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"play": "shut"}, "There is no play model 'shut'"),
        ({"exact": True}, "'exact' is asked for with closed play"),
        ({"dealer_sees": True}, "'dealer-sees' is asked for with closed play"),
        ({"score": "10-3"}, "10"),
        ({"score": "nine"}, "'nine' is not a score"),
    ],
)
def test_wrong_questions(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        bid_odds(HAND, up=UP, seat="1", **wrong)


def test_answer_says_how_it_was_obtained() -> None:
    text = " ".join(answer(seat="3").notes())
    assert "Play: closed" in text
    assert "searching 20 worlds" in text
    assert "Deals are weighed by how likely the earlier passes were" in text
    assert "After a pass:" in text
    assert answer().to_dict()["play"] == "closed"
    assert card_names(answer().hand)


def test_two_hands_are_played_over_every_hand() -> None:
    odds = bid_odds("JS AS KS AH 9D", up="9S", seat="1", game="two-handed")
    assert odds.method == "exact"
    assert "by every hand that the other may hold" in " ".join(odds.notes())
    assert all(action.stderr == 0 and action.deals == 8568 for action in odds.actions)
