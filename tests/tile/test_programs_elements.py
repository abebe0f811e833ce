"""Kernels as their authors write them, on the simulator against NumPy: elements, bits, reductions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.effort import one_in
from tests.tile.program import RNG, check
from weft.tile import (
    Global,
    S,
    block_id,
    boolean,
    cdiv,
    convert,
    cta,
    dtype,
    e4m3,
    e5m2,
    f16,
    f32,
    i32,
    i64,
    lane_id,
    laneid,
    maximum,
    register,
    rsqrt,
    thread_id,
    tx,
    u8,
    u32,
    warp,
    warp_id,
    warpid,
    where,
)
from weft.tile import max as largest
from weft.tile import sum as total


def ew(kind):

    @weft.kernel(threads=64, grid=lambda N: cdiv(N, 64))
    def k(x: Global(kind, "N"), y: Global(kind, "N"), z: Global(kind, "N"), s: dtype(kind)):
        i = block_id() * 64 + thread_id()
        if i >= x.shape[0]:
            return
        z[i] = x[i] * s + y[i]

    return k


@pytest.mark.slow
def test_ew() -> None:
    for kind in ("f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8")[:: one_in(4)]:
        dt = dtype(kind).numpy
        n = 100
        x = RNG.integers(0, 5, n).astype(dt)
        y = RNG.integers(0, 9, n).astype(dt)
        check(ew(kind), [x, y, np.zeros(n, dt), 3], {2: x.astype(float) * 3 + y.astype(float)})


@weft.kernel(threads=32, grid=1)
def uns(x: Global(u32, 32), y: Global(u32, 32), z: Global(u8, 32), w: Global(i64, 32), f: Global(f32, 32)):
    i = thread_id()
    y[i] = maximum(x[i] // 3, x[i] % 7) >> 1
    z[i] = convert(x[i], u8)
    w[i] = convert(x[i], i64) - 5
    f[i] = convert(x[i], f32)


def test_unsigned() -> None:
    x = RNG.integers(0, 2**32, 32).astype(np.uint32)
    check(
        uns,
        [x, np.zeros_like(x), np.zeros(32, np.uint8), np.zeros(32, np.int64), np.zeros(32, np.float32)],
        {1: np.maximum(x // 3, x % 7) >> 1, 2: x.astype(np.uint8), 3: x.astype(np.int64) - 5, 4: x.astype(np.float32)},
    )


@weft.kernel(threads=32, grid=1)
def bools(x: Global(boolean, 32), y: Global(boolean, 32), c: boolean, n: i32):
    i = thread_id()
    y[i] = not x[i] if c else x[i] and i < n


def test_bools() -> None:
    x = RNG.integers(0, 2, 32).astype(bool)
    check(bools, [x, np.zeros(32, bool), True, 3], {1: ~x})


def test_lazy_conditions_on_bools() -> None:
    x = RNG.integers(0, 2, 32).astype(bool)
    check(bools, [x, np.zeros(32, bool), False, 13], {1: x & (np.arange(32) < 13)})


@weft.kernel(threads=32, grid=1)
def f8(x: Global(e4m3, 32), y: Global(f32, 32), z: Global(e5m2, 32), h: Global(f16, 32), w: Global(e4m3, 32)):
    i = thread_id()
    y[i] = convert(x[i], f32) * 2.0
    z[i] = convert(x[i], e5m2)
    h[i] = convert(x[i], f16) + 1.0
    w[i] = convert(convert(x[i], f32) * 0.5, e4m3)


def test_f8() -> None:
    x = RNG.integers(-4, 5, 32).astype(ml_dtypes.float8_e4m3fn)
    check(
        f8,
        [
            x,
            np.zeros(32, np.float32),
            np.zeros(32, ml_dtypes.float8_e5m2),
            np.zeros(32, np.float16),
            np.zeros(32, x.dtype),
        ],
        {1: x.astype(float) * 2, 2: x.astype(float), 3: x.astype(float) + 1, 4: x.astype(float) / 2},
        targets=("sm_90a", "sm_100a", "sm_120a"),
    )


@weft.kernel(threads=32, grid=1)
def bits(
    x: Global(u8, (16, 8)),
    lo: Global(i32, (16, 8)),
    hi: Global(i32, (16, 8)),
    q: Global(i32, (16, 8)),
    fq: Global(f32, (16, 8)),
):
    L = S[(2, 8, 4, 2) : (2, 4 @ laneid, 1 @ laneid, 1)]
    t = register((16, 8), u8, L)
    warp.copy(t, x)
    w = t.to(i32)
    a = w & 15
    b = w >> 4
    warp.copy(lo, a - where(a > 7, 16, 0))
    warp.copy(hi, (b ^ 8) - 8)
    warp.copy(
        q,
        (w - 100) // 7 * 1000
        + (w - 100) % 7
        + ((w > 50) & ~(w == 60)).to(i32)
        + abs(w - 100)
        + -w
        + (w << 2)
        + (w | 1),
    )
    warp.copy(fq, w / 3)


def test_bits() -> None:
    x = RNG.integers(0, 256, (16, 8)).astype(np.uint8)
    w = x.astype(np.int64)
    check(
        bits,
        [x] + [np.zeros((16, 8), np.int32) for _ in range(3)] + [np.zeros((16, 8), np.float32)],
        {
            1: (w & 15 ^ 8) - 8,
            2: (w >> 4 ^ 8) - 8,
            3: (w - 100) // 7 * 1000 + (w - 100) % 7 + ((w > 50) & (w != 60)) + abs(w - 100) - w + (w << 2) + (w | 1),
            4: (w / 3).astype(np.float32),
        },
        tol=1e-06,
    )


def rowred(threads, cols, kind="f32"):

    @weft.kernel(threads=threads, grid=lambda M: M)
    def k(x: Global(kind, ("M", cols)), s: Global(kind, "M"), mx: Global(kind, "M")):
        L = S[(cols // threads, threads) : (1, 1 @ tx)]
        t = register(cols, kind, L)
        r = block_id()
        cta.copy(t, x[r, :])
        a = total(t)
        b = largest(t)
        if thread_id() == 0:
            s[r] = a
            mx[r] = b

    return k


def test_rowred() -> None:
    for threads, cols, kind in (
        (128, 1024, "f32"),
        (96, 288, "i32"),
        (256, 512, "u8"),
        (64, 128, "f16"),
        (1024, 1024, "f64"),
    )[:: one_in(3)]:
        x = RNG.integers(0, 7, (3, cols)).astype(dtype(kind).numpy)
        with np.errstate(over="ignore"):
            e = x.sum(1, dtype=x.dtype)
        check(rowred(threads, cols, kind), [x, np.zeros(3, x.dtype), np.zeros(3, x.dtype)], {1: e, 2: x.max(1)})


@weft.kernel(threads=128, grid=1)
def colred(x: Global(f32, (64, 32)), s: Global(f32, 32), r: Global(f32, 64)):
    L = S[(4, 16, 32) : (1 @ warpid, 1, 1 @ laneid)]
    t = register((64, 32), f32, L)
    cta.copy(t, x)
    c = total(t, 0)
    rr = total(t, 1)
    if warp_id() == 0:
        s[lane_id()] = c.storage[0]
    if lane_id() == 0:
        for i in range(16):
            r[warp_id() * 16 + i] = rr.storage[i]


@pytest.mark.slow
def test_colred() -> None:
    x = RNG.integers(0, 7, (64, 32)).astype(np.float32)
    check(colred, [x, np.zeros(32, np.float32), np.zeros(64, np.float32)], {1: x.sum(0), 2: x.sum(1)})


@weft.kernel(threads=256, grid=lambda M: M)
def layernorm(
    x: Global(f16, ("M", 2048)), g: Global(f32, 2048), b: Global(f32, 2048), y: Global(f16, ("M", 2048)), eps: f32
):
    L = S[(256, 8) : (1 @ tx, 1)]
    r = block_id()
    t = register(2048, f16, L)
    gg = register(2048, f32, L)
    bb = register(2048, f32, L)
    cta.copy(t, x[r, :])
    cta.copy(gg, g)
    cta.copy(bb, b)
    v = t.to(f32)
    mean = total(v) / 2048
    d = v - mean
    var = total(d**2) / 2048
    cta.copy(y[r, :], (d * rsqrt(var + eps) * gg + bb).to(f16))


@pytest.mark.slow
def test_layernorm() -> None:
    x = RNG.standard_normal((2, 2048)).astype(np.float16)
    g = RNG.standard_normal(2048).astype(np.float32)
    b = RNG.standard_normal(2048).astype(np.float32)
    xf = x.astype(float)
    e = (xf - xf.mean(1, keepdims=True)) / np.sqrt(xf.var(1, keepdims=True) + 1e-05) * g + b
    check(layernorm, [x, g, b, np.zeros_like(x), 1e-05], {3: e}, tol=0.005)
