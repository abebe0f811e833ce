"""Hyperbolic functions of f64 and their inverses."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.doubles import coefficients
from weft.codegen.doubles.exponential import power_of_two, split
from weft.codegen.doubles.logarithm import log1p
from weft.codegen.reals import Double, Reals, double

NAN, INFINITY = float("nan"), float("inf")
_LARGE = 2.0**500
"""From here on x^2 may overflow, and 1 + x is x."""


def _quarter(m: Reals, size: Double) -> Any:
    """e^x / 4 for x >= 0: with a quarter the factor 2^n is in range as long as cosh is."""
    n, rest = split(m, size)
    power = m.polynomial(rest, (1.0, 1.0, *coefficients.EXP))
    found = m.mul(power, power_of_two(m, linear.offset(n, -2)))
    return m.pick(m.test("gt", size, double(710.48)), double(INFINITY), found)


def sinh(m: Reals, x: Double) -> Any:
    """e^x / 2 - e^-x / 2 of |x|; a polynomial below 1, where the difference would cancel."""
    size = m.abs(x)
    quarter = _quarter(m, size)
    far = m.fma(m.reciprocal(quarter), double(-0.125), m.add(quarter, quarter))
    far = m.pick(m.test("eq", quarter, double(INFINITY)), quarter, far)
    return m.signed(m.pick(m.test("lt", size, double(1.0)), m.odd(size, coefficients.SINH), far), x)


def cosh(m: Reals, x: Double) -> Any:
    """e^x / 2 + e^-x / 2 of |x|."""
    quarter = _quarter(m, m.abs(x))
    found = m.fma(quarter, double(2.0), m.mul(m.reciprocal(quarter), double(0.125)))
    return m.pick(m.test("eq", quarter, double(INFINITY)), quarter, found)


def tanh(m: Reals, x: Double) -> Any:
    """1 - 2 / (e^(2 |x|) + 1), with 1 from 20 on; a polynomial near 0.

    The inverse stays in two parts, so that it is rounded with the difference only.
    """
    size = m.abs(x)
    inside = m.op("min", size, double(20.0))
    n, rest = split(m, m.add(inside, inside))
    power = m.mul(m.polynomial(rest, (1.0, 1.0, *coefficients.EXP)), power_of_two(m, n))
    inverse, more = m.reciprocal_parts(m.add(power, double(1.0)))
    far = m.fma(more, double(-2.0), m.fma(inverse, double(-2.0), double(1.0)))
    found = m.pick(m.test("lt", size, double(0.55)), m.odd(size, coefficients.TANH), far)
    return m.pick(m.test("nan", x, x), m.add(x, x), m.signed(found, x))


def asinh(m: Reals, x: Double) -> Any:
    """log(1 + t + t^2 / (1 + sqrt(1 + t^2))) for t = |x|; log(2 t) for large t."""
    size = m.abs(x)
    large = m.test("gt", size, double(_LARGE))
    square = m.mul(size, size)
    more = m.quotient(square, m.add(m.root(m.add(square, double(1.0))), double(1.0)))
    found = log1p(m, m.pick(large, size, m.add(size, more)), large)
    return m.signed(found, x)


def acosh(m: Reals, x: Double) -> Any:
    """log(1 + t + sqrt(2 t + t^2)) for t = x - 1; log(2 x) for large x."""
    above = m.sub(x, double(1.0))
    large = m.test("gt", x, double(_LARGE))
    square = m.fma(above, above, m.add(above, above))
    # `root` multiplies by the inverse root, which is infinite at 0.
    root = m.pick(m.test("eq", square, double(0.0)), double(0.0), m.root(square))
    found = log1p(m, m.pick(large, x, m.add(above, root)), large)
    return m.pick(m.test("lt", x, double(1.0)), double(NAN), found)


def atanh(m: Reals, x: Double) -> Any:
    """log(1 + 2 t / (1 - t)) / 2 for t = |x|."""
    size = m.abs(x)
    ratio = m.quotient(m.add(size, size), m.sub(double(1.0), size))
    found: Any = m.mul(log1p(m, ratio), double(0.5))
    found = m.pick(m.test("eq", size, double(1.0)), double(INFINITY), found)
    found = m.pick(m.test("gtu", size, double(1.0)), double(NAN), found)
    return m.signed(found, x)
