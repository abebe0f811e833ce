"""Flags between angle brackets (`fastmath<nnan, ninf>`): at least one is written, as in MLIR and other than in xDSL."""

from __future__ import annotations

import re
from typing import Any

from xdsl.dialects.utils.bit_enum_attribute import BitEnumAttribute
from xdsl.parser import AttrParser

_NONE = re.compile(r"\s*<\s*(?=>)")
_parse: Any = BitEnumAttribute.parse_parameter.__func__  # pyright: ignore


def _parse_some(cls: type[BitEnumAttribute[Any]], parser: AttrParser) -> frozenset[Any]:
    if cls.delimiter_value is parser.Delimiter.ANGLE:
        none = _NONE.match(parser.lexer.input.content, parser.pos)
        if none is not None:
            parser.raise_error("expected valid keyword or string", none.end(), none.end())
    return _parse(cls, parser)


def install() -> None:
    """Have xDSL read flags so."""
    BitEnumAttribute.parse_parameter = classmethod(_parse_some)  # pyright: ignore
