"""Softmax over rows of any length: a warp a row, read twice.

The first pass keeps the running maximum and the running sum of each lane's own elements; the lanes combine theirs
once, at its end.  The second pass writes.  Rows are read `width` elements at a time, with 16-byte accesses where
their length allows it.
"""

from __future__ import annotations

from typing import Annotated

from weft.tile import (
    Global,
    Tensor,
    block_id,
    coordinates,
    exp2,
    f32,
    full,
    kernel,
    loop,
    max,
    maximum,
    register,
    sum,
    warp,
    warp_id,
    where,
)
from weft.tile.kernels.constants import LOG2_E, LOWEST
from weft.tile.kernels.rows import grid, piece, threads


@kernel(threads=threads, grid=grid)
def softmax(
    X: Annotated[Tensor, Global(f32, ("M", "N"))],
    Y: Annotated[Tensor, Global(f32, ("M", "N"))],
    *,
    warps: int = 4,
    width: int = 512,
) -> None:
    """Y[i, :] = exp(X[i, :] - max) / sum, for every row of X (M x N, f32, row-major)."""
    _, N = X.shape
    row = block_id(0) * warps + warp_id()
    layout = piece(width)
    x = register((1, width), f32, layout)
    largest = full((1, width), LOWEST, f32, layout)
    total = full((1, width), 0.0, f32, layout)
    column = coordinates(x, 1)
    if row < X.shape[0]:
        for start in loop(0, N, width):
            warp.copy(x, X[row : row + 1, start : start + width])
            scaled = where(column < N - start, x * LOG2_E, LOWEST)
            higher = maximum(largest, scaled)
            total = total * exp2(largest - higher) + exp2(scaled - higher)
            largest = higher
        top = max(largest, 1, keepdims=True)
        whole = sum(total * exp2(largest - top), 1, keepdims=True)
        for start in loop(0, N, width):
            warp.copy(x, X[row : row + 1, start : start + width])
            warp.copy(Y[row : row + 1, start : start + width], exp2(x * LOG2_E - top) / whole)
