"""The syntax of `arith.constant`, which takes only what has a type as its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import NoneType, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, TypedAttribute
from xdsl.parser import Parser
from xdsl.printer import Printer

if TYPE_CHECKING:
    from weft.dialects.rows import arith


def parse_constant(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `attr-dict value`.

    Raises:
        ParseError: the value has no type.
    """
    attributes = parser.parse_optional_attr_dict()
    start = parser.pos
    value = parser.parse_attribute()
    kind = _type_of(value)
    if kind is None:
        parser.raise_error(f"custom op '{cls.name}' invalid kind of attribute specified", start, start)
    return cls.create(result_types=[kind], properties={"value": value}, attributes=attributes)


def print_constant(op: arith.ConstantOp, printer: Printer) -> None:
    """Print what `parse_constant` parses."""
    printer.print_op_attributes(op.attributes)
    printer.print_string(" ")
    printer.print_attribute(op.value)


def _type_of(value: Attribute) -> Attribute | None:
    if isinstance(value, StringAttr):
        return NoneType()
    if not isinstance(value, TypedAttribute) or isinstance(value, SymbolRefAttr):
        return None
    return value.get_type()
