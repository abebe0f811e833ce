"""Where instructions come from: lines of the PTX text, and lines of the source program by `.loc` and `.file`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

from weft.dataclass import dataclass
from weft.ptx.ast import Function, Instruction, Module
from weft.ptx.directive_nodes import File, Loc, SourceLocation

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
    return {item.number: item.path for item in module.items if isinstance(item, File)}


def source_map(
    module: Module, function: Function, files: Mapping[int, str] | None = None
) -> list[tuple[Instruction, SourceLine | None]]:
    """Each instruction of a function with the source line of the last `.loc` before it, None before the first and
    where it says line 0 (code that the compiler made up).

    For code that was inlined this is the line of the callee's text, as `.loc` says it. `files` is what `file_names`
    gives, for who asks about many functions.
    """
    files = file_names(module) if files is None else files
    places: dict[SourceLocation, SourceLine | None] = {}
    place: SourceLine | None = None
    found: list[tuple[Instruction, SourceLine | None]] = []
    for statement in function.walk():
        if isinstance(statement, Instruction):
            found.append((statement, place))
        elif isinstance(statement, Loc):
            location = statement.location
            if location not in places:
                places[location] = _source_line(location, files)
            place = places[location]
    return found


def _source_line(location: SourceLocation, files: Mapping[int, str]) -> SourceLine | None:
    name = files.get(location.file, f"file {location.file}")
    return SourceLine(name, location.line, location.column) if location.line else None
