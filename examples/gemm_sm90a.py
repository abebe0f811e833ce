"""C = A @ B^T on Hopper for any M, N, K: a warp brings tiles by TMA, two warpgroups multiply them, each stores its half."""

import weft
from weft.tile import Global, cdiv, cta, ds, f16, f32, loop, persistent, pipeline, raster, register, role, tile
from weft.tile import warpgroup, wgmma_layout

M_TILE, N_TILE, K_TILE, OUT = 128, 256, 64, 64


@weft.kernel(grid=persistent)
def gemm(A: Global(f16, ("M", "K")), B: Global(f16, ("N", "K")), C: Global(f16, ("M", "N")), *, stages: int = 4):
    M, K = A.shape
    N, _ = B.shape
    ring = pipeline(stages, a=tile(f16, M_TILE, K_TILE), b=tile(f16, N_TILE, K_TILE))
    out = pipeline(2, c=tile(f16, M_TILE, OUT), kind="store")
    work = raster(cdiv(M, M_TILE), cdiv(N, N_TILE))

    with role(warps=1, registers=40):
        for m, n in work:
            for k in loop(cdiv(K, K_TILE)):
                with ring.fill() as slot:
                    cta.copy_async(slot.a, A[ds(m * M_TILE, M_TILE), ds(k * K_TILE, K_TILE)])
                    cta.copy_async(slot.b, B[ds(n * N_TILE, N_TILE), ds(k * K_TILE, K_TILE)])

    with role(warpgroups=2, registers=232) as group:
        total = register((64, N_TILE), f32, wgmma_layout("d", (64, N_TILE)))
        for m, n in work:
            for k in loop(cdiv(K, K_TILE)):
                with ring.take(behind=1) as slot:
                    warpgroup.gemm_async(total, slot.a[ds(group * 64, 64), :], slot.b.transpose(), add=k > 0)
            warpgroup.wait(0)
            for j in range(0, N_TILE, OUT):
                with out.fill() as slot:
                    warpgroup.copy(slot.c[ds(group * 64, 64), :], total[:, ds(j, OUT)].to(f16))
                    cta.copy_async(C[ds(m * M_TILE, M_TILE), ds(n * N_TILE + j, OUT)], slot.c)
