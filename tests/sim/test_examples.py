"""The examples, compiled by weft, executed and compared with NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import Array
from weft.ptx.ast import Module
from weft.sim import Async, run


def memref(array: Array) -> list[Any]:
    """An array as the arguments of a memref: twice its pointer, its offset, its sizes, its strides in elements."""
    return [array, array, 0, *array.shape, *(s // array.itemsize for s in array.strides)]


def example(examples: Path, name: str) -> Module:
    return weft.compile((examples / f"{name}.mlir").read_text(), target="sm_80")


def test_saxpy(examples: Path) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 5000)).astype(np.float32)
    want = (np.float64(2.5) * x + y).astype(np.float32)
    run(example(examples, "saxpy"), "saxpy", 5, 256, [np.float32(2.5), *memref(x), *memref(y), 5000])
    assert (y == want).all()


def test_transpose(examples: Path) -> None:
    a = np.random.default_rng(1).standard_normal((96, 160)).astype(np.float32)
    out = np.zeros((160, 96), np.float32)
    run(example(examples, "transpose"), "transpose", (5, 3), (32, 8), [*memref(a), *memref(out)])
    assert (out == a.T).all()


def test_softmax(examples: Path) -> None:
    a = np.random.default_rng(2).standard_normal((9, 1024)).astype(np.float32) * 4
    out = np.zeros_like(a)
    run(example(examples, "softmax"), "softmax", 9, 256, [*memref(a), *memref(out)])
    powers = np.exp(a.astype(np.float64) - a.max(axis=1, keepdims=True))
    assert np.abs(out - powers / powers.sum(axis=1, keepdims=True)).max() < 1e-6


def test_histogram(examples: Path) -> None:
    values = np.random.default_rng(3).integers(0, 300, 20_000, dtype=np.int32)
    counts = np.zeros(256, np.int32)
    run(example(examples, "histogram"), "histogram", 7, 256, [*memref(values), *memref(counts), values.size])
    assert (counts == np.bincount(values, minlength=300)[:256]).all()


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
def test_gemm(examples: Path, policy: Async) -> None:
    """fp16 on the tensor cores, with cp.async in two stages; every sum of products is within f32's rounding."""
    m, n, k = 128, 192, 160
    rng = np.random.default_rng(4)
    a, b = rng.standard_normal((m, k)).astype(np.float16), rng.standard_normal((k, n)).astype(np.float16)
    c = np.full((m, n), np.nan, np.float32)
    module = example(examples, "gemm_sm80")
    result = run(module, "gemm", (n // 64, m // 64), 128, [*memref(a), *memref(b), *memref(c)], async_=policy)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    bound = (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)) * 2.0**-23 * (k // 16)
    assert (np.abs(c - exact) <= bound).all()
    assert result.instructions["mma"] == (m // 16) * (n // 8) * (k // 16) * 32
