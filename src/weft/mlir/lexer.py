"""A tokenizer for MLIR text: one regular expression a token, with xDSL's own lexer for the rare kinds.

Tokens are made for every word of a file, so they are small: a kind and two offsets; the span is built when asked for.
"""

from __future__ import annotations

import re
from typing import cast

from xdsl.parser.base_parser import BaseParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import KIND_BY_PUNCTUATION_SPELLING, MLIRLexer, MLIRToken, MLIRTokenKind, PunctuationSpelling

from weft.patterns import pattern

_TOKEN = re.compile(
    r"(?:[ \t\r\n\f\v]+|//[^\n]*)*"
    r"(?:(?P<bare>[a-zA-Z_][a-zA-Z0-9_$.]*)"
    r"|(?P<percent>%(?:[0-9]+|[a-zA-Z$._\-][a-zA-Z0-9$._\-]*))"
    r"|(?P<punctuation>->|[:,()}\[\]<>=+/*?|]|-|\{(?!-#))"
    r"|(?P<float>[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<integer>0x[0-9a-fA-F]+|[0-9]+)"
    r"|(?P<caret>\^(?:[0-9]+|[a-zA-Z$._\-][a-zA-Z0-9$._\-]*))"
    r"|(?P<exclamation>!(?:[0-9]+|[a-zA-Z$._\-][a-zA-Z0-9$._\-]*))"
    r"|(?P<hash>\#(?:[0-9]+|[a-zA-Z$._\-](?<!-)[a-zA-Z0-9$._\-]*))"
    r"|(?P<at>@[a-zA-Z_][a-zA-Z0-9_$.]*)"
    r"|(?P<string>\"[^\"\\\n]*\")"
    r"|(?P<end>\Z)"
    r"|)"
)

_STRING = pattern(r'"(?:[^"\\\n]++|\\(?:["\\nt]|[0-9a-fA-F]{2}))*+')
"""A string up to its end, or to what is wrong with it."""

_NAMELESS = {
    "%": "invalid SSA name",
    "!": "invalid type identifier",
    "#": "invalid attribute name",
    "^": "invalid block name",
}
"""What is said of the first letter of a name that stands alone."""
_KINDS = {
    "bare": MLIRTokenKind.BARE_IDENT,
    "percent": MLIRTokenKind.PERCENT_IDENT,
    "float": MLIRTokenKind.FLOAT_LIT,
    "integer": MLIRTokenKind.INTEGER_LIT,
    "caret": MLIRTokenKind.CARET_IDENT,
    "exclamation": MLIRTokenKind.EXCLAMATION_IDENT,
    "hash": MLIRTokenKind.HASH_IDENT,
    "at": MLIRTokenKind.AT_IDENT,
    "string": MLIRTokenKind.STRING_LIT,
    "end": MLIRTokenKind.EOF,
}
_PUNCTUATION: dict[str, MLIRTokenKind] = dict(KIND_BY_PUNCTUATION_SPELLING)


class FastToken:
    """A token that behaves as xDSL's `Token`: `kind`, `text`, and a `span` that is built when asked for."""

    __slots__ = ("end", "input", "kind", "start", "text")

    def __init__(self, kind: MLIRTokenKind, start: int, end: int, text: str, source: Input[str]) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
        self.input = source

    @property
    def span(self) -> Span[str]:
        """The place of the token in the text."""
        return Span(self.start, self.end, self.input)

    @property
    def content(self) -> str:
        """The token's text."""
        return self.text


class FastLexer(MLIRLexer):
    """xDSL's MLIR lexer with a fast path for everything but strings, bytes and file metadata."""

    def __init__(self, source: Input[str]) -> None:
        super().__init__(source)
        self._content = source.content

    def lex(self) -> MLIRToken:
        """The token at `pos`; moves `pos` after it.

        Raises:
            ParseError: the text there is no token.
        """
        match = _TOKEN.match(self._content, self.pos)
        assert match is not None
        group = match.lastgroup
        if group is None:
            return self._lex_rare(match.end())
        text = match[group]
        end = match.end()
        self.pos = end
        kind = _PUNCTUATION[text] if group == "punctuation" else _KINDS[group]
        return cast("MLIRToken", FastToken(kind, end - len(text), end, text, self.input))

    def _lex_rare(self, start: int) -> MLIRToken:
        """A string with escapes, a quoted symbol, file metadata, or what is no token."""
        self.pos = start
        content = self._content
        string = _STRING.match(content, start + content.startswith("@", start))
        if string is not None:
            end = string.end()
            if content.startswith("\\", end):
                raise ParseError(Span(end, end + 1, self.input), "unknown escape in string literal")
            if not content.startswith('"', end):
                raise ParseError(Span(end, end, self.input), "expected '\"' in string literal")
        if content.startswith("@", start) and not content.startswith('"', start + 1):
            wrong = "@ identifier expected to start with letter or '_'"
            raise ParseError(Span(start + 1, start + 1, self.input), wrong)
        first = content[start : start + 1]
        if first in _NAMELESS and not content.startswith("#-}", start):
            raise ParseError(Span(start, start + 1, self.input), _NAMELESS[first])
        if content.startswith(".", start) and not content.startswith("...", start):
            raise ParseError(Span(start + 1, start + 1, self.input), "expected three consecutive dots for an ellipsis")
        return super().lex()


class FastTokens(BaseParser):
    """A part of the parser: the hot paths of xDSL's, without its checks of the caller."""

    def _consume_token(self, expected_kind: MLIRTokenKind | None = None) -> MLIRToken:
        state = self._parser_state
        token = state.current_token
        state.current_token = state.lexer.lex()
        return token

    def _parse_optional_token(self, expected_kind: MLIRTokenKind) -> MLIRToken | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return token

    def parse_optional_punctuation(self, punctuation: PunctuationSpelling) -> PunctuationSpelling | None:
        """Parse a punctuation, if it is there."""
        state = self._parser_state
        if state.current_token.kind is not _PUNCTUATION[punctuation]:
            return None
        state.current_token = state.lexer.lex()
        return punctuation

    def parse_punctuation(self, punctuation: PunctuationSpelling, context_msg: str = "") -> PunctuationSpelling:
        """Parse a punctuation.

        Raises:
            ParseError: something else stands there.
        """
        state = self._parser_state
        if state.current_token.kind is not _PUNCTUATION[punctuation]:
            self.raise_error(f"expected '{punctuation}'{context_msg}", state.current_token.span)
        state.current_token = state.lexer.lex()
        return punctuation
