"""Whole kernels as nvcc, CUB and Triton compile them, executed and compared with NumPy.

The PTX stands in `kernels/`, beside the sources it was made from.
"""

from __future__ import annotations

from functools import cache
from math import gcd
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.sim.harness import Array
from weft.ptx.ast import Module
from weft.sim import Async, run

FOLDER = Path(__file__).with_name("kernels")


@cache
def load(name: str, target: int = 80) -> Module:
    return weft.parse((FOLDER / f"{name}_sm_{target}.ptx").read_text())


def nvcc(kernel: str, grid: Any, block: Any, *arguments: Any, **more: Any) -> None:
    run(load("nvcc"), kernel, grid, block, arguments, **more)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# -- nvcc -----------------------------------------------------------------------------------------------------


def test_saxpy() -> None:
    x, y = rng().standard_normal((2, 10_000)).astype(np.float32)
    want = (np.float64(np.float32(2.7)) * x + y).astype(np.float32)
    nvcc("saxpy", 40, 256, 10_000, 2.7, x, y)
    assert (y == want).all()


def test_reduce() -> None:
    x, out = rng().random(20_000, np.float32), np.zeros(1, np.float32)
    nvcc("reduce", 8, 256, x, out, x.size)
    assert abs(out[0] / x.sum(dtype=np.float64) - 1) < 1e-5


def test_scan() -> None:
    a = rng().integers(-1000, 1000, (5, 500), dtype=np.int32)
    out = np.zeros_like(a)
    nvcc("scan", 5, 512, a, out, 500)
    assert (out == a.cumsum(axis=1)).all()


def test_matmul() -> None:
    a, b = rng().standard_normal((2, 64, 64)).astype(np.float32)
    c = np.zeros_like(a)
    nvcc("matmul", (4, 4), (16, 16), a, b, c, 64)
    assert np.abs(c - a.astype(np.float64) @ b).max() < 1e-4


def test_bitonic() -> None:
    data = rng().integers(0, 1 << 32, (3, 1024), dtype=np.uint32)
    want = np.sort(data, axis=1)
    nvcc("bitonic", 3, 512, data)
    assert (data == want).all()


def test_recursive_gcd() -> None:
    a, b = rng().integers(0, 1 << 20, (2, 256), dtype=np.uint32)
    out = np.zeros(256, np.uint32)
    nvcc("gcds", 2, 128, a, b, out)
    assert out.tolist() == [gcd(int(x), int(y)) for x, y in zip(a, b, strict=True)]


def test_virtual_functions() -> None:
    x, out = rng().random(100, np.float32), np.zeros(100, np.float32)
    nvcc("areas", 1, 128, x, out, 100)
    want = np.where(np.arange(100) % 3, np.float32(3.25) * x * x, x * x)
    assert np.abs(out - want).max() < 1e-6


def test_mandelbrot() -> None:
    w, h = 40, 30
    out = np.zeros((h, w), np.int32)
    nvcc("mandelbrot", (3, 4), (16, 8), out, w, h, 50)
    for y in range(h):
        for x in range(w):
            c, z, n = complex(-2.0 + 3.0 * x / w, -1.5 + 3.0 * y / h), 0j, 0
            while n < 50 and z.real * z.real + z.imag * z.imag <= 4.0:
                z = complex(z.real * z.real - z.imag * z.imag + c.real, 2.0 * z.real * z.imag + c.imag)
                n += 1
            assert out[y, x] == n


def test_halves() -> None:
    a, b = rng().standard_normal((2, 200)).astype(np.float16)
    out = np.zeros_like(a)
    nvcc("halves", 1, 128, a, b, out, 100)
    want = np.maximum((a.astype(np.float64) * b + 0.5).astype(np.float16), -a)
    assert (out == want).all()


def test_brains() -> None:
    a, b = rng().standard_normal((2, 128)).astype(ml_dtypes.bfloat16)
    out = np.zeros_like(a)
    nvcc("brains", 1, 128, a, b, out, 128)
    assert (
        out == (a.astype(np.float64) * b.astype(np.float64) + 1).astype(np.float32).astype(ml_dtypes.bfloat16)
    ).all()


