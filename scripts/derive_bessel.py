"""Derive the coefficients of the Bessel functions: `python scripts/derive_bessel.py` writes them to their module.

Up to 8 a function is a polynomial in the distance from the middle of an interval, or from its zero there, so that
results near zeros are exact, too.  Beyond, it is a modulus times a sine of a phase; beside their pole, functions of the
second kind are log(x) times those of the first and a polynomial.  `--check` compares with what is there.  Needs mpmath.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from derive_coefficients import SOURCES, as_single, row, written  # pyright: ignore[reportImplicitRelativeImport]
from minimax import fitted, mp, mpf, rounded  # pyright: ignore[reportImplicitRelativeImport]

Real = Any
Function = Callable[[Real], Real]
TARGET = SOURCES / "libdevice/bessel_coefficients.py"
BITS = {"F32": 24, "F64": 53}
FUNCTIONS: dict[str, Function] = {
    "J0": lambda x: mp.besselj(0, x),
    "J1": lambda x: mp.besselj(1, x),
    "Y0": lambda x: mp.bessely(0, x),
    "Y1": lambda x: mp.bessely(1, x),
}
INTERVALS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "J0": (("0", "1.25", "3.9", "7", "8"), ("0", "z2.4", "z5.5", "7.5")),
    "J1": (("0", "2", "5.2", "8"), ("z0", "z3.8", "z7")),
    "Y0": (("0.625", "1.375", "2.75", "5.25", "8"), ("z0.89", "2", "z3.96", "z7.1")),
    "Y1": (("1.5", "3", "4.5", "6.5", "8"), ("z2.2", "3.75", "z5.4", "7.25")),
}
"""Where the intervals end, and from what point their polynomials measure: a number, or the zero near it (`z`)."""
COUNTS = {"F32": {"J": 10, "Y": 12}, "F64": {"J": 20, "Y": 25}}
"""How many coefficients each interval has, with the one that is 0 where there is a zero."""
POLES = {"Y0": 0.625, "Y1": 1.5}
POLE_COUNTS = {"F32": 5, "F64": 10}
FAR_COUNTS = {"F32": (3, 3), "F64": (11, 11)}


def centre(name: str, spelled: str, bits: int) -> tuple[Real, Real, Real]:
    """(c, high, low): the exact centre and the two floats that stand for it."""
    if not spelled.startswith("z"):
        return mpf(spelled), mpf(spelled), mpf(0)
    near = mpf(spelled[1:])
    exact = mp.findroot(FUNCTIONS[name], near) if near else mpf(0)
    high = rounded(exact, bits)
    return exact, high, rounded(exact - high, bits)


def interval(kind: str, name: str, low: str, high: str, at: str) -> tuple[list[Real], Real]:
    """The two parts of the centre and the coefficients; the largest relative error."""
    f, bits = FUNCTIONS[name], BITS[kind]
    exact, first, second = centre(name, at, bits)
    count = COUNTS[kind][name[0]]
    inside = (mpf(low) - exact, mpf(high) - exact)
    if at.startswith("z"):
        values, worst = fitted(lambda t: f(exact + t) / t, *inside, count - 1, lambda t: t / f(exact + t), bits)
        return [first, second, mpf(0), *values], worst
    values, worst = fitted(lambda t: f(exact + t), *inside, count, lambda t: 1 / f(exact + t), bits)
    return [first, second, *values], worst


def modulus(order: int) -> Function:
    """sqrt((J^2 + Y^2) x / 2) in 64 / x^2."""

    def function(z: Real) -> Real:
        x = 8 / mp.sqrt(z)
        if x > 10**9:
            return mp.sqrt(1 / mp.pi)
        return mp.sqrt((mp.besselj(order, x) ** 2 + mp.bessely(order, x) ** 2) * x / 2)

    return function


def phase(order: int) -> Function:
    """x times what the angle of (J, Y) has over x - (2 order + 1) pi / 4, in 64 / x^2."""

    def function(z: Real) -> Real:
        x = 8 / mp.sqrt(z)
        if x > 10**9:
            return mpf(4 * order * order - 1) / 8
        turned = x - (2 * order + 1) * mp.pi / 4
        j, y = mp.besselj(order, x), mp.bessely(order, x)
        return x * mp.atan2(y * mp.cos(turned) - j * mp.sin(turned), j * mp.cos(turned) + y * mp.sin(turned))

    return function


def first_kind(order: int) -> Function:
    """J(x) 2 / pi, by x for order 1, in x^2."""
    return lambda w: mp.besselj(order, mp.sqrt(w)) / (mp.sqrt(w) if order else 1) * 2 / mp.pi


def beside_pole(order: int) -> Function:
    """What Y(x) has beside its logarithm and its pole, by x for order 1, in x^2."""

    def function(w: Real) -> Real:
        x = mp.sqrt(w)
        rest = mp.bessely(order, x) - 2 / mp.pi * mp.log(x) * mp.besselj(order, x)
        return (rest + 2 / mp.pi / x) / x if order else rest

    return function


def _text(function: Callable[[int], Function]) -> str:
    return f"{function.__doc__}"[:-1]


def _intervals(kind: str, name: str) -> list[str]:
    """The rows of one function and their table."""
    (ends, centres), parts = INTERVALS[name], list[str]()
    for i, at in enumerate(centres):
        values, worst = interval(kind, name, ends[i], ends[i + 1], at)
        text = f"{ends[i]} <= x <= {ends[i + 1]}: the centre in two parts, then coefficients"
        parts.append(_row(kind, f"{name}_{i}", values, worst, text))
    rows = ", ".join(f"{kind}_{name}_{i}" for i in range(len(centres)))
    text = '"""The borders of the intervals, and their rows."""'
    return [*parts, f"{kind}_{name} = (({', '.join(ends[1:-1])},), ({rows}))\n{text}\n"]


def _row(kind: str, name: str, values: list[Real], worst: Real, text: str) -> str:
    spelled: Callable[[Real], str] = as_single if kind == "F32" else lambda v: repr(float(v))
    return row(f"{kind}_{name}", values, f"{text}; error 2^{float(mp.log(worst, 2)):.1f}.", spelled)


def _smooth(kind: str, order: int) -> list[str]:
    """The polynomials beyond 8 and beside the pole."""
    moduli, phases = FAR_COUNTS[kind]
    border, count = mpf(POLES[f"Y{order}"]) ** 2, POLE_COUNTS[kind]
    kinds: list[tuple[str, Callable[[int], Function], Real, int, Function]] = [
        ("MODULUS", modulus, 1, moduli, lambda z: mpf(1)),
        ("PHASE", phase, 1, phases, lambda z: mp.sqrt(z) / 8),
        ("FIRST", first_kind, border, count, lambda w: mpf(1)),
        ("BESIDE", beside_pole, border, count, lambda w: mpf(1)),
    ]
    parts: list[str] = []
    for name, function, high, number, weight in kinds:
        values, worst = fitted(function(order), 0, high, number, weight, BITS[kind])
        parts.append(_row(kind, f"{name}_{order}", values, worst, _text(function)))
    return parts


def generated() -> str:
    """The whole module."""
    parts = ['"""Coefficients of Bessel functions; made by `scripts/derive_bessel.py`."""\n\n# fmt: off\n']
    for kind in BITS:
        parts += [part for name in INTERVALS for part in _intervals(kind, name)]
        parts += [part for order in (0, 1) for part in _smooth(kind, order)]
    poles = ", ".join(str(POLES[f"Y{order}"]) for order in (0, 1))
    text = '"""Where Y of order 0 and 1 change from their logarithm to the intervals."""'
    parts.append(f"POLES = ({poles},)\n{text}\n")
    stems = [f"{stem}_{order}" for stem in ("MODULUS", "PHASE", "FIRST", "BESIDE") for order in "01"]
    parts += [f'{name} = {{"f32": F32_{name}, "f64": F64_{name}}}\n' for name in (*INTERVALS, *stems)]
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(written({TARGET: generated()}))
