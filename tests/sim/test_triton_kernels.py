"""More kernels as Triton compiles them, in strict mode, with asynchronous copies as late as the ISA allows, against NumPy."""

from __future__ import annotations

import math
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

FOLDER = Path(__file__).with_name("kernels")
TARGETS = pytest.mark.parametrize("target", [80, 90])


@cache
def load(name: str, target: int) -> Module:
    return weft.parse((FOLDER / f"triton_{name}_sm_{target}.ptx").read_text())


def triton(name: str, grid: Any, *arguments: Any, target: int = 80, seed: int = 0, policy: Any = "lazy") -> None:
    """Launch a Triton kernel; its two last parameters are scratch buffers that these kernels do not use."""
    module = load(name, target)
    assert module.source is not None
    shared = int(module.source.split()[2])
    scratch = [np.zeros(1, np.uint8)] * (len(module.kernels[0].parameters) - len(arguments))
    kernel = module.kernels[0].name
    run(module, kernel, grid, 128, [*arguments, *scratch], shared_bytes=shared, async_=policy, seed=seed)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("kind", ["e4m3", "e5m2"])
def test_matmul_of_fp8(kind: str) -> None:
    dtype = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}[kind]
    a, b = rng().standard_normal((64, 96)).astype(dtype), rng(1).standard_normal((96, 128)).astype(dtype)
    c = np.zeros((64, 128), np.float32)
    triton(f"matmul_{kind}", (1, 2), a, b, c, 64, 128, 96, target=90)
    assert np.abs(c - a.astype(np.float64) @ b.astype(np.float64)).max() < 1e-4


@pytest.mark.slow
def test_matmul_split_along_k() -> None:
    a, b = rng().standard_normal((64, 200)).astype(np.float16), rng(1).standard_normal((200, 96)).astype(np.float16)
    c = np.zeros((64, 96), np.float32)
    triton("splitk", (2, 3, 3), a, b, c, 64, 96, 200)
    assert np.abs(c - a.astype(np.float64) @ b.astype(np.float64)).max() < 1e-3


def philox(counter: Array, key: int) -> Array:
    """The first word of Philox 4x32-10 (Salmon et al., 2011), for the counters (c, 0, 0, 0)."""
    mask = np.uint64(0xFFFFFFFF)
    zero = np.zeros(len(counter), np.uint64)
    c = [counter.astype(np.uint64), zero, zero, zero]
    k = [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        low, high = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        shift = np.uint64(32)
        c = [
            (high >> shift) ^ c[1] ^ np.uint64(k[0]),
            high & mask,
            (low >> shift) ^ c[3] ^ np.uint64(k[1]),
            low & mask,
        ]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0].astype(np.uint32)


def test_random_numbers() -> None:
    out = np.zeros(768, np.uint32)
    triton("random", 3, out, 1234)
    assert (out == philox(np.arange(768), 1234)).all()


def test_dropout() -> None:
    x = rng().random(1000, np.float32) + 1
    y = np.zeros_like(x)
    triton("dropout", 4, x, y, 1000, 0.25, 77)
    words = philox(np.arange(1000), 77).view(np.int32)
    uniform = np.where(words < 0, -1 - words, words) * np.float32(4.6566127342e-10)
    assert np.allclose(y, np.where(uniform > 0.25, x / 0.75, 0), rtol=1e-6)
    assert 0.2 < (y == 0).mean() < 0.3


def test_cross_entropy() -> None:
    x = (rng().standard_normal((5, 400)) * 4).astype(ml_dtypes.bfloat16)
    labels, loss = rng(1).integers(0, 400, 5, dtype=np.int32), np.zeros(5, np.float32)
    triton("cross_entropy", 5, x, labels, loss, 400)
    v = x.astype(np.float64)
    want = np.log(np.exp(v).sum(axis=1)) - v[np.arange(5), labels]
    assert np.abs(loss - want).max() < 1e-4


def test_gelu() -> None:
    x = (rng().standard_normal(900) * 3).astype(ml_dtypes.bfloat16)
    y = np.zeros_like(x)
    triton("gelu", 2, x, y, 900)
    want = np.array([v * (1 + math.erf(v / math.sqrt(2))) / 2 for v in x.astype(float)])
    assert np.abs(y.astype(float) - want).max() < 0.02


def test_rotary_embedding() -> None:
    x, angle = rng().standard_normal((6, 128)).astype(np.float32), rng(1).random((6, 64), np.float32)
    cosine, sine, y = np.cos(angle), np.sin(angle), np.zeros_like(x)
    triton("rope", 6, x, cosine, sine, y, 128)
    turned = (x[:, :64] + 1j * x[:, 64:].astype(np.complex128)) * (cosine + 1j * sine)
    assert np.abs(y - np.concatenate([turned.real, turned.imag], axis=1)).max() < 1e-6


def test_running_maximum() -> None:
    x = rng().integers(-(10**9), 10**9, (4, 450), dtype=np.int32)
    y = np.zeros_like(x)
    triton("running_maximum", 4, x, y, 450)
    assert (y == np.maximum.accumulate(x, axis=1)).all()


def test_transposition() -> None:
    x = rng().standard_normal((50, 70)).astype(np.float16)
    y = np.zeros((70, 50), np.float16)
    triton("transposed", (2, 3), x, y, 50, 70)
    assert (y == x.T).all()


@pytest.mark.sample(1)
@TARGETS
def test_causal_attention(target: int) -> None:
    heads, n, d = 2, 128, 32
    q, k, v = (rng(i).standard_normal((heads, n, d)).astype(ml_dtypes.bfloat16) for i in range(3))
    o = np.zeros_like(q)
    triton("causal_attention", (2, heads), q, k, v, o, n, 1.4426950408889634 / math.sqrt(d), target=target)
    s = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) / math.sqrt(d)
    s = np.where(np.tri(n, dtype=bool), s, -np.inf)
    p = np.exp(s - s.max(axis=2, keepdims=True))
    want = p / p.sum(axis=2, keepdims=True) @ v.astype(np.float64)
    assert np.abs(o.astype(np.float64) - want).max() < 0.03


@pytest.mark.sample(2)
@pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
def test_matmul_by_tensor_copies(policy: Any) -> None:
    """Tensor maps with 128-byte swizzles, mbarriers, wgmma, a tensor store: Triton 3.9 for sm_90a."""
    m, n, k = 128, 128, 256
    a, b = rng().standard_normal((m, k)).astype(np.float16), rng(1).standard_normal((k, n)).astype(np.float16)
    c = np.zeros((m, n), np.float16)

    def described(array: Array) -> list[Any]:
        shape, strides = array.shape, [stride // array.itemsize for stride in array.strides]
        return [weft.TensorMap(array, (64, 64), swizzle="128B"), *shape, *strides]

    triton("tma_matmul", (2, 1), *described(a), *described(b), *described(c), k, target=90, policy=policy)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    assert np.abs(c.astype(np.float64) - exact).max() <= 2**-10 * np.abs(exact).max()
