"""Each stage of a text: its statements, and the places of the source that these name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

from weft.dataclass import dataclass
from weft.errors import Severity
from weft.ptx.analysis.sources import LineIndex
from weft.ptx.ast import Module
from weft.ptx.lines import Location
from weft.tracing.control import producers
from weft.tracing.lines import PTX_LINES, SOURCE_LINES, Row, line_table
from weft.tracing.machine import Code, Machine
from weft.tracing.model import Span, Stage


class Place(NamedTuple):
    """A place in a source: the last part of its file's path, its line, and its column (0: not known)."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A stage, and for each span its own place, or those that it names; where it is inlined, of callers too."""

    stage: Stage
    places: tuple[tuple[Place, ...], ...]


def _file(path: str) -> str:
    return PurePath(path.replace("\\", "/")).name


# -- sources and MLIR -----------------------------------------------------------------------------------------

_LANGUAGES = {".py": "python", ".cu": "cuda", ".cuh": "cuda", ".mlir": "mlir", ".ptx": "ptx"}


def source_stage(files: Sequence[tuple[str, str]], name: str = "source") -> Placed:
    """The text of source files (path, text), every line a statement; of several each begins with its name."""
    lines: list[str] = []
    spans: list[Span] = []
    places: list[tuple[Place, ...]] = []
    for path, text in files:
        if len(files) > 1:
            lines.append(f"==== {path}")
        for number, line in enumerate(text.splitlines(), 1):
            lines.append(line)
            if line.strip():
                spans.append(Span(len(lines), len(lines)))
                places.append((Place(_file(path), number, 0),))
    language = _LANGUAGES.get(PurePath(files[0][0]).suffix, "text") if files else "text"
    return Placed(Stage(name, language, "\n".join(lines), tuple(spans)), tuple(places))


