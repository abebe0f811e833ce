"""The kernels that `simulator.py` measures: PTX, launches and NumPy's answers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import weft
from weft.ptx.ast import Module
from weft.sim import Check, Result, run

ROOT = Path(__file__).resolve().parents[1]
Array = np.ndarray[Any, Any]

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"

SAXPY = """.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n) {
  .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r2, %r2, %r3, %r4;
  mov.u32 %r4, %nctaid.x; mul.lo.u32 %r3, %r3, %r4;
  setp.ge.u32 %p1, %r2, %r1; @%p1 bra done;
next: mul.wide.u32 %rd3, %r2, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f3, %f1, %f2, %f3; st.global.f32 [%rd5], %f3;
  add.u32 %r2, %r2, %r3; setp.lt.u32 %p1, %r2, %r1; @%p1 bra next;
done: ret;
}
"""
"""A loop over the grid, as every textbook has it."""

MATMUL = """.visible .entry matmul(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n, .param .u32 k) {
  .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r1, [n]; ld.param.u32 %r10, [k];
  mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ntid.y; mov.u32 %r4, %tid.y; mad.lo.u32 %r5, %r2, %r3, %r4;
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r6, %r2, %r3, %r4;
  mul.lo.u32 %r7, %r5, %r10; mad.wide.u32 %rd1, %r7, 4, %rd1; mad.wide.u32 %rd2, %r6, 4, %rd2;
  mul.wide.u32 %rd4, %r1, 4; mov.u32 %r8, 0; mov.f32 %f1, 0f00000000;
next: ld.global.f32 %f2, [%rd1]; ld.global.f32 %f3, [%rd2]; fma.rn.f32 %f1, %f2, %f3, %f1;
  add.u64 %rd1, %rd1, 4; add.u64 %rd2, %rd2, %rd4; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, %r10; @%p1 bra next;
  mad.lo.u32 %r9, %r5, %r1, %r6; mad.wide.u32 %rd3, %r9, 4, %rd3; st.global.f32 [%rd3], %f1; ret;
}
"""
"""C = A B with rows of n elements, k products each; one element a thread, straight from global memory."""

PIPELINE = """.visible .entry pipeline(.param .u64 x, .param .u64 y, .param .u32 rounds) {
  .reg .pred %p<4>; .reg .f32 %f<4>; .reg .b32 %r<20>; .reg .b64 %rd<8>;
  .shared .align 16 .b8 stages[1536]; .shared .align 8 .b8 full[32]; .shared .align 8 .b8 empty[32];
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u32 %r1, [rounds];
  mov.u32 %r2, %tid.x; mov.u32 %r3, stages; mov.u32 %r4, full; mov.u32 %r5, empty; mov.u32 %r6, %ctaid.x;
  setp.ne.u32 %p1, %r2, 0; @%p1 bra made;
  mbarrier.init.shared.b64 [%r4], 32; mbarrier.init.shared.b64 [%r4+8], 32; mbarrier.init.shared.b64 [%r4+16], 32;
  mbarrier.init.shared.b64 [%r5], 96; mbarrier.init.shared.b64 [%r5+8], 96; mbarrier.init.shared.b64 [%r5+16], 96;
made: bar.sync 0;
  mov.u32 %r7, 0; mov.u32 %r8, 0; mov.u32 %r9, 0;
  setp.ge.u32 %p1, %r2, 96; @%p1 bra producer;
consumer: mad.lo.u32 %r10, %r8, 8, %r4;
full_wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r10], %r9; @!%p2 bra full_wait;
  mad.lo.u32 %r11, %r8, 512, %r3; mad.lo.u32 %r11, %r2, 4, %r11; ld.shared.f32 %f1, [%r11];
  mad.lo.u32 %r10, %r8, 8, %r5; mbarrier.arrive.shared.b64 %rd3, [%r10];
  fma.rn.f32 %f1, %f1, 0f40000000, 0f3F800000; mad.lo.u32 %r12, %r6, %r1, %r7; mad.lo.u32 %r12, %r12, 96, %r2;
  mad.wide.u32 %rd4, %r12, 4, %rd2; st.global.f32 [%rd4], %f1;
  add.u32 %r7, %r7, 1; add.u32 %r8, %r8, 1; setp.ne.u32 %p3, %r8, 3; @%p3 bra same; mov.u32 %r8, 0; xor.b32 %r9, %r9, 1;
same: setp.lt.u32 %p3, %r7, %r1; @%p3 bra consumer; ret;
producer: sub.u32 %r2, %r2, 96; mov.u32 %r9, 1;
fill: mad.lo.u32 %r10, %r8, 8, %r5;
empty_wait: mbarrier.try_wait.parity.shared.b64 %p2, [%r10], %r9; @!%p2 bra empty_wait;
  mad.lo.u32 %r11, %r8, 512, %r3; mad.lo.u32 %r11, %r2, 4, %r11; mad.lo.u32 %r12, %r6, %r1, %r7;
  mad.lo.u32 %r12, %r12, 96, %r2; mad.wide.u32 %rd4, %r12, 4, %rd1;
  ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd4+128]; ld.global.f32 %f3, [%rd4+256];
  st.shared.f32 [%r11], %f1; st.shared.f32 [%r11+128], %f2; st.shared.f32 [%r11+256], %f3;
  mad.lo.u32 %r10, %r8, 8, %r4; mbarrier.arrive.shared.b64 %rd3, [%r10];
  add.u32 %r7, %r7, 1; add.u32 %r8, %r8, 1; setp.ne.u32 %p3, %r8, 3; @%p3 bra more; mov.u32 %r8, 0; xor.b32 %r9, %r9, 1;
