"""The two compressions of fatbins: LZ4 blocks, and zstd, for which a library is needed."""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib
from collections.abc import Callable
from functools import cache

from weft.fatbin.errors import FatbinError

MOST = 1 << 30
"""Bytes that a module may have."""


def lz4(data: bytes, size: int) -> bytes:
    """The `size` bytes of an LZ4 block.

    Source: LZ4 Block Format Description.  Raises FatbinError where the block is damaged.
    """
    out = bytearray()
    at = 0

    def length(at: int, start: int) -> tuple[int, int]:
        while start >= 15:
            more = data[at]
            at, start = at + 1, start + more
            if more != 255:
                break
        return at, start

    try:
        while at < len(data) and len(out) < size:
            token = data[at]
            at, literals = length(at + 1, token >> 4)
            out += data[at : at + literals]
            at += literals
            if at >= len(data) or len(out) >= size:
                break
            offset = data[at] | data[at + 1] << 8
            at, match = length(at + 2, token & 15)
            _repeat(out, offset, match + 4)
    except IndexError:
        raise FatbinError("the LZ4 block ends too early") from None
    if len(out) != size:
        raise FatbinError(f"the LZ4 block has {len(out):,} bytes, not {size:,}")
    return bytes(out)


def _repeat(out: bytearray, offset: int, count: int) -> None:
    """Append `count` bytes that stand `offset` before the end; they may run into what is appended."""
    if not 0 < offset <= len(out):
        raise FatbinError(f"the LZ4 block refers to {offset} bytes before its start")
    start = len(out) - offset
    piece = bytes(out[start : start + count])
    while len(piece) < count:
        piece += piece[: count - len(piece)]
    out += piece


def zstd(data: bytes, size: int) -> bytes:
    """The `size` bytes of a zstd frame.  Raises FatbinError where it is damaged, or no library reads it."""
    decoder = _decoder()
    if decoder is None:
        hint = "pip install 'weft[fatbin]', install libzstd, or use Python 3.14"
        raise FatbinError("the PTX is compressed with zstd, which needs a library", hint=hint)
    try:
        found = decoder(data, size)
    except Exception as error:
        raise FatbinError(f"the zstd frame is damaged: {error}") from None
    if len(found) != size:
        raise FatbinError(f"the zstd frame has {len(found):,} bytes, not {size:,}")
    return found


@cache
def _decoder() -> Callable[[bytes, int], bytes] | None:
    """What decodes zstd: Python's own module, a package, or the system's library."""
    try:
        module = importlib.import_module("compression.zstd")
        return lambda data, size: module.decompress(data)
    except ImportError:
        pass
    try:
        package = importlib.import_module("zstandard")
        return lambda data, size: package.ZstdDecompressor().decompressobj().decompress(data)
    except ImportError:
        pass
    return _library()


def _library() -> Callable[[bytes, int], bytes] | None:
    for name in (ctypes.util.find_library("zstd"), "libzstd.so.1", "libzstd.dylib"):
        if name is None:
            continue
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        library.ZSTD_decompress.restype = ctypes.c_size_t
        library.ZSTD_decompress.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)

        def decode(data: bytes, size: int, library: ctypes.CDLL = library) -> bytes:
            out = ctypes.create_string_buffer(size)
            length = library.ZSTD_decompress(out, size, data, len(data))
            if library.ZSTD_isError(ctypes.c_size_t(length)):
                raise ValueError("libzstd rejects it")
            return out.raw[:length]

        return decode
    return None
