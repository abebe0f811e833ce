"""Kernels that users write, from the documents only: on odd sizes, lazily and at random, against NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from weft.tile import (
    Global,
    along,
    argmax,
    atomic_add,
    bf16,
    block_id,
    cdiv,
    coordinates,
    cta,
    ds,
    exp,
    exp2,
    f16,
    f32,
    full,
    i8,
    i32,
    lane_id,
    log2,
    loop,
    max,
    maximum,
    minimum,
    persistent,
    pipeline,
    pixels,
    raster,
    register,
    role,
    scan,
    shared,
    sum,
    tensor_layout,
    tensor_memory,
    tile,
    warp,
    warp_id,
    warpgroup,
    wgmma_layout,
    where,
    zeros,
)
from weft.tile.layouts import mma_layout, row_layout, swizzled

STRICT: dict[str, Any] = {"check": "strict", "async_": "lazy"}
MODES = [STRICT, pytest.param({"check": "strict", "async_": "random", "seed": 3}, marks=pytest.mark.slow)]
PAGE = 16


@weft.kernel(grid=persistent)
def swiglu(
    X: Global(f16, ("M", "K")),
    Wg: Global(f16, ("N", "K")),
    Wu: Global(f16, ("N", "K")),
    Y: Global(f16, ("M", "N")),
    *,
    stages: int = 3,
):
    (M, K), (N, _) = X.shape, Wg.shape
    ring = pipeline(stages, x=tile(f16, 128, 64), g=tile(f16, 128, 64), u=tile(f16, 128, 64))
    out = pipeline(2, y=tile(f16, 128, 64), kind="store")
    work = raster(cdiv(M, 128), cdiv(N, 128), group=8, snake=True)
    with role(warps=1, registers=40):
        for m, n in work:
            for k in loop(cdiv(K, 64)):
                with ring.fill() as s:
                    cta.copy_async(s.x, X[ds(m * 128, 128), ds(k * 64, 64)])
                    cta.copy_async(s.g, Wg[ds(n * 128, 128), ds(k * 64, 64)])
                    cta.copy_async(s.u, Wu[ds(n * 128, 128), ds(k * 64, 64)])
    with role(warpgroups=2, registers=232) as group:
        gate = register((64, 128), f32, wgmma_layout("d", (64, 128)))
        up = register((64, 128), f32, wgmma_layout("d", (64, 128)))
        for m, n in work:
            for k in loop(cdiv(K, 64)):
                with ring.take(behind=1) as s:
                    a = s.x[ds(group * 64, 64), :]
                    warpgroup.gemm_async(gate, a, s.g.transpose(), add=k > 0)
                    warpgroup.gemm_async(up, a, s.u.transpose(), add=k > 0)
            warpgroup.wait(0)
            y = gate / (1.0 + exp(-gate)) * up
            for j in range(0, 128, 64):
                with out.fill() as s:
                    warpgroup.copy(s.y[ds(group * 64, 64), :], y[:, ds(j, 64)].to(f16))
                    cta.copy_async(Y[ds(m * 128, 128), ds(n * 128 + j, 64)], s.y)


def check_swiglu(mode: Any) -> None:
    rng = np.random.default_rng(0)
    for M, N, K in [(70, 130, 72), (129, 33, 40)]:
        x = rng.standard_normal((M, K)).astype(np.float16)
        g, u = ((rng.standard_normal((N, K)) / 8).astype(np.float16) for _ in range(2))
        y = np.full((M, N), np.nan, np.float16)
        swiglu.run(x, g, u, y, target="sm_90a", **mode)
        G, U = (x.astype(np.float32) @ w.T.astype(np.float32) for w in (g, u))
        np.testing.assert_allclose(y, G / (1 + np.exp(-G)) * U, atol=5e-3, rtol=5e-3)


@weft.kernel(grid=lambda B, H, M: (cdiv(M, 128), H, B))
def window(
    Q: Global(f16, ("B", "H", "M", 64)),
    K: Global(f16, ("B", "H", "N", 64)),
    V: Global(f16, ("B", "H", "N", 64)),
    Y: Global(f16, ("B", "H", "M", 64)),
    scale: f32,
    *,
    left: int = 100,
    step: int = 64,
):
    b, h, first = block_id(2), block_id(1), block_id(0) * 128
    N = K.shape[2]
    low = maximum(first - left, 0) // step
    high = cdiv(minimum(first + 128, N), step)
    queries = pipeline(1, q=tile(f16, 128, 64))
    ring = pipeline(2, k=tile(f16, step, 64), v=tile(f16, step, 64))
    out = pipeline(1, y=tile(f16, 128, 64), kind="store")
    with role(warps=1, registers=24):
        with queries.fill() as s:
            cta.copy_async(s.q, Q[b, h, ds(first, 128), :])
        for j in loop(low, high):
            with ring.fill() as s:
                cta.copy_async(s.k, K[b, h, ds(j * step, step), :])
                cta.copy_async(s.v, V[b, h, ds(j * step, step), :])
    with role(warpgroups=2, registers=240) as g:
        q = queries.take()[ds(g * 64, 64), :]
        result = zeros((64, 64), f32, wgmma_layout("d", (64, 64)))
        top = max(full((64, step), -1e30, f32, wgmma_layout("d", (64, step))), 1, keepdims=True)
        total = top * 0.0
        for j in loop(low, high):
            slot = ring.take()
            s = warpgroup.gemm_async(None, q, slot.k.transpose())
            warpgroup.wait(0)
            row = coordinates(s, 0) + (first + g * 64)
            col = coordinates(s, 1) + j * step
            ok = (col <= row) & (col + left > row) & (col < N)
            s = where(ok, s * (scale * 1.44269504), -1e30)
            higher = maximum(top, max(s, 1, keepdims=True))
            grown = exp2(top - higher)
            w = where(ok, exp2(s - higher), 0.0)
            total = total * grown + sum(w, 1, keepdims=True)
            result = result * grown
            top = higher
            warpgroup.gemm_async(result, w.to(f16), slot.v)
            warpgroup.wait(0)
            ring.release()
        queries.release()
        with out.fill() as s:
            warpgroup.copy(s.y[ds(g * 64, 64), :], (result / total).to(f16))
            cta.copy_async(Y[b, h, ds(first, 128), :], s)


def check_window(mode: Any) -> None:
    rng = np.random.default_rng(0)
    for B, H, M, left in [(1, 2, 70, 20), (1, 1, 300, 100), (2, 1, 129, 1)]:
        q, k, v = (rng.standard_normal((B, H, M, 64)).astype(np.float16) for _ in range(3))
        y = np.full_like(q, np.nan)
        window.run(q, k, v, y, 0.125, target="sm_90a", options={"left": left}, **mode)
        s = np.einsum("bhmd,bhnd->bhmn", q.astype(float), k.astype(float)) * 0.125
        i = np.arange(M)
        ok = (i <= i[:, None]) & (i + left > i[:, None])
        p = np.where(ok, np.exp(s), 0)
        p /= p.sum(-1, keepdims=True)
        np.testing.assert_allclose(y, p @ v.astype(float), atol=4e-3)


@weft.kernel(threads=128, grid=lambda B, G, P: (P, G, B))
def decode(
    Q: Global(f16, ("B", "G", 8, 64)),
    KC: Global(f16, ("pages", PAGE, "G", 64)),
    VC: Global(f16, ("pages", PAGE, "G", 64)),
    table: Global(i32, ("B", "T")),
    lengths: Global(i32, "B"),
    Out: Global(f32, ("B", "G", "P", 8, 64)),
    L: Global(f32, ("B", "G", "P", 8)),
    scale: f32,
):
    part, g, b = block_id(0), block_id(1), block_id(2)
    n = lengths[b]
    parts = Out.shape[2]
    each = cdiv(cdiv(n, 64), parts)
    q = register((16, 64), f16, mma_layout("a", (16, 64), f16))
    warp.copy(q, Q[b, g, ds(0, 16), :])
    ks = shared((64, 64), f16, swizzled((64, 64), f16))
    vs = shared((64, 64), f16, swizzled((64, 64), f16))
    kk = register((64, 16), f16, mma_layout("b", (64, 16), f16))
    vv = register((16, 64), f16, mma_layout("b", (16, 64), f16))
    res = zeros((16, 64), f32, mma_layout("d", (16, 64), f16))
    top = max(full((16, 16), -1e30, f32, mma_layout("d", (16, 16), f16)), 1, keepdims=True)
    total = top * 0.0
    w = warp_id()
    for j in loop(part * each, minimum((part + 1) * each, cdiv(n, 64))):
        token = j * 64 + w * 16
        page = table[b, token // PAGE] if token < n else 0
        cta.sync()
        warp.copy(ks[ds(w * 16, 16), :], KC[page, :, g, :])
        warp.copy(vs[ds(w * 16, 16), :], VC[page, :, g, :])
        cta.sync()
        warp.copy(kk, ks[ds(w * 16, 16), :].transpose())
        warp.copy(vv, vs[ds(w * 16, 16), :])
        s = zeros((16, 16), f32, mma_layout("d", (16, 16), f16))
        warp.gemm(s, q, kk)
        ok = coordinates(s, 1) + token < n
        s = where(ok, s * (scale * 1.44269504), -1e30)
        higher = maximum(top, max(s, 1, keepdims=True))
        grown = exp2(top - higher)
        p = where(ok, exp2(s - higher), 0.0)
        total = total * grown + sum(p, 1, keepdims=True)
        res = res * grown
        top = higher
        warp.gemm(res, p.to(f16), vv)
    # combine four warps in shared memory
    tops = shared((4, 16), f32)
    tots = shared((4, 16), f32)
    acc = shared((4, 16, 64), f32)
    warp.copy(tops[w], top)
    warp.copy(tots[w], total)
    warp.copy(acc[w], res)
    cta.sync()
    if w == 0:
        best = top
        for i in range(1, 4):
            o = top * 0.0
            warp.copy(o, tops[i])
            best = maximum(best, o)
        sumt = total * 0.0
        r = res * 0.0
        for i in range(4):
            o = top * 0.0
            t = top * 0.0
            x = res * 0.0
            warp.copy(o, tops[i])
            warp.copy(t, tots[i])
            warp.copy(x, acc[i])
            f = exp2(o - best)
            sumt = sumt + t * f
            r = r + x * f
        warp.copy(Out[b, g, part, ds(0, 16), :], where(sumt > 0.0, r / sumt, 0.0))
        warp.copy(L[b, g, part, ds(0, 16)], where(sumt > 0.0, best + log2(sumt), -1e30))


def check_decode(mode: Any) -> None:
    rng = np.random.default_rng(0)
    B, G, P, pages, T = 2, 2, 3, 40, 20
    kc, vc = (rng.standard_normal((pages, PAGE, G, 64)).astype(np.float16) for _ in range(2))
    table = rng.permutation(pages).reshape(B, T).astype(np.int32)
    lengths = np.array([301, 37], np.int32)
    q = rng.standard_normal((B, G, 8, 64)).astype(np.float16)
    Out = np.full((B, G, P, 8, 64), np.nan, np.float32)
    L = np.full((B, G, P, 8), np.nan, np.float32)
    decode.run(q, kc, vc, table, lengths, Out, L, 0.125, target="sm_80", **mode)
    w = np.exp2(L - L.max(2, keepdims=True))
    y = (Out * w[..., None]).sum(2) / w.sum(2)[..., None]
    for b in range(B):
        k = kc[table[b]].reshape(-1, G, 64)[: lengths[b]].astype(float)
        v = vc[table[b]].reshape(-1, G, 64)[: lengths[b]].astype(float)
        s = np.einsum("gqd,ngd->gqn", q[b].astype(float), k) * 0.125
        p = np.exp(s)
        p /= p.sum(-1, keepdims=True)
        np.testing.assert_allclose(y[b], np.einsum("gqn,ngd->gqd", p, v), atol=3e-3)


@weft.kernel(grid=persistent)
def w8a16(
    A: Global(f16, ("M", "K")),
    W: Global(i8, ("N", "K")),
    scale: Global(f16, "N"),
    C: Global(f16, ("M", "N")),
    *,
    stages: int = 3,
):
    (M, K), (N, _) = A.shape, W.shape
    raw = pipeline(stages, w=tile(i8, 128, 64))
    ring = pipeline(stages, b=tile(f16, 128, 64))
    left = pipeline(stages, a=tile(f16, 128, 64))
    out = pipeline(2, c=tile(f16, 128, 64), kind="store")
    work = raster(cdiv(M, 128), cdiv(N, 128))
    with role(warps=1, registers=24):
        for m, n in work:
            for k in loop(cdiv(K, 64)):
                with raw.fill() as s:
                    cta.copy_async(s, W[ds(n * 128, 128), ds(k * 64, 64)])
                with left.fill() as s:
                    cta.copy_async(s, A[ds(m * 128, 128), ds(k * 64, 64)])
    with role(warpgroups=1, registers=96):
        for _ in work:
            for _ in loop(cdiv(K, 64)):
                with raw.take() as r, ring.fill() as s:
                    x = register((128, 64), i8, row_layout((128, 64), 16, warpgroup))
                    warpgroup.copy(x, r.w)
                    warpgroup.copy(s.b, x.to(f16))
    with role(warpgroups=2, registers=184) as g:
        total = register((64, 128), f32, wgmma_layout("d", (64, 128)))
        for m, n in work:
            for k in loop(cdiv(K, 64)):
                with left.take() as a, ring.take() as b:
                    warpgroup.gemm_async(total, a[ds(g * 64, 64), :], b.transpose(), add=k > 0)
            for j in range(0, 128, 64):
                part = total[:, ds(j, 64)].tile()
                sc = along(part, 1, f16)
                warpgroup.copy(sc, scale[ds(n * 128 + j, 64)])
                with out.fill() as s:
                    warpgroup.copy(s.c[ds(g * 64, 64), :], (part * sc.to(f32)).to(f16))
                    cta.copy_async(C[ds(m * 128, 128), ds(n * 128 + j, 64)], s)


def check_w8a16(mode: Any) -> None:
    rng = np.random.default_rng(0)
    for M, N, K in [(70, 130, 80), (200, 33, 77)]:
        a = rng.standard_normal((M, K)).astype(np.float16)
        w = rng.integers(-127, 128, (N, K)).astype(np.int8)
        s = (rng.random(N) / 64).astype(np.float16)
        c = np.full((M, N), np.nan, np.float16)
        w8a16.run(a, w, s, c, target="sm_90a", **mode)
        np.testing.assert_allclose(c, (a.astype(np.float32) @ w.T.astype(np.float32)) * s, atol=2e-2, rtol=1e-2)


@weft.kernel(grid=persistent)
def conv(
    X: Global(bf16, ("B", "H", "W", "C")),
    F: Global(bf16, ("O", 3, 3, "C")),
    bias: Global(f32, "Out"),
    Y: Global(bf16, ("pixels", "Out")),
):
    image = pixels(X, window=(3, 3), pad=1, stride=2)
    Out, C = F.shape[0], X.shape[3]
    rows = Y.shape[0]
    ring = pipeline(4, x=tile(bf16, 128, 64), f=tile(bf16, 128, 64))
    done = pipeline(2, d=tensor_memory((2, 128, 128), f32))
    out = pipeline(2, y=tile(bf16, 128, 32), kind="store")
    work = raster(cdiv(rows, 128), cdiv(Out, 128))
    with role(warps=1):
        for m, n in work:
            for r in range(3):
                for s in range(3):
                    for c in loop(cdiv(C, 64)):
                        with ring.fill() as slot:
                            cta.copy_async(slot.x, image.column(m * 128, 128, tap=(r, s), channels=ds(c * 64, 64)))
                            cta.copy_async(slot.f, F[ds(n * 128, 128), r, s, ds(c * 64, 64)])
    with role(warps=1):
        for _ in work:
            with done.fill() as t:
                for k in loop(9 * cdiv(C, 64)):
                    with ring.take() as slot:
                        cta.gemm_async(t.d, slot.x, slot.f.transpose(), add=k > 0)
    with role(warpgroups=1):
        for m, n in work:
            with done.take() as t:
                for j in range(0, 128, 32):
                    p = register((128, 32), f32, tensor_layout((128, 32)))
                    warpgroup.copy(p, t.d[:, ds(j, 32)])
                    b = along(p, 1, f32)
                    warpgroup.copy(b, bias[ds(n * 128 + j, 32)])
                    with out.fill() as slot:
                        warpgroup.copy(slot.y, maximum(p + b, 0.0).to(bf16))
                        cta.copy_async(Y[ds(m * 128, 128), ds(n * 128 + j, 32)], slot.y)


def check_conv(mode: Any) -> None:

    b16 = ml_dtypes.bfloat16
    rng = np.random.default_rng(0)
    for B, H, W, C, Out in [(2, 9, 7, 72, 40), (1, 5, 6, 8, 130)]:
        x = rng.integers(-3, 4, (B, H, W, C)).astype(b16)
        f = rng.integers(-2, 3, (Out, 3, 3, C)).astype(b16)
        bias = rng.integers(-9, 9, Out).astype(np.float32)
        P, Q = (H + 1) // 2, (W + 1) // 2
        y = np.zeros((B * P * Q, Out), b16)
        conv.run(x, f, bias, y, target="sm_100a", **mode)
        xp = np.pad(x.astype(np.float32), ((0, 0), (1, 1), (1, 1), (0, 0)))
        want = np.zeros((B, P, Q, Out), np.float32)
        for r in range(3):
            for s in range(3):
                want += xp[:, r : r + 2 * P : 2, s : s + 2 * Q : 2][:, :P, :Q] @ f[:, r, s].astype(np.float32).T
        want = np.maximum(want + bias, 0).reshape(-1, Out)
        np.testing.assert_allclose(y.astype(np.float32), want.astype(b16).astype(np.float32))


@weft.kernel(threads=32, grid=lambda B, D: (D, B))
def ssm(A: Global(f32, ("B", "D", "T")), X: Global(f32, ("B", "D", "T")), Y: Global(f32, ("B", "D", "T"))):
    d, b = block_id(0), block_id(1)
    carry = 0.0
    for t in loop(cdiv(A.shape[2], 256)):
        a = register((1, 256), f32, row_layout((1, 256), 4))
        x = register((1, 256), f32, row_layout((1, 256), 4))
        warp.copy(a, A[b, d, ds(t * 256, 256)])
        warp.copy(x, X[b, d, ds(t * 256, 256)])
        aa, h = scan((a, x), 1, lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]))
        h = h + aa * carry
        warp.copy(Y[b, d, ds(t * 256, 256)], h)
        carry = sum(where(coordinates(h, 1) == 255, h, 0.0), None)


def check_ssm(mode: Any) -> None:
    rng = np.random.default_rng(0)
    for B, D, T in [(1, 2, 300), (2, 1, 512), (1, 1, 3)]:
        a = rng.random((B, D, T)).astype(np.float32)
        x = rng.standard_normal((B, D, T)).astype(np.float32)
        y = np.zeros_like(x)
        ssm.run(a, x, y, target="sm_80", **mode)
        h = np.zeros((B, D))
        w = np.zeros_like(x)
        for t in range(T):
            h = a[..., t] * h + x[..., t]
            w[..., t] = h
        np.testing.assert_allclose(y, w, atol=1e-4)


@weft.kernel(threads=128, grid=lambda T: cdiv(T, 4))
def router(L: Global(f32, ("T", 64)), idx: Global(i32, ("T", 2)), gate: Global(f32, ("T", 2)), count: Global(i32, 64)):
    t = block_id() * 4 + warp_id()
    if t < L.shape[0]:
        x = register((1, 64), f32, row_layout((1, 64), 2))
        warp.copy(x, L[t, :])
        a = argmax(x, None)
        top = max(x, None)
        y = where(coordinates(x, 1) == a, -1e30, x)
        b = argmax(y, None)
        second = max(y, None)
        g = 1.0 / (1.0 + exp(second - top))
        if lane_id() == 0:
            idx[t, 0] = a
            idx[t, 1] = b
            gate[t, 0] = g
            gate[t, 1] = 1.0 - g
            atomic_add(count, a, 1)
            atomic_add(count, b, 1)


def check_router(mode: Any) -> None:
    rng = np.random.default_rng(0)
    for T in (1, 37):
        x = rng.standard_normal((T, 64)).astype(np.float32)
        i = np.zeros((T, 2), np.int32)
        g = np.zeros((T, 2), np.float32)
        c = np.zeros(64, np.int32)
        router.run(x, i, g, c, target="sm_90a", **mode)
        w = np.argsort(-x, 1)[:, :2]
        np.testing.assert_array_equal(i, w)
        np.testing.assert_array_equal(c, np.bincount(w.ravel(), minlength=64))


CHECKS = [
    check_swiglu,
    check_window,
    check_decode,
    check_w8a16,
    check_conv,
    check_ssm,
    check_router,
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::weft.errors.PerformanceWarning")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("check", CHECKS)
def test_kernel(check: Any, mode: dict[str, Any]) -> None:
    check(mode)
