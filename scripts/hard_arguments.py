"""Arguments that functions find hard: where reductions lose most, results begin and end, and formulas change."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from weft.codegen.pi import two_over_pi_bits

HALF_PI, LN2, LN10 = np.pi / 2, np.log(2), np.log(10)
MOST, LEAST = {"f": 128, "d": 1024}, {"f": -149, "d": -1074}
NORMAL = {"f": -126, "d": -1022}
BITS = {"f": 24, "d": 53}


@cache
def near_right_angles(kind: str) -> Any:
    """Of each binade the numbers that are nearest to a multiple of pi / 2, from continued fractions of 2^e 2 / pi."""
    bits = BITS[kind]
    precision = 1400
    two_over_pi = Fraction(two_over_pi_bits(precision), 1 << precision)
    found: list[float] = []
    for exponent in range(1 - bits, MOST[kind] - bits + 1):
        # m 2^exponent 2 / pi is nearly whole for the denominators m of convergents of 2^exponent 2 / pi.
        rest = two_over_pi * Fraction(2) ** exponent
        before, last = 0, 1
        for _ in range(60):
            rest -= rest.numerator // rest.denominator
            if not rest:
                break
            rest = 1 / rest
            before, last = last, last * (rest.numerator // rest.denominator) + before
            if last >= 1 << bits:
                break
            found += [float(k * last) * 2.0**exponent for k in (1, 2, 3) if k * last < 1 << bits]
    return np.array(found)


def _angles(kind: str, random: Any) -> Any:
    whole = np.unique(np.exp2(random.uniform(0, 30, 1 << 16)).astype(np.int64))
    return np.concatenate([near_right_angles(kind), whole * HALF_PI, whole * (HALF_PI / 2)])


def _exponents(base: float) -> Callable[[str, Any], Any]:
    def hard(kind: str, random: Any) -> Any:
        ends = np.array([MOST[kind], MOST[kind] + 1, NORMAL[kind], LEAST[kind], LEAST[kind] - 1], float)
        steps = np.arange(2 * LEAST[kind], 2 * MOST[kind]) / 2
        return np.concatenate([np.repeat(ends, 300), steps]) / base

    return hard


def _logarithms(kind: str, random: Any) -> Any:
    powers = np.ldexp(1.0, np.arange(LEAST[kind], MOST[kind]))
    roots = np.concatenate([powers * np.sqrt(0.5), powers * np.sqrt(0.5) * 2 ** (1 / 3)])
    tens = 10.0 ** np.arange(-300 if kind == "d" else -37, 300 if kind == "d" else 38)
    return np.concatenate([powers, roots, tens, np.ones(4000)])


def _gamma(kind: str, random: Any) -> Any:
    whole = np.arange(-200, 200).astype(float)
    tops = (171.6243769563027, 2.556348163871691e305) if kind == "d" else (35.040096, 4.08500343e36)
    return np.concatenate([whole, whole + 0.5, np.repeat([1.0, 2.0, *tops], 200), [1.4616321449683623] * 50])


def _growing(kind: str, random: Any) -> Any:
    """Where the modified Bessel functions leave the range, and powers of e."""
    tops = (713.986908543968256, 713.987609818542290) if kind == "d" else (91.900765, 91.906265)
    return np.concatenate([np.repeat(tops, 400), _exponents(1 / LN2)(kind, random)])


def _turns(kind: str, random: Any) -> Any:
    return np.exp2(random.uniform(0, 40, 1 << 16)).astype(np.int64) / 4


def _roots(kind: str, random: Any) -> Any:
    whole = random.integers(1, 1 << (BITS[kind] // 3), 1 << 15).astype(float)
    return np.concatenate([whole**3, whole**2, np.ldexp(whole**3, 3 * random.integers(-40, 40, 1 << 15))])


def _these(*values: float) -> Callable[[str, Any], Any]:
    return lambda kind, random: np.repeat(np.array(values), 400)


ANY = _these(0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0)
HARD: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("sin", "cos", "tan", "sincos"), _angles),
    **dict.fromkeys(("exp", "expm1", "sinh", "cosh", "tanh"), _exponents(1 / LN2)),
    **dict.fromkeys(("cyl_bessel_i0", "cyl_bessel_i1"), _growing),
    "exp2": _exponents(1.0),
    "exp10": _exponents(LN10 / LN2),
    **dict.fromkeys(("log", "log2", "log10", "log1p", "acosh", "asinh"), _logarithms),
    **dict.fromkeys(("tgamma", "lgamma"), _gamma),
    **dict.fromkeys(("sinpi", "cospi", "sincospi"), _turns),
    **dict.fromkeys(("cbrt", "rcbrt", "sqrt", "rsqrt"), _roots),
    "erf": _these(0.0, 0.5, 0.84375, 1.0, 1.25, 3.92, 5.92, -5.92),
    "erfc": _these(0.0, 0.5, 0.84375, 1.25, 9.19, 10.05, 26.54, 27.22, -3.9, -5.86),
    "erfcx": _these(0.0, 1.0, -9.38, -26.62, -26.63, 10.0, 1e8, 2.0**66),
    "normcdf": _these(0.0, -14.1, -12.98, -37.5, -38.4, -38.5, 5.4, 8.3),
    "erfinv": _these(0.0, 0.5, 1.0, -1.0, 0.75, 0.9375),
    "erfcinv": _these(0.0, 0.5, 1.0, 2.0, 1.5, 0.0625, 1e-300, 1e-38),
    "normcdfinv": _these(0.0, 0.5, 1.0, 0.25, 0.75, 1e-300, 1e-38),
    "j0": _these(2.404825557695773, 5.520078110286311, 0.0, 1.0, 8.0),
    "j1": _these(3.831705970207512, 7.015586669815619, 0.0, 1.0, 8.0),
    "y0": _these(0.8935769662791675, 3.957678419314858, 7.086051060301773, 0.0, 8.0),
    "y1": _these(2.197141326031017, 5.429681040794135, 0.0, 1.0, 8.0),
    "acos": _these(0.5, -0.5, 1.0, -1.0, 0.0),
    "asin": _these(0.5, -0.5, 1.0, -1.0, 0.0),
    "atanh": _these(0.5, -0.5, 1.0, -1.0, 0.0),
}


def beside(points: Any, count: int, kind: str, random: Any) -> Any:
    """So many of these points, moved by some units in the last place."""
    dtype, integer = (np.float32, np.int32) if kind == "f" else (np.float64, np.int64)
    with np.errstate(all="ignore"):
        bits = random.choice(points, count).astype(dtype).view(integer)
    moved = random.choice([0, 1, 8, 1 << 10, 1 << 20], count) * random.uniform(-1, 1, count)
    return (bits + np.rint(moved).astype(integer)).view(dtype)


def pairs(name: str, a: Any, b: Any, kind: str, random: Any) -> tuple[Any, Any]:
    """Pairs of which a part hangs together: of near sizes, and for powers of results at the ends of the range."""
    dtype = a.dtype.type
    count = len(a)
    with np.errstate(all="ignore"):
        near = (a * np.exp2(random.uniform(-30, 30, count))).astype(a.dtype)
        same = np.nextafter(a, dtype(0) * a) * random.choice([-1, 1], count).astype(a.dtype)
        chosen = random.integers(0, 8, count)
        b = np.where(chosen == 0, near, np.where(chosen == 1, same, b)).astype(a.dtype)
        if name == "pow":
            base = np.where(
                chosen == 2, (1 + random.choice([-1, 1], count) * np.exp2(random.uniform(-52, -1, count))), a
            )
            base = np.where(np.isin(chosen, (2, 3)), np.abs(base), base).astype(a.dtype)
            end = random.choice([MOST[kind], NORMAL[kind], LEAST[kind], 1, 0.5], count) + random.normal(0, 0.5, count)
            b = np.where(np.isin(chosen, (2, 3)), end / np.log2(base.astype(np.float64)), b).astype(a.dtype)
            b = np.where(np.isin(chosen, (4, 5)), np.rint(np.clip(b, -2e5, 2e5)), b).astype(a.dtype)
            a = base
        if name in ("fmod", "remainder", "remquo"):
            whole = np.rint(np.exp2(random.uniform(0, BITS[kind] + 3, count)))
            a = np.where(chosen == 2, b * whole, np.where(chosen == 3, b * (whole + 0.5), a)).astype(a.dtype)
    return a, b
