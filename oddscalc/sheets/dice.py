"""A dice strategy → its sheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from oddscalc.dice.chances import odds
from oddscalc.dice.distribution import Outcomes, outcomes
from oddscalc.dice.holdlines import Line, hold_lines
from oddscalc.dice.leads import counted_face
from oddscalc.dice.rollkinds import FillFace, Hold, HoldGroups, Kind, roll_kinds
from oddscalc.dice.rules import Box, DiceGame
from oddscalc.dice.solver import Progress
from oddscalc.dice.strategy import SheetStrategy
from oddscalc.errors import InputError
from oddscalc.sheets.leads import lead_table
from oddscalc.sheets.lone_box import lone_play
from oddscalc.sheets.sheet import Block, Cell, Column, Dice, Piece, Sheet, Words, signed

__all__ = ["dice_sheet"]

NUMERALS = ("no", "one", "two", "three", "four", "five", "six")
QUANTILES = (5, 25, 50, 75, 95)
LATER = (
    "Of all open boxes, do what has the highest number: fill a box, or keep dice for it. Kept dice "
    "belong to the box: its face, alike, different dice of one straight, high dice for the sum of "
    "all. Equal numbers: fill rather than roll, the upper box first; then keep more dice, then "
    "higher ones. What has no number is not done. With one box left, only its row matters."
)
FEW = 2  # so many rolls are drawn rather than described


def dice_sheet(strategy: SheetStrategy, progress: Progress | None = None) -> Sheet:
    """Return the page that a strategy makes.

    Parameters
    ----------
    progress
        Called with work done and work in all while the distribution of totals is worked out.
    """
    game = strategy.game
    totals = outcomes(game, progress=progress)
    last = [_giving_up(strategy), *_first_rolls(strategy), _totals(totals)]
    bands = [
        *((block,) for block in _fresh_cards(strategy)),
        (Block("Any other time", LATER),),
        *((block,) for block in lead_table(strategy)),
        *((block,) for block in _Numbers(strategy).tables()),
        tuple(last),
    ]
    return Sheet(
        game.title,
        _facts(game),
        f"Following this page: {strategy.expected:.1f} of {strategy.best:.1f}",
        tuple(bands),
        (
            "Exact: what following this page brings, by its own rules in every state of the game, "
            "of what the best play brings; chances when playing only for the box. The numbers of "
            "the page were fitted to the solved game.",
        ),
    )


def _facts(game: DiceGame) -> str:
    facts = [
        f"{game.dice} dice" if game.dice > 1 else "1 die",
        f"{game.rolls} rolls a turn" if game.rolls > 1 else "1 roll a turn",
        f"{len(game.boxes)} boxes" if len(game.boxes) > 1 else "1 box",
    ]
    facts += [f"{bonus.title.lower()} {bonus.points} at {bonus.at_least}" for bonus in game.bonuses]
    if game.joker and game.joker.bonus:
        title = game.boxes[game.box_index(game.joker.box)].title.lower()
        facts.append(f"each further {title} {game.joker.bonus}")
    return " · ".join(facts)


def _fresh_cards(strategy: SheetStrategy) -> Iterator[Block]:
    """Yield what to do on a fresh card, or at the start of each part that opens."""
    game = strategy.game
    mask = 0
    for part in game.parts if game.parts_in_turn else game.parts[:1]:
        heads = ("first", "second", "third")[: game.rolls - 1]
        columns = [Column(f"After the {head} roll", share=1.0) for head in heads]
        by_roll = [roll_kinds(strategy, mask, left) for left in range(game.rolls - 1, 0, -1)]
        rows = []
        for kinds in zip(*by_roll, strict=True):
            cells = [Cell(tuple(_entries(game, kind))) for kind in kinds]
            rows.append((Cell.of(_kind_title(kinds[0].shape)), *cells))
        title = f"{part.title} is fresh" if game.parts_in_turn else "The card is fresh"
        text = "Find your kind of roll; the first entry that fits says what to do."
        if rows:
            yield Block(title, text, (Column("You have"), *columns), tuple(rows))
        mask |= sum(1 << game.box_index(box) for box in part.boxes)


def _kind_title(shape: tuple[int, ...]) -> str:
    """Return what a kind of roll is called.

    >>> [_kind_title(shape) for shape in ((4, 1), (3, 2), (2, 2, 1), (1, 1))]
    ['Four alike', 'Three and two', 'Two pairs', 'All different']
    """
    groups = [size for size in shape if size > 1]
    if not groups:
        return "All different"
    if len(groups) == 1:
        return "One pair" if groups == [2] else f"{NUMERALS[groups[0]]} alike".capitalize()
    if set(groups) == {2}:
        return f"{NUMERALS[len(groups)]} pairs".capitalize()
    return " and ".join(NUMERALS[size] for size in groups).capitalize()


def _entries(game: DiceGame, kind: Kind) -> Iterator[Piece]:
    """Yield the pieces of a cell for what is done with a kind of roll."""
    verb = "keep"
    for place, entry in enumerate(kind.entries):
        otherwise = "else " if place else ""
        if isinstance(entry, Hold):
            yield Words(verb)
            yield from map(Dice, entry.holds)
            verb = "else"
        elif isinstance(entry, HoldGroups):
            words = _groups_words(kind.shape, entry.groups)
            keeping = "" if verb == "else" or not entry.groups else "keep "
            yield Words(f"{otherwise}{keeping}{words}")
        elif isinstance(entry, FillFace):
            yield Words("score the box of the face")
        else:
            title = game.boxes[game.box_index(entry.box)].title
            verb = "keep"
            if entry.at_least is None:
                yield Words(f"{otherwise}score {title}")
            elif len(entry.rolls) <= FEW:
                yield Words(f"score {title} with")
                yield from map(Dice, entry.rolls)
            else:
                yield Words(f"score {title} from {entry.at_least} points;")


def _groups_words(shape: tuple[int, ...], groups: int) -> str:
    """Return which dice are held when the largest groups are.

    >>> [_groups_words((2, 2, 1), groups) for groups in range(3)]
    ['roll all', 'the higher pair', 'both pairs']
    >>> _groups_words((3, 1, 1), 2)
    'the three and the highest other die'
    """
    if groups == 0:
        return "roll all"
    parts = []
    for size, same in groupby(shape[:groups]):
        many, there = len(list(same)), shape.count(size)
        beside = " other" if size == 1 and shape[0] > 1 else ""
        if size == 1:
            parts.append(
                f"the highest{beside} die" if many == 1 else f"the {many} highest{beside} dice"
            )
        else:
            name = "pair" if size == 2 else NUMERALS[size]
            if many == 1:
                parts.append(f"the {'higher ' if there > 1 else ''}{name}")
            else:
                parts.append(
                    f"both {name}s" if many == there == 2 else f"the {many} highest {name}s"
                )
    return " and ".join(parts)


class _Numbers:
    """The tables of numbers, a row or several for each box."""

    def __init__(self, strategy: SheetStrategy) -> None:
        self._strategy, self._game, self._numbers = strategy, strategy.game, strategy.numbers
        self._counted = [counted_face(box) is not None for box in self._game.boxes]
        self._lines, _ = hold_lines(self._game)
        holds, counts = self._numbers.holds, self._numbers.counts[self._counted]
        shown = np.concatenate([holds[np.isfinite(holds)], counts.ravel(), [0.0]])
        self._low, self._high = shown.min(), shown.max()
        self._heads = ("1st", "2nd", "3rd")[: self._game.rolls - 1]

    def tables(self) -> Iterator[Block]:
        """Yield the table of the count boxes and that of the others, if there are such."""
        if any(self._counted):
            filled = "filled, before the lead is counted" if self._strategy.lead else "filled"
            yield self._table(
                "Count boxes",
                "The number by how many dice show the face: kept after the first and second roll, "
                f"or {filled}. The chance is that of the par, or without a par of one die.",
                True,
            )
        if not all(self._counted):
            yield self._table(
                "Other boxes",
                "Filled: the points less the price, or the number for no points. Kept: the number "
                "by how many dice are kept; with + the kept dice are added.",
                False,
            )

    def _table(self, title: str, text: str, counted: bool) -> Block:
        columns = [Column("Box")]
        if not counted:
            columns += [Column("Price", "right"), Column("No points", "right")]
        rows = [
            (place, head, lines)
            for place, box in enumerate(self._game.boxes)
            if self._counted[place] == counted
            for head, lines in self._rows(box)
        ]
        most = range(self._game.dice + counted)
        dice = [n for n in most if counted or any(n == line.dice for *_, ls in rows for line in ls)]
        for number in dice:
            group = "1 die" if number == 1 else f"{number} dice"
            heads = self._heads if number < self._game.dice else ()
            columns += [
                Column(head, "right", 0.0, group) for head in (*heads, *(("fill",) * counted))
            ]
        columns += [
            Column("keep", "left", 1.0, "If it is the last"),
            Column("chance", "right", 0.0, "If it is the last"),
        ]
        body = []
        for place, head, lines in rows:
            first = head[0].strong  # of the box's rows
            held = [cell for number in dice for cell in self._held(place, number, lines)]
            filled = [] if counted else self._filled(place) if first else [Cell.of("")] * 2
            alone = lone_play(self._strategy, place), self._chance(place)
            body.append(
                (Cell(head), *filled, *held, *(Cell.of(one if first else "") for one in alone))
            )
        return Block(title, text, tuple(columns), tuple(body))

    def _rows(self, box: Box) -> Iterator[tuple[tuple[Words, ...], list[Line]]]:
        """Yield what stands at the head of each row of a box, and the lines in it."""
        mine = [
            line
            for place, line in enumerate(self._lines)
            if line.box == box.name and np.isfinite(self._numbers.holds[:, place]).any()
        ]
        plain = [line for line in mine if not line.length]
        kinds = dict.fromkeys((line.length, line.ways) for line in mine if line.length)
        alone = not any(line.dice for line in plain)  # nothing but sequences
        many = len({ways for _, ways in kinds}) > 1
        grouped = [line for line in plain if len(line.shape) > 1]
        told = ", ".join(f"{line.dice}: {'+'.join(map(str, line.shape))}" for line in grouped)
        twice = len({line.dice for line in plain}) < len(plain)  # a row has one line for each
        head = (Words(box.title, strong=True), *((Words(told),) if told and not twice else ()))
        if not (alone and kinds):
            yield head, [line for line in plain if not twice or line not in grouped]
        if twice:
            yield (Words(f"in groups {told}"),), grouped
        for number, (length, ways) in enumerate(kinds):
            lines = [line for line in mine if (line.length, line.ways) == (length, ways)]
            where = ("one way", "both ways")[ways - 1] if many else ""
            if alone and number == 0:
                yield (*head, *((Words(where),) if where else ())), plain + lines
            else:
                yield (Words(f"{length} in sequence {where}".strip()),), lines

    def _filled(self, place: int) -> list[Cell]:
        """Return the cells of a box's price and of its number for no points."""
        arrays, numbers = self._strategy.solved.arrays, self._numbers
        points = arrays.outcome_points[arrays.outcome_box == place]
        can_be_missed = not self._game.boxes[place].is_count and (points == 0).any()
        missed = signed(numbers.missed[place]) if can_be_missed else ""
        return [Cell.of(signed(numbers.prices[place])), Cell.of(missed)]

    def _held(self, place: int, dice: int, lines: list[Line]) -> Iterator[Cell]:
        """Yield the cells for some dice of a row: by rolls left, and for a count box filled."""
        holds = self._numbers.holds
        mine = [self._lines.index(line) for line in lines if line.dice == dice]
        for left in reversed(range(len(holds) if dice < self._game.dice else 0)):
            texts = [
                signed(holds[left, line]) + ("+" if self._numbers.adds[line] else "")
                for line in mine
                if np.isfinite(holds[left, line])
            ]
            highest = max((holds[left, line] for line in mine), default=-np.inf)
            yield Cell.of(" ".join(texts), shade=self._shade(highest))
        if self._counted[place]:
            number = self._numbers.counts[place, dice]
            yield Cell.of(signed(number), strong=True, shade=self._shade(number))

    def _shade(self, number: float) -> float:
        shade = (number - self._low) / max(1.0, self._high - self._low)
        return max(0.0, round(float(shade), 3))

    def _chance(self, place: int) -> str:
        try:
            chance = odds(self._game.boxes[place].name, game=self._game).probability
        except InputError:  # it cannot be missed
            return ""
        return f"{float(chance):.1%}"


