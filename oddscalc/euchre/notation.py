"""Cards, hands, deals and suits: text to small integers and back.

A suit is 0 to 3 (spades, clubs, hearts, diamonds), so that ``suit ^ 1`` is the other suit of its
colour. A card is ``8 * suit + rank``, ranks 0 to 7 for 7 8 9 10 J Q K A; the joker is 32.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from oddscalc.errors import NotationError
from oddscalc.euchre.rules import CARDS_IN_HAND, SUIT_NAMES, EuchreGame

__all__ = [
    "JOKER",
    "RANKS",
    "SUITS",
    "card_name",
    "card_names",
    "card_symbol",
    "card_symbols",
    "deck_cards",
    "nameable_suits",
    "orderable_suits",
    "rank_of",
    "read_card",
    "read_cards",
    "read_deal",
    "read_hand",
    "read_suit",
    "read_upcard",
    "seat_words",
    "sorted_cards",
    "suit_name",
    "suit_of",
    "suit_symbol",
]

SUITS = "SCHD"
SYMBOLS = "♠♣♥♦"
RANKS = "789TJQKA"
JACK = RANKS.index("J")
JOKER = 32

_SUIT_SIGNS = {
    **{sign: suit for signs in ("SCHD", "♠♣♥♦", "♤♧♡♢") for suit, sign in enumerate(signs)},
}
_CARD = re.compile(r"(JOKER|JO|🃏)|(10|[2-9TJQKA])[\s\ufe0f]*([SCHD♠♣♥♦♤♧♡♢])\ufe0f?")
_BETWEEN = re.compile(r"[\s,;.:+_|&-]+")
_ACCEPTED = "write rank and suit, as in JS, 10h or A♥ (ranks {ranks}; suits S H D C{joker})"


def suit_of(card: int) -> int:
    """Return the suit printed on a card; the joker has 4."""
    return card >> 3


def rank_of(card: int) -> int:
    """Return the rank printed on a card, 0 (seven) to 7 (ace)."""
    return card & 7


def card_name(card: int) -> str:
    """Return the canonical name.

    >>> card_name(read_card("10♥")), card_name(JOKER)
    ('TH', 'Jo')
    """
    return "Jo" if card == JOKER else RANKS[card & 7] + SUITS[card >> 3]


def card_symbol(card: int) -> str:
    """Return a card as tables show it.

    >>> card_symbol(read_card("th"))
    '10♥'
    """
    if card == JOKER:
        return "Jo"
    return RANKS[card & 7].replace("T", "10") + SYMBOLS[card >> 3]


def card_names(cards: Iterable[int]) -> list[str]:
    """Return the canonical names of cards."""
    return [card_name(card) for card in cards]


def card_symbols(cards: Iterable[int]) -> str:
    """Return cards as tables show them, parted by spaces."""
    return " ".join(card_symbol(card) for card in cards)


def suit_name(suit: int) -> str:
    """Return the canonical letter of a suit."""
    return SUITS[suit]


def suit_symbol(suit: int) -> str:
    """Return a suit as tables show it."""
    return SYMBOLS[suit]


def deck_cards(deck: int) -> tuple[int, ...]:
    """Return the cards of a deck of 24, 25 or 32, in the order of their numbers.

    >>> len(deck_cards(25)), card_name(deck_cards(24)[0])
    (25, '9S')
    """
    lowest = 0 if deck == 32 else RANKS.index("9")
    cards = [8 * suit + rank for suit in range(4) for rank in range(lowest, len(RANKS))]
    return (*cards, JOKER) if deck == 25 else tuple(cards)


def sorted_cards(cards: Iterable[int], trump: int | None = None) -> list[int]:
    """Return cards as a player holds them: by suit, highest first, trumps (bowers too) first.

    >>> " ".join(card_names(sorted_cards(read_cards("9d ac js jc as", 24), trump=0)))
    'JS JC AS AC 9D'
    """

    def place(card: int) -> tuple[int, int, int]:
        suit, rank = suit_of(card), rank_of(card)
        if card == JOKER:
            return -1, 0, 0
        if trump is not None and rank == JACK and suit >> 1 == trump >> 1:
            return -1, 1 if suit == trump else 2, 0
        # Black and red alternate, as in a hand.
        return (-1 if suit == trump else (0, 2, 1, 3)[suit]), 3, -rank

    return sorted(cards, key=place)


def read_suit(text: str) -> int:
    """Return a suit from its letter, symbol or name.

    Raises
    ------
    NotationError
        If the text is no suit.

    Examples
    --------
    >>> read_suit("h") == read_suit("♥") == read_suit("Hearts")
    True
    """
    word = text.strip().upper().rstrip("\ufe0f")
    if word in _SUIT_SIGNS:
        return _SUIT_SIGNS[word]
    for suit, name in enumerate(SUIT_NAMES):
        if word and word in (name.upper(), name[:-1].upper()):
            return suit
    raise NotationError(
        f"'{_clipped(text)}' is not a suit; accepted: S, H, D, C, their symbols or names."
    )


def read_cards(text: str, deck: int) -> list[int]:
    """Return cards from text, in its order: any case, any separators or none.

    Raises
    ------
    NotationError
        If a word is no card of the deck, or a card comes twice.

    Examples
    --------
    >>> card_names(read_cards("JSjc, A♠ 10h", 24))
    ['JS', 'JC', 'AS', 'TH']
    """
    known = deck_cards(deck)
    upper = text.upper() if len(text.upper()) == len(text) else text
    cards: list[int] = []
    place = 0
    while place < len(text):
        if gap := _BETWEEN.match(upper, place):
            place = gap.end()
            continue
        found = _CARD.match(upper, place)
        if found is None:
            word = _BETWEEN.split(text[place:], maxsplit=1)[0]
            raise NotationError(f"'{_clipped(word)}' is not a card; {_accepted(deck)}.")
        written = "".join(text[place : found.end()].split())
        joker, rank, suit = found.groups()
        rank = "T" if rank == "10" else rank
        if joker:
            card = JOKER
        else:
            card = 8 * _SUIT_SIGNS[suit] + RANKS.index(rank) if rank in RANKS else -1
        if card not in known:
            raise NotationError(f"The deck of {deck} has no card '{written}'; {_accepted(deck)}.")
        if card in cards:
            raise NotationError(f"The card '{written}' is there twice; each card exists once.")
        cards.append(card)
        place = found.end()
    return cards


def read_card(text: str, deck: int = 24) -> int:
    """Return one card.

    Raises
    ------
    NotationError
        If the text is not exactly one card of the deck.
    """
    cards = read_cards(text, deck)
    if len(cards) != 1:
        raise NotationError(f"'{_clipped(text)}' is {_counted(len(cards))}; one is accepted.")
    return cards[0]


def read_hand(text: str, deck: int = 24) -> tuple[int, ...]:
    """Return a hand of five cards, in the order of the text.

    Raises
    ------
    NotationError
        If a word is no card of the deck, a card comes twice, or they are not five.
    """
    cards = read_cards(text, deck)
    if len(cards) != CARDS_IN_HAND:
        raise NotationError(
            f"The hand '{_clipped(text)}' has {_counted(len(cards))}; "
            f"accepted: {CARDS_IN_HAND} cards."
        )
    return tuple(cards)


def read_upcard(text: str, hand: Sequence[int], deck: int = 24) -> int:
    """Return the upcard, which `hand` may not hold.

    Raises
    ------
    NotationError
        If the text is not one card of the deck, or the hand holds it.
    """
    card = read_card(text, deck)
    if card in hand:
        raise NotationError(
            f"The upcard '{text.strip()}' is in the hand {' '.join(card_names(hand))} too; "
            "accepted: a card that the hand lacks."
        )
    return card


def read_deal(text: str, game: EuchreGame) -> tuple[tuple[int, ...], ...]:
    """Return the hands of a deal, from the dealer's left, parted by ``/``.

    Raises
    ------
    NotationError
        If there are not as many hands as the game has, one has not five cards, or two hands
        hold the same card.
    """
    parts = text.split("/")
    if len(parts) != game.hands:
        raise NotationError(
            f"The deal '{_clipped(text)}' has {len(parts)} "
            f"{'hand' if len(parts) == 1 else 'hands'}; accepted: {game.hands} hands, "
            f"parted by '/', from the dealer's left."
        )
    hands: list[tuple[int, ...]] = []
    for seat, part in zip(game.seats, parts, strict=True):
        hand = read_hand(part, game.deck)
        for other, earlier in zip(game.seats, hands, strict=False):
            if both := set(hand) & set(earlier):
                names = ", ".join(card_names(sorted_cards(both)))
                raise NotationError(
                    f"The hands of {seat_words(other)} and {seat_words(seat)} both hold {names}; "
                    "each card exists once."
                )
        hands.append(hand)
    return tuple(hands)


def seat_words(seat: str) -> str:
    """Return a seat as it stands in a sentence.

    >>> seat_words("1"), seat_words("dealer")
    ('seat 1', 'dealer')
    """
    return seat if seat == "dealer" else f"seat {seat}"


def orderable_suits(game: EuchreGame, up: int) -> tuple[int, ...]:
    """Return the suits that may become trumps by ordering the upcard."""
    if up != JOKER:
        return (suit_of(up),)
    if game.joker_suit == "any":
        return (0, 1, 2, 3)
    return (SUIT_NAMES.index(game.joker_suit),)


def nameable_suits(game: EuchreGame, up: int) -> tuple[int, ...]:
    """Return the suits that may be named once the upcard is turned down."""
    down = orderable_suits(game, up)
    if game.turned_down_suit or len(down) > 1:
        return (0, 1, 2, 3)
    return tuple(suit for suit in range(4) if suit not in down)


def _accepted(deck: int) -> str:
    ranks = "7 8 9 10 J Q K A" if deck == 32 else "9 10 J Q K A"
    return _ACCEPTED.format(ranks=ranks, joker="; Jo for the joker" if deck == 25 else "")


def _counted(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _clipped(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."
