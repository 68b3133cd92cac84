"""A sheet's bidding as an answer: what it says for a hand, and what following it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from oddscalc.errors import InputError
from oddscalc.euchre.bid_sheet import ALONE, MAKE, PASS, Actions, Cost, Layout, Row
from oddscalc.euchre.bidding import BidChance, BiddingPolicy
from oddscalc.euchre.contracts import upcards
from oddscalc.euchre.kernel_choices import discard
from oddscalc.euchre.notation import JOKER, RANKS, read_hand, read_upcard, suit_of
from oddscalc.euchre.rules import SUIT_NAMES, EuchreGame
from oddscalc.euchre.tables import in_trumps, mask_of, trump_bit
from oddscalc.euchre.turns import turn_name
from oddscalc.results import Column, Result

__all__ = ["BidSheet", "SheetCell", "cost_words", "discarded"]

BLOCKS = ("next", "cross", "turned-down")
ACTIONS = ("pass", "make", "alone")


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell of the sheet.

    Attributes
    ----------
    action
        PASS, MAKE or ALONE.
    odds
        Chances of a euchre, of three or four tricks and of all five, if the suit is made trumps,
        alone where that is the action; None where no deals came to the cell.
    hands
        How many hands, all counting alike, would give odds as certain.
    """

    action: int
    odds: tuple[float, float, float] | None
    hands: float

    @property
    def stderr(self) -> float:
        """The largest standard error of the odds; they are as good as unknown without hands."""
        if self.odds is None:
            return 1.0
        return float(max((one * (1 - one) / self.hands) ** 0.5 for one in self.odds))


