"""Copies: dispatched, and emitted by the variant that takes them."""

from __future__ import annotations

from weft.dialects.engine.making import new
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import LOCAL
from weft.errors import LayoutError
from weft.layout import TileLayout
from weft.transforms.tile_lowering.copy import lower_copy
from weft.transforms.tile_lowering.elementwise import lower_elementwise
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.places import sources


@handles("tile.copy", "tile.copy_async")
def lower(env: Lowering, op: tile.CopyOp | tile.CopyAsyncOp) -> None:
    """Replace a copy by its instructions; one within each thread's registers is no instruction at all."""
    if within_threads(op):
        move = new("tile.elementwise", op.dst, [op.src], function="copy")
        env.add(move)
        lower_elementwise(env, move)
    else:
        lower_copy(op, env)
    env.remove(op)


def within_threads(op: tile.CopyOp | tile.CopyAsyncOp) -> bool:
    """Whether each thread holds in the source what it holds in the destination, both tiles in registers as a whole."""
    dst, src = buffer_type(op.dst), buffer_type(op.src)
    if (dst.space.data, src.space.data) != (LOCAL, LOCAL) or op.dst_region is not None or op.src_region is not None:
        return False
    if dst.shape != src.shape or not (isinstance(dst.layout, TileLayout) and isinstance(src.layout, TileLayout)):
        return False
    try:
        sources(dst.layout, dst.shape, src.layout, src.shape)
    except LayoutError:
        return False
    return True
