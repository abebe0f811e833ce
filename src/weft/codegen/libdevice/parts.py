"""Functions of libdevice that take floats apart, put them together and classify them."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.elementary.rounding import away, away_double
from weft.codegen.graph import B16, B32, B64
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.linear import Lin
from weft.codegen.ops.float_parts import fraction_and_exponent
from weft.codegen.remainder import divide
from weft.isa import opcode

_LEAST, _MOST = -(1 << 31), (1 << 31) - 1


def isnan(a: Arithmetic, x: Any) -> Lin:
    """1 for a NaN."""
    return a.flag(a.m.test("nan", x, x))


def isinf(a: Arithmetic, x: Any) -> Lin:
    """1 for an infinity."""
    return a.flag(a.m.test("eq", a.m.abs(x), a.const(float("inf"))))


def isfinite(a: Arithmetic, x: Any) -> Lin:
    """1 for a finite number."""
    return a.flag(a.m.test("lt", a.m.abs(x), a.const(float("inf"))))


def signbit(a: Arithmetic, x: Any) -> Lin:
    """1 if the sign is set."""
    return a.flag(a.negative(x))


def copysign(a: Arithmetic, size: Any, sign: Any) -> Any:
    """The first with the sign of the second."""
    return a.m.signed(size, sign)


def fdim(a: Arithmetic, x: Any, y: Any) -> Any:
    """x - y where that is positive, else 0."""
    return a.m.pick(a.m.test("le", x, y), a.const(0.0), a.m.sub(x, y))


def round_away(a: Arithmetic, x: Any) -> Any:
    """The nearest integer, halves away from zero."""
    return away(a.m, x) if a.single else away_double(a.s, x)


def llround(a: Arithmetic, x: Any) -> Lin:
    """`round_away` as a 64-bit integer."""
    return linear.of(a.s.pure(opcode("cvt", rnd="rzi", type="s64", atype=a.kind.name), B64, round_away(a, x)))


def nextafter(a: Arithmetic, x: Any, y: Any) -> Any:
    """The float beside x in the direction of y: patterns of one sign are ordered as the floats are."""
    s, m = a.s, a.m
    bits = a.bits(x)
    # Away from zero is one more, towards it one less.
    outward = s.compare("eq", s.from_test(m.test("lt", x, y), 32), s.from_test(m.test("gt", x, a.const(0.0)), 32))
    step = s.choose(outward, linear.offset(bits, 1), linear.offset(bits, -1))
    least = s.bitwise("or", s.bitwise("and", a.bits(y), a.whole(a.format.sign)), a.whole(1))
    found = s.int_value(s.choose(m.test("eq", x, a.const(0.0)), least, step))
    found = m.pick(m.test("eq", x, y), y, found)
    return m.pick(m.test("nan", x, y), m.add(x, y), found)


def ilogb(a: Arithmetic, x: Any) -> Lin:
    """The exponent of 2; the least integer for 0 and NaN, the largest for infinities."""
    s, form = a.s, a.format
    bits = s.int_value(a.size(x))
    # The highest bit that is set: of a normal number that of the exponent field says little, so its field counts.
    field = s.truncated(s.shift_right(linear.of(bits), form.significand, signed=False))
    zeros = linear.of(s.pure(opcode("clz", type=f"b{form.width}"), B32, bits, lo=0, hi=form.width))
    tiny = s.sub(linear.const32(form.width - form.significand - form.bias), zeros)
    normal = s.compare("ne", field, linear.const32(0))
    found = s.choose(normal, linear.offset(field, -form.bias), tiny)
    found = s.choose(a.m.test("eq", x, a.const(0.0)), linear.const32(_LEAST), found)
    ends = s.choose(a.m.test("nan", x, x), linear.const32(_LEAST), linear.const32(_MOST))
    return s.choose(a.m.test("lt", a.m.abs(x), a.const(float("inf"))), found, ends)


def logb(a: Arithmetic, x: Any) -> Any:
    """The exponent of 2 as a float; -inf for 0, +inf for infinities."""
    m = a.m
    exponent = m.from_integer(ilogb(a, x))
    found = m.pick(m.test("eq", x, a.const(0.0)), a.const(float("-inf")), exponent)
    found = m.pick(m.test("eq", m.abs(x), a.const(float("inf"))), a.const(float("inf")), found)
    return m.pick(m.test("nan", x, x), m.add(x, x), found)


def modf(a: Arithmetic, x: Any) -> tuple[Any, Any]:
    """(the fraction, the integer), both with the sign of x."""
    m = a.m
    whole = m.op("cvt", x, rnd="rzi", atype=a.kind.name)
    fraction = m.pick(m.test("eq", m.abs(x), a.const(float("inf"))), a.const(0.0), m.sub(x, whole))
    return m.signed(fraction, x), whole


def quotient(a: Arithmetic, x: Any, y: Any) -> tuple[Any, Lin]:
    """(the remainder of the division rounded to the nearest integer, that integer modulo 8, with its sign).

    |y| less the rest is exact where it is the smaller.
    """
    s, m = a.s, a.m
    size, unit = m.abs(x), m.abs(y)
    rest, count = divide(s, size, unit, a.kind, positive=True)
    less = m.sub(rest, unit)
    left = m.neg(less)
    up = m.either(m.test("gt", rest, left), m.both(m.test("eq", rest, left), s.to_test(count)))
    rest = m.pick(up, less, rest)
    count = s.bitwise("and", s.add(count, s.from_test(up, 32)), linear.const32(7))
    sign = s.bitwise("and", a.bits(x), a.whole(a.format.sign))
    rest = s.int_value(s.bitwise("xor", a.bits(rest), sign))
    other = s.compare("lt", s.bitwise("xor", a.bits(x), a.bits(y)), a.whole(0), signed=True)
    return rest, s.choose(other, s.sub(linear.const32(0), count), count)


def remainder_nearest(a: Arithmetic, x: Any, y: Any) -> Any:
    """IEEE's remainder."""
    return quotient(a, x, y)[0]


