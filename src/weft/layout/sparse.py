"""Metadata of sparse matrices: which two of each four elements of a row are stored (of f32, which of two).

Four words of 32 bits, in the lanes of a quad, are those of two rows, eight apart, and 64 elements (of f32 32).  So the
words of M x K elements are a matrix of M / 2 x K / 16 (K / 8), eight rows of it for 16 of the elements.

Source: PTX manual, "Sparse matrix storage" of `mma.sp`; "Sparse wgmma storage".
"""

from __future__ import annotations

from weft.errors import LayoutError
from weft.layout.axis import Axis
from weft.layout.iters import Iter
from weft.layout.tile import TileLayout

ROWS, COLUMNS = 8, 4
"""Words of a warp: rows, and columns."""


def metadata_fragment(shape: tuple[int, int], axis: Axis, warps: int) -> TileLayout:
    """Where the words of metadata are in the threads along an axis, of one warp or the four of a warpgroup.

    Raises:
        LayoutError: the words are not whole warps' of them.
    """
    rows, columns = shape
    each = ROWS * warps
    if rows % each or columns % COLUMNS:
        raise LayoutError(
            f"metadata of {rows} x {columns} words are not a multiple of {each} x {COLUMNS}",
            hint="use half of the matrix's rows, and four words per 64 elements of a row (32 for f32)",
        )
    steps = columns // COLUMNS
    shard = [Iter(rows // each, steps), Iter(warps, 32, axis), Iter(ROWS, COLUMNS, axis), Iter(steps, 1)]
    return TileLayout([*shard, Iter(COLUMNS, 1, axis)])


def selectors(type: str) -> int:
    """The products along K for which a quad of lanes holds metadata: each of them takes those of some lanes."""
    return 2 if type in ("f16", "bf16", "tf32") else 1
