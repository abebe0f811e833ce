"""How fast the CPU simulator runs: thread-instructions a second, of processor time, binding included.

saxpy streams; the product of f32 matrices is a loop of loads and fma without shared memory; the GEMM is the example
that weft compiles, with cp.async, ldmatrix and mma.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import report
from rich.table import Table
from timing import best_of, own_time

import weft
from weft.sim import Check, Result, run

ROOT = Path(__file__).resolve().parents[1]

MATMUL = """.version 7.0
.target sm_80
.address_size 64
.visible .entry matmul(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ntid.y; mov.u32 %r4, %tid.y; mad.lo.u32 %r5, %r2, %r3, %r4;
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r6, %r2, %r3, %r4;
  mul.lo.u32 %r7, %r5, %r1; mad.wide.u32 %rd1, %r7, 4, %rd1; mad.wide.u32 %rd2, %r6, 4, %rd2;
  mul.wide.u32 %rd4, %r1, 4; mov.u32 %r8, 0; mov.f32 %f1, 0f00000000;
next: ld.global.f32 %f2, [%rd1]; ld.global.f32 %f3, [%rd2]; fma.rn.f32 %f1, %f2, %f3, %f1;
  add.u64 %rd1, %rd1, 4; add.u64 %rd2, %rd2, %rd4; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, %r1; @%p1 bra next;
  add.u32 %r9, %r7, %r6; mad.wide.u32 %rd3, %r9, 4, %rd3; st.global.f32 [%rd3], %f1; ret;
}
"""


def memref(array: np.ndarray[Any, Any]) -> list[Any]:
    """An array as the arguments of a memref."""
    return [array, array, 0, *array.shape, *(s // array.itemsize for s in array.strides)]


def cases(check: Check) -> list[tuple[str, int, Callable[[], Result]]]:
    """Name, number of CTAs, and what runs it."""
    found: list[tuple[str, int, Callable[[], Result]]] = []
    rng = np.random.default_rng(0)
    saxpy = weft.compile((ROOT / "examples/saxpy.mlir").read_text(), target="sm_80")
    for ctas in (1, 1024):
        x, y = rng.random((2, 1024 * ctas), np.float32)
        arguments = [np.float32(2.5), *memref(x), *memref(y), x.size]
        found.append(("saxpy", ctas, lambda c=ctas, a=arguments: run(saxpy, "saxpy", c, 256, a, check=check)))
    matmul = weft.parse(MATMUL)
    for side in (1, 32):
        a, b, c = rng.random((3, 16 * side, 16 * side), np.float32)
        grid, arguments = (side, side), [a, b, c, 16 * side]
        found.append(
            ("f32 matmul loop", side**2, lambda g=grid, a=arguments: run(matmul, "matmul", g, (16, 16), a, check=check))
        )
    gemm = weft.compile((ROOT / "examples/gemm_sm80.mlir").read_text(), target="sm_80")
    for side in (1, 32):
        n = 64 * side
        a, b = rng.standard_normal((n, 64)).astype(np.float16), rng.standard_normal((64, n)).astype(np.float16)
        arguments = [*memref(a), *memref(b), *memref(np.zeros((n, n), np.float32))]
        grid = (side, side)
        found.append(
            ("ldmatrix + mma GEMM", side**2, lambda g=grid, a=arguments: run(gemm, "gemm", g, 128, a, check=check))
        )
    return found


def main() -> int:
    """Print the table."""
    table = Table(title="Simulator, millions of thread-instructions a second of processor time")
    for heading in ("kernel", "CTAs", "fast", "strict"):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    checks: tuple[Check, Check] = ("fast", "strict")
    for fast, strict in zip(*(cases(check) for check in checks), strict=True):
        rates = [case[2]().thread_instructions / best_of(case[2], own_time) / 1e6 for case in (fast, strict)]
        table.add_row(fast[0], str(fast[1]), *(f"{rate:.1f}" for rate in rates))
    report.console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
