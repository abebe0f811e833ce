"""The gradients of `attention`, without writing the scores: of the queries first, of the keys and values then.

Both compute the weights P = exp(Q K^T * scale - L) again, tile by tile, from the L that `attention` keeps.  With
D = sum(dY * Y) of each query, dS = P * (dY V^T - D) * scale, and dQ = dS K, dK = dS^T Q, dV = P^T dY.  A block of the
first kernel keeps queries and runs through keys; one of the second keeps keys, with the scores transposed, and runs
through the queries of all heads that share them: so each gradient is summed by one warp, in one order.
"""

from __future__ import annotations

from typing import Annotated, Any

from weft.tile import (
    DType,
    Global,
    Scalar,
    Tensor,
    along,
    block_id,
    cdiv,
    coordinates,
    cta,
    ds,
    exp2,
    f16,
    f32,
    kernel,
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
from weft.tile.kernels.attention import ROWS, grid
from weft.tile.kernels.constants import LOG2_E
from weft.tile.kernels.rows import threads
from weft.tile.layouts import mma_layout

Queries = Annotated[Tensor, Global("kind", ("B", "H", "M", "D"))]
Keys = Annotated[Tensor, Global("kind", ("B", "G", "N", "D"))]
PerQuery = Annotated[Tensor, Global(f32, ("B", "H", "M"))]


@kernel(threads=threads, grid=grid)
def attention_backward_q(
    Q: Queries,
    K: Keys,
    V: Keys,
    Y: Queries,
    L: PerQuery,
    dY: Queries,
    dQ: Queries,
    delta: PerQuery,
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 64,
    step: int = 64,
    warps: int = 4,
    causal: bool = False,
) -> None:
    """dQ, and delta = sum(dY * Y) of each query, for `attention_backward_kv`; options as for `attention`."""
    M, N = Q.shape[2], K.shape[2]
    h, b = block_id(1), block_id(2)
    g = h // (Q.shape[1] // K.shape[1])
    first = block_id(0) * (ROWS * warps)
    row, behind = first + warp_id() * ROWS, N - M

    mine = ds(row, ROWS), ds(0, head)
    q, d, y = (register((ROWS, head), kind, mma_layout("a", (ROWS, head), kind)) for _ in range(3))
    warp.copy(q, Q[b, h, *mine])
    warp.copy(d, dY[b, h, *mine])
    warp.copy(y, Y[b, h, *mine])
    down = register((head, step), kind, mma_layout("b", (head, step), kind))
    across = register((step, head), kind, mma_layout("b", (step, head), kind))
    scores_layout = mma_layout("d", (ROWS, step), kind)
    result = zeros((ROWS, head), f32, mma_layout("d", (ROWS, head), kind))
    norm, drop = along(result, 0, f32), along(result, 0, f32)
    warp.copy(norm, L[b, h, ds(row, ROWS)])
    warp.copy(drop, sum(d.to(f32) * y.to(f32), 1, keepdims=True))
    warp.copy(delta[b, h, ds(row, ROWS)], drop)

    def bring(slot: Any, j: Any) -> None:
        cta.copy_async(slot.k, K[b, g, ds(j * step, step), ds(0, head)])
        cta.copy_async(slot.v, V[b, g, ds(j * step, step), ds(0, head)])

    ring = staged(2, k=tile(kind, step, head), v=tile(kind, step, head))
    stop = minimum(N, maximum(first + ROWS * warps + behind, 0)) if causal else N
    for j, slot in ring.loop(cdiv(stop, step), bring):
        scores, change = (zeros((ROWS, step), f32, scores_layout) for _ in range(2))
        warp.copy(down, slot.k.transpose())
        warp.gemm(scores, q, down)
        warp.copy(down, slot.v.transpose())
        warp.gemm(change, d, down)
        seen = N - j * step
        if causal:
            seen = minimum(coordinates(scores, 0) + (row + behind + 1 - j * step), seen)
        weights = exp2(scores * (scale * LOG2_E) - norm * LOG2_E)
        weights = where(coordinates(scores, 1) < seen, weights, 0.0)
        warp.copy(across, slot.k)
        warp.gemm(result, (weights * (change - drop) * scale).to(kind), across)
    warp.copy(dQ[b, h, *mine], result.to(kind))


def _grid_of_keys(B: int, G: int, N: int, warps: int) -> tuple[int, int, int]:
    return cdiv(N, ROWS * warps), G, B


@kernel(threads=threads, grid=_grid_of_keys)
def attention_backward_kv(
    Q: Queries,
    K: Keys,
    V: Keys,
    L: PerQuery,
    dY: Queries,
    delta: PerQuery,
    dK: Keys,
    dV: Keys,
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 64,
    step: int = 32,
    warps: int = 4,
    causal: bool = False,
) -> None:
    """dK and dV, from the delta of `attention_backward_q`; options as for `attention`."""
    M, N = Q.shape[2], K.shape[2]
    g, b = block_id(1), block_id(2)
    sharing = Q.shape[1] // K.shape[1]
    first = block_id(0) * (ROWS * warps)
    row, behind = first + warp_id() * ROWS, N - M

    mine = ds(row, ROWS), ds(0, head)
    k, v = (register((ROWS, head), kind, mma_layout("a", (ROWS, head), kind)) for _ in range(2))
    warp.copy(k, K[b, g, *mine])
    warp.copy(v, V[b, g, *mine])
    down = register((head, step), kind, mma_layout("b", (head, step), kind))
    across = register((step, head), kind, mma_layout("b", (step, head), kind))
    scores_layout = mma_layout("d", (ROWS, step), kind)
    keys, values = (zeros((ROWS, head), f32, mma_layout("d", (ROWS, head), kind)) for _ in range(2))
    skipped = maximum(first - behind, 0) // step if causal else 0
    tiles = maximum(cdiv(M, step) - skipped, 1)  # one of no queries at least
    turns = tiles * sharing

    def bring(slot: Any, turn: Any) -> None:
        turn = minimum(turn, turns - 1)  # the ring runs ahead, and there is no head after the last
        part = g * sharing + turn // tiles, ds((skipped + turn % tiles) * step, step), ds(0, head)
        cta.copy_async(slot.q, Q[b, *part])
        cta.copy_async(slot.d, dY[b, *part])

    ring = staged(2, q=tile(kind, step, head), d=tile(kind, step, head))
    for turn, slot in ring.loop(turns, bring):
        h, start = g * sharing + turn // tiles, (skipped + turn % tiles) * step
        scores, change = (zeros((ROWS, step), f32, scores_layout) for _ in range(2))
        norm, drop = along(scores, 1, f32), along(scores, 1, f32)
        warp.copy(norm, L[b, h, ds(start, step)])
        warp.copy(drop, delta[b, h, ds(start, step)])
        warp.copy(down, slot.q.transpose())
        warp.gemm(scores, k, down)
        warp.copy(down, slot.d.transpose())
        warp.gemm(change, v, down)
        weights = exp2(scores * (scale * LOG2_E) - norm * LOG2_E)
        if causal:
            hidden = coordinates(scores, 0) + (row - behind - start)  # queries before this one do not see the key
            weights = where(coordinates(scores, 1) < hidden, 0.0, weights)
        warp.copy(across, slot.d)
        warp.gemm(values, weights.to(kind), across)
        warp.copy(across, slot.q)
        warp.gemm(keys, (weights * (change - drop) * scale).to(kind), across)
    warp.copy(dK[b, g, *mine], keys.to(kind))
    warp.copy(dV[b, g, *mine], values.to(kind))
