"""Floats of 6 bits, each in the lower bits of a byte: their conversions, in plain arithmetic that every target has.

(`cvt.rn.satfinite.e2m3x2.f32` and its like, of sm_100a and sm_120a, give the same bytes but for the sign of a zero.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.tile.dtypes import DType, e2m3, e3m2, f32, i32

SIX = {e2m3: (3, 1), e3m2: (2, 3)}
"""The bits of a fraction, and the bias of exponents; neither has infinities or NaNs."""
_SIGN = 32
Apply = Callable[..., Any]
"""A function of numbers or tiles by its name: "where", "round", "min", "max", "add", ..."""


def widened(byte: Any, kind: DType, apply: Apply) -> Any:
    """Bytes (i32) as f32, exactly."""
    fraction, bias = SIX[kind]
    exponent = (byte >> fraction) & ((_SIGN >> fraction) - 1)
    hidden = apply("where", exponent > 0, 1 << fraction, 0)
    units = ((byte & ((1 << fraction) - 1)) + hidden) << (apply("max", exponent, 1) - 1)
    value = units.to(f32) * 2.0 ** (1 - bias - fraction)
    return apply("where", (byte & _SIGN) != 0, -value, value)


def narrowed(value: Any, kind: DType, apply: Apply) -> Any:
    """Of f32 the nearest bytes (i32), even ones of two; what is too large, and NaN, is the largest."""
    fraction, bias = SIX[kind]
    unit, binades = 2.0 ** (1 - bias - fraction), (_SIGN >> fraction) - 1
    size = apply("min", abs(value), unit * ((2 << fraction) - 1) * 2 ** (binades - 1))
    scale: Any = 1 / unit
    first: Any = 0
    for binade in range(1, binades):
        above = size >= 2.0 ** (1 - bias + binade)
        scale = apply("where", above, 1 / (unit * 2**binade), scale)
        first = apply("where", above, binade << fraction, first)
    code = apply("round", size * scale).to(i32) + first
    return code + apply("where", value < 0.0, _SIGN, 0)


def encoded(number: float, kind: DType) -> int:
    """The byte of a constant."""
    import numpy as np

    return int(np.asarray(number, np.float32).astype(kind.numpy).view(np.uint8))
