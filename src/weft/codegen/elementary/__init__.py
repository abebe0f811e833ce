"""Elementary functions of f32, in f32: accurate sequences, and approximations by the hardware.

The accurate ones keep the bounds of `docs/math.md` over all arguments.  f16 and bf16 go through them; f64 has its own
(`weft.codegen.doubles`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen.elementary import (
    error_function,
    exponential,
    hyperbolic,
    inverse,
    logarithm,
    power,
    roots,
    rounding,
    trigonometric,
)
from weft.codegen.elementary.singles import Single, Singles, f32
from weft.codegen.graph import Value

Function = Callable[..., Any]

ACCURATE: dict[str, Function] = {
    "acos": inverse.acos,
    "acosh": hyperbolic.acosh,
    "asin": inverse.asin,
    "asinh": hyperbolic.asinh,
    "atan": inverse.atan,
    "atan2": inverse.atan2,
    "atanh": hyperbolic.atanh,
    "cbrt": roots.cbrt,
    "cos": trigonometric.cos,
    "cosh": hyperbolic.cosh,
    "erf": error_function.erf,
    "erfc": error_function.erfc,
    "exp": exponential.exp,
    "exp10": exponential.exp10,
    "exp2": exponential.exp2,
    "expm1": exponential.expm1,
    "log": logarithm.log,
    "log10": logarithm.log10,
    "log1p": logarithm.log1p,
    "log2": logarithm.log2,
    "power": power.power,
    "round": rounding.away,
    "sin": trigonometric.sin,
    "sinh": hyperbolic.sinh,
    "tan": trigonometric.tan,
    "tanh": hyperbolic.tanh,
}
"""The functions by name; each takes a `Singles` and its operands."""


def _scaled_log(scale: float) -> Function:
    def function(m: Singles, x: Single) -> Value:
        return m.mul(logarithm.base_two(m, x), f32(scale))

    return function


def _instruction(stem: str, **slots: str | bool) -> Function:
    def function(m: Singles, x: Single) -> Value:
        return m.op(stem, x, **slots)

    return function


def _tanh(m: Singles, x: Single) -> Value:
    return m.op("tanh", x) if m.s.module.available("tanh", type="f32") else hyperbolic.tanh(m, x)


FLUSHED: dict[str, Function] = {"exp2": _instruction("ex2", ftz=True)}
"""Approximations whose arguments and results are normal numbers or 0."""
APPROXIMATE: dict[str, Function] = {
    "cos": _instruction("cos"),
    "exp": exponential.exp_fast,
    "exp10": exponential.exp10_fast,
    "exp2": exponential.exp2,
    "log": _scaled_log(0.6931471805599453),
    "log10": _scaled_log(0.3010299956639812),
    "log2": logarithm.base_two,
    "power": power.power_fast,
    "rsqrt": _instruction("rsqrt", rnd="approx"),
    "sin": _instruction("sin"),
    "sqrt": _instruction("sqrt", rnd="approx"),
    "tan": trigonometric.tan_fast,
    "tanh": _tanh,
}
"""The functions as the hardware approximates them (`fastmath<afn>`); the others stay accurate there."""
