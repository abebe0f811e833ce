"""MLIR text cut into tokens in one go.

One `findall` cuts the whole text into pieces, each a token with the space and comments after it, so that the pieces
tile the text: their lengths add up to the places of the tokens.  A type with its parameters (`memref<4x8xf32, 3>`,
`!llvm.ptr<3>`) and a value with its index (`%0#1`) are one token, for readers look them up by their text.  Where xDSL's
lexer would cut otherwise nothing is lost: a reader that ends between two tokens gives the operation up.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate

from weft.patterns import pattern

END = "\0"
"""What is after the last token, several times, so that a look ahead needs no test."""


class Unread(Exception):
    """Tokens are not what a quick reader knows; xDSL's parser reads the operation from its start."""


_SPACE = r"(?:[ \t\r\n\f\v]+|//[^\n]*)*+"
_FLAT = r'(?:[^<>"-]|-(?!>)|->)*+'
_NESTED = rf"<{_FLAT}(?:<{_FLAT}(?:<{_FLAT}(?:<{_FLAT}>{_FLAT})*+>{_FLAT})*+>{_FLAT})*+>"
_PIECE = pattern(
    rf"""(?:%(?:\d+|[a-zA-Z$._\-][\w$.\-]*)(?:\#\d+)?"""
    rf"""|(?:[!\#](?:\d+|[a-zA-Z$._\-][\w$.\-]*)|(?:memref|vector|array|dense|affine_map|tensor)(?=<))(?:{_NESTED})?"""
    rf"""|[a-zA-Z_][\w$.]*|[,:=(){{}}\[\]]|->"""
    rf"""|\d+\.\d*(?:[eE][+-]?\d+)?|0x[0-9a-fA-F]+|\d+"""
    rf"""|"(?:[^"\\\n]++|\\.)*+"|@[\w$.]+|\^(?:\d+|[a-zA-Z$._\-][\w$.\-]*)|.){_SPACE}""",
    re.ASCII,
)
_SPACE_IN_FRONT = pattern(_SPACE)
_STRING = pattern(r'"(?:[^"\\\n]++|\\.)*+"')


class Tokens:
    """The tokens of a text and their places."""

    def __init__(self, text: str) -> None:
        match = _SPACE_IN_FRONT.match(text)
        first = match.end() if match is not None else 0
        pieces: list[str] = _PIECE.findall(text, first)
        self.starts: list[int] = list(accumulate(map(len, pieces), initial=first))
        """The offset of each token, and of the end of the text."""
        self.texts: list[str] = [piece.rstrip() if "//" not in piece else _token(piece) for piece in pieces]
        """The tokens, and `END` four times."""
        self.complete = self.starts[-1] == len(text)
        """Whether every character of the text is in a token or between two."""
        self.texts += (END, END, END, END)

    def index(self, offset: int) -> int:
        """The number of the token that begins at an offset; -1 when none does."""
        starts = self.starts
        index = bisect_left(starts, offset)
        return index if index < len(starts) and starts[index] == offset else -1


def _token(piece: str) -> str:
    """A token without the comment after it, or a string with slashes in it."""
    string = _STRING.match(piece)
    return piece[: piece.index("//")].rstrip() if string is None else string[0]
