"""What is said of the chances of winning from one score, and how they were obtained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from oddscalc.euchre.hand_outcomes import HandOutcomes, Points
from oddscalc.euchre.notation import seat_words
from oddscalc.euchre.rules import EuchreGame
from oddscalc.euchre.scores import game_sides, side_words
from oddscalc.results import Column, Detail, Result

__all__ = [
    "AfterHand",
    "ScoreOdds",
    "WinChance",
    "content",
    "dealer_word",
    "joined",
    "sources",
]


@dataclass(frozen=True, slots=True)
class WinChance:
    """A chance of winning the match, and its standard error where hands were sampled."""

    win: float
    stderr: float | None = None

    def __str__(self) -> str:
        digits = 2 if self.stderr is None or self.stderr < 0.0005 else 1
        error = "" if self.stderr is None else f" ± {100 * self.stderr:.{digits}f}"
        return f"{100 * self.win:.{digits}f}{error} %"


@dataclass(frozen=True, slots=True)
class AfterHand:
    """A kind of hand: its points and chance, the score after it and the chance of winning then.

    Points and score are told from a player: the own first and then from the left.
    """

    points: Points
    chance: float
    score: Points
    win: float


@dataclass(frozen=True)
class ScoreOdds(Result):
    """The chances of winning at one score, before the cards are dealt.

    Attributes
    ----------
    score
        The own points first and then from the left.
    wins
        For each seat asked about, the chances of all sides: the seat's, then from its left.
    after
        What follows from each kind of hand, told from the first of the seats.
    """

    schema: ClassVar[str] = "oddscalc.euchre.match/1"

    game: EuchreGame
    outcomes: HandOutcomes
    score: Points
    wins: Mapping[int, Sequence[WinChance]]
    after: Sequence[AfterHand]

    def to_dict(self) -> dict[str, Any]:
        """Return the game, the points of a hand and the chances at this score."""
        after = [asdict(kind) for kind in self.after] if len(self.wins) == 1 else None
        return content(self.game, self.outcomes, self.records(), self.score, after)

    def headline(self) -> str:
        """Return the answer as a sentence."""
        race = f"the race to {self.game.target}"
        if len(self.wins) > 1:
            return f"{joined(self.score)}: the chances of winning {race}"
        ((seat, (own, *_)),) = self.wins.items()
        return f"{joined(self.score)}, {seat_words(self.game.seats[seat])}: {own} to win {race}"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        words = side_words(len(self.score))
        wins = (Column(f"{word}_win", word.capitalize(), right=True) for word in words)
        return (Column("seats", "Seat"), Column("deals", "Deals"), *wins)

    def view(self, limit: int | None) -> list[dict[str, Any]]:
        """Return a row for each side that is asked about, with the chances of all sides."""
        words = side_words(len(self.score))
        rows = []
        for side, seats in enumerate(game_sides(self.game)):
            asked = [seat for seat in seats if seat in self.wins]
            if asked:
                names = ", ".join(self.game.seats[seat] for seat in asked)
                row = {"seats": names, "deals": dealer_word(len(words), side)}
                wins = zip(words, self.wins[asked[0]], strict=True)
                rows.append(row | {f"{word}_win": str(win) for word, win in wins})
        return rows

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars."""
        return ("seat", *side_words(len(self.score)), "win", "stderr")

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each seat that is asked about."""
        points = dict(zip(side_words(len(self.score)), self.score, strict=True))
        return [
            {"seat": self.game.seats[seat], **points, "win": own.win, "stderr": own.stderr}
            for seat, (own, *_) in self.wins.items()
        ]

    def details(self) -> list[Detail]:
        """Return what follows from each kind of hand, if one seat is asked about."""
        if len(self.wins) > 1:
            return []
        columns = (
            Column("points", "Points", joined),
            Column("chance", "Chance", _share, right=True),
            Column("score", "Score", joined),
            Column("win", "Us", lambda win: f"{100 * win:.1f} %", right=True),
        )
        return [Detail("After the hand", columns, [asdict(kind) for kind in self.after])]

    def notes(self) -> list[str]:
        """Return how to read the table, and how it was obtained."""
        words = side_words(len(self.score))
        lines = [f"Scores and points: {', '.join(words)}. Deals: who deals, seen from the seat."]
        if self.outcomes.hands:
            lines.append("± is one standard error, from the number of hands counted alone.")
        return [*lines, *sources(self.outcomes)]


def content(
    game: EuchreGame,
    outcomes: HandOutcomes,
    rows: Sequence[Mapping[str, Any]],
    score: Points | None = None,
    after: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return what a JSON answer holds: rows of a seat, the points of the sides and the chance."""
    words = side_words(outcomes.sides)
    return {
        "game": game.name,
        "target": game.target,
        "score": score,
        "outcomes": outcomes.to_dict(),
        "chances": [
            {
                "seat": row["seat"],
                "score": [row[word] for word in words],
                "win": row["win"],
                "stderr": row["stderr"],
            }
            for row in rows
        ],
        "after": after,
    }


def sources(outcomes: HandOutcomes) -> list[str]:
    """Return sentences on what the chances of winning follow from."""
    shares = ", ".join(
        f"{joined(points)} {_share(chance)}" for points, chance in sorted(outcomes.chances.items())
    )
    counted = f" of {outcomes.hands:,} hands" if outcomes.hands else ""
    return [
        f"Exact, given the points{counted} from the dealer's left, the dealer's side last: "
        f"{shares}.",
        f"They were obtained from: {outcomes.obtained}.",
    ]


def dealer_word(sides: int, side: int) -> str:
    """Return what a side calls the side that deals.

    >>> dealer_word(3, 0), dealer_word(3, 2)
    ('right', 'us')
    """
    return side_words(sides)[sides - 1 - side]


def joined(points: Sequence[int]) -> str:
    """Return points as players write them.

    >>> joined((9, 6))
    '9-6'
    """
    return "-".join(map(str, points))


def _share(chance: float) -> str:
    return "<0.1 %" if 0 < chance < 0.0005 else f"{100 * chance:.1f} %"
