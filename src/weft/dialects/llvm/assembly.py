"""`llvm.inline_asm`, with its words in MLIR's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.llvm.words import parse_number

if TYPE_CHECKING:
    from weft.dialects.rows import llvm as rows

_DIALECTS = ("att", "intel")
_FLAGS = ("has_side_effects", "is_align_stack")


def parse_inline_asm(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `has_side_effects? tail_call_kind = <tail>? asm_dialect = att? "asm", "=r,r" %a : (T) -> U`."""
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


def print_inline_asm(op: rows.InlineAsmOp, printer: Printer) -> None:
    """Print what `parse_inline_asm` parses."""
    printer.print_string("".join(f" {word}" for word in _FLAGS if word in op.properties))
    if op.tail_call_kind.data != llvm.TailCallKind.NONE:
        printer.print_string(f" tail_call_kind = <{op.tail_call_kind.data.value}>")
    if op.asm_dialect is not None:
        printer.print_string(f" asm_dialect = {_DIALECTS[op.asm_dialect.value.data]}")
    if "operand_attrs" in op.properties:
        printer.print_string(" operand_attrs = ")
        printer.print_attribute(op.properties["operand_attrs"])
    printer.print_op_attributes(op.attributes)
    printer.print_string(" ")
    printer.print_attribute(op.asm_string)
    printer.print_string(", ")
    printer.print_attribute(op.constraints)
    if op.operands_:
        printer.print_string(" ")
        printer.print_list(op.operands_, printer.print_ssa_value)
    printer.print_string(" : ")
    types = [result.type for result in op.results]
    printer.print_function_type([value.type for value in op.operands_], types)
