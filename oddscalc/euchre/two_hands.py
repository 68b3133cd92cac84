"""Two-handed bidding over all deals: its equilibrium hand by hand, and what leaving it gains.

Upcards are games of their own, as both players see them. With one upcard there are 33,649 hands
and 288 million deals; two hands that differ only by hearts and diamonds exchanged bid alike.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_two_hands
from oddscalc.euchre.contracts import Contract, upcards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.kernel_two_hands import (
    S_AFTER,
    S_BETWEEN,
    S_FIRST,
    S_MAKE,
    S_NAME,
    S_SECOND,
    SUITS,
    SUMS,
)
from oddscalc.euchre.library import LIBRARY_INNER, Contracts
from oddscalc.euchre.notation import deck_cards
from oddscalc.euchre.rules import CARDS_IN_HAND, EuchreGame
from oddscalc.euchre.tablebase import pair_table
from oddscalc.euchre.tables import mask_of
from oddscalc.jit import run_parts, threads

__all__ = ["AllDeals", "Worth", "may_count"]

_PARTS = 16  # whatever the number of threads, so that sums are the same
_NEVER, _LEAST = -1e9, 1e-300
_LEAST_STEP = 0.08

Floats = NDArray[np.float64]


def may_count(game: EuchreGame) -> bool:
    """Tell whether a game's bidding is worked out over all deals."""
    return game.hands == 2 and game.dummy == 0 and game.deck == 24


@dataclass(frozen=True)
class Worth:
    """What actions are worth to one player's hands: by class of hands.

    Attributes
    ----------
    first : float64[classes, 2]
        Round one: a pass, making the upcard's suit.
    second : float64[classes, 1 + SUITS]
        Round two: a pass, each suit from the upcard's on; far below 0 for what is not open.
    """

    first: Floats
    second: Floats

    def moved(self, target: Worth, step: float) -> Worth:
        """Return what is worth so far, moved towards `target`."""
        return Worth(
            self.first + step * (target.first - self.first),
            self.second + step * (target.second - self.second),
        )

    def chances(self, temperature: float) -> Worth:
        """Return the chances of the actions by the logit rule, in the same form."""
        return Worth(_logit(self.first, temperature), _logit(self.second, temperature))


Pair = tuple[Worth, Worth]


def _logit(worth: Floats, temperature: float) -> Floats:
    shares = np.exp((worth - worth.max(axis=1, keepdims=True)) / temperature)
    chances: Floats = shares / shares.sum(axis=1, keepdims=True)
    return chances


def _best(worth: Floats) -> Floats:
    best: Floats = np.eye(worth.shape[1])[worth.argmax(axis=1)]
    return best


