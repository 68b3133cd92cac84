"""Euchre slowly: from the rules, with card names, sharing nothing with the product.

A card is its name, rank before suit: "JS", "TH", "Jo" for the joker. A suit is one of "SHDC".
A seat is a number: 0 at the dealer's left, then clockwise, the dealer last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

from oddscalc.euchre.rules import EuchreGame

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


@dataclass(frozen=True)
class Position:
    """A deal before the first lead; `deal` has the seats that play, `size` is the deck's."""

    deal: Deal
    trump: str
    makers: Collection[int]
    leader: int
    size: int = 24


def tricks(positions: Iterable[Position]) -> list[int]:
    """Return the tricks of the makers' side in each, under perfect play with all cards seen."""
    return [OpenHands(p.deal, p.trump, p.makers).tricks(p.leader) for p in positions]


# Who sits where, who leads, what it earns


def side_of(game: EuchreGame, seat: int) -> list[int]:
    """Return the seats of a maker's side."""
    return [seat, (seat + 2) % 4] if game.partners else [seat]


def in_the_hand(
    game: EuchreGame, maker: int, *, alone: bool = False, defender: int | None = None
) -> list[int]:
    """Return the seats that play: a lone player's partners sit out."""
    seats = []
    for seat in range(game.hands):
        if seat in side_of(game, maker):
            sits_out = alone and seat != maker
        else:
            sits_out = defender is not None and seat != defender
        if not sits_out:
            seats.append(seat)
    return seats


def first_leader(
    game: EuchreGame, maker: int, *, alone: bool = False, defender: int | None = None
) -> int:
    """Return who leads to the first trick."""
    seats = in_the_hand(game, maker, alone=alone, defender=defender)
    left_of = game.hands - 1
    if game.loner_lead == "loners-left":
        if alone and (defender is None or game.both_alone_lead == "maker"):
            left_of = maker
        elif defender is not None:
            left_of = defender
    return next_seat(left_of, seats)


def outcome(tricks_taken: int) -> str:
    """Return the name of the outcome for the maker's side."""
    return "euchred" if tricks_taken < 3 else "march" if tricks_taken == 5 else "made"


def score(
    game: EuchreGame,
    maker: int,
    tricks_taken: int,
    *,
    alone: bool = False,
    lone_defender: bool = False,
) -> list[int]:
    """Return the points that each seat earns."""
    earned = game.points
    makers = defenders = 0
    if tricks_taken == 5:
        makers = earned.alone_march if alone else earned.march
    elif tricks_taken >= 3:
        makers = earned.alone_made if alone else earned.made
    elif lone_defender:
        defenders = earned.lone_defender if tricks_taken else earned.lone_defender_march
    elif alone:
        defenders = earned.alone_euchred if tricks_taken else earned.alone_swept
    else:
        defenders = earned.euchred if tricks_taken else earned.swept
    side = side_of(game, maker)
    return [makers if seat in side else defenders for seat in range(game.hands)]


def worth(points: Sequence[int], side: Collection[int]) -> Fraction:
    """Return a side's points less the mean of the opponents'."""
    ours = {points[seat] for seat in side}
    theirs = [points[seat] for seat in range(len(points)) if seat not in side]
    return Fraction(ours.pop()) - Fraction(sum(theirs), len(theirs))


# What may lie where


def worlds(unseen: Collection[Card], sizes: Sequence[int]) -> Iterator[tuple[Hand, ...]]:
    """Yield every way to deal hands of these sizes from the unseen cards."""
    if not sizes:
        yield ()
        return
    for dealt in combinations(sorted(unseen), sizes[0]):
        hand = frozenset(dealt)
        for others in worlds(frozenset(unseen) - hand, sizes[1:]):
            yield (hand, *others)


def held_of(unseen: Collection[Card], places: int, wanted: Collection[Card]) -> list[Fraction]:
    """Return the chances that `places` of the unseen cards hold exactly 0, 1, ... wanted ones."""
    ways = [0] * (len(wanted) + 1)
    for dealt in combinations(unseen, places):
        ways[sum(card in wanted for card in dealt)] += 1
    return [Fraction(number, sum(ways)) for number in ways]


# Bids


@dataclass(frozen=True)
class Bid:
    """An action open to a player: the upcard ordered (or taken up), or a suit named."""

    game: EuchreGame
    hand: Hand
    up: Card
    seat: int
    trump: str
    alone: bool = False
    ordered: bool = True

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.game.hands - 1

    def unseen(self) -> Hand:
        """Return the cards that the asker does not see."""
        return frozenset(deck(self.game.deck)) - self.hand - {self.up}

    def own_choices(self) -> list[Hand]:
        """Return the five cards that the asker may play with: a dealer who takes discards one."""
        if not self.ordered or self.seat != self.dealer:
            return [self.hand]
        return after_discard(self.game, self.hand, self.up)


def after_discard(game: EuchreGame, hand: Hand, up: Card) -> list[Hand]:
    """Return what a dealer may hold after taking the upcard."""
    given_up = sorted(hand | {up}) if game.discard_upcard else sorted(hand)
    return [(hand | {up}) - {card} for card in given_up]


Rule = Callable[[Bid, Hand], Hand]
Solve = Callable[[Sequence[Position]], list[int]]


def bid_tallies(
    bid: Bid, deals: Iterable[Mapping[int, Hand]], dealer_rule: Rule, solve: Solve
) -> dict[Hand, Counter[int]]:
    """Return the makers' tricks over the deals, for each five that the asker may play with.

    `deals` give the other seats' cards as dealt; what a dealer who is not the asker makes of an
    ordered upcard is the rule's.
    """
    dealt = [dict(deal) for deal in deals]
    if bid.ordered and bid.seat != bid.dealer:
        for deal in dealt:
            deal[bid.dealer] = dealer_rule(bid, deal[bid.dealer])
    seats = in_the_hand(bid.game, bid.seat, alone=bid.alone)
    makers = [seat for seat in side_of(bid.game, bid.seat) if seat in seats]
    leader = first_leader(bid.game, bid.seat, alone=bid.alone)
    tallies = {}
    for own in bid.own_choices():
        positions = [
            Position(
                {seat: own if seat == bid.seat else deal[seat] for seat in seats},
                bid.trump,
                makers,
                leader,
                bid.game.deck,
            )
            for deal in dealt
        ]
        tallies[own] = Counter(solve(positions))
    return tallies


def mean_worth(bid: Bid, tally: Mapping[int, int]) -> Fraction:
    """Return the asker's expected points less the opponents'."""
    side = side_of(bid.game, bid.seat)
    total = sum(
        number * worth(score(bid.game, bid.seat, taken, alone=bid.alone), side)
        for taken, number in tally.items()
    )
    return Fraction(total) / sum(tally.values())
