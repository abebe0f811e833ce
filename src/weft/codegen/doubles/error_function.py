"""The error function and its complement, of f64."""

from __future__ import annotations

from typing import Any

from weft.codegen.doubles import coefficients
from weft.codegen.doubles.exponential import exp_of, power_of_two, split
from weft.codegen.reals import Double, Reals, double


def erf(m: Reals, x: Double) -> Any:
    """1 - e^-q with q = |x| + |x| P(|x|) in two parts, as 1 - 2^n - 2^n (e^r - 1); 1 from 5.95 on."""
    size = m.abs(x)
    more = m.polynomial(size, coefficients.ERF)
    whole = m.fma(size, more, size)
    lost = m.fma(size, more, m.sub(size, whole))
    n, rest = split(m, m.neg(whole))
    rest = m.sub(rest, lost)
    near = m.fma(m.mul(rest, rest), m.polynomial(rest, coefficients.EXPM1), rest)
    power = power_of_two(m, n)
    found = m.fma(m.neg(near), power, m.sub(double(1.0), power))
    return m.signed(m.pick(m.test("ge", size, double(5.95)), double(1.0), found), x)


def erfc(m: Reals, x: Double, lost: Double | None = None) -> Any:
    """e^(-a^2) P(t) / (1 + 2 a) with a = |x| and t = (a - 4) / (a + 4); 2 less that for negative x; 0 from 28 on.

    The `lost` part of an argument x + lost counts in the square.
    """
    size = m.abs(x)
    t = m.quotient(m.sub(size, double(4.0)), m.add(size, double(4.0)))
    rest = m.fma(m.neg(t), size, m.fma(m.add(t, double(1.0)), double(-4.0), size))
    t = m.fma(rest, m.reciprocal(m.add(size, double(4.0))), t)
    dividend, inverse = m.polynomial(t, coefficients.ERFC), m.reciprocal(m.fma(size, double(2.0), double(1.0)))
    slow = m.mul(dividend, inverse)
    # The remainder, without the rounding of 1 + 2 a.
    slow = m.fma(m.fma(m.mul(slow, size), double(-2.0), m.sub(dividend, slow)), inverse, slow)
    high, low = m.product(size, size)
    if lost is not None:
        low = m.fma(m.add(x, x), lost, low)
    found: Any = m.mul(exp_of(m, m.neg(high), m.neg(low)), slow)
    found = m.pick(m.test("ge", size, double(28.0)), double(0.0), found)
    return m.pick(m.test("lt", x, double(0.0)), m.sub(double(2.0), found), found)
