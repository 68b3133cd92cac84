"""What is said of the bids open to a player: the figures, and how they were obtained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from oddscalc.results import Column, Result

__all__ = ["Action", "BidOdds", "HandEnding"]

_VERBS = {"order": "Order up", "take": "Take up", "name": "Name", "pass": "Bid"}


@dataclass(frozen=True, slots=True)
class HandEnding:
    """One way in which a hand ends.

    Attributes
    ----------
    maker, round, alone
        Who made trumps; None if all passed.
    ours
        Whether that was the asker's side.
    result
        "euchred", "made", "march" or "passed out".
    chance
    """

    maker: str | None
    round: int | None
    alone: bool
    ours: bool
    result: str
    chance: float


@dataclass(frozen=True, slots=True)
class Action:
    """An action open to the asker and what it is worth; figures are None where not computed.

    Attributes
    ----------
    action
        "pass", "order", "take" or "name".
    trump, alone
        The suit made trumps; whether the maker plays alone.
    discard, runner_up
        The asking dealer's best discard on average, and the next best.
    keep, runner_up_keep
        With the dummy in view: the best five of hand and dummy on average, and the next best.
    runner_up_loss, runner_up_stderr
        What the runner-up costs, in points, on the deals on which both were tried.
    p_euchred, p_made, p_march
        Chances of fewer than three tricks, of three or four, of all five.
    points, stderr
        Own expected points less the mean of the opponents', and its standard error.
    loss, loss_stderr
        Points behind the best action, with the standard error of that difference.
    win, win_stderr, win_loss, win_loss_stderr
        Chance to win the match from the score that was asked for, and how far behind the best.
    endings
        With closed play: how the hand ends, the likeliest first.
    deals
        Deals sampled, or possible deals counted.
    """

    action: str
    trump: int | None = None
    alone: bool = False
    discard: int | None = None
    keep: tuple[int, ...] | None = None
    runner_up: int | None = None
    runner_up_keep: tuple[int, ...] | None = None
    runner_up_loss: float | None = None
    runner_up_stderr: float | None = None
    p_euchred: float | None = None
    p_made: float | None = None
    p_march: float | None = None
    points: float | None = None
    stderr: float | None = None
    loss: float | None = None
    loss_stderr: float | None = None
    deals: int | None = None
    win: float | None = None
    win_stderr: float | None = None
    win_loss: float | None = None
    win_loss_stderr: float | None = None
    endings: tuple[HandEnding, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return {
            "action": self.action,
            "trump": None if self.trump is None else suit_name(self.trump),
            "alone": self.alone,
            "discard": None if self.discard is None else card_name(self.discard),
            "keep": None if self.keep is None else card_names(self.keep),
            "runner_up": None if self.runner_up is None else card_name(self.runner_up),
            "runner_up_keep": (
                None if self.runner_up_keep is None else card_names(self.runner_up_keep)
            ),
            "runner_up_loss": self.runner_up_loss,
            "runner_up_stderr": self.runner_up_stderr,
            "p_euchred": self.p_euchred,
            "p_made": self.p_made,
            "p_march": self.p_march,
            "points": self.points,
            "stderr": self.stderr,
            "loss": self.loss,
            "loss_stderr": self.loss_stderr,
            "deals": self.deals,
            "win": self.win,
            "win_stderr": self.win_stderr,
            "win_loss": self.win_loss,
            "win_loss_stderr": self.win_loss_stderr,
            "endings": self.endings and [asdict(ending) for ending in self.endings],
        }

    def __str__(self) -> str:
        if self.trump is None:
            return self.action
        return f"{self.action} {suit_symbol(self.trump)}{' alone' if self.alone else ''}"


@dataclass(frozen=True)
class BidOdds(Result):
    """The odds of every action open to a player at the bidding, best first.

    With open hands a pass has no figures and comes last.

    Attributes
    ----------
    play
        "open" or "closed".
    score
        That was asked for: the own points first, then those of each side from the left.
    method
        "exact" or "monte-carlo"; `deals` (the most for an action) and `seed` tell how many and
        which.
    models
        Sentences: the play model and how each choice was made.
    """

    schema: ClassVar[str] = "oddscalc.euchre.bid/1"

    game: str
    hand: tuple[int, ...]
    up: int
    dummy: tuple[int, ...] | None
    seat: str
    round: int
    play: str
    score: tuple[int, ...] | None
    method: str
    deals: int
    seed: int | None
    actions: tuple[Action, ...]
    models: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return {
            "game": self.game,
            "hand": card_names(self.hand),
            "up": card_name(self.up),
            "dummy": None if self.dummy is None else card_names(self.dummy),
            "seat": self.seat,
            "round": self.round,
            "play": self.play,
            "score": None if self.score is None else list(self.score),
            "method": self.method,
            "deals": self.deals,
            "seed": self.seed,
            "actions": [action.to_dict() for action in self.actions],
            "models": list(self.models),
        }

    def headline(self) -> str:
        """Return the answer as a sentence."""
        turned = "up" if self.round == 1 else "down"
        trumps = {action.trump for action in self.actions} - {None}
        hand = sorted_cards(self.hand, trumps.pop() if len(trumps) == 1 else None)
        asked = f"{card_symbols(hand)}, {card_symbol(self.up)} turned {turned}, "
        asked += seat_words(self.seat)
        best = self.actions[0]
        if best.points is None:
            return f"{asked}: {best}"
        error = f" ± {best.stderr:.3f}" if best.stderr else ""
        thrown = "" if best.discard is None else f", discard {card_symbol(best.discard)}"
        if best.keep is not None:
            thrown = f", keep {card_symbols(best.keep)}"
        said = f"{asked}: {best}{thrown}: {best.points:+.3f}{error} points"
        if self.score is None or best.win is None:
            return said
        score = "-".join(map(str, self.score))
        return f"{said}, {100 * best.win:.1f} % to win from {score}"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        percent = _percent(2 if self.method == "exact" else 1)
        return (
            Column("bid", _VERBS[self.actions[0].action]),
            *([Column("thrown", "Discard")] if self._discards else []),
            *([Column("kept", "Keep")] if self.dummy else []),
            Column("p_euchred", "Euchred", percent, right=True),
            Column("p_made", "Made", percent, right=True),
            Column("p_march", "March", percent, right=True),
            Column("worth", "Points", right=True),
            *([Column("winning", "Win", right=True)] if self.score else []),
            Column("behind", "Behind", right=True),
        )

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars: the numbers that the table shows together, apart."""
        return [key for key in self.actions[0].to_dict() if key != "endings"]

    def records(self) -> list[dict[str, Any]]:
        """Return the rows of the table."""
        digits = ".4f" if self.method == "exact" else ".3f"
        return [
            {
                **action.to_dict(),
                "bid": str(action).removeprefix(f"{action.action} "),
                "thrown": "" if action.discard is None else card_symbol(action.discard),
                "kept": "" if action.keep is None else card_symbols(action.keep),
                "worth": _with_error(action.points, action.stderr, f"+{digits}"),
                "winning": _percent_with_error(action.win, action.win_stderr),
                "behind": (
                    _with_error(action.loss, action.loss_stderr, digits)
                    if self.score is None
                    else _percent_with_error(action.win_loss, action.win_loss_stderr)
                ),
            }
            for action in self.actions
        ]

    def notes(self) -> list[str]:
        """Return sentences on how the numbers were obtained."""
        lines = []
        if self.method == "exact":
            lines.append(f"Exact: all {self.deals:,} possible deals.")
        else:
            fewest = min(action.deals for action in self.actions if action.deals)
            if fewest == self.deals:
                drawn = f"{self.deals:,} deals drawn at random (seed {self.seed})"
            else:
                drawn = (
                    f"For each action as many deals as its error takes, {fewest:,} to "
                    f"{self.deals:,}, drawn at random (seed {self.seed})"
                )
            lines.append(
                f"{drawn}, the same for every action; ± is one standard error, behind the best "
                "action that of the difference."
            )
        lines.append(
            "Euchred: fewer than three tricks; made: three or four; march: all five. Points: what "
            "you get less what an opponent gets on average."
        )
        lines += [line for action in self.actions for line in _runner_up(action)]
        lines += [_after_pass(action) for action in self.actions if action.trump is None]
        lines += self.models
        return lines

    @property
    def _discards(self) -> bool:
        return any(action.discard is not None for action in self.actions)


