"""Cube roots and lengths of f32."""

from __future__ import annotations

from typing import Any

from weft.codegen.elementary.singles import INFINITY, NAN, Single, Singles, f32
from weft.codegen.graph import Value


def cbrt(m: Singles, x: Single) -> Value:
    """2^(log2 |x| / 3) by the hardware's approximations, and one step of Newton's method."""
    size = m.abs(x)
    tiny = m.test("lt", size, f32(2.0**-126))
    y = m.pick(tiny, m.mul(size, f32(2.0**24)), size)
    near = m.power_of_two(m.mul(m.op("lg2.approx.ftz", y), f32(1 / 3)))
    # near - (near^3 - y) / (3 near^2), with the cube's error in the fma only.
    square = m.reciprocal(m.mul(near, near))
    near = m.fma(m.fma(y, square, m.neg(near)), f32(1 / 3), near)
    found = m.mul(near, m.pick(tiny, f32(2.0**-8), f32(1.0)))
    # Zeros, infinities and NaNs are what they were.
    plain = m.both(m.test("gt", size, f32(0.0)), m.test("lt", size, f32(INFINITY)))
    return m.pick(plain, m.signed(found, x), x)


def rcbrt(m: Singles, x: Single) -> Value:
    """1 / cbrt(x)."""
    return m.op("rcp.approx", cbrt(m, x))


def _scaled(m: Singles, most: Single, parts: list[Single]) -> tuple[list[Value], Value]:
    """The parts times a power of two that keeps their squares in range, and what undoes it."""
    large, small = m.test("gt", most, f32(2.0**60)), m.test("lt", most, f32(2.0**-60))
    up = m.pick(large, f32(2.0**-90), m.pick(small, f32(2.0**90), f32(1.0)))
    down = m.pick(large, f32(2.0**90), m.pick(small, f32(2.0**-90), f32(1.0)))
    return [m.mul(part, up) for part in parts], down


def _square_sum(m: Singles, parts: list[Value]) -> Value:
    total = m.mul(parts[-1], parts[-1])
    for part in reversed(parts[:-1]):
        total = m.fma(part, part, total)
    return total


def _largest(m: Singles, sizes: list[Value]) -> Value:
    most = sizes[0]
    for size in sizes[1:]:
        most = m.op("max", most, size)
    return most


def _ends(m: Singles, most: Value, sizes: list[Value], found: Value, infinite: float) -> Any:
    """`found`, but `infinite` where one operand is infinite, and else a NaN where one is a NaN."""
    for size in sizes:
        found = m.pick(m.test("nan", size, size), f32(NAN), found)
    return m.pick(m.test("eq", most, f32(INFINITY)), f32(infinite), found)


def norm(m: Singles, *operands: Single) -> Value:
    """The square root of the sum of squares, without overflow in between."""
    sizes = [m.abs(x) for x in operands]
    most = _largest(m, sizes)
    parts, back = _scaled(m, most, [*sizes])
    return _ends(m, most, sizes, m.mul(m.root(_square_sum(m, parts)), back), INFINITY)


def rnorm(m: Singles, *operands: Single) -> Value:
    """1 / norm."""
    sizes = [m.abs(x) for x in operands]
    most = _largest(m, sizes)
    parts, _ = _scaled(m, most, [*sizes])
    large, small = m.test("gt", most, f32(2.0**60)), m.test("lt", most, f32(2.0**-60))
    back = m.pick(large, f32(2.0**-90), m.pick(small, f32(2.0**90), f32(1.0)))
    inverse = m.op("rsqrt.approx.ftz", _square_sum(m, parts))
    return _ends(m, most, sizes, m.mul(inverse, back), 0.0)
