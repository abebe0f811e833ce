"""The gradients of `attention` by roles and the tensor cores of Hopper (sm_90a), with the arguments and formulas of
[`attention_backward`](attention_backward.py).

A warp brings tiles by TMA; two warpgroups keep queries (or keys) and multiply the others with them.  Weights and
changes of scores are left operands in the registers that the scores came in.  Where heads are longer than 128, the
warpgroups that keep keys have the same ones, and half the columns of the gradients each.
"""

from __future__ import annotations

from typing import Annotated

from weft.tile import (
    DType,
    Scalar,
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
    loop,
    maximum,
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
from weft.tile.kernels.attention_backward import Keys, PerQuery, Queries
from weft.tile.kernels.constants import LOG2_E

GROUPS, EACH, OUT = 2, 64, 64
"""Warpgroups, the rows of each, and the columns that are read and stored at a time."""


def _grid(B: int, H: int, M: int) -> tuple[int, int, int]:
    return cdiv(M, GROUPS * EACH), H, B


@kernel(grid=_grid)
def attention_backward_q_tma(
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
    head: int = 128,
    step: int = 32,
    causal: bool = False,
) -> None:
    """dQ, and delta = sum(dY * Y) of each query, for `attention_backward_kv_tma`; options as for `attention_tma`."""
    M, N = Q.shape[2], K.shape[2]
    h, b, rows = block_id(1), block_id(2), GROUPS * EACH
    g = h // (Q.shape[1] // K.shape[1])
    first, behind = block_id(0) * rows, N - M
    mine = pipeline(1, q=tile(kind, rows, head), d=tile(kind, rows, head))
    ring = pipeline(2, k=tile(kind, step, head), v=tile(kind, step, head))
    out = pipeline(1, y=tile(kind, rows, OUT), kind="store")
    stop = minimum(N, maximum(first + rows + behind, 0)) if causal else N

    with role(warps=1, registers=24):
        with mine.fill() as slot:
            cta.copy_async(slot.q, Q[b, h, ds(first, rows), ds(0, head)])
            cta.copy_async(slot.d, dY[b, h, ds(first, rows), ds(0, head)])
        for j in loop(cdiv(stop, step)):
            with ring.fill() as slot:
                cta.copy_async(slot.k, K[b, g, ds(j * step, step), ds(0, head)])
                cta.copy_async(slot.v, V[b, g, ds(j * step, step), ds(0, head)])

    with role(warpgroups=GROUPS, registers=240) as group:
        part = ds(group * EACH, EACH)
        own = ds(first + group * EACH, EACH)
        result = zeros((EACH, head), f32, wgmma_layout("d", (EACH, head)))
        norm, drop = along(result, 0, f32), along(result, 0, f32)
        warpgroup.copy(norm, L[b, h, own])
        total = sum(zeros((EACH, OUT), f32, wgmma_layout("d", (EACH, OUT))), 1, keepdims=True)
        for column in range(0, head, OUT):
            d, y = (register((EACH, OUT), kind, wgmma_layout("d", (EACH, OUT))) for _ in range(2))
            warpgroup.copy(d, dY[b, h, own, ds(column, OUT)])
            warpgroup.copy(y, Y[b, h, own, ds(column, OUT)])
            total = total + sum(d.to(f32) * y.to(f32), 1, keepdims=True)
        warpgroup.copy(drop, total)
        warpgroup.copy(delta[b, h, own], drop)
        slot = mine.take()
        q, d = slot.q[part, :], slot.d[part, :]
        for j in loop(cdiv(stop, step)):
            slot = ring.take()
            scores = warpgroup.gemm_async(None, q, slot.k.transpose())
            change = warpgroup.gemm_async(None, d, slot.v.transpose())
            warpgroup.wait(0)
            seen = N - j * step
            if causal:
                seen = minimum(coordinates(scores, 0) + (first + group * EACH + behind + 1 - j * step), seen)
            weights = exp2(scores * (scale * LOG2_E) - norm * LOG2_E)
            weights = where(coordinates(scores, 1) < seen, weights, 0.0)
            warpgroup.gemm_async(result, (weights * (change - drop) * scale).to(kind), slot.k)
            warpgroup.wait(0)
            ring.release()
        mine.release()
        for column in range(0, head, OUT):
            with out.fill() as slot:
                warpgroup.copy(slot.y[part, :], result[:, ds(column, OUT)].to(kind))
                cta.copy_async(dQ[b, h, ds(first, rows), ds(column, OUT)], slot)


def _split(head: int) -> bool:
    """Whether the warpgroups have the same keys, and half the columns each."""
    return head > 128


def _grid_of_keys(B: int, G: int, N: int, head: int) -> tuple[int, int, int]:
    return cdiv(N, EACH if _split(head) else GROUPS * EACH), G, B


@kernel(grid=_grid_of_keys)
def attention_backward_kv_tma(
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
    head: int = 128,
    step: int = 32,
    causal: bool = False,
) -> None:
    """dK and dV, from the delta of `attention_backward_q_tma`; options as for `attention_tma`, but `head` is not 192:
    heads of 192 are among those of up to 256.
    """
    M, N = Q.shape[2], K.shape[2]
    g, b = block_id(1), block_id(2)
    sharing, parts = Q.shape[1] // K.shape[1], GROUPS if _split(head) else 1
    rows, width = GROUPS * EACH // parts, head // parts
    first, behind = block_id(0) * rows, N - M
    mine = pipeline(1, k=tile(kind, rows, head), v=tile(kind, rows, head))
    ring = pipeline(2, q=tile(kind, step, head), d=tile(kind, step, head))
    out = pipeline(1, x=tile(kind, GROUPS, EACH, 32), kind="store")
    skipped = maximum(first - behind, 0) // step if causal else 0
    tiles = maximum(cdiv(M, step) - skipped, 0)

    with role(warps=1, registers=24):
        with mine.fill() as slot:
            cta.copy_async(slot.k, K[b, g, ds(first, rows), ds(0, head)])
            cta.copy_async(slot.v, V[b, g, ds(first, rows), ds(0, head)])
        for turn in loop(tiles * sharing):
            part = g * sharing + turn // tiles, ds((skipped + turn % tiles) * step, step), ds(0, head)
            with ring.fill() as slot:
                cta.copy_async(slot.q, Q[b, *part])
                cta.copy_async(slot.d, dY[b, *part])

    with role(warpgroups=GROUPS, registers=240) as group:
        row, column = (0, group * width) if parts > 1 else (group * EACH, 0)
        keys, values = (zeros((EACH, width), f32, wgmma_layout("d", (EACH, width))) for _ in range(2))
        slot = mine.take()
        k, v = slot.k[ds(row, EACH), :], slot.v[ds(row, EACH), :]
        for turn in loop(tiles * sharing):
            h, start = g * sharing + turn // tiles, (skipped + turn % tiles) * step
            slot = ring.take()
            scores = warpgroup.gemm_async(None, k, slot.q.transpose())
            change = warpgroup.gemm_async(None, v, slot.d.transpose())
            norm, drop = along(scores, 1, f32), along(scores, 1, f32)
            warpgroup.copy(norm, L[b, h, ds(start, step)])
            warpgroup.copy(drop, delta[b, h, ds(start, step)])
            warpgroup.wait(0)
            weights = exp2(scores * (scale * LOG2_E) - norm * LOG2_E)
            if causal:
                hidden = coordinates(scores, 0) + (first + row - behind - start)  # queries before do not see the key
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
                        cta.copy_async(to[b, g, ds(first + below, EACH), ds(right + at, 32)], slot.x[number])
