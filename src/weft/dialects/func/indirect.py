"""Functions as values: `func.constant` and `func.call_indirect`."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, SymbolRefAttr
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure, SymbolTable
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import operation_place


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """`func.constant @name : (T) -> U`: a function as a value."""

    name = "func.constant"

    value = prop_def(SymbolRefAttr)
    result = result_def()

    traits = traits_def(ConstantLike(), Pure())
    assembly_format = "attr-dict $value `:` type($result)"

    def verify_(self) -> None:
        """The function exists and has the type."""
        called = SymbolTable.lookup_symbol(self, self.value)
        if not isinstance(called, func.FuncOp):
            raise VerifyException(f"reference to undefined function '{self.value.string_value()}'")
        if called.function_type != self.result.type:
            raise VerifyException("reference to function with mismatched type")


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """`func.call_indirect %f(%x) : (T) -> U`: call a function that is a value."""

    name = "func.call_indirect"

    callee = operand_def(base(FunctionType))
    callee_operands = var_operand_def()
    results_ = var_result_def()

    @classmethod
    def parse(cls, parser: Parser) -> CallIndirectOp:
        """Parse everything after the operation's name."""
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
            message = (
                f"number of operands and types do not match: got {len(arguments)} operands and {len(inputs)} types"
            )
            parser.raise_error(f"custom op '{cls.name}' {message}", start, start)
        operands = [parser.resolve_operand(callee, kind), *parser.resolve_operands(arguments, inputs, place)]
        return cls.create(operands=operands, result_types=kind.outputs.data, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.callee)
        with printer.in_parens():
            printer.print_list(self.callee_operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.callee.type)
