"""Attributes of `llvm` with a syntax of their own: files, expressions, and those without fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class FileAttr(ParametrizedAttribute):
    """`#llvm.di_file<"name" in "directory">`."""

    name = "llvm.di_file"

    file: StringAttr
    directory: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<"name" in "directory">`."""
        with parser.in_angle_brackets():
            file = parser.parse_str_literal()
            parser.parse_keyword("in")
            return [StringAttr(file), StringAttr(parser.parse_str_literal())]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<"name" in "directory">`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.file)
            printer.print_string(" in ")
            printer.print_attribute(self.directory)


@irdl_attr_definition
class ExpressionAttr(ParametrizedAttribute):
    """`#llvm.di_expression<[DW_OP_deref, DW_OP_plus_uconst(3)]>`: each operation is its name and its arguments."""

    name = "llvm.di_expression"

    operations: ArrayAttr[ArrayAttr[Attribute]]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<[operation, ...]>`, `<>`, or nothing."""
        if parser.parse_optional_punctuation("<") is None:
            return [ArrayAttr[ArrayAttr[Attribute]]([])]
        found = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: _operation(parser))
        parser.parse_punctuation(">")
        return [ArrayAttr(found or [])]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<[operation, ...]>`, or `<>`."""
        with printer.in_angle_brackets():
            if self.operations.data:
                with printer.in_square_brackets():
                    printer.print_list(self.operations.data, lambda operation: _print_operation(printer, operation))


def _operation(parser: AttrParser) -> ArrayAttr[Attribute]:
    """An operation with its arguments: integers, or words and types (`DW_OP_LLVM_convert(32, DW_ATE_signed)`)."""
    name = StringAttr(parser.parse_identifier())
    arguments = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, lambda: _argument(parser))
    return ArrayAttr([name, *(arguments or [])])


def _argument(parser: AttrParser) -> Attribute:
    number = parser.parse_optional_integer(allow_boolean=False)
    return StringAttr(parser.parse_identifier()) if number is None else IntAttr(number)


def _print_operation(printer: Printer, operation: ArrayAttr[Attribute]) -> None:
    name, *arguments = operation.data
    printer.print_string(cast("StringAttr", name).data)
    if arguments:
        shown = ", ".join(str(cast("StringAttr | IntAttr", argument).data) for argument in arguments)
        printer.print_string(f"({shown})")


WRITTEN: dict[str, type[Attribute]] = {cls.name: cls for cls in (FileAttr, ExpressionAttr)}
"""These classes by their names."""
