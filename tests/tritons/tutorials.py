"""Kernels that everybody writes first in Triton, in their usual form, with the host functions that launch them."""

# pyright: basic

from __future__ import annotations

import ml_dtypes
import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.tools.tensor_descriptor import TensorDescriptor

from weft.triton import asarray, empty, zeros


@triton.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(output_ptr + offsets, x + y, mask=mask)


def add(x, y):
    out = np.empty_like(x)
    n = out.size
    add_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK_SIZE"]),)](x, y, out, n, BLOCK_SIZE=256)
    return out


@triton.jit
def softmax_kernel(out, x, x_stride, out_stride, rows, cols, BLOCK: tl.constexpr, num_stages: tl.constexpr):
    start, step = tl.program_id(0), tl.num_programs(0)
    for row in tl.range(start, rows, step, num_stages=num_stages):
        offsets = tl.arange(0, BLOCK)
        mask = offsets < cols
        values = tl.load(x + row * x_stride + offsets, mask=mask, other=-float("inf"))
        shifted = values - tl.max(values, axis=0)
        numerator = tl.exp(shifted)
        tl.store(out + row * out_stride + offsets, numerator / tl.sum(numerator, axis=0), mask=mask)


def softmax(x, programs=3):
    rows, cols = x.shape
    out = empty(x.shape)
    block = triton.next_power_of_2(cols)
    properties = triton.runtime.driver.active.utils.get_device_properties(0)
    kernel = softmax_kernel.warmup(out, x, cols, cols, rows, cols, BLOCK=block, num_stages=2, num_warps=4, grid=(1,))
    kernel._init_handles()
    assert kernel.metadata.shared <= properties["max_shared_mem"] and kernel.n_regs >= 0
    grid = min(rows, programs, properties["multiprocessor_count"])
    softmax_kernel[(grid, 1, 1)](out, x, cols, cols, rows, cols, BLOCK=block, num_stages=2, num_warps=4)
    return out


def _matmul_configs():
    return [
        triton.Config({"BM": 64, "BN": 64, "BK": 32, "GROUP": 4}, num_stages=3, num_warps=4),
        triton.Config({"BM": 32, "BN": 64, "BK": 64, "GROUP": 2}, num_stages=2, num_warps=2),
    ]


@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.autotune(configs=_matmul_configs(), key=["M", "N", "K"])
@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, sam, sak, sbk, sbn, scm, scn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACTIVATION: tl.constexpr,
):  # fmt: skip
    pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BM)
    num_pid_n = tl.cdiv(N, BN)
    in_group = GROUP * num_pid_n
    first_m = pid // in_group * GROUP
    size_m = min(num_pid_m - first_m, GROUP)
    pid_m = first_m + (pid % in_group) % size_m
    pid_n = (pid % in_group) // size_m
    tl.assume(pid_m >= 0)
    tl.assume(pid_n >= 0)
    offs_m = (pid_m * BM + tl.arange(0, BM)) % M
    offs_n = (pid_n * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_m[:, None] * sam + offs_k[None, :] * sak)
    b_ptrs = b_ptr + (offs_k[:, None] * sbk + offs_n[None, :] * sbn)
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BK, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BK * sak
        b_ptrs += BK * sbk
    if ACTIVATION == "leaky_relu":
        accumulator = leaky_relu(accumulator)
    c = accumulator.to(tl.float16)
    offs_cm = pid_m * BM + tl.arange(0, BM)
    offs_cn = pid_n * BN + tl.arange(0, BN)
    mask = (offs_cm[:, None] < M) & (offs_cn[None, :] < N)
    tl.store(c_ptr + scm * offs_cm[:, None] + scn * offs_cn[None, :], c, mask=mask)


