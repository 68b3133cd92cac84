"""Euchre games as data: the built-in ones, house rules, refusals."""

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddscalc.errors import OddscalcError, RulesError, UnknownNameError
from oddscalc.euchre.catalogue import GameList, GameRules
from oddscalc.euchre.rules import (
    EuchreGame,
    game_names,
    game_source,
    load_game,
    read_game,
)

FOUR, THREE, TWO = (load_game(name) for name in ("four-handed", "three-handed", "two-handed"))


def assert_sentence(error: OddscalcError) -> None:
    assert str(error).endswith(".")
    assert "\n" not in str(error)


def house(folder: Path, text: str) -> EuchreGame:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return read_game(path)


def test_default_game_comes_first() -> None:
    assert game_names() == ["four-handed", "three-handed", "two-handed"]
    assert load_game() == FOUR


@pytest.mark.parametrize("word", ["Four Handed", "euchre", "FOUR_HANDED", " four-handed "])
def test_games_are_found_by_name_and_alias(word: str) -> None:
    assert load_game(word) == FOUR


def test_no_name_or_alias_means_two_games() -> None:
    words = [word for name in game_names() for word in (name, *load_game(name).aliases)]
    assert len(words) == len(set(words))


def test_unknown_game_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"'four-handd'; did you mean 'four-handed'\?"):
        load_game("four-handd")


def test_seats_are_counted_from_the_dealers_left() -> None:
    assert FOUR.seats == ("1", "2", "3", "dealer")
    assert THREE.seats == ("1", "2", "dealer")
    assert TWO.seats == ("1", "dealer")
    assert [FOUR.seat_index(word) for word in ("1", "Seat 2", "3", "D", "Dealer")] == [
        *(0, 1, 2, 3, 3)
    ]


@pytest.mark.parametrize("word", ["0", "4", "north", "", "-1", "partner"])
def test_unknown_seat(word: str) -> None:
    with pytest.raises(UnknownNameError, match="Accepted: 1, 2, 3, dealer"):
        FOUR.seat_index(word)


def test_seat_of_another_game() -> None:
    with pytest.raises(UnknownNameError, match="There is no seat '3'"):
        THREE.seat_index("3")


@pytest.mark.parametrize(
    ("game", "tricks", "alone", "lone_defender", "points"),
    [
        (TWO, 5, False, False, (2, 0)),
        (TWO, 4, False, False, (1, 0)),
        (TWO, 3, False, False, (1, 0)),
        (TWO, 2, False, False, (0, 2)),
        (TWO, 0, False, False, (0, 2)),
        (THREE, 4, False, False, (1, 0)),
        (THREE, 5, False, False, (3, 0)),
        (THREE, 5, True, False, (3, 0)),
        (THREE, 2, False, False, (0, 2)),
        (THREE, 2, False, True, (0, 2)),
        (THREE, 0, False, True, (0, 4)),
        (THREE, 0, True, True, (0, 4)),
        (THREE, 3, True, True, (1, 0)),
        (FOUR, 3, False, False, (1, 0)),
        (FOUR, 5, False, False, (2, 0)),
        (FOUR, 3, True, False, (1, 0)),
        (FOUR, 5, True, False, (4, 0)),
        (FOUR, 2, False, False, (0, 2)),
        (FOUR, 0, True, False, (0, 2)),
        (FOUR, 2, False, True, (0, 4)),
        (FOUR, 0, True, True, (0, 4)),
    ],
)
def test_points_of_every_outcome(
    game: EuchreGame, tricks: int, alone: bool, lone_defender: bool, points: tuple[int, int]
) -> None:
    assert game.score(tricks, alone=alone, lone_defender=lone_defender) == points


def test_sides() -> None:
    assert [FOUR.side(seat) for seat in range(4)] == [(0, 2), (1, 3), (0, 2), (1, 3)]
    assert [THREE.side(seat) for seat in range(3)] == [(0,), (1,), (2,)]


def test_leader_four_handed() -> None:
    assert FOUR.leader(maker=3) == 0
    # A loner's partner sits out: the next at the dealer's left leads.
    assert FOUR.leader(maker=2, alone=2) == 1
    assert FOUR.leader(maker=3, alone=3) == 0
    assert FOUR.leader(maker=3, alone=3, defender=2) == 2
    assert FOUR.playing(maker=3, alone=True, defender=2) == (2, 3)


def test_leader_three_handed() -> None:
    assert THREE.leader(maker=1) == 0
    # If somebody plays alone, the player at that one's left leads, if in the game.
    assert THREE.leader(maker=1, alone=1) == 2
    assert THREE.leader(maker=0, defender=2) == 0
    assert THREE.leader(maker=0, defender=1) == 0
    assert THREE.leader(maker=0, alone=0, defender=1) == 1
    assert THREE.leader(maker=0, alone=0, defender=2) == 2
    assert THREE.playing(maker=0, defender=2) == (0, 2)


def test_leader_switches(tmp_path: Path) -> None:
    loners_left = house(tmp_path, 'base = "four-handed"\nloner_lead = "loners-left"')
    assert loners_left.leader(maker=1, alone=1) == 2
    assert loners_left.leader(maker=3) == 0
    # A lone defender at the maker's left: after the defender comes the maker.
    both = house(tmp_path, 'base = "three-handed"\nboth_alone_lead = "defender"')
    assert both.leader(maker=0, alone=0, defender=1) == 0


