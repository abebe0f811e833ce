"""C = A @ B in f16 with f32 accumulation, for any M, N and K.

Each block computes a `block_m` x `block_n` tile of C with `warps_m` x `warps_n` warps.  `stages` tiles of A and B are
in shared memory: while the warps multiply one, `cp.async` brings the next ones.  Shared tiles are swizzled, so neither
the copies into them nor `ldmatrix` out of them have bank conflicts.  The result goes through shared memory, so that
global memory is written in whole lines.
"""

from __future__ import annotations

from typing import Annotated

from weft.tile import (
    Global,
    Tensor,
    block_id,
    cdiv,
    commit,
    cta,
    f16,
    f32,
    kernel,
    loop,
    recast,
    register,
    shared,
    u8,
    wait,
    warp,
    warp_id,
    zeros,
)
from weft.tile.layouts import mma_layout, swizzled

STEP = 16
"""K of one `mma.sync.m16n8k16`."""


def _threads(warps_m: int, warps_n: int) -> int:
    return 32 * warps_m * warps_n


def _grid(M: int, N: int, block_m: int, block_n: int) -> tuple[int, int]:
    return cdiv(N, block_n), cdiv(M, block_m)


@kernel(threads=_threads, grid=_grid)
def gemm(
    A: Annotated[Tensor, Global(f16, ("M", "K"))],
    B: Annotated[Tensor, Global(f16, ("K", "N"))],
    C: Annotated[Tensor, Global(f16, ("M", "N"))],
    *,
    block_m: int = 128,
    block_n: int = 128,
    block_k: int = 32,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
) -> None:
    """C = A @ B: A is M x K, B is K x N, C is M x N, all row-major f16."""
    _, K = A.shape
    row, column = block_id(1) * block_m, block_id(0) * block_n
    tiles = (K + (block_k - 1)) // block_k

    bytes_a, bytes_b = stages * block_m * block_k * 2, stages * block_k * block_n * 2
    storage = shared(max(bytes_a + bytes_b, block_m * block_n * 2), u8, alignment=1024)
    a = recast(storage, (stages, block_m, block_k), f16, swizzled((stages, block_m, block_k), f16))
    b = recast(storage, (stages, block_k, block_n), f16, swizzled((stages, block_k, block_n), f16), offset=bytes_a)
    c = recast(storage, (block_m, block_n), f16, swizzled((block_m, block_n), f16))

    tile_m, tile_n = block_m // warps_m, block_n // warps_n
    my_row, my_column = warp_id() // warps_n * tile_m, warp_id() % warps_n * tile_n
    left = register((tile_m, STEP), f16, mma_layout("a", (tile_m, STEP), f16))
    right = register((STEP, tile_n), f16, mma_layout("b", (STEP, tile_n), f16))
    total = zeros((tile_m, tile_n), f32, mma_layout("d", (tile_m, tile_n), f16))

    for stage in range(stages - 1):
        k = stage * block_k
        cta.copy_async(a[stage], A[row : row + block_m, k : k + block_k])
        cta.copy_async(b[stage], B[k : k + block_k, column : column + block_n])
        commit()

    full, empty = 0, stages - 1
    for tile in loop(tiles):
        wait(stages - 2)
        cta.sync()
        k = (tile + (stages - 1)) * block_k
        cta.copy_async(a[empty], A[row : row + block_m, k : k + block_k])
        cta.copy_async(b[empty], B[k : k + block_k, column : column + block_n])
        commit()
        for step in range(0, block_k, STEP):
            warp.copy(left, a[full, my_row : my_row + tile_m, step : step + STEP])
            warp.copy(right, b[full, step : step + STEP, my_column : my_column + tile_n])
            warp.gemm(total, left, right)
        full = full + 1 if full < stages - 1 else 0
        empty = empty + 1 if empty < stages - 1 else 0

    wait(0)
    cta.sync()
    warp.copy(c[my_row : my_row + tile_m, my_column : my_column + tile_n], total.to(f16))
    cta.sync()
    cta.copy(C[row : row + block_m, column : column + block_n], c)
