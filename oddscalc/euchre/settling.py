"""Building a bidding policy: deals, sweeps until the bidding settles, fresh deals to test it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
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
from oddscalc.euchre.closed import CLOSED_FORM
from oddscalc.euchre.closed_library import closed_part, closed_spec
from oddscalc.euchre.contracts import Contract
from oddscalc.euchre.corrections import residuals, stratified, translated
from oddscalc.euchre.equilibrium import Bidding, Chances, answers, best_response, sweep
from oddscalc.euchre.library import Library, library_part, library_spec, read_library
from oddscalc.euchre.plays import LEAST_TRICKS
from oddscalc.euchre.rules import EuchreGame
from oddscalc.euchre.scores import game_sides, points_by_side
from oddscalc.euchre.turns import Shares, bidding_of, plain_shares, turn_name
from oddscalc.jobs import Job, Part, Spec

__all__ = ["built_policy"]

TEMPERATURE = 0.03  # points
RIDGE = 20.0  # deals
SWEEPS = 16
CLOSED_SHARE = 10  # one deal in so many is played closed too
FIRST_SHARE = 5  # one deal in so many serves to find a first policy
FEWEST_DEALS, MOST_DEALS = 1_000, 20_000_000

Progress = Callable[[int, int], None]


def built_policy(
    game: EuchreGame, play: str, deals: int, seed: int, progress: Progress | None = None
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
    mark = store.fingerprint(
        policy_mark(game), CLOSED_FORM, play, deals, seed, TEMPERATURE, RIDGE, SWEEPS,
        CLOSED_SHARE, FIRST_SHARE,
    )  # fmt: skip
    folder = store.cache_folder() / f"euchre-bidding-{mark}"

    def build() -> store.Table:
        policy = _build(game, play, deals, seed, folder, progress)
        shutil.rmtree(folder, ignore_errors=True)
        return policy_table(policy)

    return read_policy(game, store.fetch("euchre-bidding", mark, build))


def _build(
    game: EuchreGame,
    play: str,
    deals: int,
    seed: int,
    folder: Path,
    progress: Progress | None,
) -> BiddingPolicy:
    # As many deals again, not used before, show what the policy is worth.
    opened = Job(library_spec(game, 2 * deals, seed), folder / "open", wait=True)
    stages = []
    if play == "closed":
        # How hands are played depends on what bids tell, and so on a policy: a first one is found
        # over fewer deals, its players reading nothing into bids.
        few = deals // FIRST_SHARE
        stages.append(_Stage(game, play, few, seed, folder / "first"))
        heeded = {"deals": few, "seed": seed}
        stages.append(_Stage(game, play, deals, seed, folder, heeded))
    else:
        stages.append(_Stage(game, play, deals, seed, folder))
    # Hundredths of a second of one core, about: what the stages of the work take.
    costs = {opened: 60}
    for stage in stages:
        costs |= stage.costs
    total = sum(job.spec.chunks * cost for job, cost in costs.items())
    done = 0

    def run(job: Job, part: Part) -> None:
        nonlocal done
        before, cost = done, costs[job]
        job.run(
            part, progress=progress and (lambda ready, _: progress(before + cost * ready, total))
        )
        done += job.spec.chunks * cost

    run(opened, partial(library_part, game))
    library = read_library(game, opened)
    policy = None
    for stage in stages:
        policy = stage.settle(library, policy, run)
    assert policy is not None
    return stages[-1].measured(policy)


class _Stage:
    """A policy found over a part of the deals."""

    def __init__(
        self,
        game: EuchreGame,
        play: str,
        deals: int,
        seed: int,
        folder: Path,
        heeded: dict[str, int] | None = None,
    ) -> None:
        self.game, self.play, self.deals, self.seed = game, play, deals, seed
        self.both = deals // CLOSED_SHARE if play == "closed" else 0
        self.closed = Job(closed_spec(game, self.both, seed, heeded), folder / "closed", wait=True)
        settings = {"play": play, "deals": deals, "heeded": heeded, "form": CLOSED_FORM}
        spec = Spec("euchre.bidding", game.to_dict(), seed, SWEEPS, settings)
        self.sweeps = Job(spec, folder / "sweeps", in_turn=True, wait=True)
        self.costs = {self.closed: 700 if heeded else 400, self.sweeps: 1 + deals // 1200}

    def settle(
        self, library: Library, heeded: BiddingPolicy | None, run: Callable[[Job, Part], None]
    ) -> BiddingPolicy:
        """Play deals closed, players reading bids by a policy, and let the bidding settle."""
        library = library.part(slice(2 * self.deals))
        self._shares, self._more = plain_shares(library), None
        if self.both:
            run(self.closed, partial(closed_part, self.game, policy=heeded))
            outcomes = read_library(self.game, self.closed).outcomes
            played = library.part(slice(self.both))
            self._shares = translated(played, outcomes)
            self._more = residuals(played, outcomes, self._shares)
            library = stratified(library)
        bidding = bidding_of(library.part(slice(self.deals)), self._shares, self._more)
        run(self.sweeps, partial(_sweep_part, bidding, self.sweeps))
        self._fresh = library.part(slice(self.deals, None))
        worths = self.sweeps.table(SWEEPS - 1).arrays["worths"]
        return BiddingPolicy(
            self.game,
            # As it will be stored.
            worths.astype(np.float16).astype(np.float32),
            TEMPERATURE,
            self.play,
            self.deals,
            self.seed,
            SWEEPS,
            self.both,
        )

    def measured(self, policy: BiddingPolicy) -> BiddingPolicy:
        """Return the policy that was settled on with what it does on the stage's fresh deals."""
        return _measured(policy, self._fresh, self._shares, self._more)


