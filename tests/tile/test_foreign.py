"""Kernels of other projects, written with the documents only: on odd sizes, lazily and at random, against NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from weft.layout import S as Layout
from weft.layout import laneid
from weft.tile import (
    Global,
    along,
    bf16,
    block_id,
    cdiv,
    coordinates,
    cta,
    ds,
    dynamic,
    e4m3,
    exp,
    exp2,
    f16,
    f32,
    full,
    gather,
    i32,
    lane_id,
    loop,
    max,
    maximum,
    minimum,
    persistent,
    pipeline,
    raster,
    register,
    role,
    rsqrt,
    scan,
    shared,
    sum,
    tensor_layout,
    tensor_memory,
    thread,
    tile,
    u8,
    warp,
    warp_id,
    warpgroup,
    wgmma_layout,
    where,
    zeros,
)
from weft.tile.layouts import row_layout
from weft.toolchain import find

LOG2_E = 1.4426950408889634
LOWEST = -1e30


def store(C: Any, out: Any, total: Any, m: Any, n: Any, group: Any) -> None:
    """A block's tile of sums, 64 columns at a time."""
    for j in range(0, total.shape[1], 64):
        with out.fill() as s:
            warpgroup.copy(s.c[ds(group * 64, 64), :], total[:, ds(j, 64)].to(C.dtype))
            cta.copy_async(C[ds(m * 128, 128), ds(n * 128 + j, 64)], s.c)


@weft.kernel(grid=persistent)
def blockwise_gemm(
    A: Global(e4m3, ("M", "K")),
    rows: Global(f32, ("M", "KB")),
    B: Global(e4m3, ("N", "K")),
    blocks: Global(f32, ("NB", "KB")),
    C: Global(bf16, ("M", "N")),
):
    """fp8 with a scale for each row and 128 of K of A, and for each 128 x 128 of B."""
    (M, K), (N, _) = A.shape, B.shape
    ring = pipeline(4, a=tile(e4m3, 128, 128), b=tile(e4m3, 128, 128))
    out = pipeline(2, c=tile(bf16, 128, 64), kind="store")
    work = raster(cdiv(M, 128), cdiv(N, 128), snake=True)
    with role(warps=1, registers=40):
        for m, n in work:
            for k in loop(cdiv(K, 128)):
                with ring.fill() as s:
                    cta.copy_async(s.a, A[ds(m * 128, 128), ds(k * 128, 128)])
                    cta.copy_async(s.b, B[ds(n * 128, 128), ds(k * 128, 128)])
    with role(warpgroups=2, registers=232) as group:
        for m, n in work:
            total = zeros((64, 128), f32, wgmma_layout("d", (64, 128)))
            scale = along(total, 0, f32)
            for k in loop(cdiv(K, 128)):
                warpgroup.copy(scale, rows[ds(m * 128 + group * 64, 64), k])
                with ring.take() as s:
                    part = warpgroup.gemm_async(None, s.a[ds(group * 64, 64), :], s.b.transpose())
                total = total + part * (scale * blocks[n, k])
            store(C, out, total, m, n, group)


@weft.kernel(grid=persistent)
def int4_gemm(
    X: Global(f16, ("M", "K")), W: Global(u8, ("N", "H")), S: Global(f16, ("N", "KB")), C: Global(f16, ("M", "N"))
):
    """Weights of 4 bits, two a byte, with a scale for each row and 64 of K."""
    (M, K), (N, _) = X.shape, W.shape
    ring = pipeline(3, x=tile(f16, 128, 64), w=tile(f16, 128, 64))
    out = pipeline(2, c=tile(f16, 128, 64), kind="store")
    work = raster(cdiv(M, 128), cdiv(N, 128))
    with role(warps=4, registers=80) as number:
        row = number * 32 + lane_id()
        for m, n in work:
            for k in loop(cdiv(K, 64)):
                with ring.fill() as s:
                    cta.copy_async(s.x, X[ds(m * 128, 128), ds(k * 64, 64)])
                    packed, wide = register((1, 32), u8, Layout[32:1]), register((1, 64), f16, Layout[64:1])
                    thread.copy(packed, W[ds(n * 128 + row, 1), ds(k * 32, 32)])
                    scale = S[minimum(n * 128 + row, N - 1), k]
                    for i in range(32):
                        both = packed.storage[i].to(i32)
                        wide.storage[2 * i] = ((both & 15) - 8).to(f16) * scale
                        wide.storage[2 * i + 1] = ((both >> 4) - 8).to(f16) * scale
                    thread.copy(s.w[ds(row, 1), :], wide)
    with role(warpgroups=2, registers=208) as group:
        total = register((64, 128), f32, wgmma_layout("d", (64, 128)))
        for m, n in work:
            for k in loop(cdiv(K, 64)):
                with ring.take(behind=1) as s:
                    warpgroup.gemm_async(total, s.x[ds(group * 64, 64), :], s.w.transpose(), add=k > 0)
            warpgroup.wait(0)
            store(C, out, total, m, n, group)


