"""The endpoints in one table: path, question, parameters, and where it is answered.

Parameters are called as the options of the command line are, and refused in its words. Options
that name files (`--card`, `--rules`, `--output`, `--plot`) have no counterpart here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from oddscalc.errors import InputError
from oddscalc.web import questions
from oddscalc.web.questions import Asked, Question, larger_samples, larger_weighings

__all__ = ["ENDPOINTS", "Endpoint", "Parameter"]

LONGEST_NUMBER = 20
FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an endpoint.

    Attributes
    ----------
    kind
        str, int, float or bool.
    option
        How the command line spells the option or argument in a refusal.
    choices
        The words that are accepted, if not every one is.
    """

    name: str
    means: str
    kind: type = str
    option: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()

    def read(self, text: str) -> Any:
        """Return the value of a text.

        Raises
        ------
        InputError
            If it is not of the kind.
        """
        option = self.option or f"'--{self.name}'"
        if self.choices and text not in self.choices:
            accepted = ", ".join(map(repr, self.choices))
            raise InputError(f"Invalid value for {option}: {text!r} is not one of {accepted}.")
        if self.kind is bool:
            if text not in FLAGS:
                accepted = ", ".join(map(repr, FLAGS))
                raise InputError(f"Invalid value for {option}: {text!r} is not one of {accepted}.")
            return FLAGS[text]
        try:
            if self.kind is not str and len(text) > LONGEST_NUMBER:
                raise ValueError
            return self.kind(text)
        except ValueError:
            raise InputError(
                f"Invalid value for {option}: {text!r} is not a valid {self.kind.__name__}."
            ) from None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A path and what is answered there.

    Attributes
    ----------
    command
        The command whose JSON it answers.
    worker
        The process that computes: "dice" or "euchre".
    look_up
        Whether it is first tried in the server's process, from stored tables alone.
    samples
        The questions of a stream: ever larger samples.
    body
        The parameter that is the request's body.
    media_type
        Of the answer.
    """

    path: str
    command: str
    question: Question
    parameters: tuple[Parameter, ...]
    worker: Literal["dice", "euchre"]
    look_up: bool = False
    samples: Callable[[Asked], Iterable[Asked]] | None = None
    body: str | None = None
    media_type: str = "application/json"

    def read(self, query: Iterable[tuple[str, str]], body: str | None = None) -> Asked:
        """Return a value for each parameter, None where it is not given.

        Raises
        ------
        InputError
            If a parameter is unknown, missing, there twice, or not of its kind.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        asked: dict[str, Any] = {self.body: body} if self.body else {}
        for name, text in query:
            if name not in known:
                accepted = ", ".join(known) or "none"
                raise InputError(f"There is no parameter '{name}'; accepted: {accepted}.")
            if name in asked:
                raise InputError(f"'{name}' is given twice; accepted: once.")
            asked[name] = known[name].read(text)
        for name, parameter in known.items():
            if parameter.required and name not in asked:
                option = parameter.option or f"'--{name}'"
                what = "option" if "--" in option else "argument"
                raise InputError(f"Missing {what} {option}.")
        return dict.fromkeys(known) | asked

    def stages(self, asked: Asked) -> Iterator[Asked]:
        """Yield what a stream answers, one after the other."""
        yield from self.samples(asked) if self.samples else (asked,)


def _whole(name: str, means: str, **more: Any) -> Parameter:
    return Parameter(name, means, int, **more)


_DICE_GAME = Parameter("game", "a game by name or alias; `poker-dice` if not told")
_EUCHRE_GAME = Parameter("game", "a game by name or alias; `four-handed` if not told")
_CARD = (
    Parameter("filled", "filled boxes and their points: `ones=-1, pair=12`"),
    Parameter("open", "only these boxes are open: `poker, chance`"),
    Parameter("bonus-progress", "with `open`: the sum of the bonus's boxes"),
    _whole("points", "with `open`: points so far"),
    _whole("joker-bonus", "with `filled`: points from further yahtzees so far"),
)

