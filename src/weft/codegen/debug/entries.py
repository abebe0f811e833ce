"""Entries of DWARF 2 and the bytes that they are: tags, attributes, forms, abbreviations, references.

The numbers are those of the DWARF 2 to 5 standards; address classes and registers' numbers are NVIDIA's, as
LLVM's NVPTX writes them.
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.dataclass import dataclass

TAGS = {
    "compile_unit": 0x11, "subprogram": 0x2E, "inlined": 0x1D, "lexical_block": 0x0B, "parameter": 0x05,
    "variable": 0x34, "label": 0x0A, "namespace": 0x39, "subrange": 0x21, "subroutine": 0x15, "unspecified": 0x18,
    "DW_TAG_base_type": 0x24, "DW_TAG_unspecified_type": 0x3B, "DW_TAG_string_type": 0x12,
    "DW_TAG_pointer_type": 0x0F, "DW_TAG_typedef": 0x16, "DW_TAG_const_type": 0x26, "DW_TAG_volatile_type": 0x35,
    "DW_TAG_reference_type": 0x10, "DW_TAG_rvalue_reference_type": 0x42,
    "DW_TAG_ptr_to_member_type": 0x1F, "DW_TAG_structure_type": 0x13,
    "DW_TAG_class_type": 0x02, "DW_TAG_union_type": 0x17, "DW_TAG_enumeration_type": 0x04, "DW_TAG_array_type": 0x01,
    "DW_TAG_member": 0x0D, "DW_TAG_inheritance": 0x1C,
}  # fmt: skip

NAME, STMT_LIST, LOW, HIGH, LANGUAGE, COMP_DIR = 0x03, 0x10, 0x11, 0x12, 0x13, 0x1B
INLINE, PRODUCER, PROTOTYPED, ORIGIN, COUNT, SIZE, FILE, LINE = 0x20, 0x25, 0x27, 0x31, 0x37, 0x0B, 0x3A, 0x3B
ENCODING, EXTERNAL, FRAME_BASE, TYPE, OFFSET, DECLARATION = 0x3E, 0x3F, 0x40, 0x49, 0x38, 0x3C
LOCATION, CONSTANT, ADDRESS_CLASS, LOWER, UPPER, STRIDE = 0x02, 0x1C, 0x33, 0x22, 0x2F, 0x51
CALL_COLUMN, CALL_FILE, CALL_LINE, LINKAGE_NAME = 0x57, 0x58, 0x59, 0x2007
ARTIFICIAL, ALIGNMENT, CONVENTION, VECTOR, GNU_NAMES, EXPORTED = 0x34, 0x88, 0x36, 0x2107, 0x2134, 0x89
"""Attributes."""

_ADDRESS, _DATA1, _DATA2, _DATA4, _DATA8, _STRING, _FLAG = 0x01, 0x0B, 0x05, 0x06, 0x07, 0x08, 0x0C
_REFERENCE, _BLOCK1, _SIGNED, _UNSIGNED = 0x13, 0x0A, 0x0D, 0x0F
"""Forms of values."""
_FIXED = {_ADDRESS: 8, _DATA4: 4, _DATA8: 8, _REFERENCE: 4}

Value = tuple[int, int, str]
"""An attribute, its form and its bytes as a section has them."""


@dataclass(slots=True)
class Entry:
    """An entry: its tag, its attributes, the entries inside it, and where it is in its unit."""

    tag: int
    values: list[Value]
    children: list[Entry]
    offset: int = 0


class Reference(str):
    """The place of another entry, which is known in the end."""

    __slots__ = ("entry",)
    entry: Entry


def new(tag: str, values: Iterable[Value] = ()) -> Entry:
    """An entry with nothing inside."""
    return Entry(TAGS[tag], list(values), [])


# -- values ---------------------------------------------------------------------------------------------------------


def leb(value: int, *, signed: bool = False) -> list[int]:
    """A number in as many bytes as it needs, seven bits in each."""
    found: list[int] = []
    while True:
        value, low = value >> 7, value & 127
        done = value == (-1 if low & 64 else 0) if signed else not value
        found.append(low if done else low | 128)
        if done:
            return found


def numbers(values: Iterable[int]) -> str:
    """Bytes as a section has them."""
    return ".b8 " + ", ".join(map(str, values))


def string(value: str) -> str:
    """The bytes of a string and the zero after them."""
    return numbers((*value.encode("utf-8", "replace").replace(b"\0", b"?"), 0))


def named(attribute: int, value: str) -> Value:
    """An attribute that is a string."""
    return (attribute, _STRING, string(value))


def data(attribute: int, value: int) -> Value:
    """An attribute that is an unsigned number, in the least form that holds it."""
    for form, size in ((_DATA1, 1), (_DATA2, 2), (_DATA4, 4), (_DATA8, 8)):
        if value < 1 << 8 * size:
            return fixed(attribute, value, form, size)
    return (attribute, _UNSIGNED, numbers(leb(value)))


def fixed(attribute: int, value: int, form: int = _DATA4, size: int = 4) -> Value:
    """An attribute that is an unsigned number of a form."""
    if size >= 4:
        return (attribute, form, f".b{8 * size} {value}")
    return (attribute, form, numbers(value.to_bytes(size, "little")))


def word(attribute: int, value: int) -> Value:
    """An attribute that is a number of two bytes."""
    return fixed(attribute, value, _DATA2, 2)


def signed(attribute: int, value: int) -> Value:
    """An attribute that is a signed number."""
    return (attribute, _SIGNED, numbers(leb(value, signed=True)))


def unsigned(attribute: int, value: int) -> Value:
    """An attribute that is an unsigned number in as many bytes as it needs."""
    return (attribute, _UNSIGNED, numbers(leb(value)))


def address(attribute: int, symbol: str) -> Value:
    """An attribute that is the address of a symbol or label."""
    return (attribute, _ADDRESS, f".b64 {symbol}")


def section(attribute: int, symbol: str) -> Value:
    """An attribute that is a place in another section."""
    return (attribute, _DATA4, f".b32 {symbol}")


def flag(attribute: int) -> Value:
    """An attribute that is true."""
    return (attribute, _FLAG, ".b8 1")


def block(attribute: int, lines: Iterable[str]) -> Value:
    """An attribute that is a location."""
    found = tuple(lines)
    return (attribute, _BLOCK1, "\n".join((numbers((length(found),)), *found)))


def reference(attribute: int, entry: Entry | None) -> list[Value]:
    """An attribute that is another entry; none where there is no other."""
    if entry is None:
        return []
    found = Reference("?")
    found.entry = entry
    return [(attribute, _REFERENCE, found)]


def length(lines: Iterable[str]) -> int:
    """The bytes of lines of a section."""
    return sum(
        8 if line.startswith(".b64") else 4 if line.startswith(".b32") else line.count(",") + 1 for line in lines
    )


def _size(value: Value) -> int:
    """The bytes that a value takes."""
    _, form, line = value
    return _FIXED.get(form) or length(line.split("\n"))


# -- sections -------------------------------------------------------------------------------------------------------


class Writer:
    """Turns the entries of units into the lines of two sections."""

    def __init__(self) -> None:
        self._abbreviations: dict[tuple[int, bool, tuple[tuple[int, int], ...]], int] = {}

    def number(self, entry: Entry) -> int:
        """The number of an entry's abbreviation."""
        shape = entry.tag, bool(entry.children), tuple((attribute, form) for attribute, form, _ in entry.values)
        return self._abbreviations.setdefault(shape, len(self._abbreviations) + 1)

    def abbreviations(self) -> tuple[str, ...]:
        """The section `.debug_abbrev`."""
        lines: list[str] = []
        for (tag, children, values), index in self._abbreviations.items():
            found = [*leb(index), *leb(tag), int(children)]
            for attribute, form in values:
                found += [*leb(attribute), *leb(form)]
            lines.append(numbers([*found, 0, 0]))
        return (*lines, ".b8 0")

    def place(self, root: Entry, start: int) -> int:
        """Give every entry its place; the end of the last."""
        at = start
        todo: list[Entry | None] = [root]
        while todo:
            entry = todo.pop()
            if entry is None:
                at += 1  # The end of a list of entries.
                continue
            entry.offset = at
            at += len(leb(self.number(entry))) + sum(map(_size, entry.values))
            if entry.children:
                todo += [None, *reversed(entry.children)]
        return at

    def lines(self, root: Entry) -> list[str]:
        """The lines of a unit's entries, which have their places."""
        found: list[str] = []
        todo: list[Entry | None] = [root]
        while todo:
            entry = todo.pop()
            if entry is None:
                found.append(".b8 0")
                continue
            found.append(numbers(leb(self.number(entry))))
            for _, _, line in entry.values:
                if isinstance(line, Reference):
                    found.append(f".b32 {line.entry.offset}")
                else:
                    found += line.split("\n")
            if entry.children:
                todo += [None, *reversed(entry.children)]
        return found
