"""Sparse left operands, by `mma.sp` and `wgmma.sp`: every type, pruned at random, against NumPy."""

from __future__ import annotations

from typing import Annotated, Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.tile.program import refused
from weft.errors import WeftError
from weft.tile import (
    DType,
    Global,
    Tensor,
    cdiv,
    compressed,
    cta,
    ds,
    f16,
    f32,
    kernel,
    loop,
    metadata_layout,
    persistent,
    pipeline,
    raster,
    register,
    role,
    shared,
    tile,
    u32,
    warp,
    warpgroup,
    wgmma_layout,
    zeros,
)
from weft.tile.layouts import mma_layout
from weft.toolchain import find

KINDS = {
    "f16": (np.float16, np.float32),
    "bf16": (ml_dtypes.bfloat16, np.float32),
    "tf32": (np.float32, np.float32),
    "int8": (np.int8, np.int32),
    "e4m3": (ml_dtypes.float8_e4m3fn, np.float32),
    "e5m2": (ml_dtypes.float8_e5m2, np.float32),
}


def pruned(random: Any, shape: tuple[int, int], kind: Any) -> Any:
    """Whole numbers, at most half of each chunk of a row other than zero."""
    chunk = 2 if np.dtype(kind).itemsize == 4 else 4
    kept = np.argsort(random.random((shape[0], shape[1] // chunk, chunk)), -1) < chunk // 2
    return (random.integers(-4, 5, shape) * kept.reshape(shape)).astype(kind)


@kernel(threads=32, grid=1)
def product(
    A: Annotated[Tensor, Global("kind", (32, "H"))],
    E: Annotated[Tensor, Global(u32, (16, "W"))],
    B: Annotated[Tensor, Global("kind", (16, "K"))],
    C: Annotated[Tensor, Global("sums", (32, 16))],
    *,
    kind: DType = f16,
    sums: DType = f32,
    k: int = 64,
) -> None:
    words = k // (8 if kind.bits == 32 else 16)
    a = register((32, k // 2), kind, mma_layout("a", (32, k // 2), kind))
    b = register((k, 16), kind, mma_layout("b", (k, 16), kind))
    e = register((16, words), u32, metadata_layout((16, words)))
    c = zeros((32, 16), sums, mma_layout("d", (32, 16), kind))
    turned = shared((16, k), kind)
    warp.copy(turned, B[:, ds(0, k)])
    warp.sync()
    warp.copy(a, A[:, ds(0, k // 2)])
    warp.copy(b, turned.transpose())
    warp.copy(e, E[:, ds(0, words)])
    warp.gemm(c, a, b, metadata=e)
    warp.copy(C, c)


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", KINDS)
def test_products_of_a_warp(kind: str) -> None:
    random: Any = np.random.default_rng(sum(kind.encode()))
    element, sums = KINDS[kind]
    a, b = pruned(random, (32, 128), element), random.integers(-4, 5, (16, 128)).astype(element)
    c = np.zeros((32, 16), sums)
    product.run(*compressed(a), b, c, options={"k": 128}, target="sm_90a", check="strict")
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32).T)


@kernel(grid=persistent)
def gemm(
    A: Annotated[Tensor, Global("kind", ("M", "H"))],
    E: Annotated[Tensor, Global(u32, ("R", "W"))],
    B: Annotated[Tensor, Global("kind", ("N", "K"))],
    C: Annotated[Tensor, Global("sums", ("M", "N"))],
    *,
    kind: DType = f16,
    sums: DType = f32,
    held: bool = False,
) -> None:
    """C = A @ B^T where A is stored by half; `held` in registers."""
    (M, half), N, n_tile = A.shape, B.shape[0], 64
    k_tile = 1024 // kind.bits
    words = k_tile // (8 if kind.bits == 32 else 16)
    ring = pipeline(3, a=tile(kind, 128, k_tile // 2), b=tile(kind, n_tile, k_tile), e=tile(u32, 64, words))
    work = raster(cdiv(M, 128), cdiv(N, n_tile))
    with role(warps=1, registers=40):
        for m, n in work:
            for k in loop(cdiv(half, k_tile // 2)):
                with ring.fill() as s:
                    cta.copy_async(s.a, A[ds(m * 128, 128), ds(k * (k_tile // 2), k_tile // 2)])
                    cta.copy_async(s.b, B[ds(n * n_tile, n_tile), ds(k * k_tile, k_tile)])
                    cta.copy_async(s.e, E[ds(m * 64, 64), ds(k * words, words)])
    with role(warpgroups=2, registers=232) as group:
        total = register((64, n_tile), sums, wgmma_layout("d", (64, n_tile), sums))
        e = register((32, words), u32, metadata_layout((32, words), warpgroup))
        a = register((64, k_tile // 2), kind, wgmma_layout("a", (64, k_tile // 2), kind))
        for m, n in work:
            for k in loop(cdiv(half, k_tile // 2)):
                with ring.take() as s:
                    warpgroup.copy(e, s.e[ds(group * 32, 32), :])
                    left = s.a[ds(group * 64, 64), :]
                    if held:
                        warpgroup.copy(a, left)
                    source = a if held else left
                    warpgroup.gemm_async(total, source, s.b.transpose(), add=k > 0, metadata=e)
            warpgroup.copy(C[ds(m * 128 + group * 64, 64), ds(n * n_tile, n_tile)], total)


@pytest.mark.sample(1)
@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_products_of_a_warpgroup(kind: str, *, held: bool) -> None:
    random: Any = np.random.default_rng(sum(kind.encode()))
    element, sums = KINDS[kind]
    m, n, k = (int(x) for x in random.integers(1, 150, 3))
    a, b = pruned(random, (m, 4 * k), element), random.integers(-4, 5, (n, 4 * k)).astype(element)
    c = np.zeros((m, n), sums)
    stored = compressed(a, (128, 128 // a.itemsize))
    gemm.run(*stored, b, c, options={"held": held}, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32).T)


@pytest.mark.skipif(find("ptxas") is None, reason="no ptxas")
def test_ptxas_takes_sparse_products() -> None:
    weft.assemble(product.module("sm_80"))
    found = weft.assemble(gemm.module("sm_90a", multiples={"H": 8, "K": 16, "W": 4, "N": 8})).kernel("gemm")
    assert found.spills == 0


def test_what_is_not_sparse() -> None:
    dense = np.ones((16, 64), np.float16)
    with pytest.raises(WeftError, match="row 0 has more than 2 nonzero elements in columns 0 to 3"):
        compressed(dense)
    with pytest.raises(WeftError, match="metadata must have a multiple of 16 rows"):
        compressed(dense, (8, 64))


HEAD = (
    "import weft\nfrom weft.tile import *\nfrom weft.tile.layouts import mma_layout\n\n"
    "@weft.kernel(threads=32, grid=1)\ndef kernel(A: Global(f16, (16, 64))):\n"
    "    a, b = (register(s, f16, mma_layout(o, s, f16)) for o, s in (('a', (16, 32)), ('b', (64, 8))))\n"
    "    c = zeros((16, 8), f32, mma_layout('d', (16, 8), f16))\n"
)


PLACED = "metadata_layout((8, 4), warp)"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("warp.gemm(c, a, b)  #", "extents do not match"),
        ("e = register((8, 4), u32)\nwarp.gemm(c, a, b, metadata=e)  #", "metadata of 8 x 4 words of 32 bits"),
        ("e = shared((8, 4), u32)\nwarp.gemm(c, a, b, metadata=e)  #", "not in registers"),
        (
            f"e = register((8, 4), u16, {PLACED})\nwarp.gemm(c, a, b, metadata=e)  #",
            "of 32 bits in the instruction's layout, not 8x4xi16",
        ),
        (
            f"e = register((4, 8), u32, {PLACED})\nwarp.gemm(c, a, b, metadata=e)  #",
            "of 32 bits in the instruction's layout, not 4x8xi32",
        ),
    ],
)
def test_metadata_are_as_products_read_them(body: str, said: str) -> None:
    refused(HEAD, body, said, "sm_80")
