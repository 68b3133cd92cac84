"""Bids of one player → what each is worth, whatever the suits are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.closed_bids import ClosedOdds, closed_odds
from oddscalc.euchre.counting import counted
from oddscalc.euchre.endings import Wins
from oddscalc.euchre.notation import JOKER, rank_of, suit_of
from oddscalc.euchre.plays import Bid, Odds, Play, Question
from oddscalc.euchre.sampling import sampled
from oddscalc.euchre.tables import mask_of
from oddscalc.jit import threads

__all__ = ["closed_odds_of", "odds_of"]

Progress = Callable[[int, int], None]
AnyOdds = TypeVar("AnyOdds", Odds, ClosedOdds)


def odds_of(
    question: Question,
    bids: Sequence[Bid],
    deals: int,
    *,
    exact: bool = False,
    seed: int = 0,
    dealer_sees: bool = False,
    progress: Progress | None = None,
    announce: Callable[[str], None] | None = None,
) -> list[Odds]:
    """Return the odds of bids with open hands, in their order.

    Two-handed bids without a dummy, and three-handed ones with the dummy in view, are always
    counted in full. The work is done with suits renamed in one fixed way, so that figures do not
    depend on their names.
    """
    asked, rename = _renamed_question(question)
    plays = [
        Play.of(asked, Bid(rename[bid.trump], bid.alone), seed=seed, sees=dealer_sees)
        for bid in bids
    ]
    everything = (
        exact
        or bool(asked.dummy)
        or (asked.game.hands == 2 and not any(play.merges for play in plays))
    )
    with ThreadPoolExecutor(threads()) as pool:
        try:
            if everything:
                found = counted(plays, seed, pool, progress, announce if exact else None)
            else:
                found = sampled(plays, deals, seed, pool, progress)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise

    return [replace(_named(odds, rename), bid=bid) for bid, odds in zip(bids, found, strict=True)]


def closed_odds_of(
    question: Question,
    bids: Sequence[Bid | None],
    deals: int | None,
    policy: BiddingPolicy,
    *,
    seed: int = 0,
    wins: Wins | None = None,
    progress: Progress | None = None,
) -> list[ClosedOdds]:
    """Return the odds of bids and of a pass (None) with closed play, in their order.

    Suits are renamed as in `odds_of`. Parameters as in `closed_bids.closed_odds`.
    """
    asked, rename = _renamed_question(question)
    with ThreadPoolExecutor(threads()) as pool:
        try:
            found = closed_odds(
                asked,
                [bid and Bid(rename[bid.trump], bid.alone) for bid in bids],
                deals,
                seed,
                policy,
                wins,
                pool,
                progress,
            )
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [replace(_named(odds, rename), bid=bid) for bid, odds in zip(bids, found, strict=True)]


def _renamed_question(question: Question) -> tuple[Question, tuple[int, ...]]:
    """Return the question with suits renamed in the one fixed way, and their new names."""
    rename = _renaming(question)
    asked = replace(
        question,
        hand=tuple(sorted(_renamed(card, rename) for card in question.hand)),
        up=_renamed(question.up, rename),
        dummy=tuple(sorted(_renamed(card, rename) for card in question.dummy)),
    )
    return asked, rename


def _named(odds: AnyOdds, rename: Sequence[int]) -> AnyOdds:
    """Return odds with the cards called as they were."""
    back = {suit: name for name, suit in enumerate(rename)}

    def named(cards: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if cards is None else tuple(_renamed(card, back) for card in cards)

    return replace(
        odds,
        discard=None if odds.discard is None else _renamed(odds.discard, back),
        keep=named(odds.keep),
        runner_up=None if odds.runner_up is None else _renamed(odds.runner_up, back),
        runner_up_keep=named(odds.runner_up_keep),
    )


def _renaming(question: Question) -> tuple[int, ...]:
    """Return the new name of each suit: of the eight that keep colours together the least."""
    names = [
        (a ^ black, 1 ^ a ^ black, (2 ^ b) ^ black, (3 ^ b) ^ black)
        for black in (0, 2)
        for a in (0, 1)
        for b in (0, 1)
    ]

    def place(rename: tuple[int, ...]) -> tuple[int, int, int]:
        seen = [question.up], question.hand, question.dummy
        up, hand, dummy = (mask_of(_renamed(card, rename) for card in cards) for cards in seen)
        return up, hand, dummy

    return min(names, key=place)


def _renamed(card: int, rename: Sequence[int] | dict[int, int]) -> int:
    return card if card == JOKER else 8 * rename[suit_of(card)] + rank_of(card)
