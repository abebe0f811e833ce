"""Kernels of models in Triton: norms, gradients, losses, embeddings, products of other types and orders."""

# pyright: basic
# ruff: noqa: N806

from __future__ import annotations

from random import Random

import ml_dtypes
import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice

from quality.triton_programs import Program, matmul_kernel, numbers, program


@triton.jit
def matmul_fp8_kernel(A, B, C, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        a = tl.load(A + rm[:, None] * sam + (k + rk)[None, :])
        b = tl.load(B + (k + rk)[:, None] + rn[None, :] * sbk)
        acc = tl.dot(a, b, acc)
    tl.store(C + rm[:, None] * scm + rn[None, :], acc.to(tl.float16))


@program
def matmul_fp8(rng: Random) -> Program:
    k = 64 * rng.randrange(2, 5)
    a, b = (numbers(rng, ml_dtypes.float8_e5m2, 64, k) for _ in range(2))
    c = numbers(rng, np.float16, 64, 64)
    return Program(matmul_fp8_kernel, [a, b, c, k, k, k, 64], (1, 1), {"BM": 64, "BN": 64, "BK": 64})


@triton.jit
def matmul_int8_kernel(A, B, C, scale, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.int32)
    for k in range(0, K, BK):
        a = tl.load(A + rm[:, None] * K + (k + rk)[None, :], mask=rm[:, None] < M, other=0)
        b = tl.load(B + (k + rk)[:, None] + rn[None, :] * K, mask=rn[None, :] < N, other=0)
        acc += tl.dot(a, b, out_dtype=tl.int32)
    out = acc.to(tl.float32) * scale
    tl.store(C + rm[:, None] * N + rn[None, :], out.to(tl.bfloat16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@program
def matmul_int8(rng: Random) -> Program:
    m, n, k = rng.randrange(40, 64), 16 * rng.randrange(2, 5), 128
    a, b = ((numbers(rng, np.float32, s, k) * 100).astype(np.int8) for s in (m, n))
    c = numbers(rng, ml_dtypes.bfloat16, m, n)
    constants = {"BM": 64, "BN": 64, "BK": 64}
    return Program(matmul_int8_kernel, [a, b, c, np.float32(0.02), m, n, k], (1, 1), constants)


@triton.jit
def int4_kernel(A, B, S, C, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.program_id(0) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        a = tl.load(A + rm[:, None] * K + (k + rk)[None, :])
        words = tl.load(B + ((k + rk) // 8)[:, None] * N + rn[None, :])
        scale = tl.load(S + ((k + rk) // GROUP)[:, None] * N + rn[None, :])
        four = (words >> ((rk % 8) * 4)[:, None]) & 15
        acc = tl.dot(a, ((four - 8).to(tl.float16) * scale), acc)
    tl.store(C + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


@program
def matmul_int4(rng: Random) -> Program:
    n, k = 64, 64 * rng.randrange(2, 4)
    a, scale, c = numbers(rng, np.float16, 16, k), numbers(rng, np.float16, k // 32, n), numbers(rng, np.float16, 16, n)
    words = np.random.default_rng(rng.randrange(1 << 30)).integers(-(1 << 31), 1 << 31, (k // 8, n)).astype(np.int32)
    return Program(int4_kernel, [a, words, scale, c, n, k], (1,), {"BM": 16, "BN": 64, "BK": 64, "GROUP": 32})


@triton.jit
def persistent_kernel(
    A, B, C, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, SMS: tl.constexpr
):
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * tiles_n
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, SMS):
        first = tile // in_group * GROUP
        size = min(tiles_m - first, GROUP)
        rm = (first + tile % size) * BM + tl.arange(0, BM)
        rn = tile % in_group // size * BN + tl.arange(0, BN)
        rm = tl.max_contiguous(tl.multiple_of(tl.where(rm < M, rm, 0), BM), BM)
        rn = tl.max_contiguous(tl.multiple_of(tl.where(rn < N, rn, 0), BN), BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(tl.cdiv(K, BK)):
            rk = k * BK + tl.arange(0, BK)
            a = tl.load(A + rm[:, None] * K + rk[None, :], mask=rk[None, :] < K, other=0.0)
            b = tl.load(B + rk[:, None] * N + rn[None, :], mask=rk[:, None] < K, other=0.0)
            acc = tl.dot(a, b, acc)
        tl.store(C + rm[:, None] * N + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@program
def persistent(rng: Random) -> Program:
    m, n, k = 64 * rng.randrange(1, 3), 128, 32 * rng.randrange(2, 5)
    a, b, c = (numbers(rng, np.float16, *s) for s in ((m, k), (k, n), (m, n)))
    constants = {"BM": 64, "BN": 64, "BK": 32, "GROUP": 2, "SMS": 2}
    return Program(persistent_kernel, [a, b, c, m, n, k], (2,), constants)


@program
def matmul_columns(rng: Random) -> Program:
    """The tutorial's product of a transposed left matrix, with ragged sizes."""
    m, n, k = 64, 64, rng.randrange(70, 120)
    a, b, c = (numbers(rng, np.float32, *s) for s in ((k, m), (k, n), (m, n)))
    constants = {"BM": 32, "BN": 64, "BK": 32, "GROUP": 4}
    return Program(matmul_kernel, [a, b, c, m, n, k, 1, m, n, 1, n, 1], (2,), constants)


@triton.jit
def norm_backward_kernel(DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    lock = row % GROUP
    x = tl.load(X + row * stride + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + row * stride + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean, rstd = tl.load(Mean + row), tl.load(Rstd + row)
    xhat = tl.where(mask, (x - mean) * rstd, 0.0)
    wdy = tl.where(mask, w * dy, 0.0)
    c1, c2 = tl.sum(xhat * wdy, axis=0) / N, tl.sum(wdy, axis=0) / N
    tl.store(DX + row * stride + cols, (wdy - (xhat * c1 + c2)) * rstd, mask=mask)
    partial_w, partial_b = dy * xhat, dy
    while tl.atomic_cas(Lock + lock, 0, 1) == 1:
        pass
    count = tl.load(Lock + GROUP + lock)
    DW, DB = DW + lock * N + cols, DB + lock * N + cols
    if count == 0:
        tl.atomic_xchg(Lock + GROUP + lock, 1)
    else:
        partial_w += tl.load(DW, mask=mask)
        partial_b += tl.load(DB, mask=mask)
    tl.store(DW, partial_w, mask=mask)
    tl.store(DB, partial_b, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(Lock + lock, 0)


@program
def norm_backward(rng: Random) -> Program:
    n = rng.randrange(400, 512)
    rows = [numbers(rng, np.float16, 3, n) for _ in range(3)]
    sums = [numbers(rng, np.float32, 2, n) for _ in range(2)]
    w, mean, rstd = numbers(rng, np.float16, n), numbers(rng, np.float32, 3), numbers(rng, np.float32, 3)
    arguments = [rows[0], rows[1], *sums, rows[2], w, mean, rstd, np.zeros(4, np.int32), n, n]
    return Program(norm_backward_kernel, arguments, (3,), {"GROUP": 2, "BLOCK": 512})


@triton.jit
def norm_weights_kernel(DW, FINAL, M, N, BM: tl.constexpr, BN: tl.constexpr):
    cols = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for i in range(0, M, BM):
        rows = i + tl.arange(0, BM)
        mask = (rows[:, None] < M) & (cols[None, :] < N)
        acc += tl.load(DW + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    tl.store(FINAL + cols, tl.sum(acc, axis=0), mask=cols < N)


@program
def norm_weights(rng: Random) -> Program:
    m, n = rng.randrange(50, 90), rng.randrange(100, 200)
    return Program(
        norm_weights_kernel, [numbers(rng, np.float32, m, n), numbers(rng, np.float32, n), m, n], (2,),
        {"BM": 32, "BN": 128},
    )  # fmt: skip


@triton.jit
def group_norm_kernel(X, Y, W, B, size, channels, eps, PER: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0)
    X, Y = X + at * PER * size, Y + at * PER * size
    offsets = tl.arange(0, BLOCK)
    mask = offsets < PER * size
    x = tl.load(X + offsets, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, 0) / (PER * size)
    centred = tl.where(mask, x - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(centred * centred, 0) / (PER * size) + eps)
    channel = at * PER % channels + offsets // size
    w, b = tl.load(W + channel, mask=mask), tl.load(B + channel, mask=mask)
    y = centred * rstd * w + b
    tl.store(Y + offsets, y * tl.sigmoid(y), mask=mask)


@program
def group_norm(rng: Random) -> Program:
    size, channels = rng.randrange(100, 250), 8
    x, y = (numbers(rng, ml_dtypes.bfloat16, channels, size) for _ in range(2))
    w, b = (numbers(rng, np.float32, channels) for _ in range(2))
    arguments = [x, y, w, b, size, channels, np.float32(1e-5)]
    return Program(group_norm_kernel, arguments, (2,), {"PER": 4, "BLOCK": 1024})


@triton.jit
def rms_kernel(X, W, Y, N, eps, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    x = tl.load(X + tl.program_id(0) * N + cols, mask=cols < N, other=0.0).to(tl.float32)
    scale = 1 / tl.sqrt(tl.sum(x * x, 0) / N + eps)
    y = (x * scale).to(tl.bfloat16) * tl.load(W + cols, mask=cols < N)
    tl.store(Y + tl.program_id(0) * N + cols, y, mask=cols < N)


@program
def rms_norm(rng: Random) -> Program:
    n = rng.randrange(700, 1024)
    x, y, w = (numbers(rng, ml_dtypes.bfloat16, *s) for s in ((2, n), (2, n), (n,)))
    return Program(rms_kernel, [x, w, y, n, np.float32(1e-6)], (2,), {"BLOCK": 1024})


@triton.jit
def rope_kernel(Q, COS, SIN, heads, HEAD: tl.constexpr, HALF: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0)
    half = tl.arange(0, HALF)
    cosine, sine = tl.load(COS + at * HALF + half), tl.load(SIN + at * HALF + half)
    head = tl.arange(0, BLOCK)
    base = Q + at * heads * HEAD + head[:, None] * HEAD + half[None, :]
    mask = head[:, None] < heads
    a, b = tl.load(base, mask=mask, other=0.0), tl.load(base + HALF, mask=mask, other=0.0)
    tl.store(base, (a * cosine[None, :] - b * sine[None, :]).to(tl.bfloat16), mask=mask)
    tl.store(base + HALF, (b * cosine[None, :] + a * sine[None, :]).to(tl.bfloat16), mask=mask)


@program
def rope(rng: Random) -> Program:
    heads = rng.randrange(5, 8)
    q = numbers(rng, ml_dtypes.bfloat16, 2, heads, 64)
    angles = [numbers(rng, np.float32, 2, 32) for _ in range(2)]
    return Program(rope_kernel, [q, *angles, heads], (2,), {"HEAD": 64, "HALF": 32, "BLOCK": 8})


@triton.jit
def cross_entropy_kernel(X, TARGETS, LOSS, GRAD, stride, N, smoothing, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    X, GRAD = X + row.to(tl.int64) * stride, GRAD + row.to(tl.int64) * stride
    target = tl.load(TARGETS + row)
    m, d = -float("inf"), 0.0
    total = 0.0
    for i in range(0, N, BLOCK):
        at = i + tl.arange(0, BLOCK)
        x = tl.load(X + at, mask=at < N, other=-float("inf")).to(tl.float32)
        total += tl.sum(tl.where(at < N, x, 0.0))
        top = tl.maximum(m, tl.max(x))
        d = d * tl.exp(m - top) + tl.sum(tl.exp(x - top))
        m = top
    lse = m + tl.log(d)
    for i in range(0, N, BLOCK):
        at = i + tl.arange(0, BLOCK)
        x = tl.load(X + at, mask=at < N, other=-float("inf")).to(tl.float32)
        p = tl.exp(x - lse) - smoothing / N
        p = tl.where(at == target, p - (1 - smoothing), p)
        tl.store(GRAD + at, p, mask=at < N)
    hit = tl.load(X + target).to(tl.float32)
    tl.store(LOSS + row, (1 - smoothing) * (lse - hit) + smoothing * (lse - total / N))


@program
def cross_entropy(rng: Random) -> Program:
    n = rng.randrange(1100, 2000)
    x, grad = (numbers(rng, np.float16, 2, n) for _ in range(2))
    targets, loss = np.array([rng.randrange(n) for _ in range(2)], np.int32), numbers(rng, np.float32, 2)
    arguments = [x, targets, loss, grad, n, n, np.float32(0.1)]
    return Program(cross_entropy_kernel, arguments, (2,), {"BLOCK": 512})


@triton.jit
def swiglu_kernel(A, B, C, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    a = tl.load(A + row * stride + at, mask=at < N, other=0).to(tl.float32)
    b = tl.load(B + row * stride + at, mask=at < N, other=0)
    tl.store(C + row * stride + at, (a * tl.sigmoid(a)).to(b.dtype) * b, mask=at < N)


@program
def swiglu(rng: Random) -> Program:
    n = rng.randrange(700, 1024)
    arrays = [numbers(rng, np.float16, 2, n) for _ in range(3)]
    return Program(swiglu_kernel, [*arrays, n, n], (2,), {"BLOCK": 1024})


@triton.jit
def gelu_tanh_kernel(X, DY, DX, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + at, mask=at < n)
    dy = tl.load(DY + at, mask=at < n)
    t = libdevice.tanh(0.7978845608 * (x + 0.044715 * x * x * x))
    d = 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608 * (1 + 3 * 0.044715 * x * x)
    tl.store(DX + at, dy * d, mask=at < n)


@program
def gelu_backward(rng: Random) -> Program:
    n = rng.randrange(1500, 2000)
    return Program(gelu_tanh_kernel, [*(numbers(rng, np.float32, n) for _ in range(3)), n], (4,), {"BLOCK": 512})


@triton.jit
def functions_kernel(X, Y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + at, mask=at < n)
    y = libdevice.asin(x) + libdevice.cbrt(x) * libdevice.expm1(x) + libdevice.pow(tl.abs(x) + 0.5, x)
    tl.store(Y + at, y + libdevice.atan2(x, y) - libdevice.log1p(tl.abs(x)), mask=at < n)


@program
def extern_functions(rng: Random) -> Program:
    n = rng.randrange(1500, 2000)
    return Program(functions_kernel, [*(numbers(rng, np.float32, n) for _ in range(2)), n], (8,), {"BLOCK": 256})


@triton.jit
def attention_backward_kernel(
    Q, K, V, DO, L, D, DQ, DK, DV, scale, N, DEPTH: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr
):
    start = tl.program_id(0) * BN
    rn, rd = start + tl.arange(0, BN), tl.arange(0, DEPTH)
    k, v = tl.load(K + rn[:, None] * DEPTH + rd[None, :]), tl.load(V + rn[:, None] * DEPTH + rd[None, :])
    dk, dv = tl.zeros((BN, DEPTH), tl.float32), tl.zeros((BN, DEPTH), tl.float32)
    for at in range(start, N, BM):
        rm = at + tl.arange(0, BM)
        q = tl.load(Q + rm[:, None] * DEPTH + rd[None, :])
        do = tl.load(DO + rm[:, None] * DEPTH + rd[None, :])
        p = tl.exp2(tl.dot(k, tl.trans(q)) * scale - tl.load(L + rm)[None, :])
        p = tl.where(rm[None, :] >= rn[:, None], p, 0.0)
        dv = tl.dot(p.to(tl.float16), do, dv)
        ds = p * (tl.dot(v, tl.trans(do)) - tl.load(D + rm)[None, :])
        dk = tl.dot(ds.to(tl.float16), q, dk)
        dq = tl.dot(tl.trans(ds.to(tl.float16)), k)
        tl.atomic_add(DQ + rm[:, None] * DEPTH + rd[None, :], dq)
    tl.store(DK + rn[:, None] * DEPTH + rd[None, :], (dk * scale).to(tl.float16))
    tl.store(DV + rn[:, None] * DEPTH + rd[None, :], dv.to(tl.float16))


@program
def attention_backward(rng: Random) -> Program:
    n, depth = 64 * rng.randrange(1, 3), 32
    q, k, v, do, dk, dv = (numbers(rng, np.float16, n, depth) for _ in range(6))
    sums, d = numbers(rng, np.float32, n), numbers(rng, np.float32, n)
    arguments = [q, k, v, do, sums, d, np.zeros((n, depth), np.float32), dk, dv, np.float32(0.2), n]
    constants = {"DEPTH": depth, "BM": 32, "BN": 32}
    return Program(attention_backward_kernel, arguments, (n // 32,), constants)


@triton.jit
def grouped_kernel(A, B, C, SIZES, groups, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SMS: tl.constexpr):
    tile = tl.program_id(0)
    last = 0
    for g in range(groups):
        m, n, k = tl.load(SIZES + g * 6), tl.load(SIZES + g * 6 + 1), tl.load(SIZES + g * 6 + 2)
        across = tl.cdiv(n, BN)
        tiles = tl.cdiv(m, BM) * across
        while tile >= last and tile < last + tiles:
            a_ptr, b_ptr = A + tl.load(SIZES + g * 6 + 3), B + tl.load(SIZES + g * 6 + 4)
            c_ptr = C + tl.load(SIZES + g * 6 + 5)
            rm = (tile - last) // across * BM + tl.arange(0, BM)
            rn = (tile - last) % across * BN + tl.arange(0, BN)
            rk = tl.arange(0, BK)
            acc = tl.zeros((BM, BN), tl.float32)
            for kk in range(tl.cdiv(k, BK)):
                a = tl.load(a_ptr + rm[:, None] * k + (kk * BK + rk)[None, :])
                b = tl.load(b_ptr + (kk * BK + rk)[:, None] * n + rn[None, :])
                acc += tl.dot(a, b)
            tl.store(c_ptr + rm[:, None] * n + rn[None, :], acc.to(tl.float16))
            tile += SMS
        last += tiles


@program
def grouped(rng: Random) -> Program:
    """Products of two sizes in one array each, by where each begins."""
    k = 32 * rng.randrange(1, 4)
    sizes = np.array([[64, 32, k, 0, 0, 0], [32, 64, 32, 64 * k, 32 * k, 2048]], np.int32)
    arrays = [numbers(rng, np.float16, 64 * k + 2048) for _ in range(3)]
    return Program(grouped_kernel, [*arrays, sizes, 2], (2,), {"BM": 32, "BN": 32, "BK": 32, "SMS": 2})


@triton.jit
def scaled_kernel(A, AS, B, BS, C, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm, rn, rk = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    rs = tl.arange(0, BK // 32)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        a = tl.load(A + rm[:, None] * K + (k + rk)[None, :])
        b = tl.load(B + (k + rk)[:, None] + rn[None, :] * K)
        sa = tl.load(AS + rm[:, None] * (K // 32) + (k // 32 + rs)[None, :])
        sb = tl.load(BS + rn[:, None] * (K // 32) + (k // 32 + rs)[None, :])
        acc = tl.dot_scaled(a, sa, "e5m2", b, sb, "e5m2", acc)
    tl.store(C + rm[:, None] * BN + rn[None, :], acc)


@program
def block_scaled(rng: Random) -> Program:
    k = 128 * rng.randrange(1, 3)
    a, b = (numbers(rng, ml_dtypes.float8_e5m2, 128, k) for _ in range(2))
    sa, sb = (
        np.random.default_rng(rng.randrange(99)).integers(125, 130, (128, k // 32)).astype(np.uint8) for _ in "ab"
    )
    return Program(
        scaled_kernel, [a, sa, b, sb, numbers(rng, np.float32, 128, 128), k], (1,), {"BM": 128, "BN": 128, "BK": 128}
    )


@triton.jit
def descriptor_kernel(A, B, C, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(A, [M, K], [K, 1], [BM, BK])
    b_desc = tl.make_tensor_descriptor(B, [N, K], [K, 1], [BN, BK])
    c_desc = tl.make_tensor_descriptor(C, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a_desc.load([m, k]), b_desc.load([n, k]).T, acc)
    c_desc.store([m, n], acc.to(tl.float16))


@program
def descriptors(rng: Random) -> Program:
    k = 64 * rng.randrange(2, 5)
    a, b, c = (numbers(rng, np.float16, *s) for s in ((128, k), (64, k), (128, 64)))
    return Program(descriptor_kernel, [a, b, c, 128, 64, k], (1, 1), {"BM": 128, "BN": 64, "BK": 64})
