"""A bidding that fits on a page: what is done by what can be counted in a hand.

In each turn a player considers one suit: of those that may be made trumps the one of which the
hand holds most, then the best bowers, then most outside aces, then the next suit. Trumps, bowers
and outside aces name a row and a column; the cell says whether to pass, to make the suit trumps,
or to go alone. The dealer counts the hand with the upcard, after the discard.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_bid_sheet
from oddscalc.euchre.bidding import BiddingPolicy
from oddscalc.euchre.contracts import renamed_game, upcards
from oddscalc.euchre.equilibrium import Chances, answers
from oddscalc.euchre.kernel_bid_sheet import MOST_ACES, TRUMPS_HELD
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.library import Library
from oddscalc.euchre.notation import JACK, JOKER, rank_of
from oddscalc.euchre.rules import CARDS_IN_HAND, EuchreGame
from oddscalc.euchre.scores import game_sides
from oddscalc.euchre.tables import mask_of
from oddscalc.euchre.turns import bidding_of, form_of, plain_shares

__all__ = ["ALONE", "MAKE", "PASS", "Auctions", "Cost", "Layout", "Row", "duplicate"]

PASS, MAKE, ALONE = range(3)

Actions = NDArray[np.uint8]
Points = NDArray[np.float64]

_ROWS = 4096


@dataclass(frozen=True, slots=True)
class Cost:
    """What following a sheet costs, in points a hand, over so many deals."""

    points: float
    stderr: float
    deals: int


@dataclass(frozen=True, slots=True)
class Row:
    """What a row of cells stands for.

    Attributes
    ----------
    trumps
        How many are held, bowers included.
    bowers
        The sets of bowers that are not told apart: left bower 1, right bower 2, joker 4.
    place
        Of trumps and rank of bowers.
    """

    trumps: int
    bowers: tuple[int, ...]
    place: tuple[int, int]

    def most_aces(self) -> int:
        """Return the last column of the row: there are five cards."""
        return min(MOST_ACES, CARDS_IN_HAND - self.trumps)


@dataclass(frozen=True)
class Layout:
    """How the cells of a game's sheet are ordered.

    Attributes
    ----------
    ups
        The kinds of upcards, each with its ranks: the blocks of the first round. Those of the
        second follow: next suit, cross suits and, if it may be named, the suit turned down.
    bowers
        The ranks of sets of bowers, lowest first; each names its sets of the left bower (1), the
        right bower (2) and the joker (4).
    """

    game: EuchreGame
    ups: tuple[tuple[int, ...], ...]
    bowers: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, game: EuchreGame) -> Layout:
        """Return the layout for a game."""
        cards = upcards(game)
        ranks = [rank_of(card) for card in cards if card != JOKER]
        high = [rank for rank in ranks if rank > JACK]
        low = [rank for rank in ranks if rank < JACK]
        ups = ((JACK,), (*high[:0:-1],), (high[0], *low[::-1]))
        if JOKER in cards:
            return cls(game, ((JOKER,), *ups), ((0,), (1,), (2, 4), (3, 5, 6), (7,)))
        return cls(game, ups, ((0,), (1,), (2,), (3,)))

    @property
    def seconds(self) -> int:
        """Blocks of the second round."""
        return 3 if self.game.turned_down_suit else 2

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Blocks of both rounds, numbers of trumps, ranks of bowers, numbers of aces."""
        return len(self.ups) + self.seconds, TRUMPS_HELD, len(self.bowers), MOST_ACES + 1

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows that can be held, the highest first."""
        return tuple(
            Row(trumps, sets, (trumps, rank))
            for trumps in reversed(range(TRUMPS_HELD))
            for rank, sets in reversed(list(enumerate(self.bowers)))
            if min(held.bit_count() for held in sets) <= trumps
        )

    def looked_at(
        self, deals: NDArray[np.uint64], turn: int
    ) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return the cell that the player looks at in each deal, and the suit considered.

        Parameters
        ----------
        deals : uint64[deals, seats + 3]
            As in a library; nothing is read but the player's own hand and the upcard.

        Returns
        -------
        tuple
            int32[deals], the place among all cells of a turn, and uint8[deals], 0 for the upcard's
            suit, 1 for the next, 2 and 3 for the cross suits.
        """
        game = self.game
        cells, steps = np.zeros(len(deals), np.int32), np.zeros(len(deals), np.uint8)
        kernel_bid_sheet.find_cells(
            deals,
            np.array([mask_of([card]) for card in upcards(game)], np.uint64),
            turn % game.hands,
            turn // game.hands + 1,
            self._form,
            self._kinds,
            self._ranks,
            cells,
            steps,
        )
        return cells, steps

    @cached_property
    def _form(self) -> NDArray[np.int64]:
        return form_of(renamed_game(self.game))

    @cached_property
    def _kinds(self) -> NDArray[np.uint8]:
        names = [card if card == JOKER else rank_of(card) for card in upcards(self.game)]
        kinds = [[name in kind for kind in self.ups].index(True) for name in names]
        return np.array(kinds, np.uint8)

    @cached_property
    def _ranks(self) -> NDArray[np.uint8]:
        ranks = np.zeros(8, np.uint8)
        for rank, sets in enumerate(self.bowers):
            ranks[list(sets)] = rank
        return ranks

    def stuck(self, turn: int) -> bool:
        """Tell whether a turn may not be passed."""
        return self.game.stick_the_dealer and turn == 2 * self.game.hands - 1


