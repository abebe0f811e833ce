"""Exponentials of f32."""

from __future__ import annotations

from weft.codegen import linear
from weft.codegen.elementary import coefficients
from weft.codegen.elementary.singles import INFINITY, Single, Singles, f32
from weft.codegen.graph import Value

LOG2E = (1.4426950216293335, 1.9259629911266175e-08)
"""log2 e as the nearest f32 and what is left; the rest must be positive, else an infinite argument gives a NaN."""
LOG2_10 = (3.321928024291992, 7.059586509751896e-08)
LN2 = (0.693145751953125, 1.428606765330187e-06)
"""ln 2 in two parts: the first has so few bits that its product with an exponent is exact."""
_STEPS = 252.0
_MAGIC = 12582913.0
"""1.5 2^23 + 1: a sum with it keeps the integer part in its low bits, and one more than it."""


def scaled_power(m: Singles, x: Single, factor: tuple[float, float], less: int = 0) -> Value:
    """2^(x * factor - less), right up to the ends of the range, infinities and NaNs; with `less` for x >= 0 only.

    The exponent is split into n from -126 to 126 and a rest that takes what is beyond: r lies in [-1/2, 1/2] within the
    range of normal numbers, reaches 2 above it and -24 below.  A saturating product finds n without a comparison: it
    maps -126 to 0 and 126 to 1.  The one rounding of the last product is then also right for denormal results.
    """
    s = m.s
    place = m.op("fma", x, f32(factor[0] / _STEPS), f32(0.5), rnd="rn", sat=True)
    shifted = m.fma(place, f32(_STEPS), f32(_MAGIC - less))
    n = m.sub(shifted, f32(_MAGIC + _STEPS / 2 - less))
    rest = m.fma(x, f32(factor[0]), m.neg(n))
    power = m.power_of_two(m.fma(x, f32(factor[1]), rest))
    # n + 127 - less stands in the low bits of the sum.
    return m.mul(power, m.of_bits(s.shift_left(m.bits(shifted), linear.const32(23))))


def exp(m: Singles, x: Single) -> Value:
    """e^x."""
    return scaled_power(m, x, LOG2E)


def exp2(m: Singles, x: Single) -> Value:
    """2^x: the instruction is within 2 ulp."""
    return m.op("ex2", x)


def exp10(m: Singles, x: Single) -> Value:
    """10^x."""
    return scaled_power(m, x, LOG2_10)


def exp_fast(m: Singles, x: Single) -> Value:
    """e^x as 2^(x log2 e); the relative error grows with |x|."""
    return exp2(m, m.mul(x, f32(LOG2E[0])))


def exp10_fast(m: Singles, x: Single) -> Value:
    """10^x as 2^(x log2 10); the relative error grows with |x|."""
    return exp2(m, m.mul(x, f32(LOG2_10[0])))


def expm1(m: Singles, x: Single) -> Value:
    """e^x - 1 = 2^n (e^f - 1) + (2^n - 1), all halved so that n = 128 does not overflow."""
    s = m.s
    # Near 1.5 2^23 a unit in the last place is 1: the sum rounds to the nearest integer, and has it in its low bits.
    shifted = m.fma(x, f32(LOG2E[0]), f32(_MAGIC - 1))
    n = m.sub(shifted, f32(_MAGIC - 1))
    f = m.fma(n, f32(-LN2[1]), m.fma(n, f32(-LN2[0]), x))
    near = m.fma(m.mul(f, f), m.polynomial(f, coefficients.EXPM1), f)
    exponent = s.shift_left(m.bits(shifted), linear.const32(23))
    half = m.of_bits(linear.offset(exponent, 0x3F000000))
    found = m.fma(near, half, m.add(half, f32(-0.5)))
    found = m.add(found, found)
    # e^88.73 is beyond the largest f32, and e^-17.5 below half a unit in the last place of 1; further out n would not
    # fit an exponent.
    found = m.pick(m.test("gt", x, f32(89.0)), f32(INFINITY), found)
    found = m.pick(m.test("lt", x, f32(-17.5)), f32(-1.0), found)
    # Below 2^-25 the result is x: so zeros keep their sign, and denormals the bit that a half would lose.
    return m.pick(m.test("lt", m.abs(x), f32(2.0**-25)), x, found)
