"""Reading the input and writing the output of a command."""

from __future__ import annotations

import errno
import os
import re
import sys
import tempfile
from pathlib import Path

import click

from weft.errors import Position, WeftError

STANDARD = "-"


_MAGIC = (b"\x7fELF", b"!<arch>\n", b"PK\x03\x04", b"MZ", b"\x50\xed\x55\xba")
_NUMBERED = re.compile(r"(.+)#(\d+)")


def read(name: str) -> tuple[str, str]:
    """The text of a file, without a byte order mark, and the name for messages; `-` is stdin.

    Of a binary file it is the PTX in it, where there is one; `libfoo.so#2` names one of several.

    Raises `WeftError` with line and column where the file is not UTF-8, and OSError where it cannot be read.
    """
    called = shown(name)
    name, number = _numbered(name)
    data = sys.stdin.buffer.read() if name == STANDARD else Path(name).read_bytes()
    if data.startswith(_MAGIC):
        from weft.fatbin import choose, entries

        return choose(entries(data, shown(name)), number, shown(name)).text(), called
    if number is not None:
        raise WeftError(
            "this is a text file: #N selects a module of a library, an executable or a fatbin", Position(file=name)
        )
    try:
        return data.decode("utf-8").removeprefix("\ufeff"), called
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise WeftError(f"invalid UTF-8: byte 0x{data[error.start]:02x}", Position(line, column, called)) from None


def _numbered(name: str) -> tuple[str, int | None]:
    """A name without the number of the PTX that it may end with, and that."""
    match = _NUMBERED.fullmatch(name)
    return (match[1], int(match[2])) if match is not None and not Path(name).exists() else (name, None)


def binary(name: str) -> bool:
    """Whether a name is that of a binary file, in which PTX may lie."""
    name, number = _numbered(name)
    if name == STANDARD or not Path(name).is_file():
        return number is not None
    with open(name, "rb") as file:
        return file.read(8).startswith(_MAGIC)


def expand(name: str, suffix: str) -> list[str]:
    """A file as it is named, or the files in a folder, at any depth, whose names end in `suffix`, sorted.

    A binary file stands for all PTX in it, by numbers.  Raises `click.UsageError` for a folder without any.
    """
    if name != STANDARD and _numbered(name)[1] is None and binary(name):
        from weft.fatbin import entries

        count = len(entries(Path(name)))
        return [f"{name}#{number}" for number in range(1, count + 1)] if count > 1 else [name]
    if name == STANDARD or not Path(name).is_dir():
        return [name]
    found = sorted(str(path) for path in Path(name).rglob(f"*{suffix}") if path.is_file())
    if not found:
        raise click.UsageError(f"{name}: no file in this directory ends in {suffix}")
    return found


def shown(name: str) -> str:
    """The name of a file in messages."""
    return "<stdin>" if name == STANDARD else name


def trouble(error: Exception) -> int:
    """Print an error for a command whose status 1 has a meaning of its own; returns 2, the status of trouble there."""
    from weft.cli.colour import echo
    from weft.errors import WeftError

    if isinstance(error, WeftError):
        from weft.cli.problems import rendered

        echo(rendered(error), err=True)
    elif isinstance(error, OSError):
        echo(f"{error.filename or 'weft'}: error: {error.strerror or error}", err=True)
    else:
        raise error
    return 2


def write(name: str | None, data: str | bytes) -> None:
    """Write a whole result, or nothing: a file is replaced only once everything is written. None or `-` is stdout."""
    contents = data.encode() if isinstance(data, str) else data
    if name is None or name == STANDARD:
        if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - Python's when it starts with it closed.
            raise OSError(errno.EBADF, "standard output is closed", "<stdout>")
        sys.stdout.buffer.write(contents)
        sys.stdout.buffer.flush()
        return
    try:
        _replace(Path(name), contents)
    except OSError as error:  # Which may name a temporary file.
        raise OSError(error.errno, error.strerror, name) from None


def _replace(path: Path, contents: bytes) -> None:
    status = path.stat() if path.exists() else None
    if status is not None and not os.access(path, os.W_OK):  # The folder may allow what the file does not.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if status is not None and (not path.is_file() or status.st_nlink > 1):  # A pipe, a device, or a file of two names.
        path.write_bytes(contents)
        return
    target = path.resolve()
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
        os.chmod(temporary, (0o666 & ~_umask() if status is None else status.st_mode) & 0o7777)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
