"""The examples, compiled and run on the CPU: they compute what their comments say."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest

import weft
from tests.conftest import ROOT

Array = npt.NDArray[Any]


def compiled(name: str) -> weft.Module:
    path = ROOT / "examples" / f"{name}.mlir"
    return weft.compile(path.read_text(), target="sm_80", filename=path.name)


def memref(array: Array) -> list[Any]:
    """An array as upstream passes a memref: two pointers, the offset, sizes, and strides in elements."""
    return [array, array, 0, *array.shape, *(stride // array.itemsize for stride in array.strides)]


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [(64, 64, 32), (128, 64, 96)])
@pytest.mark.parametrize("async_", ["eager", "lazy", "random"])
def test_gemm(shape: tuple[int, int, int], async_: Literal["eager", "lazy", "random"]) -> None:
    """Exact, since small integers have exact products and sums; whenever the asynchronous copies complete."""
    rng = np.random.default_rng(0)
    m, n, k = shape
    a = rng.integers(-4, 5, (m, k)).astype(np.float16)
    b = rng.integers(-4, 5, (k, n)).astype(np.float16)
    c = np.full((m, n), np.nan, np.float32)
    arguments = [*memref(a), *memref(b), *memref(c)]
    weft.run(compiled("gemm_sm80"), "gemm", grid=(n // 64, m // 64), block=(128,), args=arguments, async_=async_)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.sample(1)
@pytest.mark.parametrize("async_", ["eager", "lazy", "random"])
def test_hopper_gemm(async_: Literal["eager", "lazy", "random"]) -> None:
    """TMA, mbarriers and wgmma: exact, whenever copies and products complete."""
    path = ROOT / "examples" / "gemm_sm90a.mlir"
    module = weft.compile(path.read_text(), target="sm_90a", filename=path.name)
    rng = np.random.default_rng(5)
    m, n, k = 256, 64, 192
    a = rng.integers(-4, 5, (m, k)).astype(np.float16)
    b = rng.integers(-4, 5, (k, n)).astype(np.float16)
    c = np.full((m, n), np.nan, np.float32)
    maps = [weft.TensorMap(a, (128, 64), swizzle="128B"), weft.TensorMap(b, (64, 64), swizzle="128B")]
    weft.run(
        module, "gemm", grid=(n // 64, m // 128), block=(128,), args=[*maps, *memref(c), k], shared_bytes=49152,
        async_=async_,
    )  # fmt: skip
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


def test_saxpy() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((2, 2048), np.float32)
    before = y.copy()
    weft.run(compiled("saxpy"), "saxpy", grid=(2,), block=(256,), args=[2.5, *memref(x), *memref(y), 2000])
    np.testing.assert_array_equal(y[2000:], before[2000:])
    np.testing.assert_allclose(y[:2000], 2.5 * x[:2000] + before[:2000], rtol=1e-6, atol=1e-6)


def test_transpose() -> None:
    matrix = np.random.default_rng(2).standard_normal((64, 96), np.float32)
    result = np.zeros((96, 64), np.float32)
    weft.run(compiled("transpose"), "transpose", grid=(3, 2), block=(32, 8), args=[*memref(matrix), *memref(result)])
    np.testing.assert_array_equal(result, matrix.T)


def test_softmax() -> None:
    rows = np.random.default_rng(3).standard_normal((3, 1024), np.float32)
    result = np.zeros_like(rows)
    weft.run(compiled("softmax"), "softmax", grid=(3,), block=(256,), args=[*memref(rows), *memref(result)])
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    np.testing.assert_allclose(result, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)


def test_histogram() -> None:
    values = np.random.default_rng(4).integers(-20, 300, 5000).astype(np.int32)
    counts = np.arange(256, dtype=np.int32)
    arguments = [*memref(values), *memref(counts), 5000]
    weft.run(compiled("histogram"), "histogram", grid=(4,), block=(256,), args=arguments)
    inside = values[(values >= 0) & (values < 256)]
    np.testing.assert_array_equal(counts, np.arange(256) + np.bincount(inside, minlength=256))