DICE = (
    Endpoint("/api/dice/games", "dice games", questions.dice_games, (), "dice", look_up=True),
    Endpoint(
        "/api/dice/rules",
        "dice rules",
        questions.dice_rules,
        (_DICE_GAME,),
        "dice",
        look_up=True,
    ),
    Endpoint(
        "/api/dice/hold",
        "dice hold",
        questions.hold,
        (
            Parameter("roll", "all dice on the table: `23621`"),
            _DICE_GAME,
            _whole("rolls-left", "rolls that may follow", option="'--rolls-left' / '-n'"),
            *_CARD,
            Parameter("goal", "`mean`, `beat:N`, `box:NAME` or `pot`; `mean` if not told"),
            Parameter("totals", "for the pot: all totals so far in seat order: `74,12,71`"),
            _whole("seat", "for the pot: the seat of the player who rolls, from 1"),
        ),
        "dice",
        look_up=True,
    ),
    Endpoint(
        "/api/dice/review",
        "dice review",
        questions.review,
        (
            Parameter("game", "review it by this game, not the record's"),
            Parameter("blunder", "the loss from which on a choice is a blunder; 1", float),
        ),
        "dice",
        look_up=True,
        body="record",
    ),
    Endpoint(
        "/api/dice/odds",
        "dice odds",
        questions.odds,
        (
            Parameter("combination", "a box: `full-house`", option="'combination'", required=True),
            _DICE_GAME,
            _whole("rolls", "how many rolls there are"),
            Parameter("from", "dice on the table; fewer than all are held: `2345`"),
        ),
        "dice",
        look_up=True,
    ),
    Endpoint("/api/dice/solve", "dice solve", questions.solve_game, (_DICE_GAME,), "dice"),
    Endpoint(
        "/api/dice/outcomes",
        "dice outcomes",
        questions.outcomes,
        (
            _DICE_GAME,
            *_CARD,
            _whole("settle", "the amount won among so many players instead"),
        ),
        "dice",
    ),
    Endpoint(
        "/api/dice/beat",
        "dice beat",
        questions.beat,
        (
            _whole("total", "the total to reach or beat", option="'total'", required=True),
            _DICE_GAME,
            *_CARD,
        ),
        "dice",
    ),
    Endpoint(
        "/api/dice/pot",
        "dice pot",
        questions.pot,
        (
            _whole("players", "how many play, 2 to 4; 2 if not told"),
            Parameter("game", "a game of two turns; `poker-dice-short` if not told"),
        ),
        "dice",
    ),
    Endpoint("/api/dice/sheet", "dice sheet", questions.dice_sheet, (_DICE_GAME,), "dice"),
    *(
        Endpoint(
            f"/api/dice/sheet{ending}",
            "dice sheet",
            questions.dice_sheet_as(ending),
            (_DICE_GAME,),
            "dice",
            media_type=media_type,
        )
        for ending, media_type in questions.SHEETS.items()
    ),
)