_OPERATION = re.compile(r'^\s*(?:%[\w$.:, #%]+=\s*)?(?:"[\w.]+"|[a-z_]\w*(?:\.[\w.]+)?)(?:[\s(<:{@%]|$)')
_LOCATION = re.compile(r"^(#\w+)\s*=\s*loc\((.*)\)\s*$")
_AT = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+)(?::(\d+))?|(#loc\w*)')
_TRAILING = re.compile(r"\bloc\((#\w+|.*)\)\s*$")


def mlir_stage(text: str, name: str, file: str | None = None) -> Placed:
    """MLIR text, an operation a line. With `file` its own lines are the places; else those of its `loc(...)`."""
    known = {match[1]: match[2] for line in text.splitlines() if (match := _LOCATION.match(line))}
    spans: list[Span] = []
    places: list[tuple[Place, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(("#", "//")) or not _OPERATION.match(line):
            continue
        spans.append(Span(number, number))
        if file is not None:
            places.append((Place(_file(file), number, 0),))
        else:
            trailing = _TRAILING.search(line)
            places.append(_resolved(trailing[1], known) if trailing is not None else ())
    return Placed(Stage(name, "mlir", text, tuple(spans)), tuple(places))


def _resolved(text: str, known: dict[str, str]) -> tuple[Place, ...]:
    """The places in a location's text, aliases followed."""
    found: dict[Place, None] = {}
    stack, seen = [text], {text}
    while stack and len(seen) < 1000:
        for match in _AT.finditer(stack.pop()):
            if match[4]:
                inner = known.get(match[4])
                if inner is not None and inner not in seen:
                    seen.add(inner)
                    stack.append(inner)
            else:
                found[Place(_file(match[1]), int(match[2]), int(match[3] or 0))] = None
    return tuple(found)


_DEBUG = re.compile(r"!dbg (!\d+)")
_DI_LOCATION = re.compile(
    r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+), column: (\d+), scope: (!\d+)(?:, inlinedAt: (!\d+))?"
)
_DI_FILE = re.compile(r'^(!\d+) = !DIFile\(filename: "([^"]*)"')
_DI_SCOPE = re.compile(r"^(!\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock(?:File)?)\(.*?file: (!\d+)")


def llvm_stage(text: str, name: str = "llir") -> Placed:
    """LLVM IR: an instruction a line, with the places of its debug locations."""
    locations: dict[str, tuple[int, int, str, str]] = {}
    files: dict[str, str] = {}
    scopes: dict[str, str] = {}
    lines = text.splitlines()
    for line in lines:
        if line.startswith("!"):
            if match := _DI_LOCATION.match(line):
                locations[match[1]] = (int(match[2]), int(match[3]), match[4], match[5] or "")
            elif match := _DI_FILE.match(line):
                files[match[1]] = match[2]
            elif match := _DI_SCOPE.match(line):
                scopes[match[1]] = match[2]
    spans: list[Span] = []
    places: list[tuple[Place, ...]] = []
    for number, line in enumerate(lines, 1):
        if not line.startswith("  ") or not line.strip():
            continue
        found: list[Place] = []
        match = _DEBUG.search(line)
        key = match[1] if match is not None else ""
        while key in locations and len(found) < 64:
            where, column, scope, key = locations[key]
            found.append(Place(_file(files.get(scopes.get(scope, ""), "")), where, column))
        spans.append(Span(number, number))
        places.append(tuple(found))
    return Placed(Stage(name, "llvm", text, tuple(spans)), tuple(places))


# -- PTX ------------------------------------------------------------------------------------------------------


def ptx_stage(module: Module, text: str, diagnostics: Iterable[Any] = ()) -> Placed:
    """PTX text that `module` was read from: an instruction a span, with the places of its `.loc`."""
    index = LineIndex(module.source)
    located = module.locations
    said: dict[int, list[str]] = {}
    for one in diagnostics:
        if one.severity is not Severity.NOTE:
            said.setdefault(one.line, []).append(f"{one.severity.value}: {one.message}")
    spans: list[Span] = []
    places: list[tuple[Place, ...]] = []
    for function in module.functions:
        here = located.get(function.name)
        for number, instruction in enumerate(function.instructions()):
            line = index.line(instruction.pos)
            spans.append(Span(line, line, function.name))
            places.append(_frames(here[number]) if here is not None else ())
    columns: dict[str, list[Any]] = {}
    if said:
        columns["diagnostics"] = [said.get(span.line, []) for span in spans]
    return Placed(Stage("ptx", "ptx", text, tuple(spans), columns), tuple(places))


def _frames(location: Location | None) -> tuple[Place, ...]:
    found: list[Place] = []
    while location is not None and len(found) < 64:
        if location.line:
            found.append(Place(_file(location.file), location.line, location.column))
        location = location.inlined_at
    return tuple(found)


# -- machine code ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MachineStage:
    """The stage of machine code; for each span its line of PTX (0: not known) and its place in the source.

    `files` are the paths of the sources that the places name.
    """

    stage: Stage
    ptx_lines: tuple[int, ...]
    places: tuple[tuple[Place, ...], ...]
    files: tuple[str, ...] = ()


def machine_stage(machine: Machine, cubin: bytes) -> MachineStage:
    """The machine code of a cubin: an instruction a line, with control fields, live registers and waits."""
    to_ptx, to_source = line_table(cubin, PTX_LINES), line_table(cubin, SOURCE_LINES)
    lines: list[str] = []
    spans: list[Span] = []
    ptx_lines: list[int] = []
    places: list[tuple[Place, ...]] = []
    columns: dict[str, list[Any]] = {name: [] for name in ("address", "control", "stall", "live", "waits", "loop")}
    for code in machine.functions.values():
        first = len(spans)
        lines.append(f"{code.name}:")
        find_ptx = partial(_row_at, to_ptx.get(code.name, []))
        find_source = partial(_row_at, to_source.get(code.name, []))
        for number, instruction in enumerate(code.instructions):
            if number in code.labels:
                lines.append(f"{code.labels[number]}:")
            lines.append(f"    {instruction.text}")
            spans.append(Span(len(lines), len(lines), code.name))
            row, origin = find_ptx(instruction.address), find_source(instruction.address)
            ptx_lines.append(row.line if row is not None else 0)
            known = origin is not None and origin.line > 0
            places.append((Place(_file(origin.file), origin.line, origin.column),) if origin and known else ())
            columns["address"].append(instruction.address)
            columns["control"].append(str(instruction.control))
            columns["stall"].append(instruction.control.stall)
            columns["live"].append([instruction.live.get(name, 0) for name in ("GPR", "PRED", "UGPR", "UPRED")])
        columns["waits"] += [[first + one for one in waits] for waits in _waits(code)]
        columns["loop"] += _depths(code)
    files = dict.fromkeys(row.file for rows in to_source.values() for row in rows if row.line > 0)
    stage = Stage("sass", "sass", "\n".join(lines), tuple(spans), columns)
    return MachineStage(stage, tuple(ptx_lines), tuple(places), tuple(files))


def placed_by_machine(ptx: Placed, sass: MachineStage) -> Placed:
    """PTX whose `.loc` directives are gone, as in a cubin, with the places of the machine code that came of it."""
    found: dict[int, dict[Place, None]] = {}
    for line, places in zip(sass.ptx_lines, sass.places, strict=True):
        found.setdefault(line, {}).update(dict.fromkeys(places))
    return Placed(ptx.stage, tuple(tuple(found.get(span.line, ())) for span in ptx.stage.spans))


def _row_at(rows: Sequence[Row], address: int) -> Row | None:
    """The row that an address lies in: the last one that begins there or before."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if rows[middle].address <= address else (low, middle)
    return rows[low - 1] if low else None


def _waits(code: Code) -> list[tuple[int, ...]]:
    instructions = code.instructions
    return producers([one.control for one in instructions], [one.text for one in instructions])


def _depths(code: Code) -> list[int]:
    depths = [0] * len(code.instructions)
    for first, last in code.loops():
        for number in range(first, last + 1):
            depths[number] += 1
    return depths
