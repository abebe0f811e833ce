"""Triton's first programs as users write them, compiled by Triton and run at two targets, against NumPy."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import weft.triton
from tests.tritons import tutorials
from weft.triton import asarray


def normal(*shape: int, dtype: object = np.float32, seed: int = 0) -> weft.triton.Array:
    return asarray(np.random.default_rng(seed).standard_normal(shape).astype(dtype))  # type: ignore[call-overload]


def test_vector_add(target: str) -> None:
    x, y = normal(1001), normal(1001, seed=1)
    assert (tutorials.add(x, y) == x + y).all()


@pytest.mark.sample(1)
def test_softmax(target: str) -> None:
    x = normal(7, 130)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    assert np.abs(tutorials.softmax(x) - e / e.sum(axis=1, keepdims=True)).max() < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("activation", ["", "leaky_relu"])
def test_matmul(target: str, activation: str) -> None:
    a, b = normal(100, 96, dtype=np.float16), normal(96, 70, dtype=np.float16, seed=1)
    c = a.astype(np.float64) @ b.astype(np.float64)
    want = np.where(c >= 0, c, 0.01 * c) if activation else c
    assert np.abs(tutorials.matmul(a, b, activation) - want).max() < 0.03
    assert tutorials.matmul_kernel.best_config is not None


@pytest.mark.slow
def test_dropout(target: str) -> None:
    x, first, second = normal(1000), weft.triton.empty(1000), weft.triton.empty(1000)
    for out in (first, second):
        tutorials.seeded_dropout[(4,)](x, out, 1000, 0.5, 123, BLOCK_SIZE=256)
    assert (first == second).all() and 0.4 < (first == 0).mean() < 0.6
    assert np.allclose(first[first != 0], 2 * x[first != 0])


@pytest.mark.slow
def test_layer_norm(target: str) -> None:
    x, w, b, dy = normal(12, 200), normal(200, seed=1), normal(200, seed=2), normal(12, 200, seed=3)
    y, dx, dw, db = tutorials.layer_norm(x, w, b, dy)
    mean, rstd = x.mean(1, keepdims=True), 1 / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    hat = (x - mean) * rstd
    wdy = w * dy
    assert np.abs(y - (hat * w + b)).max() < 1e-5
    assert (
        np.abs(dx - (wdy - hat * (hat * wdy).mean(1, keepdims=True) - wdy.mean(1, keepdims=True)) * rstd).max() < 1e-5
    )
    assert np.abs(dw - (dy * hat).sum(0)).max() < 1e-4 and np.abs(db - dy.sum(0)).max() < 1e-4


@pytest.mark.slow
def test_attention_whose_first_loop_does_not_turn() -> None:
    """On sm_100a the accumulator of the first block is loaded from tensor memory that nothing has written."""
    with weft.triton.activate(target="sm_100a"):
        test_attention("sm_100a", causal=True)


@pytest.mark.slow
@pytest.mark.parametrize("causal", [False, True])
def test_attention(target: str, causal: bool) -> None:
    q, k, v = (normal(2, 128, 64, dtype=np.float16, seed=seed) for seed in range(3))
    s = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) / 8
    s = np.where(np.tri(128, dtype=bool), s, -np.inf) if causal else s
    p = np.exp(s - s.max(2, keepdims=True))
    want = p / p.sum(2, keepdims=True) @ v.astype(np.float64)
    assert np.abs(tutorials.attention(q, k, v, causal) - want).max() < 0.01


@pytest.mark.sample(1)
def test_extern_function(target: str) -> None:
    x, y = asarray(np.linspace(-1, 1, 300, dtype=np.float32)), weft.triton.empty(300)
    tutorials.asin_kernel[(2,)](x, y, 300, BLOCK_SIZE=256)
    assert np.abs(y - np.arcsin(x)).max() < 1e-6
    paths = {"libdevice": str(Path(tutorials.triton.__file__).parent / "backends/nvidia/lib/libdevice.10.bc")}
    tutorials.asin_kernel[(2,)](x, y, 300, BLOCK_SIZE=256, extern_libs=paths)
    assert np.abs(y - np.arcsin(x)).max() < 1e-6


@pytest.mark.slow
def test_grouped_matmul(target: str) -> None:
    sizes = [(128, 64, 64), (64, 128, 96), (64, 64, 32)]
    group_a = [normal(m, k, dtype=np.float16, seed=m + k) for m, _, k in sizes]
    group_b = [normal(k, n, dtype=np.float16, seed=n) for _, n, k in sizes]
    for a, b, c in zip(group_a, group_b, tutorials.grouped_matmul(group_a, group_b), strict=True):
        assert np.abs(c - a.astype(np.float64) @ b.astype(np.float64)).max() < 0.03


@pytest.mark.sample(1)
@pytest.mark.parametrize("specialize", [False, True])
def test_persistent_matmul(hopper: None, specialize: bool) -> None:
    a, b = normal(150, 192, dtype=np.float16), normal(130, 192, dtype=np.float16, seed=1)
    c = tutorials.persistent_matmul(a, b[:128], specialize)
    assert np.abs(c - a.astype(np.float64) @ b[:128].astype(np.float64).T).max() < 0.05


@pytest.mark.slow
def test_descriptors_of_the_device(target: str) -> None:
    a, b = normal(150, 192, dtype=np.float16), normal(128, 192, dtype=np.float16, seed=1)
    c = tutorials.device_descriptor_matmul(a, b)
    assert np.abs(c - a.astype(np.float64) @ b.astype(np.float64).T).max() < 0.05


@pytest.mark.slow
def test_block_scaled_matmul() -> None:
    a, b = (normal(*shape, dtype=ml_dtypes.float8_e4m3fn, seed=shape[0]) for shape in ((128, 256), (256, 128)))
    scales = np.random.default_rng(2).integers(124, 131, (2, 128, 8)).astype(np.uint8)
    with weft.triton.activate("sm_100a"):
        c = tutorials.block_scaled_matmul(a, asarray(scales[0]), b, asarray(scales[1]))
    factors = 2.0 ** (scales.astype(np.float64) - 127)
    wide_a = a.astype(np.float64) * factors[0].repeat(32, axis=1)
    wide_b = b.astype(np.float64) * factors[1].repeat(32, axis=1).T
    assert np.abs(c - wide_a @ wide_b).max() < 1e-2
