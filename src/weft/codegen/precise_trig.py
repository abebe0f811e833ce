"""Trigonometric functions of f64, their inverses, and the error function.

Arguments are reduced by Cody and Waite's method while they are small and by Payne and Hanek's beyond; polynomials are
Taylor's or Chebyshev interpolations on the interval they serve.  Errors are below 4 ulp over the whole range
(`tests/codegen/test_functions.py`).
"""

from __future__ import annotations

from functools import cache
from math import factorial

from weft.codegen import linear
from weft.codegen.floats import F64
from weft.codegen.graph import B64, Addr, If, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.scf import merge_all
from weft.codegen.precise import INFINITY, NAN, exp, exp_of
from weft.codegen.reals import Double, Pair, Reals, double, pair
from weft.codegen.types import Scalar
from weft.ptx.operands import Symbol

_SIN = [(-1) ** n / factorial(2 * n + 1) for n in range(1, 9)]
_COS = [(-1) ** n / factorial(2 * n) for n in range(2, 9)]
_ATAN = [
    -0.3333333333333333, 0.199999999999998, -0.14285714285659326, 0.11111111105106705, -0.09090908751076636,
    0.0769229630497447, -0.06666423628069258, 0.058789145444006215, -0.052303478730160745, 0.04551108126325172,
    -0.034558092551413795, 0.01627194475162406,
]  # fmt: skip
"""(atan(t) / t - 1) / t^2 in t^2, for |t| <= tan(pi / 8)."""
_ERF = [
    1.1283791670955126, -0.3761263890318375, 0.11283791670954879, -0.026866170645076792, 0.0052239776248180145,
    -0.000854832698083379, 0.0001205533111164271, -1.4925595266831182e-05, 1.6461000484121368e-06,
    -1.6350312701054695e-07, 1.4659775274047436e-08, -1.1372848856791674e-09, 5.957176147748911e-11,
]  # fmt: skip
"""erf(x) / x in x^2, for |x| <= 1."""
_ERFCX = [
    0.17900115118138996, -0.3262335600430372, 0.24560380171233087, -0.15011593650077568, 0.07166583719797799,
    -0.02439249931879729, 0.004269136332843161, 0.0007077464435634198, -0.0005970619475638154,
    4.5255206664490134e-05, 6.405651007407599e-05, -1.2859462809128376e-05, -7.977320146623843e-06,
    2.1134096515353967e-06, 1.2454867861347614e-06, -2.720348541412093e-07, -2.056156175172263e-07,
]  # fmt: skip
"""erfc(x) e^(x^2) in (x - 3) / (x + 3), for x from 1 to 6.2."""
_ERFC = [
    1.2530080582697296, -0.13562110612458134, -0.04756229435345058, 0.1296451587027835, -0.11927366341532432,
    0.06830802734307077, -0.023770514918036445, 0.002529391832675186, 0.0018886903466049378, -0.0007798324398793133,
    -0.0001051596522473519, 0.00012510037313823361, 4.9484535339192485e-06, -2.0104454851557477e-05,
    -7.270603109882931e-07, 3.481686983452046e-06, 3.4482536968247793e-07, -6.299129103282541e-07,
    -1.2169240627639653e-07, 1.1177528463195771e-07, 2.292393009921899e-08, -1.541055292474667e-08,
]  # fmt: skip
"""erfc(x) e^(x^2) (1 + 2 x) in (x - 3) / (x + 3), for x from 0.5 to 28."""

HALF_PI = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
"""pi / 2 in three parts, of which the first two have 33 bits."""
PI_2 = pair(1.5707963267948966, 6.123233995736766e-17)
PI_4 = pair(0.7853981633974483, 3.061616997868383e-17)
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


def two_over_pi_bits(count: int) -> int:
    """The first `count` bits of 2 / pi behind the point, as an integer (Machin's formula for pi)."""
    bits = count + 64

    def arctangent(n: int) -> int:
        total = term = (1 << bits) // n
        k = 1
        while term:
            term //= n * n
            k += 2
            total += (-term if k % 4 == 3 else term) // k
        return total

    pi = 4 * (4 * arctangent(5) - arctangent(239))
    return (2 << (2 * bits)) // pi >> 64


