"""Derive the coefficients of the special functions: `python scripts/derive_special.py` writes them to their module.

Each is stated as what it approximates, where, and how many coefficients it has in f32 and in f64; errors are relative.
`--check` compares with what is there.  Needs mpmath.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from derive_coefficients import SOURCES, as_single, row, written  # pyright: ignore[reportImplicitRelativeImport]
from minimax import fitted, mp, mpf  # pyright: ignore[reportImplicitRelativeImport]

Real = Any
Function = Callable[[Real], Real]
TARGET = SOURCES / "libdevice/coefficients.py"


def erfcx_slow(t: Real) -> Real:
    """erfc(a) e^(a^2) (1 + 2 a), with t = (a - 4) / (a + 4); 2 / sqrt(pi) in the end."""
    if 1 - t < mpf(10) ** -20:
        return 2 / mp.sqrt(mp.pi)
    a = 4 * (1 + t) / (1 - t)
    if a < 60:
        return mp.erfc(a) * mp.exp(a * a) * (1 + 2 * a)
    total, term, k = mpf(0), mpf(1), 0
    while abs(term) > mpf(10) ** -40 and k < 60:
        total += term
        k += 1
        term *= -(2 * k - 1) / (2 * a * a)
    return total * (1 + 2 * a) / (a * mp.sqrt(mp.pi))


@cache
def inverse_error(v: Real) -> Real:
    """erfinv(y) / y, where 1 - y^2 = 2^-v."""
    power = mpf(2) ** -v
    if power > 1 - mpf(10) ** -30:
        return mp.sqrt(mp.pi) / 2
    y = mp.sqrt(1 - power)
    tail = power / (1 + y)
    z = mp.erfinv(y) if v < 8 else mp.sqrt(-mp.log(tail))
    for _ in range(12):
        # Newton's step for log erfc.
        small = mp.erfc(z)
        step = (mp.log(small) - mp.log(tail)) * small * mp.sqrt(mp.pi) / 2 * mp.exp(z * z)
        z += step
        if abs(step) < mpf(10) ** -38 * z:
            break
    return z / y


def inverse_in(scale: float, shift: float) -> Function:
    """The same in t = scale sqrt(v) - shift."""
    return lambda t: inverse_error(((t + mpf(shift)) / mpf(scale)) ** 2)


def inverse_near(t: Real) -> Real:
    """The same in t = v / 4 - 1."""
    return inverse_error(4 * (1 + t))


def inverse_far(r: Real) -> Real:
    """erfinv(y) / sqrt(v) with r = 1 / sqrt(v)."""
    v = 1 / r**2
    return inverse_error(v) * mp.sqrt(1 - mpf(2) ** -v) * r


def stirling(z: Real) -> Real:
    """gamma(x) e^x x^(1/2 - x) with z = 1 / x."""
    if z < mpf(10) ** -12:
        return mp.sqrt(2 * mp.pi) * (1 + z / 12)
    x = 1 / z
    return mp.exp(mp.loggamma(x) + x - (x - mpf(1) / 2) * mp.log(x))


def stirling_rest(w: Real) -> Real:
    """x (log gamma(x) - (x - 1/2) (log x - 1) - log(2 pi) / 2 + 1/2) with w = 1 / x^2."""
    if w < mpf(10) ** -20:
        return mpf(1) / 12
    x = 1 / mp.sqrt(w)
    half = mpf(1) / 2
    return x * (mp.loggamma(x) - (x - half) * (mp.log(x) - 1) - mp.log(2 * mp.pi) / 2 + half)


def _scaled_bessel(order: int, x: Real) -> Real:
    """I(x) sqrt(x) e^-x, by the asymptotic series where that is enough."""
    if x < 60:
        return mp.besseli(order, x) * mp.sqrt(x) * mp.exp(-x)
    total, term, k = mpf(0), mpf(1), 0
    while abs(term) > mpf(10) ** -42 and k < 110:
        total += term
        k += 1
        term *= -(4 * order * order - (2 * k - 1) ** 2) / (8 * x * k)
    return total / mp.sqrt(2 * mp.pi)


def bessel_near(order: int) -> Function:
    """I(x), by x for order 1, with w = (x / 8)^2."""

    def function(w: Real) -> Real:
        x = 8 * mp.sqrt(w)
        return mp.besseli(order, x) / (x if order else 1)

    return function


def bessel_far(order: int, border: int = 8) -> Function:
    """I(x) sqrt(x) e^-x with t = 2 border / x - 1."""

    def function(t: Real) -> Real:
        z = (t + 1) / (2 * border)
        return _scaled_bessel(order, 1 / z) if z > mpf(10) ** -40 else 1 / mp.sqrt(2 * mp.pi)

    return function


def _one(f: Real) -> Real:
    return -mp.euler if abs(f) < mpf(10) ** -30 else mp.log(mp.gamma(1 + f)) / f


def _two(f: Real) -> Real:
    return 1 - mp.euler if abs(f) < mpf(10) ** -30 else mp.log(mp.gamma(2 + f)) / f


def _sine(z: Real) -> Real:
    x = mp.sqrt(z)
    return (mp.sin(mp.pi * x) / x - mp.pi) / z


def _cosine(z: Real) -> Real:
    return (mp.cos(mp.pi * mp.sqrt(z)) - 1) / z


WEIGHTS: dict[str, Function] = {
    "SINPI": lambda z: z * mp.sqrt(z) / mp.sin(mp.pi * mp.sqrt(z)),
    "SINPI_WHOLE": lambda z: z * mp.sqrt(z) / mp.sin(mp.pi * mp.sqrt(z)),
    "COSPI": lambda z: z / mp.cos(mp.pi * mp.sqrt(z)),
}
"""By what the error of these is multiplied to become the function's relative one; of the others it is relative."""
Row = tuple[str, Function, Real, Real, int]
TABLES: dict[str, dict[str, Row]] = {
    "F32": {
        "SINPI": ("(sin(pi x) / x - pi) / x^2 in x^2, |x| <= 1/4", _sine, 0, mpf("0.0626"), 3),
        "COSPI": ("(cos(pi x) - 1) / x^2 in x^2, |x| <= 1/4", _cosine, 0, mpf("0.0626"), 4),
        "ERFCX": ("erfcx(a) (1 + 2 a) in t = (a - 4) / (a + 4), 0 <= a", erfcx_slow, -1, 1, 13),
        "ERFINV_NEAR": ("erfinv(y) / y in v = -log2(1 - y^2) <= 8", inverse_error, 0, 8.05, 10),
        "ERFINV_FAR": ("erfinv(y) / sqrt(v) in 1 / sqrt(v), 8 <= v <= 25", inverse_far, 0.199, 0.3536, 6),
        "ERFCINV_FAR": ("the same, 8 <= v <= 150", inverse_far, 0.0816, 0.3536, 10),
        "GAMMA": ("gamma(x) e^x x^(1/2 - x) in 1 / x, 1 <= x", stirling, 0, 1, 7),
        "LGAMMA_ONE": ("log(gamma(1 + f)) / f, |f| <= 1/2", _one, -0.5, 0.5, 12),
        "LGAMMA_TWO": ("log(gamma(2 + f)) / f, -1/2 <= f <= 1", _two, -0.5, 1, 10),
        "LGAMMA_FAR": ("the rest of Stirling's series by x, in 1 / x^2, 3 <= x", stirling_rest, 0, mpf(1) / 9, 4),
        "I0_NEAR": ("I0(x) in x^2, |x| <= 8", bessel_near(0), 0, 1, 11),
        "I0_FAR": ("I0(x) sqrt(x) e^-x in 16 / x - 1, 8 <= x", bessel_far(0), -1, 1, 6),
        "I1_NEAR": ("I1(x) / x in x^2, |x| <= 8", bessel_near(1), 0, 1, 11),
        "I1_FAR": ("I1(x) sqrt(x) e^-x in 16 / x - 1, 8 <= x", bessel_far(1), -1, 1, 6),
    },
    "F64": {
        "SINPI": ("(sin(pi x) / x - pi) / x^2 in x^2, |x| <= 1/4", _sine, 0, mpf("0.0626"), 6),
        "COSPI": ("(cos(pi x) - 1) / x^2 in x^2, |x| <= 1/4", _cosine, 0, mpf("0.0626"), 7),
        "SINPI_WHOLE": ("the sine's, |x| <= 1/2", _sine, 0, mpf("0.25001"), 9),
        "ERFCX": ("erfcx(a) (1 + 2 a) in t = (a - 4) / (a + 4), 0 <= a", erfcx_slow, -1, 1, 28),
        "ERFINV_NEAR": ("erfinv(y) / y in v / 4 - 1, v = -log2(1 - y^2) <= 8", inverse_near, -1, 1, 23),
        "ERFINV_MIDDLE": ("the same in sqrt(v) / 2 - 2.5, 8 <= v <= 53", inverse_in(0.5, 2.5), -1.0858, 1.15, 29),
        "ERFINV_FAR": ("the same in sqrt(v) / 16 - 1.25, 53 <= v <= 1076", inverse_in(0.0625, 1.25), -0.795, 0.81, 31),
        "GAMMA": ("gamma(x) e^x x^(1/2 - x) in 1 / x, 1 <= x", stirling, 0, 1, 21),
        "LGAMMA_ONE": ("log(gamma(1 + f)) / f, |f| <= 1/2", _one, -0.5, 0.5, 27),
        "LGAMMA_TWO": ("log(gamma(2 + f)) / f, -1/2 <= f <= 1", _two, -0.5, 1, 21),
        "LGAMMA_FAR": ("the rest of Stirling's series by x, in 1 / x^2, 3 <= x", stirling_rest, 0, mpf(1) / 9, 13),
        "I0_NEAR": ("I0(x) in x^2, |x| <= 11", bessel_near(0), 0, mpf(121) / 64, 18),
        "I0_FAR": ("I0(x) sqrt(x) e^-x in 22 / x - 1, 11 <= x", bessel_far(0, 11), -1, 1, 17),
        "I1_NEAR": ("I1(x) / x in x^2, |x| <= 11", bessel_near(1), 0, mpf(121) / 64, 18),
        "I1_FAR": ("I1(x) sqrt(x) e^-x in 22 / x - 1, 11 <= x", bessel_far(1, 11), -1, 1, 17),
    },
}  # fmt: skip
"""Name: what it is, the function, its interval, the number of coefficients."""
BITS = {"F32": 24, "F64": 53}


def derived(kind: str, name: str) -> str:
    """One tuple."""
    text, function, low, high, count = TABLES[kind][name]
    weight = WEIGHTS.get(name, lambda x: 1 / function(x))
    values, worst = fitted(function, low, high, count, weight, BITS[kind])
    if name in ("I0_NEAR", "I1_NEAR"):  # They are fitted in (x / 8)^2, of which x^2 is an exact multiple.
        values = [v / mpf(64) ** k for k, v in enumerate(values)]
    spelled = as_single if kind == "F32" else lambda v: repr(float(v))
    return row(f"{kind}_{name}", values, f"{text}; error 2^{float(mp.log(worst, 2)):.1f}.", spelled)


def generated() -> str:
    """The whole module."""
    parts = ['"""Coefficients of special functions; made by `scripts/derive_special.py`."""\n\n# fmt: off\n']
    parts += [derived(kind, name) for kind, table in TABLES.items() for name in table]
    for name in filter(TABLES["F64"].__contains__, TABLES["F32"]):
        parts.append(f'{name} = {{"f32": F32_{name}, "f64": F64_{name}}}\n')
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(written({TARGET: generated()}))
