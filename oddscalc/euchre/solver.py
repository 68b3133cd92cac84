"""One deal with all cards seen: the makers' tricks under perfect play, and a line of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from oddscalc.errors import InputError
from oddscalc.euchre import kernels
from oddscalc.euchre.notation import (
    JOKER,
    card_name,
    card_names,
    card_symbol,
    card_symbols,
    read_deal,
    read_suit,
    seat_words,
    sorted_cards,
    suit_name,
    suit_symbol,
)
from oddscalc.euchre.rules import DEFAULT_GAME, EuchreGame, load_game
from oddscalc.euchre.tables import FIELD, in_trumps, trump_bit
from oddscalc.results import Column, Result

__all__ = ["DealSolution", "Trick", "makers_tricks", "solve_deal"]

_SYMBOLS = {card_name(card): card_symbol(card) for card in range(JOKER + 1)}


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards by seat in the order played, and who took them."""

    plays: tuple[tuple[str, int], ...]
    taken_by: str


@dataclass(frozen=True)
class DealSolution(Result):
    """What the maker's side takes of a deal if everybody plays perfectly and sees all cards.

    Attributes
    ----------
    tricks
        Of the maker's side, 0 to 5.
    points
        To each player of the maker's side, and to each of the others.
    partners
        Whether players across are partners; otherwise the maker plays against all others.
    line
        One way of perfect play; there may be others.
    """

    schema: ClassVar[str] = "oddscalc.euchre.solve/1"

    game: str
    deal: tuple[tuple[int, ...], ...]
    trump: int
    maker: str
    alone: str | None
    defend_alone: str | None
    leader: str
    tricks: int
    points: tuple[int, int]
    partners: bool
    line: tuple[Trick, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return {
            "game": self.game,
            "deal": [card_names(hand) for hand in self.deal],
            "trump": suit_name(self.trump),
            "maker": self.maker,
            "alone": self.alone,
            "defend_alone": self.defend_alone,
            "leader": self.leader,
            "play": "open",
            "tricks": self.tricks,
            "points": {"makers": self.points[0], "others": self.points[1]},
            "partners": self.partners,
            "line": [
                {
                    "plays": [
                        {"seat": seat, "card": card_name(card)} for seat, card in trick.plays
                    ],
                    "taken_by": trick.taken_by,
                }
                for trick in self.line
            ],
        }

    def headline(self) -> str:
        """Return the answer as a sentence."""
        result = "euchred" if self.tricks < 3 else "all five" if self.tricks == 5 else "made"
        play = f"{suit_symbol(self.trump)} by {seat_words(self.maker)}"
        play += " alone" if self.alone is not None else ""
        if self.defend_alone is not None:
            play += f", {seat_words(self.defend_alone)} defending alone"
        makers, others = self.points
        earned = f"{_counted(others, 'point')} to {self._others}"
        earned = earned if others else _counted(makers, "point")
        return f"{play}: {_counted(self.tricks, 'trick')}, {result}: {earned}"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("trick", "Trick", right=True),
            *(
                Column(seat, seat_words(seat).capitalize(), _SYMBOLS.__getitem__)
                for seat, _ in self._order
            ),
            Column("leader", "Led by"),
            Column("taken_by", "Taken by"),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return the rows of the table: a trick each."""
        return [
            {
                "trick": number,
                **{seat: card_name(card) for seat, card in trick.plays},
                "leader": trick.plays[0][0],
                "taken_by": trick.taken_by,
            }
            for number, trick in enumerate(self.line, 1)
        ]

    def notes(self) -> list[str]:
        """Return sentences on how the answer was obtained."""
        hands = "; ".join(f"{seat_words(seat)} {card_symbols(hand)}" for seat, hand in self._order)
        return [
            f"Hands: {hands}.",
            "Exact, with open hands: everybody plays perfectly and sees every card. "
            "The line is one of the best; there may be others.",
        ]

    @property
    def _others(self) -> str:
        if len(self.deal) == 2:
            return "the other player"
        return "the others" if self.partners else "each of the others"

    @property
    def _order(self) -> list[tuple[str, tuple[int, ...]]]:
        """The seats that play and their hands, from the dealer's left."""
        playing = {seat for seat, _ in self.line[0].plays}
        names = (*(str(number) for number in range(1, len(self.deal))), "dealer")
        return [pair for pair in zip(names, self.deal, strict=True) if pair[0] in playing]


def solve_deal(
    deal: str,
    trump: str,
    *,
    game: EuchreGame | str = DEFAULT_GAME,
    leader: str | None = None,
    maker: str | None = None,
    alone: str | None = None,
    defend_alone: str | None = None,
) -> DealSolution:
    """Solve a deal with all cards seen.

    Parameters
    ----------
    deal
        Hands as they are played (after any pick-up and discard), from the dealer's left, parted
        by ``/``; who sits out is dealt too.
    trump
        The trump suit.
    leader
        Who leads to the first trick; by the game's rules unless given.
    maker
        The maker's seat; seat 1 unless given, or whoever plays `alone`.
    alone, defend_alone
        The maker's seat if the maker plays alone, and that of a defender who does; where the
        game allows it.

    Raises
    ------
    InputError
        If something cannot be; the text names it and what is accepted.

    Examples
    --------
    >>> deal = "JS AS KS QS 9H / TS 9S AH KH QH"
    >>> solve_deal(deal, "spades", game="two-handed").tricks
    4
    """
    game = load_game(game) if isinstance(game, str) else game
    hands = read_deal(deal, game)
    suit = read_suit(trump)
    if alone is not None and not game.alone:
        raise InputError(
            f"Seat '{alone}' cannot play alone, as nobody makes alone in {game.name}; "
            "accepted: no lone maker."
        )
    if defend_alone is not None and not game.defend_alone:
        raise InputError(
            f"Seat '{defend_alone}' cannot defend alone, as no defender plays alone in "
            f"{game.name}; accepted: no lone defender"
            + (", or rules with defend_alone = true." if game.hands > 2 else ".")
        )
    loner = None if alone is None else game.seat_index(alone)
    making = (loner or 0) if maker is None else game.seat_index(maker)
    if loner is not None and loner != making:
        raise InputError(
            f"Seat '{alone}' cannot play alone, as {seat_words(game.seats[making])} is the maker; "
            f"accepted: {game.seats[making]}."
        )
    side = game.side(making)
    defender = None if defend_alone is None else game.seat_index(defend_alone)
    if defender in side:
        accepted = ", ".join(game.seats[n] for n in range(game.hands) if n not in side)
        raise InputError(
            f"Seat '{defend_alone}' cannot defend alone, being on the maker's side; "
            f"accepted: {accepted}."
        )
    playing = game.playing(making, alone=loner is not None, defender=defender)
    first = game.leader(making, loner, defender) if leader is None else game.seat_index(leader)
    if first not in playing:
        accepted = ", ".join(game.seats[n] for n in playing)
        raise InputError(f"Seat '{leader}' sits out and cannot lead; accepted: {accepted}.")
    play = _Play([hands[seat] for seat in playing], suit, [seat in side for seat in playing])
    tricks, line = play.best_line(playing.index(first))
    names = [game.seats[seat] for seat in playing]
    return DealSolution(
        game=game.name,
        deal=tuple(tuple(sorted_cards(hand, suit)) for hand in hands),
        trump=suit,
        maker=game.seats[making],
        alone=None if loner is None else game.seats[loner],
        defend_alone=None if defender is None else game.seats[defender],
        leader=game.seats[first],
        tricks=tricks,
        points=game.score(tricks, alone=loner is not None, lone_defender=defender is not None),
        partners=game.partners,
        line=tuple(
            Trick(tuple((names[player], card) for player, card in plays), names[taker])
            for plays, taker in line
        ),
    )


def makers_tricks(
    hands: Sequence[Sequence[int]], trump: int, makers: Sequence[bool], leader: int
) -> int:
    """Return the makers' tricks under perfect play with all cards seen.

    Parameters
    ----------
    hands
        Cards of the two to four players in turn, one to five each, as many for each.
    makers
        Whether each is on the maker's side.
    leader
        Who leads, counted in `hands`.
    """
    return _Play(hands, trump, makers).value(leader)


class _Play:
    """A deal being played, as the kernels see it."""

    def __init__(self, hands: Sequence[Sequence[int]], trump: int, makers: Sequence[bool]) -> None:
        self._hands = np.zeros(4, np.uint64)
        self._hands[: len(hands)] = [in_trumps(hand, trump) for hand in hands]
        self._names = {1 << trump_bit(card, trump): card for hand in hands for card in hand}
        self._players = len(hands)
        self._makers = sum(1 << player for player, making in enumerate(makers) if making)
        self._stack = np.zeros(kernels.MOST_PLIES << 4, np.uint64)
        self._memo = np.zeros(2 * kernels.CELLS, np.uint64)
        self._left = len(hands[0])

    def value(self, seat: int, place: int = 0, best: int = 0, taker: int = 0, led: int = 0) -> int:
        """Return the makers' tricks from here, the trick under way included."""
        words = (self._players, self._makers, seat, self._left, place, best, taker, led)
        arguments = (np.uint64(word) for word in words)
        return int(kernels.most_tricks(self._hands, self._stack, self._memo, *arguments))

    def best_line(self, leader: int) -> tuple[int, list[tuple[list[tuple[int, int]], int]]]:
        """Play on perfectly; return the makers' tricks and each trick's plays and taker."""
        tricks = self.value(leader)
        to_come, line = tricks, []
        for _ in range(self._left):
            plays, taker = self._trick(leader, to_come)
            to_come -= self._makers >> taker & 1
            line.append((plays, taker))
            leader = taker
        return tricks, line

    def _trick(self, leader: int, to_come: int) -> tuple[list[tuple[int, int]], int]:
        plays: list[tuple[int, int]] = []
        best, taker, led = 0, leader, 0
        for place in range(self._players):
            seat = (leader + place) % self._players
            held = int(self._hands[seat])
            legal = held & led or held
            # The lowest card that gives nothing away.
            for card in sorted(_bits(legal), reverse=True):
                after_led = led or 0xFFFF << (card.bit_length() - 1) // FIELD * FIELD
                beats = not best or (card & (after_led | 0xFFFF) and card < best)
                after = (card, seat) if beats else (best, taker)
                self._hands[seat] = held ^ card
                if self._after(seat, place, *after, after_led) == to_come:
                    break
            best, taker = after
            led = after_led
            plays.append((seat, self._names[card]))
        self._left -= 1
        return plays, taker

    def _after(self, seat: int, place: int, best: int, taker: int, led: int) -> int:
        """Return the makers' tricks once `seat` has played as number `place` of the trick."""
        if place + 1 < self._players:
            return self.value((seat + 1) % self._players, place + 1, best, taker, led)
        self._left -= 1
        rest = self.value(taker) if self._left else 0
        self._left += 1
        return rest + (self._makers >> taker & 1)


def _bits(mask: int) -> list[int]:
    return [1 << place for place in range(mask.bit_length()) if mask >> place & 1]


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
