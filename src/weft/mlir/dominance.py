"""Uses of values before, or beside, the operations that define them."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove


def undominated(scope: Operation) -> tuple[Operation, int] | None:
    """The first operation, and its operand, whose value is not defined on all ways to it; closed scopes are left out.

    Values of other regions than those around an operation are no values that it can name, so they are not looked for.
    """
    return next(_in_operation(scope), None)


def _in_operation(op: Operation) -> Iterator[tuple[Operation, int]]:
    if op.name == "builtin.module":
        return  # A graph: its operations are in no order.
    for region in op.regions:
        if region.blocks.first is None:
            continue
        over = _dominators(region) if region.blocks.first is not region.blocks.last else {}
        for block in region.blocks:
            yield from _in_block(block, over)


def _in_block(block: Block, over: dict[Block, Dominators]) -> Iterator[tuple[Operation, int]]:
    above = over.get(block)
    if over and above is None:
        return  # Nothing leads here, and so everything dominates.
    seen: set[Operation] = set()
    for op in block.ops:
        for inner in _within(op):
            for index, operand in enumerate(inner.operands):
                owner = operand.owner
                if isinstance(owner, Operation) and owner.parent is block:
                    if owner not in seen:
                        yield inner, index
                elif (above is not None and _beside(operand, block, above)) or (
                    inner is op and _is_hidden(operand, block)
                ):
                    yield inner, index
        if op.regions and not op.has_trait(IsolatedFromAbove):
            yield from _in_operation(op)
        seen.add(op)


def _within(op: Operation) -> Iterator[Operation]:
    """An operation and those in its regions that can use values from around it."""
    yield op
    if op.regions and not op.has_trait(IsolatedFromAbove):
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    yield from _within(inner)


def _is_hidden(value: SSAValue, block: Block) -> bool:
    """Whether a value is defined in a region that is not around a block."""
    owner = value.owner
    home = owner.parent if isinstance(owner, Operation) else owner
    region = None if home is None else home.parent
    around: Block | None = block
    while around is not None:
        if around.parent is region:
            return False
        parent = around.parent_op()
        around = None if parent is None else parent.parent
    return True


def from_outside(scope: Operation) -> Operation | None:
    """The first operation in a closed scope that uses a value from around it."""
    for region in scope.regions:
        for op in _region_operations(region):
            for operand in op.operands:
                owner = operand.owner
                home = owner.parent if isinstance(owner, Operation) else owner
                if home is not None and not _holds(scope, home):
                    return op
    return None


def _region_operations(region: Region) -> Iterator[Operation]:
    for block in region.blocks:
        for op in block.ops:
            yield from _within(op)


def _holds(scope: Operation, block: Block | None) -> bool:
    while block is not None:
        parent = block.parent_op()
        if parent is scope:
            return True
        block = None if parent is None else parent.parent
    return False


def _beside(value: SSAValue, block: Block, above: Dominators) -> bool:
    """Whether a value is defined in a block of the same region that does not dominate this one."""
    owner = value.owner
    home = owner.parent if isinstance(owner, Operation) else owner
    return home is not None and home is not block and home.parent is block.parent and home not in above


class Dominators:
    """The blocks on all ways to a block, as bits: of thousands of blocks the sets would be millions of entries."""

    __slots__ = ("_bits", "_numbers")

    def __init__(self, bits: int, numbers: dict[Block, int]) -> None:
        self._bits = bits
        self._numbers = numbers

    def __contains__(self, block: Block) -> bool:
        number = self._numbers.get(block)
        return number is not None and bool(self._bits >> number & 1)


def _dominators(region: Region) -> dict[Block, Dominators]:
    """For each block that is reached from the first, the blocks on all ways to it."""
    entry = region.blocks.first
    assert entry is not None
    order = _reached(entry)
    numbers = {block: number for number, block in enumerate(order)}
    leading: list[list[int]] = [[] for _ in order]
    for number, block in enumerate(order):
        for target in _targets(block):
            leading[numbers[target]].append(number)
    over = [(1 << len(order)) - 1] * len(order)
    over[0] = 1
    changed = True
    while changed:
        changed = False
        for number in range(1, len(order)):
            found = -1
            for before in leading[number]:
                found &= over[before]
            found |= 1 << number
            if found != over[number]:
                over[number], changed = found, True
    return {block: Dominators(over[number], numbers) for block, number in numbers.items()}


def _targets(block: Block) -> list[Block]:
    last = block.last_op
    return list(last.successors) if last is not None else []


def _reached(entry: Block) -> list[Block]:
    order: dict[Block, None] = {}
    pending = [entry]
    while pending:
        block = pending.pop()
        if block not in order:
            order[block] = None
            pending += reversed(_targets(block))
    return list(order)
