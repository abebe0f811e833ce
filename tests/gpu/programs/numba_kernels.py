"""Numba: arrays of several dimensions, shared memory, atomics, constants, device functions, random numbers, ufuncs."""

import math

import numpy as np
from numba import cuda, float32, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

TILE = 16


@cuda.jit
def matmul(a, b, c):
    left, right = cuda.shared.array((TILE, TILE), float32), cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for i in range(a.shape[1] // TILE):
        left[tx, ty] = a[x, ty + i * TILE]
        right[tx, ty] = b[tx + i * TILE, y]
        cuda.syncthreads()
        for j in range(TILE):
            total += left[tx, j] * right[j, ty]
        cuda.syncthreads()
    c[x, y] = total


n = 48
a, b = np.random.rand(n, n).astype(np.float32), np.random.rand(n, n).astype(np.float32)
c = cuda.device_array((n, n), np.float32)
matmul[(n // TILE, n // TILE), (TILE, TILE)](cuda.to_device(a), cuda.to_device(b), c)
np.testing.assert_allclose(c.copy_to_host(), a @ b, rtol=1e-5)


@cuda.jit
def histogram(data, bins):
    i = cuda.grid(1)
    if i < data.size:
        cuda.atomic.add(bins, data[i], 1)


data = np.random.randint(0, 10, 3000).astype(np.int32)
bins = np.zeros(10, np.int32)
histogram[12, 256](data, bins)
assert (bins == np.bincount(data, minlength=10)).all()

TABLE = np.arange(32, dtype=np.int64) ** 2


@cuda.jit
def look_up(out):
    table = cuda.const.array_like(TABLE)
    i = cuda.grid(1)
    out[i] = table[i]


out = np.zeros(32, np.int64)
look_up[1, 32](out)
assert (out == TABLE).all()


@cuda.jit(device=True)
def square(x):
    return x * x


@cuda.jit
def warp_sum(values, total):
    value = square(values[cuda.threadIdx.x])
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    if cuda.threadIdx.x == 0:
        total[0] = value


total = np.zeros(1, np.float64)
warp_sum[1, 32](np.arange(32, dtype=np.float64), total)
assert total[0] == (np.arange(32.0) ** 2).sum()


@cuda.jit
def pi(states, count, out):
    thread = cuda.grid(1)
    inside = 0
    for _ in range(count):
        x, y = xoroshiro128p_uniform_float32(states, thread), xoroshiro128p_uniform_float32(states, thread)
        inside += x * x + y * y <= 1.0
    out[thread] = 4.0 * inside / count


states = create_xoroshiro128p_states(128, seed=1)
out = np.zeros(128, np.float32)
pi[2, 64](states, 100, out)
assert abs(out.mean() - math.pi) < 0.1


@vectorize(["float32(float32, float32)"], target="cuda")
def distance(x, y):
    return math.sqrt(x * x + y * y)


assert np.allclose(distance(a, b), np.hypot(a, b))

record = np.dtype([("x", np.float32), ("y", np.int32)])


@cuda.jit
def fields(records):
    i = cuda.grid(1)
    records[i].x = i * 0.5
    records[i].y = i


records = np.zeros(8, record)
fields[1, 8](records)
assert (records["y"] == np.arange(8)).all() and (records["x"] == np.arange(8) / 2).all()

stream = cuda.stream()
start, end = cuda.event(), cuda.event()
start.record(stream)
there = cuda.to_device(np.arange(100.0), stream=stream)
part = there[10:20]
end.record(stream)
end.synchronize()
assert (part.copy_to_host() == np.arange(10.0, 20.0)).all() and cuda.event_elapsed_time(start, end) >= 0
with cuda.pinned(data):
    stream.synchronize()
managed = cuda.managed_array(10, np.int32)
managed[:] = 0
histogram[12, 256](data, managed)
cuda.synchronize()
assert (np.asarray(managed) == bins).all()
assert cuda.get_current_device().compute_capability == (9, 0)
