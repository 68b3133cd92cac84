"""The race to the target: held against printed figures, a slow program and played matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddscalc.errors import ExportError, InputError
from oddscalc.euchre.bidding import bidding_policy
from oddscalc.euchre.hand_outcomes import HandOutcomes, read_outcomes
from oddscalc.euchre.matches import MatchTable, match_table, write_match_table
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.euchre.scores import points_by_side, read_score
from tests.oracle import matches as slow

GOLDEN = Path(__file__).parent / "golden" / "euchre_race.tsv"
FOUR, THREE, TWO = (load_game(f"{word}-handed") for word in ("four", "three", "two"))
# Four players without partners: four sides.
SOLO = replace(FOUR, name="solo", partners=False)
SIDES = {2: TWO, 3: THREE, 4: SOLO}

Points = tuple[int, ...]

PRINTED: dict[Points, float] = {
    (0, 1): 0.45,
    (0, 2): 0.16,
    (0, 4): 0.05,
    (1, 0): 0.17,
    (2, 0): 0.12,
    (4, 0): 0.05,
}
THREE_SIDES: dict[Points, float] = {
    (0, 0, 0): 0.05,
    (1, 0, 0): 0.2,
    (0, 1, 0): 0.15,
    (0, 0, 1): 0.3,
    (3, 0, 0): 0.03,
    (0, 0, 3): 0.07,
    (0, 2, 2): 0.08,
    (2, 0, 2): 0.07,
    (2, 2, 0): 0.05,
}


def table_of(
    chances: Mapping[Points, float], hands: int | None = None, target: int = 10
) -> MatchTable:
    outcomes = HandOutcomes(chances, "a test", hands)
    return match_table(replace(SIDES[outcomes.sides], target=target), outcomes)


@pytest.fixture(scope="module")
def printed() -> MatchTable:
    return match_table(FOUR, HandOutcomes(PRINTED, "printed"))


@pytest.fixture(scope="module")
def three() -> MatchTable:
    return table_of(THREE_SIDES)


@pytest.mark.parametrize("line", GOLDEN.read_text("utf-8").splitlines()[4:])
def test_printed_chances(line: str, printed: MatchTable) -> None:
    score, seat, win = line.split("\t")
    half_a_place = 0.5 * 10.0 ** -len(win.partition(".")[2])
    assert 100 * printed.win(score, seat).win == pytest.approx(float(win), abs=half_a_place + 1e-9)


def test_partners_share_a_chance(printed: MatchTable) -> None:
    assert printed.win("3-7", "1") == printed.win("3-7", "3")
    assert printed.win("3-7", "2") == printed.win("3-7", "dealer")
    assert printed.win("3-7", "1").win == pytest.approx(1 - printed.win("7-3", "2").win)


@st.composite
def weights(draw: st.DrawFn) -> dict[Points, int]:
    """Draw kinds of hands with whole weights: at least one side earns nothing."""
    sides = draw(st.integers(2, 4))
    points = st.tuples(*[st.integers(0, 3)] * sides).filter(lambda earned: not all(earned))
    found = draw(st.dictionaries(points, st.integers(1, 9), min_size=1, max_size=6))
    if not any(any(earned) for earned in found):
        found[(1,) + (0,) * (sides - 1)] = 1
    return found


@settings(max_examples=60)
@given(weights(), st.integers(1, 3))
def test_every_score_as_the_slow_program_says(counts: dict[Points, int], target: int) -> None:
    outcomes = HandOutcomes.counted(counts, "a test")
    game = replace(SIDES[outcomes.sides], target=target)
    table = match_table(game, outcomes)
    hands = {earned: Fraction(count, outcomes.hands) for earned, count in counts.items()}
    for score in product(range(target), repeat=outcomes.sides):
        # Chair 0 is the asker's, the chairs follow to the left: a dealer in chair d sees it as
        # the seat that many places before the last.
        for dealer in range(outcomes.sides):
            seat = game.seats[(game.dealer - dealer) % game.hands]
            expected = slow.race(target, hands, score, dealer)[0]
            assert table.win(score, seat).win == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_equal_players_win_equally_often(sides: int) -> None:
    corners: dict[Points, float] = {
        tuple(2 * (side == own) for side in range(sides)): 1 / sides for own in range(sides)
    }
    table = table_of(corners, target=5)
    for points in range(5):
        assert table.win([points] * sides, "1").win == pytest.approx(1 / sides)


def test_somebody_wins(three: MatchTable) -> None:
    np.testing.assert_allclose(three.chances.sum(axis=-1), 1, atol=1e-12)
    assert three.chances.shape == (10, 10, 10, 3)
    assert three.chances.min() > 0


@pytest.mark.parametrize("seat", THREE.seats)
def test_more_points_never_hurt(three: MatchTable, seat: str) -> None:
    own = three.seen_by(THREE.seat_index(seat))
    assert (np.diff(own, axis=0) > 0).all()
    for other in (1, 2):
        assert (np.diff(own, axis=other) < 0).all()


@pytest.mark.parametrize("seat", THREE.seats)
def test_a_hand_is_a_step_of_the_race(three: MatchTable, seat: str) -> None:
    for score in product((0, 4, 8, 9), repeat=3):
        now = three.win(score, seat).win
        assert three.win_after(THREE_SIDES, score, seat).win == pytest.approx(now, abs=1e-12)


def test_the_deal_moves_to_the_left(three: MatchTable) -> None:
    for seat, then in (("1", "dealer"), ("2", "1"), ("dealer", "2")):
        after = three.win_after({(0, 0, 0): 1.0}, "9-6-4", seat)
        assert after == three.win("9-6-4", then)


def test_hands_of_their_own(printed: MatchTable) -> None:
    hands = [(0, 0), (1, 0), (0, 2), (4, 0)]
    wins = printed.wins_after(hands, "6-8", "3").tolist()
    after = [printed.win("6-8", "dealer").win, printed.win("7-8", "dealer").win, 0.0, 1.0]
    assert wins == after
    assert printed.wins_after([], "6-8", "3").shape == (0,)


def test_who_wins_when_several_reach_the_target(three: MatchTable) -> None:
    hand: dict[Points, float] = {(2, 2, 0): 1.0}
    assert three.win_after(hand, "9-8-3", "1").win == 1
    assert three.win_after(hand, "8-9-3", "1").win == 0
    assert three.win_after(hand, "8-8-9", "1").win == 0.5


def test_played_matches(three: MatchTable) -> None:
    matches, kinds = 20_000, np.array(list(THREE_SIDES))
    draws = np.random.default_rng(5)
    score = np.tile((6, 4, 7), (matches, 1))  # from the first dealer's left
    for hand in range(100):
        going = np.flatnonzero(score.max(axis=1) < 10)
        earned = kinds[draws.choice(len(kinds), size=len(going), p=list(THREE_SIDES.values()))]
        score[going] += np.roll(earned, hand, axis=1)
    best = score == score.max(axis=1, keepdims=True)
    share = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    assert score.max(axis=1).min() >= 10
    chances = [
        three.win(said, s).win for said, s in (("6-4-7", "1"), ("4-7-6", "2"), ("7-6-4", "dealer"))
    ]
    assert share == pytest.approx(chances, abs=4 * 0.5 / matches**0.5)


def test_standard_errors_are_those_of_counting_again() -> None:
    hands, again = 500, 300
    kinds = list(THREE_SIDES)
    draws = np.random.default_rng(11)
    counts = draws.multinomial(hands, list(THREE_SIDES.values()), size=again)
    tables = [
        table_of({points: n / hands for points, n in zip(kinds, row, strict=True)}, target=5)
        for row in counts.tolist()
    ]
    told = table_of(THREE_SIDES, hands, target=5)
    for score, seat in (("0-0-0", "1"), ("4-2-3", "2"), ("1-4-4", "dealer")):
        spread = float(np.std([table.win(score, seat).win for table in tables]))
        # The spread of 300 is known to about four per cent.
        assert told.win(score, seat).stderr == pytest.approx(spread, rel=0.17)


def test_standard_error_of_a_sampled_hand(printed: MatchTable) -> None:
    # At 9-9 the hand decides: a share of 36 % in 400 hands.
    found = printed.win_after({(0, 1): 0.64, (1, 0): 0.36}, "9-9", "1", hands=400)
    assert found.win == pytest.approx(0.36)
    assert found.stderr == pytest.approx((0.36 * 0.64 / 400) ** 0.5)
    assert printed.win_after(PRINTED, "9-9", "1").stderr is None


def test_what_hands_earn_by_the_policy() -> None:
    table, policy = match_table("four-handed"), bidding_policy("four-handed")
    assert table.outcomes.chances == policy.outcomes
    assert table.outcomes.hands == policy.fresh
    assert policy.play in table.outcomes.obtained
    # The deal matters little at the start and much at the end.
    assert 0.49 < table.win("0-0", "dealer").win < 0.54
    assert table.win("9-9", "dealer").win > 0.6


def test_long_races() -> None:
    table = match_table(replace(FOUR, target=300), HandOutcomes(PRINTED, "printed"))
    assert table.chances.shape == (300, 300, 2)
    assert table.win("299-299", "dealer").win == pytest.approx(0.66)
    assert table.view(None)[1]["us"] == 30
    with pytest.raises(InputError, match="accepted: a target up to 100"):
        match_table(replace(THREE, target=101), HandOutcomes(THREE_SIDES, "a test"))


def test_outcomes_of_another_game() -> None:
    with pytest.raises(InputError, match="those of 2 sides; accepted: 3, as in 'three-handed'"):
        match_table("three-handed", HandOutcomes(PRINTED, "printed"))


@pytest.mark.parametrize(
    ("chances", "words"),
    [
        ({}, "sum to 0"),
        ({(0, 1): 0.5, (1, 0): 0.4}, "sum to 0.9"),
        ({(0, 1): 1.5, (1, 0): -0.5}, "chance of 0-1 is 1.5"),
        ({(0, 1): float("nan")}, "is nan"),
        ({(0, -1): 1.0}, "0--1 cannot be"),
        ({(0, 101): 1.0}, "0 to 100"),
        ({(1, 1): 1.0}, "go to every side"),
        ({(0, 1): 0.5, (0, 1, 0): 0.5}, "the same number throughout"),
        ({(1,): 1.0}, "two, three or four sides"),
        ({(0, 0): 1.0}, "No hand earns points"),
    ],
)
def test_chances_that_cannot_be(chances: dict[Points, float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        HandOutcomes(chances, "a test")


def test_counts_that_cannot_be() -> None:
    wrong: list[dict[Points, int]] = [{(0, 1): 0}, {(0, 1): 5, (1, 0): -1}, {}]
    for counts in wrong:
        with pytest.raises(InputError, match="at least one in all"):
            HandOutcomes.counted(counts, "a test")
    with pytest.raises(InputError, match="The hands are 0"):
        HandOutcomes({(0, 1): 1.0}, "a test", hands=0)


@pytest.mark.parametrize(
    "score", ["9-6", "9 6", " 9:6", "9–6", "9 – 6", "9,6", "9/6", "9 to 6", "09-06", (9, 6)]
)
def test_ways_to_tell_a_score(score: str | Points) -> None:
    assert read_score(score, FOUR, "1") == (9, 6)
    assert read_score(score, FOUR, "dealer") == (6, 9)


def test_scores_are_told_from_the_seat() -> None:
    told = [read_score("1-2-3", THREE, seat) for seat in THREE.seats]
    assert told == [(1, 2, 3), (3, 1, 2), (2, 3, 1)]
    assert read_score("1-2-3-4", SOLO, "2") == (4, 1, 2, 3)


@pytest.mark.parametrize(
    ("game", "score", "words"),
    [
        (FOUR, "9", r"'9' is not a score of this game; accepted: 2 numbers, yours first, US-THEM"),
        (FOUR, "9-6-4", "accepted: 2 numbers"),
        (THREE, "9-6", "accepted: 3 numbers, yours first, then from your left, as in 9-6-4"),
        (FOUR, "nine-six", "'nine-six' is not a score"),
        (FOUR, "9--6", "not a score"),
        (FOUR, "", "'' is not a score"),
        (FOUR, "٩-٦", "not a score"),
        (FOUR, "10-6", "has 10 points for a side, and 10 win the game; accepted: 0 to 9"),
        (FOUR, "9-" + "9" * 5000, "win the game"),
        (FOUR, (9, -6), "not a score"),
    ],
)
def test_scores_that_cannot_be(game: EuchreGame, score: str | Points, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_score(score, game, "1")


def test_points_go_to_sides() -> None:
    assert points_by_side(FOUR, 0, (4, 0)) == points_by_side(FOUR, 2, (4, 0)) == (4, 0)
    assert points_by_side(FOUR, 3, (0, 2)) == (2, 0)
    assert points_by_side(THREE, 2, (0, 2)) == (2, 2, 0)


def test_wrong_hands_after_a_score(printed: MatchTable) -> None:
    with pytest.raises(InputError, match="0-0-1 are those of 3 sides; accepted: 2, as in"):
        printed.win_after({(0, 0, 1): 1.0}, "9-6", "1")
    with pytest.raises(InputError, match=r"sum to 0\.5; accepted: 1"):
        printed.win_after({(0, 1): 0.5}, "9-6", "1")


def outcomes_file(folder: Path, text: str, name: str = "ours.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_outcomes_files(tmp_path: Path) -> None:
    counted = read_outcomes(outcomes_file(tmp_path, "[hands]\n0-1 = 3\n1-0 = 1\n"), FOUR)
    assert counted == HandOutcomes({(0, 1): 0.75, (1, 0): 0.25}, "ours.toml", 4)
    text = '{"source": "Fridays", "percent": {"0-2-2": 60.3, "1 0 0": 40}}'
    shares = read_outcomes(outcomes_file(tmp_path, text, "ours.json"), THREE)
    assert (shares.obtained, shares.hands) == ("Fridays", None)
    assert shares.chances == pytest.approx({(0, 2, 2): 60.3 / 100.3, (1, 0, 0): 40 / 100.3})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[hands", "neither JSON nor TOML"),
        ('{"hands"', "neither JSON nor TOML"),
        ("wins = 3", "'wins' is not a key here; accepted: source, hands, percent"),
        ("source = 'us'", "neither is given; accepted: one"),
        ("[hands]\n0-1 = 1\n[percent]\n0-1 = 100", "hands and percent are given; accepted: one"),
        ("hands = 3", "hands is 3; accepted: a table"),
        ("source = 3\n[hands]\n0-1 = 1", "source is 3; accepted: a text"),
        (f"source = '{'x' * 300}'\n[hands]\n0-1 = 1", "source has 300 characters"),
        ("[hands]\n0-1-0 = 1", "'0-1-0' are not the points of a hand; accepted: 2 numbers"),
        ("[hands]\nus = 1", "'us' are not the points of a hand"),
        ("[hands]\n1-1 = 1", "go to every side"),
        ("[hands]\n0-1 = 1.5", "hands.0-1 is 1.5; accepted: a whole number"),
        ("[hands]\n0-1 = true", "hands.0-1 is True"),
        ("[hands]\n0-1 = -1", "hands.0-1 is -1"),
        ("[hands]\n0-1 = 0", "at least one in all"),
        ("[hands]\n0-0 = 5", "No hand earns points"),
        ('[hands]\n0-1 = 5\n"0 1" = 4', "has the points 0-1 twice"),
        ("[percent]\n0-1 = 45\n1-0 = 54", "sum to 99; accepted: 99.5 to 100.5"),
        ("[percent]\n0-1 = 101", "accepted: a number up to 100"),
        ("[percent]\n0-1 = nan", "percent.0-1 is nan"),
    ],
)
def test_wrong_outcomes_files(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        read_outcomes(outcomes_file(tmp_path, text), FOUR)


def test_outcomes_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_outcomes(tmp_path / "none.toml", FOUR)


def test_frames_hold_every_score(printed: MatchTable, three: MatchTable) -> None:
    frame = printed.to_polars()
    assert frame.columns == ["seat", "us", "them", "win", "stderr"]
    assert frame.height == 4 * 100
    for seat, us, them, win, stderr in frame.sample(50, seed=1).rows():
        assert (win, stderr) == (printed.win((us, them), seat).win, None)
    for seat, *score, win, _ in three.to_polars().sample(50, seed=1).rows():
        assert win == three.win(score, seat).win


def test_parquet(tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "match.parquet"
    outcomes = HandOutcomes(THREE_SIDES, "a test", 1000)
    assert write_match_table("three-handed", path, outcomes) == 3000
    frame = pl.read_parquet(path)
    assert frame.columns == ["seat", "us", "left", "right", "win", "stderr"]
    assert frame["stderr"].null_count() == 0
    assert frame.equals(match_table("three-handed", outcomes).to_polars())
    about = pl.read_parquet_metadata(path)
    assert about["oddscalc.table"] == "euchre.match"
    assert '"obtained": "a test", "hands": 1000' in about["oddscalc.outcomes"]
    with pytest.raises(InputError, match=r"accepted: NAME\.parquet"):
        write_match_table("three-handed", tmp_path / "match.csv", outcomes)
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(ExportError):
        write_match_table("three-handed", tmp_path / "folder.parquet", outcomes)
