"""Reading a layout's text: tokens one after another, and errors with their place."""

from __future__ import annotations

import re
from typing import NoReturn

from weft.errors import LayoutError, Position, position_at

LONGEST = 18
"""Characters of the largest number that is read."""


class Reader:
    """A text and the place reached in it; `tokens` matches blanks and, as its group, one token."""

    def __init__(self, text: str, tokens: re.Pattern[str], at: int = 0) -> None:
        self.text, self.tokens = text, tokens
        self.move(at)

    def move(self, at: int) -> None:
        """Look at the token from a place on: an empty one at the end of the text."""
        match = self.tokens.match(self.text, at)
        if match is not None:
            self.token, self.at, self.end = match[1], match.start(1), match.end()
            return
        rest = self.text[at:].lstrip()
        self.token, self.at, self.end = "", len(self.text) - len(rest), len(self.text)
        if rest:
            self.fail("unexpected text after the layout")

    def position(self, at: int | None = None) -> Position:
        """The position of a place (by default, of the token)."""
        return position_at(self.text, self.at if at is None else at, "<layout>")

    def fail(self, message: str, at: int | None = None, hint: str = "") -> NoReturn:
        """Raise LayoutError at a place (by default, at the token)."""
        raise LayoutError(message, self.position(at), hint)

    @property
    def found(self) -> str:
        """The token for a message."""
        return repr(self.token) if self.token else "the end"

    def skip(self, *wanted: str) -> bool:
        """Go on if the token is one of those wanted."""
        if self.token not in wanted:
            return False
        self.move(self.end)
        return True

    def take(self, *wanted: str) -> str:
        """The token, which must be one of those wanted (an empty one: the end)."""
        token, names = self.token, [repr(each) if each else "the end" for each in wanted]
        if not self.skip(*wanted):
            self.fail(f"expected {' or '.join(names)}, found {self.found}")
        return token

    def number(self) -> int:
        """A number."""
        token = self.token
        if re.fullmatch(r"-?[0-9]+", token) is None:
            self.fail(f"expected a number, found {self.found}")
        if len(token) > LONGEST:
            self.fail("number too large")
        self.move(self.end)
        return int(token)

    def name(self, what: str) -> str:
        """A name, of `what`."""
        token = self.token
        if not token.isidentifier():
            self.fail(f"expected the name of {what}, found {self.found}")
        self.move(self.end)
        return token
