"""Arithmetic on floats of one width in short names, for the sequences of elementary functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from weft.codegen import linear
from weft.codegen.graph import PRED, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.isa import opcode

Float = Value | Const


class Floating(ABC):
    """Instructions on floats of a type, in registers of a class, as methods."""

    type: ClassVar[str]
    cls: ClassVar[str]

    def __init__(self, s: Selector) -> None:
        self.s = s

    @staticmethod
    @abstractmethod
    def constant(value: float) -> Const:
        """The nearest constant."""

    def op(self, stem: str, *args: Any, **slots: str | bool) -> Value:
        """A pure instruction with a result of the type, by its slots but the type."""
        return self.s.pure(opcode(stem, **slots, type=self.type), self.cls, *args)

    def add(self, a: Float, b: Float) -> Value:
        """a + b."""
        return self.op("add", a, b, rnd="rn")

    def sub(self, a: Float, b: Float) -> Value:
        """a - b."""
        return self.op("sub", a, b, rnd="rn")

    def mul(self, a: Float, b: Float) -> Value:
        """a * b."""
        return self.op("mul", a, b, rnd="rn")

    def fma(self, a: Float, b: Float, c: Float) -> Value:
        """a * b + c, rounded once."""
        return self.op("fma", a, b, c, rnd="rn")

    def neg(self, a: Float) -> Value:
        """-a."""
        return self.op("neg", self.s.register(a, self.cls))

    def abs(self, a: Float) -> Value:
        """|a|."""
        return self.op("abs", self.s.register(a, self.cls))

    def signed(self, size: Float, sign: Float) -> Value:
        """The first with the sign of the second."""
        return self.op("copysign", sign, size)

    def test(self, relation: str, a: Float, b: Float) -> Value:
        """A comparison; unordered ones have a `u` at the end."""
        return self.s.pure(opcode("setp", cmp=relation, type=self.type), PRED, self.s.register(a, self.cls), b)

    def pick(self, test: Any, a: Float, b: Float) -> Any:
        """a if test else b."""
        if isinstance(test, Const):
            return a if test.pattern else b
        return self.s.pure(opcode("selp", type=f"b{self.type[1:]}"), self.cls, a, b, test)

    def both(self, a: Any, b: Any) -> Any:
        """a and b, for predicates."""
        return self.s.logic("and", a, b)

    def either(self, a: Any, b: Any) -> Any:
        """a or b, for predicates."""
        return self.s.logic("or", a, b)

    def polynomial(self, x: Float, coefficients: Sequence[float | Float]) -> Value:
        """c0 + x * (c1 + x * (...)), with at least two coefficients."""
        terms = [self.constant(c) if isinstance(c, (int, float)) else c for c in coefficients]
        value: Float = terms[-1]
        for term in reversed(terms[:-1]):
            value = self.fma(x, value, term) if isinstance(value, Const) else self.fma(value, x, term)
        assert isinstance(value, Value)
        return value

    def odd(self, x: Float, coefficients: Sequence[float | Float]) -> Value:
        """x + x^3 P(x^2)."""
        square = self.mul(x, x)
        return self.fma(self.mul(square, self.polynomial(square, coefficients)), x, x)

    def nearest(self, x: Float) -> Value:
        """The nearest integer, as a float."""
        return self.op("cvt", self.s.register(x, self.cls), rnd="rni", atype=self.type)

    def from_integer(self, n: Lin) -> Value:
        """A signed integer of 32 bits as a float."""
        return self.s.pure(opcode("cvt", rnd="rn", type=self.type, atype="s32"), self.cls, self.s.int_value(n))

    def bits(self, x: Float) -> Lin:
        """The bits as an integer."""
        return linear.of(self.s.register(x, self.cls))

    def of_bits(self, bits: Lin) -> Value:
        """The float with these bits."""
        return self.s.int_value(bits)

    # -- sums of two floats, the second of which is small -----------------------------------------------------------

    def two_sum(self, a: Float, b: Float) -> tuple[Value, Value]:
        """a + b exactly."""
        total = self.add(a, b)
        part = self.sub(total, a)
        return total, self.add(self.sub(a, self.sub(total, part)), self.sub(b, part))

    def fast_sum(self, a: Float, b: Float) -> tuple[Value, Value]:
        """a + b exactly, for |a| >= |b| or a = 0."""
        total = self.add(a, b)
        return total, self.sub(b, self.sub(total, a))

    def product(self, a: Float, b: Float) -> tuple[Value, Value]:
        """a * b, exactly unless the second underflows."""
        high = self.mul(a, b)
        return high, self.fma(a, b, self.neg(high))
