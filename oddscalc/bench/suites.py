"""All benchmarks by name."""

from __future__ import annotations

from collections.abc import Sequence

from oddscalc.bench.cli_suite import CLI
from oddscalc.bench.dice_suite import DICE
from oddscalc.bench.euchre_suite import EUCHRE
from oddscalc.errors import unknown_name

__all__ = ["BENCHMARKS", "SUITES", "chosen"]

SUITES = {"dice": DICE, "euchre": EUCHRE, "cli": CLI}
BENCHMARKS = {name: one for suite in SUITES.values() for name, one in suite.items()}


def chosen(words: Sequence[str]) -> list[str]:
    """Return the names that suites or names of benchmarks stand for, all quick ones for none.

    Raises
    ------
    UnknownNameError
        If there is no such suite or benchmark.
    """
    names = []
    for word in words or SUITES:
        if word in SUITES:
            names += [name for name, benchmark in SUITES[word].items() if not benchmark.long]
        elif word in BENCHMARKS:
            names.append(word)
        else:
            raise unknown_name("benchmark", word, [*SUITES, *BENCHMARKS])
    return list(dict.fromkeys(names))
