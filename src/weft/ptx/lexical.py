"""The lexical level of PTX: what counts as whitespace, names, literals and punctuation, and a cursor over a text.

Measured against ptxas: whitespace is blank, tab, carriage return, newline, form feed and the end-of-file mark of DOS
(not vertical tab); a line marker `#line 5 "file"` is whitespace wherever it stands; strings
have no escapes and may span lines; only comments may hold non-ASCII characters; a modifier is a dot glued to its name,
while whitespace and comments may be before the dot.
"""

from __future__ import annotations

import re
from typing import NoReturn

from weft.errors import PtxSyntaxError, position_at
from weft.isa.registers import ELEMENT_NAMES

WHITESPACE = r" \t\r\n\f\x1a"
BLANK = rf"[{WHITESPACE}]*+"
BLANKS = rf"[{WHITESPACE}]++"
IDENTIFIER = r"(?!WARP_SZ(?![\w$]))(?:[A-Za-z]|[_$%][\w$])[\w$]*+"
MEMBER = rf"\.(?:[{ELEMENT_NAMES}]{{1,4}}|b[0-7]{{1,4}}|h[0-3]{{1,2}})(?![\w$:])"
MODIFIER = r"\.[A-Za-z_]\w*+(?>(?:::\w++)*)(?!\$)"
NUMBER = (
    r"(?:0[xX][0-9A-Fa-f]++U?|0[bB][01]++U?|0[fF][0-9A-Fa-f]{8}|0[dD][0-9A-Fa-f]{16}"
    r"|(?:\d++\.\d*+|\.\d++)(?:[eE][-+]?\d++)?|\d++[eE][-+]?\d++|(?:0[0-7]*+|[1-9]\d*+)(?:U|(?!\.)))(?![\w$])"
)
STRING = r'"[^"\0]*+"'
OPERATOR = r"<<|>>|<=|>=|==|!=|&&|\|\||[-+*~!<>&|^?:,;=(){}\[\]@]|/(?!\*)|%(?![\w$])"
LINE_MARK = r'#(?:line)?[ \t]*+\d++[ \t]++"[^"\n]*+"[ \t\d]*+'

COMMENT = re.compile(rf"//[^\n]*+|/\*(?s:.*?)\*/|{LINE_MARK}", re.ASCII)
"""A comment, or a preprocessor's line marker, which PTX treats alike."""

_BLANK = re.compile(BLANK)
_TOKEN = re.compile(rf"({IDENTIFIER}|WARP_SZ|_)|({MODIFIER})|({NUMBER})|({STRING})|({OPERATOR})", re.ASCII)
_WORDISH = re.compile(r"[\w$%.:]{1,40}")

MAX_NESTING = 1700
"""Deepest nesting of scopes; ptxas gives up ("memory exhausted") before it."""

END, NAME, DOT, NUM, STR, OP = range(6)
"""Kinds of tokens: end of text, identifier, dotted modifier, number, string, punctuation."""


def syntax_error(
    text: str, pos: int, filename: str, message: str, hint: str = "", found: str = "", expected: str = ""
) -> PtxSyntaxError:
    """A PtxSyntaxError at a character offset of a text."""
    return PtxSyntaxError(message, position_at(text, pos, filename), hint, found=found, expected=expected)


def skip(text: str, pos: int) -> int:
    """The offset of the first character at or after `pos` that is neither whitespace nor in a comment."""
    while True:
        pos = _BLANK.match(text, pos).end()  # pyright: ignore[reportOptionalMemberAccess]
        if text[pos : pos + 1] not in ("/", "#"):
            return pos
        comment = COMMENT.match(text, pos)
        if comment is None:
            return pos
        pos = comment.end()


def closing(text: str, opening: int) -> int:
    """The offset of the brace that closes the one at `opening`, as if every brace counted; -1 when there is none."""
    depth, pos = 0, opening
    find, count = text.find, text.count
    while True:
        end = find("}", pos)
        if end == -1:
            return -1
        depth += count("{", pos, end) - 1
        if not depth:
            return end
        pos = end + 1


