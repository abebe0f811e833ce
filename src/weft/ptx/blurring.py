"""Texts in which numbers that do not matter are made equal: those whose statements are the shapes of `weft.ptx.shapes`.

What is made equal is of one lexical kind, and nothing in the grammar asks for its value: numbers after the names of
registers and labels (`%r17`, `$L__BB3_2`), hexadecimal floats, offsets of addresses, the places of `.loc`, and the
contents of comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import compress
from operator import not_
from typing import NamedTuple

from weft.ptx.directive_nodes import SourceLocation
from weft.ptx.lexical import IDENTIFIER

_COMMENT = re.compile(r"//[^\n\";*/#\0]++")
"""The contents of a comment, up to what could end a statement, a string or a comment of the other kind."""

_NUMBER = r"(?:0|[1-9]\d{0,8})"
_LOC = re.compile(
    rf"\.loc[ \t]++({_NUMBER}[ \t]++{_NUMBER}[ \t]++{_NUMBER}"
    rf"(?:,[ \t]*+function_name[ \t]++{IDENTIFIER}(?:\+{_NUMBER})?,"
    rf"[ \t]*+inlined_at[ \t]++{_NUMBER}[ \t]++{_NUMBER}[ \t]++{_NUMBER})?)[ \t\r]*+(?://)?\n",
    re.ASCII,
)
ONE_PLACE = SourceLocation(1, 1, 1)
_ONE_LOC = ".loc 1 1 1\n"
_FLOAT = re.compile(r"0f[0-9A-Fa-f]{8}(?!\w)", re.ASCII)
_DOUBLE = re.compile(r"0d[0-9A-Fa-f]{16}(?!\w)", re.ASCII)
_OFFSET = re.compile(r"\+-?(?:0|[1-9]\d{0,15}+)\]", re.ASCII)
ONE_FLOAT, ONE_DOUBLE, ONE_OFFSET = "0f00000000", "0d0000000000000000", "+4]"
_REGISTER = re.compile(r"(%(?<![\w$%.].)[A-Za-z_]++(?:0|[1-9]\d{0,8}+))(?![\w.$%])", re.ASCII)
"""A numbered register: `%r007` and `%r99999999999` are not, but names of their own."""

_RANGE = re.compile(r"(\.reg[ \t]++\.\w++[ \t]++%[A-Za-z_]++<)([1-9]\d{0,8})(?=>[ \t]*+;)", re.ASCII)
"""A range of registers: `.reg .b32 %r<` and its count."""

_LABEL = re.compile(r"(\$(?<![\w$%.].)[A-Za-z_]++)(\d++(?:_\d++)?)(?![\w.$%])", re.ASCII)
"""A label that ends in a number, or in two: what is before the number of it, and the number."""
_LAST_NUMBER = re.compile(r"\d+(?:_\d+)?\Z", re.ASCII)

NUMBERED = re.compile(r"[%$][A-Za-z_]++0", re.ASCII)
"""A numbered name in the text of a shape."""

_EQUAL = re.compile(rf"{NUMBERED.pattern}(?!\w)|{ONE_FLOAT}|{ONE_DOUBLE}|{re.escape(ONE_OFFSET)}", re.ASCII)

_MOST = 1 << 16  # Names of registers that are remembered.
_PIECE = 1 << 15  # Characters of a body that are made equal at a time.
_MOST_NUMBERED = 10_000  # Registers of a range that are looked up by name, whatever a body names.


def is_numbered_label(name: str) -> bool:
    """Whether a label in the text of a shape is a numbered one."""
    return name[0] == "$" and NUMBERED.fullmatch(name) is not None


def mentions_numbers(text: str) -> bool:
    """Whether a text has something that was made equal."""
    return _EQUAL.search(text) is not None


def counted(text: str, ranges: Iterable[tuple[str, int]]) -> str | None:
    """A text of shapes with the counts of its ranges; None where it has others."""
    counts = [str(count) for _, count in ranges]
    parts = _RANGE.split(text)
    if len(parts) // 3 != len(counts):
        return None
    parts[2::3] = counts
    return "".join(parts)


class Blurred(NamedTuple):
    """A body with equal numbers: its statements' texts, and what was taken out of them.

    `outside` are numbered registers that are in none of `ranges`, `labels` the names of numbered labels, `defined`
    those before a colon, `used` the others, `targets` what is left of these; `locations` are the arguments of each
    `.loc`, `ranges` each range of registers and its count. The last text is what is after the last semicolon.
    """

    texts: list[str]
    outside: frozenset[str]
    labels: frozenset[str]
    defined: tuple[str, ...]
    used: frozenset[str]
    targets: tuple[str, ...]
    locations: list[str]
    ranges: tuple[tuple[str, int], ...]


def prefix_of(name: str) -> str:
    """What is before the number of a register's name."""
    return name.rstrip("0123456789")