class AllDeals:
    """Every deal of a two-handed game with one upcard, played out.

    Attributes
    ----------
    hands : uint64[hands]
        Plain layout.
    classes : int64[hands]
        The class of each hand.
    firsts, sizes : int64[classes]
        A hand of each class, and for how many it stands.
    codes : uint[classes, pairs]
        The outcomes of all contracts against each other hand, two bits each; worked out unless
        given.
    """

    def __init__(self, game: EuchreGame, up: int, codes: NDArray[Any] | None = None):
        self.game, self.up = game, up
        card = upcards(game)[up]
        others = [other for other in deck_cards(game.deck) if other != card]
        self.hands: Masks = np.array(
            [mask_of(five) for five in combinations(others, CARDS_IN_HAND)], np.uint64
        )
        order = np.argsort(self.hands)
        swap = order[np.searchsorted(self.hands, _exchanged(self.hands), sorter=order)]
        least = np.minimum(np.arange(len(self.hands)), swap)
        self.firsts, self.classes, self.sizes = np.unique(
            least, return_inverse=True, return_counts=True
        )
        self._twins = swap[self.firsts]
        self._exchanged = np.flatnonzero(self.firsts[self.classes] != np.arange(len(self.hands)))
        compiled = Contracts.of(game, LIBRARY_INNER, 0)
        self.contracts = compiled.every
        places = {one: place for place, one in enumerate(compiled.every)}
        self._made = np.array(
            [
                [
                    places[Contract(1, 0, seat, False)],
                    *(places.get(Contract(2, suit, seat, False), -1) for suit in range(SUITS)),
                ]
                for seat in range(2)
            ]
        )
        self._points = np.stack([compiled.points[:, :4], -compiled.points[:, :4]]).astype(float)
        pairs = comb(len(others) - CARDS_IN_HAND, CARDS_IN_HAND)
        self.codes = self._coded(compiled, pairs) if codes is None else codes

    def _each_part(self, work: Callable[[int, slice], None]) -> None:
        edges = np.linspace(0, len(self.firsts), _PARTS + 1).astype(int)
        with ThreadPoolExecutor(threads()) as pool:
            run_parts(pool, lambda n: work(n, slice(edges[n], edges[n + 1])), _PARTS)

    def _coded(self, compiled: Contracts, pairs: int) -> NDArray[Any]:
        contracts = len(compiled.every)
        # Two bits a contract.
        kind = np.uint16 if contracts <= 8 else np.uint32
        codes = np.zeros((len(self.firsts), pairs), kind)
        table = pair_table(self.game.deck)

        def part(_: int, some: slice) -> None:
            deals = np.zeros((pairs, 5), np.uint64)
            outcomes = np.zeros((pairs, contracts), np.uint8)
            found = np.zeros(pairs, np.uint32)
            for place in range(some.start, some.stop):
                kernel_two_hands.code_pairs(
                    self.firsts[place],
                    self.hands,
                    self.up,
                    compiled.plans,
                    compiled.seatings,
                    table,
                    compiled.points,
                    deals,
                    outcomes,
                    found,
                )
                codes[place] = found

        self._each_part(part)
        return codes

    def _weights(self, chances: Pair) -> tuple[Floats, Floats, Floats, Floats]:
        """Return both players' chances by hand: of a pass in round one, of all in round two."""
        names = [one.second[self.classes] for one in chances]
        for one in names:
            # The red suits are exchanged between the two hands of a class.
            red = np.ix_(self._exchanged, np.array([3, 4]))
            one[red] = one[red][:, ::-1]
        first, other = (one.first[self.classes, 0] for one in chances)
        return first, other, names[0], names[1]

    def sums(self, chances: Pair) -> list[Floats]:
        """Return the sums of each class of hands, for both players: float64[classes, SUMS]."""
        weights = self._weights(chances)
        first = np.zeros((len(self.firsts), SUMS))
        others = np.zeros((_PARTS, len(self.hands), SUMS))

        def part(number: int, some: slice) -> None:
            kernel_two_hands.sum_pairs(
                self.firsts[some],
                self.sizes[some].astype(float),
                self.hands,
                self.codes[some],
                self._made,
                self._points,
                *weights,
                first[some],
                others[number],
            )

        self._each_part(part)
        other = others.sum(axis=0)
        twins = other[self._twins]
        twins[:, S_NAME + 2 :] = twins[:, S_NAME + 2 :][:, ::-1]
        # A hand that is its own twin is there twice.
        both = (other[self.firsts] + twins) * (self.sizes / 2)[:, None]
        return [first * self.sizes[:, None], both]

    def worth(self, player: int, sums: Floats, second: Floats) -> Worth:
        """Return what actions are worth, given how the other player bids.

        Parameters
        ----------
        second : float64[classes, 1 + SUITS]
            The own chances in round two.
        """
        reached = np.maximum(sums[:, S_SECOND], _LEAST)
        names = sums[:, S_NAME:] / reached[:, None]
        names[:, self._made[player, 1:] < 0] = _NEVER
        last = sums[:, S_AFTER] / reached
        if player == 1 and self.game.stick_the_dealer:
            last[:] = _NEVER
        later = np.column_stack([last, names])
        ends = sums[:, S_BETWEEN] + sums[:, S_SECOND] * (second * later).sum(axis=1)
        first = np.column_stack([ends, sums[:, S_MAKE]])
        return Worth(first / np.maximum(sums[:, S_FIRST], _LEAST)[:, None], later)

    def _nothing(self, player: int) -> Worth:
        """Return a worth of 0 for every action that is open."""
        classes = len(self.firsts)
        names = np.where(self._made[player, 1:] < 0, _NEVER, 0.0)
        return Worth(np.zeros((classes, 2)), np.tile(np.append(0.0, names), (classes, 1)))

    def settle(self, temperature: float, sweeps: int) -> Pair:
        """Return what actions are worth to both players where the bidding settles."""
        worths = [self._nothing(player) for player in range(2)]
        for number in range(sweeps):
            chances = [one.chances(temperature) for one in worths]
            sums = self.sums((chances[0], chances[1]))
            step = max(2 / (number + 2), _LEAST_STEP)
            for player in range(2):
                target = self.worth(player, sums[player], chances[player].second)
                worths[player] = worths[player].moved(target, step)
        return worths[0], worths[1]

    def gains(self, chances: Pair) -> tuple[float, float]:
        """Return what each player gains by a best response to the other's chances."""
        sums = self.sums(chances)
        deals = sums[0][:, S_FIRST].sum()
        gains = []
        for player, one in enumerate(chances):
            reach = sums[player][:, S_FIRST]
            kept = self.worth(player, sums[player], one.second)
            best = self.worth(player, sums[player], _best(kept.second))
            gain = best.first.max(axis=1) - (one.first * kept.first).sum(axis=1)
            gains.append(float((reach * gain).sum() / deals))
        return gains[0], gains[1]

    def use(self, chances: Pair) -> Floats:
        """Return how often each turn comes, and is then passed: float64[4, 2]."""
        sums = self.sums(chances)
        deals = sums[0][:, S_FIRST].sum()
        use = np.zeros((4, 2))
        for player, one in enumerate(chances):
            weights = sums[player][:, S_FIRST], one.first[:, 0] * sums[player][:, S_SECOND]
            for turn, weight, passed in zip(
                (player, 2 + player), weights, (one.first[:, 0], one.second[:, 0]), strict=True
            ):
                use[turn] = weight.sum() / deals, (weight * passed).sum() / weight.sum()
        return use

    def tally(self, chances: Pair) -> Floats:
        """Return how often each contract is made and how it ends: float64[contracts + 1, 4].

        Shares of all deals; in the last row, first, those in which all pass.
        """
        weights = self._weights(chances)
        tallies = np.zeros((_PARTS, len(self.contracts) + 1, 4))

        def part(number: int, some: slice) -> None:
            kernel_two_hands.tally_pairs(
                self.firsts[some],
                self.sizes[some].astype(float),
                self.hands,
                self.codes[some],
                self._made,
                *weights,
                tallies[number],
            )

        self._each_part(part)
        tally: Floats = tallies.sum(axis=0)
        for red in self._made[:, 3:]:
            # Of twins only one was counted, for both.
            tally[red] = tally[red].mean(axis=0)
        tally /= tally.sum()
        return tally


def _exchanged(hands: Masks) -> Masks:
    """Return hands with hearts and diamonds exchanged."""
    field = np.uint64(0xFFFF)
    hearts, diamonds = hands >> np.uint64(32) & field, hands >> np.uint64(48) & field
    exchanged: Masks = hearts << np.uint64(48) | diamonds << np.uint64(32)
    return exchanged | hands & np.uint64(0xFFFF_FFFF)
