"""The syntax that functions and calls share: `(%a: T {notes} loc(...), ...) -> (U {notes})`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.formats import print_argument_location

Notes = ArrayAttr[DictionaryAttr] | None
"""The attributes of each argument or result, where there are any."""
_Dictionary = dict[str, Attribute]


class Signature(NamedTuple):
    """What is between the parentheses of a function or a call, and after them."""

    arguments: list[Parser.Argument]
    types: list[Attribute]
    variadic: bool
    results: list[Attribute]
    properties: dict[str, Attribute]
    """`arg_attrs` and `res_attrs`, where there are any."""


def subject(parser: Parser) -> str:
    """What errors of the operation that is being parsed begin with."""
    return cast("str", getattr(parser, "_subject", ""))


def _refuse(parser: Parser, message: str, place: int) -> NoReturn:
    parser.raise_error(f"{subject(parser)}{message}", place, place)


def parse_signature(parser: Parser, *, named: bool, variadic: bool = False) -> Signature:
    """Parse a signature: if `named`, arguments may have names, all or none; if `variadic`, `...` may end them."""
    arguments: list[Parser.Argument] = []
    types: list[Attribute] = []
    notes: list[_Dictionary] = []
    ended = False

    def parse_argument() -> None:
        nonlocal ended
        place = parser.pos
        if ended:
            _refuse(parser, "variadic arguments must be in the end of the argument list", place)
        if variadic and parser.parse_optional_characters("...") is not None:
            ended = True
            return
        argument = parser.parse_optional_argument() if named else None
        if argument is None and arguments:
            _refuse(parser, "expected SSA identifier", place)
        if argument is not None and len(arguments) < len(types):
            _refuse(parser, "expected type instead of SSA identifier", place)
        types.append(parser.parse_type() if argument is None else argument.type)
        notes.append(parser.parse_optional_dictionary_attr_dict())
        location = parser.parse_optional_location()
        if argument is not None:
            argument.location = location
            arguments.append(argument)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_argument)
    results, result_notes = parse_results(parser)
    return Signature(arguments, types, ended, results, noted(arg_attrs=notes, res_attrs=result_notes))


def parse_results(parser: Parser) -> tuple[list[Attribute], list[_Dictionary]]:
    """Parse `-> T` or `-> (T {notes}, ...)`, if it is there."""
    notes: list[_Dictionary] = []
    if parser.parse_optional_punctuation("->") is None:
        return [], notes

    def result() -> Attribute:
        parsed = parser.parse_type()
        notes.append(parser.parse_optional_dictionary_attr_dict())
        return parsed

    types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, result)
    return [parser.parse_type()] if types is None else types, notes


def noted(**notes: Sequence[_Dictionary]) -> dict[str, Attribute]:
    """The properties that hold the attributes of arguments and results, those of which some has one."""
    return {name: ArrayAttr([DictionaryAttr(note) for note in group]) for name, group in notes.items() if any(group)}


def notes_of(op: Operation, name: str) -> Notes:
    """`arg_attrs` or `res_attrs` of an operation."""
    return cast("Notes", op.properties.get(name))


def print_arguments(
    printer: Printer, types: Sequence[Attribute], values: Sequence[SSAValue], notes: Notes, ending: str = ""
) -> None:
    """Print `(%a: T {notes}, ..., ending)`; without values, types alone."""
    with printer.in_parens():
        for index, kind in enumerate(types):
            printer.print_string(", " if index else "")
            if values:
                printer.print_ssa_value(values[index])
                printer.print_string(": ")
            printer.print_attribute(kind)
            print_notes(printer, notes, index)
            if values and isinstance(argument := values[index], BlockArgument):
                print_argument_location(printer, argument)
        if ending:
            printer.print_string(f", {ending}" if types else ending)


def print_notes(printer: Printer, notes: Notes, index: int) -> None:
    """Print the attributes of one argument or result."""
    if notes is not None and index < len(notes.data):
        printer.print_op_attributes(notes.data[index].data)


def print_results(printer: Printer, types: Sequence[Attribute], notes: Notes, *, empty: str = "") -> None:
    """Print ` -> T`, in parentheses where several are there or one has attributes; `empty` when there is none."""
    if not types:
        printer.print_string(empty)
        return
    some = notes is not None and any(note.data for note in notes.data)
    bare = len(types) == 1 and not some and not isinstance(types[0], FunctionType)
    printer.print_string(" -> " if bare else " -> (")
    for index, kind in enumerate(types):
        printer.print_string(", " if index else "")
        printer.print_attribute(kind)
        print_notes(printer, notes, index)
    printer.print_string("" if bare else ")")
