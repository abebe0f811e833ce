"""Directives for xDSL's declarative assembly formats that MLIR has and xDSL lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue
from xdsl.irdl import IRDLOperation, RangeConstraint, RangeLengthConstraint, RangeOf
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    OperandVariable,
    ParsingState,
    PrintingState,
    ResultVariable,
    TypeDirective,
    UniqueBaseAttributeVariable,
    irdl_custom_directive,
)

if TYPE_CHECKING:
    from xdsl.ir import BlockArgument
    from xdsl.parser import AttrParser, Parser
    from xdsl.printer import Printer


@irdl_custom_directive
class BareType(CustomDirective):
    """`type($x)` where `$x` has one possible type class: MLIR then leaves out `!dialect.name` and prints `<...>`.

    Parsing takes both spellings; printing writes the short one, as mlir-opt does.
    """

    type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse `<params>` with the parser of the only type class of the variable, or a full type."""
        text = parser.lexer.input.content
        if not text.startswith("<", parser.pos):
            if not text.startswith("!", parser.pos):
                parser.raise_error("expected '<'")
            self.type.parse(parser, state)
            return
        cls = only_class_of(self.type, state.op_type)
        assert cls is not None
        self.type.set(state, (cast("Attribute", cls.new(cls.parse_parameters(parser))),))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print only the parameters of the type, or the whole type when it has none."""
        state.print_whitespace(printer)
        (value_type,) = self.type.get(op)
        given = value_type.parameters if isinstance(value_type, ParametrizedAttribute) else ()
        if isinstance(value_type, ParametrizedAttribute) and any(
            not isinstance(parameter, NoneAttr) for parameter in given
        ):
            value_type.print_parameters(printer)
        else:
            printer.print_attribute(value_type)


def only_class_of(directive: TypeDirective, op_type: type[IRDLOperation]) -> type[ParametrizedAttribute] | None:
    """The only class that the type of a single value can have; None when there are several, or several values."""
    definition, variable = op_type.get_irdl_definition(), directive.inner
    if isinstance(variable, OperandVariable):
        constraint = definition.operands[variable.index][1].constr
    elif isinstance(variable, ResultVariable):
        constraint = definition.results[variable.index][1].constr
    else:
        return None
    return only_class(constraint)


def only_class(constraint: RangeConstraint) -> type[ParametrizedAttribute] | None:
    """The only class of type that a constraint on a single operand or result allows; None when there are several."""
    if not isinstance(constraint, RangeLengthConstraint) or not isinstance(constraint.constraint, RangeOf):
        return None
    bases = constraint.constraint.constr.get_bases()
    if bases is None or len(bases) != 1:
        return None
    (base,) = bases
    return base if issubclass(base, ParametrizedAttribute) else None


@irdl_custom_directive
class OperandTypes(CustomDirective):
    """`type(operands)` of an operation with two optional operands; the counts are those of the operands read before.

    The arguments are the two types that cannot be inferred: of a required operand and of an optional one.
    """

    required: TypeDirective
    optional: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse a list of as many types as there are operands."""
        start = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        counts = [len(operands or ()) for operands in state.operands]
        if len(types) != sum(counts):
            parser.raise_error(f"expected {sum(counts)} operand types, got {len(types)}", start, parser.pos)
        for index, count in enumerate(counts):
            state.operand_types[index] = types[:count]
            types = types[count:]

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the types of all operands."""
        state.print_whitespace(printer)
        printer.print_list(op.operand_types, printer.print_attribute)
        state.last_was_punctuation = False


@irdl_custom_directive
class OptionalEnum(CustomDirective):
    """An optional enum attribute in front of an operand: a bare keyword, or nothing."""

    attribute: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the keyword when the next token is an identifier."""
        if re.match(r"[a-zA-Z_]", parser.lexer.input.content[parser.pos]) is None:
            return
        assert isinstance(self.attribute, UniqueBaseAttributeVariable)
        attribute = self.attribute.parse_attr(parser)
        assert attribute is not None
        self.attribute.set(state, attribute)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the keyword, if the attribute is there."""
        self.attribute.print(printer, state, op)


def print_spaced(text: str, printer: Printer, state: PrintingState) -> None:
    """Print a word of a directive, with a space in front and behind."""
    state.print_whitespace(printer)
    printer.print_string(text)
    state.last_was_punctuation = False


def parse_number(parser: AttrParser) -> int:
    """Parse an integer of an attribute's parameters.

    Raises:
        ParseError: something else stands there.
    """
    found = parser.parse_optional_integer(allow_boolean=False)
    if found is None:
        subject = cast("str", getattr(parser, "_subject", ""))
        parser.raise_error(f"{subject}expected integer value", parser.pos, parser.pos)
    return found


def parse_results(parser: Parser) -> list[Attribute]:
    """Parse `-> T` or `-> (T, U)`, if it is there."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if listed is None else list(listed)


def parse_typed(parser: Parser) -> list[SSAValue]:
    """Parse `%x, %y : T, U`.

    Raises:
        ParseError: there are more or fewer types than values, or a value has another type.
    """
    names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    place = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return list(parser.resolve_operands(names, types, place))


def print_typed(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Print `%x, %y : T, U`."""
    printer.print_list(values, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list([value.type for value in values], printer.print_attribute)


def print_results(printer: Printer, op: Operation) -> None:
    """Print ` -> T` or ` -> (T, U)`, if there are results."""
    if op.results:
        printer.print_string(" -> (" if len(op.results) > 1 else " -> ")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")" if len(op.results) > 1 else "")


def operation_place(parser: Parser) -> int:
    """Offset of the name of the operation that is being parsed: where MLIR places some errors of its parser."""
    return cast("int", getattr(parser, "operation_start", parser.pos))


def print_argument_location(printer: Printer, argument: BlockArgument) -> None:
    """Print the location of an argument after it, where the printer prints locations."""
    write = getattr(printer, "print_argument_location", None)
    if write is not None:
        write(argument)


class AngleBrackets:
    """Mixin before `EnumAttribute`: the value is in angle brackets, `#dialect.name<value>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        """Parse `<value>`, or the whole attribute where a format lets the value stand alone."""
        if parser.lexer.input.content.startswith("#", parser.pos):
            attribute = parser.parse_attribute()
            if not isinstance(attribute, cls):
                parser.raise_error(f"expected a #{cls.name} attribute")  # pyright: ignore
            return attribute.data  # pyright: ignore
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)  # pyright: ignore

    def print_parameter(self, printer: Printer) -> None:
        """Print `<value>`."""
        with printer.in_angle_brackets():
            super().print_parameter(printer)  # pyright: ignore


class Keyword:
    """Mixin before `EnumAttribute`: the value is a bare word, with the space in front that MLIR prints."""

    def print_parameter(self, printer: Printer) -> None:
        """Print ` value`."""
        printer.print_string(" ")
        super().print_parameter(printer)  # pyright: ignore
