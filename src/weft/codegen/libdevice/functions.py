"""Functions of libdevice that are neither an instruction nor an operation of `math`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen import doubles, linear
from weft.codegen.elementary import roots, trigonometric
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.linear import Lin
from weft.isa import opcode

INFINITY, NAN = float("inf"), float("nan")


LIMITS = {"f32": (2.0**60, 2.0**90), "f64": (2.0**480, 2.0**600)}
"""A size from which on squares may overflow, and what brings all larger ones back; the inverses for small ones."""


def _squares(a: Arithmetic, operands: tuple[Any, ...]) -> tuple[Any, Any, Any, Callable[[Any, float], Any]]:
    """(the sum of squares of the operands times a power of two, that power, its inverse, what sets a result's ends)."""
    m, (limit, factor) = a.m, LIMITS[a.kind.name]
    sizes = [m.abs(x) for x in operands]
    most = sizes[0]
    for size in sizes[1:]:
        most = m.op("max", most, size)
    large, small = m.test("gt", most, a.const(limit)), m.test("lt", most, a.const(1 / limit))

    def scale(by: float) -> Any:
        return m.pick(large, a.const(1 / by), m.pick(small, a.const(by), a.const(1.0)))

    up, down = scale(factor), scale(1 / factor)
    parts = [m.mul(size, up) for size in sizes]
    total = m.mul(parts[-1], parts[-1])
    for part in reversed(parts[:-1]):
        total = m.fma(part, part, total)

    def with_ends(found: Any, infinite: float) -> Any:
        """`infinite` where one operand is infinite, and else a NaN where one is a NaN."""
        for size in sizes:
            found = m.pick(m.test("nan", size, size), a.const(NAN), found)
        return m.pick(m.test("eq", most, a.const(INFINITY)), a.const(infinite), found)

    return total, up, down, with_ends


def root(a: Arithmetic, total: Any, *, inverse: bool) -> Any:
    """The square root of a sum of squares, or its inverse."""
    if not inverse:
        return a.m.root(total) if a.single else a.m.sqrt(total)
    if a.single:
        return a.m.op("rsqrt", total, rnd="approx", ftz=True)
    return a.m.div(a.const(1.0), a.m.sqrt(total))


def norm(a: Arithmetic, *operands: Any) -> Any:
    """The square root of the sum of squares, without overflow in between."""
    total, _, down, with_ends = _squares(a, operands)
    return with_ends(a.m.mul(root(a, total, inverse=False), down), INFINITY)


def rnorm(a: Arithmetic, *operands: Any) -> Any:
    """1 / norm."""
    total, up, _, with_ends = _squares(a, operands)
    return with_ends(a.m.mul(root(a, total, inverse=True), up), 0.0)


def rcbrt(a: Arithmetic, x: Any) -> Any:
    """1 / cbrt."""
    return roots.rcbrt(a.m, x) if a.single else doubles.roots.rcbrt(a.m, x)


def _turned(a: Arithmetic, x: Any) -> tuple[Lin, Any]:
    """(q, r) with pi x = q pi/2 + r modulo 2 pi, |r| <= pi/4: without the even integers in x all of it is exact."""
    m = a.m
    rest = m.fma(m.op("cvt", m.mul(x, a.const(0.5)), rnd="rzi", atype=a.kind.name), a.const(-2.0), x)
    quarter = m.nearest(m.add(rest, rest))
    left = m.fma(quarter, a.const(-0.5), rest)
    whole = linear.of(a.s.pure(opcode("cvt", rnd="rzi", type="s32", atype=a.kind.name), "b32", quarter))
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


def half_turns(a: Arithmetic, x: Any) -> Any:
    """sin(pi x), without a care for the sign of zeros."""
    return _waves(a, x)[0]


def sinpi(a: Arithmetic, x: Any) -> Any:
    """sin(pi x); whole numbers give a zero with the sign of x."""
    whole = a.m.test("eq", a.m.op("cvt", x, rnd="rzi", atype=a.kind.name), x)
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
