"""Rounding away from zero, which no instruction does."""

from __future__ import annotations

from weft.codegen.elementary.singles import Single, Singles, f32
from weft.codegen.graph import B64, Const, Value
from weft.codegen.selector import Selector
from weft.isa import opcode


def away(m: Singles, x: Single) -> Value:
    """To the nearest integer, halves away from zero: truncate x + copysign(the largest float below 1/2, x)."""
    nearly_half = m.op("copysign", x, f32(0.49999997))
    return m.op("cvt", m.add(x, nearly_half), rnd="rzi", atype="f32")


def away_double(s: Selector, x: Value | Const) -> Value:
    """`away` for f64."""
    register = s.register(x, B64)
    bias = s.pure(opcode("copysign", type="f64"), B64, register, Const(B64, 0x3FDFFFFFFFFFFFFF))
    return s.pure(
        opcode("cvt", rnd="rzi", type="f64", atype="f64"),
        B64,
        s.pure(opcode("add", rnd="rn", type="f64"), B64, register, bias),
    )
