"""Layouts that kernels start from: fragments of products over whole tiles, rows over the lanes of a warp, swizzled
tiles.
"""

from __future__ import annotations

from weft.errors import LayoutError
from weft.layout import Iter, Layout, TileLayout, laneid, m
from weft.layout import shared_layout as _shared_layout
from weft.layout.axis import tid_in_wg, tx
from weft.layout.fragments import named_fragment
from weft.layout.scales import scale_fragment
from weft.layout.wgmma import wgmma_fragment
from weft.tile.dtypes import dtype
from weft.tile.scopes import Scope, warp
from weft.tile.trace import shape_of

_DEPTHS = {"f16": 16, "bf16": 16, "tf32": 8, "s8": 32, "u8": 32, "e4m3": 32, "e5m2": 32, "f64": 4}
_NAMES = {"f32": "tf32", "i8": "s8", "u8": "u8", "e2m1x2": "e4m3", "e2m3": "e4m3", "e3m2": "e4m3"}
_THREADS = {"warp": (32, laneid), "warpgroup": (128, tid_in_wg)}
"""Threads of a scope, and the axis that counts them."""
ATOM_ROW = 128
"""Bytes of the longest row of a swizzle's atom."""


def mma_layout(operand: str, shape: tuple[int, int], kind: object) -> TileLayout:
    """The layout of an operand of `warp.gemm`: fragments of `mma.sync` side by side, in a warp's registers.

    `operand` is ``"a"`` (M x K), ``"b"`` (K x N) or ``"d"`` (M x N), of the type that multiplies: f16, bf16, f32 (as
    tf32), 8-bit integers and floats, f64.  Registers of a fragment follow each other, fragments row by row.

    Raises:
        LayoutError: the type does not multiply, or the shape is not made of its fragments.
    """
    name = _NAMES.get(dtype(kind).name, dtype(kind).name)
    depth = _DEPTHS.get(name)
    if depth is None or operand not in ("a", "b", "d"):
        raise LayoutError(f"mma.sync has no operand '{operand}' of type {kind}")
    rows, columns = (8, 8) if name == "f64" else (16, 8)
    if operand == "d":
        result = "s32" if name in ("s8", "u8") else "f64" if name == "f64" else "f32"
        found = named_fragment(f"mma.m{rows}n{columns}k{depth}.d.{result}")
    else:
        found = named_fragment(f"mma.m{rows}n{columns}k{depth}.{operand}.{name}")
    if any(extent % each for extent, each in zip(shape, found.shape, strict=True)):
        raise LayoutError(f"shape {shape} is not a multiple of the fragment shape {found.shape}")
    return found.layout.tile_to(shape, found.shape)


def scale_layout(shape: tuple[int, int]) -> TileLayout:
    """The layout of the scales of `dot_scaled` in a warp's registers: one lane holds those of a row of A or a column of
    B.

    Raises:
        LayoutError: the number of rows is not a multiple of 8.
    """
    return scale_fragment(shape)


def row_layout(shape: tuple[int, int], vector: int = 1, over: Scope | int = warp) -> TileLayout:
    """Rows over the lanes of a warp: each lane holds `vector` neighbours of every 32 x `vector` elements of a row.

    `over` is who has them: a `warp`, a `warpgroup`, or the block by its number of threads.  Where a row has not enough
    elements for all, the next rows are the others'.

    Raises:
        LayoutError: neither rows nor whole rows can be dealt out evenly.
    """
    rows, columns = shape
    count, axis = (over, tx) if isinstance(over, int) else _THREADS.get(over.name, (0, laneid))
    if count < 1:
        raise LayoutError(
            f"unknown number of threads of a {over}", hint="use warp, warpgroup, or the number of threads of the block"
        )
    chunks, rest = divmod(columns, count * vector)
    if not rest:
        shard = (Iter(rows, chunks * vector, m), Iter(chunks, vector, m), Iter(count, 1, axis), Iter(vector, 1, m))
        return TileLayout(shard)
    across = columns // vector
    if columns % vector or count % across or rows % (count // across):
        raise LayoutError(f"rows of {columns} elements cannot be split into {count} x {vector}")
    down = count // across
    shard = (Iter(rows // down, vector, m), Iter(down, across, axis), Iter(across, 1, axis), Iter(vector, 1, m))
    return TileLayout(shard)


def swizzled(shape: int | tuple[int, ...], kind: object, piece: int = 16) -> Layout:
    """A layout in shared memory, swizzled so that `ldmatrix`, plain and transposed, has no bank conflicts.

    Atoms of 8 rows of 128 bytes, or of 64 or 32 where rows are shorter; leading dimensions are stages.  Bytes stay
    together in pieces of 16; with a `piece` of 32, the sums of products (``"d"``) in 32 bits have no conflicts.

    Raises:
        LayoutError: the last two dimensions are not made of such atoms, or there are no such pieces.
    """
    extents = shape_of(shape)
    bits = dtype(kind).bits
    row = extents[-1] * bits // 8
    width = next((w for w in (ATOM_ROW, 64, 32) if row % w == 0), 0)
    return _shared_layout(bits, width, extents, piece)


def wgmma_layout(operand: str, shape: tuple[int, int], kind: object = "f32") -> TileLayout:
    """The layout of an operand of `warpgroup.gemm_async` in the registers of a warpgroup.

    ``"d"`` is the accumulator (M x N, of f32, i32 or f16), ``"a"`` the left operand (M x K, of the type that is
    multiplied).

    Raises:
        LayoutError: the operand is unknown, or the shape is not a multiple of its fragments.
    """
    name = dtype(kind).name
    types = {"f32": "f32", "i32": "s32", "f16": "f16"} if operand == "d" else {**_NAMES, **{n: n for n in _SIXTEEN}}
    if operand not in ("a", "d") or name not in types:
        raise LayoutError(f"wgmma has no operand '{operand}' of type {kind} in registers")
    return wgmma_fragment(operand, types[name], shape)


_SIXTEEN = ("f16", "bf16", "e4m3", "e5m2")
