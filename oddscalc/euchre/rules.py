"""What a Euchre game is: frozen dataclasses with every switch, read and checked from TOML.

A game file may start from another game with ``base = "four-handed"`` and name only what differs.
docs/euchre.md gives the vocabulary.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from oddscalc.errors import unknown_name
from oddscalc.gamefiles import GameFiles
from oddscalc.reading import Reader

__all__ = [
    "CARDS_IN_HAND",
    "DEFAULT_GAME",
    "EuchreGame",
    "Points",
    "game_names",
    "game_source",
    "load_game",
    "read_game",
]

DEFAULT_GAME = "four-handed"
CARDS_IN_HAND = 5
TRICKS_TO_MAKE = 3

HANDS = (2, 3, 4)
DECKS = (24, 25, 32)
SUIT_NAMES = ("spades", "clubs", "hearts", "diamonds")
MOST_POINTS = 100
LARGEST_DUMMY = 5
LARGEST_TARGET = 1000


@dataclass(frozen=True, slots=True)
class Points:
    """What a hand earns: to each player of the maker's side, or to each of the other side.

    Attributes
    ----------
    made, march
        To the makers for three or four tricks, and for all five.
    euchred, swept
        To the others if the makers take one or two tricks, and if they take none.
    alone_made, alone_march, alone_euchred, alone_swept
        The same four if the maker plays alone.
    lone_defender, lone_defender_march
        To the others if a lone defender takes three or four tricks, and for all five, whether
        the maker plays alone or not.
    """

    made: int
    march: int
    euchred: int
    swept: int
    alone_made: int
    alone_march: int
    alone_euchred: int
    alone_swept: int
    lone_defender: int
    lone_defender_march: int


@dataclass(frozen=True, slots=True)
class EuchreGame:
    """A Euchre game. Seats are counted from the dealer's left; the dealer's is the last.

    Attributes
    ----------
    hands
        Players; each is dealt five cards.
    partners
        Whether the players across are partners; otherwise the maker plays against all others.
    deck
        24 cards, 25 with a joker, 32 with sevens and eights.
    target
        Points that win the game.
    stick_the_dealer
        Whether the dealer must name a suit when all pass twice.
    turned_down_suit
        Whether the suit turned down may be named in round two.
    dealer_must_take
        Whether the dealer must take the upcard when another player orders it.
    discard_upcard
        Whether the upcard just taken may be discarded.
    joker_suit
        The suit that a turned-up joker stands for; "any": whoever orders it names the suit.
    alone
        Whether the maker may play alone: without partner, without the dummy.
    defend_alone
        Whether a defender may play alone.
    loner_lead
        Who leads when somebody plays alone: the dealer's or the loner's left still in the game.
    both_alone_lead
        Whose left counts when both sides play alone and `loner_lead` is "loners-left".
    dummy
        Cards dealt to a dummy.
    dummy_use
        Who may merge it into the own hand and keep the best five: the maker unless alone, the
        dealer if that is the maker, or nobody.
    dummy_order
        Whether the maker takes the upcard (and discards) first, or merges the dummy first.
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    summary: str
    hands: int
    partners: bool
    deck: int
    target: int
    stick_the_dealer: bool
    turned_down_suit: bool
    dealer_must_take: bool
    discard_upcard: bool
    joker_suit: Literal["any", "spades", "clubs", "hearts", "diamonds"]
    alone: bool
    defend_alone: bool
    loner_lead: Literal["dealers-left", "loners-left"]
    both_alone_lead: Literal["maker", "defender"]
    dummy: int
    dummy_use: Literal["maker", "dealer", "nobody"]
    dummy_order: Literal["after-pickup", "before-pickup"]
    points: Points

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats from the dealer's left.

        >>> load_game("three-handed").seats
        ('1', '2', 'dealer')
        """
        return (*(str(seat + 1) for seat in range(self.hands - 1)), "dealer")

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.hands - 1

    def seat_index(self, word: str) -> int:
        """Return a seat by its name.

        Raises
        ------
        UnknownNameError
            If the game has no such seat.
        """
        name = word.strip().lower().removeprefix("seat").strip()
        name = "dealer" if name == "d" else name
        if name not in self.seats:
            raise unknown_name("seat", word, self.seats)
        return self.seats.index(name)

    def side(self, seat: int) -> tuple[int, ...]:
        """Return the seats on a maker's side: the own and, with partners, the one across."""
        return tuple(sorted((seat, (seat + 2) % 4))) if self.partners else (seat,)

    def may_use_dummy(self, maker: int, *, alone: bool) -> bool:
        """Tell whether the maker may merge the dummy."""
        allowed = {"maker": True, "dealer": maker == self.dealer, "nobody": False}
        return self.dummy > 0 and not alone and allowed[self.dummy_use]

    def leader(self, maker: int, alone: int | None = None, defender: int | None = None) -> int:
        """Return the seat that leads to the first trick.

        Parameters
        ----------
        maker
            The maker's seat.
        alone, defender
            The seat of the maker if playing alone, and of a defender playing alone.
        """
        playing = self.playing(maker, alone=alone is not None, defender=defender)
        left_of = self.dealer
        if self.loner_lead == "loners-left":
            order = (alone, defender) if self.both_alone_lead == "maker" else (defender, alone)
            left_of = next((seat for seat in order if seat is not None), self.dealer)
        after = ((left_of + step) % self.hands for step in range(1, self.hands + 1))
        return next(seat for seat in after if seat in playing)

    def playing(
        self, maker: int, *, alone: bool = False, defender: int | None = None
    ) -> tuple[int, ...]:
        """Return the seats in the game, from the dealer's left."""
        side = self.side(maker)
        makers = (maker,) if alone else side
        others = tuple(seat for seat in range(self.hands) if seat not in side)
        return tuple(sorted((*makers, *(others if defender is None else (defender,)))))

    def score(
        self, tricks: int, *, alone: bool = False, lone_defender: bool = False
    ) -> tuple[int, int]:
        """Return the points to the maker's side and to the others.

        Parameters
        ----------
        tricks
            Tricks of the maker's side, 0 to 5.
        alone, lone_defender
            Whether the maker, and whether a defender plays alone.

        Examples
        --------
        >>> load_game("four-handed").score(5, alone=True)
        (4, 0)
        """
        points = self.points
        if tricks >= TRICKS_TO_MAKE:
            march = tricks == CARDS_IN_HAND
            if alone:
                return (points.alone_march if march else points.alone_made), 0
            return (points.march if march else points.made), 0
        if lone_defender:
            return 0, points.lone_defender_march if tricks == 0 else points.lone_defender
        if alone:
            return 0, points.alone_swept if tricks == 0 else points.alone_euchred
        return 0, points.swept if tricks == 0 else points.euchred

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain dicts, lists and numbers."""
        return {**asdict(self), "aliases": list(self.aliases), "seats": list(self.seats)}


def game_names() -> list[str]:
    """Return the names of the built-in games, the default game first."""
    return _FILES.names()


def game_source(name: str) -> str:
    """Return the TOML text of a built-in game, to start a house's own file from."""
    return _FILES.source(name)


