"""The products of `gemm` and `scaled` by roles, TMA and the tensor cores of Hopper (sm_90a) and Blackwell (sm_100a).

Operands and results are the same, and so is what is left to the caller: any M, N, K.  Where rows are multiples of 16
bytes, tiles come and go by TMA; where not, the roles' threads copy.  `block_m` is a multiple of 64 on sm_90a, 128 on
sm_100a.  A kernel says what a tile of C is, [`roles`](roles.py) how tiles are computed.
"""

from __future__ import annotations

from typing import Annotated, Any

from weft.tile import (
    Buffer,
    DType,
    Global,
    Tensor,
    along,
    block_id,
    cdiv,
    ds,
    f16,
    f32,
    grid_size,
    i8,
    kernel,
    loop,
    maximum,
    minimum,
    persistent,
    raster,
    warpgroup,
)
from weft.tile.kernels.gemm import ACTIVATIONS, dense
from weft.tile.kernels.roles import Products, Task


def vector(source: Tensor, start: Any, like: Buffer, dimension: int) -> Buffer:
    """Numbers from an index on, one for each row of a tile, or one for each column."""
    found = along(like, dimension, source.dtype)
    warpgroup.copy(found, source[ds(start, like.shape[dimension])])
    return found


@kernel(grid=persistent)
def gemm_tma(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("K", "N"))],
    C: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f16,
    block_m: int = 128,
    block_n: int = 256,
    stages: int = 4,
    target: str = "sm_90a",
) -> None:
    """C = A @ B: A is M x K, B is K x N, C is M x N, all row-major, f16 or bf16."""
    by = Products(target, kind, block_m, block_n, stages)

    def tile(at: Any) -> Task:
        row, column = at[0] * block_m, at[1] * block_n
        return Task(C, row, column, dense(A, B, row, column, by), cdiv(A.shape[1], by.block_k))

    by.run(raster(cdiv(A.shape[0], block_m), cdiv(B.shape[1], block_n)), tile)


@kernel(grid=persistent)
def linear_tma(
    A: Annotated[Tensor, Global("kind", ("S", "M", "K"))],
    B: Annotated[Tensor, Global("kind", ("T", "K", "N"))],
    bias: Annotated[Tensor, Global(f32, ("N",))],
    C: Annotated[Tensor, Global("kind", ("S", "M", "N"))],
    *,
    kind: DType = f16,
    activation: str = "none",
    block_m: int = 128,
    block_n: int = 256,
    stages: int = 4,
    target: str = "sm_90a",
) -> None:
    """C[s] = activation(A[s] @ B[s] + bias) for a batch of S; one B for all where T is 1."""
    by = Products(target, kind, block_m, block_n, stages)
    (S, M, K), (T, _, N) = A.shape, B.shape
    down = cdiv(M, block_m)

    def tile(at: Any) -> Task:
        s, row, column = at[0] // down, at[0] % down * block_m, at[1] * block_n

        def finish(part: Buffer, _: Any, first: int) -> Buffer:
            return ACTIVATIONS[activation](part + vector(bias, column + first, part, 1))

        fetch = dense(A[s], B[minimum(s, T - 1)], row, column, by)
        return Task(C[s], row, column, fetch, cdiv(K, by.block_k), finish=finish)

    by.run(raster(S * down, cdiv(N, block_n)), tile)


@kernel(grid=persistent)
def scaled_gemm_tma(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("N", "K"))],
    rows: Annotated[Tensor, Global(f32, ("M",))],
    columns: Annotated[Tensor, Global(f32, ("N",))],
    C: Annotated[Tensor, Global("result", ("M", "N"))],
    *,
    kind: DType = i8,
    result: DType = f16,
    block_m: int = 128,
    block_n: int = 256,
    stages: int = 4,
    target: str = "sm_90a",
) -> None:
    """C = (A @ B^T) * rows[:, None] * columns: A is M x K, B is N x K, i8, e4m3 or e5m2; C is f16, bf16 or f32."""
    by = Products(target, kind, block_m, block_n, stages, result=result, turned=True)

    def tile(at: Any) -> Task:
        row, column = at[0] * block_m, at[1] * block_n

        def finish(part: Buffer, below: Any, first: int) -> Buffer:
            down, across = vector(rows, row + below, part, 0), vector(columns, column + first, part, 1)
            return part.to(f32) * down * across

        return Task(C, row, column, dense(A, B, row, column, by), cdiv(A.shape[1], by.block_k), finish=finish)

    by.run(raster(cdiv(A.shape[0], block_m), cdiv(B.shape[0], block_n)), tile)


@kernel(grid=persistent)
def split_gemm_tma(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("K", "N"))],
    C: Annotated[Tensor, Global(f32, ("M", "N"))],
    *,
    kind: DType = f16,
    parts: int = 4,
    block_m: int = 128,
    block_n: int = 256,
    stages: int = 3,
    target: str = "sm_90a",
) -> None:
    """C += A @ B with K split into `parts`, for a long K and few tiles of C; C (f32) is zero before."""
    by = Products(target, kind, block_m, block_n, stages, result=f32, adds=True)
    steps = cdiv(A.shape[1], by.block_k)
    each = cdiv(steps, parts)

    def tile(at: Any) -> Task:
        row, column, first = at[0] // parts * block_m, at[1] * block_n, at[0] % parts * each
        return Task(C, row, column, dense(A, B, row, column, by), minimum(each, steps - first), first)

    by.run(raster(cdiv(A.shape[0], block_m) * parts, cdiv(B.shape[1], block_n), group=16 * parts), tile)


@kernel(grid=persistent)
def stream_gemm_tma(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("K", "N"))],
    C: Annotated[Tensor, Global(f32, ("M", "N"))],
    *,
    kind: DType = f16,
    block_m: int = 128,
    block_n: int = 256,
    stages: int = 3,
    target: str = "sm_90a",
) -> None:
    """C += A @ B with the work shared evenly: each block does as many steps along K as any other, of one tile after
    another, from where the block before it stops (stream-K).  C (f32) is zero before.
    """
    by = Products(target, kind, block_m, block_n, stages, result=f32, adds=True)
    across, steps = cdiv(C.shape[1], block_n), cdiv(A.shape[1], by.block_k)
    work = cdiv(C.shape[0], block_m) * across * steps
    each = cdiv(work, grid_size(0))
    start = block_id(0) * each
    stop = minimum(start + each, work)

    def tile(at: Any) -> Task:
        row, column, first = at // across * block_m, at % across * block_n, maximum(start - at * steps, 0)
        return Task(C, row, column, dense(A, B, row, column, by), minimum(stop - at * steps, steps) - first, first)

    by.run(loop(start // steps, cdiv(stop, steps)), tile)