EUCHRE = (
    Endpoint(
        "/api/euchre/games", "euchre games", questions.euchre_games, (), "euchre", look_up=True
    ),
    Endpoint(
        "/api/euchre/rules",
        "euchre rules",
        questions.euchre_rules,
        (_EUCHRE_GAME,),
        "euchre",
        look_up=True,
    ),
    Endpoint(
        "/api/euchre/bid",
        "euchre bid",
        questions.bid,
        (
            Parameter("hand", "five cards: `JS JC AS KH 9D`", option="'HAND'", required=True),
            Parameter("up", "the card turned up", option="'--up' / '-u'", required=True),
            Parameter("seat", "`1`, `2`, `3`, `dealer`", option="'--seat' / '-s'", required=True),
            _EUCHRE_GAME,
            _whole("round", "1: order or take up; 2: name", option="'--round' / '-r'"),
            Parameter("dummy", "the dummy, if you made: which five to keep"),
            Parameter("trump", "only bids in this suit"),
            _whole(
                "deals",
                f"how many deals are sampled, at most {questions.MOST_DEALS:,}",
                option="'--deals' / '-n'",
            ),
            Parameter(
                "play",
                "`closed` or `open` hands; `closed` if not told",
                choices=("closed", "open"),
            ),
            Parameter("score", "points in the match, yours first: `9-6`"),
            _whole("seed", "another seed samples other deals"),
        ),
        "euchre",
        samples=larger_samples,
    ),
    Endpoint(
        "/api/euchre/play",
        "euchre play",
        questions.play,
        (
            Parameter("hand", "the cards you hold", option="'HAND'", required=True),
            Parameter("trump", "the trump suit", option="'--trump' / '-t'", required=True),
            Parameter("maker", "the maker's seat", option="'--maker' / '-m'", required=True),
            Parameter("up", "the card turned up", option="'--up' / '-u'", required=True),
            Parameter("played", "the cards played so far, trick by trick"),
            Parameter("alone", "the maker plays alone: `yes`", bool),
            Parameter("defend-alone", "a defender who plays alone"),
            Parameter("buried", "what you discarded, or left of hand and dummy"),
            Parameter("upcard-left", "the dealer did not take the upcard: `yes`", bool),
            _whole("round", "when trumps were made", option="'--round' / '-r'"),
            _EUCHRE_GAME,
            _whole(
                "deals",
                f"how many deals are drawn, at most {questions.MOST_PLAY_DEALS:,}",
                option="'--deals' / '-n'",
            ),
            Parameter("ignore-bids", "let passes and bids tell nothing: `yes`", bool),
            _whole("seed", "another seed samples other deals"),
        ),
        "euchre",
        samples=larger_weighings,
    ),
    Endpoint(
        "/api/euchre/sheet", "euchre sheet", questions.euchre_sheet, (_EUCHRE_GAME,), "euchre"
    ),
    *(
        Endpoint(
            f"/api/euchre/sheet{ending}",
            "euchre sheet",
            questions.euchre_sheet_as(ending),
            (_EUCHRE_GAME, Parameter("seat", "only this seat's page")),
            "euchre",
            media_type=media_type,
        )
        for ending, media_type in questions.SHEETS.items()
    ),
    Endpoint(
        "/api/euchre/match",
        "euchre match",
        questions.match,
        (
            _EUCHRE_GAME,
            Parameter("score", "only this score, yours first: `9-6`"),
            Parameter("seat", "with `score`: your seat"),
        ),
        "euchre",
    ),
    Endpoint(
        "/api/euchre/solve",
        "euchre solve",
        questions.solve_deal,
        (
            Parameter("deal", "hands from the dealer's left", option="'DEAL'", required=True),
            Parameter("trump", "the trump suit", option="'--trump' / '-t'", required=True),
            _EUCHRE_GAME,
            Parameter("leader", "who leads; by the rules unless given"),
            Parameter("maker", "the maker; 1 unless given"),
            Parameter("alone", "the maker, if playing alone"),
            Parameter("defend-alone", "a defender who plays alone"),
        ),
        "euchre",
    ),
    Endpoint(
        "/api/euchre/chance",
        "euchre chance",
        questions.chance,
        (
            Parameter("of", "cards, or `trumps`, `bowers`, `aces`", required=True),
            Parameter("seat", "who: `partner`, `opponents`, `left`, …; `partner` if not told"),
            _whole("at-least", "how many of the cards; 1", option="'--at-least' / '-k'"),
            Parameter("hand", "your five cards"),
            Parameter("up", "the card turned up"),
            Parameter("seen", "other cards that no other player or dummy holds"),
            Parameter("trump", "trumps; the upcard's suit unless given"),
            Parameter("me", "your own seat"),
            Parameter("maker", "the maker's seat"),
            _EUCHRE_GAME,
        ),
        "euchre",
    ),
)

ENDPOINTS = {endpoint.path: endpoint for endpoint in (*DICE, *EUCHRE)}
