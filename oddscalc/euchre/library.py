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
    "STEPS",
    "Contracts",
    "Library",
    "chunk_numbers",
    "deal_library",
    "draw_deals",
    "library_part",
    "library_spec",
    "play_of",
    "read_library",
    "rule_words",
]

STEPS = {"open": 10_000, "closed": 500}  # deals in a chunk of a job, by play model
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
        plays = [[play_of(named, one, up, seed) for one in every] for up in ups]
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


def play_of(game: EuchreGame, one: Contract, up: int, seed: int) -> Play:
    """Return how a contract is played out; the game with its suits called as contracts do."""
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


def rule_words(game: EuchreGame) -> str:
    """Return by which rules players choose who see their own cards only."""
    words = f"the dealer discards {DEALER_RULE}"
    if game.dummy:
        words += f"; with the dummy the best five on average over {LIBRARY_INNER} other deals"
    if game.defend_alone:
        words += f"; {DEFENDER_RULE}"
    return words


def library_spec(game: EuchreGame, deals: int, seed: int, play: str = "open", **more: Any) -> Spec:
    """Return the job of a library of deals 0 … deals - 1; `more` settings as JSON has them."""
    step = STEPS[play]
    settings = {"form": _FORM, "deals": deals, "play": play, "inner": LIBRARY_INNER, "step": step}
    settings |= more
    return Spec("euchre.deals", game.to_dict(), seed, -(-deals // step), settings)


def chunk_numbers(spec: Spec, index: int) -> range:
    """Return the numbers of a chunk's deals."""
    step = spec.settings["step"]
    return range(spec.settings["deals"])[index * step : (index + 1) * step]


def library_part(game: EuchreGame, spec: Spec, index: int) -> dict[str, NDArray[Any]]:
    """Work out one chunk of a library with open hands."""
    library = deal_library(game, chunk_numbers(spec, index), spec.seed or 0)
    return {"deals": library.deals, "outcomes": library.outcomes}


def read_library(game: EuchreGame, job: Job) -> Library:
    """Return a library that has been worked out."""
    tables = [job.table(index).arrays for index in range(job.spec.chunks)]
    return Library(
        Contracts.of(game, LIBRARY_INNER, job.spec.seed or 0),
        np.concatenate([table["deals"] for table in tables]),
        np.concatenate([table["outcomes"] for table in tables]),
    )
