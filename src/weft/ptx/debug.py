"""DWARF sections: `.section .debug_info { .b8 1, 2 ... }`, which debug builds fill with millions of values.

A section's contents are cut into items (a data directive with its values, or a label) by one pattern; equal items
share one string.  PTX manual, section "Debugging Directives: .section".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from weft.errors import PtxSyntaxError
from weft.ptx.ast import Section
from weft.ptx.lexical import BLANK, BLANKS, COMMENT, IDENTIFIER, Cursor, quote, skip

_NAME = rf"(?:{IDENTIFIER}|\.[A-Za-z_$][\w$]*+)"
_DIGITS = r"(?:0[xX][0-9A-Fa-f]++|0[bB][01]++|0[0-7]*+|[1-9]\d*+)"
_OFFSET = rf"{_DIGITS}U?(?![\w$.])"
_INTEGER = rf"(?:{_OFFSET}|-{BLANK}{_DIGITS}(?![\w$.]))"
_ITEM = re.compile(
    rf"\.b(?:8|16|32|64){BLANKS}(?:{_INTEGER}(?:{BLANK},{BLANK}{_INTEGER})*"
    rf"|{IDENTIFIER}{BLANK}-{BLANK}{IDENTIFIER}|{_NAME}(?:{BLANK}\+{BLANK}{_OFFSET})?){BLANK}"
    rf"|{_NAME}{BLANK}:{BLANK}",
    re.ASCII,
)
_STOP = re.compile(r"\}|//|/\*|#")
_WORD = re.compile(r"[\w$.%]+|\S", re.ASCII)
_GLUED = re.compile(r"^(\.b\d+)-", re.MULTILINE)


def _normalised(items: Iterable[str]) -> dict[str, str]:
    """Item texts to their normalised texts: all of them together, so that the loops run in C."""
    known = list(dict.fromkeys(items))
    text = "\n".join(map(" ".join, map(str.split, known)))
    for sign in ",+-:":
        if sign in text:
            text = text.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    if "-" in text:
        text = _GLUED.sub(r"\1 -", text)  # `.b8 -1`: the blank after the directive stays.
    return dict(zip(known, text.replace(",", ", ").split("\n"), strict=False))


def section_lines(cursor: Cursor) -> tuple[tuple[str, ...], int]:
    """The items between the braces at the cursor, normalised, and the offset of the closing brace.

    The cursor is left past the closing brace.
    """
    opening = cursor.start
    cursor.end = opening + 1
    body, end = _contents(cursor, opening)
    body = body.replace("\x1a", " ")
    items: list[str] = body.split("\n")
    stripped = {item.strip(" \t\r\f") for item in set(items)} - {""}
    if not all(map(_ITEM.fullmatch, stripped)):
        items = [match.group() for match in _ITEM.finditer(body)]
        if sum(map(len, items)) != len(body):
            raise _error(cursor, opening + 1)
    known = _normalised(items)
    lines = tuple(line for line in map(known.__getitem__, items) if line)
    cursor.move(end + 1)
    return lines, end


def _contents(cursor: Cursor, opening: int) -> tuple[str, int]:
    """The text inside the braces with comments blanked out, and the offset of the closing brace."""
    text = cursor.text
    pieces: list[str] = []
    pos = start = opening + 1
    while True:
        match = _STOP.search(text, pos)
        if match is None:
            raise cursor.error("the section is never closed", opening, "add '}'", "end of text", "'}'")
        if match.group() == "}":
            pieces.append(text[start : match.start()])
            return "".join(pieces).lstrip(" \t\r\n\f\x1a"), match.start()
        comment = COMMENT.match(text, match.start())
        if comment is None and match.group() == "#":
            pos = match.end()
            continue
        if comment is None:
            raise cursor.error("the comment is never closed", match.start(), "add '*/'", "/*", "'*/'")
        pieces.append(text[start : match.start()])
        pieces.append(" ")
        pos = start = comment.end()


def _error(cursor: Cursor, start: int) -> PtxSyntaxError:
    """Where the first item that is none stands, found by going through the items again in the source itself."""
    text = cursor.text
    pos = start
    while True:
        pos = skip(text, pos)
        match = _ITEM.match(text, pos)
        if match is None:
            word = _WORD.match(text, pos)
            found = word.group() if word else ""
            return cursor.error(
                f"expected debug data or a label, found {quote(found)}",
                pos,
                "data is .b8, .b16, .b32 or .b64 with integers or one label",
                found,
                "debug data",
            )
        pos = match.end()


def item_offsets(text: str, section: Section) -> list[int]:
    """Where each line of a parsed section stands in the text it was parsed from."""
    start = section.opening + 1
    blanked = COMMENT.sub(lambda comment: " " * len(comment.group()), text[start : section.end])
    return [start + match.start() for match in _ITEM.finditer(blanked)]
