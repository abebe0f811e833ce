"""The custom directives in the formats of foreign dialects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    SymbolRefAttr,
    UnitAttr,
    UnregisteredAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    OptionalOperandVariable,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dataclass import dataclass
from weft.dialects.foreign.types import parsed


def _numbers(given: Attribute | None) -> Sequence[int]:
    return cast("Sequence[int]", cast("Any", given).get_values()) if isinstance(given, DenseArrayBase) else ()


class Directive(CustomDirective):
    """A directive for which a group can be there: it is when one of its parts is."""

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether a part is there."""
        return any(part.is_present(op) for part in vars(self).values() if part is not None)

    def is_anchorable(self) -> bool:
        """Whether a group can be there for it."""
        return True


@dataclass(frozen=True)
class DynamicIndexList(Directive):
    """`[%x, 3, [4]]`: values and numbers, and which of them are scalable."""

    values: VariadicOperandVariable
    static: AttributeVariable
    scalable: AttributeVariable | None = None

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the list."""
        values: list[UnresolvedOperand] = []
        numbers: list[int] = []
        scalable: list[int] = []

        def one() -> None:
            value = parser.parse_optional_unresolved_operand()
            marked = value is None and parser.parse_optional_punctuation("[") is not None
            if value is not None:
                values.append(value)
                numbers.append(DYNAMIC_INDEX)
            else:
                number = parser.parse_optional_integer(allow_boolean=False)
                if number is None:
                    parser.raise_error("expected SSA value or integer")
                numbers.append(number)
            if marked:
                parser.parse_punctuation("]")
            scalable.append(int(marked))

        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one)
        self.values.set(state, values)
        self.static.set(state, DenseArrayBase.from_list(i64, numbers))
        if self.scalable is not None:
            self.scalable.set(state, DenseArrayBase.from_list(i1, scalable))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the list."""
        state.print_whitespace(printer)
        values = iter(self.values.get(op))
        numbers = _numbers(self.static.get(op))
        scalable = _numbers(self.scalable.get(op)) if self.scalable is not None else ()
        with printer.in_square_brackets():
            for place, number in enumerate(numbers):
                printer.print_string(", " if place else "")
                marked = place < len(scalable) and scalable[place]
                printer.print_string("[" if marked else "")
                if number == DYNAMIC_INDEX:
                    printer.print_ssa_value(next(values))
                else:
                    printer.print_string(str(number))
                printer.print_string("]" if marked else "")


@dataclass(frozen=True)
class PackedOrDynamicIndexList(Directive):
    """`*(%packed)`, or values and numbers."""

    packed: OptionalOperandVariable
    values: VariadicOperandVariable
    static: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse one or the other."""
        if parser.parse_optional_punctuation("*"):
            with parser.in_parens():
                self.packed.set(state, parser.parse_unresolved_operand())
        else:
            self._list.parse(parser, state)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print what is there."""
        packed = self.packed.get(op)
        if packed is None:
            self._list.print(printer, state, op)
            return
        state.print_whitespace(printer)
        printer.print_string("*(")
        printer.print_ssa_value(packed)
        printer.print_string(")")

    @property
    def _list(self) -> DynamicIndexList:
        return DynamicIndexList(self.values, self.static)


class SemiFunctionType(Directive):
    """`T`, or `(T) -> U` where there are results."""

    def __init__(self, operand: TypeDirective, *results: TypeDirective) -> None:
        vars(self).update(operand=operand, results=results)

    operand: TypeDirective
    results: Sequence[TypeDirective]

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse one type, or the types of operand and results."""
        if parser.parse_optional_punctuation("(") is None:
            self.operand.set(state, [parser.parse_type()])
            for result in self.results:
                result.set(state, [])
            return
        self.operand.set(state, [parser.parse_type()])
        parser.parse_punctuation(")")
        parser.parse_punctuation("->")
        listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        types = [parser.parse_type()] if listed is None else list(listed)
        if len(self.results) == 1:
            self.results[0].set(state, types)
            return
        # Some have one type for all.
        for result, kind in zip(self.results, types * len(self.results) if len(types) == 1 else types, strict=False):
            result.set(state, [kind])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print one type, or the types of operand and results."""
        state.print_whitespace(printer)
        (operand,) = self.operand.get(op)
        kinds = self._shown(op)
        if kinds:
            printer.print_function_type([operand], kinds)
        else:
            printer.print_attribute(operand)

    def _shown(self, op: IRDLOperation) -> Sequence[Attribute]:
        return [kind for result in self.results for kind in result.get(op)]


class ContinuousTileSizeTypes(SemiFunctionType):
    """`(T) -> U`, where all results have one type."""

    def _shown(self, op: IRDLOperation) -> Sequence[Attribute]:
        return self.results[0].get(op)


class MultitileSizesTypes(ContinuousTileSizeTypes):
    """`(T) -> U`, where all results have one type."""


