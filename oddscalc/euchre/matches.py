"""The chance of winning the match: a table by score and dealer, and one score looked at closely."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from oddscalc import __version__, store
from oddscalc.errors import InputError
from oddscalc.euchre.hand_outcomes import HandOutcomes, Points
from oddscalc.euchre.race import Chances, race, win_after_hand
from oddscalc.euchre.rules import EuchreGame, load_game
from oddscalc.euchre.score_odds import (
    AfterHand,
    ScoreOdds,
    WinChance,
    content,
    dealer_word,
    joined,
    sources,
)
from oddscalc.euchre.scores import (
    as_said,
    game_sides,
    read_score,
    side_of,
    side_words,
)
from oddscalc.export import check_parquet, write_frame
from oddscalc.results import Column, Result

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MatchTable", "match_table", "write_match_table"]

_MOST_SCORES = 1_000_000
_MOST_SHOWN = 10  # columns of scores
_OTHERS = {2: "Them", 3: "Both others", 4: "All others"}

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class MatchTable(Result):
    """The chance of each side to win the match, for every score and dealer.

    Attributes
    ----------
    outcomes
        What a hand earns; the chances are exact given these.
    chances, errors : float64[target, ..., target, sides]
        By the points of each side from the dealer's left, the dealer's side last; then by side.
        The standard errors are None if the outcomes were not counted.
    """

    schema: ClassVar[str] = ScoreOdds.schema

    game: EuchreGame
    outcomes: HandOutcomes
    chances: Chances
    errors: Chances | None

    def win(self, score: str | Sequence[int], seat: str) -> WinChance:
        """Return a player's chance of winning before the cards are dealt.

        Parameters
        ----------
        score, seat
            As for `read_score`: the player's own points first, and the seat from the dealer's left.

        Raises
        ------
        InputError
            If there is no such score or seat.
        """
        side = side_of(self.game, seat)
        place = (*read_score(score, self.game, seat), side)
        error = None if self.errors is None else float(self.errors[place])
        return WinChance(float(self.chances[place]), error)

    def wins_after(
        self, points: Sequence[Points], score: str | Sequence[int], seat: str
    ) -> Chances:
        """Return a player's chance of winning after a hand, for each of some hands.

        Parameters
        ----------
        points
            Of each hand: the points of each side in order from the dealer's left.
        score, seat
            As for `read_score`, before the hand.

        Returns
        -------
        float64[hands]
            The deal has moved on, or the match is over.

        Raises
        ------
        InputError
            If there is no such score or seat, or points are not by side.
        """
        side, before = side_of(self.game, seat), read_score(score, self.game, seat)
        for earned in points:
            if len(earned) != len(before):
                raise InputError(
                    f"The points {joined(earned)} are those of {len(earned)} sides; accepted: "
                    f"{len(before)}, as in '{self.game.name}'."
                )
        reached = np.array(points, np.int64).reshape(-1, len(before)) + before
        flat = self.chances.reshape(-1, len(before))
        return win_after_hand(flat, reached, self.game.target)[:, side]

    def win_after(
        self,
        chances: Mapping[Points, float],
        score: str | Sequence[int],
        seat: str,
        *,
        hands: float | None = None,
    ) -> WinChance:
        """Return a player's chance of winning when the hand earns points with known chances.

        Parameters
        ----------
        chances
            As those of `HandOutcomes`: by the points of each side from the dealer's left.
        score, seat
            As for `read_score`, before the hand.
        hands
            In how many sampled hands the chances were counted. The standard error is that of the
            sample; the table is taken as it is.

        Raises
        ------
        InputError
            As `wins_after`, or if the chances are negative or do not sum to 1.
        """
        won = self.wins_after(list(chances), score, seat)
        shares = np.fromiter(chances.values(), float, len(chances))
        if not math.isclose(shares.sum(), 1, abs_tol=1e-9) or shares.min() < 0:
            raise InputError(f"The chances of a hand sum to {shares.sum()}; accepted: 1.")
        mean = float(shares @ won)
        if hands is None:
            return WinChance(mean)
        return WinChance(mean, math.sqrt(float(shares @ (won - mean) ** 2) / hands))

    def at(self, score: str | Sequence[int], seat: str | None = None) -> ScoreOdds:
        """Return the chances at one score: for a seat, or for all of them.

        Raises
        ------
        InputError
            If there is no such score or seat.
        """
        game = self.game
        seats = tuple(range(game.hands)) if seat is None else (game.seat_index(seat),)
        first = game.seats[seats[0]]
        told = as_said(read_score(score, game, first), side_of(game, first))
        wins = {asked: self._wins(told, game.seats[asked]) for asked in seats}
        return ScoreOdds(game, self.outcomes, told, wins, self._after(told, first))

    def _wins(self, score: tuple[int, ...], seat: str) -> tuple[WinChance, ...]:
        """Return the chances of all sides, those of a seat's first."""
        side, place = side_of(self.game, seat), read_score(score, self.game, seat)
        wins = self.chances[place].tolist()
        errors = [None] * len(wins) if self.errors is None else self.errors[place].tolist()
        return tuple(WinChance(wins[n], errors[n]) for n in as_said(range(len(wins)), side))

    def _after(self, score: tuple[int, ...], seat: str) -> tuple[AfterHand, ...]:
        """Return what follows from each kind of hand, the best for a seat first."""
        side, chances = side_of(self.game, seat), self.outcomes.chances
        wins = self.wins_after(list(chances), score, seat).tolist()
        kinds = []
        for (points, chance), win in zip(chances.items(), wins, strict=True):
            said = as_said(points, side)
            now = tuple(had + earned for had, earned in zip(score, said, strict=True))
            kinds.append(AfterHand(said, chance, now, win))
        return tuple(sorted(kinds, key=lambda kind: -kind.win))

    def seen_by(self, side: int, *, errors: bool = False) -> Chances:
        """Return a side's chances by score, its own points first and then from its left."""
        values = self.errors if errors else self.chances
        assert values is not None
        return np.transpose(values[..., side], as_said(range(self.outcomes.sides), side))

    def headline(self) -> str:
        """Return the answer as a sentence."""
        win = self.win([0] * self.outcomes.sides, "dealer")
        dealer = "the first dealer's side" if self.game.partners else "the first dealer"
        return f"{self.game.title}, race to {self.game.target}: {win} for {dealer}"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table: those of a side's points against the others'."""
        first = f"{self.others.split()[0]} 0"
        cells = [
            Column(f"others_{number}", str(number) if number else first, _whole, right=True)
            for number in self.shown_points
        ]
        return (Column("deals", "Deals"), Column("us", "Us", right=True), *cells)

    def view(self, limit: int | None) -> list[dict[str, Any]]:
        """Return a row for each dealer and number of own points."""
        return [
            {"deals": word, "us": us}
            | {f"others_{number}": win for number, win in zip(self.shown_points, row, strict=True)}
            for word, matrix in self.matrices()
            for us, row in zip(self.shown_points, matrix.tolist(), strict=True)
        ]

    def matrices(self) -> list[tuple[str, Chances]]:
        """Return for each dealer, the own side first, the chances that a table can show.

        Rows are own points, columns those of the others, level with each other if there are
        several; long races in steps.
        """
        sides = self.outcomes.sides
        grid = np.ix_(self.shown_points, self.shown_points)
        return [
            (dealer_word(sides, side), self.seen_by(side)[grid[0], *[grid[1]] * (sides - 1)])
            for side in reversed(range(sides))
        ]

    @property
    def others(self) -> str:
        """What columns of scores stand for."""
        return _OTHERS[self.outcomes.sides]

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars."""
        return ("seat", *side_words(self.outcomes.sides), "win", "stderr")

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each seat and score."""
        return self.to_polars().to_dicts()

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each seat and score, the own points first and then from the left."""
        import polars as pl

        scores = np.indices(self.chances.shape[:-1], np.int16)
        words = side_words(self.outcomes.sides)
        points = {word: axis.ravel() for word, axis in zip(words, scores, strict=True)}
        frames = []
        for seat in self.game.seats:
            side = side_of(self.game, seat)
            errors = None if self.errors is None else self.seen_by(side, errors=True).ravel()
            figures = {"win": self.seen_by(side).ravel(), "stderr": errors}
            frame = pl.DataFrame(points | figures, schema_overrides={"stderr": pl.Float64})
            who = pl.lit(seat, pl.Enum(self.game.seats))
            frames.append(frame.select(who.alias("seat"), pl.all()))
        return pl.concat(frames)

    def to_dict(self) -> dict[str, Any]:
        """Return the game, the points of a hand and the chances at every score."""
        return content(self.game, self.outcomes, self.records())

    def notes(self) -> list[str]:
        """Return how to read the table, and how it was obtained."""
        lines = [
            "Chance of your side, in per cent, before the cards are dealt; Deals: who deals, seen "
            "from you."
        ]
        if self.outcomes.sides > 2:
            lines.append("The others are level with each other here; --score takes any score.")
        if len(self.shown_points) < self.game.target:
            step = self.shown_points.step
            lines.append(f"Points are shown in steps of {step}; --score takes any score.")
        if self.errors is not None:
            most = 100 * float(self.errors.max())
            lines.append(f"The largest standard error of a chance is {most:.2g} points.")
        return [*lines, *sources(self.outcomes)]

    @cached_property
    def shown_points(self) -> range:
        """The points that rows and columns show: all, or in a long race every so many."""
        target = self.game.target
        return range(0, target, -(-target // _MOST_SHOWN))


def match_table(
    game: EuchreGame | str,
    outcomes: HandOutcomes | None = None,
    *,
    progress: Progress | None = None,
) -> MatchTable:
    """Return the chances of winning the match by score and dealer, exact given the outcomes.

    Parameters
    ----------
    outcomes
        What a hand earns, the same whatever the score; under the game's bidding policy unless
        given.
    progress
        Takes work done and work in all, if the policy has to be built.

    Raises
    ------
    InputError
        If there is no such game, the outcomes are those of another number of sides, or the game
        has more than a million scores.

    Examples
    --------
    >>> hands = {(0, 1): 0.45, (0, 2): 0.16, (0, 4): 0.05, (1, 0): 0.17, (2, 0): 0.12, (4, 0): 0.05}
    >>> table = match_table("four-handed", HandOutcomes(hands, "an example"))
    >>> round(table.win("9-6", seat="1").win, 4)
    0.8189
    """
    game = load_game(game) if isinstance(game, str) else game
    outcomes = policy_outcomes(game, progress) if outcomes is None else outcomes
    sides = len(game_sides(game))
    if outcomes.sides != sides:
        raise InputError(
            f"The outcomes are those of {outcomes.sides} sides; accepted: {sides}, as in "
            f"'{game.name}'."
        )
    if game.target**sides > _MOST_SCORES:
        most = next(n for n in range(game.target, 0, -1) if n**sides <= _MOST_SCORES)
        raise InputError(
            f"A race of {sides} sides to {game.target} has too many scores; accepted: a target up "
            f"to {most}."
        )
    chances, errors = race(game.target, outcomes)
    return MatchTable(game, outcomes, chances, errors)


def policy_outcomes(game: EuchreGame, progress: Progress | None = None) -> HandOutcomes:
    """Return what a hand earns when everybody bids by the game's policy.

    Parameters
    ----------
    progress
        Takes work done and work in all, if the policy has to be built.
    """
    from oddscalc.euchre.bidding import bidding_policy

    policy = bidding_policy(game, progress=progress)
    obtained = f"the bidding policy of {game.title}, hands played {policy.play}"
    # Without fresh deals all were counted.
    return HandOutcomes(policy.outcomes, obtained, policy.fresh or None)


def write_match_table(
    game: EuchreGame | str,
    path: Path | str,
    outcomes: HandOutcomes | None = None,
    *,
    progress: Progress | None = None,
) -> int:
    """Write the chances of winning the match as Parquet, a row for each seat and score.

    Columns: `seat`; the points of each side, the own first and then from the left; `win` and
    `stderr`. The metadata tell the game and the points of a hand.

    Parameters
    ----------
    outcomes, progress
        As for `match_table`.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    InputError
        As `match_table`, or if the file's ending or folder cannot be.
    ExportError
        If the file cannot be written.
    """
    path = Path(path)
    check_parquet(path)
    table = match_table(game, outcomes, progress=progress)
    made_of = table.game.to_dict(), table.outcomes.to_dict()
    about = {
        "oddscalc.table": "euchre.match",
        "oddscalc.fingerprint": store.fingerprint("euchre-match", __version__, *made_of),
        "oddscalc.version": __version__,
        "oddscalc.game": json.dumps(table.game.to_dict(), ensure_ascii=False),
        "oddscalc.game_fingerprint": store.fingerprint(table.game.to_dict()),
        "oddscalc.outcomes": json.dumps(table.outcomes.to_dict(), ensure_ascii=False),
        "oddscalc.method": "exact, given the outcomes",
        "oddscalc.seed": "",
        "oddscalc.play": table.outcomes.obtained,
    }
    write_frame(table.to_polars(), path, about)
    return table.chances[..., 0].size * table.game.hands


def _whole(chance: float) -> str:
    """Return a chance in whole per cents; only what is impossible or certain is told as 0 or 100.

    >>> _whole(0.123), _whole(0.004), _whole(0.996)
    ('12', '<1', '>99')
    """
    if 0 < chance < 0.005:
        return "<1"
    return ">99" if 0.995 <= chance < 1 else f"{100 * chance:.0f}"
