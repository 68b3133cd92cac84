"""The benchmarks of ``oddscalc bench`` for pytest-benchmark: ``pytest benchmarks/suites.py``.

A name picks some: ``pytest benchmarks/suites.py -k yahtzee``. Peers that are not installed are left
out, and so is what takes minutes.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from oddscalc.bench.measuring import PEERS, Task
from oddscalc.bench.suites import BENCHMARKS

QUICK = [name for name, benchmark in BENCHMARKS.items() if not benchmark.long]
BESIDE = [
    (name, peer)
    for name in QUICK
    for peer in BENCHMARKS[name].peers
    if find_spec(PEERS[peer][0]) is not None
]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    os.environ["ODDSCALC_CACHE"] = str(folder)
    return folder


def timed(benchmark: Any, task: Task) -> None:
    task.run()
    benchmark.extra_info.update(work=task.work, note=task.note)
    benchmark.pedantic(task.run, rounds=5)


@pytest.mark.parametrize("name", QUICK)
def test_ours(benchmark: Any, name: str) -> None:
    timed(benchmark, BENCHMARKS[name].prepare())


@pytest.mark.parametrize(("name", "peer"), BESIDE)
def test_peer(benchmark: Any, name: str, peer: str) -> None:
    timed(benchmark, BENCHMARKS[name].peers[peer]())
