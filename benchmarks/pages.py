"""Writes the pages of results/benchmarks: ``python -m benchmarks.pages [dice|euchre|cli]...``.

Needs the extra `bench`; peers that are not installed are left out.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from oddscalc.bench.measuring import PEERS
from oddscalc.bench.results import bench
from oddscalc.bench.suites import SUITES

FOLDER = Path(__file__).parents[1] / "results" / "benchmarks"
TITLES = {"dice": "Dice", "euchre": "Euchre", "cli": "The command line"}


def page(suite: str) -> str:
    """Measure a suite, what takes minutes included; return the page."""
    names = list(SUITES[suite])
    known = {peer for benchmark in SUITES[suite].values() for peer in benchmark.peers}
    peers = [peer for peer in PEERS if peer in known and find_spec(PEERS[peer][0])]
    table = bench(names, against=peers)
    return (
        f"# {TITLES[suite]}: how long it takes\n\nMade by `python -m benchmarks.pages {suite}`, "
        f"which runs `oddscalc bench`.\n\n{table.to_markdown()}"
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or SUITES:
        text = page(name)
        (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
        print(text)
