"""Every error that oddscalc raises on purpose.

OddscalcError
├── InputError            wrong input: the command line exits with 2   (also a ValueError)
│   ├── NotationError     a roll, hand, card or deal that cannot be read
│   ├── ScorecardError    a scorecard or box that cannot be, in this game
│   ├── RulesError        a rule file that is wrong
│   ├── RecordError       a game record that cannot be read, or cannot be in its game
│   └── UnknownNameError  a game, box, goal or seat that is not known
├── StoreError            a stored table that cannot be used: the command line exits with 1
│   └── MissingTableError one that would have to be built, where that is not allowed
└── ExportError           a file that cannot be written: the command line exits with 1
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "ExportError",
    "InputError",
    "MissingTableError",
    "NotationError",
    "OddscalcError",
    "RecordError",
    "RulesError",
    "ScorecardError",
    "StoreError",
    "UnknownNameError",
    "unknown_name",
]


class OddscalcError(Exception):
    """Base of all errors raised on purpose; its text is a sentence for the user."""


class InputError(OddscalcError, ValueError):
    """The input cannot be used; the text names the offending word and what is accepted."""


class NotationError(InputError):
    """A roll, hand, card or deal that cannot be read."""


class ScorecardError(InputError):
    """A scorecard or box that cannot be, in this game."""


class RulesError(InputError):
    """A rule file that is wrong; the text names the key, the value and what is allowed."""


class RecordError(InputError):
    """A game record that cannot be read, or cannot be in its game; the text names the line."""


class UnknownNameError(InputError):
    """A game, box, goal or seat that is not known."""


class StoreError(OddscalcError):
    """A stored table that is damaged, foreign or unreadable."""


class MissingTableError(StoreError):
    """A table that would have to be built, where only stored ones may be used."""


class ExportError(OddscalcError):
    """A file that cannot be written."""


def unknown_name(what: str, word: str, accepted: Iterable[str]) -> UnknownNameError:
    """Build the error for an unknown name, with the nearest accepted one.

    >>> str(unknown_name("game", "yatzi", ["yatzy", "yacht"]))
    "There is no game 'yatzi'; did you mean 'yatzy'? Accepted: yatzy, yacht."
    """
    names = list(accepted)
    near = get_close_matches(word.lower(), names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else "."
    return UnknownNameError(f"There is no {what} '{word}'{hint} Accepted: {', '.join(names)}.")
