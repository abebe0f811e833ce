"""Root-mean-square normalisation of rows, a warp a row: y = x / sqrt(mean(x^2) + epsilon) * weight."""

import weft
from weft.tile import Global, block_id, f16, f32, register, rsqrt, sum, warp
from weft.tile.layouts import row_layout

COLUMNS = 1024


@weft.kernel(threads=32, grid=lambda M: M)
def rms_norm(
    x: Global(f16, ("M", COLUMNS)),
    weight: Global(f32, COLUMNS),
    y: Global(f16, ("M", COLUMNS)),
    epsilon: f32,
):
    row = block_id()
    layout = row_layout((1, COLUMNS), 8)  # each lane holds 8 neighbours of every 256 elements: 16-byte accesses
    values = register((1, COLUMNS), f16, layout)
    scale = register((1, COLUMNS), f32, layout)
    warp.copy(values, x[row, :])
    warp.copy(scale, weight)
    wide = values.to(f32)
    mean = sum(wide * wide, 1, keepdims=True) / COLUMNS
    warp.copy(y[row, :], (wide * rsqrt(mean + epsilon) * scale).to(f16))
