"""What each action at the bidding is worth: euchred, made, all five, points.

Play is with open hands: after the bidding everybody plays perfectly and sees every card. Choices
never depend on hidden cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from oddscalc.errors import InputError
from oddscalc.euchre.answers import Action, BidOdds
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
from oddscalc.euchre.plays import DEALER_RULE, DEFENDER_RULE, KEEPS, Bid, Odds, Question
from oddscalc.euchre.rules import DEFAULT_GAME, EuchreGame, load_game
from oddscalc.euchre.valuing import odds_of

__all__ = ["DEFAULT_DEALS", "Action", "BidOdds", "ask", "bid_odds", "check_sample", "read_question"]

DEFAULT_DEALS = 20_000
MOST_DEALS = 10_000_000

PLAY_MODEL = (
    "Play: open hands. After the bidding everybody plays perfectly and sees every card; what is "
    "bid, discarded or kept never depends on hidden cards. The others' passes tell nothing."
)


def bid_odds(
    hand: str,
    *,
    up: str,
    seat: str,
    bidding_round: int = 1,
    dummy: str | None = None,
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
    dummy
        The dummy's cards, if the asker is the maker and has seen them: which five to keep.
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
    question = read_question(hand, up, seat, bidding_round, game, dummy)
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
        dummy=tuple(sorted_cards(question.dummy)) or None,
        seat=seat,
        round=question.round,
        method="exact" if counted else "monte-carlo",
        deals=found[0].deals,
        seed=None if counted else seed,
        actions=(*actions, *([] if stuck or question.dummy else [Action("pass")])),
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


def _action(question: Question, odds: Odds) -> Action:
    name = "name" if question.round == 2 else "take" if question.takes_up else "order"
    return Action(
        name,
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
        elif question.takes_up and not question.dummy:
            lines.append("Your discard is the single card that is best on average over the deals.")
        elif any(odds.dealer_decides for odds in found):
            takes = "takes the upcard and throws"
            if not game.dealer_must_take:
                takes = "takes the upcard unless it would be thrown at once, and throws"
            lines.append(f"The dealer {takes}, by own cards only: {DEALER_RULE}.")
    if question.dummy:
        lines.append(
            "You keep the five of hand and dummy that are best on average over the deals, of those "
            f"with {KEEPS}."
        )
    if any(odds.merges for odds in found):
        lines.append(
            "With the dummy you keep the five that are best on average for your own cards and "
            f"that dummy, over {found[0].inner}, of those with {KEEPS}."
        )
    if game.defend_alone:
        lines.append(f"By own cards only, {DEFENDER_RULE}.")
    return lines
