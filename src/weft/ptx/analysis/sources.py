"""Where instructions come from: lines of the PTX text, and lines of the source program by `.loc` and `.file`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

from weft.dataclass import dataclass
from weft.ptx.ast import Directive, Function, Instruction, Module

_FILE = re.compile(r'(\d{1,18})\s+"([^"]*)"')
_LOC = re.compile(r"(\d{1,18})\s+(\d{1,18})\s+(\d{1,18})(?!\d)")
"""Longer numbers are no file's and no line's."""

_NEWLINE = re.compile("\n")


class LineIndex:
    """Line numbers of character offsets, each found in logarithmic time after one pass over the text."""

    def __init__(self, text: str | None) -> None:
        self._ends = [match.start() for match in _NEWLINE.finditer(text)] if text is not None else None

    def line(self, offset: int) -> int:
        """The 1-based line of an offset; 0 when there is no text or the offset is -1 (generated)."""
        return 0 if self._ends is None or offset < 0 else bisect_right(self._ends, offset - 1) + 1


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A place in the source program: file as `.file` names it, 1-based line and column."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def file_names(module: Module) -> dict[int, str]:
    """The module's `.file` directives: number to name."""
    directives = (item for item in module.items if isinstance(item, Directive) and item.name == "file")
    found = (_FILE.match(directive.arguments) for directive in directives)
    return {int(match[1]): match[2] for match in found if match}


def source_map(
    module: Module, function: Function, files: Mapping[int, str] | None = None
) -> list[tuple[Instruction, SourceLine | None]]:
    """Each instruction of a function with the source line of the last `.loc` before it, None before the first and
    where it says line 0 (code that the compiler made up).

    For code that was inlined this is the line of the callee's text, as `.loc` says it. `files` is what `file_names`
    gives, for who asks about many functions.
    """
    files = file_names(module) if files is None else files
    places: dict[str, SourceLine | None] = {}
    place: SourceLine | None = None
    found: list[tuple[Instruction, SourceLine | None]] = []
    for statement in function.walk():
        if isinstance(statement, Instruction):
            found.append((statement, place))
        elif isinstance(statement, Directive) and statement.name == "loc":
            text = statement.arguments
            if text not in places:
                places[text] = _source_line(text, files, place)
            place = places[text]
    return found


def _source_line(text: str, files: Mapping[int, str], before: SourceLine | None) -> SourceLine | None:
    """What the arguments of a `.loc` say; the place before it when they say nothing."""
    match = _LOC.match(text)
    if match is None:
        return before
    name = files.get(int(match[1]), f"file {match[1]}")
    return SourceLine(name, int(match[2]), int(match[3])) if int(match[2]) else None
