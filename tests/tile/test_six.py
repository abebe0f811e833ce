"""Floats of 6 bits: conversions beside `ml_dtypes`, and products without scales."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.tile.program import refused
from weft.tile import Global, block_id, e2m3, e3m2, e4m3, e5m2, f16, f32, i32, lane_id, register, shared, warp, zeros
from weft.tile.layouts import mma_layout, row_layout


def converting(kind: Any, wide: Any) -> Any:
    """Tiles, or numbers, there and back."""

    @weft.kernel(threads=32, grid=lambda R: R)
    def there(X: Global(wide, ("R", 128)), Q: Global(kind, ("R", 128)), Y: Global(wide, ("R", 128)), numbers: i32):
        row, layout = block_id(), row_layout((1, 128), 4)
        if numbers:
            for at in range(0, 128, 32):
                Q[row, at + lane_id()] = X[row, at + lane_id()].to(kind)
                Y[row, at + lane_id()] = Q[row, at + lane_id()].to(wide)
            warp.sync()
            if lane_id() == 0:
                Q[row, 127] = 1.5
        else:
            x, q = register((1, 128), wide, layout), register((1, 128), kind, layout)
            warp.copy(x, X[row, :])
            warp.copy(Q[row, :], x.to(kind))
            warp.sync()
            warp.copy(q, Q[row, :])
            warp.copy(Y[row, :], q.to(wide))

    return there


@pytest.mark.sample(1)
@pytest.mark.parametrize("numbers", [0, 1])
@pytest.mark.parametrize("wide", [f32, f16])
@pytest.mark.parametrize("kind", [e2m3, e3m2])
def test_conversions(kind: Any, wide: Any, numbers: int) -> None:
    """Every float of 6 bits, what lies between them, and what is too large for them."""
    random = np.random.default_rng(numbers)
    top = float(ml_dtypes.finfo(kind.numpy).max)
    every = np.arange(64, dtype=np.uint8).view(kind.numpy).astype(np.float64)
    halves = np.sort(every)[:-1] + np.diff(np.sort(every)) / 2
    x = np.concatenate([every, halves, random.standard_normal(257) * top / 2, np.linspace(-1.5, 1.5, 128) * top])
    x = x.astype(wide.numpy).reshape(-1, 128)
    found, back = np.zeros(x.shape, kind.numpy), np.zeros_like(x)
    converting(kind, wide).run(x, found, back, numbers, target="sm_80", check="strict", async_="lazy")
    wanted = np.clip(x.astype(np.float32), -top, top).astype(kind.numpy)
    np.testing.assert_array_equal(back, wanted.astype(wide.numpy))
    if numbers:
        wanted[:, 127] = 1.5
    alike = (found.view(np.uint8) == wanted.view(np.uint8)) | (x == 0)  # but for the sign of a zero
    assert alike.all()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("left", "right"), [(e2m3, e2m3), (e3m2, e2m3), (e4m3, e3m2), (e2m3, e5m2)])
def test_products(left: Any, right: Any) -> None:
    m, n, depth = 32, 24, 64

    @weft.kernel(threads=32, grid=1)
    def product(A: Global(left, (m, depth)), B: Global(right, (n, depth)), C: Global(f32, (m, n))):
        a = register((m, depth), left, mma_layout("a", (m, depth), left))
        b = register((depth, n), right, mma_layout("b", (depth, n), right))
        held, total = shared((n, depth), right), zeros((m, n), f32, mma_layout("d", (m, n), left))
        warp.copy(a, A)
        warp.copy(held, B)
        warp.sync()
        warp.copy(b, held.transpose())
        warp.gemm(total, a, b)
        warp.copy(C, total)

    random = np.random.default_rng(0)
    a, b = (random.integers(-4, 5, s).astype(t.numpy) for s, t in (((m, depth), left), ((n, depth), right)))
    c = np.zeros((m, n), np.float32)
    product.run(a, b, c, target="sm_120a", check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32).T)
    assert weft.compile(product.mlir(), "sm_120a").to_ptx() == product.ptx("sm_120a")
    with pytest.raises(weft.CompileError, match="sm_120"):
        product.ptx("sm_100a")


HEAD = """import weft
from weft.tile import *
from weft.tile.layouts import mma_layout

@weft.kernel(threads=128, grid=1)
def kernel(x: Global(f32, 8)):
    a = register((16, 32), e2m3, mma_layout("a", (16, 32), e2m3))
    b = shared((32, 64), e2m3)
    c = register((32, 8), e2m1x2, mma_layout("b", (32, 8), e2m1x2))
    d = zeros((16, 8), f32, mma_layout("d", (16, 8), e2m3))
"""
REFUSED = {
    "a + a  #": "only moves",
    "warp.gemm(d, a, c)  #": "e2m1x2 cannot be multiplied here",
    "warpgroup.gemm_async(None, a, b)  #": "e2m3 cannot be multiplied here",
}


@pytest.mark.parametrize("body", REFUSED)
def test_refused(body: str) -> None:
    refused(HEAD, body, REFUSED[body], "sm_120a")
