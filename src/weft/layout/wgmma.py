"""The operands of `wgmma` in registers, over whole tiles: sums, and left operands."""

from __future__ import annotations

from weft.errors import LayoutError
from weft.layout.fragments import named_fragment
from weft.layout.tile import TileLayout


def wgmma_fragment(operand: str, type: str, shape: tuple[int, int]) -> TileLayout:
    """The layout of 'd' (sums) or 'a' in the registers of a warpgroup, over a whole tile.

    Raises:
        LayoutError: the shape is not made of products.
    """
    rows, columns = shape
    if operand == "d":
        n = columns_of(columns, type)
        found = named_fragment(f"wgmma.m64n{n}k{32 if type == 's32' else 16}.D.{type}")
    else:
        depth = depth_of(type)
        found = named_fragment(f"wgmma.m64n8k{depth}.A.{type}")
    if rows % found.shape[0] or columns % found.shape[1]:
        raise LayoutError(f"shape {shape} is not a multiple of the fragment shape {found.shape}")
    layout = found.layout
    return layout if shape == found.shape else layout.tile_to(shape, found.shape)


def columns_of(columns: int, sums: str) -> int:
    """The N of the products of columns: the largest that they are made of; of integers 8, 24 or a multiple of 16."""
    for n in range(min(256, columns) // 8 * 8, 0, -8):
        if columns % n == 0 and (sums != "s32" or n % 16 == 0 or n in (8, 24)):
            return n
    raise LayoutError(f"{columns} columns: N must be a multiple of 8")


def depth_of(type: str) -> int:
    """The K of a product: 32 bytes."""
    return {"f16": 16, "bf16": 16, "tf32": 8}.get(type, 32)
