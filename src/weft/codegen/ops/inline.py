"""Inline PTX: `llvm.inline_asm` and `nvvm.inline_ptx`."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.asm import parse
from weft.codegen.graph import PRED, Const, Value
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout
from weft.isa.registers import class_for_letter
from weft.mlir import compile_error


@handles("llvm.inline_asm")
def select_inline_asm(s: Selector, op: Any) -> None:
    """Assembly with LLVM's constraints: `=r`, `r`, `n`, a number for an input in an output's register."""
    constraints = [c for c in op.properties["constraints"].data.split(",") if c and not c.startswith("~")]
    results = [kind for result in op.results for kind in layout(result.type).scalars]
    outputs = [c for c in constraints if c.startswith("=")]
    if len(outputs) != len(results) or len(constraints) != len(results) + len(op.operands):
        raise compile_error(op, "the constraints do not match the operands and results")
    outs = tuple(s.value(_class(op, c.lstrip("=&"))) for c in outputs)
    operands: list[Value | Const | int] = list(outs)
    ties: list[tuple[Value, Any]] = []
    for constraint, value in zip(constraints[len(outputs) :], op.operands, strict=True):
        scalar = s.flatten(s.get(value))[0]
        if constraint.isdecimal():
            ties.append((outs[int(constraint)], s.as_operand(scalar)))
            operands.append(outs[int(constraint)])
        elif constraint in ("n", "i"):
            operands.append(_immediate(op, scalar))
        else:
            operands.append(_register(s, scalar, _class(op, constraint)))
    asm = parse(op, op.properties["asm_string"].data, operands, outs)
    asm.ties = tuple(ties)
    _append(s, op, asm, outs, results)


@handles("nvvm.inline_ptx")
def select_inline_ptx(s: Selector, op: Any) -> None:
    """PTX whose operands are numbered: results first, then what is read."""
    reads, writes, predicates = op.properties["operandSegmentSizes"].get_values()
    if writes:
        raise compile_error(op, "operands that are read and written have no lowering", "return the new value instead")
    results = [kind for result in op.results for kind in layout(result.type).scalars]
    outs = tuple(s.value(kind.cls) for kind in results)
    operands: list[Value | Const | int] = list(outs)
    for value in op.operands[:reads]:
        for scalar, kind in zip(s.flatten(s.get(value)), layout(value.type).scalars, strict=True):
            operands.append(_register(s, scalar, kind.cls))
    text = op.properties["ptxCode"].data
    if predicates:
        text = f"@${len(operands)} {text}"
        operands.append(s.register(s.test(op.operands[-1]), PRED))
    _append(s, op, parse(op, text, operands, outs), outs, results)


def _class(op: Any, letter: str) -> str:
    if letter not in tuple("bhrlfdq"):
        raise compile_error(op, f"the constraint '{letter}' has no register class", "one of b h r l f d q")
    found = class_for_letter(letter)
    return found.view_of or {"f64": "b64"}.get(found.name, found.name)


def _immediate(op: Any, scalar: Any) -> int:
    if not isinstance(scalar, linear.Lin) or not scalar.is_const:
        raise compile_error(op, "an immediate operand must be a constant")
    return scalar.const


def _register(s: Selector, scalar: Any, cls: str) -> Value:
    """The scalar in a register of the class that the constraint wants."""
    if isinstance(scalar, linear.Lin):
        if cls == "b16":
            return s.pure("cvt.u16.u32", cls, s.int_value(s.truncated(scalar)))
        wide = s.extended(scalar, signed=False) if cls == "b64" else s.truncated(scalar)
        return s.int_value(wide)
    return s.register(scalar, cls)


def _append(s: Selector, op: Any, asm: Any, outs: tuple[Value, ...], kinds: list[Scalar]) -> None:
    for value in outs:
        value.inst = asm
    s.block.items.append(asm)
    scalars: list[Any] = []
    for value, kind in zip(outs, kinds, strict=True):
        if kind.kind == "int" and value.cls == "b16":
            value = s.pure("cvt.u32.u16", "b32", value, lo=0, hi=0xFFFF)
        scalars.append(s.wrapped(value, kind))
    at = 0
    for result in op.results:
        count = len(layout(result.type).scalars)
        s.values[result] = s.unflatten(result.type, tuple(scalars[at : at + count]))
        at += count
