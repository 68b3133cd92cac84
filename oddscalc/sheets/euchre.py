"""A bidding strategy → its pages, one for each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from oddscalc.euchre.bid_sheet import ALONE, MAKE, PASS, Row
from oddscalc.euchre.kernel_bid_sheet import MOST_ACES
from oddscalc.euchre.notation import RANKS, SUITS, rank_of, read_cards, suit_of
from oddscalc.euchre.plays import DEALER_RULE, KEEPS
from oddscalc.euchre.rules import EuchreGame
from oddscalc.euchre.sheet_strategy import BidSheet, SheetCell, cost_words, discarded
from oddscalc.sheets.sheet import Block, Break, Cards, Cell, Column, Piece, Sheet, Words

__all__ = ["euchre_pages"]

SHADES = {PASS: 0.0, MAKE: 0.4, ALONE: 1.0}
KNOWN_HANDS = 100  # odds from fewer, with standard errors above 5 %, are left out
BLOCKS = {
    "next": "Round two: the next suit",
    "cross": "Round two: a cross suit",
    "turned-down": "Round two: the suit turned down",
}
BOWERS = ((1, "C"), (2, "S"))  # as spades are trumps
ACES = ("no ace", "1 ace", "2 aces +")
ODDS_NOTE = (
    "Odds: shares of these deals and of those that the page was fitted to, those likelier after "
    "the passes so far counting more; standard errors are at most 5 %, odds less certain left out."
)
SPADES, FEWEST_CARDS = 0, 24
# Six cards each; spades are trumps.
SIXES = ("JS AS 9S KH 9H 9D", "JS AS 9S KH 9H AD", "JS AS KH 9H AD 9D", "JS JC AS KS QS 9S")


def euchre_pages(strategy: BidSheet, seats: Sequence[str] | None = None) -> list[Sheet]:
    """Return the pages that a strategy makes, for every seat unless some are named."""
    return [_page(strategy, seat) for seat in seats or strategy.game.seats]


def _page(strategy: BidSheet, seat: str) -> Sheet:
    game = strategy.game
    who = "the dealer" if seat == "dealer" else f"seat {seat}"
    bands = [(_cells(strategy, game.seat_index(seat)),), tuple(_guides(game, seat))]
    return Sheet(
        f"{game.title}: {who}",
        _facts(game),
        f"Following these pages costs {cost_words(strategy.cost)} points a hand",
        tuple(band for band in bands if band),
        (*strategy.notes(), ODDS_NOTE),
        wide=True,
    )


def _facts(game: EuchreGame) -> str:
    points = game.points
    facts = [
        f"{game.deck} cards",
        f"made {points.made}",
        f"all five {points.march}",
        *([f"alone {points.alone_march}"] if game.alone else []),
        f"euchred {points.euchred} to the others",
        *(["the dealer must name a suit in the end"] if game.stick_the_dealer else []),
    ]
    return "Seats are counted from the dealer's left · " + " · ".join(facts)


def _cells(strategy: BidSheet, seat: int) -> Block:
    game = strategy.game
    turns = (seat, seat + game.hands)
    places = [
        (turn, block) for number, turn in enumerate(turns, 1) for block in strategy.blocks(number)
    ]
    columns = [Column("Trumps")]
    for _, block in places:
        name = strategy.block_name(block)
        group = BLOCKS.get(name, f"{name} turned up")
        columns += [Column(aces, "center", 1.0, group) for aces in ACES]
    rows = []
    for row in strategy.layout.rows:
        found = [
            strategy.cell(turn, block, row, aces) if aces <= row.most_aces() else None
            for turn, block in places
            for aces in range(MOST_ACES + 1)
        ]
        if any(cell is not None and cell.odds and cell.action != PASS for cell in found):
            verbs = [_verb(game, turn) for turn, _ in places for _ in range(MOST_ACES + 1)]
            cells = [_cell(cell, verb) for cell, verb in zip(found, verbs, strict=True)]
            rows.append((Cell(tuple(_row_head(row))), *cells))
    return Block("", "", tuple(columns), tuple(rows))


def _verb(game: EuchreGame, turn: int) -> str:
    if turn >= game.hands:
        return "name"
    return "take" if turn == game.dealer else "order"


def _row_head(row: Row) -> Iterator[Piece]:
    yield Words(str(row.trumps), strong=True)
    for place, held in enumerate(row.bowers):
        if place:
            yield Words("or")
        if held & 4:
            yield Words("joker")
        cards = tuple(("J", suit) for bit, suit in reversed(BOWERS) if held & bit)
        if cards:
            yield Cards(cards)


def _cell(cell: SheetCell | None, verb: str) -> Cell:
    if cell is None or cell.odds is None:
        return Cell.of("")
    word = {PASS: "pass", MAKE: verb, ALONE: "alone"}[cell.action]
    pieces: list[Piece] = [Words(word, strong=cell.action != PASS)]
    if cell.hands >= KNOWN_HANDS:
        pieces += [Break(), Words(" ".join(f"{100 * one:.0f}" for one in cell.odds))]
    return Cell(tuple(pieces), SHADES[cell.action])


def _guides(game: EuchreGame, seat: str) -> Iterator[Block]:
    """Yield how the page is read, what is discarded, and what is kept with a dummy."""
    counted = "Count the upcard, and not the card you discard. " if seat == "dealer" else ""
    yield Block(
        "How to read it",
        "Look at one suit: that of which you have most, the bowers counting (they are shown as if "
        "spades were trumps); of equals the higher row, more outside aces, the next suit, which is "
        f"the other one of the upcard's colour. {counted}"
        "What is not here: pass. Below, in per cent: euchred, three or four tricks, all five, if "
        "you make the suit trumps, alone where it says so.",
    )
    if seat == "dealer":
        rows = tuple(_thrown(six) for six in SIXES)
        columns = (Column("You hold (♠ trumps)"), Column("Discard"))
        yield Block("Discard", f"{DEALER_RULE[0].upper()}{DEALER_RULE[1:]}.", columns, rows)
    if game.may_use_dummy(game.seat_index(seat), alone=False):
        yield Block("With the dummy", f"Of the ten cards keep {KEEPS}.")


def _thrown(six: str) -> tuple[Cell, Cell]:
    cards = read_cards(six, FEWEST_CARDS)
    thrown = discarded(cards, SPADES)
    return Cell((_drawn(cards),)), Cell((_drawn([thrown]),))


def _drawn(cards: Sequence[int]) -> Cards:
    return Cards(
        tuple((RANKS[rank_of(card)].replace("T", "10"), SUITS[suit_of(card)]) for card in cards)
    )
