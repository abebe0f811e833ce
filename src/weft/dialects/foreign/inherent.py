"""How attributes of foreign operations are read and printed where a format has them, by their kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    UnregisteredAttr,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import AttributeVariable, ParsingState, PrintingState
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dataclass import dataclass
from weft.dialects.engine.rows import Property
from weft.dialects.foreign.types import kept, parameters

_INTEGERS = {"i64": i64, "i32": i32, "i16": i16, "i8": i8, "index": IndexType()}
_DENSE = {"i64s": i64, "i32s": i32, "bools": i1}


def default_of(given: Property) -> Attribute | None:
    """What an attribute is where it is absent; None where it then is nothing."""
    text = given.default
    if not text:
        return None
    if given.kind in _INTEGERS:
        return IntegerAttr(int(text), cast("Any", _INTEGERS[given.kind]))
    if given.kind == "bool":
        return IntegerAttr(int(text == "true"), i1)
    if given.kind in _DENSE:
        return DenseArrayBase.from_list(cast("Any", _DENSE[given.kind]), [])
    return ArrayAttr([]) if text == "[]" else StringAttr(text.strip('"'))


@dataclass(frozen=True)
class Inherent(AttributeVariable):
    """`$name`, an attribute that is read and printed by its kind."""

    given: Property

    def is_optional_like(self) -> bool:
        """Whether it can begin a group."""
        return True

    def is_anchorable(self) -> bool:
        """Whether a group can be there for it."""
        return True

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the attribute."""
        self.set(state, self._parsed(parser, state))

    def _parsed(self, parser: Parser, state: ParsingState) -> Attribute:
        kind = self.given.kind
        if kind in _INTEGERS:
            return IntegerAttr(parser.parse_integer(allow_boolean=False), cast("Any", _INTEGERS[kind]))
        if kind == "bool":
            return IntegerAttr(int(parser.parse_boolean()), i1)
        if kind == "str":
            return StringAttr(parser.parse_str_literal())
        if kind == "sym":
            return parser.parse_symbol_name()
        if kind == "type":
            return parser.parse_type()
        if kind in _DENSE:
            values = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            return DenseArrayBase.from_list(cast("Any", _DENSE[kind]), values)
        if kind == "words":
            return self._word(parser, state)
        if kind == "f64":
            return FloatAttr(parser.parse_float(), f64)
        if kind == "angle":
            (name,) = self.given.words
            return cast("Any", kept(name, is_type=False))(name, False, False, parameters(parser))
        return parser.parse_attribute()

    def _word(self, parser: Parser, state: ParsingState) -> Attribute:
        start, words = parser.pos, [word for word in self.given.words if word]
        found = parser.parse_optional_str_literal() or parser.parse_optional_identifier()
        if found not in words:
            message = "expected string or keyword containing one of the following enum values for attribute"
            whole = f"custom op '{state.op_type.name}' {message} '{self.name}' [{', '.join(words)}]"
            parser.raise_error(whole, start, start)
        return StringAttr(found or "")

    def parse_optional(self, parser: Parser, state: ParsingState) -> None:
        """Parse the attribute, if it is there."""
        text, kind = parser.lexer.input.content, self.given.kind
        found: Attribute | None = None
        if kind == "words":
            if any(word and text.startswith((word, f'"{word}"'), parser.pos) for word in self.given.words):
                found = self._word(parser, state)
        elif kind == "str":
            given = parser.parse_optional_str_literal()
            found = None if given is None else StringAttr(given)
        elif kind == "ref":
            found = parser.parse_attribute() if text.startswith("@", parser.pos) else None
        else:
            found = parser.parse_optional_attribute()
        if found is not None:
            self.set(state, found)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the attribute, or what it is where it is absent."""
        state.print_whitespace(printer)
        value = self.get(op)
        if value is None:
            printer.print_string(self.given.default)
        else:
            self.print_attr(printer, value)

    def print_attr(self, printer: Printer, attr: Attribute) -> None:
        """Print an attribute by the kind."""
        kind = self.given.kind
        if kind in _INTEGERS and isinstance(attr, IntegerAttr):
            printer.print_string(str(attr.value.data))
        elif kind == "words":
            word = self._spelled(attr)
            printer.print_string(f'"{word}"' if "-" in word else word)
        elif kind == "angle" and isinstance(attr, UnregisteredAttr):
            printer.print_string(f"<{attr.value.data}>")
        elif kind == "f64" and isinstance(attr, FloatAttr):
            printer.print_float(cast("Any", attr).value.data, f64)
        elif kind == "sym" and isinstance(attr, StringAttr):
            printer.print_symbol_name(attr.data)
        elif kind in _DENSE and isinstance(attr, DenseArrayBase):
            numbers = cast("Sequence[int]", cast("Any", attr).get_values())
            shown = (("true" if number else "false") if kind == "bools" else str(number) for number in numbers)
            printer.print_string(f"[{', '.join(shown)}]")
        else:
            printer.print_attribute(attr)

    def _spelled(self, attr: Attribute) -> str:
        """The word that an enumeration's value is, which may be its number."""
        if isinstance(attr, StringAttr):
            return attr.data
        if isinstance(attr, IntegerAttr):
            place: int = cast("Any", attr).value.data
            return self.given.words[place] if place < len(self.given.words) else str(place)
        return str(attr)