def _sweep_part(bidding: Bidding, job: Job, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    worths = np.zeros_like(bidding.more)
    if index:
        worths = job.table(index - 1).arrays["worths"]
    moved, _ = sweep(bidding, index, worths, TEMPERATURE, RIDGE)
    return {"worths": moved}


def _measured(
    policy: BiddingPolicy, fresh: Library, shares: Shares, more: NDArray[np.float32] | None
) -> BiddingPolicy:
    """Return a policy with what it does on fresh deals."""
    game, worths = policy.game, policy.worths
    bidding = bidding_of(fresh, shares, more)
    rates: list[tuple[float, float]] = [(0.0, 0.0)] * len(bidding.turns)
    ends: dict[tuple[int, ...], float] = {}
    reached = answers(bidding, worths, TEMPERATURE).reached

    def look(turn: int, chances: Chances) -> None:
        here = reached[:, turn, None, None] * chances
        comes = float(reached[:, turn].sum())
        rates[turn] = float(here[:, 0].sum()) / comes, float(here[:, 1:, 1].sum()) / comes
        columns = bidding.turns[turn].columns
        for option, kind in zip(*np.nonzero(columns >= 0), strict=True):
            column = int(columns[option, kind])
            for points, share in _ends(fresh, shares, column, here[:, option, kind]):
                ends[points] = ends.get(points, 0.0) + share

    answers(bidding, worths, TEMPERATURE, look)
    nothing = (0,) * len(game_sides(game))
    ends[nothing] = ends.get(nothing, 0.0) + float(reached[:, -1].sum())
    total = sum(ends.values())
    return replace(
        policy,
        fresh=len(fresh),
        rates=tuple(
            TurnRates(*turn_name(game, turn), float(reached[:, turn].mean()), *rates[turn])
            for turn in range(len(rates))
        ),
        gains=tuple(_gain(game, worths, fresh, shares, more, seats) for seats in _deviating(game)),
        outcomes={points: chance / total for points, chance in sorted(ends.items())},
    )


def _ends(
    library: Library, shares: Shares, column: int, weights: NDArray[np.float64]
) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield what a contract earns the sides, and the weight of the deals that end so."""
    found = np.bincount(library.outcomes[:, column], weights, shares.shape[1]) @ shares[column]
    for code in np.flatnonzero(found).tolist():
        one = library.contracts.every[column]
        yield earned(library.contracts.game, one, code), float(found[code])


def earned(game: EuchreGame, one: Contract, code: int) -> tuple[int, ...]:
    """Return what the sides earn by an outcome."""
    score = game.score(LEAST_TRICKS[code & 3], alone=one.alone, lone_defender=bool(code & 4))
    return points_by_side(game, one.maker, score)


def _deviating(game: EuchreGame) -> list[tuple[int, ...]]:
    alone = [(seat,) for seat in range(game.hands)]
    return [*alone, *(side for side in game_sides(game) if len(side) > 1)]


def _gain(
    game: EuchreGame,
    worths: NDArray[np.float32],
    fresh: Library,
    shares: Shares,
    more: NDArray[np.float32] | None,
    seats: tuple[int, ...],
) -> Gain:
    half = len(fresh) // 2
    parts = fresh.part(slice(half)), fresh.part(slice(half, None))
    halves = bidding_of(parts[0], shares, more), bidding_of(parts[1], shares, more)
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
