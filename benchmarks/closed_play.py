"""Styles of closed play matched against each other over duplicate deals.

Run ``python -m benchmarks.closed_play`` to write results/closed-play.md. Hands are dealt and bid at
random by the bidding policy; every one that is made is played twice, the second time with the
styles of makers and defenders exchanged, and with the same random numbers.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_auction
from oddscalc.euchre.beliefs import kernel_policy_of
from oddscalc.euchre.bidding import BiddingPolicy, bidding_policy
from oddscalc.euchre.closed import (
    REFINEMENTS,
    STYLES,
    closed_outcomes,
    skill_of,
)
from oddscalc.euchre.contracts import upcards
from oddscalc.euchre.deals import sample_deals, unseen_cards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.plays import Bid, Play, Question
from oddscalc.euchre.rules import load_game
from oddscalc.euchre.tables import mask_of
from oddscalc.jit import threads

REPORT = Path(__file__).parents[1] / "results" / "closed-play.md"
DEALS = 20_000
PLAIN, CLOSED = "plain sampling, 20 worlds", "closed"

SKILLS = {
    PLAIN: skill_of(20, ()),
    CLOSED: skill_of(),
    **{
        f"closed without {name}": skill_of(refinements=[one for one in REFINEMENTS if one != name])
        for name in REFINEMENTS
    },
    **{f"closed, {worlds} worlds": skill_of(worlds) for worlds in (10, 50, 100)},
    "open hands (sees every card)": STYLES["open"],
    "simple rules": STYLES["rules"],
    "random legal cards": STYLES["random"],
}
MATCHES = [(CLOSED, PLAIN), *((name, CLOSED) for name in SKILLS if name not in (CLOSED, PLAIN))]

# Measured in the same way, but for the number of deals, which is given.
TRIED = """\
Tried and left out:

- adding, to the search of each world, the same world played on by the simple rules (a quarter of
  the weight): 20 worlds with it against 25 without, which take as long: −0.004 ± 0.002 (24,000
  deals);
- three times as many worlds in the last three tricks: no better than more worlds throughout;
- holding worlds for unlikely in which a player could have taken a trick from the other side, as the
  last to play or by a trump, and did not: +0.001 ± 0.005 (10,000 deals)."""


@dataclass(frozen=True)
class Made:
    """Deals in which the same bid was made."""

    play: Play
    deals: Masks
    seat: int


@dataclass(frozen=True)
class Match:
    """What a style gains on another: points a hand to its side, as makers and as defenders."""

    gain: float
    stderr: float
    as_makers: float
    as_defenders: float
    rate: float


def bid_hands(game_name: str, deals: int, seed: int, policy: BiddingPolicy) -> Iterator[Made]:
    """Yield random deals by the bid that was made; those that are passed out are dealt again."""
    game = load_game(game_name)
    ups = upcards(game)
    wanted = -(-deals // len(ups))
    for number, up in enumerate(ups):
        dealt = np.zeros((0, game.hands + 2), np.uint64)
        ends = np.zeros((0, 2), np.int64)
        while (short := wanted - np.count_nonzero(ends[:, 1])) > 0:
            rows = range(len(dealt), len(dealt) + 2 * short)
            more = sample_deals(
                unseen_cards(game.deck, [up]), range(game.hands), game.hands, game.dummy,
                seed + number, rows,
            )  # fmt: skip
            ended = np.zeros((len(rows), 2), np.int64)
            kernel_auction.hold_auctions(
                more, np.full(len(rows), mask_of([up]), np.uint64), 0, rows.start,
                np.uint64(seed), kernel_policy_of(policy), ended,
            )  # fmt: skip
            dealt, ends = np.concatenate([dealt, more]), np.concatenate([ends, ended])
        kept = np.flatnonzero(ends[:, 1])[:wanted]
        dealt, ends = dealt[kept], ends[kept]
        for turn, action in np.unique(ends, axis=0).tolist():
            seat, bidding_round = turn % game.hands, 1 + turn // game.hands
            bid = Bid((action - 1) % 4, action > 4)
            play = Play.of(Question(game, (), up, seat, bidding_round), bid, seed=seed)
            rows_of = (ends == (turn, action)).all(axis=1)
            yield Made(play, dealt[rows_of], seat)


def points(
    hands: list[Made],
    makers: int,
    others: int,
    policy: BiddingPolicy,
    pool: ThreadPoolExecutor,
) -> NDArray[np.int64]:
    """Return the makers' points less the others', deal by deal, each side playing its style."""
    found = []
    for made in hands:
        game = made.play.question.game
        side = game.side(made.seat)
        skills = [makers if seat in side else others for seat in range(game.hands)]
        outcomes = closed_outcomes(
            made.play, made.deals, 0, policy=policy, skills=skills, pool=pool
        )
        found.append(made.play.points[outcomes])
    return np.concatenate(found)


def match(
    hands: list[Made], style: int, other: int, policy: BiddingPolicy, pool: ThreadPoolExecutor
) -> Match:
    """Play every deal twice, once with the style on each side."""
    start = process_time()
    as_makers = points(hands, style, other, policy, pool)
    as_defenders = points(hands, other, style, policy, pool)
    taken = process_time() - start
    same = points(hands, other, other, policy, pool)
    gains = (as_makers - as_defenders) / 2
    return Match(
        float(gains.mean()),
        float(gains.std(ddof=1)) / sqrt(len(gains)),
        float((as_makers - same).mean()),
        float((same - as_defenders).mean()),
        2 * len(gains) / taken,
    )


def report(game: str, deals: int, seed: int) -> str:
    """Play all matches; return the page."""
    policy = bidding_policy(game)
    hands = list(bid_hands(game, deals, seed, policy))
    total = sum(len(made.deals) for made in hands)
    lines = [
        "# Closed play: what each part of it is worth",
        "",
        f"`python -m benchmarks.closed_play --game {game} --deals {deals} --seed {seed}`: "
        f"{total:,} random deals, bid by the policy of the game and each played twice, the two "
        "styles changing sides. Gain: points a hand, to the side that plays the style, less those "
        "of the other side; ± is one standard error. As makers, as defenders: what the side gains "
        "if only it changes to the style. Deals a second: of one core, by its own clock, both "
        "styles together.",
        "",
        "| style | against | gain | as makers | as defenders | deals a second |",
        "|---|---|---:|---:|---:|---:|",
    ]
    with ThreadPoolExecutor(threads()) as pool:
        points(hands[:1], SKILLS[CLOSED], SKILLS[CLOSED], policy, pool)  # compiles
        for name, other in MATCHES:
            found = match(hands, SKILLS[name], SKILLS[other], policy, pool)
            cells = (
                f"{found.gain:+.4f} ±{found.stderr:.4f}",
                f"{found.as_makers:+.3f}",
                f"{found.as_defenders:+.3f}",
                f"{found.rate:,.0f}",
            )
            lines.append(f"| {' | '.join([name, other, *cells])} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join([*lines, "", TRIED]) + "\n"


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="four-handed")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    page = report(asked.game, asked.deals, asked.seed)
    REPORT.write_text(page, encoding="utf-8")
    print(page)
