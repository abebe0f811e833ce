"""Rows of any length, a warp a row: what the kernels on rows have in common."""

from __future__ import annotations

from typing import Any

from weft.tile.buffers import Buffer, register
from weft.tile.dtypes import DType, f32
from weft.tile.functions import coordinates, full
from weft.tile.kernel import cdiv
from weft.tile.layouts import row_layout
from weft.tile.regions import Region, ds
from weft.tile.scopes import warp
from weft.tile.tensors import Tensor

VECTOR_BITS = 128
"""What a lane reads at once, where rows allow it."""


def threads(warps: int) -> int:
    """The threads of a block of so many rows at once."""
    return 32 * warps


def grid(M: int, warps: int) -> int:
    """The blocks for M rows."""
    return cdiv(M, warps)


class Pieces:
    """A warp's row, `width` elements at a time, computed with in f32.

    Lanes hold as many neighbours as 16 bytes of `kind` are, the type of most tensors: others are read in that layout.
    """

    def __init__(self, row: Any, width: int, kind: DType) -> None:
        self.row, self.width = row, width
        self.layout = row_layout((1, width), VECTOR_BITS // kind.bits)
        self.column = coordinates(register((1, width), f32, self.layout), 1)

    def of(self, tensor: Tensor, start: Any) -> Region:
        """The piece of the warp's row of a tensor from an element on, or of a tensor that is one row."""
        columns = ds(start, self.width)
        return tensor[columns] if len(tensor.shape) == 1 else tensor[ds(self.row, 1), columns]

    def read(self, tensor: Tensor, start: Any) -> Buffer:
        """A piece, in f32; what is after the row's end is 0."""
        held = register((1, self.width), tensor.dtype, self.layout)
        warp.copy(held, self.of(tensor, start))
        return held.to(f32)

    def write(self, tensor: Tensor, start: Any, values: Buffer) -> None:
        """Write a piece, rounded to the tensor's type."""
        warp.copy(self.of(tensor, start), values.to(tensor.dtype))

    def full(self, value: float) -> Buffer:
        """A number for each element: where each lane's own are combined first, and the lanes at the end of a row."""
        return full((1, self.width), value, f32, self.layout)
