"""The units of `.debug_info`: each begins with its length, and together they are the section.

ptxas reads them where `.target` says debug and the module has `.debug_abbrev`.
DWARF 2 to 4, section 7.5.1.1.
"""

from __future__ import annotations

from itertools import chain

from weft.ptx.ast import Section
from weft.ptx.constants import integer_value
from weft.ptx.debug import contents
from weft.ptx.verifier.context import Context
from weft.ptx.verifier.debug_entries import Damaged, abbreviations, check_entries

_HEADER = 11
"""Bytes of a unit's header: length, version, place of the abbreviations, size of addresses."""
_LENGTH = 4
_AHEAD = 64
"""Lines in which the length of the first unit stands."""
_VERSIONS, _NEWEST = (2, 3, 4), 5
_LARGEST = 1 << 14
"""Bytes of a section whose entries are gone through; of larger ones, their units' lengths are looked at."""


def check_units(context: Context, section: Section) -> None:
    """Reports a section that ends inside a unit or a unit's header, where ptxas reads it."""
    module = context.module
    if "debug" not in module.targets[1:]:
        return
    tables = next((i for i in module.items if isinstance(i, Section) and i.name == ".debug_abbrev"), None)
    if tables is None:
        return
    found = contents(section)
    size = sum(count * _size(line) for line, count in chain(found.plain.items(), found.odd.items()))
    data = b"".join(map(_bytes, found.first(_AHEAD)))
    if _LENGTH + int.from_bytes(data[:_LENGTH], "little") != size:  # Not one unit: look at all of them.
        data = b"".join(map(_bytes, section.lines))
    at = 0
    while at < size:
        end = at + _LENGTH + int.from_bytes(data[at : at + _LENGTH], "little")
        if at + _HEADER > size or end > size:
            what = (
                f"a unit declares {end - at} bytes, but has {size - at}"
                if end > size
                else "the header of a unit is incomplete"
            )
            context.report("declaration", f".debug_info: {what}", section.pos, token=section.name)
            return
        at = end
    if size <= _LARGEST:
        _check_all_entries(context, section, tables)


def _check_all_entries(context: Context, section: Section, tables: Section) -> None:
    """Reports the first unit whose entries are not what their abbreviations say."""
    data, kept = (b"".join(map(_bytes, one.lines)) for one in (section, tables))
    at = 0
    while at < len(data):
        end = at + _LENGTH + int.from_bytes(data[at : at + _LENGTH], "little")
        version = int.from_bytes(data[at + 4 : at + 6], "little")
        try:
            if version > _NEWEST:
                raise Damaged(f"DWARF {version} is unknown")
            if version in _VERSIONS:
                table = abbreviations(kept, int.from_bytes(data[at + 6 : at + 10], "little"))
                check_entries(data, at + _HEADER, end, table, version, data[at + 10])
        except Damaged as damage:
            context.report("declaration", f".debug_info: {damage}", section.pos, token=section.name)
            return
        at = end


def _size(line: str) -> int:
    """The bytes of a line: none of a label."""
    return 0 if line[-1] == ":" else (line.count(",") + 1) * (int(line.split(None, 1)[0][2:]) >> 3)


def _bytes(line: str) -> bytes:
    """The bytes of a line; what is not known before linking counts as zero."""
    if line[-1] == ":":
        return b""
    type_, _, values = line.partition(" ")
    width = int(type_[2:]) >> 3
    return b"".join((_number(text) % (1 << 8 * width)).to_bytes(width, "little") for text in values.split(", "))


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    value = integer_value(digits) if digits[0].isdigit() else 0
    return -value if digits != text else value
