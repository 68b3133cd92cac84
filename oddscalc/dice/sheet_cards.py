"""The cards to which a sheet leads: a sample of them, and what a turn's outcomes are worth there.

A card is the boxes that are filled and, where a sheet asks for it, the lead; what else a state has
is no business of the sheet, and is averaged.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from oddscalc.dice import kernel_sheet, kernels
from oddscalc.dice.solver import StateValues
from oddscalc.dice.strategy import Numbers, sheet_arrays

__all__ = ["Cards", "likely_cards"]

Array = NDArray[Any]

CARDS = 60  # that are looked at, for each turn of the game
CARDS_WITH_LEADS = 100  # the same, where a card has a lead too
RARE = 1e-7  # a state with a lead that is less likely is no card of the sheet


class Cards:
    """A sample of M cards, and what the outcomes of a turn are worth there.

    `masks` and `leads` (M,), how many others they stand for, `weights` (M,), what is to come before
    the turn, `before` (M,), and with each outcome, `worth` (M, O).
    """

    def __init__(self, solved: StateValues, leads: Array, visits: Array, many: int) -> None:
        """Choose `many` cards a turn; `leads` are those of the lanes, `visits` of the states."""
        arrays, values = solved.arrays, solved.values
        states = np.flatnonzero(visits)
        states = states[states < arrays.offset[-2]]  # but the full card
        mask = np.searchsorted(arrays.offset, states, side="right") - 1
        lane = arrays.lanes[arrays.group[mask]] + states - arrays.offset[mask]
        order = np.lexsort((leads[lane], mask))
        states, mask, lead = states[order], mask[order], leads[lane[order]]
        new = np.flatnonzero(np.diff(mask, prepend=-1) | np.diff(lead, prepend=lead[:1]))
        chance = np.add.reduceat(visits[states], new)
        turn = np.bitwise_count(mask[new])
        chosen, weights = [], []
        for count in range(int(arrays.size[3])):
            mine = np.flatnonzero(turn == count)
            mine = mine[np.argsort(-chance[mine], kind="stable")]
            sums = chance[mine].cumsum()
            # At equal steps of their chances: rare cards stand for others that are as rare.
            steps = (np.arange(many) + 0.5) / many * sums[-1]
            places, times = np.unique(np.searchsorted(sums, steps), return_counts=True)
            chosen.append(mine[places])
            weights.append(times / many)
        cards = np.concatenate(chosen)
        self.masks, self.leads = mask[new[cards]], lead[new[cards]]
        self.weights = np.concatenate(weights)
        self.before = np.zeros(len(cards))
        self.worth = np.zeros((len(cards), len(arrays.outcome_box)))
        ends = np.append(new[1:], len(states))
        for place, card in enumerate(cards):
            these = states[new[card] : ends[card]]
            share = visits[these] / visits[these].sum()
            lanes = arrays.lanes[arrays.group[self.masks[place]]] + these
            codes = arrays.codes[lanes - arrays.offset[self.masks[place]]]
            worth = np.zeros(self.worth.shape[1] * len(these))
            kernels.all_outcomes(arrays, values, self.masks[place], codes, worth, len(these))
            self.worth[place] = worth.reshape(-1, len(these)) @ share
            self.before[place] = values[these] @ share


def likely_cards(solved: StateValues, numbers: Numbers) -> Cards:
    """Return cards to which a sheet leads, as likely as it leads there."""
    arrays, with_leads = solved.arrays, len(numbers.worths) > 0
    sheet = sheet_arrays(solved, numbers)
    masks = np.flatnonzero(np.diff(arrays.offset))
    filled = np.bitwise_count(masks)
    visits = np.zeros(arrays.offset[-1])
    visits[0] = 1.0
    rare = RARE if with_leads else 0.0
    for count in range(int(arrays.size[3])):
        kernel_sheet.visit_masks(arrays, sheet, masks[filled == count], rare, visits)
    visits[visits <= rare] = 0.0
    return Cards(solved, sheet.leads, visits, CARDS_WITH_LEADS if with_leads else CARDS)
