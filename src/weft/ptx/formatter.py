"""`weft fmt`: the canonical layout of a text, with its comments.

The text is parsed and printed as ever; then the comments, which the parser does not look at, are found again in the
source and put back by the places of the statements around them.  A comment on a line of its own goes above the
statement that follows it; any other stays at the end of the line of the statement before it.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from weft.ptx import debug
from weft.ptx.ast import Module, Section
from weft.ptx.lexical import LINE_MARK, Cursor
from weft.ptx.parser import parse
from weft.ptx.printer import Printer

_COMMENT_OR_STRING = re.compile(rf'"[^"]*+"|(//[^\n]*+|/\*(?s:.*?)\*/|{LINE_MARK})', re.ASCII)


def format_text(text: str, filename: str = "<string>") -> str:
    """Format PTX text, keeping its comments.  Formatting the result again changes nothing.

    Raises:
        PtxSyntaxError: the text is not PTX.
    """
    text = text.removeprefix("\ufeff")  # A byte order mark.
    module = parse(text, filename)
    marks: list[tuple[int, int]] = []
    printer = _SectionPrinter(text, marks)
    printer.module(module)
    marks[:0] = _header_marks(module, text)
    above, after = _place(text, marks, len(module.banner), printer.lines)
    return _merge(printer.lines, above, after)


class _SectionPrinter(Printer):
    """A printer that marks the lines of debug sections, too."""

    def __init__(self, text: str, marks: list[tuple[int, int]]) -> None:
        super().__init__(marks)
        self.text = text

    def section_lines(self, section: Section) -> None:
        assert self.marks is not None
        first = len(self.lines)
        self.marks += [(first + index, pos) for index, pos in enumerate(debug.item_offsets(self.text, section))]
        super().section_lines(section)


def _header_marks(module: Module, text: str) -> list[tuple[int, int]]:
    """Marks of the header's lines, which the tree has no places for."""
    line = len(module.banner) + 1 if module.banner else 0
    cursor = Cursor(text)
    marks: list[tuple[int, int]] = []
    wanted = [".version", ".target", ".address_size"][: 2 if module.address_size is None else 3]
    for index, directive in enumerate(wanted):
        while cursor.token != directive:
            cursor.advance()
        marks.append((line + index, cursor.start))
    return marks


def _place(
    text: str, marks: list[tuple[int, int]], banner: int, lines: list[str]
) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """The comments to print above, and after, each line of the output, by line number."""
    offsets = [pos for _, pos in marks]
    above: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    previous_end = 0
    alone = False
    for match in _COMMENT_OR_STRING.finditer(text):
        if match[1] is None:
            continue
        start = match.start()
        line_start = text.rfind("\n", 0, start) + 1
        if text[max(line_start, previous_end) : start].strip():
            alone = False
        elif previous_end <= line_start:
            alone = True
        previous_end = match.end()
        if banner:
            banner -= 1
            continue
        following = bisect_right(offsets, start)
        comment = match[1].rstrip().replace("\r\n", "\n")
        if alone or not following:
            line = marks[following][0] if following < len(marks) else len(lines)
            above.setdefault(line, []).append(comment)
        else:
            after.setdefault(marks[following - 1][0], []).append(comment)
    return above, after


def _merge(lines: list[str], above: dict[int, list[str]], after: dict[int, list[str]]) -> str:
    out: list[str] = []
    for number, line in enumerate(lines):
        if number in above:
            indent = line[: len(line) - len(line.lstrip("\t"))]
            if line.endswith("}"):
                indent += "\t"
            out += [comment if comment[0] == "#" else indent + comment for comment in above[number]]
        out.append(" ".join((line, *sorted(after.get(number, ()), key=_is_line_comment))))
    out += above.get(len(lines), ())
    return "\n".join(out) + "\n"


def _is_line_comment(comment: str) -> bool:
    """Whether a comment runs to the end of its line: nothing but its like may follow it."""
    return comment.startswith("//")
