"""The odds of bids: reference hands, invariance, choices without hidden cards, tables, refusals."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import polars as pl
import pytest

from oddscalc.errors import InputError, StoreError
from oddscalc.euchre import bids, frames
from oddscalc.euchre.bid_table import write_bid_table
from oddscalc.euchre.bids import Action, BidOdds
from oddscalc.euchre.classes import hand_classes
from oddscalc.euchre.notation import card_name, read_card
from oddscalc.euchre.rules import EuchreGame, load_game

bid_odds = partial(bids.bid_odds, play="open")
bid_odds_frame = partial(frames.bid_odds_frame, play="open")

BLACK_SWAP = {0: 1, 1: 0, 2: 2, 3: 3}
COLOUR_SWAP = {0: 2, 1: 3, 2: 1, 3: 0}
REDS_SWAP = {0: 0, 1: 1, 2: 3, 3: 2}


def by_name(answer: BidOdds) -> dict[str, Action]:
    return {str(action): action for action in answer.actions}


def renamed(text: str, suits: dict[int, int]) -> str:
    cards = (read_card(word, 24) for word in text.split())
    return " ".join(card_name(8 * suits[card >> 3] + (card & 7)) for card in cards)


def figures(answer: BidOdds, suits: dict[int, int]) -> dict[tuple[object, ...], object]:
    found: dict[tuple[object, ...], object] = {}
    for action in answer.actions:
        values = action.to_dict()
        trump = None if action.trump is None else suits[action.trump]
        del values["trump"], values["discard"], values["runner_up"]
        found[action.action, trump, action.alone] = values
    return found


# Reference hands


@pytest.mark.parametrize(
    ("hand", "alone", "sees", "euchred", "made", "march", "points"),
    [
        ("JC TS AS AH TD", False, False, 0.0, 11.4, 88.6, None),
        ("JC TS AS AH TD", False, True, 0.0, 7.2, 92.8, 1.93),
        ("JC TS AS AH TD", True, False, 0.0, 11.3, 88.7, 3.66),
        ("AS KS 9H TD AC", False, True, 1.6, 59.5, 38.9, 1.34),
        ("AS KS 9H TD AC", False, False, 4.1, 72.8, 23.0, 1.11),
        ("JC QC JH AH 9D", False, False, None, None, None, 0.73),
    ],
)
def test_reference_hands(
    hand: str,
    alone: bool,
    sees: bool,
    euchred: float | None,
    made: float | None,
    march: float | None,
    points: float | None,
) -> None:
    answer = bid_odds(hand, up="JS", seat="dealer", seed=1, dealer_sees=sees)
    action = by_name(answer)["take ♠ alone" if alone else "take ♠"]
    assert answer.method == "monte-carlo"
    assert answer.deals == 20_000
    wanted = (euchred, made, march)
    for share, percent in zip(
        (action.p_euchred, action.p_made, action.p_march), wanted, strict=True
    ):
        if percent is not None and share is not None:
            # The reference was sampled too, and is printed to a tenth of a percent.
            error = (2 * share * (1 - share) / 20_000) ** 0.5
            assert abs(share - percent / 100) <= 4 * error + 0.0005
    if points is not None and action.points is not None and action.stderr is not None:
        assert abs(action.points - points) <= 4 * 2**0.5 * action.stderr + 0.005


def test_two_handed_reference_is_exact() -> None:
    asked = {"up": "9S", "seat": "1", "game": "two-handed"}
    answer = bid_odds("JS KS AS AH 9D", dealer_sees=True, **asked)  # type: ignore[arg-type]
    order = by_name(answer)["order ♠"]
    assert answer.method == "exact"
    assert answer.deals == 8568
    assert (order.p_euchred, order.stderr) == (0, 0)
    assert order.p_march == 792 / 8568
    assert order.p_made == (2150 + 5626) / 8568
    assert order.points == pytest.approx(1.092437, abs=5e-7)


# Invariance


@pytest.mark.parametrize("suits", [BLACK_SWAP, COLOUR_SWAP, REDS_SWAP])
@pytest.mark.parametrize(
    ("game", "seat", "bidding_round"),
    [
        ("two-handed", "dealer", 1),
        ("two-handed", "1", 1),
        ("two-handed", "1", 2),
        ("three-handed", "2", 1),
        ("four-handed", "dealer", 1),
        ("four-handed", "2", 2),
    ],
)
def test_names_of_suits_do_not_matter(
    suits: dict[int, int], game: str, seat: str, bidding_round: int
) -> None:
    hand, up = "JS AS 9C KH TD", "TS"
    asked = {"seat": seat, "bidding_round": bidding_round, "game": game, "deals": 500}
    answer = bid_odds(hand, up=up, **asked)  # type: ignore[arg-type]
    other = bid_odds(renamed(hand, suits), up=renamed(up, suits), **asked)  # type: ignore[arg-type]
    same = {suit: suit for suit in range(4)}
    assert figures(answer, suits) == figures(other, same)


@pytest.mark.parametrize("game", ["two-handed", "three-handed", "four-handed"])
def test_threads_do_not_matter(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"up": "TS", "seat": "dealer", "game": game, "deals": 300}
    answers = []
    for threads, rows in (("1", 2048), ("2", 50), ("3", 7)):
        monkeypatch.setenv("ODDSCALC_THREADS", threads)
        monkeypatch.setattr("oddscalc.euchre.plays._CHUNK", rows)
        answers.append(bid_odds("JS AS 9C KH TD", **asked).to_dict())  # type: ignore[arg-type]
    assert answers[0] == answers[1] == answers[2]


def test_exact_does_not_depend_on_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"up": "TS", "seat": "1", "trump": "S", "exact": True, "game": small_loners()}
    whole = bid_odds("JS AS 9C KH TD", **asked).to_dict()  # type: ignore[arg-type]
    monkeypatch.setattr("oddscalc.euchre.counting._CHUNK", 777)
    monkeypatch.setenv("ODDSCALC_THREADS", "1")
    assert bid_odds("JS AS 9C KH TD", **asked).to_dict() == whole  # type: ignore[arg-type]


def small_loners() -> EuchreGame:
    """Return a game with two opponents and no dummy: 11,027,016 deals."""
    return replace(load_game("three-handed"), dummy=0, alone=False)


# Sampled against counted


@pytest.mark.parametrize("seat", ["1", "2", "dealer"])
def test_sampled_figures_are_near_the_counted_ones(seat: str) -> None:
    game = small_loners()
    said: list[str] = []
    hand = "JS AS 9C KH AD"
    counted = bid_odds(hand, up="TS", seat=seat, game=game, exact=True, announce=said.append)
    sampled = bid_odds(hand, up="TS", seat=seat, game=game, seed=3)
    assert counted.method == "exact"
    assert counted.deals == 11_027_016
    assert said[0].startswith("Counting all 11,027,016 deals as ")
    exact, near = counted.actions[0], sampled.actions[0]
    assert exact.discard == near.discard
    assert exact.points is not None and near.points is not None and near.stderr is not None  # noqa: PT018
    assert abs(exact.points - near.points) < 4 * near.stderr
    for share, guess in ((exact.p_euchred, near.p_euchred), (exact.p_march, near.p_march)):
        assert share is not None and guess is not None  # noqa: PT018
        assert abs(share - guess) < 4 * (share * (1 - share) / 20_000) ** 0.5 + 1e-9


def test_differences_have_their_own_smaller_error() -> None:
    actions = bid_odds("JS JC AS KH 9D", up="TS", seat="1").actions
    best, second = actions[0], actions[1]
    assert best.loss == best.loss_stderr == 0
    assert None not in (best.stderr, second.stderr, second.loss_stderr, second.points, best.points)
    assert second.loss == pytest.approx(best.points - second.points)  # type: ignore[operator]
    independent = (best.stderr**2 + second.stderr**2) ** 0.5  # type: ignore[operator]
    assert 0 < second.loss_stderr < independent  # type: ignore[operator]


def test_more_deals_begin_with_the_same_ones() -> None:
    few = bid_odds("JS JC AS KH 9D", up="TS", seat="1", deals=300).actions[0]
    more = bid_odds("JS JC AS KH 9D", up="TS", seat="1", deals=600).actions[0]
    assert few.p_march is not None and more.p_march is not None  # noqa: PT018
    assert 300 * few.p_march <= 600 * more.p_march <= 300 * few.p_march + 300


def test_sees_is_never_worse_than_one_discard() -> None:
    for hand in ("AS KS 9H TD AC", "9H TH 9D TD QD"):
        fixed = by_name(bid_odds(hand, up="JS", seat="dealer", deals=2000))["take ♠"]
        seen = by_name(bid_odds(hand, up="JS", seat="dealer", deals=2000, dealer_sees=True))
        assert seen["take ♠"].points >= fixed.points  # type: ignore[operator]


# Left bower, joker, actions


def test_left_bower_is_a_trump() -> None:
    """J♣ beats the ace of trumps, and is no club."""
    with_left = bid_odds("JC KS QS AH AD", up="9S", seat="1", game="two-handed").actions[0]
    without = bid_odds("TC KS QS AH AD", up="9S", seat="1", game="two-handed").actions[0]
    assert with_left.points > without.points  # type: ignore[operator]


def test_loner_with_five_highest_trumps_always_takes_all() -> None:
    best = bid_odds("JS JC AS KS QS", up="9H", seat="2", bidding_round=2, deals=500).actions[0]
    assert str(best) == "name ♠ alone"
    assert (best.p_march, best.points) == (1.0, 4.0)


def test_hopeless_loner_throws_the_lowest_card() -> None:
    answer = bid_odds("9H TH 9D TD QD", up="9S", seat="dealer", deals=300)
    assert by_name(answer)["take ♠ alone"].discard in (read_card("9H"), read_card("9D"))


def test_actions_of_both_rounds() -> None:
    four = bid_odds("JS JC AS KH 9D", up="TH", seat="2", bidding_round=2, deals=50)
    assert {str(a) for a in four.actions} == {
        *(f"name {s}{alone}" for s in "♠♣♦" for alone in ("", " alone")),
        "pass",
    }
    stuck = replace(load_game("four-handed"), stick_the_dealer=True)
    dealer = bid_odds(
        "JS JC AS KH 9D", up="TH", seat="dealer", bidding_round=2, deals=50, game=stuck
    )
    assert "pass" not in by_name(dealer)
    joker = replace(load_game("four-handed"), deck=25)
    names = {
        str(a) for a in bid_odds("JS JC AS KH 9D", up="Jo", seat="1", game=joker, deals=50).actions
    }
    assert {"order ♠", "order ♥", "order ♦", "order ♣ alone"} < names


@pytest.mark.parametrize("deck", [25, 32])
def test_other_decks(deck: int) -> None:
    game = replace(load_game("two-handed"), deck=deck)
    answer = bid_odds("JS AS KS AH 9D", up="9S", seat="dealer", game=game)
    assert answer.deals == {25: 11_628, 32: 65_780}[deck]
    points = answer.actions[0].points
    assert points is not None
    assert 1 < points < 2


def test_dummy_makes_the_maker_stronger() -> None:
    answer = by_name(bid_odds("JS AS KS AH 9D", up="9S", seat="1", game="three-handed", deals=400))
    bare = small_loners()
    without = bid_odds("JS AS KS AH 9D", up="9S", seat="1", game=bare, deals=400).actions[0]
    assert answer["order ♠"].points > without.points  # type: ignore[operator]


def test_swept_is_told_apart_where_it_counts() -> None:
    game = load_game("two-handed")
    harsh = replace(game, points=replace(game.points, swept=7))
    hand, asked = "9H TH 9D TD QD", {"up": "9S", "seat": "1"}
    mild = bid_odds(hand, game=game, **asked).actions[0]  # type: ignore[arg-type]
    swept = bid_odds(hand, game=harsh, **asked).actions[0]  # type: ignore[arg-type]
    assert mild.p_euchred == swept.p_euchred
    assert swept.points < mild.points  # type: ignore[operator]


# What the answer says


def test_answer_says_how_it_was_obtained() -> None:
    answer = bid_odds("JS AS 9C KH TD", up="TS", seat="1", game="three-handed", deals=60)
    words = " ".join(answer.notes())
    for said in (
        "open hands",
        "seed 0",
        "Pass",
        "the lowest card of the shortest side suit",
        "dummy",
    ):
        assert said in words
    content = json.loads(answer.to_json())
    assert content["schema"] == "oddscalc.euchre.bid/1"
    assert (content["play"], content["method"], content["deals"]) == ("open", "monte-carlo", 60)
    assert content["actions"][-1]["action"] == "pass"
    assert content["actions"][-1]["points"] is None
    keys = {"action", "trump", "alone", "discard", "p_euchred", "p_made", "p_march", "points"}
    assert keys | {"stderr", "win"} <= set(content["actions"][0])
    points = [action["points"] for action in content["actions"][:-1]]
    assert points == sorted(points, reverse=True)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"hand": "JS AS 9C KH"}, "4 cards"),
        ({"hand": "JS AS 9C KH TD 9D"}, "6 cards"),
        ({"hand": "JS AS JS KH TD"}, "JS"),
        ({"hand": "JS AS 9C KH 7D"}, "7D"),
        ({"up": "JS"}, "JS"),
        ({"seat": "north"}, "north"),
        ({"bidding_round": 3}, "3"),
        ({"bidding_round": 2, "trump": "spades"}, "spades"),
        ({"trump": "hearts"}, "hearts"),
        ({"deals": 0}, "0 deals"),
        ({"seed": -1}, "-1"),
        ({"game": "five-handed"}, "five-handed"),
    ],
)
def test_wrong_input_is_named(change: dict[str, object], word: str) -> None:
    asked = {"hand": "JS AS 9C KH TD", "up": "TS", "seat": "1", "deals": 10} | change
    hand = str(asked.pop("hand"))
    with pytest.raises(InputError, match=word):
        bid_odds(hand, **asked)  # type: ignore[arg-type]


# Frames and tables


def test_frame_of_hands_is_what_each_hand_gives() -> None:
    frame = pl.DataFrame(
        {
            "hand": ["JS AS 9C KH TD", "JH JD AH KH 9S"],
            "up": ["TS", "9C"],
            "seat": ["dealer", "1"],
            "round": [1, 2],
        }
    )
    table = bid_odds_frame(frame, deals=200, seed=4)
    for asked in frame.iter_rows(named=True):
        alone = bid_odds(
            asked["hand"],
            up=asked["up"],
            seat=asked["seat"],
            bidding_round=asked["round"],
            deals=200,
            seed=4,
        )
        rows = table.filter(pl.col("hand") == asked["hand"])
        assert rows["points"].to_list() == [action.points for action in alone.actions]
        assert rows["n"].to_list()[0] == 200
    with pytest.raises(InputError, match="Row 1"):
        bid_odds_frame(frame.with_columns(up=pl.Series(["TS", "JH"])))
    with pytest.raises(InputError, match="seat"):
        bid_odds_frame(frame.drop("seat"))


def test_hand_classes_of_24_cards() -> None:
    classes = hand_classes(24)
    assert len(classes) == 6 * 17_633
    assert classes.sizes.sum() == 24 * 33_649
    assert len(hand_classes(25)) == 140_274


def test_table_gives_what_each_hand_gives(tmp_path: Path) -> None:
    random = Random(7)
    for discard_upcard in (True, False):
        game = replace(load_game("two-handed"), discard_upcard=discard_upcard)
        start = random.randrange(100_000)
        path = tmp_path / f"{discard_upcard}.parquet"
        some = range(start, start + 40)
        assert write_bid_table(game, path, classes=some) == 40 * 2 * (2 + 4)
        table = pl.read_parquet(path)
        keys = ["hand", "up", "seat", "round"]
        for (hand, up, seat, number), rows in table.group_by(keys, maintain_order=True):
            asked = {"up": up, "seat": seat, "bidding_round": number, "game": game}
            answer = bid_odds(str(hand), **asked)
            wanted = [action.to_dict() for action in answer.actions]
            for row, action in zip(rows.iter_rows(named=True), wanted, strict=True):
                for key in ("action", "trump", "alone", "discard", "runner_up"):
                    assert row[key] == action[key], (hand, up, seat)
                for key in ("p_euchred", "p_made", "p_march", "points", "loss", "runner_up_loss"):
                    assert row[key] == pytest.approx(action[key], abs=1e-12)


def test_table_resumes_and_refuses_other_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oddscalc.euchre.bid_table._CLASSES_SAMPLED", 2)
    whole, broken = tmp_path / "whole.parquet", tmp_path / "broken.parquet"
    asked = {"rounds": (1,), "deals": 40, "seed": 3, "classes": range(100, 104)}
    write_bid_table("four-handed", whole, **asked)  # type: ignore[arg-type]

    def interrupt(done: int, total: int) -> None:
        if done >= total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_bid_table("four-handed", broken, progress=interrupt, **asked)  # type: ignore[arg-type]
    assert not broken.exists()
    with pytest.raises(StoreError, match="another job: seed is 3, not 4"):
        write_bid_table("four-handed", broken, **(asked | {"seed": 4}))  # type: ignore[arg-type]
    with pytest.raises(StoreError, match=r'another job: game\.name is "four-handed"'):
        write_bid_table("three-handed", broken, **asked)  # type: ignore[arg-type]
    seen: list[int] = []
    write_bid_table("four-handed", broken, progress=lambda done, total: seen.append(done), **asked)  # type: ignore[arg-type]
    assert broken.read_bytes() == whole.read_bytes()
    assert not broken.with_name("broken.parquet.parts").exists()
    about = pl.read_parquet_metadata(whole)
    assert about["oddscalc.seed"] == "3"
    assert about["oddscalc.method"] == "monte-carlo"
    assert "open hands" in about["oddscalc.play"]
    assert len(about["oddscalc.game_fingerprint"]) == 32


@pytest.mark.parametrize("classes", [range(105_797, 105_799), range(-1, 1), range(5, 5)])
def test_table_refuses_classes_that_are_none(tmp_path: Path, classes: range) -> None:
    with pytest.raises(InputError, match=rf"{re.escape(str(classes))} .* from 0 to 105797"):
        write_bid_table("two-handed", tmp_path / "some.parquet", classes=classes)
    assert list(tmp_path.iterdir()) == []


# The dummy


@pytest.mark.parametrize("alone", [False, True])
def test_counted_deals_include_a_dummy_not_seen(alone: bool) -> None:
    game = replace(load_game("two-handed"), dummy=1, alone=alone)
    answer = bid_odds("JS AS 9C KH TD", up="TS", seat="1", game=game, exact=True)
    assert answer.method == "exact"
    assert {action.deals for action in answer.actions[:-1]} == {answer.deals} == {18 * 6188}
    assert "all 111,384 possible deals" in answer.notes()[0]
    sampled = by_name(bid_odds("JS AS 9C KH TD", up="TS", seat="1", game=game, deals=5000))
    for name, exact in by_name(answer).items():
        near = sampled[name]
        if name != "pass":
            assert exact.points is not None and near.points is not None and near.stderr  # noqa: PT018
            assert abs(exact.points - near.points) < 4 * near.stderr


def test_dummy_in_view_gives_the_five_to_keep() -> None:
    asked = {"up": "9S", "seat": "1", "game": "three-handed"}
    answer = bid_odds("JS AS KS AH 9D", dummy="TS KH QH 9C AC", **asked)  # type: ignore[arg-type]
    assert answer.method == "exact"
    assert answer.deals == 72_072
    (order,) = answer.actions
    assert order.keep is not None
    assert {card_name(card) for card in order.keep} in (
        {"JS", "AS", "KS", "TS", "AH"},
        {"JS", "AS", "KS", "TS", "AC"},
    )
    assert order.runner_up_keep not in (None, order.keep)
    assert "next best" in " ".join(answer.notes())
    assert answer.to_dict()["actions"][0]["keep"] == [card_name(card) for card in order.keep]


def test_dealer_keeps_five_of_hand_upcard_and_dummy() -> None:
    asked = {"up": "9S", "seat": "dealer", "game": "three-handed"}
    answer = bid_odds("JS AS KD AH 9D", dummy="TS KH QH 9C AC", **asked)  # type: ignore[arg-type]
    keep = answer.actions[0].keep
    assert keep is not None
    assert {"JS", "AS", "TS", "9S"} < {card_name(card) for card in keep}


@pytest.mark.parametrize(
    ("dummy", "game", "word"),
    [
        ("TS KH QH 9C", "three-handed", "4 cards"),
        ("TS KH QH 9C 9S", "three-handed", "9S"),
        ("JS KH QH 9C AC", "three-handed", "JS"),
        ("TS KH QH 9C AC", "four-handed", "four-handed"),
    ],
)
def test_wrong_dummies_are_named(dummy: str, game: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        bid_odds("JS AS KS AH 9D", up="9S", seat="1", game=game, dummy=dummy)
