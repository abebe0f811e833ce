"""Softmax over rows of any length: a warp a row, read twice.

The first pass keeps the running maximum and the running sum of each lane's own elements; the lanes combine theirs
once, at its end.  The second pass writes.  Rows are read `width` elements at a time, with 16-byte accesses where
their length allows it.
"""

from __future__ import annotations

from typing import Annotated

from weft.tile import DType, Global, Tensor, block_id, exp2, f32, kernel, loop, max, maximum, sum, warp_id, where
from weft.tile.kernels.constants import LOG2_E, LOWEST
from weft.tile.kernels.rows import Pieces, grid, threads


@kernel(threads=threads, grid=grid)
def softmax(
    X: Annotated[Tensor, Global("kind", ("M", "N"))],
    Y: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f32,
    warps: int = 4,
    width: int = 512,
) -> None:
    """Y[i, :] = exp(X[i, :] - max) / sum, for every row of X (M x N, row-major; f32, f16 or bf16, computed in f32)."""
    M, N = X.shape
    row = block_id(0) * warps + warp_id()
    pieces = Pieces(row, width, kind)
    largest, total = pieces.full(LOWEST), pieces.full(0.0)
    if row < M:
        for start in loop(0, N, width):
            scaled = where(pieces.column < N - start, pieces.read(X, start) * LOG2_E, LOWEST)
            higher = maximum(largest, scaled)
            total = total * exp2(largest - higher) + exp2(scaled - higher)
            largest = higher
        top = max(largest, 1, keepdims=True)
        whole = sum(total * exp2(largest - top), 1, keepdims=True)
        for start in loop(0, N, width):
            pieces.write(Y, start, exp2(pieces.read(X, start) * LOG2_E - top) / whole)
