"""Hyperbolic functions of f32 and their inverses."""

from __future__ import annotations

from weft.codegen.elementary import coefficients
from weft.codegen.elementary.exponential import LOG2E, scaled_power
from weft.codegen.elementary.logarithm import log1p
from weft.codegen.elementary.singles import NAN, Single, Singles, f32
from weft.codegen.graph import Value

_LARGE = 2.0**62
"""From here on x^2 may overflow, and 1 + x is x."""


def sinh(m: Singles, x: Single) -> Value:
    """e^x / 2 - e^-x / 2 of |x|; a polynomial below 1, where the difference would cancel."""
    size = m.abs(x)
    quarter = scaled_power(m, size, LOG2E, 2)
    # With q = e^|x| / 4: 2 q is e^|x| / 2, and 1 / (8 q) is e^-|x| / 2.
    far = m.fma(m.reciprocal(quarter), f32(-0.125), m.add(quarter, quarter))
    return m.signed(m.pick(m.test("lt", size, f32(1.0)), m.odd(size, coefficients.SINH), far), x)


def cosh(m: Singles, x: Single) -> Value:
    """e^x / 2 + e^-x / 2 of |x|, from e^|x| / 4: e^|x| overflows before its half does."""
    quarter = scaled_power(m, m.abs(x), LOG2E, 2)
    return m.fma(quarter, f32(2.0), m.mul(m.reciprocal(quarter), f32(0.125)))


def tanh(m: Singles, x: Single) -> Value:
    """1 - 2 / (e^(2 |x|) + 1); a polynomial near 0, where the difference would cancel."""
    size = m.abs(x)
    power = m.power_of_two(m.mul(size, f32(2 * LOG2E[0])))
    far = m.fma(m.reciprocal(m.add(power, f32(1.0))), f32(-2.0), f32(1.0))
    return m.signed(m.pick(m.test("lt", size, f32(0.55)), m.odd(size, coefficients.TANH), far), x)


def asinh(m: Singles, x: Single) -> Value:
    """log(1 + t + t^2 / (1 + sqrt(1 + t^2))) for t = |x|; log(2 t) for large t."""
    size = m.abs(x)
    large = m.test("gt", size, f32(_LARGE))
    root = m.root(m.fma(size, size, f32(1.0)))
    # sqrt(1 + t^2) - 1 without the cancellation of the difference.
    more = m.mul(m.mul(size, size), m.reciprocal(m.add(root, f32(1.0))))
    found = log1p(m, m.pick(large, size, m.add(size, more)), large)
    return m.signed(found, x)


def acosh(m: Singles, x: Single) -> Value:
    """log(1 + t + sqrt(2 t + t^2)) for t = x - 1; log(2 x) for large x."""
    # Exact from 1 to 2, where the result depends on it most.
    above = m.sub(x, f32(1.0))
    large = m.test("gt", x, f32(_LARGE))
    root = m.root(m.fma(above, above, m.add(above, above)))
    found = log1p(m, m.pick(large, x, m.add(above, root)), large)
    return m.pick(m.test("lt", x, f32(1.0)), f32(NAN), found)


def atanh(m: Singles, x: Single) -> Value:
    """log(1 + 2 t / (1 - t)) / 2 for t = |x|; outside the domain, 2 as well as a NaN gives the logarithm of -3."""
    size = m.op("min", m.abs(x), f32(2.0))
    ratio = m.mul(m.add(size, size), m.reciprocal(m.sub(f32(1.0), size)))
    return m.signed(m.mul(log1p(m, ratio), f32(0.5)), x)
