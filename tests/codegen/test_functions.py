"""Elementary functions in f64 on the simulator: units in the last place against NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.codegen.support import elementwise

Array = npt.NDArray[np.float64]
RNG = np.random.default_rng(11)
EDGES = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1.0, -1.0, 0.5, 2.0, 1e-300, 1e300])


def spread(low: float, high: float, count: int = 400) -> Array:
    return RNG.uniform(low, high, count)


def powers(low: float, high: float, count: int = 200) -> Array:
    """Numbers of all sizes from 10^low to 10^high, of both signs."""
    return 10 ** RNG.uniform(low, high, count) * RNG.choice([-1.0, 1.0], count)


def units(found: npt.NDArray[np.generic], wanted: npt.NDArray[np.generic]) -> float:
    """The largest error in units in the last place; infinities and NaNs must agree."""
    special = ~np.isfinite(wanted)
    assert np.array_equal(found[special], wanted[special], equal_nan=True)
    assert np.isfinite(found[~special]).all()
    a, b = found[~special], wanted[~special]
    return float((np.abs(a - b) / np.spacing(np.maximum(np.abs(b), np.finfo(b.dtype).smallest_normal))).max())


vector_erf = np.vectorize(math.erf)
UNARY: dict[str, tuple[Callable[..., Array], Array]] = {
    "exp": (np.exp, np.concatenate([spread(-745, 709.7), spread(-1, 1), powers(-20, 3)])),
    "exp2": (np.exp2, np.concatenate([spread(-1074, 1023.9), spread(-1, 1)])),
    "expm1": (np.expm1, np.concatenate([spread(-40, 700), spread(-1, 1), powers(-20, -1)])),
    "log": (np.log, np.concatenate([np.abs(powers(-307, 307)), spread(0.5, 2)])),
    "log2": (np.log2, np.concatenate([np.abs(powers(-307, 307)), spread(0.5, 2), 2.0 ** np.arange(-50, 50)])),
    "log10": (np.log10, np.concatenate([np.abs(powers(-307, 307)), spread(0.5, 2)])),
    "log1p": (np.log1p, np.concatenate([np.abs(powers(-20, 300)), spread(-0.999, 2)])),
    "sin": (np.sin, np.concatenate([spread(-10, 10), spread(-1e6, 1e6), powers(6, 300), powers(-300, -1)])),
    "cos": (np.cos, np.concatenate([spread(-10, 10), spread(-1e6, 1e6), powers(6, 300), powers(-300, -1)])),
    "tan": (np.tan, np.concatenate([spread(-10, 10), spread(-1e6, 1e6), powers(6, 300)])),
    "asin": (np.arcsin, np.concatenate([spread(-1, 1), powers(-20, -1)])),
    "acos": (np.arccos, spread(-1, 1)),
    "atan": (np.arctan, np.concatenate([spread(-3, 3), powers(-300, 300)])),
    "sinh": (np.sinh, np.concatenate([spread(-710, 710), spread(-2, 2)])),
    "cosh": (np.cosh, np.concatenate([spread(-710, 710), spread(-2, 2)])),
    "tanh": (np.tanh, np.concatenate([spread(-25, 25), spread(-1, 1), powers(-20, -1)])),
    "asinh": (np.arcsinh, np.concatenate([spread(-10, 10), powers(-20, 300)])),
    "acosh": (np.arccosh, np.concatenate([spread(1, 10), np.abs(powers(0, 300))])),
    "atanh": (np.arctanh, np.concatenate([spread(-1, 1), powers(-20, -1)])),
    "erf": (vector_erf, np.concatenate([spread(-7, 7), powers(-20, -1)])),
    "erfc": (np.vectorize(math.erfc), np.concatenate([spread(-7, 7), spread(0.3, 2), spread(0, 28), powers(-20, -1)])),
    "cbrt": (np.cbrt, np.concatenate([spread(-10, 10), powers(-300, 300)])),
}  # fmt: skip


BOUNDS = {"asinh": 2.5, "acosh": 2.5, "atanh": 3, "erfc": 4, "sinh": 2.5}
"""In units in the last place, where they are not 2; NumPy itself is within one."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", UNARY)
def test_f64(name: str) -> None:
    function, values = UNARY[name]
    values = np.concatenate([values, EDGES])[:1024]
    with np.errstate(all="ignore"):
        wanted = function(values)
    assert units(elementwise(f"%r = math.{name} %a : f64", values, result=np.float64), wanted) <= BOUNDS.get(name, 2)


def test_f16() -> None:
    values = np.arange(0, 1000, dtype=np.float16) / 100
    wanted = np.sin(values.astype(np.float64)).astype(np.float16)
    assert np.array_equal(elementwise("%r = math.sin %a : f16", values, result=np.float16), wanted)


def test_huge_angles_near_multiples_of_half_pi() -> None:
    """Of all f64 the first is nearest to a multiple of pi/2 (J.-M. Muller, "Elementary Functions"); zeros keep signs."""
    mpmath: Any = pytest.importorskip("mpmath")
    x = np.array([6381956970095103 * 2.0**797, -(2.0**1023), 2.0**31, 91077.91145473614, 0.0, -0.0])
    with mpmath.workprec(1300):
        for name in ("sin", "cos"):
            got = elementwise(f"%r = math.{name} %a : f64", x, result=np.float64)
            exact = [getattr(mpmath, name)(mpmath.mpf(float(v))) for v in x]
            apart = [abs(mpmath.mpf(float(y)) - e) / max(abs(e), 1e-300) for y, e in zip(got, exact, strict=True)]
            assert max(apart) < 2.0**-52
            assert name == "cos" or np.array_equal(np.signbit(got[-2:]), [False, True])


