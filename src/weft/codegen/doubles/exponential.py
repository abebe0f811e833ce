"""Exponentials of f64."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.doubles import coefficients
from weft.codegen.floats import F64
from weft.codegen.graph import B32, B64, If, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.merging import merge_all
from weft.codegen.reals import Double, Reals, double
from weft.isa import opcode

INFINITY = float("inf")
LOG2E = 1.4426950408889634
LN2 = (0.6931471803691238, 1.9082149292705877e-10)
"""ln 2 in two parts: the product of the first, of 33 bits, with an exponent is exact."""
_MAGIC = 6755399441055744.0
"""1.5 2^52: a sum with it keeps the integer part in its low bits."""
LOG10_2 = (0.30102999566383914, 1.42050232272661e-13)
"""log10 2 in two parts: the product of the first, of 41 bits, with an exponent is exact."""
_FAST = 708.0
"""Up to here the result and all factors are normal numbers."""


def _reduced(m: Reals, x: Double) -> tuple[Lin, Double, Double]:
    """(n, -n, x - n LN2[0]), exactly, for the n with |x - n ln 2| <= ln 2 / 2 and a bit; n has 32 bits."""
    shifted = m.fma(x, double(LOG2E), double(_MAGIC))
    n = m.neg(m.sub(shifted, double(_MAGIC)))
    return m.s.truncated(m.bits(shifted)), n, m.fma(n, double(LN2[0]), x)


def split(m: Reals, x: Double) -> tuple[Lin, Double]:
    """(n, r) with x = n ln 2 + r, |r| <= ln 2 / 2 and a bit; n has 32 bits."""
    n, negative, high = _reduced(m, x)
    return n, m.fma(negative, double(LN2[1]), high)


def of_upper(m: Reals, upper: Lin) -> Value:
    """The number with this upper word and a lower one of zeros."""
    s = m.s
    return s.pure(opcode("mov", type="b64"), B64, (s.int_value(linear.const32(0)), s.int_value(upper)))


def power_of_two(m: Reals, n: Lin) -> Value:
    """2^n for n from -1022 to 1023: only the upper word says something."""
    return of_upper(m, m.s.shift_left(linear.offset(n, 1023), linear.const32(20)))


def scaled(m: Reals, x: Double, n: Lin) -> Value:
    """x 2^n for a normal x and a normal result: an addition to the exponent, in the upper word."""
    s = m.s
    low, high = s.pure_many(opcode("mov", type="b64"), (B32, B32), s.register(x, B64))
    moved = s.int_value(s.add(linear.of(high), s.shift_left(n, linear.const32(20))))
    return s.pure(opcode("mov", type="b64"), B64, (low, moved))


def _halves(m: Reals, n: Lin) -> tuple[Lin, Lin]:
    """Two integers whose sum is n."""
    s = m.s
    half = linear.of(s.int_value(s.shift_right(n, 1, signed=True)))
    return half, linear.of(s.int_value(s.sub(n, half)))


def _with_ends(m: Reals, x: Double, rest: Double, n: Lin, fast: float, most: float) -> Any:
    """e^rest 2^n; the ends of the range are a branch of their own.

    For |x| up to `fast` the result and all factors are normal; beyond `most`, where n means nothing, it is infinite
    or 0.
    """
    s = m.s
    power = m.polynomial(rest, (1.0, 1.0, *coefficients.EXP))
    size = m.abs(x)
    branch = If(m.test("le", size, double(fast)), s.child(), s.child())
    with s.at(branch.then):
        quick = scaled(m, power, n)
    with s.at(branch.otherwise):
        end = m.pick(m.test("lt", x, double(0.0)), double(0.0), m.add(x, double(INFINITY)))
        half, more = _halves(m, n)
        product = m.mul(scaled(m, power, half), power_of_two(m, more))
        slow = m.pick(m.test("le", size, double(most)), product, end)
    return merge_all(s, branch, (quick,), (slow,), (F64,))[0]


def exp_of(m: Reals, x: Double, low: Double | None = None) -> Any:
    """e^(x + low) for a small `low`."""
    n, rest = split(m, x)
    return _with_ends(m, x, m.add(rest, low) if low is not None else rest, n, _FAST, 746.0)


def exp_inside(m: Reals, x: Double) -> Value:
    """e^x for |x| up to 708."""
    n, rest = split(m, x)
    return scaled(m, m.polynomial(rest, (1.0, 1.0, *coefficients.EXP)), n)


def exp(m: Reals, x: Double) -> Any:
    """e^x."""
    return exp_of(m, x)


def exp2(m: Reals, x: Double) -> Any:
    """2^x = e^((x - n) ln 2) 2^n: only the difference needs a product, and it is exact."""
    shifted = m.add(x, double(_MAGIC))
    n = m.s.truncated(m.bits(shifted))
    rest = m.mul(m.sub(x, m.sub(shifted, double(_MAGIC))), double(0.6931471805599453))
    return _with_ends(m, x, rest, n, 1021.0, 1080.0)


def exp10(m: Reals, x: Double) -> Any:
    """10^x = e^((x - n log10 2) ln 10) 2^n."""
    shifted = m.fma(x, double(3.321928094887362), double(_MAGIC))
    n = m.neg(m.sub(shifted, double(_MAGIC)))
    rest = m.fma(n, double(LOG10_2[1]), m.fma(n, double(LOG10_2[0]), x))
    rest = m.mul(rest, double(2.302585092994046))
    return _with_ends(m, x, rest, m.s.truncated(m.bits(shifted)), 307.0, 330.0)


def expm1(m: Reals, x: Double) -> Any:
    """e^x - 1 = 2^n (f + g) + (2^n - 1) for e^f - 1 = f + g, all halved so that n = 1024 does not overflow.

    The sum of 2^n - 1 and 2^n f is kept in two parts, and so is f = high + low, low below 2^-22: it goes with g, which
    the rounding of f changes little.
    """
    n, negative, high = _reduced(m, x)
    low = m.mul(negative, double(LN2[1]))
    f = m.add(high, low)
    rest = m.fma(m.mul(f, f), m.polynomial(f, coefficients.EXPM1), low)
    half = power_of_two(m, linear.offset(n, -1))
    most = m.add(half, double(-0.5))
    total = m.fma(high, half, most)
    error = m.fma(high, half, m.sub(most, total))
    found: Any = m.add(total, m.fma(rest, half, error))
    found = m.add(found, found)
    # e^709.79 is beyond the largest f64, and e^-40 far below half a unit in the last place of 1.
    found = m.pick(m.test("gt", x, double(709.79)), double(INFINITY), found)
    found = m.pick(m.test("lt", x, double(-40.0)), double(-1.0), found)
    return m.pick(m.test("lt", m.abs(x), double(2.0**-54)), x, found)
