"""Euchre slowly: from the rules, with card names, sharing nothing with the product.

A card is its name, rank before suit: "JS", "TH", "Jo" for the joker. A suit is one of "SHDC".
A seat is a number: 0 at the dealer's left, then clockwise, the dealer last.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

Card = str
Hand = frozenset[Card]
Deal = Mapping[int, Hand]

SUITS = "SHDC"
JOKER = "Jo"
SAME_COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}


def deck(size: int) -> list[Card]:
    """Return the cards of the deck of 24, of 25 with the joker, or of 32 down to the sevens."""
    ranks = "AKQJT987" if size == 32 else "AKQJT9"
    cards = [rank + suit for suit in SUITS for rank in ranks]
    if size == 25:
        cards.append(JOKER)
    if len(cards) != size:
        raise ValueError(f"no deck of {size}")
    return cards


@cache
def suit_of(card: Card, trump: str) -> str:
    """Return the suit that a card belongs to: joker and left bower are trumps."""
    if card == JOKER or card == "J" + SAME_COLOUR[trump]:
        return trump
    return card[1]


@cache
def height(card: Card, trump: str) -> int:
    """Return a number that is greater for the higher of two cards of one suit."""
    if card == JOKER:
        return 12
    if card == "J" + trump:
        return 11
    if card == "J" + SAME_COLOUR[trump]:
        return 10
    return "789TJQKA".index(card[0])


def legal(hand: Collection[Card], led: Card | None, trump: str) -> list[Card]:
    """Return the cards that may be played when `led` was led, or to lead if it is None."""
    if led is not None:
        follow = [card for card in hand if suit_of(card, trump) == suit_of(led, trump)]
        if follow:
            return sorted(follow)
    return sorted(hand)


def winner(trick: Sequence[tuple[int, Card]], trump: str) -> int:
    """Return the seat that takes a trick, its cards in the order played."""
    for suit in (trump, suit_of(trick[0][1], trump)):
        of_suit = [(seat, card) for seat, card in trick if suit_of(card, trump) == suit]
        if of_suit:
            return max((height(card, trump), seat) for seat, card in of_suit)[1]
    raise AssertionError("the suit led is in every trick")


def next_seat(seat: int, seats: Collection[int]) -> int:
    """Return the next of the seats clockwise."""
    later = [other for other in seats if other > seat]
    return min(later or seats)


Played = tuple[tuple[int, Card], ...]


class OpenHands:
    """One deal with all cards seen: what the makers' side takes from any position on.

    `deal` maps the seats in the hand to their cards; who sits out is not in it.
    """

    def __init__(self, deal: Deal, trump: str, makers: Collection[int]) -> None:
        self.trump = trump
        self.seats = sorted(deal)
        self.makers = frozenset(makers)
        self.start = tuple(frozenset(deal[seat]) for seat in self.seats)
        self._best = cache(self._search)

    def tricks(self, leader: int) -> int:
        """Return the tricks of the makers' side from the start."""
        return self._best(self.start, leader, ())

    def after(self, leader: int, played: Sequence[Card]) -> int:
        """Return the tricks of the makers' side in the whole hand once these cards were played."""
        hands, seat, taken = self.start, leader, 0
        trick: Played = ()
        for card in played:
            place = self.seats.index(seat)
            led = trick[0][1] if trick else None
            if card not in legal(hands[place], led, self.trump):
                raise ValueError(f"{card} may not be played by seat {seat}")
            hands = _without(hands, place, card)
            trick = (*trick, (seat, card))
            seat = next_seat(seat, self.seats)
            if len(trick) == len(self.seats):
                seat = winner(trick, self.trump)
                taken += seat in self.makers
                trick = ()
        return taken + self._best(hands, seat, trick)

    def _search(self, hands: tuple[Hand, ...], seat: int, trick: Played) -> int:
        if len(trick) == len(self.seats):
            taker = winner(trick, self.trump)
            return (taker in self.makers) + self._best(hands, taker, ())
        place = self.seats.index(seat)
        if not hands[place]:
            return 0
        led = trick[0][1] if trick else None
        after = next_seat(seat, self.seats)
        values = (
            self._best(_without(hands, place, card), after, (*trick, (seat, card)))
            for card in legal(hands[place], led, self.trump)
        )
        return max(values) if seat in self.makers else min(values)


def _without(hands: tuple[Hand, ...], place: int, card: Card) -> tuple[Hand, ...]:
    return (*hands[:place], hands[place] - {card}, *hands[place + 1 :])


def tricks(deal: Deal, trump: str, makers: Collection[int], leader: int) -> int:
    """Return the tricks of the makers' side under perfect play with all cards seen."""
    return OpenHands(deal, trump, makers).tricks(leader)
