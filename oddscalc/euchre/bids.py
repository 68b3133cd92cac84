"""What each action at the bidding is worth: euchred, made, all five, points, the match.

Play is closed, as at a table, or with open hands: everybody plays perfectly and sees every card.
Choices at the bidding never depend on hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from oddscalc.errors import InputError, unknown_name
from oddscalc.euchre.answers import Action, BidOdds, HandEnding
from oddscalc.euchre.bid_models import closed_models, open_models
from oddscalc.euchre.bidding import bidding_policy
from oddscalc.euchre.closed_bids import ClosedOdds
from oddscalc.euchre.endings import Ending, Wins
from oddscalc.euchre.matches import match_table
from oddscalc.euchre.notation import (
    card_name,
    card_names,
    nameable_suits,
    orderable_suits,
    read_cards,
    read_hand,
    read_suit,
    read_upcard,
    seat_words,
    sorted_cards,
    suit_name,
)
from oddscalc.euchre.plays import (
    OUTCOMES,
    Bid,
    Odds,
    Question,
)
from oddscalc.euchre.rules import DEFAULT_GAME, EuchreGame, load_game
from oddscalc.euchre.scores import as_said, read_score, side_of
from oddscalc.euchre.valuing import closed_odds_of, odds_of

__all__ = [
    "DEFAULT_DEALS",
    "Action",
    "BidOdds",
    "ask",
    "bid_odds",
    "check_sample",
    "read_question",
]

DEFAULT_DEALS = 20_000
MOST_DEALS = 10_000_000
PLAYS = ("closed", "open")


def bid_odds(
    hand: str,
    *,
    up: str,
    seat: str,
    bidding_round: int = 1,
    dummy: str | None = None,
    trump: str | None = None,
    game: EuchreGame | str = DEFAULT_GAME,
    play: str = "closed",
    score: str | Sequence[int] | None = None,
    deals: int | None = None,
    exact: bool = False,
    seed: int = 0,
    dealer_sees: bool = False,
    progress: Callable[[int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> BidOdds:
    """Return the odds of each action open to a player: pass, order or take up, or name a suit.

    Two-handed games are always counted in full; otherwise `deals` deals are sampled, the same for
    every action, unless `exact`. Figures do not depend on the number of threads, nor on how the
    suits are named.

    Parameters
    ----------
    hand, up, seat
        The asker's five cards, the upcard, the seat counted from the dealer's left.
    bidding_round
        1: order or take the upcard; 2: it was turned down and a suit is named.
    dummy
        The dummy's cards, if the asker is the maker and has seen them: which five to keep.
    trump
        Only bids in this suit.
    play
        "closed": nobody sees a hidden card, deals are weighed by how likely the earlier passes
        were, and the bidding goes on by the game's policy; or "open".
    score
        Points in the match, the own first, as in "9-6": adds the chance to win it.
    deals
        How many are sampled. Unless given, 20,000 with open hands; else for each action as many
        as a standard error of 0.02 points takes, 500 to 5,000.
    exact
        Count every possible deal with open hands; `announce` is told how long that will take.
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
    >>> answer = bid_odds("JS AS KS AH 9D", up="9S", seat="1", game="two-handed", play="open")
    >>> answer.method, answer.deals, answer.actions[0].action
    ('exact', 8568, 'order')
    """
    game = load_game(game) if isinstance(game, str) else game
    question = read_question(hand, up, seat, bidding_round, game, dummy)
    return ask(
        question,
        trumps=None if trump is None else (_read_trump(trump, question),),
        play=play,
        score=score,
        deals=deals,
        exact=exact,
        seed=seed,
        dealer_sees=dealer_sees,
        progress=progress,
        announce=announce,
    )


def read_question(
    hand: str,
    up: str,
    seat: str,
    bidding_round: int,
    game: EuchreGame,
    dummy: str | None = None,
) -> Question:
    """Return who asks, holding what; errors as in `bid_odds`."""
    if bidding_round not in (1, 2):
        raise InputError(f"There is no bidding round {bidding_round}; accepted: 1 or 2.")
    cards = read_hand(hand, game.deck)
    upcard = read_upcard(up, cards, game.deck)
    place = game.seat_index(seat)
    seen = () if dummy is None else _read_dummy(dummy, (*cards, upcard), place, game)
    return Question(game, cards, upcard, place, bidding_round, seen)


def _read_dummy(text: str, others: Sequence[int], seat: int, game: EuchreGame) -> tuple[int, ...]:
    if not game.may_use_dummy(seat, alone=False):
        raise InputError(
            f"The dummy '{text}' is no use: in {game.name} {seat_words(game.seats[seat])} may not "
            "merge one; accepted: no dummy."
        )
    cards = tuple(read_cards(text, game.deck))
    if len(cards) != game.dummy:
        raise InputError(
            f"The dummy '{text}' has {len(cards)} cards; accepted: {game.dummy} cards."
        )
    if both := set(cards) & set(others):
        names = " ".join(card_names(sorted_cards(both)))
        raise InputError(f"The dummy holds {names}, as the hand or the upcard does; each is once.")
    return cards


def ask(
    question: Question,
    *,
    trumps: Sequence[int] | None = None,
    play: str = "closed",
    score: str | Sequence[int] | None = None,
    deals: int | None = None,
    exact: bool = False,
    seed: int = 0,
    dealer_sees: bool = False,
    progress: Callable[[int, int], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> BidOdds:
    """Return the odds of each action; parameters as in `bid_odds`, read already."""
    if play not in PLAYS:
        raise unknown_name("play model", play, PLAYS)
    game = question.game
    closed = play == "closed"
    number = DEFAULT_DEALS if deals is None else deals
    check_sample(number, seed)
    wins, told = None, None
    if score is not None:
        told, wins = _race(question, score, progress)
    bids = _bids(question, trumps)
    stuck = game.stick_the_dealer and question.round == 2 and question.seat == game.dealer
    may_pass = not stuck and not question.dummy
    found: Sequence[Odds | ClosedOdds]
    if closed:
        for option, given in (("exact", exact), ("dealer-sees", dealer_sees)):
            if given:
                raise InputError(
                    f"'{option}' is asked for with closed play; accepted: with open hands."
                )
        policy = bidding_policy(game, progress=progress)
        found = played = closed_odds_of(
            question,
            [*bids, *([None] if may_pass else [])],
            deals,
            policy,
            seed=seed,
            wins=wins,
            progress=progress,
        )
        actions = [_closed_action(question, odds) for odds in played]
        models = closed_models(question, played, policy)
    else:
        found = solved = odds_of(
            question,
            bids,
            number,
            exact=exact,
            seed=seed,
            dealer_sees=dealer_sees,
            progress=progress,
            announce=announce,
        )
        actions = [_action(question, odds, wins) for odds in solved]
        models = open_models(question, solved, dealer_sees=dealer_sees)
        if may_pass:
            actions.append(Action("pass"))
    counted = found[0].exact
    actions.sort(key=_order)
    return BidOdds(
        game=game.name,
        hand=tuple(sorted_cards(question.hand)),
        up=question.up,
        dummy=tuple(sorted_cards(question.dummy)) or None,
        seat=game.seats[question.seat],
        round=question.round,
        play=play,
        score=told,
        method="exact" if counted else "monte-carlo",
        deals=max(odds.deals for odds in found),
        seed=None if counted else seed,
        actions=tuple(actions),
        models=tuple(models),
    )


def _order(action: Action) -> tuple[float, ...]:
    """Return what puts the best action first: by the match if its chances are known."""
    if action.points is None:
        return (float("inf"),)
    best = action.points if action.win is None else action.win
    return -best, -1 if action.trump is None else action.trump, action.alone


def _race(
    question: Question, score: str | Sequence[int], progress: Callable[[int, int], None] | None
) -> tuple[tuple[int, ...], Wins]:
    """Return the score as it is said, and what the match is worth after points of a hand."""
    game = question.game
    seat = game.seats[question.seat]
    before = read_score(score, game, seat)
    table = match_table(game, progress=progress)
    told = as_said(before, side_of(game, seat))
    return told, lambda earned: table.wins_after(earned, told, seat)


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
        # Who has taken up the dummy does not play alone.
        for alone in ((False, True) if game.alone and not question.dummy else (False,))
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


def _verb(question: Question) -> str:
    return "name" if question.round == 2 else "take" if question.takes_up else "order"


def _closed_action(question: Question, odds: ClosedOdds) -> Action:
    game = question.game
    endings = tuple(
        HandEnding(
            maker=None if ending.maker is None else game.seats[ending.maker],
            round=ending.round,
            alone=ending.alone,
            ours=ending.maker is not None and question.seat in game.side(ending.maker),
            result=ending.result,
            chance=chance,
        )
        for ending, chance in sorted(odds.endings.items(), key=lambda pair: -pair[1])
    )
    action = Action(
        "pass",
        points=odds.points,
        stderr=odds.stderr,
        loss=odds.loss,
        loss_stderr=odds.loss_stderr,
        deals=odds.deals,
        win=odds.win,
        win_stderr=odds.win_stderr,
        win_loss=odds.win_loss,
        win_loss_stderr=odds.win_loss_stderr,
        endings=endings,
    )
    if odds.bid is None:
        return action
    euchred, made, march = odds.chances
    return replace(
        action,
        action=_verb(question),
        trump=odds.bid.trump,
        alone=odds.bid.alone,
        discard=odds.discard,
        keep=odds.keep,
        runner_up=odds.runner_up,
        runner_up_keep=odds.runner_up_keep,
        runner_up_loss=odds.runner_up_loss,
        runner_up_stderr=odds.runner_up_stderr,
        p_euchred=euchred,
        p_made=made,
        p_march=march,
    )


def _action(question: Question, odds: Odds, wins: Wins | None) -> Action:
    win = error = None
    if wins is not None:
        win, error = _won(question, odds, wins)
    return Action(
        _verb(question),
        odds.bid.trump,
        odds.bid.alone,
        odds.discard,
        odds.keep,
        odds.runner_up,
        odds.runner_up_keep,
        odds.runner_up_loss,
        odds.runner_up_stderr,
        *odds.chances,
        odds.points,
        odds.stderr,
        odds.loss,
        odds.loss_stderr,
        odds.deals,
        win,
        error,
    )


def _won(question: Question, odds: Odds, wins: Wins) -> tuple[float, float]:
    """Return the chance to win the match after a bid with open hands, and its error."""
    endings = [
        Ending(question.seat, question.round, odds.bid.alone, code) for code in range(OUTCOMES)
    ]
    after = wins([ending.earned(question) for ending in endings])
    shares = np.array(odds.tally) / sum(odds.tally)
    win = float(shares @ after)
    spread = float(shares @ (after - win) ** 2)
    return win, 0.0 if odds.exact else sqrt(spread / odds.deals)
