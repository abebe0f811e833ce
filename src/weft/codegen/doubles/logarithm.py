"""Logarithms of f64: log(1 + f) = f - s (f - r), with s = f / (2 + f) and a series r in s^2."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.doubles import coefficients
from weft.codegen.doubles.exponential import LN2, LOG10_2
from weft.codegen.linear import Lin
from weft.codegen.reals import Double, Pair, Reals, double, pair

INFINITY, NAN = float("inf"), float("nan")
_ROOT_OF_HALF = 0x3FE6A09E667F3BCD
_EXPONENT = -(1 << 52)
INVERSE_LN2 = pair(1.4426950408889634, 2.0355273740931033e-17)
INVERSE_LN10 = pair(0.4342944819032518, 1.098319650216765e-17)


def _exponent_bits(m: Reals, x: Double) -> Lin:
    """e 2^52, where x = 2^e times a mantissa in [sqrt(1/2), sqrt(2))."""
    return m.s.bitwise("and", linear.offset(m.bits(x), -_ROOT_OF_HALF), linear.const(_EXPONENT))


def _as_float(m: Reals, exponent: Lin) -> Any:
    """e from e 2^52."""
    return m.from_integer(m.s.truncated(m.s.shift_right(exponent, 52, signed=True)))


def normalised(m: Reals, x: Double) -> tuple[Double, Double, Double]:
    """(e, f, y) with x = (1 + f) 2^e and 1 + f in [sqrt(1/2), sqrt(2)), for positive x; y is x, or x 2^54."""
    tiny = m.test("lt", x, double(2.0**-1022))
    y = m.pick(tiny, m.mul(x, double(2.0**54)), x)
    exponent = _exponent_bits(m, y)
    f = m.sub(m.of_bits(m.s.sub(m.bits(y), exponent)), double(1.0))
    return m.add(_as_float(m, exponent), m.pick(tiny, double(-54.0), double(0.0))), f, y


def with_ends(m: Reals, x: Double, found: Double) -> Any:
    """A logarithm with its ends: -inf at 0, +inf at +inf, NaN below 0 and of NaN."""
    odd = m.s.compare("ge", m.bits(x), linear.const(0x7FF0000000000000), signed=False)
    found = m.pick(odd, m.fma(x, double(INFINITY), double(INFINITY)), found)
    return m.pick(m.test("eq", x, double(0.0)), double(-INFINITY), found)


def _bend(m: Reals, f: Double) -> tuple[Double, Double]:
    """Two factors of log(1 + f) - f for 1 + f in [sqrt(1/2), sqrt(2))."""
    s = m.quotient(f, m.add(f, double(2.0)))
    square = m.mul(s, s)
    tail = m.mul(square, m.polynomial(square, coefficients.LOG))
    return m.neg(s), m.sub(f, tail)


def _near_one(m: Reals, f: Double) -> Any:
    """log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2))."""
    return m.fma(*_bend(m, f), f)


def log(m: Reals, x: Double) -> Any:
    """The natural logarithm."""
    e, f, y = normalised(m, x)
    return with_ends(m, y, m.fma(e, double(LN2[0]), m.fma(e, double(LN2[1]), _near_one(m, f))))


def log_pair(m: Reals, f: Double) -> Pair:
    """log(1 + f) to some 64 bits: 2 s + 2/3 s^3 + ..., with s and these two terms in pairs.

    The terms beyond have a polynomial of their own: that of `log`, good for 53 bits, would be 709 times as wrong in a
    power at the end of the range.
    """
    below = m.two_sum(f, double(2.0))
    inverse = m.reciprocal(below[0])
    s = m.mul(f, inverse)
    rest = m.fma(m.neg(s), below[1], m.fma(m.neg(s), below[0], f))
    quotient = m.fast_sum(s, m.mul(rest, inverse))
    square = m.multiply(quotient, quotient)
    cube = m.multiply(m.multiply(quotient, square), pair(2 / 3, 3.700743415417188e-17))
    z = square[0]
    tail = m.mul(m.mul(m.mul(z, z), s), m.polynomial(z, coefficients.LOG_PAIR))
    twice = (m.add(quotient[0], quotient[0]), m.add(quotient[1], quotient[1]))
    high, low = m.fast_sum(twice[0], cube[0])
    return m.fast_sum(high, m.add(low, m.add(m.add(twice[1], cube[1]), tail)))


def _to_base(m: Reals, x: Double, factor: Pair, unit: tuple[float, float]) -> Any:
    """e unit + log(1 + f) factor: f times the factor in a pair, what bends away from f in a float."""
    e, f, y = normalised(m, x)
    bend = m.mul(*_bend(m, f))
    high, low = m.product(f, factor[0])
    low = m.fma(bend, factor[0], m.fma(f, factor[1], low))
    if unit[1]:
        low = m.fma(e, double(unit[1]), low)
    total, lost = m.fast_sum(m.mul(e, double(unit[0])) if unit[0] != 1.0 else e, high)
    return with_ends(m, y, m.add(total, m.add(lost, low)))


def log2(m: Reals, x: Double) -> Any:
    """The logarithm to base 2."""
    return _to_base(m, x, INVERSE_LN2, (1.0, 0.0))


def log10(m: Reals, x: Double) -> Any:
    """The logarithm to base 10."""
    return _to_base(m, x, INVERSE_LN10, LOG10_2)


def log1p(m: Reals, x: Double, doubled: Any = None) -> Any:
    """log(1 + x), and log 2 more where `doubled` holds; the exponent of 1 + x is taken out of x and of 1 apart."""
    s = m.s
    whole = m.add(x, double(1.0))
    exponent = _exponent_bits(m, whole)
    # 4 2^-e: 2^-e itself may be denormal.
    scale = m.of_bits(s.sub(linear.const(0x4010000000000000), exponent))
    shifted = m.of_bits(s.sub(m.bits(x), exponent))
    f, lost = m.fast_sum(m.fma(scale, double(0.25), double(-1.0)), shifted)
    e = _as_float(m, exponent)
    if doubled is not None:
        e = m.add(e, m.pick(doubled, double(1.0), double(0.0)))
    # What f and the sum with e log 2 lose goes with what bends away from f.
    total, rest = m.fast_sum(m.mul(e, double(LN2[0])), f)
    low = m.fma(*_bend(m, f), m.fma(e, double(LN2[1]), m.add(rest, lost)))
    found = m.add(total, low)
    return m.signed(with_ends(m, whole, found), x)
