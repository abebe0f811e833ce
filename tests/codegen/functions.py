"""The elementary functions of f32: what they should give, and how exact weft says they are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Function:
    """An operation on f32.

    `reference` computes it in f64.  `bound` is the largest error, in units in the last place of the exact result, that
    weft allows itself.
    """

    operation: str
    reference: Callable[..., Any]
    bound: float
    operands: int = 1

    def text(self) -> str:
        """`%r = ...` as an operation on `%a` and `%b`."""
        if self.operation.startswith("llvm.intr."):
            return f"%r = {self.operation}({'%a, %b'[: 4 * self.operands - 2]}) : ({'f32, f32'[: 5 * self.operands - 2]}) -> f32"
        return f"%r = {self.operation} {'%a, %b'[: 4 * self.operands - 2]} : f32"


_erf, _erfc = np.vectorize(math.erf, [float]), np.vectorize(math.erfc, [float])

SINGLE = {
    "acos": Function("math.acos", np.arccos, 1.5),
    "acosh": Function("math.acosh", np.arccosh, 2.0),
    "asin": Function("math.asin", np.arcsin, 2.0),
    "asinh": Function("math.asinh", np.arcsinh, 2.0),
    "atan": Function("math.atan", np.arctan, 1.5),
    "atan2": Function("math.atan2", np.arctan2, 2.0, 2),
    "atanh": Function("math.atanh", np.arctanh, 3.0),
    "cbrt": Function("math.cbrt", np.cbrt, 1.0),
    "cos": Function("math.cos", np.cos, 1.6),
    "cosh": Function("math.cosh", np.cosh, 2.27),
    "erf": Function("math.erf", _erf, 1.2),
    "erfc": Function("math.erfc", _erfc, 4.3),
    "exp": Function("math.exp", np.exp, 1.5),
    "exp10": Function("llvm.intr.exp10", lambda x: 10.0**x, 1.5),
    "exp2": Function("math.exp2", np.exp2, 1.0),
    "expm1": Function("math.expm1", np.expm1, 1.4),
    "log": Function("math.log", np.log, 1.0),
    "log10": Function("math.log10", np.log10, 1.5),
    "log1p": Function("math.log1p", np.log1p, 1.0),
    "log2": Function("math.log2", np.log2, 1.4),
    "pow": Function("math.powf", np.power, 2.5, 2),
    "sin": Function("math.sin", np.sin, 1.6),
    "sinh": Function("math.sinh", np.sinh, 2.7),
    "tan": Function("math.tan", np.tan, 3.0),
    "tanh": Function("math.tanh", np.tanh, 2.0),
}
"""By name."""

SPECIAL = np.array(
    [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 0.5, -0.5, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.17549435e-38,
     3.4028235e38, -3.4028235e38, 1.0000001, 0.99999994, -0.99999994, 2.0**24 + 2, -(2.0**24) - 1, 1e30, 88.72284, -104.0],
    np.float32,
)  # fmt: skip


def operands(count: int, number: int, seed: int = 0) -> list[Singles]:
    """`count` values for each of `number` operands: every so many-th of all bit patterns, or for two a mixture.

    The mixture has bit patterns, special values, ordinary numbers and numbers of middling size in every combination.
    """
    random = np.random.default_rng(seed)
    if number == 1:
        step = (1 << 32) // count
        patterns = np.arange(count, dtype=np.uint64) * step + random.integers(0, step, dtype=np.uint64)
        values = patterns.astype(np.uint32).view(np.float32)
        values[: SPECIAL.size] = SPECIAL
        return [values]
    part = count // 16
    out: list[list[Singles]] = [[], []]
    for i in range(16):
        for side, kind in ((0, i % 4), (1, i // 4)):
            out[side].append(_drawn(random, part, kind))
    return [np.concatenate(parts) for parts in out]


def _drawn(random: np.random.Generator, count: int, kind: int) -> Singles:
    if kind == 0:
        return random.integers(0, 1 << 32, count, dtype=np.uint64).astype(np.uint32).view(np.float32)
    if kind == 1:
        return random.choice(SPECIAL, count)
    if kind == 2:
        return random.uniform(-50, 50, count).astype(np.float32)
    return (2.0 ** random.uniform(-10, 10, count)).astype(np.float32)


def errors(found: Singles, wanted: Doubles) -> Doubles:
    """The error of each result in units in the last place of the exact one; infinite where it is of another kind.

    The exact result's own zeros, infinities and NaNs must be met exactly, zeros with their sign.
    """
    with np.errstate(all="ignore"):
        rounded = wanted.astype(np.float32)
        unit = np.spacing(np.maximum(np.abs(rounded), np.float32(2.0**-126))).astype(np.float64)
        out = np.abs(found.astype(np.float64) - wanted) / unit
    odd = ~np.isfinite(rounded) | ~np.isfinite(found)
    same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
    out[odd] = np.where(same[odd], 0.0, np.inf)
    zero = (wanted == 0) & (np.signbit(found) != np.signbit(wanted))
    out[zero] = np.inf
    return out
