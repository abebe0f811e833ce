"""Kernels whose programs wait for one another: locks, semaphores, the last one that comes, queues, sums in memory."""

# pyright: basic

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl


@triton.jit
def lock_sum(lock, sums, x, N: tl.constexpr):
    o = tl.arange(0, N)
    v = tl.load(x + tl.program_id(0) * N + o)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(sums + o, tl.load(sums + o) + v)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def in_turn(a, b, c, turn, M: tl.constexpr, K, BK: tl.constexpr):
    n = tl.program_id(0)
    o = tl.arange(0, M)
    k = n * BK + tl.arange(0, BK)
    acc = tl.dot(tl.load(a + o[:, None] * K + k[None, :]), tl.load(b + k[:, None] * M + o[None, :]))
    while tl.atomic_add(turn, 0) != n:
        pass
    tl.debug_barrier()
    p = c + o[:, None] * M + o[None, :]
    if n > 0:
        acc += tl.load(p)
    tl.store(p, acc)
    tl.debug_barrier()
    tl.atomic_add(turn, 1)


@triton.jit
def last_sums(x, parts, count, out, N: tl.constexpr, B: tl.constexpr):
    n = tl.program_id(0)
    tl.store(parts + n, tl.sum(tl.load(x + n * N + tl.arange(0, N))))
    tl.debug_barrier()
    if tl.atomic_add(count, 1) == B - 1:
        tl.debug_barrier()
        tl.store(out, tl.sum(tl.load(parts + tl.arange(0, B))))


@triton.jit
def queue(x, y, next_, n, N: tl.constexpr):
    t = tl.atomic_add(next_, 1)
    while t < n:
        o = t * N + tl.arange(0, N)
        tl.store(y + o, tl.load(x + o) * 2)
        t = tl.atomic_add(next_, 1)


@triton.jit
def added(a, b, c, K, BK: tl.constexpr, M: tl.constexpr):
    o = tl.arange(0, M)
    k = tl.program_id(0) * BK + tl.arange(0, BK)
    acc = tl.dot(tl.load(a + o[:, None] * K + k[None, :]), tl.load(b + k[:, None] * M + o[None, :]))
    tl.atomic_add(c + o[:, None] * M + o[None, :], acc, sem="release")


def run(name: str, warps: int) -> bool:
    """Run one of them; whether its result is right."""
    r = np.random.default_rng(0)
    x = r.integers(0, 9, 1024).astype(np.int32)
    a, b = r.integers(-3, 4, (32, 128)).astype(np.float16), r.integers(-3, 4, (128, 32)).astype(np.float16)
    c, zero = np.zeros((32, 32), np.float32), np.zeros(1, np.int32)
    if name == "lock":
        sums = np.zeros(128, np.int32)
        lock_sum[(8,)](zero, sums, x, N=128, num_warps=warps)
        return bool((sums == x.reshape(8, 128).sum(0)).all())
    if name == "last":
        out = np.zeros(1, np.int32)
        last_sums[(8,)](x, np.zeros(8, np.int32), zero, out, N=128, B=8, num_warps=warps)
        return bool(out[0] == x.sum())
    if name == "queue":
        y = np.zeros_like(x)
        queue[(3,)](x, y, zero, 8, N=128, num_warps=warps)
        return bool((y == 2 * x).all())
    if name == "in turn":
        in_turn[(4,)](a, b, c, zero, M=32, K=128, BK=32, num_warps=warps)
    else:
        added[(4,)](a, b, c, 128, BK=32, M=32, num_warps=warps)
    return bool((c == a.astype(np.float32) @ b.astype(np.float32)).all())
