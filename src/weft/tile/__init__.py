"""Tile kernels in Python: say what tile moves between which layouts, and what is computed with it.

    import weft
    from weft.tile import Global, block_id, cta, f32, register, shared, warp

    @weft.kernel(threads=32, grid=lambda M: M)
    def scale(x: Global(f32, ("M", 128)), y: Global(f32, ("M", 128)), factor: f32):
        ...

`Kernel.ptx(target)` compiles, `Kernel.run(...)` runs on the simulator, `Kernel.launch(...)` on a GPU.
"""

from weft.layout import R, S, TileLayout, laneid, m, swz, tid_in_wg, tx, warpid, wid_in_wg
from weft.tile.buffers import Buffer, alloc_buffer, recast, register, shared
from weft.tile.dtypes import (
    DType,
    bf16,
    boolean,
    dtype,
    e4m3,
    e5m2,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
)
from weft.tile.functions import (
    ceil,
    clamp,
    convert,
    coordinates,
    cos,
    exp,
    exp2,
    fill,
    floor,
    fma,
    full,
    log,
    log2,
    max,
    maximum,
    min,
    minimum,
    round,
    rsqrt,
    sin,
    sqrt,
    sum,
    tanh,
    trunc,
    where,
    zeros,
)
from weft.tile.inlined import function
from weft.tile.kernel import Global, Kernel, cdiv, kernel
from weft.tile.ranges import loop
from weft.tile.regions import Region, ds
from weft.tile.scalars import Scalar
from weft.tile.scopes import (
    Scope,
    block_id,
    commit,
    copy,
    cta,
    grid_size,
    lane_id,
    sync,
    thread,
    thread_id,
    wait,
    warp,
    warp_id,
    warpgroup,
)
from weft.tile.tensors import Tensor

__all__ = [
    "Buffer", "DType", "Global", "Kernel", "R", "Region", "S", "Scalar", "Scope", "Tensor", "TileLayout",
    "alloc_buffer", "bf16", "block_id", "boolean", "cdiv", "ceil", "clamp", "commit", "convert", "coordinates", "copy",
    "cos", "cta", "ds", "dtype", "e4m3", "e5m2", "exp", "exp2", "f16", "f32", "f64", "fill", "floor", "fma", "full",
    "function", "grid_size", "i8", "i16", "i32", "i64", "kernel", "lane_id", "laneid", "log", "log2", "loop", "m",
    "max", "maximum", "min", "minimum", "recast", "register", "round", "rsqrt", "shared", "sin", "sqrt", "sum", "swz",
    "sync", "tanh", "thread", "thread_id", "tid_in_wg", "trunc", "tx", "u8", "u16", "u32", "u64", "wait", "warp", "warp_id",
    "warpgroup", "warpid", "where", "wid_in_wg", "zeros",
]  # fmt: skip
