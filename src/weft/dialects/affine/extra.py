"""`affine.max`, and the syntax of `affine.if`."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType
from xdsl.ir import Block, Region
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


class IfOp(affine.IfOp):
    """`affine.if #set(dims)[symbols] -> (types) { ... } else { ... }`: xDSL's operation, with MLIR's syntax."""

    name = "affine.if"

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        """Parse everything after the operation's name."""
        position = parser.pos
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error("expected an integer set", position, parser.pos)
        dims = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_operand(IndexType()))
        symbols = parser.parse_optional_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
        )
        results = []
        if parser.parse_optional_punctuation("->"):
            results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        regions = [parser.parse_region(), parser.parse_region() if parser.parse_optional_keyword("else") else Region()]
        for region in regions[: 2 if regions[1].blocks else 1]:
            _terminate(region)
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=[*dims, *(symbols or ())],
            result_types=results,
            properties={"condition": condition},
            regions=regions,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_attribute(self.condition)
        count = self.condition.data.num_dims
        with printer.in_parens():
            printer.print_list(self.args[:count], printer.print_ssa_value)
        if self.args[count:]:
            with printer.in_square_brackets():
                printer.print_list(self.args[count:], printer.print_ssa_value)
        if self.results:
            printer.print_string(" -> ")
            with printer.in_parens():
                printer.print_list(self.result_types, printer.print_attribute)
        shown = bool(self.results)
        printer.print_string(" ")
        printer.print_region(self.then_region, print_block_terminators=shown)
        if self.else_region.blocks:
            printer.print_string(" else ")
            printer.print_region(self.else_region, print_block_terminators=shown)
        printer.print_op_attributes(self.attributes)


def _terminate(region: Region) -> None:
    """Give a region of a conditional the `affine.yield` that its text leaves out."""
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    if not isinstance(block.last_op, affine.YieldOp):
        block.add_op(affine.YieldOp.get())
