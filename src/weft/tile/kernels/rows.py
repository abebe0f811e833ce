"""Rows of any length, a warp a row: what the kernels on rows have in common."""

from __future__ import annotations

from weft.layout import TileLayout
from weft.tile.buffers import Buffer
from weft.tile.dtypes import f32
from weft.tile.functions import full
from weft.tile.kernel import cdiv
from weft.tile.layouts import row_layout

VECTOR = 4
"""Neighbours that a lane holds: 16-byte accesses of f32, where rows allow it."""


def threads(warps: int) -> int:
    """The threads of a block of so many rows at once."""
    return 32 * warps


def grid(M: int, warps: int) -> int:
    """The blocks for M rows."""
    return cdiv(M, warps)


def piece(width: int) -> TileLayout:
    """How a warp holds a piece of a row."""
    return row_layout((1, width), VECTOR)


def zeros_like(width: int) -> Buffer:
    """Sums of each lane's own elements, which the lanes add up at the end of a row."""
    return full((1, width), 0.0, f32, piece(width))
