"""Times the dice half beside its peers; ``python -m benchmarks.dice`` writes the results.

Each pair is taken in turn, ours, peer's, ours, peer's, …, so that a busy machine slows both; what
counts is the ratio. Kernels are compiled before anything is timed.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import yatzy_solver

from oddscalc import __version__, dice
from oddscalc.dice.distribution import _walked
from oddscalc.dice.solver import solve_arrays
from oddscalc.dice.tables import compile_game
from oddscalc.jit import threads

RESULTS = Path(__file__).parent.parent / "results" / "benchmarks" / "dice.md"
RUNS = 7
BEATEN = {"poker-dice-short": 74, "poker-dice": 200, "yacht": 200, "yatzy": 300, "yahtzee": 300}


def seconds(work: Callable[[], object]) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def beside(ours: Callable[[], object], peer: Callable[[], object], runs: int = RUNS) -> list[float]:
    """Return the median times of both and the median ratio, ours over the peer's."""
    ours(), peer()
    pairs = [(seconds(ours), seconds(peer)) for _ in range(runs)]
    return [statistics.median(column) for column in (*zip(*pairs, strict=True),)] + [
        statistics.median(a / b for a, b in pairs)
    ]


def full_solve(name: str) -> None:
    """Solve a game from its rules, nothing stored."""
    solve_arrays(compile_game(dice.load_game(name)))


def process(code: list[str]) -> None:
    """Run a whole Python process."""
    subprocess.run([sys.executable, *code], check=True, stdout=subprocess.DEVNULL)


def questions(name: str, count: int) -> pl.DataFrame:
    """Return random questions: states drawn evenly from all, rolls, rolls left."""
    game = dice.load_game(name)
    frame = dice.solve(name).to_polars().drop("value")
    frame = frame.filter(pl.col("filled") != (1 << len(game.boxes)) - 1)
    generator = np.random.default_rng(1)
    rolls = generator.integers(1, 7, (count, game.dice))
    return frame[generator.integers(0, frame.height, count)].with_columns(
        roll=pl.Series(rolls).cast(pl.List(pl.Int64)),
        rolls_left=pl.Series(generator.integers(0, game.rolls, count)),
    )