@weft.kernel(grid=dynamic)
def swiglu(
    X: Global(bf16, ("M", "K")), U: Global(bf16, ("N", "K")), V: Global(bf16, ("N", "K")), C: Global(bf16, ("M", "N"))
):
    """silu(X U^T) * (X V^T), both products in one tile of tensor memory."""
    (M, K), (N, _) = X.shape, U.shape
    ring = pipeline(3, x=tile(bf16, 128, 64), u=tile(bf16, 128, 64), v=tile(bf16, 128, 64))
    done = pipeline(2, d=tensor_memory((2, 128, 256), f32))
    out = pipeline(2, c=tile(bf16, 128, 32), kind="store")
    work = raster(cdiv(M, 128), cdiv(N, 128), group=None)
    with role(warps=1):
        for m, n in work:
            for k in loop(cdiv(K, 64)):
                with ring.fill() as s:
                    cta.copy_async(s.x, X[ds(m * 128, 128), ds(k * 64, 64)])
                    cta.copy_async(s.u, U[ds(n * 128, 128), ds(k * 64, 64)])
                    cta.copy_async(s.v, V[ds(n * 128, 128), ds(k * 64, 64)])
    with role(warps=1):
        for _ in work:
            with done.fill() as t:
                for k in loop(cdiv(K, 64)):
                    with ring.take() as s:
                        cta.gemm_async(t.d[:, ds(0, 128)], s.x, s.u.transpose(), add=k > 0)
                        cta.gemm_async(t.d[:, ds(128, 128)], s.x, s.v.transpose(), add=k > 0)
    with role(warpgroups=1):
        for m, n in work:
            with done.take() as t:
                for j in range(0, 128, 32):
                    u, v = (register((128, 32), f32, tensor_layout((128, 32))) for _ in range(2))
                    warpgroup.copy(u, t.d[:, ds(j, 32)])
                    warpgroup.copy(v, t.d[:, ds(128 + j, 32)])
                    with out.fill() as s:
                        warpgroup.copy(s.c, (u / (1 + exp(-u)) * v).to(bf16))
                        cta.copy_async(C[ds(m * 128, 128), ds(n * 128 + j, 32)], s.c)


