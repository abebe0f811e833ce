"""Tiles with other extents, several dimensions combined at once, and a convolution that is made of both."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest

import weft
from tests.tile.program import check, refused
from weft.tile import (
    Global,
    S,
    Tensor,
    cdiv,
    cta,
    ds,
    f16,
    f32,
    kernel,
    laneid,
    loop,
    max,
    persistent,
    pipeline,
    raster,
    register,
    role,
    shared,
    sum,
    swz,
    tile,
    warp,
    warpgroup,
    wgmma_layout,
)

SHAPE = (2, 8, 16)


@pytest.mark.sample(2)
@pytest.mark.parametrize("axis", [None, 0, (0, 2), (1, -1), (2, 0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_dimensions_combined_at_once(axis: Any, *, keepdims: bool) -> None:
    wanted = np.sum(np.arange(256).reshape(SHAPE), axis=axis, keepdims=keepdims)

    @weft.kernel(threads=32, grid=1)
    def combined(
        x: Annotated[Tensor, Global(f32, SHAPE)],
        y: Annotated[Tensor, Global(f32, wanted.shape or 1)],
        top: Annotated[Tensor, Global(f32, 1)],
    ):
        held = register(SHAPE, f32, S[(2, 8, 4, 4) : (4, 4 @ laneid, 1 @ laneid, 1)])
        warp.copy(held, x)
        found = sum(held, axis, keepdims=keepdims)
        if wanted.shape:
            warp.copy(y, found)
        else:
            y[0] = found
        top[0] = max(held, None)

    x, y = np.arange(256, dtype=np.float32).reshape(SHAPE), np.zeros(wanted.shape or 1, np.float32)
    check(combined, [x, y, np.zeros(1, np.float32)], {1: wanted.reshape(y.shape), 2: [255]})


def test_other_extents_of_the_same_tile() -> None:
    """Through shared memory, swizzled or not, by regions, and in registers."""

    @weft.kernel(threads=32, grid=1)
    def turned(x: Annotated[Tensor, Global(f16, (8, 4, 16))], y: Annotated[Tensor, Global(f16, (2, 16, 16))]):
        held = shared((8, 4, 16), f16, swz(3, 1, 3) @ S[8, 4, 16])
        warp.copy(held, x)
        warp.sync()
        parts = register((4, 4, 16), f16, S[(16, 2, 8) : (2 @ laneid, 1 @ laneid, 1)])
        for part in range(2):
            warp.copy(parts, held[ds(part * 4, 4), :, :])
            warp.copy(y[part, :, :], parts.reshape(16, 16))
        warp.sync()
        for part in loop(2):
            rows = held.reshape(2, 16, 16)[part, :, :]
            warp.copy(parts.reshape(16, 16), held[ds(part * 4, 4), :, :].reshape(16, 16))
            warp.copy(rows, (parts.reshape(16, 16) + 1))
        warp.sync()
        for part in loop(2):
            warp.copy(parts.reshape(16, 16), held.reshape(2, 16, 16)[part, :, :])
            warp.copy(y[part, :, :], parts.reshape(16, 16))

    x = np.arange(512, dtype=np.float16).reshape(8, 4, 16)
    check(turned, [x, np.zeros((2, 16, 16), np.float16)], {1: x.reshape(2, 16, 16) + 1})


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("shared((4, 8), f16).reshape(4, 4)  #", "not have as many elements"),
        ("A[ds(0, 4), ds(0, 64)].reshape(256)  #", "a region of a tensor cannot be reshaped"),
        ("A[ds(0, 4), ds(0, 64)].transpose()  #", "only a tile in shared memory"),
        ("sum(zeros((4, 8), f16), (0, 2))  #", "dimension 2 is out of range"),
    ],
)
def test_refused(body: str, said: str) -> None:
    head = "import weft\nfrom weft.tile import *\n\n@weft.kernel(threads=32, grid=1)\ndef kernel(A: Global(f16, ('M', 64))):\n"
    refused(head, body, said, "sm_80")


@kernel(grid=persistent)
def convolution(
    X: Annotated[Tensor, Global(f16, ("N", "H", "W", "C"))],
    F: Annotated[Tensor, Global(f16, ("R", "S", "K", "C"))],
    Y: Annotated[Tensor, Global(f16, ("N", "H", "W", "K"))],
    *,
    pad: int = 1,
) -> None:
    """Tiles of 4 x 16 pixels as rows of a product, a shifted box of the image for each tap."""
    (N, H, W, C), (R, T, K, _) = X.shape, F.shape
    ring = pipeline(3, x=tile(f16, 4, 16, 64), f=tile(f16, 64, 64))
    out = pipeline(1, y=tile(f16, 4, 16, 64), kind="store")
    down, across = cdiv(H, 4), cdiv(W, 16)
    work = raster(N * down * across, cdiv(K, 64))
    with role(warps=1, registers=40):
        for p, o in work:
            n, h, w = p // (down * across), p // across % down * 4, p % across * 16
            for r in loop(R):
                for s in loop(T):
                    for c in loop(cdiv(C, 64)):
                        with ring.fill() as slot:
                            cta.copy_async(slot.x, X[n, ds(h + r - pad, 4), ds(w + s - pad, 16), ds(c * 64, 64)])
                            cta.copy_async(slot.f, F[r, s, ds(o * 64, 64), ds(c * 64, 64)])
    with role(warpgroups=1, registers=232):
        total = register((64, 64), f32, wgmma_layout("d", (64, 64)))
        for p, o in work:
            n, h, w = p // (down * across), p // across % down * 4, p % across * 16
            for k in loop(R * T * cdiv(C, 64)):
                with ring.take(behind=1) as slot:
                    warpgroup.gemm_async(total, slot.x.reshape(64, 64), slot.f.transpose(), add=k > 0)
            warpgroup.wait(0)
            with out.fill() as slot:
                warpgroup.copy(slot.y.reshape(64, 64), total.to(f16))
                cta.copy_async(Y[n, ds(h, 4), ds(w, 16), ds(o * 64, 64)], slot.y)


def test_a_convolution_whose_boxes_begin_before_the_image() -> None:
    random: Any = np.random.default_rng(2)
    n, h, w, c, o = 2, 5, 19, 72, 40
    x = random.integers(-3, 4, (n, h, w, c)).astype(np.float16)
    f = random.integers(-3, 4, (3, 3, o, c)).astype(np.float16)
    y = np.zeros((n, h, w, o), np.float16)
    convolution.run(x, f, y, check="strict", async_="lazy")
    around = np.pad(x.astype(np.float32), ((0, 0), (1, 1), (1, 1), (0, 0)))
    taps = [around[:, r : r + h, s : s + w] @ f[r, s].astype(np.float32).T for r in range(3) for s in range(3)]
    np.testing.assert_array_equal(y, np.sum(taps, axis=0))
