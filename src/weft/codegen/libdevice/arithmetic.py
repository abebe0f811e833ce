"""f32 and f64 arithmetic under the same names, for functions that are written once for both."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.elementary.singles import Singles, f32
from weft.codegen.formats import FORMATS
from weft.codegen.graph import B32, B64, Const
from weft.codegen.linear import Lin
from weft.codegen.reals import Reals, double
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar


class Arithmetic:
    """The instructions of one kind of float, its constants and its format."""

    def __init__(self, s: Selector, kind: Scalar) -> None:
        self.s = s
        self.kind = kind
        self.single = kind.name == "f32"
        self.m: Any = Singles(s) if self.single else Reals(s)
        self.format = FORMATS[kind.name]

    def const(self, value: float) -> Const:
        """A constant."""
        return f32(value) if self.single else double(value)

    def bits(self, x: Any) -> Lin:
        """The bits as an integer."""
        return linear.of(self.s.register(x, B32 if self.single else B64))

    def whole(self, value: int) -> Lin:
        """An integer as wide as the float."""
        return linear.const(value, self.format.width)

    def negative(self, x: Any) -> Any:
        """Whether the sign is set."""
        return self.s.compare("lt", self.bits(x), self.whole(0), signed=True)

    def size(self, x: Any) -> Lin:
        """The bits without the sign."""
        return self.s.bitwise("and", self.bits(x), self.whole(-self.format.sign - 1))

    def flag(self, test: Any) -> Lin:
        """1 if the test holds, else 0."""
        return self.s.from_test(test, 32)
