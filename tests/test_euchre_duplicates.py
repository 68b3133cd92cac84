"""Styles against each other over duplicate deals: the same points however they are worked out."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddscalc.errors import InputError, StoreError
from oddscalc.euchre import duplicates
from oddscalc.euchre.closed import STYLES, skill_of
from oddscalc.euchre.duplicates import (
    Duplicates,
    bid_hands,
    duplicates_part,
    duplicates_spec,
    makers_points,
    play_duplicates,
)
from oddscalc.euchre.rules import load_game
from oddscalc.jobs import Job
from tests.test_jobs import content

FEW, PLAIN = skill_of(9), skill_of(5, ())


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "_STEP", 25)


def play(folder: Path, style: int = FEW, other: int = PLAIN, seed: int = 3) -> Duplicates:
    return play_duplicates("four-handed", style, other, folder, deals=110, seed=seed)


def test_the_same_for_any_threads_and_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODDSCALC_THREADS", "1")
    found = play(tmp_path / "one")
    assert found.deals == 110
    monkeypatch.setenv("ODDSCALC_THREADS", "2")
    assert play(tmp_path / "two") == found

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    game = load_game("four-handed")
    job = Job(duplicates_spec(game, FEW, PLAIN, 110, 3), tmp_path / "broken")
    with pytest.raises(KeyboardInterrupt):
        job.run(partial(duplicates_part, game), progress=stop)
    assert 0 < len(job.missing()) < job.spec.chunks
    assert play(tmp_path / "broken") == found
    assert content(tmp_path / "one") == content(tmp_path / "two") == content(tmp_path / "broken")


def test_the_same_on_a_cluster(tmp_path: Path) -> None:
    asked = ("four-handed", STYLES["rules"], STYLES["random"])
    here = play_duplicates(*asked, tmp_path / "here", deals=110)
    assert play_duplicates(*asked, tmp_path / "there", deals=110, cluster="local:2") == here
    assert here.gain > 0


def test_a_style_gains_nothing_on_itself_and_loses_what_the_other_gains(tmp_path: Path) -> None:
    same = play(tmp_path / "same", FEW, FEW)
    assert (same.gain, same.stderr, same.as_makers, same.as_defenders) == (0, 0, 0, 0)
    assert play(tmp_path / "b", PLAIN, FEW).gain == -play(tmp_path / "a").gain != 0


def test_another_seed_or_style_is_another_job(tmp_path: Path) -> None:
    play(tmp_path / "job", STYLES["random"], STYLES["rules"])
    with pytest.raises(StoreError, match="seed is 3, not 4"):
        play(tmp_path / "job", STYLES["random"], STYLES["rules"], seed=4)
    with pytest.raises(StoreError, match="style is"):
        play(tmp_path / "job", STYLES["open"], STYLES["rules"])


@pytest.mark.parametrize("asked", [{"deals": 1}, {"seed": -1}, {"seed": 1 << 63}], ids=str)
def test_what_cannot_be_is_refused(tmp_path: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="accepted"):
        play_duplicates("four-handed", FEW, PLAIN, tmp_path, **asked)


@pytest.mark.parametrize("name", ["four-handed", "three-handed", "two-handed"])
def test_deals_of_chunks_are_bid_and_differ(name: str) -> None:
    game = load_game(name)
    spec = duplicates_spec(game, 0, 0, 60, 5)
    chunks = [bid_hands(game, spec, index) for index in range(spec.chunks)]
    assert [sum(len(made.deals) for made in hands) for hands in chunks] == [25, 25, 10]
    rows = np.concatenate([made.deals for hands in chunks for made in hands])
    assert len(np.unique(rows, axis=0)) == 60
    for made in chunks[0]:
        numbers = range(made.first, made.first + len(made.deals))
        assert numbers.stop <= 25
        assert made.play.bid.trump in range(4)
    points = makers_points(game, chunks[1], STYLES["open"], STYLES["rules"])
    assert points.shape == (25,)