def reduced(m: Reals, x: Double) -> tuple[Lin, Pair]:
    """(q, r) with x = q pi/2 + r, |r| <= pi/4; q counts modulo 4."""
    s = m.s
    n = m.nearest(m.mul(x, double(0.6366197723675814)))
    minus = m.neg(n)
    first = m.fma(minus, double(HALF_PI[0]), x)
    second = m.fma(minus, double(HALF_PI[1]), first)
    error = m.fma(minus, double(HALF_PI[1]), m.sub(first, second))
    near = m.fast_sum(second, m.fma(minus, double(HALF_PI[2]), error))
    branch = If(m.test("gtu", m.abs(x), double(LARGE)), s.child(), s.child())
    with s.at(branch.then):
        far_quadrant, far = _reduced_large(m, x)
    kinds = (_I32, F64, F64)
    quadrant, high, low = merge_all(s, branch, (far_quadrant, *far), (m.integer(n), *near), kinds)
    return quadrant, (high, low)


def _reduced_large(m: Reals, x: Double) -> tuple[Lin, Pair]:
    """Payne and Hanek: of M 2^e times the bits of 2 / pi, only 192 bits around the point matter.

    The first of them has the weight that gives multiples of 2^64 with M; the product keeps 64 bits before the point and
    128 behind it.
    """
    s = m.s
    bits = m.bits(x)
    exponent = s.bitwise("and", s.shift_right(bits, 52, signed=False), linear.const(0x7FF))
    mantissa = s.bitwise("and", bits, linear.const((1 << 52) - 1))
    mantissa = linear.of(s.int_value(s.bitwise("or", mantissa, linear.const(1 << 52))))
    start = linear.offset(exponent, 64 * (_ZEROS - 1) - 1075)
    by = s.truncated(s.bitwise("and", start, linear.const(63)))
    table = s.pure("mov.b64", B64, Symbol(s.module.constant_data(two_over_pi(), align=8)))
    place = s.int_value(s.add(linear.of(table), linear.scaled(s.shift_right(start, 6, signed=False), 8)))
    words = [_word(m, place, index) for index in range(4)]
    back = linear.add(linear.const(64, 32), by, -1)
    a = [s.bitwise("or", s.shift_left(words[i], by), s.shift_right(words[i + 1], back, signed=False)) for i in range(3)]
    middle = linear.of(s.int_value(s.mul(a[1], mantissa)))
    fraction = linear.of(s.int_value(s.add(middle, s.mul_high(a[2], mantissa, signed=False))))
    carry = s.from_test(s.compare("lt", fraction, middle, signed=False), 64)
    whole = s.add(s.add(s.mul(a[0], mantissa), s.mul_high(a[1], mantissa, signed=False)), carry)
    quadrant = s.truncated(s.add(whole, s.shift_right(fraction, 63, signed=False)))
    high, low = m.multiply(_signed_fraction(m, fraction, s.mul(a[2], mantissa)), PI_2)
    negative = s.compare("lt", bits, linear.const(0), signed=True)
    quadrant = s.choose(negative, s.sub(linear.const(0, 32), quadrant), quadrant)
    infinite = s.compare("eq", exponent, linear.const(0x7FF), signed=True)
    high, low = (m.pick(infinite, double(NAN), m.pick(negative, m.neg(v), v)) for v in (high, low))
    return quadrant, (high, low)


def _word(m: Reals, place: Value, index: int) -> Lin:
    """A word of the bits of 2 / pi."""
    value = m.s.value(B64)
    m.s.read("ld.global.b64", value, Addr(place, 8 * index), outs=(value,))
    return linear.of(value)


def _signed_fraction(m: Reals, high: Lin, low: Lin) -> Pair:
    """A fraction of 128 bits as a number from -1/2 to 1/2."""
    s = m.s
    top = s.pure("cvt.rn.f64.s32", B64, s.int_value(s.truncated(s.shift_right(high, 32, signed=True))))
    middle = s.pure("cvt.rn.f64.u32", B64, s.int_value(s.truncated(high)))
    end = s.pure("cvt.rn.f64.u64", B64, s.int_value(low))
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
    flip_a = s.to_test(s.shift_right(quadrant, 1, signed=False))
    flip_b = s.to_test(s.shift_right(linear.offset(quadrant, 1), 1, signed=False))
    return m.pick(flip_a, m.neg(a), a), m.pick(flip_b, m.neg(b), b)


def sin(m: Reals, x: Double) -> Double:
    """The sine."""
    return sincos(m, x)[0]


def cos(m: Reals, x: Double) -> Double:
    """The cosine."""
    return sincos(m, x)[1]


def tan(m: Reals, x: Double) -> Double:
    """The tangent."""
    a, b = sincos(m, x)
    return m.pick(m.test("eq", x, double(0.0)), x, m.div(a, b))


# -- inverses ---------------------------------------------------------------------------------------------------


