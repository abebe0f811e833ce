"""The kernels of Triton's tutorials in their usual form: what is compiled, and what it is launched on."""

# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import ml_dtypes
import numpy as np
import triton
import triton.language as tl


@dataclass(frozen=True)
class Program:
    """A kernel, its constants, its arguments in order (arrays and numbers), its grid."""

    function: Any
    arguments: list[Any]
    grid: tuple[int, ...]
    constants: dict[str, int] = field(default_factory=dict)
    warps: int = 4


PROGRAMS: dict[str, Callable[[Random], Program]] = {}


def program(make: Callable[[Random], Program]) -> Callable[[Random], Program]:
    PROGRAMS[make.__name__] = make
    return make


def numbers(rng: Random, dtype: Any, *shape: int) -> Any:
    return np.random.default_rng(rng.randrange(1 << 30)).uniform(-1, 1, shape).astype(dtype)


@triton.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(output_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


@program
def add(rng: Random) -> Program:
    n = rng.randrange(1500, 3000)
    dtype = rng.choice((np.float32, np.float16))
    arrays = [numbers(rng, dtype, n) for _ in range(3)]
    return Program(add_kernel, [*arrays, n], (3,), {"BLOCK": 1024})


@triton.jit
def softmax_kernel(out, x, x_stride, out_stride, rows, cols, BLOCK: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        offsets = tl.arange(0, BLOCK)
        mask = offsets < cols
        values = tl.load(x + row * x_stride + offsets, mask=mask, other=-float("inf"))
        numerator = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * out_stride + offsets, numerator / tl.sum(numerator, axis=0), mask=mask)


@program
def softmax(rng: Random) -> Program:
    columns = rng.randrange(520, 1000)
    x, out = numbers(rng, np.float32, 6, columns), numbers(rng, np.float32, 6, columns)
    return Program(softmax_kernel, [out, x, columns, columns, 6, columns], (2,), {"BLOCK": 1024})


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn, scm, scn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BM)
    num_pid_n = tl.cdiv(N, BN)
    in_group = GROUP * num_pid_n
    first = (pid // in_group) * GROUP
    size = min(num_pid_m - first, GROUP)
    pid_m = first + ((pid % in_group) % size)
    pid_n = (pid % in_group) // size
    rm = (pid_m * BM + tl.arange(0, BM)) % M
    rn = (pid_n * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + (rm[:, None] * sam + rk[None, :] * sak)
    b_ptrs = b_ptr + (rk[:, None] * sbk + rn[None, :] * sbn)
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=rk[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=rk[:, None] < K - k * BK, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BK * sak
        b_ptrs += BK * sbk
    accumulator = tl.where(accumulator >= 0, accumulator, 0.01 * accumulator)
    cm, cn = pid_m * BM + tl.arange(0, BM), pid_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + scm * cm[:, None] + scn * cn[None, :]
    tl.store(c_ptrs, accumulator.to(c_ptr.dtype.element_ty), mask=(cm[:, None] < M) & (cn[None, :] < N))


@program
def matmul(rng: Random) -> Program:
    m, n, k = 64, 64, 32 * rng.randrange(4, 8)
    dtype = rng.choice((np.float16, ml_dtypes.bfloat16))
    a, b, c = (numbers(rng, dtype, *s) for s in ((m, k), (k, n), (m, n)))
    constants = {"BM": 64, "BN": rng.choice((32, 64)), "BK": 32, "GROUP": 4}
    return Program(matmul_kernel, [a, b, c, m, n, k, k, 1, n, 1, n, 1], (64 // constants["BN"],), constants)


@triton.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


@program
def dropout(rng: Random) -> Program:
    n = rng.randrange(1500, 2000)
    arrays = [numbers(rng, np.float32, n) for _ in range(2)]
    return Program(
        dropout_kernel, [*arrays, n, np.float32(rng.uniform(0.2, 0.8)), rng.randrange(999)], (4,), {"BLOCK": 512}
    )


@triton.jit
def layer_norm_kernel(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    Y += row * stride  # noqa: N806
    X += row * stride  # noqa: N806
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        total += tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / N
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.0)
        total += x * x
    rstd = 1 / tl.sqrt(tl.sum(total, axis=0) / N + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        mask = cols < N
        w = tl.load(W + cols, mask=mask)
        b = tl.load(B + cols, mask=mask)
        x = tl.load(X + cols, mask=mask, other=0.0).to(tl.float32)
        tl.store(Y + cols, (x - mean) * rstd * w + b, mask=mask)


@program
def layer_norm(rng: Random) -> Program:
    n = rng.randrange(1000, 2000)
    x, y = numbers(rng, np.float16, 2, n), numbers(rng, np.float16, 2, n)
    w, b = numbers(rng, np.float16, n), numbers(rng, np.float16, n)
    mean, rstd = numbers(rng, np.float32, 2), numbers(rng, np.float32, 2)
    return Program(layer_norm_kernel, [x, y, w, b, mean, rstd, n, n, np.float32(1e-5)], (2,), {"BLOCK": 512})


@triton.jit
def attention_kernel(Q, K, V, Out, scale, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    start = tl.program_id(0) * BM
    rm, rd = start + tl.arange(0, BM), tl.arange(0, D)
    q = tl.load(Q + rm[:, None] * D + rd[None, :])
    m = tl.full([BM], -float("inf"), tl.float32)
    length = tl.full([BM], 1.0, tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for at in range(0, N, BN):
        rn = at + tl.arange(0, BN)
        k = tl.load(K + rn[None, :] * D + rd[:, None])
        scores = tl.dot(q, k) * scale
        scores = tl.where(rm[:, None] >= rn[None, :], scores, -1.0e6)
        top = tl.maximum(m, tl.max(scores, 1))
        p = tl.math.exp2(scores - top[:, None])
        alpha = tl.math.exp2(m - top)
        length = length * alpha + tl.sum(p, 1)
        v = tl.load(V + rn[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(tl.float16), v, acc * alpha[:, None])
        m = top
    tl.store(Out + rm[:, None] * D + rd[None, :], (acc / length[:, None]).to(tl.float16))


@program
def attention(rng: Random) -> Program:
    n, depth = 128, rng.choice((32, 64))
    arrays = [numbers(rng, np.float16, n, depth) for _ in range(4)]
    return Program(
        attention_kernel, [*arrays, np.float32(rng.uniform(0.1, 0.3)), n], (2,), {"D": depth, "BM": 64, "BN": 32}
    )


@triton.jit
def erf_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, 0.5 * x * (1 + tl.erf(x * 0.70710678)), mask=mask)


@program
def gelu(rng: Random) -> Program:
    n = rng.randrange(1500, 2000)
    arrays = [numbers(rng, np.float32, n) for _ in range(2)]
    return Program(erf_kernel, [*arrays, n], (4,), {"BLOCK": 512})


@triton.jit
def sort_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.sort(tl.load(x_ptr + offsets)))


@program
def sort(rng: Random) -> Program:
    block = rng.choice((128, 256))
    dtype = rng.choice((np.float32, np.int32))
    arrays = [(numbers(rng, np.float32, 2 * block) * 1000).astype(dtype) for _ in range(2)]
    return Program(sort_kernel, arrays, (2,), {"BLOCK": block})