def test_hash() -> None:
    data, out = rng().integers(0, 256, (64, 20), dtype=np.uint8), np.zeros(64, np.uint32)
    nvcc("hash", 2, 32, data, out, 20)
    mask = 0xFFFFFFFF
    for i in range(64):
        h = 2166136261
        for byte in data[i].tolist():
            h = (h ^ byte) * 16777619 & mask
        h ^= h.bit_count() << 3
        first = (h & -h).bit_length()
        h = (h + (32 - (h | 1).bit_length()) * 77 + first + int(f"{h:032b}"[::-1], 2)) & mask
        pair = [(i << 32 | h) >> 8 * n & 255 for n in range(8)]
        permuted = pair[5] | pair[1] << 8 | pair[7] << 16 | pair[3] << 24
        assert out[i] == ((h << (i % 32) | h >> (32 - i % 32)) & mask) ^ permuted


def test_compensated_dot_products() -> None:
    from fractions import Fraction

    a, b = rng().standard_normal((2, 32, 50)) * 1e8
    out = np.zeros(32)
    nvcc("dots", 1, 32, a, b, out, 50)
    for i in range(32):
        exact = sum((Fraction(x) * Fraction(y) for x, y in zip(a[i], b[i], strict=True)), Fraction(0))
        assert abs(out[i] - float(exact)) <= abs(float(exact)) * 2e-16


def test_elementary_functions() -> None:
    x, out = (rng().standard_normal(128) * 5).astype(np.float32), np.zeros((128, 6), np.float32)
    nvcc("elementary", 1, 128, x, out, 128)
    v = x.astype(np.float64)
    want = np.stack([np.sin(v), np.exp(v), np.log1p(abs(v)), np.sqrt(abs(v)), np.tanh(v), abs(v) ** 1.5], axis=1)
    assert (np.abs(out - want) <= 1e-6 * np.maximum(1, np.abs(want))).all()


def test_cooperative_groups() -> None:
    a, out = rng().integers(0, 1000, 256, dtype=np.int32), np.zeros(256, np.int32)
    nvcc("tiles", 2, 128, a, out)
    sums = np.repeat(a.reshape(-1, 8).sum(axis=1), 8)
    for thread in range(256):
        warp, lane = thread // 32 * 32, thread % 32
        want = int(sums[thread]) + int(sums[thread] & 1)
        if thread % 128 % 3 == 0:
            active = [i for i in range(32) if (warp + i) % 128 % 3 == 0]
            want += 1000 * len(active) + 100000 * active.index(lane)
        assert out[thread] == want


def test_last_block_sums() -> None:
    values = rng().integers(-1000, 1000, 5000, dtype=np.int32)
    partial, total = np.zeros(7, np.int64), np.zeros(1, np.int64)
    nvcc("last_block", 7, 64, values, partial, total, 5000)
    assert total[0] == values.sum()


def test_blur() -> None:
    h, w = 45, 37
    image = rng().integers(0, 256, (h, w), dtype=np.uint8)
    out = np.zeros_like(image)
    nvcc("blur", (3, 3), (16, 16), image, out, w, h, shared_bytes=18 * 18)
    padded = np.pad(image, 1, mode="edge").astype(np.int64)
    kernel = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]])
    want = sum(kernel[j, i] * padded[j : j + h, i : i + w] for j in range(3) for i in range(3)) // 16
    assert (out == want).all()


