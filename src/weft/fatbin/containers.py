"""What fatbins come in: any file that holds their bytes, and zip files of those."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from weft.fatbin.entries import MAGIC, Entry, read
from weft.fatbin.errors import FatbinError
from weft.isa.target import TARGETS, Target

BINARY = (b"\x7fELF", b"!<arch>\n", b"!<thin>\n", b"PK\x03\x04", b"MZ", MAGIC)
"""What binary files begin with."""
_DEEPEST = 3


def choose(found: list[Entry], number: int | None, name: str) -> Entry:
    """The entry of a number, from 1 on; without a number the only one.

    Raises:
        FatbinError: there is none, or there are several to choose from.
    """
    if not found:
        raise FatbinError("this file contains no PTX", name)
    listed = ", ".join(f"{name}#{n} ({entry.target})" for n, entry in enumerate(found[:4], 1))
    more = f" and {len(found) - 4} more: weft extract {name}" if len(found) > 4 else ""
    if number is None and len(found) > 1:
        raise FatbinError(f"the file contains {len(found)} PTX modules", name, hint=f"name one: {listed}{more}")
    if number is not None and not 1 <= number <= len(found):
        raise FatbinError(f"this file has no PTX module #{number}", name, hint=f"there are {listed}{more}")
    return found[(number or 1) - 1]


def best(found: list[Entry], device: Target, name: str) -> list[Entry]:
    """The entries that a driver would load for a device: those of the latest architecture that it runs.

    Raises:
        FatbinError: there is none.
    """
    wanted = [(target, entry) for entry in found if (target := TARGETS.get(entry.target)) and device.runs(target)]
    if not wanted:
        there = ", ".join(dict.fromkeys(entry.target for entry in found)) or "none"
        raise FatbinError(f"this file contains no PTX for {device.name}", name, hint=f"it contains PTX for {there}")
    latest = max((target.number, target.suffix) for target, _ in wanted)
    return [entry for target, entry in wanted if (target.number, target.suffix) == latest]


def holds_ptx(data: bytes) -> bool:
    """Whether bytes are a binary file in which PTX may lie, and not PTX itself."""
    return data.startswith(BINARY) or MAGIC in data[: 1 << 16]


def entries(source: Path | bytes, name: str = "") -> list[Entry]:
    """All PTX of a file, in its order: of a library, an object, an executable, an archive, a wheel, a fatbin.

    Raises:
        FatbinError: the file is damaged so that nothing can be said.
        OSError: it cannot be read.
    """
    data = source if isinstance(source, bytes) else source.read_bytes()
    return list(_found(data, name or (str(source) if isinstance(source, Path) else "<bytes>"), 0))


def _found(data: bytes, where: str, depth: int) -> Iterator[Entry]:
    if data.startswith(b"PK\x03\x04") and depth < _DEEPEST:
        yield from _zipped(data, where, depth)
        return
    view, at = memoryview(data), data.find(MAGIC)
    while at >= 0:
        yield from read(view, at, where)
        at = data.find(MAGIC, at + len(MAGIC))


def _zipped(data: bytes, where: str, depth: int) -> Iterator[Entry]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                with archive.open(member) as file:
                    start = file.read(1 << 16)
                    if holds_ptx(start):
                        yield from _found(start + file.read(), f"{where}!{member.filename}", depth + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise FatbinError(f"the archive cannot be read: {error}", where) from None
