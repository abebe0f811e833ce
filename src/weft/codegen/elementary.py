"""Elementary functions of f32: approximations by one instruction, and accurate sequences where these exist.

The accurate ones are within 2 ulp of the exact result over the whole range (`tests/codegen/test_elementary.py` checks
the same arithmetic in NumPy).  Other widths go through f32 (f16, bf16) or have no lowering (f64).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import Any

from weft.codegen import linear
from weft.codegen.graph import B32, B64, PRED, Const, Value
from weft.codegen.selector import Selector

Float = Value | Const

LN2_HI, LN2_LO = 0.693145751953125, 1.42860682030941723212e-6
"""ln 2 in two parts: the first has so few bits that its product with an exponent is exact."""
LOG2E_HI, LOG2E_LO = 1.4426950216293335, 1.9259629911266175e-8
"""log2 e as the nearest f32 and what is left."""


def f32(value: float) -> Const:
    """An f32 constant."""
    return Const(B32, struct.unpack("<I", struct.pack("<f", value))[0])


class Arithmetic:
    """Short names for the f32 instructions that the sequences below use."""

    def __init__(self, s: Selector) -> None:
        self.s = s

    def op(self, opcode: str, *args: Any) -> Value:
        """A pure f32 instruction."""
        return self.s.pure(f"{opcode}.f32", B32, *args)

    def add(self, a: Float, b: Float) -> Value:
        """a + b."""
        return self.op("add.rn", a, b)

    def mul(self, a: Float, b: Float) -> Value:
        """a * b."""
        return self.op("mul.rn", a, b)

    def fma(self, a: Float, b: Float, c: Float) -> Value:
        """a * b + c."""
        return self.op("fma.rn", a, b, c)

    def neg(self, a: Float) -> Value:
        """-a."""
        return self.op("neg", a)

    def pick(self, test: Value, a: Float, b: Float) -> Value:
        """a if test else b."""
        return self.s.pure("selp.b32", B32, a, b, test)

    def test(self, relation: str, a: Float, b: Float) -> Value:
        """A comparison."""
        return self.s.pure(f"setp.{relation}.f32", PRED, a, b)

    def polynomial(self, x: Float, coefficients: list[float]) -> Value:
        """c0 + x * (c1 + x * (...)) with at least two coefficients."""
        value: Float = f32(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            value = (
                self.fma(value, x, f32(coefficient))
                if isinstance(value, Value)
                else self.fma(x, value, f32(coefficient))
            )
        assert isinstance(value, Value)
        return value


def exp2(s: Selector, x: Float) -> Value:
    """2^x: the instruction is within 2 ulp."""
    return s.pure("ex2.approx.f32", B32, x)


def exp_fast(s: Selector, x: Float) -> Value:
    """e^x as 2^(x log2 e); the relative error grows with |x|."""
    return exp2(s, Arithmetic(s).mul(x, f32(LOG2E_HI)))


def exp(s: Selector, x: Float) -> Value:
    """e^x = 2^n 2^f with n = rint(x log2 e); 2^n in two factors, so that neither overflows."""
    m = Arithmetic(s)
    n = m.op("cvt.rni.f32", m.mul(x, f32(LOG2E_HI)))
    n = m.op("min", m.op("max", n, f32(-252.0)), f32(252.0))
    minus = m.neg(n)
    f = m.fma(x, f32(LOG2E_LO), m.fma(x, f32(LOG2E_HI), minus))
    power = exp2(s, f)
    whole = linear.of(s.pure("cvt.rzi.s32.f32", B32, n, lo=-252, hi=252))
    half = s.shift_right(whole, 1, signed=True)
    for part in (half, s.sub(whole, half)):
        bits = linear.offset(linear.scaled(part, 1 << 23), 0x3F800000)
        power = m.mul(power, s.int_value(bits))
    return power


def _log_parts(s: Selector, x: Float) -> tuple[Value, Value]:
    """(e, log m) with x = m 2^e and m in [sqrt(1/2), sqrt(2)), for positive finite x; both f32."""
    m = Arithmetic(s)
    tiny = m.test("lt", x, f32(2.0**-126))
    scaled = m.pick(tiny, m.mul(x, f32(2.0**24)), x)
    base = m.pick(tiny, f32(-24.0), f32(0.0))
    bits = linear.of(scaled)
    # The exponent of x / sqrt(1/2), so that m lies around 1.
    shifted = s.shift_right(linear.offset(bits, -0x3F3504F3), 23, signed=True)
    mantissa = s.int_value(s.sub(bits, s.shift_left(shifted, linear.const(23, 32))))
    e = m.add(s.pure("cvt.rn.f32.s32", B32, s.int_value(shifted)), base)
    return e, _log_near_one(m, m.add(mantissa, f32(-1.0)))


def _log_near_one(m: Arithmetic, d: Value) -> Value:
    """log(1 + d) for d in [-0.3, 0.42]: d - s (d - r) with s = d / (2 + d) and log(1 + d) = 2 s + s r."""
    quotient = m.op("div.rn", d, m.add(d, f32(2.0)))
    z = m.mul(quotient, quotient)
    tail = m.mul(z, m.polynomial(z, [2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11]))
    return m.fma(m.neg(quotient), m.add(d, m.neg(tail)), d)


def _log_edges(s: Selector, x: Float, found: Value) -> Value:
    """The logarithm with its limits: -inf at 0, +inf at +inf, NaN below 0 and of NaN."""
    m = Arithmetic(s)
    infinity = f32(float("inf"))
    found = m.pick(m.test("eq", x, infinity), infinity, found)
    found = m.pick(m.test("eq", x, f32(0.0)), f32(float("-inf")), found)
    return m.pick(m.test("geu", x, f32(0.0)), m.pick(m.test("nan", x, x), m.add(x, x), found), f32(float("nan")))


def log(s: Selector, x: Float) -> Value:
    """The natural logarithm."""
    m = Arithmetic(s)
    e, part = _log_parts(s, x)
    return _log_edges(s, x, m.fma(e, f32(LN2_HI), m.fma(e, f32(LN2_LO), part)))


def log2(s: Selector, x: Float) -> Value:
    """The logarithm to base 2."""
    m = Arithmetic(s)
    e, part = _log_parts(s, x)
    return _log_edges(s, x, m.add(e, m.fma(part, f32(LOG2E_HI), m.mul(part, f32(LOG2E_LO)))))


def log10(s: Selector, x: Float) -> Value:
    """The logarithm to base 10."""
    m = Arithmetic(s)
    e, part = _log_parts(s, x)
    high, low = 0.301025390625, 4.6050389811952113e-6
    return _log_edges(s, x, m.fma(e, f32(high), m.fma(part, f32(0.4342944819032518), m.mul(e, f32(low)))))


def log1p(s: Selector, x: Float) -> Value:
    """log(1 + x): directly where x is small, else the logarithm of the sum."""
    m = Arithmetic(s)
    near = _log_near_one(m, s.register(x, B32))
    small = m.op("abs", x)
    return m.pick(m.test("lt", small, f32(0.29)), near, log(s, m.add(x, f32(1.0))))


@cache
def _tanh_series() -> list[float]:
    """Coefficients of tanh(x) / x in x^2, from the Bernoulli numbers' recurrence."""
    from fractions import Fraction

    terms: list[Fraction] = [Fraction(1)]
    for n in range(1, 9):
        # tanh' = 1 - tanh^2 gives (2n + 1) t_n = -sum of t_i t_(n-1-i).
        terms.append(-sum((terms[i] * terms[n - 1 - i] for i in range(n)), Fraction(0)) / (2 * n + 1))
    return [float(t) for t in terms]


