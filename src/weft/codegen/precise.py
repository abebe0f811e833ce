"""Exponentials, logarithms, powers and hyperbolic functions of f64.

Reductions are Cody and Waite's; polynomials are Taylor's, Chebyshev's or the logarithm's own series, with coefficients
computed for the interval they serve.  Errors are below 4 ulp over the whole range (`tests/codegen/test_functions.py`).
"""

from __future__ import annotations

from math import factorial
from typing import Any

from weft.codegen import linear
from weft.codegen.graph import B64
from weft.codegen.linear import Lin
from weft.codegen.reals import Double, Pair, Reals, double, pair

INFINITY, NAN = float("inf"), float("nan")
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
"""ln 2 in two parts: the product of the first, of 33 bits, with an exponent is exact."""
LOG2E = 1.4426950408889634
INVERSE_LN2 = pair(1.4426950408889634, 2.0355273740931033e-17)
INVERSE_LN10 = pair(0.4342944819032518, 1.098319650216765e-17)
_EXP = [1 / factorial(n) for n in range(14)]
_EXPM1 = [1 / factorial(n) for n in range(1, 18)]
_LOG = [2 / (2 * n + 3) for n in range(11)]


def scaled(m: Reals, x: Double, n: Lin) -> Double:
    """x * 2^n in two steps, so that neither factor overflows."""
    s = m.s
    first = s.shift_right(n, 1, signed=True)
    for part in (first, s.sub(n, first)):
        exponent = s.extended(linear.offset(part, 1023), signed=True)
        x = m.mul(x, m.of_bits(s.shift_left(exponent, linear.const(52))))
    return x


def _limits(m: Reals, x: Double, found: Double, low: float, high: float) -> Any:
    """An exponential with its ends: 0 below `low`, infinity above `high`."""
    found = m.pick(m.test("gt", x, double(high)), double(INFINITY), found)
    found = m.pick(m.test("lt", x, double(low)), double(0.0), found)
    return m.pick(m.test("nan", x, x), m.add(x, x), found)


def exp_of(m: Reals, x: Double, rest: Double) -> Double:
    """e^(x + rest) for a small rest, without regard to the ends of the range."""
    n = m.nearest(m.mul(x, double(LOG2E)))
    n = m.op("min", m.op("max", n, double(-1100.0)), double(1100.0))
    minus = m.neg(n)
    r = m.fma(minus, double(LN2_HIGH), x)
    r = m.add(m.fma(minus, double(LN2_LOW), r), rest)
    return scaled(m, m.polynomial(r, _EXP), m.integer(n))


def exp(m: Reals, x: Double) -> Double:
    """e^x."""
    return _limits(m, x, exp_of(m, x, double(0.0)), -745.2, 709.782712893384)


def exp2(m: Reals, x: Double) -> Double:
    """2^x."""
    n = m.op("min", m.op("max", m.nearest(x), double(-1100.0)), double(1100.0))
    r = m.mul(m.sub(x, n), double(0.6931471805599453))
    return _limits(m, x, scaled(m, m.polynomial(r, _EXP), m.integer(n)), -1075.0, 1023.9999999999999)


def exp10(m: Reals, x: Double) -> Double:
    """10^x."""
    high, low = m.product(x, double(2.302585092994046))
    low = m.fma(x, double(-2.1707562233822494e-16), low)
    return _limits(m, x, exp_of(m, high, low), -323.7, 308.25471555991675)


def expm1(m: Reals, x: Double) -> Double:
    """e^x - 1."""
    near = m.mul(m.polynomial(x, _EXPM1), x)
    far = m.sub(exp(m, x), double(1.0))
    return m.pick(m.test("lt", m.abs(x), double(0.35)), near, far)


# -- logarithms -------------------------------------------------------------------------------------------------


def _parts(m: Reals, x: Double) -> tuple[Double, Double]:
    """(e, d) with x = (1 + d) 2^e and 1 + d in [sqrt(1/2), sqrt(2)), for positive finite x."""
    s = m.s
    tiny = m.test("lt", x, double(2.0**-1022))
    bits = m.bits(m.pick(tiny, m.mul(x, double(2.0**54)), x))
    shifted = s.shift_right(linear.offset(bits, -0x3FE6A09E667F3BCD), 52, signed=True)
    mantissa = s.sub(bits, s.shift_left(shifted, linear.const(52)))
    e = m.add(m.from_integer(s.truncated(shifted)), m.pick(tiny, double(-54.0), double(0.0)))
    return e, m.sub(m.of_bits(mantissa), double(1.0))


