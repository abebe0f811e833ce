"""Directives of `llvm`'s formats: words that stand for numbers, promises, types that follow from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i1, i32, i64
from xdsl.dialects.llvm import LLVMStructType, OverflowAttr
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.arith.predicates import WORDS
from weft.dialects.formats import print_spaced
from weft.dialects.kinds import bits
from weft.dialects.llvm.checks import member
from weft.dialects.llvm.descriptions import StructAttribute, attribute
from weft.dialects.llvm.kinds import is_compatible
from weft.dialects.llvm.words import ATOMIC_OPERATIONS, ORDERINGS, parse_number
from weft.dialects.signatures import subject

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

_WORDS = {"bin_op": ATOMIC_OPERATIONS, "comdat": ("any", "exactmatch", "largest", "nodeduplicate", "samesize")}
"""What a property can be, where that is no memory ordering."""


def _number(value: Attribute | None) -> int:
    return value.value.data if isinstance(value, IntegerAttr) else 0


def _words(attribute: AttributeVariable) -> Sequence[str]:
    return _WORDS.get(attribute.name, ORDERINGS)


def _parse_number(attribute: AttributeVariable, parser: Parser, state: ParsingState) -> None:
    attribute.set(state, parse_number(parser, attribute.name, _words(attribute)))


@irdl_custom_directive
class Worded(CustomDirective):
    """A memory ordering, an atomic operation or the choice of a linker: the property is the word's number."""

    attribute: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the word."""
        _parse_number(self.attribute, parser, state)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the word."""
        print_spaced(_words(self.attribute)[_number(self.attribute.get(op))], printer, state)


@irdl_custom_directive
class Atomic(CustomDirective):
    """`atomic syncscope("scope")? ordering`, or nothing."""

    scope: AttributeVariable
    ordering: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the scope and the ordering."""
        if parser.parse_optional_keyword("atomic") is None:
            return
        if parser.parse_optional_keyword("syncscope"):
            with parser.in_parens():
                self.scope.set(state, parser.parse_attribute())
        _parse_number(self.ordering, parser, state)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the scope and the ordering."""
        ordering, scope = _number(self.ordering.get(op)), self.scope.get(op)
        if not ordering:
            return
        print_spaced("atomic", printer, state)
        if scope is not None:
            printer.print_string(" syncscope(")
            printer.print_attribute(scope)
            printer.print_string(")")
        printer.print_string(f" {ORDERINGS[ordering]}")


@irdl_custom_directive
class Overflow(CustomDirective):
    """`overflow<nsw, nuw>`, or nothing: the property is a number."""

    attribute: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the flags."""
        self.attribute.set(state, IntegerAttr(OverflowAttr.parse(parser).to_int(), i32))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the flags."""
        OverflowAttr.from_int(_number(self.attribute.get(op))).print(printer)


@irdl_custom_directive
class Dereferenceable(CustomDirective):
    """`dereferenceable<bytes = 8>`, or nothing."""

    attribute: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the promise."""
        if parser.parse_optional_keyword("dereferenceable") is not None:
            cls = attribute("dereferenceable")
            assert cls is not None
            self.attribute.set(state, cls(cls.parse_parameter(parser)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the promise."""
        value = self.attribute.get(op)
        if isinstance(value, StructAttribute):
            print_spaced("dereferenceable", printer, state)
            value.print_parameter(printer)


@irdl_custom_directive
class Predicate(CustomDirective):
    """A predicate in quotes: the property is its number."""

    attribute: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the predicate."""
        words = WORDS[state.op_type.name]
        place = parser.pos
        word = parser.parse_optional_str_literal()
        if word is None:
            parser.raise_error("expected attribute value")
        if word not in words:
            message = f"'{word}' is an incorrect value of the 'predicate' attribute"
            parser.raise_error(f"{subject(parser)}{message}", place)
        self.attribute.set(state, IntegerAttr(words.index(word), i64))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the predicate."""
        print_spaced(f'"{WORDS[op.name][_number(self.attribute.get(op))]}"', printer, state)


@irdl_custom_directive
class Compared(CustomDirective):
    """The type of what is compared; the result is a bit for each of its elements."""

    lhs: TypeDirective
    rhs: TypeDirective
    result: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the type."""
        place = parser.pos
        kind = parser.parse_type()
        if not is_compatible(kind):
            parser.raise_error(f"{subject(parser)}expected LLVM dialect-compatible type", place, place)
        for each, found in ((self.lhs, kind), (self.rhs, kind), (self.result, bits(kind))):
            each.set(state, (found,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the type."""
        self.lhs.print(printer, state, op)


@irdl_custom_directive
class Exchanged(CustomDirective):
    """The type of what is compared and exchanged; the result is a struct of it and a bit."""

    expected: TypeDirective
    value: TypeDirective
    result: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the type."""
        kind = parser.parse_type()
        result = LLVMStructType.from_type_list([kind, i1])
        for each, found in ((self.expected, kind), (self.value, kind), (self.result, result)):
            each.set(state, (found,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the type."""
        self.value.print(printer, state, op)


@irdl_custom_directive
class Member(CustomDirective):
    """The type of an aggregate; that of the member at the `position`, read before, follows."""

    container: TypeDirective
    member: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the type; what is wrong with it or the position is said after the operation, as MLIR says it."""
        kind = parser.parse_type()
        if not is_compatible(kind):
            parser.raise_error(f"{subject(parser)}expected LLVM IR Dialect type, got '{kind}'")
        position = cast("DenseArrayBase[Any]", state.properties["position"])
        try:
            found = member(kind, position.get_values())
        except VerifyException as error:
            parser.raise_error(f"{subject(parser)}{error}")
        self.container.set(state, (kind,))
        self.member.set(state, (found,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the type."""
        self.container.print(printer, state, op)


ALL = (Atomic, Compared, Dereferenceable, Exchanged, Member, Overflow, Predicate, Worded)
"""The directives of the table."""
