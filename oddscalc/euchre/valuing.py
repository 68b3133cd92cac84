"""Bids of one player → what each is worth, whatever the suits are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from oddscalc.euchre.counting import counted
from oddscalc.euchre.notation import JOKER, rank_of, suit_of
from oddscalc.euchre.plays import Bid, Odds, Play, Question
from oddscalc.euchre.sampling import sampled
from oddscalc.euchre.tables import mask_of
from oddscalc.jit import threads

__all__ = ["odds_of"]

Progress = Callable[[int, int], None]


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
    """Return the odds of bids, in their order.

    Two-handed bids without a dummy, and three-handed ones with the dummy in view, are always
    counted in full. The work is done with suits renamed in one fixed way, so that figures do not
    depend on their names.
    """
    rename = _renaming(question)
    back = {suit: name for name, suit in enumerate(rename)}
    asked = replace(
        question,
        hand=tuple(sorted(_renamed(card, rename) for card in question.hand)),
        up=_renamed(question.up, rename),
        dummy=tuple(sorted(_renamed(card, rename) for card in question.dummy)),
    )
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

    def named(cards: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if cards is None else tuple(_renamed(card, back) for card in cards)

    return [
        replace(
            odds,
            bid=bid,
            discard=None if odds.discard is None else _renamed(odds.discard, back),
            keep=named(odds.keep),
            runner_up=None if odds.runner_up is None else _renamed(odds.runner_up, back),
            runner_up_keep=named(odds.runner_up_keep),
        )
        for bid, odds in zip(bids, found, strict=True)
    ]


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
