"""f64 arithmetic in short names, for the sequences of elementary functions."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from weft.codegen import linear
from weft.codegen.graph import B32, B64, PRED, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.isa import opcode

Double = Value | Const
Pair = tuple[Double, Double]
"""A sum of two doubles of which the second is small."""


def double(value: float) -> Const:
    """An f64 constant."""
    return Const(B64, struct.unpack("<Q", struct.pack("<d", value))[0])


class Reals:
    """f64 instructions as methods."""

    def __init__(self, s: Selector) -> None:
        self.s = s

    def op(self, stem: str, *args: Any, **slots: str | bool) -> Value:
        """A pure instruction with an f64 result, by its slots but the type."""
        return self.s.pure(opcode(stem, **slots, type="f64"), B64, *args)

    def add(self, a: Double, b: Double) -> Value:
        """a + b."""
        return self.op("add", a, b, rnd="rn")

    def sub(self, a: Double, b: Double) -> Value:
        """a - b."""
        return self.op("sub", a, b, rnd="rn")

    def mul(self, a: Double, b: Double) -> Value:
        """a * b."""
        return self.op("mul", a, b, rnd="rn")

    def div(self, a: Double, b: Double) -> Value:
        """a / b."""
        return self.op("div", a, b, rnd="rn")

    def fma(self, a: Double, b: Double, c: Double) -> Value:
        """a * b + c."""
        return self.op("fma", a, b, c, rnd="rn")

    def neg(self, a: Double) -> Value:
        """-a."""
        return self.op("neg", self.s.register(a, B64))

    def abs(self, a: Double) -> Value:
        """|a|."""
        return self.op("abs", self.s.register(a, B64))

    def sqrt(self, a: Double) -> Value:
        """The square root."""
        return self.op("sqrt", a, rnd="rn")

    # -- from the hardware's approximations, for operands and results that are normal numbers -----------------------

    def reciprocal(self, a: Double) -> Value:
        """1 / a within 1 ulp: 20 bits, and a step that triples them."""
        near = self.op("rcp", a, rnd="approx", ftz=True)
        error = self.fma(self.neg(a), near, double(1.0))
        return self.fma(near, self.fma(error, error, error), near)

    def quotient(self, a: Double, b: Double) -> Value:
        """a / b, nearly always correctly rounded."""
        inverse = self.reciprocal(b)
        first = self.mul(a, inverse)
        return self.fma(self.fma(self.neg(first), b, a), inverse, first)

    def root(self, a: Double) -> Value:
        """The square root of a positive number, nearly always correctly rounded."""
        near = self.op("rsqrt", a, rnd="approx", ftz=True)
        error = self.fma(self.neg(self.mul(a, near)), near, double(1.0))
        # (1 - e)^(-1/2) = 1 + e / 2 + 3 e^2 / 8
        inverse = self.fma(self.mul(near, error), self.fma(error, double(0.375), double(0.5)), near)
        first = self.mul(a, inverse)
        half = self.mul(inverse, double(0.5))
        return self.fma(self.fma(self.neg(first), first, a), half, first)

    def signed(self, size: Double, sign: Double) -> Value:
        """The first with the sign of the second."""
        return self.op("copysign", sign, size)

    def test(self, relation: str, a: Double, b: Double) -> Value:
        """A comparison; unordered ones have a `u` at the end."""
        return self.s.pure(opcode("setp", cmp=relation, type="f64"), PRED, self.s.register(a, B64), b)

    def pick(self, test: Any, a: Double, b: Double) -> Any:
        """a if test else b."""
        if isinstance(test, Const):
            return a if test.pattern else b
        return self.s.pure(opcode("selp", type="b64"), B64, a, b, test)

    def either(self, a: Any, b: Any) -> Any:
        """a or b, for predicates."""
        return self.s.logic("or", a, b)

    def both(self, a: Any, b: Any) -> Any:
        """a and b, for predicates."""
        return self.s.logic("and", a, b)

    def polynomial(self, x: Double, coefficients: Sequence[float]) -> Value:
        """c0 + x * (c1 + x * (...)), with at least two coefficients."""
        value: Any = double(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            value = (
                self.fma(x, value, double(coefficient))
                if isinstance(value, Const)
                else self.fma(value, x, double(coefficient))
            )
        return value

    def nearest(self, x: Double) -> Value:
        """The nearest integer, as a float."""
        return self.op("cvt", self.s.register(x, B64), rnd="rni", atype="f64")

    def integer(self, x: Double) -> Lin:
        """A float as a 32-bit integer; out of range the nearest one."""
        return linear.of(self.s.pure(opcode("cvt", rnd="rzi", type="s32", atype="f64"), B32, self.s.register(x, B64)))

    def from_integer(self, n: Lin) -> Value:
        """A 32-bit integer as a float."""
        return self.s.pure(opcode("cvt", rnd="rn", type="f64", atype="s32"), B64, self.s.int_value(n))

    def bits(self, x: Double) -> Lin:
        """The bits as an integer."""
        return linear.of(self.s.register(x, B64))

    def of_bits(self, bits: Lin) -> Value:
        """The float with these bits."""
        return self.s.int_value(bits)

    # -- sums of two doubles --------------------------------------------------------------------------------------

    def two_sum(self, a: Double, b: Double) -> Pair:
        """a + b exactly."""
        total = self.add(a, b)
        part = self.sub(total, a)
        return total, self.add(self.sub(a, self.sub(total, part)), self.sub(b, part))

    def fast_sum(self, a: Double, b: Double) -> Pair:
        """a + b exactly, for |a| >= |b|."""
        total = self.add(a, b)
        return total, self.sub(b, self.sub(total, a))

    def product(self, a: Double, b: Double) -> Pair:
        """a * b exactly."""
        high = self.mul(a, b)
        return high, self.fma(a, b, self.neg(high))

    def multiply(self, a: Pair, b: Pair) -> Pair:
        """The product of two pairs."""
        high, low = self.product(a[0], b[0])
        low = self.fma(a[0], b[1], self.fma(a[1], b[0], low))
        return self.fast_sum(high, low)

    def plus(self, a: Pair, b: Pair) -> Pair:
        """The sum of two pairs."""
        high, low = self.two_sum(a[0], b[0])
        return self.fast_sum(high, self.add(low, self.add(a[1], b[1])))


def pair(high: float, low: float) -> Pair:
    """A constant pair."""
    return double(high), double(low)