def test_wide_integers() -> None:
    a, b = rng().integers(0, 1 << 64, (2, 96), dtype=np.uint64)
    out = np.zeros((96, 2), np.uint64)
    nvcc("wide", 1, 96, a, b, out)
    mask = (1 << 64) - 1
    for x, y, (low, rest) in zip(a.tolist(), b.tolist(), out.tolist(), strict=True):
        signed = y - (1 << 64) if y >> 63 else y
        remainder = abs(signed) % 77 * (1 if signed >= 0 else -1)
        assert low == x * y & mask
        assert rest == ((x * y >> 64) + x // 1000003 + remainder) & mask


def test_collatz() -> None:
    out = np.zeros(700, np.int32)
    nvcc("collatz", 6, 128, out, 700)

    def steps(v: int) -> int:
        n = 0
        while v != 1:
            v, n = (3 * v + 1 if v & 1 else v >> 1), n + 1
        return n

    assert out.tolist() == [steps(i + 1) for i in range(700)]


@pytest.mark.parametrize("kind", [0, 1])
def test_switch(kind: int) -> None:
    a, out = rng().integers(-1000, 1000, 96, dtype=np.int32), np.zeros(96, np.int32)
    nvcc("swizzle", 1, 96, a, out, kind)
    cases = [a + 1, a * 3, a ^ 0x55, a >> 2, -a, a & 0xFF, a | 7]
    assert (out == np.choose(kind + np.arange(96) % 6, cases)).all()


def test_wmma_halves() -> None:
    m, n, k = 32, 64, 48
    a, b = rng(1).standard_normal((m, k)).astype(np.float16), rng(2).standard_normal((n, k)).astype(np.float16)
    c = np.zeros((m, n), np.float32)
    run(load("wmma"), "halves", (n // 32, m // 16), 64, [a, b, c, m, n, k])
    assert np.abs(c - 2 * a.astype(np.float64) @ b.T.astype(np.float64)).max() < 1e-4


def test_wmma_of_other_shapes_and_layouts() -> None:
    a, b = rng().integers(-8, 9, (32, 16)).astype(np.float16), rng().integers(-8, 9, (16, 8)).astype(np.float16)
    c, d = rng().integers(-8, 9, (32, 8)).astype(np.float16), np.zeros((32, 8), np.float16)
    run(load("wmma"), "through_shared", 1, 32, [a.T.copy(), b, c.T.copy(), d])
    assert (d == a.astype(np.float64) @ b + c).all()
    x, y = rng().integers(-128, 128, (8, 16), dtype=np.int8), rng().integers(-128, 128, (32, 16), dtype=np.int8)
    total = np.zeros((8, 32), np.int32)
    run(load("wmma"), "bytes", 1, 32, [x, y, total])
    assert (total == x.astype(np.int32) @ y.T.astype(np.int32) + 7).all()
    p, q, r = rng().standard_normal((8, 4)), rng().standard_normal((4, 8)), rng().standard_normal((8, 8))
    want = p @ q + r
    run(load("wmma"), "doubles", 1, 32, [p, q, r])
    assert np.abs(r - want).max() < 1e-14


# -- CUB ------------------------------------------------------------------------------------------------------


def test_cub_reduce() -> None:
    a, out = rng().random((4, 256), np.float32), np.zeros(4, np.float32)
    run(load("cub"), "block_sum", 4, 256, [a, out])
    assert np.abs(out - a.sum(axis=1, dtype=np.float64)).max() < 1e-4


def test_cub_scan() -> None:
    a = rng().integers(-100, 100, (3, 512), dtype=np.int32)
    out = np.zeros_like(a)
    run(load("cub"), "block_scan", 3, 128, [a, out])
    assert (out == a.cumsum(axis=1) - a).all()


def test_cub_radix_sort() -> None:
    keys = rng().integers(0, 1 << 32, (2, 512), dtype=np.uint32)
    values = np.tile(np.arange(512, dtype=np.int32), (2, 1))
    order = np.argsort(keys, axis=1, kind="stable")
    want = np.sort(keys, axis=1)
    run(load("cub"), "block_sort", 2, 128, [keys, values])
    assert (keys == want).all()
    assert (values == order).all()


# -- Triton ---------------------------------------------------------------------------------------------------


def triton(name: str, grid: Any, *arguments: Any, async_: Async = "eager", target: int = 80) -> None:
    """Launch a Triton kernel; its two last parameters are scratch buffers that these kernels do not use."""
    module = load(f"triton_{name}", target)
    assert module.source is not None
    shared = int(module.source.split()[2])
    scratch = [np.zeros(1, np.uint8)] * (len(module.kernels[0].parameters) - len(arguments))
    run(module, module.kernels[0].name, grid, 128, [*arguments, *scratch], shared_bytes=shared, async_=async_)


def test_triton_softmax() -> None:
    x = rng().standard_normal((9, 900)).astype(np.float32) * 3
    y = np.zeros_like(x)
    triton("softmax", 9, x, y, 900)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    assert np.abs(y - e / e.sum(axis=1, keepdims=True)).max() < 1e-6


def test_triton_layernorm() -> None:
    x, w, b = rng().standard_normal((9, 500)).astype(np.float16), *rng(1).random((2, 500), np.float32)
    y = np.zeros_like(x)
    triton("layernorm", 9, x, w, b, y, 500, 1e-5)
    v = x.astype(np.float64)
    want = (v - v.mean(axis=1, keepdims=True)) / np.sqrt(v.var(axis=1, keepdims=True) + 1e-5) * w + b
    assert np.abs(y - want).max() < 4e-3


TARGETS = pytest.mark.parametrize("target", [80, 90])
"""sm_80: mma and ldmatrix; sm_90: wgmma on swizzled shared memory."""


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
@pytest.mark.parametrize("kind", ["f16", "bf16", "tf32", "s8"])
@TARGETS
def test_triton_matmul(kind: str, policy: Async, target: int) -> None:
    m, n, k = 64, 128, 160
    dtype = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "tf32": np.float32, "s8": np.int8}[kind]
    scale = 40 if kind == "s8" else 1
    a, b = ((rng(i).standard_normal(shape) * scale).astype(dtype) for i, shape in enumerate(((m, k), (k, n))))
    c = np.zeros((m, n), np.int32 if kind == "s8" else np.float32)
    triton(f"matmul_{kind}", (m // 64, n // 64), a, b, c, m, n, k, async_=policy, target=target)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    bound = {"f16": 1e-4, "bf16": 1e-4, "tf32": 0.05, "s8": 0}[kind]
    assert np.abs(c - exact).max() <= bound


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
@TARGETS
def test_triton_flash_attention(policy: Async, target: int) -> None:
    q, k, v = rng().standard_normal((3, 128, 64)).astype(np.float16)
    o = np.zeros_like(q)
    triton("attention", 2, q, k, v, o, 128, float(1.4426950408889634 / 8), async_=policy, target=target)
    s = q.astype(np.float64) @ k.T.astype(np.float64) / 8
    p = np.exp(s - s.max(axis=1, keepdims=True))
    assert np.abs(o - p / p.sum(axis=1, keepdims=True) @ v.astype(np.float64)).max() < 2e-3


def integers(shape: Any, low: int = -1000, high: int = 1000) -> Array:
    return rng().integers(low, high, shape, dtype=np.int32)


def test_triton_cumulative_sum() -> None:
    x = integers((5, 500))
    y = np.zeros_like(x)
    triton("cumulative", 5, x, y, 500)
    assert (y == x.cumsum(axis=1)).all()


def test_triton_sort() -> None:
    x = integers((3, 256))
    y = np.zeros_like(x)
    triton("sort", 3, x, y)
    assert (y == np.sort(x, axis=1)).all()


def test_triton_argmax() -> None:
    x, y = rng().standard_normal((6, 1000)).astype(np.float32), np.zeros(6, np.int32)
    triton("argmax", 6, x, y, 1000)
    assert (y == x.argmax(axis=1)).all()


def test_triton_histogram() -> None:
    x, y = integers(1000, 0, 50), np.zeros(50, np.int32)
    triton("histogram", 4, x, y, 1000)
    assert (y == np.bincount(x, minlength=50)).all()
