"""Exact chances that somebody holds some of a set of cards, given what is seen.

The unseen cards are equally likely to lie anywhere, so the number that a seat, a side, the dummy
or the undealt cards hold of a set is hypergeometric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

from oddscalc.errors import InputError, NotationError, unknown_name
from oddscalc.euchre.notation import (
    JACK,
    JOKER,
    card_name,
    card_names,
    card_symbols,
    deck_cards,
    orderable_suits,
    rank_of,
    read_cards,
    read_hand,
    read_suit,
    read_upcard,
    sorted_cards,
    suit_of,
)
from oddscalc.euchre.rules import CARDS_IN_HAND, DEFAULT_GAME, EuchreGame, load_game
from oddscalc.gamefiles import plain_word
from oddscalc.results import Column, Result

__all__ = ["HOLDERS", "CardChance", "chance"]

HOLDERS = {
    "partner": "Partner holds",
    "opponents": "The opponents together hold",
    "opponent": "One given opponent holds",
    "left": "The player at your left holds",
    "right": "The player at your right holds",
    "me": "You hold",
    "us": "Your side holds",
    "others": "The other players together hold",
    "makers": "The makers hold",
    "defenders": "The defenders hold",
    "dummy": "The dummy holds",
    "undealt": "The undealt cards hold",
}
_OTHER_NAMES = {
    "them": "opponents",
    "you": "me",
    "own": "me",
    "our-side": "us",
    "my-side": "us",
    "makers-side": "makers",
    "defence": "defenders",
    "kitty": "undealt",
    "talon": "undealt",
}
_SETS = ("trumps", "bowers", "aces")


@dataclass(frozen=True)
class CardChance(Result):
    """The chance that a holder has at least `at_least` cards of a set.

    Attributes
    ----------
    known
        Cards of the set that the holder is seen to have.
    live
        Cards of the set that are unseen.
    unseen, drawn
        Unseen cards in all, and how many of them the holder has.
    as_maker
        Whether the asker was taken for the maker, for want of seats.
    """

    schema: ClassVar[str] = "oddscalc.euchre.chance/1"

    game: str
    seat: str
    of: tuple[int, ...]
    at_least: int
    hand: tuple[int, ...]
    up: int | None
    seen: tuple[int, ...]
    known: int
    live: int
    unseen: int
    drawn: int
    as_maker: bool = False

    def exactly(self, number: int) -> Fraction:
        """Return the chance of exactly `number` cards of the set."""
        more = number - self.known
        if not 0 <= more <= min(self.live, self.drawn):
            return Fraction(0)
        ways = comb(self.live, more) * comb(self.unseen - self.live, self.drawn - more)
        return Fraction(ways, comb(self.unseen, self.drawn))

    def or_more(self, number: int) -> Fraction:
        """Return the chance of at least `number` cards of the set."""
        return sum((self.exactly(n) for n in range(number, len(self.of) + 1)), Fraction(0))

    @property
    def probability(self) -> Fraction:
        """The chance that was asked for."""
        return self.or_more(self.at_least)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return {
            "game": self.game,
            "seat": self.seat,
            "of": card_names(self.of),
            "at_least": self.at_least,
            "hand": card_names(self.hand),
            "up": None if self.up is None else card_name(self.up),
            "seen": card_names(self.seen),
            "unseen_cards": self.unseen,
            "unseen_held": self.drawn,
            "probability": _plain(self.probability),
            "by_number": [
                {
                    "cards": number,
                    "exactly": _plain(self.exactly(number)),
                    "at_least": _plain(self.or_more(number)),
                }
                for number in range(len(self.of) + 1)
            ],
        }

    def headline(self) -> str:
        """Return the answer as a sentence."""
        who = HOLDERS.get(self.seat) or (
            "The dealer holds" if self.seat == "dealer" else f"Seat {self.seat} holds"
        )
        chance = self.probability
        return (
            f"{who} at least {self.at_least} of {card_symbols(self.of)}: "
            f"{_percent(float(chance))} ({chance})"
        )

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("cards", "Cards", right=True),
            Column("exactly", "Exactly", _percent, right=True),
            Column("at_least", "At least", _percent, right=True),
            Column("fraction", "At least, exact", right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each number of cards that can be; at least up to the one asked for."""
        most = max(n for n in range(len(self.of) + 1) if self.exactly(n) or n == self.at_least)
        return [
            {
                "cards": number,
                "exactly": float(self.exactly(number)),
                "at_least": float(self.or_more(number)),
                "fraction": str(self.or_more(number)),
            }
            for number in range(most + 1)
        ]

    def notes(self) -> list[str]:
        """Return what the chance rests on."""
        cards = "card" if self.unseen == 1 else "cards"
        notes = [f"Exact: {self.drawn} of {self.unseen} unseen {cards}, as dealt."]
        if self.as_maker:
            notes.append("You are taken for the maker, as your seat and the maker's are not named.")
        places = (
            ("in your hand", self.hand),
            ("turned up", () if self.up is None else (self.up,)),
            ("seen elsewhere", self.seen),
        )
        for place, cards_there in places:
            if there := [card for card in self.of if card in cards_there]:
                verb = "is" if len(there) == 1 else "are"
                notes.append(f"{card_symbols(there)} {verb} {place}.")
        return notes


