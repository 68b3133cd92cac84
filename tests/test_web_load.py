"""Fifty connections at once, and a flood of Euchre questions beside them."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.web import BIDS, CONNECTIONS, measure, served

pytestmark = pytest.mark.slow


def test_fifty_connections_are_answered_quickly() -> None:
    with served() as (port, _):
        asyncio.run(measure(port, 2, 4, 1))
        load = asyncio.run(measure(port, 10, CONNECTIONS))
        assert load.wrong == []
        assert load.percentile(95) < 100


def test_a_flood_of_bids_leaves_holds_quick() -> None:
    with served() as (port, _):
        asyncio.run(measure(port, 20, 1, 1))
        load = asyncio.run(measure(port, 10, 1, BIDS))
        assert load.wrong == []
        assert load.percentile(95) < 100
