"""Functions of libdevice that are neither an instruction nor an operation of `math`."""

from __future__ import annotations

from typing import Any

from weft.codegen import doubles, linear
from weft.codegen.elementary import roots, trigonometric
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.linear import Lin
from weft.isa import opcode


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
