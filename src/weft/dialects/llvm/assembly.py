"""`llvm.inline_asm`, with its words in MLIR's order."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.llvm.words import parse_number
from weft.dialects.redefinition import redefinition

_DIALECTS = ("att", "intel")
_FLAGS = ("has_side_effects", "is_align_stack")


@redefinition(operand_attrs=ArrayAttr)
class InlineAsmOp(llvm.InlineAsmOp):
    """`llvm.inline_asm has_side_effects? tail_call_kind = <tail>? asm_dialect = att? "asm", "=r,r" %a : (T) -> U`."""

    name = "llvm.inline_asm"

    def verify_(self) -> None:
        """Nothing beyond the definition."""

    @classmethod
    def parse(cls, parser: Parser) -> InlineAsmOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {
            word: UnitAttr() for word in _FLAGS if parser.parse_optional_keyword(word) is not None
        }
        properties["tail_call_kind"] = llvm.TailCallKindAttr(llvm.TailCallKind.NONE)
        while True:
            word = parser.parse_optional_keyword_in({"tail_call_kind", "asm_dialect", "operand_attrs"})
            if word is None:
                break
            parser.parse_punctuation("=")
            if word == "tail_call_kind":
                with parser.in_angle_brackets():
                    properties[word] = llvm.TailCallKindAttr(parser.parse_str_enum(llvm.TailCallKind))
            elif word == "operand_attrs":
                properties[word] = parser.parse_attribute()
            else:
                properties[word] = parse_number(parser, word, _DIALECTS)
        attributes = parser.parse_optional_attr_dict()
        properties["asm_string"] = StringAttr(parser.parse_str_literal())
        parser.parse_punctuation(",")
        properties["constraints"] = StringAttr(parser.parse_str_literal())
        names = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        position = parser.pos
        signature = parser.parse_function_type()
        return cls.create(
            operands=parser.resolve_operands(names or [], signature.inputs.data, position),
            result_types=signature.outputs.data,
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string("".join(f" {word}" for word in _FLAGS if word in self.properties))
        if self.tail_call_kind.data != llvm.TailCallKind.NONE:
            printer.print_string(f" tail_call_kind = <{self.tail_call_kind.data.value}>")
        if self.asm_dialect is not None:
            printer.print_string(f" asm_dialect = {_DIALECTS[self.asm_dialect.value.data]}")
        if "operand_attrs" in self.properties:
            printer.print_string(" operand_attrs = ")
            printer.print_attribute(self.properties["operand_attrs"])
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.asm_string)
        printer.print_string(", ")
        printer.print_attribute(self.constraints)
        if self.operands_:
            printer.print_string(" ")
            printer.print_list(self.operands_, printer.print_ssa_value)
        printer.print_string(" : ")
        types = [result.type for result in self.results]
        printer.print_function_type([value.type for value in self.operands_], types)
