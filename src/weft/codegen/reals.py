"""f64 arithmetic in short names, for the sequences of elementary functions."""

from __future__ import annotations

import struct

from weft.codegen import linear
from weft.codegen.floating import Float, Floating
from weft.codegen.graph import B32, B64, Const, Value
from weft.codegen.linear import Lin
from weft.isa import opcode

Double = Float
Pair = tuple[Double, Double]
"""A sum of two doubles of which the second is small."""


def double(value: float) -> Const:
    """An f64 constant."""
    return Const(B64, struct.unpack("<Q", struct.pack("<d", value))[0])


class Reals(Floating):
    """f64 instructions as methods."""

    type, cls = "f64", B64

    @staticmethod
    def constant(value: float) -> Const:
        """The constant."""
        return double(value)

    def div(self, a: Double, b: Double) -> Value:
        """a / b."""
        return self.op("div", a, b, rnd="rn")

    def sqrt(self, a: Double) -> Value:
        """The square root."""
        return self.op("sqrt", a, rnd="rn")

    # -- from the hardware's approximations, for operands and results that are normal numbers -----------------------

    def _approximate(self, a: Double) -> Pair:
        """20 bits of 1 / a, and by what part of itself this should be larger, to 60 bits."""
        near = self.op("rcp", a, rnd="approx", ftz=True)
        error = self.fma(self.neg(a), near, double(1.0))
        return near, self.fma(error, error, error)

    def reciprocal(self, a: Double) -> Value:
        """1 / a within 1 ulp."""
        near, part = self._approximate(a)
        return self.fma(near, part, near)

    def reciprocal_parts(self, a: Double) -> Pair:
        """1 / a as a sum: 20 bits, and the rest."""
        near, part = self._approximate(a)
        return near, self.mul(near, part)

    def quotient(self, a: Double, b: Double) -> Value:
        """a / b, nearly always correctly rounded."""
        inverse = self.reciprocal(b)
        first = self.mul(a, inverse)
        return self.fma(self.fma(self.neg(first), b, a), inverse, first)

    def inverse_root(self, a: Double, low: Double | None = None) -> Value:
        """1 / sqrt(a + low) of a positive number, nearly always correctly rounded."""
        near = self.op("rsqrt", a, rnd="approx", ftz=True)
        # `near` has zeros for its lower word, so that its square is exact: (1 - e)^(-1/2) = 1 + e / 2 + 3 e^2 / 8.
        square = self.neg(self.mul(near, near))
        error = self.fma(square, a, double(1.0))
        if low is not None:
            error = self.fma(square, low, error)
        return self.fma(self.mul(near, error), self.fma(error, double(0.375), double(0.5)), near)

    def root(self, a: Double) -> Value:
        """The square root of a positive number, nearly always correctly rounded."""
        inverse = self.inverse_root(a)
        first = self.mul(a, inverse)
        half = self.mul(inverse, double(0.5))
        return self.fma(self.fma(self.neg(first), first, a), half, first)

    def integer(self, x: Double) -> Lin:
        """A float as a 32-bit integer; out of range the nearest one."""
        return linear.of(self.s.pure(opcode("cvt", rnd="rzi", type="s32", atype="f64"), B32, self.s.register(x, B64)))

    def flipped(self, x: Double, count: Lin) -> Value:
        """x with its sign changed if `count` has bit 1 set: the quadrants 2 and 3 of a turn."""
        s = self.s
        low, high = s.pure_many(opcode("mov", type="b64"), (B32, B32), s.register(x, B64))
        sign = s.bitwise("and", s.shift_left(count, linear.const32(30)), linear.const32(-1 << 31))
        upper = s.int_value(s.bitwise("xor", linear.of(high), linear.of(s.int_value(sign))))
        return s.pure(opcode("mov", type="b64"), B64, (low, upper))

    # -- sums of two doubles --------------------------------------------------------------------------------------

    def multiply(self, a: Pair, b: Pair) -> Pair:
        """The product of two pairs."""
        high, low = self.product(a[0], b[0])
        low = self.fma(a[0], b[1], self.fma(a[1], b[0], low))
        return self.fast_sum(high, low)


def pair(high: float, low: float) -> Pair:
    """A constant pair."""
    return double(high), double(low)