class Cursor:
    """A reading position in a text, one token ahead.

    `kind`, `token` and `start` describe the token under the cursor; `advance` moves on.  `fail` raises a
    PtxSyntaxError at the token.
    """

    __slots__ = ("end", "filename", "kind", "start", "text", "token")

    def __init__(self, text: str, pos: int = 0, filename: str = "<string>") -> None:
        self.text = text
        self.filename = filename
        self.move(pos)

    def move(self, pos: int) -> None:
        """Put the cursor on the first token at or after a character offset."""
        text = self.text
        start = self.start = skip(text, pos)
        match = _TOKEN.match(text, start)
        if match is None:
            self.kind, self.token, self.end = END, "", start
            if start < len(text):
                self._bad_character()
            return
        self.kind = match.lastindex or END
        self.token = match.group()
        self.end = match.end()

    def advance(self) -> str:
        """Step over the token and return it."""
        token = self.token
        self.move(self.end)
        return token

    def at(self, *tokens: str) -> bool:
        """Whether the token is one of these."""
        return self.token in tokens

    def accept(self, token: str) -> bool:
        """Step over the token if it is this piece of punctuation or word."""
        if self.token == token:
            self.move(self.end)
            return True
        return False

    def expect(self, token: str, hint: str = "") -> int:
        """Step over a token that must be here; its offset."""
        start = self.start
        if self.token != token:
            self.fail(f"'{token}'", hint)
        self.move(self.end)
        return start

    def identifier(self, what: str) -> str:
        """Step over an identifier (`_` and `WARP_SZ` are none) and return it."""
        if self.kind != NAME or self.token in ("_", "WARP_SZ"):
            self.fail(what)
        return self.advance()

    def fail(self, expected: str, hint: str = "") -> NoReturn:
        """Raise a PtxSyntaxError at the token: it is not what was expected."""
        found = self.token or ("end of text" if self.kind == END else "")
        raise self.error(f"expected {expected}, found {quote(found)}", self.start, hint, found, expected)

    def error(self, message: str, pos: int, hint: str = "", found: str = "", expected: str = "") -> PtxSyntaxError:
        """A PtxSyntaxError at a character offset of this text."""
        return syntax_error(self.text, pos, self.filename, message, hint, found, expected)

    def _bad_character(self) -> NoReturn:
        text, pos = self.text, self.start
        two = text[pos : pos + 2]
        if two == "/*":
            raise self.error("unterminated comment", pos, "add '*/'", "/*", "'*/'")
        if two[0] == '"':
            raise self.error("unterminated string", pos, "add '\"'", '"', "'\"'")
        if two[0] == "#":
            raise self.error(
                "not a line marker",
                pos,
                'run the preprocessor first: PTX supports only #line N "file"',
                "#",
                "a statement",
            )
        if two[0] == "\\":
            raise self.error("unexpected '\\'", pos, "PTX does not support line continuation", "\\", "a token")
        if not two[0].isascii():
            raise self.error(
                f"{quote(two[0])} is not ASCII", pos, "use other characters in comments only", two[0], "a token"
            )
        if two[0].isdigit() or (two[0] == "." and two[1:].isdigit()):
            word = _WORDISH.match(text, pos)
            found = word.group() if word else two[0]
            raise self.error(f"{quote(found)} is not a number", pos, _number_hint(found), found, "a number")
        raise self.error(f"unexpected {quote(two[0])}", pos, "", two[0], "a token")


def _number_hint(found: str) -> str:
    lower = found.lower()
    if lower.startswith("0f"):
        return "write eight hexadecimal digits after 0f"
    if lower.startswith("0d"):
        return "write sixteen hexadecimal digits after 0d"
    if found.endswith("u"):
        return "use a capital U as the unsigned suffix"
    if found[0] == "0" and found.isdigit():
        return "remove the leading 0, which means octal"
    return ""


def quote(token: str) -> str:
    """A token as messages show it: in quotes and cut short, except `end of text`."""
    if token == "end of text":
        return token
    shown = token if len(token) <= 40 else token[:37] + "..."
    return repr(shown) if not shown.isprintable() or not shown.isascii() else f"'{shown}'"
