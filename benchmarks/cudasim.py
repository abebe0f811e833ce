"""Numba's CUDA simulator on the algorithms of `simulator.py`: prints, as JSON, seconds of processor time for each.

It runs in a process of its own: NUMBA_ENABLE_CUDASIM must be set before numba is imported.
"""

# pyright: basic

from __future__ import annotations

import json
import os
import sys
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

from typing import Any

import numba.cuda
import numpy as np

cuda: Any = numba.cuda


@cuda.jit
def saxpy(x, y, a, n):
    i = cuda.grid(1)
    while i < n:
        y[i] = a * x[i] + y[i]
        i += cuda.gridsize(1)


@cuda.jit
def matmul(a, b, c, k):
    column, row = cuda.grid(2)
    total = np.float32(0)
    for i in range(k):
        total += a[row, i] * b[i, column]
    c[row, column] = total


def measured(launch) -> float:
    start = time.process_time()
    launch()
    return time.process_time() - start


def main() -> int:
    saxpy_ctas, saxpy_rounds, side, k = map(int, sys.argv[1:])
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 128 * saxpy_ctas * saxpy_rounds), np.float32)
    want = (np.float64(np.float32(2.5)) * x + y).astype(np.float32)
    found = {"saxpy": measured(lambda: saxpy[saxpy_ctas, 128](x, y, np.float32(2.5), x.size))}
    assert np.allclose(y, want)
    m, n = 8 * side, 16 * side
    a, b, c = rng.random((m, k), np.float32), rng.random((k, n), np.float32), np.zeros((m, n), np.float32)
    found["f32 matmul loop"] = measured(lambda: matmul[(side, side), (16, 8)](a, b, c, k))
    assert np.allclose(c, a @ b, rtol=1e-4)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
