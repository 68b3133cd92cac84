"""What passes and bids tell: how likely each hand is to bid as was bid."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_beliefs
from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.deals import unseen_cards
from oddscalc.euchre.kernel_beliefs import Policy, Told
from oddscalc.euchre.kernel_policy import ACTIONS
from oddscalc.euchre.plays import Play
from oddscalc.euchre.rules import CARDS_IN_HAND
from oddscalc.euchre.tables import mask_of, plain_bit

__all__ = ["kernel_policy_of", "told_by"]

_PLACES = 64


def kernel_policy_of(policy: BiddingPolicy) -> Policy:
    """Return a bidding policy as the kernels read it."""
    return Policy(policy.form, policy.worths, 1 / policy.temperature)


def told_by(play: Play, policy: BiddingPolicy | None) -> Told:
    """Return how likely each hand is to bid as was bid, players keeping to a policy.

    Without a policy the bidding tells nothing; skills may not look at it.
    """
    if policy is None:
        return Told(
            np.zeros((CARDS_IN_HAND, _PLACES), np.int64),
            np.ones((1, 1), np.float32),
            np.zeros(1, np.bool_),
        )
    question, bid = play.question, play.bid
    seats, maker = question.game.hands, question.seat
    ranks, chances = _every_hand(policy, question.up)
    told = np.ones((seats, chances.shape[1]), np.float32)
    for turn in range((question.round - 1) * seats + maker):
        told[turn % seats] *= chances[turn, :, 0]
    action = 1 + bid.trump + 4 * bid.alone
    told[maker] *= chances[(question.round - 1) * seats + maker, :, action]
    return Told(ranks, told, told.min(axis=1) < 1)


@lru_cache(maxsize=6)
def _every_hand(policy: BiddingPolicy, up: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return what numbers hands, and the chance of each action: float32[turns, hands, ACTIONS]."""
    bits = sorted(plain_bit(card) for card in unseen_cards(policy.game.deck, [up]))
    ranks = np.zeros((CARDS_IN_HAND, _PLACES), np.int64)
    for number, place in enumerate(bits):
        ranks[:, place] = [comb(number, lower + 1) for lower in range(CARDS_IN_HAND)]
    hands = comb(len(bits), CARDS_IN_HAND)
    chances = np.zeros((2 * policy.game.hands, hands, ACTIONS), np.float32)
    kernel_beliefs.list_chances(
        np.array([1 << place for place in bits], np.uint64),
        np.uint64(mask_of([up])),
        kernel_policy_of(policy),
        chances,
    )
    return ranks, chances