def test_dummy_use(tmp_path: Path) -> None:
    assert THREE.may_use_dummy(0, alone=False)
    assert not THREE.may_use_dummy(0, alone=True)
    assert not FOUR.may_use_dummy(0, alone=False)
    dealers = house(tmp_path, 'base = "three-handed"\ndummy_use = "dealer"')
    assert [dealers.may_use_dummy(seat, alone=False) for seat in range(3)] == [False, False, True]
    nobody = house(tmp_path, 'base = "three-handed"\ndummy_use = "nobody"')
    assert not nobody.may_use_dummy(2, alone=False)


def test_base_changes_only_what_is_named(tmp_path: Path) -> None:
    game = house(tmp_path, 'base = "four-handed"\nstick_the_dealer = true\n[points]\neuchred = 3\n')
    assert game.name == "house"
    assert (game.aliases, game.summary) == ((), "")
    changed = {f.name for f in fields(game) if getattr(game, f.name) != getattr(FOUR, f.name)}
    assert changed == {"name", "aliases", "summary", "stick_the_dealer", "points"}
    assert (game.points.euchred, game.points.alone_euchred, game.points.swept) == (3, 3, 3)
    assert (game.points.march, game.points.lone_defender) == (2, 4)


@pytest.mark.parametrize("name", game_names())
def test_source_of_a_game_is_a_rule_file(name: str, tmp_path: Path) -> None:
    game = house(tmp_path, game_source(name))
    assert game.to_dict() == load_game(name).to_dict() | {"name": "house"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hands = 5", "hands is 5; allowed: a whole number from 2 to 4"),
        ('base = "four-handed"\ndeck = 28', r"deck is 28; allowed: 24, 25 .* or 32"),
        ('base = "two-handed"\npartners = true', "partners is True; allowed: false, with 2 hands"),
        ('base = "four-handed"\ndummy = 5', "dummy is 5; allowed: at most 3, with 4 hands"),
        ('base = "three-handed"\ndummy = 6', "dummy is 6; allowed: a whole number from 0 to 5"),
        ('base = "two-handed"\nalone = true', "alone is True; allowed: false"),
        ('base = "two-handed"\ndefend_alone = true', "defend_alone is True; allowed: false"),
        ('base = "four-handed"\nstick = true', "stick is not a key here; allowed: "),
        ('base = "four-handed"\nstick_the_dealer = 1', "stick_the_dealer is 1; allowed: true or"),
        (
            'base = "four-handed"\nloner_lead = "left"',
            "loner_lead is 'left'; allowed: dealers-left",
        ),
        ('base = "four-handed"\npoints = 3', "points is 3; allowed: a table"),
        ('base = "four-handed"\n[points]\nmarch = -1', "points.march is -1; allowed: a whole"),
        ('base = "four-handed"\n[points]\nmaker = 1', "points.maker is not a key here; allowed: "),
        ('base = "five-handed"', "base is 'five-handed'; allowed: four-handed, three-handed, two"),
        ("base = 4", "base is 4; allowed: four-handed"),
        ("hands = 2", "points is missing"),
        ("hands = 2\n[points]\nmade = 1\nmarch = 2", "points.euchred is missing"),
        ("hands = ", "is not valid TOML"),
    ],
)
def test_wrong_rule_files(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        house(tmp_path, text)
    assert "house.toml" in str(caught.value)


def test_unreadable_rule_files(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read: No such file"):
        read_game(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9"')
    with pytest.raises(RulesError, match="it is not UTF-8 text"):
        read_game(tmp_path / "latin.toml")


keys = st.sampled_from(sorted({*tomllib.loads(game_source("three-handed")), "base", "odd"}))
values = st.one_of(
    st.integers(-3, 40),
    st.booleans(),
    st.sampled_from(["four-handed", "maker", "any", "dealers-left", ""]),
    st.lists(st.integers(0, 3), max_size=2),
    st.dictionaries(st.sampled_from(["made", "march", "odd"]), st.integers(-2, 5), max_size=2),
)


def toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {number}" for key, number in value.items()) + "}"
    return repr(value)


@given(st.dictionaries(keys, values, max_size=6))
def test_any_rule_file_is_a_game_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, object]
) -> None:
    lines = [f"{key} = {toml(value)}" for key, value in ({"base": "three-handed"} | data).items()]
    try:
        game = house(tmp_path_factory.getbasetemp(), "\n".join(lines))
    except OddscalcError as error:
        assert_sentence(error)
    else:
        assert game.dummy + 5 * game.hands < game.deck


def test_every_switch_is_explained_where_it_matters(tmp_path: Path) -> None:
    switches = 'base = "three-handed"\ndeck = 25\n'
    rows = GameRules(house(tmp_path, switches)).records()
    top = {f.name for f in fields(EuchreGame)} - {"name", "title", "aliases", "summary", "points"}
    points = {f"points.{f.name}" for f in fields(THREE.points)}
    assert {row["key"] for row in rows} == top | points


@pytest.mark.parametrize("name", game_names())
def test_rules_are_shown(name: str) -> None:
    rules = GameRules(load_game(name))
    keys = [row["key"] for row in rules.records()]
    assert "stick_the_dealer" in keys
    assert ("points.alone_march" in keys) == (name != "two-handed")
    assert ("points.lone_defender" in keys) == (name == "three-handed")
    assert rules.to_dict()["seats"][-1] == "dealer"


def test_list_of_games() -> None:
    listed = GameList.of_all().to_dict()["games"]
    assert [game["name"] for game in listed] == game_names()
    assert all(game["title"] and game["aliases"] and game["summary"] for game in listed)
