"""Benchmarks side by side, as an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from oddscalc.bench.measuring import Measured, check_peer, machine, measure_apart
from oddscalc.bench.suites import BENCHMARKS, chosen
from oddscalc.results import Column, Result

__all__ = ["BenchTable", "bench"]

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class BenchTable(Result):
    """What was measured, and on what."""

    schema: ClassVar[str] = "oddscalc.bench/1"

    rows: tuple[Measured, ...]
    against: tuple[str, ...]
    machine: dict[str, str | int | float]

    def to_dict(self) -> dict[str, Any]:
        """Return the machine and a row for each benchmark."""
        return {"machine": self.machine, "against": list(self.against), "rows": self._plain()}

    def headline(self) -> str:
        """Say what was measured."""
        beside = f", beside {' and '.join(self.against)}" if self.against else ""
        return f"{len(self.rows)} benchmarks{beside}."

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        right = {"right": True}
        columns = [
            Column("what", "What"),
            Column("work", "Work", "{:,}".format, **right),
            Column("unit", ""),
            Column("seconds", "Median", _time, **right),
            Column("rate", "A second", _count, **right),
            Column("memory", "Peak MiB", "{:,.0f}".format, **right),
            Column("compile_seconds", "Compiling", _time, **right),
        ]
        if self.against:
            columns += [
                Column("peer", "Peer", _or_nothing(str)),
                Column("peer_rate", "Peer, a second", _or_nothing(_count), **right),
                Column("speedup", "Times as fast", _or_nothing("{:,.2f}".format), **right),
            ]
        if any(row.note for row in self.rows):
            columns.append(Column("note", "Note"))
        return columns

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars: everything, the machine beside each row."""
        return list(self.records()[0])

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each benchmark."""
        return [{**row, **self.machine} for row in self._plain()]

    def notes(self) -> list[str]:
        """Say on what and how it was measured."""
        about = self.machine
        notes = [
            f"{about['processor']}, {about['threads']} threads, load {about['load']} at the start; "
            f"oddscalc {about['oddscalc']}, Python {about['python']}, Numba {about['numba']}.",
            "Medians of several runs after a warm one, each row in a process of its own. Compiling "
            "is for kernels that no row above has compiled; it is stored. Rows with one thread "
            "count the processor's time.",
        ]
        if self.against:
            notes.append(
                "Peers run in turn with ours; times as fast: the median of the peer's time over "
                "ours, for the same amount of work."
            )
        return notes

    def _plain(self) -> list[dict[str, Any]]:
        return [{**asdict(row), "rate": row.rate, "peer_rate": row.peer_rate} for row in self.rows]


def bench(
    words: Sequence[str] = (),
    *,
    against: Sequence[str] = (),
    progress: Progress | None = None,
) -> BenchTable:
    """Run benchmarks, each in a process of its own.

    Parameters
    ----------
    words
        Suites (dice, euchre, cli) or names of benchmarks; all but the long ones for none.
    against
        Peers to run in turn with ours, where they have the same work.
    progress
        Takes benchmarks done and in all.

    Raises
    ------
    UnknownNameError
        If there is no such benchmark or peer.
    OddscalcError
        If a peer is not installed, or a benchmark fails.
    """
    names = chosen(words)
    for peer in against:
        check_peer(peer)
    about = machine()
    rows = []
    with TemporaryDirectory() as folder:
        for done, name in enumerate(names):
            if progress:
                progress(done, len(names))
            peers: list[str | None] = [p for p in against if p in BENCHMARKS[name].peers]
            rows += [measure_apart(name, peer, Path(folder)) for peer in peers or [None]]
    return BenchTable(tuple(rows), tuple(against), about)


def _time(seconds: float) -> str:
    """Return a time with three digits.

    >>> _time(0.0), _time(0.000123), _time(0.0456), _time(12.345)
    ('–', '0.123 ms', '45.6 ms', '12.3 s')
    """
    if seconds <= 0:
        return "–"
    return f"{_digits(1000 * seconds)} ms" if seconds < 1 else f"{_digits(seconds)} s"


def _count(number: float) -> str:
    """Return a rate with three digits.

    >>> _count(1234567.0), _count(12.345), _count(0.5)
    ('1,230,000', '12.3', '0.500')
    """
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 100 else _digits(number)


def _digits(number: float) -> str:
    places = 2 if number < 10 else 1 if number < 100 else 0
    return f"{number:.{3 if number < 1 else places}f}"


def _or_nothing(show: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: "" if value is None else show(value)