@weft.kernel(grid=lambda H, M: (cdiv(M, 64), H))
def window_attention(
    Q: Global(f16, ("H", "M", 64)),
    K: Global(f16, ("H", "M", 64)),
    V: Global(f16, ("H", "M", 64)),
    bias: Global(f32, ("H", "W")),
    Y: Global(f16, ("H", "M", 64)),
    scale: f32,
):
    """Each query sees the W keys up to its own, with a bias for each distance."""
    (_, M, _), W = Q.shape, bias.shape[1]
    queries = pipeline(1, q=tile(f16, 64, 64))
    ring = pipeline(2, k=tile(f16, 64, 64), v=tile(f16, 64, 64))
    out = pipeline(1, o=tile(f16, 64, 64), kind="store")
    first, h = block_id(0) * 64, block_id(1)
    start, stop = maximum(first - W + 1, 0) // 64, cdiv(minimum(first + 64, M), 64)
    with role(warps=1, registers=24):
        with queries.fill() as s:
            cta.copy_async(s, Q[h, ds(first, 64), :])
        for j in loop(start, stop):
            with ring.fill() as s:
                cta.copy_async(s.k, K[h, ds(j * 64, 64), :])
                cta.copy_async(s.v, V[h, ds(j * 64, 64), :])
    with role(warpgroups=1, registers=240):
        total = zeros((64, 64), f32, wgmma_layout("d", (64, 64)))
        top = max(full((64, 64), LOWEST, f32, wgmma_layout("d", (64, 64))), 1, keepdims=True)
        norm = top * 0.0
        q = queries.take()
        for j in loop(start, stop):
            with ring.take() as s:
                scores = warpgroup.gemm_async(None, q, s.k.transpose())
                warpgroup.wait(0)
                distance = coordinates(scores, 0) + (first - j * 64) - coordinates(scores, 1)
                inside = (distance >= 0) * (distance < W)
                scores = scores * scale + gather(bias, h, where(inside, distance, -1), other=0)
                scores = where(inside, scores * LOG2_E, LOWEST)
                higher = maximum(top, max(scores, 1, keepdims=True))
                grown, p = exp2(top - higher), where(inside, exp2(scores - higher), 0.0)
                norm = norm * grown + sum(p, 1, keepdims=True)
                total, top = total * grown, higher
                warpgroup.gemm_async(total, p.to(f16), s.v)
        queries.release()
        with out.fill() as s:
            warpgroup.copy(s, (total / norm).to(f16))
            cta.copy_async(Y[h, ds(first, 64), :], s)


@weft.kernel(grid=lambda B: B)
def paged_attention(
    Q: Global(f16, ("B", 64, 128)),
    K: Global(f16, ("P", 32, 128)),
    V: Global(f16, ("P", 32, 128)),
    table: Global(i32, ("B", "T")),
    lengths: Global(i32, ("B",)),
    Y: Global(f16, ("B", 64, 128)),
    scale: f32,
):
    """64 heads share the keys of a sequence, which are in pages of 32."""
    b = block_id()
    n = lengths[b]
    queries = pipeline(1, q=tile(f16, 64, 128))
    ring = pipeline(3, k=tile(f16, 32, 128), v=tile(f16, 32, 128))
    with role(warps=1, registers=24):
        with queries.fill() as s:
            cta.copy_async(s, Q[b, :, :])
        for j in loop(cdiv(n, 32)):
            page = table[b, j]
            with ring.fill() as s:
                cta.copy_async(s.k, K[page, :, :])
                cta.copy_async(s.v, V[page, :, :])
    with role(warpgroups=1, registers=240):
        total = zeros((64, 128), f32, wgmma_layout("d", (64, 128)))
        top = max(full((64, 32), LOWEST, f32, wgmma_layout("d", (64, 32))), 1, keepdims=True)
        norm = top * 0.0
        q = queries.take()
        for j in loop(cdiv(n, 32)):
            with ring.take() as s:
                scores = warpgroup.gemm_async(None, q, s.k.transpose())
                warpgroup.wait(0)
                scores = where(coordinates(scores, 1) < n - j * 32, scores * (scale * LOG2_E), LOWEST)
                higher = maximum(top, max(scores, 1, keepdims=True))
                grown, p = exp2(top - higher), exp2(scores - higher)
                norm = norm * grown + sum(p, 1, keepdims=True)
                total, top = total * grown, higher
                warpgroup.gemm_async(total, p.to(f16), s.v)
        queries.release()
        warpgroup.copy(Y[b, :, :], where(norm > 0, total / norm, 0.0).to(f16))


