"""Files that are made of the sources: kept beside them, and made anew when the sources are others."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

_PACKAGE = os.path.dirname(__file__)  # Not a Path: every process that reads PTX comes by here.
_CHECKOUT = os.path.exists(os.path.join(_PACKAGE, "..", "..", "pyproject.toml"))


def kept(file: str, sources: tuple[str, ...], make: Callable[[], bytes]) -> bytes:
    """What `make` gives, from a file of the package where that was made of these folders of sources as they are.

    The file's first line has the sources' names and sizes. In a checkout, where sources are edited, the
    file has the time of the newest one too. A file that cannot be written is made anew by each process.
    """
    stamp, newest = _state(sources)
    path = os.path.join(_PACKAGE, file)
    with suppress(OSError), open(path, "rb") as held:
        if held.readline() == stamp and (not _CHECKOUT or os.fstat(held.fileno()).st_mtime_ns == newest):
            return held.read()
    data = make()
    with suppress(OSError):  # The folder may not be ours.
        _write(path, stamp + data, newest)
    return data


def _state(sources: tuple[str, ...]) -> tuple[bytes, int]:
    """A line of names and sizes, and the time of the newest file."""
    found: list[str] = []
    newest = 0
    for folder in sources:
        with os.scandir(os.path.join(_PACKAGE, folder)) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append(f"{folder}/{entry.name}:{status.st_size}")
                    newest = max(newest, status.st_mtime_ns)
    return f"{' '.join(sorted(found))}\n".encode(), newest


def _write(path: str, data: bytes, time: int) -> None:
    """Write a file whole and rename it: other processes see it complete or not at all."""
    import tempfile

    handle, temporary = tempfile.mkstemp(prefix=".made.", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.utime(temporary, ns=(time, time))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
