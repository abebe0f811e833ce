"""Reads the sections for debuggers in a PTX module (DWARF 2), so that those of two compilers can be compared.

References and offsets are followed, so that entries compare whatever their order, abbreviations and labels are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from weft.ptx.ast import Module, Section

TAGS = {
    0x01: "array_type", 0x02: "class_type", 0x04: "enumeration_type", 0x05: "formal_parameter", 0x08: "imported_declaration",
    0x0A: "label", 0x0B: "lexical_block", 0x0D: "member", 0x0F: "pointer_type", 0x10: "reference_type", 0x11: "compile_unit",
    0x12: "string_type", 0x13: "structure_type", 0x15: "subroutine_type", 0x16: "typedef", 0x17: "union_type", 0x18: "unspecified_parameters",
    0x1A: "common_block", 0x1C: "inheritance", 0x1D: "inlined_subroutine", 0x1F: "ptr_to_member_type", 0x1E: "module", 0x21: "subrange_type", 0x24: "base_type",
    0x26: "const_type", 0x28: "enumerator", 0x2E: "subprogram", 0x34: "variable", 0x35: "volatile_type",
    0x37: "restrict_type", 0x39: "namespace", 0x3A: "imported_module", 0x3B: "unspecified_type", 0x42: "rvalue_reference_type",
    0x44: "coarray_type", 0x45: "generic_subrange", 0x47: "atomic_type",
}  # fmt: skip
NAMES = {
    0x02: "location", 0x03: "name", 0x0B: "byte_size", 0x0D: "bit_size", 0x0C: "bit_offset", 0x10: "stmt_list",
    0x11: "low_pc", 0x12: "high_pc", 0x13: "language", 0x1B: "comp_dir", 0x1C: "const_value", 0x20: "inline",
    0x22: "lower_bound", 0x25: "producer", 0x27: "prototyped", 0x2F: "upper_bound", 0x31: "abstract_origin",
    0x32: "accessibility", 0x33: "address_class", 0x34: "artificial", 0x37: "count", 0x38: "data_member_location",
    0x3A: "decl_file", 0x3B: "decl_line", 0x3C: "declaration", 0x3E: "encoding", 0x3F: "external", 0x40: "frame_base",
    0x47: "specification", 0x49: "type", 0x51: "stride", 0x57: "call_column", 0x58: "call_file", 0x59: "call_line",
    0x2007: "linkage_name", 0x2134: "GNU_pubnames", 0x89: "export_symbols", 0x2E: "bit_stride", 0x88: "alignment", 0x36: "calling_convention", 0x2107: "GNU_vector",
}  # fmt: skip
Byte = int | str
"""A byte, or the symbol that begins an address (followed by empty ones)."""


@dataclass
class Entry:
    """A debugging entry: its tag, its attributes by name, the entries inside, and its place in the unit."""

    tag: str
    values: dict[str, object]
    place: int
    children: list[Entry] = field(default_factory=list["Entry"])

    def walk(self) -> list[Entry]:
        """It and all entries inside."""
        return [self, *(entry for child in self.children for entry in child.walk())]


class _Bytes:
    """A section's bytes; labels by their place."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.data: list[Byte] = []
        self.labels: dict[str, int] = {}
        for line in lines:
            for statement in line.split("\n"):
                self._line(statement.strip())

    def _line(self, line: str) -> None:
        if line.endswith(":"):
            self.labels[line[:-1]] = len(self.data)
            return
        found = re.fullmatch(r"\.b(8|16|32|64)\s+(.*)", line)
        assert found is not None, line
        size = int(found[1]) // 8
        for item in found[2].split(","):
            text = item.strip()
            if re.fullmatch(r"-?\d+", text):
                self.data += (int(text) & (1 << 8 * size) - 1).to_bytes(size, "little")
            else:
                self.data += [text, *[""] * (size - 1)]


