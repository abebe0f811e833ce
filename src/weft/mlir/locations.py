"""Locations in MLIR's syntax: `"file":3:4 to 5:6`, `"name"(...)`, `callsite(... at ...)`, `fused<...>[...]`, `unknown`.

xDSL has the classes but for ranges, and no locations that are named behind their use, as mlir-opt prints them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from weft.dialects.foreign.types import kept
from weft.mlir.sharing import MOST_EXPANDED, ExpandedSizes

if TYPE_CHECKING:
    from xdsl.ir import Block, Region

    from weft.mlir.positions import LineTable


@irdl_attr_definition
class FileLineColRange(ParametrizedAttribute):
    """A stretch of a file: `"file":3:4 to 5:6`."""

    name = "builtin.file_line_range"

    filename: StringAttr
    line: IntAttr
    column: IntAttr
    end_line: IntAttr
    end_column: IntAttr

    def print_parameters(self, printer: Printer) -> None:
        """Print it as a location."""
        printer.print_string(f"<{location_text(cast('LocationAttr', self), str)}>")


_SIMPLE = re.compile(r"([A-Za-z][\w.]*)(?:<(.*)>)?", re.DOTALL)
_Location = TypeVar("_Location", bound=Attribute)

LOCATIONS = (UnknownLoc, FileLineColLoc, FileLineColRange, NameLoc, CallSiteLoc, FusedLoc)
"""The classes of locations."""


def is_location(attribute: Attribute) -> bool:
    """Whether an attribute is a location."""
    return isinstance(attribute, LOCATIONS)


def location_text(location: Attribute, nested: Callable[[Attribute], str]) -> str:
    """What is in `loc(...)`; `nested` is the text of locations and attributes inside."""
    if isinstance(location, FileLineColLoc):
        return f"{_quoted(location.filename)}:{location.line.data}:{location.column.data}"
    if isinstance(location, FileLineColRange):
        line = "" if location.line == location.end_line else str(location.end_line.data)
        start = f"{_quoted(location.filename)}:{location.line.data}:{location.column.data}"
        return f"{start} to {line}:{location.end_column.data}"
    if isinstance(location, NameLoc):
        inner = location.location
        return _quoted(location.desc) + ("" if isinstance(inner, NoneAttr | UnknownLoc) else f"({nested(inner)})")
    if isinstance(location, CallSiteLoc):
        return f"callsite({nested(location.callee)} at {nested(location.caller)})"
    if isinstance(location, FusedLoc):
        metadata = "" if isinstance(location.metadata, NoneAttr) else f"<{nested(location.metadata)}>"
        return f"fused{metadata}[{', '.join(map(nested, _parts(location)))}]"
    return "unknown"


def _parts(location: FusedLoc) -> Sequence[Attribute]:
    return cast("ArrayAttr[Attribute]", location.locations).data


_PLAIN = re.compile(r'[^"\\\x00-\x1f\x7f-\U0010ffff]*')


def _quoted(text: StringAttr) -> str:
    """A string as MLIR writes it: bytes that are not printed, in hexadecimal."""
    return f'"{escaped(text.data)}"'


def escaped(text: str) -> str:
    """The inside of a string literal."""
    if _PLAIN.fullmatch(text):
        return text
    data = text.encode("utf-8", "surrogateescape")
    return "".join(
        "\\\\" if byte == 0x5C else chr(byte) if 0x20 <= byte < 0x7F and byte != 0x22 else f"\\{byte:02X}"
        for byte in data
    )


def _made(cls: type[_Location], **fields: Attribute) -> _Location:
    """A location without the checks of xDSL, which know of no stretches of files."""
    location = object.__new__(cls)
    vars(location).update(fields)
    return location


def fused(locations: Sequence[Attribute], metadata: Attribute) -> Attribute:
    """The fusion of some locations, each once, without unknown ones; one alone is itself."""
    known: dict[Attribute, None] = {}
    for location in locations:
        if isinstance(location, FusedLoc) and location.metadata == metadata:
            known.update(dict.fromkeys(_parts(location)))
        elif not isinstance(location, UnknownLoc):
            known[location] = None
    if isinstance(metadata, NoneAttr) and len(known) < 2:
        return next(iter(known), UnknownLoc())
    return _made(FusedLoc, locations=ArrayAttr(list(known) or [UnknownLoc()]), metadata=metadata)


class LocationParser(Parser):
    """A part of the parser: locations, also those that are named behind their use."""

    lines: LineTable
    has_location = False
    """Whether the location that was asked for last stood in the text."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._named_behind: dict[str, LocationAttr] = {}
        self._read_ahead: set[str] = set()
        self._ahead = False
        self._sizes = ExpandedSizes()

    def parse_optional_location(self) -> LocationAttr | None:
        """Parse `loc(...)`, if it is there.

        Raises:
            ParseError: what is in it is no location.
        """
        self.has_location = self.parse_optional_keyword("loc") is not None
        if not self.has_location:
            return None
        self.parse_punctuation("(", " in location")
        found = self._parse_location()
        self.parse_punctuation(")", " in location")
        self.has_location = True
        return found

    def _parse_location(self) -> LocationAttr:
        return cast("LocationAttr", _parse(self))

    def parse_optional_named_location(self) -> LocationAttr | None:
        """Parse the name of a location, `#loc3`, which may be defined further down.

        Raises:
            ParseError: there is no location of this name.
        """
        token = self._current_token
        if token.kind is not MLIRTokenKind.HASH_IDENT:
            return None
        self._consume_token()
        known = self.attribute_aliases.get(token.text) or self._named_behind.get(token.text)
        if known is None:
            known = self._named_behind[token.text] = self._find_location(token)
        if not is_location(known):
            self.raise_error("expected location alias", token.span)
        return cast("LocationAttr", known)

    def _find_location(self, token: MLIRToken) -> LocationAttr:
        found = self._find_alias(token.text)
        if found is None:
            self.raise_error("operation location alias was never defined", token.span)
        return cast("LocationAttr", found)

    def _find_alias(self, name: str) -> Attribute | None:
        """What an alias stands for that is defined further down."""
        definition = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=", re.MULTILINE)
        match = definition.search(self._current_token.span.input.content)
        if match is None:
            return None
        here, outer = self.pos, self._ahead
        self._resume_from(match.end())
        self._ahead = True
        found = self.parse_attribute()
        self._ahead = outer
        self._resume_from(here)
        return found

    def _parse_extended_type_or_attribute(self, attr_or_dialect_name: str, is_type: bool) -> Any:
        name = f"{'!' if is_type else '#'}{attr_or_dialect_name}"
        if self._ahead and "." not in name and name not in self.attribute_aliases:
            found = None if self._current_token.text == "<" else self._find_alias(name)
            if found is not None:
                self.attribute_aliases[name] = found
                self._read_ahead.add(name)
        if "." not in attr_or_dialect_name and self._current_token.text == "<":
            opaque = self._parse_opaque(attr_or_dialect_name, is_type)
            if opaque is not None:
                return opaque
        return cast("Any", super())._parse_extended_type_or_attribute(attr_or_dialect_name, is_type)

    def _parse_opaque(self, dialect: str, is_type: bool) -> Attribute | None:
        """Parse `<anything>` of a dialect that nobody knows; None, with nothing read, where it is known.

        What could be written after a dot is: `#foo<bar<1>>` is `#foo.bar<1>`.
        """
        if not self.ctx.allow_unregistered or self.ctx.get_optional_dialect(dialect) is not None:
            return None
        start = self._current_token.span.end
        end = cast("Any", self)._raw_scan_balanced(start)
        body = self._parser_state.lexer.input.content[start:end]
        simple = _SIMPLE.fullmatch(body)
        self._resume_from(end)
        self.parse_punctuation(">")
        name, value = (f"{dialect}.{simple[1]}", simple[2] or "") if simple is not None else (f"{dialect}.", body)
        return kept(name, is_type=is_type)(name, is_type, simple is None, value)

    def _parse_alias_def(self) -> None:
        token = self._current_token
        name = token.text
        if "." in name:
            what = "attribute" if name.startswith("#") else "type"
            self.raise_error(f"{what} names with a '.' are reserved for dialect-defined names", token.span)
        if name in self._read_ahead:
            self._read_ahead.discard(name)
            del self.attribute_aliases[name]
        super()._parse_alias_def()
        found = self.attribute_aliases.get(name)
        if found is not None and self._sizes.of(found) > MOST_EXPANDED:
            self.raise_error(f"{name} stands for more than {MOST_EXPANDED} attributes or types", token.span)

    def _parse_optional_block_arg_list(self, block: Block) -> Block | None:
        first = self._current_token.span.end
        found = super()._parse_optional_block_arg_list(block)
        text = self._current_token.span.input.content
        for argument in block.args:
            match = _ARGUMENT.search(text, first)
            if match is None:
                break
            if argument.location == UnknownLoc():
                argument.location = self.lines.location(match.start())
            first = match.end()
        return found


