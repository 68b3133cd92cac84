"""Playing for a score, for the pot and for the settlement; the distribution as people see it."""

from __future__ import annotations

import io
import json
import logging
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from oddscalc import dice
from oddscalc.cli import main
from oddscalc.dice import solver
from oddscalc.errors import InputError
from tests.small_games import small_game
from tests.test_dice_simulation import play

SHORT = "poker-dice-short"


def test_the_usual_choice_stands_beside_the_best_one() -> None:
    """Far behind, one plays for the straight that the mean would not."""
    game = dice.load_game("poker-dice")
    card = dice.Scorecard.with_open(game, ["large-straight", "pair"], {}, 200)
    advice = dice.advise("23466", game=game, card=card, goal="beat:226")
    assert advice.usual is not None
    assert advice.usual.hold != advice.best.hold
    assert advice.usual.value < advice.best.value
    assert advice.usual == next(o for o in advice.options if o.hold == advice.usual.hold)
    assert any("The usual choice" in note and "less" in note for note in advice.notes())


def test_a_certain_and_an_impossible_total() -> None:
    game = dice.load_game("poker-dice")
    card = dice.Scorecard.with_open(game, ["chance"], {}, 150)
    for total, chance in ((155, 1.0), (180, 6**-5), (181, 0.0)):
        options = dice.advise("66666", game=game, card=card, goal=f"beat:{total}").options
        best = options[0]
        assert best.value == (chance if total != 180 else 1.0)
        assert best.expected_remaining is None
    # A last roll that falls short, and one that does not.
    last = dice.advise("12345", game=game, card=card, rolls_left=0, goal="beat:165")
    assert last.best.value == 1
    assert dice.advise("12345", game=game, card=card, rolls_left=0, goal="beat:166").best.value == 0


def test_the_last_player_of_a_pot_by_hand() -> None:
    """One die decides: five dice, chance alone is open, the best total is 170."""
    game = dice.load_game("poker-dice")
    card = dice.Scorecard.with_open(game, ["chance"], {}, 150)
    ask: dict[str, Any] = {"game": game, "card": card, "goal": "pot", "rolls_left": 0}
    shares = [
        dice.advise(roll, totals=[170, 120, 150], seat=3, **ask).best.value
        for roll in ("44444", "44445", "44443")
    ]
    assert shares == [0.5, 1.0, 0.0]
    two_ahead = dice.advise("44444", totals=[170, 170, 150], seat=3, **ask).best.value
    assert two_ahead == pytest.approx(1 / 3)
    # Told without one's own total, which the card shows.
    assert dice.advise("44444", totals=[170, 120], seat=3, **ask).best.value == 0.5


def test_last_turn_of_the_short_pot_by_hand() -> None:
    """The last of three needs 24 to share and 25 to win, from the second turn's last roll."""
    ask: dict[str, Any] = {
        "game": SHORT,
        "goal": "pot",
        "rolls_left": 0,
        "totals": [74, 12, 50],
        "seat": 3,
    }
    values = [dice.advise(roll, **ask).best.value for roll in ("66631", "66644", "66345", "66251")]
    #        three sixes 18, full house 26, straight 3456 18, a pair of sixes 12
    assert values == [0, 1, 0, 0]
    assert dice.advise("55662", **ask).best.value == 0  # 22
    assert dice.advise("66664", **ask).best.value == 0.5  # 24: shared


def test_turns_of_the_pot_hang_together() -> None:
    """Before a roll, a seat may expect what its advice says on average over all rolls."""
    from oddscalc.dice.lattice import lattice

    grid = lattice(5, 6)
    ways = np.array([grid.ways(roll) for roll in grid.rolls]) / 6**5
    for players in (2, 3):
        best = [
            dice.advise(roll, game=SHORT, goal="pot", totals=[0] * players, seat=1).best.value
            for roll in grid.rolls
        ]
        assert ways @ best == pytest.approx(dice.pot(players).win[0], abs=1e-9)


def test_naming_the_best_face_never_hurts() -> None:
    """A higher first total never lowers one's share, so that no lower face is worth naming."""
    from oddscalc.dice.pots import PotTable

    for players in (2, 3, 4):
        table = PotTable(dice.load_game(SHORT), players)
        firsts = table.first_totals()
        for seat in range(players):
            for earlier in ([firsts[0]] * seat, [firsts[-1]] * seat, [firsts[7]] * seat):
                shares, _ = table.first_turn(seat, earlier)
                arrays = table.arrays
                mine = np.flatnonzero(arrays.outcome_box == 0)
                order = mine[np.argsort(arrays.outcome_points[mine])]
                assert (np.diff(shares[order]) >= -1e-12).all()


