"""The built-in games as a list, and the rules of one game in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from oddscalc.euchre.rules import EuchreGame, game_names, load_game
from oddscalc.results import Column, Result

__all__ = ["GameList", "GameRules"]

_DECKS = {
    24: "9 10 J Q K A in four suits",
    25: "9 10 J Q K A in four suits and a joker, the best bower",
    32: "7 8 9 10 J Q K A in four suits",
}
_FLAGS = {
    "partners": (
        "players across are partners",
        "the maker plays against all others",
    ),
    "stick_the_dealer": (
        "when all pass twice the dealer must name a suit",
        "when all pass twice the cards are thrown in",
    ),
    "turned_down_suit": (
        "any suit may be named in round two",
        "the turned-down suit may not be named in round two",
    ),
    "dealer_must_take": (
        "the dealer must take the upcard when it is ordered",
        "the dealer may leave the upcard when another player orders it",
    ),
    "discard_upcard": (
        "the card just taken may be discarded",
        "the card just taken may not be discarded",
    ),
    "alone": ("the maker may play alone", "nobody makes alone"),
    "defend_alone": ("a defender may play alone", "no defender plays alone"),
}
_WORDS = {
    "loner_lead": {
        "dealers-left": "the dealer's left still in the game leads, loner or not",
        "loners-left": "against a loner, the loner's left still in the game leads",
    },
    "both_alone_lead": {
        "maker": "with a loner on each side the maker's left counts",
        "defender": "with a loner on each side the defender's left counts",
    },
    "dummy_use": {
        "maker": "the maker may keep the best five of hand and dummy, unless alone",
        "dealer": "a dealer who makes may keep the best five of hand and dummy, unless alone",
        "nobody": "nobody uses the dummy",
    },
    "dummy_order": {
        "after-pickup": "the upcard is taken before the dummy is merged",
        "before-pickup": "the dummy is merged before the upcard is taken",
    },
}
_POINTS = {
    "made": "makers, three or four tricks",
    "march": "makers, all five tricks",
    "euchred": "{each} if the makers take fewer than three",
    "swept": "{each} if the makers take none",
    "alone_made": "a maker alone, three or four tricks",
    "alone_march": "a maker alone, all five tricks",
    "alone_euchred": "{each} if a maker alone takes fewer than three",
    "alone_swept": "{each} if a maker alone takes none",
    "lone_defender": "{each} if a lone defender takes three or four tricks",
    "lone_defender_march": "{each} if a lone defender takes all five",
}


@dataclass(frozen=True)
class GameList(Result):
    """The built-in games."""

    schema: ClassVar[str] = "oddscalc.euchre.games/1"

    games: tuple[EuchreGame, ...]

    @classmethod
    def of_all(cls) -> GameList:
        """Return the list of all built-in games."""
        return cls(tuple(map(load_game, game_names())))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return {"games": self.records()}

    def headline(self) -> str:
        """Return the answer as a sentence."""
        return "Built-in Euchre games"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("name", "Name"),
            Column("hands", "Hands", right=True),
            Column("deck", "Deck", right=True),
            Column("title", "Title"),
            Column("aliases", "Also called", ", ".join),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each game."""
        keys = ("name", "title", "aliases", "hands", "deck", "summary")
        games = (game.to_dict() for game in self.games)
        return [{key: game[key] for key in keys} for game in games]

    def notes(self) -> list[str]:
        """Return where to read on."""
        return ["`oddscalc euchre rules NAME` shows the rules of a game."]


@dataclass(frozen=True)
class GameRules(Result):
    """The rules of one game, switch by switch."""

    schema: ClassVar[str] = "oddscalc.euchre.rules/1"

    game: EuchreGame

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return self.game.to_dict()

    def headline(self) -> str:
        """Return the answer as a sentence."""
        return f"{self.game.title} ({self.game.name})"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (Column("key", "Key"), Column("value", "Value", _shown), Column("means", "Means"))

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each switch that matters in this game."""
        game = self.game
        values = asdict(game)
        means = {
            "hands": f"seats from the dealer's left: {', '.join(game.seats)}",
            "deck": _DECKS[game.deck],
            "target": "points that win the game",
            "dummy": "cards in the dummy" if game.dummy else "no dummy",
            "joker_suit": (
                "whoever orders a turned-up joker names the suit"
                if game.joker_suit == "any"
                else f"a turned-up joker stands for {game.joker_suit}"
            ),
        }
        means |= {key: words[not values[key]] for key, words in _FLAGS.items()}
        means |= {key: words[values[key]] for key, words in _WORDS.items()}
        keys = [key for key in values if key in means and self._matters(key)]
        rows = [{"key": key, "value": values[key], "means": means[key]} for key in keys]
        each = "the other side" if game.partners else "each of the others"
        each = "the other player" if game.hands == 2 else each
        for key, words in _POINTS.items():
            if self._matters(key):
                value = getattr(game.points, key)
                rows.append(
                    {"key": f"points.{key}", "value": value, "means": words.format(each=each)}
                )
        return rows

    def notes(self) -> list[str]:
        """Return the summary."""
        return [self.game.summary] if self.game.summary else []

    def _matters(self, key: str) -> bool:
        game = self.game
        if key in ("alone", "partners"):
            return game.hands > 2
        if key.startswith("alone_"):
            return game.alone
        if key.startswith("lone_defender"):
            return game.defend_alone
        return {
            "defend_alone": game.hands > 2,
            "joker_suit": game.deck == 25,
            "loner_lead": game.alone or game.defend_alone,
            "both_alone_lead": game.alone
            and game.defend_alone
            and game.loner_lead == "loners-left",
            "dummy": game.hands > 2 or game.dummy > 0,
            "dummy_use": game.dummy > 0,
            "dummy_order": game.dummy > 0 and game.dummy_use != "nobody",
        }.get(key, True)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
