"""Cube roots of f64."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.elementary.singles import f32
from weft.codegen.graph import B32, B64
from weft.codegen.linear import Lin
from weft.codegen.reals import Double, Reals, double
from weft.isa import opcode

INFINITY = float("inf")


def _parts(m: Reals, size: Double) -> tuple[Double, Lin, Any]:
    """(y, k, whether size is denormal): size = y 8^k with y in [1, 8); k is 18 too large for denormals."""
    s = m.s
    tiny = m.test("lt", size, double(2.0**-1022))
    bits = m.bits(m.pick(tiny, m.mul(size, double(2.0**54)), size))
    field = s.truncated(s.shift_right(bits, 52, signed=False))
    # (field + 3 * 1024 - 1023) / 3 - 1024 = floor((field - 1023) / 3), by a product that is exact for such numbers.
    third = s.shift_right(s.mul(linear.offset(field, 3 * 1024 - 1023), linear.const32(21846)), 16, signed=False)
    third = linear.of(s.int_value(linear.offset(third, -1024)))
    inside = m.of_bits(s.sub(bits, s.shift_left(s.extended(linear.scaled(third, 3), signed=True), linear.const(52))))
    return inside, third, tiny


def _rough(m: Reals, y: Double, power: float) -> Double:
    """y^power in 22 bits, by the instructions of f32."""
    s = m.s
    near = s.pure(opcode("cvt", rnd="rn", type="f32", atype="f64"), B32, y)
    log = s.pure(opcode("lg2", ftz=True, type="f32"), B32, near)
    scaled = s.pure(opcode("mul", rnd="rn", type="f32"), B32, log, f32(power))
    return s.pure(opcode("cvt", type="f64", atype="f32"), B64, s.pure(opcode("ex2", ftz=True, type="f32"), B32, scaled))


def _scaled(m: Reals, found: Double, third: Lin, tiny: Any, denormal: int) -> Double:
    """found 2^third, and 2^denormal for denormals: the results are normal numbers."""
    s = m.s
    third = s.add(third, s.choose(tiny, linear.const32(denormal), linear.const32(0)))
    return m.of_bits(s.add(m.bits(found), s.shift_left(s.extended(third, signed=True), linear.const(52))))


def cbrt(m: Reals, x: Double) -> Any:
    """One step of Halley's method from 22 bits: three times as many."""
    size = m.abs(x)
    inside, third, tiny = _parts(m, size)
    a = _rough(m, inside, 1 / 3)
    cube = m.mul(m.mul(a, a), a)
    over, under = m.sub(cube, inside), m.fma(cube, double(2.0), inside)
    found = _scaled(m, m.fma(m.neg(a), m.mul(over, m.reciprocal(under)), a), third, tiny, -18)
    plain = m.both(m.test("gt", size, double(0.0)), m.test("lt", size, double(INFINITY)))
    return m.pick(plain, m.signed(found, x), x)


def rcbrt(m: Reals, x: Double) -> Any:
    """From 22 bits, a step of the series of (1 - e)^(-1/3) for e = 1 - y a^3; the square of a is exact."""
    size = m.abs(x)
    inside, third, tiny = _parts(m, size)
    a = _rough(m, inside, -1 / 3)
    error = m.fma(m.neg(m.mul(a, a)), m.mul(inside, a), double(1.0))
    found = m.fma(m.mul(a, error), m.fma(error, double(2 / 9), double(1 / 3)), a)
    found = _scaled(m, found, linear.scaled(third, -1), tiny, 18)
    # 0 and NaN, then infinity.
    found = m.pick(m.test("gt", size, double(0.0)), found, m.add(size, double(INFINITY)))
    return m.signed(m.pick(m.test("eq", size, double(INFINITY)), double(0.0), found), x)