@pytest.mark.parametrize(
    ("ask", "word"),
    [
        ({"goal": "pot"}, "no totals"),
        ({"goal": "pot", "totals": [50]}, "1 totals"),
        ({"goal": "pot", "totals": [50, 0]}, "no seat"),
        ({"goal": "pot", "totals": [50, 0], "seat": 4}, "the seat 4; accepted: 1 to 2"),
        ({"goal": "pot", "totals": [49, 0], "seat": 2}, "total 49 of seat 1 cannot be"),
        ({"goal": "pot", "totals": [0, 50], "seat": 1}, "Seat 2 has the total 50"),
        ({"goal": "pot", "totals": [500, 50], "seat": 2}, "total 500 of seat 1"),
        ({"goal": "mean", "seat": 2}, "goal 'mean'"),
        (
            {"goal": "pot", "totals": [50, 60, 70], "seat": 3, "game": "yacht"},
            "agree with the card",
        ),
        ({"goal": "beat:many"}, "'many' is not a total"),
        ({"goal": "beat:"}, "'' is not a total"),
    ],
)
def test_wrong_questions_about_a_pot(ask: dict[str, Any], word: str) -> None:
    with pytest.raises(InputError) as caught:
        dice.advise("12345", **{"game": SHORT, **ask})
    assert word in str(caught.value)


