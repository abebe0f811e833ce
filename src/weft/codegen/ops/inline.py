"""Inline PTX: `llvm.inline_asm` and `nvvm.inline_ptx`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import constraints, linear
from weft.codegen.asm import Asm, instructions, parse
from weft.codegen.graph import PRED, Const, Value
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.dialects import narrow
from weft.errors import counted
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects import rows
    from weft.dialects.rows import nvvm


@handles("llvm.inline_asm")
def select_inline_asm(s: Selector, op: rows.llvm.InlineAsmOp) -> None:
    """Assembly with LLVM's constraints: `=r`, `r`, `n`, a number for an input in an output's register."""
    outputs, inputs = constraints.parse(op, op.constraints.data)
    types = [type_ for result in op.results for type_ in constraints.members(result.type)]
    if len(outputs) != len(types) or len(inputs) != len(op.operands):
        raise compile_error(op, "the constraints do not match the operands and results")
    outs = tuple(s.value(constraint.cls) for constraint in outputs)
    operands: list[Value | Const | int] = list(outs)
    ties: list[tuple[Value, Value | Const]] = []
    for constraint, value in zip(inputs, op.operands, strict=True):
        held = s.get(value)
        if constraint.immediate and isinstance(held, linear.Lin) and held.is_const:
            operands.append(held.const)
        elif not constraint.cls:
            raise compile_error(op, "an immediate operand must be a constant")
        elif constraint.tied is not None:
            ties.append((outs[constraint.tied], _tied(s, op, held, value.type, constraint.cls)))
            operands.append(outs[constraint.tied])
        else:
            exact = not _is_stored(op.asm_string.data, len(operands), value.type)
            operands.append(constraints.into(s, op, held, value.type, constraint.cls, exact=exact))
    _append(s, op, op.asm_string.data, operands, outs, ties)
    values = [constraints.out_of(s, op, out, type_) for out, type_ in zip(outs, types, strict=True)]
    if op.results:
        parts = tuple(scalar for value in values for scalar in s.flatten(value))
        s.values[op.results[0]] = s.unflatten(op.results[0].type, parts)


_BYTE_STORE = re.compile(r"\bst[.\w:]*\.[bus]8\b")


def _is_stored(text: str, number: int, type_: Any) -> bool:
    """Whether all that PTX text does with an integer of 8 bits is to store its byte."""
    if getattr(type_, "bitwidth", None) != 8:
        return False
    named = re.compile(rf"\$(?:{number}\b|\{{{number}[:}}])")
    found = [statement for statement in text.split(";") if named.search(statement)]
    return bool(found) and all(_BYTE_STORE.search(statement) for statement in found)


_NAMED = re.compile(r"\{\$(rw|r|w|ro)(\d+)\}|\$(rw|r|w|ro)(\d+)")


@handles("nvvm.inline_ptx")
def select_inline_ptx(s: Selector, op: nvvm.InlinePtxOp) -> None:
    """PTX whose operands are numbered: those read and written first, then the results, then those only read.

    `{$rw0}`, `{$w0}`, `{$r0}` (or `$rw0`, `$w0`, `$r0`) count within each group.  After it, the operands read and
    written are what it wrote.
    """
    reads, changes, predicates = narrow.segments(op)
    changed = op.operands[reads : reads + changes]
    written = [value.type for value in (*changed, *op.results)]
    outs = tuple(s.value(_carrier(op, type_)) for type_ in written)
    ties: list[tuple[Value, Value | Const]] = [
        (out, _held(s, op, value)) for out, value in zip(outs, changed, strict=False)
    ]
    inputs = [_held(s, op, value) for value in op.operands[:reads]]
    groups = {"rw": (0, changes), "w": (changes, len(outs)), "r": (len(outs), len(outs) + reads)}

    def numbered(match: re.Match[str]) -> str:
        first, end = groups[(match[1] or match[3]).removesuffix("o")]
        number = first + int(match[2] or match[4])
        if number >= end:
            raise compile_error(
                op,
                f"operand {match[0]} does not exist",
                f"the PTX has {counted(end - first, 'operand')} of this kind, numbered from 0",
            )
        return f"${number}"

    text = _NAMED.sub(numbered, op.ptx_code.data)
    guard = s.register(s.test(op.operands[-1]), PRED) if predicates else None
    _append(s, op, text, [*outs, *inputs], outs, ties, guard)
    for value, out in zip((*changed, *op.results), outs, strict=True):
        s.values[value] = constraints.out_of(s, op, out, value.type)


def _held(s: Selector, op: Operation, value: Any) -> Value:
    return constraints.into(s, op, s.get(value), value.type, _carrier(op, value.type))


def _carrier(op: Operation, type_: Any) -> str:
    """The class of the register that PTX text sees: 16-bit integers as such, pointers always as 64 bits."""
    kinds = layout(type_).scalars
    if kinds and kinds[0].kind == "pointer":
        return "b64"
    if len(kinds) != 1:
        return constraints.class_of(op, type_)
    return "b16" if kinds[0].kind == "int" and kinds[0].width == 16 else kinds[0].cls


def _append(
    s: Selector,
    op: Operation,
    text: str,
    operands: Sequence[Value | Const | int],
    outs: tuple[Value, ...],
    ties: Sequence[tuple[Value, Value | Const]],
    guard: Value | None = None,
) -> Asm:
    asm = parse(op, text, operands, outs, guard=guard)
    asm.ties = _behind_fence(s, asm, ties)
    s.module.check_inline(asm)
    for value in outs:
        value.inst = asm
    s.block.items.append(asm)
    return asm


def _tied(s: Selector, op: Operation, held: Any, type_: Any, cls: str) -> Value | Const:
    """What is copied into an output's register: a constant as it is, so that the copy may go in front of a fence."""
    if isinstance(held, Const) and held.cls == cls:
        return held
    return constraints.into(s, op, held, type_, cls)


def _behind_fence(
    s: Selector, asm: Asm, ties: Sequence[tuple[Value, Value | Const]]
) -> tuple[tuple[Value, Value | Const], ...]:
    """The ties; those of a product of a warpgroup are copied in front of the last `wgmma.fence`."""
    texts = [instruction.opcode.text for instruction in instructions(asm.statements)]
    product = next((i for i, text in enumerate(texts) if text.startswith("wgmma.mma_async")), None)
    if not ties or product is None or any(text.startswith("wgmma.fence") for text in texts[:product]):
        return tuple(ties)
    from weft.codegen.nvvm.wgmma import behind_fence

    kept = behind_fence(s, [source for _, source in ties], [out.cls for out, _ in ties])
    return tuple(zip((out for out, _ in ties), kept, strict=True))
