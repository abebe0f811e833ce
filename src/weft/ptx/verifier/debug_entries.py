"""The entries of a unit of `.debug_info`: each has the attributes that its abbreviation says, and ends inside the unit.

DWARF 2 to 4, sections 7.5.2 to 7.5.4.
"""

from __future__ import annotations

from contextlib import suppress

from weft.dataclass import dataclass

_FIXED = {
    0x05: 2,
    0x06: 4,
    0x07: 8,
    0x0B: 1,
    0x0C: 1,
    0x0E: 4,
    0x11: 1,
    0x12: 2,
    0x13: 4,
    0x14: 8,
    0x17: 4,
    0x19: 0,
    0x20: 8,
}
"""The bytes of the forms that always take as many."""
_ADDRESS, _STRING, _REFERENCE = 0x01, 0x08, 0x10
_NUMBERS = (0x0D, 0x0F, 0x15)
_BLOCKS = {0x03: 2, 0x04: 4, 0x0A: 1}
"""Forms of a length, in so many bytes, and what is so long."""
_COUNTED = (0x09, 0x18)
_INDIRECT = 0x16

Attributes = tuple[int, ...]


class Damaged(Exception):
    """What is wrong with a unit."""


def number_at(data: bytes, at: int) -> tuple[int, int]:
    """The LEB128 number at a place, and where it ends."""
    value = shift = 0
    while at < len(data):
        byte = data[at]
        value |= (byte & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if byte < 0x80:
            return value, at
    raise Damaged("unterminated number")


@dataclass(slots=True)
class Abbreviations:
    """Of each code, whether its entries have children and the forms of its attributes; whether the table has an end."""

    forms: dict[int, tuple[bool, Attributes]]
    ends: bool = False


def abbreviations(data: bytes, at: int) -> Abbreviations:
    """The table of abbreviations at a place; one that has no end is read as far as it goes."""
    table = Abbreviations({})
    with suppress(Damaged):
        while True:
            code, at = number_at(data, at)
            if code == 0:
                table.ends = True
                return table
            _, at = number_at(data, at)
            children = data[at : at + 1] == b"\1"
            forms, at = _forms(data, at + 1)
            table.forms.setdefault(code, (children, forms))
    return table


def _forms(data: bytes, at: int) -> tuple[Attributes, int]:
    forms: list[int] = []
    while True:
        name, at = number_at(data, at)
        form, at = number_at(data, at)
        if name == form == 0:
            return tuple(forms), at
        forms.append(form)


def check_entries(data: bytes, at: int, end: int, table: Abbreviations, version: int, address: int) -> None:
    """Goes through the entries between two places; raises Damaged where they are not what the abbreviations say."""
    sizes = {**_FIXED, _ADDRESS: address, _REFERENCE: address if version == 2 else 4}
    depth = 0
    while at < end:
        code, at = number_at(data, at)
        if code == 0:
            depth -= 1
            if depth <= 0:
                return
            continue
        found = table.forms.get(code)
        if found is None:
            if table.ends:  # ptxas stops here, and says nothing.
                return
            raise Damaged("unterminated table of abbreviations")
        children, forms = found
        for form in forms:
            size = sizes.get(form)
            at = at + size if size is not None else _after(data, at, form, sizes)
        if at > end:
            raise Damaged("an entry extends past the end of its unit")
        depth += children
        if not depth:
            return


def _after(data: bytes, at: int, form: int, sizes: dict[int, int]) -> int:
    """Where a value of a form ends."""
    if form == _INDIRECT:
        form, at = number_at(data, at)
        if form in sizes:
            return at + sizes[form]
    if form == _STRING:
        end = data.find(0, at)
        if end == -1:
            raise Damaged("unterminated string")
        return end + 1
    if form in _NUMBERS:
        return number_at(data, at)[1]
    if form in _COUNTED:
        count, at = number_at(data, at)
        return at + count
    length = _BLOCKS.get(form)
    if length is None:
        raise Damaged(f"form {form} is unknown")
    return at + length + int.from_bytes(data[at : at + length], "little")
