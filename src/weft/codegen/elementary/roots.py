"""Cube roots of f32."""

from __future__ import annotations

from weft.codegen.elementary.singles import INFINITY, Single, Singles, f32
from weft.codegen.graph import Value


def _normal(m: Singles, x: Single) -> tuple[Value, Value, Value]:
    """(|x|, whether it is denormal, |x| or 2^24 |x|)."""
    size = m.abs(x)
    tiny = m.test("lt", size, f32(2.0**-126))
    return size, tiny, m.pick(tiny, m.mul(size, f32(2.0**24)), size)


def _is_plain(m: Singles, size: Single) -> Value:
    return m.both(m.test("gt", size, f32(0.0)), m.test("lt", size, f32(INFINITY)))


def cbrt(m: Singles, x: Single) -> Value:
    """2^(log2 |x| / 3) by the hardware's approximations, and one step of Newton's method."""
    size, tiny, y = _normal(m, x)
    near = m.power_of_two(m.mul(m.op("lg2", y, ftz=True), f32(1 / 3)))
    # near - (near^3 - y) / (3 near^2), with the cube's error in the fma only.
    square = m.reciprocal(m.mul(near, near))
    near = m.fma(m.fma(y, square, m.neg(near)), f32(1 / 3), near)
    found = m.mul(near, m.pick(tiny, f32(2.0**-8), f32(1.0)))
    # Zeros, infinities and NaNs are what they were.
    return m.pick(_is_plain(m, size), m.signed(found, x), x)


def rcbrt(m: Singles, x: Single) -> Value:
    """1 / cbrt(x): 2^(-log2 |x| / 3), and one step of Newton's method."""
    size, tiny, y = _normal(m, x)
    near = m.power_of_two(m.mul(m.op("lg2", y, ftz=True), f32(-1 / 3)))
    # near + near (1 - y near^3) / 3
    error = m.fma(m.neg(m.mul(near, near)), m.mul(y, near), f32(1.0))
    near = m.fma(m.mul(near, f32(1 / 3)), error, near)
    found = m.mul(near, m.pick(tiny, f32(2.0**8), f32(1.0)))
    return m.pick(_is_plain(m, size), m.signed(found, x), m.op("rcp", x, rnd="approx"))
