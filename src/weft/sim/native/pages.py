"""Pages of libraries that this process has read but needs no longer."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from pathlib import Path

_MADV_DONTNEED = 4


def let_go(library: str) -> None:
    """Let the system have the pages of a library's file back, on Linux; it reads again what is used again.

    LLVM's linking and constructors read 35 MB that most compilations never look at.  Mappings that hold pages of this
    process's own stay as they are: those are relocated addresses and variables, which the file does not have.
    """
    if sys.platform != "linux":
        return
    release = ctypes.CDLL(None).madvise
    release.argtypes, release.restype = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int), ctypes.c_int
    with suppress(OSError):
        for start, end in _untouched(library, Path("/proc/self/smaps").read_text("utf-8", "replace")):
            release(start, end - start, _MADV_DONTNEED)


def _untouched(library: str, maps: str) -> list[tuple[int, int]]:
    """The ranges of addresses in the text of `smaps` that show a file, and nothing but it."""
    found: list[tuple[int, int]] = []
    span: tuple[int, int] | None = None
    for line in maps.splitlines():
        name, *rest = line.split(maxsplit=5)
        if not name.endswith(":"):
            start, _, end = name.partition("-")
            span = (int(start, 16), int(end, 16)) if rest[-1].endswith(library) and rest[0].startswith("r") else None
        elif name == "Anonymous:" and rest[0] == "0" and span is not None:
            found.append(span)
    return found
