"""`#llvm.uwtableKind<sync>`: which tables for unwinding the stack a function has."""

from __future__ import annotations

from enum import auto

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class UWTableKind(StrEnum):
    """For calls only, or for every instruction."""

    NONE = auto()
    SYNC = auto()
    ASYNC = auto()


@irdl_attr_definition
class UWTableKindAttr(EnumAttribute[UWTableKind]):
    """`#llvm.uwtableKind<kind>`."""

    name = "llvm.uwtableKind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> UWTableKind:
        """Parse `<kind>`."""
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        """Print `<kind>`."""
        with printer.in_angle_brackets():
            super().print_parameter(printer)