def place_terminators(regions: Sequence[Region], place: LocationAttr) -> None:
    """Give terminators that no text names the place of the operation that they are for."""
    for region in regions:
        block = region.blocks.last
        end = None if block is None else block.last_op
        if end is not None and end.location is UNKNOWN_LOC:
            end.location = place


_ARGUMENT = re.compile(r"%[\w$.\-]+(?=[ \t]*:)")


def _parse(parser: LocationParser) -> Attribute:
    place = parser.pos
    known = parser.parse_optional_named_location()
    if known is not None:
        return known
    text = parser.parse_optional_str_literal()
    raw = None if text is not None else parser.parse_optional_bytes_literal()
    if raw is not None:
        text = raw.decode("utf-8", "surrogateescape")
    if text is not None:
        return _parse_named(parser, StringAttr(text))
    word = parser.parse_optional_identifier()
    if word == "unknown":
        return UnknownLoc()
    if word == "callsite":
        with parser.in_parens():
            callee = _parse(parser)
            parser.parse_keyword("at", " in callsite location")
            return _made(CallSiteLoc, callee=callee, caller=_parse(parser))
    if word == "fused":
        metadata: Attribute = NoneAttr()
        if parser.parse_optional_punctuation("<"):
            metadata = parser.parse_attribute()
            parser.parse_punctuation(">")
        square = parser.Delimiter.SQUARE
        return fused(parser.parse_comma_separated_list(square, lambda: _parse(parser)), metadata)
    parser.raise_error("expected location instance", place, place)


def _parse_named(parser: LocationParser, text: StringAttr) -> Attribute:
    """Behind a string: a place in a file of that name, or the name of a location."""
    if parser.parse_optional_punctuation(":") is None:
        if parser.parse_optional_punctuation("(") is None:
            return NameLoc(text, NoneAttr())
        inner = _parse(parser)
        parser.parse_punctuation(")")
        return _made(NameLoc, desc=text, location=inner)

    def number(what: str) -> IntAttr:
        place = parser.pos
        found = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if found is None or found >> 32:
            parser.raise_error(f"expected integer {what} number in FileLineColRange", place, place)
        return IntAttr(found)

    line = number("line")
    if parser.parse_optional_punctuation(":") is None:
        return FileLineColLoc(text, line, IntAttr(0))
    column = number("column")
    if parser.parse_optional_keyword("to") is None:
        return FileLineColLoc(text, line, column)
    end_line = line if parser.parse_optional_punctuation(":") else number("line")
    if end_line is not line:
        parser.parse_punctuation(":")
    end_column = number("column")
    if (end_line, end_column) == (line, column):
        return FileLineColLoc(text, line, column)
    return FileLineColRange(text, line, column, end_line, end_column)
