"""What each card that may be played now is worth, nobody seeing a hidden card."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from oddscalc.errors import InputError
from oddscalc.euchre import kernel_closed_plays, kernel_plan, kernel_table
from oddscalc.euchre.beliefs import told_by
from oddscalc.euchre.bidding import bidding_policy
from oddscalc.euchre.card_odds import CardOdds, CardWorth
from oddscalc.euchre.closed import DEFAULT_WORLDS, REFINEMENTS, skill_of
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.plays import OUTCOMES, Bid, Play, Question
from oddscalc.euchre.positions import Position, read_position
from oddscalc.euchre.rules import CARDS_IN_HAND, DEFAULT_GAME, EuchreGame
from oddscalc.euchre.tables import in_trumps, trump_bit
from oddscalc.jit import run_parts, threads

__all__ = ["DEFAULT_PLAY_DEALS", "Weighing", "play_odds"]

DEFAULT_PLAY_DEALS = 500
MOST_DEALS = 1_000_000
MOST_COUNTED = 15_000
_CHUNK = 16

Progress = Callable[[int, int], None]
Every = tuple[Masks, NDArray[np.float64]]


class Weighing:
    """Weighs the cards of a position on ever more deals, or on every one that is possible.

    Parameters
    ----------
    position
    seed
        0 to 2^63 - 1; the same seed draws the same deals, however many are asked for at a time.
    believe
        Let passes and bids tell of hidden cards, by the game's bidding policy.
    progress
        Takes work done and work in all, if that policy has to be found first.

    Attributes
    ----------
    exact
        Whether every deal is counted, whatever number is asked for: with two players, if there
        are not too many.

    Examples
    --------
    >>> position = read_position("KH AS 9C", trump="S", maker="1", up="9S",
    ...     played="JS 9D TS KS / AH 9H QH TH")
    >>> weighing = Weighing(position)
    >>> weighing.draw(20).deals, weighing.draw(20).deals
    (20, 40)
    """

    def __init__(
        self,
        position: Position,
        *,
        seed: int = 0,
        believe: bool = True,
        progress: Progress | None = None,
    ) -> None:
        if not 0 <= seed < 1 << 63:
            raise InputError(f"The seed {seed} is out of range; accepted: 0 to 2^63 - 1.")
        self.position, self.seed, self.believe = position, seed, believe
        game = position.game
        policy = bidding_policy(game, progress=progress) if believe else None
        question = Question(game, (), position.up, position.maker, position.round)
        play = Play.of(question, Bid(position.trump, position.alone))
        self._told = told_by(play, policy)
        self._table = _table(position, play, believe)
        # Cards that are alike are tried once.
        best = self._table.trick[kernel_table.T_BEST]
        self._moves = int(
            kernel_table.legal_cards(
                np.uint64(in_trumps(position.hand, position.trump)),
                self._table.trick[kernel_table.T_LED],
                kernel_table.unknown_cards(self._table) | best,
            )
        )
        self._outcomes = np.zeros((0, self._moves.bit_count()), np.uint8)
        self._every: Every | None = None
        if len(position.playing) == 2:
            found = kernel_closed_plays.list_duels(self._table, self._told)
            self._every = found if len(found[1]) <= MOST_COUNTED else None
        self.exact = self._every is not None

    def draw(self, deals: int, progress: Progress | None = None) -> CardOdds:
        """Draw so many more deals and return the odds over all drawn so far.

        Raises
        ------
        InputError
            If there are not two deals, or too many.
        """
        start = len(self._outcomes)
        if deals < 0 or not 2 <= start + deals <= MOST_DEALS:
            raise InputError(f"{deals} deals cannot be drawn; accepted: 2 to {MOST_DEALS:,}.")
        if self._every is None:
            more = range(start, start + deals)
        else:
            more = range(start, len(self._every[0]))
        self._outcomes = np.concatenate([self._outcomes, self._tried(more, progress)])
        return self._answer()

    def _tried(self, numbers: range, progress: Progress | None) -> NDArray[np.uint8]:
        """Return the outcome of each move in the deals with these numbers."""
        out = np.zeros((len(numbers), self._outcomes.shape[1]), np.uint8)
        parts = -(-len(numbers) // _CHUNK)
        done = 0

        def part(number: int) -> None:
            nonlocal done
            rows = slice(number * _CHUNK, (number + 1) * _CHUNK)
            first = np.uint64(numbers.start + rows.start)
            seed = np.uint64(self.seed)
            if self._every is None:
                worlds = np.zeros((len(out[rows]), 4), np.uint64)
                kernel_closed_plays.draw_worlds(self._table, self._told, seed, first, worlds)
            else:
                worlds = self._every[0][rows]
            kernel_closed_plays.try_cards(
                self._table,
                self._told,
                np.uint64(self._moves),
                np.uint64(self._left),
                worlds,
                seed,
                first,
                out[rows],
            )
            done += 1
            if progress:
                progress(done, parts)

        with ThreadPoolExecutor(threads()) as pool:
            try:
                run_parts(pool, part, parts)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return out

    @property
    def _left(self) -> int:
        """How many cards a maker with the dummy leaves."""
        at = self.position
        return at.game.dummy + (at.round == 1 and at.maker == at.game.dealer)

    def _answer(self) -> CardOdds:
        at, deals = self.position, len(self._outcomes)
        sign = 1 if at.seat in at.game.side(at.maker) else -1
        points = (sign * self._table.worth)[self._outcomes]
        weights = np.ones(deals) if self._every is None else self._every[1]
        means = np.average(points, axis=0, weights=weights)
        best = points[:, int(means.argmax())]

        def error(figures: NDArray[np.int64]) -> float:
            return 0.0 if self.exact else float(figures.std(ddof=1)) / sqrt(deals)

        cards = []
        for move, alike in enumerate(self._groups()):
            outcomes, behind = self._outcomes[:, move], best - points[:, move]
            tally = np.bincount(outcomes, weights, minlength=4) / weights.sum()
            cards.append(
                CardWorth(
                    alike[-1],
                    alike[:-1],
                    float(tally[0] + tally[1]),
                    float(tally[2]),
                    float(tally[3]),
                    float(means[move]),
                    error(points[:, move]),
                    float(np.average(behind, weights=weights)),
                    error(behind),
                )
            )
        # Of equals the lowest first.
        cards.sort(key=lambda one: (-one.points, -trump_bit(one.card, at.trump)))
        return CardOdds(
            at,
            self.believe,
            "exact" if self.exact else "monte-carlo",
            deals,
            None if self.exact else self.seed,
            None if len(at.playing) == 2 else DEFAULT_WORLDS,
            tuple(cards),
        )

    def _groups(self) -> list[tuple[int, ...]]:
        """Return for each move, by its bit, the cards that are alike, highest first."""
        trump = self.position.trump
        groups: list[list[int]] = []
        for card in sorted(self.position.legal, key=lambda card: trump_bit(card, trump)):
            if self._moves >> trump_bit(card, trump) & 1:
                groups.append([])
            groups[-1].append(card)
        return [tuple(group) for group in groups]


def play_odds(
    hand: str,
    *,
    trump: str,
    maker: str,
    up: str,
    played: str = "",
    alone: bool = False,
    defend_alone: str | None = None,
    buried: str | None = None,
    bidding_round: int | None = None,
    upcard_left: bool = False,
    game: EuchreGame | str = DEFAULT_GAME,
    deals: int = DEFAULT_PLAY_DEALS,
    seed: int = 0,
    believe: bool = True,
    progress: Progress | None = None,
) -> CardOdds:
    """Return the odds of each card that the player to play may play.

    The unseen cards are dealt anew, in agreement with the cards played, with who failed to follow
    suit and with the bidding; in each deal every card is tried and the hand played on by players
    who see no hidden card. With two players all such deals are counted, if there are not too
    many. Figures do not depend on the number of threads.

    Parameters
    ----------
    hand, trump, maker, up, played, alone, defend_alone, buried, bidding_round, upcard_left, game
        As in `read_position`.
    deals
        How many are drawn.
    seed
        0 to 2^63 - 1.
    believe
        Let passes and bids tell of hidden cards, by the game's bidding policy.
    progress
        Takes work done and work in all.

    Raises
    ------
    InputError
        If something cannot be; the text names it and what is accepted.

    Examples
    --------
    >>> answer = play_odds("KH AS 9C", trump="S", maker="1", up="9S",
    ...     played="JS 9D TS KS / AH 9H QH TH", deals=20)
    >>> answer.position.game.seats[answer.position.seat], answer.position.trick
    ('1', 3)
    """
    position = read_position(
        hand,
        trump=trump,
        maker=maker,
        up=up,
        played=played,
        alone=alone,
        defend_alone=defend_alone,
        buried=buried,
        bidding_round=bidding_round,
        upcard_left=upcard_left,
        game=game,
    )
    weighing = Weighing(position, seed=seed, believe=believe, progress=progress)
    return weighing.draw(deals, progress)


def _table(position: Position, play: Play, believe: bool) -> kernel_table.Table:
    """Return what the player to play knows, as the kernels read it."""
    game, trump, seats = position.game, position.trump, position.playing
    table: kernel_table.Table = kernel_table.new_table(play.table)
    me = seats.index(position.seat)
    told = [name for name in REFINEMENTS if believe or name != "bids"]
    table.skills[:] = skill_of(refinements=told)
    table.seen[me] = in_trumps(position.buried, trump)
    table.bids.seats[: len(seats)] = seats
    contract, trick, side = table.contract, table.trick, game.side(position.maker)
    contract[kernel_table.C_PLAYERS] = len(seats)
    contract[kernel_table.C_MAKERS] = sum(1 << n for n, seat in enumerate(seats) if seat in side)
    contract[kernel_table.C_SWEPT] = play.plan[kernel_plan.P_SWEPT]
    up, deck = play.plan[kernel_plan.P_UP], play.plan[kernel_plan.P_DECK]
    contract[kernel_table.C_DECK] = deck if position.taken else deck & ~up
    if position.taken:
        contract[kernel_table.C_PINNED] = up
        contract[kernel_table.C_HOLDER] = seats.index(game.dealer)
    kernel_closed_plays.note_bids(table, play.plan)
    lone = 0 if position.defender is None else OUTCOMES // 2
    table.worth[:] = play.points[lone : lone + OUTCOMES // 2]
    trick[kernel_table.T_LEFT] = CARDS_IN_HAND
    table.hands[me] = in_trumps(position.hand, trump)
    plays = [(seats.index(seat), in_trumps([card], trump)) for seat, card in position.played]
    for player, card in plays:
        table.hands[player] |= np.uint64(card)
    for _, card in plays:
        kernel_table.put_down(table, np.uint64(card))
    return table
