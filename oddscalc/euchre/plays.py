"""One action at the bidding → how it is played out: the arrays that the kernels read.

`Play` is where a game's switches become numbers; nothing after it knows a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_choices, kernel_plan, kernel_plays
from oddscalc.euchre.deals import unseen_cards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.notation import deck_cards
from oddscalc.euchre.rules import CARDS_IN_HAND, TRICKS_TO_MAKE, EuchreGame
from oddscalc.euchre.tablebase import pair_table
from oddscalc.euchre.tables import in_trumps, trump_bit
from oddscalc.jit import run_parts

__all__ = [
    "DEALER_RULE",
    "DEFENDER_RULE",
    "INNER_DEALS",
    "KEEPS",
    "OUTCOMES",
    "Bid",
    "Odds",
    "Play",
    "Question",
    "Tally",
    "Try",
    "odds_from",
    "tries_of",
]

DEALER_RULE = (
    "the lowest card of the shortest side suit (a lone ace last; of suits equally long first one "
    "without its ace, then by lot), the lowest trump if there is no side card"
)
KEEPS = "all trumps (at most five, the highest) and the highest cards of each side suit"
DEFENDER_RULE = "a defender plays alone when holding the three highest trumps"

OUTCOMES = 8
# The least number of tricks for each outcome of the kernels.
LEAST_TRICKS = (0, 1, TRICKS_TO_MAKE, CARDS_IN_HAND)
_CHUNK = 2048
INNER_DEALS = 64

Tally = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Question:
    """Who asks, holding what, in which round; cards and suits as numbers.

    `dummy` is the dummy if the asker is the maker and sees it.
    """

    game: EuchreGame
    hand: tuple[int, ...]
    up: int
    seat: int
    round: int
    dummy: tuple[int, ...] = ()

    @property
    def known(self) -> tuple[int, ...]:
        """The cards that the asker sees."""
        return (*self.hand, self.up, *self.dummy)

    @property
    def takes_up(self) -> bool:
        """Whether the asker is the dealer in round one."""
        return self.round == 1 and self.seat == self.game.dealer


@dataclass(frozen=True, slots=True)
class Bid:
    """A suit made trumps, alone or not."""

    trump: int
    alone: bool


@dataclass(frozen=True)
class Play:
    """One bid as arrays for the kernels.

    Attributes
    ----------
    plan, seating, table
        As the kernels read them.
    points : int64[8]
        The maker's points less the mean of the opponents', by outcome.
    """

    question: Question
    bid: Bid
    plan: Masks
    seating: Masks
    table: Masks
    points: NDArray[np.int64]

    @classmethod
    def of(cls, question: Question, bid: Bid, *, seed: int = 0, sees: bool = False) -> Play:
        """Compile a bid.

        Parameters
        ----------
        sees
            Whether the dealer sees every card when discarding, deal by deal.
        """
        game, seat, trump = question.game, question.seat, bid.trump
        side = game.side(seat)
        merges = game.may_use_dummy(seat, alone=bid.alone) and not question.dummy
        pools_up = question.takes_up and (
            bool(question.dummy) or (merges and game.dummy_order == "before-pickup")
        )
        takes = 0
        if question.round == 1 and (seat != game.dealer or sees):
            takes = 2 if game.dealer_must_take or seat == game.dealer else 1
        score = [
            [_worth(game, least, bid.alone, lone) for least in LEAST_TRICKS]
            for lone in (False, True)
        ]
        turned_down = () if question.round == 1 else (question.up,)
        deck = [card for card in deck_cards(game.deck) if card not in turned_down]
        defends = game.defend_alone
        words = {
            kernel_plan.P_TRUMP: trump,
            kernel_plan.P_SEATS: game.hands,
            kernel_plan.P_MAKER: seat,
            kernel_plan.P_MAKERS: sum(1 << partner for partner in side),
            kernel_plan.P_DEALER: game.dealer,
            kernel_plan.P_TAKES: takes,
            kernel_plan.P_UP: in_trumps([question.up], trump),
            kernel_plan.P_THROW_UP: game.discard_upcard,
            kernel_plan.P_DEFEND: defends,
            kernel_plan.P_DECK: in_trumps(deck, trump),
            kernel_plan.P_DUMMY: merges,
            kernel_plan.P_POOL: pools_up,
            kernel_plan.P_SEES: sees,
            kernel_plan.P_SWEPT: score[0][0] != score[0][1]
            or (defends and score[1][0] != score[1][1]),
            kernel_plan.P_INNER: INNER_DEALS,
            kernel_plan.P_SEED: seed,
            kernel_plan.P_ALONE: bid.alone,
            kernel_plan.P_KNOWN: in_trumps(question.known, trump),
        }
        plan = np.zeros(len(words), np.uint64)
        for word, value in words.items():
            plan[word] = value
        return cls(
            question,
            bid,
            plan,
            _seating(game, seat, bid.alone),
            pair_table(game.deck),
            np.array(score, np.int64).ravel(),
        )

    @property
    def merges(self) -> bool:
        """Whether the maker keeps the best five of the hand and a dummy not yet seen."""
        return bool(self.plan[kernel_plan.P_DUMMY])

    @property
    def dealer_decides(self) -> bool:
        """Whether another player is the dealer, plays, and may take the upcard."""
        playing = int(self.seating[-1, 0]) >> self.question.game.dealer & 1
        return bool(self.plan[kernel_plan.P_TAKES] and playing)

    def lots(self, deals: Masks) -> NDArray[np.int64]:
        """Return for each deal between how many suits another dealer's discard is by lot."""
        lots = np.ones(len(deals), np.int64)
        if self.dealer_decides and not self.plan[kernel_plan.P_SEES]:
            kernel_plays.count_lots(deals, self.plan, lots)
        return lots

    def outcomes(
        self, deals: Masks, first: int, five: int, pool: ThreadPoolExecutor | None = None
    ) -> NDArray[np.uint8]:
        """Return the outcome in each deal, the maker playing `five` (trump layout; 0: as dealt)."""
        out = np.empty(len(deals), np.uint8)

        def part(number: int) -> None:
            rows = slice(number * _CHUNK, (number + 1) * _CHUNK)
            kernel_plays.play_out(
                deals[rows],
                np.uint64(first + rows.start),
                np.uint64(five),
                self.plan,
                self.seating,
                self.table,
                self.points,
                out[rows],
            )

        parts = -(-len(deals) // _CHUNK)
        if pool is None or parts == 1:
            for number in range(parts):
                part(number)
        else:
            run_parts(pool, part, parts)
        return out


@dataclass(frozen=True)
class Try:
    """One way to play a bid: the five cards (trump layout) after the asker's choice.

    That is a discard, or with a dummy in view the five cards kept, or none.
    """

    play: Play
    five: int
    discard: int | None = None
    keep: tuple[int, ...] | None = None


def tries_of(play: Play, *, sees: bool) -> list[Try]:
    """Return the asker's choices; of discards that are alike only the lowest."""
    question, trump = play.question, play.bid.trump
    own = in_trumps(question.hand, trump)
    if question.dummy:
        return _keeps(play)
    if not question.takes_up or sees or play.plan[kernel_plan.P_POOL]:
        return [Try(play, own)]
    six = sorted((*question.hand, question.up), key=lambda card: trump_bit(card, trump))
    thrown = [card for card in six if question.game.discard_upcard or card != question.up]
    places = [trump_bit(card, trump) for card in unseen_cards(question.game.deck, six)]
    choices = [
        card
        for card, lower in zip(thrown, [*thrown[1:], None], strict=True)
        if lower is None or not _alike(trump_bit(card, trump), trump_bit(lower, trump), places)
    ]
    # The lowest first: where all are worth the same, that one is shown.
    return [
        Try(play, in_trumps([other for other in six if other != card], trump), card)
        for card in reversed(choices)
    ]


def _keeps(play: Play) -> list[Try]:
    """Return the fives that come into question with the dummy in view."""
    question, trump = play.question, play.bid.trump
    pool = (*question.hand, *question.dummy, *([question.up] if question.takes_up else []))
    names = {1 << trump_bit(card, trump): card for card in pool}
    keeps = np.zeros(64, np.uint64)
    found = kernel_choices.list_keeps(np.uint64(in_trumps(pool, trump)), play.plan, keeps)
    return [
        Try(play, five, keep=tuple(card for bit, card in sorted(names.items()) if bit & five))
        for five in keeps[:found].tolist()
    ]


def _alike(higher: int, lower: int, others: Sequence[int]) -> bool:
    same_suit = higher // 16 == lower // 16
    return same_suit and not any(higher < place < lower for place in others)


@dataclass(frozen=True)
class Odds:
    """What a bid is worth over the deals; `tally` counts them by outcome."""

    bid: Bid
    tally: tuple[int, ...]
    points: float
    stderr: float
    deals: int
    exact: bool
    merges: bool
    dealer_decides: bool
    discard: int | None = None
    keep: tuple[int, ...] | None = None
    runner_up: int | None = None
    runner_up_keep: tuple[int, ...] | None = None
    runner_up_loss: float | None = None
    runner_up_stderr: float | None = None
    loss: float = 0.0
    loss_stderr: float = 0.0

    @property
    def chances(self) -> tuple[float, float, float]:
        """Chances of fewer than three tricks, of three or four, and of all five."""
        return tuple(part / sum(self.tally) for part in self.parts)  # type: ignore[return-value]

    @property
    def parts(self) -> tuple[int, int, int]:
        """The tally by euchred, made, all five; whoever defended alone."""
        low, some, made, march = (self.tally[n] + self.tally[n + 4] for n in range(4))
        return low + some, made, march

    def choosing(
        self, best: Try, second: Try | None = None, loss: float = 0.0, error: float = 0.0
    ) -> Odds:
        """Return the odds with what was chosen, the next best and what that one costs."""
        odds = replace(self, discard=best.discard, keep=best.keep)
        if second is None:
            return odds
        return replace(
            odds,
            runner_up=second.discard,
            runner_up_keep=second.keep,
            runner_up_loss=loss,
            runner_up_stderr=error,
        )

    @property
    def inner(self) -> str:
        """Which deals decided the best five with a dummy."""
        return "all of those deals" if self.exact else f"{INNER_DEALS} other deals"


def odds_from(play: Play, tally: Tally, deals: int, *, exact: bool) -> Odds:
    """Return what a bid is worth from its deals by outcome; without errors and choices."""
    return Odds(
        bid=play.bid,
        tally=tuple(int(number) for number in tally),
        points=int(tally @ play.points) / int(tally.sum()),
        stderr=0.0,
        deals=deals,
        exact=exact,
        merges=play.merges,
        dealer_decides=play.dealer_decides,
    )


def _worth(game: EuchreGame, tricks: int, alone: bool, lone_defender: bool) -> int:
    makers, others = game.score(tricks, alone=alone, lone_defender=lone_defender)
    return makers - others


def _seating(game: EuchreGame, maker: int, alone: bool) -> Masks:
    rows = np.zeros((game.hands + 1, 3), np.uint64)
    side = game.side(maker)
    for defender in (*range(game.hands), None):
        if defender in side:
            continue
        playing = game.playing(maker, alone=alone, defender=defender)
        leader = game.leader(maker, maker if alone else None, defender)
        row = game.hands if defender is None else defender
        rows[row] = (
            sum(1 << seat for seat in playing),
            leader,
            sum(1 << seat for seat in playing if seat in side),
        )
    return rows
