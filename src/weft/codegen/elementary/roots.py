"""Cube roots of f32."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.elementary.singles import Single, Singles, f32
from weft.codegen.graph import Value

_EXPONENT = 0x7F800000
"""The exponent's bits: changed, they make infinities of zeros and zeros of infinities."""


def _power(m: Singles, x: Single, power: float) -> Value:
    """|x|^power by the hardware's approximations; denormals are scaled for them."""
    size = m.abs(x)
    tiny = m.test("lt", size, f32(2.0**-126))
    log = m.op("lg2", m.pick(tiny, m.mul(size, f32(2.0**24)), size), ftz=True)
    log = m.pick(tiny, m.add(log, f32(-24.0)), log)
    return m.power_of_two(m.mul(log, f32(power)))


def _is_end(m: Singles, x: Single) -> Any:
    """Whether x is 0 or infinite; NaNs are not."""
    return m.test("eq", m.add(x, x), x)


def cbrt(m: Singles, x: Single) -> Value:
    """x |x|^(-2/3), and one step of Newton's method."""
    inverse = _power(m, x, -2 / 3)
    near = m.mul(x, inverse)
    # near^2 inverse = 1 + 3 d where inverse = |x|^(-2/3) (1 + d), and two thirds of the error of `near` go as well.
    error = m.fma(m.neg(near), m.mul(near, inverse), f32(1.0))
    return m.pick(_is_end(m, x), x, m.fma(m.mul(error, f32(1 / 3)), near, near))


def rcbrt(m: Singles, x: Single) -> Value:
    """1 / cbrt(x): |x|^(-1/3), and one step of Newton's method."""
    near = _power(m, x, -1 / 3)
    # near + near (1 - |x| near^3) / 3
    error = m.fma(m.neg(m.mul(near, near)), m.mul(m.abs(x), near), f32(1.0))
    found = m.signed(m.fma(m.mul(near, f32(1 / 3)), error, near), x)
    end = m.of_bits(m.s.bitwise("xor", m.bits(x), linear.const32(_EXPONENT)))
    return m.pick(_is_end(m, x), end, found)
