"""How cost grows with work: ``python -m benchmarks.growth`` writes results/benchmarks/growth.*.

Needs the extra `plots`. Every curve is fitted by a power of the work, cost = a · work^b, least
squares of the logarithms. ``--small`` measures little work, to see that it runs.
"""

from __future__ import annotations

import math
import os
import statistics
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from oddscalc import dice
from oddscalc.bench.euchre_suite import closed_hands, open_hands
from oddscalc.bench.measuring import machine
from oddscalc.dice.lattice import lattice
from oddscalc.dice.solver import solve_arrays
from oddscalc.dice.tables import compile_game

FOLDER = Path(__file__).parents[1] / "results" / "benchmarks"


@dataclass(frozen=True)
class Point:
    """What one amount of work cost."""

    label: str
    work: int
    seconds: float


@dataclass(frozen=True)
class Curve:
    """Cost against work."""

    title: str
    unit: str
    points: tuple[Point, ...]

    def fit(self) -> tuple[float, float]:
        """Return the exponent and its standard error, which two points do not tell: NaN."""
        x = np.log([point.work for point in self.points])
        y = np.log([point.seconds for point in self.points])
        centred = x - x.mean()
        slope = float(centred @ y / (centred @ centred))
        left = y - y.mean() - slope * centred
        if len(x) < 3:
            return slope, math.nan
        return slope, math.sqrt(float(left @ left) / (len(x) - 2) / float(centred @ centred))


def seconds(work: Callable[[], object]) -> float:
    """Return the median of three runs after a warm one; one run of what takes long."""
    work()
    times: list[float] = []
    while len(times) < 3 and sum(times) < 20:
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return statistics.median(times)


