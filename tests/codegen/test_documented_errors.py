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
COUNT = 96
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


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize(("name", "parts"), [("sincos", ("sin", "cos")), ("sincospi", ("sinpi", "cospi"))])
def test_sine_and_cosine_together(name: str, parts: tuple[str, str], kind: str) -> None:
    columns = [np.asarray(c).astype(DTYPES[KIND_LETTERS[kind]]) for c in operands(parts[0], kind, 64)]
    outs = [np.zeros_like(columns[0]) for _ in parts]
    run(compile_module(CASES[name + SUFFIX[kind]].mlir(), "sm_80"), "k", 1, 64, [*columns, *outs])
    assert not [found for part, out in zip(parts, outs, strict=True) for found in wrong(part, kind, columns, out)]


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", ["jn", "yn"])
def test_bessel_functions_of_any_order(name: str, kind: str) -> None:
    """Within some units, which the steps from order to order multiply, where the function is not nearly 0."""
    function = {"jn": mpmath.besselj, "yn": mpmath.bessely}[name]
    random, info = np.random.default_rng(3), np.finfo(DTYPES[KIND_LETTERS[kind]])
    order = np.array([0, 1, 2, 3, 7, 30, 100, -1] * 8, np.int32)
    x = np.concatenate([random.uniform(0.2, 8, 32), random.uniform(8, 150, 30), [0.0, np.inf]]).astype(info.dtype)
    x[8:24] *= -1 if name == "jn" else 1
    found = np.zeros_like(x)
    run(compile_module(CASES[name + SUFFIX[kind]].mlir(), "sm_80"), "k", 1, 64, [order, x, found])
    for n, at, value in zip(order.tolist(), x.tolist(), found.tolist(), strict=True):
        if n < 0:
            assert np.isnan(value)
        elif at in (0, np.inf):
            assert value == (0.0 if at or (n and name == "jn") else 1.0 if name == "jn" else -np.inf)
        else:
            exact = function(n, at)
            if abs(exact) > info.max:
                assert value == -np.inf
            else:
                assert abs(value - exact) <= max(60 * info.eps * abs(exact), 4 * info.eps), (n, at, value, exact)


def relative(bits: float) -> Reference:
    return lambda x, exact: np.abs(exact) * 2.0**-bits


def units(count: Reference) -> Reference:
    return lambda x, exact: (count(x) + 0.5) * np.spacing(np.abs(exact).astype(np.float32))


def logarithmic(bits: float, count: int) -> Reference:
    return lambda x, exact: np.where((x >= 0.5) & (x <= 2), 2.0**-bits, units(lambda _: count)(x, exact))


FAST: dict[str, tuple[Range, Reference, Reference]] = {
    "exp": ((-80, 80), np.exp, units(lambda x: 2 + np.floor(np.abs(1.173 * x)))),
    "exp10": ((-35, 35), REFERENCES["exp10"], units(lambda x: 2 + np.floor(np.abs(2.97 * x)))),
    "log": ((0, 9), np.log, logarithmic(21.41, 3)), "log2": ((0, 9), np.log2, logarithmic(22, 2)),
    "log10": ((0, 9), np.log10, logarithmic(24, 3)),
    "sin": ((-3.14, 3.14), np.sin, lambda x, exact: 2.0**-21.41), "cos": ((-3.14, 3.14), np.cos, lambda x, exact: 2.0**-21.41),
    "tan": ((-1.2, 1.2), np.tan, lambda x, exact: 2.0**-19 * (1 + exact * exact)), "tanh": ((-9, 9), np.tanh, relative(11)),
}  # fmt: skip
"""Where approximations have bounds, what they are of, and the largest error."""


def test_approximations() -> None:
    names = {name: CASES[f"fast_{name}f"] for name in FAST}
    module = compile_module(
        "\n".join(case.mlir().replace("@k(", f"@k_{name}(") for name, case in names.items()), "sm_80"
    )
    for name, (ends, reference, allowed) in FAST.items():
        x = np.random.default_rng(2).uniform(*ends, 256).astype(np.float32)
        found = np.zeros_like(x)
        run(module, f"k_{name}", 1, 256, [x, found])
        exact = reference(x.astype(np.longdouble))
        assert (np.abs(found - exact) <= allowed(x.astype(np.float64), exact)).all(), name


def test_approximate_powers_and_quotients() -> None:
    random = np.random.default_rng(2)
    x, y = random.uniform(0.1, 9, 256).astype(np.float32), random.uniform(-5, 5, 256).astype(np.float32)
    wide = [v.astype(np.longdouble) for v in (x, y)]
    exact = {"fast_fdividef": (wide[0] / wide[1], 2.5), "fast_powf": (wide[0] ** wide[1], 60.0)}
    for name, (wanted, ulps) in exact.items():
        found = np.zeros_like(x)
        run(compile_module(CASES[name].mlir(), "sm_80"), "k", 1, 256, [x, y, found])
        assert (np.abs(found - wanted) <= ulps * np.spacing(np.abs(wanted).astype(np.float32))).all(), name
