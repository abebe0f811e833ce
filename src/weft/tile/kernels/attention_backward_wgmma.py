"""Gradients of attention on Hopper: two warpgroups keep queries (or keys), and multiply the others with them.

Weights and changes of scores are left operands in the registers that the scores came in.  Where heads are longer than
128, the warpgroups that keep keys have the same ones, and half the columns of the gradients each.
"""

from __future__ import annotations

from typing import Any

from weft.tile import (
    Tensor,
    along,
    coordinates,
    cta,
    ds,
    exp2,
    f32,
    function,
    loop,
    minimum,
    pipeline,
    register,
    role,
    sum,
    tile,
    warpgroup,
    wgmma_layout,
    where,
    zeros,
)
from weft.tile.kernels.attended import OUT, ROWS, UNSEEN, Attended, Heads
from weft.tile.kernels.constants import LOG2_E

GROUPS, EACH = 2, 64
"""Warpgroups, and the rows of each."""


@function
def of_queries(of: Attended, whole: Heads, own: Heads, Y: Tensor, K: Tensor, V: Tensor, dQ: Tensor) -> None:
    """The roles that make dQ: the tensors of `whole`, K and V are whole heads, those of `own`, Y, dQ the sequence's."""
    kind, head, step, scale = of.kind, of.head, of.step, of.scale
    mine = pipeline(1, q=tile(kind, ROWS, head), d=tile(kind, ROWS, head))
    ring = pipeline(2, k=tile(kind, step, head), v=tile(kind, step, head))
    out = pipeline(1, y=tile(kind, ROWS, OUT), kind="store")

    with role(warps=1, registers=24):
        with mine.fill() as slot:
            cta.copy_async(slot.q, whole.Q[ds(of.start + of.first, ROWS), ds(0, head)])
            cta.copy_async(slot.d, whole.dy[ds(of.start + of.first, ROWS), ds(0, head)])
        for j in loop(of.steps):
            with ring.fill() as slot:
                cta.copy_async(slot.k, K[ds(of.before + j * step, step), ds(0, head)])
                cta.copy_async(slot.v, V[ds(of.before + j * step, step), ds(0, head)])

    with role(warpgroups=GROUPS, registers=240) as group:
        part = ds(group * EACH, EACH)
        rows = ds(of.first + group * EACH, EACH)
        result = zeros((EACH, head), f32, wgmma_layout("d", (EACH, head)))
        norm, drop = along(result, 0, f32), along(result, 0, f32)
        warpgroup.copy(norm, own.L[rows])
        total = sum(zeros((EACH, OUT), f32, wgmma_layout("d", (EACH, OUT))), 1, keepdims=True)
        for column in range(0, head, OUT):
            d, y = (register((EACH, OUT), kind, wgmma_layout("d", (EACH, OUT))) for _ in range(2))
            warpgroup.copy(d, own.dy[rows, ds(column, OUT)])
            warpgroup.copy(y, Y[rows, ds(column, OUT)])
            total = total + sum(d.to(f32) * y.to(f32), 1, keepdims=True)
        warpgroup.copy(drop, total)
        warpgroup.copy(own.delta[rows], drop)
        slot = mine.take()
        q, d = slot.q[part, :], slot.d[part, :]
        for j in loop(of.steps):
            slot = ring.take()
            scores = warpgroup.gemm_async(None, q, slot.k.transpose())
            change = warpgroup.gemm_async(None, d, slot.v.transpose())
            warpgroup.wait(0)
            seen = of.N - j * step
            if of.causal:
                row = of.first + group * EACH + of.behind + 1
                seen = minimum(coordinates(scores, 0) + (row - j * step), seen)
            weights = exp2(scores * (scale * LOG2_E) - norm * LOG2_E)
            weights = where(coordinates(scores, 1) < seen, weights, 0.0)
            warpgroup.gemm_async(result, (weights * (change - drop) * scale).to(kind), slot.k)
            warpgroup.wait(0)
            ring.release()
        mine.release()
        for column in range(0, head, OUT):
            with out.fill() as slot:
                warpgroup.copy(slot.y[part, :], result[:, ds(column, OUT)].to(kind))
                cta.copy_async(dQ[ds(of.first, ROWS), ds(column, OUT)], slot)


