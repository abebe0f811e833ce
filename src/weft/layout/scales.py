"""Scales of blocks: how `mma.sync` reads them from registers, and `tcgen05.mma` from shared by way of tensor memory.

In memory, the scales of 128 rows by 4 blocks along K are 512 bytes: 32 rows of 16, in which the four blocks of row i,
of rows i + 32, i + 64 and i + 96 follow each other.

Sources: PTX manual, "Block Scaling" of `mma`, "Scale Factor layout" of the fifth-generation tensor core.
"""

from __future__ import annotations

from weft.errors import LayoutError
from weft.layout.axis import laneid, m
from weft.layout.iters import Iter
from weft.layout.tile import TileLayout

ROWS, BLOCKS = 128, 4
"""Rows and blocks of a piece of memory."""


def scale_fragment(shape: tuple[int, int]) -> TileLayout:
    """Scales in a warp's registers, (rows, blocks along K): of each 32 rows the one of number 8 q + g is in lane
    4 g + q; where there are 16 or 8 only, several lanes hold the same.

    Raises:
        LayoutError: the number of rows is not a multiple of 8.
    """
    rows, count = shape
    width = width_of(rows)
    shard = [Iter(rows // width, count, m), Iter(width // 8, 1, laneid), Iter(8, 4, laneid), Iter(count, 1, m)]
    return TileLayout(shard, [Iter(32 // width, width // 8, laneid)] if width < 32 else [])


def width_of(rows: int) -> int:
    """The rows whose scales are in one place of the registers."""
    width = next((each for each in (32, 16, 8) if rows % each == 0), 0)
    if not width:
        raise LayoutError(f"the number of rows or columns of scales must be a multiple of 8, not {rows}")
    return width
