"""Blocks that only choose by a constant, which what comes to them can do itself."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from weft.codegen.constants import constant_of
from weft.codegen.structuring.edges import BRANCHES, CONDITIONALS, erase, jump, operands_to
from weft.dialects import narrow

_CHOICES = (*CONDITIONALS, "cf.switch", "llvm.switch")


def thread(block: Block) -> bool:
    """Let what comes to a block that only chooses by a number it is given go on to where a constant leads at once."""
    last = block.last_op
    if last is None or last is not block.first_op or not block.args or last.name not in _CHOICES:
        return False
    if any(use.operation is not last for argument in block.args for use in argument.uses):
        return False
    changed = False
    for before in block.predecessors():
        end = before.last_op
        assert end is not None
        if end.name not in BRANCHES or before is block or last.operands[0] not in block.args:
            continue
        flag = constant_of(end.operands[list(block.args).index(last.operands[0])])  # pyright: ignore[reportArgumentType]
        if flag is None:
            continue
        target, passed = _chosen(last, flag)
        given: dict[SSAValue, SSAValue] = dict(zip(block.args, end.operands, strict=True))
        jump(end, target, [given.get(value, value) for value in passed])
        changed = True
    if changed and not block.predecessors():
        erase(block)
    return changed


def _chosen(last: Operation, flag: int) -> tuple[Block, Sequence[SSAValue]]:
    """Where a choice by a constant leads, and what it passes on."""
    if last.name in CONDITIONALS:
        side = 0 if flag & 1 else 1
        return last.successors[side], operands_to(last, side)
    first = narrow.segments(last)[1]
    cases = last.properties.get("case_values")
    width = narrow.width(last.operands[0].type) or 64
    at = 1 + first
    found = zip(narrow.elements(cases) if cases is not None else (), _counts(last), last.successors[1:], strict=True)
    for value, count, target in found:
        if (value - flag) % (1 << width) == 0:
            return target, last.operands[at : at + count]
        at += count
    return last.successors[0], last.operands[1 : 1 + first]


def _counts(last: Operation) -> Sequence[int]:
    return narrow.numbers(last.properties["case_operand_segments"])
