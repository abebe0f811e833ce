"""`func.func` in MLIR's syntax: attributes of arguments also where there is no body."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.ir import Attribute, Region
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.formats import print_argument_location

_ELSEWHERE = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
"""Properties that have a place of their own in the text."""
_Notes = dict[str, Attribute]


class _Signature:
    """`(%a: T {notes} loc(...), ...) -> (U {notes})`; the names of arguments may be missing from all."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
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
                parser.raise_error("custom op 'func.func' expected SSA identifier", place, place)
            self.types.append(parser.parse_type())
            self.notes.append(parser.parse_optional_dictionary_attr_dict())
            parser.parse_optional_location()
            return
        if len(self.arguments) < len(self.types):
            parser.raise_error("custom op 'func.func' expected type instead of SSA identifier", place, place)
        self.arguments.append(argument)
        self.types.append(argument.type)
        self.notes.append(parser.parse_optional_dictionary_attr_dict())
        argument.location = parser.parse_optional_location()

    def _result(self) -> None:
        self.results.append(self._parser.parse_type())
        self.result_notes.append(self._parser.parse_optional_dictionary_attr_dict())


class FuncOp(func.FuncOp):
    """`func.func visibility? @name(...) -> (...) attributes {...} { ... }`."""

    name = "func.func"

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        """Parse everything after the operation's name."""
        properties: dict[str, Attribute] = {}
        visibility = next(
            (word for word in ("public", "private", "nested") if parser.parse_optional_keyword(word)), None
        )
        if visibility is not None:
            properties["sym_visibility"] = StringAttr(visibility)
        properties["sym_name"] = parser.parse_symbol_name()
        signature = _Signature(parser)
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
                parser.raise_error(f"custom op 'func.func' '{name}' {message}", behind, behind)
        place = parser.pos
        region = parser.parse_optional_region(signature.arguments if signature.arguments else None)
        if region is not None and not region.blocks:
            parser.raise_error("custom op 'func.func' expected non-empty function body", place, place)
        return cls.create(properties=properties, attributes=attributes, regions=[region or Region()])

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(f" {self.sym_visibility.data} " if self.sym_visibility is not None else " ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            self._print_arguments(printer)
        self._print_results(printer)
        shown = {**self.attributes, **self.properties}
        for name in _ELSEWHERE:
            shown.pop(name, None)
        printer.print_op_attributes(shown, print_keyword=True)
        if self.body.blocks:
            printer.print_string(" ")
            printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    def _print_arguments(self, printer: Printer) -> None:
        entry = self.body.blocks.first
        for index, kind in enumerate(self.function_type.inputs.data):
            printer.print_string(", " if index else "")
            if entry is not None:
                printer.print_ssa_value(entry.args[index])
                printer.print_string(": ")
            printer.print_attribute(kind)
            _print_notes(printer, self.arg_attrs, index)
            if entry is not None:
                print_argument_location(printer, entry.args[index])

    def _print_results(self, printer: Printer) -> None:
        types: Sequence[Attribute] = self.function_type.outputs.data
        if not types:
            return
        noted = self.res_attrs is not None and any(note.data for note in self.res_attrs.data)
        bare = len(types) == 1 and not noted and not isinstance(types[0], FunctionType)
        printer.print_string(" -> " if bare else " -> (")
        for index, kind in enumerate(types):
            printer.print_string(", " if index else "")
            printer.print_attribute(kind)
            _print_notes(printer, self.res_attrs, index)
        printer.print_string("" if bare else ")")


def _print_notes(printer: Printer, notes: ArrayAttr[DictionaryAttr] | None, index: int) -> None:
    if notes is not None and index < len(notes.data):
        printer.print_op_attributes(notes.data[index].data)
