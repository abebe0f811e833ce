"""Attention, softmax(Q K^T * scale) V, without ever writing the scores: any lengths, causal or not, grouped heads.

A block has `warps` warps of 16 rows of Q each.  Tiles of K and V come to shared memory by `cp.async`, the next ones
while the warps work on the last; the scores of a tile stay in the registers that `mma.sync` leaves them in, which are
the ones that it takes the weights from.  The sums of a row are corrected whenever its maximum grows.
"""

from __future__ import annotations

from typing import Annotated, Any

from weft.tile import (
    DType,
    Global,
    Scalar,
    Tensor,
    block_id,
    cdiv,
    coordinates,
    cta,
    ds,
    exp2,
    f16,
    f32,
    full,
    function,
    i32,
    kernel,
    log2,
    max,
    maximum,
    minimum,
    register,
    staged,
    sum,
    tile,
    warp,
    warp_id,
    where,
    zeros,
)
from weft.tile.kernels.constants import LOG2_E, LOWEST
from weft.tile.kernels.grouped import find
from weft.tile.kernels.rows import threads
from weft.tile.layouts import mma_layout

ROWS = 16


def grid(B: int, H: int, M: int, warps: int) -> tuple[int, int, int]:
    """A block for each `warps` times 16 queries of a head."""
    return cdiv(M, ROWS * warps), H, B


@function
def attend(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    Y: Tensor,
    L: Tensor,
    first: Any,
    scale: Scalar,
    kind: DType,
    head: int,
    step: int,
    warps: int,
    causal: bool,
) -> None:
    """The block's queries of a head, from `first` on, over all keys: Q and Y are M x D, K and V are N x D, L is M."""
    M, N = Q.shape[0], K.shape[0]
    row = first + warp_id() * ROWS
    behind = N - M

    q = register((ROWS, head), kind, mma_layout("a", (ROWS, head), kind))
    warp.copy(q, Q[ds(row, ROWS), ds(0, head)])
    ring = staged(2, k=tile(kind, step, head), v=tile(kind, step, head))
    keys = register((head, step), kind, mma_layout("b", (head, step), kind))
    values = register((step, head), kind, mma_layout("b", (step, head), kind))
    scores_layout = mma_layout("d", (ROWS, step), kind)
    result = zeros((ROWS, head), f32, mma_layout("d", (ROWS, head), kind))
    top = max(full((ROWS, step), LOWEST, f32, scores_layout), 1, keepdims=True)
    total = sum(zeros((ROWS, step), f32, scores_layout), 1, keepdims=True)

    stop = minimum(N, maximum(first + ROWS * warps + behind, 0)) if causal else N

    def bring(slot: Any, j: Any) -> None:
        cta.copy_async(slot.k, K[ds(j * step, step), ds(0, head)])
        cta.copy_async(slot.v, V[ds(j * step, step), ds(0, head)])

    for j, slot in ring.loop(cdiv(stop, step), bring):
        start = j * step
        scores = zeros((ROWS, step), f32, scores_layout)
        warp.copy(keys, slot.k.transpose())
        warp.gemm(scores, q, keys)
        seen = N - start
        if causal:
            seen = minimum(coordinates(scores, 0) + (row + behind + 1 - start), seen)
        scores = where(coordinates(scores, 1) < seen, scores * (scale * LOG2_E), LOWEST)
        higher = maximum(top, max(scores, 1, keepdims=True))
        grown = exp2(top - higher)
        weights = where(scores > LOWEST, exp2(scores - higher), 0.0)
        total = total * grown + sum(weights, 1, keepdims=True)
        result = result * grown
        top = higher
        warp.copy(values, slot.v)
        warp.gemm(result, weights.to(kind), values)
    warp.copy(Y[ds(row, ROWS), ds(0, head)], where(total > 0.0, result / total, 0.0).to(kind))
    warp.copy(L[ds(row, ROWS)], ((top + log2(total)) * (1.0 / LOG2_E))[:, 0:1])


@kernel(threads=threads, grid=grid)
def attention(
    Q: Annotated[Tensor, Global("kind", ("B", "H", "M", "D"))],
    K: Annotated[Tensor, Global("kind", ("B", "G", "N", "D"))],
    V: Annotated[Tensor, Global("kind", ("B", "G", "N", "D"))],
    Y: Annotated[Tensor, Global("kind", ("B", "H", "M", "D"))],
    L: Annotated[Tensor, Global(f32, ("B", "H", "M"))],
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 64,
    step: int = 64,
    warps: int = 4,
    causal: bool = False,
) -> None:
    """Y[b, h] = softmax(Q[b, h] K[b, g]^T * scale) V[b, g], heads of D <= `head`; H / G heads share keys and values.

    With `causal`, the last query sees the last key, the one before it one less.  L is the logarithm of each query's
    sum of exponentials, which the way back (`attention_backward_q`, `attention_backward_kv`) needs.
    """
    h, b = block_id(1), block_id(2)
    g = h // (Q.shape[1] // K.shape[1])
    first = block_id(0) * (ROWS * warps)
    attend(Q[b, h], K[b, g], V[b, g], Y[b, h], L[b, h], first, scale, kind, head, step, warps, causal)


def packed_grid(H: int, T: int, S: int, warps: int) -> tuple[int, int]:
    """Each sequence has at most one block that is not full."""
    return cdiv(T, ROWS * warps) + S, H


@kernel(threads=threads, grid=packed_grid)
def packed_attention(
    Q: Annotated[Tensor, Global("kind", ("H", "T", "D"))],
    K: Annotated[Tensor, Global("kind", ("G", "U", "D"))],
    V: Annotated[Tensor, Global("kind", ("G", "U", "D"))],
    Y: Annotated[Tensor, Global("kind", ("H", "T", "D"))],
    L: Annotated[Tensor, Global(f32, ("H", "T"))],
    queries: Annotated[Tensor, Global(i32, ("S",))],
    keys: Annotated[Tensor, Global(i32, ("S",))],
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 64,
    step: int = 64,
    warps: int = 4,
    causal: bool = False,
) -> None:
    """`attention` of S sequences of any lengths, one behind the other: `queries` and `keys` say where each one ends."""
    h = block_id(1)
    g = h // (Q.shape[0] // K.shape[0])
    s, row, stop = find(queries, block_id(0), ROWS * warps)
    if row < stop:
        start, before = (ends[s - 1] if s > 0 else 0 for ends in (queries, keys))
        k, v = (x[g].rows(before, keys[s]) for x in (K, V))
        q, y, norm = (x[h].rows(start, stop) for x in (Q, Y, L))
        attend(q, k, v, y, norm, row - start, scale, kind, head, step, warps, causal)
