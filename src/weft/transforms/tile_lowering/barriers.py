"""Barriers, exchanges between lanes and products of warpgroups to which it is known that some threads do not come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr

from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type
from weft.layout import TileLayout
from weft.mlir import compile_error
from weft.mlir.walking import operations_in
from weft.transforms.tile_lowering.copy_guards import Values, guard_of
from weft.transforms.tile_lowering.places import exchanges

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.ir import Operation

_GROUPS = {"warp": 32, "warpgroup": 128}


def check_barriers(function: Operation, threads: int, scratch: Mapping[Operation, int]) -> None:
    """Refuse the barriers of a function, its reductions across warps (those that have scratch memory) and across lanes,
    shuffles and votes of whole warps, and products of warpgroups, to which threads are missing.

    Raises:
        CompileError: a condition of thread indices around one leaves out some threads of its group.
    """
    values = Values(threads)
    for op in operations_in(function.regions):
        if isinstance(op, tile.SyncOp):
            group, what = min(threads, _GROUPS.get(op.scope.data, threads)), "barrier"
        elif isinstance(op, tile.ReduceOp) and op in scratch:
            group, what = threads, "barrier"
        elif isinstance(op, tile.GemmAsyncOp):
            group, what = min(threads, _GROUPS["warpgroup"]), "product"
        elif _exchanges(op):
            group, what = min(threads, _GROUPS["warp"]), "exchange between lanes"
        else:
            continue
        guard = guard_of(op, threads, values)
        if guard is not None and guard.active is not None and _parted(guard.active, threads, group):
            come = guard.active.bit_count()
            raise compile_error(
                op,
                f"only {come} of the block's {threads} threads reach this {what}",
                "move it out of the condition, to where all threads reach it",
            )


def _exchanges(op: Operation) -> bool:
    """Whether all lanes of a warp come, since they need what others have."""
    if isinstance(op, tile.ReduceOp):
        src = buffer_type(op.src)
        return isinstance(src.layout, TileLayout) and bool(
            exchanges(src.layout, src.shape, op.dimension.value.data).lanes
        )
    if op.name != "nvvm.vote.sync":
        return op.name == "gpu.shuffle"
    mask = op.operands[0].owner
    return isinstance(mask, arith.ConstantOp) and isinstance(mask.value, IntegerAttr) and mask.value.value.data == -1


def _parted(active: int, threads: int, group: int) -> bool:
    """Whether a group of threads comes in part."""
    whole = (1 << group) - 1
    return any((active >> start) & whole not in (0, whole) for start in range(0, threads, group))
