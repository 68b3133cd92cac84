"""Rule files: what is read, and the sentence for what is wrong."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddscalc import dice
from oddscalc.dice.rules import Alike, Count, Scoring, Straight, game_source
from oddscalc.errors import OddscalcError, RulesError, UnknownNameError

SMALL = """
title = "Small"
dice = 3
faces = 4
rolls = 2
[boxes]
aces = { kind = "count", face = 1, par = 1 }
pair = { kind = "alike", groups = [2], points = "dice", first_roll = 2 }
run = { kind = "straight", length = 3, points = 9, extra = 1 }
[bonuses.top]
boxes = ["aces"]
at_least = 1
points = 5
"""


def _read(folder: Path, text: str) -> dice.DiceGame:
    path = folder / "small.toml"
    path.write_text(text, encoding="utf-8")
    return dice.read_game(path)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    game = _read(tmp_path, SMALL)
    assert (game.name, game.dice, game.faces, game.rolls) == ("small", 3, 4, 2)
    assert game.boxes[0].scorings == (Scoring(Count(1, 1), "dice"),)
    assert game.boxes[1].scorings == (Scoring(Alike((2,)), "dice", 0, 2),)
    assert game.boxes[2].scorings == (Scoring(Straight(3, (1, 2)), 9, 1),)
    assert game.bonuses[0].at_least == 1
    assert game.parts[0].boxes == ("aces", "pair", "run")


def test_a_house_rule_changes_one_line(tmp_path: Path) -> None:
    game = _read(tmp_path, 'base = "yatzy"\nrolls = 4\n')
    assert game.rolls == 4
    assert game.boxes == dice.load_game("yatzy").boxes


def test_a_house_may_take_some_boxes_only(tmp_path: Path) -> None:
    text = 'base = "yacht"\n[parts.short]\nboxes = ["chance", "yacht"]\n'
    assert [box.name for box in _read(tmp_path, text).boxes] == ["chance", "yacht"]


def test_boxes_stand_as_the_parts_list_them(tmp_path: Path) -> None:
    text = SMALL + '[parts.a]\nboxes = ["run", "pair"]\n[parts.b]\nboxes = ["aces"]\n'
    assert [box.name for box in _read(tmp_path, text).boxes] == ["run", "pair", "aces"]


@pytest.mark.parametrize(
    ("old", "new", "key", "value", "allowed"),
    [
        ("dice = 3", "dice = 7", "dice", "7", "1 to 6"),
        ("dice = 3", 'dice = "three"', "dice", "'three'", "1 to 6"),
        ("dice = 3", "dice = true", "dice", "True", "1 to 6"),
        ("dice = 3", "", "dice", "missing", "1 to 6"),
        ("faces = 4", "faces = 1", "faces", "1", "2 to 10"),
        ("rolls = 2", "rolls = 5", "rolls", "5", "1 to 4"),
        ("rolls = 2", "rols = 2", "rols", "not a key", "rolls"),
        ("face = 1", "face = 5", "boxes.aces.face", "5", "1 to 4"),
        ('"alike"', '"alyke"', "boxes.pair.kind", "'alyke'", "count, alike, straight, chance"),
        ("[2]", "[2, 2]", "boxes.pair.groups", "[2, 2]", "at most 3 dice"),
        ("[2]", "[]", "boxes.pair.groups", "[]", "a list of whole numbers"),
        ('points = "dice"', 'points = "sum"', "boxes.pair.points", "'sum'", "'dice' or 'all'"),
        ("length = 3", "length = 4", "boxes.run.length", "4", "2 to 3"),
        ("first_roll = 2", "first_roll = 0", "boxes.pair.first_roll", "0", "1 to 10"),
        ('["aces"]', '["acres"]', "bonuses.top.boxes", "['acres']", "aces, pair, run"),
        ("at_least = 1", "", "bonuses.top.at_least", "missing", "a whole number"),
        ("pair =", "Pair =", "boxes", "'Pair'", "lower-case"),
    ],
)
def test_a_wrong_file(
    tmp_path: Path, old: str, new: str, key: str, value: str, allowed: str
) -> None:
    assert old in SMALL
    with pytest.raises(RulesError) as caught:
        _read(tmp_path, SMALL.replace(old, new, 1))
    sentence = str(caught.value)
    assert f"{key} is {value}" in sentence
    assert allowed in sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("dice = [", "not valid TOML"),
        ('base = "yatzi"', "base is 'yatzi'; allowed: poker-dice"),
        ("dice = 5\n", "boxes is missing"),
        ('base = "yatzy"\n[parts.upper]\norder = "up"', "parts.upper.order is 'up'; allowed: any"),
        (
            'base = "yahtzee"\n[joker]\nplacement = "sometimes"',
            "joker.placement is 'sometimes'; allowed: none, forced, upper-filled, free",
        ),
        ('base = "yahtzee"\n[joker]\nbox = "chance"', "joker.box is 'chance'; allowed: yahtzee"),
        (
            SMALL.replace("par = 1 }", 'par = 1, aliases = ["pair"] }'),
            "both called",
        ),
        (SMALL + '[parts.a]\nboxes = ["run"]\n', "parts lists the box 'aces' 0 times"),
    ],
)
def test_more_wrong_files(tmp_path: Path, text: str, word: str) -> None:
    with pytest.raises(RulesError, match=r"small\.toml") as caught:
        _read(tmp_path, text)
    assert word in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read: No such file"):
        dice.read_game(tmp_path / "none.toml")


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulesError, match="not UTF-8"):
        dice.read_game(tmp_path / "bad.toml")


def test_bonuses_over_too_many_boxes_are_refused(tmp_path: Path) -> None:
    boxes = "\n".join(f'b{i} = {{ kind = "chance", first_roll = 10 }}' for i in range(18))
    names = ", ".join(f'"b{i}"' for i in range(18))
    bonus = f"[bonuses.all]\nboxes = [{names}]\nat_least = 100\npoints = 10\n"
    game = _read(tmp_path, f"dice = 5\n[boxes]\n{boxes}\n{bonus}")
    with pytest.raises(RulesError, match="bonuses span 18 boxes"):
        dice.solve(game)


def test_an_unknown_game_brings_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'yahtzee'"):
        dice.load_game("yatzee-official-rules"[:6] + "e")


@pytest.mark.parametrize("word", ["Poker", "POKER_DICE", " poker dice "])
def test_games_answer_to_their_aliases(word: str) -> None:
    assert dice.load_game(word).name == "poker-dice"


@pytest.mark.parametrize("name", dice.game_names())
def test_built_in_files_say_what_they_are(name: str) -> None:
    game = dice.load_game(name)
    assert game.title
    assert game.summary.endswith(".")
    assert game_source(name)
    assert game.to_dict()["boxes"][0]["scorings"][0]["pattern"]["kind"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 30) | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
KEYS = ["dice", "faces", "rolls", "boxes", "bonuses", "parts", "joker", "title", "parts_in_turn"]


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4), st.sampled_from(KEYS), VALUES)
@settings(max_examples=300)
def test_any_data_is_a_game_or_an_error_of_ours(
    data: dict[str, object], key: str, value: object
) -> None:
    from oddscalc.dice import rules

    whole = {"dice": 2, "boxes": {"chance": {"kind": "chance"}}, **data, key: value}
    with suppress(OddscalcError):
        rules._game("any", whole)
