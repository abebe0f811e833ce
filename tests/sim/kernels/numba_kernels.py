"""Kernels whose PTX, as Numba writes it for sm_80, stands beside this file: `python numba_kernels.py`."""

# pyright: basic

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numba.cuda
from numba import complex64, float32, float64, int32, uint8

cuda: Any = numba.cuda


def tiled(a, b, c):
    sa = cuda.shared.array((16, 16), float32)
    sb = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for k in range(0, a.shape[1], 16):
        sa[y, x] = a[row, k + x]
        sb[y, x] = b[k + y, column]
        cuda.syncthreads()
        for i in range(16):
            total += sa[y, i] * sb[i, x]
        cuda.syncthreads()
    c[row, column] = total


def julia(out, constant):
    i, j = cuda.grid(2)
    if i >= out.shape[0] or j >= out.shape[1]:
        return
    z = complex64(complex(4 * i / out.shape[0] - 2, 4 * j / out.shape[1] - 2))
    n = 0
    while n < 60 and z.real * z.real + z.imag * z.imag < 16:
        z = z * z + constant
        n += 1
    out[i, j] = n


def counts(data, bins):
    here = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    if t < 64:
        here[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(here, data[i] & 63, 1)
    cuda.syncthreads()
    if t < 64:
        cuda.atomic.add(bins, t, here[t])


def bodies(places, forces):
    i = cuda.grid(1)
    x = y = 0.0
    for j in range(places.shape[0]):
        dx, dy = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1]
        far = dx * dx + dy * dy + 0.01
        weight = 1 / (far * math.sqrt(far))
        x += dx * weight
        y += dy * weight
    forces[i, 0] = x
    forces[i, 1] = y


JOBS = {
    tiled: (float32[:, ::1], float32[:, ::1], float32[:, ::1]),
    julia: (int32[:, ::1], complex64),
    counts: (uint8[::1], int32[::1]),
    bodies: (float64[:, ::1], float64[:, ::1]),
}


def main() -> None:
    for function, signature in JOBS.items():
        ptx, _ = cuda.compile_ptx(function, signature, cc=(8, 0))
        mangled = re.search(r"\.entry (\w+)\(", ptx)
        assert mangled
        text = ptx.replace(mangled[1], function.__name__).rstrip("\0")
        Path(__file__).with_name(f"numba_{function.__name__}_sm_80.ptx").write_text(text)


if __name__ == "__main__":
    main()
