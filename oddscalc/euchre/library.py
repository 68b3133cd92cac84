"""A library of deals: random hands and an upcard, and what becomes of every contract."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_library, kernel_plan
from oddscalc.euchre.contracts import Contract, contracts, renamed_game, upcards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.notation import JOKER, deck_cards, rank_of
from oddscalc.euchre.plays import Bid, Play, Question
from oddscalc.euchre.rules import EuchreGame
from oddscalc.euchre.tablebase import pair_table
from oddscalc.euchre.tables import mask_of
from oddscalc.jit import run_parts, threads

__all__ = ["Contracts", "Library", "deal_library"]

_CHUNK = 1024


@dataclass(frozen=True)
class Contracts:
    """The contracts of a game as the kernels read them.

    Attributes
    ----------
    plans : uint64[upcards, contracts, 18]
    seatings : uint64[contracts, seats + 1, 3]
    points : int64[contracts, 8]
        The maker's points less the mean of the opponents', by outcome.
    """

    game: EuchreGame
    every: tuple[Contract, ...]
    plans: Masks
    seatings: Masks
    points: NDArray[np.int64]

    @classmethod
    def of(cls, game: EuchreGame, inner: int, seed: int) -> Contracts:
        """Compile the contracts of a game.

        Parameters
        ----------
        inner
            Deals that decide the best five with a dummy.
        """
        named = renamed_game(game)
        every = contracts(game)
        ups = upcards(game)
        plays = [[_play(named, one, up, seed) for one in every] for up in ups]
        plans = np.array([[play.plan for play in row] for row in plays])
        for row, up in zip(plans, ups, strict=True):
            for plan, one in zip(row, every, strict=True):
                plan[kernel_plan.P_INNER] = inner
                if not one.open_to(named, up):
                    plan[kernel_plan.P_SEATS] = 0
        return cls(
            game,
            every,
            plans,
            np.array([play.seating for play in plays[0]]),
            np.array([play.points for play in plays[0]]),
        )


def _play(game: EuchreGame, one: Contract, up: int, seed: int) -> Play:
    return Play.of(Question(game, (), up, one.maker, one.round), Bid(one.trump, one.alone), seed=seed)


@dataclass(frozen=True)
class Library:
    """Deals and the outcome of every contract.

    Attributes
    ----------
    deals : uint64[deals, seats + 3]
        Hands by seat, the dummy, a lot for ties (0 … 5), the number of the upcard.
    outcomes : uint8[deals, contracts]
        As the kernels code them; 255 where a contract is not open.
    """

    contracts: Contracts
    deals: Masks
    outcomes: NDArray[np.uint8]


def deal_library(game: EuchreGame, numbers: range, seed: int = 0, *, inner: int = 16) -> Library:
    """Return the deals with these numbers and every contract's outcome with open hands.

    A deal depends on the seed and its number alone.
    """
    compiled = Contracts.of(game, inner, seed)
    deck = deck_cards(game.deck)
    ups = upcards(game)
    names = {rank_of(card) if card != JOKER else card: place for place, card in enumerate(ups)}
    up_of = [names[card if card == JOKER else rank_of(card)] for card in deck]
    deals = np.zeros((len(numbers), game.hands + 3), np.uint64)
    outcomes = np.zeros((len(numbers), len(compiled.every)), np.uint8)
    bits = np.array([mask_of([card]) for card in deck], np.uint64)
    ups_bits = np.array([mask_of([card]) for card in ups], np.uint64)
    table = pair_table(game.deck)

    def part(number: int) -> None:
        rows = slice(number * _CHUNK, (number + 1) * _CHUNK)
        first = np.uint64(numbers.start + rows.start)
        kernel_library.deal_library(
            bits, ups_bits, np.array(up_of, np.uint8), game.dummy, np.uint64(seed), first, deals[rows]
        )
        kernel_library.solve_contracts(
            deals[rows],
            first,
            compiled.plans,
            compiled.seatings,
            table,
            compiled.points,
            outcomes[rows],
        )

    with ThreadPoolExecutor(threads()) as pool:
        run_parts(pool, part, -(-len(numbers) // _CHUNK))
    return Library(compiled, deals, outcomes)