def test_earlier_seats_of_longer_games_are_refused_with_the_reason() -> None:
    with pytest.raises(InputError, match="exact for the last player"):
        dice.advise("12345", game="poker-dice", goal="pot", totals=[0, 0], seat=1)
    with pytest.raises(InputError, match="last player's turns only"):
        dice.pot(2, game="yatzy")
    with pytest.raises(InputError, match="5 players; accepted: 2 to 4"):
        dice.pot(5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_amount_won_agrees_with_simulated_tables(players: int) -> None:
    totals = play(dice.load_game(SHORT), 20_000 * players, seed=7).reshape(-1, players)
    amounts = totals[:, 0] - totals.mean(axis=1)
    found = dice.settle(players, game=SHORT)
    stderr = found.sd / np.sqrt(len(amounts))
    assert amounts.mean() == pytest.approx(0, abs=4 * stderr)
    assert amounts.std() == pytest.approx(found.sd, rel=0.03)
    for limit in (-20, 0, 20):
        chance = found.amounts.at_least(limit * players)
        error = np.sqrt(chance * (1 - chance) / len(amounts))
        assert (amounts >= limit - 1e-9).mean() == pytest.approx(chance, abs=4 * error)


def test_maximising_the_mean_is_the_best_play_for_the_stake() -> None:
    """Who plays to beat 100 instead wins less at the same table of players for the mean."""
    game = dice.load_game(SHORT)
    others = play(game, 60_000, seed=1).reshape(-1, 2)
    usual, bold = play(game, 30_000, seed=2), _play_to_beat(game, 100, 30_000, seed=2)
    stakes = [own - (own + others.sum(axis=1)) / 3 for own in (usual, bold)]
    difference = stakes[0] - stakes[1]
    assert difference.mean() > 4 * difference.std() / np.sqrt(len(difference))
    assert stakes[0].mean() == pytest.approx(0, abs=4 * stakes[0].std() / np.sqrt(30_000))


def _play_to_beat(game: dice.DiceGame, total: int, games: int, seed: int) -> np.ndarray:
    """Play the short game for a total, its few states and rolls asked for one by one."""
    from functools import cache

    first, second = (box.name for box in game.boxes)

    @cache
    def option(points: int | None, roll: tuple[int, ...], left: int) -> dice.HoldOption:
        card = dice.Scorecard(game, {} if points is None else {first: points})
        return dice.advise(roll, game=game, card=card, rolls_left=left, goal=f"beat:{total}").best

    generator = np.random.default_rng(seed)
    totals = np.zeros(games)
    for place in range(games):
        points: int | None = None
        for _ in (first, second):
            roll = tuple(sorted(generator.integers(1, 7, 5).tolist()))
            for left in (2, 1, 0):
                best = option(points, roll, left)
                if best.action == "score":
                    break
                fresh = generator.integers(1, 7, 5 - len(best.hold)).tolist()
                roll = tuple(sorted([*best.hold, *fresh]))
            assert best.points is not None
            totals[place] += best.points + (50 if points is None and best.points >= 0 else 0)
            points = best.points if points is None else points
    return totals


# As people see it.


def _run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(["dice", *args])
    out, err = capsys.readouterr()
    assert isinstance(caught.value.code, int)
    return caught.value.code, out, err


def test_json_of_outcomes(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "outcomes", SHORT, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["schema"] == "oddscalc.dice.outcomes/1"
    fields = {"mean", "sd", "min", "max", "quantiles", "p_bonus", "at_least"}
    assert fields <= set(found)
    totals = [row["total"] for row in found["at_least"]]
    assert totals == list(range(found["min"], found["max"] + 1))
    assert found["at_least"][0]["probability"] == pytest.approx(1, abs=1e-12)
    assert found["p_bonus"] == pytest.approx(234053 / 314928, abs=1e-9)


def test_json_of_beat_pot_and_settlement(capsys: pytest.CaptureFixture[str]) -> None:
    beat = json.loads(_run(capsys, "beat", "74", "--game", SHORT, "--json")[1])
    assert beat["schema"] == "oddscalc.dice.beat/1"
    assert beat["probability"] > beat["usual"] > 0
    pot = json.loads(_run(capsys, "pot", "--players", "3", "--json")[1])
    assert sum(pot["win"]) == pytest.approx(1)
    settled = json.loads(_run(capsys, "outcomes", SHORT, "--settle", "2", "--json")[1])
    assert settled["mean"] == 0
    assert sum(row["chance"] for row in settled["amounts"]) == pytest.approx(1)
    assert {row["amount"] for row in settled["amounts"]} >= {-10.5, 0.0, 10.5}


def test_the_terminal_shows_bars(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _run(capsys, "outcomes", SHORT)
    assert "█" * 30 in out
    assert "70 to 79" in out
    _, every, _ = _run(capsys, "outcomes", SHORT, "--format", "csv")
    frame = pl.read_csv(io.StringIO(every))
    assert frame.columns == ["total", "chance", "at_least"]
    assert frame["chance"].sum() == pytest.approx(1)


def test_outcomes_from_the_middle_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["outcomes", SHORT, "--filled", "three-alike=6", "--json"]
    found = json.loads(_run(capsys, *args)[1])
    # 56 on the card, then a combination of nothing to five sixes on the first roll.
    assert (found["min"], found["max"]) == (56, 56 + 110)
    assert found["mean"] == pytest.approx(56 + 24.496816776, abs=1e-8)


@pytest.mark.parametrize("ending", ["svg", "PNG", "pdf"])
def test_charts(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"totals.{ending}"
    assert _run(capsys, "outcomes", SHORT, "--plot", str(file))[0] == 0
    head = file.read_bytes()[:200]
    assert {"svg": b"<svg", "PNG": b"\x89PNG", "pdf": b"%PDF"}[ending] in head


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["outcomes", SHORT, "--plot", "totals.jpg"], 2, ["totals.jpg", ".svg, .png"]),
        (["outcomes", SHORT, "--plot", "nowhere/totals.svg"], 2, ["no folder 'nowhere'"]),
        (["outcomes", SHORT, "--settle", "1"], 2, ["1 players", "2 to 8"]),
        (["outcomes", SHORT, "--settle", "2", "--filled", "three-alike=0"], 2, ["--settle"]),
        (["beat", "many"], 2, ["many"]),
        (["beat", "100", "--game", "yatsy"], 2, ["'yatsy'"]),
        (["pot", "--players", "9"], 2, ["9 players", "2 to 4"]),
        (["pot", "--game", "yatzy"], 2, ["'yatzy'", "poker-dice-short"]),
        (["hold", "12345", "-g", SHORT, "--goal", "pot", "--totals", "a,b"], 2, ["'a'"]),
    ],
)
def test_wrong_input(
    capsys: pytest.CaptureFixture[str], args: list[str], code: int, words: list[str]
) -> None:
    found, _, err = _run(capsys, *args)
    assert found == code
    assert "Traceback" not in err
    assert all(word in err for word in words)


def test_a_missing_extra_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['altair'] = None\n"
        "from oddscalc.cli import main\n"
        f"main(['dice', 'outcomes', '{SHORT}', '--plot', 'totals.svg'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'oddscalc[plots]'" in done.stderr


def test_every_total_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    some, every = (_run(capsys, "outcomes", SHORT, *more)[1] for more in ([], ["--all"]))
    assert every.count("\n") > 150 > some.count("\n")


def test_a_card_of_another_game_is_refused() -> None:
    card = dice.Scorecard(dice.load_game("yahtzee"), {"yahtzee": 50})
    for ask in (
        lambda: dice.advise("12345", game="poker-dice", card=card),
        lambda: dice.beat(200, game="poker-dice", card=card),
        lambda: dice.outcomes("poker-dice", card=card),
        lambda: dice.solve("poker-dice").remaining(card),
    ):
        with pytest.raises(InputError, match="one of 'yahtzee'; accepted: 'poker-dice'"):
            ask()


# Tables on disk.


def test_a_damaged_layer_is_noticed_when_it_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ODDSCALC_CACHE", str(tmp_path))
    before = dice.beat(74, game=SHORT).probability
    layer = max(tmp_path.glob("dice-beat-*/part-*.table"))  # all boxes open
    content = bytearray(layer.read_bytes())
    for place in range(len(content) - 700, len(content)):
        content[place] ^= 0x55
    layer.write_bytes(content)
    with caplog.at_level(logging.WARNING, "oddscalc"):
        assert dice.beat(74, game=SHORT).probability == before
    assert "built again" in caplog.text


def test_building_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDSCALC_CACHE", str(tmp_path))
    whole = dice.beat(150, game="yacht").probability

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    for folder in tmp_path.glob("dice-beat-*/"):
        shutil.rmtree(folder)
    with pytest.raises(KeyboardInterrupt):
        dice.beat(150, game="yacht", progress=stop)
    kept = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("dice-beat-*/part-*")}
    assert kept
    assert dice.beat(150, game="yacht").probability == whole
    after = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("dice-beat-*/part-*")}
    assert kept.items() <= after.items()


