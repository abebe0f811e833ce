"""Structured control flow: `scf.for`, `scf.if`, `scf.while`, `scf.index_switch`, `scf.execute_region`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import Block, Const, If, Inst, Merge, Value, While, values_in
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.ops.carried import advance, bind, carry, keep_pointer, regrouped
from weft.codegen.ops.loops import counted_loop, unrolled_while
from weft.codegen.ops.merging import SELECTED_AT_MOST, SELECTED_INSTRUCTIONS, are_pure, merge_branches
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects import rows

FEW_CASES = 4
"""Cases that are computed at once, where they are short; of more, few lanes need each."""


# -- for --------------------------------------------------------------------------------------------------------


@handles("scf.for")
def select_for(s: Selector, op: Operation) -> None:
    """A counted loop from a lower bound to an upper bound."""
    signed = "unsignedCmp" not in op.properties
    if op.operands[0].type == i1:
        raise compile_error(op, "the counter of a loop must have 2 bits or more")
    lower, upper, step = (s.number(operand, signed=signed) for operand in op.operands[:3])
    starts = [s.get(operand) for operand in op.operands[3:]]
    counted_loop(s, op, (lower, upper, step), starts, signed=signed)


# -- while ------------------------------------------------------------------------------------------------------


@handles("scf.while")
def select_while(s: Selector, op: rows.scf.WhileOp) -> None:
    """A loop whose test stands between two regions."""
    if unrolled_while(s, op):
        return
    before, after = (region.blocks[0] for region in op.regions)
    loop = While(s.child(loop=True), Block(), source=s.source)
    carry(s, loop.before, loop.carried, before, before.args, [s.get(v) for v in op.operands], None)
    with s.at(loop.before):
        condition = s.select_block(before)
        s.source = op
        loop.test = s.test(condition.operands[0])
        passed = [s.get(operand) for operand in condition.operands[1:]]
        bind(s, after.args, passed)
        leaving = [(scalar, s.as_operand(scalar)) for value in passed for scalar in s.flatten(value)]
    # A turn goes on where a branch has not left the loop: what that side has computed and loaded is known there.
    side = _leave_early(loop) if condition.operands[0].has_one_use() else None
    loop.after = Block(side or loop.before)
    loop.after.follows = True
    with s.at(loop.after):
        last = s.select_block(after)
        s.source = op
        advance(s, loop.carried, last.operands)
    scalars = [kind for result in op.results for kind in layout(result.type).scalars]
    for (scalar, operand), kind in zip(leaving, scalars, strict=True):
        result = Value(operand.cls if isinstance(operand, Value) else kind.cls, s.block)
        keep_pointer(scalar, result)
        loop.results.append(Merge(result, [operand]))
    s.block.items.append(loop)
    bind(s, op.results, regrouped(s, [r.type for r in op.results], [m.value for m in loop.results]))


def _leave_early(loop: While) -> Block | None:
    """Let a branch in front of the test leave the loop where it makes the test false, which nothing else reads.

    The other side of that branch, if there is one.
    """
    items = loop.before.items
    at = next((i for i in reversed(range(len(items))) if isinstance(items[i], If)), None)
    if at is None or not are_pure(items[at + 1 :]):
        return None
    last, behind = cast("If", items[at]), items[at + 1 :]
    merge = next((one for one in last.merges if one.value is loop.test), None)
    never = Const("pred", 0)
    if merge is None or (merge.values[0] == never) == (merge.values[1] == never):
        return None
    merged = {one.value for one in last.merges}
    if any(
        value in merged for item in behind if isinstance(item, Inst) for arg in item.args for value in values_in(arg)
    ):
        return None
    items[at:] = [*behind, last]
    last.leaves = merge.values.index(never)
    last.merges.remove(merge)
    loop.test = merge.values[1 - last.leaves]
    return last.otherwise if last.leaves == 0 else last.then


# -- if ---------------------------------------------------------------------------------------------------------


@handles("scf.if")
def select_if(s: Selector, op: Operation) -> None:
    """A conditional on a predicate."""
    conditional(s, op, s.test(op.operands[0]))


def conditional(s: Selector, op: Operation, test: Test) -> None:
    """The branches of `op`'s two regions, whose ends give its results: small pure ones become selections."""
    regions = op.regions
    if isinstance(test, Value) and s.holds(test):
        test = Const("pred", 1)
    if isinstance(test, Const):
        chosen = regions[0] if test.pattern else regions[1]
        values = [s.get(v) for v in s.select_block(chosen.blocks[0]).operands] if chosen.blocks else []
        bind(s, op.results, values)
        return
    branch = If(test, s.child(), s.child(), source=s.source)
    branch.then.holds = test
    ends: list[list[Any]] = []
    for block, region in ((branch.then, regions[0]), (branch.otherwise, regions[1])):
        with s.at(block):
            values = [s.get(v) for v in s.select_block(region.blocks[0]).operands] if region.blocks else []
            # On either side the test itself is known.
            known = Const("pred", int(block is branch.then))
            ends.append([known if value is test else value for value in values])
    s.source = op
    merge_branches(s, branch, op.results, ends)


@handles("scf.index_switch")
def select_switch(s: Selector, op: rows.scf.IndexSwitchOp) -> None:
    """A chain of comparisons."""
    value = s.int(op.operands[0])
    cases = list(op.cases.get_values())
    _switch(s, op, value, cases, op.regions[1:], op.regions[0])


def _switch(s: Selector, op: Operation, value: Lin, cases: list[int], regions: Any, default: Any) -> None:
    if not cases:
        bind(s, op.results, [s.get(v) for v in s.select_block(default.blocks[0]).operands])
        return
    test = s.compare("eq", value, linear.const(cases[0], value.bits))
    branch = If(test, s.child(), s.child(), source=s.source)
    ends: list[list[Any]] = []
    with s.at(branch.then):
        ends.append([s.get(v) for v in s.select_block(regions[0].blocks[0]).operands])
    with s.at(branch.otherwise):
        _switch(s, op, value, cases[1:], regions[1:], default)
        ends.append([s.get(result) for result in op.results])
    s.source = op
    merge_branches(
        s, branch, op.results, ends, SELECTED_INSTRUCTIONS if len(op.regions) > FEW_CASES else SELECTED_AT_MOST
    )


@handles("scf.execute_region", "memref.alloca_scope")
def select_region(s: Selector, op: Operation) -> None:
    """A region that runs in place."""
    from weft.codegen.ops.cf import select_blocks

    if len(op.regions[0].blocks) != 1:
        select_blocks(s, op)
        return
    last = s.select_block(op.regions[0].blocks[0])
    bind(s, op.results, [s.get(operand) for operand in last.operands])
