"""The error function and its complement, of f64."""

from __future__ import annotations

from typing import Any

from weft.codegen.doubles import coefficients
from weft.codegen.doubles.exponential import exp_of, power_of_two, split
from weft.codegen.reals import Double, Reals, double


def erf(m: Reals, x: Double) -> Any:
    """x + x P(x^2) near 0; 1 - e^Q(|x|) beyond, where e^Q is the complement; 1 from 6 on."""
    size = m.abs(x)
    square = m.mul(x, x)
    near = m.fma(x, m.polynomial(square, coefficients.ERF), x)
    n, rest = split(m, m.polynomial(m.op("min", size, double(6.0)), coefficients.ERF_COMPLEMENT))
    power = m.mul(m.polynomial(rest, (1.0, 1.0, *coefficients.EXP)), power_of_two(m, n))
    far = m.signed(m.sub(double(1.0), power), x)
    found = m.pick(m.test("ge", size, double(coefficients.ERF_BORDER)), far, near)
    return m.pick(m.test("nan", x, x), m.add(x, x), found)


def erfc(m: Reals, x: Double, lost: Double | None = None) -> Any:
    """e^(-a^2) P(t) / (1 + 2 a) with a = |x| and t = (a - 4) / (a + 4); 2 less that for negative x.

    The `lost` part of an argument x + lost counts in the square.
    """
    size = m.op("min", m.abs(x), double(28.0))
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
    found = m.pick(m.test("lt", x, double(0.0)), m.sub(double(2.0), found), found)
    return m.pick(m.test("nan", x, x), m.add(x, x), found)
