"""Functions as values: `func.constant` and `func.call_indirect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FunctionType
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.formats import operation_place

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from weft.dialects.rows import func as rows


def parse_call_indirect(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `func.call_indirect %f(%x) : (T) -> U`."""
    callee = parser.parse_unresolved_operand()
    arguments_place = parser.pos + 1
    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    place = parser.pos
    kind = parser.parse_type()
    if not isinstance(kind, FunctionType):
        message = f"invalid kind of type specified: expected builtin.function, but found '{kind}'"
        parser.raise_error(f"custom op '{cls.name}' {message}", place, place)
    inputs = kind.inputs.data
    if len(inputs) != len(arguments):
        start = arguments_place if arguments else operation_place(parser)
        message = f"number of operands and types do not match: got {len(arguments)} operands and {len(inputs)} types"
        parser.raise_error(f"custom op '{cls.name}' {message}", start, start)
    operands = [parser.resolve_operand(callee, kind), *parser.resolve_operands(arguments, inputs, place)]
    return cls.create(operands=operands, result_types=kind.outputs.data, attributes=attributes)


def print_call_indirect(op: rows.CallIndirectOp, printer: Printer) -> None:
    """Print what `parse_call_indirect` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.callee)
    with printer.in_parens():
        printer.print_list(op.callee_operands, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.callee.type)
