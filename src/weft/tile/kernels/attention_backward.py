"""The gradients of `attention`, without writing the scores: of the queries first, of the keys and values then.

Both compute the weights P = exp(Q K^T * scale - L) again, tile by tile, from the L that `attention` keeps.  With
D = sum(dY * Y) of each query, dS = P * (dY V^T - D) * scale, and dQ = dS K, dK = dS^T Q, dV = P^T dY.  A block of the
first kernel keeps queries and runs through keys; one of the second keeps keys, with the scores transposed, and runs
through the queries of all heads that share them: so each gradient is summed by one warp, in one order.
"""

from __future__ import annotations

from collections.abc import Callable
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
    function,
    i32,
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
from weft.tile.kernels.attention import ROWS, grid, packed_grid
from weft.tile.kernels.constants import LOG2_E
from weft.tile.kernels.grouped import find
from weft.tile.kernels.rows import threads
from weft.tile.layouts import mma_layout

Queries = Annotated[Tensor, Global("kind", ("B", "H", "M", "D"))]
Keys = Annotated[Tensor, Global("kind", ("B", "G", "N", "D"))]
PerQuery = Annotated[Tensor, Global(f32, ("B", "H", "M"))]
PackedQueries = Annotated[Tensor, Global("kind", ("H", "T", "D"))]
PackedKeys = Annotated[Tensor, Global("kind", ("G", "U", "D"))]
PerPackedQuery = Annotated[Tensor, Global(f32, ("H", "T"))]
Ends = Annotated[Tensor, Global(i32, ("S",))]


@function
def of_queries(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    Y: Tensor,
    L: Tensor,
    dY: Tensor,
    dQ: Tensor,
    delta: Tensor,
    first: Any,
    scale: Scalar,
    kind: DType,
    head: int,
    step: int,
    warps: int,
    causal: bool,
) -> None:
    """The gradients of the block's queries of a head, from `first` on: Q and its like are M x D, K and V are N x D."""
    M, N = Q.shape[0], K.shape[0]
    row, behind = first + warp_id() * ROWS, N - M

    mine = ds(row, ROWS), ds(0, head)
    q, d, y = (register((ROWS, head), kind, mma_layout("a", (ROWS, head), kind)) for _ in range(3))
    warp.copy(q, Q[mine])
    warp.copy(d, dY[mine])
    warp.copy(y, Y[mine])
    down = register((head, step), kind, mma_layout("b", (head, step), kind))
    across = register((step, head), kind, mma_layout("b", (step, head), kind))
    scores_layout = mma_layout("d", (ROWS, step), kind)
    result = zeros((ROWS, head), f32, mma_layout("d", (ROWS, head), kind))
    norm, drop = along(result, 0, f32), along(result, 0, f32)
    warp.copy(norm, L[ds(row, ROWS)])
    warp.copy(drop, sum(d.to(f32) * y.to(f32), 1, keepdims=True))
    warp.copy(delta[ds(row, ROWS)], drop)

    def bring(slot: Any, j: Any) -> None:
        cta.copy_async(slot.k, K[ds(j * step, step), ds(0, head)])
        cta.copy_async(slot.v, V[ds(j * step, step), ds(0, head)])

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
    warp.copy(dQ[mine], result.to(kind))


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
    h, b = block_id(1), block_id(2)
    g = h // (Q.shape[1] // K.shape[1])
    first = block_id(0) * (ROWS * warps)
    q, y, norm, d, dq, drop = (x[b, h] for x in (Q, Y, L, dY, dQ, delta))
    of_queries(q, K[b, g], V[b, g], y, norm, d, dq, drop, first, scale, kind, head, step, warps, causal)


@kernel(threads=threads, grid=packed_grid)
def packed_attention_backward_q(
    Q: PackedQueries,
    K: PackedKeys,
    V: PackedKeys,
    Y: PackedQueries,
    L: PerPackedQuery,
    dY: PackedQueries,
    dQ: PackedQueries,
    delta: PerPackedQuery,
    queries: Ends,
    keys: Ends,
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 64,
    step: int = 64,
    warps: int = 4,
    causal: bool = False,
) -> None:
    """`attention_backward_q` of S sequences, one behind the other: `queries` and `keys` say where each one ends."""
    h = block_id(1)
    g = h // (Q.shape[0] // K.shape[0])
    s, row, stop = find(queries, block_id(0), ROWS * warps)
    if row < stop:
        start, before = (ends[s - 1] if s > 0 else 0 for ends in (queries, keys))
        k, v = (x[g].rows(before, keys[s]) for x in (K, V))
        q, y, norm, d, dq, drop = (x[h].rows(start, stop) for x in (Q, Y, L, dY, dQ, delta))
        of_queries(q, k, v, y, norm, d, dq, drop, row - start, scale, kind, head, step, warps, causal)


