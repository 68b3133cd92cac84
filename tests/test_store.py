"""Stored tables: written whole, checked when read, rebuilt when damaged, never in the way."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from oddscalc import store
from oddscalc.errors import StoreError

TABLE = store.Table(
    {"values": np.arange(1000.0), "ids": np.arange(7, dtype=np.uint16).reshape(7, 1)},
    {"seconds": 1.5},
)
MARK = store.fingerprint("test", 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ODDSCALC_CACHE", str(tmp_path))
    return tmp_path


def _fetch() -> tuple[store.Table, int]:
    built = []

    def build() -> store.Table:
        built.append(1)
        return TABLE

    return store.fetch("game", MARK, build), len(built)


def _same(table: store.Table) -> None:
    assert table.metadata == TABLE.metadata
    for name, array in TABLE.arrays.items():
        assert np.array_equal(table.arrays[name], array)
        assert table.arrays[name].dtype == array.dtype


def test_second_fetch_reads_what_the_first_wrote(folder: Path) -> None:
    first, built = _fetch()
    again, rebuilt = _fetch()
    assert (built, rebuilt) == (1, 0)
    _same(first)
    _same(again)
    assert [path.name for path in folder.iterdir() if path.is_file()] == [f"game-{MARK}.table"]


def test_arrays_cannot_be_written_built_or_mapped(folder: Path) -> None:
    for _ in range(2):
        table, _built = _fetch()
        with pytest.raises(ValueError, match="read-only"):
            table.arrays["values"][0] = 1.0


@pytest.mark.parametrize("place", [0, 9, 14, 40, -1, -2000, -6000])
def test_a_changed_byte_is_noticed(
    folder: Path, place: int, caplog: pytest.LogCaptureFixture
) -> None:
    _fetch()
    (path,) = folder.glob("*.table")
    content = bytearray(path.read_bytes())
    content[place] ^= 0x40
    path.write_bytes(content)
    padding = place == -1  # behind the last array: nothing that is read
    with caplog.at_level(logging.WARNING, "oddscalc"):
        table, built = _fetch()
    _same(table)
    assert built == (0 if padding else 1)
    assert ("built again" in caplog.text) is not padding
    assert _fetch()[1] == 0


@pytest.mark.parametrize("size", [0, 5, 20, 300, 5000])
def test_a_truncated_file_is_noticed(
    folder: Path, size: int, caplog: pytest.LogCaptureFixture
) -> None:
    _fetch()
    (path,) = folder.glob("*.table")
    path.write_bytes(path.read_bytes()[:size])
    table, built = _fetch()
    _same(table)
    assert built == 1
    assert "built again" in caplog.text


def test_a_foreign_file_is_noticed(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    _fetch()
    (path,) = folder.glob("*.table")
    path.write_bytes(b"PK\x03\x04" + bytes(5000))
    assert _fetch()[1] == 1
    assert "not a table of oddscalc" in caplog.text


def test_a_table_made_of_something_else_is_refused(folder: Path) -> None:
    path = folder / "other.table"
    store.save(path, "another mark", TABLE)
    with pytest.raises(StoreError, match="other rules"):
        store.load(path, MARK)


def test_a_folder_that_cannot_be_made_still_gives_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ODDSCALC_CACHE", str(tmp_path / "file" / "cache"))
    table, built = _fetch()
    _same(table)
    assert built == 1
    assert "cannot be stored" in caplog.text


def test_nothing_is_left_behind_when_writing_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    table, _ = _fetch()
    _same(table)
    assert not [path for path in folder.iterdir() if path.is_file()]


def test_threads_and_processes_build_a_table_once(folder: Path) -> None:
    built = []

    def build() -> store.Table:
        built.append(1)
        time.sleep(0.2)
        return TABLE

    with ThreadPoolExecutor(4) as pool:
        for table in pool.map(lambda _: store.fetch("game", MARK, build), range(4)):
            _same(table)
    assert len(built) == 1


def test_processes_at_once_do_no_harm(folder: Path) -> None:
    code = "from oddscalc import dice; print(dice.solve('yacht').value)"
    env = {**os.environ, "ODDSCALC_CACHE": str(folder)}
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=env, text=True)
        for _ in range(3)
    ]
    answers = {process.communicate()[0] for process in running}
    assert len(answers) == 1
    assert answers.pop().startswith("166.95506770")
    assert not list(folder.glob("*.part"))


def test_a_read_only_cache_still_gives_answers(tmp_path: Path) -> None:
    """A folder that nobody may write, not even root: a file stands in its place."""
    (tmp_path / "cache").write_text("")
    env = {**os.environ, "ODDSCALC_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "oddscalc", "dice", "hold", "66612", "-g", "poker-dice-short"],
        capture_output=True,
        text=True,
        env=env,
        check=True,
    )
    assert done.stdout.startswith("Keep 6 6 6, roll two.")
    assert "cannot be stored" in done.stderr
    assert "Traceback" not in done.stderr


def test_fingerprints_tell_rules_apart() -> None:
    assert store.fingerprint("a", {"x": 1}) != store.fingerprint("a", {"x": 2})
    assert store.fingerprint("a", {"x": 1, "y": 2}) == store.fingerprint("a", {"y": 2, "x": 1})