def test_sine_and_cosine_of_vectors() -> None:
    with np.errstate(all="ignore"):
        values = np.concatenate([spread(-10, 10), EDGES]).astype(np.float32)
    text = """%v = vector.broadcast %a : f32 to vector<3xf32>
      %x, %y = math.sincos %v : vector<3xf32>
      %c = arith.constant 0 : index
      %p = vector.extract %x[2] : f32 from vector<3xf32>
      %q = vector.extract %y[1] : f32 from vector<3xf32>
      %r = arith.subf %p, %q : f32"""
    with np.errstate(all="ignore"):
        wanted = np.sin(values.astype(np.float64)).astype(np.float32) - np.cos(values.astype(np.float64)).astype(
            np.float32
        )
    found = elementwise(text, values, result=np.float32)
    # Each of the two is within 1.5 ulp, of a size of at most 1.
    assert np.array_equal(np.isnan(found), np.isnan(wanted))
    assert np.nanmax(np.abs(found - wanted)) < 2.0**-22


def test_clamp() -> None:
    picked = np.array([0.0, 1.0, -2.0, 3.5, np.inf, -np.inf], np.float32)
    x, low, high = (a.ravel() for a in np.meshgrid(picked, picked, picked))
    found = elementwise("%r = math.clampf %a to [%b, %c] : f32", x, low, high, result=np.float32)
    assert np.array_equal(found, np.maximum(np.minimum(x, high), low))


def test_powers() -> None:
    x = np.concatenate([np.abs(powers(-5, 5, 400)), spread(0.9, 1.1, 300), np.round(spread(-9, 9, 100))])
    y = np.concatenate([spread(-60, 60, 400), spread(-5000, 5000, 300), np.round(spread(-9, 9, 100))])
    with np.errstate(all="ignore"):
        wanted = np.power(x, y)
    assert units(elementwise("%r = math.powf %a, %b : f64", x, y, result=np.float64), wanted) <= 4
    with np.errstate(all="ignore"):
        wanted32 = np.power(x.astype(np.float32).astype(np.float64), y.astype(np.float32).astype(np.float64))
        wanted32 = wanted32.astype(np.float32)
    found = elementwise("%r = math.powf %a, %b : f32", x.astype(np.float32), y.astype(np.float32), result=np.float32)
    assert units(found, wanted32) <= 1


def test_special_powers() -> None:
    picked = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, np.inf, -np.inf, np.nan])
    x, y = (a.ravel() for a in np.meshgrid(picked, picked))
    with np.errstate(all="ignore"):
        wanted = np.power(x, y)
    found = elementwise("%r = math.powf %a, %b : f64", x, y, result=np.float64)
    assert units(found, wanted) <= 2
    assert np.array_equal(np.signbit(found), np.signbit(wanted)) or np.isnan(wanted).any()


def test_angles() -> None:
    y, x = np.concatenate([spread(-2, 2), powers(-300, 300)]), np.concatenate([spread(-2, 2), powers(-300, 300)])
    assert units(elementwise("%r = math.atan2 %a, %b : f64", y, x, result=np.float64), np.arctan2(y, x)) <= 4
    picked = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan])
    x, y = (a.ravel() for a in np.meshgrid(picked, picked))
    found = elementwise("%r = math.atan2 %a, %b : f64", y, x, result=np.float64)
    assert np.array_equal(np.signbit(found), np.signbit(np.arctan2(y, x))) or np.isnan(found).any()
    assert units(found, np.arctan2(y, x)) <= 1


def test_integer_powers() -> None:
    x, n = RNG.integers(-9, 9, 300).astype(np.int32), RNG.integers(-4, 12, 300).astype(np.int32)
    found = elementwise("%r = math.ipowi %a, %b : i32", x, n, result=np.int32)
    wanted = [
        (int(a) ** int(b) if b >= 0 else (1 if a == 1 else (-1) ** int(b) if a == -1 else 0))
        for a, b in zip(x, n, strict=True)
    ]
    assert found.tolist() == [(w + (1 << 31)) % (1 << 32) - (1 << 31) for w in wanted]
    base = spread(-4, 4, 300)
    found64 = elementwise("%r = math.fpowi %a, %b : f64, i32", base, n, result=np.float64)
    assert units(found64, base ** n.astype(np.float64)) <= 4


def test_scaling_rounds_once() -> None:
    """Denormal numbers, and results, by small and large powers of two."""
    x = np.concatenate(
        [RNG.integers(1, 1 << 40, 400) * 2.0**-1074, spread(-4, 4, 400) * 2.0 ** RNG.integers(-60, 60, 400)]
    )
    n = np.concatenate([RNG.integers(-42, 3, 400), RNG.integers(-1100, -960, 400)]).astype(np.int32)
    found = elementwise("%r = llvm.intr.ldexp(%a, %b) : (f64, i32) -> f64", x, n, result=np.float64)
    assert np.array_equal(found, [math.ldexp(a, int(b)) for a, b in zip(x, n, strict=True)])
