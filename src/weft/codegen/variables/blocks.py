"""Variables of a region of blocks: arguments take what they hold where paths with different values meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from weft.codegen.dominance import Parents, dominators, frontiers, reverse_postorder
from weft.codegen.variables.memory import LOADS, Memory, Variable
from weft.codegen.variables.scope import Scope, Undefined
from weft.codegen.variables.structured import Promotion
from weft.dialects import narrow
from weft.dialects.building import segment_sizes


def promote_in(region: Region, memory: Memory) -> None:
    """Make values of the variables of a region."""
    entry = region.first_block
    assert entry is not None
    promotion, undefined = Promotion(region, memory), Undefined(region)
    order = reverse_postorder(entry)
    parents = dominators(order)
    meeting = _meetings(order, parents, promotion) if len(order) > 1 else {}
    scopes: dict[Block, Scope] = {}
    unreached = set(region.blocks) - set(order)
    for block in [*order, *unreached]:
        above = parents.get(block)
        scope = Scope(scopes[above] if above is not None else None, undefined)
        for variable in meeting.get(block, ()):
            scope.values[variable] = block.insert_arg(variable.type, len(block.args))
        scopes[block] = promotion.block(block, scope)
    for block, scope in scopes.items():
        _pass_on(block, scope, meeting)
    for op in [*reversed(memory.erased), *memory.allocated]:
        Rewriter.erase_op(op)


def _meetings(order: Sequence[Block], parents: Parents, promotion: Promotion) -> dict[Block, list[Variable]]:
    """The variables that blocks get as arguments: those that are read later, and hold what depends on the way there."""
    variables = [variable for found in promotion.memory.allocated.values() for variable in found]
    bits = {variable: 1 << number for number, variable in enumerate(variables)}
    read, stored = dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    for block in order:
        read[block], stored[block] = _in_block(block, promotion, bits)
    live = _live(order, read, stored)
    beyond = frontiers(order, parents)
    found: dict[Block, int] = dict.fromkeys(order, 0)
    work = [(block, stored[block]) for block in order if stored[block]]
    while work:
        block, which = work.pop()
        for meeting in beyond[block]:
            new = which & live[meeting] & ~found[meeting]
            if new:
                found[meeting] |= new
                work.append((meeting, new))
    return {block: [v for v in variables if bits[v] & which] for block, which in found.items() if which}


def _in_block(block: Block, promotion: Promotion, bits: dict[Variable, int]) -> tuple[int, int]:
    """The variables that a block reads as they are when it begins, and those that it stores to."""
    read = stored = 0
    for op in block.ops:
        if (variable := promotion.memory.accessed.get(op)) is not None:
            if op.name in LOADS:
                read |= bits[variable] & ~stored
            else:
                stored |= bits[variable]
        elif op in promotion.touched:
            # What is stored inside only on some ways is read there, too.
            read |= _sum(bits, promotion.touched[op]) & ~stored
            stored |= _sum(bits, (one for one, stores in promotion.touched[op].items() if stores))
        elif op in promotion.memory.allocated:
            stored |= _sum(bits, promotion.memory.allocated[op])
    return read, stored


def _sum(bits: dict[Variable, int], variables: Iterable[Variable]) -> int:
    total = 0
    for variable in variables:
        total |= bits[variable]
    return total


def _live(order: Sequence[Block], read: dict[Block, int], stored: dict[Block, int]) -> dict[Block, int]:
    """The variables whose values are read in a block or behind it, as they are when it begins."""
    live = dict(read)
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            last: Any = block.last_op
            after = 0
            for successor in last.successors:
                after |= live[successor]
            now = read[block] | after & ~stored[block]
            if now != live[block]:
                live[block], changed = now, True
    return live


def _pass_on(block: Block, scope: Scope, meeting: dict[Block, list[Variable]]) -> None:
    """Let the end of a block pass on what variables hold to the blocks that take it."""
    last = block.last_op
    if last is None or not any(successor in meeting for successor in last.successors):
        return
    more = [[scope.get(variable) for variable in meeting.get(successor, ())] for successor in last.successors]
    if last.name in ("cf.br", "llvm.br"):
        last.operands = [*last.operands, *more[0]]
    elif last.name in ("cf.cond_br", "llvm.cond_br"):
        _, first, second = narrow.segments(last)
        groups = _split(last.operands, (1, first, second))
        _resize(last, [groups[0], [*groups[1], *more[0]], [*groups[2], *more[1]]])
    else:
        _pass_on_by_cases(last, more)


def _pass_on_by_cases(last: Operation, more: list[list[SSAValue]]) -> None:
    _, default, cases = narrow.segments(last)
    flag, first, rest = _split(last.operands, (1, default, cases))
    counts = narrow.numbers(last.properties["case_operand_segments"])
    groups = [[*group, *added] for group, added in zip(_split(rest, counts), more[1:], strict=True)]
    last.properties["case_operand_segments"] = segment_sizes(tuple(map(len, groups)))
    _resize(last, [flag, [*first, *more[0]], [value for group in groups for value in group]])


def _split(values: Sequence[SSAValue], counts: Iterable[int]) -> list[list[SSAValue]]:
    found: list[list[SSAValue]] = []
    at = 0
    for count in counts:
        found.append(list(values[at : at + count]))
        at += count
    return found


def _resize(op: Operation, groups: list[list[SSAValue]]) -> None:
    op.operands = [value for group in groups for value in group]
    op.properties["operandSegmentSizes"] = segment_sizes(tuple(map(len, groups)))
