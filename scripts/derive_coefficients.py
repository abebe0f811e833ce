"""Derive the coefficients of the f32 functions: `python scripts/derive_coefficients.py` writes them to their module.

Every polynomial is stated as what it approximates, where, how many coefficients it has, and by what its error is
multiplied to become the relative error of the function.  `--check` compares with what is there.  Needs mpmath.
"""

from __future__ import annotations

import struct
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from minimax import fitted, mp, mpf, rounded  # pyright: ignore[reportImplicitRelativeImport]

Real = Any
Function = Callable[[Real], Real]
SOURCES = Path(__file__).parents[1] / "src/weft/codegen"
TARGET, DOUBLE_TARGET = SOURCES / "elementary/coefficients.py", SOURCES / "doubles/coefficients.py"
SINGLE, DOUBLE = 24, 53
LOG2E = 1 / mp.log(2)
LOG10E = 1 / mp.log(10)
LOG2E_HIGH, LOG10E_HIGH = rounded(LOG2E, SINGLE), rounded(LOG10E, SINGLE)
ERF_BORDER = mpf("0.92")


def odd_part(f: Function) -> Function:
    """P of f(x) = x + x^3 P(x^2), as a function of x^2."""
    return lambda z: (f(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def odd_weight(f: Function) -> Function:
    """The weight of P's error in the relative error of x + x^3 P(x^2)."""
    return lambda z: z * mp.sqrt(z) / f(mp.sqrt(z))


def erfc_slow(t: Real) -> Real:
    """erfc(a) e^(a^2) (1 + 2 a), with t = (a - 4) / (a + 4)."""
    a = 4 * (1 + t) / (1 - t)
    return mp.erfc(a) * mp.exp(a * a) * (1 + 2 * a)


POLYNOMIALS: dict[str, tuple[str, Function, Real, Real, int, Function]] = {
    "EXPM1": (
        "(e^x - 1 - x) / x^2, |x| <= log(2) / 2",
        lambda x: (mp.expm1(x) - x) / x**2, -0.3466, 0.3466, 6, lambda x: x * x / mp.expm1(x),
    ),
    "LOG": (
        "(log(1 + f) - f) / f^2, |f| <= 1/3",
        lambda f: (mp.log1p(f) - f) / f**2, -0.33334, 0.33334, 9, lambda f: f * f / mp.log1p(f),
    ),
    "LOG1P": (
        "(log(1 + f) - f) / f^2, -1/4 <= f <= 1/2",
        lambda f: (mp.log1p(f) - f) / f**2, -0.25, 0.5, 9, lambda f: f * f / mp.log1p(f),
    ),
    "LOG2": (
        "log2(1 + f) / f - LOG2_FIRST, |f| <= 1/3",
        lambda f: mp.log1p(f) * LOG2E / f - LOG2E_HIGH, -0.33334, 0.33334, 10, lambda f: f / mp.log1p(f) / LOG2E,
    ),
    "LOG10": (
        "log10(1 + f) / f - LOG10_FIRST, |f| <= 1/3",
        lambda f: mp.log1p(f) * LOG10E / f - LOG10E_HIGH, -0.33334, 0.33334, 10, lambda f: f / mp.log1p(f) / LOG10E,
    ),
    "LOG2_ODD": (
        "(log2((2 + s) / (2 - s)) - s log2 e) / s^3 in s^2, |s| <= 0.3432",
        lambda z: (mp.log((2 + mp.sqrt(z)) / (2 - mp.sqrt(z))) / mp.sqrt(z) - 1) / z * LOG2E, 0, 0.1178, 4, lambda z: z,
    ),
    "SIN": (
        "(sin(x) / x - 1) / x^2 in x^2, |x| <= pi/4 and a bit",
        odd_part(mp.sin), 0, 0.6189, 3, odd_weight(mp.sin),
    ),
    "COS": (
        "(cos(x) - 1) / x^2 in x^2, |x| <= pi/4 and a bit",
        lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, 0, 0.6189, 4, lambda z: z / mp.cos(mp.sqrt(z)),
    ),
    "TAN": (
        "(tan(x) / x - 1) / x^2 in x^2, |x| <= pi/4 and a bit",
        odd_part(mp.tan), 0, 0.6189, 6, odd_weight(mp.tan),
    ),
    "ATAN": (
        "(atan(t) / t - 1) / t^2 in t^2, |t| <= 1",
        odd_part(mp.atan), 0, 1, 8, odd_weight(mp.atan),
    ),
    "ASIN": (
        "(asin(t) / t - 1) / t^2 in t^2, |t| <= 0.5625",
        odd_part(mp.asin), 0, 0.3165, 5, odd_weight(mp.asin),
    ),
    "SINH": (
        "(sinh(x) / x - 1) / x^2 in x^2, |x| <= 1",
        odd_part(mp.sinh), 0, 1, 3, odd_weight(mp.sinh),
    ),
    "TANH": (
        "(tanh(x) / x - 1) / x^2 in x^2, |x| <= 0.55",
        odd_part(mp.tanh), 0, 0.3025, 4, odd_weight(mp.tanh),
    ),
    "ERF": (
        "erf(x) / x - 1 in x^2, |x| <= ERF_BORDER",
        lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 0, ERF_BORDER**2, 6, lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z)),
    ),
    "ERF_COMPLEMENT": (
        "log2(erfc(a)), ERF_BORDER <= a <= 4; errors weigh by what is left of 1",
        lambda a: mp.log(mp.erfc(a)) * LOG2E, ERF_BORDER, 4, 7, lambda a: mp.erfc(a) / LOG2E / mp.erf(a),
    ),
    "ERFC": (
        "erfc(a) e^(a^2) (1 + 2 a) in t = (a - 4) / (a + 4), 0 <= a <= 10.5",
        erfc_slow, -1, mpf(6.5) / mpf(14.5), 11, lambda t: 1 / erfc_slow(t),
    ),
}  # fmt: skip
"""Name: what it is, the function, its interval, the number of coefficients, the weight of the error."""