@function
def of_keys(
    queries: Callable[[Any], tuple[Tensor, ...]],
    sharing: Any,
    M: Any,
    K: Tensor,
    V: Tensor,
    dK: Tensor,
    dV: Tensor,
    first: Any,
    scale: Scalar,
    kind: DType,
    head: int,
    step: int,
    warps: int,
    causal: bool,
) -> None:
    """The gradients of the block's keys and values, from `first` on, N x D each; `queries` gives Q, L, dY and delta of
    each of the `sharing` heads that share them, of M queries.
    """
    N = K.shape[0]
    row, behind = first + warp_id() * ROWS, N - M

    mine = ds(row, ROWS), ds(0, head)
    k, v = (register((ROWS, head), kind, mma_layout("a", (ROWS, head), kind)) for _ in range(2))
    warp.copy(k, K[mine])
    warp.copy(v, V[mine])
    down = register((head, step), kind, mma_layout("b", (head, step), kind))
    across = register((step, head), kind, mma_layout("b", (step, head), kind))
    scores_layout = mma_layout("d", (ROWS, step), kind)
    keys, values = (zeros((ROWS, head), f32, mma_layout("d", (ROWS, head), kind)) for _ in range(2))
    skipped = maximum(first - behind, 0) // step if causal else 0
    tiles = maximum(cdiv(M, step) - skipped, 1)  # one of no queries at least
    turns = tiles * sharing

    def bring(slot: Any, turn: Any) -> None:
        turn = minimum(turn, turns - 1)  # the ring runs ahead, and there is no head after the last
        q, _, d, _ = queries(turn // tiles)
        part = ds((skipped + turn % tiles) * step, step), ds(0, head)
        cta.copy_async(slot.q, q[part])
        cta.copy_async(slot.d, d[part])

    ring = staged(2, q=tile(kind, step, head), d=tile(kind, step, head))
    for turn, slot in ring.loop(turns, bring):
        start = (skipped + turn % tiles) * step
        _, L, _, delta = queries(turn // tiles)
        scores, change = (zeros((ROWS, step), f32, scores_layout) for _ in range(2))
        norm, drop = along(scores, 1, f32), along(scores, 1, f32)
        warp.copy(norm, L[ds(start, step)])
        warp.copy(drop, delta[ds(start, step)])
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
    warp.copy(dK[mine], keys.to(kind))
    warp.copy(dV[mine], values.to(kind))


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
    g, b = block_id(1), block_id(2)
    sharing, first = Q.shape[1] // K.shape[1], block_id(0) * (ROWS * warps)

    def queries(number: Any) -> tuple[Tensor, ...]:
        h = g * sharing + number
        return Q[b, h], L[b, h], dY[b, h], delta[b, h]

    k, v, dk, dv = (x[b, g] for x in (K, V, dK, dV))
    of_keys(queries, sharing, Q.shape[2], k, v, dk, dv, first, scale, kind, head, step, warps, causal)


def _grid_of_packed_keys(G: int, U: int, S: int, warps: int) -> tuple[int, int]:
    return packed_grid(G, U, S, warps)


@kernel(threads=threads, grid=_grid_of_packed_keys)
def packed_attention_backward_kv(
    Q: PackedQueries,
    K: PackedKeys,
    V: PackedKeys,
    L: PerPackedQuery,
    dY: PackedQueries,
    delta: PerPackedQuery,
    dK: PackedKeys,
    dV: PackedKeys,
    queries: Ends,
    keys: Ends,
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 64,
    step: int = 32,
    warps: int = 4,
    causal: bool = False,
) -> None:
    """`attention_backward_kv` of S sequences, one behind the other: `queries` and `keys` say where each one ends."""
    g, sharing = block_id(1), Q.shape[0] // K.shape[0]
    s, row, stop = find(keys, block_id(0), ROWS * warps)
    if row < stop:
        start, before = (ends[s - 1] if s > 0 else 0 for ends in (queries, keys))
        end = queries[s]

        def of_head(number: Any) -> tuple[Tensor, ...]:
            return tuple(x[g * sharing + number].rows(start, end) for x in (Q, L, dY, delta))

        k, v, dk, dv = (x[g].rows(before, stop) for x in (K, V, dK, dV))
        first, M = row - before, end - start
        of_keys(of_head, sharing, M, k, v, dk, dv, first, scale, kind, head, step, warps, causal)
