"""Processes that are killed, disks that are full, caches that others have spoilt."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from oddscalc.jit import _FOLDER
from tests.test_jobs import content

ROOT = Path(__file__).parents[1]
# A job of forty chunks that take a moment each.
WORK = """
import sys, time
import numpy as np
from oddscalc.jobs import Job, Spec

def part(spec, index):
    time.sleep(0.01)
    return {"drawn": np.random.default_rng([spec.seed, index]).random(3000)}

Job(Spec("test", {}, 1, 40, {}), sys.argv[1]).run(part)
"""


def start(code: str, *words: str, cache: Path | None = None) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    if cache is not None:
        env["ODDSCALC_CACHE"] = str(cache)
    command = [sys.executable, "-c", code, *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, env=env, **pipes)  # type: ignore[call-overload,no-any-return]


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate()
    return process.returncode, out, err


def cli(*words: str) -> str:
    return f"from oddscalc.cli import main; main({list(words)!r})"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Return an empty cache folder that finds the compiled kernels of the other tests."""
    folder = tmp_path / "cache"
    folder.mkdir()
    if _FOLDER:
        (folder / Path(_FOLDER).name).symlink_to(_FOLDER)
    return folder


def killed_again_and_again(
    folder: Path, kills: int, code: str, longest: float, parts: Path
) -> None:
    """Kill the work `kills` times, each time some moments after it has stored another part.

    The work has to last: it must not be done before it is killed.
    """
    random = Random(kills)
    for _ in range(kills):
        before = len(list(parts.glob("part-*.table")))
        process = start(code, str(folder))
        while process.poll() is None and len(list(parts.glob("part-*.table"))) == before:
            time.sleep(0.005)
        time.sleep(random.uniform(0, longest))
        process.kill()
        assert finish(process)[0] == -signal.SIGKILL


def test_a_killed_build_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert finish(start(WORK, str(whole)))[0] == 0
    killed_again_and_again(broken, 3, WORK, 0.05, broken)
    assert finish(start(WORK, str(broken))) == (0, "", "")
    assert content(broken) == content(whole)


TABLE = """
import sys
from oddscalc.euchre import bid_table
bid_table._CLASSES_SAMPLED = 4
path = sys.argv[1] + "/bids.parquet"
bid_table.write_bid_table("four-handed", path, deals=200, classes=range(256))
"""
LIBRARY = """
import sys
from oddscalc.euchre import library
from oddscalc.euchre.deals_table import write_deals
library.STEPS["open"] = 500
write_deals("four-handed", sys.argv[1], deals=200_000)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "parts"), [(TABLE, "broken/bids.parquet.parts"), (LIBRARY, "broken.parts")]
)
def test_what_is_killed_twenty_times_is_the_same(tmp_path: Path, code: str, parts: str) -> None:
    """A table of bids and a library of deals, their chunks some tenths of a second."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    assert finish(start(code, str(whole))) == (0, "", "")
    assert list(content(whole))
    killed_again_and_again(broken, 20, code, 0.5, tmp_path / parts)
    assert finish(start(code, str(broken))) == (0, "", "")
    assert content(broken) == content(whole)


def test_two_builders_at_once_leave_one_whole_job(tmp_path: Path) -> None:
    both = [start(WORK, str(tmp_path / "job")) for _ in range(2)]
    ended = [finish(process) for process in both]
    assert 0 in [code for code, _, _ in ended]
    for code, _, err in ended:
        assert code == 0 or "Another process works on the folder" in err.splitlines()[-1]
    assert finish(start(WORK, str(tmp_path / "whole")))[0] == 0
    assert content(tmp_path / "job") == content(tmp_path / "whole")


LIMIT = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, -1))\n"


def test_no_space_left_is_told_and_loses_no_finished_part(tmp_path: Path) -> None:
    """A limit on the size of a file stands for a full disk."""
    code, _, err = finish(start(LIMIT + WORK, str(tmp_path / "job")))
    assert code == 1
    assert "cannot be written: File too large. What is finished stays" in err.splitlines()[-1]
    assert sorted(content(tmp_path / "job")) == ["job.json", "job.lock"]
    assert finish(start(WORK, str(tmp_path / "job"))) == (0, "", "")


ASK = cli("dice", "beat", "74", "--game", "poker-dice-short", "--json")


def test_an_answer_that_cannot_be_stored_is_given_all_the_same(cache: Path) -> None:
    code, answer, err = finish(start(ASK, cache=cache))
    assert (code, err) == (0, "")
    for path in cache.iterdir():
        if not path.is_symlink():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    code, again, err = finish(start(LIMIT + ASK, cache=cache))
    assert (code, again) == (0, answer)
    assert "File too large" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("harm", ["cut", "empty", "bytes", "foreign", "folder"])
def test_a_spoilt_cache_changes_no_answer(cache: Path, harm: str) -> None:
    code, answer, err = finish(start(ASK, cache=cache))
    assert (code, err) == (0, "")
    for path in cache.rglob("*"):
        if path.is_file() and path.suffix in (".table", ".json"):
            whole = path.read_bytes()
            middle = len(whole) // 2
            spoilt = {
                "cut": whole[:middle],
                "bytes": whole[:20] + bytes(40) + whole[60:-40] + bytes(40),
                "foreign": b"SQLite format 3\0" + bytes(5000),
            }
            path.unlink()
            if harm == "folder":
                path.mkdir()
            else:
                path.write_bytes(spoilt.get(harm, b""))
    code, again, err = finish(start(ASK, cache=cache))
    assert (code, again) == (0, answer)
    assert "Traceback" not in err
    assert "again" in err or "stored" in err


def test_processes_that_want_one_table_build_it_once(cache: Path) -> None:
    asked = [start(ASK, cache=cache) for _ in range(3)]
    answers = {finish(process)[:2] for process in asked}
    assert len(answers) == 1
    assert answers.pop()[0] == 0
    assert not [path for path in cache.rglob("*.part") if path.is_file()]
