"""What files repeat on almost every line is parsed once: types and attribute dictionaries, remembered by their text."""

from __future__ import annotations

import re
from itertools import islice

from xdsl.ir import Attribute, TypeAttribute
from xdsl.parser import Parser
from xdsl.utils.mlir_lexer import MLIRTokenKind

from weft.mlir.literals import MOST_BITS
from weft.mlir.reader.meanings import Meanings

_MOST_ANGLES = 2000
"""Brackets inside a type that is read at once from what was read before; longer ones are read in the long way."""
_ANGLE = re.compile(r"[<>]|->|\"")
_FLAT_DICTIONARY = re.compile(r"\{[^{}\"]*\}")
_TYPES = Meanings[TypeAttribute]()
_DICTIONARIES = Meanings[dict[str, Attribute]]()


class RepeatedParser(Parser):
    """A part of the parser: types (`memref<2x128x40xf16, 3>`) and dictionaries (`{mmaShape = [16, 8, 16]}`)."""

    _text: str

    def remember(self) -> None:
        """Begin with what is known from other files."""
        self.types = _TYPES.of_any_file()
        """The types that were met, by their text."""
        self.dictionaries = _DICTIONARIES.of_any_file()
        """The attribute dictionaries that were met, by their text."""

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type, if there is one; a type spelled as before is the same object as before."""
        token = self._parser_state.current_token
        kind = token.kind
        if kind is not MLIRTokenKind.BARE_IDENT and kind is not MLIRTokenKind.EXCLAMATION_IDENT:
            return super().parse_optional_type()
        start = token.span.start
        end = self._type_end(start + len(token.text))
        key = self._text[start:end]
        known = self.types.get(key)
        if known is None:
            known = _TYPES.find(key, self.attribute_aliases)
        if known is not None:
            self.types[key] = known
            self._resume_from(end)
            return known
        parsed = super().parse_optional_type()
        if getattr(parsed, "bitwidth", 0) > MOST_BITS:
            self.raise_error(f"integer bitwidth is limited to {MOST_BITS} bits", start, start)
        if parsed is not None and self._stands_at(end):
            self.types[key] = parsed
            if not self.ctx.allow_unregistered and 'struct<"' not in key:  # A name means something in one text.
                _TYPES.put(key, self.attribute_aliases, parsed)
        return parsed

    def parse_type(self) -> TypeAttribute:
        """Parse a type.

        Raises:
            ParseError: there is none.
        """
        parsed = self.parse_optional_type()
        if parsed is None:
            self.raise_error("expected a type")
        return parsed

    def parse_optional_attr_dict(self) -> dict[str, Attribute]:
        """Parse `{...}`, if it is there; a dictionary spelled as before is not parsed again."""
        token = self._parser_state.current_token
        if token.kind is not MLIRTokenKind.L_BRACE:
            return {}
        match = _FLAT_DICTIONARY.match(self._text, token.span.start)
        if match is None:
            return super().parse_optional_attr_dict()
        known = self.dictionaries.get(match[0])
        if known is None:
            known = _DICTIONARIES.find(match[0], self.attribute_aliases)
        if known is None:
            parsed = super().parse_optional_attr_dict()
            if self._stands_at(match.end()):
                self.dictionaries[match[0]] = dict(parsed)
                if not self.ctx.allow_unregistered:
                    _DICTIONARIES.put(match[0], self.attribute_aliases, dict(parsed))
            return parsed
        self.dictionaries[match[0]] = known
        self._resume_from(match.end())
        return dict(known)

    def _type_end(self, position: int) -> int:
        """The end of a type whose name ends at `position`: there, or after the matching `>`."""
        text = self._text
        if not text.startswith("<", position):
            return position
        depth = 0
        for match in islice(_ANGLE.finditer(text, position), _MOST_ANGLES):
            if match[0] == "<":
                depth += 1
            elif match[0] == ">":
                depth -= 1
                if not depth:
                    return match.end()
            elif match[0] == '"':
                break
        return position

    def _stands_at(self, position: int) -> bool:
        """Whether nothing but space was read behind `position`."""
        return not self._text[position : self._parser_state.current_token.span.start].strip()
