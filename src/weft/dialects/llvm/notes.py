"""Operations of `llvm` that compute nothing: variables of a debugger, scopes of aliasing."""

from __future__ import annotations

from abc import ABC

from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer


class VariableOperation(IRDLOperation, ABC):
    """`llvm.intr.dbg.x #variable (#expression)? = %value : T`."""

    value = operand_def()
    var_info = prop_def(Attribute, prop_name="varInfo")
    location_expr = opt_prop_def(Attribute, prop_name="locationExpr")

    @classmethod
    def parse(cls, parser: Parser) -> VariableOperation:
        """Parse everything after the operation's name."""
        properties = {"varInfo": parser.parse_attribute()}
        if parser.parse_optional_punctuation("=") is None:
            properties["locationExpr"] = parser.parse_attribute()
            parser.parse_punctuation("=")
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        operand = parser.resolve_operand(value, parser.parse_type())
        attributes = parser.parse_optional_attr_dict()
        return cls.create(operands=[operand], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_attribute(self.var_info)
        if self.location_expr is not None:
            printer.print_string(" ")
            printer.print_attribute(self.location_expr)
        printer.print_string(" = ")
        printer.print_ssa_value(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class DbgValueOp(VariableOperation):
    """`llvm.intr.dbg.value`: a variable has this value from here on."""

    name = "llvm.intr.dbg.value"


@irdl_op_definition
class DbgDeclareOp(VariableOperation):
    """`llvm.intr.dbg.declare`: a variable lives at this address."""

    name = "llvm.intr.dbg.declare"


@irdl_op_definition
class DbgLabelOp(IRDLOperation):
    """`llvm.intr.dbg.label #label`."""

    name = "llvm.intr.dbg.label"

    label = prop_def(Attribute)

    assembly_format = "$label attr-dict"


@irdl_op_definition
class NoAliasScopeDeclOp(IRDLOperation):
    """`llvm.intr.experimental.noalias.scope.decl #scope`: where the scope begins."""

    name = "llvm.intr.experimental.noalias.scope.decl"

    scope = prop_def(Attribute)

    assembly_format = "$scope attr-dict"
