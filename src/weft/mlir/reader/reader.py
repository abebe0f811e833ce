"""A cursor over the tokens of a text that builds operations: see the package's docstring for the design."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Span

from weft.dialects.building import append, build, take_properties
from weft.errors import WeftError
from weft.mlir.locations import place_terminators
from weft.mlir.reader import quick
from weft.mlir.reader.tokens import Tokens, Unread

if TYPE_CHECKING:
    from weft.mlir.parser import MlirParser

Read: TypeAlias = "Callable[[Reader, int], Operation]"
"""Reads an operation from the token behind its name, and leaves `Reader.index` after the operation."""

_Op = TypeVar("_Op", bound=Operation)
_OPTIONAL_TYPE = methodcaller("parse_optional_type")
_DICTIONARY = methodcaller("parse_optional_attr_dict")
_LOCATION = methodcaller("parse_optional_location")
_SUFFIX = re.compile(r"_\d+\Z")
_REFUSED = (ParseError, VerifyException, ValueError, OverflowError, WeftError, struct.error)
"""What xDSL's parser raises for bad attributes and types (which raise the Python errors)."""


class Reader:
    """Reads operations of a text quickly, and leaves to xDSL's parser those that it does not know."""

    def __init__(self, parser: MlirParser, text: str) -> None:
        self.parser = parser
        self.values: dict[str, tuple[SSAValue, ...]] = parser.ssa_values
        """The values that are defined, by their names without the `%`."""
        found = Tokens(text)
        self.tokens = found.texts
        self.starts = found.starts
        self.index = 0
        """The token behind what was read last."""
        self._text = text
        self._number = found.index
        # Reading a resource gives it a name in the whole process: it may not be read twice.
        self._complete = found.complete and "dense_resource" not in text
        self._readers: dict[str, Read | None] = {}
        self._name_at = 0
        self._bound = 0
        self._open: list[Region] = []
        """The regions of the operation that is being read."""
        self.defined: list[str] = []
        """The names of all values that were defined, in order; a region forgets its own."""

    # Between the tokens and xDSL's parser

    def here(self) -> int:
        """The token at which xDSL's parser stands; -1 when it is inside one."""
        return self._number(self.parser.pos) if self._complete else -1

    def seek(self, index: int) -> MlirParser:
        """xDSL's parser, put at a token."""
        parser = self.parser
        parser.resume(self.starts[index])
        return parser

    def span(self, index: int) -> Span[str]:
        """The place of a token."""
        start = self.starts[index]
        return Span(start, start + len(self.tokens[index]), self.parser.lexer.input)

    # Operations

    def block(self, block: Block) -> None:
        """Read operations into a block for as long as there are any; xDSL's parser is there, then after them."""
        index = self.here()
        while True:
            op = self.quick(index, self.tokens[index]) if index != -1 else None
            if op is not None:
                index = self.index
            else:
                parser = self.seek(index) if index != -1 else self.parser
                op = parser.parse_optional_slowly()
                if op is None:
                    return
                index = self.here()
            append(block, op)

    def operation(self) -> Operation | None:
        """The operation at which xDSL's parser stands, and put the parser after it; None when it must read it."""
        index = self.here()
        if index < 0:
            return None
        op = self.quick(index, self.tokens[index])
        self.seek(index if op is None else self.index)
        return op

    def quick(self, index: int, token: str) -> Operation | None:
        """The operation at a token, with its results named; None, and nothing changed, when it is not known here."""
        tokens = self.tokens
        first = index
        bound = 0
        if token[0] == "%":
            bound, index = (1, index + 2) if tokens[index + 1] == "=" else self._bindings(index)
            if not bound or len(token) == 1:
                return None
            token = tokens[index]
        if not token[0].isalpha():
            return None
        try:
            read = self._readers[token]
        except KeyError:
            read = self._find(token)
        if read is None:
            return None
        self._name_at = index
        self._bound = bound
        self._open = []
        self.values = self.parser.ssa_values
        try:
            op = read(self, index + 1)
        except Unread:  # xDSL's parser reads it again, and says what is wrong; anything else is a bug, and surfaces.
            for region in self._open:
                region.drop_all_references()
            return None
        if bound == 1:
            self._name(tokens[first], first, op.results)
        elif bound:
            self._name_all(first, op)
        return op

    def _find(self, name: str) -> Read | None:
        """The reader of the operations of a name; those without a dialect are named by the operation around them."""
        implied = self.parser.implied[-1]
        if "." not in name and not implied:
            return None
        cls = self.parser.known(name if "." in name else f"{implied}.{name}")
        read = None if cls is None else quick.reader_of(cls)
        if "." in name:
            self._readers[name] = read
        return read

    # Results

    def _bindings(self, index: int) -> tuple[int, int]:
        """How many values are in front of `=`, and the token after that; 0 when something else is there."""
        tokens = self.tokens
        bound = 0
        while tokens[index][0] == "%" and len(tokens[index]) > 1:
            if tokens[index + 1] == ":":
                if not tokens[index + 2].isdecimal():
                    break
                bound += int(tokens[index + 2])
                index += 3
            else:
                bound += 1
                index += 1
            if tokens[index] == "=":
                return bound, index + 1
            if tokens[index] != ",":
                break
            index += 1
        return 0, index

    def _name(self, token: str, index: int, values: tuple[SSAValue, ...]) -> None:
        """Give a name to values; the token is the name with the `%`."""
        name = token[1:]
        parser = self.parser
        if name in self.values or parser.forward_ssa_references:
            parser.define(name, values, self.span(index))
            return
        parser.ssa_values[name] = tuple(values)
        self.defined.append(name)
        if not name[0].isdigit():
            if "_" in name:
                name = _SUFFIX.sub("", name)
            for value in values:
                value._name = name  # pyright: ignore[reportPrivateUsage]

    def _name_all(self, index: int, op: Operation) -> None:
        tokens = self.tokens
        first = 0
        while True:
            token = tokens[index]
            size = 1
            if tokens[index + 1] == ":":
                size = int(tokens[index + 2])
            self._name(token, index, op.results[first : first + size])
            first += size
            index += 1 if tokens[index + 1] != ":" else 3
            if tokens[index] == "=":
                return
            index += 1

    def finish(
        self,
        cls: type[_Op],
        index: int,
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        properties: dict[str, Attribute],
        attributes: dict[str, Attribute],
        regions: Sequence[Region] = (),
        successors: Sequence[int] = (),
    ) -> _Op:
        """Build the operation whose text ends before a token, or with the location that is there.

        Raises:
            Unread: not as many results are named as there are, or the last value goes on: `%0 #1`.
        """
        if self._bound and self._bound != len(result_types):
            raise Unread
        if self.tokens[index][0] == "#" and self.tokens[index - 1][0] == "%":
            raise Unread
        location: LocationAttr | None = None
        if self.tokens[index] == "loc":
            location, index = self.parsed(index, _LOCATION)
        parser = self.parser
        place = parser.lines.location(self.starts[self._name_at])
        if regions:
            place_terminators(regions, place)
        self.index = index
        blocks = [parser.successor(self.span(at)) for at in successors] if successors else ()
        op = build(cls, operands, result_types, properties, attributes, location or place, regions, blocks)
        if op.attributes and isinstance(op, IRDLOperation):
            take_properties(op)
        return op

    # Parts of operations

    def operand(self, token: str) -> SSAValue:
        """The value that a token names.

        Raises:
            Unread: it names none, or one that is not defined yet.
        """
        if token[0] != "%":
            raise Unread
        values = self.values.get(token[1:])
        if values is not None:
            return values[0]
        name, hash_sign, index = token[1:].partition("#")
        values = self.values.get(name)
        if not hash_sign or values is None or int(index) >= len(values):
            raise Unread
        return values[int(index)]

    def argument(self, index: int, kind: Attribute) -> Parser.Argument:
        """The block argument that a token names.

        Raises:
            Unread: it names none.
        """
        token = self.tokens[index]
        if token[0] != "%" or len(token) == 1 or "#" in token:
            raise Unread
        return Parser.Argument(self.span(index), kind)

    def typed(self, token: str, kind: Attribute) -> SSAValue:
        """The value that a token names, which must have a given type.

        Raises:
            Unread: it names none, or one of another type.
        """
        value = self.operand(token)
        if value.type is not kind and value.type != kind:
            raise Unread
        return value

    def expect(self, index: int, token: str) -> int:
        """The place behind a token that must be there.

        Raises:
            Unread: another stands there.
        """
        if self.tokens[index] != token:
            raise Unread
        return index + 1

    def type(self, index: int) -> tuple[TypeAttribute, int]:
        """A type and the token after it.

        Raises:
            Unread: there is none.
        """
        known = self.parser.types.get(self.tokens[index])
        if known is not None:
            return known, index + 1
        found, index = self.optional_type(index)
        if found is None:
            raise Unread
        return found, index

    def optional_type(self, index: int) -> tuple[TypeAttribute | None, int]:
        """A type, if there is one, and the token after it."""
        token = self.tokens[index]
        known = self.parser.types.get(token)
        if known is not None:
            return known, index + 1
        if token[0] not in "!(" and not token[0].isidentifier():
            return None, index
        return self.parsed(index, _OPTIONAL_TYPE)

    def types(self, index: int) -> tuple[list[TypeAttribute], int]:
        """Types with commas between them, or none, and the token after them."""
        found, index = self.optional_type(index)
        if found is None:
            return [], index
        types = [found]
        while self.tokens[index] == ",":
            found, index = self.type(index + 1)
            types.append(found)
        return types, index

    def parsed(self, index: int, parse: Callable[[Any], Any]) -> tuple[Any, int]:
        """What a method of xDSL's parser makes of the text at a token, and the token after that.

        Raises:
            Unread: the parser refuses it, or ends inside a token.
        """
        parser = self.seek(index)
        dialect, dot, _ = self.tokens[self._name_at].partition(".")
        dialects = parser.dialects
        dialects.append(dialect if dot else dialects[-1])
        try:
            found = parse(parser)
        except _REFUSED as error:
            raise Unread from error
        finally:
            dialects.pop()
        index = self.here()
        if index < 0:
            raise Unread
        return found, index

    def dictionary(self, index: int) -> tuple[dict[str, Attribute], int]:
        """The attributes in braces, if they are there, and the token after them; the dictionary may be changed."""
        tokens = self.tokens
        if tokens[index] != "{":
            return {}, index
        try:
            end = tokens.index("}", index)
        except ValueError:
            raise Unread from None
        key = self._text[self.starts[index] : self.starts[end] + 1]
        known = self.parser.dictionaries.get(key)
        if known is not None:
            return dict(known), end + 1
        return self.parsed(index, _DICTIONARY)

    def region(
        self, cls: type[Operation], index: int, arguments: Sequence[Parser.Argument] | None = None
    ) -> tuple[Region, int]:
        """The region that begins at a token, of an operation of a class, and the token after it."""
        kept = self._name_at, self._bound, self._open
        parser = self.seek(index)
        if self.tokens[index] != "{":
            raise Unread
        region = parser.region_of(cls, arguments)
        index = self.here()
        self._name_at, self._bound, self._open = kept
        self._open.append(region)
        self.values = parser.ssa_values
        if index < 0:
            raise Unread
        return region, index
