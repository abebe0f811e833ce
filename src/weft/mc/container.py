"""The container of a module's bytes: a header, a table of sections, and the sections.

    header   magic (8 bytes), format (u16), sections (u16), checksum (u32), length (u64)
    table    for each section: tag (4 bytes), codec (u8), width (u8), zero (u16), offset, stored and raw length (u64)
    sections each at a multiple of eight bytes

All numbers are little-endian. The checksum is the CRC-32 of everything after the header. A section is stored as it
is (and can be looked at in place), or deflated; columns of numbers are deflated by byte planes, all low bytes first,
which is where their redundancy lies. Reading never runs anything, and takes no more memory than `BUDGET` allows.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from weft.errors import BytesError

MAGIC = b"\x89WEFT\r\n\x1a"
FORMAT = 2
"""The number of this format; another one is refused."""

_HEADER = struct.Struct("<8sHHIQ")
_ENTRY = struct.Struct("<4sBBHQQQ")
_ALIGN = 8
_MOST_SECTIONS = 64

RAW, DEFLATED, PLANES = range(3)

BUDGET = 1 << 24, 64
"""Reading takes at most this many bytes, plus so many for each byte of the container."""

Column = np.ndarray[Any, np.dtype[Any]]


def _budget(length: int) -> int:
    return BUDGET[0] + BUDGET[1] * length


def pack(sections: Mapping[bytes, bytes | Column]) -> bytes:
    """The container of these sections; arrays are one-dimensional."""
    packed = _pack(sections, compress=True)
    raw = sum(value.nbytes if isinstance(value, np.ndarray) else len(value) for value in sections.values())
    # What deflates better than readers expect would be taken for an attack.
    return packed if raw <= _budget(len(packed)) else _pack(sections, compress=False)


def _pack(sections: Mapping[bytes, bytes | Column], *, compress: bool) -> bytes:
    table: list[bytes] = []
    parts: list[bytes] = []
    position = _HEADER.size + _ENTRY.size * len(sections)
    for tag, value in sections.items():
        padding = -position % _ALIGN
        codec, width, raw, stored = _encode(value, compress=compress)
        table.append(_ENTRY.pack(tag, codec, width, 0, position + padding, len(stored), raw))
        parts += [bytes(padding), stored]
        position += padding + len(stored)
    body = b"".join((*table, *parts))
    return _HEADER.pack(MAGIC, FORMAT, len(sections), zlib.crc32(body), position) + body


def _encode(value: bytes | Column, *, compress: bool) -> tuple[int, int, int, bytes]:
    """A section's codec, item width, raw length and stored bytes."""
    width = 1
    raw = planes = value if isinstance(value, bytes) else value.tobytes()
    if isinstance(value, np.ndarray):
        width = value.dtype.itemsize
        planes = np.frombuffer(raw, np.uint8).reshape(-1, width).T.tobytes()
    if compress and len(raw) >= 64:
        packed = zlib.compress(planes, 6)
        if len(packed) < len(raw):
            return (PLANES if width > 1 else DEFLATED), width, len(raw), packed
    return RAW, width, len(raw), raw


class Container:
    """A container whose header, table and checksum are right; raises BytesError otherwise.

    `data` is anything with the buffer protocol: bytes, a memory map.
    """

    def __init__(self, data: Any, source: str) -> None:
        self.source = source
        try:
            view = memoryview(data).cast("B")
            self._view = view if view.readonly else memoryview(bytes(view))  # what is checked must stay as it is
        except (TypeError, ValueError):
            raise self.error(f"{type(data).__name__} is not bytes") from None
        self._sections = self._table()

    def error(self, message: str, hint: str = "") -> BytesError:
        """An error about this container."""
        return BytesError(message, self.source, hint)

    def _table(self) -> dict[bytes, tuple[int, int, int, int, int]]:
        view = self._view
        if len(view) < _HEADER.size:
            raise self.error("too short for a module")
        magic, version, count, checksum, length = _HEADER.unpack_from(view)
        if magic != MAGIC:
            raise self.error("not a module in weft's binary format", "use weft.parse for PTX text")
        if version != FORMAT:
            raise self.error(f"unknown format {version}: this version of weft reads format {FORMAT}")
        if length != len(view):
            raise self.error(f"{len(view)} bytes, but {length} were written: truncated or extended")
        if zlib.crc32(view[_HEADER.size :]) != checksum:
            raise self.error("checksum mismatch: the bytes were changed")
        if count > _MOST_SECTIONS or _HEADER.size + count * _ENTRY.size > length:
            raise self.error(f"{count} sections do not fit")
        return self._entries(count, length)

    def _entries(self, count: int, length: int) -> dict[bytes, tuple[int, int, int, int, int]]:
        found: dict[bytes, tuple[int, int, int, int, int]] = {}
        total = 0
        for index in range(count):
            at = _HEADER.size + index * _ENTRY.size
            tag, codec, width, zero, offset, stored, raw = _ENTRY.unpack_from(self._view, at)
            outside = offset > length or stored > length - offset
            if tag in found or codec > PLANES or zero or outside or not width or raw % width:
                raise self.error(f"invalid section {index} in the table")
            if codec == RAW and raw != stored:
                raise self.error(f"section {index} is stored with a wrong length")
            found[tag] = codec, width, offset, stored, raw
            total += raw
        if total > _budget(length):
            raise self.error(f"{total} bytes in a container of {length} are more than it may hold")
        return found

    def bytes_of(self, tag: bytes) -> memoryview | bytes:
        """A section's bytes; a stored section is not copied."""
        entry = self._sections.get(tag)
        if entry is None:
            raise self.error(f"section {tag.decode('latin-1')} is missing")
        codec, width, offset, stored, raw = entry
        data = self._view[offset : offset + stored]
        if codec == RAW:
            return data
        inflater = zlib.decompressobj()
        try:
            flat = inflater.decompress(data, raw) if raw else b""
            more = inflater.decompress(inflater.unconsumed_tail, 1) if raw and not inflater.eof else b""
        except zlib.error:
            raise self.error(f"section {tag.decode('latin-1')} cannot be decompressed") from None
        if len(flat) != raw or more:
            raise self.error(f"section {tag.decode('latin-1')} does not have its stated length")
        if codec == PLANES:
            return np.frombuffer(flat, np.uint8).reshape(width, -1).T.tobytes()
        return flat

    def column(self, tag: bytes, dtype: Any) -> Column:
        """A section as a one-dimensional array."""
        data = self.bytes_of(tag)
        kind = np.dtype(dtype)
        if len(data) % kind.itemsize:
            raise self.error(f"section {tag.decode('latin-1')} is not an array of {kind.itemsize}-byte items")
        return np.frombuffer(data, kind)

    def numbers(self, tag: bytes) -> Column:
        """A section of unsigned numbers, as wide as they were written."""
        width = self._sections[tag][1] if tag in self._sections else 1
        if width not in (1, 2, 4, 8):
            raise self.error(f"section {tag.decode('latin-1')} is not an array of numbers")
        return self.column(tag, f"<u{width}")

    def __contains__(self, tag: bytes) -> bool:
        return tag in self._sections

    @property
    def tags(self) -> tuple[bytes, ...]:
        """The sections' tags, in order."""
        return tuple(self._sections)
