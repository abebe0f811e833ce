"""Kernels as their authors write them, on the simulator against NumPy: blocks, warps, memory."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.effort import draws
from tests.tile.program import RNG, check
from weft.errors import CompileError
from weft.tile import (
    Global,
    S,
    atomic_add,
    block_id,
    cdiv,
    convert,
    coordinates,
    cta,
    exp2,
    f16,
    f32,
    f64,
    full,
    function,
    grid_size,
    i16,
    i32,
    i64,
    lane_id,
    laneid,
    loop,
    maximum,
    minimum,
    register,
    shared,
    shuffle_up,
    shuffle_xor,
    thread_id,
    u8,
    warp,
    warp_id,
    where,
    zeros,
)
from weft.tile import max as largest
from weft.tile import min as smallest
from weft.tile import sum as total
from weft.tile.layouts import mma_layout, row_layout, swizzled


@weft.kernel(threads=128, grid=1)
def cumsum(x: Global(i32, "N"), y: Global(i32, "N")):
    part = shared(4, i32)
    base = convert(0, i32)
    t = thread_id()
    n = x.shape[0]
    for s in range(0, n, 128):
        i = s + t
        v = x[i] if i < n else 0
        for k in (1, 2, 4, 8, 16):
            o = shuffle_up(v, k)
            v = v + (o if lane_id() >= k else 0)
        if lane_id() == 31:
            part[warp_id()] = v
        cta.sync()
        add = base
        for w in range(4):
            p = part[w]
            if w < warp_id():
                add += p
            base += p
        cta.sync()
        if i < n:
            y[i] = v + add


@pytest.mark.slow
def test_cumsum() -> None:
    x = RNG.integers(-9, 9, 300).astype(np.int32)
    check(cumsum, [x, np.zeros_like(x)], {1: np.cumsum(x)})


@weft.kernel(threads=128, grid=2)
def hist(x: Global(u8, "N"), h: Global(i32, 256)):
    bins = shared(256, i32)
    for b in range(thread_id(), 256, 128):
        bins[b] = 0
    cta.sync()
    for i in range(block_id() * 128 + thread_id(), x.shape[0], grid_size() * 128):
        atomic_add(bins, x[i].to(i32), 1)
    cta.sync()
    for b in range(thread_id(), 256, 128):
        if bins[b] != 0:
            atomic_add(h, b, bins[b])


@pytest.mark.slow
def test_hist() -> None:
    x = RNG.integers(0, 256, 1000).astype(np.uint8)
    check(hist, [x, np.zeros(256, np.int32)], {1: np.bincount(x, minlength=256)})


@weft.kernel(threads=128, grid=lambda M, N: (cdiv(N, 32), cdiv(M, 32)))
def transpose(x: Global(f32, ("M", "N")), y: Global(f32, ("N", "M"))):
    i, j = (block_id(1) * 32, block_id(0) * 32)
    t = shared((32, 32), f32, swizzled((32, 32), f32))
    cta.copy(t, x[i : i + 32, j : j + 32])
    cta.sync()
    cta.copy(y[j : j + 32, i : i + 32], t.transpose())


@pytest.mark.slow
def test_transpose() -> None:
    x = RNG.standard_normal((45, 70)).astype(np.float32)
    check(transpose, [x, np.zeros((70, 45), np.float32)], {1: x.T})


@weft.kernel(threads=128, grid=lambda N: cdiv(N, 128))
def stencil(x: Global(f32, "N"), y: Global(f32, "N")):
    n = x.shape[0]
    t = shared(130, f32)
    start = block_id() * 128
    for k in range(thread_id(), 130, 128):
        i = start + k - 1
        t[k] = x[i] if 0 <= i < n else 0.0
    cta.sync()
    i = start + thread_id()
    if i < n:
        y[i] = t[thread_id()] + 2.0 * t[thread_id() + 1] + t[thread_id() + 2]


@pytest.mark.slow
def test_stencil() -> None:
    x = RNG.integers(0, 9, 300).astype(np.float32)
    p = np.pad(x, 1)
    check(stencil, [x, np.zeros_like(x)], {1: p[:-2] + 2 * p[1:-1] + p[2:]})


@weft.kernel(threads=128, grid=lambda M: cdiv(M, 4))
def matvec(A: Global(f16, ("M", "K")), v: Global(f32, "K"), y: Global(f32, "M")):
    row = block_id() * 4 + warp_id()
    if row >= A.shape[0]:
        return
    acc = 0.0
    for k in range(lane_id(), A.shape[1], 32):
        acc += convert(A[row, k], f32) * v[k]
    for m_ in (16, 8, 4, 2, 1):
        acc += shuffle_xor(acc, m_)
    if lane_id() == 0:
        y[row] = acc


@pytest.mark.slow
def test_matvec() -> None:
    A = RNG.integers(-3, 4, (13, 77)).astype(np.float16)
    v = RNG.integers(-3, 4, 77).astype(np.float32)
    check(matvec, [A, v, np.zeros(13, np.float32)], {2: A.astype(float) @ v})


@weft.kernel(threads=32, grid=lambda M: M)
def argmax(x: Global(f32, ("M", "N")), idx: Global(i32, "M"), val: Global(f32, "M")):
    r = block_id()
    n = x.shape[1]
    best = -float("inf")
    at = -1
    for i in range(lane_id(), n, 32):
        v = x[r, i]
        if v > best:
            best, at = (v, i)
    for s in (16, 8, 4, 2, 1):
        ob, oa = (shuffle_xor(best, s), shuffle_xor(at, s))
        take = ob > best or (ob == best and oa < at and (oa >= 0))
        best = ob if take else best
        at = oa if take else at
    if lane_id() == 0:
        idx[r] = at
        val[r] = best


@pytest.mark.slow
def test_argmax() -> None:
    x = RNG.integers(0, 40, (5, 77)).astype(np.float32)
    check(argmax, [x, np.zeros(5, np.int32), np.zeros(5, np.float32)], {1: x.argmax(1), 2: x.max(1)})


@weft.kernel(threads=64, grid=lambda N: cdiv(N, 64))
def gather(x: Global(f32, ("R", 8)), idx: Global(i64, "N"), y: Global(f32, ("N", 8))):
    i = block_id() * 64 + thread_id()
    if i < y.shape[0]:
        r = idx[i]
        for k in range(8):
            y[i, k] = x[r, k]


@pytest.mark.slow
def test_gather() -> None:
    x = RNG.standard_normal((20, 8)).astype(np.float32)
    ix = RNG.integers(0, 20, 100)
    check(gather, [x, ix, np.zeros((100, 8), np.float32)], {2: x[ix]})


@weft.kernel(threads=32, grid=lambda M: cdiv(M, 16))
def causal(
    Q: Global(f16, ("M", 64)),
    K: Global(f16, ("M", 64)),
    V: Global(f16, ("M", 64)),
    result: Global(f32, ("M", 64)),
    scale: f32,
):
    row = block_id() * 16
    q = register((16, 64), f16, mma_layout("a", (16, 64), f16))
    warp.copy(q, Q[row : row + 16, :])
    k = shared((32, 64), f16, swizzled((32, 64), f16))
    v = shared((32, 64), f16, swizzled((32, 64), f16))
    kr = register((64, 32), f16, mma_layout("b", (64, 32), f16))
    vr = register((32, 64), f16, mma_layout("b", (32, 64), f16))
    w = register((16, 32), f16, mma_layout("a", (16, 32), f16))
    L = mma_layout("d", (16, 32), f16)
    out = zeros((16, 64), f32, mma_layout("d", (16, 64), f16))
    top = largest(full((16, 32), -1e30, f32, L), 1, keepdims=True)
    tot = total(zeros((16, 32), f32, L), 1, keepdims=True)
    for s in loop(0, minimum(row + 16, Q.shape[0]), 32):
        warp.copy(k, K[s : s + 32, :])
        warp.copy(v, V[s : s + 32, :])
        warp.sync()
        sc = zeros((16, 32), f32, L)
        warp.copy(kr, k.transpose())
        warp.gemm(sc, q, kr)
        ok = (coordinates(sc, 1) + s <= coordinates(sc, 0) + row) & (coordinates(sc, 1) + s < K.shape[0])
        sc = where(ok, sc * (scale * 1.4426950408889634), -1e30)
        hi = maximum(top, largest(sc, 1, keepdims=True))
        g = exp2(top - hi)
        sc = where(ok, exp2(sc - hi), 0.0)
        tot = tot * g + total(sc, 1, keepdims=True)
        out = out * g
        top = hi
        warp.copy(w, sc.to(f16))
        warp.copy(vr, v)
        warp.gemm(out, w, vr)
        warp.sync()
    warp.copy(result[row : row + 16, :], out / tot)


@pytest.mark.slow
def test_causal() -> None:
    M = draws(21, 45)
    Q, K, V = (RNG.standard_normal((M, 64)).astype(np.float16) for _ in range(3))
    s = Q.astype(float) @ K.astype(float).T / 8
    s = np.where(np.tril(np.ones((M, M))) > 0, s, -np.inf)
    p = np.exp(s - s.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    check(causal, [Q, K, V, np.zeros((M, 64), np.float32), 0.125], {3: p @ V.astype(float)}, tol=0.004)


@weft.kernel(threads=32, grid=lambda P: cdiv(P, 16))
def conv(img: Global(f16, ("C", "H", "W")), flt: Global(f16, ("CRS", 8)), out: Global(f32, ("P", 8)), ow: i32):
    acc = zeros((16, 8), f32, mma_layout("d", (16, 8), f16))
    a = zeros((16, 16), f16, mma_layout("a", (16, 16), f16))
    b = register((16, 8), f16, mma_layout("b", (16, 8), f16))
    p0 = block_id() * 16
    rows, cols = (coordinates(a, 0), coordinates(a, 1))
    for k0 in range(0, flt.shape[0], 16):
        for q in range(len(a.storage)):
            p = p0 + rows.storage[q]
            kk = k0 + cols.storage[q]
            c, rs = (kk // 9, kk % 9)
            inside = p < out.shape[0] and kk < flt.shape[0]
            a.storage[q] = img[c, p // ow + rs // 3, p % ow + rs % 3] if inside else 0.0
        warp.copy(b, flt[k0 : k0 + 16, :])
        warp.gemm(acc, a, b)
    warp.copy(out[p0 : p0 + 16, :], acc)


@pytest.mark.slow
def test_conv() -> None:
    C, H, W = (3, 9, 10)
    img = RNG.integers(-3, 4, (C, H, W)).astype(np.float16)
    flt = RNG.integers(-3, 4, (27, 8)).astype(np.float16)
    oh, ow = (H - 2, W - 2)
    cols = np.stack(
        [img[c, r : r + oh, s : s + ow].ravel() for c in range(C) for r in range(3) for s in range(3)], 1
    ).astype(float)
    check(conv, [img, flt, np.zeros((oh * ow, 8), np.float32), ow], {2: cols @ flt.astype(float)})


@weft.kernel(threads=32, grid=lambda M: M)
def topk(x: Global(f32, ("M", 128)), v: Global(f32, ("M", 3)), ix: Global(i32, ("M", 3))):
    r = block_id()
    t = register((1, 128), f32, row_layout((1, 128), 4))
    warp.copy(t, x[r, :])
    c = coordinates(t, 1)
    for j in range(3):
        top = largest(t, 1, keepdims=True)
        first = smallest(where(t == top, c, 128), 1, keepdims=True)
        t = where(c == first, -1e30, t)
        v[r, j] = top.storage[0]
        ix[r, j] = first.storage[0]


@pytest.mark.slow
def test_topk() -> None:
    x = RNG.permutation(512).reshape(4, 128).astype(np.float32)
    o = np.argsort(-x, 1)[:, :3]
    check(topk, [x, np.zeros((4, 3), np.float32), np.zeros((4, 3), np.int32)], {1: np.take_along_axis(x, o, 1), 2: o})


@function
def gcd_(a, b):
    while b != 0:
        a, b = (b, a % b)
    return a


@function
def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0


@weft.kernel(threads=32, grid=1)
def helpers(
    x: Global(i32, ("N",), ("sx",)),
    y: Global(i32, ("N",), ("sy",)),
    z: Global(i32, "N"),
    a: i16,
    b: u8,
    c: i64,
    d: f64,
    e: f16,
):
    i = thread_id()
    if i < x.shape[0]:
        z[i] = gcd_(x[i], y[i]) * 10 + sign(x[i] - y[i]) + a + b + c.to(i32) + convert(d, i32) + convert(e, i32)


def test_helpers() -> None:
    n = 20
    X = RNG.integers(1, 100, 60).astype(np.int32)[::3]
    Y = RNG.integers(1, 100, 40).astype(np.int32)[::2]
    check(
        helpers,
        [X, Y, np.zeros(n, np.int32), -3, 200, 5, 2.5, 1.5],
        {2: np.gcd(X, Y) * 10 + np.sign(X - Y) - 3 + 200 + 5 + 2 + 1},
    )


@weft.kernel(threads=32, grid=1)
def messages(n: i32, x: f32):
    assert n > 0, "n is positive"
    if thread_id() == n:
        print("thread", thread_id(), "x =", x, "100%")


def test_messages() -> None:
    check(messages, [3, 1.5], {})


@weft.kernel(threads=32, grid=1)
def naxis(x: Global(f32, (16, 8)), y: Global(f32, (16, 8))):
    L = S[(2, 8, 4, 2) : (2, 4 @ laneid, 1 @ laneid, 1)]
    t = register((16, 8), f32, L)
    warp.copy(t, x)
    row = total(t, 1)
    col = largest(t, 0)
    warp.copy(y, t - row[:, None] + col[None, :] * 2)


def test_naxis() -> None:
    x = RNG.integers(0, 9, (16, 8)).astype(np.float32)
    check(naxis, [x, np.zeros_like(x)], {1: x - x.sum(1, keepdims=True) + 2 * x.max(0, keepdims=True)})


@weft.kernel(threads=32, grid=1)
def t3(x: Global(f16, (4, 8, 32)), y: Global(f16, (4, 32)), z: Global(f16, (2, 8, 32))):
    L = S[(4, 8, 32) : (8, 1, 1 @ laneid)]
    t = register((4, 8, 32), f16, L)
    warp.copy(t, x)
    warp.copy(y, total(t, 1))
    warp.copy(z, t[1:3, :, :] + t[-1:, :, :])


@pytest.mark.slow
def test_t3() -> None:
    x = RNG.integers(0, 9, (4, 8, 32)).astype(np.float16)
    check(t3, [x, np.zeros((4, 32), np.float16), np.zeros((2, 8, 32), np.float16)], {1: x.sum(1), 2: x[1:3] + x[-1:]})


@weft.kernel(threads=32, grid=1)
def neg(x: Global(i32, ("N", 4)), y: Global(i32, 32)):
    s = x[-1, -2]
    for _ in range(5, 5):
        s = s + 100
    for _ in loop(5, 2):
        s = s + 100
    for _ in range(x.shape[0], x.shape[0]):
        s += 1000
    y[thread_id()] = s


def test_neg() -> None:
    x = np.arange(40, dtype=np.int32).reshape(10, 4)
    check(neg, [x, np.zeros(32, np.int32)], {1: np.full(32, 38)})


@weft.kernel(threads=64, grid=3)
def strided(X: Global(i32, ("N", 64)), Y: Global(i32, ("N", 64)), *, diverging: bool = False):
    """Rows a block apart, by a condition that all threads of a block meet alike; or not."""
    held = shared(64, i32)
    at = thread_id() if diverging else block_id()
    while at < X.shape[0]:
        cta.copy(held, X[at if not diverging else 0, :])
        cta.sync()
        cta.copy(Y[at if not diverging else 0, :], held)
        cta.sync()
        at = at + grid_size()


def test_copies_in_a_loop_with_a_condition() -> None:
    x, y = RNG.integers(0, 99, (7, 64), np.int32), np.zeros((7, 64), np.int32)
    check(strided, [x, y], {1: x})
    with pytest.raises(CompileError, match="may differ between threads"):
        strided.ptx("sm_90a", diverging=True)
