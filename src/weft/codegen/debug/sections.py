"""The sections for debuggers: units, locations, and tables of names, as LLVM's NVPTX writes them.

Functions without LLVM's debug metadata get an entry of their name and line, in one unit for each file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import Any

from weft.codegen.debug import entries
from weft.codegen.debug.entries import Entry, Value, Writer
from weft.codegen.debug.metadata import field, function_around, path_of, text
from weft.codegen.debug.units import Lists, Unit, inlined_functions
from weft.codegen.lines import LineTable
from weft.ptx.ast import Section

_LANGUAGES = {
    "DW_LANG_C89": 1, "DW_LANG_C": 2, "DW_LANG_Ada83": 3, "DW_LANG_C_plus_plus": 4, "DW_LANG_Cobol74": 5,
    "DW_LANG_Cobol85": 6, "DW_LANG_Fortran77": 7, "DW_LANG_Fortran90": 8, "DW_LANG_Pascal83": 9, "DW_LANG_Modula2": 10,
    "DW_LANG_Java": 11, "DW_LANG_C99": 12, "DW_LANG_Ada95": 13, "DW_LANG_Fortran95": 14, "DW_LANG_PLI": 15,
    "DW_LANG_ObjC": 16, "DW_LANG_ObjC_plus_plus": 17, "DW_LANG_UPC": 18, "DW_LANG_D": 19, "DW_LANG_Python": 20,
    "DW_LANG_OpenCL": 21, "DW_LANG_Go": 22, "DW_LANG_Modula3": 23, "DW_LANG_Haskell": 24,
    "DW_LANG_C_plus_plus_03": 25, "DW_LANG_C_plus_plus_11": 26, "DW_LANG_OCaml": 27, "DW_LANG_Rust": 28,
    "DW_LANG_C11": 29, "DW_LANG_Swift": 30, "DW_LANG_Julia": 31, "DW_LANG_Dylan": 32, "DW_LANG_C_plus_plus_14": 33,
    "DW_LANG_Fortran03": 34, "DW_LANG_Fortran08": 35, "DW_LANG_RenderScript": 36, "DW_LANG_BLISS": 37,
    "DW_LANG_Mips_Assembler": 0x8001,
}  # fmt: skip
_ASSEMBLER = 0x8001
"""The language of what says none: LLVM's own for assembly."""
_SILENT = frozenset({"None", "DebugDirectivesOnly"})
"""Kinds of units that have no entries."""
_HEADER = 11
"""Bytes before a unit's first entry."""
Globals = Sequence[tuple[Any, str, str]]
"""The descriptions of variables of a module, with the symbol and the state space of each."""


class _Units:
    """The units of a module, by their metadata, or by file."""

    def __init__(self, lines: LineTable, producer: str) -> None:
        self._lines = lines
        self._producer = producer
        self._inlined = inlined_functions(lines.subprograms)
        self._units: dict[Any, tuple[Unit, bool] | None] = {}
        self.lists: Lists = []

    def unit(self, described: Any, path: str) -> Unit | None:
        """The unit that metadata describes, else that of a file; None for one without entries."""
        key = described if described is not None else path
        if key not in self._units:
            self._units[key] = self._made(described, path)
        found = self._units[key]
        return found[0] if found is not None else None

    def _made(self, described: Any, path: str) -> tuple[Unit, bool] | None:
        kind = text(described, "emissionKind")
        if kind in _SILENT:
            return None
        file = field(described, "file")
        language = text(described, "sourceLanguage")
        code = _LANGUAGES.get(language, _ASSEMBLER)
        values: list[Value] = [
            entries.named(entries.PRODUCER, text(described, "producer") or self._producer),
            entries.word(entries.LANGUAGE, code),
            entries.named(entries.NAME, file.file.data if file is not None else posixpath.basename(path)),
            entries.section(entries.STMT_LIST, ".debug_line"),
            entries.named(entries.COMP_DIR, file.directory.data if file is not None else posixpath.dirname(path)),
        ]
        full = kind != "LineTablesOnly"
        table = text(described, "nameTableKind")
        # ptxas 13.5 dies of GNU's own tables (`.debug_gnu_pubnames`), which LLVM writes.
        names = table == "GNU" or (full and table in ("", "Default"))
        if names:
            values.append(entries.flag(entries.GNU_NAMES))
        root = Entry(entries.TAGS["compile_unit"], values, [])
        unit = Unit(self._lines, root, language, self._inlined, self.lists, full=full)
        return unit, names

    def all(self) -> list[tuple[Unit, bool]]:
        """The units that have entries, and whether they have tables of names."""
        return [found for found in self._units.values() if found is not None]


def sections(lines: LineTable, variables: Globals, producer: str) -> list[Section]:
    """The sections that describe the functions and variables of a module to a debugger."""
    units = _Units(lines, producer)
    outside: list[Any] = []
    inside: list[Any] = []
    for one in variables:
        static = function_around(field(field(one[0], "var"), "scope")) is not None
        (inside if static else outside).append(one)
    _describe(units, outside)
    for function in lines.subprograms:
        frame = function.frame
        described = field(frame.subprogram, "compileUnit") if frame is not None else None
        path = path_of(field(described, "file")) or (frame.file if frame is not None else "")
        unit = units.unit(described, path)
        if unit is not None:
            unit.subprogram(function)
    _describe(units, inside)  # A function's static variables are in its entry.
    return _written(units.all(), units.lists)


def _describe(units: _Units, variables: Globals) -> None:
    for described, symbol, space in variables:
        owner = _unit_of(field(described, "var"))
        unit = units.unit(owner, "") if owner is not None else None
        if unit is not None:
            unit.variable(described, symbol, space)


def _unit_of(variable: Any) -> Any:
    """The compile unit that a variable's scope names, None when it names another thing."""
    scope = field(variable, "scope")
    function = function_around(scope)
    if function is not None:
        scope = field(function, "compileUnit")
    return scope if scope is not None and scope.name == "llvm.di_compile_unit" else None


def _written(units: Sequence[tuple[Unit, bool]], lists: Lists) -> list[Section]:
    if not units:
        return [Section(".debug_macinfo", ())]
    writer = Writer()
    info: list[str] = []
    tables: dict[str, list[str]] = {}
    start = 0
    for unit, named in units:
        end = writer.place(unit.root, _HEADER)
        info += [f".b32 {end - 4}", ".b8 2, 0", ".b32 .debug_abbrev", ".b8 8", *writer.lines(unit.root)]
        if named:
            names: dict[str, Entry] = {**unit.names, **unit.types.spaces}
            for table, listed in (("pubnames", names), ("pubtypes", unit.types.names)):
                tables.setdefault(f".debug_{table}", []).extend(_table(listed, start, end))
        start += end
    found = [Section(".debug_loc", tuple(line for lines in lists for line in lines))] if lists else []
    found += [Section(".debug_abbrev", writer.abbreviations()), Section(".debug_info", tuple(info))]
    found += [Section(name, tuple(lines)) for name, lines in sorted(tables.items())]
    return [*found, Section(".debug_macinfo", ())]


def _table(names: Mapping[str, Entry], start: int, size: int) -> list[str]:
    """A table of names of a unit that begins at `start` in `.debug_info` and takes `size` bytes."""
    lines: list[str] = [".b8 2, 0", f".b32 .debug_info{f'+{start}' if start else ''}", f".b32 {size}"]
    for name, entry in names.items():
        lines += [f".b32 {entry.offset}", entries.string(name)]
    lines.append(".b32 0")
    return [f".b32 {entries.length(lines)}", *lines]
