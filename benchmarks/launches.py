"""What a launch costs through each of the device's doors: the first, the second, and those that follow.

    python benchmarks/launches.py                    # a table
    python benchmarks/launches.py DOOR CHECKS ARRAYS # one row, in this process

Processor time of two kernels of 256 threads, one after the other; each row is a process of its own, whose first
launches also import modules and warm Python up.  A first launch reads the PTX and compiles what pays for the CPU, with
an empty cache; for Triton, its own compiler is in it, too.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import weft
from weft.sim import Check

SAXPY = (Path(__file__).parents[1] / "docs" / "ptx" / "axpy.ptx").read_text("utf-8")
SCALE = SAXPY.replace("fma.rn.f32 %f3, %f0, %f1, %f2", "mul.rn.f32 %f3, %f0, %f1")
THREADS, CTA = 256, 128
ROUNDS, LAUNCHES = 10, 50
Launch = Callable[[], object]


def milliseconds(action: Launch) -> float:
    start = time.process_time()
    action()
    return (time.process_time() - start) * 1000


def report(kernels: Callable[[str], Launch]) -> None:
    """Print the first two launches of both kernels, and the least of later ones; `kernels` makes a launch of a text."""
    times: list[float] = []
    for text in (SAXPY, SCALE):
        start = time.process_time()
        launch = kernels(text)
        launch()
        times += [(time.process_time() - start) * 1000, milliseconds(launch)]
    times.append(min(milliseconds(lambda: [launch() for _ in range(LAUNCHES)]) / LAUNCHES for _ in range(ROUNDS)))
    print("".join(f"{one:10.2f}" for one in times))


def on_device(checks: Check, arrays: int) -> None:
    with weft.Device("sm_80", checks=checks) as device:
        kept = [device.zeros(THREADS) for _ in range(arrays)]
        arguments = [THREADS, 1.0, kept[0], kept[-1]]
        report(lambda text: partial(device.kernel(text, "axpy").launch, THREADS // CTA, CTA, arguments))


def on_host_arrays(checks: Check, _: int) -> None:
    arguments = [THREADS, 1.0, np.zeros(THREADS, np.float32), np.ones(THREADS, np.float32)]
    with weft.Device("sm_80", checks=checks) as device:
        report(lambda text: partial(device.kernel(text, "axpy").launch, THREADS // CTA, CTA, arguments))


def by_run(checks: Check, _: int) -> None:
    arguments = [THREADS, 1.0, np.zeros(THREADS, np.float32), np.ones(THREADS, np.float32)]
    report(lambda text: partial(weft.run, weft.parse(text), "axpy", THREADS // CTA, CTA, arguments, check=checks))


def by_triton(checks: Check, _: int) -> None:
    from triton_kernels import saxpy

    import weft.triton

    kernel: Any = saxpy
    with weft.triton.activate(target="sm_80", checks=checks):
        x, y = weft.triton.asarray(np.zeros(THREADS, np.float32)), weft.triton.asarray(np.ones(THREADS, np.float32))

        def launch(ctas: int) -> None:
            kernel[(ctas,)](1.0, x, y, THREADS, BLOCK=THREADS // ctas)

        report(lambda text: partial(launch, 1 if text == SAXPY else 2))


def by_driver(_: Check, arrays: int) -> None:
    """Through libcuda.so.1, in a process that `weft gpu-run` has started."""
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name: str, *arguments: object) -> None:
        status = getattr(cuda, name)(*arguments)
        assert status == 0, (name, status)

    context = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    pointers = [ctypes.c_uint64() for _ in range(arrays)]
    for pointer in pointers:
        call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(THREADS * 4))
        call("cuMemsetD8_v2", pointer, ctypes.c_ubyte(0), ctypes.c_size_t(THREADS * 4))
    values = ctypes.c_int32(THREADS), ctypes.c_float(1), pointers[0], pointers[-1]
    parameters = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in values))

    def launch(function: ctypes.c_void_p) -> None:
        call("cuLaunchKernel", function, THREADS // CTA, 1, 1, CTA, 1, 1, 0, None, parameters, None)
        call("cuCtxSynchronize")

    def load(text: str) -> Launch:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        call("cuModuleLoadData", ctypes.byref(module), text.encode())
        call("cuModuleGetFunction", ctypes.byref(function), module, b"axpy")
        return partial(launch, function)

    report(load)


DOORS: dict[str, tuple[Callable[[Check, int], None], str, tuple[int, ...]]] = {
    "device": (on_device, "weft.Device", (2, 100, 10_000)),
    "host": (on_host_arrays, "weft.Device, arrays of the host", (2,)),
    "run": (by_run, "weft.run", (2,)),
    "triton": (by_triton, "weft.triton", (2,)),
    "driver": (by_driver, "weft gpu-run, cuLaunchKernel", (2, 100, 10_000)),
}


def main() -> None:
    print(f"{'milliseconds of processor time':47}{'the first kernel':>20}{'another kernel':>20}")
    print(" " * 47 + "".join(f"{name:>10}" for name in ("first", "second", "first", "second", "later")))
    for checks in ("strict", "fast"):
        for door, (_, title, counts) in DOORS.items():
            for arrays in counts:
                name = f"{checks}, {title}" + (f", {arrays:,} arrays" if len(counts) > 1 else "")
                print(f"{name:47}", end="", flush=True)
                ours = [sys.executable, "-m", "weft", "gpu-run", "--target=sm_80", f"--checks={checks}"]
                command = [*(ours if door == "driver" else ()), sys.executable, __file__, door, checks, str(arrays)]
                with tempfile.TemporaryDirectory() as cache:
                    names = {"WEFT_CACHE": cache, "TRITON_CACHE_DIR": cache, "PYTHONWARNINGS": "ignore"}
                    subprocess.run(command, check=True, env={**os.environ, **names})


if __name__ == "__main__":
    if len(sys.argv) > 1:
        DOORS[sys.argv[1]][0]("fast" if sys.argv[2] == "fast" else "strict", int(sys.argv[3]))
    else:
        main()
