"""Tensor memory (sm_100a): 128 lanes of 512 columns of 32 bits a multiprocessor, and how warpgroups read it."""

from __future__ import annotations

from weft.errors import LayoutError
from weft.layout.axis import TCol, TLane, laneid, wid_in_wg
from weft.layout.iters import Iter
from weft.layout.tile import TileLayout

LANES, COLUMNS = 128, 512
LEAST_COLUMNS = 32
"""Columns are allocated in powers of two, so many at least."""


def tensor_memory_layout(shape: tuple[int, ...], bits: int = 32) -> TileLayout:
    """Matrices in tensor memory: rows are lanes, columns of the matrices one behind another, in elements.

    Raises:
        LayoutError: a matrix does not have 128 rows, or all together have more than 512 columns of 32 bits.
    """
    if len(shape) < 2 or shape[-2] != LANES:
        raise LayoutError(f"a matrix in tensor memory must have {LANES} rows, not shape {shape}")
    run: list[Iter] = [Iter(LANES, 1, TLane), Iter(shape[-1], 1, TCol)]
    stride = shape[-1]
    for extent in reversed(shape[:-2]):
        run.insert(0, Iter(extent, stride, TCol))
        stride *= extent
    if (columns := -(-stride * bits // 32)) > COLUMNS:
        raise LayoutError(f"{columns} columns: tensor memory has {COLUMNS}")
    return TileLayout(run)


def tensor_fragment(shape: tuple[int, int]) -> TileLayout:
    """How `tcgen05.ld.32x32b` gives a matrix to the registers of a warpgroup: a row to each thread.

    Raises:
        LayoutError: it does not have 128 rows.
    """
    rows, columns = shape
    if rows != LANES:
        raise LayoutError(f"a warpgroup reads {LANES} rows of tensor memory, not {rows}")
    return TileLayout((Iter(4, 1, wid_in_wg), Iter(32, 1, laneid), Iter(columns, 1)))
