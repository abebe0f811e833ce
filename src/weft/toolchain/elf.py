"""The sections of a cubin, which is a 64-bit little-endian ELF file."""

from __future__ import annotations

import struct

from weft.errors import ToolError

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_NO_BITS = 8


def sections(data: bytes) -> dict[str, bytes]:
    """Each section's contents by its name, in file order; sections without contents (`.bss` and its like) are empty.

    Raises `ToolError` when `data` is not such a file.
    """
    if len(data) < _HEADER.size or data[:6] != b"\x7fELF\x02\x01":
        raise ToolError("this is not a cubin: no 64-bit ELF header")
    header = _HEADER.unpack_from(data)
    offset, size, count, names_index = header[6], header[11], header[12], header[13]
    if offset + size * count > len(data) or names_index >= count:
        raise ToolError("the cubin is cut short: its section table lies beyond its end")
    table = [_SECTION.unpack_from(data, offset + i * size) for i in range(count)]
    names = data[table[names_index][4] :][: table[names_index][5]]
    result: dict[str, bytes] = {}
    for name, kind, _, _, start, length, *_ in table:
        text = names[name : names.index(b"\0", name)].decode()
        result[text] = b"" if kind == _NO_BITS else data[start : start + length]
    return result


def code(data: bytes) -> dict[str, bytes]:
    """The sections that make a cubin do what it does: instructions, constants, initial values; by name.

    Debug information, symbol tables and notes about the tools are left out, so two cubins with the same code are the
    same program.
    """
    kept = (".text.", ".nv.constant", ".nv.global.init", ".nv.info.", ".nv.shared.")
    return {name: contents for name, contents in sections(data).items() if name.startswith(kept)}
