"""How a benchmark is timed: the median of several runs, a warm one before them.

A peer's work is timed in turn with ours, so that a busy machine slows both.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from oddscalc.errors import OddscalcError, unknown_name

__all__ = [
    "PEERS",
    "Benchmark",
    "Measured",
    "Task",
    "check_peer",
    "machine",
    "measure",
    "measure_apart",
]

MOST_RUNS, FEWEST_RUNS, ENOUGH = 9, 3, 8.0  # runs; seconds after which no further one is begun
LONG = 20.0  # seconds; what takes as long is run once more, not several times

# Peers by name: the module that has to be there, and the package that brings it.
PEERS = {
    "yatzy-solver": ("yatzy_solver", "oddscalc[bench]"),
    "endplay": ("endplay", "oddscalc[bench]"),
    "open_spiel": ("pyspiel", "open_spiel"),
    "python": ("sys", ""),
}


class Task(NamedTuple):
    """Work that is ready to be timed.

    Attributes
    ----------
    work
        How much one run does.
    run
        Does it.
    one_thread
        Whether it runs on one thread, so that the processor's own time tells most.
    apart
        Whether it starts processes; the memory is theirs then.
    note
        A word about the work.
    """

    work: int
    run: Callable[[], object]
    one_thread: bool = False
    apart: bool = False
    note: str = ""


@dataclass(frozen=True)
class Benchmark:
    """Something that people wait for.

    Attributes
    ----------
    what
        A few words.
    unit
        What the work is counted in.
    prepare
        Makes the work ready; imports what it needs.
    peers
        The same work by peers.
    long
        Whether it takes minutes: it runs only when it is asked for by name.
    """

    what: str
    unit: str
    prepare: Callable[[], Task]
    peers: Mapping[str, Callable[[], Task]] = field(default_factory=dict)
    long: bool = False


@dataclass(frozen=True)
class Measured:
    """What was measured: medians in seconds, memory in MiB; without a peer its figures are None.

    `speedup` is the median of the peer's time over ours for the same amount of work.
    """

    name: str
    what: str
    unit: str
    work: int
    runs: int
    seconds: float
    memory: float
    compile_seconds: float
    note: str
    peer: str | None = None
    peer_work: int | None = None
    peer_seconds: float | None = None
    speedup: float | None = None

    @property
    def rate(self) -> float:
        """Work a second."""
        return self.work / self.seconds

    @property
    def peer_rate(self) -> float | None:
        """The peer's work a second."""
        if self.peer_work is None or self.peer_seconds is None:
            return None
        return self.peer_work / self.peer_seconds


def check_peer(peer: str) -> None:
    """Refuse a peer that is not known or not installed.

    Raises
    ------
    UnknownNameError
        If there is no such peer.
    OddscalcError
        If it is not installed; the text says how to.
    """
    if peer not in PEERS:
        raise unknown_name("peer", peer, PEERS)
    module, package = PEERS[peer]
    if find_spec(module) is None:
        raise OddscalcError(
            f"The peer '{peer}' is not installed; install it with: pip install '{package}'."
        )


def measure(name: str, benchmark: Benchmark, peer: str | None = None) -> Measured:
    """Time a benchmark in this process, beside a peer that has the same work."""
    ours = benchmark.prepare()
    theirs = benchmark.peers[peer]() if peer is not None else None
    with _compiling(ours) as compiled:
        first = _seconds(ours)
    if theirs is not None:
        _seconds(theirs)
    times: list[tuple[float, float]] = []
    began = perf_counter()
    while len(times) < (1 if first > LONG else FEWEST_RUNS) or (
        len(times) < MOST_RUNS and perf_counter() - began < ENOUGH
    ):
        times.append((_seconds(ours), _seconds(theirs) if theirs else 0.0))
    seconds = statistics.median(one for one, _ in times)
    found = Measured(
        name,
        benchmark.what,
        benchmark.unit,
        ours.work,
        len(times),
        seconds,
        _peak(ours),
        sum(compiled),
        ours.note,
    )
    if theirs is None:
        return found
    ratio = statistics.median(other / one for one, other in times)
    return Measured(
        **{
            **asdict(found),
            "peer": peer,
            "peer_work": theirs.work,
            "peer_seconds": statistics.median(other for _, other in times),
            "speedup": ratio * ours.work / theirs.work,
        }
    )


def measure_apart(name: str, peer: str | None, cache: Path) -> Measured:
    """Time a benchmark in a process of its own, with a cache folder of its own.

    Raises
    ------
    OddscalcError
        If the process fails.
    """
    command = [sys.executable, "-m", "oddscalc.bench", name, *([peer] if peer else [])]
    environment = {**os.environ, "ODDSCALC_CACHE": str(cache)}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=False)
    if done.returncode:
        raise OddscalcError(f"The benchmark '{name}' failed with exit code {done.returncode}.")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def machine() -> dict[str, str | int | float]:
    """Return what the figures depend on."""
    from importlib.metadata import version

    from oddscalc import __version__
    from oddscalc.jit import threads

    return {
        "processor": _processor(),
        "threads": threads(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0,
        "python": platform.python_version(),
        "numba": version("numba"),
        "oddscalc": __version__,
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # not on every system
    return platform.processor() or platform.machine()


def _seconds(task: Task) -> float:
    clock = process_time if task.one_thread else perf_counter
    start = clock()
    task.run()
    return clock() - start


@contextmanager
def _compiling(task: Task) -> Iterator[list[float]]:
    """Collect the seconds for which kernels are compiled; loading compiled ones is not counted."""
    spent: list[float] = []
    if task.apart:
        yield spent
        return
    from numba.core import event

    with event.install_timer("numba:compile", spent.append):
        yield spent


def _peak(task: Task) -> float:
    """Return the peak memory in MiB of this process, or of the processes that the task starts."""
    status = Path("/proc/self/status")
    if not task.apart and status.exists():
        text = status.read_text(encoding="ascii")
        return int(text.partition("VmHWM:")[2].split()[0]) / 1024
    try:
        import resource
    except ImportError:  # not on every system
        return float("nan")
    who = resource.RUSAGE_CHILDREN if task.apart else resource.RUSAGE_SELF
    in_a_mib = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(who).ru_maxrss / in_a_mib