def chance(
    of: str,
    *,
    seat: str = "partner",
    at_least: int = 1,
    hand: str | None = None,
    up: str | None = None,
    seen: str | None = None,
    trump: str | None = None,
    me: str | None = None,
    maker: str | None = None,
    game: EuchreGame | str = DEFAULT_GAME,
) -> CardChance:
    """Return the chance that somebody was dealt at least some cards of a set.

    Parameters
    ----------
    of
        Cards, or "trumps", "bowers" or "aces".
    seat
        Who: a key of `HOLDERS` or a seat of the game.
    at_least
        How many cards of the set.
    hand, up, seen
        The own five cards, the upcard, and other cards known to be in no other player's hand
        nor in the dummy.
    trump
        The trump suit, for "trumps" and "bowers"; the upcard's unless given.
    me, maker
        The own seat and the maker's, where `seat` depends on them.
    game
        The game or its name.

    Raises
    ------
    InputError
        If a word cannot be read, a card would be in two places, or `seat` cannot be told.

    Examples
    --------
    >>> chance("bowers", seat="1", at_least=2, trump="S").probability
    Fraction(5, 138)
    """
    if isinstance(game, str):
        game = load_game(game)
    held = read_hand(hand, game.deck) if hand is not None else ()
    upcard = read_upcard(up, held, game.deck) if up is not None else None
    shown = tuple(read_cards(seen, game.deck)) if seen is not None else ()
    visible = (*held, *(() if upcard is None else (upcard,)))
    if both := [card for card in shown if card in visible]:
        raise NotationError(
            f"The card {card_name(both[0])} is among the cards seen and in the hand or turned up; "
            "each card exists once."
        )
    wanted = _wanted(of, game, trump, upcard)
    if not 0 <= at_least <= len(wanted):
        raise InputError(
            f"At least {at_least} of {len(wanted)} cards is asked; accepted: 0 to {len(wanted)}."
        )
    own_seat = game.seat_index(me) if me is not None else None
    making = game.seat_index(maker) if maker is not None else None
    unseen = game.deck - len(visible) - len(shown)
    dealt = CARDS_IN_HAND * (game.hands - bool(held))
    place = _OTHER_NAMES.get(plain_word(seat), plain_word(seat))
    if place == "dummy" and not game.dummy:
        raise InputError(f"'{seat}': there is no dummy in the game {game.name}.")
    if place in ("dummy", "undealt"):
        undealt = unseen - dealt - game.dummy
        who, own, drawn = place, False, game.dummy if place == "dummy" else undealt
        dealt += game.dummy
    else:
        who, own, drawn = _holder(seat, game, own_seat, making, blind=not held)
    if unseen < dealt:
        raise InputError(
            f"The cards seen leave {unseen} unseen, too few for the hands that are asked about; "
            "accepted: cards that no other player or dummy holds."
        )
    return CardChance(
        game=game.name,
        seat=who,
        of=wanted,
        at_least=at_least,
        hand=held,
        up=upcard,
        seen=shown,
        known=sum(card in held for card in wanted) if own else 0,
        live=sum(card not in visible and card not in shown for card in wanted),
        unseen=unseen,
        drawn=drawn,
        as_maker=who in ("us", "opponents")
        and not game.partners
        and game.hands > 2
        and None in (own_seat, making),
    )


