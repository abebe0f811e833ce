"""DWARF sections: `.section .debug_info { .b8 1, 2 ... }`, which debug builds fill with millions of values.

A section's contents are cut into items (a data directive with its values, or a label); equal items are looked at once.
The lines of a section are made when somebody looks at them: the verifier needs what is distinct among them only.
PTX manual, section "Debugging Directives: .section".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from weft.errors import PtxSyntaxError
from weft.patterns import pattern
from weft.ptx.ast import Section
from weft.ptx.lexical import BLANK, BLANKS, COMMENT, IDENTIFIER, Cursor, quote, skip
from weft.ptx.sleeping import SleepingSection

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
DIFFERENCE = re.compile(r"\.b\d+ ([^-,\d][^-,]*-[^-,\d][^-,]*)")
"""An item that is the difference of two labels, normalised."""

_BYTE = r"(?:1\d\d|2[0-4]\d|25[0-5]|[1-9]?\d)(?!\d)"
_ADDRESS = r"(?:[A-VX-Za-z]|[$_.][A-Za-z_$])[\w$]*+(?:\+(?:0|[1-9]\d{0,8}))?+"
_PLAIN = pattern(
    rf"^[ \t]*+\.b(?:8[ \t]++{_BYTE}(?:,[ ]?{_BYTE})*+|16[ \t]++(?:0|[1-9]\d{{0,3}})"
    rf"|(?:32|64)[ \t]++(?:0|[1-9]\d{{0,8}}|{_ADDRESS}))\n",
    re.ASCII | re.MULTILINE,
)
_STOP = re.compile(r"\}|//|/\*|#")
_WIDTH = re.compile(rf"\.b(?:8|16|32|64){BLANKS}", re.ASCII)
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


class Contents:
    """What is between the braces of a section, by its distinct items, and how often each is there.

    `plain` are those that are small numbers or addresses at a glance, as they are written; `odd` the others,
    normalised. `items` is the text, an item a line unless `scattered`, or the lines; `wellformed` says that they are
    items indeed.
    """

    __slots__ = ("_items", "odd", "plain", "scattered", "wellformed")

    def __init__(self, items: str | tuple[str, ...], *, scattered: bool = False) -> None:
        self._items, self.scattered = items, scattered
        self.plain = Counter(self._texts())
        odd = list(self.plain)
        if not scattered:
            odd = list(filter(None, _PLAIN.sub("", "\n".join([*odd, ""])).split("\n")))
        counts = list(map(self.plain.pop, odd))
        del self.plain[""]
        self.wellformed = all(map(_ITEM.fullmatch, filter(None, (text.strip(" \t\r\f") for text in odd))))
        self.odd: dict[str, int] = {}
        for line, count in zip(_normalised(odd).values(), counts, strict=True):
            if line:
                self.odd[line] = self.odd.get(line, 0) + count

    def _texts(self) -> Iterable[str]:
        items = self._items
        if not isinstance(items, str):
            return items
        return _ITEM.findall(items) if self.scattered else items.split("\n")

    def covers(self, length: int) -> bool:
        """Whether the items are all of a text of so many characters."""
        return sum(map(len, self._texts())) == length

    def has_sums(self) -> bool:
        """Whether there is a label with a number added."""
        return any("+" in text for text in ((self._items,) if isinstance(self._items, str) else self._items))

    def first(self, count: int) -> Iterator[str]:
        """About so many of the first lines."""
        items = self._items
        some = items.split("\n", count) if isinstance(items, str) and not self.scattered else self._texts()
        return self._lines(list(islice(some, count)))

    def __call__(self) -> tuple[str, ...]:
        """The lines of the section."""
        return tuple(self._lines(list(self._texts())))

    def _lines(self, texts: list[str]) -> Iterator[str]:
        return filter(None, map(_normalised(texts).__getitem__, texts))


def contents(section: Section) -> Contents:
    """The distinct items of a section; asking does not make its lines."""
    maker = section.maker() if isinstance(section, SleepingSection) else None
    return maker if isinstance(maker, Contents) else Contents(section.lines)


def read_section(cursor: Cursor, name: str, pos: int) -> Section:
    """The section whose opening brace is at the cursor, which is left past the closing one."""
    opening = cursor.start
    cursor.end = opening + 1
    body, end = _contents(cursor, opening)
    body = body.replace("\x1a", " ")
    found = Contents(body)
    if not found.wellformed:
        found = Contents(body, scattered=True)
        if not found.covers(len(body)):
            raise _error(cursor, opening + 1)
    cursor.move(end + 1)
    return SleepingSection.asleep(Section(name, (), pos, opening, end), found)


def _contents(cursor: Cursor, opening: int) -> tuple[str, int]:
    """The text inside the braces with comments blanked out, and the offset of the closing brace."""
    text = cursor.text
    pieces: list[str] = []
    pos = start = opening + 1
    end = text.find("}", pos)
    if end >= 0 > max(text.find("/", pos, end), text.find("#", pos, end)):
        return text[pos:end].lstrip(" \t\r\n\f\x1a"), end
    while True:
        match = _STOP.search(text, pos)
        if match is None:
            raise cursor.error("unclosed section", opening, "add '}'", "end of text", "'}'")
        if match.group() == "}":
            pieces.append(text[start : match.start()])
            return "".join(pieces).lstrip(" \t\r\n\f\x1a"), match.start()
        comment = COMMENT.match(text, match.start())
        if comment is None and match.group() == "#":
            pos = match.end()
            continue
        if comment is None:
            raise cursor.error("unterminated comment", match.start(), "add '*/'", "/*", "'*/'")
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
            width = _WIDTH.match(text, pos)
            pos = width.end() if width else pos
            word = _WORD.match(text, pos)
            found = word.group() if word else ""
            return cursor.error(
                f"expected debug data or a label, found {quote(found)}",
                pos,
                "use .b8, .b16, .b32 or .b64 with integers or one label",
                found,
                "debug data",
            )
        pos = match.end()


def item_offsets(text: str, section: Section) -> list[int]:
    """Where each line of a parsed section stands in the text it was parsed from."""
    start = section.opening + 1
    blanked = COMMENT.sub(lambda comment: " " * len(comment.group()), text[start : section.end])
    return [start + match.start() for match in _ITEM.finditer(blanked)]
