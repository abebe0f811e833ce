"""The elementary and the special functions, those of the same operands in one kernel, are as exact as docs/math.md says.

The operands lie where a function does something of its own: near 0 and 1, at either end of where it has results, between,
and past it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.codegen.libdevice_cases import CASES, DTYPES
from weft.codegen import compile_module
from weft.sim import run

mpmath: Any = pytest.importorskip("mpmath")
Reference = Callable[..., Any]
DOCUMENT = Path(__file__).parents[2] / "docs" / "math.md"
COUNT = 256
MOST = mpmath.mpf("1e4900")
"""Larger results are infinite in any of NumPy's types, their inverses 0."""
SUFFIX = {"f32": "f", "f64": ""}
"""What the names of functions end with."""
KIND_LETTERS = {"f32": "f", "f64": "d"}
ABSOLUTE = {"f32": 1.2e-7, "f64": 1.2e-15}
"""The error of Bessel functions from 8 on."""
LGAMMA = {"f32": (-10.001, -2.264), "f64": (-23.0001, -2.2637)}
"""Where `lgamma` has zeros, and no bound."""


@cache
def bounds() -> dict[str, float]:
    """The largest errors that are documented, by the names of the functions."""
    found: dict[str, float] = {}
    for name, single, double in re.findall(
        r"^\| (\w+) \| \d+ \| ([\d.]+) \|(?:[^|]+\|){5} ([\d.]+) \|", DOCUMENT.read_text(), re.M
    ):
        # All numbers of f32 were tried, and so many of f64 that others may be a little worse.
        found |= {f"{name}f": float(single) + 0.01, name: float(double) + 0.15}
    return found


def multiprecision(function: Reference) -> Reference:
    """A function of mpmath, of arrays; NaN where it has no real result."""

    def found(*columns: Any) -> Any:
        out = np.full(len(columns[0]), np.nan, np.longdouble)
        with mpmath.workdps(30), np.errstate(all="ignore"):
            for at, row in enumerate(zip(*columns, strict=True)):
                try:
                    result = function(*(mpmath.mpf(float(x)) for x in row))
                except (ValueError, ZeroDivisionError, OverflowError):
                    continue
                if mpmath.im(result) == 0 and not mpmath.isnan(result):
                    real = mpmath.re(result)
                    size = abs(real)
                    end = 0.0 if size < 1 / MOST else np.inf * float(mpmath.sign(real)) if size > MOST else None
                    out[at] = np.longdouble(mpmath.nstr(real, 24)) if end is None else end
        return out

    return found


def quantile(p: Any) -> Any:
    """The inverse of the normal distribution."""
    if p <= 0 or p >= 1:
        return {0: -mpmath.inf, 1: mpmath.inf}.get(p, mpmath.nan)
    with mpmath.extradps(20):
        left = min(p, 1 - p)
        x = -mpmath.sqrt(-2 * mpmath.log(left)) if left < 0.02 else mpmath.sqrt(2) * mpmath.erfinv(2 * left - 1)
        for _ in range(5):
            small = mpmath.ncdf(x)
            x -= (mpmath.log(small) - mpmath.log(left)) * small / mpmath.npdf(x)
        return x if p <= 0.5 else -x


def erfcx(x: Any) -> Any:
    return mpmath.exp(x * x) * mpmath.erfc(x) if x < 1e4 else 1 / (x * mpmath.sqrt(mpmath.pi)) * (1 - 1 / (2 * x * x))


def log_gamma(x: Any) -> Any:
    return mpmath.inf if x == -1 else mpmath.loggamma(x) if x > 0 else mpmath.log(abs(mpmath.gamma(x)))


def second_kind(order: int) -> Reference:
    def found(x: Any) -> Any:
        return mpmath.bessely(order, x) if x > 0 else mpmath.nan if x else -mpmath.inf

    return multiprecision(found)


def lengths(*columns: Any) -> Any:
    return np.sqrt(sum(column * column for column in columns))


