"""What can become of a bidding: who makes which suit trumps, in which round, alone or not.

Suits are named from the upcard's: it is always called spades, so clubs are the *next* suit (of the
same colour) and hearts and diamonds the *cross* suits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from oddscalc.euchre.notation import (
    JOKER,
    SUITS,
    deck_cards,
    nameable_suits,
    orderable_suits,
    suit_of,
)
from oddscalc.euchre.rules import EuchreGame

__all__ = ["Contract", "contracts", "renamed_game", "upcards"]


@dataclass(frozen=True, slots=True)
class Contract:
    """A suit made trumps."""

    round: int
    trump: int
    maker: int
    alone: bool

    def column(self, game: EuchreGame) -> str:
        """Return the name of a contract's column in a table of deals.

        >>> from oddscalc.euchre.rules import load_game
        >>> Contract(2, 1, 3, True).column(load_game("four-handed"))
        'name_C_dealer_alone'
        """
        verb = "name" if self.round == 2 else "order"
        words = [
            verb,
            SUITS[self.trump],
            game.seats[self.maker],
            *(["alone"] if self.alone else []),
        ]
        return "_".join(words)

    def open_to(self, game: EuchreGame, up: int) -> bool:
        """Tell whether the suit can be made trumps with this upcard, in this round."""
        suits = orderable_suits if self.round == 1 else nameable_suits
        return self.trump in suits(game, up)


def renamed_game(game: EuchreGame) -> EuchreGame:
    """Return the game with the suit that a turned-up joker stands for, if any, called spades."""
    return game if game.joker_suit == "any" else replace(game, joker_suit="spades")


def upcards(game: EuchreGame) -> tuple[int, ...]:
    """Return the upcards that differ: the spades, lowest first, and the joker."""
    return tuple(card for card in deck_cards(game.deck) if card == JOKER or suit_of(card) == 0)


def contracts(game: EuchreGame, up: int | None = None) -> tuple[Contract, ...]:
    """Return all contracts of a game, or those that are open with an upcard.

    >>> from oddscalc.euchre.rules import load_game
    >>> len(contracts(load_game("four-handed"))), len(contracts(load_game("two-handed")))
    (32, 8)
    """
    named = renamed_game(game)
    every = (
        Contract(bidding_round, trump, maker, alone)
        for bidding_round in (1, 2)
        for trump in range(4)
        for maker in range(game.hands)
        for alone in ((False, True) if game.alone else (False,))
    )
    ups = upcards(game) if up is None else (up,)
    return tuple(one for one in every if any(one.open_to(named, card) for card in ups))
