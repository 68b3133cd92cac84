"""What is timed of the dice half."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from oddscalc.bench.measuring import Benchmark, Task

if TYPE_CHECKING:
    import polars as pl

__all__ = ["DICE"]

_QUESTIONS = 400_000
_VARIANTS = {"yahtzee": "american", "yatzy": "yatzy-scandinavian"}  # as yatzy-solver calls them


def _solving(name: str) -> Task:
    from oddscalc import dice
    from oddscalc.dice.solver import solve_arrays
    from oddscalc.dice.tables import compile_game

    game = dice.load_game(name)
    states = int(compile_game(game).offset[-1])
    return Task(states, lambda: solve_arrays(compile_game(game)))


def _peer_solving(name: str) -> Task:
    import yatzy_solver

    variant = yatzy_solver.Variant(_VARIANTS[name])
    return Task(_solving(name).work, partial(yatzy_solver.Solver.build, variant))


def _asking(name: str) -> Task:
    from oddscalc import dice

    dice.solve(name)
    return Task(100, lambda: [dice.advise("23621", game=name) for _ in range(100)])


def _peer_asking(name: str) -> Task:
    import yatzy_solver

    variant = yatzy_solver.Variant(_VARIANTS[name])
    solver = yatzy_solver.Solver.build(variant)
    start = yatzy_solver.Game(variant).state

    def run() -> None:
        for _ in range(100):
            solver.option_values(variant.start_turn(start, [2, 3, 6, 2, 1]))

    return Task(100, run)


def random_questions(name: str, count: int) -> pl.DataFrame:
    """Return random questions: states drawn evenly from all, rolls, rolls left."""
    import numpy as np
    import polars as pl

    from oddscalc import dice

    game = dice.load_game(name)
    frame = dice.solve(name).to_polars().drop("value")
    frame = frame.filter(pl.col("filled") != (1 << len(game.boxes)) - 1)
    generator = np.random.default_rng(1)
    rolls = generator.integers(1, game.faces + 1, (count, game.dice))
    return frame[generator.integers(0, frame.height, count)].with_columns(
        roll=pl.Series(rolls).cast(pl.List(pl.Int64)),
        rolls_left=pl.Series(generator.integers(0, game.rolls, count)),
    )


def _asking_many(name: str) -> Task:
    from oddscalc import dice

    frame = random_questions(name, _QUESTIONS)
    return Task(_QUESTIONS, lambda: dice.advise_many(frame, game=name))


def _following(name: str) -> Task:
    from oddscalc import dice

    game = dice.load_game(name)
    states = len(dice.solve(game).values)
    return Task(states, _nothing_stored(lambda: dice.outcomes(game)))


def _beating(name: str) -> Task:
    from oddscalc import dice
    from oddscalc.dice.beating import NeedTable

    game = dice.load_game(name)
    dice.solve(game)
    return Task(
        NeedTable(game).cells, _nothing_stored(lambda: NeedTable(game).layer(len(game.boxes)))
    )


def _sharing() -> Task:
    from oddscalc import dice

    return Task(3, _nothing_stored(lambda: dice.pot(3)))


def _nothing_stored(work: Callable[[], object]) -> Callable[[], object]:
    """Return the work with an empty folder for tables; compiled kernels are found all the same."""

    def run() -> None:
        cache = os.environ["ODDSCALC_CACHE"]
        with TemporaryDirectory(dir=cache) as folder:
            os.environ["ODDSCALC_CACHE"] = folder
            try:
                work()
            finally:
                os.environ["ODDSCALC_CACHE"] = cache

    return run


def _solve(name: str, *, long: bool = False) -> Benchmark:
    peers = {"yatzy-solver": partial(_peer_solving, name)} if name in _VARIANTS else {}
    return Benchmark(f"{name}: all states", "states", partial(_solving, name), peers, long)


def _beat(name: str, *, long: bool = False) -> Benchmark:
    what = f"{name}: the best chance of every total"
    return Benchmark(what, "chances", partial(_beating, name), {}, long)


DICE = {
    "solve-poker-dice": _solve("poker-dice"),
    "solve-yacht": _solve("yacht"),
    "solve-yahtzee": _solve("yahtzee"),
    "solve-yatzy": _solve("yatzy"),
    "solve-maxi-yatzy": _solve("maxi-yatzy", long=True),
    "hold-yahtzee": Benchmark(
        "yahtzee: one question in a running program",
        "questions",
        partial(_asking, "yahtzee"),
        {"yatzy-solver": partial(_peer_asking, "yahtzee")},
    ),
    "holds-yahtzee": Benchmark(
        "yahtzee: many questions at once, or one after the other",
        "questions",
        partial(_asking_many, "yahtzee"),
        {"yatzy-solver": partial(_peer_asking, "yahtzee")},
    ),
    "outcomes-yahtzee": Benchmark(
        "yahtzee: the distribution of totals", "states", partial(_following, "yahtzee")
    ),
    "beat-poker-dice": _beat("poker-dice"),
    "beat-yacht": _beat("yacht"),
    "beat-yahtzee": _beat("yahtzee", long=True),
    "beat-yatzy": _beat("yatzy", long=True),
    "pot-poker-dice-short": Benchmark("poker-dice-short: the pot of three", "seats", _sharing),
}