more: setp.lt.u32 %p3, %r7, %r1; @%p3 bra fill; ret;
}
"""
"""y = 2 x + 1 through a ring of three stages: warp 3 fills them, warps 0 to 2 take them, with mbarriers between."""


@dataclass
class Case:
    """A kernel at one size: `launch` runs it with a kind of check (and an executor), `correct` judges that."""

    name: str
    ctas: int
    launch: Callable[..., Result]
    correct: Callable[[], bool]


def memref(array: Array) -> list[Any]:
    """An array as the arguments of a memref."""
    return [array, array, 0, *array.shape, *(s // array.itemsize for s in array.strides)]


def saxpy(ctas: int, rounds: int) -> Case:
    """`rounds` elements a thread, in CTAs of 128."""
    module = weft.parse(HEADER + SAXPY)
    x, y = np.random.default_rng(0).random((2, 128 * ctas * rounds), np.float32)
    out = y.copy()
    want = (np.float64(np.float32(2.5)) * x + y).astype(np.float32)

    def launch(check: Check, executor: Executor | None = None, **options: Any) -> Result:
        out[:] = y
        return run(
            module, "saxpy", ctas, 128, [x, out, 2.5, x.size], **{"check": check, "executor": executor, **options}
        )

    return Case("saxpy", ctas, launch, lambda: bool((out == want).all()))


def matmul(side: int, k: int) -> Case:
    """`side` by `side` CTAs of 16 x 8 threads."""
    module = weft.parse(HEADER + MATMUL)
    rng = np.random.default_rng(0)
    m, n = 8 * side, 16 * side
    a, b, c = rng.random((m, k), np.float32), rng.random((k, n), np.float32), np.zeros((m, n), np.float32)
    want = a.astype(np.float64) @ b

    def launch(check: Check, executor: Executor | None = None, **options: Any) -> Result:
        return run(
            module,
            "matmul",
            (side, side),
            (16, 8),
            [a, b, c, n, k],
            **{"check": check, "executor": executor, **options},
        )

    return Case("f32 matmul loop", side * side, launch, lambda: bool((np.abs(c / want - 1) < 1e-4).all()))


def gemm(m: int, n: int, k: int) -> Case:
    """The example's GEMM, compiled by weft: cp.async in two stages, ldmatrix, mma."""
    module: Module = weft.compile((ROOT / "examples/gemm_sm80.mlir").read_text(), target="sm_80")
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((m, k)).astype(np.float16), rng.standard_normal((k, n)).astype(np.float16)
    c = np.zeros((m, n), np.float32)
    want = a.astype(np.float32) @ b.astype(np.float32)

    def launch(check: Check, executor: Executor | None = None, **options: Any) -> Result:
        arguments = [*memref(a), *memref(b), *memref(c)]
        return run(
            module, "gemm", (n // 64, m // 64), 128, arguments, **{"check": check, "executor": executor, **options}
        )

    return Case("ldmatrix + mma", m * n // 4096, launch, lambda: bool(np.abs(c - want).max() < 1e-2))


def gemm_hopper(m: int, n: int, k: int) -> Case:
    """The example's GEMM for Hopper, compiled by weft: tensor copies in two stages, mbarriers, wgmma."""
    module: Module = weft.compile((ROOT / "examples/gemm_sm90a.mlir").read_text(), target="sm_90a")
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((m, k)).astype(np.float16), rng.standard_normal((k, n)).astype(np.float16)
    c = np.zeros((m, n), np.float32)
    want = a.astype(np.float32) @ b.astype(np.float32)
    maps = [weft.TensorMap(a, box=(128, 64), swizzle="128B"), weft.TensorMap(b, box=(64, 64), swizzle="128B")]

    def launch(check: Check, executor: Executor | None = None, **options: Any) -> Result:
        grid, arguments = (n // 64, m // 128), [*maps, *memref(c), k]
        options = {"check": check, "executor": executor, "shared_bytes": 49152, **options}
        return run(module, "gemm", grid, 128, arguments, **options)

    return Case("TMA + wgmma", m * n // 8192, launch, lambda: bool(np.abs(c - want).max() < 1e-2))


def pipeline(ctas: int, rounds: int) -> Case:
    """`rounds` stages of 96 elements in each CTA of four warps."""
    module = weft.parse(HEADER + PIPELINE)
    x = np.random.default_rng(0).random(96 * ctas * rounds, np.float32)
    y = np.zeros_like(x)

    def launch(check: Check, executor: Executor | None = None, **options: Any) -> Result:
        return run(module, "pipeline", ctas, 128, [x, y, rounds], **{"check": check, "executor": executor, **options})

    return Case("mbarrier pipeline", ctas, launch, lambda: bool((y == 2 * x + 1).all()))


def cases() -> list[Case]:
    """Every kernel at one CTA and at 1024."""
    return [
        saxpy(1, 1000),
        saxpy(1024, 16),
        matmul(1, 2000),
        matmul(32, 256),
        gemm(64, 64, 4096),
        gemm(2048, 2048, 256),
        pipeline(1, 500),
        pipeline(1024, 30),
    ]
