"""Slots that a role holds while products read them, and pairs of blocks in larger clusters: exact, at every depth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from weft.tile import (
    Global,
    S,
    block_id,
    cdiv,
    cluster,
    cta,
    ds,
    dtype,
    dynamic,
    f16,
    f32,
    i32,
    laneid,
    loop,
    pair,
    pipeline,
    raster,
    register,
    role,
    tensor_layout,
    tensor_memory,
    thread_id,
    tile,
    warp,
    warpgroup,
    wgmma_layout,
    zeros,
)


def integers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(np.float16)


@weft.kernel(grid=1)
def held(
    A: Global(f16, (64, "K")),
    B: Global(f16, (32, "K")),
    C: Global(f32, (64, 32)),
    *,
    stages: int = 3,
    behind: int = 2,
    waits: int | None = None,
):
    """A product whose slots are given back some turns later, or where it waits for all groups but some."""
    ring = pipeline(stages, a=tile(f16, 64, 64), b=tile(f16, 32, 64))
    with role(warps=1):
        for k in loop(cdiv(A.shape[1], 64)):
            with ring.fill() as slot:
                cta.copy_async(slot.a, A[:, ds(k * 64, 64)])
                cta.copy_async(slot.b, B[:, ds(k * 64, 64)])
    with role(warpgroups=1):
        total = zeros((64, 32), f32, wgmma_layout("d", (64, 32)))
        for _ in loop(cdiv(A.shape[1], 64)):
            with ring.take(behind=behind) as slot:
                warpgroup.gemm_async(total, slot.a, slot.b.transpose())
            if waits is not None:
                warpgroup.wait(waits)
        warpgroup.wait(0)
        warpgroup.copy(C, total)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("stages", "behind", "waits"),
    [(2, 1, None), (3, 2, None), (4, 2, None), (4, 3, None), (4, 3, 2), (3, 2, 1), (4, 3, 1), (3, 2, 0)],
)
def test_slots_are_given_back_when_their_products_are_done(stages: int, behind: int, waits: int | None) -> None:
    """Never earlier, which would be a race, and never later, which would be a deadlock."""
    a, b, c = integers(64, 400), integers(32, 400, seed=1), np.zeros((64, 32), np.float32)
    options = {"stages": stages, "behind": behind, "waits": waits}
    held.run(a, b, c, target="sm_90a", options=options, check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32).T)


def paired(blocks: int) -> Any:
    """A product of each pair of a cluster: 256 rows, 64 columns, of which each block brings a half."""

    @weft.kernel(grid=blocks, cluster=(blocks, 1))
    def product(A: Global(f16, ("M", "K")), B: Global(f16, (64, "K")), C: Global(f32, ("M", 64))):
        ring = pipeline(2, a=tile(f16, 128, 64), b=tile(f16, 32, 64), pair=True)
        done = pipeline(1, d=tensor_memory((1, 128, 64), f32, pair=True))
        with role(warps=1):
            for k in loop(cdiv(A.shape[1], 64)):
                with ring.fill() as slot:
                    cta.copy_async(slot.a, A[ds(block_id() * 128, 128), ds(k * 64, 64)])
                    cta.copy_async(slot.b, B[ds(block_id() % 2 * 32, 32), ds(k * 64, 64)])
        with role(warps=1, leader=True), done.fill() as sums:
            for k in loop(cdiv(A.shape[1], 64)):
                with ring.take() as slot:
                    pair.gemm_async(sums.d, slot.a, slot.b.transpose(), add=k > 0)
        with role(warpgroups=1), done.take() as sums:
            part = register((128, 64), f32, tensor_layout((128, 64)))
            warpgroup.copy(part, sums.d)
            warpgroup.copy(C[ds(block_id() * 128, 128), :], part)

    return product


@pytest.mark.sample(1)
@pytest.mark.parametrize(("blocks", "depth"), [(2, 200), (4, 200), (2, 201), (4, 131)])
def test_each_pair_of_a_cluster_multiplies_for_itself(blocks: int, depth: int) -> None:
    """Barriers of a pair are in the even block of that pair, wherever in the cluster it is; rows that TMA cannot read
    are brought by threads.
    """
    a, b, c = integers(blocks * 128, depth), integers(64, depth, seed=1), np.zeros((blocks * 128, 64), np.float32)
    paired(blocks).run(a, b, c, target="sm_100a", check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32).T)


@weft.kernel(grid=2, cluster=(2, 1))
def led(A: Global(f16, ("M", 64)), C: Global(f16, ("M", 64)), *, warps: int = 1):
    """The leader's threads read their half of each slot of the pair."""
    ring = pipeline(2, a=tile(f16, 64, 64), pair=True)
    rows = 64 // warps
    with role(warps=1):
        for k in loop(cdiv(A.shape[0], 128)):
            with ring.fill() as slot:
                cta.copy_async(slot.a, A[ds(k * 128 + block_id() * 64, 64), :])
    with role(warps=warps, leader=True) as number:
        for k in loop(cdiv(A.shape[0], 128)):
            with ring.take() as slot:
                held = register((rows, 64), f16, S[(rows, 32, 2) : (2, 1 @ laneid, 1)])
                warp.copy(held, slot.a[ds(number * rows, rows), :])
                warp.copy(C[ds(k * 128 + number * rows, rows), :], held)


