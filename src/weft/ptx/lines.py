"""Where instructions come from, as `.file` and `.loc` say it: `Module.locations`.

PTX manual, section "Debugging Directives: .loc".  The directives are the map, so it survives whatever moves
statements about, and is there for what nvcc, Triton and LLVM wrote too.

LLVM numbers the lines of an inline assembly statement on from that of the statement: what is between its two
comments comes from one place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from weft.dataclass import dataclass
from weft.ptx.body_nodes import Instruction
from weft.ptx.directive_nodes import File, Loc, SourceLocation

if TYPE_CHECKING:
    from weft.ptx.ast import Module

_ASM = re.compile(r"// (?:begin|end) inline asm")


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a source: file, line and column (0: not known), counted from 1.

    Of code that was inlined, `function` is the function's name and `inlined_at` the place that called it.
    """

    file: str
    line: int
    column: int
    function: str = ""
    inlined_at: Location | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}"
        return place if self.inlined_at is None else f"{place} inlined at {self.inlined_at}"


def locations(module: Module) -> dict[str, tuple[Location | None, ...]]:
    """The place that each instruction comes from, by function: as many as `Function.instructions()` gives, in order.

    None stands before the first `.loc` of a function; functions without any `.loc` are left out.
    """
    files = {item.number: item.path for item in module.items if isinstance(item, File)}
    names = _names(module)
    begins = [match.start() for match in _ASM.finditer(module.source or "")]
    found: dict[str, tuple[Location | None, ...]] = {}
    for function in module.functions:
        places: list[Location | None] = []
        here: Location | None = None
        known: dict[tuple[int, int, int], Location] = {}
        inside = 0
        for statement in function.walk():
            if isinstance(statement, Instruction):
                places.append(here)
            elif isinstance(statement, Loc):
                part = bisect_right(begins, statement.pos)
                if part % 2 and part == inside:
                    continue
                inside = part
                here = _location(statement.location, files, names, known)
        if known:
            found[function.name] = tuple(places)
    return found


def _location(
    source: SourceLocation,
    files: dict[int, str],
    names: dict[str, dict[int, str]],
    known: dict[tuple[int, int, int], Location],
) -> Location:
    """The place of a `.loc`; `known` are those before it, of which its call is one."""
    caller, function = None, ""
    inlined = source.inlined
    if inlined is not None:
        where = inlined.file, inlined.line, inlined.column
        caller = known.get(where) or Location(files.get(inlined.file, ""), inlined.line, inlined.column)
        function = names.get(inlined.function, {}).get(inlined.offset, "")
    place = Location(files.get(source.file, ""), source.line, source.column, function, caller)
    known[source.file, source.line, source.column] = place
    return place


def _names(module: Module) -> dict[str, dict[int, str]]:
    """The strings of `.debug_str` by the label before them and their offset from it."""
    found: dict[str, dict[int, str]] = {}
    for item in module.sections:
        if item.name != ".debug_str":
            continue
        label, data = "", bytearray()
        for line in (*item.lines, ":"):
            if line.endswith(":"):
                found[label] = _strings(bytes(data))
                label, data = line[:-1].strip(), bytearray()
            elif line.startswith(".b8 "):
                data += bytes(int(word, 0) & 255 for word in line[4:].split(","))
    return found


def _strings(data: bytes) -> dict[int, str]:
    found: dict[int, str] = {}
    at = 0
    for part in data.split(b"\0")[:-1]:
        found[at] = part.decode("utf-8", "replace")
        at += len(part) + 1
    return found
