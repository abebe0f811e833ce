"""The functions of a module, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from weft.dialects.rows import tile
from weft.transforms.tile_lowering.barriers import check_barriers
from weft.transforms.tile_lowering.conversions import conversion_of, explain_conversion, lower_conversions
from weft.transforms.tile_lowering.copy_request import block_size as threads_of
from weft.transforms.tile_lowering.lowering import Lowering
from weft.transforms.tile_lowering.pending import check_pending
from weft.transforms.tile_lowering.shared import block_size, check_size, declare_shared, shared_memory

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from weft.isa.target import Target


def _functions(module: ModuleOp) -> list[Operation]:
    found: list[Operation] = []
    for op in module.body.block.ops:
        inner = op.regions[0].blocks[0].ops if op.name == "gpu.module" else [op]
        found += [each for each in inner if each.name == "gpu.func"]
    return found


def lower_functions(module: ModuleOp, target: Target) -> int:
    """Lower the functions that have operations of the tile dialect: the most dynamic shared memory of one of them."""
    dynamic = 0
    for function in _functions(module):
        name = function.attributes["sym_name"]
        assert isinstance(name, StringAttr)
        lower_conversions(function, target, block_size(function))
        lowering = Lowering(function, target)
        lowering.shared = shared_memory(function)
        check_size(lowering.shared, target)
        check_pending(function)
        check_barriers(function, lowering.block_size, lowering.shared.offsets)
        lowering.shared_symbol = declare_shared(function, lowering.shared, name.data)
        lowering.run()
        dynamic = max(dynamic, lowering.shared.size if lowering.shared.dynamic else 0)
    return dynamic


def _explained(op: Operation, target: Target) -> str:
    from weft.transforms.tile_lowering.copy import explain_copy
    from weft.transforms.tile_lowering.tensor_copies import explain_tensor_copy

    if not isinstance(op, tile.CopyOp | tile.CopyAsyncOp):
        assert isinstance(op, tile.TensorLoadOp | tile.TensorStoreOp)
        return explain_tensor_copy(op)
    conversion = conversion_of(op, target, threads_of(op))
    return explain_copy(op, target) if conversion is None else explain_conversion(conversion)


def explained(module: ModuleOp, target: Target) -> str:
    """What was tried for each copy, as text."""
    return "\n\n".join(
        _explained(op, target)
        for function in _functions(module)
        for op in function.walk()
        if isinstance(op, tile.CopyOp | tile.CopyAsyncOp | tile.TensorLoadOp | tile.TensorStoreOp)
    )
