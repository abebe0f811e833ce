"""Fragments of matrices: groups of registers in and out of one instruction."""

from __future__ import annotations

from typing import Any

from weft.codegen.graph import Value
from weft.codegen.selector import Selector
from weft.codegen.types import layout
from weft.isa import decode


def registers(s: Selector, operands: Any) -> tuple[Value, ...]:
    """The registers of SSA values in a row."""
    scalars = [x for v in operands for x in s.flatten(s.get(v))]
    classes = [kind.cls for v in operands for kind in layout(v.type).scalars]
    return tuple(s.as_register(x, cls) for x, cls in zip(scalars, classes, strict=True))


def segments(op: Any) -> list[tuple[Any, ...]]:
    """The operands of an operation with several groups of them."""
    found: list[tuple[Any, ...]] = []
    at = 0
    for count in op.properties["operandSegmentSizes"].get_values():
        found.append(tuple(op.operands[at : at + count]))
        at += count
    return found


def outputs(s: Selector, op: Any) -> tuple[Value, ...]:
    """Fresh registers for the result of an operation, which are bound to it."""
    result = op.results[0]
    kinds = layout(result.type).scalars
    outs = tuple(s.value(kind.cls) for kind in kinds)
    scalars = tuple(s.wrapped(value, kind) for value, kind in zip(outs, kinds, strict=True))
    s.values[result] = s.unflatten(result.type, scalars)
    return outs


def counts(text: str) -> dict[str, int]:
    """The number of registers of each operand of an opcode, by the operand's name; empty for one that is not legal."""
    variants = decode(text).variants
    return {spec.name: spec.count(variants[0].slots) or 1 for spec in variants[0].compiled.operands} if variants else {}
