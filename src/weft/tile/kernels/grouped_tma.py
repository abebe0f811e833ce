"""The products of groups of rows of `grouped` by roles and TMA, on Hopper (sm_90a) and Blackwell (sm_100a).

Each role looks for the group of its tile; tiles after the last group have no steps.  Whole tiles are brought, and only
the group's rows are stored.
"""

from __future__ import annotations

from math import gcd
from typing import Annotated, Any

from weft.tile import (
    Buffer,
    DType,
    Global,
    Tensor,
    cdiv,
    ds,
    f16,
    f32,
    i32,
    kernel,
    maximum,
    minimum,
    persistent,
    raster,
    thread,
    thread_id,
    where,
)
from weft.tile.kernels.gemm import dense, fetch_columns
from weft.tile.kernels.gemm_tma import vector
from weft.tile.kernels.grouped import find
from weft.tile.kernels.roles import Products, Task
from weft.tile.scalars import known


@kernel(grid=persistent)
def grouped_gemm_tma(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("G", "K", "N"))],
    ends: Annotated[Tensor, Global(i32, ("G",))],
    C: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f16,
    block_m: int = 128,
    block_n: int = 256,
    stages: int = 4,
    target: str = "sm_90a",
) -> None:
    """C = A @ B[g] for the rows of each group g: those from ends[g - 1] on (0 for the first), before ends[g]."""
    by = Products(target, kind, block_m, block_n, stages)

    def tile(at: Any) -> Task:
        (group, row, stop), column = find(ends, at[0], block_m), at[1] * block_n
        steps = where(row < stop, cdiv(A.shape[1], by.block_k), 0)
        return Task(C.rows(0, stop), row, column, dense(A, B[group], row, column, by), steps)

    by.run(raster(cdiv(A.shape[0], block_m) + ends.shape[0], cdiv(C.shape[1], block_n)), tile)


LOADERS = 4
"""Warps that bring rows of tokens."""


@kernel(grid=persistent)
def expert_gemm_tma(
    A: Annotated[Tensor, Global("kind", ("T", "K"))],
    tokens: Annotated[Tensor, Global(i32, ("M",))],
    B: Annotated[Tensor, Global("kind", ("G", "K", "N"))],
    ends: Annotated[Tensor, Global(i32, ("G",))],
    weight: Annotated[Tensor, Global(f32, ("M",))],
    C: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f16,
    block_m: int = 128,
    block_n: int = 128,
    stages: int = 4,
    target: str = "sm_90a",
) -> None:
    """C[m] = A[tokens[m]] @ B[g] * weight[m] for the rows m of each expert g, which are those of `grouped_gemm_tma`.

    Tokens are sorted by expert; each may come to several.  Their rows are brought by threads, 16 bytes each, or as many
    as rows are multiples of; the expert's matrix comes by TMA into the same slot.
    """
    by = Products(target, kind, block_m, block_n, stages, loaders=LOADERS)
    chunk = gcd(128 // kind.bits, known(A.shape[1])[0])

    def tile(at: Any) -> Task:
        (group, row, stop), column = find(ends, at[0], block_m), at[1] * block_n
        steps = where(row < stop, cdiv(A.shape[1], by.block_k), 0)
        matrix, start = B[group], thread_id() * chunk
        inside, first = start % by.block_k, start // by.block_k
        lines = [first + at for at in range(0, block_m, 32 * LOADERS * chunk // by.block_k)]
        places = [tokens[minimum(row + line, maximum(stop - 1, 0))] for line in lines]

        def fetch(slot: Any, k: Any) -> None:
            fetch_columns(slot, matrix, column, k, by)
            for line, place in zip(lines, places, strict=True):
                thread.copy(slot.a[ds(line, 1), ds(inside, chunk)], A[ds(place, 1), ds(k + inside, chunk)])

        def finish(part: Buffer, below: Any, _: int) -> Buffer:
            return part * vector(weight, row + below, part, 0)

        return Task(C.rows(0, stop), row, column, fetch, steps, finish=finish)

    by.run(raster(cdiv(C.shape[0], block_m) + ends.shape[0], cdiv(C.shape[1], block_n)), tile)
