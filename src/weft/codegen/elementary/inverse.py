"""Inverse trigonometric functions of f32."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.elementary import coefficients
from weft.codegen.elementary.singles import NAN, Single, Singles, f32
from weft.codegen.graph import Value

HALF_PI = coefficients.HALF_PI
"""Two floats whose product is pi / 2 to 48 bits: one fma subtracts from pi / 2 with one rounding."""


def _from_half_pi(m: Singles, angle: Single, turns: float = 1.0) -> Value:
    """turns pi / 2 - angle."""
    return m.fma(f32(HALF_PI[0] * turns), f32(HALF_PI[1]), m.neg(angle))


def atan(m: Singles, x: Single) -> Value:
    """The inverse of the tangent: of 1 / |x| where that is smaller."""
    size = m.abs(x)
    steep = m.test("gt", size, f32(1.0))
    found = m.odd(m.pick(steep, m.reciprocal(size), size), coefficients.ATAN)
    return m.signed(m.pick(steep, _from_half_pi(m, found), found), x)


def _quotient(m: Singles, least: Single, most: Single) -> Any:
    """least / most for 0 <= least <= most, nearly correctly rounded; 0 / 0 is 0, inf / inf is 1."""
    scale = m.pick(m.test("gt", most, f32(2.0**64)), f32(2.0**-64), f32(1.0))
    scale = m.pick(m.test("lt", most, f32(2.0**-64)), f32(2.0**64), scale)
    # Scaled by powers of two, which is exact: the reciprocal of numbers beyond 2^126 would be 0, and remainders of tiny
    # ones denormal.
    a, b = m.mul(least, scale), m.mul(most, scale)
    inverse = m.reciprocal(b)
    first = m.mul(a, inverse)
    found = m.fma(m.fma(m.neg(first), b, a), inverse, first)
    found = m.pick(m.test("eq", most, f32(float("inf"))), f32(0.0), found)
    found = m.pick(m.test("eq", least, most), f32(1.0), found)
    return m.pick(m.test("eq", least, f32(0.0)), f32(0.0), found)


def atan2(m: Singles, y: Single, x: Single) -> Value:
    """The angle of the point (x, y)."""
    width, height = m.abs(x), m.abs(y)
    found: Any = m.odd(_quotient(m, m.op("min", width, height), m.op("max", width, height)), coefficients.ATAN)
    found = m.pick(m.test("gt", height, width), _from_half_pi(m, found), found)
    # The sign bit decides, not x < 0: C's atan2 takes -0 as negative.
    behind = m.s.compare("lt", m.bits(x), linear.const32(0), signed=True)
    found = m.signed(m.pick(behind, _from_half_pi(m, found, 2.0), found), y)
    return m.pick(m.test("nan", x, y), f32(NAN), found)


def _arcsine(m: Singles, size: Single) -> tuple[Value, Value]:
    """(asin(t), large) with t = sqrt((1 - |x|) / 2) where |x| is large, else |x|: then asin |x| = pi/2 - 2 asin t."""
    # At 1 the slope of asin is infinite, so that no polynomial in x converges well there; in t it has none of that.
    large = m.test("gt", size, f32(0.5625))
    square = m.pick(large, m.fma(size, f32(-0.5), f32(0.5)), m.mul(size, size))
    t = m.pick(large, m.root(square), size)
    return m.fma(m.mul(square, m.polynomial(square, coefficients.ASIN)), t, t), large


def asin(m: Singles, x: Single) -> Value:
    """The inverse of the sine."""
    found, large = _arcsine(m, m.abs(x))
    return m.signed(m.pick(large, m.fma(found, f32(-2.0), f32(1.5707963267948966)), found), x)


def acos(m: Singles, x: Single) -> Value:
    """The inverse of the cosine: pi/2 - asin x, or 2 asin t, or pi - 2 asin t."""
    found, large = _arcsine(m, m.abs(x))
    twice = m.add(found, found)
    behind = m.s.compare("lt", m.bits(x), linear.const32(0), signed=True)
    far = m.pick(behind, _from_half_pi(m, twice, 2.0), twice)
    return m.pick(large, far, _from_half_pi(m, m.signed(found, x)))