@weft.kernel(grid=lambda M: cdiv(M, 64))
def norm_gemm(X: Global(f32, ("M", 256)), B: Global(f16, ("N", 256)), C: Global(f32, ("M", "N"))):
    """Layer norm of the rows, which the role that brings tiles writes, then a product."""
    N = B.shape[0]
    rows = pipeline(1, x=tile(f16, 64, 256))
    ring = pipeline(2, b=tile(f16, 64, 256))
    first = block_id() * 64
    with role(warps=4, registers=96) as number:
        with rows.fill() as slot:
            for i in loop(16):
                x = register((1, 256), f32, row_layout((1, 256), 4))
                warp.copy(x, X[ds(first + number * 16 + i, 1), :])
                centred = x - sum(x, 1, keepdims=True) / 256
                y = centred * rsqrt(sum(centred * centred, 1, keepdims=True) / 256 + 1e-5)
                warp.copy(slot[ds(number * 16 + i, 1), :], y.to(f16))
        for n in loop(cdiv(N, 64)):
            with ring.fill() as s:
                cta.copy_async(s, B[ds(n * 64, 64), :])
    with role(warpgroups=1, registers=240):
        x = rows.take()
        for n in loop(cdiv(N, 64)):
            with ring.take() as s:
                total = warpgroup.gemm_async(None, x, s.transpose())
            warpgroup.copy(C[ds(first, 64), ds(n * 64, 64)], total)
        rows.release()


@weft.kernel(grid=lambda G, M, N: (cdiv(N, 128), cdiv(M, 128), G))
def ragged_gemm(
    A: Global(f16, ("M", "K")), B: Global(f16, ("K", "N")), ends: Global(i32, ("G",)), C: Global(f32, ("G", "M", "N"))
):
    """C[g] = A[:, k0:k1] @ B[k0:k1, :]: groups along K, of any lengths."""
    m, n, g = block_id(1) * 128, block_id(0) * 128, block_id(2)
    start = ends[g - 1] if g > 0 else 0
    stop = ends[g]
    ring = pipeline(3, a=tile(f16, 128, 64), b=tile(f16, 64, 128))
    rows = B.rows(start, stop)
    with role(warps=1, registers=40):
        for k in loop(cdiv(stop - start, 64)):
            with ring.fill() as s:
                cta.copy_async(s.a, A[ds(m, 128), ds(start + k * 64, 64)])
                cta.copy_async(s.b, rows[ds(k * 64, 64), ds(n, 128)])
    with role(warpgroups=2, registers=232) as group:
        total = zeros((64, 128), f32, wgmma_layout("d", (64, 128)))
        for _ in loop(cdiv(stop - start, 64)):
            with ring.take(behind=1) as s:
                warpgroup.gemm_async(total, s.a[ds(group * 64, 64), :], s.b)
        warpgroup.wait(0)
        warpgroup.copy(C[g, ds(m + group * 64, 64), ds(n, 128)], total)


@weft.kernel(grid=lambda M: cdiv(M, 128))
def mlp(X: Global(f16, ("M", 128)), U: Global(f16, (128, "H")), V: Global(f16, ("H", 128)), Y: Global(f16, ("M", 128))):
    """relu(X U) V, 64 hidden columns at a time, which never leave registers."""
    H = U.shape[1]
    first = block_id() * 128
    rows = pipeline(1, x=tile(f16, 128, 128))
    ring = pipeline(2, u=tile(f16, 128, 64), v=tile(f16, 64, 128))
    out = pipeline(1, y=tile(f16, 128, 128), kind="store")
    with role(warps=1, registers=24):
        with rows.fill() as s:
            cta.copy_async(s, X[ds(first, 128), :])
        for j in loop(cdiv(H, 64)):
            with ring.fill() as s:
                cta.copy_async(s.u, U[:, ds(j * 64, 64)])
                cta.copy_async(s.v, V[ds(j * 64, 64), :])
    with role(warpgroups=2, registers=240) as group:
        mine = ds(group * 64, 64)
        total = zeros((64, 128), f32, wgmma_layout("d", (64, 128)))
        x = rows.take()[mine, :]
        for _ in loop(cdiv(H, 64)):
            with ring.take() as s:
                hidden = warpgroup.gemm_async(None, x, s.u)
                warpgroup.wait(0)
                warpgroup.gemm_async(total, maximum(hidden, 0).to(f16), s.v)
        rows.release()
        with out.fill() as s:
            warpgroup.copy(s.y[mine, :], total.to(f16))
            cta.copy_async(Y[ds(first, 128), :], s)