def _near_one(m: Reals, d: Double) -> Double:
    """log(1 + d) for d in [-0.3, 0.42]: d - s (d - r) with s = d / (2 + d) and log(1 + d) = 2 s + s r."""
    quotient = m.div(d, m.add(d, double(2.0)))
    z = m.mul(quotient, quotient)
    tail = m.mul(z, m.polynomial(z, _LOG))
    return m.fma(m.neg(quotient), m.sub(d, tail), d)


def _edges(m: Reals, x: Double, found: Double) -> Any:
    """A logarithm with its limits: -inf at 0, +inf at +inf, NaN below 0 and of NaN."""
    found = m.pick(m.test("eq", x, double(INFINITY)), double(INFINITY), found)
    found = m.pick(m.test("eq", x, double(0.0)), double(-INFINITY), found)
    return m.pick(m.test("ge", x, double(0.0)), found, double(NAN))


def log(m: Reals, x: Double) -> Double:
    """The natural logarithm."""
    e, d = _parts(m, x)
    return _edges(m, x, m.fma(e, double(LN2_HIGH), m.fma(e, double(LN2_LOW), _near_one(m, d))))


def _to_base(m: Reals, x: Double, exponent: Pair, factor: Pair) -> Double:
    """e * exponent + log(1 + d) * factor."""
    e, d = _parts(m, x)
    high, low = m.multiply(log_pair(m, d), factor)
    whole = m.product(e, exponent[0])
    total = m.plus((whole[0], m.fma(e, exponent[1], whole[1])), (high, low))
    return _edges(m, x, m.add(*total))


def log2(m: Reals, x: Double) -> Double:
    """The logarithm to base 2."""
    return _to_base(m, x, pair(1.0, 0.0), INVERSE_LN2)


def log10(m: Reals, x: Double) -> Double:
    """The logarithm to base 10."""
    return _to_base(m, x, pair(0.3010299956639812, -2.8037281277851704e-18), INVERSE_LN10)


def log1p(m: Reals, x: Double) -> Double:
    """log(1 + x): directly where x is small, else the logarithm of the sum, with what the sum lost."""
    whole = m.add(x, double(1.0))
    lost = m.sub(x, m.sub(whole, double(1.0)))
    finite = m.test("lt", m.abs(whole), double(INFINITY))
    far = m.add(log(m, whole), m.pick(finite, m.div(lost, whole), double(0.0)))
    far = m.pick(m.test("eq", whole, double(0.0)), double(-INFINITY), far)
    return m.pick(m.test("lt", m.abs(x), double(0.29)), _near_one(m, x), far)


def log_pair(m: Reals, d: Double) -> Pair:
    """log(1 + d) to some 64 bits: 2 s + 2/3 s^3 + ..., with s and the first two terms in pairs."""
    below = m.two_sum(d, double(2.0))
    s = m.div(d, below[0])
    rest = m.fma(m.neg(s), below[0], m.s.register(d, B64))
    rest = m.fma(m.neg(s), below[1], rest)
    quotient = (s, m.div(rest, below[0]))
    square = m.multiply(quotient, quotient)
    cube = m.multiply(m.multiply(quotient, square), pair(2 / 3, 3.700743415417188e-17))
    z = square[0]
    tail = m.mul(m.mul(m.mul(z, z), s), m.polynomial(z, _LOG[1:]))
    twice = (m.add(quotient[0], quotient[0]), m.add(quotient[1], quotient[1]))
    return m.plus(m.plus(twice, cube), (tail, double(0.0)))


# -- powers -----------------------------------------------------------------------------------------------------


def power(m: Reals, x: Double, y: Double) -> Double:
    """x^y, with C's special cases."""
    size = m.abs(x)
    e, d = _parts(m, size)
    whole = m.product(e, double(0.6931471805599453))
    logarithm = m.plus((whole[0], m.fma(e, double(2.319046813846299e-17), whole[1])), log_pair(m, d))
    # Beyond 2^100 every power but those of 1 is 0 or infinite, and products with the logarithm's parts overflow.
    bounded = m.op("max", m.op("min", y, double(2.0**100)), double(-(2.0**100)))
    high, low = m.multiply(logarithm, (bounded, double(0.0)))
    found = _limits(m, high, exp_of(m, high, low), -745.2, 709.782712893384)
    ends = m.either(m.test("eq", size, double(0.0)), m.test("eq", size, double(INFINITY)))
    ends = m.either(ends, m.test("eq", m.abs(y), double(INFINITY)))
    rough = exp(m, m.mul(y, log(m, size)))
    found = m.pick(ends, rough, found)
    # A negative base needs an integer exponent, whose last bit is the sign.
    integral = m.test("eq", m.op("cvt.rzi.f64", m.s.register(y, B64)), y)
    half = m.mul(y, double(0.5))
    odd = m.both(integral, m.test("ne", m.op("cvt.rzi.f64", half), half))
    negative = m.s.compare("lt", m.bits(x), linear.const(0), signed=True)
    found = m.pick(m.both(odd, negative), m.neg(found), found)
    below = m.both(m.test("lt", x, double(0.0)), m.test("gt", x, double(-INFINITY)))
    undefined = m.both(below, m.s.inverted(integral))
    found = m.pick(undefined, double(NAN), found)
    found = m.pick(m.either(m.test("nan", x, x), m.test("nan", y, y)), double(NAN), found)
    unit = m.both(m.test("eq", x, double(-1.0)), m.test("eq", m.abs(y), double(INFINITY)))
    one = m.either(m.either(m.test("eq", y, double(0.0)), m.test("eq", x, double(1.0))), unit)
    return m.pick(one, double(1.0), found)