def tanh(s: Selector, x: Float) -> Value:
    """1 - 2 / (e^(2|x|) + 1) with x's sign, and a series near 0."""
    m = Arithmetic(s)
    size = m.op("abs", x)
    large = exp(s, m.add(size, size))
    far = m.fma(m.op("div.rn", f32(-2.0), m.add(large, f32(1.0))), f32(1.0), f32(1.0))
    far = m.op("copysign", x, far)
    square = m.mul(x, x)
    near = m.mul(m.polynomial(square, _tanh_series()), x)
    found = m.pick(m.test("lt", size, f32(0.55)), near, far)
    return m.pick(m.test("nan", x, x), m.add(x, x), found)


def expm1(s: Selector, x: Float) -> Value:
    """e^x - 1: a series near 0, else the difference."""
    m = Arithmetic(s)
    terms = [1.0 / _factorial(n) for n in range(1, 11)]
    near = m.mul(m.polynomial(x, terms), x)
    return m.pick(m.test("lt", m.op("abs", x), f32(0.35)), near, m.add(exp(s, x), f32(-1.0)))


def _factorial(n: int) -> int:
    return 1 if n < 2 else n * _factorial(n - 1)


def round_double(s: Selector, x: Float) -> Value:
    """`round_away` for f64."""
    register = s.register(x, B64)
    bias = s.pure("copysign.f64", B64, register, Const(B64, 0x3FDFFFFFFFFFFFFF))
    return s.pure("cvt.rzi.f64.f64", B64, s.pure("add.rn.f64", B64, register, bias))


def round_away(s: Selector, x: Float) -> Value:
    """To the nearest integer, halves away from zero: truncate x + copysign(the largest float below 1/2, x)."""
    m = Arithmetic(s)
    nearly_half = m.op("copysign", x, f32(0.49999997))
    return m.op("cvt.rzi.f32", m.add(x, nearly_half))


ACCURATE: dict[str, Callable[[Selector, Float], Value]] = {
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "log": log,
    "log2": log2,
    "log10": log10,
    "log1p": log1p,
    "tanh": tanh,
    "round": round_away,
}
"""The functions that are accurate to 2 ulp."""


def _scaled_log(scale: float) -> Callable[[Selector, Float], Value]:
    return lambda s, x: Arithmetic(s).mul(s.pure("lg2.approx.f32", B32, x), f32(scale))


APPROXIMATE: dict[str, Callable[[Selector, Float], Value]] = {
    "exp": exp_fast,
    "exp2": exp2,
    "log": _scaled_log(0.6931471805599453),
    "log2": lambda s, x: s.pure("lg2.approx.f32", B32, x),
    "log10": _scaled_log(0.3010299956639812),
    "sin": lambda s, x: s.pure("sin.approx.f32", B32, x),
    "cos": lambda s, x: s.pure("cos.approx.f32", B32, x),
    "tanh": lambda s, x: s.pure("tanh.approx.f32", B32, x) if s.module.has("tanh.approx.f32") else tanh(s, x),
    "rsqrt": lambda s, x: s.pure("rsqrt.approx.f32", B32, x),
    "sqrt": lambda s, x: s.pure("sqrt.approx.f32", B32, x),
}
"""The functions as the hardware approximates them (`fastmath<afn>`)."""
