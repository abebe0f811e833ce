"""Gradients of attention on Blackwell: scores, changes of scores and gradients are in tensor memory.

A warp brings tiles, one starts products, the first ones of a tile before the last ones of the tile before it; two
warpgroups make weights of scores, half of a tile's columns each, a row a thread.  A block keeps 128 queries, or 128
keys; where heads are longer than 128, two blocks share the columns of the gradients of keys and values.
"""

from __future__ import annotations

from typing import Any

from weft.tile import (
    Buffer,
    Tensor,
    along,
    block_id,
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
    tensor_layout,
    tensor_memory,
    tile,
    warpgroup,
    where,
)
from weft.tile.kernels.attended import LOWEST, ROWS, UNSEEN, Attended, Heads
from weft.tile.kernels.constants import LOG2_E

GROUPS, OUT, COLUMNS = 2, 32, 512
"""Warpgroups, columns that are read and stored at a time, columns of tensor memory."""


def stages_of(head: int) -> int:
    """Slots of the ring of tiles, of which two are held at a time."""
    return 3 if head <= 128 else 2


def fragment(columns: int, kind: Any) -> Buffer:
    """Some columns of the block's rows, a row a thread."""
    return register((ROWS, columns), kind, tensor_layout((ROWS, columns)))


def read(source: Any, column: Any, columns: int) -> Buffer:
    """Some columns of tensor memory."""
    part = fragment(columns, f32)
    warpgroup.copy(part, source[:, ds(column, columns)])
    return part


@function
def store(result: Any, out: Any, to: Tensor, of: Attended, group: Any, width: int, right: Any) -> None:
    """Store a gradient in tensor memory, each warpgroup half of its columns."""
    half = width // GROUPS
    for at in range(0, half, OUT):
        with out.fill() as slot:
            warpgroup.copy(slot.x[group], read(result, group * half + at, OUT).to(of.kind))
            for number in range(GROUPS):
                cta.copy_async(to[ds(of.first, ROWS), ds(right + (number * half + at), OUT)], slot.x[number])


@function
def of_queries(of: Attended, whole: Heads, own: Heads, Y: Tensor, K: Tensor, V: Tensor, dQ: Tensor) -> None:
    """The roles that make dQ: the tensors of `whole`, K and V are whole heads, those of `own`, Y, dQ the sequence's."""
    kind, head, step, scale = of.kind, of.head, of.step, of.scale
    mine = pipeline(1, q=tile(kind, ROWS, head), d=tile(kind, ROWS, head))
    ring = pipeline(stages_of(head), k=tile(kind, step, head), v=tile(kind, step, head))
    scores = pipeline(2, s=tensor_memory((2, ROWS, step), f32))
    changes = pipeline(2, s=tensor_memory((2, ROWS, step), f32))
    slopes = pipeline(1, p=tensor_memory((1, ROWS, step), kind))
    result = pipeline(1, x=tensor_memory((1, ROWS, head), f32))
    out = pipeline(1, x=tile(kind, GROUPS, ROWS, OUT), kind="store")

    with role(warps=1):
        with mine.fill() as slot:
            cta.copy_async(slot.q, whole.Q[ds(of.start + of.first, ROWS), ds(0, head)])
            cta.copy_async(slot.d, whole.dy[ds(of.start + of.first, ROWS), ds(0, head)])
        for j in loop(of.steps):
            with ring.fill() as slot:
                cta.copy_async(slot.k, K[ds(of.before + j * step, step), ds(0, head)])
                cta.copy_async(slot.v, V[ds(of.before + j * step, step), ds(0, head)])

    with role(warps=1), mine.take() as m, result.fill() as sums:
        for j in loop(of.steps):
            slot = ring.take()
            with scores.fill() as t:
                cta.gemm_async(t.s, m.q, slot.k.transpose(), add=False)
            with changes.fill() as t:
                cta.gemm_async(t.s, m.d, slot.v.transpose(), add=False)
            if j > 0:
                with slopes.take() as w:
                    cta.gemm_async(sums.x, w.p, ring.oldest().k, add=j > 1)
                ring.release()
        with slopes.take() as w:
            cta.gemm_async(sums.x, w.p, ring.oldest().k, add=of.steps > 1)
        ring.release()

    with role(warpgroups=GROUPS) as group:
        half, rows = step // GROUPS, ds(of.first, ROWS)
        total = sum(fragment(OUT, f32) * 0.0, 1, keepdims=True)
        norm = total * 1.0
        warpgroup.copy(norm, own.L[rows])
        for column in range(0, head, OUT):
            d, y = fragment(OUT, kind), fragment(OUT, kind)
            warpgroup.copy(d, own.dy[rows, ds(column, OUT)])
            warpgroup.copy(y, Y[rows, ds(column, OUT)])
            total = total + sum(d.to(f32) * y.to(f32), 1, keepdims=True)
        if group == 0:
            warpgroup.copy(own.delta[rows], total)
        norm = where(norm > LOWEST, norm, 0.0) * LOG2_E
        for j in loop(of.steps):
            with scores.take() as t, changes.take() as c, slopes.fill() as w:
                part, change = (read(x.s, group * half, half) for x in (t, c))
                seen = of.N - j * step - group * half
                if of.causal:
                    row = of.first + of.behind + 1 - j * step - group * half
                    seen = minimum(coordinates(part, 0) + row, seen)
                weights = exp2(where(coordinates(part, 1) < seen, part * (scale * LOG2_E) - norm, LOWEST), flush=True)
                warpgroup.copy(w.p[:, ds(group * half, half)], (weights * (change - total) * scale).to(kind))
        with result.take() as sums:
            store(sums.x, out, dQ, of, group, head, 0)


