"""DiceGame → arrays. Kernels and look-ups read these; rules end here.

Words: a *keep* is a multiset of 0 to `dice` dice, a *roll* a keep of all dice. A *state* is the
set of filled boxes (a mask, bit i for box i) with a *lane*: what else the future depends on, the
progress towards bonuses and whether the joker's box holds its points. Lanes depend only on the
filled boxes that matter to them, the mask's *group*. An *outcome* is a box with the points that
it may get; outcomes that differ for a joker are told apart.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice.lattice import Lattice, lattice
from oddscalc.dice.rules import Count, DiceGame
from oddscalc.dice.scoring import box_scores, is_joker, score
from oddscalc.errors import RulesError

__all__ = ["GameArrays", "compile_game"]

MOST_CELLS = 60_000_000
FACES_AT_ONCE = 6  # kernels add up six faces at a time; fewer are filled up with an empty keep
FEWER_AT_ONCE = 6

Array = NDArray[Any]


class GameArrays(NamedTuple):
    """A game as arrays.

    K keeps (C of them not rolls), R rolls, B boxes, O outcomes, S codes, G groups, D bonuses.
    """

    size: Array  # int64 (7,): dice, faces, rolls, boxes, joker's box or -1, codes, doubled?
    first: Array  # int64 (dice + 2,): first keep of each size
    more: Array  # uint16 (C, 6 or 12): the keep with a die more, by face; K stands for none
    fewer: Array  # uint16 (K, 6): the keeps with a die fewer, repeated to fill up; keep 0: 0
    holds: Array  # uint16: the keeps within each roll but the roll itself, largest first
    holds_from: Array  # int64 (R + 1,): where each roll's holds start
    chance: Array  # float64 (R,): chance of each roll from all dice
    open: Array  # uint32 (2^B,): the boxes that may be filled next; 0 for invalid masks
    offset: Array  # int64 (2^B + 1,): first state of each mask; as many as lanes follow
    group: Array  # int32 (2^B,): the group of each mask
    lanes: Array  # int32 (G + 1,): where each group's lanes start in `codes`
    codes: Array  # int32: a reachable code for each lane of each group
    lane_of: Array  # int16 (G, S): lane of each code, -1 if it cannot be reached
    outcome_box: Array  # int64 (O,)
    outcome_points: Array  # float64 (O,)
    outcome_shift: Array  # int64 (O,): what is added to the code
    outcome_extra: Array  # float64 (O,): the joker's bonus, paid if the code says so
    outcomes: Array  # uint16 (R + 3J, B): outcome of box and roll; then the J jokers' three cases
    outcomes_first: Array  # the same for scoring on the first roll
    allowed: Array  # uint32 (R + 3J,): the boxes that may be chosen
    joker: Array  # int32 (R,): first of the three cases of a joker, or -1; the first case is left
    # out when the count box of its face is filled, a case when none of its boxes is open
    joker_own: Array  # uint32 (R,): the count box of a joker's face, 0 if there is none
    bonus: Array  # int64 (D, 6): boxes, at least, points, stride, radix, lowest progress


def compile_game(game: DiceGame) -> GameArrays:
    """Return the arrays of a game.

    Raises
    ------
    RulesError
        If its bonuses span too many boxes and points to be solved.
    """
    grid = lattice(game.dice, game.faces)
    more, fewer = _steps(grid)
    holds = [[grid.index[hold] for hold in grid.holds(roll)] for roll in grid.rolls]
    ways = np.array([grid.ways(roll) for roll in grid.rolls], float)
    outcomes = _Outcomes(game)
    spans = _spans(game)
    relevant = [i for i, box in enumerate(game.boxes) if _matters(game, box.name)]
    radices = [max(2, high - low + 1) for _, low, high in spans]  # so that no strides agree
    strides = [prod(radices[:i]) for i in range(len(radices))]
    flag = prod(radices)
    codes = flag * (2 if game.joker and game.joker.bonus else 1)
    if codes << len(relevant) > MOST_CELLS:
        raise RulesError(
            f"bonuses span {len(relevant)} boxes and {codes} sums; allowed: together at most "
            f"{MOST_CELLS} combinations of filled boxes and sums."
        )
    shift = np.zeros(len(outcomes.points), np.int64)
    for stride, (boxes, _, _) in zip(strides, spans, strict=True):
        inside = [game.boxes[box].name in boxes for box in outcomes.box]
        shift += stride * np.where(inside, outcomes.points, 0)
    joker_box = game.box_index(game.joker.box) if game.joker else -1
    if codes > flag:
        shift += [
            flag if box == joker_box and points > 0 else 0
            for box, points in zip(outcomes.box, outcomes.points, strict=True)
        ]
    bonus = [
        (
            _mask(game, b.boxes),
            b.at_least,
            b.points,
            strides[place := _span_of(spans, b.boxes)],
            radices[place],
            spans[place][1],
        )
        for b in game.bonuses
    ]
    bonus_array = np.array(bonus, np.int64).reshape(-1, 6)
    may_fill = _may_fill(game)
    start = -sum(stride * low for stride, (_, low, _) in zip(strides, spans, strict=True))
    group, lanes, codes_of, lane_of = _lanes(
        game, relevant, codes, start, outcomes, shift, bonus_array
    )
    width = np.diff(lanes)[group]
    valid = (may_fill > 0) | (np.arange(len(may_fill)) == len(may_fill) - 1)
    offset = np.concatenate([[0], np.cumsum(np.where(valid, width, 0))])
    doubled = outcomes.first is not outcomes.plain
    size = [game.dice, game.faces, game.rolls, len(game.boxes), joker_box, codes, doubled]
    return GameArrays(
        size=np.array(size, np.int64),
        first=np.array(grid.first, np.int64),
        more=more,
        fewer=fewer,
        holds=np.concatenate(holds).astype(np.uint16),
        holds_from=np.cumsum([0, *map(len, holds)]),
        chance=ways / ways.sum(),
        open=may_fill,
        offset=offset.astype(np.int64),
        group=group,
        lanes=lanes,
        codes=codes_of,
        lane_of=lane_of,
        outcome_box=np.array(outcomes.box, np.int64),
        outcome_points=np.array(outcomes.points, float),
        outcome_shift=shift,
        outcome_extra=np.array(outcomes.extra, float),
        outcomes=outcomes.plain,
        outcomes_first=outcomes.first,
        allowed=outcomes.allowed,
        joker=outcomes.joker,
        joker_own=outcomes.joker_own,
        bonus=bonus_array,
    )


def _steps(grid: Lattice) -> tuple[Array, Array]:
    """Return `more` and `fewer` of the lattice."""
    small = grid.keeps[: grid.first[grid.dice]]
    columns = -(-grid.faces // FACES_AT_ONCE) * FACES_AT_ONCE
    more = np.full((len(small), columns), len(grid.keeps), np.uint16)
    for place, keep in enumerate(small):
        for face in range(1, grid.faces + 1):
            more[place, face - 1] = grid.index[tuple(sorted((*keep, face)))]
    fewer = np.zeros((len(grid.keeps), FEWER_AT_ONCE), np.uint16)
    for place, keep in enumerate(grid.keeps[1:], 1):
        ids = sorted({grid.index[keep[:i] + keep[i + 1 :]] for i in range(len(keep))})
        fewer[place] = (ids + [ids[-1]] * FEWER_AT_ONCE)[:FEWER_AT_ONCE]
    return more, fewer


class _Outcomes:
    """The distinct outcomes of a game and, by roll and box, which of them comes."""

    def __init__(self, game: DiceGame) -> None:
        self._known: dict[tuple[int, int, int], int] = {}
        self.box: list[int] = []
        self.points: list[int] = []
        self.extra: list[int] = []
        rolls = lattice(game.dice, game.faces).rolls
        jokers = [roll for roll in rolls if game.joker and is_joker(roll)]
        rows = len(rows_of := [(roll, False, 0) for roll in rolls]) + 3 * len(jokers)
        everything = (1 << len(game.boxes)) - 1
        self.allowed = np.full(rows, everything, np.uint32)
        self.joker = np.full(len(rolls), -1, np.int32)
        self.joker_own = np.zeros(len(rolls), np.uint32)
        for roll in jokers:
            place, own = rolls.index(roll), _own_box(game, roll[0])
            self.joker[place] = len(rows_of)
            self.joker_own[place] = own
            for full, allowed in _joker_cases(game, own):
                self.allowed[len(rows_of)] = allowed
                rows_of.append((roll, full, game.joker.bonus if game.joker else 0))
        self.plain = self._table(game, rows_of, False)
        doubled = any(s.first_roll > 1 for box in game.boxes for s in box.scorings)
        self.first = self._table(game, rows_of, True) if doubled else self.plain

    def _table(
        self, game: DiceGame, rows: list[tuple[tuple[int, ...], bool, int]], first: bool
    ) -> Array:
        table = np.zeros((len(rows), len(game.boxes)), np.uint16)
        for row, (roll, full, extra) in enumerate(rows):
            for place, box in enumerate(game.boxes):
                key = (place, score(box, roll, full, first), extra)
                if key not in self._known:
                    self._known[key] = len(self.box)
                    self.box.append(key[0])
                    self.points.append(key[1])
                    self.extra.append(key[2])
                table[row, place] = self._known[key]
        return table


def _own_box(game: DiceGame, face: int) -> int:
    patterns = {box.name: box.scorings[0].pattern for box in game.boxes}
    return _mask(game, [n for n, p in patterns.items() if isinstance(p, Count) and p.face == face])


def _joker_cases(game: DiceGame, own: int) -> list[tuple[bool, int]]:
    """Return (full value?, allowed boxes) for a joker's three cases.

    The count box of its face is not filled; it is; and the last resort.
    """
    everything = (1 << len(game.boxes)) - 1
    others = _mask(game, [box.name for box in game.boxes if not box.is_count])
    placement = game.joker.placement if game.joker else "none"
    return {
        "none": [(False, everything)] * 3,
        "forced": [(False, own), (True, others), (False, everything)],
        "upper-filled": [(False, everything), (True, everything), (True, everything)],
        "free": [(True, everything)] * 3,
    }[placement]


def _mask(game: DiceGame, names: Any) -> int:
    return sum(1 << i for i, box in enumerate(game.boxes) if box.name in names)


def _matters(game: DiceGame, box: str) -> bool:
    flagged = game.joker is not None and game.joker.bonus > 0 and box == game.joker.box
    return flagged or any(box in bonus.boxes for bonus in game.bonuses)


def _spans(game: DiceGame) -> list[tuple[frozenset[str], int, int]]:
    """Return each set of boxes that bonuses look at, with the lowest and highest sum of it."""
    spans = []
    for boxes in dict.fromkeys(frozenset(bonus.boxes) for bonus in game.bonuses):
        scores = [set(box_scores(game, box)) for box in game.boxes if box.name in boxes]
        low = sum(min(0, *found) for found in scores)
        high = sum(max(0, *found) for found in scores)
        spans.append((boxes, low, high))
    return spans


def _span_of(spans: list[tuple[frozenset[str], int, int]], boxes: tuple[str, ...]) -> int:
    return next(i for i, span in enumerate(spans) if span[0] == frozenset(boxes))


def _may_fill(game: DiceGame) -> Array:
    """Return for every mask the boxes that may be filled next; 0 if it cannot come about."""
    filled = np.arange(1 << len(game.boxes), dtype=np.uint32)
    result = np.zeros_like(filled)
    valid = np.ones(len(filled), bool)
    earlier = np.uint32(0)
    for part in game.parts:
        own = np.uint32(_mask(game, part.boxes))
        allowed = ~filled & own
        if part.order == "fixed":
            # Boxes stand in the parts' order, so the next one is the lowest open bit.
            valid &= ((allowed + (allowed & -allowed)) & own) == 0
            allowed &= -allowed
        if game.parts_in_turn:
            reached = (filled & earlier) == earlier
            valid &= reached | ((filled & own) == 0)
            allowed = np.where(reached, allowed, np.uint32(0))
        result |= allowed
        earlier |= own
    return np.where(valid, result, np.uint32(0)).astype(np.uint32)


def _lanes(
    game: DiceGame,
    relevant: list[int],
    codes: int,
    start: int,
    outcomes: _Outcomes,
    shift: Array,
    bonus: Array,
) -> tuple[Array, Array, Array, Array]:
    """Return `group`, `lanes`, `codes`, `lane_of`.

    A code is a sum of strides times progress, plus a flag for the joker. Codes from which every
    bonus falls the same way share a lane: all that are sure of it, all that have lost it.
    """
    masks = np.arange(1 << len(game.boxes))
    group = np.zeros(len(masks), np.int32)
    for place, box in enumerate(relevant):
        group |= ((masks >> box & 1) << place).astype(np.int32)
    steps = [
        np.unique([s for s, b in zip(shift, outcomes.box, strict=True) if b == box])
        for box in relevant
    ]
    points = [
        sorted({p for p, b in zip(outcomes.points, outcomes.box, strict=True) if b == box})
        for box in relevant
    ]
    groups = 1 << len(relevant)
    reached = np.zeros((groups, codes), bool)
    reached[0, start] = True
    lane_of = np.full((groups, codes), -1, np.int16)
    lanes, codes_of = [0], []
    for g in range(groups):
        for place in range(len(relevant)):
            if g >> place & 1:
                before = np.flatnonzero(reached[g ^ 1 << place])
                for step in steps[place]:
                    reached[g, before + step] = True
        here = np.flatnonzero(reached[g])
        kind = _alike_codes(here, g, relevant, points, bonus)
        _, place_of, lane = np.unique(kind, return_index=True, return_inverse=True)
        if len(place_of) > np.iinfo(np.int16).max:
            raise RulesError(f"bonuses need {len(place_of)} sums at once; allowed: 32767.")
        lane_of[g, here] = lane.ravel()
        codes_of.append(here[place_of])
        lanes.append(lanes[-1] + len(place_of))
    return (
        group,
        np.array(lanes, np.int32),
        np.concatenate(codes_of).astype(np.int32),
        lane_of,
    )


def _alike_codes(
    here: Array, g: int, relevant: list[int], points: list[list[int]], bonus: Array
) -> Array:
    """Return the codes with every progress that no longer matters drawn together."""
    kind = here.copy()
    for stride, radix, low in {tuple(row[3:]) for row in bonus.tolist()}:
        rows = bonus[bonus[:, 3] == stride]
        progress = here // stride % radix + low
        left = [
            points[place]
            for place, box in enumerate(relevant)
            if rows[0, 0] >> box & 1 and not g >> place & 1
        ]
        if left:
            sure = rows[:, 1].max() - sum(found[0] for found in left)
            lost = rows[:, 1].min() - sum(found[-1] for found in left) - 1
            drawn = np.clip(progress, lost, sure)
        else:
            drawn = np.full_like(progress, low)  # the bonus has been settled
        kind += (drawn - progress) * stride
    return kind
