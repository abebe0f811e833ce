"""Line tables of cubins: which line of PTX, and which of the source, each machine instruction comes from.

ptxas writes two line programs of DWARF (version 3 and older, section 6.2 of the standard): `.nv_debug_line_sass` leads
to lines of the PTX text, `.debug_line` to the files that the PTX's `.loc` directives name. A relocation at each
`DW_LNE_set_address` names the function.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from weft.dataclass import dataclass
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


_COPY = 1
"""The opcode that gives a row, which special ones (from `first` on) do as well."""


@dataclass
class _Registers:
    """The registers of a line program."""

    address: int = 0
    file: int = 1
    line: int = 1
    column: int = 0
    function: str = ""

    def extended(self, reader: _Reader, symbols: dict[int, str]) -> None:
        """An extended opcode: the end of a sequence, an address."""
        size = reader.unsigned()
        behind = reader.position + size
        kind = reader.take("B")
        if kind == 1:
            self.address, self.file, self.line, self.column = 0, 1, 1, 0
        elif kind == 2:
            self.function = symbols.get(reader.position, "").removeprefix(".text.")
            self.address = reader.take("Q")
        reader.position = behind


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
    at = _Registers()
    while reader.position < reader.end:
        opcode = reader.take("B")
        if opcode >= first:
            at.address += (opcode - first) // span * least
            at.line += base + (opcode - first) % span
        match opcode if opcode < first else _COPY:
            case 0:
                at.extended(reader, symbols)
            case 2:
                at.address += reader.unsigned() * least
            case 3:
                at.line += reader.signed()
            case 4:
                at.file = reader.unsigned()
            case 5:
                at.column = reader.unsigned()
            case 8:
                at.address += (255 - first) // span * least
            case 9:
                at.address += reader.take("H")
            case _ if opcode != _COPY and opcode < first:
                for _ in range(lengths[opcode]):
                    reader.unsigned()
            case _:
                yield at.function, Row(at.address, files.get(at.file, ""), at.line, at.column)


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
