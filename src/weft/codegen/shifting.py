"""Bits that a constant is added to, masked before they are shifted down: the machine shifts and adds at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from weft.codegen.graph import Block, Inst, Value, values_in
from weft.codegen.unread import items_in, operands_of
from weft.isa import opcode

_ADD, _AND, _DOWN = opcode("add", type="s32"), opcode("and", type="b32"), opcode("shr", type="u32")


def shift_last(root: Block) -> None:
    """Make `(x & m << s) >> s` of `(x >> s) & m` where only a sum with a constant reads it."""
    found = dict(_masked(root))
    if not found:
        return
    wanted = {*found, *found.values()}
    counts: Counter[Value] = Counter()
    for item in items_in(root):
        if not isinstance(item, Inst) or item.live:
            read = (value for operand in operands_of(item) for value in values_in(operand))
            counts.update(value for value in read if value in wanted)
    for mask, shift in found.items():
        if counts[mask] != 1 or counts[shift] != 1:
            continue
        first, second = shift.inst, mask.inst
        assert first is not None
        assert second is not None
        (_, value, by), (_, _, bits) = first.args, second.args
        first.opcode, first.args = _AND, (shift, value, _signed((bits << by) & 0xFFFFFFFF))
        second.opcode, second.args = _DOWN, (mask, shift, by)
        shift.lo, shift.hi = 0, -1


def _masked(root: Block) -> Iterator[tuple[Value, Value]]:
    """What live sums of a number and a constant add that is masked, and what it is of that is shifted."""
    for item in items_in(root):
        if type(item) is not Inst or not item.live or item.opcode is not _ADD or type(item.args[2]) is not int:
            continue
        value = item.args[1]
        mask = value.inst if type(value) is Value else None
        if mask is None or mask.opcode is not _AND or type(mask.args[2]) is not int:
            continue
        shifted = mask.args[1]
        inst = shifted.inst if type(shifted) is Value else None
        if inst is not None and inst.opcode is _DOWN and type(inst.args[2]) is int and type(inst.args[1]) is Value:
            yield value, shifted


def _signed(bits: int) -> int:
    return bits - (1 << 32) if bits >> 31 else bits
