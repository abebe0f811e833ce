"""Kernels that try what a launch can do, right ones and wrong ones."""

# pyright: basic

from __future__ import annotations

import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma


@triton.jit
def double(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def unmasked(x, y, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x + i)
    tl.store(y + i, value)


@triton.jit
def third(x, i):
    return tl.load(x + i * 3)


@triton.jit
def through_calls(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y + i, third(x, i))


@triton.jit
def unordered(x, y):
    i = tl.arange(0, 128)
    tl.store(x + i, i)
    tl.store(y + i, tl.load(x + 127 - i))


@triton.jit
def asserting(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.device_assert(tl.load(x + i) < 100, "too large")


@triton.jit
def printing(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.device_print("value", tl.load(x + i))


@triton.jit
def nested(pair, out, flag: tl.constexpr):
    (x, n), scale = pair
    i = tl.arange(0, 16)
    tl.store(out + i, tl.load(x + i, mask=i < n, other=0) * scale + flag)


@triton.jit
def optional(x, y, HAS: tl.constexpr):
    i = tl.arange(0, 16)
    value = tl.load(x + i)
    if HAS:
        value += tl.load(y + i)
    tl.store(x + i, value)


@triton.jit
def scalars(out, a: tl.float16, b: tl.bfloat16, c: tl.float64, d, e, f):
    tl.store(out, a.to(tl.float64))
    tl.store(out + 1, b.to(tl.float64))
    tl.store(out + 2, c)
    tl.store(out + 3, d)
    tl.store(out + 4, e)
    tl.store(out + 5, f)


@triton.jit
def meeting(counter, out):
    """A barrier of the whole grid."""
    tl.atomic_add(counter, 1, sem="release", scope="gpu")
    while tl.atomic_add(counter, 0, sem="acquire", scope="gpu") < tl.num_programs(0):
        pass
    tl.store(out + tl.program_id(0), tl.load(counter))


@triton.jit
def dependent(x, y):
    i = tl.arange(0, 128)
    tl.extra.cuda.gdc_wait()
    tl.store(y + i, tl.load(x + i) + 1)
    tl.extra.cuda.gdc_launch_dependents()


@triton.jit
def cluster_sum(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(y, tl.sum(tl.load(x + i), axis=0))


@triton.jit
def through_table(table, out, n):
    for k in range(n):
        source = tl.load(table + k).to(tl.pointer_type(tl.float32))
        i = tl.arange(0, 16)
        tl.store(out + k * 16 + i, tl.load(source + i))


@triton.jit
def inverted(x, y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.inline_asm_elementwise("not.b32 $0, $1;", "=r,r", [tl.load(x + i)], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(y + i, value)


@triton.jit
def illegal(x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.inline_asm_elementwise(
        "wgmma.b32 $0, $1;", "=r,r", [tl.load(x + i)], dtype=tl.int32, is_pure=True, pack=1
    )
    tl.store(y + i, value)


@triton.jit
def copied(source, target):
    target.store([0, 0], source.load([0, 0]) * 2)


@gluon.jit
def gluon_copy(x, y, n, B: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.program_id(0) * B + gl.arange(0, B, layout)
    gl.store(y + i, gl.load(x + i, mask=i < n) + 1, mask=i < n)


@gluon.jit
def gluon_tensor_copy(source, target, WAIT: gl.constexpr):
    shared = gl.allocate_shared_memory(gl.float16, source.block_type.shape, source.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, source.block_type.nbytes)
    tma.async_load(source, [0, 0], bar, shared)
    if WAIT:
        mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    tma.async_store(target, [0, 0], shared)
    tma.store_wait(0)


@triton.jit
def total(parts, out, B: tl.constexpr):
    place = tl.arange(0, B)
    found = tl.zeros((B,), tl.float32)
    for number in tl.static_range(len(parts)):
        found += tl.load(parts[number] + place)
    tl.store(out + place, found)


@triton.autotune([triton.Config({"B": size}) for size in (16, 32, 64, 128)], key=["n"])
@triton.jit
def tuned_from_32(x, n, B: tl.constexpr):
    tl.static_assert(B >= 32)
    place = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + place, B, mask=place < n)


@triton.autotune(
    [triton.Config({"B": size}, num_warps=warps) for size in (32, 64) for warps in (1, 4)],
    key=["n"],
    reset_to_zero=["counts"],
    restore_value=["x"],
)
@triton.heuristics({"EVEN": lambda given: given["n"] % given["B"] == 0})
@triton.jit
def tuned(x, counts, n, B: tl.constexpr, EVEN: tl.constexpr):
    place = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x + place) if EVEN else tl.load(x + place, mask=place < n, other=0)
    tl.atomic_add(counts + place % 4, value, mask=place < n)
    tl.store(x + place, value + 1, mask=place < n)


@triton.jit
def through_numbers(x, place, out, N: tl.constexpr):
    i = tl.arange(0, N)
    there = place.to(tl.pointer_type(tl.float32))
    tl.store(out + i, tl.load(x + i) + tl.load(there + i))
