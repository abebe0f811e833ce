"""The language of assembly formats: xDSL's, and what MLIR's has beyond it.

That is `oilist`, `regions` and `prop-dict`, and the space in front of a list in which nothing is. What xDSL checks of a
format is left out: the formats are upstream's, and it refuses some that MLIR takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from xdsl.ir import Region
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    FormatDirective,
    FormatProgram,
    KeywordDirective,
    OperandsDirective,
    OptionalOperandVariable,
    ParsingState,
    PrintingState,
    PunctuationDirective,
    RegionVariable,
    ResultsDirective,
    TypeDirective,
    VariadicOperandVariable,
    VariadicRegionVariable,
    WhitespaceDirective,
)
from xdsl.irdl.declarative_assembly_format_parser import FormatParser
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from weft.dataclass import dataclass

_Directive = TypeVar("_Directive", bound=FormatDirective)
_TEXT = (KeywordDirective, PunctuationDirective, WhitespaceDirective)


def _spaced(cls: type[_Directive]) -> type[_Directive]:
    """A directive that prints the space in front of it where it has nothing else to print."""
    write: Any = cls.print

    def print_(self: _Directive, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        if self.is_present(op):
            write(self, printer, state, op)
        else:
            state.print_whitespace(printer)

    return cast("type[_Directive]", type(cls.__name__, (cls,), {"print": print_}))


_SPACED = {cls: _spaced(cls) for cls in (OptionalOperandVariable, TypeDirective, VariadicOperandVariable)}


@dataclass(frozen=True)
class AnyOrder(FormatDirective):
    """`oilist(a|b)`: clauses that may be in any order."""

    clauses: Sequence[Sequence[FormatDirective]]

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse clauses as long as there are some."""
        while any(_began(clause, parser, state) for clause in self.clauses):
            pass

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the clauses of which something is there, in the format's order."""
        for clause in self.clauses:
            if any(part.is_present(op) for part in clause if not isinstance(part, _TEXT)):
                for part in clause:
                    part.print(printer, state, op)


def _began(clause: Sequence[FormatDirective], parser: Parser, state: ParsingState) -> bool:
    start = parser.pos
    clause[0].parse_optional(parser, state)
    if parser.pos == start:
        return False
    for part in clause[1:]:
        part.parse(parser, state)
    return True


class PropertyDictionary(FormatDirective):
    """`prop-dict`: the properties as the generic form has them."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse them, if they are there."""
        state.properties |= parser.parse_optional_properties_dict()

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print them, if there are some."""
        if op.properties:
            printer.print_string(" <")
            printer.print_attr_dict(op.properties)
            printer.print_string(">")
        state.last_was_punctuation = False


class Body(RegionVariable):
    """A region, without the terminator that it has anyway."""

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the region."""
        state.print_whitespace(printer)
        print_body(printer, op, self.get(op))


class Regions(FormatDirective):
    """`regions`: any number of them, with commas between them, for the only group that the operation has."""

    index = 0

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse them."""
        found: list[Region] = []
        region = parser.parse_optional_region()
        while region is not None:
            found.append(region)
            region = parser.parse_region() if parser.parse_optional_punctuation(",") else None
        state.regions[self.index] = found

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print them."""
        state.print_whitespace(printer)
        printer.print_list(op.regions[self.index :], lambda region: print_body(printer, op, region))


class Bodies(Regions, VariadicRegionVariable):
    """`$regions`, the last group of an operation."""


def print_body(printer: Printer, op: IRDLOperation, region: Region) -> None:
    """Print a region, without the terminator that the class of the operation has for `implicit`."""
    last = region.blocks.last.last_op if region.blocks.last is not None else None
    said = last is None or bool(last.operands or last.attributes or last.properties)
    printer.print_region(region, print_block_terminators=said or not getattr(op, "implicit", ""))


_OURS: Mapping[type[Any], type[FormatDirective]] = {**_SPACED, RegionVariable: Body, VariadicRegionVariable: Bodies}


class Formats(FormatParser):
    """Reads the text of a format."""

    program: type[FormatProgram] = FormatProgram

    def parse_format(self) -> FormatProgram:
        """The elements of the whole format."""
        elements: list[FormatDirective] = []
        while self._current_token.kind is not MLIRTokenKind.EOF:
            elements.append(self.parse_format_directive(False))
        self.verify_properties(elements, self.verify_attr_dict(elements))
        return self.program(tuple(elements))

    def parse_format_directive(self, inside_ref: bool) -> FormatDirective:
        """The next element."""
        if self.parse_optional_keyword("oilist"):
            return self._any_order()
        if self.parse_optional_keyword("regions"):
            return Regions()
        if self.parse_optional_keyword("prop-dict"):
            self.seen_properties |= self.op_def.properties.keys()
            return PropertyDictionary()
        found: FormatDirective = super().parse_format_directive(inside_ref)
        made: Any = _OURS.get(type(found))
        return found if made is None else made(**vars(found))

    def parse_custom_directive(self) -> FormatDirective:
        """A custom directive, which takes whatever it is given."""
        with self.in_angle_brackets():
            made: Any = self.op_def.custom_directives[self.parse_identifier()]
        listed = self.parse_comma_separated_list(self.Delimiter.PAREN, self.parse_possible_ref_directive)
        return made(*listed)

    def create_operands_directive(self, inside_type: bool, inside_ref: bool) -> OperandsDirective:
        """All operands."""
        return OperandsDirective()

    def create_results_directive(self, inside_ref: bool) -> ResultsDirective:
        """All results."""
        return ResultsDirective()

    def _any_order(self) -> FormatDirective:
        clauses: list[list[FormatDirective]] = [[]]
        self.parse_punctuation("(")
        while not self.parse_optional_punctuation(")"):
            if self.parse_optional_punctuation("|"):
                clauses.append([])
            else:
                clauses[-1].append(self.parse_format_directive(False))
        return AnyOrder(clauses)