DOUBLE_POLYNOMIALS: dict[str, tuple[str, Function, Real, Real, int, Function]] = {
    "EXP": (
        "(e^x - 1 - x) / x^2, |x| <= log(2) / 2",
        lambda x: (mp.expm1(x) - x) / x**2, -0.3466, 0.3466, 10, lambda x: x * x / mp.exp(x),
    ),
    "EXPM1": (
        "(e^x - 1 - x) / x^2, |x| <= log(2) / 2",
        lambda x: (mp.expm1(x) - x) / x**2, -0.3466, 0.3466, 11, lambda x: x * x / mp.expm1(x),
    ),
    "LOG": (
        "(log(1 + f) / s - 2) / s^2 in s^2, s = f / (2 + f), |s| <= 0.1716",
        lambda z: (mp.log((1 + mp.sqrt(z)) / (1 - mp.sqrt(z))) / mp.sqrt(z) - 2) / z, 0, 0.02945, 8,
        lambda z: z / 2,
    ),
    "LOG_PAIR": (
        "(log((1 + s) / (1 - s)) - 2 s - 2/3 s^3) / s^5 in s^2, |s| <= 0.1716",
        lambda z: ((mp.log((1 + mp.sqrt(z)) / (1 - mp.sqrt(z))) / mp.sqrt(z) - 2) / z - mpf(2) / 3) / z, 0, 0.02945, 8,
        lambda z: z * z / 2,
    ),
    "SIN": (
        "(sin(x) / x - 1) / x^2 in x^2, |x| <= pi/4 and a bit",
        odd_part(mp.sin), 0, 0.6189, 6, odd_weight(mp.sin),
    ),
    "COS": (
        "(cos(x) - 1) / x^2 in x^2, |x| <= pi/4 and a bit",
        lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, 0, 0.6189, 7, lambda z: z / mp.cos(mp.sqrt(z)),
    ),
    "ATAN": (
        "(atan(t) / t - 1) / t^2 in t^2, |t| <= 1",
        odd_part(mp.atan), 0, 1, 19, odd_weight(mp.atan),
    ),
    "ASIN": (
        "(asin(t) / t - 1) / t^2 in t^2, |t| <= 0.5625",
        odd_part(mp.asin), 0, 0.3165, 13, odd_weight(mp.asin),
    ),
    "SINH": (
        "(sinh(x) / x - 1) / x^2 in x^2, |x| <= 1",
        odd_part(mp.sinh), 0, 1, 7, odd_weight(mp.sinh),
    ),
    "TANH": (
        "(tanh(x) / x - 1) / x^2 in x^2, |x| <= 0.55",
        odd_part(mp.tanh), 0, 0.3025, 10, odd_weight(mp.tanh),
    ),
    "ERF": (
        "-log(erfc(a)) / a - 1, 0 <= a <= 5.95; errors weigh by what is left of 1",
        lambda a: -mp.log(mp.erfc(a)) / a - 1, 0, mpf("5.95"), 23, lambda a: mp.erfc(a) * a / mp.erf(a),
    ),
    "ERFC": (
        "erfc(a) e^(a^2) (1 + 2 a) in t = (a - 4) / (a + 4), 0 <= a <= 28",
        erfc_slow, -1, mpf(24) / mpf(32), 23, lambda t: 1 / erfc_slow(t),
    ),
}  # fmt: skip


