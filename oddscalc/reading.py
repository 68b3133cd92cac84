"""Reads tables of a TOML or JSON file key by key; every refusal names key, value and allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, overload

from oddscalc.errors import RulesError

__all__ = ["Reader", "whole_number"]

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_MISSING: Any = object()


class Reader:
    """One table of a rule file; keys are taken one by one and `done` refuses the rest.

    Raises
    ------
    RulesError
        From every method, if a value is missing or not allowed.
    """

    def __init__(self, data: Any, path: str = "") -> None:
        self._path = path
        if not isinstance(data, dict):
            raise RulesError(f"{path.rstrip('.')} is {_shown(data)}; allowed: a table of keys.")
        self._data = data
        self._taken: set[str] = set()

    def wrong(self, key: str, value: object, allowed: str) -> NoReturn:
        """Refuse the value of a key."""
        raise RulesError(f"{self._path}{key} is {_shown(value)}; allowed: {allowed}.")

    def has(self, key: str) -> bool:
        """Tell whether the key is there."""
        self._taken.add(key)
        return key in self._data

    def _take(self, key: str, default: Any, allowed: str) -> Any:
        self._taken.add(key)
        value = self._data.get(key, default)
        if value is _MISSING:
            raise RulesError(f"{self._path}{key} is missing; allowed: {allowed}.")
        return value

    def text(self, key: str, default: str) -> str:
        """Return a text of one line."""
        allowed = "a text of one line, at most 200 characters"
        value = self._take(key, default, allowed)
        if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
            self.wrong(key, value, allowed)
        return value

    def flag(self, key: str, default: bool = _MISSING) -> bool:
        """Return true or false."""
        value = self._take(key, default, "true or false")
        if not isinstance(value, bool):
            self.wrong(key, value, "true or false")
        return value

    @overload
    def integer(self, key: str, low: int, high: int, *, default: int = ...) -> int: ...
    @overload
    def integer(self, key: str, low: int, high: int, *, words: tuple[str, ...]) -> Any: ...
    def integer(
        self,
        key: str,
        low: int,
        high: int,
        *,
        default: int = _MISSING,
        words: tuple[str, ...] = (),
    ) -> Any:
        """Return a whole number from `low` to `high`, or one of `words`."""
        allowed = " or ".join([f"a whole number from {low} to {high}", *map(repr, words)])
        value = self._take(key, default, allowed)
        number = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        if not number and not (isinstance(value, str) and value in words):
            self.wrong(key, value, allowed)
        return value

    def integers(self, key: str, low: int, high: int, *, default: Any = _MISSING) -> list[int]:
        """Return a list of at least one whole number from `low` to `high`."""
        allowed = f"a list of whole numbers from {low} to {high}"
        value = self._take(key, default, allowed)
        ok = isinstance(value, list) and 0 < len(value) <= 50
        if not ok or any(type(n) is not int or not low <= n <= high for n in value):
            self.wrong(key, value, allowed)
        return list(value)

    def choice(self, key: str, options: Sequence[str], default: str = _MISSING) -> str:
        """Return one of the options."""
        allowed = ", ".join(options) or "nothing here"
        value = self._take(key, default, allowed)
        if not isinstance(value, str) or value not in options:
            self.wrong(key, value, allowed)
        return value

    def names(self, key: str, default: list[str] = _MISSING) -> list[str]:
        """Return a list of names."""
        allowed = "a list of names of lower-case letters, digits and hyphens"
        value = self._take(key, default, allowed)
        if not isinstance(value, list) or any(not _is_name(name) for name in value):
            self.wrong(key, value, allowed)
        return list(value)

    def members(self, key: str, options: Sequence[str]) -> list[str]:
        """Return a list of at least one of the options, none twice."""
        allowed = f"a list of these, each once: {', '.join(options)}"
        value = self._take(key, _MISSING, allowed)
        if not isinstance(value, list) or not value:
            self.wrong(key, value, allowed)
        for name in value:
            if not isinstance(name, str) or name not in options or value.count(name) > 1:
                self.wrong(key, value, allowed)
        return list(value)

    def table(self, key: str) -> Reader:
        """Return the table under a key."""
        return Reader(self._take(key, _MISSING, "a table of keys"), f"{self._path}{key}.")

    def tables(self, key: str, *, required: bool = False) -> Iterator[tuple[str, Reader]]:
        """Yield the named tables under a key."""
        group = self._take(key, _MISSING if required else {}, "a table of tables")
        if not isinstance(group, dict) or (required and not group):
            self.wrong(key, group, "a table of named tables")
        for name, entry in group.items():
            if not _is_name(name):
                self.wrong(key, name, "names of lower-case letters, digits and hyphens")
            yield name, Reader(entry, f"{self._path}{key}.{name}.")

    def list_of_tables(self, key: str) -> Iterator[Reader]:
        """Yield the tables of a list."""
        value = self._take(key, _MISSING, "a list of tables")
        if not isinstance(value, list) or not 0 < len(value) <= 50:
            self.wrong(key, value, "a list of tables")
        for place, entry in enumerate(value, 1):
            yield Reader(entry, f"{self._path}{key}[{place}].")

    def done(self) -> None:
        """Refuse keys that nobody took."""
        for key in self._data:
            if key not in self._taken:
                allowed = ", ".join(sorted(self._taken))
                raise RulesError(f"{self._path}{key} is not a key here; allowed: {allowed}.")


def whole_number(text: str) -> int | None:
    """Return the number that a text writes with at most nine digits, or None.

    >>> whole_number(" -12 "), whole_number("+-1"), whole_number("²")
    (-12, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text.strip()) else None


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 40 and _NAME.fullmatch(value) is not None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
