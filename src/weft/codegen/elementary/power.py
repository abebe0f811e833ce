"""Powers of f32: the logarithm to base 2 as the sum of two floats, times the exponent."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.elementary import coefficients
from weft.codegen.elementary.exponential import LOG2E
from weft.codegen.elementary.logarithm import ROOT_OF_HALF, base_two, normalised
from weft.codegen.elementary.singles import INFINITY, NAN, Single, Singles, f32
from weft.codegen.graph import B32, Const, Value
from weft.isa import opcode
from weft.ptx.literals import Float

Pair = tuple[Value, Value]
_MOVE = opcode("mov", type="b32")


def log2_pair(m: Singles, x: Single) -> Pair:
    """log2 x for positive finite x, as the sum of two floats: relative error about 2^-30.

    With s = 2 f / (2 + f), log(1 + f) = s + s^3 / 12 + s^5 / 80 + ...; the rounding error of s, which the exact
    remainder of the division gives, counts in the first two terms.
    """
    e, f, _ = normalised(m, x, ROOT_OF_HALF)
    inverse = m.reciprocal(m.add(f, f32(2.0)))
    s = m.mul(m.add(f, f), inverse)
    # 2 f - s (2 + f): the difference of f and s is exact, since s lies between f / 2 and 2 f.
    away = m.sub(f, s)
    rest = m.mul(m.fma(m.neg(s), f, m.add(away, away)), inverse)
    square = m.mul(s, s)
    cube = m.mul(m.mul(s, square), m.polynomial(square, coefficients.LOG2_ODD))
    high, low = m.product(s, f32(LOG2E[0]))
    slope = m.fma(square, f32(LOG2E[0] / 4), f32(LOG2E[0]))
    low = m.add(cube, m.fma(rest, slope, m.fma(s, f32(LOG2E[1]), low)))
    total, lost = m.fast_sum(e, high)
    return m.fast_sum(total, m.add(lost, low))


def parts_of_power(m: Singles, high: Single, low: Single) -> tuple[Value, Value, Value]:
    """Three factors of 2^(high + low): the second and third are powers of two, since one has not the range.

    A product with them in turn is rounded once, also where it is denormal.
    """
    s = m.s
    limited = m.op("min", m.op("max", high, f32(-200.0)), f32(200.0))
    low = m.pick(m.test("eq", limited, high), low, f32(0.0))
    n = m.nearest(limited)
    power = m.power_of_two(m.add(m.sub(limited, n), low))
    whole = linear.of(s.pure(opcode("cvt", rnd="rzi", type="s32", atype="f32"), B32, n, lo=-200, hi=200))
    half = linear.of(s.int_value(s.shift_right(whole, 1, signed=True)))
    first, second = (
        m.of_bits(linear.offset(linear.scaled(part, 1 << 23), 0x3F800000)) for part in (half, s.sub(whole, half))
    )
    return power, first, second


def power_of_pair(m: Singles, high: Single, low: Single) -> Value:
    """2^(high + low), right up to denormals and overflow."""
    power, first, second = parts_of_power(m, high, low)
    return m.mul(m.mul(power, first), second)


_TIMES = {0x3F000000: 0, 0x3FC00000: 1, 0x40200000: 2}
"""The exponents 0.5, 1.5 and 2.5, and how often the number itself is a factor beside its root."""


def _literal(y: Single) -> int | None:
    """The bits of an exponent that is a constant, also in a register."""
    found: Any = (
        y if isinstance(y, Const) else y.inst.args[1] if y.inst is not None and y.inst.opcode is _MOVE else None
    )
    if isinstance(found, Float):
        return int(found.text[2:], 16)
    return found.pattern if isinstance(found, Const) else None


def _by_root(m: Singles, x: Single, times: int) -> Value:
    """x^(times + 1/2) within 2.5 ulp: where the power is in range, so are the products on the way to it."""
    found: Any = m.op("sqrt", x, rnd="rn")
    for _ in range(times):
        found = m.mul(found, x)
    return m.pick(m.test("eq", x, f32(-INFINITY)), f32(INFINITY), m.abs(found))  # The root of -0 is -0.


def power(m: Singles, x: Single, y: Single) -> Value:
    """x^y, with the special cases of C's `pow`."""
    literal = _literal(y)
    if literal in _TIMES:
        return _by_root(m, x, _TIMES[literal])
    size = m.abs(x)
    high, low = log2_pair(m, size)
    # Beyond 2^40 the result is 0, 1 or infinite; an infinite exponent would give NaNs.
    most = f32(2.0**40)
    y_limited = m.op("min", m.op("max", y, f32(-(2.0**40))), most)
    first = m.mul(y_limited, high)
    # The inner difference is the exact rounding error of the product.
    rest = m.fma(y_limited, low, m.fma(y_limited, high, m.neg(first)))
    found: Any = power_of_pair(m, first, rest)
    whole = m.op("cvt", m.s.register(y, B32), rnd="rzi", atype="f32")
    half = m.mul(y, f32(0.5))
    # Odd: a whole number whose half is not one.
    odd = m.both(m.test("eq", whole, y), m.test("ne", m.op("cvt", half, rnd="rzi", atype="f32"), half))
    return _with_ends(m, x, y, size, whole, odd, found)


def _with_ends(m: Singles, x: Single, y: Single, size: Single, whole: Single, odd: Any, found: Any) -> Any:
    """The sign for odd exponents, the ends 0 and infinity of x, and 1 where nothing else can be."""
    positive = m.test("gt", y, f32(0.0))
    found = m.pick(m.test("eq", size, f32(INFINITY)), m.pick(positive, f32(INFINITY), f32(0.0)), found)
    found = m.pick(m.test("eq", size, f32(0.0)), m.pick(positive, f32(0.0), f32(INFINITY)), found)
    found = m.pick(m.test("eq", size, f32(1.0)), f32(1.0), found)
    negative = m.s.compare("lt", m.bits(x), linear.const32(0), signed=True)
    found = m.pick(m.both(negative, odd), m.neg(found), found)
    broken = m.both(m.test("ne", whole, y), m.both(m.test("lt", x, f32(0.0)), m.test("ne", size, f32(INFINITY))))
    found = m.pick(broken, f32(NAN), found)
    found = m.pick(m.test("nan", x, y), f32(NAN), found)
    return m.pick(m.either(m.test("eq", x, f32(1.0)), m.test("eq", y, f32(0.0))), f32(1.0), found)


def power_fast(m: Singles, x: Single, y: Single) -> Value:
    """2^(y log2 x) by the instructions, for positive x."""
    return m.op("ex2", m.mul(y, base_two(m, x)))
