"""Chances of cards, against reference.md and against every possible deal."""

import json
import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddscalc import euchre
from oddscalc.errors import InputError, OddscalcError
from oddscalc.euchre.chances import HOLDERS, chance
from oddscalc.euchre.notation import card_names, deck_cards, read_cards
from oddscalc.euchre.rules import load_game

HAND, UP = "AS KS 9H TD AC", "QS"


def assert_sentence(error: OddscalcError) -> None:
    assert str(error).endswith(".")
    assert "\n" not in str(error)


@pytest.mark.parametrize(("deck", "hands"), [(24, 42_504), (25, 53_130), (32, 201_376)])
def test_number_of_hands(deck: int, hands: int) -> None:
    assert math.comb(len(deck_cards(deck)), 5) == hands


def test_trumps_in_a_hand_of_five() -> None:
    answer = chance("trumps", seat="me", trump="spades")
    percents = [100 * float(answer.exactly(number)) for number in range(6)]
    expected = [14.559, 39.196, 33.597, 11.199, 1.400, 0.049]
    assert percents == pytest.approx(expected, abs=0.0005)
    assert len(answer.of) == 7


def test_both_bowers() -> None:
    answer = chance("bowers", seat="1", at_least=2, trump="S")
    assert 100 * float(answer.probability) == pytest.approx(3.623, abs=0.0005)
    assert answer.probability == Fraction(math.comb(22, 3), math.comb(24, 5))


@pytest.mark.parametrize(
    ("number", "percent"),
    [(1, 27.78), (2, 49.02), (3, 64.95), (4, 76.63), (5, 84.98), (6, 90.76)],
)
def test_partner_holds_one_of_some_named_cards(number: int, percent: float) -> None:
    of = " ".join(["JS", "JC", "TS", "9S", "AH", "KH"][:number])
    answer = chance(of, seat="partner", hand=HAND, up=UP)
    assert 100 * float(answer.probability) == pytest.approx(percent, abs=0.005)
    assert answer.probability == 1 - Fraction(math.comb(18 - number, 5), math.comb(18, 5))


def test_one_named_card_is_somewhere() -> None:
    places = {"partner": 5, "left": 5, "right": 5, "opponents": 10, "others": 15, "undealt": 3}
    for seat, cards in places.items():
        assert chance("JS", seat=seat, hand=HAND, up=UP).probability == Fraction(cards, 18)


def test_places_of_the_other_games() -> None:
    places = {"dummy": 5, "undealt": 3, "opponents": 10, "1": 5}
    for seat, cards in places.items():
        answer = chance("JS", seat=seat, hand=HAND, up=UP, game="three-handed")
        assert answer.probability == Fraction(cards, 18)
    for seat, cards in {"opponent": 5, "undealt": 13}.items():
        answer = chance("JS", seat=seat, hand=HAND, up=UP, game="two-handed")
        assert answer.probability == Fraction(cards, 18)


def test_against_every_hand() -> None:
    """The opponents' ten cards, one by one over all 43,758 sets."""
    wanted = set(read_cards("JS JC TS 9S", 24))
    known = {*read_cards(HAND, 24), *read_cards(UP, 24)}
    unseen = [card for card in deck_cards(24) if card not in known]
    counts = [0] * 5
    for cards in combinations(unseen, 10):
        counts[len(wanted.intersection(cards))] += 1
    answer = chance("JS JC TS 9S", seat="opponents", hand=HAND, up=UP)
    total = math.comb(18, 10)
    assert [answer.exactly(number) for number in range(5)] == [Fraction(n, total) for n in counts]


def test_cards_that_are_seen() -> None:
    own = chance("AS KS QS JS", seat="us", at_least=2, hand=HAND, up=UP)
    assert own.probability == 1
    assert own.exactly(3) == Fraction(5, 18)
    assert own.exactly(4) == 0
    assert own.notes()[1:] == ["A♠ K♠ are in your hand.", "Q♠ is turned up."]
    assert chance("AS", seat="partner", hand=HAND).probability == 0
    assert chance("AS", seat="me", hand=HAND).probability == 1
    assert chance("AS", seat="2", me="2", hand=HAND).probability == 1
    assert chance("AS", seat="1", me="2", hand=HAND).probability == 0


def test_cards_seen_elsewhere_leave_fewer() -> None:
    answer = chance("JS JC", seat="partner", hand=HAND, up=UP, seen="9D 9C")
    assert (answer.unseen, answer.drawn) == (16, 5)
    assert chance("9D", seat="others", hand=HAND, up=UP, seen="9D").probability == 0


def test_sides_of_makers_and_defenders() -> None:
    def cards(seat: str, me: str, maker: str, game: str = "four-handed") -> int:
        return chance("JS", seat=seat, me=me, maker=maker, hand=HAND, up=UP, game=game).drawn

    assert cards("makers", "1", "3") == 5
    assert cards("defenders", "1", "3") == 10
    assert cards("makers", "1", "2") == 10
    assert cards("defenders", "1", "dealer") == 5
    assert cards("makers", "1", "2", "three-handed") == 5
    assert cards("defenders", "1", "2", "three-handed") == 5
    assert cards("partner", "1", "2", "three-handed") == 5
    assert cards("opponents", "1", "2", "three-handed") == 5
    assert cards("opponents", "1", "1", "three-handed") == 10
    assert chance("JS", seat="makers", maker="1").drawn == 10


