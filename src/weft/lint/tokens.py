"""C++ text as far as inline assembly needs it: comments, strings, words, and where assembly statements begin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from weft.places import Token

# Messages and file names of directives are free text: an apostrophe in them opens no character.
_SKIPPED = r"""
  //(?:[^\\\n]|\\(?:\r\n|.))*
| /\*.*?(?:\*/|\Z)
| ^[ \t]*\#[ \t]*(?:error|warning|include|line|pragma)\b(?:[^\\\n]|\\(?:\r\n|.))*
"""
_LITERAL = r"""
  (?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?(?:\)(?P=fence)"|\Z)
| (?:u8|[uUL])?"(?:[^"\\\n]|\\(?:\r\n|.))*"
| (?<![\w])\d(?:'?[\w.])*
| '(?:[^'\\\n]|\\.)+'
"""
_SCAN = re.compile(
    rf"(?:{_SKIPPED}|{_LITERAL})|(?P<asm>(?<![\w$])(?:asm|__asm__|__asm)\b)|(?P<brace>[{{}}])",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_TOKEN = re.compile(
    rf"""
  (?P<comment>{_SKIPPED})
| (?P<directive>^[ \t]*\#(?:[^\\\n]|\\(?:\r\n|.))*)
| (?P<blank>\n|[^\S\n]+|\\\r?\n)
| (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{{0,16}})\(.*?\)(?P=delimiter)")
| (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\(?:\r\n|.))*")
| (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
| (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
| (?P<word>[A-Za-z_$][\w$]*)
| (?P<sign>::|->|\#\#|.)
""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class Keyword(NamedTuple):
    """Where `asm` is; `function` is the offset of the `{` of the outermost body around it that is a function's."""

    start: int
    function: int


def keywords(text: str) -> Iterator[Keyword]:
    """Every `asm` of a text that is neither in a comment nor in a literal, inside macros too."""
    opened: list[int] = []
    for match in _SCAN.finditer(text):
        if match.lastgroup == "asm":
            function = next((at for at in opened if _opens_function(text, at)), -1)
            yield Keyword(match.start(), function)
        elif match.lastgroup == "brace":
            if match[0] == "{":
                opened.append(match.start())
            elif opened:
                opened.pop()


_BEHIND_PARAMETERS = re.compile(r"\)[\s\w:&*<>,\\-]*\Z")


def _opens_function(text: str, brace: int) -> bool:
    """Whether a `{` follows a parameter list, with words such as `const` or a type behind `->` between them at most."""
    return _BEHIND_PARAMETERS.search(text, max(0, brace - 200), brace) is not None


def tokens(text: str, start: int) -> Iterator[Token]:
    """The tokens from an offset on, without blanks and comments; a backslash at the end of a line is a blank.

    Their kinds: `string`, `raw`, `word`, `number`, `char`, `sign`, `directive`.
    """
    for match in _TOKEN.finditer(text, start):
        kind = match.lastgroup if match.lastgroup != "delimiter" else "raw"
        if kind is not None and kind not in ("blank", "comment"):
            yield Token(kind, match[0], match.start())
