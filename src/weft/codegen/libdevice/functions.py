"""Functions of libdevice that are neither an instruction nor an operation of `math`."""

from __future__ import annotations

from typing import Any

from weft.codegen import doubles, linear
from weft.codegen.elementary import roots, trigonometric
from weft.codegen.graph import B32, B64
from weft.codegen.libdevice import coefficients
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.linear import Lin
from weft.isa import opcode


def rcbrt(a: Arithmetic, x: Any) -> Any:
    """1 / cbrt."""
    return roots.rcbrt(a.m, x) if a.single else doubles.roots.rcbrt(a.m, x)


PI = {"f32": (3.141592502593994, 1.5099580252808664e-07), "f64": (3.141592653589793, 1.2246467991473532e-16)}
"""pi as the float below it and what is left: both positive, so that the products of an infinity have a sum."""
_MAGIC = {"f32": 1.5 * 2.0**23, "f64": 1.5 * 2.0**52}
"""Sums with it keep the integer part in their low bits."""


def _turned(a: Arithmetic, x: Any) -> tuple[Lin, Any]:
    """(q, r) with pi x = q pi/2 + pi r modulo 2 pi, |r| <= 1/4; exact, since it leaves out an even integer first."""
    m, magic = a.m, a.const(_MAGIC[a.kind.name])
    rest = m.fma(m.nearest(m.mul(x, a.const(0.5))), a.const(-2.0), x)
    shifted = m.fma(rest, a.const(2.0), magic)
    left = m.fma(m.sub(shifted, magic), a.const(-0.5), rest)
    bits = a.bits(shifted)
    return bits if a.single else a.s.truncated(bits), left


def _waves(a: Arithmetic, quadrant: Lin, r: Any) -> tuple[Any, Any]:
    """The sine and the cosine of pi r + quadrant pi/2."""
    s, m, (pi, rest) = a.s, a.m, PI[a.kind.name]
    sines, cosines = coefficients.SINPI[a.kind.name], coefficients.COSPI[a.kind.name]
    square = m.mul(r, r)
    low = m.fma(square, m.polynomial(square, sines), a.const(rest))
    sine = m.fma(r, a.const(pi), m.mul(r, low))
    cosine = m.fma(square, m.polynomial(square, cosines), a.const(1.0))
    odd = s.to_test(quadrant)
    first, second = m.pick(odd, cosine, sine), m.pick(odd, sine, cosine)
    return m.flipped(first, quadrant), m.flipped(second, linear.offset(quadrant, 1))


def half_turns(a: Arithmetic, x: Any) -> Any:
    """sin(pi x), without a care for the sign of zeros."""
    return _waves(a, *_turned(a, x))[0]


def sincospi(a: Arithmetic, x: Any) -> tuple[Any, Any]:
    """(sin pi x, cos pi x): zeros of the sine have the sign of x, those of the cosine none."""
    m, zero = a.m, a.const(0.0)
    sine, cosine = _waves(a, *_turned(a, x))
    return m.pick(m.test("eq", sine, zero), m.mul(x, zero), sine), m.add(cosine, zero)


def sinpi(a: Arithmetic, x: Any) -> Any:
    """sin(pi x)."""
    return sincospi(a, x)[0] if a.single else _sine_alone(a, x)


def _sine_alone(a: Arithmetic, x: Any) -> Any:
    """sin(pi x) of f64 by one polynomial: that of the distance to the nearest integer, whose last bit is the sign."""
    s, m, (pi, rest) = a.s, a.m, PI[a.kind.name]
    size = m.abs(x)
    whole = m.nearest(size)
    left = m.sub(size, whole)
    # Up to 2^52 this holds the integer in its lower bits; beyond, nothing is left and the sign does not matter.
    odd = s.truncated(a.bits(m.add(whole, a.const(2.0**52))))
    square = m.mul(left, left)
    low = m.fma(square, m.polynomial(square, coefficients.F64_SINPI_WHOLE), a.const(rest))
    # The factor of what is left, between 2 and pi, as a sum: with one number, its rounding would be multiplied, too.
    factor = m.add(low, a.const(pi))
    lost = m.sub(low, m.sub(factor, a.const(pi)))
    sine = m.flipped(m.fma(left, factor, m.mul(left, lost)), linear.scaled(odd, 2))
    upper = s.pure_many(opcode("mov", type="b64"), (B32, B32), s.register(x, B64))[1]
    return m.flipped(m.add(sine, a.const(0.0)), s.shift_right(linear.of(upper), 30, signed=False))


def cospi(a: Arithmetic, x: Any) -> Any:
    """cos(pi x)."""
    return sincospi(a, x)[1]


def sincos(a: Arithmetic, x: Any) -> tuple[Any, Any]:
    """The sine and the cosine."""
    return (trigonometric.sincos if a.single else doubles.trigonometric.sincos)(a.m, x)
