"""The shipped kernels on rows: odd sizes, the strictest mode, against NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from weft.tile.kernels import (
    cross_entropy,
    cumulative_sum,
    layer_norm,
    layer_norm_backward,
    rms_norm,
    rms_norm_backward,
    softmax,
    top_k,
)

SHAPES = [(3, 37), (5, 600)]
MORE = [(1, 1), (7, 511), (2, 513), (9, 2050), (4, 512), (13, 3)]
STRICT: dict[str, Any] = {"check": "strict", "async_": "lazy"}

each_shape = pytest.mark.parametrize(
    ("m", "n"), [*SHAPES, *(pytest.param(*shape, marks=pytest.mark.slow) for shape in MORE)]
)


def drawn(*shape: int, kind: Any = np.float32, seed: int = 0) -> Any:
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(kind)


def numeric(f: Any, x: Any, d: Any, h: float = 1e-4) -> Any:
    """The gradient of sum(f(x) * d) by differences, in f64."""
    found = np.zeros(x.shape)
    for at in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[at] = h
        found[at] = ((f(x + step) - f(x - step)) * d).sum() / (2 * h)
    return found


def rms(x: Any, w: Any) -> Any:
    return x / np.sqrt((x**2).mean(1, keepdims=True) + 1e-5) * w


def layer(x: Any, w: Any, b: Any) -> Any:
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * w + b


@pytest.mark.slow
@each_shape
def test_norms(m: int, n: int) -> None:
    """Rows that are far from zero, too."""
    x, w, b = drawn(m, n) + 100, drawn(n, seed=1), drawn(n, seed=2)
    y, r, mean = np.full_like(x, np.nan), np.zeros(m, np.float32), np.zeros(m, np.float32)
    wide = x.astype(np.float64)
    rms_norm.run(x, w, y, r, 1e-5, **STRICT)
    np.testing.assert_allclose(y, rms(wide, w), rtol=1e-5, atol=1e-6)
    layer_norm.run(x, w, b, y, mean, r, 1e-5, **STRICT)
    np.testing.assert_allclose(y, layer(wide, w, b), rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(mean, wide.mean(1), rtol=1e-6)


@pytest.mark.slow
def test_gradients_of_norms() -> None:
    """Against differences of the functions themselves."""
    m, n = 3, 21
    x, w, b, d = drawn(m, n) + 1, drawn(n, seed=1), drawn(n, seed=2), drawn(m, n, seed=3)
    y, dx = np.zeros_like(x), np.full_like(x, np.nan)
    r, mean, dw, db = np.zeros(m, np.float32), np.zeros(m, np.float32), np.zeros(n, np.float32), np.zeros(n, np.float32)
    rms_norm.run(x, w, y, r, 1e-5, **STRICT)
    rms_norm_backward.run(x, w, r, d, dx, dw, **STRICT)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(dx, numeric(lambda v: rms(v, w), wide, d), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(dw, numeric(lambda v: rms(wide, v), w.astype(np.float64), d), rtol=1e-3, atol=1e-4)
    dw[:] = 0
    layer_norm.run(x, w, b, y, mean, r, 1e-5, **STRICT)
    layer_norm_backward.run(x, w, mean, r, d, dx, dw, db, **STRICT)
    np.testing.assert_allclose(dx, numeric(lambda v: layer(v, w, b), wide, d), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(dw, numeric(lambda v: layer(wide, v, b), w.astype(np.float64), d), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(db, d.sum(0), rtol=1e-4, atol=1e-5)


@pytest.mark.slow
@each_shape
def test_gradients_of_norms_of_long_rows(m: int, n: int) -> None:
    x, w, d = drawn(m, n), drawn(n, seed=1), drawn(m, n, seed=3)
    y, dx, r, mean = np.zeros_like(x), np.full_like(x, np.nan), np.zeros(m, np.float32), np.zeros(m, np.float32)
    dw, db = np.zeros(n, np.float32), np.zeros(n, np.float32)
    layer_norm.run(x, w, w, y, mean, r, 1e-5)
    layer_norm_backward.run(x, w, mean, r, d, dx, dw, db, **STRICT)
    wide = x.astype(np.float64)
    h = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    g = d * w
    scale = 1 / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    expected = scale * (g - g.mean(1, keepdims=True) - h * (g * h).mean(1, keepdims=True))
    np.testing.assert_allclose(dx, expected, rtol=1e-3, atol=1e-3 * scale.max())
    np.testing.assert_allclose(dw, (d * h).sum(0), rtol=1e-3, atol=1e-4)


@pytest.mark.slow
@each_shape
def test_cross_entropy(m: int, n: int) -> None:
    """Rows without a label are left out."""
    x = drawn(m, n) * 5
    labels = np.random.default_rng(m).integers(0, n, m).astype(np.int32)
    labels[m // 2] = -100
    loss, dx = np.full(m, np.nan, np.float32), np.full_like(x, np.nan)
    cross_entropy.run(x, labels, loss, dx, **STRICT)
    share = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    share /= share.sum(1, keepdims=True)
    counted = labels >= 0
    chosen = share[np.arange(m), labels % n]
    np.testing.assert_allclose(loss, np.where(counted, -np.log(chosen), 0), rtol=1e-4, atol=1e-5)
    expected = (share - (np.arange(n) == labels[:, None])) * counted[:, None]
    np.testing.assert_allclose(dx, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.slow
@each_shape
def test_running_sums(m: int, n: int) -> None:
    x = np.random.default_rng(n).integers(-9, 10, (m, n)).astype(np.float32)
    y = np.full_like(x, np.nan)
    cumulative_sum.run(x, y, **STRICT)
    np.testing.assert_array_equal(y, np.cumsum(x, 1))


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "k", "most"), [(3, 37, 20, 32), (2, 300, 5, 16), (2, 3, 7, 16), (1, 64, 64, 64)])
def test_largest(m: int, n: int, k: int, most: int) -> None:
    """Rows of fewer elements than are asked for, too."""
    x = drawn(m, n)
    values, places = np.zeros((m, k), np.float32), np.zeros((m, k), np.int32)
    top_k.run(x, values, places, options={"most": most}, **STRICT)
    there = min(k, n)
    np.testing.assert_array_equal(values[:, :there], -np.sort(-x, 1)[:, :k])
    np.testing.assert_array_equal(np.take_along_axis(x, places[:, :there], 1), values[:, :there])
    assert (values[:, there:] == -np.inf).all() and (places[:, there:] == -1).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
def test_rows_of_16_bits(kind: Any) -> None:
    """Computed in f32 and rounded once; weights are of that type or in f32."""
    m, n = 3, 611
    x, w, b = (drawn(*shape, seed=s).astype(kind) for s, shape in enumerate([(m, n), (n,), (n,)]))
    y, r, mean = np.full_like(x, np.nan), np.zeros(m, np.float32), np.zeros(m, np.float32)
    xs, ws, bs = (v.astype(np.float64) for v in (x, w, b))
    unit = float(ml_dtypes.finfo(kind).eps)

    def held(wanted: Any) -> None:
        np.testing.assert_allclose(y.astype(np.float64), wanted, rtol=unit, atol=unit / 4)

    rms_norm.run(x, w, y, r, 1e-5, **STRICT)
    held(rms(xs, ws))
    layer_norm.run(x, w.astype(np.float32), b.astype(np.float32), y, mean, r, 1e-5, **STRICT)
    held(layer(xs, ws, bs))
    softmax.run(x, y, **STRICT)
    e = np.exp(xs - xs.max(1, keepdims=True))
    held(e / e.sum(1, keepdims=True))
    cumulative_sum.run(x, y, **STRICT)
    held(np.cumsum(xs, 1))
    loss, labels = np.zeros(m, np.float32), np.array([0, n - 1, -100], np.int32)
    cross_entropy.run(x, labels, loss, y, **STRICT)
    held((e / e.sum(1, keepdims=True) - (np.arange(n) == labels[:, None])) * (labels >= 0)[:, None])


# -- rows in pieces of 128 elements, two rows a block: the second piece and the second block are not full ----------

SMALL: dict[str, Any] = {"options": {"width": 128, "warps": 2}, **STRICT}
M, N = 3, 150


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=3e-5, atol=3e-6)


def test_norms_of_short_pieces_and_their_gradients() -> None:
    """By the formulas of the gradients, in f64; statistics are kept for them; what is added to is added to once."""
    x, w, b, d = drawn(M, N) + 2, drawn(N, seed=1), drawn(N, seed=2), drawn(M, N, seed=3)
    y, dx = np.full_like(x, np.nan), np.full_like(x, np.nan)
    r, mean, dw, db = (np.zeros(each, np.float32) for each in (M, M, N, N))
    wide, g = x.astype(np.float64), (d * w).astype(np.float64)
    rms_norm.run(x, w, y, r, 0.25, **SMALL)
    scale = 1 / np.sqrt((wide**2).mean(1, keepdims=True) + 0.25)
    close(r, scale[:, 0])
    close(y, wide * scale * w)
    rms_norm_backward.run(x, w, r, d, dx, dw, **SMALL)
    close(dx, scale * (g - wide * scale**2 * (g * wide).mean(1, keepdims=True)))
    close(dw, (d * wide * scale).sum(0))
    dw[:] = 1
    layer_norm.run(x, w, b, y, mean, r, 0.25, **SMALL)
    scale, h = 1 / np.sqrt(wide.var(1, keepdims=True) + 0.25), wide - wide.mean(1, keepdims=True)
    close(mean, wide.mean(1))
    close(r, scale[:, 0])
    close(y, h * scale * w + b)
    layer_norm_backward.run(x, w, mean, r, d, dx, dw, db, **SMALL)
    h *= scale
    close(dx, scale * (g - g.mean(1, keepdims=True) - h * (g * h).mean(1, keepdims=True)))
    close(dw, 1 + (d * h).sum(0))
    close(db, d.sum(0))


@pytest.mark.parametrize("kernel", [softmax, cross_entropy], ids=["softmax", "cross_entropy"])
def test_shares_of_short_pieces(kernel: Any) -> None:
    """The first column and the last one are labels, those before and behind them are none."""
    x = drawn(5, N) * 5
    share = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    share /= share.sum(1, keepdims=True)
    y = np.full_like(x, np.nan)
    if kernel is softmax:
        softmax.run(x, y, **SMALL)
        close(y, share)
        return
    labels, loss = np.array([0, N - 1, -1, N, 140], np.int32), np.full(5, np.nan, np.float32)
    cross_entropy.run(x, labels, loss, y, **SMALL)
    counted = (labels >= 0) & (labels < N)
    close(loss, np.where(counted, -np.log(share[np.arange(5), labels % N]), 0))
    close(y, (share - (np.arange(N) == labels[:, None])) * counted[:, None])


def test_running_sums_and_largest_of_short_pieces() -> None:
    """Equal elements are taken in any order; places are their own."""
    x = np.random.default_rng(4).permutation(M * N).reshape(M, N).astype(np.float32) - 100
    y = np.full_like(x, np.nan)
    cumulative_sum.run(x, y, **SMALL)
    np.testing.assert_array_equal(y, np.cumsum(x, 1))
    values, places = np.zeros((M, 16), np.float32), np.zeros((M, 16), np.int32)
    top_k.run(x, values, places, options={"most": 16, "warps": 2}, **STRICT)
    np.testing.assert_array_equal(values, -np.sort(-x, 1)[:, :16])
    np.testing.assert_array_equal(places, np.argsort(-x, 1)[:, :16])
    few = np.zeros((M, 9), np.float32), np.zeros((M, 9), np.int32)
    x = x[:, :5].copy()
    top_k.run(x, *few, options={"most": 16, "warps": 2}, **STRICT)
    np.testing.assert_array_equal(few[0][:, :5], -np.sort(-x, 1))
    assert (few[0][:, 5:] == -np.inf).all() and (few[1][:, 5:] == -1).all()
