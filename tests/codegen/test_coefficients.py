"""The polynomials of functions, held to what they approximate, by mpmath: within the error that is stated beside each."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from bisect import bisect
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from weft.codegen.doubles import coefficients as doubles
from weft.codegen.elementary import coefficients as singles
from weft.codegen.libdevice import bessel_coefficients as bessel
from weft.codegen.libdevice import coefficients as special

mpmath: Any = pytest.importorskip("mpmath")
MODULES = {"singles": singles, "doubles": doubles, "special": special, "bessel": bessel}
STATED = re.compile(r'^(\w+) = \([^)]*\)\n"""[^"]*error 2\^(-[\d.]+)\."""', re.MULTILINE)
ERRORS = {
    f"{where}.{name}": 2.0 ** (float(error) + 0.06)
    for where, module in MODULES.items()
    for name, error in STATED.findall(inspect.getsource(module))
}
"""The largest error of each, up to the digit that is left out."""
PLACES = (0.004, 0.2, 0.43, 0.77, 0.996)
"""Where they are tried, from one end to the other."""


@cache
def script(name: str) -> Any:
    """A script of those that derive the polynomials: they say what each approximates."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
    try:
        with mpmath.workprec(53):  # They choose the digits of the process.
            return importlib.import_module(f"derive_{name}")
    finally:
        sys.path.pop(0)


def horner(coefficients: tuple[float, ...], x: Any) -> Any:
    """Of the lowest first."""
    total = mpmath.mpf(0)
    for coefficient in reversed(coefficients):
        total = total * x + mpmath.mpf(coefficient)
    return total


def rounded(values: tuple[float, ...], bits: int) -> tuple[float, ...]:
    """What the decimals of a row stand for."""
    with mpmath.workprec(bits):
        return tuple(float(mpmath.mpf(repr(value))) for value in values)


def statement(where: str, name: str) -> tuple[Callable[[Any], Any], Any, Any, Callable[[Any], Any]]:
    """What a polynomial approximates, from where to where, and by what its error is multiplied."""
    if where in ("singles", "doubles"):
        rows = script("coefficients").POLYNOMIALS if where == "singles" else script("coefficients").DOUBLE_POLYNOMIALS
        _, function, low, high, _, weight = rows[name]
        return function, low, high, weight
    kind, _, stem = name.partition("_")
    if where == "special":
        _, function, low, high, _ = script("special").TABLES[kind][stem]
        weight = script("special").WEIGHTS.get(stem, lambda x: 1 / function(x))
        if stem in ("I0_NEAR", "I1_NEAR"):  # The script's are of (x / 8)^2.
            return lambda w: function(w / 64), low, high * 64, lambda w: weight(w / 64)
        return function, low, high, weight
    family, order = stem[:-2], int(stem[-1])
    makers = {"MODULUS": "modulus", "PHASE": "phase", "FIRST": "first_kind", "BESIDE": "beside_pole"}
    high = 1 if family in ("MODULUS", "PHASE") else bessel.POLES[order] ** 2
    weigh = (lambda z: mpmath.sqrt(z) / 8) if family == "PHASE" else lambda _: mpmath.mpf(1)
    return getattr(script("bessel"), makers[family])(order), 0, high, weigh


def table(where: str, name: str) -> tuple[float, ...]:
    """The numbers of a row, found as the functions find it: where f32 and f64 have a row each, by the type."""
    kind, _, stem = name.partition("_")
    rows = vars(MODULES[where]).get(stem, {}) if where in ("special", "bessel") else {}
    single = where == "singles" or kind == "F32"
    return rounded(rows.get(kind.lower()) or vars(MODULES[where])[name], 24 if single else 53)


SMOOTH = [name for name in ERRORS if not re.match(r"bessel\.F.._[JY]", name)]


@pytest.mark.parametrize("row", SMOOTH)
def test_within_the_error_that_is_stated(row: str) -> None:
    where, name = row.split(".")
    coefficients = table(where, name)
    with mpmath.workdps(34):
        function, low, high, weight = statement(where, name)
        for place in PLACES:
            x = mpmath.mpf(low) + (mpmath.mpf(high) - low) * place
            error = abs(weight(x) * (function(x) - horner(coefficients, x)))
            assert error <= ERRORS[row], (float(x), float(error))


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("name", ["J0", "J1", "Y0", "Y1"])
def test_bessel_functions_up_to_8(name: str, kind: str) -> None:
    """Each interval has the polynomial of the distance from its centre, which the borders choose."""
    borders, rows = getattr(bessel, name)[kind]
    function, ends = script("bessel").FUNCTIONS[name], list(map(float, script("bessel").INTERVALS[name][0]))
    bits = 24 if kind == "f32" else 53
    with mpmath.workdps(34):
        for low, high in pairwise(ends):
            for x in (low + (high - low) * place for place in PLACES):
                row = bisect(borders, x)
                first, second, *coefficients = rounded(rows[row], bits)
                exact = function(x)
                error = abs(horner(coefficients, mpmath.mpf(x) - first - second) / exact - 1)
                assert error <= ERRORS[f"bessel.{kind.upper()}_{name}_{row}"], (x, float(error))


def test_constants_in_parts_are_what_they_stand_for() -> None:
    with mpmath.workdps(34):
        half = mpmath.pi / 2
        assert abs(sum(map(mpmath.mpf, rounded(singles.HALF_PI_PARTS, 24))) - half) < 2.0**-71
        assert abs(mpmath.fprod(rounded(singles.HALF_PI, 24)) - half) < 2.0**-43
        for (first,), base in ((singles.LOG2_FIRST, 2), (singles.LOG10_FIRST, 10)):
            assert abs(rounded((first,), 24)[0] - 1 / mpmath.log(base)) < 2.0**-24
