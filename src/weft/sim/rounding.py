"""Exact sums and products in doubles, and correct rounding of them to narrower formats in every mode.

The trick throughout: a double rounded *to odd* (inexact results get an odd last bit) can be rounded once more, to any
format of at most 51 bits, in any mode, without double-rounding errors (Boldo and Melquiond, 2008).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.sim.abstract import contiguous, primitive
from weft.sim.lanes import Array

_ONE = np.uint64(1)
_SPLIT = 134217729.0  # 2**27 + 1


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """`a + b` as a rounded sum and its error, exactly (doubles, no overflow)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """`a * b` as a rounded product and its error, exactly (doubles, no over- or underflow)."""
    p = a * b
    ah, bh = _high(a), _high(b)
    al, bl = a - ah, b - bh
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def _high(a: Array) -> Array:
    t = a * _SPLIT
    return t - (t - a)


def to_odd(s: Array, error: Array) -> Array:
    """The exact value `s + error` (with `s` its nearest double) rounded to odd."""
    bits = contiguous(s).view(np.uint64)
    nudge = (error != 0) & ((bits & _ONE) == 0) & np.isfinite(s)
    if not np.any(nudge):
        return s
    toward = np.where(error > 0, np.inf, -np.inf)
    return np.where(nudge, np.nextafter(s, toward), s)


def odd_sum(a: Array, b: Array) -> Array:
    """`a + b` of doubles, rounded to odd."""
    s, error = two_sum(a, b)
    return to_odd(s, error)


def odd_fma(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """`a * b + c` of doubles as a sum of two doubles, the second rounded to odd; their sum rounds correctly."""
    uh, ul = two_product(a, b)
    th, tl = two_sum(c, ul)
    vh, vl = two_sum(uh, th)
    return vh, odd_sum(tl, vl)


def to_f32(x: Array, mode: str = "rn") -> Array:
    """Doubles that are exact or rounded to odd, as f32 in rounding mode `rn`, `rz`, `rm` or `rp`."""
    near = x.astype(np.float32)
    return near if mode == "rn" else directed(near, near.astype(np.float64), x, mode)


def directed(near: Array, back: Array, exact: Array, mode: str) -> Array:
    """Move the nearest value to the one that a directed mode gives.

    `back` is `near` as a double, `exact` a double on the same side of it as the exact value.
    """
    if mode == "rz":
        wrong = np.abs(back) > np.abs(exact)
        toward = near.dtype.type(0)
    elif mode == "rm":
        wrong, toward = back > exact, near.dtype.type(-np.inf)
    else:
        wrong, toward = back < exact, near.dtype.type(np.inf)
    return np.where(wrong, np.nextafter(near, toward), near) if np.any(wrong) else near


def adjust(near: Array, error: Array, mode: str) -> Array:
    """Directed rounding from the nearest value and the sign of what it lacks (`exact - near`, NaN for nothing)."""
    if mode == "rn":
        return near
    kind = near.dtype.type
    if mode == "rz":
        wrong, toward = np.where(near > 0, error < 0, error > 0), kind(0)
    elif mode == "rm":
        wrong, toward = error < 0, kind(-np.inf)
    else:
        wrong, toward = error > 0, kind(np.inf)
    return np.where(wrong, np.nextafter(near, toward), near)


def signed_zero(value: Array, first: Any, second: Any, mode: str, exact: Any = True) -> Array:
    """Sums that are exactly zero, with the sign that those of their terms (`first`, `second`) and the mode give."""
    zero = np.equal(value, 0) & exact
    if not np.any(zero):
        return value
    negative: Array = np.where(np.equal(first, second), first, mode == "rm")
    return np.where(zero, np.where(negative, -0.0, 0.0).astype(value.dtype), value)


def overflowed(near: Array, error: Array, *sources: Array) -> Array:
    """The error, pointing back from an infinity that came of finite sources."""
    finite: Any = np.isinf(near)
    for source in sources:
        finite = finite & np.isfinite(source)
    return np.where(finite, -near, error) if np.any(finite) else error


_HALFWAY, _TAIL = np.uint64(0x1000_0000), np.uint64(0x1FFF_FFFF)
_LEAST = np.uint64((1023 - 126) << 53)
"""Twice the bits of the least normal f32 as a double: without the sign."""
_RANGE = np.uint64((0x7FF << 53) - ((1023 - 126) << 53))
_CANONICAL_F32 = np.uint32(0x7FFF_FFFF).view(np.float32)


@primitive
def fma32(a: Array, b: Array, c: Array) -> Array:
    """`a * b + c` in f32 with one rounding to nearest; NaNs are canonical.

    The product is exact in doubles.  The rounded sum can only round wrongly once more when it lies halfway between two
    f32 values, or is subnormal in f32: those lanes are done again with the sum rounded to odd.
    """
    s = a.astype(np.float64)
    s *= b
    s += c
    result = s.astype(np.float32)
    bits = s.view(np.uint64)
    odd = (bits & _TAIL) == _HALFWAY
    odd |= (bits << _ONE) - _LEAST > _RANGE
    if np.count_nonzero(odd) and np.count_nonzero(odd & (s != 0)):
        product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
        result = np.where(odd, odd_sum(product, addend).astype(np.float32), result)
        return np.where(np.isnan(s), _CANONICAL_F32, result)
    return result
