"""Deals of the unseen cards as the bidding makes them likely: whoever was to bid has passed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_auction, kernel_deals
from oddscalc.euchre.deals import sample_deals, unseen_cards
from oddscalc.euchre.kernel_beliefs import Policy
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.plays import Question
from oddscalc.euchre.rules import CARDS_IN_HAND
from oddscalc.euchre.tables import mask_of, plain_bit
from oddscalc.jit import run_parts

__all__ = ["LikelyDeals", "likely_deals"]

LOTS = int(kernel_deals.LOTS)
_CHUNK = 1 << 14
_MOST_CHUNKS = 40


@dataclass(frozen=True)
class LikelyDeals:
    """Deals in random order, with weights that are equal but for the likeliest ones.

    Attributes
    ----------
    deals : uint64[deals, seats + 2]
        As `kernel_deals.deal_hands` writes them, the asker's hand too.
    weights : float64[deals]
    drawn
        From how many deals of the unseen cards they were kept.
    """

    deals: Masks
    weights: NDArray[np.float64]
    drawn: int

    def __len__(self) -> int:
        return len(self.weights)


def likely_deals(
    question: Question, wanted: int, policy: Policy, seed: int, pool: ThreadPoolExecutor
) -> LikelyDeals:
    """Return every deal of two hands, or a sample of those of more.

    Of a sample each deal is kept with the chance that the earlier turns were passes; about
    `wanted` are kept. Where that chance is so small that too many would have to be drawn, it
    is raised for all by one factor; a deal for which it would exceed 1 gets a weight instead.
    """
    game = question.game
    before = question.seat + (question.round - 1) * game.hands
    unseen = unseen_cards(game.deck, question.known)
    holders = [seat for seat in range(game.hands) if seat != question.seat]
    dummy = 0 if question.dummy else game.dummy
    own = np.uint64(mask_of(question.hand))
    up = np.uint64(mask_of([question.up]))

    def draw(rows: range) -> tuple[Masks, NDArray[np.float64]]:
        return weighed(sample_deals(unseen, holders, game.hands, dummy, seed, rows))

    def weighed(deals: Masks) -> tuple[Masks, NDArray[np.float64]]:
        deals[:, question.seat] = own
        chances = np.ones(len(deals))
        if before:
            ups = np.full(len(deals), up)
            kernel_auction.weigh_passes(deals, ups, before, question.seat, policy, chances)
        return deals, chances

    if game.hands == 2 and not game.dummy:
        places = np.array(list(combinations(range(len(unseen)), CARDS_IN_HAND)))
        bits = np.array([1 << plain_bit(card) for card in unseen], np.uint64)
        deals = np.zeros((len(places), game.hands + 2), np.uint64)
        deals[:, holders[0]] = bits[places].sum(axis=1, dtype=np.uint64)
        deals[:, -1] = np.arange(len(places)) % LOTS
        return LikelyDeals(*weighed(deals), len(deals))
    if before == 0:
        deals, weights = draw(range(wanted))
        return LikelyDeals(deals, weights, wanted)
    _, pilot = draw(range(_CHUNK))
    chunks = max(1, min(_MOST_CHUNKS, -(-wanted // max(1, int(pilot.sum())))))
    level = _level(pilot, wanted / chunks)
    kept: list[tuple[Masks, NDArray[np.float64]]] = [None] * chunks  # type: ignore[list-item]

    def part(number: int) -> None:
        rows = range(number * _CHUNK, (number + 1) * _CHUNK)
        deals, chances = draw(rows)
        shares = np.empty(len(rows))
        kernel_deals.random_shares(~np.uint64(seed), np.uint64(rows.start), shares)
        keep = shares * level < chances
        kept[number] = deals[keep], np.maximum(chances[keep], level)

    run_parts(pool, part, chunks)
    deals = np.concatenate([deals for deals, _ in kept])
    weights = np.concatenate([weights for _, weights in kept]) / level
    return LikelyDeals(deals, weights, chunks * _CHUNK)


def _level(chances: NDArray[np.float64], wanted: float) -> float:
    """Return the chance that is raised or lowered to 1, so that about `wanted` deals are kept."""
    low, high = 0.0, max(1.0, float(chances.sum()) / wanted)
    for _ in range(50):
        level = (low + high) / 2
        if np.minimum(1.0, chances / level).sum() < wanted:
            high = level
        else:
            low = level
    return high
