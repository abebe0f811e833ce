"""Cross entropy of rows of logits with labels, and its gradient: a warp a row of any length."""

from __future__ import annotations

from typing import Annotated

from weft.tile import (
    DType,
    Global,
    Tensor,
    block_id,
    convert,
    exp2,
    f32,
    i32,
    kernel,
    lane_id,
    log2,
    loop,
    max,
    maximum,
    sum,
    warp_id,
    where,
)
from weft.tile.kernels.constants import LN_2, LOG2_E, LOWEST
from weft.tile.kernels.rows import Pieces, grid, threads


@kernel(threads=threads, grid=grid)
def cross_entropy(
    X: Annotated[Tensor, Global("kind", ("M", "N"))],
    labels: Annotated[Tensor, Global(i32, ("M",))],
    loss: Annotated[Tensor, Global(f32, ("M",))],
    dX: Annotated[Tensor, Global("kind", ("M", "N"))],
    *,
    kind: DType = f32,
    warps: int = 4,
    width: int = 512,
) -> None:
    """loss = log(sum(exp(X))) - X[label] of each row, dX = softmax(X) - (1 at the label).

    A row whose label is not one of its columns (-100, say) is left out: its loss and its gradient are 0.
    """
    M, N = X.shape
    row = block_id() * warps + warp_id()
    pieces = Pieces(row, width, kind)
    if row < M:
        label = labels[row]
        counted = (label >= 0) & (label < N)
        largest, total = pieces.full(LOWEST), pieces.full(0.0)
        for start in loop(0, N, width):
            scaled = where(pieces.column < N - start, pieces.read(X, start) * LOG2_E, LOWEST)
            higher = maximum(largest, scaled)
            total = total * exp2(largest - higher) + exp2(scaled - higher)
            largest = higher
        top = max(largest, 1, keepdims=True)
        whole = sum(total * exp2(largest - top), 1, keepdims=True)
        if lane_id() == 0:
            chosen = convert(X[row, label], f32) if counted else 0.0
            known = (top.storage[0] + log2(whole.storage[0])) * LN_2
            loss[row] = where(counted, known - chosen, 0.0)
        for start in loop(0, N, width):
            share = exp2(pieces.read(X, start) * LOG2_E - top) / whole
            gradient = share - where(pieces.column == label - start, 1.0, 0.0)
            pieces.write(dX, start, where(counted, gradient, 0.0))
