"""Products of 8-bit operands with a scale for each row of A and each column of C: int8, or either of the fp8 types."""

from __future__ import annotations

from typing import Annotated

from weft.tile import DType, Global, Tensor, along, block_id, cdiv, ds, f16, f32, i8, kernel, warp
from weft.tile.kernels.gemm import Blocks, block_product, dense, grid, threads


@kernel(threads=threads, grid=grid)
def scaled_gemm(
    A: Annotated[Tensor, Global("kind", ("M", "K"))],
    B: Annotated[Tensor, Global("kind", ("N", "K"))],
    rows: Annotated[Tensor, Global(f32, ("M",))],
    columns: Annotated[Tensor, Global(f32, ("N",))],
    C: Annotated[Tensor, Global("result", ("M", "N"))],
    *,
    kind: DType = i8,
    result: DType = f16,
    block_m: int = 128,
    block_n: int = 128,
    block_k: int = 64,
    warps_m: int = 2,
    warps_n: int = 2,
    stages: int = 3,
) -> None:
    """C = (A @ B^T) * rows[:, None] * columns: A is M x K, B is N x K, i8, e4m3 or e5m2; C is f16, bf16 or f32.

    The product of integers is exact before it is scaled; that of floats is in f32, and needs sm_89.
    """
    row, column = block_id(1) * block_m, block_id(0) * block_n
    by = Blocks(kind, block_m, block_n, block_k, warps_m, warps_n, stages, result=result, turned=True)
    total = block_product(dense(A, B, row, column, by), 0, cdiv(A.shape[1], block_k), by).to(f32)
    down, across = along(total, 0, f32), along(total, 1, f32)
    warp.copy(down, rows[ds(row + by.row, by.rows)])
    warp.copy(across, columns[ds(column + by.column, by.columns)])
    by.store(C, row, column, total * down * across)