REFERENCES: dict[str, Reference] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atan2": np.arctan2, "atanh": np.arctanh, "cbrt": np.cbrt, "cos": np.cos, "cosh": np.cosh, "exp": np.exp,
    "exp10": lambda x: np.longdouble(10) ** x, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log10": np.log10,
    "log1p": np.log1p, "log2": np.log2, "pow": np.power, "sin": np.sin, "sinh": np.sinh, "tan": np.tan, "tanh": np.tanh,
    "hypot": lengths, "norm3d": lengths, "norm4d": lengths, "rsqrt": lambda x: 1 / np.sqrt(x),
    "rcbrt": lambda x: 1 / np.cbrt(x), "rhypot": lambda *x: 1 / lengths(*x), "rnorm3d": lambda *x: 1 / lengths(*x),
    "rnorm4d": lambda *x: 1 / lengths(*x), "erf": multiprecision(mpmath.erf), "erfc": multiprecision(lambda x: mpmath.erfc(min(x, 1e4))),
    "erfcx": multiprecision(erfcx), "erfinv": multiprecision(mpmath.erfinv),
    "erfcinv": multiprecision(lambda y: -quantile(y / 2) / mpmath.sqrt(2)), "normcdf": multiprecision(mpmath.ncdf),
    "normcdfinv": multiprecision(quantile), "sinpi": multiprecision(mpmath.sinpi), "cospi": multiprecision(mpmath.cospi),
    "cyl_bessel_i0": multiprecision(lambda x: mpmath.besseli(0, x)),
    "cyl_bessel_i1": multiprecision(lambda x: mpmath.besseli(1, x)),
    "j0": multiprecision(lambda x: mpmath.besselj(0, x)), "j1": multiprecision(lambda x: mpmath.besselj(1, x)),
    "y0": second_kind(0), "y1": second_kind(1),
    "lgamma": multiprecision(log_gamma),
    "tgamma": multiprecision(mpmath.gamma),
}  # fmt: skip
SLOW = ("cyl", "j", "y", "erf", "norm", "lg", "tg")
"""The beginnings of functions of which fewer operands are tried."""
Range = tuple[float, float]
PLACES: dict[str, dict[str, list[Range]]] = {
    "exp": {"f32": [(-104, 89)], "f64": [(-746, 710)]}, "exp2": {"f32": [(-150, 128)], "f64": [(-1075, 1024)]},
    "exp10": {"f32": [(-45.2, 38.6)], "f64": [(-324, 308.3)]}, "expm1": {"f32": [(-20, 89)], "f64": [(-40, 710)]},
    "sinh": {"f32": [(-89.5, 89.5)], "f64": [(-710.5, 710.5)]}, "cosh": {"f32": [(-89.5, 89.5)], "f64": [(-710.5, 710.5)]},
    "tanh": {"f32": [(-10, 10)], "f64": [(-20, 20)]}, "erf": {"f32": [(-4.2, 4.2)], "f64": [(-6.2, 6.2)]},
    "erfc": {"f32": [(-4, 10.2)], "f64": [(-6, 27)]}, "erfcx": {"f32": [(-9.3, 20)], "f64": [(-26.6, 40)]},
    "normcdf": {"f32": [(-14, 6)], "f64": [(-38, 9)]}, "tgamma": {"f32": [(-20.5, 35)], "f64": [(-30.5, 171.6)]},
    "lgamma": {"f32": [(0, 6), (-20, 30)], "f64": [(0, 6), (-30, 30)]},
    "cyl_bessel_i0": {"f32": [(-91, 91)], "f64": [(-713, 713)]}, "cyl_bessel_i1": {"f32": [(-91, 91)], "f64": [(-713, 713)]},
} | {name: {"f32": [(0, 8), (8, 60)], "f64": [(0, 8), (8, 60)]} for name in ("j0", "j1", "y0", "y1")}  # fmt: skip
"""Where functions are tried that have no results elsewhere."""
INSIDE = ("acos", "asin", "atanh", "erfinv")
"""Functions of numbers from -1 to 1."""
POSITIVE = ("log", "log2", "log10", "rsqrt", "acosh", "erfcinv", "normcdfinv", "lgamma", "y0", "y1")


def sizes(random: np.random.Generator, count: int, low: float, high: float) -> Any:
    """Numbers whose logarithms are drawn evenly."""
    return np.exp2(random.uniform(low, high, count))


