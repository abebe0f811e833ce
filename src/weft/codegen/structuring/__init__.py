"""Branches of blocks that meet again, made `scf.if`: the loops around them become single blocks, which may count.

What a branch leaves out or computes on either side moves into regions (`T` and `E` are entered from `A` alone):

    A: cond_br T, E     T: br J(x)     E: br J(y)         ->     A: r = scf.if {T; yield x} else {E; yield y}, br J(r)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from weft.codegen.directives import FUNCTIONS, is_kernel
from weft.codegen.dominance import dominators, loops_in, reverse_postorder
from weft.codegen.structuring.edges import (
    BRANCHES,
    CONDITIONALS,
    SPECULATED,
    Maker,
    bind,
    erase,
    is_load,
    jump,
    merge,
    operands_to,
)
from weft.codegen.structuring.joined import join_tests
from weft.codegen.structuring.threads import thread
from weft.dataclass import dataclass

RETURNS = frozenset(("func.return", "gpu.return", "llvm.return"))
_SHORT, _FREE = 2, ("llvm.getelementptr", "llvm.addrspacecast")
"""Operations that both sides of a branch have together that both run anywhere, and those that do not count."""


def structure(region: Region, may_be_one: Callable[[Block, set[Block]], bool]) -> None:
    """Make structured operations of a region's blocks inside of loops that may then be operations themselves.

    So are those of functions that may be inlined. What other branches compute is left to them: whoever made blocks of
    them may have known why.
    """
    _repeat(_merged(region), thread)
    loops = _merged(region)
    function = region.parent
    once = function is not None and function.name in FUNCTIONS and not is_kernel(function)
    some = _loops_that(may_be_one, loops)
    wanted = {block for block, headers in loops.items() if once or (headers and headers[-1] in some)}
    _repeat(loops, lambda block: join_tests(block, loops, thoroughly=block in wanted))
    _repeat(_merged(region), lambda block: _branch(block, thoroughly=block in wanted))
    if once:
        _repeat(_merged(region), _return)


def _repeat(blocks: Iterable[Block], change: Callable[[Block], bool]) -> None:
    """Change blocks until none can be changed any more; the first ones first, which take in what follows."""
    work = deque(blocks)
    while work:
        block = work.popleft()
        if block.parent is not None and change(block):
            merge(block)
            work.extendleft((block, *block.predecessors()))


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
    if any(op.name not in SPECULATED and not _is_load_of_own(op) for op in ops):
        return False
    return sum(op.name not in _FREE and not op.name.endswith(".constant") for op in ops) <= _SHORT


def _is_load_of_own(op: Operation) -> bool:
    """Whether an operation loads from memory that the function has allocated, which is there anyway."""
    if not is_load(op):
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
    Maker(last).put(chosen)
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
        Maker(last).put(chosen)
        passed = [a for a, _ in values]
        for number, result in zip(merged, chosen.results, strict=True):
            passed[number] = result
    else:
        passed = [a for a, _ in values]
    jump(last, target, passed, [side.block.last_op for side in sides if side.block is not None])
    for side in sides:
        if side.block is not None:
            erase(side.block)


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
