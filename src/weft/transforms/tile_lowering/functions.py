"""The functions of a module, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from weft.dialects.tile.asynchronous import TensorLoadOp, TensorStoreOp
from weft.dialects.tile.copy import AnyCopyOp
from weft.transforms.tile_lowering.barriers import check_barriers
from weft.transforms.tile_lowering.lowering import Lowering
from weft.transforms.tile_lowering.pending import check_pending
from weft.transforms.tile_lowering.shared import check_size, declare_shared, shared_memory

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from weft.isa.target import Target


def _functions(module: ModuleOp) -> list[Operation]:
    found: list[Operation] = []
    for op in module.body.block.ops:
        inner = op.regions[0].blocks[0].ops if op.name == "gpu.module" else [op]
        found += [each for each in inner if each.name == "gpu.func"]
    return found


def lower_functions(module: ModuleOp, target: Target) -> None:
    """Lower the functions that have operations of the tile dialect."""
    for function in _functions(module):
        name = function.attributes["sym_name"]
        assert isinstance(name, StringAttr)
        lowering = Lowering(function, target)
        lowering.shared = shared_memory(function)
        check_size(lowering.shared, target)
        check_pending(function)
        check_barriers(function, lowering.block_size, lowering.shared.offsets)
        lowering.shared_symbol = declare_shared(function, lowering.shared, name.data)
        lowering.run()


def dynamic_bytes(module: ModuleOp) -> int:
    """Bytes of shared memory of the module's kernel where they are more than it may declare."""
    found = [shared_memory(function) for function in _functions(module)]
    return max([memory.size for memory in found if memory.dynamic], default=0)


def explained(module: ModuleOp, target: Target) -> str:
    """What was tried for each copy, as text."""
    from weft.transforms.tile_lowering.copy import explain_copy
    from weft.transforms.tile_lowering.tensor_copies import explain_tensor_copy

    return "\n\n".join(
        explain_copy(op, target) if isinstance(op, AnyCopyOp) else explain_tensor_copy(op)
        for function in _functions(module)
        for op in function.walk()
        if isinstance(op, AnyCopyOp | TensorLoadOp | TensorStoreOp)
    )
