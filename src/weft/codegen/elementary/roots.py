"""Cube roots of f32."""

from __future__ import annotations

from weft.codegen.elementary.singles import INFINITY, Single, Singles, f32
from weft.codegen.graph import Value


def cbrt(m: Singles, x: Single) -> Value:
    """2^(log2 |x| / 3) by the hardware's approximations, and one step of Newton's method."""
    size = m.abs(x)
    tiny = m.test("lt", size, f32(2.0**-126))
    y = m.pick(tiny, m.mul(size, f32(2.0**24)), size)
    near = m.power_of_two(m.mul(m.op("lg2", y, ftz=True), f32(1 / 3)))
    # near - (near^3 - y) / (3 near^2), with the cube's error in the fma only.
    square = m.reciprocal(m.mul(near, near))
    near = m.fma(m.fma(y, square, m.neg(near)), f32(1 / 3), near)
    found = m.mul(near, m.pick(tiny, f32(2.0**-8), f32(1.0)))
    # Zeros, infinities and NaNs are what they were.
    plain = m.both(m.test("gt", size, f32(0.0)), m.test("lt", size, f32(INFINITY)))
    return m.pick(plain, m.signed(found, x), x)


def rcbrt(m: Singles, x: Single) -> Value:
    """1 / cbrt(x)."""
    return m.op("rcp", cbrt(m, x), rnd="approx")
