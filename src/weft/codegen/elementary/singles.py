"""f32 arithmetic in short names, for the sequences of elementary functions."""

from __future__ import annotations

import struct

from weft.codegen import linear
from weft.codegen.floating import Float, Floating
from weft.codegen.graph import B32, Const, Value
from weft.codegen.linear import Lin

Single = Float
INFINITY, NAN = float("inf"), float("nan")
SIGN = -(1 << 31)
"""The sign bit, as the integer that a `Lin` of 32 bits holds."""


def f32(value: float) -> Const:
    """The nearest f32 constant."""
    return Const(B32, struct.unpack("<I", struct.pack("<f", value))[0])


class Singles(Floating):
    """f32 instructions as methods."""

    type, cls = "f32", B32

    @staticmethod
    def constant(value: float) -> Const:
        """The nearest constant."""
        return f32(value)

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

    def flipped(self, x: Single, count: Lin) -> Value:
        """x with its sign changed if `count` has bit 1 set: the quadrants 2 and 3 of a turn."""
        s = self.s
        sign = s.bitwise("and", s.shift_left(count, linear.const32(30)), linear.const32(SIGN))
        return self.of_bits(s.bitwise("xor", self.bits(x), sign))
