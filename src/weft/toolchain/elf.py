"""The sections of a cubin, which is a 64-bit little-endian ELF file."""

from __future__ import annotations

import struct

from weft.dataclass import dataclass
from weft.errors import ToolError

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_REL = struct.Struct("<QQ")
_RELA = struct.Struct("<QQq")
_NO_BITS = 8


def sections(data: bytes) -> dict[str, bytes]:
    """Each section's contents by its name, in file order; sections without contents (`.bss` and its like) are empty.

    Raises `ToolError` when `data` is not such a file.
    """
    if len(data) < _HEADER.size or data[:6] != b"\x7fELF\x02\x01":
        raise ToolError("this is not a cubin: it has no 64-bit ELF header")
    header = _HEADER.unpack_from(data)
    offset, size, count, names_index = header[6], header[11], header[12], header[13]
    if offset + size * count > len(data) or names_index >= count:
        raise ToolError("the cubin is cut short: its section table lies beyond its end")
    table = [_SECTION.unpack_from(data, offset + i * size) for i in range(count)]
    names = data[table[names_index][4] :][: table[names_index][5]]
    result: dict[str, bytes] = {}
    for name, kind, _, _, start, length, *_ in table:
        text = _text(names, name)
        result[text] = b"" if kind == _NO_BITS else data[start : start + length]
    return result


@dataclass(frozen=True, slots=True)
class Relocation:
    """A place in a section that holds an address: its offset, the symbol it is of, and what is added."""

    offset: int
    symbol: str
    addend: int


def relocations(data: bytes, section: str) -> list[Relocation]:
    """The relocations of a section, `.rel` and `.rela` alike, in their order. Raises `ToolError` as `sections` does."""
    contents = sections(data)
    symbols, strings = contents.get(".symtab", b""), contents.get(".strtab", b"")
    names = [_text(strings, _SYMBOL.unpack_from(symbols, at)[0]) for at in range(0, len(symbols) - 23, _SYMBOL.size)]
    found: list[Relocation] = []
    for prefix, entry in ((".rel", _REL), (".rela", _RELA)):
        table = contents.get(prefix + section, b"")
        for at in range(0, len(table) - entry.size + 1, entry.size):
            numbers: tuple[int, ...] = entry.unpack_from(table, at)
            if numbers[1] >> 32 < len(names):
                found.append(Relocation(numbers[0], names[numbers[1] >> 32], sum(numbers[2:])))
    return found


def _text(strings: bytes, start: int) -> str:
    end = strings.find(b"\0", start)
    return strings[start : end if end >= 0 else len(strings)].decode("utf-8", "replace")


def code(data: bytes) -> dict[str, bytes]:
    """The sections that make a cubin do what it does: instructions, constants, initial values; by name.

    Debug information, symbol tables and notes about the tools are left out, so two cubins with the same code are the
    same program.
    """
    kept = (".text.", ".nv.constant", ".nv.global.init", ".nv.info.", ".nv.shared.")
    return {name: contents for name, contents in sections(data).items() if name.startswith(kept)}
