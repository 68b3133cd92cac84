"""A library of deals: random hands and an upcard, and what becomes of every contract."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_library, kernel_plan
from oddscalc.euchre.contracts import Contract, contracts, renamed_game, upcards
from oddscalc.euchre.kernel_bits import Masks
from oddscalc.euchre.notation import JOKER, deck_cards, rank_of
from oddscalc.euchre.plays import DEALER_RULE, DEFENDER_RULE, Bid, Play, Question
from oddscalc.euchre.rules import EuchreGame
from oddscalc.euchre.tablebase import pair_table
from oddscalc.euchre.tables import mask_of
from oddscalc.jit import run_parts, threads
from oddscalc.jobs import Job, Spec

__all__ = [
    "LIBRARY_INNER",
    "STEP",
    "Contracts",
    "Library",
    "deal_library",
    "draw_deals",
    "library_part",
    "library_spec",
    "play_words",
    "read_library",
]

STEP = 10_000  # deals in a chunk of a job
LIBRARY_INNER = 16  # deals that decide the best five with a dummy

_FORM = 1
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
    return Play.of(
        Question(game, (), up, one.maker, one.round), Bid(one.trump, one.alone), seed=seed
    )


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

    def __len__(self) -> int:
        return len(self.deals)

    def part(self, rows: slice) -> Library:
        """Return some of the deals."""
        return Library(self.contracts, self.deals[rows], self.outcomes[rows])


def draw_deals(game: EuchreGame, numbers: range, seed: int) -> Masks:
    """Return the deals with these numbers; each depends on the seed and its number alone."""
    deck, ups = deck_cards(game.deck), upcards(game)
    names = {_rank(card): place for place, card in enumerate(ups)}
    deals = np.zeros((len(numbers), game.hands + 3), np.uint64)
    kernel_library.draw_deals(
        np.array([mask_of([card]) for card in deck], np.uint64),
        np.array([mask_of([card]) for card in ups], np.uint64),
        np.array([names[_rank(card)] for card in deck], np.uint8),
        game.dummy,
        np.uint64(seed),
        np.uint64(numbers.start),
        deals,
    )
    return deals


def _rank(card: int) -> int:
    return card if card == JOKER else rank_of(card)


def deal_library(
    game: EuchreGame, numbers: range, seed: int = 0, *, inner: int = LIBRARY_INNER
) -> Library:
    """Return the deals with these numbers and every contract's outcome with open hands."""
    compiled = Contracts.of(game, inner, seed)
    deals = draw_deals(game, numbers, seed)
    outcomes = np.zeros((len(numbers), len(compiled.every)), np.uint8)
    table = pair_table(game.deck)

    def part(number: int) -> None:
        rows = slice(number * _CHUNK, (number + 1) * _CHUNK)
        kernel_library.solve_contracts(
            deals[rows],
            np.uint64(numbers.start + rows.start),
            compiled.plans,
            compiled.seatings,
            table,
            compiled.points,
            outcomes[rows],
        )

    with ThreadPoolExecutor(threads()) as pool:
        run_parts(pool, part, -(-len(numbers) // _CHUNK))
    return Library(compiled, deals, outcomes)


def play_words(game: EuchreGame, play: str) -> str:
    """Return how the hands of a library are played, in words."""
    words = f"{play} hands; the dealer, by own cards only, discards {DEALER_RULE}"
    if game.dummy:
        words += f"; with the dummy the best five on average over {LIBRARY_INNER} other deals"
    if game.defend_alone:
        words += f"; {DEFENDER_RULE}"
    return words


def library_spec(game: EuchreGame, deals: int, seed: int, play: str = "open") -> Spec:
    """Return the job of a library of deals 0 … deals - 1."""
    settings = {"form": _FORM, "deals": deals, "play": play, "inner": LIBRARY_INNER, "step": STEP}
    return Spec("euchre.deals", game.to_dict(), seed, -(-deals // STEP), settings)


def library_part(game: EuchreGame, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    """Work out one chunk of a library."""
    numbers = range(spec.settings["deals"])[index * STEP : (index + 1) * STEP]
    library = deal_library(game, numbers, spec.seed or 0)
    return {"deals": library.deals, "outcomes": library.outcomes}


def read_library(game: EuchreGame, job: Job) -> Library:
    """Return a library that has been worked out."""
    tables = [job.table(index).arrays for index in range(job.spec.chunks)]
    return Library(
        Contracts.of(game, LIBRARY_INNER, job.spec.seed or 0),
        np.concatenate([table["deals"] for table in tables]),
        np.concatenate([table["outcomes"] for table in tables]),
    )
