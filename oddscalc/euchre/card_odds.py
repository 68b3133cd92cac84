"""What is said of the cards that may be played: the figures, and how they were obtained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from oddscalc.euchre.notation import (
    card_name,
    card_names,
    card_symbol,
    card_symbols,
    seat_words,
    sorted_cards,
    suit_name,
    suit_symbol,
)
from oddscalc.euchre.positions import Position
from oddscalc.results import Column, Result

__all__ = ["CardOdds", "CardWorth"]


@dataclass(frozen=True, slots=True)
class CardWorth:
    """A card that may be played and what it is worth.

    Attributes
    ----------
    card
        The lowest of cards that are alike: of one suit, no unseen card ranking between them.
    alike
        The others, highest first.
    p_euchred, p_made, p_march
        Chances that the makers take fewer than three tricks, three or four, all five.
    points, stderr
        Expected points of the own side less those of the other, and their standard error.
    loss, loss_stderr
        Points behind the best card, with the standard error of that difference.
    """

    card: int
    alike: tuple[int, ...]
    p_euchred: float
    p_made: float
    p_march: float
    points: float
    stderr: float
    loss: float
    loss_stderr: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return {**asdict(self), "card": card_name(self.card), "alike": card_names(self.alike)}

    def __str__(self) -> str:
        return card_symbols((*self.alike, self.card))


@dataclass(frozen=True)
class CardOdds(Result):
    """The odds of every card that may be played, best first.

    Attributes
    ----------
    position
        Who is to play, knowing what.
    believed
        Whether the bidding tells of hidden cards.
    method
        "exact" or "monte-carlo"; `deals` and `seed` tell how many deals of the unseen cards stand
        behind the figures, and which.
    worlds
        How many deals each player searches for each card; None where every deal is looked up.
    """

    schema: ClassVar[str] = "oddscalc.euchre.play/1"

    position: Position
    believed: bool
    method: str
    deals: int
    seed: int | None
    worlds: int | None
    cards: tuple[CardWorth, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        at = self.position
        seats = at.game.seats
        return {
            "game": at.game.name,
            "hand": card_names(sorted_cards(at.hand, at.trump)),
            "seat": seats[at.seat],
            "trick": at.trick,
            "trump": suit_name(at.trump),
            "maker": seats[at.maker],
            "alone": at.alone,
            "defend_alone": None if at.defender is None else seats[at.defender],
            "up": card_name(at.up),
            "round": at.round,
            "buried": card_names(at.buried),
            "played": [{"seat": seats[seat], "card": card_name(card)} for seat, card in at.played],
            "play": "closed",
            "worlds": self.worlds,
            "bidding": self.believed,
            "method": self.method,
            "deals": self.deals,
            "seed": self.seed,
            "cards": [card.to_dict() for card in self.cards],
        }

    def headline(self) -> str:
        """Return the answer as a sentence."""
        at, best = self.position, self.cards[0]
        seat = at.game.seats[at.seat]
        who = f"{seat_words(seat).capitalize()} {'leads' if at.led is None else 'plays'} to trick"
        who += f" {at.trick}"
        bid = f"{suit_symbol(at.trump)} by {seat_words(at.game.seats[at.maker])}"
        bid += " alone" if at.alone else ""
        error = f" ± {best.stderr:.3f}" if best.stderr else ""
        return f"{who}, {bid}: {card_symbol(best.card)}: {best.points:+.3f}{error} points"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("name", "Card"),
            Column("p_euchred", "Euchred", _percent, right=True),
            Column("p_made", "Made", _percent, right=True),
            Column("p_march", "March", _percent, right=True),
            Column("worth", "Points", right=True),
            Column("behind", "Behind", right=True),
        )

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars: the numbers that the table shows together, apart."""
        return list(self.cards[0].to_dict())

    def records(self) -> list[dict[str, Any]]:
        """Return the rows of the table."""
        return [
            {
                **card.to_dict(),
                "name": str(card),
                "worth": _with_error(card.points, card.stderr, "+.3f"),
                "behind": _with_error(card.loss, card.loss_stderr, ".3f"),
            }
            for card in self.cards
        ]

    def notes(self) -> list[str]:
        """Return sentences on how the numbers were obtained."""
        at = self.position
        hand = card_symbols(sorted_cards(at.hand, at.trump))
        tells = "as likely as the bidding makes them" if self.believed else "all as likely"
        if self.method == "exact":
            drawn = f"All {self.deals:,} deals of the unseen cards, {tells}."
        else:
            drawn = (
                f"{self.deals:,} deals of the unseen cards drawn at random (seed {self.seed}), "
                f"{tells}, the same for every card; ± is one standard error, behind the best card "
                "that of the difference."
            )
        if len(at.buried) < at.buries:
            drawn += " What you buried is not given, and counts as unseen."
        looks = "every deal of the others, all cards seen"
        if self.worlds is not None:
            looks = f"{self.worlds} deals of the others searched with open hands"
        return [
            f"Hand: {hand}. {drawn}",
            "Euchred: the makers take fewer than three tricks; made: three or four; march: all "
            "five. Points: what your side gets less what the other gets.",
            "Play: closed. Everybody knows the own cards, the cards played, who failed to follow "
            f"suit{' and the bidding' if self.believed else ''}, and chooses by {looks}.",
        ]


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f} %"


def _with_error(value: float, error: float, form: str) -> str:
    return f"{value:{form}}" + (f" ±{error:.3f}" if error else "")
