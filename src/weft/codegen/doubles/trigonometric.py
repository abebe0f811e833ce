"""Trigonometric functions of f64.

Arguments are reduced by Cody and Waite's method while they are small and by Payne and Hanek's beyond.  One of sine and
cosine comes of a reduced argument of 53 bits, both (and the tangent) of one of two numbers, with Taylor's polynomials.
"""

from __future__ import annotations

import struct
from functools import cache
from math import factorial

from weft.codegen import linear
from weft.codegen.doubles import coefficients
from weft.codegen.floats import F64
from weft.codegen.graph import B64, Addr, If, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.merging import merge_all
from weft.codegen.pi import two_over_pi_bits
from weft.codegen.reals import Double, Pair, Reals, double, pair
from weft.codegen.types import Scalar
from weft.isa import opcode
from weft.ptx.operands import Symbol

_SIN = [(-1) ** n / factorial(2 * n + 1) for n in range(1, 9)]
_COS = [(-1) ** n / factorial(2 * n) for n in range(2, 9)]
HALF_PI = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
"""pi / 2 in three parts, of which the first two have 33 bits."""
PARTS_OF_HALF_PI = (1.5707963267948966, 6.123233995736765e-17, 1.082856673921914e-32)
"""pi / 2 in three parts of 53 bits, all positive: 0 times each keeps the sign of a zero that it is taken from."""
PI_2 = pair(1.5707963267948966, 6.123233995736766e-17)
LARGE = 1e6
"""From here on the short reduction loses bits."""
_I32 = Scalar("int", "b32", 32, "i32")
_WORDS = 20
_ZEROS = 2
"""Words of zeros in front of the bits of 2 / pi, for arguments near the border."""


@cache
def two_over_pi() -> bytes:
    """Zeros and then the bits of 2 / pi in 64-bit words, the most significant word first."""
    whole = two_over_pi_bits(64 * _WORDS)
    words = [whole >> (64 * (_WORDS - 1 - i)) & (1 << 64) - 1 for i in range(_WORDS)]
    return b"".join(word.to_bytes(8, "little") for word in [*[0] * _ZEROS, *words])


def reduced(m: Reals, x: Double) -> tuple[Lin, Pair]:
    """(q, r) with x = q pi/2 + r, |r| <= pi/4; q counts modulo 4."""
    return m.s.once(("reduced", x), lambda: _reduced(m, x))


def _reduced(m: Reals, x: Double) -> tuple[Lin, Pair]:
    s = m.s
    n = m.nearest(m.mul(x, double(0.6366197723675814)))
    minus = m.neg(n)
    # Below `LARGE` n has at most 20 bits: its products with the first two parts, of 33 bits, are exact.
    first = m.fma(minus, double(HALF_PI[0]), x)
    second = m.fma(minus, double(HALF_PI[1]), first)
    # What the rounding of `second` has lost.
    error = m.fma(minus, double(HALF_PI[1]), m.sub(first, second))
    near = m.fast_sum(second, m.fma(minus, double(HALF_PI[2]), error))
    branch = If(m.test("gtu", m.abs(x), double(LARGE)), s.child(), s.child())
    with s.at(branch.then):
        far_quadrant, far = _reduced_large(m, x)
    kinds = (_I32, F64, F64)
    quadrant, high, low = merge_all(s, branch, (far_quadrant, *far), (m.integer(n), *near), kinds)
    return quadrant, (high, low)


def _reduced_large(m: Reals, x: Double) -> tuple[Lin, Pair]:
    """Payne and Hanek: of M 2^e times the bits of 2 / pi, only 256 bits around the point matter.

    The first of them has the weight that gives multiples of 2^64 with M; the product keeps 64 bits before the point and
    128 after it, of which a fourth word's product with M decides the last.
    """
    s = m.s
    bits = m.bits(x)
    exponent = s.bitwise("and", s.shift_right(bits, 52, signed=False), linear.const(0x7FF))
    mantissa = s.bitwise("and", bits, linear.const((1 << 52) - 1))
    mantissa = linear.of(s.int_value(s.bitwise("or", mantissa, linear.const(1 << 52))))
    start = linear.offset(exponent, 64 * (_ZEROS - 1) - 1075)
    by = s.truncated(s.bitwise("and", start, linear.const(63)))
    table = s.pure(opcode("mov", type="b64"), B64, Symbol(s.module.constant_data(two_over_pi(), align=8)))
    place = s.int_value(s.add(linear.of(table), linear.scaled(s.shift_right(start, 6, signed=False), 8)))
    words = [_word(m, place, index) for index in range(5)]
    back = linear.add(linear.const32(64), by, -1)
    a = [s.bitwise("or", s.shift_left(words[i], by), s.shift_right(words[i + 1], back, signed=False)) for i in range(4)]
    middle = linear.of(s.int_value(s.mul(a[1], mantissa)))
    low = linear.of(s.int_value(s.mul(a[2], mantissa)))
    end = linear.of(s.int_value(s.add(low, s.mul_high(a[3], mantissa, signed=False))))
    below = s.add(s.mul_high(a[2], mantissa, signed=False), s.from_test(s.compare("lt", end, low, signed=False), 64))
    fraction = linear.of(s.int_value(s.add(middle, below)))
    carry = s.from_test(s.compare("lt", fraction, middle, signed=False), 64)
    whole = s.add(s.add(s.mul(a[0], mantissa), s.mul_high(a[1], mantissa, signed=False)), carry)
    quadrant = s.truncated(s.add(whole, s.shift_right(fraction, 63, signed=False)))
    high, low = m.multiply(_signed_fraction(m, fraction, end), PI_2)
    negative = s.compare("lt", bits, linear.const(0), signed=True)
    quadrant = s.choose(negative, s.sub(linear.const32(0), quadrant), quadrant)
    infinite = s.compare("eq", exponent, linear.const(0x7FF))
    high, low = (m.pick(infinite, double(float("nan")), m.pick(negative, m.neg(v), v)) for v in (high, low))
    return quadrant, (high, low)