def _giving_up(strategy: SheetStrategy) -> Block:
    """Return the boxes by their numbers for the worst that can be put there."""
    arrays, lead = strategy.solved.arrays, strategy.leads(0)[0]
    scores = strategy.fill_numbers(0, lead)
    plain = arrays.outcome_extra == 0
    worst = {
        box.title: scores[plain & (arrays.outcome_box == place)].min()
        for place, box in enumerate(strategy.game.boxes)
    }
    order = sorted(worst, key=lambda title: -worst[title])
    rolls = "the worst of rolls" + (" and a lead of 0" if strategy.lead else "")
    text = f"With {rolls}, fill the first of these that is open: "
    return Block("Give up first", f"{text}{', '.join(order)}.")


def _first_rolls(strategy: SheetStrategy) -> Iterator[Block]:
    """Yield from how many points on a box is filled with the first roll, if some are multiplied."""
    game = strategy.game
    factors = {
        box.name: max(scoring.first_roll for scoring in box.scorings)
        for box in game.boxes
        if any(scoring.first_roll > 1 for scoring in box.scorings)
    }
    if not factors:
        return
    full = (1 << len(game.boxes)) - 1
    told = []
    for place, box in enumerate(game.boxes):
        if box.name in factors:
            fresh = _least_filled(strategy, _start_of(game, box), place)
            alone = _least_filled(strategy, full & ~(1 << place), place)
            told.append(f"{box.title} {fresh} ({alone})")
    name = "double" if set(factors.values()) == {2} else "bonus"
    text = (
        "Fewest points, as they count on the first roll, that are taken at once while all boxes "
        "are open (when only this one is): "
    )
    yield Block(f"First-roll {name}", f"{text}{', '.join(told)}.")


def _start_of(game: DiceGame, box: Box) -> int:
    """Return the boxes that are filled when a box opens, as a mask."""
    mask = 0
    for part in game.parts if game.parts_in_turn else ():
        if box.name in part.boxes:
            break
        mask |= sum(1 << game.box_index(name) for name in part.boxes)
    return mask


def _least_filled(strategy: SheetStrategy, mask: int, place: int) -> str:
    """Return the fewest points with which a box is filled on the first roll; a dash if never."""
    arrays = strategy.solved.arrays
    if not arrays.open[mask] >> place & 1:
        return "–"
    outcome = strategy.decisions(mask, strategy.leads(mask)[0])[-1] - len(arrays.fewer)
    outcome = outcome[outcome >= 0]
    points = arrays.outcome_points[outcome[arrays.outcome_box[outcome] == place]]
    return f"{points.min():.0f}" if len(points) else "–"


def _totals(totals: Outcomes) -> Block:
    """Return the quantiles of the best play's totals."""
    quantiles = ", ".join(f"{percent} %: {totals.quantile(percent)}" for percent in QUANTILES)
    return Block(
        "Typical totals", f"Of games played best, so many end with this or less: {quantiles}."
    )
