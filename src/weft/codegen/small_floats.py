"""Floats of 4, 6 and 8 bits as f32 and back, where PTX has no conversion or not on every target.

They are kept as integers.  Widening is exact; narrowing rounds to nearest even and, the formats having no infinity,
gives the largest number for what is larger (the OCP's conversions, which are those of PTX and of MLIR's arith-expand).
"""

from __future__ import annotations

from weft.codegen import linear
from weft.codegen.formats import SMALL
from weft.codegen.graph import B32, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.isa import opcode

SCALE = "f8E8M0FNU"
"""The format of scales: an exponent only."""
_SINGLE_BIAS, _SINGLE_BITS = 127, 23


def single(value: float) -> Const:
    """An f32 constant."""
    import struct

    return Const(B32, struct.unpack("<I", struct.pack("<f", value))[0])


def widened(s: Selector, a: Lin, name: str) -> Value:
    """The f32 that a small float is."""
    if name == SCALE:
        byte = s.exactly(a, 8, signed=False)
        bits = s.shift_left(byte, linear.const32(_SINGLE_BITS))
        bits = s.choose(_is(s, byte, 0), linear.const32(1 << (_SINGLE_BITS - 1)), bits)
        return s.int_value(s.choose(_is(s, byte, 0xFF), linear.const32(0x7FC00000), bits))
    form = SMALL[name]
    bits = s.exactly(a, form.width, signed=False)
    size = s.bitwise("and", bits, linear.const32((1 << (form.width - 1)) - 1))
    moved = s.int_value(s.shift_left(size, linear.const32(_SINGLE_BITS - form.significand)))
    magnitude = s.pure(opcode("mul", rnd="rn", type="f32"), B32, moved, single(2.0 ** (_SINGLE_BIAS - form.bias)))
    sign = s.shift_left(s.shift_right(bits, form.width - 1, signed=False), linear.const32(31))
    return s.int_value(s.bitwise("or", linear.of(magnitude), sign))


def _is(s: Selector, a: Lin, number: int) -> Value | Const:
    return s.compare("eq", a, linear.const32(number))


def narrowed(s: Selector, a: Value | Const, name: str) -> Lin:
    """An f32 as a small float; a scale is the exponent of the f32."""
    register = s.register(a, B32)
    bits = linear.of(register)
    if name == SCALE:
        return s.bitwise("and", s.shift_right(bits, _SINGLE_BITS, signed=False), linear.const32(0xFF))
    form = SMALL[name]
    size = s.pure(
        opcode("min", type="f32"), B32, s.pure(opcode("abs", type="f32"), B32, register), single(form.largest)
    )
    dropped = _SINGLE_BITS - form.significand
    whole = linear.of(size)
    odd = s.bitwise("and", s.shift_right(whole, dropped, signed=False), linear.const32(1))
    rounded = s.shift_right(
        linear.of(s.int_value(s.add(linear.offset(whole, (1 << (dropped - 1)) - 1), odd))), dropped, signed=False
    )
    normal = linear.offset(rounded, -((_SINGLE_BIAS - form.bias) << form.significand))
    unit = 2.0 ** (form.significand + form.bias - 1)
    steps = linear.of(
        s.pure(
            opcode("cvt", rnd="rni", type="s32", atype="f32"),
            B32,
            s.pure(opcode("mul", rnd="rn", type="f32"), B32, size, single(unit)),
        )
    )
    small = s.pure(opcode("setp", cmp="lt", type="f32"), "pred", size, single(2.0 ** (1 - form.bias)))
    magnitude = s.choose(small, steps, normal)
    sign = s.shift_left(s.shift_right(bits, 31, signed=False), linear.const32(form.width - 1))
    return s.bitwise("or", magnitude, sign)
