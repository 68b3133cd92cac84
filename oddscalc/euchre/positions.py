"""A hand in the middle of its play, as one player sees it: read, and checked against the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from oddscalc.errors import InputError
from oddscalc.euchre.notation import (
    card_name,
    card_names,
    nameable_suits,
    orderable_suits,
    read_card,
    read_cards,
    read_suit,
    seat_words,
    sorted_cards,
    suit_name,
)
from oddscalc.euchre.rules import CARDS_IN_HAND, DEFAULT_GAME, EuchreGame, load_game
from oddscalc.euchre.tables import FIELD, trump_bit

__all__ = ["Position", "read_position"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Position:
    """What the player whose turn it is knows; cards, suits and seats as numbers.

    Attributes
    ----------
    trump, maker, alone, round
        The bid that was made, and in which round.
    defender
        The seat of a defender who plays alone, or None.
    up
        The upcard.
    taken
        Whether the dealer has taken it up and is in the game.
    played
        Seat and card, in the order played.
    seat, hand
        Who is to play, holding what.
    buried
        What that player discarded, or left of the dummy.
    """

    game: EuchreGame
    trump: int
    maker: int
    alone: bool
    defender: int | None
    round: int
    up: int
    taken: bool
    played: tuple[tuple[int, int], ...]
    seat: int
    hand: tuple[int, ...]
    buried: tuple[int, ...]

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats in the game, whoever leads to the first trick first."""
        return _playing(self.game, self.maker, self.alone, self.defender)

    @property
    def own(self) -> tuple[int, ...]:
        """The five cards of the player to play at the first lead."""
        return (*self.hand, *(card for seat, card in self.played if seat == self.seat))

    @property
    def merges(self) -> bool:
        """Whether the maker has kept the best five with the dummy."""
        return self.game.may_use_dummy(self.maker, alone=self.alone)

    @property
    def buries(self) -> int:
        """How many cards the player to play has discarded or left of the dummy."""
        left = self.game.dummy if self.merges and self.seat == self.maker else 0
        return left + (self.taken and self.seat == self.game.dealer)

    @property
    def trick(self) -> int:
        """The number of the trick under way, from 1."""
        return len(self.played) // len(self.playing) + 1

    @property
    def led(self) -> int | None:
        """The suit led to the trick under way, or None."""
        place = len(self.played) // len(self.playing) * len(self.playing)
        return _suit(self.played[place][1], self.trump) if place < len(self.played) else None

    @property
    def legal(self) -> tuple[int, ...]:
        """The cards that may be played."""
        following = tuple(card for card in self.hand if _suit(card, self.trump) == self.led)
        return following or self.hand


def read_position(
    hand: str,
    *,
    trump: str,
    maker: str,
    up: str,
    played: str = "",
    alone: bool = False,
    defend_alone: str | None = None,
    buried: str | None = None,
    bidding_round: int | None = None,
    upcard_left: bool = False,
    game: EuchreGame | str = DEFAULT_GAME,
) -> Position:
    """Return a position; who is to play follows from the cards played so far.

    Parameters
    ----------
    hand
        The cards still held, or all five that the player had at the first lead.
    trump, maker, up
        The trump suit, the maker's seat, the card that was turned up.
    played
        The cards played so far, trick by trick, in the order played.
    alone, defend_alone
        Whether the maker plays alone; the seat of a defender who does.
    buried
        What the asking dealer discarded, or the asking maker left of hand and dummy.
    bidding_round
        1 or 2; unless given, 1 if trumps are the upcard's suit.
    upcard_left
        Whether the dealer, who might, did not take the upcard.

    Raises
    ------
    InputError
        If something cannot be; the text names it and what is accepted.
    """
    game = load_game(game) if isinstance(game, str) else game
    suit = read_suit(trump)
    upcard = read_card(up, game.deck)
    making = game.seat_index(maker)
    if alone and not game.alone:
        raise InputError(f"Nobody makes alone in {game.name}; accepted: no lone maker.")
    defender = _read_defender(defend_alone, making, game)
    number = _round(bidding_round, suit, upcard, game)
    if upcard_left:
        _check_left(number, making, game)
    seats = _playing(game, making, alone, defender)
    plays, turn = _walk(read_cards(played.replace("/", " "), game.deck), seats, suit, game)
    position = Position(
        game=game,
        trump=suit,
        maker=making,
        alone=alone,
        defender=defender,
        round=number,
        up=upcard,
        taken=number == 1 and not upcard_left and game.dealer in seats,
        played=plays,
        seat=turn,
        hand=_held(hand, plays, turn, game),
        buried=(),
    )
    _check_own_plays(position)
    _check_upcard(position)
    return replace(position, buried=_read_buried(buried, position))


