"""Attention, softmax(Q K^T * scale) V, without ever writing the scores: heads of 64, f16, any number of rows.

A block has four warps of 16 rows of Q each.  K and V come to shared memory a tile at a time; the scores of a tile
stay in the registers that `mma.sync` leaves them in, which are the ones that it takes the weights from.  The sums of
a row are corrected whenever its maximum grows.
"""

import weft
from weft.tile import (
    Global, block_id, cdiv, commit, convert, coordinates, cta, exp2, f16, f32, full, loop, max, maximum, register,
    shared, sum, wait, warp, warp_id, where, zeros,
)  # fmt: skip
from weft.tile.layouts import mma_layout, swizzled

HEAD, ROWS, WARPS = 64, 16, 4
LOG2_E = 1.4426950408889634
LOWEST = -1.0e30


@weft.kernel(threads=32 * WARPS, grid=lambda M: cdiv(M, ROWS * WARPS))
def attention(
    Q: Global(f16, ("M", HEAD)),
    K: Global(f16, ("N", HEAD)),
    V: Global(f16, ("N", HEAD)),
    O: Global(f16, ("M", HEAD)),
    scale: f32,
    *,
    step: int = 64,
):
    row = (block_id() * WARPS + warp_id()) * ROWS
    q = register((ROWS, HEAD), f16, mma_layout("a", (ROWS, HEAD), f16))
    warp.copy(q, Q[row : row + ROWS, :])

    k = shared((step, HEAD), f16, swizzled((step, HEAD), f16))
    v = shared((step, HEAD), f16, swizzled((step, HEAD), f16))
    keys = register((HEAD, step), f16, mma_layout("b", (HEAD, step), f16))
    values = register((step, HEAD), f16, mma_layout("b", (step, HEAD), f16))
    weights = register((ROWS, step), f16, mma_layout("a", (ROWS, step), f16))

    scores_layout = mma_layout("d", (ROWS, step), f16)
    result = zeros((ROWS, HEAD), f32, mma_layout("d", (ROWS, HEAD), f16))
    top = max(full((ROWS, step), LOWEST, f32, scores_layout), 1, keepdims=True)
    total = sum(zeros((ROWS, step), f32, scores_layout), 1, keepdims=True)

    for start in loop(0, K.shape[0], step):
        cta.copy_async(k, K[start : start + step, :])
        cta.copy_async(v, V[start : start + step, :])
        commit()
        wait(0)
        cta.sync()

        scores = zeros((ROWS, step), f32, scores_layout)
        warp.copy(keys, k.transpose())
        warp.gemm(scores, q, keys)
        inside = coordinates(scores, 1) < K.shape[0] - start
        scores = where(inside, scores * (scale * LOG2_E), LOWEST)

        higher = maximum(top, max(scores, 1, keepdims=True))
        grown = exp2(top - higher)
        scores = exp2(scores - higher)
        total = total * grown + sum(scores, 1, keepdims=True)
        result = result * grown
        top = higher

        warp.copy(weights, convert(scores, f16))
        warp.copy(values, v)
        warp.gemm(result, weights, values)
        cta.sync()

    warp.copy(O[row : row + ROWS, :], convert(result / total, f16))
