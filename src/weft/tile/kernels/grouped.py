"""Products of groups of rows, each with a matrix of its own, in one launch: experts, and batches of unlike lengths.

Rows of a group follow each other, and `ends` says where each group stops.  There are as many blocks as the groups can
need; each looks for its tile among them, and those after the last one have none.
"""

from __future__ import annotations

from math import gcd
from typing import Annotated, Any

from weft.tile import (
    DType,
    Global,
    Tensor,
    along,
    block_id,
    cdiv,
    ds,
    f16,
    f32,
    function,
    i32,
    kernel,
    loop,
    minimum,
    thread,
    thread_id,
    warp,
)
from weft.tile.kernels.gemm import Blocks, block_product, dense, fetch_columns, grid, threads
from weft.tile.scalars import known


def _grid(M: int, N: int, G: int, block_m: int, block_n: int) -> tuple[int, int]:
    """Each group has at most one tile that is not full."""
    across, down = grid(M, N, block_m, block_n)
    return across, down + G


@function
def find(ends: Tensor, tile: Any, block_m: int) -> tuple[Any, Any, Any]:
    """The group of a tile, its first row, and the end of the group; the end is 0 where there are fewer tiles."""
    group, row, stop, start = 0, 0, 0, 0
    for g in loop(ends.shape[0]):
        end = ends[g]
        tiles = cdiv(end - start, block_m)
        if 0 <= tile < tiles:
            group, row, stop = g, start + tile * block_m, end
        tile = tile - tiles
        start = end
    return group, row, stop


@kernel(threads=threads, grid=_grid)
def grouped_gemm(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("G", "K", "N"))],
    ends: Annotated[Tensor, Global(i32, ("G",))],
    C: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f16,
    block_m: int = 128,
    block_n: int = 128,
    block_k: int = 32,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
) -> None:
    """C = A @ B[g] for the rows of each group g: those from ends[g - 1] on (0 for the first), before ends[g]."""
    group, row, stop = find(ends, block_id(1), block_m)
    column = block_id(0) * block_n
    if row < stop:
        by = Blocks(kind, block_m, block_n, block_k, warps_m, warps_n, stages)
        total = block_product(dense(A, B[group], row, column, by), 0, cdiv(A.shape[1], block_k), by)
        by.store(C.rows(0, stop), row, column, total)


@kernel(threads=threads, grid=_grid)
def expert_gemm(
    A: Annotated[Tensor, Global("kind", ("T", "K"))],
    tokens: Annotated[Tensor, Global(i32, ("M",))],
    B: Annotated[Tensor, Global("kind", ("G", "K", "N"))],
    ends: Annotated[Tensor, Global(i32, ("G",))],
    weight: Annotated[Tensor, Global(f32, ("M",))],
    C: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f16,
    block_m: int = 64,
    block_n: int = 128,
    block_k: int = 32,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
) -> None:
    """C[m] = A[tokens[m]] @ B[g] * weight[m] for the rows m of each expert g, which are those of `grouped_gemm`.

    Tokens are sorted by expert; each may come to several.  Its row is brought by the threads themselves, 16 bytes each,
    or as many as rows are multiples of.
    """
    group, row, stop = find(ends, block_id(1), block_m)
    column = block_id(0) * block_n
    if row < stop:
        by = Blocks(kind, block_m, block_n, block_k, warps_m, warps_n, stages)
        count = threads(warps_m, warps_n)
        chunk = max(gcd(128 // kind.bits, known(A.shape[1])[0]), block_k // count)
        start = thread_id() * chunk
        inside, first = start % block_k, start // block_k
        lines = [first + at for at in range(0, block_m, count * chunk // block_k)]
        places = [tokens[minimum(row + line, stop - 1)] for line in lines]
        matrix = B[group]

        def fetch(slot: Any, k: Any) -> None:
            for line, place in zip(lines, places, strict=True):
                thread.copy_async(slot.a[ds(line, 1), ds(inside, chunk)], A[ds(place, 1), ds(k + inside, chunk)])
            fetch_columns(slot, matrix, column, k, by)

        total = block_product(fetch, 0, cdiv(A.shape[1], block_k), by)
        scale = along(total, 0, f32)
        warp.copy(scale, weight[ds(row + by.row, by.rows)])
        by.store(C.rows(0, stop), row, column, total * scale)
