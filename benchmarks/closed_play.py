"""Styles of closed play matched against each other over duplicate deals.

Run ``python -m benchmarks.closed_play`` to write results/closed-play.md. Every deal is played
twice, the second time with the styles of makers and defenders exchanged, and with the same random
numbers. What is played is kept until the page is written: the same command goes on.
"""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path
from time import process_time

from oddscalc.cli.output import long_job
from oddscalc.errors import OddscalcError
from oddscalc.euchre.closed import REFINEMENTS, STYLES, skill_of
from oddscalc.euchre.duplicates import (
    DEFAULT_DUPLICATES,
    Made,
    bid_hands,
    duplicates_spec,
    makers_points,
    play_duplicates,
)
from oddscalc.euchre.rules import EuchreGame, load_game

REPORT = Path(__file__).parents[1] / "results" / "closed-play.md"
PARTS = REPORT.with_name(REPORT.name + ".parts")
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
- making the own next choice the same in all worlds in which the same cards were played until then
  (αμ search, two own choices deep, fronts of points): 60 worlds with it against 60 without, +0.0007
  ± 0.0008 (20,000 deals), at twice the time; with 20 worlds 0.000 ± 0.002 (2,000 deals); in the
  third-last trick alone, with 60 worlds, +0.0004 ± 0.0002 (20,000 deals), at a fifth more time;
- listing up to 2,000 worlds in the last two tricks instead of up to 500: +0.004 ± 0.001 against
  none listed (20,000 deals), no more than 24 worlds bring, which take no longer; listing them in
  the third-last trick as well: no gain;
- in the last three tricks, playing each world on with nobody seeing a hidden card (8 worlds a
  decision), so that the own next choices are not made by what only the world tells, instead of
  searching it with open hands: −0.001 ± 0.002 (16,000 deals), at four times the time;
- stopping when no card has made a difference in eight worlds: −0.011 ± 0.003 (8,000 deals);
- leaving cards out of the search once they are clearly behind: 0.000 ± 0.001 (20,000 deals), and
  only 4 % less time;
- three times as many worlds in the last three tricks: no better than more worlds throughout;
- holding worlds for unlikely in which a player could have taken a trick from the other side, as the
  last to play or by a trump, and did not: +0.001 ± 0.005 (10,000 deals)."""


def rate(game: EuchreGame, hands: list[Made], style: int, other: int) -> float:
    """Return deals a second of one core."""
    makers_points(game, hands[:1], style, other)  # compiles
    start = process_time()
    for makers, defenders in ((style, other), (other, style)):
        makers_points(game, hands, makers, defenders)
    return 2 * sum(len(made.deals) for made in hands) / (process_time() - start)


def report(name: str, deals: int, seed: int, cluster: str | None) -> str:
    """Play all matches, or go on with them; return the page."""
    game = load_game(name)
    lines = [
        "# Closed play: what each part of it is worth",
        "",
        f"`python -m benchmarks.closed_play --game {name} --deals {deals} --seed {seed}`: "
        f"{deals:,} random deals, bid by the policy of the game and each played twice, the two "
        "styles changing sides. Gain: points a hand, to the side that plays the style, less those "
        "of the other side; ± is one standard error. As makers, as defenders: what the side gains "
        "if only it changes to the style. Deals a second: of one core, by its own clock, both "
        "styles together.",
        "",
        "| style | against | gain | as makers | as defenders | deals a second |",
        "|---|---|---:|---:|---:|---:|",
    ]
    timed = bid_hands(game, duplicates_spec(game, 0, 0, deals, seed), 0)
    for number, (style, other) in enumerate(MATCHES):
        skill, others = SKILLS[style], SKILLS[other]
        with long_job(f"{style}, {number + 1} of {len(MATCHES)}", PARTS) as progress:
            found = play_duplicates(
                game, skill, others, PARTS / f"{number:02d}",
                deals=deals, seed=seed, progress=progress, cluster=cluster,
            )  # fmt: skip
        cells = (
            f"{found.gain:+.4f} ±{found.stderr:.4f}",
            f"{found.as_makers:+.3f}",
            f"{found.as_defenders:+.3f}",
            f"{rate(game, timed, skill, others):,.0f}",
        )
        lines.append(f"| {' | '.join([style, other, *cells])} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join([*lines, "", TRIED]) + "\n"


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="four-handed")
    parser.add_argument("--deals", type=int, default=DEFAULT_DUPLICATES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cluster")
    asked = parser.parse_args()
    try:
        page = report(asked.game, asked.deals, asked.seed, asked.cluster)
    except OddscalcError as error:
        sys.exit(str(error))
    REPORT.write_text(page, encoding="utf-8")
    shutil.rmtree(PARTS)
    print(page)