def keys_of(head: int) -> int:
    """The keys of a block: half where warpgroups share them."""
    return EACH if head > 128 else GROUPS * EACH


def parts_of(_head: int) -> int:
    """The blocks that share the columns of a gradient."""
    return 1


@function
def of_keys(of: Attended, sharing: Any, heads: Any, K: Tensor, V: Tensor, dK: Tensor, dV: Tensor) -> None:
    """The roles that make dK and dV, of the sequence, for keys from `first` on; K and V are whole heads, and `heads`
    gives each of the heads that share them, whole and of the sequence.
    """
    kind, head, step, scale = of.kind, of.head, of.step, of.scale
    rows = keys_of(head)
    parts = GROUPS * EACH // rows
    width = head // parts
    mine = pipeline(1, k=tile(kind, rows, head), v=tile(kind, rows, head))
    ring = pipeline(2, q=tile(kind, step, head), d=tile(kind, step, head))
    out = pipeline(1, x=tile(kind, GROUPS, EACH, 32), kind="store")
    skipped, tiles = of.seeing

    with role(warps=1, registers=24):
        with mine.fill() as slot:
            cta.copy_async(slot.k, K[ds(of.before + of.first, rows), ds(0, head)])
            cta.copy_async(slot.v, V[ds(of.before + of.first, rows), ds(0, head)])
        for number in loop(sharing):
            whole, _ = heads(number)
            for j in loop(skipped, skipped + tiles):
                part = ds(of.start + j * step, step), ds(0, head)
                with ring.fill() as slot:
                    cta.copy_async(slot.q, whole.Q[part])
                    cta.copy_async(slot.d, whole.dy[part])

    with role(warpgroups=GROUPS, registers=240) as group:
        row, column = (0, group * width) if parts > 1 else (group * EACH, 0)
        keys, values = (zeros((EACH, width), f32, wgmma_layout("d", (EACH, width))) for _ in range(2))
        slot = mine.take()
        k, v = slot.k[ds(row, EACH), :], slot.v[ds(row, EACH), :]
        for number in loop(sharing):
            _, own = heads(number)
            for j in loop(skipped, skipped + tiles):
                start = j * step
                slot = ring.take()
                scores = warpgroup.gemm_async(None, k, slot.q.transpose())
                change = warpgroup.gemm_async(None, v, slot.d.transpose())
                norm, drop = along(scores, 1, f32), along(scores, 1, f32)
                warpgroup.copy(norm, own.L[ds(start, step)])
                warpgroup.copy(drop, own.delta[ds(start, step)])
                norm = where(coordinates(norm, 1) < of.M - start, norm, UNSEEN)
                warpgroup.wait(0)
                weights = exp2(scores * (scale * LOG2_E) - norm * LOG2_E)
                if of.causal:
                    hidden = coordinates(scores, 0) + (
                        of.first + row - of.behind - start
                    )  # queries before do not see it
                    weights = where(coordinates(scores, 1) < hidden, 0.0, weights)
                warpgroup.gemm_async(values, weights.to(kind), slot.d[:, ds(column, width)])
                changed = (weights * (change - drop) * scale).to(kind)
                warpgroup.gemm_async(keys, changed, slot.q[:, ds(column, width)])
                warpgroup.wait(0)
                ring.release()
        mine.release()
        for gradient, to in ((keys, dK), (values, dV)):
            for at in range(0, width, 32):
                with out.fill() as slot:
                    warpgroup.copy(slot.x[group], gradient[:, ds(at, 32)].to(kind))
                    for number in range(GROUPS):
                        below, right = (0, number * width) if parts > 1 else (number * EACH, 0)
                        cta.copy_async(to[ds(of.first + below, EACH), ds(right + at, 32)], slot.x[number])