def half(a: Arithmetic, x: Any) -> Lin:
    """The bits of an f32 as the nearest f16."""
    return linear.of(
        a.s.pure(
            opcode("cvt", type="u32", atype="u16"),
            B32,
            a.s.pure(opcode("cvt", rnd="rn", type="f16", atype="f32"), B16, x),
            lo=0,
            hi=0xFFFF,
        )
    )


def halfway(a: Arithmetic, x: Lin, y: Lin, *, signed: bool, up: bool) -> Lin:
    """(x + y) / 2 without overflow, rounded down, or up."""
    s = a.s
    differing = s.shift_right(s.bitwise("xor", x, y), 1, signed=signed)
    if up:
        return s.sub(s.bitwise("or", x, y), differing)
    return s.add(s.bitwise("and", x, y), differing)


def first_set(a: Arithmetic, x: Lin) -> Lin:
    """The number of the lowest bit that is set, from 1; 0 if there is none."""
    s = a.s
    alone = s.bitwise("and", x, s.sub(linear.const(0, x.bits), x))
    zeros = linear.of(s.pure(opcode("clz", type=f"b{x.bits}"), B32, s.int_value(alone), lo=0, hi=x.bits))
    return s.sub(linear.const32(x.bits), zeros)


def of_half(a: Arithmetic, x: Lin) -> Any:
    """The f16 with these bits as an f32."""
    return a.s.pure(
        opcode("cvt", type="f32", atype="f16"),
        B32,
        a.s.pure(opcode("cvt", type="u16", atype="u32"), B16, a.s.int_value(x)),
    )


def not_a_number(a: Arithmetic, text: Lin) -> Any:
    """A quiet NaN; what the text says of its payload does not matter."""
    return a.s.int_value(a.whole(a.format.sign - 1))


def inverse_root(a: Arithmetic, x: Any) -> Any:
    """1 / sqrt(x), correctly rounded: y + y (e / 2 + 3 e^2 / 8) for an approximation y, whose 1 - x y^2 = e is exact.

    The sum has some 45 bits before it is rounded, and no f32 has an inverse root as near to a tie.
    """
    s, m = a.s, a.m
    near = m.op("rsqrt", x, rnd="approx")
    high, low = m.product(x, near)
    error = m.fma(m.neg(low), near, m.fma(m.neg(high), near, a.const(1.0)))
    found = m.fma(m.mul(near, error), m.fma(error, a.const(0.375), a.const(0.5)), near)
    # Of a zero and of an infinity the approximation is right, and the rest a NaN.
    plain = s.compare("lt", linear.offset(a.bits(x), -1), a.whole(a.format.infinity - 1), signed=False)
    return m.pick(plain, found, near)


def frexp(a: Arithmetic, x: Any) -> tuple[Any, Lin]:
    """(a fraction from 1/2 to 1, the exponent); zeros, infinities and NaNs stay, with exponent 0."""
    return fraction_and_exponent(a.s, x, a.kind)


def byte_perm(a: Arithmetic, x: Lin, y: Lin, selector: Lin) -> Lin:
    """Four of the eight bytes of two words; the fourth bit of a selector, a sign's in `prmt`, means nothing."""
    s = a.s
    kept = s.bitwise("and", selector, linear.const32(0x7777))
    return linear.of(s.pure(opcode("prmt", type="b32"), B32, *(s.operand(v) for v in (x, y, kept))))
