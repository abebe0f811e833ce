"""Blocks and the edges between them: what branches pass on, and how they are changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.arith import ConstantOp, XOrIOp
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.dialects import narrow
from weft.dialects.engine.operations import op_class

BRANCHES, CONDITIONALS = ("cf.br", "llvm.br"), ("cf.cond_br", "llvm.cond_br")
NOTE = "loop_annotation"
"""What branches say of the loops that they close."""
NOT_UNROLLED = "loop_unroll<disable = true"
"""What the text of such a note has where a loop is to stay as it is."""
SPECULATED = frozenset((
    "arith.cmpi", "arith.cmpf", "arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori",
    "arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui", "arith.constant",
    "arith.addf", "arith.subf", "arith.mulf", "arith.select", "llvm.icmp", "llvm.fcmp", "llvm.add", "llvm.sub",
    "llvm.mul", "llvm.and", "llvm.or", "llvm.xor", "llvm.sext", "llvm.zext", "llvm.trunc", "llvm.mlir.constant",
    "llvm.getelementptr", "llvm.select", "llvm.fadd", "llvm.fsub", "llvm.fmul", "llvm.shl", "llvm.lshr", "llvm.ashr",
    "arith.shli", "arith.shrsi", "arith.shrui",
))  # fmt: skip
"""Operations that may run where they would not have: without effects, and with any result rather than none."""


def merge(block: Block) -> None:
    """Make one block of what runs one after the other."""
    while len(before := block.predecessors()) == 1 and before[0] is not block and _append(before[0]):
        block = before[0]
    while (last := block.last_op) is not None and len(last.successors) == 1 and _append(block):
        pass


def _append(block: Block) -> bool:
    """Take in the block that is entered from this one alone, if there is one."""
    last: Any = block.last_op
    if last.name not in BRANCHES:
        return False
    (after,) = last.successors
    region = after.parent
    if after is block or len(after.predecessors()) > 1 or after is region.first_block:
        return False
    for argument, value in zip(after.args, last.operands, strict=True):
        argument.replace_all_uses_with(value)
    Rewriter.erase_op(last)
    _move(after, block)
    region.erase_block(after, safe_erase=False)
    return True


def _move(source: Block, target: Block) -> None:
    for op in list(source.ops):
        op.detach()
        target.add_op(op)


def operands_to(last: Operation, index: int) -> Sequence[SSAValue]:
    """What a conditional branch passes on to one of its two successors."""
    first, second = narrow.segments(last)[1:]
    return last.operands[1 : 1 + first] if not index else last.operands[1 + first : 1 + first + second]


def bind(block: Block, values: Sequence[SSAValue]) -> None:
    """Let the arguments of a block that is entered from one place be what is passed there."""
    for argument, value in zip(block.args, values, strict=True):
        argument.replace_all_uses_with(value)


def jump(last: Operation, target: Block, values: Sequence[SSAValue], ends: Sequence[Operation | None] = ()) -> None:
    """Let a block end with a branch in place of its last operation, which keeps what `ends` say of a loop."""
    noted = [end for end in (last, *ends) if end is not None and NOTE in end.properties]
    properties = {NOTE: noted[0].properties[NOTE]} if noted else {}
    jump = op_class("llvm.br").create(operands=values, successors=[target], properties=properties)
    jump.location = last.location
    Rewriter.replace_op(last, jump, [])


def erase(block: Block) -> None:
    """Remove a block that nothing leads to."""
    region = block.parent
    assert region is not None
    region.erase_block(block, safe_erase=False)


def is_load(op: Operation) -> bool:
    """Whether an operation is a load that may be left out."""
    return (
        op.name in ("llvm.load", "memref.load")
        and "volatile_" not in op.properties
        and not narrow.stated(op, "ordering", 0)
    )


class Maker:
    """Puts operations before another, or at the end of a block; they stand in the text where that one does."""

    def __init__(self, at: Operation, block: Block | None = None) -> None:
        self._at = at
        self._place = InsertPoint.before(at) if block is None else InsertPoint.at_end(block)

    def put(self, op: Operation) -> None:
        """Put an operation there."""
        op.location = self._at.location
        Rewriter.insert_op(op, self._place)

    def add(self, op: Operation) -> SSAValue:
        """An operation's only result."""
        self.put(op)
        return op.results[0]

    def number(self, value: int) -> SSAValue:
        """A truth value."""
        return self.add(ConstantOp(IntegerAttr(value, i1)))

    def holds(self, test: SSAValue, side: int) -> SSAValue:
        """Whether a branch by a test takes its first or second side."""
        return test if not side else self.add(XOrIOp(test, self.number(1)))
