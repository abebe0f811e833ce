"""Sums of 32 bits that are the lower half of a sum of 64 bits, which then is computed once.

Truncation distributes over sums as they are made, when nobody knows yet whether the wide sum is needed as well.
"""

from __future__ import annotations

from typing import Any

from weft.codegen.graph import Block, Inst, Value, values_in
from weft.codegen.joining import inside
from weft.codegen.sinking import moves
from weft.isa import opcode

_NARROW, _WIDE = opcode("add", type="s32"), opcode("add", type="s64")
_LOW = opcode("cvt", type="u32", atype="u64")
_MOST_MOVED = 16
"""Instructions that are put before others with a sum of 64 bits."""


def take_halves(root: Block) -> bool:
    """Take live sums of 32 bits from those of 64 bits in the same block; whether there were any."""
    found = False
    work = [root]
    while work:
        block = work.pop()
        for item in block.items:
            work += inside(item)
        found |= _in_block(block)
    return found


def _in_block(block: Block) -> bool:
    insts = [item for item in block.items if type(item) is Inst and item.live]
    wide = [inst for inst in insts if inst.opcode is _WIDE]
    if not wide:
        return False
    lower = {inst.args[1]: inst.outs[0] for inst in insts if inst.opcode is _LOW}
    sums: dict[Any, Inst] = {}
    for inst in wide:
        if (key := _key([_low(arg, lower) for arg in inst.args[1:]])) is not None:
            sums.setdefault(key, inst)
    found = False
    for inst in insts if sums else ():
        whole = sums.get(_key(inst.args[1:])) if inst.opcode is _NARROW else None
        if whole is not None and _before(block, whole, inst):
            inst.opcode, inst.args = _LOW, (inst.outs[0], whole.outs[0])
            found = True
    return found


def _key(terms: Any) -> frozenset[Any] | None:
    """What two terms add up to, where one at least is no constant."""
    if any(term is None for term in terms) or all(type(term) is int for term in terms):
        return None
    return frozenset((term & 0xFFFFFFFF if type(term) is int else term, list(terms).count(term)) for term in terms)


def _low(term: Any, lower: dict[Any, Value]) -> Any:
    """The lower half of a term of 64 bits, if anything holds it."""
    if type(term) is not Value:
        return term if type(term) is int else None
    return term.narrow if term.narrow is not None else lower.get(term)


def _before(block: Block, whole: Inst, part: Inst) -> bool:
    """Put an instruction before another of a block, with what it needs; whether that can be done."""
    items = block.items
    start, end = items.index(part), items.index(whole)
    if end < start:
        return True
    needed: list[Any] = [whole]
    wanted = {value for arg in whole.args[1:] for value in values_in(arg)}
    for at in range(end - 1, start - 1, -1):
        item = items[at]
        outs = item.outs if isinstance(item, Inst) else ()
        if isinstance(item, Inst) and wanted.isdisjoint(outs):
            continue
        if not isinstance(item, Inst) or item is part or not moves(item) or len(needed) > _MOST_MOVED:
            return False
        needed.append(item)
        wanted |= {value for arg in item.args for value in values_in(arg)}
    moved = set(map(id, needed))
    items[start : end + 1] = [*reversed(needed), *(item for item in items[start : end + 1] if id(item) not in moved)]
    return True