def peak_memory(name: str) -> float:
    """Return the peak memory in MiB of a process that solves a game."""
    code = f"from benchmarks.dice import full_solve; full_solve('{name}')"
    code += "; from benchmarks.dice import peak_now; print(peak_now())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def peak_now() -> float:
    """Return the peak memory in MiB of this process alone, maps of stored tables included."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def report() -> str:
    """Run everything and return the report as Markdown."""
    lines = [
        "# Dice: measured",
        "",
        "Command: `python -m benchmarks.dice` (needs `pip install -e '.[bench]'`). Medians of "
        f"{RUNS} runs, ours and the peer's in turn; ratios are what to compare.",
        "",
        f"oddscalc {__version__}, Python {platform.python_version()}, numba "
        f"{_version('numba')}, numpy {np.__version__}, yatzy-solver {_version('yatzy-solver')}; "
        f"{platform.machine()}, {threads()} threads, load {os.getloadavg()[0]:.1f} at the start.",
        "",
        "## Full solve",
        "",
        "| game | ours, s | peer | peer, s | ours / peer |",
        "|---|---:|---|---:|---:|",
    ]
    for name, variant in (("yahtzee", "american"), ("yatzy", "yatzy-scandinavian")):
        peer = yatzy_solver.Variant(variant)
        ours, theirs, ratio = beside(
            partial(full_solve, name), partial(yatzy_solver.Solver.build, peer), 5
        )
        lines.append(
            f"| `{name}` | {ours:.3f} | yatzy-solver `{variant}` | {theirs:.2f} | {ratio:.3f} |"
        )
    lines += ["", "| game | ours, s | states | peak memory, MiB |", "|---|---:|---:|---:|"]
    for name in dice.game_names():
        full_solve(name)
        took = statistics.median(seconds(partial(full_solve, name)) for _ in range(RUNS))
        states = len(dice.solve(name).values)
        lines.append(f"| `{name}` | {took:.3f} | {states:,} | {peak_memory(name):.0f} |")
    lines += _process_lines() + _batch_lines() + _outcome_lines() + _beat_lines() + _pot_lines()
    return "\n".join(lines) + "\n"


def _process_lines() -> list[str]:
    lines = [
        "",
        "## One question as a whole process, the game stored",
        "",
        '| command | ours, s | `python -c "import numpy, typer"`, s | ratio |',
        "|---|---:|---:|---:|",
    ]
    hold = ["-m", "oddscalc", "dice", "hold"]
    for args in (["2", "3", "6", "2", "1"], ["55661", "-g", "yatzy", "--json"]):
        ours, base, ratio = beside(
            partial(process, [*hold, *args]),
            partial(process, ["-c", "import numpy, typer"]),
            15,
        )
        lines.append(
            f"| `oddscalc dice hold {' '.join(args)}` | {ours:.3f} | {base:.3f} | {ratio:.2f} |"
        )
    return lines


def _batch_lines() -> list[str]:
    lines = [
        "",
        "## Many questions at once",
        "",
        "Random states, rolls and rolls left; a decision is a hold or a box with its value.",
        "",
        "| game | questions | seconds | decisions a second |",
        "|---|---:|---:|---:|",
    ]
    for name in ("poker-dice", "yahtzee", "yatzy"):
        frame = questions(name, 400_000)
        work = partial(dice.advise_many, frame, game=name)
        work()
        took = statistics.median(seconds(work) for _ in range(3))
        lines.append(f"| `{name}` | {frame.height:,} | {took:.2f} | {frame.height / took:,.0f} |")
    return lines


def _outcome_lines() -> list[str]:
    lines = [
        "",
        "## The whole distribution of totals",
        "",
        "| game | seconds |",
        "|---|---:|",
    ]
    for name in ("poker-dice", "yahtzee", "yatzy"):
        solved, card = dice.solve(name), dice.Scorecard(dice.load_game(name))
        took = statistics.median(seconds(partial(_walked, solved, card, None)) for _ in range(3))
        lines.append(f"| `{name}` | {took:.2f} |")
    return lines


def _beat_lines() -> list[str]:
    lines = [
        "",
        "## The best chance of every total",
        "",
        "Built once, stored a layer at a time; then one `dice hold 23621 --goal beat:N` as a whole "
        "process.",
        "",
        "| game | built in, s | stored, MB | peak memory, MiB | asked, s |",
        "|---|---:|---:|---:|---:|",
    ]
    dice.beat(74, game="poker-dice-short")  # compiles
    for name, total in BEATEN.items():
        code = (
            "import time; from benchmarks.dice import peak_now; from oddscalc import dice; "
            f"start = time.perf_counter(); dice.beat({total}, game='{name}'); "
            "print(time.perf_counter() - start, peak_now())"
        )
        dice.outcomes(name)  # only the table is timed
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        took, peak = map(float, done.stdout.split())
        files = Path(os.environ["ODDSCALC_CACHE"]).glob(f"dice-beat-{name}-[0-9f]*")
        stored = sum(file.stat().st_size for file in files)
        ask = ["-m", "oddscalc", "dice", "hold", "23621", "-g", name, "--goal", f"beat:{total}"]
        asked = statistics.median(seconds(partial(process, ask)) for _ in range(RUNS))
        row = f"| `{name}` | {took:.1f} | {stored / 1e6:,.1f} | {peak:,.0f} | {asked:.2f} |"
        lines.append(row)
    return lines


def _pot_lines() -> list[str]:
    lines = [
        "",
        "## The pot of `poker-dice-short`",
        "",
        "| players | built in, s |",
        "|---|---:|",
    ]
    for players in (2, 3, 4):
        took = seconds(partial(dice.pot, players))
        lines.append(f"| {players} | {took:.2f} |")
    return lines


def _version(package: str) -> str:
    from importlib.metadata import version

    return version(package)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ODDSCALC_CACHE"] = folder
        text = report()
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(text, encoding="utf-8")
    print(text)