def game_of(text: str) -> dice.DiceGame:
    """Return the game of a rule file's text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "growth.toml"
        path.write_text(text, encoding="utf-8")
        return dice.read_game(path)


def solving(label: str, game: dice.DiceGame, work: int | None = None) -> Point:
    """Time the full solve; the work is the number of states unless told."""
    arrays = compile_game(game)
    return Point(label, work or int(arrays.offset[-1]), seconds(lambda: solve_arrays(arrays)))


def by_boxes(small: bool) -> Curve:
    """Solve Maxi Yatzy with ever more of its lower boxes."""
    names = [box.name for box in dice.load_game("maxi-yatzy").boxes]
    found = []
    for number in range(8, 13, 2) if small else range(12, len(names) + 1, 2):
        boxes = ", ".join(f'"{name}"' for name in names[:number])
        game = game_of(f'base = "maxi-yatzy"\n[parts.all]\nboxes = [{boxes}]\n')
        found.append(solving(f"{number} boxes", game))
    return Curve("Dice: solving, by boxes", "states", tuple(found))


def by_dice(small: bool) -> Curve:
    """Solve a game of fifteen boxes with two to six dice; the work is the sets of dice kept."""
    counts = [f'box-{face} = {{ kind = "count", face = {face} }}' for face in range(1, 7)]
    others = [f'box-{number} = {{ kind = "chance" }}' for number in range(7, 16)]
    boxes = "\n".join(["[boxes]", *counts, *others])
    found = []
    for number in range(2, 5 if small else 7):
        keeps = len(lattice(number, 6).keeps)
        found.append(solving(f"{number} dice", game_of(f"dice = {number}\n{boxes}"), keeps))
    return Curve("Dice: solving fifteen boxes, by dice", "sets of dice kept", tuple(found))


def by_deals(small: bool) -> Curve:
    """Play ever more four-handed deals with open hands."""
    counts = [500, 2_000, 8_000] if small else [2_000, 8_000, 32_000, 128_000]
    points = (Point(f"{n:,} deals", n, seconds(open_hands("four-handed", n).run)) for n in counts)
    return Curve("Euchre: open hands, by deals", "deals", tuple(points))


def by_hands(small: bool) -> Curve:
    """Play deals with two, three and four hands; the work is the cards on the table."""
    deals = 2_000 if small else 50_000
    points = (
        Point(kind, 5 * number, seconds(open_hands(kind, deals).run))
        for number, kind in ((2, "two-handed"), (3, "three-handed"), (4, "four-handed"))
    )
    return Curve(f"Euchre: {deals:,} deals, by hands", "cards dealt", tuple(points))


def by_cores(small: bool) -> Curve:
    """Play four-handed deals on one thread, two, …, all."""
    deals, found = 8_000 if small else 100_000, []
    for number in range(1, (os.cpu_count() or 1) + 1):
        os.environ["ODDSCALC_THREADS"] = str(number)
        run = open_hands("four-handed", deals).run
        label = "one thread" if number == 1 else f"{number} threads"
        found.append(Point(label, number, seconds(run)))
    del os.environ["ODDSCALC_THREADS"]
    return Curve(f"Euchre: {deals:,} deals, by cores", "threads", tuple(found))


def by_worlds(small: bool) -> Curve:
    """Play four-handed deals closed, searching ever more worlds before each card."""
    deals = 20 if small else 200
    points = (
        Point(f"{worlds} worlds", worlds, seconds(closed_hands(worlds, deals).run))
        for worlds in (5, 10, 20, 40, 80)
    )
    return Curve(
        f"Euchre: {deals} deals played closed, by worlds", "worlds a decision", tuple(points)
    )


CURVES = (by_boxes, by_dice, by_deals, by_hands, by_cores, by_worlds)


def plot(curves: Sequence[Curve], path: Path) -> None:
    """Draw every curve with its fit, both axes logarithmic."""
    import altair as alt

    charts = []
    for curve in curves:
        slope, _ = curve.fit()
        x = np.log([point.work for point in curve.points])
        y = np.log([point.seconds for point in curve.points])
        line = np.exp(y.mean() + slope * (x - x.mean()))
        rows = [
            {"work": point.work, "seconds": point.seconds, "fit": float(fit)}
            for point, fit in zip(curve.points, line, strict=True)
        ]
        shape = alt.Scale(type="log")
        base = alt.Chart(alt.InlineData(values=rows), width=300, height=190).encode(
            x=alt.X(
                "work:Q", scale=shape, title=curve.unit, axis=alt.Axis(tickCount=4, format="~s")
            )
        )
        dots = base.mark_point(filled=True, size=60).encode(
            y=alt.Y(
                "seconds:Q", title="seconds", scale=shape, axis=alt.Axis(tickCount=4, format="~g")
            )
        )
        fitted = base.mark_line(strokeDash=[4, 3], strokeWidth=1).encode(
            y=alt.Y("fit:Q", title="seconds")
        )
        title = f"{curve.title}: exponent {slope:.2f}"
        charts.append((fitted + dots).properties(title=title))
    alt.concat(*charts, columns=2).resolve_scale(x="independent", y="independent").save(str(path))


def page(curves: Sequence[Curve]) -> Iterator[str]:
    """Yield the lines of the page."""
    about = machine()
    yield "# How cost grows\n"
    yield (
        f"Made by `python -m benchmarks.growth`: {about['processor']}, {about['threads']} threads, "
        f"load {about['load']}; oddscalc {about['oddscalc']}, Numba {about['numba']}. Medians of "
        "three runs after a warm one, of fewer where they take long; the exponent is b of "
        "cost = a · work^b, fitted by least squares of the logarithms, ± its standard error.\n"
    )
    yield "![Cost against work](growth.svg)\n"
    for curve in curves:
        slope, error = curve.fit()
        spread = "" if math.isnan(error) else f" ± {error:.2f}"
        yield f"## {curve.title}\n\nExponent {slope:.2f}{spread}.\n"
        yield f"| | {curve.unit} | seconds |\n|---|---:|---:|"
        for point in curve.points:
            yield f"| {point.label} | {point.work:,} | {point.seconds:.3g} |"
        yield ""


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--output", "-o", type=Path, default=FOLDER)
    asked = parser.parse_args()
    measured = [curve(asked.small) for curve in CURVES]
    text = "\n".join(page(measured))
    (asked.output / "growth.md").write_text(text, encoding="utf-8")
    plot(measured, asked.output / "growth.svg")
    print(text)
