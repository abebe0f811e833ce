"""The example kernels in Python against NumPy, on the simulator; what ptxas makes of them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from weft.tile import Global, Kernel, S, block_id, cdiv, cta, f32, shared

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RNG = np.random.default_rng(11)


def example(name: str) -> Kernel:
    specification = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module: Any = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return getattr(module, name)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(16, 64), (100, 150)])
def test_attention(m: int, n: int) -> None:
    attention = example("attention")
    q, k, v = (RNG.standard_normal((rows, 64)).astype(np.float16) for rows in (m, n, n))
    o = np.zeros_like(q)
    result = attention.run(q, k, v, o, 0.125, counters=True, async_="lazy")
    scores = q.astype(np.float64) @ k.astype(np.float64).T * 0.125
    weights = np.exp(scores - scores.max(1, keepdims=True))
    expected = weights / weights.sum(1, keepdims=True) @ v.astype(np.float64)
    np.testing.assert_allclose(o, expected, atol=1e-3)
    assert result.counters.spaces["shared"].conflicts == 0
    assert weft.assemble(attention.module("sm_80")).kernel("attention").spills == 0


def test_rms_norm() -> None:
    x = RNG.standard_normal((3, 1024)).astype(np.float16)
    weight = RNG.standard_normal(1024).astype(np.float32)
    y = np.zeros_like(x)
    example("rms_norm").run(x, weight, y, 1e-5)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(
        y, wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-5) * weight, rtol=2e-3, atol=1e-3
    )


def test_layer_norm() -> None:
    layer_norm = example("layer_norm")
    x = RNG.standard_normal((2, 2048)).astype(np.float16)
    weight, bias = (RNG.standard_normal(2048).astype(np.float32) for _ in range(2))
    y = np.zeros_like(x)
    layer_norm.run(x, weight, bias, y, 1e-5, check="strict")
    wide = x.astype(np.float64)
    expected = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * weight + bias
    np.testing.assert_allclose(y, expected, rtol=2e-3, atol=4e-3)
    assert weft.assemble(layer_norm.module("sm_80")).kernel("layer_norm").spills == 0


@pytest.mark.parametrize("n", [1, 128, 300])
def test_prefix_sum(n: int) -> None:
    x = RNG.integers(-100, 100, n).astype(np.int32)
    y = np.zeros_like(x)
    example("prefix_sum").run(x, y, check="strict")
    np.testing.assert_array_equal(y, np.cumsum(x))


@weft.kernel(threads=128, grid=lambda M, N: (cdiv(N, 64), cdiv(M, 64)))
def transposed(a: Global(f32, ("M", "N")), b: Global(f32, ("N", "M"))):
    row, column = block_id(1) * 64, block_id(0) * 64
    tile = shared((64, 64), f32, S[(64, 64) : (65, 1)])
    cta.copy(tile, a[row : row + 64, column : column + 64])
    cta.sync()
    cta.copy(b[column : column + 64, row : row + 64], tile.transpose())


def test_a_transpose_through_padded_shared_memory() -> None:
    a = RNG.standard_normal((100, 70)).astype(np.float32)
    b = np.zeros((70, 100), np.float32)
    result = transposed.run(a, b, counters=True)
    np.testing.assert_array_equal(b, a.T)
    assert result.counters.spaces["shared"].conflicts == 0
