"""`llvm.alloca`, with `inalloca`."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.redefinition import redefinition


@redefinition(inalloca=UnitAttr)
class AllocaOp(llvm.AllocaOp):
    """`llvm.alloca inalloca? %size x T {alignment}? : (i32) -> !llvm.ptr`."""

    name = "llvm.alloca"

    def verify_(self) -> None:
        """Nothing beyond the definition."""

    @classmethod
    def parse(cls, parser: Parser) -> AllocaOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("inalloca") is not None:
            properties["inalloca"] = UnitAttr()
        size = parser.parse_unresolved_operand()
        parser.parse_keyword("x")
        element = parser.parse_type()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        place = parser.pos
        signature = parser.parse_function_type()
        if len(signature.inputs.data) != 1 or len(signature.outputs.data) != 1:
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

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" inalloca " if "inalloca" in self.properties else " ")
        printer.print_ssa_value(self.size)
        printer.print_string(" x ")
        printer.print_attribute(self.elem_type)
        shown = {} if self.alignment is None else {"alignment": self.alignment}
        printer.print_op_attributes({**shown, **self.attributes})
        printer.print_string(" : ")
        printer.print_function_type([self.size.type], [self.res.type])