def test_a_large_game_is_solved_in_layers_that_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As a game with too many states for one go, of which this one is not."""
    game = small_game("parts-in-turn-fixed-any")
    wanted = dice.solve(game).values.tobytes()
    monkeypatch.setattr(solver, "LARGE", 2)
    layers: list[int] = []

    def solved_again(folder: Path) -> bytes:
        monkeypatch.setenv("ODDSCALC_CACHE", str(folder))
        monkeypatch.setattr(solver, "_SOLVED", {})
        return dice.solve(game, progress=lambda done, total: layers.append(done)).values.tobytes()

    def stop(done: int, total: int) -> None:
        if done > total // 3:
            raise KeyboardInterrupt

    monkeypatch.setenv("ODDSCALC_CACHE", str(tmp_path))
    monkeypatch.setattr(solver, "_SOLVED", {})
    with pytest.raises(KeyboardInterrupt):
        dice.solve(game, progress=stop)
    kept = len(list(tmp_path.glob("dice-*.parts/part-*.table")))
    assert kept
    assert solved_again(tmp_path) == wanted
    assert len(layers) == len(game.boxes) - kept
    assert not list(tmp_path.glob("dice-*.parts"))
    (tmp_path / "file").touch()
    assert solved_again(tmp_path / "file") == wanted
    assert "It is solved without." in caplog.text


def test_what_takes_too_much_memory_is_refused_before_it_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver, "solve_arrays", None)
    for ask in (
        lambda: dice.outcomes("maxi-yatzy"),
        lambda: dice.beat(300, game="maxi-yatzy"),
        lambda: dice.advise("123456", game="maxi-yatzy", goal="beat:300"),
        lambda: dice.settle(3, game="maxi-yatzy"),
    ):
        with pytest.raises(InputError, match="33,456,128 states of 'maxi-yatzy'; accepted: games"):
            ask()


def test_the_same_bytes_for_any_number_of_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for count in ("1", "2", "5"):
        folder = tmp_path / count
        monkeypatch.setenv("ODDSCALC_CACHE", str(folder))
        monkeypatch.setenv("ODDSCALC_THREADS", count)
        dice.beat(74, game=SHORT)
        dice.pot(3)
        dice.outcomes("poker-dice")
        names = ("dice-beat", "dice-pot", "dice-outcomes")
        files = [file for name in names for file in sorted(folder.rglob(f"{name}*/*"))]
        files += [file for name in names for file in sorted(folder.glob(f"{name}*.table"))]
        found.append([(file.name, file.read_bytes()) for file in files])
        assert len(files) > 6
    assert found[0] == found[1] == found[2]