@weft.kernel(threads=128, grid=lambda B: cdiv(B, 4))
def triangular_solve(L: Global(f32, ("B", 32, 32)), X: Global(f32, ("B", 32, 32))):
    """L X = B in place, a warp a matrix, a lane a column."""
    b, held = block_id() * 4 + warp_id(), shared((4, 32, 32), f32)
    if b < L.shape[0]:
        warp.copy(held[warp_id(), :, :], L[b, :, :])
        warp.sync()
        x = register((32, 32), f32, Layout[(32, 32) : (1, 1 @ laneid)])
        warp.copy(x, X[b, :, :])
        for i in range(32):
            value = x.storage[i]
            for j in range(i):
                value = value - held[warp_id(), i, j] * x.storage[j]
            x.storage[i] = value / held[warp_id(), i, i]
        warp.copy(X[b, :, :], x)


@weft.kernel(threads=32, grid=lambda M: M)
def selective_scan(A: Global(f32, ("M", "T")), X: Global(f32, ("M", "T")), Y: Global(f32, ("M", "T"))):
    """h = a h + x along rows of any length, 256 elements at a time."""
    row, T = block_id(), A.shape[1]
    layout = row_layout((1, 256), 4)
    before = sum(zeros((1, 256), f32, layout), 1, keepdims=True)
    for start in loop(0, T, 256):
        a, x = (register((1, 256), f32, layout) for _ in range(2))
        warp.copy(a, A[ds(row, 1), ds(start, 256)])
        warp.copy(x, X[ds(row, 1), ds(start, 256)])
        grown, h = scan((a, x), 1, lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]))
        h = h + grown * before
        warp.copy(Y[ds(row, 1), ds(start, 256)], h)
        before = sum(where(coordinates(h, 1) == 255, h, 0.0), 1, keepdims=True)


R = np.random.default_rng(0)


def whole(kind: Any, *shape: int) -> Any:
    return R.integers(-4, 5, shape).astype(kind)


def normal(kind: Any, *shape: int) -> Any:
    return R.standard_normal(shape).astype(kind)


def wide(*arrays: Any) -> list[Any]:
    return [x.astype(np.float64) for x in arrays]


Case = tuple[list[Any], Any, Any]
"""The arguments, the array that is written, what it should be."""


def case_of_blockwise_gemm() -> Case:
    m, n, k = 70, 200, 264
    a, b = whole(ml_dtypes.float8_e4m3fn, m, k), whole(ml_dtypes.float8_e4m3fn, n, k)
    rows, blocks = ((2.0 ** R.integers(-2, 3, shape)).astype(np.float32) for shape in ((m, 3), (2, 3)))
    c = np.zeros((m, n), ml_dtypes.bfloat16)
    scaled = wide(a)[0] * np.repeat(rows, 128, 1)[:, :k]
    return [a, rows, b, blocks, c], c, scaled @ (wide(b)[0] * np.repeat(np.repeat(blocks, 128, 0)[:n], 128, 1)[:, :k]).T


