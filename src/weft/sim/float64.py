"""Products, sums, quotients and roots of doubles, rounded once in any mode, wherever in the range they lie.

Error-free transformations fail where a term under- or overflows.  So operands are taken apart into significand and
exponent, what the nearest result lacks is found on significands, and the result moves by at most one unit.
"""

from __future__ import annotations

import numpy as np

from weft.sim.abstract import asarray, primitive
from weft.sim.lanes import Array
from weft.sim.rounding import adjust, odd_fma, odd_sum, overflowed, signed_zero, two_product, two_sum

_FAR = 300
"""An exponent so far below that of the sum's other term that only the sign of what it adds matters."""
_SAFE_PRODUCT, _SAFE_OPERAND = (2.0**-900, 2.0**1000), 2.0**990
"""Magnitudes between which a product and its error are exact in doubles, and below which splitting is."""


def sum64(a: Array, b: Array, mode: str) -> Array:
    """`a + b`."""
    near = np.add(a, b)
    if mode == "rn":
        return near
    first = np.abs(a) >= np.abs(b)
    big, small = np.where(first, a, b), np.where(first, b, a)
    lacks = small - (near - big)  # Exact where the larger one is first, and never overflows.
    return signed_zero(adjust(near, overflowed(near, lacks, a, b), mode), np.signbit(a), np.signbit(b), mode)


def product64(a: Array, b: Array, mode: str) -> Array:
    """`a * b`."""
    near = np.multiply(a, b)
    if mode == "rn":
        return near
    (x, i), (y, j) = np.frexp(a), np.frexp(b)
    high, low = two_product(x, y)
    lacks = (high - np.ldexp(near, -(i + j))) + low
    return adjust(near, overflowed(near, lacks, a, b), mode)


def quotient64(a: Array, b: Array, mode: str) -> Array:
    """`a / b`."""
    near = np.divide(a, b)
    if mode == "rn":
        return near
    (x, i), (y, j) = np.frexp(a), np.frexp(b)
    high, low = two_product(np.ldexp(near, j - i), y)
    lacks = ((x - high) - low) * np.sign(y)
    return adjust(near, overflowed(near, lacks, a, np.where(np.equal(b, 0), np.nan, b)), mode)


def root64(a: Array, mode: str) -> Array:
    """The square root of `a`."""
    near = np.sqrt(a)
    if mode == "rn":
        return near
    x, i = np.frexp(a)
    odd = i & 1
    root = np.ldexp(near, -((i - odd) // 2))
    high, low = two_product(root, root)
    lacks = (np.ldexp(x, odd) - high) - low
    return adjust(near, np.where(np.isinf(near), np.nan, lacks), mode)


@primitive
def fma64(a: Array, b: Array, c: Array, mode: str = "rn") -> Array:
    """`a * b + c`."""
    product = np.multiply(a, b)
    size = np.abs(product)
    safe = ((size >= _SAFE_PRODUCT[0]) | np.equal(a, 0) | np.equal(b, 0)) & (size <= _SAFE_PRODUCT[1])
    for operand in (a, b, c):
        safe = safe & (np.abs(operand) < _SAFE_OPERAND)
    high, low = odd_fma(asarray(a), asarray(b), asarray(c))
    result = adjust(high + low, (high - (high + low)) + low, mode)
    result = signed_zero(result, np.signbit(a) ^ np.signbit(b), np.signbit(c), mode)
    if np.all(safe):
        return result
    result = np.array(result)
    a, b, c = (np.broadcast_to(operand, result.shape)[~safe] for operand in (a, b, c))
    result[~safe] = _fma(a, b, c, mode)
    return result


def _fma(a: Array, b: Array, c: Array, mode: str) -> Array:
    """`fma64` of any operands: the terms are summed near 1, and the sum is put where it belongs."""
    (x, i), (y, j), (z, k) = np.frexp(a), np.frexp(b), np.frexp(c)
    at = i + j
    nothing = np.equal(a, 0) | np.equal(b, 0)
    at = np.where(nothing, k, at)
    k = np.where(np.equal(c, 0), at, k)
    top = np.maximum(at, k)
    scale = np.ldexp(1.0, np.maximum(at - top, -_FAR))
    high, low = two_product(x, y)
    th, tl = two_sum(np.ldexp(z, np.maximum(k - top, -_FAR)), low * scale)
    vh, vl = two_sum(high * scale, th)
    s, error = two_sum(vh, odd_sum(tl, vl))
    near = np.ldexp(s, top)
    back = np.ldexp(near, -top)
    lacks = np.where(np.isfinite(near) & (back != s), s - back, error)
    half = np.ldexp(0.5, np.maximum(-1074 - top, -1074))  # Of the unit that subnormal results have.
    tie = (np.abs(s - back) == half) & (error != 0)
    if mode == "rn":
        toward = np.where(error > 0, np.inf, -np.inf)
        finite = np.where(tie & (np.sign(error) == np.sign(s - back)), np.nextafter(near, toward), near)
    else:
        finite = adjust(near, np.where(np.isinf(near), -near, lacks), mode)
    finite = signed_zero(finite, np.signbit(a) ^ np.signbit(b), np.signbit(c), mode, s == 0)
    return np.where(np.isfinite(a) & np.isfinite(b), np.where(np.isfinite(c), finite, c), np.multiply(a, b) + c)
