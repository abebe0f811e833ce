import numpy as np
from numba import cuda, float32


@cuda.jit
def smooth(out, values):
    tile = cuda.shared.array(128, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    tile[t] = values[i] if i < values.size else 0
    cuda.syncthreads()
    left = tile[t - 1] if t > 0 else float32(0)
    if i < values.size:
        out[i] = (left + tile[t]) / 2


def test_smooth():
    values = np.arange(256, dtype=np.float32)
    out = np.zeros_like(values)
    smooth[2, 128](out, values)
    assert out[5] == 4.5 and out[128] == 64
