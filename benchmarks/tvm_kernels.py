"""The kernels `saxpy` and `softmax` in TVM, compiled to CUDA C++ (not to PTX), in a process of its own.

Usage: `tvm_kernels.py NAME`.  Prints the processor seconds of compiling once more after everything is imported.
"""

from __future__ import annotations

import sys
import time

import tvm
from tvm.script import tirx as T  # noqa: N812 (as its users write it)


@T.prim_func
def saxpy(a: T.float32, x_ptr: T.handle, y_ptr: T.handle, n: T.int32):  # type: ignore[no-untyped-def]
    x = T.match_buffer(x_ptr, (n,), "float32")
    y = T.match_buffer(y_ptr, (n,), "float32")
    T.device_entry()
    block = T.cta_id([(n + 255) // 256])
    thread = T.thread_id([256])
    if block * 256 + thread < n:
        y[block * 256 + thread] = a * x[block * 256 + thread] + y[block * 256 + thread]


@T.prim_func
def softmax(x_ptr: T.handle, y_ptr: T.handle, rows: T.int32):  # type: ignore[no-untyped-def]
    x = T.match_buffer(x_ptr, (rows, 1024), "float32")
    y = T.match_buffer(y_ptr, (rows, 1024), "float32")
    T.device_entry()
    row = T.cta_id([rows])
    thread = T.thread_id([256])
    shared = T.alloc_shared((256,), "float32")
    part = T.alloc_local((1,), "float32")
    part[0] = x[row, thread]
    for i in T.serial(3):
        part[0] = T.max(part[0], x[row, thread + 256 * (i + 1)])
    shared[thread] = part[0]
    T.cuda.cta_sync()
    for step in T.unroll(8):
        if thread < (128 >> step):
            shared[thread] = T.max(shared[thread], shared[thread + (128 >> step)])
        T.cuda.cta_sync()
    top = T.alloc_local((1,), "float32")
    top[0] = shared[0]
    T.cuda.cta_sync()
    part[0] = T.float32(0)
    for i in T.serial(4):
        part[0] = part[0] + T.exp(x[row, thread + 256 * i] - top[0])
    shared[thread] = part[0]
    T.cuda.cta_sync()
    for step in T.unroll(8):
        if thread < (128 >> step):
            shared[thread] = shared[thread] + shared[thread + (128 >> step)]
        T.cuda.cta_sync()
    for i in T.serial(4):
        y[row, thread + 256 * i] = T.exp(x[row, thread + 256 * i] - top[0]) / shared[0]


KERNELS = {"saxpy": saxpy, "softmax": softmax}


def main() -> None:
    target = tvm.target.Target({"kind": "cuda", "arch": "sm_80"})
    seconds = 0.0
    for _ in range(2):
        start = time.process_time()
        compiled = tvm.compile(tvm.IRModule({"main": KERNELS[sys.argv[1]]}), target=target, tir_pipeline="tirx")
        assert "__global__" in compiled.mod.imports[0].inspect_source()
        seconds = time.process_time() - start
    print(seconds)


if __name__ == "__main__":
    main()
