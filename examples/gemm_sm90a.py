"""C = A @ B^T on Hopper, for any M, N, K: one warp brings tiles by TMA, warpgroups multiply them and store the result.

Each block runs through its tiles of C (`persistent`, `raster`), and never waits between them: while the warpgroups
store one tile, the ring fills with the next one's operands.
"""

import weft
from weft.tile import Global, cdiv, cta, ds, f16, f32, loop, persistent, pipeline, raster, register, role, tile
from weft.tile import warpgroup, wgmma_layout

K_TILE, OUT = 64, 64


@weft.kernel(grid=persistent)
def gemm(
    A: Global(f16, ("M", "K")),
    B: Global(f16, ("N", "K")),
    C: Global(f16, ("M", "N")),
    *,
    m_tile: int = 128,
    n_tile: int = 256,
    stages: int = 4,
):
    (M, K), (N, _) = A.shape, B.shape
    ring = pipeline(stages, a=tile(f16, m_tile, K_TILE), b=tile(f16, n_tile, K_TILE))
    out = pipeline(2, c=tile(f16, m_tile, OUT), kind="store")
    work = raster(cdiv(M, m_tile), cdiv(N, n_tile), group=16)

    with role(warps=1, registers=40):
        for m, n in work:
            for k in loop(cdiv(K, K_TILE)):
                with ring.fill() as slot:
                    cta.copy_async(slot.a, A[ds(m * m_tile, m_tile), ds(k * K_TILE, K_TILE)])
                    cta.copy_async(slot.b, B[ds(n * n_tile, n_tile), ds(k * K_TILE, K_TILE)])

    with role(warpgroups=m_tile // 64, registers=232) as group:
        total = register((64, n_tile), f32, wgmma_layout("d", (64, n_tile)))
        for m, n in work:
            for k in loop(cdiv(K, K_TILE)):
                with ring.take(behind=1) as slot:  # gives back the slot before, whose products are done
                    warpgroup.gemm_async(total, slot.a[ds(group * 64, 64), :], slot.b.transpose(), add=k > 0)
            warpgroup.wait(0)
            for j in range(0, n_tile, OUT):
                with out.fill() as slot:
                    warpgroup.copy(slot.c[ds(group * 64, 64), :], total[:, ds(j, OUT)].to(f16))
                    cta.copy_async(C[ds(m * m_tile, m_tile), ds(n * n_tile + j, OUT)], slot.c)
