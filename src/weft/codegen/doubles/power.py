"""Powers of f64: the logarithm as the sum of two floats, times the exponent."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.doubles.exponential import exp_of
from weft.codegen.doubles.logarithm import log_pair, normalised
from weft.codegen.graph import B64
from weft.codegen.reals import Double, Pair, Reals, double

INFINITY, NAN = float("inf"), float("nan")
LN2 = (0.6931471805599453, 2.319046813846299e-17)


def log_as_pair(m: Reals, x: Double) -> Pair:
    """log x of a positive finite x, to some 64 bits."""
    e, f, _ = normalised(m, x)
    whole = m.product(e, double(LN2[0]))
    part = log_pair(m, f)
    high, low = m.fast_sum(whole[0], part[0])
    return m.fast_sum(high, m.add(low, m.add(part[1], m.fma(e, double(LN2[1]), whole[1]))))


def power(m: Reals, x: Double, y: Double) -> Any:
    """x^y, with the special cases of C's `pow`."""
    size = m.abs(x)
    high, low = log_as_pair(m, size)
    # Beyond 2^70 the result is 0, 1 or infinite; an infinite exponent would give NaNs.
    bounded = m.op("max", m.op("min", y, double(2.0**70)), double(-(2.0**70)))
    first, rest = m.product(bounded, high)
    rest = m.fma(bounded, low, rest)
    # Where the first part is far out of range the second one may be large, and means nothing.
    rest = m.pick(m.test("lt", m.abs(first), double(1000.0)), rest, double(0.0))
    return _with_ends(m, x, y, size, exp_of(m, first, rest))


def _with_ends(m: Reals, x: Double, y: Double, size: Double, found: Any) -> Any:
    """The sign for odd exponents, the ends 0 and infinity of x, and 1 where nothing else can be."""
    whole = m.op("cvt", m.s.register(y, B64), rnd="rzi", atype="f64")
    half = m.mul(y, double(0.5))
    odd = m.both(m.test("eq", whole, y), m.test("ne", m.op("cvt", half, rnd="rzi", atype="f64"), half))
    positive = m.test("gt", y, double(0.0))
    found = m.pick(m.test("eq", size, double(INFINITY)), m.pick(positive, double(INFINITY), double(0.0)), found)
    found = m.pick(m.test("eq", size, double(0.0)), m.pick(positive, double(0.0), double(INFINITY)), found)
    found = m.pick(m.test("eq", size, double(1.0)), double(1.0), found)
    negative = m.s.compare("lt", m.bits(x), linear.const(0), signed=True)
    found = m.pick(m.both(negative, odd), m.neg(found), found)
    broken = m.both(m.test("ne", whole, y), m.both(m.test("lt", x, double(0.0)), m.test("ne", size, double(INFINITY))))
    found = m.pick(broken, double(NAN), found)
    found = m.pick(m.test("nan", x, y), double(NAN), found)
    return m.pick(m.either(m.test("eq", x, double(1.0)), m.test("eq", y, double(0.0))), double(1.0), found)
