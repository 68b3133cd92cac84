"""Post-stratification: some deals are looked at closely, of many more it is known of which kind.

Kinds of deals, the *strata*, count as often as they come up among all of them, whatever their share
of the few: Cochran, Sampling Techniques (1977), sections 5A.9 and 12.2.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

__all__ = ["error_of", "weighted_means"]

_FEWEST = 10  # deals looked at closely in a stratum

Numbers = NDArray[np.float64]


def weighted_means(
    values: Numbers, strata: NDArray[np.int64], weights: Numbers
) -> tuple[Numbers, Numbers]:
    """Return means of columns, and what each deal adds to their errors: float64[all, columns].

    Parameters
    ----------
    values : float64[deals, columns]
        Of the first deals.
    strata, weights : int64[all deals], float64[all deals]
    """
    first = weights[: len(values)]
    strata = _merged(strata, len(values))
    known = strata[: len(values)]
    number = int(strata.max()) + 1
    here = np.bincount(known, first, number)
    inside = np.stack(
        [np.bincount(known, first * column, number) / here for column in values.T], axis=1
    )
    shares = np.bincount(strata, weights, number)
    shares = shares / shares.sum()
    means = shares @ inside
    added = (weights / weights.sum())[:, None] * (inside[strata] - means)
    added[: len(values)] += (shares / here)[known, None] * first[:, None] * (values - inside[known])
    return means, added


def _merged(strata: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Return strata numbered from 0; those with few of the first deals are one with the largest."""
    _, numbers = np.unique(strata, return_inverse=True)
    counts = np.bincount(numbers[:first], minlength=int(numbers.max()) + 1)
    numbers[counts[numbers] < _FEWEST] = int(counts.argmax())
    return np.unique(numbers, return_inverse=True)[1]


def error_of(added: Numbers) -> float:
    """Return the standard error that is made of what each deal adds."""
    return sqrt(float(added @ added))
