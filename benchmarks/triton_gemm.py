"""A matrix product in Triton, as one writes it there: masks at the edges, a pipelined loop."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, lda, ldb, ldc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    pa = a + rows[:, None] * lda + depth[None, :]
    pb = b + depth[:, None] * ldb + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        left = tl.load(pa, mask=(rows[:, None] < M) & (depth[None, :] < K - k), other=0.0)
        right = tl.load(pb, mask=(depth[:, None] < K - k) & (columns[None, :] < N), other=0.0)
        total = tl.dot(left, right, total)
        pa += BK
        pb += BK * ldb
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * ldc + columns[None, :], total.to(tl.float16), mask=inside)