def _word(m: Reals, place: Value, index: int) -> Lin:
    """A word of the bits of 2 / pi."""
    value = m.s.value(B64)
    m.s.read(opcode("ld", ss="global", type="b64"), value, Addr(place, 8 * index), outs=(value,))
    return linear.of(value)


def _signed_fraction(m: Reals, high: Lin, low: Lin) -> Pair:
    """A fraction of 128 bits as a number from -1/2 to 1/2."""
    s = m.s
    top = s.pure(
        opcode("cvt", rnd="rn", type="f64", atype="s32"),
        B64,
        s.int_value(s.truncated(s.shift_right(high, 32, signed=True))),
    )
    middle = s.pure(opcode("cvt", rnd="rn", type="f64", atype="u32"), B64, s.int_value(s.truncated(high)))
    end = s.pure(opcode("cvt", rnd="rn", type="f64", atype="u64"), B64, s.int_value(low))
    first, rest = m.fast_sum(m.mul(top, double(2.0**-32)), m.mul(middle, double(2.0**-64)))
    return m.fast_sum(first, m.fma(end, double(2.0**-128), rest))


def _kernels(m: Reals, r: Pair) -> Pair:
    """The sine and cosine of a reduced argument."""
    x, low = r
    z = m.mul(x, x)
    tail = m.mul(m.mul(z, x), m.polynomial(z, _SIN))
    half = m.mul(z, double(0.5))
    sine = m.add(x, m.fma(low, m.sub(double(1.0), half), tail))
    top = m.sub(double(1.0), half)
    rest = m.fma(m.mul(z, z), m.polynomial(z, _COS), m.neg(m.mul(x, low)))
    return sine, m.add(top, m.add(m.sub(m.sub(double(1.0), top), half), rest))


def sincos(m: Reals, x: Double) -> Pair:
    """The sine and the cosine."""
    quadrant, r = reduced(m, x)
    sine, cosine = turned(m, r, quadrant)
    return m.pick(m.test("eq", x, double(0.0)), x, sine), cosine


def turned(m: Reals, r: Pair, quadrant: Lin) -> Pair:
    """The sine and the cosine of r + quadrant pi/2, for |r| <= pi/4."""
    s = m.s
    sine, cosine = _kernels(m, r)
    odd = s.to_test(quadrant)
    a, b = m.pick(odd, cosine, sine), m.pick(odd, sine, cosine)
    return m.flipped(a, quadrant), m.flipped(b, linear.offset(quadrant, 1))


@cache
def _rows() -> bytes:
    """Coefficients of sin(r) / r - 1 and of cos(r) - 1 in r^2, the last ones first: eight words each."""
    rows = ((0.0, *reversed(coefficients.SIN), 0.0), (0.0, *reversed(coefficients.COS)))
    return b"".join(struct.pack("<8d", *row) for row in rows)


def _wave(m: Reals, x: Double, quarter: int) -> Double:
    """sin(x + quarter pi/2): one polynomial, whose coefficients the quadrant chooses in a table."""
    s = m.s
    quadrant, r = s.once(("reduced for one", x), lambda: _reduced_for_one(m, x))
    quadrant = linear.offset(quadrant, quarter)
    odd = s.bitwise("and", quadrant, linear.const32(1))
    name = s.module.constant_data(_rows(), align=16)
    table = linear.of(s.pure(opcode("mov", type="b64"), B64, Symbol(name)))
    place = s.int_value(s.add(table, linear.scaled(s.extended(odd, signed=False), 64)))
    found: list[Value] = []
    for at in range(0, 64, 16):
        pair_ = (s.value(B64), s.value(B64))
        s.read(opcode("ld", ss="global", nc=True, vec="v2", type="b64"), pair_, Addr(place, at), outs=pair_)
        found += pair_
    z = m.mul(r, r)
    total: Double = found[1]
    for coefficient in found[2:]:
        total = m.fma(total, z, coefficient)
    is_odd = s.compare("ne", odd, linear.const32(0))
    wave = m.pick(is_odd, m.fma(total, z, double(1.0)), m.fma(total, r, r))
    return m.flipped(wave, quadrant)


def _reduced_for_one(m: Reals, x: Double) -> tuple[Lin, Double]:
    """(q, r) with x = q pi/2 + r, r a single number."""
    s = m.s
    n = s.int_value(m.integer(m.nearest(m.mul(x, double(0.6366197723675814)))))
    count = m.from_integer(linear.of(n))  # Of an integer: that of -0 is 0, which keeps the sign of x.
    r = x
    for part in PARTS_OF_HALF_PI:
        r = m.fma(count, double(-part), r)
    branch = If(m.test("geu", m.abs(x), double(2.0**31)), s.child(), s.child())
    with s.at(branch.then):
        far_quadrant, far = _reduced_large(m, x)
    quadrant, r = merge_all(s, branch, (far_quadrant, far[0]), (linear.of(n), r), (_I32, F64))
    return quadrant, r


def sin(m: Reals, x: Double) -> Double:
    """The sine."""
    return _wave(m, x, 0)


def cos(m: Reals, x: Double) -> Double:
    """The cosine."""
    return _wave(m, x, 1)


def tan(m: Reals, x: Double) -> Double:
    """The tangent."""
    a, b = sincos(m, x)
    return m.pick(m.test("eq", x, double(0.0)), x, m.quotient(a, b))
