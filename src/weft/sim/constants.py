"""Floating-point constants as words, as ptxas writes them into instructions and initial values."""

from __future__ import annotations

import numpy as np

from weft.ptx.operands import Float


def float_word(constant: Float | float, bits: int) -> int:
    """The word of so many bits that a float constant, or the value of an expression, stands for.

    32 bits hold the nearest .f32, whatever the type says; 64 the .f64, and fewer its low bits.  `0f3F800000` stands for
    its own 32 bits everywhere, also where a .f64 is wanted, which then is a tiny number.
    """
    if isinstance(constant, Float) and constant.text[:2] in ("0f", "0F"):
        return int(constant.text[2:], 16) & ((1 << bits) - 1)
    value = np.float64(constant.value if isinstance(constant, Float) else constant)
    if isinstance(constant, Float) and constant.text[:2] in ("0d", "0D"):
        value = np.uint64(int(constant.text[2:], 16)).view(np.float64)  # With the payload of a NaN.
    if bits == 32:
        with np.errstate(over="ignore", under="ignore"):
            return int(value.astype(np.float32).view(np.uint32))
    return int(value.view(np.uint64)) & ((1 << bits) - 1)
