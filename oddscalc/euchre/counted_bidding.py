"""Building a two-handed bidding policy over all deals instead of a sample.

With each upcard the bidding settles hand by hand; then tables as every policy has them are fitted
to what the actions are worth, and what leaving these tables gains is counted over all deals again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.euchre import kernel_equilibrium, kernel_policy
from oddscalc.euchre.bidding import (
    BiddingPolicy,
    Gain,
    TurnRates,
    policy_mark,
    policy_table,
    read_policy,
)
from oddscalc.euchre.contracts import upcards
from oddscalc.euchre.kernel_policy import CROSS, FEATURES, KINDS, OPTIONS, TABLES
from oddscalc.euchre.kernel_two_hands import S_FIRST, S_SECOND
from oddscalc.euchre.rules import EuchreGame
from oddscalc.euchre.settling import earned
from oddscalc.euchre.tables import mask_of
from oddscalc.euchre.turns import form_of, turn_name
from oddscalc.euchre.two_hands import AllDeals, Pair, Worth, may_count
from oddscalc.jobs import Job, Spec

__all__ = ["counted_policy", "may_count"]

TEMPERATURE = 0.02  # points
SWEEPS = 16
_RIDGE = 0.5  # classes of hands
_NARROW = 0.2  # points between actions below which a class counts in full
_ACCURACY = 1e-4

Progress = Callable[[int, int], None]


def counted_policy(game: EuchreGame, progress: Progress | None = None) -> BiddingPolicy:
    """Return the policy of a two-handed game with open hands, from the store or built now.

    What is done lies in a folder of the store until all is: interrupted work goes on from there.
    """
    spec = counted_spec(game)
    mark = store.fingerprint(policy_mark(game), spec.settings)
    folder = store.cache_folder() / f"euchre-bidding-{mark}"

    def build() -> store.Table:
        job = Job(spec, folder, in_turn=True, wait=True)
        job.run(partial(counted_part, game), progress=progress)
        policy = counted_from(game, job)
        job.remove()
        return policy_table(policy)

    return read_policy(game, store.fetch("euchre-bidding", mark, build))


def counted_from(game: EuchreGame, job: Job) -> BiddingPolicy:
    """Return the policy fitted to what a finished job has found."""
    every = [
        AllDeals(game, up, job.table(up, check=False).arrays["codes"])
        for up in range(job.spec.chunks)
    ]
    # As it will be stored.
    worths = fitted_tables(game, job, every).astype(np.float16).astype(np.float32)
    use = np.zeros((4, 2))
    gains, total = np.zeros(2), 0.0
    ends: dict[tuple[int, ...], float] = defaultdict(float)
    for deals in every:
        chances = table_chances(deals, worths, TEMPERATURE)
        gains += np.array(deals.gains(chances)) / len(every)
        use += deals.use(chances) / len(every)
        tally = deals.tally(chances) / len(every)
        total += float(deals.sizes.sum()) * deals.codes.shape[1]
        for one, shares in zip(deals.contracts, tally, strict=False):
            for code, share in enumerate(shares.tolist()):
                ends[earned(game, one, code)] += share
        ends[0, 0] += float(tally[-1, 0])
    return BiddingPolicy(
        game,
        worths,
        TEMPERATURE,
        "open",
        round(total),
        None,
        SWEEPS,
        0,
        0,
        tuple(
            TurnRates(*turn_name(game, turn), float(comes), float(passes), 0.0)
            for turn, (comes, passes) in enumerate(use)
        ),
        tuple(Gain((seat,), float(gains[n]), 0.0) for n, seat in enumerate(game.seats)),
        dict(sorted((points, share) for points, share in ends.items() if share or not any(points))),
    )


def counted_spec(game: EuchreGame) -> Spec:
    """Return the job of a game: an upcard is a chunk."""
    settings = {"form": 1, "temperature": TEMPERATURE, "sweeps": SWEEPS}
    return Spec("euchre.bidding.counted", game.to_dict(), None, len(upcards(game)), settings)


def counted_part(game: EuchreGame, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    """Let the bidding with one upcard settle."""
    deals = AllDeals(game, index)
    worths = deals.settle(TEMPERATURE, SWEEPS)
    sums = deals.sums((worths[0].chances(TEMPERATURE), worths[1].chances(TEMPERATURE)))
    return {
        "codes": deals.codes,
        "first": np.stack([one.first for one in worths]),
        "second": np.stack([one.second for one in worths]),
        "reached": np.stack([one[:, [S_FIRST, S_SECOND]] for one in sums]),
    }


def class_entries(deals: AllDeals, turn: int) -> NDArray[np.int32]:
    """Return the entries of each class at a turn: int32[classes, OPTIONS, FEATURES]."""
    game = deals.game
    seat, number = turn % 2, turn // 2 + 1
    rows = np.zeros((len(deals.firsts), 5), np.uint64)
    rows[:, seat] = deals.hands[deals.firsts]
    rows[:, -1] = deals.up
    entries = np.zeros((len(rows), OPTIONS, FEATURES), np.int32)
    ups = np.array([mask_of([card]) for card in upcards(game)], np.uint64)
    kernel_policy.list_entries(rows, ups, seat, number, form_of(game), entries)
    return entries


def fitted_tables(game: EuchreGame, job: Job, every: Sequence[AllDeals]) -> NDArray[np.float32]:
    """Return tables fitted to what actions are worth hand by hand."""
    size = int(form_of(game)[kernel_policy.F_SIZE])
    worths = np.zeros((4, TABLES, KINDS, size), np.float32)
    for turn in range(4):
        seat, later = turn % 2, turn // 2
        entries, worth, weight = [], [], []
        for deals in every:
            table = job.table(deals.up).arrays
            found = table["second" if later else "first"][seat]
            if not later:
                # Round one has one suit; the other options are not open.
                found = np.pad(found, ((0, 0), (0, OPTIONS - 2)))
            best = np.sort(found, axis=1)
            gap = best[:, -1] - best[:, -2]
            entries.append(class_entries(deals, turn))
            worth.append(found)
            weight.append(table["reached"][seat, :, later] * _NARROW / (_NARROW + gap))
        options = np.concatenate(entries), np.concatenate(worth)
        shares = np.concatenate(weight)
        shares /= shares.max()
        for block in range(TABLES):
            chosen = range(CROSS, OPTIONS) if block == CROSS else range(block, block + 1)
            worths[turn, block, 0] = _fitted(options, shares, chosen, size)
    return worths


def _fitted(
    options: tuple[NDArray[np.int32], NDArray[np.float64]],
    shares: NDArray[np.float64],
    chosen: Sequence[int],
    size: int,
) -> NDArray[np.float32]:
    entries = np.concatenate([options[0][:, [option]] for option in chosen])
    worth = np.concatenate([options[1][:, option] for option in chosen])
    rows = len(entries)
    gram = np.zeros((1, size, size), np.int64)
    moments = np.zeros((1, 1, size), np.int64)
    kernel_equilibrium.add_rows(
        entries,
        np.zeros(1, np.int64),
        np.full((1, 1), -1),
        np.zeros((rows, 1), np.uint8),
        np.zeros((1, 1)),
        np.zeros((1, 1, size), np.float32),
        worth,
        np.tile(shares, len(chosen)).astype(np.float32)[:, None],
        1,
        np.zeros(1, np.bool_),
        0.0,
        gram,
        moments,
    )
    found = np.zeros(size, np.float32)
    mean = float(shares.mean())
    kernel_equilibrium.solve_ridge(gram[0], moments[0, 0], _RIDGE * mean, _ACCURACY, found)
    return found


def table_chances(deals: AllDeals, worths: NDArray[np.float32], temperature: float) -> Pair:
    """Return the chances of each class by the tables of a policy."""
    found = []
    for turn in range(4):
        entries = class_entries(deals, turn)
        worth = np.full((len(entries), OPTIONS), -np.inf)
        for option in range(OPTIONS):
            table = worths[turn, min(option, CROSS), 0]
            is_open = entries[:, option, 0] >= 0
            worth[is_open, option] = table[entries[is_open, option]].sum(axis=1)
        found.append(worth)
    one, other = (Worth(found[seat][:, :2], found[2 + seat]) for seat in range(2))
    return one.chances(temperature), other.chances(temperature)
