"""Floats of 4, 6 and 8 bits, scaled conversions and directed roundings on the simulator, against `ml_dtypes` and NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.codegen.support import compiled, launch
from weft.errors import CompileError

FORMATS: dict[str, tuple[Any, int]] = {
    "f4E2M1FN": (ml_dtypes.float4_e2m1fn, 4),
    "f6E2M3FN": (ml_dtypes.float6_e2m3fn, 6),
    "f6E3M2FN": (ml_dtypes.float6_e3m2fn, 6),
}
NAMES = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64", np.dtype(np.float16): "f16"}


def run(operation: str, types: list[str], operands: list[np.ndarray], result: np.ndarray) -> np.ndarray:
    """`%r = operation` of `%a` and `%b` for each element; `types` are MLIR's, that of the result last."""
    count = len(result)
    memrefs = [f"memref<{count}x{type_}>" for type_ in types]
    names = "abc"[: len(operands)]
    arguments = ", ".join(f"%{n}: {t}" for n, t in zip((*names.upper(), "R"), memrefs, strict=True))
    loads = "\n".join(f"%{n} = memref.load %{n.upper()}[%i] : {t}" for n, t in zip(names, memrefs, strict=False))
    text = f"""gpu.module @m {{ gpu.func @k({arguments}) kernel {{
      %i = gpu.thread_id x
      {loads}
      {operation}
      memref.store %r, %R[%i] : {memrefs[-1]}
      gpu.return
    }} }}"""
    launch(compiled(text), "k", 1, count, [*operands, result])
    return result


def values(dtype: Any, width: int) -> np.ndarray:
    """Every number of a format."""
    return np.arange(1 << width, dtype=np.uint8).view(dtype).astype(np.float32)


@pytest.mark.sample(4)
@pytest.mark.parametrize("target", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", FORMATS)
def test_widening(name: str, target: type) -> None:
    dtype, width = FORMATS[name]
    bits = np.arange(1 << width, dtype=np.uint8)
    wide = NAMES[np.dtype(target)]
    found = run(f"%r = arith.extf %a : {name} to {wide}", [name, wide], [bits], np.zeros(1 << width, target))
    assert np.array_equal(found, values(dtype, width).astype(target))
    assert np.array_equal(np.signbit(found), np.signbit(values(dtype, width)))


@pytest.mark.sample(3)
@pytest.mark.parametrize("source", [np.float32, np.float64])
@pytest.mark.parametrize("name", FORMATS)
def test_narrowing(name: str, source: type) -> None:
    dtype, width = FORMATS[name]
    every = values(dtype, width).astype(np.float64)
    ties = (every[:, None] + every[None, :]).ravel() / 2
    near = np.concatenate([ties, np.nextafter(ties, 9), np.nextafter(ties, -9), [1e-30, -1e-40]])
    near = near.clip(every.min(), every.max())[np.random.default_rng(0).permutation(len(near))[:1000]].astype(source)
    wide = NAMES[np.dtype(source)]
    found = run(f"%r = arith.truncf %a : {wide} to {name}", [wide, name], [near], np.zeros(len(near), np.uint8))
    assert np.array_equal(values(dtype, width)[found & ((1 << width) - 1)], nearest(near, every))


def nearest(given: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The nearest of a format's numbers, in the order of their patterns; the even pattern of two as near."""
    distances = np.abs(given.astype(np.float64)[:, None] - numbers[None, :])
    odd = np.arange(len(numbers)) & 1
    return numbers[np.lexsort((np.broadcast_to(odd, distances.shape), distances), axis=1)[:, 0]]


def test_what_is_too_large_becomes_the_largest() -> None:
    given = np.array([7.0, -100.0, np.inf, -np.inf], np.float32)
    found = run("%r = arith.truncf %a : f32 to f4E2M1FN", ["f32", "f4E2M1FN"], [given], np.zeros(4, np.uint8))
    assert (found & 15).tolist() == [7, 15, 7, 15]


def test_scales() -> None:
    bits = np.arange(256, dtype=np.uint8)
    found = run("%r = arith.extf %a : f8E8M0FNU to f32", ["f8E8M0FNU", "f32"], [bits], np.zeros(256, np.float32))
    assert np.array_equal(found, bits.view(ml_dtypes.float8_e8m0fnu).astype(np.float32), equal_nan=True)
    back = run("%r = arith.truncf %a : f32 to f8E8M0FNU", ["f32", "f8E8M0FNU"], [found[1:255]], np.zeros(254, np.uint8))
    assert np.array_equal(back, bits[1:255])


def test_scaled_conversions() -> None:
    rng = np.random.default_rng(2)
    small = rng.integers(0, 16, 200).astype(np.uint8)
    scale = rng.integers(110, 140, 200).astype(np.uint8)
    factor = scale.view(ml_dtypes.float8_e8m0fnu).astype(np.float32)
    found = run("%r = arith.scaling_extf %a, %b : f4E2M1FN, f8E8M0FNU to f32", ["f4E2M1FN", "f8E8M0FNU", "f32"],
                [small, scale], np.zeros(200, np.float32))  # fmt: skip
    assert np.array_equal(found, small.view(ml_dtypes.float4_e2m1fn).astype(np.float32) * factor)
    wide = rng.uniform(-6, 6, 200).astype(np.float32) * factor
    back = run("%r = arith.scaling_truncf %a, %b : f32, f8E8M0FNU to f6E3M2FN", ["f32", "f8E8M0FNU", "f6E3M2FN"],
               [wide, scale], np.zeros(200, np.uint8))  # fmt: skip
    assert np.array_equal(back & 63, (wide / factor).astype(ml_dtypes.float6_e3m2fn).view(np.uint8))


DIRECTIONS = {"downward": -np.inf, "upward": np.inf, "toward_zero": 0.0}


@pytest.mark.sample(4)
@pytest.mark.parametrize("mode", DIRECTIONS)
@pytest.mark.parametrize(("source", "target"), [("f64", "f32"), ("f32", "f16"), ("f64", "f16")])
def test_directed_roundings(mode: str, source: str, target: str) -> None:
    types = {name: np.dtype(dtype) for dtype, name in NAMES.items()}
    given = np.random.default_rng(3).standard_normal(500).astype(types[source])
    found = run(
        f"%r = arith.truncf %a {mode} : {source} to {target}", [source, target], [given], np.zeros(500, types[target])
    )
    nearest = given.astype(types[target])
    wide = nearest.astype(np.float64)
    bound = DIRECTIONS[mode] if DIRECTIONS[mode] else -np.inf * np.sign(given)
    beyond = wide > given if mode == "downward" else wide < given if mode == "upward" else np.abs(wide) > np.abs(given)
    towards = np.full(500, bound) if np.isscalar(bound) else np.zeros(500)
    wanted = np.where(beyond, np.nextafter(nearest, towards.astype(types[target])), nearest)
    assert np.array_equal(found, wanted)


def test_halves_away_from_zero_are_refused() -> None:
    with pytest.raises(CompileError, match="halves away from zero"):
        run("%r = arith.truncf %a to_nearest_away : f64 to f32", ["f64", "f32"], [np.zeros(1)], np.zeros(1, np.float32))
