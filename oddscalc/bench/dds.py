"""Euchre deals for DDS, the double dummy solver of bridge, by way of `endplay`.

Trumps become spades with joker and bowers on top; the other suits follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oddscalc.bench.measuring import Task
from oddscalc.euchre.tables import in_trumps

__all__ = ["solving", "tricks"]

_SPADES = 0


def solving(deals: Sequence[Sequence[Sequence[int]]], seats: Sequence[int]) -> Task:
    """Return the task of solving deals with spades as trumps on one thread.

    Parameters
    ----------
    seats
        Who plays; the first one leads.
    """
    from endplay import _dds

    _dds.SetMaxThreads(1)
    batches = _boards(deals, seats)
    return Task(len(deals), lambda: tricks(batches), one_thread=True)


def tricks(batches: Sequence[Any]) -> list[int]:
    """Solve batches; return the tricks of the leader's side, deal by deal."""
    from endplay import _dds

    found = []
    for boards in batches:
        solved = _dds.solvedBoards()
        _dds.SolveAllBoardsBin(boards, solved)
        found += [solved.solvedBoard[n].score[0] for n in range(boards.noOfBoards)]
    return found


def _boards(deals: Sequence[Sequence[Sequence[int]]], seats: Sequence[int]) -> list[Any]:
    """Return the deals as batches; who sits out has the lowest cards of a side suit."""
    from endplay import _dds

    # Partners and lone players sit across from each other, as DDS has no other table.
    places = dict(zip(seats, (0, 1) if len(seats) == 2 else seats, strict=True))
    batches = []
    for start in range(0, len(deals), _dds.MAXNOOFBOARDS):
        batch = deals[start : start + _dds.MAXNOOFBOARDS]
        boards = _dds.boards()
        boards.noOfBoards = len(batch)
        for number, deal in enumerate(batch):
            boards.deals[number].trump, boards.deals[number].first = 0, places[seats[0]]
            remain = boards.deals[number].remainCards
            held = sorted(
                (in_trumps([card], _SPADES).bit_length() - 1, places[seat])
                for seat in seats
                for card in deal[seat]
            )
            rank, suit = 14, 0
            for bit, place in held:
                if bit // 16 != suit:
                    rank, suit = 14, bit // 16
                remain[place][suit] |= 1 << rank
                rank -= 1
            idle = [place for place in range(4) if place not in places.values()]
            for place, suit in zip(idle, (2, 3), strict=False):
                remain[place][suit] = 0b11111 << 2
            # All tricks, one card is enough.
            boards.target[number], boards.solutions[number], boards.mode[number] = -1, 1, 1
        batches.append(boards)
    return batches
