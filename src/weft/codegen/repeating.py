"""Loops of blocks of which constants may say how often they turn, made `scf.while`: selection copies the short ones.

`for (far = 16; far; far >>= 1)` does not count, but what its test reads follows from constants, or does so once a loop
around has been copied.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.arith import ConstantOp, XOrIOp
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.codegen.constants import constant_of
from weft.codegen.ops.evolving import is_computed
from weft.codegen.structuring.edges import BRANCHES, CONDITIONALS, bind, erase, jump, operands_to

_DEPTH = 6
"""Operations in a row through which a number from outside is followed."""


def repeat(header: Block, last: Operation, side: int) -> bool:
    """Make an `scf.while` of a header and its body, which `last` leads to by a side, if that may pay."""
    body = last.successors[side]
    bind(body, operands_to(last, side))
    if not follows(last.operands[0], header, {header, body}):
        return False
    back: Any = body.last_op
    testing = [op for op in header.ops if op is not last]
    turned = [op for op in body.ops if op is not back]
    tested = {inner for op in testing for inner in op.walk()}
    inside = {back, *(inner for op in turned for inner in op.walk())}
    passed = [
        value for value in (*header.args, *(result for op in testing for result in op.results))
        if any(use.operation not in tested and use.operation is not last for use in value.uses)
        or any(value is given for given in operands_to(last, 1 - side))
    ]  # fmt: skip
    before, after = Block(arg_types=[a.type for a in header.args]), Block(arg_types=[v.type for v in passed])
    for op, block in (*((op, before) for op in testing), *((op, after) for op in turned)):
        op.detach()
        block.add_op(op)
    loop = scf.WhileOp(list(header.args), [value.type for value in passed], Region(before), Region(after))
    loop.location = last.location
    Rewriter.insert_op(loop, InsertPoint.before(last))
    for value, argument, result in zip(passed, after.args, loop.results, strict=True):
        value.replace_uses_with_if(argument, lambda use: use.operation in inside)
        value.replace_uses_with_if(result, lambda use: use.operation not in tested and use.operation is not loop)
    _end(before, last, side, passed)
    for old, new in zip(header.args, before.args, strict=True):
        old.replace_uses_with_if(new, lambda use: use.operation is not loop)
    end = scf.YieldOp(*back.operands)
    end.location = back.location
    after.add_op(end)
    jump(last, last.successors[1 - side], operands_to(last, 1 - side))
    erase(body)
    return True


def _end(before: Block, last: Operation, side: int, passed: Sequence[SSAValue]) -> None:
    """Let the test end with whether the loop goes on, and what it passes on."""
    test: SSAValue = last.operands[0]
    made: list[Operation] = []
    if side:
        one = ConstantOp(IntegerAttr(1, i1))
        opposite = XOrIOp(test, one.result)
        made, test = [one, opposite], opposite.result
    for op in (*made, scf.ConditionOp(test, *passed)):
        op.location = last.location
        before.add_op(op)


def follows(test: SSAValue, header: Block, inside: Set[Block]) -> bool:
    """Whether what a loop's test reads follows from numbers that may be known, by operations in blocks of the loop."""
    return _Numbers(header, inside).follow(test)


class _Numbers:
    """What is followed in a loop."""

    def __init__(self, header: Block, inside: Set[Block]) -> None:
        self._header, self._inside = header, inside
        self._seen: set[SSAValue] = set()

    def follow(self, value: SSAValue) -> bool:
        """Whether a value in the loop does."""
        if value in self._seen:
            return True
        self._seen.add(value)
        owner = value.owner
        if owner is self._header:
            assert isinstance(value.owner, Block)
            number = list(self._header.args).index(value)  # pyright: ignore[reportArgumentType]
            passed = passed_in(self._header, number)
            return _is_number(value) and passed is not None and all(map(self.follow, passed))
        if isinstance(owner, Block) and owner in self._inside:
            return False
        if isinstance(owner, Operation) and owner.parent is not None and owner.parent in self._inside:
            return is_computed(owner) and all(map(self.follow, owner.operands))
        return _may_be_known(value, _DEPTH)


def passed_in(header: Block, number: int, inside: Set[Block] | None = None) -> list[SSAValue] | None:
    """What an argument of a loop may be, None if that is not plain; of blocks inside it alone, where they are given."""
    found: list[SSAValue] = []
    for block in header.predecessors():
        last = block.last_op
        assert last is not None
        if inside is not None and block not in inside:
            continue
        if last.name in BRANCHES:
            found.append(last.operands[number])
        elif last.name not in CONDITIONALS:
            return None
        else:
            found += [
                operands_to(last, index)[number]
                for index, successor in enumerate(last.successors) if successor is header
            ]  # fmt: skip
    return found


def _may_be_known(value: SSAValue, depth: int) -> bool:
    """Whether a value from outside is a constant, or follows from constants and from what loops around count."""
    owner = value.owner
    if isinstance(owner, Block):
        region = owner.parent
        return region is not None and (owner is not region.first_block or _is_loop(region)) and _is_number(value)
    if constant_of(value) is not None:
        return True
    return bool(depth) and is_computed(owner) and all(_may_be_known(operand, depth - 1) for operand in owner.operands)


def _is_loop(region: Region) -> bool:
    above = region.parent
    return above is not None and above.name in ("scf.for", "scf.while")


def _is_number(value: SSAValue) -> bool:
    return value.type.name in ("index", "integer_type")
