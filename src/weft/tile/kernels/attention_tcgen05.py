"""Attention of a block's queries on Blackwell: scores, weights and products with values are in tensor memory.

A warp brings tiles, one starts products, and a row of scores is a thread's own.  Where heads are longer than 128, two
warpgroups share the columns: each has half of the weights and half of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
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
    named_barrier,
    pipeline,
    register,
    role,
    shared,
    sum,
    tensor_layout,
    tensor_memory,
    tile,
    warpgroup,
    where,
    zeros,
)
from weft.tile.kernels.attended import LOWEST, OUT, ROWS, Attended
from weft.tile.kernels.constants import LOG2_E

PART = 32
"""Columns that are read at a time."""


@function
def scores_of(slot: Any, column: Any, seen: Any, whole: Any) -> Buffer:
    """Some columns of a tile of scores; where the rows do not see the whole tile, what they do not see is lowest."""
    part = register((ROWS, PART), f32, tensor_layout((ROWS, PART)))
    warpgroup.copy(part, slot.s[:, ds(column, PART)])
    if not whole:
        part = where(coordinates(part, 1) + column < seen, part, LOWEST)
    return part


def weigh(
    scores: Any, weights: Any, mine: tuple[Any, int], top: Buffer, total: Buffer, seen: Any, whole: Any, of: Attended
) -> tuple[Buffer, Buffer, Buffer]:
    """Write the weights of the warpgroup's columns of a tile of scores: the rows' new maxima and sums, what older sums
    are worth under them.
    """
    factor = of.scale * LOG2_E
    first, count = mine
    with scores.take() as slot, weights.fill() as written:
        higher = top
        for column in range(0, of.step, PART):
            higher = maximum(higher, max(scores_of(slot, column, seen, whole), 1, keepdims=True))
        scaled = where(higher > LOWEST, higher, 0.0) * factor
        grown = exp2(top * factor - scaled)
        total = total * grown
        for at in range(0, count, PART):
            part = exp2(scores_of(slot, first + at, seen, whole) * factor - scaled, flush=True)
            total = total + sum(part, 1, keepdims=True)
            warpgroup.copy(written.p[:, ds(first + at, PART)], part.to(of.kind))
    return higher, total, grown


def add(result: Buffer, products: Any, first: Any, grown: Buffer) -> None:
    """Add a tile of keys' part, and bring the result to the new maxima."""
    with products.take() as slot:
        for column in range(0, result.shape[1], PART):
            part = register((ROWS, PART), f32, tensor_layout((ROWS, PART)))
            warpgroup.copy(part, slot.o[:, ds(first + column, PART)])
            warpgroup.copy(result[:, ds(column, PART)], (result[:, ds(column, PART)] + part) * grown)


@function
def attend(of: Attended, Q: Tensor, K: Tensor, V: Tensor, Y: Tensor, norms: Callable[[], Tensor]) -> None:
    """The roles: Q, K, V are whole heads, Y and what `norms` gives (L, asked for at the end) those of the sequence."""
    kind, head, step = of.kind, of.head, of.step
    groups = 2 if head > 128 else 1
    width = head // groups
    piece = gcd(width, OUT)
    few, many = (24, 240) if groups > 1 else (None, None)
    queries = pipeline(1, q=tile(kind, ROWS, head))
    keys = pipeline(2, k=tile(kind, step, head))
    values = pipeline(2, v=tile(kind, step, head))
    scores = pipeline(2, s=tensor_memory((2, ROWS, step), f32))
    weights = pipeline(1, p=tensor_memory((1, ROWS, step), kind))
    products = pipeline(1, o=tensor_memory((1, ROWS, head), f32))
    out = pipeline(1, y=tile(kind, groups, ROWS, piece), kind="store")
    sums, met = shared((groups, ROWS), f32), named_barrier(128 * groups)

    with role(warps=1, registers=few):
        with queries.fill() as slot:
            cta.copy_async(slot, Q[ds(of.start + of.first, ROWS), ds(0, head)])
        for j in loop(of.steps):
            with keys.fill() as slot:
                cta.copy_async(slot, K[ds(of.before + j * step, step), ds(0, head)])
            with values.fill() as slot:
                cta.copy_async(slot, V[ds(of.before + j * step, step), ds(0, head)])

    with role(warps=1, registers=few), queries.take() as q:
        with scores.fill() as t, keys.take() as k:
            cta.gemm_async(t.s, q.q, k.k.transpose(), add=False)
        for _ in loop(1, of.steps):
            with scores.fill() as t, keys.take() as k:
                cta.gemm_async(t.s, q.q, k.k.transpose(), add=False)
            with products.fill() as t, weights.take() as w, values.take() as v:
                cta.gemm_async(t.o, w.p, v.v, add=False)
        with products.fill() as t, weights.take() as w, values.take() as v:
            cta.gemm_async(t.o, w.p, v.v, add=False)

    with role(warpgroups=groups, registers=many) as group:
        group = group if groups > 1 else 0
        row, N = of.first + of.behind + 1, of.N
        mine = group * (step // groups), step // groups
        result = zeros((ROWS, width), f32, tensor_layout((ROWS, width)))
        top = max(full((ROWS, PART), LOWEST, f32, tensor_layout((ROWS, PART))), 1, keepdims=True)
        last, least = (minimum(coordinates(top, 0) + row, N), minimum(row, N)) if of.causal else (N, N)
        top, total, _ = weigh(scores, weights, mine, top, top * 0.0, last, step <= least, of)
        for j in loop(1, of.steps):
            whole = (j + 1) * step <= least
            top, total, grown = weigh(scores, weights, mine, top, total, last - j * step, whole, of)
            add(result, products, group * width, grown)
        if groups > 1:
            other = total * 0.0
            warpgroup.copy(sums[group], total)
            met.sync()
            warpgroup.copy(other, sums[1 - group])
            total = total + other
        add(result, products, group * width, where(total > 0.0, 1 / total, 0.0))
        if group == 0:
            warpgroup.copy(norms()[ds(of.first, ROWS)], top * of.scale + log2(total) * (1 / LOG2_E))
        for column in range(0, width, piece):
            with out.fill() as slot:
                warpgroup.copy(slot.y[group], result[:, ds(column, piece)].to(kind))
                for at in range(groups):
                    cta.copy_async(Y[ds(of.first, ROWS), ds(at * width + column, piece)], slot.y[at])
