"""Products of narrow floats whose blocks of 32 or 16 along K have scales (mxfp8, mxfp4, nvfp4): for sm_120a, where the
warps multiply out of registers, and for sm_100a, where sums and scales are in tensor memory.

Elements are e4m3 or e5m2, or e2m1x2: two floats of 4 bits a byte, and K counts bytes.  Scales of e8m0 are of 32
elements, those of e4m3 of 16 (of e2m1x2 only).
"""

from __future__ import annotations

from typing import Annotated, Any

from weft.tile import (
    DType,
    Global,
    Tensor,
    block_id,
    cdiv,
    cta,
    dot_scaled,
    ds,
    e2m1x2,
    e4m3,
    e8m0,
    f16,
    f32,
    kernel,
    loop,
    persistent,
    pipeline,
    raster,
    register,
    role,
    scale_layout,
    staged,
    tensor_layout,
    tensor_memory,
    tile,
    wait,
    warp,
    warpgroup,
    zeros,
)
from weft.tile.kernels.gemm import Blocks, dense, grid, threads

K_TILE = 128
"""Bytes along K of a tile: a row of the swizzle."""


def scales_of(kind: DType, scale: DType) -> int:
    """The scales of a row of `K_TILE` bytes."""
    return K_TILE * (2 if kind is e2m1x2 else 1) // (16 if scale is e4m3 else 32)


@kernel(threads=threads, grid=grid)
def block_scaled_gemm(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("N", "K"))],
    rows: Annotated[Tensor, Global("scale", ("M", "S"))],
    columns: Annotated[Tensor, Global("scale", ("N", "S"))],
    C: Annotated[Tensor, Global("result", ("M", "N"))],
    *,
    kind: DType = e4m3,
    scale: DType = e8m0,
    result: DType = f16,
    block_m: int = 128,
    block_n: int = 128,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 2,
) -> None:
    """C = (A * scales) @ (B * scales)^T, by `mma.sync` (sm_120a): A is M x K, B is N x K, each row has S scales."""
    row, column, count = block_id(1) * block_m, block_id(0) * block_n, scales_of(kind, scale)
    by = Blocks(kind, block_m, block_n, K_TILE, warps_m, warps_n, stages, result=result, turned=True)
    fetch = dense(A, B, row, column, by)
    left = register((by.rows, by.step), kind, by.layout("a", (by.rows, by.step)))
    right = register((by.step, by.columns), kind, by.layout("b", (by.step, by.columns)))
    down = register((by.rows, count), scale, scale_layout((by.rows, count)))
    across = register((by.columns, count), scale, scale_layout((by.columns, count)))
    total = zeros((by.rows, by.columns), f32, by.layout("d", (by.rows, by.columns)))

    def bring(slot: Any, k: Any) -> None:
        fetch(slot, k * K_TILE)
        cta.copy_async(slot.rows, rows[ds(row, block_m), ds(k * count, count)])
        cta.copy_async(slot.columns, columns[ds(column, block_n), ds(k * count, count)])

    scales = {"rows": tile(scale, block_m, count), "columns": tile(scale, block_n, count)}
    for _, slot in staged(stages, a=by.a, b=by.b, **scales).loop(cdiv(A.shape[1], K_TILE), bring):
        warp.copy(down, slot.rows[ds(by.row, by.rows), :])
        warp.copy(across, slot.columns[ds(by.column, by.columns), :])
        each = count * by.step // K_TILE
        for k in range(K_TILE // by.step):
            warp.copy(left, slot.a[ds(by.row, by.rows), ds(k * by.step, by.step)])
            warp.copy(right, slot.b.transpose()[ds(k * by.step, by.step), ds(by.column, by.columns)])
            part = slice(k * each, (k + 1) * each)
            dot_scaled(total, left, down[:, part], right, across[:, part])
    wait(0)
    by.store(C, row, column, total)


M_TILE, OUT, PIECE = 128, 32, 128


def _cluster(paired: bool) -> tuple[int, ...]:
    return (2, 1) if paired else ()


@kernel(grid=persistent, cluster=_cluster)
def block_scaled_gemm_sm100a(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("N", "K"))],
    rows: Annotated[Tensor, Global("scale", ("MB", "KB", 32, 16))],
    columns: Annotated[Tensor, Global("scale", ("NB", "KB", 32, 16))],
    C: Annotated[Tensor, Global("result", ("M", "N"))],
    *,
    kind: DType = e4m3,
    scale: DType = e8m0,
    result: DType = f16,
    n_tile: int = 128,
    stages: int = 4,
    paired: bool = False,
) -> None:
    """C = (A * scales) @ (B * scales)^T, by `tcgen05.mma` (sm_100a): A is M x K, B is N x K, and the scales of their
    rows are in the order that `blocked_scales` gives.

    `n_tile` is 64, 128, 192 or 256.  With `paired`, two blocks multiply together: each brings half of a tile's rows of
    B, and the scales of all of them.
    """
    (M, K), (N, _) = A.shape, B.shape
    count = scales_of(kind, scale) // 4
    turns, pieces, half = 2 if n_tile <= 128 else 1, cdiv(n_tile, PIECE), n_tile // (1 + paired)
    ring = pipeline(
        stages,
        a=tile(kind, M_TILE, K_TILE),
        b=tile(kind, half, K_TILE),
        rows=tile(scale, 1, count, 32, 16),
        columns=tile(scale, pieces, count, 32, 16),
        pair=paired,
    )
    done = pipeline(turns, d=tensor_memory((turns, M_TILE, n_tile), f32, pair=paired))
    out = pipeline(2, c=tile(result, M_TILE, OUT), kind="store")
    work = raster(cdiv(M, M_TILE), cdiv(N, n_tile))

    with role(warps=1):
        first = block_id(0) % 2 * half if paired else 0
        for m, n in work:
            for k in loop(cdiv(K, K_TILE)):
                with ring.fill() as slot:
                    each = ds(k * count, count), slice(None), slice(None)
                    cta.copy_async(slot.a, A[ds(m * M_TILE, M_TILE), ds(k * K_TILE, K_TILE)])
                    cta.copy_async(slot.b, B[ds(n * n_tile + first, half), ds(k * K_TILE, K_TILE)])
                    cta.copy_async(slot.rows, rows[ds(m, 1), *each])
                    cta.copy_async(slot.columns, columns[ds(n * n_tile // PIECE, pieces), *each])

    with role(warps=1, leader=paired):
        for _, n in work:
            skip = n * n_tile % PIECE if n_tile % PIECE else 0  # the first piece begins before the tile
            with done.fill() as sums:
                for k in loop(cdiv(K, K_TILE)):
                    with ring.take() as slot:
                        b = slot.b.transpose()
                        dot_scaled(sums.d, slot.a, slot.rows, b, slot.columns, add=k > 0, skip=skip)

    with role(warpgroups=1):
        for m, n in work:
            with done.take() as sums:
                for j in range(0, n_tile, OUT):
                    part = register((M_TILE, OUT), f32, tensor_layout((M_TILE, OUT)))
                    warpgroup.copy(part, sums.d[:, ds(j, OUT)])
                    with out.fill() as slot:
                        warpgroup.copy(slot.c, part.to(result))
                        cta.copy_async(C[ds(m * M_TILE, M_TILE), ds(n * n_tile + j, OUT)], slot.c)
