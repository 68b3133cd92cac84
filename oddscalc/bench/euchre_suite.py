"""What is timed of the Euchre half."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from oddscalc.bench.measuring import Benchmark, Task

if TYPE_CHECKING:
    from oddscalc.euchre.kernel_bits import Masks
    from oddscalc.euchre.plays import Play

__all__ = ["EUCHRE", "KINDS", "Deals", "closed_hands", "fixed_deals", "open_hands"]

DEALS = 20_000
SIGNED = 5_000  # of them, for the nodes: they change when the search does, whatever the machine
DDS_DEALS = 2_000
CLOSED_DEALS = 1_000
LEAD_WORLDS = 50
SPADES = 0
# game, alone, seats that play, makers among them by number; the dealer's left leads
KINDS = {
    "four-handed": ("four-handed", False, (0, 1, 2, 3), 0b0101),
    "loner": ("four-handed", True, (0, 1, 3), 0b001),
    "three-handed": ("three-handed", False, (0, 1, 2), 0b001),
    "two-handed": ("two-handed", False, (0, 1), 0b01),
}

Deals = list[list[list[int]]]


def fixed_deals(kind: str, number: int = DEALS, seed: int = 2026) -> Deals:
    """Return deals that are always the same: the hands from the dealer's left."""
    from oddscalc.euchre.notation import deck_cards
    from oddscalc.euchre.rules import load_game

    random, hands, cards = Random(seed), load_game(KINDS[kind][0]).hands, deck_cards(24)
    deals = []
    for _ in range(number):
        picked = random.sample(cards, 5 * hands)
        deals.append([picked[5 * seat :][:5] for seat in range(hands)])
    return deals


def open_hands(kind: str, deals: int = DEALS, *, one_thread: bool = False) -> Task:
    """Return the task of telling euchred, made or all five, seat 1 making spades."""
    import numpy as np

    from oddscalc.euchre.notation import deck_cards
    from oddscalc.euchre.plays import Bid, Play, Question
    from oddscalc.euchre.rules import load_game
    from oddscalc.euchre.tables import mask_of
    from oddscalc.jit import threads

    name, alone, _, _ = KINDS[kind]
    game = load_game(name)
    dealt = fixed_deals(kind, deals)
    masks = np.zeros((deals, game.hands + 2), np.uint64)
    for row, hands in enumerate(dealt):
        masks[row, : game.hands] = [mask_of(hand) for hand in hands]
    play = Play.of(Question(game, (), deck_cards(24)[0], 0, 2), Bid(SPADES, alone))
    pool = None if one_thread else ThreadPoolExecutor(threads())
    note = f"{_nodes(kind, dealt[:SIGNED]):,} nodes in {SIGNED:,} deals" if one_thread else ""
    return Task(deals, lambda: play.outcomes(masks, 0, 0, pool), one_thread, note=note)


def closed_hands(worlds: int | None = None, deals: int = CLOSED_DEALS) -> Task:
    """Return the task of playing four-handed deals closed: seat 1 orders the nine of hearts up."""
    from oddscalc.euchre.bidding import bidding_policy
    from oddscalc.euchre.closed import DEFAULT_WORLDS, closed_outcomes, skill_of
    from oddscalc.jit import threads

    play, dealt = _ordered(deals)
    policy, skill = bidding_policy("four-handed"), skill_of(worlds or DEFAULT_WORLDS)
    pool = ThreadPoolExecutor(threads())

    def run() -> object:
        return closed_outcomes(play, dealt, 0, policy=policy, skills=[skill] * 4, pool=pool)

    return Task(deals, run, note=f"{worlds or DEFAULT_WORLDS} worlds a decision")


def _leads() -> Task:
    """Return the task of choosing leads to the first trick of these deals, one thread."""
    import numpy as np

    from oddscalc.bench import kernel_leads
    from oddscalc.euchre.beliefs import told_by
    from oddscalc.euchre.bidding import bidding_policy
    from oddscalc.euchre.closed import skill_of

    play, dealt = _ordered(CLOSED_DEALS)
    told = told_by(play, bidding_policy("four-handed"))
    skills = np.full(4, skill_of(LEAD_WORLDS), np.uint64)
    leads = np.zeros(len(dealt), np.uint64)

    def run() -> None:
        kernel_leads.choose_leads(
            dealt, play.plan, play.seating, play.table, play.points, skills, told, leads
        )

    return Task(len(dealt), run, one_thread=True, note=f"{LEAD_WORLDS} worlds a decision")


def _ordered(deals: int) -> tuple[Play, Masks]:
    from oddscalc.euchre.deals import sample_deals, unseen_cards
    from oddscalc.euchre.notation import read_card, suit_of
    from oddscalc.euchre.plays import Bid, Play, Question
    from oddscalc.euchre.rules import load_game

    up = read_card("9H")
    dealt = sample_deals(unseen_cards(24, [up]), range(4), 4, 0, 1, range(deals))
    question = Question(load_game("four-handed"), (), up, 0, 1)
    return Play.of(question, Bid(suit_of(up), False)), dealt


