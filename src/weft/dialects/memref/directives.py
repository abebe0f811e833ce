"""What `memref.prefetch` and `affine.prefetch` choose between, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import BoolAttr
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)

from weft.dialects import narrow
from weft.dialects.formats import operation_place, print_spaced

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

_WORDS = {"isWrite": ("rw specifier", "read", "write"), "isDataCache": ("cache type", "instr", "data")}
"""What a property chooses, and the words that stand for false and true."""


def parse_choice(parser: Parser, op: str, name: str) -> bool:
    """Parse the word that stands for a property of an operation.

    Raises:
        ParseError: it is another.
    """
    what, *words = _WORDS[name]
    word = parser.parse_identifier()
    if word not in words:
        place = operation_place(parser)
        first, second = sorted(words, key="instr".__eq__)  # As upstream lists them.
        parser.raise_error(f"custom op '{op}' {what} has to be '{first}' or '{second}'", place, place)
    return words.index(word) == 1


@irdl_custom_directive
class Choice(CustomDirective):
    """One of two words, for a property that is true or false."""

    attribute: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the word."""
        found = parse_choice(parser, state.op_type.name, self.attribute.name)
        self.attribute.set(state, BoolAttr.from_bool(found))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the word."""
        value = self.attribute.get(op)
        assert value is not None
        print_spaced(_WORDS[self.attribute.name][1 + (narrow.number(value) != 0)], printer, state)
