"""DWARF 2 sections for debuggers, as LLVM's NVPTX writes them: units, subprograms, types, and calls inlined.

Functions without LLVM's debug metadata get a subprogram of their name and line, in one unit for each file.
Entries are written in one pass: an entry's reference to another is a label's distance from the unit's start.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any

from weft.codegen.lines import Frame, InlinedCall, LineTable, Subprogram, field, number, path_of, string, text
from weft.dataclass import dataclass
from weft.ptx.ast import Section

_TAGS = {
    "compile_unit": 0x11, "subprogram": 0x2E, "inlined": 0x1D, "DW_TAG_base_type": 0x24,
    "DW_TAG_pointer_type": 0x0F, "DW_TAG_typedef": 0x16, "DW_TAG_const_type": 0x26, "DW_TAG_volatile_type": 0x35,
    "DW_TAG_reference_type": 0x10, "DW_TAG_restrict_type": 0x37, "DW_TAG_structure_type": 0x13,
    "DW_TAG_class_type": 0x02, "DW_TAG_union_type": 0x17, "DW_TAG_enumeration_type": 0x04, "DW_TAG_array_type": 0x01,
    "DW_TAG_member": 0x0D, "subrange": 0x21, "parameter": 0x05,
}  # fmt: skip
_ENCODINGS = {
    "DW_ATE_address": 1, "DW_ATE_boolean": 2, "DW_ATE_complex_float": 3, "DW_ATE_float": 4, "DW_ATE_signed": 5,
    "DW_ATE_signed_char": 6, "DW_ATE_unsigned": 7, "DW_ATE_unsigned_char": 8, "DW_ATE_UTF": 16,
}  # fmt: skip
_LANGUAGES = {
    "DW_LANG_C89": 1, "DW_LANG_C": 2, "DW_LANG_C_plus_plus": 4, "DW_LANG_Fortran90": 8, "DW_LANG_C99": 12,
    "DW_LANG_Python": 20, "DW_LANG_OpenCL": 21, "DW_LANG_Rust": 28, "DW_LANG_C11": 29, "DW_LANG_C_plus_plus_11": 26,
    "DW_LANG_C_plus_plus_14": 33, "DW_LANG_Julia": 31,
}  # fmt: skip
_ASSEMBLER = 0x8001
"""The language of what says none: LLVM's own for assembly."""

# Attributes, and the forms of their values.
_NAME, _STMT_LIST, _LOW, _HIGH, _LANGUAGE, _COMP_DIR = 0x03, 0x10, 0x11, 0x12, 0x13, 0x1B
_INLINE, _PRODUCER, _ORIGIN, _COUNT, _SIZE, _FILE, _LINE = 0x20, 0x25, 0x31, 0x37, 0x0B, 0x3A, 0x3B
_ENCODING, _EXTERNAL, _FRAME_BASE, _TYPE, _OFFSET = 0x3E, 0x3F, 0x40, 0x49, 0x38
_CALL_COLUMN, _CALL_FILE, _CALL_LINE, _LINKAGE_NAME = 0x57, 0x58, 0x59, 0x2007
_ADDRESS, _DATA1, _DATA2, _DATA4, _STRING, _FLAG, _REFERENCE, _BLOCK1, _UNSIGNED = 1, 0x0B, 5, 6, 8, 0x0C, 0x13, 10, 15
_FRAME_REGISTER = ".b8 1, 156"
"""A block of one byte: DW_OP_call_frame_cfa."""
MOST_TYPES = 4096
"""Types of one module beyond these are left out."""

Value = tuple[int, int, str]
"""An attribute, its form and its bytes as a section has them."""


@dataclass(slots=True)
class _Entry:
    """An entry: its tag, its attributes, the entries inside it, and where it stands in its unit."""

    tag: int
    values: list[Value]
    children: list[_Entry]
    offset: int = 0


class _Reference(str):
    """The place of another entry, which is known in the end."""

    __slots__ = ("entry",)
    entry: _Entry


def _leb(value: int) -> list[int]:
    found: list[int] = []
    while True:
        value, low = value >> 7, value & 127
        found.append(low | 128 if value else low)
        if not value:
            return found


def _size(value: Value) -> int:
    """The bytes that a value takes."""
    _, form, line = value
    fixed = {_ADDRESS: 8, _DATA4: 4, _REFERENCE: 4}
    return fixed.get(form) or line.count(",") + 1


