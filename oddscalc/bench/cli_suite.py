"""What is timed of the command line: whole processes, as people start them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from tempfile import TemporaryDirectory

from oddscalc.bench.measuring import Benchmark, Task

__all__ = ["CLI"]

_HOLD = ("dice", "hold", "23621")
_BID = ("euchre", "bid", "AS KS 9H TD AC", "--up", "JS", "--seat", "dealer")


def _process(words: Sequence[str], cache: str | None = None) -> None:
    environment = os.environ if cache is None else {**os.environ, "ODDSCALC_CACHE": cache}
    subprocess.run(
        [sys.executable, *words],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def _command(*words: str) -> Task:
    return Task(1, partial(_process, ("-m", "oddscalc", *words)), apart=True)


def _first_command(*words: str) -> Task:
    def run() -> None:
        with TemporaryDirectory() as cache:
            _process(("-m", "oddscalc", *words), cache)

    return Task(1, run, apart=True)


def _python() -> Task:
    return Task(1, partial(_process, ("-c", "import numpy, typer")), apart=True)


def _asked(what: str, *words: str) -> Benchmark:
    return Benchmark(what, "processes", partial(_command, *words), {"python": _python})


def _asked_first(what: str, *words: str) -> Benchmark:
    return Benchmark(what, "processes", partial(_first_command, *words))


CLI = {
    "help": _asked("oddscalc --help", "--help"),
    "hold": _asked("dice hold 23621, the game stored", *_HOLD),
    "hold-yatzy": _asked("dice hold 55661 -g yatzy, stored", *_HOLD[:-1], "55661", "-g", "yatzy"),
    "chance": _asked("euchre chance --of bowers", "euchre", "chance", "--of", "bowers", "-t", "S"),
    "bid": _asked("euchre bid, four-handed, closed, to 0.02 points", *_BID),
    "first-hold": _asked_first("dice hold 23621, the first time ever", *_HOLD),
    "first-bid": _asked_first("euchre bid, four-handed, the first time ever", *_BID),
}
