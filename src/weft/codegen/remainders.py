"""Registers that step with a loop which makes the turns that another has left: they go on where the other's are."""

from __future__ import annotations

from weft.codegen.builder import known
from weft.codegen.graph import Loop, Value
from weft.codegen.linear import Term
from weft.isa import opcode

_PRODUCT = opcode("mul", mode="lo", type="s64")


def reached(loop: Loop, terms: tuple[Term, ...]) -> Value | None:
    """What holds the sum of these terms of a loop's counter after the loop before it, if a register steps with that."""
    first = loop.before
    if first is None or loop.counter is None or first.counter is None:
        return None
    same: list[Term] = []
    for value, coefficient in terms:
        found = _of_first(value, loop, first)
        if found is None:
            return None
        same.append((found, coefficient))
    held = first.steps.get(tuple(same))
    entry = next((one for one in first.carried if one.value is held), None) if held is not None else None
    if entry is None:
        return None
    if entry.result is None:
        entry.result = Value(entry.value.cls, loop.body.parent or loop.body)
        entry.result.space = entry.value.space
    return entry.result


def _of_first(value: Value, loop: Loop, first: Loop) -> Value | None:
    """The value that a value of a loop is in the loop before it; one from outside is itself."""
    if value is loop.counter:
        return first.counter
    if value.block.nested < loop.body.nested:
        return value
    inst = value.inst
    if inst is None or inst.opcode is not _PRODUCT or loop.counter not in inst.args[1:]:
        return None
    arguments = tuple(first.counter if one is loop.counter else one for one in inst.args[1:])
    for key in (arguments, arguments[::-1]):
        if (found := known(first.body, (_PRODUCT.text, key))) is not None:
            return found
    return None
