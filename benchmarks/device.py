"""What a launch on `weft.Device` costs beside `weft.run`, and memory beside the arrays' size.

Processor time, the least of several rounds; memory is what the process holds more than before.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import weft
from weft.sim import Check

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
  .reg .b64 %p, %q, %i; .reg .b32 %t, %n, %b, %d; .reg .f32 %a, %v, %w; .reg .pred %g;
  ld.param.u64 %p, [x]; ld.param.u64 %q, [y]; ld.param.f32 %a, [a]; ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %d, %ntid.x; mad.lo.u32 %t, %b, %d, %t;
  setp.ge.u32 %g, %t, %n; @%g ret;
  mul.wide.u32 %i, %t, 4; add.u64 %p, %p, %i; add.u64 %q, %q, %i;
  ld.global.f32 %v, [%p]; ld.global.f32 %w, [%q]; fma.rn.f32 %w, %a, %v, %w; st.global.f32 [%q], %w; ret;
}
"""
ROUNDS, LAUNCHES = 10, 50


def least(action: Callable[[], object]) -> float:
    """Milliseconds of processor time of an action."""
    for _ in range(10):
        action()
    times: list[float] = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(LAUNCHES):
            action()
        times.append((time.process_time() - start) / LAUNCHES)
    return min(times) * 1000


def launches() -> None:
    host = np.zeros(256, np.float32), np.ones(256, np.float32)
    module = weft.parse(PTX)
    print("milliseconds a launch       device arrays   host arrays   weft.run")
    checks: Check
    for checks in ("strict", "fast"):
        with weft.Device("sm_80", checks=checks) as device:
            kernel, x, y = device.kernel(PTX, "saxpy"), device.zeros(256), device.zeros(256)
            there = least(partial(kernel.launch, 2, 128, [x, y, 1.0, 256]))
            here = least(partial(kernel.launch, 2, 128, [*host, 1.0, 256]))
        run = least(partial(weft.run, module, "saxpy", 2, 128, [*host, 1.0, 256], check=checks))
        print(f"{checks:26} {there:14.2f} {here:13.2f} {run:10.2f}")


def resident() -> tuple[int, int]:
    """Bytes of memory that the process holds, and those of them that are no pages of files, such as LLVM's library."""
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = [int(word) for word in file.read().split()]
    return pages[1] * resource.getpagesize(), (pages[1] - pages[2]) * resource.getpagesize()


def memory() -> None:
    count = 32 << 20
    for checks in ("fast", "strict"):
        with weft.Device("sm_80", checks=checks) as device:
            kernel = device.kernel(PTX, "saxpy")
            before = resident()
            x, y = device.empty(count), device.empty(count)
            x[:], y[:] = 1, 2
            kernel.launch(count // 1024, 1024, [x, y, 1.0, count])
            size = x.nbytes + y.nbytes
            ratio, own = ((now - then) / size for now, then in zip(resident(), before, strict=True))
            most = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before[0]) / size
            print(f"memory, {checks:6} {size >> 20} MiB of arrays: {ratio:.2f} x them, {most:.2f} at most;", end=" ")
            print(f"without the pages of files {own:.2f}")


if __name__ == "__main__":
    launches()
    memory()
