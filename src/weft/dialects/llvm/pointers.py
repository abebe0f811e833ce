"""`llvm.getelementptr`, with all of its promises: read, printed, and made."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i32
from xdsl.dialects.utils import parse_dynamic_index_list_without_types, print_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.engine.making import new

if TYPE_CHECKING:
    from weft.dialects.rows import llvm as rows

_PROMISES = {"none": 0, "inbounds_flag": 1, "nusw": 2, "nuw": 4, "inbounds": 3}
"""What each word says, as bits: `inbounds` says `nusw` as well."""
_ORDER = ("inbounds_flag", "nusw", "nuw", "inbounds")
_DYNAMIC = -(1 << 31)
"""Stands in the constant indices for an operand."""


def element_pointer(base: SSAValue, index: SSAValue | int, element: Attribute) -> Operation:
    """`base + index` elements of a type, an index of any width; no promises."""
    dynamic = isinstance(index, SSAValue)
    return new(
        "llvm.getelementptr",
        base,
        (index,) if dynamic else (),
        results=(base.type,),
        elem_type=element,
        raw_constant_indices=_indices(_DYNAMIC if dynamic else index),
    )


@cache
def _indices(index: int) -> Attribute:
    return DenseArrayBase.from_list(i32, [index])


def parse_getelementptr(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `llvm.getelementptr promises? %base[%i, 3] : (!llvm.ptr, i64) -> !llvm.ptr, T`."""
    promises = 0
    while True:
        word = parser.parse_optional_keyword_in(_PROMISES)
        if word is None:
            break
        promises |= _PROMISES[word]
        if parser.parse_optional_punctuation("|") is None:
            break
    place = parser.pos
    if parser.parse_optional_keyword("none") is None and (word := parser.parse_optional_identifier()) is not None:
        listed = ", ".join(("none", *_ORDER))
        summary = "::mlir::LLVM::GEPNoWrapFlags"
        message = f"custom op '{cls.name}' expected one of [{listed}] for {summary}, got: {word}"
        parser.raise_error(message, place, place)
    base = parser.parse_unresolved_operand()
    start = parser.pos
    names, indices = parse_dynamic_index_list_without_types(parser, _DYNAMIC)
    if not indices:
        parser.raise_error("expected SSA operand", start + 1, start + 1)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    signature = parser.parse_function_type()
    parser.parse_punctuation(",")
    element = parser.parse_type()
    return cls.create(
        operands=parser.resolve_operands([base, *names], signature.inputs.data, position),
        result_types=signature.outputs.data,
        properties={
            "rawConstantIndices": DenseArrayBase.from_list(i32, indices),
            "elem_type": element,
            "noWrapFlags": IntegerAttr(promises, i32),
        },
        attributes=attributes,
    )


def print_getelementptr(op: rows.GetelementptrOp, printer: Printer) -> None:
    """Print what `parse_getelementptr` parses."""
    promises = op.no_wrap_flags.value.data
    words = ["inbounds"] if promises & 3 == 3 else [w for w in ("inbounds_flag", "nusw") if promises & _PROMISES[w]]
    words += ["nuw"] if promises & 4 else []
    printer.print_string(f" {'|'.join(words)} " if words else " ")
    printer.print_ssa_value(op.ptr)
    print_dynamic_index_list(printer, _DYNAMIC, op.ssa_indices, op.raw_constant_indices.iter_values())
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_function_type([value.type for value in op.operands], [op.result.type])
    printer.print_string(", ")
    printer.print_attribute(op.elem_type)
