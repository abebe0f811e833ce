"""`gpu-launch-sink-index-computations`: constants and what is as cheap move into the `gpu.launch` that uses them.

What a launch uses of the host becomes an argument of its kernel: a constant would be loaded at run time, and no loop
that it bounds would be known. mlir-opt's pass (`GPU/Transforms/Passes.td`).
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import ConstantLike

from weft.dataclass import dataclass
from weft.dialects.rows import gpu
from weft.transforms.kernel_outlining import captured

_CHEAP = frozenset(("arith.cmpi", "arith.select", "memref.dim"))
"""Operations that compute indices, besides constants."""


@dataclass(frozen=True)
class SinkIndexComputations(ModulePass):
    """Move cheap computations of the host to where a kernel uses them."""

    name = "gpu-launch-sink-index-computations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Transform a module."""
        del ctx
        for launch in [found for found in op.walk() if isinstance(found, gpu.LaunchOp)]:
            _sink(launch)


def _sink(launch: gpu.LaunchOp) -> None:
    """Copy what sinks to the beginning of the body; the host's own uses keep the original."""
    used = captured(launch)
    sunk: dict[Operation, None] = {}
    for value in used:
        if isinstance(value.owner, Operation):
            _gather(value.owner, set(used), sunk)
    inside = set(launch.body.walk())
    first = launch.body.blocks[0].first_op
    assert first is not None, "a launch ends with a terminator"
    copies: dict[SSAValue, SSAValue] = {}
    for op in sunk:
        copy = op.clone(copies)
        launch.body.blocks[0].insert_op_before(copy, first)
        for old, new in zip(op.results, copy.results, strict=True):
            old.replace_uses_with_if(new, lambda use: use.operation in inside)


def _cheap(op: Operation) -> bool:
    return op.name in _CHEAP or op.has_trait(ConstantLike)


def _gather(root: Operation, used: set[SSAValue], sunk: dict[Operation, None]) -> None:
    """Add an operation to `sunk` if it sinks, behind what it needs there.

    It sinks if it is cheap and each of its operands is an argument of the kernel anyway, or sinks too. What it needs is
    visited without recursion, as the host may nest any number of selects. As upstream, what was found to sink stays
    even where the operation that needs it does not.
    """
    refused: set[Operation] = set()
    waiting = [root] if _cheap(root) and root not in sunk else []
    while waiting:
        op = waiting[-1]
        for operand in op.operands:
            owner = operand.owner
            if owner in sunk:
                continue
            if isinstance(owner, Operation) and _cheap(owner) and owner not in refused:
                waiting.append(owner)
                break
            if operand not in used:
                refused.add(waiting.pop())
                break
        else:
            sunk[waiting.pop()] = None
