"""`#llvm.constant_range<i32, 0, 32>`: the half-open range that an integer result lies in."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, IntegerType
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from weft.dialects.formats import parse_number


def _wrapped(value: int, kind: Attribute) -> int:
    """A bound in the width of the type, with its sign."""
    bits = kind.bitwidth if isinstance(kind, IntegerType) else 64
    value %= 1 << bits
    return value - (1 << bits) if bits and value >> (bits - 1) else value


@irdl_attr_definition
class ConstantRangeAttr(ParametrizedAttribute):
    """`#llvm.constant_range<type, lower, upper>`: lower <= value < upper."""

    name = "llvm.constant_range"

    type: IntegerType
    lower: IntAttr
    upper: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<i32, 0, 32>`, or the whole attribute where a format lets the parameters stand alone."""
        if parser.lexer.input.content.startswith("#", parser.pos):
            attribute = parser.parse_attribute()
            if not isinstance(attribute, ConstantRangeAttr):
                parser.raise_error("expected a #llvm.constant_range attribute")
            return attribute.parameters
        with parser.in_angle_brackets():
            width = parser.parse_type()
            parser.parse_punctuation(",")
            lower = parse_number(parser)
            parser.parse_punctuation(",")
            upper = parse_number(parser)
        return width, IntAttr(_wrapped(lower, width)), IntAttr(_wrapped(upper, width))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<i32, 0, 32>`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.type)
            printer.print_string(f", {self.lower.data}, {self.upper.data}")
