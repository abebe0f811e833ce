"""Small tests of Numba kernels: the same file on Numba's simulator and on the virtual GPU.

    python benchmarks/numba_tests.py                    # Numba's simulator
    weft gpu-run python benchmarks/numba_tests.py       # the virtual GPU

Prints milliseconds of processor time of each test, the first time (on the virtual GPU it compiles) and the next times.
"""

# pyright: basic

from __future__ import annotations

import os
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = str(int("WEFT_CUDART" not in os.environ))
os.environ["NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"] = os.environ["NUMBA_CUDA_WARN_ON_IMPLICIT_COPY"] = "0"

from typing import Any

import numba.cuda
import numpy as np

cuda: Any = numba.cuda
SIMULATED = os.environ["NUMBA_ENABLE_CUDASIM"] == "1"
N = 256


@cuda.jit
def add(out, a, b):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


@cuda.jit
def reverse(out, a):
    shared = cuda.shared.array(N, numba.float32)
    i = cuda.threadIdx.x
    shared[i] = a[i]
    cuda.syncthreads()
    out[i] = shared[N - 1 - i]


@cuda.jit
def total(out, a):
    shared = cuda.shared.array(N, numba.float32)
    i, step = cuda.threadIdx.x, N // 2
    shared[i] = a[i]
    cuda.syncthreads()
    while step:
        if i < step:
            shared[i] += shared[i + step]
        cuda.syncthreads()
        step //= 2
    if i == 0:
        out[0] = shared[0]


@cuda.jit
def histogram(out, a):
    i = cuda.grid(1)
    if i < a.size:
        cuda.atomic.add(out, int(a[i]) % out.size, 1)


@cuda.jit
def product(out, a, b):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        value = np.float32(0)
        for k in range(a.shape[1]):
            value += a[i, k] * b[k, j]
        out[i, j] = value


@cuda.jit
def tiled(out, a, b):
    left = cuda.shared.array((8, 8), numba.float32)  # One a line: the simulator knows them by their lines.
    right = cuda.shared.array((8, 8), numba.float32)
    x, y = cuda.grid(2)
    i, j, value = cuda.threadIdx.x, cuda.threadIdx.y, np.float32(0)
    for tile in range(a.shape[1] // 8):
        left[i, j], right[i, j] = a[x, tile * 8 + j], b[tile * 8 + i, y]
        cuda.syncthreads()
        for k in range(8):
            value += left[i, k] * right[k, j]
        cuda.syncthreads()
    out[x, y] = value


def cases():
    rng = np.random.default_rng(1)
    a, b = rng.random(N, np.float32), rng.random(N, np.float32)
    m, n = rng.random((32, 32), np.float32), rng.random((32, 32), np.float32)
    numbers = rng.integers(0, 1000, N).astype(np.float32)
    counts = np.bincount(numbers.astype(np.int64) % 16, minlength=16).astype(np.int32)
    yield "add", add, (2, 128), np.zeros(N, np.float32), (a, b), a + b
    yield "reverse", reverse, (1, N), np.zeros(N, np.float32), (a,), a[::-1]
    yield "sum", total, (1, N), np.zeros(1, np.float32), (a,), a.sum(keepdims=True)
    yield "histogram", histogram, (2, 128), np.zeros(16, np.int32), (numbers,), counts
    yield "product", product, ((4, 4), (8, 8)), np.zeros((32, 32), np.float32), (m, n), m @ n
    yield "tiled product", tiled, ((4, 4), (8, 8)), np.zeros((32, 32), np.float32), (m, n), m @ n


def main() -> None:
    print(f"{'Numba simulator' if SIMULATED else 'virtual GPU':20} {'first':>10} {'next':>10}  ms")
    for name, kernel, (grid, block), out, inputs, want in cases():
        times = []
        for _ in range(6):
            out[:] = 0
            start = time.process_time()
            kernel[grid, block](out, *inputs)
            times.append((time.process_time() - start) * 1000)
            assert np.allclose(out, want, rtol=1e-4), name
        print(f"{name:20} {times[0]:10.1f} {min(times[1:]):10.2f}")


main()
