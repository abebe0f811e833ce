"""Fragments of matrices: groups of registers in and out of one instruction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue

from weft.codegen.graph import B16, Value
from weft.codegen.selector import Selector
from weft.codegen.types import layout
from weft.dialects import narrow
from weft.isa import Opcode, opcode
from weft.mlir import compile_error


def registers(s: Selector, operands: Any) -> tuple[Value, ...]:
    """The registers of SSA values in a row."""
    scalars = [x for v in operands for x in s.flatten(s.get(v))]
    classes = [kind.cls for v in operands for kind in layout(v.type).scalars]
    return tuple(s.as_register(x, cls) for x, cls in zip(scalars, classes, strict=True))


def half(s: Selector, value: Any) -> Value | int:
    """A 16-bit operand: an immediate or a 16-bit register."""
    lin = s.int(value)
    return lin.const & 0xFFFF if lin.is_const else s.pure(opcode("cvt", type="u16", atype="u32"), B16, s.int_value(lin))


def segments(op: Operation) -> list[tuple[SSAValue, ...]]:
    """The operands of an operation with several groups of them."""
    found: list[tuple[SSAValue, ...]] = []
    at = 0
    for count in narrow.segments(op):
        found.append(tuple(op.operands[at : at + count]))
        at += count
    return found


def outputs(s: Selector, op: Operation) -> tuple[Value, ...]:
    """Fresh registers for the result of an operation, which are bound to it."""
    result = op.results[0]
    kinds = layout(result.type).scalars
    outs = tuple(s.value(kind.cls) for kind in kinds)
    scalars = tuple(s.wrapped(value, kind) for value, kind in zip(outs, kinds, strict=True))
    s.values[result] = s.unflatten(result.type, scalars)
    return outs


def read_product(s: Selector, op: Operation, code: Opcode, matrices: Any = None, rest: Sequence[Any] = ()) -> None:
    """D = A * B + C, of the registers of the matrices (all operands) in a row; the rest stands after them."""
    variant = code.variants[0]
    counts = {spec.name: spec.count(variant.slots) or 1 for spec in variant.compiled.operands}
    values = registers(s, op.operands if matrices is None else matrices)
    if sum(counts.get(part, 0) for part in "abc") != len(values):
        raise compile_error(op, f"'{code}' does not take {len(values)} registers")
    a, b = counts["a"], counts["a"] + counts["b"]
    outs = outputs(s, op)
    s.read(code, outs, values[:a], values[a:b], values[b:], *rest, outs=outs)