def _data(attribute: int, value: int) -> Value:
    return (attribute, _UNSIGNED, ".b8 " + ", ".join(map(str, _leb(value))))


class _Unit:
    """A compile unit: its entries by what they are of."""

    def __init__(self, lines: LineTable, root: _Entry) -> None:
        self._lines = lines
        self.root = root
        self._types: dict[Any, _Entry | None] = {}
        self._abstract: dict[tuple[str, str], _Entry] = {}

    def reference(self, attribute: int, entry: _Entry | None) -> list[Value]:
        """An attribute that is another entry; none where there is no other."""
        if entry is None:
            return []
        found = _Reference("?")
        found.entry = entry
        return [(attribute, _REFERENCE, found)]

    # -- subprograms ------------------------------------------------------------------------------------------------

    def subprogram(self, function: Subprogram) -> None:
        """Add a function with code."""
        values: list[Value] = [
            (_LOW, _ADDRESS, f".b64 {function.begin}"),
            (_HIGH, _ADDRESS, f".b64 {function.end}"),
            (_FRAME_BASE, _BLOCK1, _FRAME_REGISTER),
            *self._declared(function.frame, function.name),
        ]
        if function.external:
            values.append((_EXTERNAL, _FLAG, ".b8 1"))
        self.root.children.append(_Entry(_TAGS["subprogram"], values, self._inlined(function.inlined)))

    def _declared(self, frame: Frame | None, name: str) -> list[Value]:
        """Names, place and type of a function."""
        metadata = frame.subprogram if frame is not None else None
        own = text(metadata, "name") or name
        linkage = text(metadata, "linkageName")
        values: list[Value] = [(_NAME, _STRING, string(own))]
        if linkage and linkage != own:
            values.insert(0, (_LINKAGE_NAME, _STRING, string(linkage)))
        if frame is not None:
            file = path_of(field(metadata, "file")) or frame.file
            values += [_data(_FILE, self._lines.file(file)), _data(_LINE, number(metadata, "line") or frame.line)]
        types = getattr(field(field(metadata, "type"), "types"), "data", ())
        if types:
            values += self.reference(_TYPE, self.type(types[0]))
        return values

    def _inlined(self, found: Sequence[InlinedCall]) -> list[_Entry]:
        entries: list[_Entry] = []
        for each in found:
            caller = each.caller
            values = [
                *self.reference(_ORIGIN, self._abstraction(each.frame)),
                (_LOW, _ADDRESS, f".b64 {each.begin}"),
                (_HIGH, _ADDRESS, f".b64 {each.end}"),
                _data(_CALL_FILE, self._lines.file(caller.file)),
                _data(_CALL_LINE, caller.line),
                _data(_CALL_COLUMN, caller.column),
            ]
            entries.append(_Entry(_TAGS["inlined"], values, self._inlined(each.inside)))
        return entries

    def _abstraction(self, frame: Frame) -> _Entry:
        """The subprogram that was inlined, which has no code of its own."""
        key = frame.function, frame.file
        found = self._abstract.get(key)
        if found is None:
            values = [*self._declared(frame, frame.function or "(inlined)"), (_INLINE, _DATA1, ".b8 1")]
            found = self._abstract[key] = _Entry(_TAGS["subprogram"], values, [])
            self.root.children.append(found)
        return found

    # -- types ------------------------------------------------------------------------------------------------------

    def type(self, attribute: Any) -> _Entry | None:
        """The entry of a type; None for none, and for what is not described."""
        if attribute is None or attribute in self._types:
            return self._types.get(attribute)
        self._types[attribute] = None  # A type inside itself is left open.
        kind = text(attribute, "tag")
        if kind not in _TAGS or len(self._types) > MOST_TYPES:
            return None
        entry = _Entry(_TAGS[kind], [], [])
        name, bits = text(attribute, "name"), number(attribute, "sizeInBits")
        if name:
            entry.values.append((_NAME, _STRING, string(name)))
        if bits and kind not in ("DW_TAG_typedef", "DW_TAG_array_type"):
            entry.values.append(_data(_SIZE, -(-bits // 8)))
        if attribute.name == "llvm.di_basic_type":
            encoding = _ENCODINGS.get(text(attribute, "encoding"), 0)
            entry.values.append((_ENCODING, _DATA1, f".b8 {encoding}"))
        entry.values += self.reference(_TYPE, self.type(field(attribute, "baseType")))
        if kind == "DW_TAG_member":
            entry.values.append(_data(_OFFSET, number(attribute, "offsetInBits") // 8))
        elements: Any = getattr(field(attribute, "elements"), "data", ())
        for element in elements:
            if element.name == "llvm.di_subrange":
                count = number(element, "count")
                entry.children.append(_Entry(_TAGS["subrange"], [_data(_COUNT, count)], []))
            else:
                self.type(element)
        self.root.children.append(entry)
        self._types[attribute] = entry
        return entry


class _Writer:
    """Turns the entries of a unit into the lines of the two sections."""

    def __init__(self) -> None:
        self._abbreviations: dict[tuple[int, bool, tuple[tuple[int, int], ...]], int] = {}

    def number(self, entry: _Entry) -> int:
        """The number of an entry's abbreviation."""
        shape = entry.tag, bool(entry.children), tuple((attribute, form) for attribute, form, _ in entry.values)
        return self._abbreviations.setdefault(shape, len(self._abbreviations) + 1)

    def abbreviations(self) -> tuple[str, ...]:
        """The section `.debug_abbrev`."""
        lines: list[str] = []
        for (tag, children, values), index in self._abbreviations.items():
            numbers = [*_leb(index), *_leb(tag), int(children)]
            for attribute, form in values:
                numbers += [*_leb(attribute), *_leb(form)]
            lines.append(".b8 " + ", ".join(map(str, [*numbers, 0, 0])))
        return (*lines, ".b8 0")

    def place(self, root: _Entry, start: int) -> int:
        """Give every entry its place; the end of the last."""
        at = start
        todo: list[_Entry | None] = [root]
        while todo:
            entry = todo.pop()
            if entry is None:
                at += 1  # The end of a list of entries.
                continue
            entry.offset = at
            at += len(_leb(self.number(entry))) + sum(map(_size, entry.values))
            if entry.children:
                todo += [None, *reversed(entry.children)]
        return at

    def lines(self, root: _Entry) -> list[str]:
        """The lines of a unit's entries, which have their places."""
        found: list[str] = []
        todo: list[_Entry | None] = [root]
        while todo:
            entry = todo.pop()
            if entry is None:
                found.append(".b8 0")
                continue
            found.append(".b8 " + ", ".join(map(str, _leb(self.number(entry)))))
            for _, _, line in entry.values:
                found.append(f".b32 {line.entry.offset}" if isinstance(line, _Reference) else line)
            if entry.children:
                todo += [None, *reversed(entry.children)]
        return found


def sections(lines: LineTable, producer: str) -> list[Section]:
    """The sections that describe the functions of a module to a debugger."""
    units: dict[tuple[str, str], _Unit] = {}
    for function in lines.subprograms:
        metadata = function.frame.subprogram if function.frame is not None else None
        described = field(metadata, "compileUnit")
        file = field(described, "file")
        path = path_of(file) or (function.frame.file if function.frame is not None else "")
        key = path, text(described, "producer") or producer
        if key not in units:
            name = file.file.data if file is not None else posixpath.basename(path)
            folder = file.directory.data if file is not None else posixpath.dirname(path)
            language = _LANGUAGES.get(text(described, "sourceLanguage"), _ASSEMBLER)
            values: list[Value] = [
                (_PRODUCER, _STRING, string(key[1])),
                (_LANGUAGE, _DATA2, f".b8 {language & 255}, {language >> 8}"),
                (_NAME, _STRING, string(name)),
                (_STMT_LIST, _DATA4, ".b32 .debug_line"),
                (_COMP_DIR, _STRING, string(folder)),
            ]
            units[key] = _Unit(lines, _Entry(_TAGS["compile_unit"], values, []))
        units[key].subprogram(function)
    writer = _Writer()
    info: list[str] = []
    for unit in units.values():
        end = writer.place(unit.root, 11)  # Behind the header.
        info += [f".b32 {end - 4}", ".b8 2, 0", ".b32 .debug_abbrev", ".b8 8", *writer.lines(unit.root)]
    if not units:
        return []
    return [
        Section(".debug_abbrev", writer.abbreviations()),
        Section(".debug_info", tuple(info)),
        Section(".debug_macinfo", ()),
    ]
