"""Layer normalisation, a block a row: y = (x - mean) / sqrt(variance + epsilon) * weight + bias.

The rows are spread over all warps of a block, so the two sums are taken in registers, by shuffles, and across warps in
shared memory: `sum` does all three.
"""

import weft
from weft.tile import Global, S, block_id, cta, f16, f32, register, rsqrt, sum, tx

COLUMNS, THREADS = 2048, 256


@weft.kernel(threads=THREADS, grid=lambda M: M)
def layer_norm(
    x: Global(f16, ("M", COLUMNS)),
    weight: Global(f32, COLUMNS),
    bias: Global(f32, COLUMNS),
    y: Global(f16, ("M", COLUMNS)),
    epsilon: f32,
):
    row = block_id()
    layout = S[(THREADS, COLUMNS // THREADS) : (1 @ tx, 1)]  # each thread holds 8 neighbours: 16-byte accesses of x
    values, scale, offset = (register(COLUMNS, kind, layout) for kind in (f16, f32, f32))
    cta.copy(values, x[row, :])
    cta.copy(scale, weight)
    cta.copy(offset, bias)
    wide = values.to(f32)
    centred = wide - sum(wide) / COLUMNS
    variance = sum(centred**2) / COLUMNS
    cta.copy(y[row, :], (centred * rsqrt(variance + epsilon) * scale + offset).to(f16))
