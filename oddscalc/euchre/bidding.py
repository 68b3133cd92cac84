"""How players bid who know their own cards only: an equilibrium, found over a library of deals.

Policies of the built-in games come with the package; others are built once and stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from oddscalc import store
from oddscalc.errors import ExportError, InputError, StoreError, unknown_name
from oddscalc.euchre.notation import read_hand, read_upcard, suit_symbol
from oddscalc.euchre.rules import DEFAULT_GAME, EuchreGame, load_game
from oddscalc.results import Column, Detail, Result

if TYPE_CHECKING:
    from oddscalc.euchre.turns import Form

__all__ = [
    "BidChance",
    "BiddingPolicy",
    "Gain",
    "TurnRates",
    "bidding_policy",
    "policy_mark",
    "policy_table",
    "read_policy",
    "write_policy",
]

DEFAULT_POLICY_DEALS, FEWER_POLICY_DEALS = 500_000, 100_000
PLAYS = ("closed", "open")

_FORM = 2
_SHIPPED = Path(__file__).parent / "policies"
# What a bid's worth in points does not depend on.
_NAMES = ("name", "title", "aliases", "summary", "target", "seats")

Progress = Callable[[int, int], None]
Points = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BidChance:
    """An action at the bidding and how likely it is."""

    trump: int | None
    alone: bool
    chance: float

    def __str__(self) -> str:
        if self.trump is None:
            return "pass"
        return suit_symbol(self.trump) + (" alone" if self.alone else "")


@dataclass(frozen=True, slots=True)
class TurnRates:
    """How a turn to bid is used over all deals.

    Attributes
    ----------
    seat, round
    comes
        Chance that the turn comes.
    passes, alone
        Once it has come: chances of a pass, and of going alone.
    """

    seat: str
    round: int
    comes: float
    passes: float
    alone: float


@dataclass(frozen=True, slots=True)
class Gain:
    """What a best response to the policy gains, in points a hand, on deals it was not fitted to."""

    seats: tuple[str, ...]
    gain: float
    stderr: float


@dataclass(frozen=True, eq=False)
class BiddingPolicy(Result):
    """A bidding policy.

    Attributes
    ----------
    worths : float32[2 * seats, 4, 2, entries]
        As `kernel_policy.bid_chances` reads them.
    temperature
        Of the logit rule, in points.
    play
        "open" or "closed": how hands are played after the bidding.
    deals, seed, sweeps
        Over which deals it was found, and how often all turns were gone through; without a seed
        over all deals.
    closed
        How many of the deals were played closed, to tell what open hands say of closed play.
    fresh
        Deals, apart from those, over which the following was measured; 0 if over all deals, or
        if nothing was.
    rates
        How each turn is used.
    gains
        What leaving the policy gains, by seat and by side.
    outcomes
        Chances of what a hand earns the sides, from the dealer's left.
    """

    schema: ClassVar[str] = "oddscalc.euchre.policy/1"

    game: EuchreGame
    worths: NDArray[np.float32]
    temperature: float
    play: str
    deals: int
    seed: int | None
    sweeps: int
    closed: int
    fresh: int = 0
    rates: tuple[TurnRates, ...] = ()
    gains: tuple[Gain, ...] = ()
    outcomes: Mapping[Points, float] = field(default_factory=dict)

    @cached_property
    def form(self) -> Form:
        """What of the game the kernels of the bidding read."""
        from oddscalc.euchre.turns import form_of

        return form_of(self.game)

    def chances(
        self, hand: str | Sequence[int], up: str | int, seat: str, bidding_round: int = 1
    ) -> tuple[BidChance, ...]:
        """Return the chance of each action of a player whose turn has come; a pass first.

        Raises
        ------
        InputError
            If hand, upcard, seat or round cannot be.
        """
        from oddscalc.euchre import kernel_policy
        from oddscalc.euchre.tables import mask_of

        if bidding_round not in (1, 2):
            raise InputError(f"There is no bidding round {bidding_round}; accepted: 1 or 2.")
        deck = self.game.deck
        cards = read_hand(hand, deck) if isinstance(hand, str) else tuple(hand)
        upcard = read_upcard(up, cards, deck) if isinstance(up, str) else up
        entries = np.zeros((kernel_policy.OPTIONS, kernel_policy.FEATURES), np.int32)
        found = np.zeros(kernel_policy.ACTIONS)
        kernel_policy.bid_chances(
            np.uint64(mask_of(cards)),
            np.uint64(mask_of([upcard])),
            self.game.seat_index(seat),
            bidding_round,
            self.form,
            self.worths,
            1 / self.temperature,
            entries,
            found,
        )
        bids = [(trump, alone) for alone in (False, True) for trump in range(4)]
        return tuple(
            BidChance(trump, alone, float(chance))
            for (trump, alone), chance in zip([(None, False), *bids], found, strict=True)
            if chance > 0
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the tables as plain dicts, lists, numbers and texts."""
        return {
            "game": self.game.name,
            **self.about(),
        }

    def about(self) -> dict[str, Any]:
        """Return how the policy was found and what was measured, as JSON has it."""
        return {
            "play": self.play,
            "deals": self.deals,
            "seed": self.seed,
            "sweeps": self.sweeps,
            "closed": self.closed,
            "temperature": self.temperature,
            "fresh": self.fresh,
            "turns": [asdict(one) for one in self.rates],
            "exploitability": [asdict(one) | {"seats": list(one.seats)} for one in self.gains],
            "outcomes": [
                {"points": list(points), "chance": chance}
                for points, chance in self.outcomes.items()
            ],
        }

    def headline(self) -> str:
        """Return the answer as a sentence."""
        most = max(self.gains, key=lambda one: one.gain)
        return (
            f"Bidding of {self.game.title}: leaving the policy gains at most "
            f"{_with_error(most)} points a hand"
        )

    def columns(self) -> Sequence[Column]:
        """Return the columns of the table."""
        return (
            Column("round", "Round", right=True),
            Column("seat", "Seat"),
            Column("comes", "Comes", _percent, right=True),
            Column("passes", "Passes", _percent, right=True),
            Column("makes", "Makes", _percent, right=True),
            Column("alone", "Alone", _percent, right=True),
        )

    def records(self) -> list[dict[str, Any]]:
        """Return the rows of the table."""
        return [asdict(one) | {"makes": 1 - one.passes - one.alone} for one in self.rates]

    def details(self) -> list[Detail]:
        """Return what deviations gain, and what a hand earns."""
        gains = [{"who": " and ".join(one.seats), "gain": _with_error(one)} for one in self.gains]
        ends = [
            {"points": "-".join(map(str, points)), "chance": chance}
            for points, chance in sorted(self.outcomes.items())
        ]
        return [
            Detail(
                "What a best response gains, in points a hand",
                (Column("who", "Seats"), Column("gain", "Gain", right=True)),
                gains,
            ),
            Detail(
                "What a hand earns the sides, from the dealer's left",
                (Column("points", "Points"), Column("chance", "Chance", _percent, right=True)),
                ends,
            ),
        ]

    def notes(self) -> list[str]:
        """Return sentences on how the numbers were obtained."""
        found = f"{self.sweeps} sweeps of smooth fictitious play (temperature {self.temperature:g} "
        found += f"points) over {'all ' if self.seed is None else ''}{self.deals:,} deals"
        if self.seed is None:
            tested = "Exact: what a best response gains is counted over all deals."
        else:
            found += f" (seed {self.seed})"
            tested = (
                f"Measured on {self.fresh:,} other deals: a best response is fitted to one half "
                "of them and tried on the other; ± is one standard error."
            )
        play = "Hands are played with all cards seen."
        if self.play == "closed":
            play = (
                "Hands are played by players who see their own cards only: as open hands, with "
                f"what {self.closed:,} deals played both ways tell of the difference."
            )
        return [
            f"Found by {found}. No choice sees other cards than the player's own and the upcard.",
            play,
            "Comes: how often the turn comes; the other columns: what is done then.",
            tested,
        ]


