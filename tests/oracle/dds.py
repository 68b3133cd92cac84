"""Euchre deals as bridge deals, solved by DDS (Bo Haglund's solver, through `endplay`).

Trumps become spades, joker and bowers on top; the three other suits follow from the ace down.
Who sits out gets the lowest cards of a side suit, which never take a trick. Partners sit across.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from endplay import _dds

from tests.oracle.euchre import SAME_COLOUR, SUITS, Position, height, suit_of

Table = tuple[int, ...]

BATCH: int = _dds.MAXNOOFBOARDS


def tricks(positions: Sequence[Position]) -> list[int]:
    """Return the tricks of the makers' side in each position."""
    tables = [_bridge_table(position) for position in positions]
    distinct = list(dict.fromkeys(tables))
    led: dict[Table, int] = {}
    for start in range(0, len(distinct), BATCH):
        batch = distinct[start : start + BATCH]
        boards, solved = _dds.boards(), _dds.solvedBoards()
        boards.noOfBoards = len(batch)
        for number, table in enumerate(batch):
            first, *held = table
            boards.deals[number].first, boards.deals[number].trump = first, 0
            for place, cards in enumerate(held):
                boards.deals[number].remainCards[place // 4][place % 4] = cards
            # the most tricks, one card only, and searched even if just one card can be played
            boards.target[number], boards.solutions[number], boards.mode[number] = -1, 1, 1
        _dds.SolveAllBoardsBin(boards, solved)
        for number, table in enumerate(batch):
            led[table] = solved.solvedBoard[number].score[0]
    return [
        led[table] if position.leader in position.makers else _hand_size(position) - led[table]
        for position, table in zip(positions, tables, strict=True)
    ]


def compass(seats: Sequence[int], makers: Collection[int]) -> dict[int, int]:
    """Return where each seat sits at the bridge table: 0 to 3 clockwise, partners across.

    >>> compass([0, 1, 3], [1, 3])
    {0: 0, 1: 1, 3: 3}
    """
    sides = [[seat for seat in seats if (seat in makers) == making] for making in (True, False)]
    first = min(sides, key=len)[0]
    turn = seats.index(first)
    clockwise = [*seats[turn:], *seats[:turn]]
    places = {2: (0, 1), 3: (0, 1, 3), 4: (0, 1, 2, 3)}[len(seats)]
    return dict(zip(clockwise, places, strict=True))


def _hand_size(position: Position) -> int:
    sizes = {len(hand) for hand in position.deal.values()}
    if len(sizes) != 1:
        raise ValueError("hands of different size")
    return sizes.pop()


@cache
def _bridge_card(card: str, trump: str) -> tuple[int, int]:
    """Return a card's bridge suit and its height in it."""
    left = SAME_COLOUR[trump]
    order = [trump, left, *(suit for suit in SUITS if suit not in (trump, left))]
    return order.index(suit_of(card, trump)), height(card, trump)


def _bridge_table(position: Position) -> Table:
    """Return who leads and the cards of each seat and suit as DDS wants them.

    The cards held in a suit become its highest ones, so that deals that differ in cards that
    nobody holds are one.
    """
    seats = sorted(position.deal)
    at = compass(seats, position.makers)
    sides = {(place % 2, seat in position.makers) for seat, place in at.items()}
    if len(sides) != 2:
        raise ValueError("partners do not sit across")
    cards = [
        (*_bridge_card(card, position.trump), at[seat])
        for seat in seats
        for card in position.deal[seat]
    ]
    cards.sort(reverse=True)
    held = [0] * 16
    below, rank = -1, 0
    for suit, _, place in cards:
        rank = rank - 1 if suit == below else 14
        below = suit
        held[4 * place + suit] |= 1 << rank
    idle = [place for place in range(4) if place not in at.values()]
    for place, side_suit in zip(idle, (2, 3), strict=False):
        held[4 * place + side_suit] = (2 ** _hand_size(position) - 1) << 2
    return (at[position.leader], *held)
