"""`func.func` in MLIR's syntax: attributes of arguments also where there is no body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.ir import Attribute, Operation, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.formats import print_argument_location

_ELSEWHERE = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
"""Properties that have a place of their own in the text."""
_Notes = dict[str, Attribute]
_Op = TypeVar("_Op", bound=Operation)


class _Signature:
    """`(%a: T {notes} loc(...), ...) -> (U {notes})`; the names of arguments may be missing from all."""

    def __init__(self, parser: Parser, name: str) -> None:
        self._parser = parser
        self._name = name
        self.arguments: list[Parser.Argument] = []
        self.types: list[Attribute] = []
        self.notes: list[_Notes] = []
        self.results: list[Attribute] = []
        self.result_notes: list[_Notes] = []
        parser.parse_comma_separated_list(parser.Delimiter.PAREN, self._argument)
        if parser.parse_optional_punctuation("->") is None:
            return
        if parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, self._result) is None:
            self.results.append(parser.parse_type())

    def _argument(self) -> None:
        parser = self._parser
        place = parser.pos
        argument = parser.parse_optional_argument()
        if argument is None:
            if self.arguments:
                parser.raise_error(f"custom op '{self._name}' expected SSA identifier", place, place)
            self.types.append(parser.parse_type())
            self.notes.append(parser.parse_optional_dictionary_attr_dict())
            parser.parse_optional_location()
            return
        if len(self.arguments) < len(self.types):
            parser.raise_error(f"custom op '{self._name}' expected type instead of SSA identifier", place, place)
        self.arguments.append(argument)
        self.types.append(argument.type)
        self.notes.append(parser.parse_optional_dictionary_attr_dict())
        argument.location = parser.parse_optional_location()

    def _result(self) -> None:
        self.results.append(self._parser.parse_type())
        self.result_notes.append(self._parser.parse_optional_dictionary_attr_dict())


def parse_function(cls: type[_Op], parser: Parser) -> _Op:
    """Parse everything after the name of an operation that is a function."""
    properties: dict[str, Attribute] = {}
    visibility = next((word for word in ("public", "private", "nested") if parser.parse_optional_keyword(word)), None)
    if visibility is not None:
        properties["sym_visibility"] = StringAttr(visibility)
    properties["sym_name"] = parser.parse_symbol_name()
    signature = _Signature(parser, cls.name)
    properties["function_type"] = FunctionType.from_lists(signature.types, signature.results)
    for name, notes in (("arg_attrs", signature.notes), ("res_attrs", signature.result_notes)):
        if any(notes):
            properties[name] = ArrayAttr([DictionaryAttr(note) for note in notes])
    behind = parser.pos
    extra = parser.parse_optional_attr_dict_with_keyword()
    attributes = dict(extra.data) if extra else {}
    for name in ("sym_name", "function_type", "sym_visibility"):
        if name in attributes:
            message = "is an inferred attribute and should not be specified in the explicit attribute dictionary"
            parser.raise_error(f"custom op '{cls.name}' '{name}' {message}", behind, behind)
    place = parser.pos
    region = parser.parse_optional_region(signature.arguments if signature.arguments else None)
    if region is not None and not region.blocks:
        parser.raise_error(f"custom op '{cls.name}' expected non-empty function body", place, place)
    return cls.create(properties=properties, attributes=attributes, regions=[region or Region()])


def print_function(op: Operation, printer: Printer) -> None:
    """Print what `parse_function` parses."""
    visibility = op.properties.get("sym_visibility")
    printer.print_string(f" {visibility.data} " if isinstance(visibility, StringAttr) else " ")
    printer.print_symbol_name(cast("StringAttr", op.properties["sym_name"]).data)
    kind = cast("FunctionType", op.properties["function_type"])
    body = op.regions[0]
    with printer.in_parens():
        _print_arguments(printer, kind, body, _notes(op, "arg_attrs"))
    _print_results(printer, kind, _notes(op, "res_attrs"))
    shown = {**op.attributes, **op.properties}
    for name in _ELSEWHERE:
        shown.pop(name, None)
    printer.print_op_attributes(shown, print_keyword=True)
    if body.blocks:
        printer.print_string(" ")
        printer.print_region(body, print_entry_block_args=False, print_empty_block=False)


def _notes(op: Operation, name: str) -> ArrayAttr[DictionaryAttr] | None:
    return cast("ArrayAttr[DictionaryAttr] | None", op.properties.get(name))


def _print_arguments(
    printer: Printer, function: FunctionType, body: Region, notes: ArrayAttr[DictionaryAttr] | None
) -> None:
    entry = body.blocks.first
    for index, kind in enumerate(function.inputs.data):
        printer.print_string(", " if index else "")
        if entry is not None:
            printer.print_ssa_value(entry.args[index])
            printer.print_string(": ")
        printer.print_attribute(kind)
        _print_notes(printer, notes, index)
        if entry is not None:
            print_argument_location(printer, entry.args[index])


def _print_results(printer: Printer, function: FunctionType, notes: ArrayAttr[DictionaryAttr] | None) -> None:
    types: Sequence[Attribute] = function.outputs.data
    if not types:
        return
    noted = notes is not None and any(note.data for note in notes.data)
    bare = len(types) == 1 and not noted and not isinstance(types[0], FunctionType)
    printer.print_string(" -> " if bare else " -> (")
    for index, kind in enumerate(types):
        printer.print_string(", " if index else "")
        printer.print_attribute(kind)
        _print_notes(printer, notes, index)
    printer.print_string("" if bare else ")")


def _print_notes(printer: Printer, notes: ArrayAttr[DictionaryAttr] | None, index: int) -> None:
    if notes is not None and index < len(notes.data):
        printer.print_op_attributes(notes.data[index].data)