def cbrt(m: Reals, x: Double) -> Double:
    """The cube root: by the logarithm, then one step of Newton's."""
    size = m.abs(x)
    tiny = m.test("lt", size, double(2.0**-1000))
    inside = m.pick(tiny, m.mul(size, double(2.0**108)), size)
    y = exp2(m, m.mul(log2(m, inside), double(1 / 3)))
    square = m.mul(y, y)
    y = m.sub(y, m.div(m.fma(square, y, m.neg(inside)), m.mul(square, double(3.0))))
    y = m.signed(m.pick(tiny, m.mul(y, double(2.0**-36)), y), x)
    plain = m.either(m.test("eq", x, double(0.0)), m.test("geu", size, double(INFINITY)))
    return m.pick(plain, m.add(x, x), y)


# -- hyperbolic functions ---------------------------------------------------------------------------------------


def sinh(m: Reals, x: Double) -> Double:
    """(e^x - e^-x) / 2."""
    size = m.abs(x)
    e = expm1(m, size)
    near = m.mul(m.add(e, m.div(e, m.add(e, double(1.0)))), double(0.5))
    return m.signed(m.pick(m.test("lt", size, double(22.0)), near, _half_exp(m, size)), x)


def cosh(m: Reals, x: Double) -> Double:
    """(e^x + e^-x) / 2."""
    size = m.abs(x)
    e = exp(m, size)
    near = m.mul(m.add(e, m.div(double(1.0), e)), double(0.5))
    return m.pick(m.test("ltu", size, double(22.0)), near, _half_exp(m, size))


def _half_exp(m: Reals, size: Double) -> Double:
    """e^x / 2 for large x, also where e^x overflows."""
    half = exp(m, m.mul(size, double(0.5)))
    return m.pick(
        m.test("gt", size, double(700.0)), m.mul(m.mul(half, double(0.5)), half), m.mul(exp(m, size), double(0.5))
    )


def tanh(m: Reals, x: Double) -> Double:
    """(e^2x - 1) / (e^2x + 1)."""
    size = m.abs(x)
    e = expm1(m, m.add(size, size))
    found = m.pick(m.test("gtu", size, double(20.0)), double(1.0), m.div(e, m.add(e, double(2.0))))
    return m.pick(m.test("nan", x, x), m.add(x, x), m.signed(found, x))


def asinh(m: Reals, x: Double) -> Double:
    """log(x + sqrt(x^2 + 1))."""
    size = m.abs(x)
    square = m.mul(size, size)
    root = m.sqrt(m.add(square, double(1.0)))
    near = log1p(m, m.add(size, m.div(square, m.add(root, double(1.0)))))
    far = m.add(log(m, size), double(0.6931471805599453))
    return m.signed(m.pick(m.test("gtu", size, double(2.0**28)), far, near), x)


def acosh(m: Reals, x: Double) -> Double:
    """log(x + sqrt(x^2 - 1))."""
    over = m.sub(x, double(1.0))
    near = log1p(m, m.add(over, m.sqrt(m.fma(over, over, m.add(over, over)))))
    far = m.add(log(m, x), double(0.6931471805599453))
    found = m.pick(m.test("gt", x, double(2.0**28)), far, near)
    return m.pick(m.test("lt", x, double(1.0)), double(NAN), found)


def atanh(m: Reals, x: Double) -> Double:
    """log((1 + x) / (1 - x)) / 2."""
    size = m.abs(x)
    ratio = m.div(m.add(size, size), m.sub(double(1.0), size))
    return m.signed(m.mul(log1p(m, ratio), double(0.5)), x)
