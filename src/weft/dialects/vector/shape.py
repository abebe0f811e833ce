"""Operations of `vector` that only move elements: slices, casts of the shape, transposition, (de)composition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from weft.dialects import narrow

if TYPE_CHECKING:
    from xdsl.ir import Attribute
    from xdsl.parser import Parser
    from xdsl.printer import Printer


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """`vector.from_elements %a, %b, ...`: a vector of scalars in row-major order."""

    name = "vector.from_elements"

    elements = var_operand_def()
    dest = result_def(VectorType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> FromElementsOp:
        """Parse everything after the operation's name."""
        position = parser.pos
        elements = (
            parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            or []
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        dest = narrow.vector(parser.parse_type())
        if dest is None:
            parser.raise_error("expected a vector type")
        if len(elements) != dest.element_count():
            parser.raise_error(
                f"number of elements must be {dest.element_count()}, but got {len(elements)}", position, parser.pos
            )
        operands = [parser.resolve_operand(element, dest.element_type) for element in elements]
        return cls.create(operands=operands, result_types=[dest], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_list(self.elements, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.dest.type)


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """`vector.to_elements %v`: all scalars of a vector, in row-major order."""

    name = "vector.to_elements"

    source = operand_def(VectorType)
    elements = var_result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ToElementsOp:
        """Parse everything after the operation's name."""
        source = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = narrow.vector(parser.parse_type())
        if source_type is None:
            parser.raise_error("expected a vector type")
        results: list[Attribute] = [source_type.element_type] * source_type.element_count()
        operand = parser.resolve_operand(source, source_type)
        return cls.create(operands=[operand], result_types=results, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
