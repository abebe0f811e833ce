"""PTX types as NumPy dtypes, in registers and in memory.

Register rows are kept as unsigned words (booleans for predicates) and viewed as what an instruction's type says.
bf16, tf32, fp8 and packed types have no native dtype here: they stay words, and `weft.sim.formats` gives their values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.isa.types import TYPES

Dtype = np.dtype[Any]

WORDS: dict[int, Dtype] = {
    8: np.dtype(np.uint8),
    16: np.dtype(np.uint16),
    32: np.dtype(np.uint32),
    64: np.dtype(np.uint64),
}
"""Bits to the unsigned dtype of that width."""

_SIGNED: dict[int, Dtype] = {
    8: np.dtype(np.int8),
    16: np.dtype(np.int16),
    32: np.dtype(np.int32),
    64: np.dtype(np.int64),
}
_FLOATS: dict[str, Dtype] = {"f16": np.dtype(np.float16), "f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
BOOL = np.dtype(np.bool_)


def _dtype(name: str) -> Dtype:
    kind, bits = TYPES[name].kind, TYPES[name].bits
    if kind == "p":
        return BOOL
    if kind == "s" and bits in _SIGNED:
        return _SIGNED[bits]
    return _FLOATS.get(name) or WORDS.get(bits, WORDS[8])


DTYPES: dict[str, Dtype] = {name: _dtype(name) for name in TYPES if TYPES[name].bits <= 64}
"""Type name to the dtype of its value: unsigned for untyped and packed types."""


def signed(bits: int) -> Dtype:
    """The signed dtype of a width."""
    return _SIGNED[bits]


def register_dtype(type_: str, bits: int) -> Dtype:
    """The dtype as which a `bits` wide register is written or read for an operand of `type_`.

    A register may be wider than the operand: the value is then sign- or zero-extended on writing, a float's bits
    (`as_words`) like those of an untyped value.
    """
    own = DTYPES[type_]
    if own.itemsize * 8 == bits or own == BOOL:
        return own
    return _SIGNED[bits] if TYPES[type_].kind == "s" else WORDS[bits]


def as_words(value: Any, dtype: Dtype) -> Any:
    """A value to assign as `dtype`: the bits of a float, where a wider register of no float type takes it."""
    return value.view(WORDS[8 * value.itemsize]) if value.dtype.kind == "f" and dtype.kind != "f" else value
