"""libdevice's functions of one number, held to the exact result: numbers of all sizes around one, of either sign.

What a function does differs by size: near zero, below one, between its thresholds, past the last of them. Numbers whose
logarithms are drawn evenly meet each of these ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from tests.codegen import cuda_bounds
from tests.codegen.libdevice_cases import CASES, DTYPES
from weft.codegen import compile_module
from weft.sim import run

NAMES = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "cospi",
    "cyl_bessel_i0",
    "cyl_bessel_i1",
    "erf",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfinv",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "log",
    "log10",
    "log1p",
    "log2",
    "normcdf",
    "normcdfinv",
    "rcbrt",
    "rsqrt",
    "sin",
    "sinh",
    "sinpi",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
]
COUNT = 256
DIGITS = 60


def references() -> Mapping[str, Callable[[Any], Any]]:
    """Those that mpmath does not have by the same name."""
    m: Any = pytest.importorskip("mpmath")

    def quantile(p: Any) -> Any:
        x = m.mpf(NormalDist().inv_cdf(float(p)))
        for _ in range(3):
            x -= (m.ncdf(x) - p) / m.npdf(x)
        return x

    def cube_root(x: Any) -> Any:
        return m.sign(x) * m.cbrt(abs(x))

    return {
        "cbrt": cube_root, "cyl_bessel_i0": lambda x: m.besseli(0, x), "cyl_bessel_i1": lambda x: m.besseli(1, x),
        "erfcinv": lambda y: -quantile(y / 2) / m.sqrt(2), "erfcx": lambda x: m.exp(x * x) * m.erfc(x),
        "exp10": lambda x: m.mpf(10) ** x, "exp2": lambda x: m.mpf(2) ** x, "log2": lambda x: m.log(x, 2), "normcdf": m.ncdf,
        "normcdfinv": quantile, "rcbrt": lambda x: 1 / cube_root(x), "rsqrt": lambda x: 1 / m.sqrt(x), "tgamma": m.gamma,
    }  # fmt: skip


def exact(name: str, values: np.ndarray) -> np.ndarray:
    """The results in the widest type NumPy has; NaN outside of the domain."""
    m: Any = pytest.importorskip("mpmath")
    function = references().get(name) or getattr(m, name)
    found = np.full(len(values), np.nan, np.longdouble)
    with m.workdps(DIGITS):
        for at, value in enumerate(values.tolist()):
            try:
                result = function(m.mpf(value))
            except (ValueError, ZeroDivisionError):
                continue
            if m.im(result) == 0:
                found[at] = np.longdouble(m.nstr(m.re(result), 25))
    return found


@pytest.mark.sample(8)
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", NAMES)
def test_within_cudas_bound(name: str, kind: str) -> None:
    case = CASES[name + ("f" if kind == "f32" else "")]
    random = np.random.default_rng(5)
    values = (np.exp2(random.uniform(-5, 6, COUNT)) * random.choice([-1, 1], COUNT)).astype(DTYPES[case.operands[0]])
    found = np.zeros(COUNT, values.dtype)
    run(compile_module(case.mlir(), "sm_80"), "k", 1, COUNT, [values, found])
    wanted = exact(name, values)
    bound = (cuda_bounds.F32 if kind == "f32" else cuda_bounds.F64)[name] + 0.5
    with np.errstate(all="ignore"):
        rounded = wanted.astype(values.dtype)
        unit = np.spacing(
            np.minimum(np.maximum(np.abs(rounded), np.finfo(values.dtype).tiny), np.finfo(values.dtype).max)
        )
        near = np.abs(found - wanted) <= bound * unit
    right = near | (found == rounded) | np.isnan(found) & np.isnan(rounded)
    assert right.all(), [(values[i], found[i], wanted[i]) for i in np.flatnonzero(~right)[:4]]