class _Reader:
    def __init__(self, data: list[Byte], at: int = 0) -> None:
        self.data = data
        self.at = at

    def number(self, size: int) -> int | str:
        """An unsigned integer, or a symbol."""
        part = self.data[self.at : self.at + size]
        self.at += size
        if isinstance(part[0], str):
            return part[0]
        return int.from_bytes(bytes(int(b) for b in part), "little")

    def integer(self, size: int) -> int:
        found = self.number(size)
        assert isinstance(found, int)
        return found

    def leb(self, *, signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self.integer(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value

    def text(self) -> str:
        found = bytearray()
        while byte := self.integer(1):
            found.append(byte)
        return found.decode()

    def bytes(self, size: int) -> tuple[Byte, ...]:
        self.at += size
        return tuple(self.data[self.at - size : self.at])


@dataclass
class Unit:
    """A compile unit, and what the tables of names say of it: the tag of each name's entry."""

    root: Entry
    pubnames: dict[str, str]
    pubtypes: dict[str, str]


def units(module: Module) -> list[Unit]:
    """The compile units of a module."""
    sections = {item.name: _Bytes(item.lines) for item in module.items if isinstance(item, Section)}
    if ".debug_info" not in sections:
        return []
    abbreviations = _abbreviations(_Reader(sections[".debug_abbrev"].data))
    data = sections[".debug_info"].data
    found: list[Unit] = []
    at = 0
    while at < len(data):
        reader = _Reader(data, at)
        end = at + 4 + reader.integer(4)
        assert (reader.integer(2), reader.number(4), reader.integer(1)) == (2, ".debug_abbrev", 8)
        (root,) = _entries(reader, abbreviations, at, one=True)
        assert reader.at == end
        _resolve(root, sections.get(".debug_loc"))
        by_place = {entry.place: entry for entry in root.walk()}
        tables = [(f"{stem}{name}", stem) for name in ("pubnames", "pubtypes") for stem in (".debug_", ".debug_gnu_")]
        found_names = [_names(sections.get(name), at, end - at, by_place, gnu="gnu" in stem) for name, stem in tables]
        names = [found_names[0] | found_names[1], found_names[2] | found_names[3]]
        found.append(Unit(root, *names))
        at = end
    return found


def _abbreviations(reader: _Reader) -> dict[int, tuple[str, bool, list[tuple[int, int]]]]:
    found: dict[int, tuple[str, bool, list[tuple[int, int]]]] = {}
    while code := reader.leb():
        tag, children = reader.leb(), bool(reader.integer(1))
        values: list[tuple[int, int]] = []
        while (pair := (reader.leb(), reader.leb())) != (0, 0):
            values.append(pair)
        found[code] = TAGS[tag], children, values
    return found


def _value(reader: _Reader, form: int) -> object:
    sizes = {0x01: 8, 0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x0C: 1, 0x13: 4}
    if form in sizes:
        return reader.number(sizes[form])
    if form == 0x08:
        return reader.text()
    if form in (0x0D, 0x0F):
        return reader.leb(signed=form == 0x0D)
    assert form in (0x0A, 0x03), form
    return reader.bytes(reader.integer(1 if form == 0x0A else 2))


def _entries(reader: _Reader, known: dict[int, tuple[str, bool, list[tuple[int, int]]]], start: int, *, one: bool = False) -> list[Entry]:  # fmt: skip
    found: list[Entry] = []
    while True:
        place = reader.at - start
        code = reader.leb()
        if not code:
            return found
        tag, children, forms = known[code]
        entry = Entry(tag, {}, place)
        for attribute, form in forms:
            value = _value(reader, form)
            entry.values[NAMES[attribute]] = ("entry", value) if form == 0x13 else value
        if children:
            entry.children = _entries(reader, known, start)
        found.append(entry)
        if one:
            return found


def _resolve(root: Entry, lists: _Bytes | None) -> None:
    """Put entries in for references, and what lists of locations say for their labels."""
    by_place = {entry.place: entry for entry in root.walk()}
    for entry in root.walk():
        for name, value in entry.values.items():
            if isinstance(value, tuple) and len(value) == 2 and value[0] == "entry":
                entry.values[name] = by_place[value[1]]
            elif name == "location" and isinstance(value, str):
                assert lists is not None
                entry.values[name] = _list(_Reader(lists.data, lists.labels[value]))


def _list(reader: _Reader) -> list[tuple[object, object, tuple[Byte, ...]]]:
    found: list[tuple[object, object, tuple[Byte, ...]]] = []
    while True:
        begin, end = reader.number(8), reader.number(8)
        if begin == end == 0:
            return found
        found.append((begin, end, reader.bytes(reader.integer(2))))


def _names(section: _Bytes | None, start: int, size: int, entries: dict[int, Entry], *, gnu: bool) -> dict[str, str]:
    """What a table of names says of the unit at a place."""
    if section is None:
        return {}
    reader = _Reader(section.data)
    found: dict[str, str] = {}
    while reader.at < len(section.data):
        size_of_table = reader.number(4)
        end = (
            reader.at + size_of_table
            if isinstance(size_of_table, int)
            else section.labels[size_of_table.partition("-")[0]]
        )
        assert reader.integer(2) == 2
        unit, length = reader.number(4), reader.integer(4)
        mine = unit == (".debug_info" if not start else f".debug_info+{start}")
        assert not mine or length == size
        while place := reader.integer(4):
            reader.bytes(gnu)  # What kind of thing it is.
            name = reader.text()
            if mine:
                found[name] = entries[place].tag
        assert reader.at == end
    return found


def operations(expression: tuple[Byte, ...]) -> list[tuple[object, ...]]:
    """The operations of a location: registers by their names."""
    reader = _Reader(list(expression))
    found: list[tuple[object, ...]] = []
    while reader.at < len(expression):
        code = reader.integer(1)
        if code == 0x03:
            found.append(("addr", reader.number(8)))
        elif code in (0x90, 0x92):
            name = reader.leb()
            register = name.to_bytes(8, "big").lstrip(b"\0").decode()
            found.append(("regx", register) if code == 0x90 else ("bregx", register, reader.leb(signed=True)))
        elif code in (0x10, 0x23, 0x93):
            found.append(({0x10: "constu", 0x23: "plus", 0x93: "piece"}[code], reader.leb()))
        elif code == 0x11:
            found.append(("consts", reader.leb(signed=True)))
        elif 0x30 <= code < 0x50:
            found.append(("constu", code - 0x30))
        else:
            found.append((code,))
    return found


def shown(entry: Entry, depth: int = 0, files: dict[int, str] | None = None) -> list[str]:
    """An entry as lines, for a look at it."""
    values = ", ".join(f"{name}={_short(name, value)}" for name, value in sorted(entry.values.items()))
    lines = [f"{'  ' * depth}{entry.tag}: {values}"]
    return lines + [line for child in entry.children for line in shown(child, depth + 1, files)]


def _short(name: str, value: object) -> str:
    if isinstance(value, Entry):
        return described(value)
    if name == "location" and isinstance(value, list):
        return str([(a, b, operations(c)) for a, b, c in value])  # pyright: ignore
    if name in ("location", "frame_base") and isinstance(value, tuple):
        return str(operations(value))  # pyright: ignore
    return str(value)


def described(entry: Entry, most: int = 6) -> str:
    """A type in words."""
    inner = entry.values.get("type")
    of = f"({described(inner, most - 1) if most else ''})" if isinstance(inner, Entry) else ""
    return f"{entry.tag} {entry.values.get('name', '')}{of}"
