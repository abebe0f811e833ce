"""Kernels as Numba compiles them, and the examples as LLVM does, in strict mode, against NumPy."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import Array
from weft.ptx.ast import Module
from weft.sim import run

FOLDER = Path(__file__).with_name("kernels")


@cache
def load(name: str) -> Module:
    return weft.parse((FOLDER / f"{name}_sm_80.ptx").read_text())


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# -- Numba ----------------------------------------------------------------------------------------------------


def array(a: Array) -> list[Any]:
    """An array as Numba passes it: meminfo, parent, number and size of elements, data, shape, strides in bytes."""
    return [0, 0, a.size, a.itemsize, a, *a.shape, *a.strides]


def numba(name: str, grid: Any, block: Any, *arguments: Any) -> None:
    run(load(f"numba_{name}"), name, grid, block, arguments)


def test_numba_tiled_product() -> None:
    a, b = rng().random((32, 48), np.float32), rng(1).random((48, 64), np.float32)
    c = np.zeros((32, 64), np.float32)
    numba("tiled", (4, 2), (16, 16), *array(a), *array(b), *array(c))
    assert np.abs(c - a.astype(np.float64) @ b).max() < 1e-4


def test_numba_complex_numbers() -> None:
    out = np.zeros((24, 20), np.int32)
    constant = np.complex64(-0.4 + 0.6j)
    numba("julia", (3, 3), (8, 8), *array(out), float(constant.real), float(constant.imag))
    i, j = np.mgrid[:24, :20]
    z = (4 * i / 24 - 2 + 1j * (4 * j / 20 - 2)).astype(np.complex64)
    want = np.zeros_like(out)
    for _ in range(60):
        inside = z.real * z.real + z.imag * z.imag < 16
        want += inside
        z = np.where(inside, z * z + constant, z)
    assert (out == want).mean() > 0.99  # The last bit decides at the edge.


@pytest.mark.slow
def test_numba_histogram() -> None:
    data, bins = rng().integers(0, 256, 5000, dtype=np.uint8), np.zeros(64, np.int32)
    numba("counts", 3, 128, *array(data), *array(bins))
    assert (bins == np.bincount(data & 63, minlength=64)).all()


def test_numba_bodies() -> None:
    places, forces = rng().standard_normal((64, 2)), np.zeros((64, 2))
    numba("bodies", 2, 32, *array(places), *array(forces))
    apart = places[None] - places[:, None]
    far = (apart**2).sum(axis=2) + 0.01
    assert np.abs(forces - (apart / far[..., None] ** 1.5).sum(axis=1)).max() < 1e-9


# -- LLVM -----------------------------------------------------------------------------------------------------


def memref(a: Array) -> list[Any]:
    return [a, a, 0, *a.shape, *(s // a.itemsize for s in a.strides)]


def llvm(name: str, kernel: str, grid: Any, block: Any, *arguments: Any) -> None:
    run(load(f"llvm_{name}"), kernel, grid, block, arguments, async_="lazy")


def test_llvm_saxpy() -> None:
    x, y = rng().standard_normal((2, 5000)).astype(np.float32)
    want = (np.float64(2.5) * x + y).astype(np.float32)
    llvm("saxpy", "saxpy", 5, 256, np.float32(2.5), *memref(x), *memref(y), 5000)
    assert (y == want).all()


def test_llvm_transpose() -> None:
    a = rng(1).standard_normal((96, 160)).astype(np.float32)
    out = np.zeros((160, 96), np.float32)
    llvm("transpose", "transpose", (5, 3), (32, 8), *memref(a), *memref(out))
    assert (out == a.T).all()


def test_llvm_softmax() -> None:
    a = rng(2).standard_normal((9, 1024)).astype(np.float32) * 4
    out = np.zeros_like(a)
    llvm("softmax", "softmax", 9, 256, *memref(a), *memref(out))
    powers = np.exp(a.astype(np.float64) - a.max(axis=1, keepdims=True))
    assert np.abs(out - powers / powers.sum(axis=1, keepdims=True)).max() < 1e-6


@pytest.mark.slow
def test_llvm_histogram() -> None:
    values, counts = rng(3).integers(0, 300, 20_000, dtype=np.int32), np.zeros(256, np.int32)
    llvm("histogram", "histogram", 7, 256, *memref(values), *memref(counts), values.size)
    assert (counts == np.bincount(values, minlength=300)[:256]).all()


def test_llvm_gemm() -> None:
    m, n, k = 128, 64, 160
    a, b = rng(4).standard_normal((m, k)).astype(np.float16), rng(5).standard_normal((k, n)).astype(np.float16)
    c = np.full((m, n), np.nan, np.float32)
    llvm("gemm_sm80", "gemm", (n // 64, m // 64), 128, *memref(a), *memref(b), *memref(c))
    assert np.abs(c - a.astype(np.float64) @ b.astype(np.float64)).max() < 1e-3
