"""Where the parts of a module's header stand in its text."""

from __future__ import annotations

import re
from typing import NamedTuple

from weft.ptx.lexical import NAME, Cursor, skip

_VERSION = re.compile(r"\.version[ \t\r\f\x1a]+(\d+\.\d+)")


class Header(NamedTuple):
    """Offsets of the header's parts: the number of `.version`, the words of `.target`, `.address_size` (-1: absent)."""

    version: tuple[int, int]
    targets: tuple[tuple[str, int, int], ...]
    address_size: int

    def target(self, word: str) -> int:
        """Where a word of `.target` starts; where the first does, for a word that is not there."""
        return next((start for name, start, _ in self.targets if name == word), self.targets[0][1])


def find_header(text: str) -> Header | None:
    """The header of a text, comments passed over; None when the text does not start with one."""
    version = _VERSION.match(text, skip(text, 0))
    if version is None:
        return None
    cursor = Cursor(text, version.end())
    words: list[tuple[str, int, int]] = []
    while cursor.token in (".target", ",") or cursor.kind == NAME:
        if cursor.kind == NAME:
            words.append((cursor.token, cursor.start, cursor.end))
        cursor.advance()
    size = cursor.start if cursor.token == ".address_size" else -1
    return Header(version.span(1), tuple(words), size) if words else None
