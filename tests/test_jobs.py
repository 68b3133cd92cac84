"""Long jobs: parts kept, work resumed, other jobs refused, the bytes always the same."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddscalc import store
from oddscalc.cli.output import long_job
from oddscalc.errors import StoreError
from oddscalc.jit import threads
from oddscalc.jobs import Job, Spec, read_spec

SPEC = Spec("test", {"name": "four-handed", "points": {"march": 2}}, 5, 12, {"rows": 1000})


def numbers(spec: Spec, index: int) -> dict[str, np.ndarray[Any, Any]]:
    """Draw numbers of (seed, index) alone."""
    drawn = np.random.default_rng([spec.seed or 0, index]).random(spec.settings["rows"])
    return {"drawn": drawn, "threads": np.array([threads()])}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def done(tmp_path: Path) -> Path:
    """Return a folder with the whole job."""
    Job(SPEC, tmp_path / "whole").run(numbers)
    return tmp_path / "whole"


def test_a_job_holds_what_its_parts_are(done: Path) -> None:
    job = Job(SPEC, done)
    assert job.missing() == []
    assert read_spec(done) == SPEC
    for index in range(SPEC.chunks):
        expected = np.random.default_rng([5, index]).random(1000)
        assert np.array_equal(job.table(index).arrays["drawn"], expected)
        assert job.table(index).arrays["threads"] == [1]  # the chunks are what runs side by side


@pytest.mark.parametrize("number", ["1", "3"])
def test_no_byte_depends_on_the_number_of_threads(
    done: Path, tmp_path: Path, number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODDSCALC_THREADS", number)
    used = set()

    def noted(spec: Spec, index: int) -> dict[str, np.ndarray[Any, Any]]:
        used.add(threading.get_ident())
        return numbers(spec, index)

    Job(SPEC, tmp_path / "again").run(noted)
    assert content(tmp_path / "again") == content(done)
    assert len(used) <= int(number)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_interrupted_work_goes_on(
    done: Path, tmp_path: Path, stop: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODDSCALC_THREADS", "2")
    job, computed = Job(SPEC, tmp_path / "broken"), []

    def interrupt(done: int, total: int) -> None:
        if done == 5:
            raise stop

    def noted(spec: Spec, index: int) -> dict[str, np.ndarray[Any, Any]]:
        computed.append(index)
        return numbers(spec, index)

    with pytest.raises(stop):
        job.run(noted, progress=interrupt)
    left = job.missing()
    assert 0 < len(left) <= SPEC.chunks - 5
    seen: list[tuple[int, int]] = []
    job.run(noted, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(SPEC.chunks - number, SPEC.chunks) for number in range(len(left), -1, -1)]
    assert sorted(computed) == list(range(SPEC.chunks))  # none twice
    assert content(tmp_path / "broken") == content(done)


def test_a_stop_leaves_the_rest_to_a_later_call(done: Path, tmp_path: Path) -> None:
    job = Job(SPEC, tmp_path / "half")
    job.run(numbers, stop=4)
    assert job.missing() == list(range(4, SPEC.chunks))
    job.run(numbers)
    assert content(tmp_path / "half") == content(done)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"seed": 6}, "seed is 5, not 6"),
        ({"seed": None}, "seed is 5, not missing"),
        ({"kind": "other"}, 'kind is "test", not "other"'),
        ({"version": "9.9"}, 'version is "0.1.0", not "9.9"'),
        ({"settings": {"rows": 7}}, "rows is 1000, not 7"),
        ({"game": {**SPEC.game, "points": {"march": 3}}}, "game.points.march is 2, not 3"),
    ],
)
def test_another_job_is_refused_with_what_differs(
    done: Path, other: dict[str, Any], words: str
) -> None:
    before, asked = content(done), replace(SPEC, **other)
    with pytest.raises(StoreError, match="belongs to another job") as refused:
        Job(asked, done).run(numbers)
    assert words in str(refused.value)
    assert content(done) == before


def test_a_part_of_another_job_is_refused(done: Path, tmp_path: Path) -> None:
    job = Job(replace(SPEC, seed=6), tmp_path / "mixed")
    job.run(numbers, stop=3)
    shutil.copy(done / "part-000007.table", job.folder)
    with pytest.raises(StoreError, match=r"part-000007.*seed is 5, not 6"):
        job.run(numbers)
    job.path(7).unlink()
    shutil.copy(job.path(2), job.path(7))
    with pytest.raises(StoreError, match="is not part 7"):
        job.run(numbers)


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").touch()
    with pytest.raises(StoreError, match=r"holds 'holiday\.jpg', which is no part"):
        Job(SPEC, tmp_path).run(numbers)
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


@pytest.mark.parametrize("harm", ["cut", "empty", "byte", "foreign", "gone"])
@pytest.mark.parametrize("name", ["part-000003.table", "job.json"])
def test_damage_is_noticed_and_made_good(
    done: Path, harm: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    whole, path = content(done), done / name
    text = bytearray(whole[name])
    text[-300 if name != "job.json" else 0] ^= 0x40
    path.write_bytes(
        {
            "cut": whole[name][:-100],
            "empty": b"",
            "byte": bytes(text),
            "foreign": b"PK\x03\x04" + bytes(9000),
        }.get(harm, b"")
    )
    if harm == "gone":
        path.unlink()
    job = Job(SPEC, done)
    assert job.missing() == ([3] if name != "job.json" else [])
    with caplog.at_level(logging.WARNING, "oddscalc"):
        job.run(numbers)
    job.run(numbers)
    assert content(done) == whole
    assert ("made again" in caplog.text) is (name != "job.json" and harm != "gone")


def test_what_a_killed_process_left_is_cleared_away(done: Path) -> None:
    whole = content(done)
    (done / "part-000004.table").unlink()
    (done / ".part-000004.table.0123456789ab.part").write_bytes(b"half")
    Job(SPEC, done).run(numbers)
    assert content(done) == whole


def test_a_full_disk_keeps_what_is_finished(
    done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, saved, save = Job(SPEC, tmp_path / "full"), [], store.save

    def full(path: Path, mark: str, table: store.Table) -> None:
        saved.append(path)
        if len(saved) > 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        save(path, mark, table)

    with monkeypatch.context() as patch:
        patch.setattr(store, "save", full)
        with pytest.raises(StoreError, match=r"cannot be written: No space left.*goes on"):
            job.run(numbers)
    assert len(job.missing()) == SPEC.chunks - 4
    job.run(numbers)
    assert content(job.folder) == content(done)


def test_two_at_once_are_refused_or_wait(tmp_path: Path) -> None:
    first, second = Job(SPEC, tmp_path), Job(SPEC, tmp_path)
    with first.alone(), pytest.raises(StoreError, match="Another process works on the folder"):
        second.run(numbers)
    patient, computed = Job(SPEC, tmp_path, wait=True), []

    def noted(spec: Spec, index: int) -> dict[str, np.ndarray[Any, Any]]:
        computed.append(index)
        return numbers(spec, index)

    with first.alone():
        waiting = threading.Thread(target=partial(patient.run, noted))
        waiting.start()
        first.run(numbers)
    waiting.join()
    assert computed == []


def test_chunks_in_turn_see_those_before_them(tmp_path: Path) -> None:
    job = Job(SPEC, tmp_path, in_turn=True)

    def sums(spec: Spec, index: int) -> dict[str, np.ndarray[Any, Any]]:
        before = job.table(index - 1).arrays["sum"] if index else np.zeros(1, np.int64)
        return {"sum": before + index}

    job.run(sums, stop=5)
    job.run(sums)
    assert job.table(SPEC.chunks - 1).arrays["sum"] == [sum(range(SPEC.chunks))]


def test_an_unwritable_folder_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"file/folder' cannot be (read|written): Not a directory"):
        Job(SPEC, tmp_path / "file" / "folder").run(numbers)


def test_the_command_says_how_to_go_on(tmp_path: Path) -> None:
    words = r"Interrupted; the same command goes on .*bids'"
    with pytest.raises(StoreError, match=words), long_job("Hands", tmp_path / "bids"):
        raise KeyboardInterrupt
