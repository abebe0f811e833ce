"""Where a thread is: its number in the warp and the block, its block's in the grid."""

from __future__ import annotations

from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from weft.dialects.engine.attributes import attr
from weft.dialects.engine.operations import op_class
from weft.tile.dtypes import i32
from weft.tile.scalars import Scalar
from weft.tile.trace import current, error


def _index(made: type[Operation], axis: int) -> Scalar:
    if axis not in (0, 1, 2):
        raise error(f"unknown grid axis {axis}", "use 0, 1 or 2 for x, y or z")
    trace = current()

    def build() -> SSAValue:
        dimension = {"dimension": attr("gpu.dim", "xyz"[axis])}
        wide = trace.value(made.create(properties=dimension, result_types=[IndexType()]))
        return trace.value(IndexCastOp.create(operands=[wide], result_types=[i32.mlir]))

    return Scalar(trace.always((made, axis), build), i32, nonnegative=True)


def thread_id() -> Scalar:
    """The number of the thread in its block, from 0 (`%tid`)."""
    return _index(op_class("gpu.thread_id"), 0)


def lane_id() -> Scalar:
    """The number of the thread in its warp, 0 to 31 (`%laneid`)."""
    return thread_id() % 32


def warp_id() -> Scalar:
    """The number of the warp in its block, from 0."""
    return thread_id() // 32


def block_id(axis: int = 0) -> Scalar:
    """The number of the block in the grid along x (0), y (1) or z (2) (`%ctaid`)."""
    return _index(op_class("gpu.block_id"), axis)


def grid_size(axis: int = 0) -> Scalar:
    """The number of blocks of the grid along x (0), y (1) or z (2) (`%nctaid`)."""
    return _index(op_class("gpu.grid_dim"), axis)
