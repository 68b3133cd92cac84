"""Loads ``oddscalc web`` on loopback; ``python -m benchmarks.web`` writes the results.

Fifty connections ask for holds at once, each its next question as soon as it has an answer: rolls
and cards drawn at random, so that hardly any answer has been given before. Then the same beside a
flood of Euchre questions.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from oddscalc import __version__, dice

RESULTS = Path(__file__).parent.parent / "results" / "benchmarks" / "web.md"
CONNECTIONS = 50
GAMES = ("poker-dice", "yahtzee", "yatzy")
BIDS = 8  # connections that ask Euchre questions in the flood


@dataclass
class Load:
    """What was measured: seconds of each answer, and what was not answered with 200."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)

    def percentile(self, share: int) -> float:
        """Return a percentile in milliseconds."""
        return 1000 * statistics.quantiles(self.seconds, n=100)[share - 1]


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """Run a server for these games, solved already, and yield its port and its process's id."""
    for name in GAMES:
        dice.solve(name)
    command = [sys.executable, "-m", "oddscalc", "web", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline() if server.stdout else ""
        try:
            yield int(line.split(":")[2].partition("/")[0]), server.pid
        finally:
            server.terminate()


def cpu_seconds(process: int) -> float:
    """Return the CPU seconds that a process has taken; NaN where the system does not tell."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return math.nan
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def hold(generator: random.Random) -> str:
    """Return a random question: some boxes filled at random, a roll, rolls left."""
    game = dice.load_game(generator.choice(GAMES))
    part = game.parts[0]
    boxes = generator.sample(part.boxes, generator.randrange(len(part.boxes)))
    filled = {}
    for name in boxes:
        face = part.boxes.index(name) + 1
        count = generator.randint(0, 5)
        filled[name] = (count - 3) * face if game.name == "poker-dice" else count * face
    asked = {
        "roll": "".join(str(generator.randint(1, 6)) for _ in range(5)),
        "game": game.name,
        "rolls-left": generator.randint(0, 2),
        "filled": ", ".join(f"{name}={points}" for name, points in filled.items()),
    }
    return f"/api/dice/hold?{urlencode(asked)}"


def bid(generator: random.Random) -> str:
    """Return a question about a random hand."""
    cards = generator.sample([rank + suit for rank in "9TJQKA" for suit in "SCHD"], 6)
    asked = {"hand": "".join(cards[:5]), "up": cards[5], "seat": "dealer", "deals": 1_000}
    return f"/api/euchre/bid?{urlencode(asked)}"


async def ask(port: int, paths: Iterator[str], end: float, load: Load) -> None:
    """Ask on one connection until the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with closing(writer):
        await _ask(reader, writer, paths, end, load)


async def _ask(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    paths: Iterator[str],
    end: float,
    load: Load,
) -> None:
    while (start := time.perf_counter()) < end:
        writer.write(f"GET {next(paths)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split()[0])
        content = await reader.readexactly(length)
        load.seconds.append(time.perf_counter() - start)
        status = int(head.split()[1])
        if status != 200 or not json.loads(content)["schema"].endswith("/1"):
            load.wrong.append(status)


async def measure(port: int, seconds: float, connections: int, flood: int = 0) -> Load:
    """Return what so many connections meet, with so many others asking Euchre questions."""
    end = time.perf_counter() + seconds
    load, other = Load(), Load()

    def endless(kind: Callable[[random.Random], str], seed: int) -> Iterator[str]:
        generator = random.Random(seed)
        while True:
            yield kind(generator)

    bids = [asyncio.create_task(ask(port, endless(bid, n), end, other)) for n in range(flood)]
    await asyncio.gather(*(ask(port, endless(hold, n), end, load) for n in range(connections)))
    for task in bids:
        task.cancel()
    await asyncio.gather(*bids, return_exceptions=True)
    return load


def main() -> None:
    """Measure and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    seconds = parser.parse_args().seconds
    lines = [
        "# The web page: measured",
        "",
        "Command: `python -m benchmarks.web`, server and questions on one machine. Each connection "
        "asks its next question as soon as it has an answer; rolls, cards and games are random.",
        "",
        f"oddscalc {__version__}, Python {platform.python_version()}, {platform.machine()}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start.",
        "",
        "| connections asking for holds | beside | seconds | answers | errors | median, ms | "
        "95th percentile, ms | 99th, ms | server's CPU per answer, ms |",
        "|---:|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    with served() as (port, process):
        asyncio.run(measure(port, 2, 4, 1))  # everything is loaded
        for connections, flood in ((1, 0), (CONNECTIONS, 0), (1, BIDS), (CONNECTIONS, BIDS)):
            before = cpu_seconds(process)
            load = asyncio.run(measure(port, seconds, connections, flood))
            each = 1000 * (cpu_seconds(process) - before) / len(load.seconds)
            beside = f"{flood} asking for bids" if flood else "nothing"
            times = " | ".join(f"{load.percentile(share):.1f}" for share in (50, 95, 99))
            lines.append(
                f"| {connections} | {beside} | {seconds:g} | {len(load.seconds):,} | "
                f"{len(load.wrong)} | {times} | {each:.2f} |"
            )
            print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
