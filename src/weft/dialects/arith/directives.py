"""Directives of `arith`'s and `memref`'s formats: words that stand for numbers, types that follow from others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i1, i32, i64
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)

from weft.dialects.arith.predicates import ROUNDING_MODES, WORDS
from weft.dialects.formats import operation_place, print_spaced
from weft.dialects.kinds import FLOAT_LIKE, INTEGER_LIKE, Kind, bits

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer


def comparable(name: str) -> Kind:
    """What a comparison compares, by the operation's name."""
    return FLOAT_LIKE if name == "arith.cmpf" else INTEGER_LIKE


@irdl_custom_directive
class PropertyWord(CustomDirective):
    """A predicate or kind, bare or in quotes, or a rounding mode, which may be absent: the property is its number."""

    attribute: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the word."""
        if self.attribute.name == "roundingmode":
            mode = next((mode for mode in ROUNDING_MODES if parser.parse_optional_keyword(mode)), None)
            if mode is not None:
                self.attribute.set(state, IntegerAttr(ROUNDING_MODES.index(mode), i32))
            return
        known = WORDS[state.op_type.name]
        start = parser.pos
        word = parser.parse_optional_identifier() or parser.parse_optional_str_literal()
        if word not in known:
            parser.raise_error(
                f"custom op '{state.op_type.name}' expected string or keyword containing one of the following enum "
                f"values for attribute '{self.attribute.name}' [{', '.join(known)}]",
                start,
                parser.pos,
            )
        self.attribute.set(state, IntegerAttr(known.index(word), i64))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the word, if the property is there."""
        value = self.attribute.get(op)
        if isinstance(value, IntegerAttr):
            words = ROUNDING_MODES if self.attribute.name == "roundingmode" else WORDS[op.name]
            print_spaced(words[value.value.data], printer, state)


@irdl_custom_directive
class Compared(CustomDirective):
    """The type of what is compared; the result is a bit for each of its elements."""

    lhs: TypeDirective
    rhs: TypeDirective
    result: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the type."""
        kind = parser.parse_type()
        name = state.op_type.name
        expected = comparable(name)
        if not expected.holds(kind):
            start = operation_place(parser)
            message = f"custom op '{name}' 'lhs' must be {expected.summary}, but got '{kind}'"
            parser.raise_error(message, start, start)
        self.lhs.set(state, (kind,))
        self.rhs.set(state, (kind,))
        self.result.set(state, (bits(kind),))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the type."""
        self.lhs.print(printer, state, op)


@irdl_custom_directive
class Selected(CustomDirective):
    """The type of the values that are selected from, behind the condition's where that is no bit."""

    condition: TypeDirective
    value: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse one type or two."""
        condition, kind = i1, parser.parse_type()
        if parser.parse_optional_punctuation(","):
            condition, kind = kind, parser.parse_type()
        self.condition.set(state, (condition,))
        self.value.set(state, (kind,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print one type or two."""
        (condition,) = self.condition.get(op)
        if condition != i1:
            self.condition.print(printer, state, op)
            printer.print_string(",")
        self.value.print(printer, state, op)
