"""`llvm.alloca`, with `inalloca`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FunctionType, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

if TYPE_CHECKING:
    from weft.dialects.rows import llvm as rows


def parse_alloca(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `llvm.alloca inalloca? %size x T {alignment}? : (i32) -> !llvm.ptr`."""
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("inalloca") is not None:
        properties["inalloca"] = UnitAttr()
    size = parser.parse_unresolved_operand()
    parser.parse_keyword("x")
    element = parser.parse_type()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    place = parser.pos
    signature = parser.parse_type()
    if not isinstance(signature, FunctionType) or not len(signature.inputs.data) == 1 == len(signature.outputs.data):
        message = "expected trailing function type with one argument and one result"
        parser.raise_error(f"custom op 'llvm.alloca' {message}", place, place)
    if signature.outputs.data[0].name == "llvm.ptr":  # MLIR keeps the type of what is allocated only for pointers.
        properties["elem_type"] = element
    if "alignment" in attributes:
        properties["alignment"] = attributes.pop("alignment")
    return cls.create(
        operands=[parser.resolve_operand(size, signature.inputs.data[0])],
        properties=properties,
        result_types=signature.outputs.data,
        attributes=attributes,
    )


def print_alloca(op: rows.AllocaOp, printer: Printer) -> None:
    """Print what `parse_alloca` parses."""
    printer.print_string(" inalloca " if "inalloca" in op.properties else " ")
    printer.print_ssa_value(op.size)
    printer.print_string(" x ")
    printer.print_attribute(op.elem_type)
    shown = {} if op.alignment is None else {"alignment": op.alignment}
    printer.print_op_attributes({**shown, **op.attributes})
    printer.print_string(" : ")
    printer.print_function_type([op.size.type], [op.res.type])
