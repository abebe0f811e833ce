"""Rounding away from zero, which no instruction does."""

from __future__ import annotations

from weft.codegen.elementary.singles import Single, Singles, f32
from weft.codegen.graph import B64, Const, Value
from weft.codegen.selector import Selector


def away(m: Singles, x: Single) -> Value:
    """To the nearest integer, halves away from zero: truncate x + copysign(the largest float below 1/2, x)."""
    nearly_half = m.op("copysign", x, f32(0.49999997))
    return m.op("cvt.rzi.f32", m.add(x, nearly_half))


def away_double(s: Selector, x: Value | Const) -> Value:
    """`away` for f64."""
    register = s.register(x, B64)
    bias = s.pure("copysign.f64", B64, register, Const(B64, 0x3FDFFFFFFFFFFFFF))
    return s.pure("cvt.rzi.f64.f64", B64, s.pure("add.rn.f64", B64, register, bias))
