"""Euchre deals as bridge deals, solved by DDS (Bo Haglund's solver, through `endplay`).

Trumps become spades, joker and bowers on top; the three other suits follow from the ace down.
Who sits out gets the lowest cards of a side suit, which never take a trick. Partners sit across.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from endplay import _dds

from tests.oracle.euchre import SAME_COLOUR, SUITS, Position, deck, height, suit_of

BATCH: int = _dds.MAXNOOFBOARDS


def tricks(positions: Sequence[Position]) -> list[int]:
    """Return the tricks of the makers' side in each position."""
    answers: list[int] = []
    for start in range(0, len(positions), BATCH):
        batch = positions[start : start + BATCH]
        boards, solved = _dds.boards(), _dds.solvedBoards()
        boards.noOfBoards = len(batch)
        for number, position in enumerate(batch):
            boards.deals[number] = _bridge_deal(position)
            # the most tricks, one card only, and searched even if just one card can be played
            boards.target[number], boards.solutions[number], boards.mode[number] = -1, 1, 1
        _dds.SolveAllBoardsBin(boards, solved)
        for number, position in enumerate(batch):
            taken: int = solved.solvedBoard[number].score[0]
            led_by_maker = position.leader in position.makers
            answers.append(taken if led_by_maker else _hand_size(position) - taken)
    return answers


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


def _bridge_cards(trump: str, size: int) -> dict[str, tuple[int, int]]:
    order = [trump, SAME_COLOUR[trump], *(s for s in SUITS if s not in (trump, SAME_COLOUR[trump]))]
    cards = {}
    for bridge_suit, suit in enumerate(order):
        held = [card for card in deck(size) if suit_of(card, trump) == suit]
        held.sort(key=lambda card: height(card, trump), reverse=True)
        for below, card in enumerate(held):
            cards[card] = (bridge_suit, 14 - below)
    return cards


def _bridge_deal(position: Position) -> _dds.deal:
    seats = sorted(position.deal)
    at = compass(seats, position.makers)
    sides = {(place % 2, seat in position.makers) for seat, place in at.items()}
    if len(sides) != 2:
        raise ValueError("partners do not sit across")
    cards = _bridge_cards(position.trump, position.size)
    bridge = _dds.deal()
    bridge.trump, bridge.first = 0, at[position.leader]
    for seat in seats:
        for card in position.deal[seat]:
            suit, rank = cards[card]
            bridge.remainCards[at[seat]][suit] |= 1 << rank
    idle = [place for place in range(4) if place not in at.values()]
    for place, side_suit in zip(idle, (2, 3), strict=False):
        bridge.remainCards[place][side_suit] = (2 ** _hand_size(position) - 1) << 2
    return bridge
