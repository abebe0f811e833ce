"""Branches of blocks that meet again, made `scf.if`: the loops around them become single blocks, which may count.

What a branch leaves out or computes on either side moves into regions (`T` and `E` are entered from `A` alone):

    A: cond_br T, E     T: br J(x)     E: br J(y)         ->     A: r = scf.if {T; yield x} else {E; yield y}, br J(r)

and two tests in a row that lead to the same block, as those of `&&` and `||` do, become one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from xdsl.dialects import scf, ub
from xdsl.dialects.arith import AndIOp, ConstantOp, SelectOp, XOrIOp
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.codegen.constants import constant_of
from weft.codegen.directives import FUNCTIONS, is_kernel
from weft.codegen.dominance import dominators, loops_in, reverse_postorder
from weft.dataclass import dataclass
from weft.dialects import narrow
from weft.dialects.engine.operations import op_class

RETURNS = frozenset(("func.return", "gpu.return", "llvm.return"))
BRANCHES, CONDITIONALS = ("cf.br", "llvm.br"), ("cf.cond_br", "llvm.cond_br")
_CHOICES = (*CONDITIONALS, "cf.switch", "llvm.switch")
NOTE = "loop_annotation"
"""What branches say of the loops that they close."""
NOT_UNROLLED = "loop_unroll<disable = true"
"""What the text of such a note has where a loop is to stay as it is."""
_JOINED, _FEW = 6, 2
"""Operations that may stand before the second test of two that become one, inside of such loops and elsewhere."""
_SPECULATED = frozenset((
    "arith.cmpi", "arith.cmpf", "arith.addi", "arith.subi", "arith.muli", "arith.andi", "arith.ori", "arith.xori",
    "arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui", "arith.constant",
    "arith.addf", "arith.subf", "arith.mulf", "arith.select", "llvm.icmp", "llvm.fcmp", "llvm.add", "llvm.sub",
    "llvm.mul", "llvm.and", "llvm.or", "llvm.xor", "llvm.sext", "llvm.zext", "llvm.trunc", "llvm.mlir.constant",
    "llvm.getelementptr", "llvm.select", "llvm.fadd", "llvm.fsub", "llvm.fmul", "llvm.shl", "llvm.lshr", "llvm.ashr",
    "arith.shli", "arith.shrsi", "arith.shrui",
))  # fmt: skip
"""Operations that may run where they would not have: without effects, and with any result rather than none."""
_SHORT, _FREE = 4, ("llvm.getelementptr", "llvm.addrspacecast")
"""Operations that both sides of a branch have together that both run anywhere, and those that do not count."""
_LOADS = ("llvm.load", "memref.load")


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


def structure(region: Region, may_be_one: Callable[[Block, set[Block]], bool]) -> None:
    """Make structured operations of a region's blocks inside of loops that may then be operations themselves.

    So are those of functions that may be inlined. What other branches compute is left to them: whoever made blocks of
    them may have known why.
    """
    _repeat(_merged(region), _thread)
    loops = _merged(region)
    function = region.parent
    once = function is not None and function.name in FUNCTIONS and not is_kernel(function)
    some = _loops_that(may_be_one, loops)
    wanted = {block for block, headers in loops.items() if once or (headers and headers[-1] in some)}
    _repeat(loops, lambda block: _tests(block, loops, thoroughly=block in wanted))
    _repeat(_merged(region), lambda block: _branch(block, thoroughly=block in wanted))
    if once:
        _repeat(_merged(region), _return)


def _loops_that(may_be_one: Callable[[Block, set[Block]], bool], loops: Mapping[Block, Sequence[Block]]) -> set[Block]:
    """The first blocks of the loops that may be operations, which takes that those inside may be, too."""
    inside: dict[Block, set[Block]] = {}
    for block, headers in loops.items():
        for header in headers:
            inside.setdefault(header, set()).add(block)
    found: set[Block] = set()
    for header, blocks in sorted(inside.items(), key=lambda entry: len(entry[1])):
        if all(one in found for one in blocks if one in inside and one is not header) and may_be_one(header, blocks):
            found.add(header)
    return found


def _merged(region: Region) -> dict[Block, tuple[Block, ...]]:
    """Merge blocks; those that can be reached then, with the first blocks of the loops around each."""
    for block in list(region.blocks):
        if block.parent is not None and block.last_op is not None:
            merge(block)
    if region.first_block is None or region.first_block.last_op is None:
        return {}
    order = reverse_postorder(region.first_block)
    around = loops_in(order, dominators(order))
    return {block: tuple(around.get(block, ())) for block in order}


def _repeat(blocks: Iterable[Block], change: Callable[[Block], bool]) -> None:
    """Change blocks until none can be changed any more, the last ones first."""
    work = list(blocks)
    while work:
        block = work.pop()
        if block.parent is not None and change(block):
            merge(block)
            work += [block, *block.predecessors()]


def operands_to(last: Operation, index: int) -> Sequence[SSAValue]:
    """What a conditional branch passes on to one of its two successors."""
    first, second = narrow.segments(last)[1:]
    return last.operands[1 : 1 + first] if not index else last.operands[1 + first : 1 + first + second]


@dataclass(slots=True)
class _Side:
    """A side of a branch: the block that only it enters, if there is one, and where it leads with what."""

    block: Block | None
    target: Block
    operands: Sequence[SSAValue]


def _branch(block: Block, *, thoroughly: bool) -> bool:
    """Make an `scf.if` of the branch at the end of a block if both sides, or short ones, lead to the same block."""
    last = block.last_op
    if last is None or last.name not in CONDITIONALS:
        return False
    some = [_sides(block, last, index) for index in (0, 1)]
    for first in some[0]:
        for second in some[1]:
            if first.target is not second.target or (first.block is not None and first.block is second.block):
                continue
            if thoroughly or _are_short(first, second):
                _structured(block, last, (first, second))
                return True
    return False


def _are_short(*sides: _Side) -> bool:
    """Whether both sides of a branch may as well run: what they compute is little, and has no effects."""
    ops = [op for side in sides if side.block is not None for op in side.block.ops if op is not side.block.last_op]
    if any(op.name not in _SPECULATED and not _is_load_of_own(op) for op in ops):
        return False
    return sum(op.name not in _FREE and not op.name.endswith(".constant") for op in ops) <= _SHORT


def _is_load_of_own(op: Operation) -> bool:
    """Whether an operation loads from memory that the function has allocated, which is there anyway."""
    if not _is_load(op):
        return False
    pointer = op.operands[0]
    while isinstance(pointer.owner, Operation) and pointer.owner.name in _FREE:
        pointer = pointer.owner.operands[0]
    return isinstance(pointer.owner, Operation) and pointer.owner.name in ("llvm.alloca", "memref.alloca")


def _sides(block: Block, last: Operation, index: int) -> list[_Side]:
    """What a side of a branch may be seen as: a way to the next block, and one through it."""
    target = last.successors[index]
    found = [_Side(None, target, operands_to(last, index))]
    end = target.last_op
    if end is not None and end.name in BRANCHES and len(target.predecessors()) == 1 and target is not block:
        found.insert(0, _Side(target, end.successors[0], end.operands))
    return found


def _return(block: Block) -> bool:
    """Make an `scf.if` of the branch at the end of a block if both sides return: what returns once can be inlined."""
    last = block.last_op
    if last is None or last.name not in CONDITIONALS or last.successors[0] is last.successors[1]:
        return False
    sides: list[_Side] = []
    for target in last.successors:
        end = target.last_op
        if end is None or end.name not in RETURNS or len(target.predecessors()) > 1:
            return False
        sides.append(_Side(target, target, end.operands))
    end = sides[0].target.last_op
    assert end is not None
    for index, side in enumerate(sides):
        bind(side.target, operands_to(last, index))
    regions = [_region(side, side.operands, last) for side in sides]
    chosen = scf.IfOp(last.operands[0], [value.type for value in end.operands], regions[0], regions[1])
    _Maker(last).put(chosen)
    made = type(end).create(operands=chosen.results, properties=end.properties, attributes=end.attributes)
    made.location = end.location
    Rewriter.replace_op(last, made, [])
    for side in sides:
        erase(side.target)
    return True


def _structured(block: Block, last: Operation, sides: tuple[_Side, _Side]) -> None:
    for index, side in enumerate(sides):
        if side.block is not None:
            bind(side.block, operands_to(last, index))
    target = sides[0].target
    values = list(zip(sides[0].operands, sides[1].operands, strict=True))
    merged = [number for number, (a, b) in enumerate(values) if a is not b]
    regions = [_region(side, [side.operands[number] for number in merged], last) for side in sides]
    if merged or any(len(region.block.ops) > 1 for region in regions):
        chosen = scf.IfOp(last.operands[0], [values[number][0].type for number in merged], regions[0], regions[1])
        _Maker(last).put(chosen)
        passed = [a for a, _ in values]
        for number, result in zip(merged, chosen.results, strict=True):
            passed[number] = result
    else:
        passed = [a for a, _ in values]
    jump(last, target, passed, [side.block.last_op for side in sides if side.block is not None])
    for side in sides:
        if side.block is not None:
            erase(side.block)


def bind(block: Block, values: Sequence[SSAValue]) -> None:
    """Let the arguments of a block that is entered from one place be what is passed there."""
    for argument, value in zip(block.args, values, strict=True):
        argument.replace_all_uses_with(value)


def _region(side: _Side, passed: Sequence[SSAValue], at: Operation) -> Region:
    block = Block()
    if side.block is not None:
        for op in list(side.block.ops)[:-1]:
            op.detach()
            block.add_op(op)
    end = scf.YieldOp(*passed)
    end.location = at.location
    block.add_op(end)
    return Region(block)


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


def _thread(block: Block) -> bool:
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


@dataclass(slots=True)
class _Tests:
    """Two tests in a row: `second` is entered by the first alone, on its side `by`, and leads on by its side `on`.

    Their other sides lead to the same block.
    """

    first: Operation
    second: Operation
    by: int
    on: int

    @property
    def inner(self) -> Block:
        """The block of the second test."""
        block = self.second.parent
        assert block is not None
        return block

    @property
    def others(self) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
        """What the other sides pass on."""
        return operands_to(self.first, 1 - self.by), operands_to(self.second, 1 - self.on)


def _tests(block: Block, loops: dict[Block, tuple[Block, ...]], *, thoroughly: bool) -> bool:
    """Make one test of two in a row, neither of which leaves a loop or starts it again."""
    found = _two_tests(block)
    if found is None or block not in loops:
        return False
    away, on = found.first.successors[1 - found.by], found.second.successors[found.on]
    around = loops[block]
    if any(loops.get(one) != around or one in around for one in (found.inner, away, on)):
        return False
    inside = [op for op in found.inner.ops if op is not found.second]
    counted = sum(not op.name.endswith(".constant") for op in inside)
    if counted > (_JOINED if thoroughly else _FEW):
        return False
    if any(op.name not in _SPECULATED and not (thoroughly and _is_load(op)) for op in inside):
        return False
    bind(found.inner, operands_to(found.first, found.by))
    if any(map(_is_load, inside)):
        _guarded(found, inside)
    else:
        _speculated(found, inside)
    return True


def _is_load(op: Operation) -> bool:
    return op.name in _LOADS and "volatile_" not in op.properties and not narrow.stated(op, "ordering", 0)


def _two_tests(block: Block) -> _Tests | None:
    first = block.last_op
    if first is None or first.name not in CONDITIONALS:
        return None
    for by in (0, 1):
        inner, away = first.successors[by], first.successors[1 - by]
        second = inner.last_op
        if inner is away or inner is block or len(inner.predecessors()) > 1:
            continue
        if second is None or second.name not in CONDITIONALS or away not in second.successors:
            continue
        on = 1 - second.successors.index(away)
        if second.successors[on] is not away:
            return _Tests(first, second, by, on)
    return None


def _speculated(found: _Tests, inside: list[Operation]) -> None:
    """Both tests at once."""
    for op in inside:
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(found.first))
    maker = _Maker(found.first)
    by = maker.holds(found.first.operands[0], found.by)
    both = maker.add(AndIOp(by, maker.holds(found.second.operands[0], found.on)))
    passed = [a if a is b else maker.add(SelectOp(by, b, a)) for a, b in zip(*found.others, strict=True)]
    _test_again(found, both, passed)


def _guarded(found: _Tests, inside: list[Operation]) -> None:
    """The second test in a region, which returns what is computed for it."""
    maker = _Maker(found.first)
    by = maker.holds(found.first.operands[0], found.by)
    moved = set(inside)
    used = [
        result for op in inside for result in op.results
        if any(use.operation not in moved and use.operation is not found.second for use in result.uses)
    ]  # fmt: skip
    away, passed = found.others
    merged = [number for number, (a, b) in enumerate(zip(away, passed, strict=True)) if a is not b]
    regions = [Region(Block()), Region(Block())]
    for op in inside:
        op.detach()
        regions[0].block.add_op(op)
    end = _Maker(found.first, regions[0].block)
    end.put(scf.YieldOp(end.holds(found.second.operands[0], found.on), *(passed[n] for n in merged), *used))
    end = _Maker(found.first, regions[1].block)
    nothing = [end.add(ub.PoisonOp(value.type)) for value in used]
    end.put(scf.YieldOp(end.number(0), *(away[n] for n in merged), *nothing))
    types = [i1, *(away[n].type for n in merged), *(value.type for value in used)]
    chosen = scf.IfOp(by, types, regions[0], regions[1])
    maker.put(chosen)
    results = list(away)
    for number, result in zip(merged, chosen.results[1:], strict=False):
        results[number] = result
    for value, result in zip(used, chosen.results[1 + len(merged) :], strict=True):
        value.replace_uses_with_if(result, lambda use: use.operation.parent is not regions[0].block)
    _test_again(found, chosen.results[0], results)


def _test_again(found: _Tests, both: SSAValue, away: Sequence[SSAValue]) -> None:
    """Replace the first test by that of both, which leads where the second did, or away."""
    first, inner = found.first, found.inner
    on = list(operands_to(found.second, found.on))
    made = op_class("llvm.cond_br").create(
        operands=[both, *on, *away],
        successors=[found.second.successors[found.on], first.successors[1 - found.by]],
        properties={"operandSegmentSizes": DenseArrayBase.from_list(i32, [1, len(on), len(away)])},
    )
    made.location = first.location
    Rewriter.replace_op(first, made, [])
    erase(inner)


class _Maker:
    """Puts operations before another, or at the end of a block; they stand in the text where that one does."""

    def __init__(self, at: Operation, block: Block | None = None) -> None:
        self._at = at
        self._place = InsertPoint.before(at) if block is None else InsertPoint.at_end(block)

    def put(self, op: Operation) -> None:
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
