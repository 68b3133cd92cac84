"""Euchre: deals a second beside DDS on the same deals, bids, the two-handed table; and nodes.

Run ``python -m benchmarks.bench_euchre`` to write results/benchmarks/euchre.md, or
``pytest benchmarks/bench_euchre.py`` for pytest-benchmark's own table. The nodes searched on the
fixed deals are the signature of the search: they change when the search does, whatever the machine.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import getloadavg
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pytest
from endplay import _dds

from oddscalc.euchre import kernels
from oddscalc.euchre.bid_table import write_bid_table
from oddscalc.euchre.bids import bid_odds
from oddscalc.euchre.notation import deck_cards
from oddscalc.euchre.plays import Bid, Play, Question
from oddscalc.euchre.rules import load_game
from oddscalc.euchre.tables import in_trumps, mask_of
from oddscalc.jit import threads

REPORT = Path(__file__).parents[1] / "results" / "benchmarks" / "euchre.md"
DEALS = 20_000
SIGNED = 5_000  # of them, for the nodes
DDS_DEALS = 2_000
SPADES = 0
# game, alone, seats that play, makers among them by number, the dealer's left leading
KINDS = {
    "four-handed": ("four-handed", False, (0, 1, 2, 3), 0b0101),
    "loner": ("four-handed", True, (0, 1, 3), 0b001),
    "two-handed": ("two-handed", False, (0, 1), 0b01),
}
TARGETS = {"four-handed": 300_000, "loner": 600_000}

Deals = list[list[list[int]]]


def dealt(hands: int, number: int = DEALS, seed: int = 2026) -> Deals:
    """Return the fixed deals: for each the hands from the dealer's left."""
    random = Random(seed)
    cards = deck_cards(24)
    deals = []
    for _ in range(number):
        picked = random.sample(cards, 5 * hands)
        deals.append([picked[5 * seat :][:5] for seat in range(hands)])
    return deals


def player(kind: str, deals: Deals, pool: ThreadPoolExecutor | None) -> Callable[[], object]:
    """Return a call that tells euchred, made or all five of every deal, seat 1 making spades."""
    name, alone, _, _ = KINDS[kind]
    game = load_game(name)
    masks = np.zeros((len(deals), game.hands + 2), np.uint64)
    for row, deal in enumerate(deals):
        masks[row, : game.hands] = [mask_of(hand) for hand in deal]
    play = Play.of(Question(game, (), deck_cards(24)[0], 0, 2), Bid(SPADES, alone))
    return lambda: play.outcomes(masks, 0, 0, pool)


def nodes_of(kind: str, deals: Deals) -> int:
    """Return the nodes searched for both thresholds."""
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


# DDS: trumps become spades, joker and bowers on top; the other suits follow


def bridge(kind: str, deals: Deals) -> list[Any]:
    """Return the deals as batches for DDS; who sits out has the lowest cards of a side suit."""
    _, _, seats, _ = KINDS[kind]
    # Partners and lone players sit across from each other, as DDS has no other table.
    places = dict(zip(seats, (0, 1) if len(seats) == 2 else seats, strict=True))
    batches = []
    for start in range(0, len(deals), _dds.MAXNOOFBOARDS):
        batch = deals[start : start + _dds.MAXNOOFBOARDS]
        boards = _dds.boards()
        boards.noOfBoards = len(batch)
        for number, deal in enumerate(batch):
            boards.deals[number].trump, boards.deals[number].first = 0, places[first_of(kind)]
            remain = boards.deals[number].remainCards
            held = sorted(
                (in_trumps([card], SPADES).bit_length() - 1, places[seat])
                for seat in seats
                for card in deal[seat]
            )
            rank, suit = 14, 0
            for bit, place in held:
                if bit // 16 != suit:
                    rank, suit = 14, bit // 16
                remain[place][suit] |= 1 << rank
                rank -= 1
            idle = [place for place in range(4) if place not in places.values()]
            for place, suit in zip(idle, (2, 3), strict=False):
                remain[place][suit] = 0b11111 << 2
            # All tricks, one card is enough.
            boards.target[number], boards.solutions[number], boards.mode[number] = -1, 1, 1
        batches.append(boards)
    return batches


def first_of(kind: str) -> int:
    """Return who leads: the dealer's left in the game."""
    return KINDS[kind][2][0]


def dds_tricks(batches: Sequence[Any]) -> list[int]:
    """Solve batches with DDS; the tricks of the leader's side, deal by deal."""
    found = []
    for boards in batches:
        solved = _dds.solvedBoards()
        _dds.SolveAllBoardsBin(boards, solved)
        found += [solved.solvedBoard[n].score[0] for n in range(boards.noOfBoards)]
    return found


# pytest-benchmark


@pytest.mark.parametrize("kind", KINDS)
def test_deals(benchmark: Any, kind: str) -> None:
    deals = dealt(load_game(KINDS[kind][0]).hands)
    with ThreadPoolExecutor(threads()) as pool:
        benchmark(player(kind, deals, pool))
    benchmark.extra_info["deals"] = DEALS
    benchmark.extra_info["nodes"] = nodes_of(kind, deals[:SIGNED])


