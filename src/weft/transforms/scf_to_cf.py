"""`convert-scf-to-cf`: loops and conditions as blocks and branches, as MLIR's pass of the name makes them.

xDSL's own pass knows neither `scf.while` nor `scf.execute_region`, nor loops that compare without sign.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import DenseIntElementsAttr, ModuleOp, VectorType, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import BlockInsertPoint, Rewriter

from weft.dataclass import dataclass
from weft.transforms.scf_boxes_to_for import lower_module as lower_boxes


@dataclass(frozen=True)
class ConvertScfToCf(ModulePass):
    """Lower `scf` to `cf`."""

    name = "convert-scf-to-cf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Transform a module.

        Raises:
            CompileError: a loop is mapped to threads, or works on tensors.
        """
        del ctx
        lower_boxes(op)
        for found in list(op.walk()):
            lower = _LOWERINGS.get(found.name)
            if lower is not None:
                lower(found)


def _split(op: Operation) -> tuple[Block, Block]:
    """The block of an operation, which ends before it now, and a new one that begins with it."""
    block = op.parent
    assert block is not None
    return block, block.split_before(op)


def _continuation(op: Operation, rest: Block) -> Block:
    """Where control goes behind an operation: a block whose arguments are its results, in front of the rest."""
    if not op.results:
        return rest
    block = Block(arg_types=op.result_types)
    region = rest.parent
    assert region is not None
    region.insert_block_before(block, rest)
    block.add_op(cf.BranchOp(rest))
    return block


def _inline(region: Region, before: Block) -> tuple[Block, Block]:
    """Move the blocks of a region in front of a block; the first and the last of them."""
    first, last = region.first_block, region.last_block
    assert first is not None and last is not None
    Rewriter.inline_region(region, BlockInsertPoint.before(before))
    return first, last


def _leave(block: Block, target: Block, *leading: SSAValue) -> None:
    """Branch to a block with what the end of another one passes on."""
    end = block.last_op
    assert end is not None
    values = (*leading, *end.operands)
    Rewriter.replace_op(end, cf.BranchOp(target, *values), [])


def _replace(op: Operation, values: Sequence[SSAValue]) -> None:
    Rewriter.replace_op(op, [], list(values))


def _for(op: scf.ForOp) -> None:
    init, rest = _split(op)
    condition = op.body.block
    first = condition.first_op
    assert first is not None
    body = condition.split_before(first)
    last = op.body.last_block
    assert last is not None
    _inline(op.body, rest)
    counter = condition.args[0]
    end = last.last_op
    assert end is not None
    stepped = arith.AddiOp(counter, op.step)
    last.insert_op_before(stepped, end)
    _leave(last, condition, stepped.result)
    init.add_op(cf.BranchOp(condition, op.lb, *op.iter_args))
    predicate = "ult" if "unsignedCmp" in op.properties else "slt"
    below = arith.CmpiOp(counter, op.ub, predicate)
    condition.add_ops([below, cf.ConditionalBranchOp(below, body, (), rest, ())])
    _replace(op, condition.args[1:])


def _if(op: scf.IfOp) -> None:
    block, rest = _split(op)
    target = _continuation(op, rest)
    then, last = _inline(op.true_region, target)
    _leave(last, target)
    otherwise = target
    if op.false_region.blocks:
        otherwise, last = _inline(op.false_region, target)
        _leave(last, target)
    block.add_op(cf.ConditionalBranchOp(op.cond, then, (), otherwise, ()))
    _replace(op, target.args if op.results else ())


def _while(op: scf.WhileOp) -> None:
    block, rest = _split(op)
    before, last = _inline(op.before_region, rest)
    block.add_op(cf.BranchOp(before, *op.arguments))
    condition = last.last_op
    assert isinstance(condition, scf.ConditionOp)
    passed = list(condition.args)
    again = before
    if not _only_forwards(op.after_region.block):
        again, last = _inline(op.after_region, rest)
        _leave(last, before)
    Rewriter.replace_op(condition, cf.ConditionalBranchOp(condition.condition, again, passed, rest, ()), [])
    _replace(op, passed)


def _only_forwards(block: Block) -> bool:
    """Whether a block yields its arguments and does nothing else: the loop is a do-while."""
    end = block.last_op
    return end is block.first_op and end is not None and tuple(end.operands) == tuple(block.args)


def _execute_region(op: scf.ExecuteRegionOp) -> None:
    block, rest = _split(op)
    for kind in op.result_types:
        rest.insert_arg(kind, len(rest.args))
    for inner in op.region.blocks:
        if isinstance(inner.last_op, scf.YieldOp):
            _leave(inner, rest)
    first, _ = _inline(op.region, rest)
    block.add_op(cf.BranchOp(first))
    _replace(op, rest.args)


def _index_switch(op: scf.IndexSwitchOp) -> None:
    block, rest = _split(op)
    for kind in op.result_types:
        rest.insert_arg(kind, len(rest.args))
    targets: list[Block] = []
    for region in (*op.case_regions, op.default_region):
        first, last = _inline(region, rest)
        _leave(last, rest)
        targets.append(first)
    cases = [int(value) for value in op.cases.get_values()]
    selector = arith.IndexCastOp(op.arg, i32)
    values = DenseIntElementsAttr.from_list(VectorType(i32, [len(cases)]), cases) if cases else None
    count = len(cases)
    switch = cf.SwitchOp(selector, targets[-1], [], values, targets[:count], [[] for _ in cases])
    block.add_ops([selector, switch])
    _replace(op, rest.args)


_LOWERINGS = cast(
    "dict[str, Callable[[Any], None]]",
    {
        "scf.for": _for,
        "scf.if": _if,
        "scf.while": _while,
        "scf.execute_region": _execute_region,
        "scf.index_switch": _index_switch,
    },
)
