"""Logarithms of f32: the mantissa around 1, a polynomial in its distance from 1, and the exponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.codegen import linear
from weft.codegen.elementary import coefficients
from weft.codegen.elementary.singles import INFINITY, Single, Singles, f32
from weft.codegen.graph import B32, Value
from weft.codegen.linear import Lin
from weft.isa import opcode

LN2 = 0.6931471805599453
TWO_THIRDS, _THREE_QUARTERS, ROOT_OF_HALF = 0x3F2AAAAB, 0x3F400000, 0x3F3504F3
_EXPONENT = -(1 << 23)
"""A mask of the sign and the exponent."""


def _exponent_bits(m: Singles, x: Single, lowest: int) -> Lin:
    """e 2^23, where x = 2^e times a mantissa from the float with bits `lowest` to twice it."""
    # Bits of positive floats are ordered like the floats: less those of the lowest mantissa, their exponent changes
    # exactly there and not at powers of two.
    return m.s.bitwise("and", linear.offset(m.bits(x), -lowest), linear.const32(_EXPONENT))


def normalised(m: Singles, x: Single, lowest: int = TWO_THIRDS) -> tuple[Value, Value, Value]:
    """(e, f, y) with x = (1 + f) 2^e for positive x; y is x, or x 2^23 where x is denormal.

    1 + f lies between the float with bits `lowest` and twice it: f in [-1/3, 1/3) unless said otherwise.
    """
    tiny = m.test("lt", x, f32(2.0**-126))
    y = m.pick(tiny, m.mul(x, f32(2.0**23)), x)
    exponent = _exponent_bits(m, y, lowest)
    # Exact: the mantissa is between 1/2 and 2 (Sterbenz's lemma).
    f = m.sub(m.of_bits(m.s.sub(m.bits(y), exponent)), f32(1.0))
    return m.fma(m.from_integer(exponent), f32(2.0**-23), m.pick(tiny, f32(-23.0), f32(0.0))), f, y


def with_ends(m: Singles, x: Single, found: Single) -> Any:
    """A logarithm with its ends: -inf at 0, +inf at +inf, NaN below 0 and of NaN."""
    # One unsigned comparison finds infinity, NaNs and everything with a sign; x inf + inf is inf of infinity and NaN of
    # all others.
    odd = m.s.compare("ge", m.bits(x), linear.const32(0x7F800000), signed=False)
    found = m.pick(odd, m.fma(x, f32(INFINITY), f32(INFINITY)), found)
    return m.pick(m.test("eq", x, f32(0.0)), f32(-INFINITY), found)


def _series(m: Singles, f: Single, terms: Sequence[float]) -> Value:
    """log(1 + f) = f + f (f Q(f))."""
    return m.fma(m.mul(f, m.polynomial(f, terms)), f, f)


def log(m: Singles, x: Single) -> Value:
    """The natural logarithm."""
    e, f, y = normalised(m, x)
    return with_ends(m, y, m.fma(e, f32(LN2), _series(m, f, coefficients.LOG)))


def _to_base(m: Singles, x: Single, terms: Sequence[float], high: float, unit: tuple[float, float]) -> Value:
    """f high + f (f Q(f)) + e unit, where Q's first coefficient has what `high` lacks."""
    e, f, y = normalised(m, x)
    low = m.mul(f, m.polynomial(f, terms))
    if unit[1]:
        low = m.fma(e, f32(unit[1]), low)
    return with_ends(m, y, m.fma(e, f32(unit[0]), m.fma(f, f32(high), low)))


def log2(m: Singles, x: Single) -> Value:
    """The logarithm to base 2."""
    return _to_base(m, x, coefficients.LOG2, coefficients.LOG2_FIRST[0], (1.0, 0.0))


def log10(m: Singles, x: Single) -> Value:
    """The logarithm to base 10."""
    return _to_base(m, x, coefficients.LOG10, coefficients.LOG10_FIRST[0], (0.301025390625, 4.605038981195214e-06))


def log1p(m: Singles, x: Single, doubled: Any = None) -> Value:
    """log(1 + x), and log 2 more where `doubled` holds.

    With the exponent e of 1 + x, f = x 2^-e + (2^-e - 1) loses nothing of x.  The shift of x is a subtraction of e from
    its exponent: where e is not 0, x is at least 1/4 in size, and its exponent does not run out.
    """
    s = m.s
    whole = m.add(x, f32(1.0))
    exponent = _exponent_bits(m, whole, _THREE_QUARTERS)
    # 4 2^-e: 2^-e itself may be denormal.
    scale = m.of_bits(s.sub(linear.const32(0x40800000), exponent))
    shifted = m.of_bits(s.sub(m.bits(x), exponent))
    f = m.add(shifted, m.fma(scale, f32(0.25), f32(-1.0)))
    e = m.mul(m.from_integer(exponent), f32(2.0**-23))
    if doubled is not None:
        e = m.add(e, m.pick(doubled, f32(1.0), f32(0.0)))
    found = with_ends(m, whole, m.fma(e, f32(LN2), _series(m, f, coefficients.LOG1P)))
    return m.signed(found, x)


def base_two(m: Singles, x: Single) -> Value:
    """The instruction's logarithm to base 2."""
    return m.s.pure(opcode("lg2", type="f32"), B32, x)
