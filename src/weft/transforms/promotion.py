"""Memory of one element as values: what `memref.alloca` keeps for a thread is carried by loops and branches instead.

Compilers of languages with variables write each as an `alloca`, a store at each assignment and a load at each use, and
rely on LLVM to make values of them; assemblers leave them in local memory. Here it is done on the structured operations
of a region (`scf.for`, `scf.while`, `scf.if`, `scf.index_switch`), whose results and arguments take what a variable
holds. A variable whose address is used otherwise, or in other regions or blocks, stays in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import scf, ub
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

_BRANCHES = ("scf.if", "scf.index_switch")
_STRUCTURED = ("scf.for", "scf.while", *_BRANCHES)
_LOADS, _STORES = "memref.load", "memref.store"

Held = dict[SSAValue, SSAValue]
"""The value that each variable holds; none of one that nothing has been stored to."""


def lower_module(module: ModuleOp) -> None:
    """Promote every variable of a module that can be, in place."""
    blocks: dict[Block, list[SSAValue]] = {}
    for op in module.walk():
        if op.name == "memref.alloca" and (block := op.parent) is not None and _is_variable(op, block):
            blocks.setdefault(block, []).append(op.results[0])
    for block, variables in blocks.items():
        _Promotion(variables).block(block, {})
        for variable in variables:
            Rewriter.erase_op(cast("Operation", variable.owner))


def _element(variable: SSAValue) -> Attribute:
    return cast("MemRefType[Attribute]", variable.type).element_type


def _is_variable(op: Operation, block: Block) -> bool:
    """Whether memory has one element, which is only loaded and stored, by structured operations of its own block."""
    kind = op.results[0].type
    if op.operands or not isinstance(kind, MemRefType) or any(extent != 1 for extent in kind.get_shape()):
        return False
    for use in op.results[0].uses:
        user = use.operation
        if (user.name, use.index) not in ((_LOADS, 0), (_STORES, 1)):
            return False
        while user.parent is not block:
            above = user.parent_op()
            if above is None or above.name not in _STRUCTURED:
                return False
            user = above
    return True


class _Promotion:
    """The variables of a block, and which of them the operations with regions there load or store."""

    def __init__(self, variables: Sequence[SSAValue]) -> None:
        self.variables = variables
        self.touched: dict[Operation, dict[SSAValue, bool]] = {}
        """What is accessed in an operation, and whether it is stored there, in the order of the variables."""
        for variable in variables:
            home = cast("Operation", variable.owner).parent
            for use in variable.uses:
                stores, user = use.operation.name == _STORES, use.operation
                while user.parent is not home:
                    user = cast("Operation", user.parent_op())
                    seen = self.touched.setdefault(user, {})
                    seen[variable] = seen.get(variable, False) or stores

    def block(self, block: Block, held: Held) -> Held:
        """Replace the loads of a block, whose variables hold something at its beginning; what they hold at its end."""
        known = frozenset(self.variables)
        for op in list(block.ops):
            if op.name == _LOADS and op.operands[0] in known:
                op.results[0].replace_all_uses_with(_value(held, op.operands[0], op))
                Rewriter.erase_op(op)
            elif op.name == _STORES and op.operands[1] in known:
                held[op.operands[1]] = op.operands[0]
                Rewriter.erase_op(op)
            elif op in self.touched:
                self.structured(op, held)
        return held

    def structured(self, op: Operation, held: Held) -> None:
        """Replace the loads in a loop or a branch; it returns what is stored in it."""
        stored = [variable for variable, stores in self.touched[op].items() if stores]
        before = [_value(held, variable, op) for variable in stored]
        if op.name in _BRANCHES:
            op = self._branches(op, held, stored, before)
        else:
            for region in op.regions:
                self._turn(region, held, stored)
            op = _again(op, before, [value.type for value in before], list(op.regions))
        results = op.results[len(op.results) - len(stored) :]
        held.update(zip(stored, results, strict=True))

    def _branches(self, op: Operation, held: Held, stored: Sequence[SSAValue], before: list[SSAValue]) -> Operation:
        for region in op.regions:
            if not region.blocks:
                if not stored:
                    continue
                region.add_block(Block([scf.YieldOp()]))
            entering = held | dict(zip(stored, before, strict=True))
            _pass_on(region.block, self.block(region.block, entering), stored)
        return _again(op, [], [value.type for value in before], list(op.regions))

    def _turn(self, region: Region, held: Held, stored: Sequence[SSAValue]) -> None:
        """A region of a loop: what is stored comes by arguments of its own, and goes on by its last operation."""
        block = region.block
        entering = dict(held)
        for variable in stored:
            entering[variable] = block.insert_arg(_element(variable), len(block.args))
        _pass_on(block, self.block(block, entering), stored)


def _value(held: Held, variable: SSAValue, place: Operation) -> SSAValue:
    """What a variable holds before an operation: any value where nothing has been stored."""
    if variable not in held:
        undefined = ub.PoisonOp(_element(variable))
        Rewriter.insert_op(undefined, InsertPoint.before(place))
        return undefined.result
    return held[variable]


def _pass_on(block: Block, held: Held, stored: Sequence[SSAValue]) -> None:
    """Let the last operation of a block pass on what is stored: `scf.yield` or `scf.condition`."""
    last = block.last_op
    assert last is not None, "regions of scf end with a terminator"
    last.operands = [*last.operands, *(held[variable] for variable in stored)]


def _again(op: Operation, operands: Sequence[SSAValue], types: Sequence[Attribute], regions: list[Region]) -> Operation:
    """An operation with more operands and results, in its place; results that it had are replaced."""
    if not types:
        return op
    made = type(op).create(
        operands=[*op.operands, *operands],
        result_types=[*(result.type for result in op.results), *types],
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(region) for region in regions],
    )
    Rewriter.insert_op(made, InsertPoint.before(op))
    for old, new in zip(op.results, made.results, strict=False):
        old.replace_all_uses_with(new)
    Rewriter.erase_op(op)
    return made
