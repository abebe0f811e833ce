"""The cube root of f64."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.elementary.singles import f32
from weft.codegen.graph import B32, B64
from weft.codegen.reals import Double, Reals, double
from weft.isa import opcode

INFINITY = float("inf")


def cbrt(m: Reals, x: Double) -> Any:
    """From 22 bits of the f32 instructions, one step of Halley's method: three times as many.

    The exponent is split so that the mantissa lies in [1, 8) and the rest divides by 3.
    """
    s = m.s
    size = m.abs(x)
    tiny = m.test("lt", size, double(2.0**-1022))
    y = m.pick(tiny, m.mul(size, double(2.0**54)), size)
    bits = m.bits(y)
    field = s.truncated(s.shift_right(bits, 52, signed=False))
    # (field + 3 * 1024 - 1023) / 3 - 1024 = floor((field - 1023) / 3), by a product that is exact for such numbers.
    third = s.shift_right(s.mul(linear.offset(field, 3 * 1024 - 1023), linear.const(21846, 32)), 16, signed=False)
    third = linear.of(s.int_value(linear.offset(third, -1024)))
    inside = m.of_bits(s.sub(bits, s.shift_left(s.extended(linear.scaled(third, 3), signed=True), linear.const(52))))
    near = s.pure(opcode("cvt", rnd="rn", type="f32", atype="f64"), B32, inside)
    log = s.pure(opcode("lg2", ftz=True, type="f32"), B32, near)
    rough = s.pure(
        opcode("ex2", ftz=True, type="f32"), B32, s.pure(opcode("mul", rnd="rn", type="f32"), B32, log, f32(1 / 3))
    )
    a = s.pure(opcode("cvt", type="f64", atype="f32"), B64, rough)
    cube = m.mul(m.mul(a, a), a)
    over, under = m.sub(cube, inside), m.fma(cube, double(2.0), inside)
    found = m.fma(m.neg(a), m.mul(over, m.reciprocal(under)), a)
    back = m.s.add(third, s.choose(tiny, linear.const(-18, 32), linear.const(0, 32)))
    found = m.of_bits(s.add(m.bits(found), s.shift_left(s.extended(back, signed=True), linear.const(52))))
    plain = m.both(m.test("gt", size, double(0.0)), m.test("lt", size, double(INFINITY)))
    return m.pick(plain, m.signed(found, x), x)
