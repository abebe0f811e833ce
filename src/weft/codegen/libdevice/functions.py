"""Functions of libdevice that are neither an instruction nor an operation of `math`."""

from __future__ import annotations

from typing import Any

from weft.codegen import doubles, linear
from weft.codegen.elementary import roots, trigonometric
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.linear import Lin

INFINITY, NAN = float("inf"), float("nan")


def _scaled(a: Arithmetic, operands: tuple[Any, ...]) -> tuple[Any, list[Any], list[Any], Any, Any]:
    """(the largest size, all sizes, them times a power of two, that power, its inverse); f64's squares need it too."""
    m = a.m
    sizes = [m.abs(x) for x in operands]
    most = sizes[0]
    for size in sizes[1:]:
        most = m.op("max", most, size)
    large, small = m.test("gt", most, a.const(2.0**480)), m.test("lt", most, a.const(2.0**-480))
    up = m.pick(large, a.const(2.0**-600), m.pick(small, a.const(2.0**600), a.const(1.0)))
    down = m.pick(large, a.const(2.0**600), m.pick(small, a.const(2.0**-600), a.const(1.0)))
    return most, sizes, [m.mul(size, up) for size in sizes], up, down


def _with_ends(a: Arithmetic, most: Any, sizes: list[Any], found: Any, infinite: float) -> Any:
    """`found`, but `infinite` where one operand is infinite, and else a NaN where one is a NaN."""
    m = a.m
    for size in sizes:
        found = m.pick(m.test("nan", size, size), a.const(NAN), found)
    return m.pick(m.test("eq", most, a.const(INFINITY)), a.const(infinite), found)


def _square_sum(a: Arithmetic, parts: list[Any]) -> Any:
    total = a.m.mul(parts[-1], parts[-1])
    for part in reversed(parts[:-1]):
        total = a.m.fma(part, part, total)
    return total


def norm(a: Arithmetic, *operands: Any) -> Any:
    """The square root of the sum of squares."""
    if a.single:
        return roots.norm(a.m, *operands)
    most, sizes, parts, _, down = _scaled(a, operands)
    return _with_ends(a, most, sizes, a.m.mul(a.m.sqrt(_square_sum(a, parts)), down), INFINITY)


def rnorm(a: Arithmetic, *operands: Any) -> Any:
    """1 / norm."""
    if a.single:
        return roots.rnorm(a.m, *operands)
    most, sizes, parts, up, _ = _scaled(a, operands)
    inverse = a.m.div(a.const(1.0), a.m.sqrt(_square_sum(a, parts)))
    return _with_ends(a, most, sizes, a.m.mul(inverse, up), 0.0)


def rcbrt(a: Arithmetic, x: Any) -> Any:
    """1 / cbrt."""
    if a.single:
        return roots.rcbrt(a.m, x)
    return a.m.div(a.const(1.0), doubles.roots.cbrt(a.m, x))


def _turned(a: Arithmetic, x: Any) -> tuple[Lin, Any]:
    """(q, r) with pi x = q pi/2 + r modulo 2 pi, |r| <= pi/4: without the even integers in x all of it is exact."""
    m = a.m
    rest = m.fma(m.op(f"cvt.rzi.{a.kind.name}", m.mul(x, a.const(0.5))), a.const(-2.0), x)
    quarter = m.nearest(m.add(rest, rest))
    left = m.fma(quarter, a.const(-0.5), rest)
    whole = linear.of(a.s.pure(f"cvt.rzi.s32.{a.kind.name}", "b32", quarter))
    return whole, left


def _waves(a: Arithmetic, x: Any) -> tuple[Any, Any]:
    """(sin pi x, cos pi x)."""
    quadrant, left = _turned(a, x)
    if a.single:
        angle = a.m.fma(left, a.const(3.1415927410125732), a.m.mul(left, a.const(-8.742277657347586e-08)))
        return trigonometric.turned(a.m, angle, quadrant)
    high, low = a.m.product(left, a.const(3.141592653589793))
    low = a.m.fma(left, a.const(1.2246467991473532e-16), low)
    return doubles.trigonometric.turned(a.m, (high, low), quadrant)


def sinpi(a: Arithmetic, x: Any) -> Any:
    """sin(pi x); whole numbers give a zero with the sign of x."""
    whole = a.m.test("eq", a.m.op(f"cvt.rzi.{a.kind.name}", x), x)
    return a.m.pick(whole, a.m.mul(x, a.const(0.0)), _waves(a, x)[0])


def cospi(a: Arithmetic, x: Any) -> Any:
    """cos(pi x)."""
    return a.m.add(_waves(a, x)[1], a.const(0.0))


def sincospi(a: Arithmetic, x: Any) -> tuple[Any, Any]:
    """Both."""
    return sinpi(a, x), cospi(a, x)


def sincos(a: Arithmetic, x: Any) -> tuple[Any, Any]:
    """The sine and the cosine."""
    return (trigonometric.sincos if a.single else doubles.trigonometric.sincos)(a.m, x)