class _Zeros(dict[str, str]):
    """Names of a body's numbered registers to what is left of them; `strays` are in no range met before them."""

    def __init__(self) -> None:
        self.strays: set[str] = set()

    def __missing__(self, name: str) -> str:
        self.strays.add(name)
        # Only names that no range has given come here: filling the table by ranges first keeps the common case in C.
        left = self[name] = f"{prefix_of(name)}0"
        return left


_NUMBERED: dict[str, list[str]] = {}
"""The names of registers by their prefix."""


def outside(
    names: set[str] | frozenset[str], ranges: Iterable[tuple[str, int]], most: int = _MOST_NUMBERED
) -> frozenset[str]:
    """The numbered names that are in none of some ranges, whose first so many are looked up."""
    known = [_numbered(prefix, min(count, most)) for prefix, count in ranges] if names else ()
    return frozenset(names.difference(*known))


def _numbered(prefix: str, count: int) -> list[str]:
    """The first so many names of a range; made once, as making and hashing them is what looking names up costs."""
    if sum(map(len, _NUMBERED.values())) > _MOST:
        _NUMBERED.clear()
    known = _NUMBERED.setdefault(prefix, [])
    if len(known) < count:
        known += map(prefix.__add__, map(str, range(len(known), count)))
    return known[:count]


def label_text(name: str) -> str:
    """What is left of a numbered label: `$Lt_0` of `$Lt_0_12`."""
    return _LAST_NUMBER.sub("0", name)


class _Blurring:
    """Takes texts of statements, one after another."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.texts: list[str] = []
        self.zeros = _Zeros()
        self.defined: list[str] = []
        self.used: set[str] = set()
        self.locations: list[str] = []
        self.ranges: list[tuple[str, int]] = []

    def take(self, text: str) -> None:
        """Make numbers equal in the text of some statements."""
        # A plain search is cheaper than a pattern by far, and most texts lack most kinds.
        if "//" in text:
            text = _COMMENT.sub("//", text)
        if ".loc" in text:
            parts = _LOC.split(text)
            self.locations += parts[1::2]
            text = _ONE_LOC.join(parts[::2])
        if "0f" in text or "0d" in text:
            text = _DOUBLE.sub(ONE_DOUBLE, _FLOAT.sub(ONE_FLOAT, text))
        if ".reg" in text:
            parts = _RANGE.split(text)
            prefixes = [part[part.rindex("%") : -1] for part in parts[1::3]]
            ranges = list(zip(prefixes, map(int, parts[2::3]), strict=True))
            self.ranges += ranges
            parts[2::3] = "1" * len(prefixes)
            text = "".join(parts)
            for prefix, count in ranges:
                self.zeros.update(dict.fromkeys(_numbered(prefix, min(count, self.most)), f"{prefix}0"))
        parts = _REGISTER.split(_OFFSET.sub(ONE_OFFSET, text))
        # `split` with one group puts the names at odd places: they are replaced and joined without a call of Python for
        # each.
        parts[1::2] = map(self.zeros.__getitem__, parts[1::2])
        text = "".join(parts)
        if "$" in text:
            text = self._labels(text)
        self.texts += text.split(";")

    def _labels(self, text: str) -> str:
        parts = _LABEL.split(text)
        labels = list(map(str.__add__, parts[1::3], parts[2::3]))
        ends = [behind[:1] == ":" for behind in parts[3::3]]
        self.defined += compress(labels, ends)
        self.used.update(compress(labels, map(not_, ends)))
        parts[2::3] = ["0"] * (len(parts) // 3)
        return "".join(parts)


def blurred(text: str) -> Blurred:
    """The texts of the shapes of all statements of a body.

    Nothing that is made equal has a semicolon in it, so that a large body is taken in pieces, as memory is.
    """
    found = _Blurring(_MOST_NUMBERED + len(text) // 8)
    start = 0
    while (end := text.find(";", start + _PIECE)) != -1:
        found.take(text[start : end + 1])
        found.texts.pop()
        start = end + 1
    found.take(text[start:] if start else text)
    beyond = outside(found.zeros.strays, found.ranges, found.most)
    targets = tuple(sorted(set(map(label_text, found.used))))
    labels = frozenset(found.defined) | found.used
    return Blurred(
        found.texts, beyond, labels, tuple(found.defined), frozenset(found.used), targets, found.locations,
        tuple(found.ranges),
    )  # fmt: skip
