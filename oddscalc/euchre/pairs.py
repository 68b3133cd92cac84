"""Two-handed bids: every world of many hands at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_deals, kernel_plays
from oddscalc.euchre.classes import HandClasses
from oddscalc.euchre.frames import schema
from oddscalc.euchre.notation import (
    JOKER,
    card_name,
    card_names,
    deck_cards,
    nameable_suits,
    orderable_suits,
    sorted_cards,
    suit_name,
)
from oddscalc.euchre.plays import OUTCOMES, Bid, Play, Question
from oddscalc.euchre.rules import CARDS_IN_HAND, EuchreGame
from oddscalc.euchre.tables import trump_bit
from oddscalc.jit import run_parts, threads

if TYPE_CHECKING:
    import polars as pl

__all__ = ["counted_frame"]


@dataclass(frozen=True)
class _Figures:
    """One bid for many hands; `best` and `second` are the places of the cards thrown."""

    bid: Bid
    tally: NDArray[np.int64]
    points: NDArray[np.float64]
    six: NDArray[np.int64] | None
    best: NDArray[np.int64]
    second: NDArray[np.int64]
    loss: NDArray[np.float64]


def counted_frame(
    game: EuchreGame,
    every: HandClasses,
    some: range,
    seat: int,
    bidding_round: int,
    pool: ThreadPoolExecutor,
) -> pl.DataFrame:
    """Return the odds of every action for some classes of hands, all worlds counted.

    Two-handed games without a dummy only. One row an action, best first; `hands` tells how many
    hands with an upcard a class stands for.
    """
    import polars as pl

    classes = np.array(some)
    hands, ups = every.hands[classes], every.ups[classes]
    suits = orderable_suits if bidding_round == 1 else nameable_suits
    frames = []
    names = np.array([" ".join(card_names(sorted_cards(hand))) for hand in hands.tolist()])
    for up in np.unique(ups).tolist():
        rows = np.flatnonzero(ups == up)
        question = Question(game, tuple(hands[rows[0]].tolist()), up, seat, bidding_round)
        figures = [
            _figures(question, Bid(trump, False), hands[rows], pool) for trump in suits(game, up)
        ]
        top = np.max([one.points for one in figures], axis=0)
        worlds = int(figures[0].tally[0].sum()) // int(kernel_deals.LOTS)
        action = "name" if bidding_round == 2 else "take" if question.takes_up else "order"
        place = np.argsort(np.argsort([-one.points for one in figures], axis=0, kind="stable"), 0)
        for number, one in enumerate(figures):
            total = one.tally.sum(axis=1)
            columns: dict[str, Any] = {
                "row": rows,
                "place": place[number],
                "action": action,
                "trump": suit_name(one.bid.trump),
                "alone": False,
                "discard": _thrown(one, one.best),
                "runner_up": _thrown(one, one.second),
                "runner_up_loss": one.loss,
                "runner_up_stderr": 0 * one.loss,
                "p_euchred": (one.tally[:, 0] + one.tally[:, 1]) / total,
                "p_made": one.tally[:, 2] / total,
                "p_march": one.tally[:, 3] / total,
                "points": one.points,
                "stderr": 0.0,
                "loss": top - one.points,
                "loss_stderr": 0.0,
                "n": worlds,
                "method": "exact",
            }
            frames.append(pl.DataFrame(columns, schema_overrides=_kinds(columns)))
        if not (game.stick_the_dealer and bidding_round == 2 and seat == game.dealer):
            columns = {"row": rows, "place": len(figures), "action": "pass", "alone": False}
            frames.append(pl.DataFrame(columns, schema_overrides=_kinds(columns)))
    asked = {
        "row": np.arange(len(classes)),
        "hand": names,
        "up": [card_name(up) for up in ups.tolist()],
        "seat": game.seats[seat],
        "round": bidding_round,
        "hands": every.sizes[classes],
    }
    left = pl.DataFrame(asked, schema_overrides=_kinds(asked))
    table = left.join(pl.concat(frames, how="diagonal"), on="row", how="left")
    nan = pl.col("runner_up_loss", "runner_up_stderr").fill_nan(None)
    return table.sort("row", "place").select(*schema(), "hands").with_columns(nan)


def _kinds(columns: dict[str, Any]) -> dict[str, Any]:
    import polars as pl

    kinds = schema() | {"row": pl.Int64, "place": pl.Int64, "hands": pl.Int64}
    return {column: kinds[column] for column in columns}


def _thrown(figures: _Figures, places: NDArray[np.int64]) -> list[str | None]:
    if figures.six is None:
        return [None] * len(places)
    cards = figures.six[np.arange(len(places)), places].tolist()
    return [
        None if place < 0 else card_name(card)
        for card, place in zip(cards, places.tolist(), strict=True)
    ]


def _figures(
    question: Question, bid: Bid, hands: NDArray[np.int64], pool: ThreadPoolExecutor
) -> _Figures:
    """Count every world of one bid for many hands that share the upcard."""
    play = Play.of(question, bid)
    trump, up = bid.trump, question.up
    bits = np.zeros(JOKER + 1, np.uint64)
    for card in deck_cards(question.game.deck):
        bits[card] = 1 << trump_bit(card, trump)
    asked = np.stack([bits[hands].sum(axis=1, dtype=np.uint64), np.full(len(hands), bits[up])], 1)
    tallies = np.zeros((len(hands), CARDS_IN_HAND + 1, OUTCOMES), np.int64)
    size = -(-len(hands) // (4 * threads()))

    def part(number: int) -> None:
        rows = slice(number * size, (number + 1) * size)
        kernel_plays.count_pairs(
            np.ascontiguousarray(asked[rows]),
            question.takes_up,
            play.plan.copy(),
            int(play.seating[-1, 1]) == question.seat,
            play.table,
            tallies[rows],
        )

    run_parts(pool, part, -(-len(hands) // size))
    rows = np.arange(len(hands))
    if not question.takes_up:
        tally = tallies[:, 0]
        points = (tally @ play.points) / tally.sum(axis=1)
        none = np.zeros(len(hands), np.int64)
        return _Figures(bid, tally, points, None, none, none, np.full(len(hands), np.nan))
    six = np.concatenate([hands, np.full((len(hands), 1), up)], axis=1)
    six = np.take_along_axis(six, np.argsort(bits[six], axis=1), axis=1)
    totals = tallies.sum(axis=2)
    # Ties go to the lowest card.
    worth = np.where(totals > 0, (tallies @ play.points) / np.maximum(totals, 1), -np.inf)
    order = np.argsort(-worth[:, ::-1], axis=1, kind="stable")
    best, second = 5 - order[:, 0], 5 - order[:, 1]
    points, next_best = worth[rows, best], worth[rows, second]
    only = ~np.isfinite(next_best)
    loss = np.where(only, np.nan, points - next_best)
    second = np.where(only, -1, second)
    return _Figures(bid, tallies[rows, best], points, six, best, second, loss)
