"""The small language in which instruction semantics are written: typed elements of words, and float formats.

Words hold one element (`f32`) or several (`f16x2`); `elementwise` lifts a function of elements to words.  bf16 elements
are 16-bit words throughout: `widen` and `narrow` take elements to computing precision and back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from weft.sim.abstract import asarray, contiguous
from weft.sim.lanes import Array
from weft.sim.rounding import to_f32
from weft.sim.types import DTYPES, Dtype

Compute = (
    Callable[[Any], Any]
    | Callable[[Any, Any], Any]
    | Callable[[Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any], Any]
)
"""A pure function of one to four typed arrays or scalars; it gives one array, or a tuple of them."""

Call = Callable[..., Any]
"""The same, to be called."""

PACKED: dict[str, tuple[str, int]] = {
    "f16x2": ("f16", 2),
    "bf16x2": ("bf16", 2),
    "f32x2": ("f32", 2),
    "u16x2": ("u16", 2),
    "s16x2": ("s16", 2),
    "u8x4": ("u8", 4),
    "s8x4": ("s8", 4),
}
"""Packed type to its element type and their number."""

CANONICAL_NAN: dict[str, Any] = {
    "f16": np.uint16(0x7FFF).view(np.float16),
    "bf16": np.uint16(0x7FFF),
    "f32": np.uint32(0x7FFF_FFFF).view(np.float32),
    "f64": np.uint64(0x7FF8_0000_0000_0000).view(np.float64),
}
"""The NaN that arithmetic gives."""


def choose(condition: Array, a: Array | np.generic, b: Array | np.generic) -> Array:
    """`a` where the condition holds, else `b`."""
    return np.where(condition, asarray(a), asarray(b))


def element_type(type_: str) -> str:
    """The element type of a packed type; of any other the type itself."""
    return PACKED[type_][0] if type_ in PACKED else type_


def split(words: Array, type_: str) -> Array:
    """The elements of packed words: an array of words by elements, lowest first."""
    element, count = PACKED[type_]
    return contiguous(np.atleast_1d(words)).view(DTYPES[element]).reshape(-1, count)


def join(elements: Array, type_: str) -> Array:
    """Packed words from their elements."""
    return contiguous(elements).view(DTYPES[type_]).reshape(-1)


def elementwise(type_: str, compute: Compute, result: str = "") -> Compute:
    """A function of elements as a function of words of `type_`; `result` is the type of the result's words."""
    if type_ not in PACKED:
        return compute
    result = result or type_
    call: Call = compute

    def lifted(*words: Array) -> Array:
        return join(call(*(split(word, type_) for word in words)), result)

    return lifted


# -- float formats --------------------------------------------------------------------------------------------


def widen(x: Array, type_: str) -> Array:
    """Elements in computing precision: f16 and bf16 as f32, the others as they are."""
    if type_ == "bf16":
        return (asarray(x).astype(np.uint32) << np.uint32(16)).view(np.float32)
    return asarray(x).astype(np.float32) if type_ == "f16" else x


def narrow(x: Array, type_: str) -> Array:
    """f32 results rounded to nearest even into the elements of f16 or bf16; others stay.  NaNs become canonical."""
    if type_ == "bf16":
        return f32_to_bf16(x)
    return canonical(x.astype(np.float16), "f16") if type_ == "f16" else canonical(x, type_)


def f32_to_bf16(x: Array) -> Array:
    """f32 as bf16 words, to nearest even; NaN becomes 0x7FFF."""
    bits = contiguous(x, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(x), np.uint16(0x7FFF), rounded.astype(np.uint16))


def odd_f32(x: Array) -> Array:
    """Doubles (exact or rounded to odd) as f32 rounded to odd."""
    toward_zero = to_f32(x, "rz")
    inexact = (toward_zero.astype(np.float64) != x) & ~np.isnan(x)
    return (toward_zero.view(np.uint32) | inexact.astype(np.uint32)).view(np.float32)


def narrow_exact(x: Array, type_: str) -> Array:
    """Doubles (exact or rounded to odd) rounded once, to nearest even, into elements of a float type."""
    if type_ == "bf16":
        return f32_to_bf16(odd_f32(x))
    return canonical(asarray(x).astype(DTYPES[type_]), type_)


def canonical(x: Array, type_: str) -> Array:
    """NaNs replaced by the canonical one (f64 results keep theirs)."""
    if type_ == "f64" or type_ not in CANONICAL_NAN:
        return x
    if not np.isnan(np.add.reduce(x, axis=None)):
        return x
    return np.where(np.isnan(x), CANONICAL_NAN[type_], x)


_EXPONENT: dict[Dtype, tuple[Dtype, int, int]] = {
    np.dtype(np.float16): (np.dtype(np.uint16), 0x7C00, 0x8000),
    np.dtype(np.float32): (np.dtype(np.uint32), 0x7F80_0000, 0x8000_0000),
    np.dtype(np.float64): (np.dtype(np.uint64), 0x7FF0_0000_0000_0000, 0x8000_0000_0000_0000),
}


def flush(x: Array) -> Array:
    """Subnormal numbers replaced by zeros of their sign."""
    word, exponent, sign = _EXPONENT[x.dtype]
    bits = contiguous(x).view(word) if np.ndim(x) else asarray(x).view(word)
    small = (bits & word.type(exponent)) == 0
    if not np.any(small):
        return x
    return np.where(small, bits & word.type(sign), bits).view(x.dtype)


def saturate(x: Array) -> Array:
    """Clamped to [0, 1]; NaN and negative zero give 0."""
    return np.where(x > 0, np.minimum(x, x.dtype.type(1)), x.dtype.type(0))


def relu(x: Array) -> Array:
    """Values of f32 clamped to be at least 0; NaN gives the canonical NaN."""
    return np.where(np.isnan(x), CANONICAL_NAN["f32"], np.where(x > 0, x, np.float32(0)))


SMALL_FLOATS = {
    "bf16": "bfloat16",
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "e3m2": "float6_e3m2fn",
    "e2m3": "float6_e2m3fn",
    "e2m1": "float4_e2m1fn",
    "ue8m0": "float8_e8m0fnu",
}
"""PTX's names of the float formats that NumPy lacks, with those of `ml_dtypes`."""


@cache
def small_dtype(name: str) -> Dtype:
    """The `ml_dtypes` dtype of a format of `SMALL_FLOATS`."""
    return np.dtype(getattr(ml_dtypes, SMALL_FLOATS[name]))
