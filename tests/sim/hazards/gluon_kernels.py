"""Kernels in Gluon with bugs by number (0: none), and their PTX."""

# pyright: basic

from __future__ import annotations

import os

os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

import triton
from triton.backends.compiler import GPUTarget
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia import blackwell as bw
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)

BUGS = {
    "ring": "full counts two; no wait; the barrier of the stage after; phase 0; two products may read; a stage early; bytes of one operand; accumulators not awaited; no wait at the end",
    "roles": "the load does not wait; the phase before; twice the bytes; the barrier of the stage after; the use does not wait; the phase of each round; free before it is read; always the first is free; the store may read; empty counts two",
    "five": "the load is not awaited; no commit; the product is not awaited; phase 0; no wait at the end",
    "ampere": "a group less; the slot in use; no wait",
}  # fmt: skip
"""What is wrong with the bugs of each kernel, by number from 1 on."""


@gluon.jit
def ring(x, f, y, K: gl.constexpr, BUG: gl.constexpr):
    """y = x f in a ring of three stages."""
    BM: gl.constexpr = x.block_type.shape[0]
    BK: gl.constexpr = x.block_type.shape[1]
    BN: gl.constexpr = f.block_type.shape[0]
    S: gl.constexpr = 3
    left = gl.allocate_shared_memory(x.dtype, [S] + x.block_type.shape, x.layout)
    right = gl.allocate_shared_memory(f.dtype, [S] + f.block_type.shape, f.layout)
    bar = gl.allocate_shared_memory(gl.int64, [S, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(S):
        mbarrier.init(bar.index(i), count=2 if BUG == 1 else 1)
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, BN, 16])
    acc = gl.zeros((BM, BN), gl.float32, layout)
    for i in gl.static_range(S - 1):
        mbarrier.expect(bar.index(i), x.block_type.nbytes + f.block_type.nbytes)
        tma.async_load(x, [gl.program_id(0) * BM, i * BK], bar.index(i), left.index(i))
        tma.async_load(f, [gl.program_id(1) * BN, i * BK], bar.index(i), right.index(i))
    for n in range(K // BK):
        stage = n % S
        if BUG != 2:
            mbarrier.wait(bar.index((stage + 1) % S if BUG == 3 else stage), phase=0 if BUG == 4 else (n // S) & 1)
        acc = warpgroup_mma(left.index(stage), right.index(stage).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=2 if BUG == 5 else 1, deps=(acc,))
        ahead = n + (S if BUG == 6 else S - 1)
        if ahead < K // BK:
            slot = ahead % S
            mbarrier.expect(
                bar.index(slot), x.block_type.nbytes if BUG == 7 else x.block_type.nbytes + f.block_type.nbytes
            )
            tma.async_load(x, [gl.program_id(0) * BM, ahead * BK], bar.index(slot), left.index(slot))
            tma.async_load(f, [gl.program_id(1) * BN, ahead * BK], bar.index(slot), right.index(slot))
    if BUG != 8:
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
    out = gl.allocate_shared_memory(y.dtype, y.block_type.shape, y.layout)
    out.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_store(y, [gl.program_id(0) * BM, gl.program_id(1) * BN], out)
    if BUG != 9:
        tma.store_wait(pendings=0)


@gluon.jit
def load_partition(x, buf, full, empty, n, S: gl.constexpr, BUG: gl.constexpr):
    """Loads tiles."""
    for i in range(n):
        s = i % S
        if BUG != 1:
            mbarrier.wait(empty.index(s), phase=(i // S) & 1 if BUG == 2 else ((i // S) & 1) ^ 1)
        mbarrier.expect(full.index(s), 2 * x.block_type.nbytes if BUG == 3 else x.block_type.nbytes)
        tma.async_load(x, [i * x.block_type.shape[0], 0], full.index((s + 1) % S if BUG == 4 else s), buf.index(s))


@gluon.jit
def use_partition(y, buf, full, empty, n, out, S: gl.constexpr, BUG: gl.constexpr):
    """Doubles tiles and stores them."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    for i in range(n):
        s = i % S
        if BUG != 5:
            mbarrier.wait(full.index(s), phase=(i & 1) if BUG == 6 else (i // S) & 1)
        if BUG == 7:
            mbarrier.arrive(empty.index(s), count=1)
        v = buf.index(s).load(layout)
        if BUG != 7:
            mbarrier.arrive(empty.index(0 if BUG == 8 else s), count=1)
        if BUG != 9:
            tma.store_wait(pendings=0)
        out.store(v + v)
        fence_async_shared()
        tma.async_store(y, [i * y.block_type.shape[0], 0], out)
    tma.store_wait(pendings=0)


@gluon.jit
def roles(x, y, n, BUG: gl.constexpr):
    """y = 2 x by two roles."""
    S: gl.constexpr = 2
    buf = gl.allocate_shared_memory(x.dtype, [S] + x.block_type.shape, x.layout)
    out = gl.allocate_shared_memory(y.dtype, y.block_type.shape, y.layout)
    full = gl.allocate_shared_memory(gl.int64, [S, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [S, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(S):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=2 if BUG == 10 else 1)
    gl.warp_specialize(
        [(use_partition, (y, buf, full, empty, n, out, S, BUG)), (load_partition, (x, buf, full, empty, n, S, BUG))],
        [1],
        [24],
    )


@gluon.jit
def five(x, f, y, K: gl.constexpr, BUG: gl.constexpr):
    """y = x f by tcgen05."""
    BM: gl.constexpr = x.block_type.shape[0]
    BK: gl.constexpr = x.block_type.shape[1]
    BN: gl.constexpr = f.block_type.shape[0]
    left = gl.allocate_shared_memory(x.dtype, x.block_type.shape, x.layout)
    right = gl.allocate_shared_memory(f.dtype, f.block_type.shape, f.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.init(done, count=1)
    tl: gl.constexpr = bw.TensorMemoryLayout([BM, BN], col_stride=1)
    acc = bw.allocate_tensor_memory(gl.float32, [BM, BN], tl)
    phase = 0
    use = False
    for n in range(K // BK):
        mbarrier.expect(bar, x.block_type.nbytes + f.block_type.nbytes)
        tma.async_load(x, [gl.program_id(0) * BM, n * BK], bar, left)
        tma.async_load(f, [gl.program_id(1) * BN, n * BK], bar, right)
        if BUG != 1:
            mbarrier.wait(bar, phase=phase)
        bw.tcgen05_mma(left, right.permute((1, 0)), acc, use_acc=use)
        if BUG != 2:
            bw.tcgen05_commit(done)
        if BUG != 3:
            mbarrier.wait(done, phase=0 if BUG == 4 else phase)
        phase ^= 1
        use = True
    if BUG == 3:
        mbarrier.wait(done, phase=phase)
    v = acc.load(acc.get_reg_layout())
    out = gl.allocate_shared_memory(y.dtype, y.block_type.shape, y.layout)
    out.store(v.to(gl.float16))
    fence_async_shared()
    tma.async_store(y, [gl.program_id(0) * BM, gl.program_id(1) * BN], out)
    if BUG != 5:
        tma.store_wait(pendings=0)


@gluon.jit
def ampere(x, y, n, BUG: gl.constexpr):
    """y = x through a ring of three stages."""
    S: gl.constexpr = 3
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    other: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    buf = gl.allocate_shared_memory(gl.float32, [S, 512], shared)
    index = gl.arange(0, 512, layout)
    for i in gl.static_range(S - 1):
        async_copy.async_load(buf.index(i), x + i * 512 + index)
        async_copy.commit_group()
    for i in range(n):
        if BUG != 3:
            async_copy.wait_group(S - 1 if BUG == 1 else S - 2)
        v = buf.index(i % S).load(other)
        ahead = i + S - 1
        if ahead < n:
            async_copy.async_load(buf.index((ahead - 1) % S if BUG == 2 else ahead % S), x + ahead * 512 + index)
        async_copy.commit_group()
        gl.store(y + i * 512 + gl.arange(0, 512, other), v)


_LAYOUT = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
_TILE, _TALL = (f"tensordesc<fp16[{rows}, 64],{_LAYOUT!r}>" for rows in (64, 128))
DEPTH = 384
_KERNELS = {
    "ring": (ring, {"x": _TILE, "f": _TILE, "y": _TILE}, {"K": DEPTH}, 90),
    "roles": (roles, {"x": _TILE, "y": _TILE, "n": "i32"}, {}, 90),
    "five": (five, {"x": _TALL, "f": _TILE, "y": _TALL}, {"K": DEPTH}, 100),
    "ampere": (ampere, {"x": "*fp32", "y": "*fp32", "n": "i32"}, {}, 80),
}


def compiled(name: str, bug: int) -> tuple[str, int]:
    """The PTX of a kernel with a bug, and its bytes of shared memory."""
    kernel, signature, constants, sm = _KERNELS[name]
    constants = {**constants, "BUG": bug}
    types = signature | dict.fromkeys(constants, "constexpr")
    values = {(kernel.arg_names.index(key),): value for key, value in constants.items()}
    made = triton.compile(GluonASTSource(kernel, signature=types, constexprs=values), target=GPUTarget("cuda", sm, 32))
    return made.asm["ptx"].split("\t.section")[0], made.metadata.shared