@dataclass(frozen=True, eq=False)
class BidSheet(Result):
    """A bidding that fits on pages, one for each seat, and what it costs to follow it.

    Attributes
    ----------
    actions : uint8[turns, blocks, trumps, bowers, aces]
        PASS, MAKE or ALONE, in the order of `layout`.
    tally : float64[turns, blocks, trumps, bowers, aces, 10]
        Weights of the four outcomes of the suit considered, made and made alone, of their squares,
        and how many deals.
    cost, closed
        Of following it, against the policy: with open hands, and when nobody sees a hidden card.
    """

    schema: ClassVar[str] = "oddscalc.euchre.sheet/1"

    policy: BiddingPolicy = field(repr=False)
    layout: Layout = field(repr=False)
    actions: Actions = field(repr=False)
    tally: NDArray[np.float64] = field(repr=False)
    cost: Cost
    closed: Cost

    @property
    def game(self) -> EuchreGame:
        """The game."""
        return self.layout.game

    def bid(
        self, hand: str | Sequence[int], up: str | int, seat: str, bidding_round: int = 1
    ) -> BidChance:
        """Return what the sheet says for a hand whose turn has come.

        Raises
        ------
        InputError
            If hand, upcard, seat or round cannot be.
        """
        if bidding_round not in (1, 2):
            raise InputError(f"There is no bidding round {bidding_round}; accepted: 1 or 2.")
        game = self.game
        cards = read_hand(hand, game.deck) if isinstance(hand, str) else tuple(hand)
        upcard = read_upcard(up, cards, game.deck) if isinstance(up, str) else up
        turn = game.seat_index(seat) + game.hands * (bidding_round - 1)
        # The layout calls the upcard's suit the first.
        base = self._joker_suit if upcard == JOKER else suit_of(upcard)
        renamed = [card if card == JOKER else card ^ 8 * base for card in (*cards, upcard)]
        deal = np.zeros((1, game.hands + 3), np.uint64)
        deal[0, turn % game.hands] = mask_of(renamed[:-1])
        deal[0, -1] = upcards(game).index(renamed[-1])
        cells, steps = self.layout.looked_at(deal, turn)
        action = self.actions[turn].flat[cells[0]]
        if action == PASS:
            return BidChance(None, False, 1.0)
        return BidChance(base ^ int(steps[0]), bool(action == ALONE), 1.0)

    @property
    def _joker_suit(self) -> int:
        return (*SUIT_NAMES, "any").index(self.game.joker_suit) % len(SUIT_NAMES)

    def cell(self, turn: int, block: int, row: Row, aces: int) -> SheetCell:
        """Return a cell of a turn: the seats of round one, then those of round two."""
        place = turn, block, *row.place, aces
        action, tally = int(self.actions[place]), self.tally[place]
        outcomes = tally[4:8] if action == ALONE else tally[:4]
        total = float(outcomes.sum())
        if total == 0:
            return SheetCell(action, None, 0.0)
        none, few, made, march = (outcomes / total).tolist()
        return SheetCell(action, (none + few, made, march), total**2 / float(tally[8]))

    def blocks(self, bidding_round: int) -> range:
        """Return the blocks of cells of a round."""
        first, both = len(self.layout.ups), self.layout.shape[0]
        return range(first) if bidding_round == 1 else range(first, both)

    def block_name(self, block: int) -> str:
        """Return the ranks of the upcards of a block, or what is named in round two."""
        kinds = self.layout.ups
        if block >= len(kinds):
            return BLOCKS[block - len(kinds)]
        names = ["joker" if rank == JOKER else RANKS[rank] for rank in kinds[block]]
        return " ".join(names).replace("T", "10")

    def _cells(self) -> Iterator[dict[str, Any]]:
        for turn in range(len(self.actions)):
            seat, bidding_round = turn_name(self.game, turn)
            for block in self.blocks(bidding_round):
                for row in self.layout.rows:
                    for aces in range(row.most_aces() + 1):
                        cell = self.cell(turn, block, row, aces)
                        if cell.odds is None:
                            continue
                        euchred, made, march = cell.odds
                        yield {
                            "seat": seat,
                            "round": bidding_round,
                            "up" if bidding_round == 1 else "suit": self.block_name(block),
                            "trumps": row.trumps,
                            "bowers": list(row.bowers),
                            "aces": aces,
                            "action": ACTIONS[cell.action],
                            "p_euchred": euchred,
                            "p_made": made,
                            "p_march": march,
                            "stderr": cell.stderr,
                        }

    def to_dict(self) -> dict[str, Any]:
        """Return what following the sheet costs, and all its cells."""
        return {
            "game": self.game.name,
            "method": "monte-carlo",
            "play": "open",
            "cost": asdict(self.cost),
            "cost_closed": asdict(self.closed),
            "turns": self.records(),
            "cells": list(self._cells()),
        }

    def headline(self) -> str:
        """Return what following the sheet costs as a sentence."""
        return (
            f"{self.game.title}: following the sheet costs {cost_words(self.cost)} points a hand "
            "against the bidding policy."
        )

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table of turns."""
        return (
            Column("round", "Round", right=True),
            Column("seat", "Seat"),
            *(Column(name, name.capitalize(), "{:.1%}".format, right=True) for name in ACTIONS),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return how often each action is taken once a turn has come, the others by policy."""
        rows = []
        for turn, actions in enumerate(self.actions):
            seat, bidding_round = turn_name(self.game, turn)
            weights = self.tally[turn, ..., :4].sum(axis=-1)
            shares = [
                float(weights[actions == one].sum() / weights.sum()) for one in (PASS, MAKE, ALONE)
            ]
            rows.append(
                {"seat": seat, "round": bidding_round} | dict(zip(ACTIONS, shares, strict=True))
            )
        return rows

    def notes(self) -> list[str]:
        """Say how the numbers were obtained."""
        return [
            f"Measured on {self.cost.deals:,} deals to which nothing was fitted, played with "
            "open hands: each is bid by a side with the sheet and by the others with the bidding "
            "policy, then the other way round, the policy's chances counted in full; ± is one "
            f"standard error. When nobody sees a hidden card: {cost_words(self.closed)}, from "
            f"{self.closed.deals:,} of the deals."
        ]


def cost_words(cost: Cost) -> str:
    """Return a cost and its standard error, no digit more than is true.

    >>> cost_words(Cost(0.0123, 0.0021, 10_000)), cost_words(Cost(0.01234, 0.0004, 400_000))
    ('0.012 ± 0.002', '0.0123 ± 0.0004')
    """
    digits = 3 if cost.stderr >= 0.001 else 4
    return f"{cost.points:.{digits}f} ± {cost.stderr:.{digits}f}".replace("-", "−")


def discarded(six: Sequence[int], trump: int) -> int:
    """Return the card of six that the dealer discards by the rule.

    >>> from oddscalc.euchre.notation import card_name, read_cards
    >>> card_name(discarded(read_cards("JS AS 9S KH 9H AD", 24), 0))
    '9H'
    """
    thrown, _ = discard(np.uint64(in_trumps(six, trump)), np.uint64(0), np.uint64(0))
    return next(card for card in six if 1 << trump_bit(card, trump) == int(thrown))
