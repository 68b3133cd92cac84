"""The bidding of a game as turns over a library of deals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_policy
from oddscalc.euchre.contracts import Contract, contracts, renamed_game, upcards
from oddscalc.euchre.equilibrium import Bidding, Turn
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.kernel_policy import (
    BINS,
    CROSS,
    FEATURES,
    GROUPS,
    KINDS,
    LOSERS,
    MOST_LOW,
    OPTIONS,
    TABLES,
)
from oddscalc.euchre.library import Library
from oddscalc.euchre.notation import deck_cards
from oddscalc.euchre.rules import SUIT_NAMES, EuchreGame
from oddscalc.euchre.tables import mask_of, plain_bit

__all__ = [
    "Shares",
    "bidding_of",
    "form_of",
    "plain_shares",
    "sides_of",
    "turn_name",
    "turns_of",
]

Form = NDArray[np.int64]
Shares = NDArray[np.float64]


def form_of(game: EuchreGame) -> Form:
    """Return what of a game the kernels of the bidding read: int64[20], words F_…."""
    lowest = plain_bit(deck_cards(game.deck)[0])
    joker = int(game.deck == 25)
    ups, lows = len(upcards(game)), lowest - 5
    highs = 1 << (5 + joker)
    # How many entries each part of a table has, in the order of the words.
    sizes = {
        kernel_policy.F_TRUMPS: ups * highs * lows,
        kernel_policy.F_ACES: 6 * 4 * 4 * 4,
        kernel_policy.F_SIDE: 2 * GROUPS * 16 * lows,
        kernel_policy.F_TURNED: ups * 16 * lows,
        kernel_policy.F_RUNS: 6 * 6 * 6,
        kernel_policy.F_HIGHS: highs * (MOST_LOW + 1) * LOSERS,
        kernel_policy.F_NAMED: 3 * highs * lows,
        kernel_policy.F_BEST: 2 * BINS,
        kernel_policy.F_SIZE: 0,
    }
    words = {
        kernel_policy.F_SEATS: game.hands,
        kernel_policy.F_ALONE: game.alone,
        kernel_policy.F_STUCK: game.stick_the_dealer,
        kernel_policy.F_DOWN: game.turned_down_suit,
        kernel_policy.F_ANY: game.joker_suit == "any",
        kernel_policy.F_JOKER_SUIT: (*SUIT_NAMES, "any").index(game.joker_suit) % 4,
        kernel_policy.F_THROW_UP: game.discard_upcard,
        kernel_policy.F_LOWEST: lowest,
        kernel_policy.F_JOKER: joker,
        kernel_policy.F_UPS: ups,
        kernel_policy.F_LOWS: lows,
    }
    place = 1
    for word, size in sizes.items():
        words[word] = place
        place += size
    form = np.zeros(len(words), np.int64)
    for word, value in words.items():
        form[word] = value
    return form


def turns_of(game: EuchreGame) -> list[Turn]:
    """Return the turns to bid: the seats in round one, then in round two."""
    places = {one: place for place, one in enumerate(contracts(game))}
    tables = np.minimum(np.arange(OPTIONS), CROSS)
    return [
        Turn(
            seat,
            tables,
            np.array(
                [
                    [
                        places.get(Contract(number, option - 1, seat, bool(kind)), -1)
                        for kind in range(KINDS)
                    ]
                    for option in range(OPTIONS)
                ]
            ),
        )
        for number in (1, 2)
        for seat in range(game.hands)
    ]


def turn_name(game: EuchreGame, turn: int) -> tuple[str, int]:
    """Return the seat and the round of a turn.

    >>> from oddscalc.euchre.rules import load_game
    >>> turn_name(load_game("three-handed"), 5)
    ('dealer', 2)
    """
    return game.seats[turn % game.hands], turn // game.hands + 1


def plain_shares(library: Library) -> Shares:
    """Return what the codes of a library mean if they are the outcomes themselves."""
    codes = library.contracts.points.shape[1]
    shares = np.zeros((len(library.contracts.every), int(CLOSED) + 1, codes))
    shares[:, :codes] = np.eye(codes)
    return shares


def sides_of(game: EuchreGame) -> NDArray[np.float64]:
    """Return what each player gets of a point more that a bidder earns, less the opponents' mean.

    Returns
    -------
    float64[seats, seats]
        By bidder and player.

    Examples
    --------
    >>> from oddscalc.euchre.rules import load_game
    >>> sides_of(load_game("three-handed"))[0].tolist()
    [1.0, -0.5, -0.5]
    """
    sides = np.ones((game.hands, game.hands))
    for bidder in range(game.hands):
        side = game.side(bidder)
        for player in range(game.hands):
            if player not in side:
                sides[bidder, player] = -len(side) / (game.hands - len(side))
    return sides


def bidding_of(
    library: Library, shares: Shares, more: NDArray[np.float32] | None = None
) -> Bidding:
    """Return the bidding over a library of deals.

    Parameters
    ----------
    shares : float64[contracts, codes, 8]
        What the library's codes of outcomes mean: the chance of each outcome.
    more : float32[turns, tables, kinds, entries]
        What bids earn besides, by features of the bidder's hand.
    """
    game = library.contracts.game
    form = form_of(renamed_game(game))
    ups = np.array([mask_of([card]) for card in upcards(game)], np.uint64)

    def entries(turn: int, rows: slice) -> NDArray[np.int32]:
        deals = library.deals[rows]
        found = np.zeros((len(deals), OPTIONS, FEATURES), np.int32)
        bidding_round, seat = turn // game.hands + 1, turn % game.hands
        kernel_policy.list_entries(deals, ups, seat, bidding_round, form, found)
        return found

    if more is None:
        size = int(form[kernel_policy.F_SIZE])
        more = np.zeros((2 * game.hands, TABLES, KINDS, size), np.float32)
    sides = sides_of(game)
    makers = [one.maker for one in library.contracts.every]
    worth = np.einsum("cko,co->ck", shares, library.contracts.points)
    return Bidding(
        turns_of(game),
        entries,
        library.outcomes,
        np.stack([worth * sides[makers, player][:, None] for player in range(game.hands)]),
        sides,
        more,
    )
