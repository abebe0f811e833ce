"""Inverse trigonometric functions of f64."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.doubles import coefficients
from weft.codegen.reals import Double, Reals, double

INFINITY, NAN = float("inf"), float("nan")
HALF_PI = (1.5707963267948966, 6.123233995736766e-17)


def _from_half_pi(m: Reals, angle: Double, turns: float = 1.0) -> Any:
    """turns pi / 2 - angle, with the low part of pi / 2."""
    return m.sub(double(HALF_PI[0] * turns), m.sub(angle, double(HALF_PI[1] * turns)))


def atan(m: Reals, x: Double) -> Any:
    """The inverse of the tangent: of 1 / |x| where that is smaller."""
    size = m.abs(x)
    steep = m.test("gt", size, double(1.0))
    inverse = m.pick(m.test("gt", size, double(2.0**1000)), double(0.0), m.reciprocal(size))
    found = m.odd(m.pick(steep, inverse, size), coefficients.ATAN)
    return m.signed(m.pick(steep, _from_half_pi(m, found), found), x)


def _ratio(m: Reals, least: Double, most: Double) -> Any:
    """least / most for 0 <= least <= most; 0 / 0 is 0, inf / inf is 1."""
    scale = m.pick(m.test("gt", most, double(2.0**500)), double(2.0**-500), double(1.0))
    scale = m.pick(m.test("lt", most, double(2.0**-500)), double(2.0**500), scale)
    found: Any = m.quotient(m.mul(least, scale), m.mul(most, scale))
    found = m.pick(m.test("eq", most, double(INFINITY)), double(0.0), found)
    found = m.pick(m.test("eq", least, most), double(1.0), found)
    return m.pick(m.test("eq", least, double(0.0)), double(0.0), found)


def atan2(m: Reals, y: Double, x: Double) -> Any:
    """The angle of the point (x, y)."""
    width, height = m.abs(x), m.abs(y)
    found = m.odd(_ratio(m, m.op("min", width, height), m.op("max", width, height)), coefficients.ATAN)
    found = m.pick(m.test("gt", height, width), _from_half_pi(m, found), found)
    behind = m.s.compare("lt", m.bits(x), linear.const(0), signed=True)
    found = m.signed(m.pick(behind, _from_half_pi(m, found, 2.0), found), y)
    return m.pick(m.test("nan", x, y), double(NAN), found)


def _arcsine(m: Reals, size: Double) -> tuple[Any, Any]:
    """(asin(t), large) with t = sqrt((1 - |x|) / 2) where |x| is large, else |x|: then asin |x| = pi/2 - 2 asin t."""
    large = m.test("gt", size, double(0.5625))
    halved = m.fma(size, double(-0.5), double(0.5))
    square = m.pick(large, halved, m.mul(size, size))
    # `root` multiplies by the inverse root, which is infinite at 0.
    root = m.pick(m.test("eq", halved, double(0.0)), double(0.0), m.root(halved))
    t = m.pick(large, root, size)
    return m.fma(m.mul(square, m.polynomial(square, coefficients.ASIN)), t, t), large


def asin(m: Reals, x: Double) -> Any:
    """The inverse of the sine."""
    found, large = _arcsine(m, m.abs(x))
    twice = m.add(found, found)
    return m.signed(m.pick(large, _from_half_pi(m, twice), found), x)


def acos(m: Reals, x: Double) -> Any:
    """The inverse of the cosine: pi/2 - asin x, or 2 asin t, or pi - 2 asin t."""
    found, large = _arcsine(m, m.abs(x))
    twice = m.add(found, found)
    behind = m.s.compare("lt", m.bits(x), linear.const(0), signed=True)
    far = m.pick(behind, _from_half_pi(m, twice, 2.0), twice)
    return m.pick(large, far, _from_half_pi(m, m.signed(found, x)))
