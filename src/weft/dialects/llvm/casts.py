"""Casts between pointers and integers, of vectors too."""

from __future__ import annotations

from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from weft.dialects.llvm.extra import CastOperation
from weft.dialects.llvm.words import parse_dereferenceable, print_dereferenceable


@irdl_op_definition
class PtrToIntOp(CastOperation):
    """`llvm.ptrtoint`: the address as a number."""

    name = "llvm.ptrtoint"


@irdl_op_definition
class IntToPtrOp(IRDLOperation):
    """`llvm.inttoptr %arg dereferenceable<...>? : T to !llvm.ptr`: the pointer to an address."""

    name = "llvm.inttoptr"

    arg = operand_def()
    dereferenceable = opt_prop_def()
    res = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> IntToPtrOp:
        """Parse everything after the operation's name."""
        arg = parser.parse_unresolved_operand()
        properties: dict[str, Attribute] = parse_dereferenceable(parser)
        attributes = parser.parse_optional_attr_dict()
        if "dereferenceable" in attributes:
            properties["dereferenceable"] = attributes.pop("dereferenceable")
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(arg, parser.parse_type())]
        parser.parse_keyword("to")
        results = [parser.parse_type()]
        return cls.create(operands=operands, result_types=results, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.arg)
        print_dereferenceable(printer, self.dereferenceable)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.arg.type)
        printer.print_string(" to ")
        printer.print_attribute(self.res.type)
