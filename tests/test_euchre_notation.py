"""Cards, hands and deals from text: generous in, canonical out, a sentence for the rest."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddscalc.errors import NotationError, OddscalcError
from oddscalc.euchre.notation import (
    JOKER,
    card_name,
    card_names,
    card_symbol,
    card_symbols,
    deck_cards,
    nameable_suits,
    orderable_suits,
    read_card,
    read_cards,
    read_deal,
    read_hand,
    read_suit,
    read_upcard,
    sorted_cards,
    suit_name,
    suit_of,
    suit_symbol,
)
from oddscalc.euchre.rules import load_game, read_game

FOUR, THREE, TWO = (load_game(name) for name in ("four-handed", "three-handed", "two-handed"))
DEAL = "JS AS KS QS 9H / TS 9S AH KH QH / JH TH AD KD QD / JD TD 9D AC KC"


def assert_sentence(error: OddscalcError) -> None:
    assert str(error).endswith(".")
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "JS JC AS KH 9D",
        "js,jc;as kh.9d",
        "J♠ J♣ A♠ K♥ 9♦",
        "J♠️ J♣️ A♠️ K♥️ 9♦️",
        "J♤J♧A♤K♡9♢",
        "JSJCASKH9D",
        " JS | JC - AS + KH _ 9D ",
        "J S J C A S K H 9 D",
    ],
)
def test_hands_are_read_generously(text: str) -> None:
    assert card_names(read_hand(text)) == ["JS", "JC", "AS", "KH", "9D"]


@pytest.mark.parametrize("text", ["TH", "th", "10h", "10♥", "T♡", "10 H"])
def test_ten(text: str) -> None:
    card = read_card(text)
    assert (card_name(card), card_symbol(card)) == ("TH", "10♥")


@pytest.mark.parametrize("text", ["Jo", "JO", "joker", "Joker", "🃏"])
def test_joker(text: str) -> None:
    assert read_card(text, 25) == JOKER
    assert card_name(JOKER) == card_symbol(JOKER) == "Jo"
    assert card_names(read_cards(f"JH{text}JD", 25)) == ["JH", "Jo", "JD"]


@pytest.mark.parametrize("deck", [24, 25, 32])
def test_names_and_symbols_read_back(deck: int) -> None:
    cards = deck_cards(deck)
    assert len(set(cards)) == deck
    assert tuple(read_cards(" ".join(card_names(cards)), deck)) == cards
    assert tuple(read_cards(card_symbols(cards).replace(" ", ""), deck)) == cards


@pytest.mark.parametrize(
    ("suit", "words"),
    [(0, "S s ♠ ♤ spades Spade"), (1, "C ♣ clubs"), (2, "h ♥️ ♡ HEARTS"), (3, "D ♦ diamond")],
)
def test_suits(suit: int, words: str) -> None:
    assert {read_suit(word) for word in words.split()} == {suit}
    assert read_suit(suit_name(suit)) == read_suit(suit_symbol(suit)) == suit


@pytest.mark.parametrize("text", ["", "x", "spadess", "SH", "1"])
def test_unknown_suits(text: str) -> None:
    with pytest.raises(NotationError, match=f"'{text}' is not a suit; accepted: S, H, D, C"):
        read_suit(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("JS JC AS KH XX", "'XX' is not a card; write rank and suit"),
        ("JSJCASKHXX", "'XX' is not a card"),
        ("JS JC AS KH 9", "'9' is not a card"),
        ("JS JC AS KH JS", "The card 'JS' is there twice"),
        ("J♠ JC AS KH js", "The card 'js' is there twice"),
        ("JS JC AS KH", "has 4 cards; accepted: 5 cards"),
        ("JS JC AS KH 9D TD", "has 6 cards; accepted: 5 cards"),
        ("JS", "has 1 card; accepted: 5 cards"),
        ("", "has 0 cards; accepted: 5 cards"),
        ("JS JC AS KH 7D", "The deck of 24 has no card '7D'"),
        ("JS JC AS KH 2D", "The deck of 24 has no card '2D'"),
        ("JS JC AS KH Jo", "The deck of 24 has no card 'Jo'"),
        ("JS JC AS KH ẞ", "'ẞ' is not a card"),
    ],
)
def test_wrong_hands(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        read_hand(text)


def test_other_decks() -> None:
    assert read_card("7D", 32) == min(deck_cards(32)) + 24
    with pytest.raises(NotationError, match=r"ranks 7 8 9 10 J Q K A; suits S H D C\)"):
        read_card("Jo", 32)
    with pytest.raises(NotationError, match="Jo for the joker"):
        read_card("7D", 25)


def test_one_card() -> None:
    with pytest.raises(NotationError, match="'JS JC' is 2 cards; one is accepted"):
        read_card("JS JC")
    with pytest.raises(NotationError, match="'' is 0 cards"):
        read_card("")


def test_upcard() -> None:
    hand = read_hand("JS JC AS KH 9D")
    assert card_name(read_upcard("ts", hand)) == "TS"
    with pytest.raises(NotationError, match="The upcard 'J♣' is in the hand JS JC AS KH 9D too"):
        read_upcard("J♣", hand)


def test_deal() -> None:
    hands = read_deal(DEAL, FOUR)
    assert [card_names(hand) for hand in hands][1] == ["TS", "9S", "AH", "KH", "QH"]
    assert read_deal(DEAL.replace(" ", "").lower(), FOUR) == hands


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has 1 hand; accepted: 4 hands"),
        (DEAL + " / ", "has 5 hands; accepted: 4 hands"),
        (DEAL.rsplit("/", 1)[0], "has 3 hands; accepted: 4 hands"),
        (DEAL.replace("KC", ""), "'JD TD 9D AC' has 4 cards; accepted: 5"),
        (DEAL.replace("KC", "KC QC"), "has 6 cards; accepted: 5"),
        (DEAL.replace("KC", "JS"), "seat 1 and dealer both hold JS"),
        (DEAL.replace("KC", "8C"), "The deck of 24 has no card '8C'"),
    ],
)
def test_wrong_deals(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        read_deal(text, FOUR)


def test_deals_of_other_games() -> None:
    two = " / ".join(DEAL.split(" / ")[:2])
    assert len(read_deal(two, TWO)) == 2
    with pytest.raises(NotationError, match="has 2 hands; accepted: 3 hands"):
        read_deal(two, THREE)


def test_hands_are_sorted_as_held() -> None:
    cards = read_cards("9D AC JS JC AS KH", 24)
    assert card_names(sorted_cards(cards)) == ["AS", "JS", "KH", "AC", "JC", "9D"]
    assert card_names(sorted_cards(cards, 0)) == ["JS", "JC", "AS", "KH", "AC", "9D"]
    assert card_names(sorted_cards(cards, 1)) == ["JC", "JS", "AC", "AS", "KH", "9D"]
    assert card_names(sorted_cards([*cards, JOKER], 2))[:2] == ["Jo", "KH"]


def test_suits_open_to_a_bid(tmp_path: Path) -> None:
    up = read_card("9H")
    assert orderable_suits(FOUR, up) == (suit_of(up),)
    assert nameable_suits(FOUR, up) == (0, 1, 3)
    path = tmp_path / "house.toml"
    path.write_text('base = "four-handed"\nturned_down_suit = true\ndeck = 25')
    house = read_game(path)
    assert nameable_suits(house, up) == orderable_suits(house, JOKER) == (0, 1, 2, 3)
    assert nameable_suits(house, JOKER) == (0, 1, 2, 3)
    path.write_text('base = "four-handed"\njoker_suit = "clubs"\ndeck = 25')
    house = read_game(path)
    assert orderable_suits(house, JOKER) == (1,)
    assert nameable_suits(house, JOKER) == (0, 2, 3)


pieces = st.sampled_from([*"JSQKAHDCT91078 ,;/xX♠♥♦♣♡\ufe0f", "10", "Jo", "joker", "🃏", "ß", "İ"])
texts = st.one_of(st.text(max_size=30), st.lists(pieces, max_size=30).map("".join))


@given(texts, st.sampled_from([24, 25, 32]))
def test_any_text_is_cards_or_a_sentence(text: str, deck: int) -> None:
    try:
        cards = read_cards(text, deck)
    except OddscalcError as error:
        assert_sentence(error)
    else:
        assert read_cards("".join(card_names(cards)), deck) == cards
        assert len(set(cards)) == len(cards)


@given(texts)
def test_any_text_is_a_deal_or_a_sentence(text: str) -> None:
    with pytest.raises(OddscalcError):
        # Thirty characters are too few for twenty cards.
        read_deal(text, FOUR)


@given(texts)
def test_any_text_is_a_suit_or_a_sentence(text: str) -> None:
    try:
        assert read_suit(text) in range(4)
    except OddscalcError as error:
        assert_sentence(error)


@given(st.integers(0, 2**32), st.sampled_from([24, 25, 32]), st.sampled_from(["", " ", ", "]))
def test_deals_read_back(seed: int, deck: int, between: str) -> None:
    cards = random.Random(seed).sample(deck_cards(deck), 20)
    hands = tuple(tuple(cards[5 * n : 5 * n + 5]) for n in range(4))
    text = "/".join(between.join(card_names(hand)) for hand in hands)
    game = read_deal(text, FOUR) if deck == 24 else None
    assert game in (hands, None)
    assert [tuple(read_cards(part, deck)) for part in text.split("/")] == list(hands)