def test_bid_two_handed(benchmark: Any) -> None:
    benchmark(two_handed_bid)


def test_bid_four_handed(benchmark: Any) -> None:
    benchmark(four_handed_bid)


def two_handed_bid() -> None:
    bid_odds("JS AS KS AH 9D", up="9S", seat="dealer", game="two-handed")


def four_handed_bid() -> None:
    bid_odds("AS KS 9H TD AC", up="JS", seat="dealer", deals=DEALS)


# The report


def seconds(
    call: Callable[[], object], times: int = 9, clock: Callable[[], float] = perf_counter
) -> float:
    """Return the best time of a call, the first one apart."""
    call()
    taken = []
    for _ in range(times):
        start = clock()
        call()
        taken.append(clock() - start)
    return min(taken)


def whole_process() -> None:
    """Ask for a bid as a user does."""
    question = "AS KS 9H TD AC", "--up", "JS", "--seat", "dealer", "--deals", str(DEALS)
    command = [sys.executable, "-m", "oddscalc", "euchre", "bid", *question, "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def compared(kind: str) -> list[str]:
    """Return our deals a second, ours and those of DDS a processor second, ratio, nodes."""
    deals = dealt(load_game(KINDS[kind][0]).hands)
    few = deals[:DDS_DEALS]
    with ThreadPoolExecutor(threads()) as pool:
        every = len(deals) / seconds(player(kind, deals, pool))
    _dds.SetMaxThreads(1)
    ours, theirs = player(kind, few, None), partial_dds(bridge(kind, few))
    # Turn about and by the processor's own clock: others use the machine too.
    taken = [(seconds(ours, 1, process_time), seconds(theirs, 1, process_time)) for _ in range(9)]
    one, other = (len(few) / min(times) for times in zip(*taken, strict=True))
    rates = (f"{rate:,.0f}" for rate in (every, one, other))
    return [*rates, f"{one / other:.1f}", f"{nodes_of(kind, deals[:SIGNED]):,}", str(check(kind))]


def partial_dds(batches: Sequence[Any]) -> Callable[[], object]:
    """Return a call that solves the batches."""
    return lambda: dds_tricks(batches)


def check(kind: str) -> int:
    """Return on how many of the compared deals our outcome and that of DDS differ."""
    deals = dealt(load_game(KINDS[kind][0]).hands)[:DDS_DEALS]
    ours = np.asarray(player(kind, deals, None)())
    tricks = np.array(dds_tricks(bridge(kind, deals)))
    if KINDS[kind][3] >> KINDS[kind][2].index(first_of(kind)) & 1 == 0:
        tricks = 5 - tricks
    return int(np.count_nonzero(np.maximum(ours, 1) != np.maximum((tricks + 1) // 2, 1)))


def machine() -> str:
    """Return the processor, the cores in use and the versions."""
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
    import numba

    return (
        f"{model}, {threads()} threads, Python {platform.python_version()}, "
        f"Numba {numba.__version__}"
    )


def report() -> str:
    """Measure everything; return the page."""
    lines = [
        "# Euchre",
        "",
        f"{machine()}. Made by `python -m benchmarks.bench_euchre`, load {getloadavg()[0]:.1f} "
        "(other work on the machine; processor seconds do not count it).",
        "",
        f"Open hands, {DEALS:,} fixed deals; the best of nine after a warm call. Ours tells "
        "euchred, made or all five (two searches where needed; two-handed looks up); DDS "
        f"(`endplay`) the tricks of the first {DDS_DEALS:,} of the same deals, both on one thread, "
        "in turn, by processor time. Nodes are for the first "
        f"{SIGNED:,} deals: the signature of the search.",
        "",
        "| deals | target a second | a second, all threads | a processor second | DDS, a processor "
        "second | ratio | nodes | differing outcomes |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for kind in KINDS:
        target = f"{TARGETS[kind]:,}" if kind in TARGETS else ""
        lines.append(f"| {' | '.join([kind, target, *compared(kind)])} |")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "two-handed.parquet"
        write_bid_table("two-handed", path, rounds=(1,), classes=range(100))
        start = perf_counter()
        write_bid_table("two-handed", path, rounds=(1,))
        table = perf_counter() - start
    rows = [
        ("two-handed bid, in process", "under 50 ms", f"{1000 * seconds(two_handed_bid):.1f} ms"),
        ("four-handed bid, 20,000 deals, in process", "", f"{seconds(four_handed_bid):.3f} s"),
        ("the same as a whole process", "under 1.5 s", f"{seconds(whole_process):.2f} s"),
        ("two-handed table, round one, exact", "under 2 minutes", f"{table:.1f} s"),
    ]
    lines += ["", "| what | target | measured |", "|---|---|---:|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    page = report()
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(page, encoding="utf-8")
    print(page)