def own(name: str, kind: str, random: np.random.Generator, count: int) -> Any:
    """Operands where a function does something of its own."""
    info = np.finfo(DTYPES[KIND_LETTERS[kind]])
    bits, low, high = float(info.nmant), float(info.minexp - info.nmant), float(info.maxexp) - 1e-3
    half = count // 2
    if name in PLACES:
        ranges = PLACES[name][kind]
        return np.concatenate([random.uniform(*each, count // len(ranges)) for each in ranges])
    if name in INSIDE:
        signs = random.choice([-1, 1], count)
        return signs * np.concatenate([random.uniform(0, 1, half), 1 - sizes(random, count - half, -bits, -2)])
    if name == "acosh":
        return 1 + sizes(random, count, -bits, 8)
    if name in ("erfcinv", "normcdfinv"):
        near = sizes(random, half, -100 if kind == "f32" else -1000, -1)
        return np.concatenate([near, (1 if name == "normcdfinv" else 2) - sizes(random, count - half, -bits, -1)])
    if name in ("sin", "cos", "tan"):
        turns = np.floor(sizes(random, half, 0, 30)) * (np.pi / 2)
        return np.concatenate([turns, -sizes(random, count - half, 7, high)])
    if name in ("sinpi", "cospi"):
        return np.concatenate([random.integers(-400, 400, half) / 4, random.uniform(-50, 50, count - half)])
    return random.choice([-1, 1][name in POSITIVE :], count) * sizes(random, count, low, high)


def operands(name: str, kind: str, count: int) -> list[Any]:
    """Special values, numbers around 1, small and large ones, and those of the function's own; of several, all sizes."""
    random, info = np.random.default_rng(7), np.finfo(DTYPES[KIND_LETTERS[kind]])
    number = len(CASES[name + SUFFIX[kind]].operands)
    ends = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, info.tiny, info.smallest_subnormal, info.max]
    if name == "pow":
        base = np.concatenate([ends, sizes(random, count - len(ends) - 20, -3, 3), [-2.0] * 20])
        power = np.concatenate(
            [random.permutation(ends), random.uniform(-1, 1, count - len(ends) - 20) * info.maxexp, [3.0, 2.5] * 10]
        )
        power[len(ends) : -20] /= np.log2(base[len(ends) : -20])
        return [base, power]
    if number > 1:
        most = info.maxexp / 1.0
        scale = np.exp2(random.choice([0.0, -0.6 * most, 0.6 * most, 2 - most], count))
        columns = [random.normal(size=count) * scale * sizes(random, count, -8, 0) for _ in range(number)]
        for column in columns:
            column[: len(ends)] = random.permutation(ends)
        return columns
    share = count // 8
    signs = random.choice([-1, 1][name in POSITIVE :], share)
    parts = [sizes(random, share, *ends_) * signs for ends_ in ((-20, -2), (-2, 2), (2, 7))]
    parts.append(1 + random.choice([-1, 1], share) * sizes(random, share, -float(info.nmant), -1))
    return [np.concatenate([ends, *parts, own(name, kind, random, count - 4 * share - len(ends))])]


def wrong(name: str, kind: str, columns: list[Any], found: Any) -> list[object]:
    """Operands with results that are further from the exact ones than is documented."""
    with np.errstate(all="ignore"):
        exact = REFERENCES[name](*(column.astype(np.longdouble) for column in columns))
        rounded, info = exact.astype(found.dtype), np.finfo(found.dtype)
        unit = np.spacing(np.clip(np.abs(rounded), info.tiny, info.max))
        allowed = bounds()[name + SUFFIX[kind]] * unit.astype(np.longdouble)
        x = columns[0]
        if name in ("j0", "j1", "y0", "y1"):
            allowed = np.where(np.abs(x) > 7.9, ABSOLUTE[kind], allowed)
        near = np.abs(found - exact) <= allowed
        right = near | (found == rounded) | np.isnan(found) & np.isnan(exact)
        if name == "lgamma":
            right |= (x > LGAMMA[kind][0]) & (x < LGAMMA[kind][1])
        # Infinities and NaNs of several operands, and poles, are C's; `test_special_values` holds these to the C library.
        right |= ~np.isfinite(exact) & (np.any([~np.isfinite(c) | (c == 0) for c in columns], axis=0))
    return [(name, *(c[i] for c in columns), found[i], exact[i]) for i in np.flatnonzero(~right)[:4]]


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_as_exact_as_documented(kind: str) -> None:
    """All functions of a type, compiled together."""
    names = {name: CASES[name + SUFFIX[kind]] for name in REFERENCES}
    module = compile_module(
        "\n".join(case.mlir().replace("@k(", f"@k_{name}(") for name, case in names.items()), "sm_80"
    )
    found: list[object] = []
    for name in names:
        count = COUNT // 4 if name[0] == "y" else COUNT // 2 if name.startswith(SLOW) else COUNT
        with np.errstate(all="ignore"):
            columns = [np.asarray(c).astype(DTYPES[KIND_LETTERS[kind]]) for c in operands(name, kind, count)]
        out = np.zeros_like(columns[0])
        run(module, f"k_{name}", 1, count, [*columns, out])
        found += wrong(name, kind, columns, out)
    assert not found
