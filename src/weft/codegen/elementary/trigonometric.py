"""Sine, cosine and tangent of f32.

Arguments are reduced to at most pi/4 by Cody and Waite's method while that is exact enough, and by Payne and Hanek's
beyond, in a branch of its own.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

from weft.codegen import linear
from weft.codegen.elementary import coefficients
from weft.codegen.elementary.singles import NAN, Single, Singles, f32
from weft.codegen.floats import F32
from weft.codegen.graph import B32, B64, Addr, If, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.merging import merge_all
from weft.codegen.pi import two_over_pi_bits
from weft.codegen.reals import double
from weft.codegen.types import Scalar
from weft.isa import opcode
from weft.ptx.operands import Symbol

_MAGIC = 12582912.0
"""1.5 2^23: a sum with it keeps the integer part in its low bits."""
_LARGE = 48039.0
"""From here on the quotient with pi/2 has more bits than the three parts of pi/2 leave room for."""
_WORDS = 7
_MOST_USES = 16
_I32 = Scalar("int", "b32", 32, "i32")


@cache
def two_over_pi() -> bytes:
    """A word of zeros and then the bits of 2 / pi in 32-bit words, the most significant word first."""
    bits = two_over_pi_bits(32 * _WORDS)
    words = [bits >> (32 * (_WORDS - 1 - i)) & 0xFFFFFFFF for i in range(_WORDS)]
    return b"".join(word.to_bytes(4, "little") for word in [0, *words])


def reduced(m: Singles, x: Single) -> tuple[Lin, Value]:
    """(q, r) with x = q pi/2 + r, |r| <= pi/4 and a bit; q counts modulo 4."""
    return m.s.once(("reduced", x), lambda: _reduced(m, x))


def _reduced(m: Singles, x: Single) -> tuple[Lin, Value]:
    s = m.s
    shifted = m.fma(x, f32(0.6366197723675814), f32(_MAGIC))
    n = m.sub(shifted, f32(_MAGIC))
    near: Single = x
    for part in coefficients.HALF_PI_PARTS:
        near = m.fma(n, f32(-part), near)
    branch = If(m.test("gt", m.abs(x), f32(_LARGE)), s.child(), s.child())
    with s.at(branch.then):
        far_quadrant, far = _reduced_large(m, x)
    quadrant, rest = merge_all(s, branch, (far_quadrant, far), (m.bits(shifted), near), (_I32, F32))
    return quadrant, rest


def _reduced_large(m: Singles, x: Single) -> tuple[Lin, Any]:
    """Payne and Hanek: of the mantissa M times the bits of 2 / pi only 96 bits matter.

    Bits of 2 / pi whose product with M is a multiple of 4 change no quadrant.  The 96 bits start at the first of the
    others, two of weight; modulo 2^96 their product with M has the quadrant in its top two bits, and then the fraction.
    """
    s = m.s
    bits = m.bits(x)
    exponent = s.bitwise("and", s.shift_right(bits, 23, signed=False), linear.const32(0xFF))
    mantissa = s.bitwise("or", s.shift_left(bits, linear.const32(8)), linear.const32(-(1 << 31)))
    mantissa = linear.of(s.int_value(mantissa))
    # The value is M 2^(exponent - 158); bit p of 2 / pi weighs 2^-(p + 1), so the first that matters is at
    # exponent - 160, behind the 32 zeros at the front of the table.
    start = linear.offset(exponent, 32 - 160)
    table = s.pure(opcode("mov", type="b64"), B64, Symbol(s.module.constant_data(two_over_pi(), align=4)))
    index = s.extended(s.shift_right(start, 5, signed=False), signed=False)
    place = s.int_value(s.add(linear.of(table), linear.scaled(index, 4)))
    words = [_word(m, place, i) for i in range(4)]
    by = s.operand(s.bitwise("and", start, linear.const32(31)))
    a = [
        linear.of(s.pure(opcode("shf", dir="l", mode="wrap", type="b32"), B32, words[i + 1], words[i], by))
        for i in range(3)
    ]
    wide = [s.extended(part, signed=False) for part in (*a[1:], mantissa)]
    low = s.shift_right(s.mul(wide[1], wide[2]), 32, signed=False)
    middle = s.add(s.mul(wide[0], wide[2]), low)
    high = s.shift_left(s.extended(s.mul(a[0], mantissa), signed=False), linear.const(32))
    turns = linear.of(s.int_value(s.add(high, middle)))
    # 2^62 is a quadrant: half of one more rounds to the nearest, and the bits below it, read as signed, are the
    # distance from there, in [-1/2, 1/2).
    quadrant = s.truncated(s.shift_right(s.add(turns, linear.const(1 << 61)), 62, signed=False))
    fraction = s.int_value(s.shift_left(turns, linear.const(2)))
    wide_rest = s.pure(
        opcode("mul", rnd="rn", type="f64"),
        B64,
        s.pure(opcode("cvt", rnd="rn", type="f64", atype="s64"), B64, fraction),
        double(1.5707963267948966 * 2.0**-64),
    )
    rest = s.pure(opcode("cvt", rnd="rn", type="f32", atype="f64"), B32, wide_rest)
    negative = s.compare("lt", bits, linear.const32(0), signed=True)
    quadrant = s.choose(negative, s.sub(linear.const32(0), quadrant), quadrant)
    rest = m.pick(negative, m.neg(rest), rest)
    return quadrant, m.pick(m.test("eq", m.abs(x), f32(float("inf"))), f32(NAN), rest)


def _word(m: Singles, place: Value, index: int) -> Value:
    """A word of the bits of 2 / pi."""
    value = m.s.value(B32)
    m.s.read(opcode("ld", ss="global", type="b32"), value, Addr(place, 4 * index), outs=(value,))
    return value


def _wave(m: Singles, r: Value, quadrant: Lin) -> Value:
    """sin(r + quadrant pi/2): one polynomial, of which the quadrant chooses the coefficients."""
    s = m.s
    odd = s.to_test(quadrant)
    square = m.mul(r, r)
    pairs = zip(coefficients.COS, (*coefficients.SIN, 0.0), strict=True)
    terms = [m.pick(odd, f32(c), f32(k)) for c, k in pairs]
    first = m.pick(odd, f32(1.0), r)
    # The sum with +0 makes the factor +0 where r is -0, and so keeps the sign of the zero.
    factor = m.fma(square, m.polynomial(square, terms), f32(0.0))
    return m.flipped(m.fma(first, factor, first), quadrant)


def sin(m: Singles, x: Single) -> Value:
    """The sine."""
    if _is_beside(m, "cos"):
        return sincos(m, x)[0]
    quadrant, r = reduced(m, x)
    return _wave(m, r, quadrant)


def cos(m: Singles, x: Single) -> Value:
    """The cosine."""
    if _is_beside(m, "sin"):
        return sincos(m, x)[1]
    quadrant, r = reduced(m, x)
    return _wave(m, r, linear.offset(quadrant, 1))


def sincos(m: Singles, x: Single) -> tuple[Value, Value]:
    """The sine and the cosine: both polynomials once, exchanged in odd quadrants."""
    quadrant, r = reduced(m, x)
    return m.s.once(("sincos", x), lambda: turned(m, r, quadrant))


def _is_beside(m: Singles, other: str) -> bool:
    """Whether the operation that is being selected has another function of the same operand in its block."""
    op = m.s.source
    if op is None or len(op.operands) != 1:
        return False
    names = (f"math.{other}", f"llvm.intr.{other}")
    uses = islice(op.operands[0].uses, _MOST_USES)
    return any(use.operation.name in names and use.operation.parent is op.parent for use in uses)


def turned(m: Singles, r: Single, quadrant: Lin) -> tuple[Value, Value]:
    """The sine and the cosine of r + quadrant pi/2, for |r| <= pi/4."""
    s = m.s
    square = m.mul(r, r)
    sine = m.fma(r, m.fma(square, m.polynomial(square, coefficients.SIN), f32(0.0)), r)
    cosine = m.fma(square, m.polynomial(square, coefficients.COS), f32(1.0))
    odd = s.to_test(quadrant)
    first, second = m.pick(odd, cosine, sine), m.pick(odd, sine, cosine)
    return m.flipped(first, quadrant), m.flipped(second, linear.offset(quadrant, 1))


def tan(m: Singles, x: Single) -> Value:
    """The tangent: in odd quadrants -1 / tan r."""
    quadrant, r = reduced(m, x)
    square = m.mul(r, r)
    near = m.fma(r, m.fma(square, m.polynomial(square, coefficients.TAN), f32(0.0)), r)
    return m.pick(m.s.to_test(quadrant), m.neg(m.reciprocal(near)), near)


def tan_fast(m: Singles, x: Single) -> Value:
    """The quotient of the approximations of sine and cosine."""
    sine, cosine = m.op("sin", x), m.op("cos", x)
    return m.mul(sine, m.reciprocal(cosine))
