"""Jobs on processes of their own: the same bytes, also when a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddscalc.errors import InputError, StoreError
from oddscalc.euchre.bid_table import write_bid_table
from oddscalc.jobs import Job, Spec
from tests.test_jobs import SPEC, content, numbers


def mortal(spec: Spec, index: int) -> dict[str, np.ndarray[Any, Any]]:
    """Kill the worker over one chunk, the first time."""
    mark = Path(os.environ["ODDSCALC_TEST_MARK"])
    if index == 5 and not mark.exists():
        mark.touch()
        half = mark.parent / "there" / ".part-000005.table.0123456789ab.part"
        half.write_bytes(b"half a part")
        os.kill(os.getpid(), signal.SIGKILL)
    return numbers(spec, index)


def broken(spec: Spec, index: int) -> dict[str, np.ndarray[Any, Any]]:
    if index == 2:
        raise StoreError("Nothing works.")
    return numbers(spec, index)


def test_a_killed_worker_is_survived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDSCALC_TEST_MARK", str(tmp_path / "killed"))
    here, there = Job(SPEC, tmp_path / "here"), Job(SPEC, tmp_path / "there")
    here.run(numbers)
    seen: list[int] = []
    there.run(mortal, cluster="local:2", progress=lambda done, total: seen.append(done))
    assert (tmp_path / "killed").exists()
    assert seen == list(range(SPEC.chunks + 1))
    assert content(there.folder) == content(here.folder)


def test_an_error_of_a_worker_comes_back(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Nothing works"):
        Job(SPEC, tmp_path).run(broken, cluster="local:1")


@pytest.mark.slow
def test_a_table_of_bids_is_the_same_on_a_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oddscalc.euchre.bid_table._CLASSES_SAMPLED", 4)
    asked: dict[str, Any] = {"deals": 100, "classes": range(8), "seed": 2}
    write_bid_table("four-handed", tmp_path / "here.parquet", **asked)
    write_bid_table("four-handed", tmp_path / "there.parquet", cluster="local:2", **asked)
    both = content(tmp_path)
    assert both["there.parquet"] == both["here.parquet"]


@pytest.mark.parametrize("address", ["local:", "local:0", "local:two", "local:²", "local"])
def test_a_cluster_that_cannot_be_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(InputError, match="accepted: local:N"):
        Job(SPEC, tmp_path).run(numbers, cluster=address)
