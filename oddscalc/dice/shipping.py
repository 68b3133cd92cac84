"""Writes the values that come with the program: ``python -m oddscalc.dice.shipping``.

To be run again when the rules of one of these games or the solver change; a test says when.
"""

from __future__ import annotations

from oddscalc import store
from oddscalc.dice.rules import load_game
from oddscalc.dice.solver import mark_of, shipped_at, solve_arrays
from oddscalc.dice.tables import compile_game

__all__ = ["SHIPPED"]

SHIPPED = ("poker-dice", "poker-dice-short", "yacht")  # some kilobytes each

if __name__ == "__main__":
    for name in SHIPPED:
        game = load_game(name)
        table = store.Table({"values": solve_arrays(compile_game(game))}, {})
        store.save(shipped_at(game), mark_of(game), table)
