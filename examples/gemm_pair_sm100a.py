"""C = A @ B^T on Blackwell (sm_100a) by pairs of blocks: one product multiplies the rows of both.

Each block of a pair brings its 128 rows of A and half the rows of B, and stores its 128 rows of C; the one that leads
starts the products, of 256 x 256 x 64 in four instructions, which read and write the memory of both.
"""

import weft
from weft.tile import (
    Global,
    block_id,
    cdiv,
    cta,
    ds,
    f16,
    f32,
    loop,
    pair,
    persistent,
    pipeline,
    raster,
    register,
    role,
)
from weft.tile import tensor_layout, tensor_memory, tile, warpgroup

M_TILE, K_TILE, OUT = 128, 64, 32


@weft.kernel(grid=persistent, cluster=(2, 1))
def gemm(
    A: Global(f16, ("M", "K")),
    B: Global(f16, ("N", "K")),
    C: Global(f16, ("M", "N")),
    *,
    n_tile: int = 256,
    stages: int = 6,
):
    (M, K), (N, _) = A.shape, B.shape
    half = n_tile // 2
    ring = pipeline(stages, a=tile(f16, M_TILE, K_TILE), b=tile(f16, half, K_TILE), pair=True)
    done = pipeline(2, d=tensor_memory((2, M_TILE, n_tile), f32, pair=True))
    out = pipeline(2, c=tile(f16, M_TILE, OUT), kind="store")
    work = raster(cdiv(M, M_TILE), cdiv(N, n_tile), group=16)

    with role(warps=1):
        first = block_id(0) % 2 * half
        for m, n in work:
            for k in loop(cdiv(K, K_TILE)):
                with ring.fill() as slot:
                    cta.copy_async(slot.a, A[ds(m * M_TILE, M_TILE), ds(k * K_TILE, K_TILE)])
                    cta.copy_async(slot.b, B[ds(n * n_tile + first, half), ds(k * K_TILE, K_TILE)])

    with role(warps=1, leader=True):
        for _ in work:
            with done.fill() as sums:
                for k in loop(cdiv(K, K_TILE)):
                    with ring.take() as slot:
                        pair.gemm_async(sums.d, slot.a, slot.b.transpose(), add=k > 0)

    with role(warpgroups=1):
        for m, n in work:
            with done.take() as sums:
                for j in range(0, n_tile, OUT):
                    part = register((M_TILE, OUT), f32, tensor_layout((M_TILE, OUT)))
                    warpgroup.copy(part, sums.d[:, ds(j, OUT)])
                    with out.fill() as slot:
                        warpgroup.copy(slot.c, part.to(f16))
                        cta.copy_async(C[ds(m * M_TILE, M_TILE), ds(n * n_tile + j, OUT)], slot.c)