@dataclass(frozen=True)
class TransformMatchDims(Directive):
    """`all`, `except(0, 1)`, or numbers."""

    numbers: AttributeVariable
    inverted: AttributeVariable
    every: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the numbers, or the word for all of them."""
        found: Sequence[int] = ()
        if parser.parse_optional_keyword("all"):
            self.every.set(state, UnitAttr())
        elif parser.parse_optional_keyword("except"):
            self.inverted.set(state, UnitAttr())
            found = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
        else:
            found = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_integer)
        self.numbers.set(state, DenseArrayBase.from_list(i64, found))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the numbers, or the word for all of them."""
        state.print_whitespace(printer)
        listed = ", ".join(map(str, _numbers(self.numbers.get(op))))
        if self.every.get(op) is not None:
            printer.print_string("all")
        else:
            printer.print_string(f"except({listed})" if self.inverted.get(op) is not None else listed)


@dataclass(frozen=True)
class ForeachMatchSymbols(Directive):
    """`@matcher -> @action`, any number of them, each on a line."""

    matchers: AttributeVariable
    actions: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the pairs."""
        matchers: list[Attribute] = []
        actions: list[Attribute] = []

        def one() -> None:
            matchers.append(parser.parse_attribute())
            parser.parse_punctuation("->")
            actions.append(parser.parse_attribute())

        parser.parse_comma_separated_list(parser.Delimiter.NONE, one)
        self.matchers.set(state, ArrayAttr(matchers))
        self.actions.set(state, ArrayAttr(actions))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the pairs."""
        state.print_whitespace(printer)
        matchers, actions = (cast("ArrayAttr[SymbolRefAttr]", one.get(op)) for one in (self.matchers, self.actions))
        indent = printer._indent  # pyright: ignore[reportPrivateUsage]
        for place, (matcher, action) in enumerate(zip(matchers.data, actions.data, strict=True)):
            printer.print_string(",\n" if place else "\n", indent=indent + 2)
            printer.print_attribute(matcher)
            printer.print_string(" -> ")
            printer.print_attribute(action)


@dataclass(frozen=True)
class SequenceOpOperands(Directive):
    """`%root : T`, `%root, %more : (T, U)`, or nothing."""

    root: OptionalOperandVariable
    root_type: TypeDirective
    more: VariadicOperandVariable
    more_types: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the values and their types, if there are some."""
        first = parser.parse_optional_unresolved_operand()
        if first is None:
            return
        more: list[UnresolvedOperand] = []
        while parser.parse_optional_punctuation(","):
            more.append(parser.parse_unresolved_operand())
        self.root.set(state, first)
        self.more.set(state, more)
        parser.parse_punctuation(":")
        listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        types = listed or parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        self.root_type.set(state, types[:1])
        self.more_types.set(state, types[1:])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the values and their types, if there are some."""
        state.print_whitespace(printer)
        if op.operands:
            printer.print_list(op.operands, printer.print_ssa_value)
            several = len(op.operands) > 1
            printer.print_string(" : (" if several else " : ")
            printer.print_list(op.operand_types, printer.print_attribute)
            printer.print_string(")" if several else "")


@dataclass(frozen=True)
class ApplyRegisteredPassOptions(Directive):
    """`{"key" = value}`."""

    options: AttributeVariable
    dynamic: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the dictionary."""
        start = parser.pos
        found = parser.parse_optional_attr_dict()
        if not found and not parser.lexer.input.content.startswith("{", start):
            parser.raise_error("expected '{' in options dictionary")
        self.options.set(state, DictionaryAttr(found))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the dictionary."""
        state.print_whitespace(printer)
        given = cast("Any", self.options.get(op))
        printer.print_attr_dict(dict(sorted(given.data.items())))


@dataclass(frozen=True)
class AwaitResultType(Directive):
    """`!async.value<T>`, and a result of type T; of other types no result."""

    operand: TypeDirective
    result: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the type of the operand."""
        kind = parser.parse_type()
        self.operand.set(state, [kind])
        holds = isinstance(kind, UnregisteredAttr) and kind.attr_name.data == "async.value"
        self.result.set(state, [parsed(parser, cast("UnregisteredAttr", kind).value.data)] if holds else [])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the type of the operand."""
        self.operand.print(printer, state, op)


@dataclass(frozen=True)
class AlternativesOpSelectedRegion(Directive):
    """The number of a region, or a parameter that has it."""

    number: AttributeVariable
    parameter: OptionalOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse one or the other."""
        value = parser.parse_optional_unresolved_operand()
        if value is None:
            self.number.parse(parser, state)
        else:
            self.parameter.set(state, value)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print what is there."""
        (self.parameter if self.parameter.is_present(op) else self.number).print(printer, state, op)


DIRECTIVES = (
    AlternativesOpSelectedRegion,
    ApplyRegisteredPassOptions,
    AwaitResultType,
    ContinuousTileSizeTypes,
    DynamicIndexList,
    ForeachMatchSymbols,
    MultitileSizesTypes,
    PackedOrDynamicIndexList,
    SemiFunctionType,
    SequenceOpOperands,
    TransformMatchDims,
)
