"""GameRecord + solved values → what every choice lost, and what the dice gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import fsum, isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from oddscalc.dice.advice import HoldAdvice, HoldOption, advise
from oddscalc.dice.goals import DIGITS
from oddscalc.dice.notation import roll_text
from oddscalc.dice.records import GameRecord, Turn, parse_record
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.scorecard import Scorecard
from oddscalc.dice.scoring import is_joker
from oddscalc.dice.solver import Progress, as_game, solve
from oddscalc.errors import InputError
from oddscalc.results import Column, Result

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Decision", "GameReview", "TurnScore", "review"]

BLUNDER = 1.0  # expected points

_OPTION = {"hold": tuple, "box": str, "value": float}
_DATA = {
    "turn": int,
    "rolls_left": int,
    "roll": tuple,
    "luck": float,
    "choice": str,
    "better": str,
    "loss": float,
    "mark": str,
    "best": str,
    "before": float,
    "points": int,
    "bonus": int,
    "total": int,
    **{f"{side}_{key}": kind for side in ("chosen", "best") for key, kind in _OPTION.items()},
}


@dataclass(frozen=True)
class Decision:
    """A roll, and what was done with it.

    Attributes
    ----------
    turn
        Number of the turn, from 1.
    before
        Expected final total before the roll, the dice held.
    advice
        Every option that there was, with its value and loss.
    chosen
        The option taken; None where the record ends with the roll.
    blunder
        Whether the choice lost at least what counts as a blunder.
    """

    turn: int
    before: float
    advice: HoldAdvice = field(repr=False)
    chosen: HoldOption | None
    blunder: bool

    @property
    def best(self) -> HoldOption:
        """The best option: the chosen one if no other is better."""
        return self.chosen if self.chosen and self.chosen.loss == 0 else self.advice.best

    @property
    def loss(self) -> float:
        """How much less the choice is worth than the best one."""
        return self.chosen.loss if self.chosen else 0.0

    @property
    def luck(self) -> float:
        """What the roll added to the expected final total, played on in the best way."""
        return round(self.best.value - self.before, DIGITS)

    @property
    def after(self) -> float:
        """Expected final total after the choice."""
        return (self.chosen or self.best).value


@dataclass(frozen=True, slots=True)
class TurnScore:
    """What a turn put on the card.

    Attributes
    ----------
    joker_bonus
        Points for a further roll of the joker's box.
    bonuses
        Points of each bonus that fell with this turn, by its name.
    total
        Points on the card after the turn.
    """

    turn: int
    box: str
    points: int
    joker_bonus: int
    bonuses: Mapping[str, int]
    total: int


@dataclass(frozen=True)
class GameReview(Result):
    """Every decision of a game against the best one; exact.

    `expected` = `start` + `luck` − `loss`, to nine decimals.

    Attributes
    ----------
    decisions
        One for each roll, in the order of play.
    turns
        One for each box that was filled.
    start
        Expected final total before the first roll.
    blunder
        The loss from which on a choice is marked as a blunder.
    """

    schema: ClassVar[str] = "oddscalc.dice.review/1"

    record: GameRecord
    decisions: tuple[Decision, ...] = field(repr=False)
    turns: tuple[TurnScore, ...] = field(repr=False)
    start: float
    blunder: float

    @property
    def total(self) -> int:
        """Points on the card."""
        return self.turns[-1].total if self.turns else 0

    @property
    def expected(self) -> float:
        """Expected final total where the record ends: the total, if the game is finished."""
        return self.decisions[-1].after if self.decisions else self.start

    @property
    def loss(self) -> float:
        """Expected points that the choices lost."""
        return round(fsum(decision.loss for decision in self.decisions), DIGITS)

    @property
    def luck(self) -> float:
        """Points above expectation that came from the dice."""
        return round(fsum(decision.luck for decision in self.decisions), DIGITS)

    @property
    def blunders(self) -> tuple[Decision, ...]:
        """The decisions that are marked as blunders."""
        return tuple(decision for decision in self.decisions if decision.blunder)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures of the game, its turns and all decisions."""
        record = self.record
        return {
            "game": record.game.name,
            "player": record.player or None,
            "date": record.date or None,
            "method": "exact",
            "finished": record.finished,
            "total": self.total,
            "expected": self.expected,
            "start": self.start,
            "luck": self.luck,
            "loss": self.loss,
            "blunder": self.blunder,
            "blunders": len(self.blunders),
            "turns": [asdict(turn) for turn in self.turns],
            "decisions": [
                {
                    "turn": decision.turn,
                    "rolls_left": decision.advice.rolls_left,
                    "roll": list(decision.advice.roll),
                    "before": decision.before,
                    "luck": decision.luck,
                    "chosen": _option(decision.chosen),
                    "best": _option(decision.best),
                    "loss": decision.loss,
                    "mark": _mark(decision),
                }
                for decision in self.decisions
            ],
        }

    def headline(self) -> str:
        """Return total, luck and losses as a sentence."""
        record = self.record
        who = f"{record.player}: " if record.player else ""
        if record.finished:
            points = f"{who}{self.total} points, {self.start:.1f} expected"
        else:
            done, all_turns = len(self.turns), len(record.game.boxes)
            points = f"{who}{self.total} points after {done} of {all_turns} turns, "
            points += f"{self.expected:.1f} expected in the end"
        count = len(self.blunders)
        blunders = f", {count} of them {'a blunder' if count == 1 else 'blunders'}" * (count > 0)
        wrong = sum(decision.loss > 0 for decision in self.decisions)
        if not wrong:
            lost = "every choice was the best one"
        else:
            choices = "one choice" if wrong == 1 else f"{wrong} choices"
            lost = f"{choices} lost {self.loss:.1f}{blunders}"
        gave = "gave" if self.luck >= 0 else "took"
        return f"{points}: the dice {gave} {abs(self.luck):.1f}, {lost}."

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("turn", "Turn", right=True),
            Column("rolls_left", "Left", right=True),
            Column("roll", "Roll", roll_text),
            Column("luck", "Luck", "{:+.2f}".format, right=True),
            Column("choice", "Choice", lambda text: text or "–"),
            Column("better", "Better", lambda text: text or ""),
            Column("loss", "Loss", lambda loss: f"{loss:.2f}" if loss else "–", right=True),
            Column("mark", "", lambda mark: "??" if mark else ""),
        )

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars, which tell options apart in several columns."""
        return list(_DATA)

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each decision; points, bonus and total only where a box is filled."""
        scores = {score.turn: score for score in self.turns}
        rows = []
        for decision in self.decisions:
            chosen, best = decision.chosen, decision.best
            score = scores[decision.turn] if chosen and chosen.action == "score" else None
            bonus = score and score.joker_bonus + sum(score.bonuses.values())
            credited = f" {bonus:+d}" if bonus else ""
            row = {
                "turn": decision.turn,
                "rolls_left": decision.advice.rolls_left,
                "roll": decision.advice.roll,
                "luck": decision.luck,
                "choice": chosen and _said(chosen) + credited,
                "better": None if best is chosen else _said(best),
                "loss": decision.loss,
                "mark": _mark(decision),
                "best": _said(best),
                "before": decision.before,
                "points": score and score.points,
                "bonus": bonus,
                "total": score and score.total,
            }
            for side, option in (("chosen", chosen), ("best", best)):
                row |= {f"{side}_{key}": option and getattr(option, key) for key in _OPTION}
            rows.append(row)
        return rows

    def notes(self) -> list[str]:
        """Say how the figures go together, what they mean and how they were obtained."""
        end = f"{self.expected:.4f} expected in the end"
        if self.record.finished:
            end = f"the final total {self.total}"
        notes = [
            f"{self.start:.4f} expected at the start {_signed(self.luck)} luck "
            f"{_signed(-self.loss)} lost by choices = {end}."
        ]
        if credited := [*self._credited()]:
            notes.append(f"Bonuses: {', '.join(credited)}.")
        if not self.record.finished:
            notes.append("The game is not finished; it is reviewed as far as it goes.")
        notes.append(
            f"Exact: {self.record.game.title}, expected final totals. Luck: what the roll added, "
            "every later choice the best one. Loss: what the choice took; "
            f"?? marks {self.blunder:g} or more, a blunder."
        )
        return notes

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each decision; rolls and holds are lists."""
        import polars as pl

        types: dict[type, Any] = {int: pl.Int32, float: pl.Float64, str: pl.String}
        types[tuple] = pl.List(pl.UInt8)
        rows, schema = self.records(), {key: types[kind] for key, kind in _DATA.items()}
        return pl.DataFrame({key: [row[key] for row in rows] for key in schema}, schema=schema)

    def _credited(self) -> Iterator[str]:
        titles = {bonus.name: bonus.title.lower() for bonus in self.record.game.bonuses}
        for score in self.turns:
            if score.joker_bonus:
                yield f"{score.joker_bonus:+d} joker in turn {score.turn}"
            for name, points in score.bonuses.items():
                yield f"{points:+d} {titles[name]} in turn {score.turn}"


def review(
    record: GameRecord | str,
    *,
    game: DiceGame | str | None = None,
    blunder: float = BLUNDER,
    progress: Progress | None = None,
) -> GameReview:
    r"""Hold every decision of a game against the best one.

    Parameters
    ----------
    record
        A record, or its text.
    game
        The game to review it by, whatever game the record names.
    blunder
        The loss in expected points from which on a choice is marked.
    progress
        Called with work done and work in all, should the game have to be solved first.

    Raises
    ------
    RecordError
        If the record cannot be read or cannot be in the game; the text names the line.
    InputError
        If `blunder` is not above 0.

    >>> found = review("game: poker-dice\n2 3 6 2 1 | 6 | 6 6 6 4 1 > sixes")
    >>> round(found.loss, 4), found.total
    (8.1446, 0)
    """
    if not (isfinite(blunder) and blunder > 0):
        raise InputError(f"The blunder is {blunder:g}; accepted: points above 0.")
    told = None if game is None else as_game(game)
    if isinstance(record, str):
        record = parse_record(record, game=told)
    elif told is not None:
        record = replace(record, game=told)
    card = Scorecard(record.game)
    start = value = round(solve(record.game, progress).value, DIGITS)
    decisions: list[Decision] = []
    scores: list[TurnScore] = []
    for number, turn in enumerate(record.turns, 1):
        for place, roll in enumerate(turn.rolls):
            left = record.game.rolls - 1 - place
            advice = advise(roll, game=record.game, rolls_left=left, card=card)
            chosen = _chosen(advice, turn, place)
            marked = chosen is not None and chosen.loss >= blunder
            decisions.append(Decision(number, value, advice, chosen, marked))
            value = decisions[-1].after
        if chosen is not None and chosen.box is not None:
            score, card = _scored(number, card, chosen)
            scores.append(score)
    return GameReview(record, tuple(decisions), tuple(scores), start, blunder)


def _chosen(advice: HoldAdvice, turn: Turn, place: int) -> HoldOption | None:
    """Return the option that was taken with the roll at a place of a turn."""
    if place < len(turn.holds):
        hold = turn.holds[place]
        return next(o for o in advice.options if o.action == "reroll" and o.hold == hold)
    return next((o for o in advice.options if o.box and o.box == turn.box), None)


def _scored(turn: int, card: Scorecard, option: HoldOption) -> tuple[TurnScore, Scorecard]:
    """Return what the turn earned, and the card after it."""
    game, box, points = card.game, option.box or "", option.points or 0
    further = card.joker_made and is_joker(option.hold)
    joker_bonus = game.joker.bonus if game.joker and further else 0
    after = Scorecard(game, {**card.filled, box: points}, card.joker_bonus + joker_bonus)
    bonuses = {
        bonus.name: bonus.points
        for bonus in game.bonuses
        if box in bonus.boxes
        and set(bonus.boxes) <= set(after.filled)
        and (after.progress[bonus.name] or 0) >= bonus.at_least
    }
    return TurnScore(turn, box, points, joker_bonus, bonuses, after.points_so_far), after


def _option(option: HoldOption | None) -> dict[str, Any] | None:
    if option is None:
        return None
    kept = ("action", "box", "points", "value")
    return {"hold": list(option.hold), **{key: getattr(option, key) for key in kept}}


def _said(option: HoldOption) -> str:
    if option.action == "score":
        return f"{option.box} {option.points}"
    return f"keep {roll_text(option.hold)}" if option.hold else "roll all"


def _mark(decision: Decision) -> str | None:
    return "blunder" if decision.blunder else None


def _signed(number: float) -> str:
    return f"{'−' if number < 0 else '+'} {abs(number):.4f}"
