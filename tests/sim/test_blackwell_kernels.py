"""Kernels as Triton compiles them for sm_100 (tcgen05) and sm_120 (block scales), in strict mode, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.sim.harness import Array
from weft.ptx.ast import Module
from weft.sim import run

pytestmark = pytest.mark.usefixtures("products")

FOLDER = Path(__file__).with_name("kernels")
POLICIES = pytest.mark.parametrize("policy", ["eager", "lazy"])


@cache
def load(name: str, target: int) -> Module:
    return weft.parse((FOLDER / f"triton_{name}_sm_{target}.ptx").read_text())


def triton(name: str, target: int, grid: Any, *arguments: Any, policy: Any) -> None:
    """Launch a Triton kernel; its two last parameters are scratch buffers that these kernels do not use."""
    module = load(name, target)
    assert module.source is not None
    shared = int(module.source.split()[2])
    kernel = module.kernels[0]
    scratch = [np.zeros(1, np.uint8)] * (len(kernel.parameters) - len(arguments))
    run(module, kernel.name, grid, 128, [*arguments, *scratch], shared_bytes=shared, async_=policy, seed=3)


TYPES: dict[str, Any] = {
    "f16": np.float16, "e4m3": ml_dtypes.float8_e4m3fn, "tf32": np.float32, "s8": np.int8,
}  # fmt: skip


@pytest.mark.slow
@POLICIES
@pytest.mark.parametrize("type_", list(TYPES))
def test_matmul(type_: str, policy: str) -> None:
    m, n, k = 256, 64, 192
    rng = np.random.default_rng(1)
    low, high = (-128, 128) if type_ == "s8" else (-4, 5)
    a, b = (rng.integers(low, high, shape).astype(TYPES[type_]) for shape in ((m, k), (k, n)))
    c = np.zeros((m, n), np.int32 if type_ == "s8" else np.float32)
    triton(f"matmul_{type_}", 100, (2, 2), a, b, c, m, n, k, policy=policy)
    assert (c == a.astype(np.float64) @ b.astype(np.float64)).all()


def matmul_by_tensor_copies(policy: str) -> tuple[Array, Array]:
    m, n, k = 256, 64, 192
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((m, k)).astype(np.float16), rng.standard_normal((k, n)).astype(np.float16)
    c = np.zeros((m, n), np.float16)

    def described(array: Array, rows: int) -> list[Any]:
        shape, strides = array.shape, [stride // array.itemsize for stride in array.strides]
        return [weft.TensorMap(array, (rows, 64), swizzle="128B"), *shape, *strides]

    triton("tma_matmul", 100, (2, 1), *described(a, 128), *described(b, 64), *described(c, 128), k, policy=policy)
    return c.astype(np.float64), a.astype(np.float64) @ b.astype(np.float64)


def test_matmul_by_tensor_copies() -> None:
    """Tensor copies fill the buffers, mbarriers tell when, `tcgen05.mma` reads them."""
    out, exact = matmul_by_tensor_copies("eager")
    assert np.abs(out - exact).max() <= 2**-10 * np.abs(exact).max()


FORMATS: dict[str, Any] = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e2m1": ml_dtypes.float4_e2m1fn,
}


def packed(values: Array, format_: str) -> Array:
    codes = values.astype(FORMATS[format_]).view(np.uint8)
    return codes[:, ::2] | codes[:, 1::2] << 4 if format_ == "e2m1" else codes


SCALED = [
    ("scaled_e4m3_e5m2", 100, "e4m3", "e5m2", 32),
    ("scaled_e4m3_e2m1", 100, "e4m3", "e2m1", 32),
    ("scaled_e2m1_e2m1", 100, "e2m1", "e2m1", 32),
    ("scaled_nvfp4", 100, "e2m1", "e2m1", 16),
    ("scaled_e4m3_e5m2", 120, "e4m3", "e5m2", 32),
    ("scaled_e2m1_e2m1", 120, "e2m1", "e2m1", 32),
    ("scaled_nvfp4", 120, "e2m1", "e2m1", 16),
]


@pytest.mark.sample(1)
@POLICIES
@pytest.mark.parametrize(("name", "target", "a_format", "b_format", "block"), SCALED)
def test_block_scales(name: str, target: int, a_format: str, b_format: str, block: int, policy: str) -> None:
    """`tcgen05.mma` and `mma.sync` with scales: the same numbers, laid out by another's compiler."""
    rows = 128 if target == 100 else 32
    m, n, k = rows, 64, 256
    rng = np.random.default_rng(2)
    a, b = rng.integers(-4, 5, (m, k)).astype(np.float64), rng.integers(-4, 5, (n, k)).astype(np.float64)
    if block == 16:
        scales = [rng.integers(1, 9, (count, k // block)) / 4 for count in (m, n)]
        dtype: Any = ml_dtypes.float8_e4m3fn
    else:
        scales = [2.0 ** rng.integers(-4, 5, (count, k // block)) for count in (m, n)]
        dtype = ml_dtypes.float8_e8m0fnu
    c = np.zeros((m, n), np.float32)
    codes = [s.astype(dtype).view(np.uint8) for s in scales]
    triton(name, target, (1, 2), packed(a, a_format), packed(b, b_format), c, *codes, n, k, policy=policy)
    wide_a, wide_b = a * np.repeat(scales[0], block, axis=1), b * np.repeat(scales[1], block, axis=1)
    assert (c == wide_a @ wide_b.T).all()


def attention(policy: str) -> tuple[Array, Array]:
    n, d = 256, 32
    rng = np.random.default_rng(3)
    q, k, v = (rng.standard_normal((n, d)).astype(np.float16) for _ in range(3))
    out = np.zeros((n, d), np.float16)
    triton("attention", 100, (2, 1), q, k, v, out, n, 0.125 * np.log2(np.e), policy=policy)
    scores = q.astype(np.float64) @ k.astype(np.float64).T * 0.125
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return out.astype(np.float64), weights @ v.astype(np.float64) / weights.sum(axis=1, keepdims=True)


@pytest.mark.slow
def test_attention() -> None:
    """The second product has its multiplicand A in tensor memory."""
    out, exact = attention("eager")
    assert np.abs(out - exact).max() < 2e-3


@pytest.mark.sample(1)
@pytest.mark.parametrize("kernel", [attention, matmul_by_tensor_copies])
def test_a_wait_behind_the_first_uses(kernel: Callable[[str], tuple[Array, Array]]) -> None:
    """This compiler uses what `tcgen05.ld` loads before `tcgen05.wait::ld`, which assemblers mend: that is no error."""
    out, exact = kernel("lazy")
    assert np.abs(out - exact).max() < 2e-2
