"""Hands as bits in the kernels (layouts: see tables.py): the bits themselves, and their scans.

All integers are unsigned 64-bit: Numba turns a mixture with signed ones into floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from oddscalc.jit import jit

Masks = NDArray[np.uint64]

U = np.uint64
ZERO, ONE, TWO, THREE, FOUR, FIVE = U(0), U(1), U(2), U(3), U(4), U(5)
TRUMPS = U(0xFFFF)
FIELD_OF = U(48)  # place of a card & FIELD_OF: where its field begins
FIRSTS = U(0x0001_0001_0001_0001)
GUARDS = U(0x8000_8000_8000_8000)
PLACES = U(0x07FF_07FF_07FF_07FF)
TOP = U(1 << 63)
MIX = U(0x9E37_79B9_7F4A_7C15)  # spreads keys and counters over all bits


@intrinsic  # type: ignore[untyped-decorator]
def lowest(typing: Any, bits: Any) -> Any:
    """Return the place of the lowest set bit; there must be one."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), build


@intrinsic  # type: ignore[untyped-decorator]
def zeros_above(typing: Any, bits: Any) -> Any:
    """Return how many zeros lie above the highest set bit; there must be one."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), build


@intrinsic  # type: ignore[untyped-decorator]
def count(typing: Any, bits: Any) -> Any:
    """Return how many bits are set."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), build


@jit
def copy_words(source: Masks, target: Masks) -> None:
    """Copy a row of words into one that is as long.

    An assignment of slices would do the same; compiling what it may refuse takes seconds.
    """
    for place in range(source.size):
        target[place] = source[place]


@jit
def to_trumps(hand: Any, trump: Any) -> Any:
    """Return a hand of the plain layout in the layout of a trump suit."""
    fields = hand & PLACES
    if trump & ONE != ZERO:
        fields = ((fields & U(0xFFFF_0000_FFFF)) << U(16)) | (
            (fields >> U(16)) & U(0xFFFF_0000_FFFF)
        )
    if trump & TWO != ZERO:
        fields = (fields << U(32)) | (fields >> U(32))
    bowers = ((fields >> U(6)) & ONE) << ONE | ((fields >> U(22)) & ONE) << TWO
    return (fields & ~U(0x40_0040)) | bowers | (hand >> U(63))
