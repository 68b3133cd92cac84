"""The bidding policy of a game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oddscalc.euchre import kernel_policy
from oddscalc.euchre.contracts import upcards
from oddscalc.euchre.equilibrium import Bidding, Turn
from oddscalc.euchre.kernel_policy import BLOCKS, CROSS, FEATURES, KINDS, OPTIONS
from oddscalc.euchre.library import Library
from oddscalc.euchre.notation import deck_cards
from oddscalc.euchre.plays import OUTCOMES
from oddscalc.euchre.rules import SUIT_NAMES, EuchreGame
from oddscalc.euchre.tables import mask_of, plain_bit


def form_of(game: EuchreGame) -> NDArray[np.int64]:
    """Return what of a game the bidding kernels read: words F_…."""
    deck = deck_cards(game.deck)
    joker = int(game.deck == 25)
    lowest = plain_bit(deck[0])
    ups, lows = len(upcards(game)), lowest - 5
    cells = lows << (5 + joker)
    side = 1 + ups * cells
    turned = side + 2 * kernel_policy.GROUPS * 16 * lows
    aces = turned + ups * 16 * lows
    named = 1 + ups * cells + (6 << 2 << 4)
    form = np.zeros(19, np.int64)
    words = {
        kernel_policy.F_SEATS: game.hands,
        kernel_policy.F_ALONE: game.alone,
        kernel_policy.F_STUCK: game.stick_the_dealer,
        kernel_policy.F_DOWN: game.turned_down_suit,
        kernel_policy.F_ANY: game.joker_suit == "any",
        kernel_policy.F_JOKER_SUIT: (
            0 if game.joker_suit == "any" else SUIT_NAMES.index(game.joker_suit)
        ),
        kernel_policy.F_THROW_UP: game.discard_upcard,
        kernel_policy.F_LOWEST: lowest,
        kernel_policy.F_JOKER: joker,
        kernel_policy.F_UPS: ups,
        kernel_policy.F_LOWS: lows,
        kernel_policy.F_SIDE: side,
        kernel_policy.F_TURNED: turned,
        kernel_policy.F_ACES: aces,
    }
    for word, value in words.items():
        form[word] = value
    aces_size = 6 << 2 << 4
    form[kernel_policy.F_RUNS] = aces + aces_size
    form[kernel_policy.F_HIGHS] = form[kernel_policy.F_RUNS] + 216
    form[kernel_policy.F_NAMED] = form[kernel_policy.F_HIGHS] + (4 << (5 + joker))
    form[kernel_policy.F_BEST] = form[kernel_policy.F_NAMED] + 3 * cells
    form[kernel_policy.F_SIZE] = form[kernel_policy.F_BEST] + 2 * kernel_policy.BINS
    return form


def bidding_of(library: Library, points: NDArray[np.float64] | None = None) -> Bidding:
    """Return the bidding of a game over a library of deals."""
    game = library.contracts.game
    every = library.contracts.every
    form = form_of(game)
    ups = np.array([mask_of([card]) for card in upcards(game)], np.uint64)
    places = {(c.round, c.maker, c.trump, c.alone): n for n, c in enumerate(every)}
    turns = []
    for bidding_round in (1, 2):
        for seat in range(game.hands):
            columns = np.full((OPTIONS, KINDS), -1, np.int64)
            for trump in range(4):
                for kind in range(KINDS):
                    key = (bidding_round, seat, trump, bool(kind))
                    columns[1 + trump, kind] = places.get(key, -1)
            blocks = np.array([min(option, CROSS) for option in range(OPTIONS)], np.int64)
            turns.append(Turn(seat, blocks, columns))

    def features(turn: int, rows: slice) -> NDArray[np.int32]:
        deals = library.deals[rows]
        entries = np.zeros((len(deals), OPTIONS, FEATURES), np.int32)
        bidding_round, seat = turn // game.hands + 1, turn % game.hands
        kernel_policy.list_entries(deals, ups, seat, bidding_round, form, entries)
        return entries

    if points is None:
        points = player_points(library)
    return Bidding(
        turns,
        features,
        library.outcomes,
        points,
        (BLOCKS, KINDS, int(form[kernel_policy.F_SIZE])),
    )


def player_points(library: Library) -> NDArray[np.float64]:
    """Return each player's points less the mean of the opponents': by contract and outcome."""
    game = library.contracts.game
    points = np.zeros((game.hands, len(library.contracts.every), 256))
    for number, one in enumerate(library.contracts.every):
        side = game.side(one.maker)
        for player in range(game.hands):
            share = 1.0 if player in side else -len(side) / (game.hands - len(side))
            points[player, number, :OUTCOMES] = share * library.contracts.points[number]
    return points
