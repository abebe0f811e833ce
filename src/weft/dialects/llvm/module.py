"""`#llvm.mlir.module_flag`: what an `llvm` module says about itself."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from weft.dialects.llvm.descriptions import read_word

_BEHAVIOURS = ("error", "warning", "require", "override", "append", "append_unique", "max", "min")


def _behaviour(parser: AttrParser) -> StringAttr:
    position = parser.pos
    found = read_word(parser)
    if found.data not in _BEHAVIOURS:
        listed = ", ".join(_BEHAVIOURS)
        message = f"expected one of [{listed}] for LLVM Module Flag Behavior, got: {found.data}"
        parser.raise_error(message, position, position)
    return found


@irdl_attr_definition
class ModuleFlagAttr(ParametrizedAttribute):
    """`#llvm.mlir.module_flag<behaviour, "key", value>`."""

    name = "llvm.mlir.module_flag"

    behavior: StringAttr
    key: StringAttr
    value: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<behaviour, "key", value>`."""
        with parser.in_angle_brackets():
            behavior = _behaviour(parser)
            parser.parse_punctuation(",")
            key = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            return [behavior, key, parser.parse_attribute()]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<behaviour, "key", value>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"{self.behavior.data}, ")
            printer.print_attribute(self.key)
            printer.print_string(", ")
            printer.print_attribute(self.value)
