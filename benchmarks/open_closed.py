"""What closed play changes against open hands, by kind of contract.

Run ``python -m benchmarks.open_closed`` to write results/open-closed.md. The same random deals are
played both ways, every contract; each kind is told for all hands, and for the hands that make it
by the game's bidding policy. What the model of play means to the bidding is told too: what is lost
or won by who bids as if hands were played the other way.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.euchre.bidding import BiddingPolicy, bidding_policy
from oddscalc.euchre.closed import DEFAULT_WORLDS, REFINEMENTS
from oddscalc.euchre.closed_library import closed_part, closed_spec
from oddscalc.euchre.corrections import Difference, differences
from oddscalc.euchre.equilibrium import Chances, answers
from oddscalc.euchre.library import Library, deal_library, read_library
from oddscalc.euchre.notation import seat_words
from oddscalc.euchre.scores import game_sides
from oddscalc.euchre.turns import bidding_of, plain_shares
from oddscalc.jobs import Job

REPORT = Path(__file__).parents[1] / "results" / "open-closed.md"
SEED = 1  # policies are found over deals of the seed 0
DEALS = {"four-handed": 100_000, "three-handed": 20_000, "two-handed": 40_000}


def made_by(policy: BiddingPolicy, library: Library) -> NDArray[np.float64]:
    """Return the chance that each contract is made: float64[deals, contracts]."""
    bidding = bidding_of(library, plain_shares(library))
    reached = answers(bidding, policy.worths, policy.temperature).reached
    weights = np.zeros(library.outcomes.shape)

    def look(turn: int, chances: Chances) -> None:
        columns = bidding.turns[turn].columns
        for option, kind in zip(*np.nonzero(columns >= 0), strict=True):
            weights[:, columns[option, kind]] = reached[:, turn] * chances[:, option, kind]

    answers(bidding, policy.worths, policy.temperature, look)
    return weights


def costs(
    policy: BiddingPolicy, other: BiddingPolicy, library: Library
) -> Iterator[tuple[tuple[str, ...], float, float]]:
    """Yield by side: the seats, what bidding by the other policy brings, and its error."""
    game = library.contracts.game
    bidding = bidding_of(library, plain_shares(library))
    kept = answers(bidding, policy.worths, policy.temperature).points
    for side in game_sides(game):
        worths = np.stack(
            [
                (other if turn.player in side else policy).worths[number]
                for number, turn in enumerate(bidding.turns)
            ]
        )
        changed = answers(bidding, worths, policy.temperature).points
        gain = (changed - kept)[:, side[0]]
        yield tuple(game.seats[seat] for seat in side), gain.mean(), gain.std() / len(gain) ** 0.5


def section(name: str, deals: int, seed: int) -> list[str]:
    """Play the deals that are not in the store yet; return what is told of a game."""
    policy = bidding_policy(name)
    game = policy.game
    heeded = {"deals": policy.deals, "closed": policy.closed, "seed": policy.seed}
    spec = closed_spec(game, deals, seed, heeded)
    job = Job(spec, store.cache_folder() / f"euchre-closed-{spec.mark}")
    job.run(partial(closed_part, game, policy=policy), progress=_told(name))
    closed = read_library(game, job).outcomes
    library = deal_library(game, range(deals), seed)
    weights = made_by(policy, library)
    every = differences(library, closed, np.ones(weights.shape))
    bid = differences(library, closed, weights)
    lines = [
        f"## {game.title}: {deals:,} deals",
        "",
        "| round | trumps | seat | alone | open | closed | more | open, bid | closed, bid | more | "
        "deals |",
        "|---:|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one, made in zip(every, bid, strict=True):
        cells = (
            str(one.round),
            one.trumps,
            game.seats[one.seat],
            "alone" if one.alone else "",
            *_figures(one),
            *(_figures(made) if made.deals >= 10 else ("", "", "")),
            f"{made.deals:,.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    other = bidding_policy(
        game, play="open" if policy.play == "closed" else "closed", progress=_told("policy")
    )
    counted = "all" if other.seed is None else f"{other.deals:,}"
    lines += [
        "",
        f"Who bids by the policy for {other.play} play ({counted} deals) instead gets:",
        "",
    ]
    for seats, gain, error in costs(policy, other, replace(library, outcomes=closed)):
        who = " and ".join(map(seat_words, seats))
        lines.append(f"- {who}: {gain:+.4f} ±{error:.4f} points a hand")
    return [*lines, ""]


def report(asked: Mapping[str, int], seed: int) -> str:
    """Return the page."""
    lines = [
        "# Open hands and closed play",
        "",
        f"`python -m benchmarks.open_closed --seed {seed}`: random deals, every contract played "
        f"with open hands and closed: {DEFAULT_WORLDS} worlds a decision "
        f"({', '.join(REFINEMENTS)}), with two hands every hand that the other may hold, bids and "
        "passes read by the game's bidding policy. Points of "
        "the makers less those of the others; more: closed less open, ± one standard error. First "
        "over all hands, then over those that make the contract by the policy (as many deals as "
        "the last column says). Below: what bidding by the game's other policy brings in these "
        "deals, played closed, the others bidding by the game's own.",
        "",
    ]
    for name, deals in asked.items():
        lines += section(name, deals, seed)
    return "\n".join(lines)


def _told(what: str) -> Callable[[int, int], None]:
    return lambda done, total: print(f"{what}: {done}/{total}")


def _figures(one: Difference) -> tuple[str, str, str]:
    more = f"{one.closed - one.open:+.3f} ±{one.stderr:.3f}"
    return f"{one.open:+.3f}", f"{one.closed:+.3f}", more


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    page = report(DEALS, parser.parse_args().seed)
    REPORT.write_text(page, encoding="utf-8")
    print(page)
