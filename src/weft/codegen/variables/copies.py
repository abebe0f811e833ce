"""Copies and fills of structures as loads and stores of their members, so that each may be a variable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i8, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.codegen.constants import constant_of
from weft.codegen.types import align_of, element_types, padded_size, size_of, struct_offsets
from weft.dialects import narrow
from weft.dialects.engine.operations import op_class
from weft.dialects.llvm.pointers import element_pointer

COPIES, FILL = ("llvm.intr.memcpy", "llvm.intr.memmove"), "llvm.intr.memset"
_MOST_BYTES, _MOST_MEMBERS = 256, 32


def length_of(op: Operation) -> int | None:
    """The bytes that an operation copies or fills with zeros, None of any other, or where they are not few."""
    if op.name not in COPIES and op.name != FILL:
        return None
    length = constant_of(op.operands[2])
    if length is None or not 0 <= length <= _MOST_BYTES or narrow.stated(op, "isVolatile", 0):
        return None
    return length if op.name != FILL or constant_of(op.operands[1]) == 0 else None


def members(type_: Any, offset: int = 0) -> Iterator[tuple[int, Attribute]]:
    """The scalars and vectors that a type is made of, with the offsets of their bytes."""
    if type_.name == "llvm.struct":
        for at, inner in zip(struct_offsets(type_), element_types(type_), strict=False):
            yield from members(inner, offset + at)
    elif type_.name == "llvm.array":
        for number in range(min(type_.size.data, _MOST_MEMBERS + 1)):
            yield from members(type_.type, offset + number * padded_size(type_.type))
    else:
        yield offset, type_


def expand(op: Operation, type_: Attribute, offset: int) -> bool:
    """Replace a copy or a fill, which begins so many bytes behind that of a type, by loads and stores; if that can be.

    Raises:
        UnsupportedTypeError: weft knows no layout of the type.
    """
    length = length_of(op)
    assert length is not None
    parts: list[tuple[int, Attribute]] = []
    for count, (at, inner) in enumerate(members(type_)):
        if count == _MOST_MEMBERS:
            return False
        if offset < at + size_of(inner) and at < offset + length:
            if at < offset or at + size_of(inner) > offset + length:
                return False
            parts.append((at - offset, inner))
    if op.name == FILL:
        values = [_put("llvm.mlir.zero", op, (), inner).results[0] for _, inner in parts]
    else:
        values = [_load(op, at, inner) for at, inner in parts]
    for (at, inner), value in zip(parts, values, strict=True):
        alignment = {"alignment": IntegerAttr(_alignment(op, 0, at, inner), i64)}
        _put("llvm.store", op, (value, _moved(op, op.operands[0], at)), None, alignment)
    Rewriter.erase_op(op)
    return True


def _load(op: Operation, at: int, type_: Attribute) -> SSAValue:
    pointer = _moved(op, op.operands[1], at)
    return _put(
        "llvm.load", op, (pointer,), type_, {"alignment": IntegerAttr(_alignment(op, 1, at, type_), i64)}
    ).results[0]


def _alignment(op: Operation, index: int, at: int, type_: Attribute) -> int:
    """The alignment of a member, by what a copy says of its operand."""
    notes = narrow.dictionaries(op, "arg_attrs")
    stated = notes[index].get("llvm.align") if notes else None
    known = 1 if stated is None else narrow.number(stated)
    return min(align_of(type_), known, at & -at or known)


def _moved(op: Operation, pointer: SSAValue, by: int) -> SSAValue:
    return _placed(element_pointer(pointer, by, i8), op).results[0]


def _put(
    name: str, at: Operation, operands: tuple[SSAValue, ...], type_: Attribute | None,
    properties: Mapping[str, Attribute] | None = None,
) -> Operation:  # fmt: skip
    """A new operation before another one."""
    types = [] if type_ is None else [type_]
    return _placed(op_class(name).create(operands=operands, result_types=types, properties=dict(properties or {})), at)


def _placed(made: Operation, at: Operation) -> Operation:
    made.location = at.location
    Rewriter.insert_op(made, InsertPoint.before(at))
    return made