def _wanted(of: str, game: EuchreGame, trump: str | None, up: int | None) -> tuple[int, ...]:
    """Return the cards of a set that is listed or called by name."""
    suit = None
    if trump is not None:
        suit = read_suit(trump)
    elif up is not None and len(orderable_suits(game, up)) == 1:
        suit = orderable_suits(game, up)[0]
    name = plain_word(of)
    if name not in _SETS:
        cards = tuple(read_cards(of, game.deck))
        if not cards:
            raise NotationError(f"No cards are asked about; accepted: cards, {', '.join(_SETS)}.")
        return cards
    deck = deck_cards(game.deck)
    if name == "aces":
        return tuple(card for card in deck if card != JOKER and rank_of(card) == 7)
    if suit is None:
        raise InputError(f"'{name}' depends on the trump suit; name it, or the upcard.")
    bowers = [
        card
        for card in deck
        if card == JOKER or (rank_of(card) == JACK and suit_of(card) >> 1 == suit >> 1)
    ]
    if name == "bowers":
        return tuple(sorted_cards(bowers, suit))
    return tuple(sorted_cards({*bowers, *(card for card in deck if suit_of(card) == suit)}, suit))


def _holder(
    word: str, game: EuchreGame, me: int | None, maker: int | None, *, blind: bool
) -> tuple[str, bool, int]:
    """Return a holder of players' cards: name, whether the asker is in it, its unseen cards.

    `blind` says that the asker's cards are unseen as well.
    """
    name = plain_word(word.replace("'", ""))
    name = _OTHER_NAMES.get(name, name)
    allies = _allies(game, me, maker)
    others = game.hands - 1
    relatives = {
        "me": (True, 0),
        "us": (True, allies),
        "partner": (False, allies),
        "opponents": (False, others - allies),
        "others": (False, others),
        **dict.fromkeys(("opponent", "left", "right"), (False, 1)),
    }
    if name == "partner" and not allies:
        raise InputError(
            f"'{word}': a maker has no partner in the game {game.name}; accepted where "
            "you defend beside another, told by your own seat and the maker's."
        )
    if name in relatives:
        own, number = relatives[name]
    elif name in ("makers", "defenders"):
        if maker is None:
            raise InputError(f"'{word}' depends on who is the maker; name the maker's seat.")
        if me is None and not blind:
            raise InputError(f"'{word}' depends on where you sit; name your own seat.")
        makers = set(game.side(maker))
        side = makers if name == "makers" else set(range(game.hands)) - makers
        own, number = me in side, len(side - {me})
    elif name == "d" or name in game.seats:
        seat = game.seat_index(name)
        name, own, number = game.seats[seat], seat == me, int(seat != me)
    else:
        raise unknown_name("holder", word, (*HOLDERS, *game.seats))
    return name, own, CARDS_IN_HAND * (number + (own and blind))


def _allies(game: EuchreGame, me: int | None, maker: int | None) -> int:
    """Return how many players stand by the asker, who counts as the maker unless told otherwise."""
    if game.partners:
        return 1
    if maker is None or me is None or me == maker:
        return 0
    return game.hands - 2


def _plain(chance: Fraction) -> dict[str, Any]:
    return {"fraction": str(chance), "value": float(chance)}


def _percent(chance: float) -> str:
    return f"{100 * chance:.3f} %"
