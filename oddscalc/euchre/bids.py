"""What each action at the bidding is worth: euchred, made, all five, points.

Play is with open hands: after the bidding everybody plays perfectly and sees every card. Choices
never depend on hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from oddscalc.errors import InputError
from oddscalc.euchre.notation import (
    card_name,
    card_names,
    card_symbol,
    card_symbols,
    nameable_suits,
    orderable_suits,
    read_hand,
    read_suit,
    read_upcard,
    sorted_cards,
    suit_name,
    suit_symbol,
)
from oddscalc.euchre.plays import DEALER_RULE, DEFENDER_RULE, Bid, Odds, Question
from oddscalc.euchre.rules import DEFAULT_GAME, EuchreGame, load_game
from oddscalc.euchre.valuing import odds_of
from oddscalc.results import Column, Result

__all__ = ["DEFAULT_DEALS", "Action", "BidOdds", "ask", "bid_odds", "check_sample", "read_question"]

_VERBS = {"order": "Order up", "take": "Take up", "name": "Name", "pass": "Bid"}

DEFAULT_DEALS = 20_000
MOST_DEALS = 10_000_000

PLAY_MODEL = (
    "Play: open hands. After the bidding everybody plays perfectly and sees every card; what is "
    "bid, discarded or kept never depends on hidden cards. The others' passes tell nothing."
)


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
    runner_up_loss, runner_up_stderr
        What the runner-up costs, in points, on the deals on which both were tried.
    p_euchred, p_made, p_march
        Chances of fewer than three tricks, of three or four, of all five.
    points, stderr
        Own expected points less the mean of the opponents', and its standard error.
    loss, loss_stderr
        Points behind the best action, with the standard error of that difference.
    deals
        Deals sampled, or possible deals counted.
    """

    action: str
    trump: int | None = None
    alone: bool = False
    discard: int | None = None
    runner_up: int | None = None
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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, numbers and texts."""
        return {
            "action": self.action,
            "trump": None if self.trump is None else suit_name(self.trump),
            "alone": self.alone,
            "discard": None if self.discard is None else card_name(self.discard),
            "runner_up": None if self.runner_up is None else card_name(self.runner_up),
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
            "win": None,
        }

    def __str__(self) -> str:
        if self.trump is None:
            return self.action
        return f"{self.action} {suit_symbol(self.trump)}{' alone' if self.alone else ''}"


@dataclass(frozen=True)
class BidOdds(Result):
    """The odds of every action open to a player at the bidding, best first, pass last.

    Attributes
    ----------
    method
        "exact" or "monte-carlo"; `deals` and `seed` tell how many and which.
    models
        Sentences: the play model and how each choice was made.
    """

    schema: ClassVar[str] = "oddscalc.euchre.bid/1"

    game: str
    hand: tuple[int, ...]
    up: int
    seat: str
    round: int
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
            "seat": self.seat,
            "round": self.round,
            "play": "open",
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
        asked += "dealer" if self.seat == "dealer" else f"seat {self.seat}"
        best = self.actions[0]
        if best.points is None:
            return f"{asked}: {best}"
        error = f" ± {best.stderr:.3f}" if best.stderr else ""
        thrown = "" if best.discard is None else f", discard {card_symbol(best.discard)}"
        return f"{asked}: {best}{thrown}: {best.points:+.3f}{error} points"

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        percent = _percent(2 if self.method == "exact" else 1)
        return (
            Column("bid", _VERBS[self.actions[0].action]),
            *([Column("thrown", "Discard")] if self._discards else []),
            Column("p_euchred", "Euchred", percent, right=True),
            Column("p_made", "Made", percent, right=True),
            Column("p_march", "March", percent, right=True),
            Column("worth", "Points", right=True),
            Column("behind", "Behind", right=True),
        )

    def fields(self) -> Sequence[str]:
        """Return the keys of CSV and Polars: the numbers that the table shows together, apart."""
        return [key for key in self.actions[0].to_dict() if key != "win"]

    def records(self) -> list[dict[str, Any]]:
        """Return the rows of the table."""
        digits = ".4f" if self.method == "exact" else ".3f"
        return [
            {
                **action.to_dict(),
                "bid": str(action).removeprefix(f"{action.action} "),
                "thrown": "" if action.discard is None else card_symbol(action.discard),
                "worth": _with_error(action.points, action.stderr, f"+{digits}"),
                "behind": _with_error(action.loss, action.loss_stderr, digits),
            }
            for action in self.actions
        ]

    def notes(self) -> list[str]:
        """Return sentences on how the numbers were obtained."""
        lines = []
        if self.method == "exact":
            lines.append(f"Exact: all {self.deals:,} possible deals.")
        else:
            lines.append(
                f"{self.deals:,} deals drawn at random (seed {self.seed}), the same for every "
                "action; ± is one standard error, behind the best action that of the difference."
            )
        lines += [line for action in self.actions for line in _runner_up(action)]
        lines += self.models
        if any(action.points is None for action in self.actions):
            lines.append("Pass: its figure is not computed by this version.")
        return lines

    @property
    def _discards(self) -> bool:
        return any(action.discard is not None for action in self.actions)


def bid_odds(
    hand: str,
    *,
    up: str,
    seat: str,
    bidding_round: int = 1,
    trump: str | None = None,
    game: EuchreGame | str = DEFAULT_GAME,
    deals: int | None = None,
    exact: bool = False,
    seed: int = 0,
    dealer_sees: bool = False,
    progress: Callable[[int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> BidOdds:
    """Return the odds of each action open to a player: order or take up, or name a suit.

    Two-handed games are always counted in full; otherwise `deals` deals are sampled, the same for
    every action, unless `exact`. Figures do not depend on the number of threads, nor on how the
    suits are named.

    Parameters
    ----------
    hand, up, seat
        The asker's five cards, the upcard, the seat counted from the dealer's left.
    bidding_round
        1: order or take the upcard; 2: it was turned down and a suit is named.
    trump
        Only bids in this suit.
    deals
        How many are sampled; 20,000 unless given.
    exact
        Count every possible deal; `announce` is told how long that will take.
    seed
        0 to 2^63 - 1.
    dealer_sees
        Let the dealer see every card when taking the upcard and discarding, for comparison.
    progress
        Takes work done and work in all.

    Raises
    ------
    InputError
        If something cannot be; the text names it and what is accepted.

    Examples
    --------
    >>> answer = bid_odds("JS AS KS AH 9D", up="9S", seat="1", game="two-handed")
    >>> answer.method, answer.deals, answer.actions[0].action
    ('exact', 8568, 'order')
    """
    game = load_game(game) if isinstance(game, str) else game
    question = read_question(hand, up, seat, bidding_round, game)
    return ask(
        question,
        trumps=None if trump is None else (_read_trump(trump, question),),
        deals=deals,
        exact=exact,
        seed=seed,
        dealer_sees=dealer_sees,
        progress=progress,
        announce=announce,
    )


def read_question(hand: str, up: str, seat: str, bidding_round: int, game: EuchreGame) -> Question:
    """Return who asks, holding what; errors as in `bid_odds`."""
    if bidding_round not in (1, 2):
        raise InputError(f"There is no bidding round {bidding_round}; accepted: 1 or 2.")
    cards = read_hand(hand, game.deck)
    return Question(
        game, cards, read_upcard(up, cards, game.deck), game.seat_index(seat), bidding_round
    )


def ask(
    question: Question,
    *,
    trumps: Sequence[int] | None = None,
    deals: int | None = None,
    exact: bool = False,
    seed: int = 0,
    dealer_sees: bool = False,
    progress: Callable[[int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> BidOdds:
    """Return the odds of each action; parameters as in `bid_odds`, read already."""
    number = DEFAULT_DEALS if deals is None else deals
    check_sample(number, seed)
    found = odds_of(
        question,
        _bids(question, trumps),
        number,
        exact=exact,
        seed=seed,
        dealer_sees=dealer_sees,
        progress=progress,
        announce=announce,
    )
    game = question.game
    seat = game.seats[question.seat]
    counted = found[0].exact
    found.sort(key=lambda odds: (-odds.points, odds.bid.trump, odds.bid.alone))
    actions = [_action(question, odds) for odds in found]
    stuck = game.stick_the_dealer and question.round == 2 and question.seat == game.dealer
    return BidOdds(
        game=game.name,
        hand=tuple(sorted_cards(question.hand)),
        up=question.up,
        seat=seat,
        round=question.round,
        method="exact" if counted else "monte-carlo",
        deals=found[0].deals,
        seed=None if counted else seed,
        actions=(*actions, *([] if stuck else [Action("pass")])),
        models=tuple(_models(question, found, dealer_sees=dealer_sees)),
    )


def check_sample(deals: int, seed: int) -> None:
    """Raise an InputError if so many deals, or this seed, cannot be sampled."""
    if not 2 <= deals <= MOST_DEALS:
        raise InputError(f"{deals} deals cannot be sampled; accepted: 2 to {MOST_DEALS:,}.")
    if not 0 <= seed < 1 << 63:
        raise InputError(f"The seed {seed} is out of range; accepted: 0 to 2^63 - 1.")


def _bids(question: Question, trumps: Sequence[int] | None) -> list[Bid]:
    game = question.game
    open_suits = _open_suits(question)
    return [
        Bid(suit, alone)
        for suit in (open_suits if trumps is None else trumps)
        for alone in ((False, True) if game.alone else (False,))
    ]


def _open_suits(question: Question) -> tuple[int, ...]:
    suits = orderable_suits if question.round == 1 else nameable_suits
    return suits(question.game, question.up)


def _read_trump(word: str, question: Question) -> int:
    suit = read_suit(word)
    accepted = _open_suits(question)
    if suit not in accepted:
        shown = card_name(question.up)
        why = f"{shown} is turned up" if question.round == 1 else f"{shown} was turned down"
        names = " ".join(suit_name(other) for other in accepted)
        raise InputError(f"'{word}' cannot be made trumps, as {why}; accepted: {names}.")
    return suit


def _action(question: Question, odds: Odds) -> Action:
    name = "name" if question.round == 2 else "take" if question.takes_up else "order"
    return Action(
        name,
        odds.bid.trump,
        odds.bid.alone,
        odds.discard,
        odds.runner_up,
        odds.runner_up_loss,
        odds.runner_up_stderr,
        *odds.chances,
        odds.points,
        odds.stderr,
        odds.loss,
        odds.loss_stderr,
        odds.deals,
    )


def _models(question: Question, found: Sequence[Odds], *, dealer_sees: bool) -> list[str]:
    game = question.game
    lines = [PLAY_MODEL]
    if question.round == 1:
        if dealer_sees:
            lines.append(
                "The dealer sees every card when taking the upcard and discarding, deal by deal: "
                "no player can; for comparison only."
            )
        elif question.takes_up:
            lines.append("Your discard is the single card that is best on average over the deals.")
        elif any(odds.dealer_decides for odds in found):
            takes = "takes the upcard and throws"
            if not game.dealer_must_take:
                takes = "takes the upcard unless it would be thrown at once, and throws"
            lines.append(f"The dealer {takes}, by own cards only: {DEALER_RULE}.")
    if any(odds.merges for odds in found):
        lines.append(
            "With the dummy you keep the five of ten that are best on average for your own cards "
            f"and that dummy, over {found[0].inner}."
        )
    if game.defend_alone:
        lines.append(f"By own cards only, {DEFENDER_RULE}.")
    return lines


def _runner_up(action: Action) -> list[str]:
    if action.discard is None or action.runner_up is None:
        return []
    error = f" ± {action.runner_up_stderr:.3f}" if action.runner_up_stderr else ""
    return [
        f"{action}: discard {card_symbol(action.discard)}, next best "
        f"{card_symbol(action.runner_up)} ({action.runner_up_loss:.3f}{error} points less)."
    ]


def _percent(decimals: int) -> Callable[[float | None], str]:
    return lambda value: "" if value is None else f"{100 * value:.{decimals}f} %"


def _with_error(value: float | None, error: float | None, form: str) -> str:
    if value is None:
        return ""
    return f"{value:{form}}" + (f" ±{error:.3f}" if error else "")