def as_single(value: Real) -> str:
    """The shortest decimal that reads as this f32."""
    exact = float(value)
    for digits in range(6, 18):
        text = f"{exact:.{digits}g}"
        if struct.pack("<f", float(text)) == struct.pack("<f", exact):
            return text if any(c in text for c in ".en") else text + ".0"
    raise AssertionError(value)


def two_factors(value: Real) -> tuple[Real, Real]:
    """Two f32 whose product is nearest to `value`, among those with the first in [1, 2) and few bits tried."""
    best: tuple[Real, Real, Real] = (mpf(1), mpf(1), mpf(1))
    for i in range(1 << 18):
        a = mpf(1) + mpf(2 * i + 1) / (1 << 20)
        b = rounded(value / a, SINGLE)
        error = abs(a * b - value)
        if error < best[0]:
            best = (error, a, b)
    return best[1], best[2]


def row(name: str, values: list[Real], text: str, spelled: Callable[[Real], str] = as_single) -> str:
    """A tuple of constants and what it is."""
    line = f"{name} = ({', '.join(spelled(v) for v in values)},)"
    return textwrap.fill(line, 118, subsequent_indent="    ") + f'\n"""{text}"""\n'


def generated() -> str:
    """The whole module."""
    parts = ['"""Coefficients of the f32 functions; made by `scripts/derive_coefficients.py`."""\n\n# fmt: off\n']
    rest = mp.pi / 2
    split: list[Real] = []
    for _ in range(3):
        # Rounded down, so that all are positive: 0 times each then keeps the sign of a zero that it is taken from.
        near = rounded(rest, SINGLE)
        split.append(near if near <= rest else rounded(rest * (1 - mpf(2) ** -SINGLE), SINGLE))
        rest -= split[-1]
    parts.append(row("HALF_PI_PARTS", split, "pi / 2 as the sum of three positive floats."))
    parts.append(row("HALF_PI", list(two_factors(mp.pi / 2)), "Two floats whose product is pi / 2, to some 45 bits."))
    parts.append(row("LOG2_FIRST", [LOG2E_HIGH], "log2 e."))
    parts.append(row("LOG10_FIRST", [LOG10E_HIGH], "log10 e."))
    parts.append(f'ERF_BORDER = {ERF_BORDER}\n"""Where erf changes from one polynomial to the other."""\n')
    for name, (text, function, low, high, count, weight) in POLYNOMIALS.items():
        values, worst = fitted(function, low, high, count, weight, SINGLE)
        parts.append(row(name, values, f"{text}; error 2^{float(mp.log(worst, 2)):.1f}."))
    return "\n".join(parts)


def generated_doubles() -> str:
    """The module of f64."""
    parts = ['"""Coefficients of the f64 functions; made by `scripts/derive_coefficients.py`."""\n\n# fmt: off\n']
    for name, (text, function, low, high, count, weight) in DOUBLE_POLYNOMIALS.items():
        values, worst = fitted(function, low, high, count, weight, DOUBLE)
        note = f"{text}; error 2^{float(mp.log(worst, 2)):.1f}."
        parts.append(row(name, values, note, lambda v: repr(float(v))))
    return "\n".join(parts)


def written(modules: Mapping[Path, str]) -> int:
    """Write modules; with `--check` only say, as the exit status, whether one is not what is derived."""
    if "--check" in sys.argv:
        return int(any(source != target.read_text(encoding="utf-8") for target, source in modules.items()))
    for target, source in modules.items():
        target.write_text(source, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(written({TARGET: generated(), DOUBLE_TARGET: generated_doubles()}))