@pytest.mark.sample(1)
@pytest.mark.parametrize("warps", [1, 2, 4])
def test_slots_of_a_pair_that_threads_read(warps: int) -> None:
    """All warps of the leader's role give them back, in both blocks."""
    a = integers(128 * 5, 64)
    c = np.zeros_like(a)
    led.run(a, c, target="sm_100a", options={"warps": warps}, check="strict", async_="lazy")
    wanted = a.reshape(5, 2, 64, 64).copy()
    wanted[:, 1] = 0
    np.testing.assert_array_equal(c, wanted.reshape(a.shape))


def product(kind: Any, blocks: int, behind: int) -> Any:
    """A product in tensor memory in each block of a cluster that shares its tiles of B."""

    @weft.kernel(grid=blocks, cluster=blocks)
    def of(A: Global(kind, ("M", "K")), B: Global(kind, (64, "K")), C: Global(f32 if kind is f16 else i32, ("M", 64))):
        sums, wide = (f32 if kind is f16 else i32), 1024 // kind.bits
        ring = pipeline(3, a=tile(kind, 128, wide), b=tile(kind, 64, wide))
        done = pipeline(1, d=tensor_memory((1, 128, 64), sums))
        with role(warps=1):
            for k in loop(cdiv(A.shape[1], wide)):
                with ring.fill() as slot:
                    cta.copy_async(slot.a, A[ds(block_id() * 128, 128), ds(k * wide, wide)])
                    if blocks == 1:
                        cta.copy_async(slot.b, B[:, ds(k * wide, wide)])
                    else:
                        cluster.copy_async(slot.b, B[:, ds(k * wide, wide)], share=0)
        with role(warps=1), done.fill() as total:
            for k in loop(cdiv(A.shape[1], wide)):
                with ring.take(behind=behind) as slot:
                    cta.gemm_async(total.d, slot.a, slot.b.transpose(), add=k > 0)
        with role(warpgroups=1), done.take() as total:
            part = register((128, 64), sums, tensor_layout((128, 64)))
            warpgroup.copy(part, total.d)
            warpgroup.copy(C[ds(block_id() * 128, 128), :], part)

    return of


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("kind", "blocks", "behind"),
    [("f16", 1, 1), ("f16", 1, 2), ("f16", 2, 0), ("f16", 4, 1), ("i8", 2, 0), ("u8", 1, 0)],
)
def test_tiles_for_products_in_tensor_memory(kind: str, blocks: int, behind: int) -> None:
    """A slot is given back, in all blocks that share it, when its products are done, however many may be under way."""
    a, b = integers(blocks * 128, 608), integers(64, 608, seed=1)
    if kind != "f16":
        a, b = (x.astype(np.int8).view(dtype(kind).numpy) for x in (a, b))
    c = np.zeros((blocks * 128, 64), np.float32 if kind == "f16" else np.int32)
    product(dtype(kind), blocks, behind).run(a, b, c, target="sm_100a", check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(c.dtype) @ b.astype(c.dtype).T)


@pytest.mark.sample(1)
@pytest.mark.parametrize("blocks", [1, 2])
def test_tiles_that_a_cluster_takes_over(blocks: int) -> None:
    """The blocks of a cluster take over the tiles of another cluster together, each its own row."""

    @weft.kernel(grid=dynamic, cluster=None if blocks == 1 else blocks)
    def marks(X: Global(i32, ("N", 128)), Y: Global(i32, ("N", 2))):
        ring = pipeline(2, x=tile(i32, 1, 128))
        work = raster(X.shape[0], 1)
        with role(warps=1):
            for m, _ in work:
                with ring.fill() as slot:
                    cta.copy_async(slot, X[ds(m, 1), :])
        with role(warps=2):
            for m, _ in work:
                with ring.take() as slot:
                    if thread_id() == 32:
                        Y[m, 0] = slot.x[0, 0]
                        Y[m, 1] = block_id() % blocks

    x, y = np.arange(12 * 128, dtype=np.int32).reshape(12, 128), np.full((12, 2), -1, np.int32)
    marks.run(x, y, target="sm_100a", check="strict", async_="lazy", resident=400)
    np.testing.assert_array_equal(y[:, 0], x[:, 0])
    np.testing.assert_array_equal(y[:, 1], np.arange(12) % blocks)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("left", "right"), [("i8", "i8"), ("u8", "u8"), ("u8", "i8"), ("i8", "u8"), ("f16", "f16")])
def test_new_sums_have_the_type_of_the_products(left: str, right: str) -> None:
    """Whole numbers of whole numbers, signed or not; rows of bytes are what `wgmma` reads."""
    kinds, sums = (dtype(left), dtype(right)), i32 if left != "f16" else f32
    wide = 1024 // kinds[0].bits

    @weft.kernel(grid=1)
    def once(A: Global(left, (64, wide)), B: Global(right, (32, wide)), C: Global(sums, (64, 32))):
        ring = pipeline(1, a=tile(left, 64, wide), b=tile(right, 32, wide))
        with role(warps=1), ring.fill() as slot:
            cta.copy_async(slot.a, A)
            cta.copy_async(slot.b, B)
        with role(warpgroups=1):
            with ring.take() as slot:
                total = warpgroup.gemm_async(None, slot.a, slot.b.transpose())
            warpgroup.copy(C, total)

    a, b = integers(64, wide), integers(32, wide, seed=1)
    if left != "f16":
        a, b = (x.astype(np.int8).view(kind.numpy) for x, kind in zip((a, b), kinds, strict=True))
    c = np.zeros((64, 32), sums.numpy)
    once.run(a, b, c, target="sm_90a", check="strict", async_="lazy")
    np.testing.assert_array_equal(c, a.astype(c.dtype) @ b.astype(c.dtype).T)
