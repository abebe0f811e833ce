"""Line tables of cubins: which line of PTX, and which of the source, each machine instruction comes from.

ptxas writes two line programs of DWARF (version 3 and older, section 6.2 of the standard): `.nv_debug_line_sass` leads
to lines of the PTX text, `.debug_line` to the files that the PTX's `.loc` directives name. A relocation at each
`DW_LNE_set_address` names the function.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from weft.errors import ToolError
from weft.toolchain import elf

PTX_LINES = ".nv_debug_line_sass"
SOURCE_LINES = ".debug_line"


class Row(NamedTuple):
    """From `address` on, instructions come from this line (and column, 0 where it is not known) of this file."""

    address: int
    file: str
    line: int
    column: int


def line_table(cubin: bytes, section: str) -> dict[str, list[Row]]:
    """The rows of each function in the order of addresses, by the function's name; empty without such a section.

    Raises `ToolError` when the cubin or its line program is damaged.
    """
    data = elf.sections(cubin).get(section, b"")
    symbols = {one.offset: one.symbol for one in elf.relocations(cubin, section)}
    found: dict[str, list[Row]] = {}
    try:
        for function, row in _programs(data, symbols):
            found.setdefault(function, []).append(row)
    except (IndexError, struct.error) as error:
        raise ToolError(f"the line table {section} is damaged") from error
    return {name: sorted(dict.fromkeys(rows)) for name, rows in found.items()}


def ptx_text(cubin: bytes) -> str:
    """The PTX that ptxas keeps beside its line table, with comments blanked; empty without one."""
    data = elf.sections(cubin).get(".nv_debug_ptx_txt", b"")
    return data.replace(b"\0", b"\n").decode("utf-8", "replace")


class _Reader:
    def __init__(self, data: bytes, position: int, end: int) -> None:
        self.data, self.position, self.end = data, position, min(end, len(data))

    def take(self, format_: str) -> int:
        (value,) = struct.unpack_from("<" + format_, self.data, self.position)
        self.position += struct.calcsize("<" + format_)
        return value

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self) -> int:
        start = self.position
        value = self.unsigned()
        bits = 7 * (self.position - start)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def string(self) -> str:
        end = self.data.index(0, self.position)
        text = self.data[self.position : end].decode("utf-8", "replace")
        self.position = end + 1
        return text


def _programs(data: bytes, symbols: dict[int, str]) -> Iterator[tuple[str, Row]]:
    position = 0
    while position + 4 <= len(data):
        reader = _Reader(data, position, len(data))
        length = reader.take("I")
        if length == 0:
            return
        position = reader.position + length
        yield from _program(_Reader(data, reader.position, position), symbols)


def _program(reader: _Reader, symbols: dict[int, str]) -> Iterator[tuple[str, Row]]:
    """The rows of one line program (DWARF 2 to 4)."""
    version, header = reader.take("H"), reader.take("I")
    start = reader.position + header
    least = reader.take("B")
    if version >= 4:
        reader.take("B")
    reader.take("B")
    base, span, first = reader.take("b"), reader.take("B"), reader.take("B")
    lengths = [0, *(reader.take("B") for _ in range(first - 1))]
    files = _files(reader)
    reader.position = start
    address, file, line, column, function = 0, 1, 1, 0, ""

    def row() -> tuple[str, Row]:
        return function, Row(address, files.get(file, ""), line, column)

    while reader.position < reader.end:
        opcode = reader.take("B")
        if opcode >= first:
            address += (opcode - first) // span * least
            line += base + (opcode - first) % span
            yield row()
            continue
        match opcode:
            case 0:
                size = reader.unsigned()
                behind = reader.position + size
                kind = reader.take("B")
                if kind == 1:
                    address, file, line, column = 0, 1, 1, 0
                elif kind == 2:
                    function = symbols.get(reader.position, "").removeprefix(".text.")
                    address = reader.take("Q")
                reader.position = behind
            case 1:
                yield row()
            case 2:
                address += reader.unsigned() * least
            case 3:
                line += reader.signed()
            case 4:
                file = reader.unsigned()
            case 5:
                column = reader.unsigned()
            case 8:
                address += (255 - first) // span * least
            case 9:
                address += reader.take("H")
            case _:
                for _ in range(lengths[opcode]):
                    reader.unsigned()


def _files(reader: _Reader) -> dict[int, str]:
    folders = [""]
    while reader.data[reader.position]:
        folders.append(reader.string())
    reader.position += 1
    files: dict[int, str] = {}
    while reader.position < reader.end and reader.data[reader.position]:
        name, folder = reader.string(), reader.unsigned()
        for _ in range(2):  # Its time and size.
            reader.unsigned()
        where = folders[folder] if folder < len(folders) else ""
        files[len(files) + 1] = f"{where}/{name}" if where and not name.startswith("/") else name
    return files
