"""Writes the pages of results/benchmarks: ``python -m benchmarks.pages [dice|euchre|cli]...``.

Needs the extra `bench`; peers that are not installed are left out. Without words all suites are
measured, and the README gets the ratios. ``--quick`` leaves out what takes minutes.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from oddscalc.bench.measuring import PEERS, Measured
from oddscalc.bench.results import BenchTable, bench
from oddscalc.bench.suites import SUITES

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "results" / "benchmarks"
TITLES = {"dice": "Dice", "euchre": "Euchre", "cli": "The command line"}
START, END = "<!-- ratios -->\n", "<!-- end of the ratios -->\n"


def measured(suite: str, quick: bool) -> BenchTable:
    """Measure a suite beside the peers that are installed."""
    benchmarks = SUITES[suite]
    names = [name for name, one in benchmarks.items() if not (quick and one.long)]
    known = {peer for name in names for peer in benchmarks[name].peers}
    peers = [peer for peer in PEERS if peer in known and find_spec(PEERS[peer][0])]
    return bench(names, against=peers)


def page(suite: str, table: BenchTable) -> str:
    """Return the page of a suite."""
    return (
        f"# {TITLES[suite]}: how long it takes\n\nMade by `python -m benchmarks.pages {suite}`, "
        f"which runs `oddscalc bench`.\n\n{table.to_markdown()}"
    )


def ratios(rows: Iterable[Measured]) -> str:
    """Return the README's table: ours beside other programs, each row measured in turn."""
    lines = [
        f"| {row.what} | `{row.peer}` | {row.speedup:.3g} |"
        for row in rows
        if row.speedup is not None and row.peer != "python"
    ]
    return "\n".join(["| | beside | times as fast |", "|---|---|---:|", *lines]) + "\n"


def with_ratios(text: str, table: str) -> str:
    """Return the README with another table of ratios."""
    before, _, rest = text.partition(START)
    return before + START + table + END + rest.partition(END)[2]


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="|".join(SUITES))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--output", "-o", type=Path, default=FOLDER)
    asked = parser.parse_args()
    rows: list[Measured] = []
    for name in asked.suites or SUITES:
        table = measured(name, asked.quick)
        rows += table.rows
        text = page(name, table)
        (asked.output / f"{name}.md").write_text(text, encoding="utf-8")
        print(text)
    found = ratios(rows)
    print(found)
    if not asked.suites and asked.output == FOLDER:
        readme = ROOT / "README.md"
        text = with_ratios(readme.read_text(encoding="utf-8"), found)
        readme.write_text(text, encoding="utf-8")
