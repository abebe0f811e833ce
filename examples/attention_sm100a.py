"""Attention on Blackwell (sm_100a), softmax(Q K^T * scale) V, causal or not: grouped queries, heads of up to 128, any
lengths.

Scores, weights and products with values are in tensor memory.  A warp brings tiles of Q, K and V, one starts products,
and a warpgroup has a row of scores in each thread: it reads them in pieces, twice, and never talks to other threads.
"""

import weft
from weft.tile import Global, block_id, cdiv, coordinates, cta, ds, exp2, f16, f32, full, function, loop, max
from weft.tile import maximum, minimum, pipeline, register, role, sum, tensor_layout, tensor_memory, tile, warpgroup
from weft.tile import where, zeros

ROWS, PART = 128, 32
LOG2_E = 1.4426950408889634
LOWEST = -1.0e30


@function
def scores_of(slot, column, seen, whole):
    """Some columns of a tile of scores; where the rows do not see the whole tile, what they do not see is lowest."""
    part = register((ROWS, PART), f32, tensor_layout((ROWS, PART)))
    warpgroup.copy(part, slot.s[:, ds(column, PART)])
    if not whole:
        part = where(coordinates(part, 1) + column < seen, part, LOWEST)
    return part


def weigh(scores, weights, step, top, total, seen, whole, factor):
    """Write the weights of a tile of scores: the rows' new maxima and sums, what older sums are worth under them."""
    with scores.take() as slot, weights.fill() as written:
        higher = top
        for column in range(0, step, PART):
            higher = maximum(higher, max(scores_of(slot, column, seen, whole), 1, keepdims=True))
        scaled = higher * factor
        grown = exp2(top * factor - scaled)
        total = total * grown
        for column in range(0, step, PART):
            part = exp2(scores_of(slot, column, seen, whole) * factor - scaled, flush=True)
            total = total + sum(part, 1, keepdims=True)
            warpgroup.copy(written.p[:, ds(column, PART)], part.to(f16))
    return higher, total, grown


def add(result, products, head, grown):
    """Add a tile of keys' part, and bring the result to the new maxima."""
    with products.take() as slot:
        for column in range(0, head, PART):
            part = register((ROWS, PART), f32, tensor_layout((ROWS, PART)))
            warpgroup.copy(part, slot.o[:, ds(column, PART)])
            warpgroup.copy(result[:, ds(column, PART)], (result[:, ds(column, PART)] + part) * grown)


@weft.kernel(grid=lambda B, H, M: (cdiv(M, ROWS), H, B))
def attention(
    Q: Global(f16, ("B", "H", "M", "D")),
    K: Global(f16, ("B", "G", "N", "D")),
    V: Global(f16, ("B", "G", "N", "D")),
    O: Global(f16, ("B", "H", "M", "D")),
    scale: f32,
    *,
    head: int = 128,
    step: int = 128,
    causal: bool = False,
):
    queries = pipeline(1, q=tile(f16, ROWS, head))
    keys = pipeline(2, k=tile(f16, step, head))
    values = pipeline(2, v=tile(f16, step, head))
    scores = pipeline(2, s=tensor_memory((2, ROWS, step), f32))
    weights = pipeline(1, p=tensor_memory((1, ROWS, step), f16))
    products = pipeline(1, o=tensor_memory((1, ROWS, head), f32))
    out = pipeline(1, o=tile(f16, ROWS, head), kind="store")
    first, h, b = block_id(0) * ROWS, block_id(1), block_id(2)
    N = K.shape[2]
    shared_head = h // (Q.shape[1] // K.shape[1])
    behind = N - Q.shape[2]  # the last query sees the last key
    steps = cdiv(N, step)
    if causal:
        steps = minimum(steps, cdiv(maximum(first + ROWS + behind, 1), step))

    with role(warps=1):
        with queries.fill() as slot:
            cta.copy_async(slot, Q[b, h, ds(first, ROWS), ds(0, head)])
        for j in loop(steps):
            with keys.fill() as slot:
                cta.copy_async(slot, K[b, shared_head, ds(j * step, step), ds(0, head)])
            with values.fill() as slot:
                cta.copy_async(slot, V[b, shared_head, ds(j * step, step), ds(0, head)])

    with role(warps=1), queries.take() as q:
        with scores.fill() as t, keys.take() as k:
            cta.gemm_async(t.s, q.q, k.k.transpose(), add=False)
        for _ in loop(1, steps):
            with scores.fill() as t, keys.take() as k:
                cta.gemm_async(t.s, q.q, k.k.transpose(), add=False)
            with products.fill() as t, weights.take() as w, values.take() as v:
                cta.gemm_async(t.o, w.p, v.v, add=False)
        with products.fill() as t, weights.take() as w, values.take() as v:
            cta.gemm_async(t.o, w.p, v.v, add=False)

    with role(warpgroups=1):
        factor, row = scale * LOG2_E, first + behind + 1
        result = zeros((ROWS, head), f32, tensor_layout((ROWS, head)))
        top = max(full((ROWS, PART), LOWEST, f32, tensor_layout((ROWS, PART))), 1, keepdims=True)
        total = top * 0.0
        last, least = (minimum(coordinates(top, 0) + row, N), minimum(row, N)) if causal else (N, N)
        top, total, _ = weigh(scores, weights, step, top, total, last, step <= least, factor)
        for j in loop(1, steps):
            whole = (j + 1) * step <= least
            top, total, grown = weigh(scores, weights, step, top, total, last - j * step, whole, factor)
            add(result, products, head, grown)
        add(result, products, head, 1 / total)
        with out.fill() as slot:
            warpgroup.copy(slot.o, result.to(f16))
            cta.copy_async(O[b, h, ds(first, ROWS), ds(0, head)], slot)
