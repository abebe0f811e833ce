"""Kernels of words, orders and signals in Triton: quantization, histograms, scans, orders, filters, random numbers."""

# pyright: basic

from __future__ import annotations

from random import Random

import ml_dtypes
import numpy as np
import triton
import triton.language as tl

from quality.triton_programs import Program, numbers, program


def _whole(rng: Random, low: int, high: int, *shape: int, dtype=np.int32):
    return np.random.default_rng(rng.randrange(1 << 30)).integers(low, high, shape).astype(dtype)


@triton.jit
def quantize_kernel(X, Q, S, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + at, mask=at < n, other=0.0).to(tl.float32)
    scale = tl.max(tl.abs(x)) / 127.0
    y = x / (scale + 1e-20)
    q = tl.where(y >= 0, y + 0.5, y - 0.5).to(tl.int8)
    tl.store(Q + at, q, mask=at < n)
    tl.store(S + tl.program_id(0), scale)


@program
def quantize(rng: Random) -> Program:
    n = rng.randrange(1500, 2000)
    arrays = [numbers(rng, ml_dtypes.bfloat16, n), np.zeros(n, np.int8), np.zeros(4, np.float32)]
    return Program(quantize_kernel, [*arrays, n], (4,), {"BLOCK": 512})


@triton.jit
def dequantize_kernel(Q, S, Y, n, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.load(Q + at, mask=at < n, other=0)
    low, high = (q & 15).to(tl.int8) - 8, (q >> 4).to(tl.int8) - 8
    scale = tl.load(S + at // GROUP, mask=at < n, other=0.0)
    both = tl.interleave(low.to(tl.float16) * scale, high.to(tl.float16) * scale)
    out = tl.program_id(0) * BLOCK * 2 + tl.arange(0, 2 * BLOCK)
    tl.store(Y + out, both, mask=out < 2 * n)


@program
def dequantize(rng: Random) -> Program:
    n = rng.randrange(1500, 2000)
    q = _whole(rng, 0, 256, n, dtype=np.uint8)
    arrays = [q, numbers(rng, np.float16, n // 32 + 1), numbers(rng, np.float16, 2 * n)]
    return Program(dequantize_kernel, [*arrays, n], (4,), {"GROUP": 32, "BLOCK": 512})


@triton.jit
def fp8_kernel(X, Y, Z, n, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + at, mask=at < n, other=0.0)
    y = (x.to(tl.float32) * scale).to(tl.float8e5)
    tl.store(Y + at, y, mask=at < n)
    tl.store(Z + at, (y.to(tl.float32) - x.to(tl.float32)).to(tl.bfloat16), mask=at < n)


@program
def fp8_cast(rng: Random) -> Program:
    n = rng.randrange(1500, 2000)
    arrays = [numbers(rng, t, n) for t in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.bfloat16)]
    return Program(fp8_kernel, [*arrays, n, np.float32(3.5)], (2,), {"BLOCK": 1024})


@triton.jit
def topk_kernel(X, Y, FIRST, N, K: tl.constexpr, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(X + row * N + at, mask=at < N, other=-float("inf"))
    tl.store(Y + row * K + tl.arange(0, K), tl.topk(x, K))
    tl.store(FIRST + row, tl.argmax(x, 0))


@program
def top_k(rng: Random) -> Program:
    n = rng.randrange(200, 256)
    arrays = [numbers(rng, np.float32, 2, n), numbers(rng, np.float32, 2, 8), np.zeros(2, np.int32)]
    return Program(topk_kernel, [*arrays, n], (2,), {"K": 8, "BLOCK": 256})


@triton.jit
def histogram_kernel(X, H, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + at, mask=at < n, other=0)
    counts = tl.histogram(x, BINS, mask=at < n)
    tl.atomic_add(H + tl.arange(0, BINS), counts)


@program
def histogram(rng: Random) -> Program:
    n, bins = rng.randrange(1500, 2000), rng.choice((64, 128))
    return Program(
        histogram_kernel, [_whole(rng, 0, bins, n), np.zeros(bins, np.int32), n], (2,), {"BINS": bins, "BLOCK": 1024}
    )


@triton.jit
def cumsum_kernel(X, Y, N, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    carry = 0.0
    for i in range(0, N, BLOCK):
        x = tl.load(X + row * N + i + at, mask=i + at < N, other=0.0)
        s = tl.cumsum(x, 0) + carry
        tl.store(Y + row * N + i + at, s, mask=i + at < N)
        carry += tl.sum(x)


@program
def scan(rng: Random) -> Program:
    n = rng.randrange(600, 1000)
    return Program(cumsum_kernel, [*(numbers(rng, np.float32, 2, n) for _ in range(2)), n], (2,), {"BLOCK": 256})


@triton.jit
def step(a, x, b, y):
    return a * b, b * x + y


@triton.jit
def recurrence_kernel(A, X, Y, T, D, BT: tl.constexpr, BD: tl.constexpr):
    rt, rd = tl.arange(0, BT), tl.program_id(0) * BD + tl.arange(0, BD)
    at = rt[:, None] * D + rd[None, :]
    mask = (rt[:, None] < T) & (rd[None, :] < D)
    a, x = tl.load(A + at, mask=mask, other=1.0), tl.load(X + at, mask=mask, other=0.0)
    _, y = tl.associative_scan((a, x), 0, step)
    tl.store(Y + at, y, mask=mask)


@program
def recurrence(rng: Random) -> Program:
    t, d = rng.randrange(40, 64), rng.randrange(40, 64)
    arrays = [numbers(rng, np.float32, t, d) for _ in range(3)]
    return Program(recurrence_kernel, [*arrays, t, d], (2,), {"BT": 64, "BD": 32})


@triton.jit
def welford_join(m1, s1, n1, m2, s2, n2):
    n = n1 + n2
    d, r = m2 - m1, tl.where(n == 0, 0.0, n2 / n)
    return m1 + d * r, s1 + s2 + d * d * n1 * r, n


@triton.jit
def welford_kernel(X, M, V, N, BM: tl.constexpr, BN: tl.constexpr):
    rm, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN)
    mask = rn[None, :] < N
    x = tl.load(X + rm[:, None] * N + rn[None, :], mask=mask, other=0.0)
    m, s, n = tl.reduce((x, tl.zeros((BM, BN), tl.float32), mask.to(tl.float32) + x * 0), 1, welford_join)
    tl.store(M + rm, m)
    tl.store(V + rm, s / n)


@program
def welford(rng: Random) -> Program:
    n = rng.randrange(100, 128)
    arrays = [numbers(rng, np.float32, *s) for s in ((16, n), (16,), (16,))]
    return Program(welford_kernel, [*arrays, n], (2,), {"BM": 8, "BN": 128})


@triton.jit
def transpose_kernel(X, Y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rm, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    x = tl.load(X + rm[:, None] * N + rn[None, :], mask=(rm[:, None] < M) & (rn[None, :] < N))
    tl.store(Y + rn[:, None] * M + rm[None, :], tl.trans(x), mask=(rn[:, None] < N) & (rm[None, :] < M))


@program
def transposed(rng: Random) -> Program:
    m, n = rng.randrange(40, 64), 8 * rng.randrange(5, 8)
    dtype = rng.choice((np.float16, np.float32, np.int8))
    x = _whole(rng, -100, 100, m, n).astype(dtype)
    return Program(transpose_kernel, [x, np.zeros((n, m), dtype), m, n], (2, 1), {"BM": 32, "BN": 64})


@triton.jit
def conv_kernel(X, W, Y, C, H, WIDTH, K: tl.constexpr, BC: tl.constexpr, BW: tl.constexpr):
    row, rw, rc = tl.program_id(0), tl.arange(0, BW), tl.arange(0, BC)
    acc = tl.zeros((BC, BW), tl.float32)
    for i in tl.static_range(K):
        for j in tl.static_range(K):
            y, x = row + i - K // 2, rw + j - K // 2
            inside = (y >= 0) & (y < H) & (x[None, :] >= 0) & (x[None, :] < WIDTH) & (rc[:, None] < C)
            v = tl.load(X + (rc[:, None] * H + y) * WIDTH + x[None, :], mask=inside, other=0.0)
            acc += v * tl.load(W + (rc * K + i) * K + j, mask=rc < C)[:, None]
    out = (rc[:, None] * H + row) * WIDTH + rw[None, :]
    tl.store(Y + out, acc, mask=(rc[:, None] < C) & (rw[None, :] < WIDTH))


@program
def depthwise(rng: Random) -> Program:
    c, h, w = rng.randrange(9, 16), 2, rng.randrange(20, 32)
    arrays = [numbers(rng, np.float32, *s) for s in ((c, h, w), (c, 3, 3), (c, h, w))]
    return Program(conv_kernel, [*arrays, c, h, w], (h,), {"K": 3, "BC": 16, "BW": 32})


@triton.jit
def adam_kernel(P, G, M, V, lr, b1, b2, eps, step, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    p, g = tl.load(P + at, mask=mask), tl.load(G + at, mask=mask).to(tl.float32)
    m = b1 * tl.load(M + at, mask=mask) + (1 - b1) * g
    v = b2 * tl.load(V + at, mask=mask) + (1 - b2) * g * g
    tl.store(M + at, m, mask=mask)
    tl.store(V + at, v, mask=mask)
    c1, c2 = 1 - tl.exp2(step * tl.log2(b1)), 1 - tl.exp2(step * tl.log2(b2))
    tl.store(P + at, p - lr * (m / c1) / (tl.sqrt(v / c2) + eps), mask=mask)


@program
def adam_step(rng: Random) -> Program:
    n = rng.randrange(1500, 2000)
    p, m, v = (np.abs(numbers(rng, np.float32, n)) for _ in range(3))
    floats = [np.float32(v) for v in (1e-3, 0.9, 0.99, 1e-8, 7.0)]
    return Program(adam_kernel, [p, numbers(rng, np.float16, n), m, v, *floats, n], (4,), {"BLOCK": 512})


@triton.jit
def normal_kernel(Y, Z, n, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(Y + at, tl.randn(seed, at), mask=at < n)
    a, b, _, _ = tl.randint4x(seed, at)
    tl.store(Z + at, a ^ b, mask=at < n)


@program
def normals(rng: Random) -> Program:
    n = rng.randrange(700, 1000)
    return Program(
        normal_kernel, [np.zeros(n, np.float32), np.zeros(n, np.int32), n, rng.randrange(9999)], (2,), {"BLOCK": 512}
    )


@triton.jit
def gather_kernel(IDS, TABLE, OUT, D, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    token = tl.load(IDS + tl.program_id(0)).to(tl.int64)
    x = tl.load(TABLE + token * D + at, mask=at < D, other=0.0)
    tl.atomic_add(OUT + at, x.to(tl.float32), mask=at < D)


@program
def embedding(rng: Random) -> Program:
    d = rng.randrange(200, 256)
    arrays = [_whole(rng, 0, 9, 4), numbers(rng, np.float16, 9, d), np.zeros(d, np.float32)]
    return Program(gather_kernel, [*arrays, d], (4,), {"BLOCK": 256})


@triton.jit
def online_kernel(X, Y, N, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    m, d = tl.full((BLOCK,), -float("inf"), tl.float32), tl.zeros((BLOCK,), tl.float32)
    for i in range(0, N, BLOCK):
        x = tl.load(X + row * N + i + at, mask=i + at < N, other=-1e9)
        top = tl.maximum(m, x)
        d = d * tl.exp(m - top) + tl.exp(x - top)
        m = top
    top = tl.max(m)
    total = tl.sum(d * tl.exp(m - top))
    for i in range(0, N, BLOCK):
        x = tl.load(X + row * N + i + at, mask=i + at < N)
        tl.store(Y + row * N + i + at, tl.exp(x - top) / total, mask=i + at < N)


@program
def online_softmax(rng: Random) -> Program:
    n = rng.randrange(600, 1000)
    return Program(online_kernel, [*(numbers(rng, np.float32, 2, n) for _ in range(2)), n], (2,), {"BLOCK": 256})


@triton.jit
def mandelbrot_kernel(OUT, W, scale, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cx, cy = (at % W).to(tl.float32) * scale - 2.0, (at // W).to(tl.float32) * scale - 1.0
    x, y, count = cx * 0, cy * 0, at * 0
    for _ in range(STEPS):
        x, y = x * x - y * y + cx, 2 * x * y + cy
        count += (x * x + y * y < 4.0).to(tl.int32)
    tl.store(OUT + at, count)


@program
def escape(rng: Random) -> Program:
    w = rng.randrange(30, 60)
    constants = {"STEPS": rng.randrange(10, 30), "BLOCK": 256}
    return Program(mandelbrot_kernel, [np.zeros(512, np.int32), w, np.float32(3 / w)], (2,), constants)
