"""Sentences that say how the odds of bids were obtained: the play model, each choice."""

from __future__ import annotations

from collections.abc import Sequence

from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.closed import DEFAULT_WORLDS
from oddscalc.euchre.closed_bids import ClosedOdds
from oddscalc.euchre.plays import DEALER_RULE, DEFENDER_RULE, INNER_DEALS, KEEPS, Odds, Question

__all__ = ["PLAY_MODEL", "closed_models", "open_models"]

PLAY_MODEL = (
    "Play: open hands. After the bidding everybody plays perfectly and sees every card; what is "
    "bid, discarded or kept never depends on hidden cards. The others' passes tell nothing."
)
CLOSED_MODEL = (
    "Play: closed. Every card is chosen by a player who knows the own hand, what was played and "
    "bid, and who failed to follow suit, by {how}."
)
DUEL, SEARCH = "every hand that the other may hold", f"searching {DEFAULT_WORLDS} worlds that fit"


def closed_models(
    question: Question, found: Sequence[ClosedOdds], policy: BiddingPolicy
) -> list[str]:
    """Return sentences on closed play, the bidding, and every choice."""
    lines = [CLOSED_MODEL.format(how=DUEL if question.game.hands == 2 else SEARCH)]
    how = f"found over {policy.deals:,} deals played {policy.play}"
    if question.seat or question.round == 2:
        fewest = min(found, key=lambda odds: odds.deals)
        few = fewest.effective <= 0.9 * fewest.deals
        as_good = f" (as good as {fewest.effective:,.0f})" if few else ""
        lines.append(
            f"Deals are weighed by how likely the earlier passes were{as_good}, and the bidding "
            f"goes on by the policy of this game, {how}; nobody bids on hidden cards."
        )
    else:
        lines.append(
            f"After a pass the bidding goes on by the policy of this game, {how}; nobody bids on "
            "hidden cards."
        )
    return lines + _choices(question, found, dealer_sees=False)


def open_models(question: Question, found: Sequence[Odds], *, dealer_sees: bool) -> list[str]:
    """Return sentences on play with open hands and every choice."""
    return [PLAY_MODEL, *_choices(question, found, dealer_sees=dealer_sees)]


def _choices(
    question: Question, found: Sequence[Odds | ClosedOdds], *, dealer_sees: bool
) -> list[str]:
    """Return sentences on discards, the dummy and lone defenders."""
    game = question.game
    lines = []
    if question.round == 1:
        if dealer_sees:
            lines.append(
                "The dealer sees every card when taking the upcard and discarding, deal by deal: "
                "no player can; for comparison only."
            )
        elif question.takes_up and not question.dummy:
            lines.append("Your discard is the single card that is best on average over the deals.")
        elif any(odds.dealer_decides for odds in found):
            takes = "takes the upcard and throws"
            if not game.dealer_must_take:
                takes = "takes the upcard unless it would be thrown at once, and throws"
            lines.append(f"The dealer {takes}, by own cards only: {DEALER_RULE}.")
    if question.dummy:
        lines.append(
            "You keep the five of hand and dummy that are best on average over the deals, of those "
            f"with {KEEPS}."
        )
    if any(odds.merges for odds in found):
        inner = f"{INNER_DEALS} other deals with open hands"
        if isinstance(found[0], Odds):
            inner = found[0].inner
        lines.append(
            "With the dummy you keep the five that are best on average for your own cards and "
            f"that dummy, over {inner}, of those with {KEEPS}."
        )
    if game.defend_alone:
        lines.append(f"By own cards only, {DEFENDER_RULE}.")
    return lines
