"""What a sheet says of the lead: what it is, what it is worth, and how it is counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from oddscalc.dice.leads import counted_face
from oddscalc.dice.rules import DiceGame
from oddscalc.dice.strategy import LEADS, SheetStrategy
from oddscalc.sheets.sheet import Block, Cell, Column, signed

__all__ = ["lead_table"]


def lead_table(strategy: SheetStrategy) -> Iterator[Block]:
    """Yield the table of what leads are worth, if the sheet asks for the lead."""
    lead, game = strategy.lead, strategy.game
    if lead is None:
        return
    bonus = game.bonuses[lead.bonus]
    boxes = [game.boxes[game.box_index(name)] for name in bonus.boxes]
    counting = [box.name for box in game.boxes if counted_face(box) is not None]
    all_of_them = set(counting) == set(bonus.boxes)
    which = "count boxes" if all_of_them else ", ".join(box.title for box in boxes)
    text = (
        f"The lead is {_measured(game, lead.dice, which)}. "
        f"{'A count box' if all_of_them else 'Each of these'} is filled for the number of its row, "
        f"plus the worth of the lead afterwards, less the worth of the lead now"
        f"{_example(strategy)}. With the last of them the worth afterwards is the bonus: "
        f"{bonus.points} from a lead of {signed(lead.needed)} on, else 0. Once the bonus is sure "
        "or out of reach, nothing is added or taken off."
    )
    columns, cells = [Column("Lead")], [Cell.of("Worth", strong=True)]
    least, most = strategy.numbers.worths.min(), strategy.numbers.worths.max()
    pairs = enumerate(strategy.numbers.worths.tolist(), -LEADS)
    for worth, same in groupby(pairs, key=lambda pair: pair[1]):
        leads = [one for one, _ in same]
        columns.append(Column(_range(leads[0], leads[-1]), "right"))
        shade = round((worth - least) / max(1.0, most - least), 3)
        cells.append(Cell.of(signed(worth), strong=True, shade=shade))
    yield Block("Lead", text, tuple(columns), (tuple(cells),))


def _measured(game: DiceGame, dice: int, which: str) -> str:
    """Return what the lead is, in words."""
    boxes = [box for box in game.boxes if counted_face(box) is not None]
    if all(getattr(box.scorings[0].pattern, "par", 0) == dice for box in boxes):
        return f"the sum of the filled {which}"
    return (
        f"counted from {dice} dice of each face in the filled {which}: a die more adds its face, "
        "a die fewer takes it off"
    )


def _example(strategy: SheetStrategy) -> str:
    """Return how a count box is filled with a die too few, from the lead that makes up for it."""
    game, lead, numbers = strategy.game, strategy.lead, strategy.numbers
    names = game.bonuses[lead.bonus].boxes if lead else ()
    place = game.box_index(names[min(1, len(names) - 1)])
    face = counted_face(game.boxes[place]) or 0
    if lead is None or face > LEADS or len(names) < 3:
        return ""
    number, dice = numbers.counts[place, lead.dice - 1], lead.dice - 1
    now, then = numbers.worths[LEADS + face], numbers.worths[LEADS]
    return (
        f" ({dice} {'die' if dice == 1 else 'dice'} in {game.boxes[place].title} at a lead of "
        f"{face}: {signed(number)} + {signed(then)} − {signed(now)} = "
        f"{signed(number + then - now)})"
    )


def _range(first: int, last: int) -> str:
    """Return the head of a column for leads of the same worth."""
    if first == -LEADS:
        return f"{signed(last)} or less"
    if last == LEADS:
        return f"{signed(first)} or more"
    return signed(first) if first == last else f"{signed(first)} to {signed(last)}"