def _angle(m: Reals, y: Double, x: Double) -> Pair:
    """The angle of (x, y) for x, y >= 0: turned by pi/4 or pi/2 so that the tangent is at most tan(pi/8)."""
    steep = m.test("gt", y, m.mul(x, double(2.414213562373095)))
    flat = m.test("lt", y, m.mul(x, double(0.41421356237309503)))
    over = m.pick(flat, y, m.pick(steep, m.neg(x), m.sub(y, x)))
    under = m.pick(flat, x, m.pick(steep, y, m.add(x, y)))
    t = m.div(over, under)
    z = m.mul(t, t)
    tail = m.mul(m.mul(z, t), m.polynomial(z, _ATAN))
    high = m.pick(flat, double(0.0), m.pick(steep, PI_2[0], PI_4[0]))
    low = m.pick(flat, double(0.0), m.pick(steep, PI_2[1], PI_4[1]))
    first, rest = m.two_sum(high, t)
    return m.fast_sum(first, m.add(rest, m.add(low, tail)))


def atan(m: Reals, x: Double) -> Double:
    """The inverse of the tangent."""
    high, _ = _angle(m, m.op("min", m.abs(x), double(1e300)), double(1.0))
    return m.pick(m.test("nan", x, x), m.add(x, x), m.signed(high, x))


def atan2(m: Reals, y: Double, x: Double) -> Double:
    """The angle of the point (x, y)."""
    a, b = m.abs(y), m.abs(x)
    infinite = m.both(m.test("eq", a, double(INFINITY)), m.test("eq", b, double(INFINITY)))
    a, b = m.pick(infinite, double(1.0), a), m.pick(infinite, double(1.0), b)
    # The larger one is limited below: one that is infinite must not lose against a large number.
    b = m.pick(m.test("eq", a, double(INFINITY)), double(0.0), b)
    nothing = m.either(m.test("eq", a, double(0.0)), m.test("eq", b, double(INFINITY)))
    largest = m.op("max", a, b)
    scale = m.pick(m.test("gt", largest, double(1e300)), double(2.0**-64), double(1.0))
    scale = m.pick(m.test("lt", largest, double(1e-290)), double(2.0**64), scale)
    a, b = (m.op("min", m.mul(v, scale), double(1e300)) for v in (a, b))
    high, low = _angle(m, a, b)
    high, low = m.pick(nothing, double(0.0), high), m.pick(nothing, double(0.0), low)
    around = m.sub(double(3.141592653589793), m.sub(high, m.sub(double(1.2246467991473532e-16), low)))
    behind = m.s.compare("lt", m.bits(x), linear.const(0), signed=True)
    found = m.signed(m.pick(behind, around, high), y)
    return m.pick(m.either(m.test("nan", x, x), m.test("nan", y, y)), double(NAN), found)


def asin(m: Reals, x: Double) -> Double:
    """The inverse of the sine."""
    size = m.abs(x)
    other = m.sqrt(m.mul(m.sub(double(1.0), size), m.add(double(1.0), size)))
    return m.signed(_angle(m, size, other)[0], x)


def acos(m: Reals, x: Double) -> Double:
    """The inverse of the cosine: twice the angle of (sqrt(1 + x), sqrt(1 - x))."""
    high, _ = _angle(m, m.sqrt(m.sub(double(1.0), x)), m.sqrt(m.add(double(1.0), x)))
    return m.add(high, high)


def erf(m: Reals, x: Double) -> Double:
    """The error function: a polynomial near 0, 1 - e^(-x^2) times another beyond."""
    size = m.op("min", m.abs(x), double(6.2))
    z = m.mul(x, x)
    near = m.mul(m.polynomial(z, _ERF), x)
    t = m.div(m.sub(size, double(3.0)), m.add(size, double(3.0)))
    far = m.sub(double(1.0), m.mul(exp(m, m.neg(m.mul(size, size))), m.polynomial(t, _ERFCX)))
    found = m.pick(m.test("lt", m.abs(x), double(1.0)), near, m.signed(far, x))
    return m.pick(m.test("nan", x, x), m.add(x, x), found)


def erfc(m: Reals, x: Double) -> Double:
    """1 - erf(x): so below 0.5, beyond it e^(-x^2) times a function that falls slowly."""
    size = m.op("min", m.op("max", x, double(0.5)), double(28.0))
    high, low = m.product(size, size)
    t = m.div(m.sub(size, double(3.0)), m.add(size, double(3.0)))
    slow = m.div(m.polynomial(t, _ERFC), m.fma(size, double(2.0), double(1.0)))
    far = m.mul(exp_of(m, m.neg(high), m.neg(low)), slow)
    found = m.pick(m.test("lt", x, double(0.5)), m.sub(double(1.0), erf(m, x)), far)
    return m.pick(m.test("nan", x, x), m.add(x, x), found)