def load_game(name: str = DEFAULT_GAME) -> EuchreGame:
    """Return a built-in game by its name or alias.

    Raises
    ------
    UnknownNameError
        If there is no such game; the text names the nearest one.
    """
    return _FILES.load(name)


def read_game(path: Path | str) -> EuchreGame:
    """Return the game described by a TOML file; its name is the file's, without the ending.

    Raises
    ------
    RulesError
        If the file cannot be read or a key is wrong; the text names key, value and what is
        allowed.
    """
    return _FILES.read(path)


def _over_base(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    # A house's game has neither the names nor the summary of the game that it starts from.
    over = {"aliases": [], "summary": ""} | over
    if isinstance(over.get("points"), dict):
        over["points"] = under["points"] | over["points"]
    return under | over


def _game(name: str, data: dict[str, Any]) -> EuchreGame:
    top = Reader(data)
    hands = top.integer("hands", min(HANDS), max(HANDS))
    deck = top.integer("deck", min(DECKS), max(DECKS), default=24)
    if deck not in DECKS:
        top.wrong("deck", deck, "24, 25 (with a joker) or 32 (with sevens and eights)")
    partners = top.flag("partners", hands == 4)
    if partners and hands != 4:
        top.wrong("partners", partners, f"false, with {hands} hands")
    dummy = top.integer("dummy", 0, LARGEST_DUMMY, default=0)
    room = deck - CARDS_IN_HAND * hands - 1
    if dummy > room:
        top.wrong("dummy", dummy, f"at most {room}, with {hands} hands, {deck} cards and an upcard")
    alone = top.flag("alone", hands > 2)
    if alone and hands == 2 and not dummy:
        top.wrong("alone", alone, "false, with two hands and no dummy")
    defend_alone = top.flag("defend_alone", False)
    if defend_alone and hands == 2:
        top.wrong("defend_alone", defend_alone, "false, with two hands")
    joker_suit: Any = top.choice("joker_suit", ("any", *SUIT_NAMES), "any")
    loner_lead: Any = top.choice("loner_lead", ("dealers-left", "loners-left"), "dealers-left")
    both_alone: Any = top.choice("both_alone_lead", ("maker", "defender"), "maker")
    dummy_use: Any = top.choice("dummy_use", ("maker", "dealer", "nobody"), "maker")
    order: Any = top.choice("dummy_order", ("after-pickup", "before-pickup"), "after-pickup")
    game = EuchreGame(
        name=name,
        title=top.text("title", name),
        aliases=tuple(top.names("aliases", [])),
        summary=top.text("summary", ""),
        hands=hands,
        partners=partners,
        deck=deck,
        target=top.integer("target", 1, LARGEST_TARGET, default=10),
        stick_the_dealer=top.flag("stick_the_dealer", False),
        turned_down_suit=top.flag("turned_down_suit", False),
        dealer_must_take=top.flag("dealer_must_take", True),
        discard_upcard=top.flag("discard_upcard", True),
        joker_suit=joker_suit,
        alone=alone,
        defend_alone=defend_alone,
        loner_lead=loner_lead,
        both_alone_lead=both_alone,
        dummy=dummy,
        dummy_use=dummy_use,
        dummy_order=order,
        points=_points(top.table("points")),
    )
    top.done()
    return game


_FILES = GameFiles("oddscalc.euchre", DEFAULT_GAME, _game, _over_base)


def _points(reader: Reader) -> Points:
    def number(key: str, *default: int) -> int:
        if default:
            return reader.integer(key, 0, MOST_POINTS, default=default[0])
        return reader.integer(key, 0, MOST_POINTS)

    made, march, euchred = number("made"), number("march"), number("euchred")
    swept = number("swept", euchred)
    alone_euchred = number("alone_euchred", euchred)
    lone_defender = number("lone_defender", euchred)
    points = Points(
        made=made,
        march=march,
        euchred=euchred,
        swept=swept,
        alone_made=number("alone_made", made),
        alone_march=number("alone_march", march),
        alone_euchred=alone_euchred,
        alone_swept=number("alone_swept", max(swept, alone_euchred)),
        lone_defender=lone_defender,
        lone_defender_march=number("lone_defender_march", lone_defender),
    )
    reader.done()
    return points
