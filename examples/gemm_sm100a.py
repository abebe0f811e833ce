"""C = A @ B^T on Blackwell (sm_100a), for any M, N, K: roles that load, multiply and store, and never wait for a tile.

One warp brings tiles by TMA, one starts products whose sums stay in tensor memory, and a warpgroup stores the sums of
one tile of C while those of the next one are added up.
"""

import weft
from weft.tile import Global, cdiv, cta, ds, f16, f32, loop, persistent, pipeline, raster, register, role
from weft.tile import tensor_layout, tensor_memory, tile, warpgroup

M_TILE, K_TILE, OUT = 128, 64, 32


@weft.kernel(grid=persistent)
def gemm(
    A: Global(f16, ("M", "K")),
    B: Global(f16, ("N", "K")),
    C: Global(f16, ("M", "N")),
    *,
    n_tile: int = 256,
    stages: int = 4,
):
    (M, K), (N, _) = A.shape, B.shape
    ring = pipeline(stages, a=tile(f16, M_TILE, K_TILE), b=tile(f16, n_tile, K_TILE))
    done = pipeline(2, d=tensor_memory((2, M_TILE, n_tile), f32))
    out = pipeline(2, c=tile(f16, M_TILE, OUT), kind="store")
    work = raster(cdiv(M, M_TILE), cdiv(N, n_tile), group=16)

    with role(warps=1):
        for m, n in work:
            for k in loop(cdiv(K, K_TILE)):
                with ring.fill() as slot:
                    cta.copy_async(slot.a, A[ds(m * M_TILE, M_TILE), ds(k * K_TILE, K_TILE)])
                    cta.copy_async(slot.b, B[ds(n * n_tile, n_tile), ds(k * K_TILE, K_TILE)])

    with role(warps=1):
        for _ in work:
            with done.fill() as sums:
                for k in loop(cdiv(K, K_TILE)):
                    with ring.take() as slot:
                        cta.gemm_async(sums.d, slot.a, slot.b.transpose(), add=k > 0)

    with role(warpgroups=1):
        for m, n in work:
            with done.take() as sums:
                for j in range(0, n_tile, OUT):
                    part = register((M_TILE, OUT), f32, tensor_layout((M_TILE, OUT)))
                    warpgroup.copy(part, sums.d[:, ds(j, OUT)])
                    with out.fill() as slot:
                        warpgroup.copy(slot.c, part.to(f16))
                        cta.copy_async(C[ds(m * M_TILE, M_TILE), ds(n * n_tile + j, OUT)], slot.c)
