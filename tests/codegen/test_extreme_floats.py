"""Remainders and powers at the ends of what floats can be: exact, and within their bounds."""

from __future__ import annotations

from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.codegen.support import elementwise

TYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


def numbers(dtype: Any, count: int, seed: int) -> Any:
    """Numbers of all magnitudes, with the largest, the smallest, powers of two and their neighbours among them."""
    info = ml_dtypes.finfo(dtype)
    top, least, tiny = float(info.max), float(info.smallest_subnormal), float(info.smallest_normal)
    edges = [0.0, -0.0, 1.0, -1.0, 3.0, 7.0, -7.0, 0.1, top, -top, least, -least, 3 * least, tiny, -tiny, np.inf, -np.inf,
             np.nan, 1e4, 1e10, -1e20, 2.0**24 + 1, 65504.0, 0.5, 1.5]  # fmt: skip
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 1 << info.bits, count, dtype=np.uint64).astype(f"u{info.bits // 8}").view(dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.array(edges).astype(dtype), bits


def pairs(dtype: Any, seed: int = 0) -> tuple[Any, Any]:
    """All pairs of edges, and random ones."""
    edges, bits = numbers(dtype, 384, seed)
    a, b = (np.array(x) for x in zip(*product(edges, edges), strict=True))
    return np.concatenate([a, bits[:192]])[:1024].astype(dtype), np.concatenate([b, bits[192:]])[:1024].astype(dtype)


def same(a: Any, b: Any) -> bool:
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return bool(((a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)).all())


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", TYPES)
def test_remainders_are_exact(name: str) -> None:
    a, b = pairs(TYPES[name])
    with np.errstate(all="ignore"):
        want = np.fmod(a.astype(np.float64), b.astype(np.float64))
    found = elementwise(f"%r = arith.remf %a, %b : {name}", a, b, result=a.dtype)
    assert same(found, want)
    if name in ("f32", "f64"):
        text = f"%r = llvm.frem %a, %b : {name}"
        assert same(elementwise(text, a, b, result=a.dtype), want)


def test_known_remainders() -> None:
    a = np.array([1e10, -1e20, 1e38, 5.5, -5.5, 1e-45, 3.0], np.float32)
    b = np.array([3.0, 7.0, 1e-45, np.inf, 0.0, 1e38, -2.0], np.float32)
    found = elementwise("%r = arith.remf %a, %b : f32", a, b, result=np.float32)
    assert found[0] == 1.0 and found[1] == np.fmod(np.float32(-1e20), np.float32(7))
    with np.errstate(all="ignore"):
        assert same(found, np.fmod(a, b))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["f16", "f32", "f64"])
def test_powers_at_extreme_operands(name: str) -> None:
    dtype = TYPES[name]
    edges, bits = numbers(dtype, 400, 3)
    if name == "f64":
        edges = np.concatenate([edges, np.array([2.0**1018, -(2.0**1018), 2.0**1023, 1 + 2.0**-52, 1 - 2.0**-53])])[
            -24:
        ]
    base, power = (np.array(x, dtype) for x in zip(*product(edges, edges), strict=True))
    base, power = np.concatenate([base, bits[:200]])[:1024], np.concatenate([power, bits[200:]])[:1024]
    found = elementwise(f"%r = math.powf %a, %b : {name}", base, power, result=dtype)
    with np.errstate(all="ignore"):
        want = np.power(base.astype(np.longdouble), power.astype(np.longdouble)).astype(dtype)
    special = ~np.isfinite(want) | (want == 0)
    near = np.isclose(
        found.astype(np.float64), want.astype(np.float64), rtol=4 * float(ml_dtypes.finfo(dtype).eps), atol=0
    )
    tiny = np.abs(want.astype(np.float64)) < 4 * float(ml_dtypes.finfo(dtype).smallest_normal)
    exact = (found == want) & (np.signbit(found) == np.signbit(want)) | np.isnan(found) & np.isnan(want)
    # What is close to the ends of the range may be rounded to either side of it.
    top = float(ml_dtypes.finfo(dtype).max)
    edge = np.isinf(want) & (np.abs(found.astype(np.float64)) > 0.999 * top) | tiny & (
        np.abs(found) <= np.abs(want) * 2 + 1e-300
    )
    bad = ~np.where(special, exact | edge, near | edge)
    assert not bad.any(), list(zip(base[bad][:5], power[bad][:5], found[bad][:5], want[bad][:5], strict=True))


@pytest.mark.parametrize("name", ["f32", "f64"])
def test_whole_powers_at_extreme_operands(name: str) -> None:
    dtype = TYPES[name]
    bases = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, np.inf, -np.inf, np.nan, 1e30, 3e-39, -1.5], dtype)
    exponents = np.array([0, 1, -1, 2, -2, 3, 31, 127, -149, 2**31 - 1, -(2**31), -(2**31) + 1, 1000], np.int32)
    base, power = (np.array(x) for x in zip(*product(bases, exponents), strict=True))
    found = elementwise(
        f"%r = math.fpowi %a, %b : {name}, i32", base.astype(dtype), power.astype(np.int32), result=dtype
    )
    with np.errstate(all="ignore"):
        want = np.power(base.astype(np.longdouble), power.astype(np.longdouble)).astype(dtype)
    special = ~np.isfinite(want) | (want == 0)
    near = np.isclose(found.astype(np.float64), want.astype(np.float64), rtol=1e-5 if name == "f32" else 1e-13, atol=0)
    tiny = np.abs(want) < 4 * np.finfo(dtype).smallest_normal
    exact = (found == want) & (np.signbit(found) == np.signbit(want)) | np.isnan(found) & np.isnan(want)
    bad = ~np.where(special, exact, near | tiny)
    assert not bad.any(), list(zip(base[bad][:5], power[bad][:5], found[bad][:5], want[bad][:5], strict=True))
