"""What a branch has computed, put before it when what comes behind needs it, too: computed once on every way."""

from __future__ import annotations

from typing import Any

from weft.codegen.graph import Block, If, Inst, Loop, Value, While, values_in
from weft.codegen.joining import inside
from weft.codegen.sinking import moves

_LONG = frozenset(("div", "rem", "sqrt"))
_MOST = 12
"""Instructions that a value may take along."""
_MOST_KEPT = 8
"""Values in front of a side of a branch: each takes a register through it, unlike one that is computed again."""
_SEARCHED = 256
"""Items of a block among which an instruction or a branch is looked for."""
_CROWD = 64
"""Registers that an instruction writes or a loop carries, behind which nothing is put in front of a branch: where they
still live, what takes one more makes ptxas spill, which costs more than computing the value again.
"""


def lifted(block: Block, key: object) -> Value | None:
    """The value that holds an expression which a branch before has computed for itself, put before that branch."""
    found: Any = block.seen.get(key) if block.seen else None
    if found is None and (parent := block.parent) is not None and parent.seen:
        block = parent
        found = parent.seen.get(key)
    if type(found) is not Value:
        return None
    if found.block.nested <= block.nested:
        return None
    moved: dict[Inst, None] = {}
    if not _takes_along(found, block, moved):
        return None
    side = _side(found, block)
    at = _branch_around(side, block) if side.lifted < _MOST_KEPT else None
    if at is None or crowded(block):
        return None
    side.lifted += 1
    for inst in moved:
        (value,) = inst.outs
        value.block.items.remove(inst)
        value.block = block
    block.items[at:at] = moved
    block.known[key] = found
    return found


def _takes_along(value: Value, block: Block, moved: dict[Inst, None]) -> bool:
    """Whether a value can be computed in a block around its own; the instructions to move, operands first."""
    if value.block.nested <= block.nested or value.inst in moved:
        return True
    inst = value.inst
    items = value.block.items
    if inst is None or len(inst.outs) > 1 or not moves(inst) or inst.opcode.stem in _LONG:
        return False
    if len(moved) >= _MOST or len(items) > _SEARCHED:
        return False
    read = (one for arg in inst.args for one in values_in(arg) if one is not value)
    if not all(_takes_along(one, block, moved) for one in read) or inst not in items:
        return False
    moved[inst] = None
    return True


def _side(value: Value, block: Block) -> Block:
    """The block right under another that a value is computed in."""
    side = value.block
    while side.parent is not None and side.parent is not block:
        side = side.parent
    return side


def _branch_around(side: Block, block: Block) -> int | None:
    """The place in a block of the branch that a block is a side of, unless it has loops."""
    for at in range(len(block.items) - 1, max(-1, len(block.items) - _SEARCHED), -1):
        item = block.items[at]
        if type(item) is not Inst and any(one is side for one in inside(item)):
            return None if _turns(item) else at
    return None


def crowded(block: Block | None) -> bool:
    """Whether a matrix may be in registers at the end of a block: what instructions or loops before have written."""
    while block is not None:
        if not block.crowded:
            block.crowded = any(_written(item) >= _CROWD for item in block.items[block.looked :])
            block.looked = len(block.items)
        if block.crowded:
            return True
        block = block.parent
    return False


def _written(item: Any) -> int:
    match item:
        case Inst():
            return len(item.outs)
        case Loop() | While():
            return len(item.carried)
        case _:
            return 0


def _turns(item: Any) -> bool:
    """Whether there are loops in a branch, or too much of it to see: a value would be kept through them."""
    work, seen = [*inside(item)], 0
    while work:
        block = work.pop()
        seen += len(block.items)
        if seen > _SEARCHED:
            return True
        for one in block.items:
            if type(one) is If:
                work += inside(one)
            elif type(one) is not Inst:
                return True
    return False