@dataclass(frozen=True, eq=False)
class Auctions:
    """Deals, as a bidding by the sheet and one by the policy see them.

    Attributes
    ----------
    cells : int32[turns, deals]
        The cell looked at.
    codes : uint8[turns, 2, deals]
        What becomes of the suit considered, made trumps and alone; 255 where that is not open.
    points : float32[players, turns, 3, deals]
        What that brings each player, and what the policy's own bids bring in the mean, weighed by
        their chances; a pass brings nothing here.
    passes : float32[turns, deals]
        How likely the policy passes, once the turn has come.
    priors : float32[turns, 3, deals]
        What the policy takes a pass and the suit considered to be worth.
    """

    layout: Layout
    cells: NDArray[np.int32]
    codes: NDArray[np.uint8]
    points: NDArray[np.float32]
    passes: NDArray[np.float32]
    priors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.cells[0])

    @classmethod
    def of(cls, library: Library, policy: BiddingPolicy, layout: Layout) -> Auctions:
        """Look up everything that a library and a policy say."""
        bidding = bidding_of(library, plain_shares(library))
        turns, deals, players = len(bidding.turns), len(library), len(bidding.points)
        cells = np.zeros((turns, deals), np.int32)
        codes = np.full((turns, 2, deals), CLOSED)
        points = np.zeros((players, turns, 3, deals), np.float32)
        passes = np.zeros((turns, deals), np.float32)
        priors = np.zeros((turns, 3, deals), np.float32)
        rows = np.arange(deals)

        def look(turn: int, chances: Chances) -> None:
            one = bidding.turns[turn]
            cells[turn], steps = layout.looked_at(library.deals, turn)
            passes[turn] = chances[:, 0, 0]
            for option, kind in zip(*np.nonzero(one.columns >= 0), strict=True):
                column = one.columns[option, kind]
                earned = bidding.points[:, column, library.outcomes[:, column]]
                points[:, turn, 2] += earned * chances[:, option, kind]
                mine = steps == option - 1
                codes[turn, kind, mine] = library.outcomes[mine, column]
                points[:, turn, kind, mine] = earned[:, mine]
            for start in range(0, deals, _ROWS):
                some = rows[start : start + _ROWS]
                entries = bidding.entries(turn, slice(start, start + _ROWS))
                option = steps[some] + 1
                table = policy.worths[turn]
                priors[turn, 0, some] = table[0, 0][entries[:, 0]].sum(axis=1)
                considered = entries[rows[: len(some)], option]
                for kind in range(2):
                    priors[turn, 1 + kind, some] = table[
                        one.tables[option][:, None], kind, considered
                    ].sum(axis=1)

        answers(bidding, policy.worths, policy.temperature, look)
        return cls(layout, cells, codes, points, passes, priors)

    def before(
        self, actions: Actions, turn: int, side: Collection[int], player: int, rest: Points
    ) -> Points:
        """Return what a player gets in each deal once a turn has come, if a pass brings `rest`."""
        hands = self.layout.game.hands
        if turn % hands not in side:
            earned: Points = self.points[player, turn, 2] + self.passes[turn] * rest
            return earned
        done = actions[turn].ravel()[self.cells[turn]]
        made = np.where(done == ALONE, self.points[player, turn, 1], self.points[player, turn, 0])
        return np.where(done == PASS, rest, made)

    def followed(self, actions: Actions, side: Collection[int], player: int) -> Points:
        """Return what a player gets in each deal if a side bids by the sheet, others by policy."""
        rest = np.zeros(len(self))
        for turn in reversed(range(len(self.cells))):
            rest = self.before(actions, turn, side, player, rest)
        return rest


def duplicate(auctions: Auctions, actions: Actions) -> Cost:
    """Return what following the sheet costs a hand on deals played twice or more."""
    lost = [
        auctions.followed(actions, (), side[0]) - auctions.followed(actions, side, side[0])
        for side in game_sides(auctions.layout.game)
    ]
    each = np.mean(lost, axis=0)
    return Cost(float(each.mean()), float(each.std(ddof=1) / len(each) ** 0.5), len(each))