def case_of_int4_gemm() -> Case:
    m, n, k = 70, 72, 136
    x, w, s = whole(np.float16, m, k), R.integers(0, 256, (n, k // 2)).astype(np.uint8), whole(np.float16, n, 3)
    c = np.zeros((m, n), np.float16)
    weights = (np.stack([w & 15, w >> 4], -1).reshape(n, -1) - 8.0) * np.repeat(s, 64, 1)[:, :k]
    return [x, w, s, c], c, wide(x)[0] @ weights.T


def case_of_swiglu() -> Case:
    x, u, v = (
        normal(ml_dtypes.bfloat16, 130, 70),
        normal(ml_dtypes.bfloat16, 33, 70),
        normal(ml_dtypes.bfloat16, 33, 70),
    )
    c, (a, b, d) = np.zeros((130, 33), ml_dtypes.bfloat16), wide(x, u, v)
    gate = a @ b.T
    return [x, u, v, c], c, gate / (1 + np.exp(-gate)) * (a @ d.T)


def case_of_window_attention() -> Case:
    q, k, v, bias = (
        normal(np.float16, 2, 150, 64),
        normal(np.float16, 2, 150, 64),
        normal(np.float16, 2, 150, 64),
        normal(np.float32, 2, 70),
    )
    o, (a, b, c) = np.zeros_like(q), wide(q, k, v)
    distance = np.arange(150)[:, None] - np.arange(150)
    scores = np.einsum("hmd,hnd->hmn", a, b) / 8 + bias[:, np.clip(distance, 0, 69)]
    p = np.where((distance >= 0) & (distance < 70), np.exp(scores), 0)
    return [q, k, v, bias, o, 0.125], o, p @ c / p.sum(-1, keepdims=True)


def case_of_paged_attention() -> Case:
    lengths, table = (
        np.array([70, 0, 128], np.int32),
        np.stack([R.permutation(9)[:4] for _ in range(3)]).astype(np.int32),
    )
    q, k, v = normal(np.float16, 3, 64, 128), normal(np.float16, 9, 32, 128), normal(np.float16, 9, 32, 128)
    o, wanted = np.full_like(q, np.nan), np.zeros(q.shape)
    for b, n in enumerate(lengths):
        if n:
            keys, values = (x[table[b]].reshape(-1, 128)[:n] for x in wide(k, v))
            p = np.exp(wide(q)[0][b] @ keys.T / 10)
            wanted[b] = p @ values / p.sum(1, keepdims=True)
    return [q, k, v, table, lengths, o, 0.1], o, wanted


def case_of_norm_gemm() -> Case:
    x, b = normal(np.float32, 70, 256), normal(np.float16, 72, 256)
    y, c = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5), np.zeros((70, 72), np.float32)
    return [x, b, c], c, y.astype(np.float16) @ wide(b)[0].T


def case_of_ragged_gemm() -> Case:
    ends = np.array([70, 70, 75, 200], np.int32)
    a, b, c = whole(np.float16, 33, 200), whole(np.float16, 200, 130), np.full((4, 33, 130), np.nan, np.float32)
    wanted = [wide(a)[0][:, s:e] @ wide(b)[0][s:e] for s, e in zip([0, *ends], ends, strict=False)]
    return [a, b, ends, c], c, np.stack(wanted)


def case_of_mlp() -> Case:
    x, u, v, y = (
        normal(np.float16, 70, 128),
        normal(np.float16, 128, 72),
        normal(np.float16, 72, 128),
        np.zeros((70, 128), np.float16),
    )
    hidden = np.maximum(wide(x)[0] @ wide(u)[0], 0).astype(np.float16)
    return [x, u, v, y], y, wide(hidden)[0] @ wide(v)[0]


def case_of_selective_scan() -> Case:
    a, x = normal(np.float32, 3, 300) * np.float32(0.9), normal(np.float32, 3, 300)
    y, h, wanted = np.zeros_like(a), np.zeros(3), np.zeros(a.shape)
    for t in range(300):
        h = a[:, t] * h + x[:, t]
        wanted[:, t] = h
    return [a, x, y], y, wanted


KERNELS = (
    blockwise_gemm, int4_gemm, swiglu, window_attention, paged_attention, norm_gemm, ragged_gemm, mlp, selective_scan,
)  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("how", ["lazy", "random"])
def test_foreign(kernel: Any, how: str) -> None:
    arguments, found, wanted = globals()[f"case_of_{kernel.name}"]()
    kernel.run(*arguments, target="sm_100a" if kernel is swiglu else "sm_90a", check="strict", async_=how)
    error = np.abs(found.astype(np.float64) - wanted).max() / np.abs(wanted).max()
    assert error < {"bfloat16": 8e-3, "float16": 2e-3, "float32": 1e-4}[str(found.dtype)]


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 5])
def test_triangular_solve(count: int) -> None:
    lower = np.tril(R.standard_normal((count, 32, 32)) * 0.2 + 2 * np.eye(32)).astype(np.float32)
    x = normal(np.float32, count, 32, 32)
    wanted = np.linalg.solve(*wide(lower, x))
    triangular_solve.run(lower, x, check="strict", async_="lazy")
    np.testing.assert_allclose(x, wanted, atol=1e-5)


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None, reason="no ptxas")
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_machine_code(kernel: Any) -> None:
    """No remark of ptxas, no spills."""
    found = kernel.report("sm_100a" if kernel is swiglu else "sm_90a", sizes=dict.fromkeys(kernel.sizes, 4096))
    assert (found.losses, found.spill_bytes) == ((), 0)
