"""What Triton's compiler writes against the letter of the ISA, and hardware makes good: no fault by default."""

# pyright: basic

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import weft.triton

pytestmark = pytest.mark.slow
RANDOM = np.random.default_rng(0)


@triton.jit
def softmax_of_product(X, Y, Z, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x, y = tl.load(X + m[:, None] * K + k[None, :]), tl.load(Y + k[:, None] * N + n[None, :])
    z = tl.dot(x, y)
    e = tl.exp(z - tl.max(z, 1)[:, None])
    tl.store(Z + m[:, None] * N + n[None, :], e / tl.sum(e, 1)[:, None])


def test_uses_before_the_wait_for_tensor_memory() -> None:
    """LLVM moves comparisons between tcgen05.ld and its wait."""
    x, y = (RANDOM.normal(size=(n, m)).astype(np.float16) for n, m in ((128, 64), (64, 128)))
    z = np.zeros((128, 128), np.float32)
    with weft.triton.activate("sm_100a"):
        softmax_of_product[(1,)](x, y, z, 128, 128, 64)
    want = np.exp(x.astype(np.float64) @ y.astype(np.float64))
    np.testing.assert_allclose(z, want / want.sum(1, keepdims=True), rtol=2e-3, atol=1e-5)


@triton.jit
def half_product(X, Y, Z, M: tl.constexpr):
    m = tl.arange(0, M)
    at = m[:, None] * M + m[None, :]
    tl.store(Z + at, tl.dot(tl.load(X + at), tl.load(Y + at), out_dtype=tl.float16))


def test_accumulators_of_16_bits_in_tensor_memory() -> None:
    x, y = (RANDOM.integers(-3, 3, (64, 64)).astype(np.float16) for _ in range(2))
    z = np.zeros((64, 64), np.float16)
    with weft.triton.activate("sm_100a"):
        half_product[(1,)](x, y, z, 64)
    assert (z == x @ y).all()


@triton.jit
def imprecise(X, Y, Z, K, B: tl.constexpr):
    b = tl.arange(0, B)
    total = tl.zeros((B, B), tl.float32)
    for k in tl.range(0, K, B, num_stages=2):
        x, y = tl.load(X + b[:, None] * K + (k + b)[None, :]), tl.load(Y + (k + b)[:, None] * B + b[None, :])
        total = tl.dot(x, y, total, max_num_imprecise_acc=32)
    tl.store(Z + b[:, None] * B + b[None, :], total)


def test_sums_between_products_without_a_wait() -> None:
    kind = ml_dtypes.float8_e4m3fn
    x, y = (RANDOM.integers(-3, 3, shape).astype(kind) for shape in ((64, 128), (128, 64)))
    z = np.zeros((64, 64), np.float32)
    with weft.triton.activate("sm_90a"):
        imprecise[(1,)](x, y, z, 128, 64)
    assert (z == x.astype(np.float32) @ y.astype(np.float32)).all()


@triton.jit
def combine(mean, spread, count, mean2, spread2, count2):
    total = count + count2
    part = tl.where(total == 0.0, 0.0, count2 / total)
    step = mean2 - mean
    return mean + step * part, spread + spread2 + step * step * count * part, total


@triton.jit
def welford(X, Mean, Spread, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    x = tl.load(X + m[:, None] * N + tl.arange(0, N)[None, :])
    mean, spread, count = tl.reduce((x, tl.zeros_like(x), tl.full(x.shape, 1.0, tl.float32)), 1, combine)
    tl.store(Mean + m, mean)
    tl.store(Spread + m, spread / count)


@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
def test_copies_of_an_element_that_differ_in_the_last_bits(target: str) -> None:
    x = RANDOM.normal(size=(16, 128)).astype(np.float32)
    mean, spread = np.zeros(16, np.float32), np.zeros(16, np.float32)
    with weft.triton.activate(target):
        welford[(1,)](x, mean, spread, 16, 128)
    np.testing.assert_allclose(mean, x.mean(1), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(spread, x.var(1), rtol=1e-4, atol=1e-5)


@triton.jit
def specialised(A, B, C, K, M: tl.constexpr, N: tl.constexpr, S: tl.constexpr):
    total = tl.zeros((M, N), tl.float32)
    for k in tl.range(0, K, S, num_stages=3, warp_specialize=True):
        total = tl.dot(A.load([0, k]), B.load([k, 0]), total)
    C.store([0, 0], total)


def test_roles_of_single_warps_set_their_registers() -> None:
    def described(array: np.ndarray, *block: int) -> TensorDescriptor:
        return TensorDescriptor(array.view(weft.triton.Array), list(array.shape), [array.shape[1], 1], list(block))

    a, b = (RANDOM.integers(-3, 3, shape).astype(np.float16) for shape in ((128, 256), (256, 64)))
    c = np.zeros((128, 64), np.float32)
    with weft.triton.activate("sm_100a"):
        specialised[(1,)](described(a, 128, 64), described(b, 64, 64), described(c, 128, 64), 256, 128, 64, 64)
    assert (c == a.astype(np.float32) @ b.astype(np.float32)).all()
