"""What closed play changes against open hands, by kind of contract.

Run ``python -m benchmarks.open_closed`` to write results/open-closed.md. The same random deals are
played both ways, every contract; each kind is told for all hands, and for the hands that make it
by the game's bidding policy.
"""

from __future__ import annotations

from argparse import ArgumentParser
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
from oddscalc.euchre.turns import bidding_of, plain_shares
from oddscalc.jobs import Job

REPORT = Path(__file__).parents[1] / "results" / "open-closed.md"
DEALS = 100_000


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


def report(name: str, deals: int, seed: int, folder: Path) -> str:
    """Play the deals that are not in `folder` yet; return the page."""
    policy = bidding_policy(name)
    game = policy.game
    heeded = {"deals": policy.deals, "closed": policy.closed, "seed": policy.seed}
    job = Job(closed_spec(game, deals, seed, heeded), folder)
    work = partial(closed_part, game, policy=policy)
    job.run(work, progress=lambda done, total: print(f"{done}/{total}"))
    closed = read_library(game, job).outcomes
    library = deal_library(game, range(deals), seed)
    weights = made_by(policy, library)
    every = differences(library, closed, np.ones(weights.shape))
    bid = differences(library, closed, weights)
    lines = [
        "# Open hands and closed play",
        "",
        f"`python -m benchmarks.open_closed --game {name} --deals {deals} --seed {seed}`: "
        f"{deals:,} random deals, every contract played with open hands and closed: "
        f"{DEFAULT_WORLDS} worlds a decision ({', '.join(REFINEMENTS)}), bids and passes read by "
        "the game's bidding policy. Points of the makers less those of the others; more: closed "
        "less open, ± one standard error. First over all hands, then over those that make the "
        "contract by the policy (as many deals as the last column says).",
        "",
        "| round | trumps | seat | alone | open | closed | more | open, bid | closed, bid | more | "
        "deals |",
        "|---:|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one, other in zip(every, bid, strict=True):
        cells = (
            str(one.round),
            one.trumps,
            game.seats[one.seat],
            "alone" if one.alone else "",
            *_figures(one),
            *(_figures(other) if other.deals >= 10 else ("", "", "")),
            f"{other.deals:,.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _figures(one: Difference) -> tuple[str, str, str]:
    more = f"{one.closed - one.open:+.3f} ±{one.stderr:.3f}"
    return f"{one.open:+.3f}", f"{one.closed:+.3f}", more


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="four-handed")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    parts = store.cache_folder() / f"euchre-closed-{asked.game}-{asked.deals}-{asked.seed}"
    page = report(asked.game, asked.deals, asked.seed, parts)
    REPORT.write_text(page, encoding="utf-8")
    print(page)