def matmul(a, b, activation=""):
    (m, k), n = a.shape, b.shape[1]
    c = empty((m, n), np.float16)
    a, b = asarray(a), asarray(b)
    grid = lambda meta: (triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"]),)  # noqa: E731
    matmul_kernel[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(), ACTIVATION=activation)
    return c


@triton.jit
def seeded_dropout(x_ptr, output_ptr, n_elements, p, seed, BLOCK_SIZE: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(output_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


@triton.jit
def layer_norm_forward(X, Y, W, B, Mean, Rstd, stride, N, eps, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    Y += row * stride
    X += row * stride
    total = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        total += tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / N
    squares = tl.zeros([BLOCK_SIZE], dtype=tl.float32)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        x = tl.load(X + cols, mask=cols < N, other=0.0).to(tl.float32)
        x = tl.where(cols < N, x - mean, 0.0)
        squares += x * x
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / N + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, BLOCK_SIZE):
        cols = off + tl.arange(0, BLOCK_SIZE)
        mask = cols < N
        w, b = tl.load(W + cols, mask=mask), tl.load(B + cols, mask=mask)
        x = tl.load(X + cols, mask=mask, other=0.0).to(tl.float32)
        tl.store(Y + cols, (x - mean) * rstd * w + b, mask=mask)


@triton.jit
def layer_norm_backward_dx(
    DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N, GROUP_SIZE_M: tl.constexpr, BLOCK_SIZE_N: tl.constexpr
):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE_N)
    mask = cols < N
    X += row * stride
    DY += row * stride
    DX += row * stride
    lock_id = row % GROUP_SIZE_M
    Lock += lock_id
    Count = Lock + GROUP_SIZE_M
    DW = DW + lock_id * N + cols
    DB = DB + lock_id * N + cols
    x = tl.load(X + cols, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + cols, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + cols, mask=mask).to(tl.float32)
    mean, rstd = tl.load(Mean + row), tl.load(Rstd + row)
    xhat = (x - mean) * rstd
    wdy = w * dy
    xhat = tl.where(mask, xhat, 0.0)
    wdy = tl.where(mask, wdy, 0.0)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    tl.store(DX + cols, (wdy - (xhat * c1 + c2)) * rstd, mask=mask)
    partial_dw = (dy * xhat).to(w.dtype)
    partial_db = dy.to(w.dtype)
    while tl.atomic_cas(Lock, 0, 1) == 1:
        pass
    count = tl.load(Count)
    if count == 0:
        tl.atomic_xchg(Count, 1)
    else:
        partial_dw += tl.load(DW, mask=mask)
        partial_db += tl.load(DB, mask=mask)
    tl.store(DW, partial_dw, mask=mask)
    tl.store(DB, partial_db, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(Lock, 0)


@triton.jit
def layer_norm_backward_dwdb(DW, DB, FINAL_DW, FINAL_DB, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    cols = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    dw = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    db = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for i in range(0, M, BLOCK_M):
        rows = i + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < M) & (cols[None, :] < N)
        offs = rows[:, None] * N + cols[None, :]
        dw += tl.load(DW + offs, mask=mask, other=0.0)
        db += tl.load(DB + offs, mask=mask, other=0.0)
    tl.store(FINAL_DW + cols, tl.sum(dw, axis=0), mask=cols < N)
    tl.store(FINAL_DB + cols, tl.sum(db, axis=0), mask=cols < N)


def layer_norm(x, w, b, dy, eps=1e-5, groups=4):
    """Forward and backward: y, dx, dw, db."""
    m, n = x.shape
    y, dx = empty(x.shape), empty(x.shape)
    mean, rstd = empty(m), empty(m)
    block = triton.next_power_of_2(n)
    layer_norm_forward[(m,)](x, y, w, b, mean, rstd, n, n, eps, BLOCK_SIZE=block, num_warps=4, num_ctas=1)
    locks = zeros(2 * groups, np.int32)
    partial_w, partial_b = zeros((groups, n)), zeros((groups, n))
    dw, db = empty(n), empty(n)
    layer_norm_backward_dx[(m,)](
        dx,
        dy,
        partial_w,
        partial_b,
        x,
        w,
        mean,
        rstd,
        locks,
        n,
        n,
        GROUP_SIZE_M=groups,
        BLOCK_SIZE_N=block,
        num_warps=4,
    )
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK_N"]),)  # noqa: E731
    layer_norm_backward_dwdb[grid](partial_w, partial_b, dw, db, min(groups, m), n, BLOCK_M=32, BLOCK_N=128, num_ctas=1)
    return y, dx, dw, db


@triton.jit
def _attention_inner(
    acc, l_i, m_i, q, K, V, start_m, qk_scale, offs_m, offs_n, N_CTX,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD: tl.constexpr, STAGE: tl.constexpr,
):  # fmt: skip
    if STAGE == 1:
        low, high = 0, start_m * BLOCK_M
    elif STAGE == 2:
        low, high = start_m * BLOCK_M, (start_m + 1) * BLOCK_M
        low = tl.multiple_of(low, BLOCK_M)
    else:
        low, high = 0, N_CTX
    d = tl.arange(0, HEAD)
    for start_n in range(low, high, BLOCK_N):
        start_n = tl.multiple_of(start_n, BLOCK_N)
        k = tl.load(K + (start_n + offs_n)[:, None] * HEAD + d[None, :])
        qk = tl.dot(q, k.T)
        if STAGE == 2:
            mask = offs_m[:, None] >= (start_n + offs_n[None, :])
            qk = qk * qk_scale + tl.where(mask, 0, -1.0e6)
            m_ij = tl.maximum(m_i, tl.max(qk, 1))
            qk -= m_ij[:, None]
        else:
            m_ij = tl.maximum(m_i, tl.max(qk, 1) * qk_scale)
            qk = qk * qk_scale - m_ij[:, None]
        p = tl.math.exp2(qk)
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(V + (start_n + offs_n)[:, None] * HEAD + d[None, :])
        acc = tl.dot(p.to(v.dtype), v, acc)
        m_i = m_ij
    return acc, l_i, m_i


@triton.jit
def attention_kernel(
    Q,
    K,
    V,
    Out,
    M,
    sm_scale,
    N_CTX,
    HEAD: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    STAGE: tl.constexpr,
):
    start_m, head = tl.program_id(0), tl.program_id(1)
    offset = head * N_CTX * HEAD
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    d = tl.arange(0, HEAD)
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD], dtype=tl.float32)
    qk_scale = sm_scale * 1.44269504
    q = tl.load(Q + offset + offs_m[:, None] * HEAD + d[None, :])
    if STAGE & 1:
        acc, l_i, m_i = _attention_inner(
            acc,
            l_i,
            m_i,
            q,
            K + offset,
            V + offset,
            start_m,
            qk_scale,
            offs_m,
            offs_n,
            N_CTX,
            BLOCK_M,
            BLOCK_N,
            HEAD,
            4 - STAGE,
        )
    if STAGE & 2:
        acc, l_i, m_i = _attention_inner(
            acc,
            l_i,
            m_i,
            q,
            K + offset,
            V + offset,
            start_m,
            qk_scale,
            offs_m,
            offs_n,
            N_CTX,
            BLOCK_M,
            BLOCK_N,
            HEAD,
            2,
        )
    m_i += tl.math.log2(l_i)
    tl.store(M + head * N_CTX + offs_m, m_i)
    tl.store(Out + offset + offs_m[:, None] * HEAD + d[None, :], (acc / l_i[:, None]).to(Out.type.element_ty))


def attention(q, k, v, causal):
    heads, n, d = q.shape
    out, m = np.empty_like(q), empty((heads, n))
    attention_kernel[(n // 64, heads)](
        q, k, v, out, m, d**-0.5, n, HEAD=d, BLOCK_M=64, BLOCK_N=32, STAGE=3 if causal else 1, num_warps=4, num_stages=2
    )
    return out


@triton.jit
def asin_kernel(x_ptr, y_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    tl.store(y_ptr + offsets, libdevice.asin(tl.load(x_ptr + offsets, mask=mask)), mask=mask)


@triton.jit
def grouped_matmul_kernel(
    group_a, group_b, group_c, sizes, strides, group_size,
    NUM_SM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    tile = tl.program_id(0)
    last = 0
    for g in range(group_size):
        m, n, k = tl.load(sizes + g * 3), tl.load(sizes + g * 3 + 1), tl.load(sizes + g * 3 + 2)
        tiles_n = tl.cdiv(n, BN)
        tiles = tl.cdiv(m, BM) * tiles_n
        while tile >= last and tile < last + tiles:
            lda, ldb, ldc = tl.load(strides + g * 3), tl.load(strides + g * 3 + 1), tl.load(strides + g * 3 + 2)
            a_ptr = tl.load(group_a + g).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(group_b + g).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(group_c + g).to(tl.pointer_type(tl.float16))
            index = tile - last
            offs_m = index // tiles_n * BM + tl.arange(0, BM)
            offs_n = index % tiles_n * BN + tl.arange(0, BN)
            offs_k = tl.arange(0, BK)
            a_ptrs = a_ptr + offs_m[:, None] * lda + offs_k[None, :]
            b_ptrs = b_ptr + offs_k[:, None] * ldb + offs_n[None, :]
            accumulator = tl.zeros((BM, BN), dtype=tl.float32)
            for _ in range(tl.cdiv(k, BK)):
                tl.multiple_of(a_ptrs, [16, 16])
                tl.multiple_of(b_ptrs, [16, 16])
                accumulator += tl.dot(tl.load(a_ptrs), tl.load(b_ptrs))
                a_ptrs += BK
                b_ptrs += BK * ldb
            tl.store(c_ptr + ldc * offs_m[:, None] + offs_n[None, :], accumulator.to(tl.float16))
            tile += NUM_SM
        last = last + tiles


def grouped_matmul(group_a, group_b):
    group_c = [empty((a.shape[0], b.shape[1]), np.float16) for a, b in zip(group_a, group_b, strict=True)]
    tables = [asarray(np.array([x.data_ptr() for x in group], np.int64)) for group in (group_a, group_b, group_c)]
    pairs = list(zip(group_a, group_b, strict=True))
    sizes = asarray(np.array([(a.shape[0], b.shape[1], a.shape[1]) for a, b in pairs], np.int32))
    strides = asarray(np.array([(a.stride(0), b.stride(0), b.shape[1]) for a, b in pairs], np.int32))
    grouped_matmul_kernel[(4,)](*tables, sizes, strides, len(group_a), NUM_SM=4, BM=64, BN=64, BK=32)
    return group_c


@triton.jit
def _tile_of(tile, num_pid_n, num_pid_m, GROUP: tl.constexpr):
    in_group = GROUP * num_pid_n
    first_m = tile // in_group * GROUP
    size_m = min(num_pid_m - first_m, GROUP)
    return first_m + tile % size_m, tile % in_group // size_m


@triton.jit
def persistent_descriptors(
    a_desc, b_desc, c_desc, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, NUM_SMS: tl.constexpr, SPECIALIZE: tl.constexpr,
):  # fmt: skip
    num_pid_m, num_pid_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), num_pid_m * num_pid_n, NUM_SMS, flatten=True, warp_specialize=SPECIALIZE):
        pid_m, pid_n = _tile_of(tile, num_pid_n, num_pid_m, GROUP)
        accumulator = tl.zeros((BM, BN), dtype=tl.float32)
        for ki in range(tl.cdiv(K, BK)):
            a = a_desc.load([pid_m * BM, ki * BK])
            b = b_desc.load([pid_n * BN, ki * BK])
            accumulator = tl.dot(a, b.T, accumulator)
        c_desc.store([pid_m * BM, pid_n * BN], accumulator.to(tl.float16))


def persistent_matmul(a, b, specialize=False):
    """A times the transposed B, with descriptors that the host makes."""
    (m, k), n = a.shape, b.shape[0]
    c = empty((m, n), np.float16)
    tile_m, tile_n, tile_k = 64, 64, 64
    a_desc = TensorDescriptor.from_tensor(asarray(a), [tile_m, tile_k])
    b_desc = TensorDescriptor.from_tensor(asarray(b), [tile_n, tile_k])
    c_desc = TensorDescriptor.from_tensor(c, [tile_m, tile_n])
    persistent_descriptors[(2,)](
        a_desc, b_desc, c_desc, m, n, k, BM=tile_m, BN=tile_n, BK=tile_k, GROUP=2, NUM_SMS=2, SPECIALIZE=specialize,
        num_stages=3, num_warps=4,
    )  # fmt: skip
    return c


@triton.jit
def device_descriptors(
    a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, NUM_SMS: tl.constexpr
):
    num_pid_m, num_pid_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    for tile in tl.range(tl.program_id(0), num_pid_m * num_pid_n, NUM_SMS):
        pid_m, pid_n = _tile_of(tile, num_pid_n, num_pid_m, 2)
        accumulator = tl.zeros((BM, BN), dtype=tl.float32)
        for ki in range(tl.cdiv(K, BK)):
            accumulator = tl.dot(a_desc.load([pid_m * BM, ki * BK]), b_desc.load([pid_n * BN, ki * BK]).T, accumulator)
        c_desc.store([pid_m * BM, pid_n * BN], accumulator.to(tl.float16))


def device_descriptor_matmul(a, b):
    (m, k), n = a.shape, b.shape[0]
    c = empty((m, n), np.float16)
    triton.set_allocator(lambda size, alignment, stream: empty(size, np.int8))
    device_descriptors[(2,)](a, b, c, m, n, k, BM=64, BN=64, BK=64, NUM_SMS=2, num_stages=3, num_warps=4)
    return c


@triton.jit
def block_scaled_kernel(
    a_ptr, a_scale, b_ptr, b_scale, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    offs_k, offs_s = tl.arange(0, BK), tl.arange(0, BK // 32)
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_ptr + offs_m[:, None] * K + k + offs_k[None, :])
        b = tl.load(b_ptr + (k + offs_k)[:, None] * N + offs_n[None, :])
        sa = tl.load(a_scale + offs_m[:, None] * (K // 32) + k // 32 + offs_s[None, :])
        sb = tl.load(b_scale + offs_n[:, None] * (K // 32) + k // 32 + offs_s[None, :])
        accumulator = tl.dot_scaled(a, sa, "e4m3", b, sb, "e4m3", accumulator)
    tl.store(c_ptr + offs_m[:, None] * N + offs_n[None, :], accumulator)


def block_scaled_matmul(a, a_scale, b, b_scale):
    (m, k), n = a.shape, b.shape[1]
    c = empty((m, n))
    block_scaled_kernel[(m // 128, n // 128)](a, a_scale, b, b_scale, c, m, n, k, BM=128, BN=128, BK=128)
    return c


FP8 = ml_dtypes.float8_e4m3fn
