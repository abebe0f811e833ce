"""Attributes in formats: what xDSL's parser made of some tokens before, it makes of them again."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.builtin import Float16Type, Float32Type, Float64Type, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.utils.exceptions import VerifyException

from weft.mlir.reader.meanings import depends_on_file
from weft.mlir.reader.tokens import END, Unread

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from weft.mlir.reader.reader import Reader

Parse: TypeAlias = "Callable[[Any], Attribute | None]"
"""Parses an attribute with xDSL's parser; None where the attribute may be missing and is."""

_MOST = 1024
_ALIKE = 64
"""Of those, with one first token: they are looked at one after the other."""


def _kind(token: str) -> str:
    """A token as far as a parser that stops before it can tell: values and operations are all alike."""
    first = token[0]
    if first == "%" or first == "^":
        return first
    return "." if first.isalpha() and "." in token else token


class Remembered:
    """An attribute that is parsed in one way, by its tokens and the kind of the token after them.

    Of the token after it a parser sees whether it goes on: a `%` never does, a `:` may.
    """

    def __init__(self, parse: Parse) -> None:
        self._parse = parse
        self._known: dict[str, list[tuple[int, list[str], str, Attribute | None]]] = {}

    def read(self, reader: Reader, index: int) -> tuple[Attribute | None, int]:
        """The attribute at a token, and the token after it.

        Raises:
            Unread: xDSL's parser ends inside a token.
        """
        tokens = reader.tokens
        if tokens[index][0] == "#" and tokens[index - 1][0] == "%":
            raise Unread  # `%0 #1` is a value too.
        for length, given, follower, attribute in self._known.get(tokens[index], ()):
            end = index + length
            if tokens[index:end] == given and _kind(tokens[end]) == follower:
                return attribute, end
        attribute, end = reader.parsed(index, self._parse)
        if not reader.parser.ctx.allow_unregistered:
            self._remember(tokens, index, end, attribute)
        return attribute, end

    def _remember(self, tokens: Sequence[str], index: int, end: int, attribute: Attribute | None) -> None:
        given = list(tokens[index:end])
        if len(given) > 32 or tokens[end] is END or any(map(depends_on_file, given)):
            return
        if len(self._known) > _MOST:
            self._known.clear()
        alike = self._known.setdefault(tokens[index], [])
        if len(alike) >= _ALIKE:
            alike.clear()
        alike.append((len(given), given, _kind(tokens[end]), attribute))


_ANY = Remembered(methodcaller("parse_attribute"))


def attribute(reader: Reader, index: int) -> tuple[Attribute, int]:
    """Any attribute that must be at a token, and the token after it.

    Raises:
        Unread: xDSL's parser ends inside a token.
    """
    tokens = reader.tokens
    if tokens[index + 1] == ":":
        made = _number(tokens[index], tokens[index + 2])
        if made is not None:
            return made, index + 3
    elif tokens[index] == "-" and tokens[index + 2] == ":":
        made = _number("-" + tokens[index + 1], tokens[index + 3])
        if made is not None:
            return made, index + 4
    found, index = _ANY.read(reader, index)
    assert found is not None
    return found, index


@lru_cache(_MOST)
def _number(text: str, kind: str) -> Attribute | None:
    """`1 : i32`, `-0.5 : f64`; None for what is no plain number of a common type, or too large for its type."""
    try:
        if kind in _FLOATS:
            return FloatAttr(float(text), _FLOATS[kind]) if _DECIMAL.fullmatch(text) else None
        if kind in _INTEGERS and text.removeprefix("-").isdecimal():
            return IntegerAttr(int(text), _INTEGERS[kind])
    except (ValueError, OverflowError, VerifyException):
        return None
    return None


_DECIMAL = re.compile(r"-?\d+\.\d*(?:[eE][+-]?\d+)?")
_FLOATS: dict[str, Float16Type | Float32Type | Float64Type] = {
    "f16": Float16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
}
_INTEGERS: dict[str, IntegerType | IndexType] = {
    "index": IndexType(),
    **{f"i{width}": IntegerType(width) for width in (8, 16, 32, 64)},
}
