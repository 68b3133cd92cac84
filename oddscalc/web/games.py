"""The games that a server knows: the built-in ones and those of the rule files it was given."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from oddscalc.dice import rules as dice_rules
from oddscalc.dice.rules import DiceGame
from oddscalc.errors import RulesError
from oddscalc.euchre import rules as euchre_rules
from oddscalc.euchre.rules import EuchreGame

__all__ = ["Games"]

Game = TypeVar("Game", DiceGame, EuchreGame)


@dataclass(frozen=True)
class Games:
    """Games of rule files by name, beside the built-in ones."""

    dice: dict[str, DiceGame] = field(default_factory=dict)
    euchre: dict[str, EuchreGame] = field(default_factory=dict)

    @classmethod
    def of_files(cls, paths: Iterable[Path]) -> Games:
        """Return the games of rule files.

        Raises
        ------
        RulesError
            If a file is wrong, or its game is called like another one.
        """
        games = cls()
        for path in paths:
            if _is_euchre(path):
                _add(games.euchre, euchre_rules.read_game(path), euchre_rules.game_names(), path)
            else:
                _add(games.dice, dice_rules.read_game(path), dice_rules.game_names(), path)
        return games

    def dice_game(self, name: str | None) -> DiceGame:
        """Return a dice game by name or alias, the default one if none is named.

        Raises
        ------
        UnknownNameError
            If there is no such game.
        """
        if name is None:
            return dice_rules.load_game()
        return self.dice[name] if name in self.dice else dice_rules.load_game(name)

    def euchre_game(self, name: str | None) -> EuchreGame:
        """Return a Euchre game; as `dice_game`."""
        if name is None:
            return euchre_rules.load_game()
        return self.euchre[name] if name in self.euchre else euchre_rules.load_game(name)

    def all_dice(self) -> tuple[DiceGame, ...]:
        """Return every dice game, the default one first."""
        return (*map(dice_rules.load_game, dice_rules.game_names()), *self.dice.values())

    def all_euchre(self) -> tuple[EuchreGame, ...]:
        """Return every Euchre game, the default one first."""
        return (*map(euchre_rules.load_game, euchre_rules.game_names()), *self.euchre.values())


def _is_euchre(path: Path) -> bool:
    """Tell whether a rule file is one of Euchre; what is wrong with it, its reader will say."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return "hands" in data or data.get("base") in euchre_rules.game_names()


def _add(games: dict[str, Game], game: Game, built_in: Iterable[str], path: Path) -> None:
    if game.name in games or game.name in built_in:
        raise RulesError(
            f"The rule file '{path}' has the name of another game, '{game.name}'; accepted: a file "
            "name that no other game has."
        )
    games[game.name] = game
