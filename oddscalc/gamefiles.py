"""Games as TOML files: built-in ones found by name or alias, a house's own laid over its base.

Dice and Euchre share this; what a game is, and how a file is laid over its base, they know.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from oddscalc.errors import RulesError, unknown_name

__all__ = ["GameFiles", "plain_word"]

Game = TypeVar("Game")
Data = dict[str, Any]


class GameFiles(Generic[Game]):
    """The games of a package's folder ``games``.

    Parameters
    ----------
    package
        Where the folder is.
    default
        The game that is listed first.
    build
        Makes a game of its name and data, or raises a RulesError.
    lay_over
        Lays the data of a file, without ``base``, over those of its base, which it may change.
    """

    def __init__(
        self,
        package: str,
        default: str,
        build: Callable[[str, Data], Game],
        lay_over: Callable[[Data, Data], Data],
    ) -> None:
        self._folder = Path(__file__).parent.joinpath(*package.split(".")[1:], "games")
        self._default = default
        self._build = build
        self._lay_over = lay_over
        self._loaded: dict[str, Game] = {}

    def names(self) -> list[str]:
        """Return the names of the built-in games, the default game first."""
        entries = (entry.name for entry in self._folder.iterdir())
        names = sorted(entry.removesuffix(".toml") for entry in entries if entry.endswith(".toml"))
        return sorted(names, key=lambda name: name != self._default)

    def source(self, name: str) -> str:
        """Return the TOML text of a built-in game."""
        return (self._folder / f"{name}.toml").read_text(encoding="utf-8")

    def load(self, word: str) -> Game:
        """Return a built-in game by its name or alias, always the same object.

        Raises
        ------
        UnknownNameError
            If there is no such game; the text names the nearest one.
        """
        if word not in self._loaded:
            name = self._named(word)
            if name not in self._loaded:
                self._loaded[name] = self._build(name, self._merged(self._data(name), (name,)))
            self._loaded[word] = self._loaded[name]
        return self._loaded[word]

    def read(self, path: Path | str) -> Game:
        """Return the game described by a TOML file; its name is the file's, without the ending.

        Raises
        ------
        RulesError
            If the file cannot be read or a key is wrong; the text names key, value and what is
            allowed.
        """
        path = Path(path)
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise RulesError(f"The rule file '{path}' cannot be read: {reason}.") from None
        except (ValueError, RecursionError) as error:  # of nested lists or very long numbers too
            raise RulesError(f"The rule file '{path}' is not valid TOML: {error}.") from None
        try:
            return self._build(plain_word(path.stem), self._merged(data, ()))
        except RulesError as error:
            raise RulesError(f"Rule file '{path}': {error}") from None

    def _data(self, name: str) -> Data:
        return tomllib.loads(self.source(name))

    def _named(self, word: str) -> str:
        name, names = plain_word(word), self.names()
        if name in names:
            return name
        for other in names:
            if name in self._data(other).get("aliases", []):
                return other
        raise unknown_name("game", word, names)

    def _merged(self, data: Data, seen: tuple[str, ...]) -> Data:
        """Return `data` laid over the game that it names as its base."""
        if "base" not in data:
            return data
        base = data["base"]
        accepted = [name for name in self.names() if name not in seen]
        if base not in accepted:
            raise RulesError(f"base is {base!r}; allowed: {', '.join(accepted)}.")
        under = self._merged(self._data(base), (*seen, base))
        return self._lay_over(under, {key: data[key] for key in data if key != "base"})


def plain_word(word: str) -> str:
    """Return a name as names are compared: lower case, words parted by one hyphen.

    >>> plain_word(" Three of a_Kind ")
    'three-of-a-kind'
    """
    return "-".join(word.lower().replace("_", " ").replace("-", " ").split())