def _runner_up(action: Action) -> list[str]:
    error = f" ± {action.runner_up_stderr:.3f}" if action.runner_up_stderr else ""
    if action.keep is not None and action.runner_up_keep is not None:
        chosen = f"keep {card_symbols(action.keep)}"
        other = card_symbols(action.runner_up_keep)
    elif action.discard is not None and action.runner_up is not None:
        chosen, other = f"discard {card_symbol(action.discard)}", card_symbol(action.runner_up)
    else:
        return []
    less = f"{action.runner_up_loss:.3f}{error} points less"
    if action.runner_up_loss == 0 and not error:
        less = "as good"
    return [f"{action}: {chosen}, next best {other} ({less})."]


def _after_pass(action: Action) -> str:
    if action.endings is None:
        return "Pass: it has figures with closed play only."
    parts = []
    for ours, who in ((True, "your side makes"), (False, "the others make")):
        chances = {
            result: sum(
                ending.chance
                for ending in action.endings
                if ending.maker is not None and ending.ours == ours and ending.result == result
            )
            for result in ("euchred", "made", "march")
        }
        if total := sum(chances.values()):
            several = ", ".join(f"{name} {100 * p:.1f}" for name, p in chances.items())
            parts.append(f"{who} {100 * total:.1f} % ({several})")
    if out := sum(ending.chance for ending in action.endings if ending.maker is None):
        parts.append(f"all pass {100 * out:.1f} %")
    return f"After a pass: {'; '.join(parts)}."


def _percent_with_error(value: float | None, error: float | None) -> str:
    if value is None:
        return ""
    return f"{100 * value:.1f} %" + (f" ±{100 * error:.1f}" if error else "")


def _percent(decimals: int) -> Callable[[float | None], str]:
    return lambda value: "" if value is None else f"{100 * value:.{decimals}f} %"


def _with_error(value: float | None, error: float | None, form: str) -> str:
    if value is None:
        return ""
    return f"{value:{form}}" + (f" ±{error:.3f}" if error else "")