def _suit(card: int, trump: int) -> int:
    """Return the suit that a card belongs to: the bowers and the joker to trumps."""
    return trump_bit(card, trump) // FIELD ^ trump


def _playing(game: EuchreGame, maker: int, alone: bool, defender: int | None) -> tuple[int, ...]:
    seats = game.playing(maker, alone=alone, defender=defender)
    first = seats.index(game.leader(maker, maker if alone else None, defender))
    return seats[first:] + seats[:first]


def _tricks(plays: Sequence[T], players: int) -> list[Sequence[T]]:
    return [plays[start : start + players] for start in range(0, len(plays), players)]


def _who(seat: int, game: EuchreGame) -> str:
    return seat_words(game.seats[seat]).capitalize()


def _round(asked: int | None, suit: int, up: int, game: EuchreGame) -> int:
    open_suits = {1: orderable_suits(game, up), 2: nameable_suits(game, up)}
    if asked not in (None, 1, 2):
        raise InputError(f"There is no bidding round {asked}; accepted: 1 or 2.")
    number = asked or (1 if suit in open_suits[1] else 2)
    if suit not in open_suits[number]:
        names = " ".join(suit_name(other) for other in open_suits[number])
        turned = "up" if number == 1 else "down"
        raise InputError(
            f"{suit_name(suit)} cannot be trumps by round {number}, {card_name(up)} being turned "
            f"{turned}; accepted: {names}."
        )
    return number


def _read_defender(word: str | None, maker: int, game: EuchreGame) -> int | None:
    if word is None:
        return None
    if not game.defend_alone:
        raise InputError(
            f"Seat '{word}' cannot defend alone, as no defender plays alone in {game.name}; "
            "accepted: no lone defender."
        )
    seat = game.seat_index(word)
    if seat in game.side(maker):
        others = (game.seats[n] for n in range(game.hands) if n not in game.side(maker))
        raise InputError(
            f"Seat '{word}' cannot defend alone, being on the maker's side; "
            f"accepted: {', '.join(others)}."
        )
    return seat


def _check_left(number: int, maker: int, game: EuchreGame) -> None:
    if number == 2:
        why = "it was turned down"
    elif maker == game.dealer:
        why = "the dealer made trumps by taking it"
    elif game.dealer_must_take:
        why = f"in {game.name} the dealer must take it"
    else:
        return
    raise InputError(f"The dealer cannot have left the upcard, as {why}; accepted: not left.")


