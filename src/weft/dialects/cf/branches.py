"""`cf.cond_br`, with weights."""

from __future__ import annotations

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseArrayBase, i1, i32
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.destinations import parse_destination, parse_weights, print_destination, print_weights
from weft.dialects.redefinition import redefinition


@redefinition(branch_weights=DenseArrayBase)
class ConditionalBranchOp(cf.ConditionalBranchOp):
    """`cf.cond_br %test weights([1, 2])?, ^then(%x : i32), ^else`."""

    name = "cf.cond_br"

    def verify_(self) -> None:
        """Nothing beyond the definition."""

    @classmethod
    def parse(cls, parser: Parser) -> ConditionalBranchOp:
        """Parse everything after the operation's name."""
        test = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
        properties: dict[str, Attribute] = parse_weights(parser)
        parser.parse_punctuation(",")
        then, first = parse_destination(parser)
        parser.parse_punctuation(",")
        otherwise, second = parse_destination(parser)
        attributes = parser.parse_optional_attr_dict()
        properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [1, len(first), len(second)])
        return cls.create(
            operands=[test, *first, *second],
            properties=properties,
            attributes=attributes,
            successors=[then, otherwise],
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        print_weights(printer, self.properties.get("branch_weights"))
        printer.print_string(", ")
        print_destination(printer, self.then_block, self.then_arguments)
        printer.print_string(", ")
        print_destination(printer, self.else_block, self.else_arguments)
        printer.print_op_attributes(self.attributes)
