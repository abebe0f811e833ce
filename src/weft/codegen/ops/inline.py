"""Inline PTX: `llvm.inline_asm` and `nvvm.inline_ptx`."""

from __future__ import annotations

import re
from typing import Any

from xdsl.dialects.builtin import IntegerType

from weft.codegen import linear
from weft.codegen.access import generic
from weft.codegen.asm import Asm, parse
from weft.codegen.bitcast import recast
from weft.codegen.graph import BITS, PRED, Const, Value
from weft.codegen.provenance import is_generic
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, element_types, layout
from weft.isa.registers import class_for_letter
from weft.mlir import compile_error


@handles("llvm.inline_asm")
def select_inline_asm(s: Selector, op: Any) -> None:
    """Assembly with LLVM's constraints: `=r`, `r`, `n`, a number for an input in an output's register."""
    constraints = [c for c in op.properties["constraints"].data.split(",") if c and not c.startswith("~")]
    types = [type_ for result in op.results for type_ in _members(result.type)]
    outputs = [c for c in constraints if c.startswith("=")]
    results = [_kind(type_, _class(op, c.lstrip("=&"))) for type_, c in zip(types, outputs, strict=False)]
    if len(outputs) != len(types) or len(constraints) != len(types) + len(op.operands):
        raise compile_error(op, "the constraints do not match the operands and results")
    outs = tuple(s.value(_class(op, c.lstrip("=&"))) for c in outputs)
    operands: list[Value | Const | int] = list(outs)
    ties: list[tuple[Value, Any]] = []
    for constraint, value in zip(constraints[len(outputs) :], op.operands, strict=True):
        scalar = _whole(s, value, "" if constraint.isdecimal() else constraint)
        if constraint.isdecimal():
            tied = outs[int(constraint)]
            ties.append((tied, _register(s, scalar, tied.cls)))
            operands.append(outs[int(constraint)])
        elif constraint in ("n", "i"):
            operands.append(_immediate(op, scalar))
        else:
            operands.append(_register(s, scalar, _class(op, constraint)))
    asm = parse(op, op.properties["asm_string"].data, operands, outs)
    asm.ties = tuple(ties)
    values = [
        part
        for value, kind, type_ in zip(_append(s, asm, outs, results), results, types, strict=True)
        for part in _parts(s, value, kind, type_)
    ]
    if op.results:
        s.values[op.results[0]] = s.unflatten(op.results[0].type, tuple(values))


def _members(type_: Any) -> tuple[Any, ...]:
    """The types of the outputs of assembly with a result of this type."""
    if type_.name == "llvm.void":
        return ()
    return element_types(type_) if type_.name == "llvm.struct" else (type_,)


def _kind(type_: Any, cls: str) -> Scalar:
    """What the register of a type holds: one of several elements their bits as an integer."""
    kinds = layout(type_).scalars
    if len(kinds) == 1:
        return kinds[0]
    width = BITS[cls]
    return Scalar("int", "b64" if width == 64 else "b32", width, f"i{width}")


def _parts(s: Selector, value: Any, kind: Scalar, type_: Any) -> tuple[Any, ...]:
    """The scalars of a type, of its register."""
    if len(layout(type_).scalars) == 1:
        return (value,)
    return s.flatten(recast(s, value, IntegerType(kind.width), type_))


def _whole(s: Selector, value: Any, letter: str) -> Any:
    """The one scalar that an input is: the bits of several elements as an integer."""
    scalars = s.flatten(s.get(value))
    if len(scalars) == 1 or not letter.isalpha() or letter in ("n", "i"):
        return _passed(s, scalars[0], layout(value.type).scalars[0])
    return recast(s, s.get(value), value.type, IntegerType({"h": 16, "l": 64, "d": 64}.get(letter, 32)))


def _passed(s: Selector, scalar: Any, kind: Scalar) -> Any:
    """A scalar as PTX text sees it: a generic pointer as the generic address, whatever is known of its state space."""
    return generic(s, scalar) if is_generic(kind) else scalar


_NAMED = re.compile(r"\{\$(rw|w|ro)(\d+)\}")


@handles("nvvm.inline_ptx")
def select_inline_ptx(s: Selector, op: Any) -> None:
    """PTX whose operands are numbered: those read and written first, then the results, then those only read.

    `{$rw0}`, `{$w0}`, `{$ro0}` count within each group.  After it, the operands read and written are what it wrote.
    """
    reads, changes, predicates = op.properties["operandSegmentSizes"].get_values()
    changed = op.operands[reads : reads + changes]
    results = [kind for result in op.results for kind in layout(result.type).scalars]
    ties = _places(s, changed)
    outs = tuple(s.value(source.cls) for source, _ in ties) + tuple(s.value(_carrier(kind)) for kind in results)
    inputs: list[Value | Const | int] = [value for value, _ in _places(s, op.operands[:reads])]
    start = {"rw": 0, "w": len(ties), "ro": len(outs)}
    text = _NAMED.sub(lambda m: f"${start[m[1]] + int(m[2])}", op.properties["ptxCode"].data)
    if predicates:
        text = f"@${len(outs) + len(inputs)} {text}"
        inputs.append(s.register(s.test(op.operands[-1]), PRED))
    asm = parse(op, text, [*outs, *inputs], outs)
    asm.ties = tuple((out, source) for out, (source, _) in zip(outs, ties, strict=False))
    values = _append(s, asm, outs, [*(kind for _, kind in ties), *results])
    at = 0
    for name in (*changed, *op.results):
        count = len(layout(name.type).scalars)
        s.values[name] = s.unflatten(name.type, tuple(values[at : at + count]))
        at += count


def _places(s: Selector, operands: Any) -> list[tuple[Value, Scalar]]:
    """The registers of the scalars of SSA values, and what they hold."""
    return [
        (_register(s, _passed(s, scalar, kind), _carrier(kind)), kind)
        for value in operands
        for scalar, kind in zip(s.flatten(s.get(value)), layout(value.type).scalars, strict=True)
    ]


def _carrier(kind: Scalar) -> str:
    """The class of the register that PTX text sees: 16-bit integers as such, pointers always as 64 bits."""
    if kind.kind == "pointer":
        return "b64"
    return "b16" if kind.kind == "int" and kind.width == 16 else kind.cls


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


def _append(s: Selector, asm: Asm, outs: tuple[Value, ...], kinds: list[Scalar]) -> list[Any]:
    """Append the assembly; its results as scalars."""
    for value in outs:
        value.inst = asm
    s.block.items.append(asm)
    scalars: list[Any] = []
    for value, kind in zip(outs, kinds, strict=True):
        if kind.kind == "int" and value.cls == "b16":
            value = s.pure("cvt.u32.u16", "b32", value, lo=0, hi=0xFFFF)
        if kind.kind == "pointer" and kind.cls == "b32":
            scalars.append(s.truncated(linear.of(value)))
        else:
            scalars.append(s.wrapped(value, kind))
    return scalars
