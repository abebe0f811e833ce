"""Elementary functions of f64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen.doubles import (
    error_function,
    exponential,
    hyperbolic,
    inverse,
    logarithm,
    power,
    roots,
    trigonometric,
)

ACCURATE: dict[str, Callable[..., Any]] = {
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
    "sin": trigonometric.sin,
    "sinh": hyperbolic.sinh,
    "tan": trigonometric.tan,
    "tanh": hyperbolic.tanh,
}
"""The functions by name; each takes a `Reals` and its operands."""
