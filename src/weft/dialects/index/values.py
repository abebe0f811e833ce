"""Constants, casts and comparisons of `index`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.utils.exceptions import VerifyException

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import index


def parse_bool_constant(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `index.bool.constant true`."""
    attributes = parser.parse_optional_attr_dict()
    value = IntegerAttr(parser.parse_integer(), i1)
    return cls.create(result_types=[i1], properties={"value": value}, attributes=attributes)


def print_bool_constant(op: index.BoolConstantOp, printer: Printer) -> None:
    """Print what `parse_bool_constant` parses."""
    printer.print_op_attributes(op.attributes)
    printer.print_string(" true" if op.value.value.data else " false")


def cast(op: index.CastsOp | index.CastuOp) -> None:
    """One side must be `index`, the other not."""
    if isinstance(op.input.type, IndexType) == isinstance(op.output.type, IndexType):
        raise VerifyException(
            f"operand type '{op.input.type}' and result type '{op.output.type}' are cast incompatible"
        )