def test_note_on_who_is_taken_for_the_maker() -> None:
    note = "You are taken for the maker, as your seat and the maker's are not named."
    assert note in chance("JS", seat="opponents", game="three-handed").notes()
    assert note not in chance("JS", seat="us", game="three-handed", me="1", maker="2").notes()
    assert note not in chance("JS", seat="opponents").notes()
    assert note not in chance("JS", seat="opponents", game="two-handed").notes()


def test_joker_and_named_sets() -> None:
    two = load_game("two-handed")
    assert card_names(chance("bowers", seat="me", trump="H", game=two).of) == ["JH", "JD"]
    assert card_names(chance("aces", seat="me").of) == ["AS", "AC", "AH", "AD"]
    trumps = chance("trumps", seat="opponent", hand=HAND, up=UP).of
    assert card_names(trumps) == ["JS", "JC", "AS", "KS", "QS", "TS", "9S"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"of": ""}, "No cards are asked about"),
        ({"of": "XX"}, "'XX' is not a card"),
        ({"of": "JS", "seat": "north"}, "There is no holder 'north'"),
        ({"of": "JS", "seat": "dummy"}, "'dummy': there is no dummy in the game four-handed"),
        ({"of": "JS", "seat": "makers"}, "'makers' depends on who is the maker"),
        ({"of": "JS", "seat": "makers", "maker": "1", "hand": HAND}, "where you sit"),
        ({"of": "JS", "game": "two-handed"}, "'partner': a maker has no partner"),
        ({"of": "JS", "game": "three-handed"}, "'partner': a maker has no partner"),
        ({"of": "JS", "me": "4"}, "There is no seat '4'"),
        ({"of": "JS", "at_least": 2}, "At least 2 of 1 cards is asked; accepted: 0 to 1"),
        ({"of": "JS", "at_least": -1}, "At least -1 of 1"),
        ({"of": "JS", "hand": "AS KS"}, "has 2 cards; accepted: 5"),
        ({"of": "JS", "hand": HAND, "up": "AS"}, "The upcard 'AS' is in the hand"),
        ({"of": "JS", "hand": HAND, "seen": "AS"}, "The card AS is among the cards seen and"),
        ({"of": "JS", "hand": HAND, "seen": "JS JC QS TS 9S"}, "leave 14 unseen, too few"),
        ({"of": "JS", "hand": HAND, "seen": "JC QS TS 9S", "seat": "undealt"}, None),
        ({"of": "bowers"}, "'bowers' depends on the trump suit"),
        ({"of": "bowers", "trump": "X"}, "'X' is not a suit"),
        ({"of": "JS", "game": "bridge"}, "There is no game 'bridge'"),
    ],
)
def test_wrong_questions(asked: dict[str, str], message: str | None) -> None:
    if message is None:
        assert chance(**asked).drawn == 0  # type: ignore[arg-type]
        return
    with pytest.raises(InputError, match=message):
        chance(**asked)  # type: ignore[arg-type]


words = st.sampled_from([*HOLDERS, "1", "2", "3", "dealer", "x", "kitty"])
suits = st.sampled_from(["S", "♥", "", None])
seats = st.sampled_from(["1", "2", "dealer", None])
games = st.sampled_from(["two-handed", "three-handed", "four-handed"])


@given(words, st.integers(-1, 4), suits, seats, seats, games, st.booleans())
def test_chances_add_up_or_a_sentence_comes(
    seat: str,
    at_least: int,
    trump: str | None,
    me: str | None,
    maker: str | None,
    game: str,
    held: bool,
) -> None:
    try:
        answer = chance(
            "JS JC 9S",
            seat=seat,
            at_least=at_least,
            trump=trump,
            me=me,
            maker=maker,
            game=game,
            hand=HAND if held else None,
        )
    except OddscalcError as error:
        assert_sentence(error)
    else:
        assert sum(answer.exactly(number) for number in range(4)) == 1
        assert answer.or_more(0) == 1
        assert answer.headline()


def test_answer_in_all_forms() -> None:
    answer = euchre.chance("JS JC", hand=HAND, up=UP)
    content = json.loads(answer.to_json())
    assert content["schema"] == "oddscalc.euchre.chance/1"
    assert content["probability"] == {"fraction": "25/51", "value": 25 / 51}
    assert content["by_number"][2]["exactly"]["fraction"] == "10/153"
    assert answer.headline() == "Partner holds at least 1 of J♠ J♣: 49.020 % (25/51)"
    assert answer.notes() == ["Exact: 5 of 18 unseen cards, as dealt."]
    assert "| 1 | 42.484 % | 49.020 % | 25/51 |" in answer.to_markdown()
    assert answer.to_polars().shape == (3, 4)


@pytest.mark.parametrize(
    ("seat", "start"), [("dealer", "The dealer holds"), ("2", "Seat 2 holds"), ("us", "Your side")]
)
def test_headline_names_the_holder(seat: str, start: str) -> None:
    assert chance("JS", seat=seat).headline().startswith(start)
