"""Loops that count, written with branches or as `scf.while`, made `scf.for`: these turn several times at once.

A loop counts that tests a number before each turn against one that it leaves alone, and adds a third to it in the turn
without wrapping: because it adds 1 to what is below another, because the addition says so, or because what it is
compared with is known to lie far enough below the greatest number of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.arith import AddiOp, ConstantOp, MaxSIOp, MaxUIOp
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr
from xdsl.dialects.cf import BranchOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.codegen.constants import constant_of
from weft.codegen.limits import bounds_of, width_of
from weft.codegen.nowrap import SIGNED, UNSIGNED, flags_of
from weft.codegen.repeating import follows, passed_in, repeat
from weft.codegen.structuring import structure
from weft.codegen.structuring.edges import BRANCHES, CONDITIONALS, NOT_UNROLLED, merge, operands_to
from weft.dataclass import dataclass
from weft.dialects import narrow
from weft.dialects.arith.predicates import INTEGER_PREDICATES
from weft.dialects.engine.operations import op_class
from weft.mlir.walking import operations_in

COMPARISONS = ("arith.cmpi", "llvm.icmp")
_SUMS = ("arith.addi", "llvm.add")
_TESTING = 8
"""Operations that may stand before the test."""
_SMALLEST = 8
"""Bits that a counter has."""
_PURE = frozenset((
    "arith.cmpi", "arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori", "arith.extsi",
    "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui", "arith.constant", "arith.select",
    "llvm.icmp", "llvm.add", "llvm.sub", "llvm.mul", "llvm.sext", "llvm.zext", "llvm.trunc", "llvm.mlir.constant",
    "builtin.unrealized_conversion_cast", "memref.dim", "gpu.block_dim", "gpu.grid_dim",
))  # fmt: skip
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def count_loops(module: ModuleOp) -> None:
    """Rewrite the loops of a module that count."""
    for op in operations_in(module.regions)[::-1]:  # Inner ones come first.
        for region in op.regions:
            if region.first_block is not region.last_block:
                _of_blocks(region)
        if op.name == "scf.while":
            _of_regions(op)


@dataclass(slots=True)
class _Turn:
    """A loop: what its test reads, and its body.

    `arguments` are what it carries, `starts` before the first turn and `following` after each; `testing` are the
    operations of the test, on whose result it goes on where that is `going`; `passed` is what the body's arguments are,
    `left` what is passed on after the last turn.
    """

    arguments: Sequence[SSAValue]
    starts: Sequence[SSAValue]
    testing: list[Operation]
    test: SSAValue
    going: bool
    passed: Sequence[SSAValue]
    body: Block
    following: Sequence[SSAValue]
    left: Sequence[SSAValue]

    @property
    def blocks(self) -> tuple[Block | None, Block]:
        """The blocks of the test and of the body."""
        return self.test.owner.parent if isinstance(self.test.owner, Operation) else None, self.body

    def leaves_alone(self, value: SSAValue) -> bool:
        """Whether a value is the same in all turns."""
        op = value.owner
        if not isinstance(op, Operation):
            return op not in self.blocks
        return op.parent not in self.blocks or (op.name in _PURE and all(map(self.leaves_alone, op.operands)))

    def is_read_after(self, argument: SSAValue) -> bool:
        """Whether what is computed after the loop reads an argument, or what its test has computed of arguments."""
        values = [argument, *(result for op in self.testing for result in op.results)]
        blocks = self.blocks
        return any(
            value in self.left or any(not _is_in(use.operation, blocks) for use in value.uses) for value in values
        )

    def carries(self, number: int) -> bool:
        """Whether a turn may change an argument."""
        argument, value = self.arguments[number], self.following[number]
        same = [one for one, given in zip(self.body.args, self.passed, strict=True) if given is argument]
        return value is not argument and all(value is not one for one in same)


def _is_in(op: Operation | None, blocks: tuple[Block | None, Block]) -> bool:
    while op is not None and op.parent not in blocks:
        op = op.parent_op()
    return op is not None


@dataclass(slots=True)
class _Count:
    """Which argument counts, up to what, by what, and whether it is compared signed; `beyond` includes the bound."""

    place: int
    bound: SSAValue
    step: SSAValue
    signed: bool
    beyond: bool


# -- blocks -----------------------------------------------------------------------------------------------------


def _of_blocks(region: Region) -> None:
    changed = True
    while changed:  # An outer loop may have one block only when those inside are operations.
        structure(region, _may_be_one)
        changed = False
        for block in list(region.blocks):  # The first ones take in what follows.
            if block.parent is None or block is region.first_block:
                continue
            last = block.last_op
            if last is not None and last.name in CONDITIONALS:
                changed |= _of_header(block, last)


def _may_be_one(header: Block, inside: set[Block]) -> bool:
    """Whether a loop of blocks may become an operation once its body is a single block."""
    last = header.last_op
    if (
        last is None
        or last.name not in CONDITIONALS
        or (last.successors[0] in inside) == (last.successors[1] in inside)
    ):
        return False
    if any(after not in inside for block in inside if block is not header for after in block.last_op.successors):  # pyright: ignore[reportOptionalMemberAccess]
        return False
    return _may_count(last.operands[0], header, inside) or follows(last.operands[0], header, inside)


def _may_count(value: SSAValue, header: Block, inside: set[Block]) -> bool:
    """Whether a test compares what each turn adds to with something that a turn leaves alone."""
    test: Any = value.owner
    if getattr(test, "name", "") not in COMPARISONS:
        return False
    for counter, bound in (test.operands, test.operands[::-1]):
        if counter.owner is header and bound.owner is not header:
            passed = passed_in(header, counter.index, inside)
            return passed is not None and all(_adds(following, counter) for following in passed)
    return False


def _adds(value: SSAValue, counter: SSAValue) -> bool:
    owner: Any = value.owner
    return getattr(owner, "name", "") in _SUMS and counter in owner.operands


def _of_header(header: Block, last: Operation) -> bool:
    operands = operands_to(last, 0), operands_to(last, 1)
    for side, (body, leave) in enumerate((last.successors, last.successors[::-1])):
        back: Any = body.last_op
        if body is header or leave in (header, body) or back is None or back.name not in BRANCHES:
            continue
        if back.successors[0] is not header or len(body.predecessors()) > 1 or NOT_UNROLLED in str(back.properties):
            continue
        testing = [op for op in header.ops if op is not last]
        turn = _Turn(
            header.args, header.args, testing, last.operands[0], not side, operands[side], body, back.operands,
            operands[1 - side],
        )  # fmt: skip
        count = _counted(turn)
        if count is None:
            return repeat(header, last, side)
        followed = list(operands[1 - side])
        first = testing[0] if testing else last
        found, made = _rewritten(turn, count, InsertPoint.before(first), last, back)
        branch = BranchOp(leave, *(found.get(value, value) for value in followed))
        made.add(branch)
        _replace_outside(found, made)
        branch.location = last.location
        Rewriter.replace_op(last, branch, [])
        for op in reversed(testing):
            Rewriter.erase_op(op)
        region = body.parent
        assert region is not None
        region.erase_block(body, safe_erase=False)
        merge(header)
        return True
    return False


def _replace_outside(found: dict[SSAValue, SSAValue], made: set[Operation]) -> None:
    for old, new in found.items():
        old.replace_uses_with_if(new, lambda use: use.operation not in made)


# -- regions ----------------------------------------------------------------------------------------------------


def _of_regions(op: Operation) -> None:
    before, after = (region.blocks[0] for region in op.regions)
    condition, back = before.last_op, after.last_op
    if len(op.regions[0].blocks) > 1 or len(op.regions[1].blocks) > 1 or condition is None or back is None:
        return
    testing = [inner for inner in before.ops if inner is not condition]
    passed = list(condition.operands[1:])
    left = [value for value, result in zip(passed, op.results, strict=True) if result.uses]
    turn = _Turn(before.args, op.operands, testing, condition.operands[0], True, passed, after, back.operands, left)
    count = _counted(turn)
    if count is not None:
        found, _ = _rewritten(turn, count, InsertPoint.before(op), op, back)
        Rewriter.replace_op(op, [], [found.get(value, value) for value in passed], safe_erase=False)


# -- both -------------------------------------------------------------------------------------------------------


def _counted(turn: _Turn) -> _Count | None:
    """How a loop counts, None if it is not known to."""
    test: Any = turn.test.owner
    if len(turn.testing) > _TESTING or test not in turn.testing or test.name not in COMPARISONS:
        return None
    if any(op.name not in _PURE for op in turn.testing):
        return None
    name = INTEGER_PREDICATES[narrow.number(test.properties["predicate"])]
    relation, (counter, bound) = name[1:], test.operands
    if relation not in _MIRRORED or counter.type.name not in ("index", "integer_type"):
        return None
    if bound in turn.arguments:
        counter, bound, relation = bound, counter, _MIRRORED[relation]
    if not turn.going:
        relation = _OPPOSITE[relation]
    if counter not in turn.arguments or relation not in ("lt", "le") or not turn.leaves_alone(bound):
        return None
    place = list(turn.arguments).index(counter)
    step = _step(turn, place)
    width = width_of(counter.type)
    if step is None or not turn.leaves_alone(step) or width < _SMALLEST:
        return None
    count = _Count(place, bound, step, name[0] == "s", relation == "le")
    return count if _advances(turn, count, width) else None


def _advances(turn: _Turn, count: _Count, width: int) -> bool:
    """Whether a turn takes the counter further up, without wrapping."""
    addition: Any = turn.following[count.place].owner
    least, most = bounds_of(count.step)
    if least <= 0:
        return False
    if (least == most == 1 and not count.beyond) or flags_of(addition) & (SIGNED if count.signed else UNSIGNED):
        return True
    lowest, highest = bounds_of(count.bound)
    fits = highest - (not count.beyond) + most < 1 << width - 1
    return fits and (count.signed or lowest >= 0)


def _step(turn: _Turn, place: int) -> SSAValue | None:
    """What a turn adds to an argument, None if it does something else."""
    counter = turn.arguments[place]
    names = {counter, *(one for one, value in zip(turn.body.args, turn.passed, strict=True) if value is counter)}
    addition: Any = turn.following[place].owner
    if not isinstance(addition, Operation) or addition.name not in _SUMS or addition.parent is not turn.body:
        return None
    for x, step in (addition.operands, addition.operands[::-1]):
        if x in names:
            return step
    return None


def _rewritten(
    turn: _Turn, count: _Count, place: InsertPoint, at: Operation, back: Operation
) -> tuple[dict[SSAValue, SSAValue], set[Operation]]:
    """Put an `scf.for` at a place: what the values of the test are after it, and all operations of it and around it.

    The body's operations move into it; `at` is where the loop stands in the text, `back` the body's last operation.
    """
    maker = _Maker(place, at)
    counter, start = turn.arguments[count.place], turn.starts[count.place]
    limit, step = (maker.outside(value, turn) for value in (count.bound, count.step))
    if count.beyond:
        limit = maker.add(AddiOp(limit, maker.number(1, limit.type)))
    kept = [number for number in range(len(turn.arguments)) if turn.carries(number) and number != count.place]
    by_one = constant_of(step) == 1
    if not by_one and turn.is_read_after(counter):  # Where it ends is not plain.
        kept.append(count.place)
    block = Block(arg_types=[counter.type, *(turn.arguments[number].type for number in kept)])
    inner: dict[SSAValue, SSAValue] = dict(zip(turn.arguments, turn.starts, strict=True))
    inner |= {turn.arguments[n]: a for n, a in zip(kept, block.args[1:], strict=True)} | {counter: block.args[0]}
    within = _Maker(InsertPoint.at_end(block), at)
    within.copies(turn.testing, inner)
    inner |= {argument: inner.get(value, value) for argument, value in zip(turn.body.args, turn.passed, strict=True)}
    moved: set[Operation] = set()
    for op in [op for op in turn.body.ops if op is not back]:
        op.detach()
        block.add_op(op)
        moved.update(op.walk())
    for old, new in inner.items():
        old.replace_uses_with_if(new, lambda use: use.operation in moved)
    within.put(scf.YieldOp(*(inner.get(turn.following[number], turn.following[number]) for number in kept)))
    loop = op_class("scf.for").create(
        operands=[start, limit, step, *(turn.starts[number] for number in kept)],
        result_types=block.arg_types[1:],
        properties={} if count.signed else {"unsignedCmp": UnitAttr()},
        regions=[Region(block)],
    )
    maker.put(loop)
    after: dict[SSAValue, SSAValue] = dict(zip(turn.arguments, turn.starts, strict=True))
    after |= {turn.arguments[n]: result for n, result in zip(kept, loop.results, strict=True)}
    if by_one:
        after[counter] = maker.add((MaxSIOp if count.signed else MaxUIOp)(start, limit))
    maker.copies(turn.testing, after)
    return after, {*maker.made, *within.made, *moved}


class _Maker:
    """Puts operations at a place; they stand in the text where another does."""

    def __init__(self, place: InsertPoint, at: Operation) -> None:
        self._place = place
        self._at = at
        self.made: set[Operation] = set()

    def put(self, op: Operation) -> None:
        op.location = self._at.location
        Rewriter.insert_op(op, self._place)
        self.made.add(op)

    def add(self, op: Operation) -> SSAValue:
        """An operation's only result."""
        self.put(op)
        return op.results[0]

    def number(self, value: int, type_: Any) -> SSAValue:
        return self.add(ConstantOp(IntegerAttr(value, type_)))

    def copies(self, ops: Iterable[Operation], values: dict[SSAValue, SSAValue]) -> None:
        """Operations again, of other values; those of their results are added to these."""
        for op in ops:
            self.put(op.clone(values))

    def outside(self, value: SSAValue, turn: _Turn) -> SSAValue:
        """A value that a loop leaves alone, made before it."""
        op = value.owner
        if not isinstance(op, Operation) or op.parent not in turn.blocks:
            return value
        return self.add(op.clone({operand: self.outside(operand, turn) for operand in op.operands}))
