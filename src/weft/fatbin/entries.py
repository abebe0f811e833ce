"""A fatbin: a header and entries, of which those of kind 1 are PTX."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from weft.dataclass import dataclass
from weft.fatbin import decompress
from weft.fatbin.errors import FatbinError

MAGIC = b"\x50\xed\x55\xba"
WRAPPER = b"\xb1\x43\x62\x46"
HEADER = struct.Struct("<4sHHQ")
PTX = 1
_TARGET = re.compile(r"^\s*\.target\s+(\w+)", re.MULTILINE)
_LZ4, _ZSTD = 0x2000, 0x8000


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """PTX in a file: `where` it lies in it, the architecture's number and the PTX version that the entry states."""

    where: str
    offset: int
    architecture: int
    version: tuple[int, int]
    compression: str
    payload: bytes
    size: int

    def text(self) -> str:
        """The PTX.

        Raises:
            FatbinError: it is damaged, or compressed by what no library here reads.
        """
        if self.compression == "none":
            data = self.payload
        elif self.size > decompress.MOST:
            raise FatbinError(f"PTX of {self.size:,} bytes", self.where)
        else:
            data = {"lz4": decompress.lz4, "zstd": decompress.zstd}[self.compression](self.payload, self.size)
        try:
            return data.rstrip(b"\0").decode("utf-8")
        except UnicodeDecodeError as error:
            raise FatbinError(f"invalid UTF-8 at byte {error.start} of the PTX", self.where) from None

    @property
    def target(self) -> str:
        """The target that the PTX names; that of the entry, which has no suffix, where it cannot be read."""
        try:
            match = _TARGET.search(self.text())
        except FatbinError:
            match = None
        return match[1] if match is not None else f"sm_{self.architecture}"


def read(data: memoryview, start: int, where: str) -> Iterator[Entry]:
    """The PTX entries of the fatbin at an offset of a file's bytes; what is no fatbin after all has none."""
    if start + HEADER.size > len(data):
        return
    _, version, size, length = HEADER.unpack_from(data, start)
    if version != 1 or not HEADER.size <= size <= 4096 or length > len(data) - start - size:
        return
    at, end = start + size, start + size + length
    while at + 64 <= end:
        kind, _, header, payload = struct.unpack_from("<HHIQ", data, at)
        if not 64 <= header <= 4096 or payload > end - at - header:
            return
        if kind == PTX:
            yield _entry(data, at, header, payload, where)
        at += header + payload


def _entry(data: memoryview, at: int, header: int, payload: int, where: str) -> Entry:
    compressed = struct.unpack_from("<I", data, at + 16)[0]
    minor, major, architecture = struct.unpack_from("<HHI", data, at + 24)
    (flags,) = struct.unpack_from("<Q", data, at + 40)
    (size,) = struct.unpack_from("<Q", data, at + 56)
    kind = "zstd" if flags & _ZSTD else "lz4" if flags & _LZ4 else "none"
    length = min(compressed, payload) if kind != "none" and compressed else payload
    body = bytes(data[at + header : at + header + length])
    return Entry(where, at, architecture, (major, minor), kind, body, size if kind != "none" else payload)