def _with_error(one: Gain) -> str:
    return f"{one.gain:.4f}" + (f" ±{one.stderr:.4f}" if one.stderr else "")


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f} %"


def policy_mark(game: EuchreGame) -> str:
    """Return the fingerprint of the rules that the bidding depends on."""
    rules = {key: value for key, value in game.to_dict().items() if key not in _NAMES}
    return store.fingerprint("euchre.bidding", _FORM, rules)


def bidding_policy(
    game: EuchreGame | str = DEFAULT_GAME,
    *,
    play: str | None = None,
    deals: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> BiddingPolicy:
    """Return the bidding policy of a game: shipped, stored, or built now.

    Parameters
    ----------
    play
        How the hands are played after the bidding, "open" or "closed". Unless given: closed, or as
        in the policy that comes with the package.
    deals
        Over how many deals it is found. Unless given, those of the policy that comes with the
        package; else all deals where that can be done (two-handed, with open hands), 500,000, or
        100,000 where a dummy makes them slow.
    seed
        Of these deals.
    progress
        Takes work done and work in all, while it is built.

    Raises
    ------
    InputError
        If there is no such play model, or it cannot be found over so many deals.

    Examples
    --------
    >>> policy = bidding_policy("four-handed")
    >>> [str(one) for one in policy.chances("JS JC AS KS AH", "9S", "1") if one.chance > 0.5]
    ['♠ alone']
    """
    game = load_game(game) if isinstance(game, str) else game
    if play not in (*PLAYS, None):
        raise unknown_name("play model", str(play), PLAYS)
    models = PLAYS if play is None else (play,)
    if deals is None and seed == 0:
        for model in models:
            if shipped := _shipped(game, model):
                return shipped
        from oddscalc.euchre.counted_bidding import counted_policy, may_count

        if models[0] == "open" and may_count(game):
            return counted_policy(game, progress)
    from oddscalc.euchre.settling import built_policy

    if deals is None:
        deals = FEWER_POLICY_DEALS if game.dummy else DEFAULT_POLICY_DEALS
    return built_policy(game, models[0], deals, seed, progress)


@cache
def _shipped(game: EuchreGame, play: str) -> BiddingPolicy | None:
    mark = policy_mark(game)
    for path in sorted(_SHIPPED.glob(f"*-{play}.table")):
        try:
            return read_policy(game, store.load(path, mark))
        except StoreError:
            continue
    return None


def write_policy(policy: BiddingPolicy, path: Path | str) -> None:
    """Write a policy to a file, as those that come with the package are.

    Raises
    ------
    ExportError
        If the file cannot be written.
    """
    try:
        store.save(Path(path), policy_mark(policy.game), policy_table(policy))
    except OSError as error:
        raise ExportError(f"The file '{path}' cannot be written: {error.strerror}.") from None


def read_policy(game: EuchreGame, table: store.Table) -> BiddingPolicy:
    """Return a policy from its stored form."""
    about = table.metadata
    places, stored = table.arrays["places"], table.arrays["worths"]
    worths = np.zeros((*about["shape"], stored.shape[1]), np.float32)
    worths[tuple(places.T)] = stored
    return BiddingPolicy(
        game,
        worths,
        about["temperature"],
        about["play"],
        about["deals"],
        about["seed"],
        about["sweeps"],
        about["closed"],
        about["fresh"],
        tuple(TurnRates(**one) for one in about["turns"]),
        tuple(
            Gain(tuple(one["seats"]), one["gain"], one["stderr"]) for one in about["exploitability"]
        ),
        {tuple(one["points"]): one["chance"] for one in about["outcomes"]},
    )


def policy_table(policy: BiddingPolicy) -> store.Table:
    """Return a policy as it is stored: the tables in use, in half precision."""
    places = np.argwhere(policy.worths.any(axis=-1)).astype(np.int8)
    stored = policy.worths[tuple(places.T)].astype(np.float16)
    about = policy.about() | {"shape": list(policy.worths.shape[:-1])}
    return store.Table({"places": places, "worths": stored}, about)
