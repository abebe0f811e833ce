"""Attention on Hopper, softmax(Q K^T * scale) V, causal or not: heads of 64 or 128, grouped queries, any lengths.

A warp brings tiles of Q, K and V by TMA.  Each of two warpgroups has 64 rows of Q: while the tensor cores add up the
values of one tile of keys, it computes the softmax of the next one, in the registers that the scores are in.
"""

import weft
from weft.tile import Global, block_id, cdiv, coordinates, cta, ds, exp2, f16, f32, full, loop, max, maximum, minimum
from weft.tile import pipeline, role, sum, tile, warpgroup, wgmma_layout, where, zeros

GROUPS, ROWS = 2, 64
LOG2_E = 1.4426950408889634
LOWEST = -1.0e30


def softmax(scores, top, row, left, factor, causal):
    """Weights of a tile of scores, the rows' new maxima, and what sums so far are worth under them."""
    seen = minimum(coordinates(top, 0) + (row + 1), left) if causal else left
    scores = where(coordinates(scores, 1) < seen, scores, LOWEST)
    higher = maximum(top, max(scores, 1, keepdims=True))
    scaled = higher * factor
    return exp2(scores * factor - scaled, flush=True), higher, exp2(top * factor - scaled)


@weft.kernel(grid=lambda B, H, M: (cdiv(M, GROUPS * ROWS), H, B))
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
    queries = pipeline(1, q=tile(f16, GROUPS * ROWS, head))
    keys = pipeline(2, k=tile(f16, step, head))
    values = pipeline(2, v=tile(f16, step, head))
    out = pipeline(1, o=tile(f16, GROUPS * ROWS, head), kind="store")
    first, h, b = block_id(0) * (GROUPS * ROWS), block_id(1), block_id(2)
    N = K.shape[2]
    shared_head = h // (Q.shape[1] // K.shape[1])
    behind = N - Q.shape[2]  # the last query sees the last key
    steps = cdiv(N, step)
    if causal:
        steps = minimum(steps, cdiv(maximum(first + GROUPS * ROWS + behind, 1), step))

    with role(warps=1, registers=24):
        with queries.fill() as slot:
            cta.copy_async(slot, Q[b, h, ds(first, GROUPS * ROWS), ds(0, head)])
        for j in loop(steps):
            with keys.fill() as slot:
                cta.copy_async(slot, K[b, shared_head, ds(j * step, step), ds(0, head)])
            with values.fill() as slot:
                cta.copy_async(slot, V[b, shared_head, ds(j * step, step), ds(0, head)])

    with role(warpgroups=GROUPS, registers=240) as group:
        factor, row = scale * LOG2_E, first + group * ROWS + behind
        scores_layout = wgmma_layout("d", (ROWS, step))
        result = zeros((ROWS, head), f32, wgmma_layout("d", (ROWS, head)))
        lowest = max(full((ROWS, step), LOWEST, f32, scores_layout), 1, keepdims=True)

        q = queries.take()[ds(group * ROWS, ROWS), :]
        scores = warpgroup.gemm_async(None, q, keys.take().transpose())
        warpgroup.wait(0)
        keys.release()
        weights, top, _ = softmax(scores, lowest, row, N, factor, causal)
        total = sum(weights, 1, keepdims=True)
        p = weights.to(f16)
        for j in loop(1, steps):
            ahead = warpgroup.gemm_async(None, q, keys.take().transpose())
            warpgroup.gemm_async(result, p, values.take())
            warpgroup.wait(1)
            keys.release()
            weights, top, grown = softmax(ahead, top, row - j * step, N - j * step, factor, causal)
            total = total * grown + sum(weights, 1, keepdims=True)
            warpgroup.wait(0)
            values.release()
            result, p = result * grown, weights.to(f16)
        warpgroup.gemm_async(result, p, values.take())
        warpgroup.wait(0)
        queries.release()
        values.release()
        with out.fill() as slot:
            warpgroup.copy(slot.o[ds(group * ROWS, ROWS), :], (result * (1 / total)).to(f16))
            cta.copy_async(O[b, h, ds(first, GROUPS * ROWS), ds(0, head)], slot)