def _nodes(kind: str, deals: Deals) -> int:
    """Return the nodes searched for both thresholds."""
    import numpy as np

    from oddscalc.euchre import kernels
    from oddscalc.euchre.tables import in_trumps

    _, _, seats, makers = KINDS[kind]
    stack, memo = np.zeros(320, np.uint64), np.zeros(2 * kernels.CELLS, np.uint64)
    total = 0
    for deal in deals:
        hands = np.zeros(4, np.uint64)
        hands[: len(seats)] = [in_trumps(deal[seat], SPADES) for seat in seats]
        _, nodes = kernels.outcome_of(
            hands, stack, memo, np.uint64(len(seats)), np.uint64(makers), np.uint64(0)
        )
        total += int(nodes)
    return total


def _dds(kind: str) -> Task:
    from oddscalc.bench.dds import solving

    return solving(fixed_deals(kind, DDS_DEALS), KINDS[kind][2])


def _dealing() -> Task:
    from oddscalc.euchre.deals import sample_deals, unseen_cards

    unseen = unseen_cards(24, [])
    return Task(
        DEALS,
        lambda: sample_deals(unseen, [0, 1, 2, 3], 4, 0, 1, range(DEALS)),
        one_thread=True,
    )


def _peer_dealing() -> Task:
    import pyspiel

    game, random = pyspiel.load_game("euchre"), Random(1)

    def run() -> None:
        for _ in range(DDS_DEALS):
            state = game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(random.choice(state.legal_actions()))

    return Task(DDS_DEALS, run, one_thread=True)


def _bidding(game: str, hand: str, up: str, play: str = "open") -> Task:
    from oddscalc.euchre.bids import bid_odds

    deals = DEALS if play == "open" else None

    def run() -> object:
        return bid_odds(hand, up=up, seat="dealer", game=game, play=play, deals=deals)

    return Task(1, run)


def _table(game: str, rounds: tuple[int, ...], classes: range | None, deals: int) -> Task:
    from oddscalc.euchre.bid_table import write_bid_table
    from oddscalc.euchre.classes import hand_classes
    from oddscalc.euchre.rules import load_game

    every = hand_classes(load_game(game).deck)
    seats = load_game(game).hands

    def run() -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "table.parquet"
            write_bid_table(game, path, rounds=rounds, classes=classes, deals=deals)

    return Task(len(rounds) * seats * len(classes or every), run)


def _deals(kind: str) -> Benchmark:
    return Benchmark(f"{kind}: open hands, every thread", "deals", partial(open_hands, kind))


def _deals_alone(kind: str) -> Benchmark:
    return Benchmark(
        f"{kind}: open hands, one thread",
        "deals",
        partial(open_hands, kind, one_thread=True),
        {"endplay": partial(_dds, kind)},
    )


EUCHRE = {
    "deals-four-handed": _deals("four-handed"),
    "deals-loner": _deals("loner"),
    "deals-two-handed": _deals("two-handed"),
    "thread-four-handed": _deals_alone("four-handed"),
    "thread-loner": _deals_alone("loner"),
    "thread-two-handed": _deals_alone("two-handed"),
    "closed-four-handed": Benchmark(
        "four-handed: closed play, every thread", "deals", closed_hands
    ),
    "closed-leads": Benchmark(
        "four-handed: a card to lead, closed, one thread", "decisions", _leads
    ),
    "random-deals": Benchmark(
        "four-handed: random deals, one thread", "deals", _dealing, {"open_spiel": _peer_dealing}
    ),
    "bid-two-handed": Benchmark(
        "two-handed: a bid, open hands, exact",
        "bids",
        partial(_bidding, "two-handed", "JS AS KS AH 9D", "9S"),
    ),
    "bid-four-handed": Benchmark(
        f"four-handed: a bid, open hands, {DEALS:,} deals",
        "bids",
        partial(_bidding, "four-handed", "AS KS 9H TD AC", "JS"),
    ),
    "bid-closed": Benchmark(
        "four-handed: a bid and a pass, closed, to 0.02 points",
        "bids",
        partial(_bidding, "four-handed", "AS KS 9H TD AC", "JS", "closed"),
    ),
    "table-four-handed": Benchmark(
        "four-handed: some of the table of bids, 500 deals a hand",
        "hands",
        partial(_table, "four-handed", (1, 2), range(128), 500),
    ),
    "table-two-handed": Benchmark(
        "two-handed: the table of bids, round one, exact",
        "hands",
        partial(_table, "two-handed", (1,), None, 2),
        long=True,
    ),
}
