"""The error function and its complement, of f32."""

from __future__ import annotations

from weft.codegen.elementary import coefficients
from weft.codegen.elementary.exponential import exp
from weft.codegen.elementary.singles import Single, Singles, f32
from weft.codegen.graph import Value


def erf(m: Singles, x: Single) -> Value:
    """x + x P(x^2) near 0; 1 - 2^Q(|x|) beyond, where 2^Q is the complement; 1 from 4 on."""
    size = m.abs(x)
    square = m.mul(x, x)
    near = m.fma(x, m.polynomial(square, coefficients.ERF), x)
    power = m.power_of_two(m.polynomial(m.op("min", size, f32(4.0)), coefficients.ERF_COMPLEMENT))
    far = m.signed(m.sub(f32(1.0), power), x)
    # A NaN is not below the border; the first branch keeps it.
    return m.pick(m.test("geu", size, f32(coefficients.ERF_BORDER)), m.pick(m.test("nan", x, x), x, far), near)


def erfc(m: Singles, x: Single, lost: Single | None = None) -> Value:
    """e^(-a^2) P(t) / (1 + 2 a) with a = |x| and t = (a - 4) / (a + 4); 2 less that for negative x.

    The square is taken in two parts: its rounding error, up to 50 ulp of the exponential, comes back as a factor; so
    does the `lost` part of an argument x + lost.
    """
    size = m.op("min", m.abs(x), f32(10.5))
    inverse = m.reciprocal(m.add(size, f32(4.0)))
    t = m.mul(m.sub(size, f32(4.0)), inverse)
    # The remainder a - 4 - t (a + 4): near a = 0 the polynomial takes an error of t twice.
    rest = m.fma(m.neg(t), size, m.fma(m.add(t, f32(1.0)), f32(-4.0), size))
    t = m.fma(rest, inverse, t)
    dividend, divisor = m.polynomial(t, coefficients.ERFC), m.fma(size, f32(2.0), f32(1.0))
    inverse = m.reciprocal(divisor)
    slow = m.mul(dividend, inverse)
    high, low = m.product(size, size)
    if lost is not None:
        low = m.fma(m.add(x, x), lost, low)
    # The remainder, less what the rounding of 1 + 2 a has lost; both corrections come in with the last product.
    left = m.fma(size, f32(2.0), m.sub(f32(1.0), divisor))
    rest = m.fma(m.neg(slow), left, m.fma(m.neg(slow), divisor, dividend))
    more = m.fma(rest, inverse, m.neg(m.mul(low, slow)))
    power = exp(m, m.neg(high))
    found = m.fma(power, slow, m.mul(power, more))
    found = m.pick(m.test("lt", x, f32(0.0)), m.sub(f32(2.0), found), found)
    return m.pick(m.test("nan", x, x), x, found)
