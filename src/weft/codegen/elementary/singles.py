"""f32 arithmetic in short names, for the sequences of elementary functions."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from weft.codegen import linear
from weft.codegen.graph import B32, PRED, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.isa import opcode

Single = Value | Const
INFINITY, NAN = float("inf"), float("nan")
SIGN = -(1 << 31)
"""The sign bit, as the integer that a `Lin` of 32 bits holds."""


def f32(value: float) -> Const:
    """The nearest f32 constant."""
    return Const(B32, struct.unpack("<I", struct.pack("<f", value))[0])


class Singles:
    """f32 instructions as methods."""

    def __init__(self, s: Selector) -> None:
        self.s = s

    def op(self, stem: str, *args: Any, **slots: str | bool) -> Value:
        """A pure instruction with an f32 result, by its slots but the type."""
        return self.s.pure(opcode(stem, **slots, type="f32"), B32, *args)

    def add(self, a: Single, b: Single) -> Value:
        """a + b."""
        return self.op("add", a, b, rnd="rn")

    def sub(self, a: Single, b: Single) -> Value:
        """a - b."""
        return self.op("sub", a, b, rnd="rn")

    def mul(self, a: Single, b: Single) -> Value:
        """a * b."""
        return self.op("mul", a, b, rnd="rn")

    def fma(self, a: Single, b: Single, c: Single) -> Value:
        """a * b + c, rounded once."""
        return self.op("fma", a, b, c, rnd="rn")

    def neg(self, a: Single) -> Value:
        """-a."""
        return self.op("neg", self.s.register(a, B32))

    def abs(self, a: Single) -> Value:
        """|a|."""
        return self.op("abs", self.s.register(a, B32))

    def signed(self, size: Single, sign: Single) -> Value:
        """The first with the sign of the second."""
        return self.op("copysign", sign, size)

    def test(self, relation: str, a: Single, b: Single) -> Value:
        """A comparison; unordered ones have a `u` at the end."""
        return self.s.pure(opcode("setp", cmp=relation, type="f32"), PRED, self.s.register(a, B32), b)

    def pick(self, test: Any, a: Single, b: Single) -> Any:
        """a if test else b."""
        if isinstance(test, Const):
            return a if test.pattern else b
        return self.s.pure(opcode("selp", type="b32"), B32, a, b, test)

    def both(self, a: Any, b: Any) -> Any:
        """a and b, for predicates."""
        return self.s.logic("and", a, b)

    def either(self, a: Any, b: Any) -> Any:
        """a or b, for predicates."""
        return self.s.logic("or", a, b)

    def polynomial(self, x: Single, coefficients: Sequence[float | Single]) -> Value:
        """c0 + x * (c1 + x * (...)), with at least two coefficients."""
        terms = [f32(c) if isinstance(c, (int, float)) else c for c in coefficients]
        value: Single = terms[-1]
        for term in reversed(terms[:-1]):
            value = self.fma(x, value, term) if isinstance(value, Const) else self.fma(value, x, term)
        assert isinstance(value, Value)
        return value

    # -- the hardware's approximations, which take denormals for zeros ---------------------------------------------

    def power_of_two(self, x: Single) -> Value:
        """2^x within 2 ulp, from -126 up."""
        return self.op("ex2", x, ftz=True)

    def reciprocal(self, x: Single) -> Value:
        """1 / x within 1 ulp, for |x| up to 2^126 (0 beyond)."""
        return self.op("rcp", x, rnd="approx", ftz=True)

    def root(self, x: Single) -> Value:
        """The square root, within 1 ulp."""
        return self.op("sqrt", x, rnd="approx", ftz=True)

    # -- integers -------------------------------------------------------------------------------------------------

    def bits(self, x: Single) -> Lin:
        """The bits as an integer."""
        return linear.of(self.s.register(x, B32))

    def of_bits(self, bits: Lin) -> Value:
        """The float with these bits."""
        return self.s.int_value(bits)

    def nearest(self, x: Single) -> Value:
        """The nearest integer, as a float."""
        return self.op("cvt", self.s.register(x, B32), rnd="rni", atype="f32")

    def from_integer(self, n: Lin) -> Value:
        """A signed integer as a float."""
        return self.s.pure(opcode("cvt", rnd="rn", type="f32", atype="s32"), B32, self.s.int_value(n))

    def flipped(self, x: Single, count: Lin) -> Value:
        """x with its sign changed if `count` has bit 1 set: the quadrants 2 and 3 of a turn."""
        s = self.s
        sign = s.bitwise("and", s.shift_left(count, linear.const(30, 32)), linear.const(SIGN, 32))
        return self.of_bits(s.bitwise("xor", self.bits(x), sign))

    def product(self, a: Single, b: Single) -> tuple[Value, Value]:
        """a * b as the sum of two floats, exactly unless the second underflows."""
        high = self.mul(a, b)
        return high, self.fma(a, b, self.neg(high))

    def fast_sum(self, a: Single, b: Single) -> tuple[Value, Value]:
        """a + b as the sum of two floats, for |a| >= |b| or a = 0."""
        total = self.add(a, b)
        return total, self.sub(b, self.sub(total, a))
