"""`gpu.warp_execute_on_lane_0`: a region that one lane runs, with its results handed to all."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.graph import If
from weft.codegen.ops.scf import merge_branches
from weft.codegen.ops.warp import moved
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.mlir import compile_error


@handles("gpu.warp_execute_on_lane_0")
def select_on_lane_0(s: Selector, op: Any) -> None:
    """Run the region where the lane is 0, then broadcast what it yields."""
    (block,) = op.regions[0].blocks
    lane, *arguments = op.operands
    for argument, operand in zip(block.args, arguments, strict=True):
        if argument.type != operand.type:
            raise compile_error(op, "values that the lanes hold parts of have no lowering", "distribute them first")
        s.values[argument] = s.get(operand)
    test = s.compare("eq", s.int(lane), linear.const(0, s.int(lane).bits), signed=True)
    branch = If(test, s.child(), s.child())
    with s.at(branch.then):
        last = s.select_block(block)
        inside = [s.get(v) for v in last.operands]
    s.source = op
    if [v.type for v in last.operands] != [r.type for r in op.results]:
        raise compile_error(op, "results that the lanes hold parts of have no lowering", "distribute them first")
    with s.at(branch.otherwise):
        outside = [_nothing(s, result.type) for result in op.results]
    merge_branches(s, branch, op.results, [inside, outside])
    for result in op.results:
        kinds = layout(result.type).scalars
        parts, _ = moved(s, s.flatten(s.get(result)), kinds, "idx", linear.const(0, 32))
        s.values[result] = s.unflatten(result.type, tuple(parts))


def _nothing(s: Selector, type_: Any) -> Any:
    from weft.codegen.ops.llvm_data import zero

    return s.unflatten(type_, tuple(zero(s, kind) for kind in layout(type_).scalars))
