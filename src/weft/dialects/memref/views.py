"""`memref.transpose`: a buffer seen with its dimensions in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineDimExpr, AffineMap

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import memref


def parse_transpose(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `memref.transpose %m (d0, d1) -> (d1, d0)`."""
    source = parser.parse_unresolved_operand()
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier)
    parser.parse_punctuation("->")

    def place_of_name() -> int:
        start = parser.pos
        name = parser.parse_identifier()
        if name not in names:
            parser.raise_error("use of undeclared identifier", start, parser.pos)
        return names.index(name)

    order = parser.parse_comma_separated_list(parser.Delimiter.PAREN, place_of_name)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source_type = parser.parse_type()
    parser.parse_keyword("to")
    result_type = parser.parse_type()
    permutation = AffineMap(len(names), 0, tuple(map(AffineDimExpr, order)))
    return cls.create(
        operands=[parser.resolve_operand(source, source_type)],
        result_types=[result_type],
        properties={"permutation": AffineMapAttr(permutation)},
        attributes=attributes,
    )


def print_transpose(op: memref.TransposeOp, printer: Printer) -> None:
    """Print what `parse_transpose` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.source)
    printer.print_string(f" {op.permutation.data}")
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.source.type)
    printer.print_string(" to ")
    printer.print_attribute(op.result.type)
