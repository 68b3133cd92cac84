"""Benchmarks: what is measured, beside whom, and how it is told; nothing here depends on speed."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from benchmarks import pages
from oddscalc.bench import measuring
from oddscalc.bench.measuring import PEERS, Benchmark, Measured, Task, measure, measure_apart
from oddscalc.bench.results import bench
from oddscalc.bench.suites import BENCHMARKS, SUITES, chosen
from oddscalc.cli import main
from oddscalc.errors import OddscalcError, UnknownNameError

FOUND = Measured("hold", "a hold", "processes", 1, 5, 0.25, 60.0, 0.0, "")


def fake(name: str, peer: str | None, cache: Path) -> Measured:
    found = replace(FOUND, name=name, work=1000)
    if peer is None:
        return found
    return replace(found, peer=peer, peer_work=10, peer_seconds=0.5, speedup=200.0)


def test_runs_are_counted_and_the_first_one_is_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "ENOUGH", 60.0)
    ours, theirs = [], []

    def work() -> None:
        ours.append(1)
        time.sleep(0.5 if len(ours) == 1 else 0.001)

    benchmark = Benchmark("sleep", "naps", lambda: Task(7, work, apart=True))
    found = measure("nap", benchmark)
    assert (found.work, found.runs, len(ours)) == (7, measuring.MOST_RUNS, measuring.MOST_RUNS + 1)
    assert 0.001 <= found.seconds < 0.5
    assert found.rate == pytest.approx(7 / found.seconds)
    assert found.peer_rate is None
    ours.clear()

    def slower() -> None:
        theirs.append(len(ours))
        time.sleep(0.02)

    beside = replace(benchmark, peers={"python": lambda: Task(2, slower)})
    found = measure("nap", beside, "python")
    assert theirs == list(range(1, measuring.MOST_RUNS + 2))  # in turn with ours
    assert found.peer_seconds is not None
    assert found.peer_seconds >= 0.02
    assert found.speedup is not None
    assert found.speedup > 7 / 2  # for the same amount of work


def test_compiling_is_told_apart() -> None:
    import numba

    square = numba.njit(lambda x: x * x)
    found = measure("square", Benchmark("a square", "numbers", lambda: Task(1, lambda: square(3))))
    assert 0 < found.compile_seconds < 60
    assert found.memory > 10


def test_suites_and_names_are_chosen() -> None:
    assert chosen(["cli"]) == list(SUITES["cli"])
    assert chosen(["hold", "cli", "hold"])[0] == "hold"
    quick = chosen([])
    assert len(quick) == len(set(quick))
    assert set(quick) == {name for name, one in BENCHMARKS.items() if not one.long}
    assert chosen(["solve-maxi-yatzy"]) == ["solve-maxi-yatzy"]
    with pytest.raises(UnknownNameError, match="no benchmark 'dize'; did you mean 'dice'"):
        chosen(["dize"])


def test_every_peer_is_known_and_has_work() -> None:
    used = {peer for benchmark in BENCHMARKS.values() for peer in benchmark.peers}
    assert used == set(PEERS)


def test_a_peer_stands_beside_where_it_has_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddscalc.bench.results.measure_apart", fake)
    table = bench(["hold", "first-hold"], against=["python"])
    assert [row.peer for row in table.rows] == ["python", None]
    assert [column.title for column in table.columns()][-1] == "Times as fast"
    text = table.to_markdown()
    assert "| 4,000 |" in text  # a second
    assert "| python | 20.0 | 200.00 |" in text
    assert "threads" in text
    frame = table.to_polars()
    assert frame["peer_rate"].to_list() == [20.0, None]
    assert {"processor", "threads", "seconds", "memory", "compile_seconds"} <= set(frame.columns)


def test_the_readme_takes_the_ratios_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddscalc.bench.results.measure_apart", fake)
    text = (pages.ROOT / "README.md").read_text(encoding="utf-8")
    table = pages.ratios(pages.measured("cli", quick=True).rows)
    assert len(table.splitlines()) == 2  # a bare process is no peer to boast of
    table = pages.ratios(pages.measured("euchre", quick=True).rows)
    assert "| a hold | `endplay` | 200 |" in table
    once = pages.with_ratios(text, table)
    assert once.count(table) == 1
    assert pages.with_ratios(once, table) == once
    assert once.partition(pages.END)[2] == text.partition(pages.END)[2] != ""


def test_an_unknown_or_missing_peer_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="There is no peer 'gnubg'"):
        bench(["hold"], against=["gnubg"])
    monkeypatch.setitem(PEERS, "endplay", ("no_such_module", "oddscalc[bench]"))
    with pytest.raises(OddscalcError, match=r"'endplay' is not installed.*'oddscalc\[bench\]'"):
        bench(["hold"], against=["endplay"])


def test_a_process_is_measured(tmp_path: Path) -> None:
    found = measure_apart("help", None, tmp_path)
    assert found.name == "help"
    assert found.runs >= measuring.FEWEST_RUNS
    assert 5 < found.memory < 2000
    assert found.compile_seconds == 0
    with pytest.raises(OddscalcError, match="'nothing' failed with exit code 1"):
        measure_apart("nothing", None, tmp_path)


def test_the_command_writes_json_and_parquet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("oddscalc.bench.results.measure_apart", fake)
    path = tmp_path / "bench.parquet"
    with pytest.raises(SystemExit) as end:
        main(["bench", "cli", "--against", "python", "--json", "-o", str(path)])
    assert end.value.code == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == "oddscalc.bench/1"
    assert [row["name"] for row in answer["rows"]] == list(SUITES["cli"])
    assert {"processor", "threads", "load", "python", "numba", "oddscalc"} == set(answer["machine"])
    assert pl.read_parquet(path).height == len(SUITES["cli"])


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["bench", "poker"], 2, "There is no benchmark 'poker'"),
        (["bench", "--against", "gnubg"], 2, "There is no peer 'gnubg'"),
        (["bench", "-o", "bench.csv"], 2, "accepted: NAME.parquet"),
    ],
)
def test_wrong_words_are_refused(
    words: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == code
    assert sentence in capsys.readouterr().err
