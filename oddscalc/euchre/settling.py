"""Building a bidding policy: deals, sweeps until the bidding settles, fresh deals to test it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.errors import InputError
from oddscalc.euchre.bidding import (
    BiddingPolicy,
    Gain,
    TurnRates,
    policy_mark,
    policy_table,
    read_policy,
)
from oddscalc.euchre.equilibrium import Bidding, Chances, answers, best_response, sweep
from oddscalc.euchre.library import Library, library_part, library_spec, read_library
from oddscalc.euchre.plays import LEAST_TRICKS
from oddscalc.euchre.rules import EuchreGame
from oddscalc.euchre.turns import bidding_of, turn_name
from oddscalc.jobs import Job, Spec

__all__ = ["built_policy", "measured"]

TEMPERATURE = 0.03  # points
RIDGE = 20.0  # deals
SWEEPS = 20
FEWEST_DEALS, MOST_DEALS = 1_000, 20_000_000

Progress = Callable[[int, int], None]


def built_policy(
    game: EuchreGame, deals: int, seed: int, progress: Progress | None = None
) -> BiddingPolicy:
    """Return the policy found over so many deals, from the store or built now.

    What is done lies in a folder of the store until all is: interrupted work goes on from there.

    Raises
    ------
    InputError
        If there cannot be so many deals, or such a seed.
    """
    if not FEWEST_DEALS <= deals <= MOST_DEALS:
        raise InputError(
            f"No policy is found over {deals} deals; accepted: {FEWEST_DEALS:,} to {MOST_DEALS:,}."
        )
    if not 0 <= seed < 1 << 63:
        raise InputError(f"The seed {seed} is out of range; accepted: 0 to 2^63 - 1.")
    mark = store.fingerprint(policy_mark(game), deals, seed, TEMPERATURE, RIDGE, SWEEPS)
    folder = store.cache_folder() / f"euchre-bidding-{mark}"

    def build() -> store.Table:
        policy = _build(game, deals, seed, folder, progress)
        shutil.rmtree(folder, ignore_errors=True)
        return policy_table(policy)

    return read_policy(game, store.fetch("euchre-bidding", mark, build))


def _build(
    game: EuchreGame, deals: int, seed: int, folder: Path, progress: Progress | None
) -> BiddingPolicy:
    # As many deals again, not used before, show what the policy is worth.
    library_job = Job(library_spec(game, 2 * deals, seed), folder / "deals", wait=True)
    sweeps_job = Job(_sweeps_spec(game, deals, seed), folder / "sweeps", in_turn=True, wait=True)
    # A chunk of deals counts as one, a sweep as four of all the chunks' hundredth.
    chunks = library_job.spec.chunks
    weight = max(chunks // 20, 1)
    total = chunks + weight * (SWEEPS + 2)

    def told(start: int, each: int) -> Progress | None:
        return progress and (lambda done, _: progress(start + each * done, total))

    library_job.run(partial(library_part, game), progress=told(0, 1))
    every = read_library(game, library_job)
    known = bidding_of(every.part(slice(deals)))
    sweeps_job.run(partial(_sweep_part, known, sweeps_job), progress=told(chunks, weight))
    worths = sweeps_job.table(SWEEPS - 1).arrays["worths"]
    policy = measured(game, worths, every.part(slice(deals, None)), deals, seed)
    if progress:
        progress(total, total)
    return policy


def _sweeps_spec(game: EuchreGame, deals: int, seed: int) -> Spec:
    settings = {"deals": deals, "temperature": TEMPERATURE, "ridge": RIDGE}
    return Spec("euchre.bidding", game.to_dict(), seed, SWEEPS, settings)


def _sweep_part(bidding: Bidding, job: Job, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    worths = np.zeros((len(bidding.turns), *bidding.shape), np.float32)
    if index:
        worths = job.table(index - 1).arrays["worths"]
    moved, _ = sweep(bidding, index, worths, TEMPERATURE, RIDGE)
    return {"worths": moved}


def measured(
    game: EuchreGame, worths: NDArray[np.float32], fresh: Library, deals: int, seed: int
) -> BiddingPolicy:
    """Return a policy with what it does on fresh deals."""
    # As it will be stored.
    worths = worths.astype(np.float16).astype(np.float32)
    bidding = bidding_of(fresh)
    rates: list[tuple[float, float]] = [(0.0, 0.0)] * len(bidding.turns)
    ends: dict[tuple[int, ...], float] = {}
    kept = answers(bidding, worths, TEMPERATURE)
    reached = kept.reached

    def look(turn: int, chances: Chances) -> None:
        here = reached[:, turn, None, None] * chances
        comes = float(reached[:, turn].mean())
        rates[turn] = (
            float(here[:, 0].sum() / len(fresh) / comes),
            float(here[:, 1:, 1].sum() / len(fresh) / comes),
        )
        for option, kind in zip(*np.nonzero(bidding.turns[turn].columns >= 0), strict=True):
            column = bidding.turns[turn].columns[option, kind]
            for points, share in _ends(fresh, int(column), here[:, option, kind]):
                ends[points] = ends.get(points, 0.0) + share / len(fresh)

    answers(bidding, worths, TEMPERATURE, look)
    nothing = (0,) * len(_sides(game))
    ends[nothing] = ends.get(nothing, 0.0) + float(reached[:, -1].mean())
    total = sum(ends.values())
    return BiddingPolicy(
        game,
        worths,
        TEMPERATURE,
        deals,
        seed,
        SWEEPS,
        "with open hands",
        len(fresh),
        tuple(
            TurnRates(*turn_name(game, turn), float(reached[:, turn].mean()), *rates[turn])
            for turn in range(len(rates))
        ),
        tuple(_gain(game, worths, fresh, seats) for seats in _deviating(game)),
        {points: chance / total for points, chance in sorted(ends.items())},
    )


def _sides(game: EuchreGame) -> list[tuple[int, ...]]:
    """Return the sides from the dealer's left, the dealer's last."""
    return sorted({game.side(seat) for seat in range(game.hands)}, key=max)


def _ends(
    library: Library, column: int, weights: NDArray[np.float64]
) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield what a contract earns the sides, and the weight of the deals that end so."""
    game, one = library.contracts.game, library.contracts.every[column]
    found = np.bincount(library.outcomes[:, column], weights, 256)
    for code in np.flatnonzero(found).tolist():
        makers, others = game.score(
            LEAST_TRICKS[code & 3], alone=one.alone, lone_defender=bool(code & 4)
        )
        points = tuple(makers if one.maker in side else others for side in _sides(game))
        yield points, float(found[code])


def _deviating(game: EuchreGame) -> list[tuple[int, ...]]:
    alone = [(seat,) for seat in range(game.hands)]
    return [*alone, *(side for side in _sides(game) if len(side) > 1)]


def _gain(
    game: EuchreGame, worths: NDArray[np.float32], fresh: Library, seats: tuple[int, ...]
) -> Gain:
    half = len(fresh) // 2
    halves = bidding_of(fresh.part(slice(half))), bidding_of(fresh.part(slice(half, None)))
    gains = np.concatenate(
        [
            best_response(fitted, tested, worths, TEMPERATURE, RIDGE, seats)
            for fitted, tested in (halves, halves[::-1])
        ]
    )
    return Gain(
        tuple(game.seats[seat] for seat in seats),
        float(gains.mean()),
        float(gains.std(ddof=1) / len(gains) ** 0.5),
    )
