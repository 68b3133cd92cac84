"""Closed libraries, and what open hands say of closed play."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from oddscalc.euchre.closed_library import closed_part, closed_spec, play_contracts
from oddscalc.euchre.contracts import contracts
from oddscalc.euchre.corrections import (
    differences,
    kind_of,
    residuals,
    stratified,
    translated,
)
from oddscalc.euchre.kernel_library import CLOSED
from oddscalc.euchre.library import Library, deal_library
from oddscalc.euchre.notation import card_names, read_cards
from oddscalc.euchre.rules import load_game
from oddscalc.euchre.tables import cards_of, mask_of
from oddscalc.euchre.turns import bidding_of
from tests.oracle import bidding as slow

FOUR = load_game("four-handed")


@cache
def opened() -> Library:
    return deal_library(FOUR, range(3000), seed=1)


def test_closed_contracts_are_those_that_are_open() -> None:
    library = opened().part(slice(12))
    closed = play_contracts(FOUR, library.deals, 0, 1)
    assert np.array_equal(closed == CLOSED, library.outcomes == CLOSED)
    assert closed[closed != CLOSED].max() <= 3
    # A chunk holds the same deals, played the same way.
    chunk = closed_part(FOUR, closed_spec(FOUR, 12, 1), 0)
    assert np.array_equal(chunk["deals"], library.deals)
    assert np.array_equal(chunk["outcomes"], closed)


def test_strata_are_trumps_and_aces() -> None:
    library = opened().part(slice(200))
    codes = stratified(library).outcomes
    assert np.array_equal(codes % 8, library.outcomes)
    for column, one in enumerate(contracts(FOUR)):
        if one.round == 1 and one.maker == FOUR.dealer:
            continue
        for row, deal in enumerate(library.deals):
            hand = card_names(cards_of(int(deal[one.maker])))
            trump = slow.SUITS[one.trump]
            trumps = len(slow.trumps_of(hand, trump))
            aces = sum(f"A{suit}" in hand for suit in slow.SUITS if suit != trump)
            assert codes[row, column] // 8 == 3 * trumps + min(aces, 2)


def test_what_is_the_same_needs_no_correction() -> None:
    library = opened()
    shares = translated(library, library.outcomes)
    codes = stratified(library).outcomes
    for column in range(codes.shape[1]):
        used = np.unique(codes[:, column])
        assert np.array_equal(shares[column, used].argmax(axis=1), used % 8)
        assert shares[column, used].max(axis=1).min() > 0.9
    for found in differences(library, library.outcomes, np.ones(library.outcomes.shape)):
        assert found.open == found.closed
        assert found.stderr == 0


def test_corrected_means_are_those_of_closed_play() -> None:
    library = opened()
    closed = library.outcomes.copy()
    random = np.random.default_rng(3)
    lost = random.random(closed.shape) < 0.3
    closed[lost] = np.maximum(closed[lost], 1) - 1
    shares, codes = translated(library, closed), stratified(library).outcomes
    corrected: dict[object, list[float]] = defaultdict(list)
    actual: dict[object, list[float]] = defaultdict(list)
    for column, one in enumerate(contracts(FOUR)):
        points = library.contracts.points[column]
        corrected[kind_of(one)].append(float((shares[column][codes[:, column]] @ points).mean()))
        actual[kind_of(one)].append(float(points[closed[:, column]].mean()))
    for kind, means in corrected.items():
        assert np.mean(means) == pytest.approx(np.mean(actual[kind]), abs=0.01)
    for found in differences(library, closed, np.ones(closed.shape)):
        kind = (found.round, found.trumps, found.seat, found.alone)
        assert found.closed == pytest.approx(np.mean(actual[kind]))
        assert found.closed < found.open


def test_residuals_tell_what_trumps_and_aces_do_not() -> None:
    library = opened()
    closed = library.outcomes.copy()
    first = contracts(FOUR)[0]
    right = np.uint64(mask_of(read_cards("JS", 24)))
    has_right = library.deals[:, first.maker] & right != 0
    closed[has_right, 0] = 3
    shares = translated(library, closed)
    more = residuals(library, closed, shares)
    bidding = bidding_of(stratified(library), shares, more)
    codes = stratified(library).outcomes[:, 0]
    told = shares[0][codes] @ library.contracts.points[0]
    # Ordering the upcard's suit is option 1 of the first turn.
    entries = bidding.entries(0, slice(None))[:, 1]
    corrected = told + more[0, 1, 0][entries].sum(axis=1)
    actual = library.contracts.points[0][closed[:, 0]]
    for some in (has_right, ~has_right):
        before = abs(told[some].mean() - actual[some].mean())
        assert before > 0.1
        assert abs(corrected[some].mean() - actual[some].mean()) < before / 3
