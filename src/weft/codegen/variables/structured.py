"""Variables inside of a block: loads become what they hold, and loops and branches pass on what is stored in them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.codegen.variables.memory import BRANCHES, LOADS, Memory, Variable
from weft.codegen.variables.scope import Scope, seen_as
from weft.dialects import narrow
from weft.dialects.building import segment_sizes
from weft.dialects.engine.operations import op_class


class Promotion:
    """The variables of a region, and which of them the operations with regions there load or store."""

    def __init__(self, region: Region, memory: Memory) -> None:
        self.memory = memory
        self.touched: dict[Operation, dict[Variable, bool]] = {}
        """What is accessed in an operation, and whether it is stored there."""
        for op, variable in memory.accessed.items():
            stores, user = op.name not in LOADS, op
            while user.parent_region() is not region:
                above = user.parent_op()
                assert above is not None
                user = above
                seen = self.touched.setdefault(user, {})
                seen[variable] = seen.get(variable, False) or stores

    def block(self, block: Block, scope: Scope) -> Scope:
        """Replace the loads of a block, and follow what is stored in it."""
        for op in list(block.ops):
            if (variable := self.memory.accessed.get(op)) is not None:
                if op.name in LOADS:
                    op.results[0].replace_all_uses_with(seen_as(scope.get(variable), op.results[0].type, op))
                else:
                    scope.values[variable] = seen_as(op.operands[0], variable.type, op)
                Rewriter.erase_op(op)
            elif op in self.touched:
                self._structured(op, scope)
            elif op in self.memory.allocated:
                for variable in self.memory.allocated[op]:
                    scope.forget(variable)
        return scope

    def _structured(self, op: Operation, scope: Scope) -> None:
        """Replace the loads in a loop or a branch; it returns what is stored in it."""
        stored = [variable for variable, stores in self.touched[op].items() if stores]
        before = [scope.get(variable) for variable in stored]
        if op.name in BRANCHES:
            self._branches(op, scope, stored)
            op = _again(op, [], [variable.type for variable in stored], list(op.regions))
        else:
            for region in op.regions:
                self._turn(region, scope, stored)
            op = _again(op, before, [variable.type for variable in stored], list(op.regions))
        results = op.results[len(op.results) - len(stored) :]
        scope.values.update(zip(stored, results, strict=True))

    def _branches(self, op: Operation, scope: Scope, stored: Sequence[Variable]) -> None:
        for region in op.regions:
            if not region.blocks:
                if not stored:
                    continue
                end = op_class("affine.yield").create() if op.name == "affine.if" else scf.YieldOp()
                region.add_block(Block([end]))
            _pass_on(region.block, self.block(region.block, scope.inner()), stored)

    def _turn(self, region: Region, scope: Scope, stored: Sequence[Variable]) -> None:
        """A region of a loop: what is stored comes by arguments of its own, and goes on by its last operation."""
        block = region.block
        entering = scope.inner()
        for variable in stored:
            entering.values[variable] = block.insert_arg(variable.type, len(block.args))
        _pass_on(block, self.block(block, entering), stored)


def _pass_on(block: Block, scope: Scope, stored: Sequence[Variable]) -> None:
    """Let the last operation of a block pass on what is stored: `scf.yield`, `scf.condition` or `affine.yield`."""
    last = block.last_op
    assert last is not None, "regions of structured operations end with a terminator"
    last.operands = [*last.operands, *map(scope.get, stored)]


def _again(op: Operation, operands: Sequence[SSAValue], types: Sequence[Attribute], regions: list[Region]) -> Operation:
    """An operation with more operands and results, in its place; results that it had are replaced."""
    if not types:
        return op
    properties = dict(op.properties)
    if operands and "operandSegmentSizes" in properties:
        *first, last = narrow.segments(op)
        properties["operandSegmentSizes"] = segment_sizes((*first, last + len(operands)))
    made = type(op).create(
        operands=[*op.operands, *operands],
        result_types=[*(result.type for result in op.results), *types],
        properties=properties,
        attributes=op.attributes,
        regions=[op.detach_region(region) for region in regions],
    )
    made.location = op.location
    Rewriter.insert_op(made, InsertPoint.before(op))
    for old, new in zip(op.results, made.results, strict=False):
        old.replace_all_uses_with(new)
    Rewriter.erase_op(op)
    return made