def keys_of(_head: int) -> int:
    """The keys of a block."""
    return ROWS


def parts_of(head: int) -> int:
    """The blocks that share the columns of a gradient."""
    return 2 if head > 128 else 1


@function
def of_keys(of: Attended, sharing: Any, heads: Any, K: Tensor, V: Tensor, dK: Tensor, dV: Tensor) -> None:
    """The roles that make dK and dV, of the sequence, for keys from `first` on; K and V are whole heads, and `heads`
    gives each of the heads that share them, whole and of the sequence.
    """
    kind, head, step, scale = of.kind, of.head, of.step, of.scale
    parts = parts_of(head)
    width = head // parts
    right = block_id(0) % parts * width if parts > 1 else 0
    turns = 2 if 2 * width + 5 * step <= COLUMNS else 1
    mine = pipeline(1, k=tile(kind, ROWS, head), v=tile(kind, ROWS, head))
    ring = pipeline(stages_of(head), q=tile(kind, step, head), d=tile(kind, step, head))
    scores = pipeline(turns, s=tensor_memory((turns, ROWS, step), f32))
    changes = pipeline(turns, s=tensor_memory((turns, ROWS, step), f32))
    weighed = pipeline(1, p=tensor_memory((1, ROWS, step), kind))
    slopes = pipeline(1, p=tensor_memory((1, ROWS, step), kind))
    keys = pipeline(1, x=tensor_memory((1, ROWS, width), f32))
    values = pipeline(1, x=tensor_memory((1, ROWS, width), f32))
    out = pipeline(1, x=tile(kind, GROUPS, ROWS, OUT), kind="store")
    skipped, tiles = of.seeing
    steps = tiles * sharing

    with role(warps=1):
        with mine.fill() as slot:
            cta.copy_async(slot.k, K[ds(of.before + of.first, ROWS), ds(0, head)])
            cta.copy_async(slot.v, V[ds(of.before + of.first, ROWS), ds(0, head)])
        for number in loop(sharing):
            whole, _ = heads(number)
            for j in loop(skipped, skipped + tiles):
                part = ds(of.start + j * step, step), ds(0, head)
                with ring.fill() as slot:
                    cta.copy_async(slot.q, whole.Q[part])
                    cta.copy_async(slot.d, whole.dy[part])

    with role(warps=1), mine.take() as m, keys.fill() as dk, values.fill() as dv:
        for turn in loop(steps + 1):
            if turn < steps:
                slot = ring.take()
                with scores.fill() as t:
                    cta.gemm_async(t.s, m.k, slot.q.transpose(), add=False)
                with changes.fill() as t:
                    cta.gemm_async(t.s, m.v, slot.d.transpose(), add=False)
            if turn > 0:
                held = ring.oldest()
                with weighed.take() as w:
                    cta.gemm_async(dv.x, w.p, held.d[:, ds(right, width)], add=turn > 1)
                with slopes.take() as w:
                    cta.gemm_async(dk.x, w.p, held.q[:, ds(right, width)], add=turn > 1)
                ring.release()

    with role(warpgroups=GROUPS) as group:
        half = step // GROUPS
        for number in loop(sharing):
            _, own = heads(number)
            for j in loop(skipped, skipped + tiles):
                start = j * step + group * half
                norm, drop = (along(fragment(half, f32), 1, f32) for _ in range(2))
                warpgroup.copy(norm, own.L[ds(start, half)])
                warpgroup.copy(drop, own.delta[ds(start, half)])
                with scores.take() as t, changes.take() as c, weighed.fill() as p, slopes.fill() as w:
                    part, change = (read(x.s, group * half, half) for x in (t, c))
                    norm = where(coordinates(norm, 1) < of.M - start, norm, UNSEEN)
                    weights = exp2(part * (scale * LOG2_E) - norm * LOG2_E, flush=True)
                    if of.causal:
                        hidden = coordinates(part, 0) + (of.first - of.behind - start)  # queries before do not see it
                        weights = where(coordinates(part, 1) < hidden, 0.0, weights)
                    warpgroup.copy(p.p[:, ds(group * half, half)], weights.to(kind))
                    warpgroup.copy(w.p[:, ds(group * half, half)], (weights * (change - drop) * scale).to(kind))
        for sums, to in ((keys, dK), (values, dV)):
            with sums.take() as t:
                store(t.x, out, to, of, group, width, right)
