"""Tile kernels in Python: say what tile moves between which layouts, and what is computed with it.

    import weft
    from weft.tile import Global, block_id, cta, f32, register, shared, warp

    @weft.kernel(threads=32, grid=lambda M: M)
    def scale(x: Global(f32, ("M", 128)), y: Global(f32, ("M", 128)), factor: f32):
        ...

`Kernel.ptx(target)` compiles, `Kernel.run(...)` runs on the simulator, `Kernel.launch(...)` on a GPU.
"""

import weft.dialects  # noqa: F401  # pyright: ignore[reportUnusedImport] - xDSL in the quick way
from weft.layout import R, S, TileLayout, laneid, m, swz, tid_in_wg, tx, warpid, wid_in_wg
from weft.tile.atomics import (
    atomic_add,
    atomic_and,
    atomic_compare_exchange,
    atomic_exchange,
    atomic_max,
    atomic_min,
    atomic_or,
    atomic_xor,
)
from weft.tile.buffers import Buffer, alloc_buffer, recast, register, shared
from weft.tile.dtypes import (
    DType,
    bf16,
    boolean,
    dtype,
    e2m1x2,
    e2m3,
    e3m2,
    e4m3,
    e5m2,
    e8m0,
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
from weft.tile.escape import address, inline_ptx
from weft.tile.functions import (
    along,
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
    maximum,
    minimum,
    rsqrt,
    sin,
    sqrt,
    tanh,
    trunc,
    where,
    zeros,
)
from weft.tile.functions import max as max
from weft.tile.functions import min as min
from weft.tile.functions import round as round
from weft.tile.functions import sum as sum
from weft.tile.gathering import accumulate, gather, scatter
from weft.tile.ids import block_id, grid_size, lane_id, thread_id, warp_id
from weft.tile.inlined import function
from weft.tile.kernel import Kernel, cdiv, kernel
from weft.tile.layouts import scale_layout, wgmma_layout
from weft.tile.machine import NamedBarrier, named_barrier
from weft.tile.parameters import Global, dynamic, persistent
from weft.tile.pipelines import Pipeline, pipeline, tile
from weft.tile.pixels import pixels
from weft.tile.ranges import loop
from weft.tile.regions import Region, ds
from weft.tile.roles import role
from weft.tile.scalars import Scalar
from weft.tile.scaled import blocked_scales, dot_scaled
from weft.tile.scans import argmax, argmin, cumsum, scan
from weft.tile.schedules import raster
from weft.tile.scopes import Scope, cluster, commit, copy, cta, pair, sync, thread, wait, warp, warpgroup
from weft.tile.sorting import sort
from weft.tile.sparse import compressed, metadata_layout
from weft.tile.staged import Staged, ahead, staged
from weft.tile.tensor_memory import tensor_layout, tensor_memory
from weft.tile.tensors import Tensor
from weft.tile.warps import ballot, shuffle, shuffle_down, shuffle_up, shuffle_xor, vote_all, vote_any

__all__ = [
    "Buffer",
    "DType",
    "Global",
    "Kernel",
    "NamedBarrier",
    "Pipeline",
    "R",
    "Region",
    "S",
    "Scalar",
    "Scope",
    "Staged",
    "Tensor",
    "TileLayout",
    "accumulate",
    "address",
    "ahead",
    "alloc_buffer",
    "along",
    "argmax",
    "argmin",
    "atomic_add",
    "atomic_and",
    "atomic_compare_exchange",
    "atomic_exchange",
    "atomic_max",
    "atomic_min",
    "atomic_or",
    "atomic_xor",
    "ballot",
    "bf16",
    "block_id",
    "blocked_scales",
    "boolean",
    "cdiv",
    "ceil",
    "clamp",
    "cluster",
    "commit",
    "compressed",
    "convert",
    "coordinates",
    "copy",
    "cos",
    "cta",
    "cumsum",
    "dot_scaled",
    "ds",
    "dtype",
    "dynamic",
    "e2m1x2",
    "e2m3",
    "e3m2",
    "e4m3",
    "e5m2",
    "e8m0",
    "exp",
    "exp2",
    "f16",
    "f32",
    "f64",
    "fill",
    "floor",
    "fma",
    "full",
    "function",
    "gather",
    "grid_size",
    "i8",
    "i16",
    "i32",
    "i64",
    "inline_ptx",
    "kernel",
    "lane_id",
    "laneid",
    "log",
    "log2",
    "loop",
    "m",
    "maximum",
    "metadata_layout",
    "minimum",
    "named_barrier",
    "pair",
    "persistent",
    "pipeline",
    "pixels",
    "raster",
    "recast",
    "register",
    "role",
    "rsqrt",
    "scale_layout",
    "scan",
    "scatter",
    "shared",
    "shuffle",
    "shuffle_down",
    "shuffle_up",
    "shuffle_xor",
    "sin",
    "sort",
    "sqrt",
    "staged",
    "swz",
    "sync",
    "tanh",
    "tensor_layout",
    "tensor_memory",
    "thread",
    "thread_id",
    "tid_in_wg",
    "tile",
    "trunc",
    "tx",
    "u8",
    "u16",
    "u32",
    "u64",
    "vote_all",
    "vote_any",
    "wait",
    "warp",
    "warp_id",
    "warpgroup",
    "warpid",
    "wgmma_layout",
    "where",
    "wid_in_wg",
    "zeros",
]  # fmt: skip
"""What `from weft.tile import *` brings: not `max`, `min`, `sum`, `round`, which would replace the host's; inside a
kernel Python's own are of tiles too.
"""