def _walk(
    cards: Sequence[int], seats: tuple[int, ...], trump: int, game: EuchreGame
) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return who played what and who is to play; refuse cards that show a revoke."""
    most = CARDS_IN_HAND * len(seats) - 1
    if len(cards) > most:
        raise InputError(
            f"{len(cards)} cards are played, after which nobody is to play; "
            f"accepted: at most {most}, with {len(seats)} players."
        )
    plays: list[tuple[int, int]] = []
    voids: dict[tuple[int, int], int] = {}
    order = seats
    for number, trick in enumerate(_tricks(cards, len(seats)), 1):
        led = _suit(trick[0], trump)
        for seat, card in zip(order, trick, strict=False):
            suit = _suit(card, trump)
            if (seat, suit) in voids:
                raise InputError(
                    f"{_who(seat, game)} cannot have played {card_name(card)} to trick {number}, "
                    f"having none of its suit in trick {voids[seat, suit]}; accepted: a card of "
                    "another suit."
                )
            if suit != led:
                voids.setdefault((seat, led), number)
            plays.append((seat, card))
        if len(trick) < len(seats):
            return tuple(plays), order[len(trick)]
        # Of cards that can take a trick, the one in the lowest bit does.
        able = [card for card in trick if _suit(card, trump) in (led, trump)]
        taker = trick.index(min(able, key=lambda card: trump_bit(card, trump)))
        order = order[taker:] + order[:taker]
    return tuple(plays), order[0]


def _held(
    text: str, plays: Sequence[tuple[int, int]], turn: int, game: EuchreGame
) -> tuple[int, ...]:
    """Return the cards still held; the text may give them, or the five of the first lead."""
    cards = read_cards(text, game.deck)
    for seat, card in plays:
        if card in cards and seat != turn:
            raise InputError(
                f"{card_name(card)} is in the hand, and {seat_words(game.seats[seat])} has played "
                "it; each card exists once."
            )
    mine = {card for seat, card in plays if seat == turn}
    left = CARDS_IN_HAND - len(mine)
    both = mine & set(cards)
    if (len(cards), len(both)) not in ((left, 0), (CARDS_IN_HAND, len(mine))):
        names = " ".join(card_names(sorted_cards(mine)))
        accepted = f"the {left} still held" if left > 1 else "the one still held"
        if mine:
            accepted += f", or all {CARDS_IN_HAND} with {names}"
        raise InputError(
            f"The hand '{text.strip()}' has {len(cards)} cards, and {seat_words(game.seats[turn])} "
            f"is to play, having played {len(mine)}; accepted: {accepted}."
        )
    return tuple(card for card in cards if card not in mine)


def _check_own_plays(position: Position) -> None:
    """Refuse a play of the asker's that did not follow suit though the hand could."""
    trump, seat = position.trump, position.seat
    held = position.own
    for number, trick in enumerate(_tricks(position.played, len(position.playing)), 1):
        led = _suit(trick[0][1], trump)
        for player, card in trick:
            if player != seat:
                continue
            fits = [other for other in held if _suit(other, trump) == led]
            if fits and card not in fits:
                raise InputError(
                    f"{_who(seat, position.game)} cannot have played {card_name(card)} to trick "
                    f"{number}, holding {' '.join(card_names(fits))} of the suit led; "
                    f"accepted: {' '.join(card_names(fits))}."
                )
            held = tuple(other for other in held if other != card)


def _check_upcard(position: Position) -> None:
    game, up = position.game, position.up
    holder = position.seat if up in position.hand else None
    holder = next((seat for seat, card in position.played if card == up), holder)
    if holder is None or (position.taken and holder == game.dealer):
        return
    if position.round == 2:
        why = "it was turned down"
    elif position.taken:
        why = "the dealer has taken it"
    elif game.dealer in position.playing:
        why = "the dealer left it"
    else:
        why = "the dealer, who sits out, has taken it"
    raise InputError(
        f"{_who(holder, game)} cannot have the upcard {card_name(up)}, as {why}; "
        "accepted: other cards."
    )


def _read_buried(text: str | None, position: Position) -> tuple[int, ...]:
    game, own = position.game, position.own
    discards = position.taken and position.seat == game.dealer
    number = position.buries
    thrown_up = discards and position.up not in own
    if text is None:
        if thrown_up and not game.discard_upcard:
            raise InputError(
                f"The dealer has taken {card_name(position.up)} and may not discard it in "
                f"{game.name}; accepted: a hand with it."
            )
        return (position.up,) if thrown_up else ()
    cards = tuple(read_cards(text, game.deck))
    if len(cards) != number or not number:
        accepted = f"{number} cards" if number > 1 else "one card" if number else "nothing"
        raise InputError(
            f"{_who(position.seat, game)} cannot have buried '{text.strip()}'; "
            f"accepted: {accepted}."
        )
    known = {*own, *(card for _, card in position.played)}
    if not discards:
        known.add(position.up)
    if both := known & set(cards):
        names = " ".join(card_names(sorted_cards(both)))
        raise InputError(f"{names} cannot be buried: in the hand, played or turned up already.")
    if thrown_up and (position.up not in cards or not game.discard_upcard):
        raise InputError(
            f"The dealer has taken {card_name(position.up)}; accepted: a hand with it"
            + (", or that it was buried." if game.discard_upcard else ".")
        )
    return cards
