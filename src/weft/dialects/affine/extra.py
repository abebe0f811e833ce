"""`affine.max`."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure


@irdl_op_definition
class MaxOp(IRDLOperation):
    """`affine.max map(dims)[symbols]`: the largest result of an affine map."""

    name = "affine.max"

    arguments = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> MaxOp:
        """Parse everything after the operation's name."""
        position = parser.pos
        map_attribute = parser.parse_attribute()
        if not isinstance(map_attribute, AffineMapAttr):
            parser.raise_error("expected an affine map", position, parser.pos)
        dims = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType()))
        symbols = parser.parse_optional_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=[*dims, *(symbols or ())],
            result_types=[IndexType()],
            properties={"map": map_attribute},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_attribute(self.map)
        count = self.map.data.num_dims
        with printer.in_parens():
            printer.print_list(self.arguments[:count], printer.print_ssa_value)
        if self.arguments[count:]:
            with printer.in_square_brackets():
                printer.print_list(self.arguments[count:], printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
