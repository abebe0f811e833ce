"""Attention of a block's queries on Hopper: the softmax of one tile of keys is computed while the tensor cores add up
the values of the one before, in the registers that the scores are in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.tile import (
    Buffer,
    Tensor,
    coordinates,
    cta,
    ds,
    exp2,
    f32,
    full,
    function,
    log2,
    loop,
    max,
    maximum,
    minimum,
    pipeline,
    role,
    sum,
    tile,
    warpgroup,
    wgmma_layout,
    where,
    zeros,
)
from weft.tile.kernels.attended import LOWEST, OUT, ROWS, Attended
from weft.tile.kernels.constants import LOG2_E

GROUPS = 2
"""Warpgroups, of 64 queries each."""


def softmax(scores: Buffer, top: Buffer, row: Any, left: Any, factor: Any, causal: bool) -> tuple[Buffer, ...]:
    """Weights of a tile of scores, the rows' new maxima, and what sums so far are worth under them."""
    seen = minimum(coordinates(top, 0) + (row + 1), left) if causal else left
    scores = where(coordinates(scores, 1) < seen, scores, LOWEST)
    higher = maximum(top, max(scores, 1, keepdims=True))
    scaled = where(higher > LOWEST, higher, 0.0) * factor
    return exp2(scores * factor - scaled, flush=True), higher, exp2(top * factor - scaled)


@function
def attend(of: Attended, Q: Tensor, K: Tensor, V: Tensor, Y: Tensor, norms: Callable[[], Tensor]) -> None:
    """The roles: Q, K, V are whole heads, Y and what `norms` gives (L, asked for at the end) those of the sequence."""
    kind, head, step = of.kind, of.head, of.step
    queries = pipeline(1, q=tile(kind, ROWS, head))
    keys = pipeline(2, k=tile(kind, step, head))
    values = pipeline(2, v=tile(kind, step, head))
    out = pipeline(2, y=tile(kind, ROWS, OUT), kind="store")

    with role(warps=1, registers=24):
        with queries.fill() as slot:
            cta.copy_async(slot, Q[ds(of.start + of.first, ROWS), ds(0, head)])
        for j in loop(of.steps):
            with keys.fill() as slot:
                cta.copy_async(slot, K[ds(of.before + j * step, step), ds(0, head)])
            with values.fill() as slot:
                cta.copy_async(slot, V[ds(of.before + j * step, step), ds(0, head)])

    with role(warpgroups=GROUPS, registers=240) as group:
        each = ROWS // GROUPS
        mine = ds(group * each, each)
        factor, row = of.scale * LOG2_E, of.first + group * each + of.behind
        result = zeros((each, head), f32, wgmma_layout("d", (each, head)))
        lowest = max(full((each, step), LOWEST, f32, wgmma_layout("d", (each, step))), 1, keepdims=True)

        q = queries.take()[mine, :]
        scores = warpgroup.gemm_async(None, q, keys.take().transpose())
        warpgroup.wait(0)
        keys.release()
        weights, top, _ = softmax(scores, lowest, row, of.N, factor, of.causal)
        total = sum(weights, 1, keepdims=True)
        p = weights.to(kind)
        for j in loop(1, of.steps):
            ahead = warpgroup.gemm_async(None, q, keys.take().transpose())
            warpgroup.gemm_async(result, p, values.take())
            warpgroup.wait(1)
            keys.release()
            weights, top, grown = softmax(ahead, top, row - j * step, of.N - j * step, factor, of.causal)
            total = total * grown + sum(weights, 1, keepdims=True)
            warpgroup.wait(0)
            values.release()
            result, p = result * grown, weights.to(kind)
        warpgroup.gemm_async(result, p, values.take())
        warpgroup.wait(0)
        queries.release()
        values.release()
        warpgroup.copy(
            norms()[ds(of.first + group * each, each)], (top * of.scale + log2(total) * (1 / LOG2_E))[:, 0:1]
        )
        result = result * where(total > 0.0, 1 / total, 0.0)
        for column in range(0, head, OUT):
            with out.fill() as slot:
                warpgroup.copy(slot.y[mine, :], result[:, ds(column, OUT)].to(kind))
                cta.copy_async(Y[ds(of.first, ROWS), ds(column, OUT)], slot)
