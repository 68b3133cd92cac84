"""Euchre slowly: from the rules, with card names, sharing nothing with the product.

A card is its name, rank before suit: "JS", "TH", "Jo" for the joker. A suit is one of "SHDC".
A seat is a number: 0 at the dealer's left, then clockwise, the dealer last.
"""

from __future__ import annotations

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
    """A deal before the first lead; `deal` has the seats that play."""

    deal: Deal
    trump: str
    makers: Collection[int]
    leader: int


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


def dealers_hands(bid: Bid, dealt: Hand) -> list[Hand]:
    """Return what another dealer plays with once the upcard is ordered, each as likely.

    The rule is the one that the product's output names: the lowest card of the shortest side suit
    goes; a lone ace last, of suits equally long first one without its ace, then by lot; the lowest
    trump if there is no side card. A dealer who need not take the upcard leaves it if it would go.
    """
    six = dealt | {bid.up}
    suits = [
        [card for card in six if suit_of(card, bid.trump) == suit]
        for suit in SUITS
        if suit != bid.trump
    ]

    def place(suit: list[Card]) -> tuple[bool, int, bool]:
        has_ace = any(card[0] == "A" for card in suit)
        return has_ace and len(suit) == 1, len(suit), has_ace

    held = [suit for suit in suits if suit]
    if held:
        first = min(map(place, held))
        thrown = [lowest(suit, bid.trump) for suit in held if place(suit) == first]
    else:
        may_go = six if bid.game.discard_upcard else dealt
        thrown = [lowest(may_go, bid.trump)]
    return [six - {card} for card in thrown]


def lowest(cards: Collection[Card], trump: str) -> Card:
    """Return the lowest of some cards of one suit."""
    return min(cards, key=lambda card: height(card, trump))


def lone_defender(bid: Bid, deal: Mapping[int, Hand]) -> int | None:
    """Return who defends alone: by the product's rule who holds the three highest trumps."""
    if not bid.game.defend_alone:
        return None
    trumps = [card for card in deck(bid.game.deck) if suit_of(card, bid.trump) == bid.trump]
    if not bid.ordered:
        trumps = [card for card in trumps if card != bid.up]
    highest = sorted(trumps, key=lambda card: height(card, bid.trump))[-3:]
    side = side_of(bid.game, bid.seat)
    alone = [s for s, hand in deal.items() if s not in side and hand.issuperset(highest)]
    return alone[0] if alone else None


Solve = Callable[[Sequence[Position]], list[int]]


@dataclass(frozen=True)
class Result:
    """How one deal ends: the makers' tricks, and whether a defender played alone."""

    tricks: int
    lone: bool


def results(
    bid: Bid, own: Hand, deals: Iterable[Mapping[int, Hand]], solve: Solve
) -> list[list[Result]]:
    """Return how each deal ends if the asker plays with `own`: for each lot of the dealer's.

    `deals` give the other seats' cards as dealt.
    """
    positions: list[Position] = []
    lone: list[bool] = []
    lots: list[int] = []
    for dealt in deals:
        hands = [dealt[bid.dealer]] if bid.seat != bid.dealer else [own]
        if bid.ordered and bid.seat != bid.dealer:
            hands = dealers_hands(bid, dealt[bid.dealer])
        lots.append(len(hands))
        for hand in hands:
            deal = {**dealt, bid.dealer: hand, bid.seat: own}
            defender = lone_defender(bid, deal)
            seats = in_the_hand(bid.game, bid.seat, alone=bid.alone, defender=defender)
            makers = [seat for seat in side_of(bid.game, bid.seat) if seat in seats]
            leader = first_leader(bid.game, bid.seat, alone=bid.alone, defender=defender)
            playing = {seat: deal[seat] for seat in seats}
            positions.append(Position(playing, bid.trump, makers, leader))
            lone.append(defender is not None)
    ends = iter(map(Result, solve(positions), lone))
    return [[next(ends) for _ in range(number)] for number in lots]


def bid_worth(bid: Bid, end: Result) -> Fraction:
    """Return the asker's points less the opponents'."""
    points = score(bid.game, bid.seat, end.tricks, alone=bid.alone, lone_defender=end.lone)
    return worth(points, side_of(bid.game, bid.seat))


def mean(values: Iterable[Sequence[Fraction]]) -> Fraction:
    """Return the mean over deals of the mean over lots."""
    each = [sum(lots) / Fraction(len(lots)) for lots in values]
    return sum(each) / Fraction(len(each))
