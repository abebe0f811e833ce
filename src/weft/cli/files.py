"""Reading the input and writing the output of a command."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click

from weft.errors import Position, WeftError

STANDARD = "-"


def read(name: str) -> tuple[str, str]:
    """The text of a file and the name for messages; `-` is stdin.

    Raises `WeftError` with line and column where the file is not UTF-8, and OSError where it cannot be read.
    """
    called = shown(name)
    data = sys.stdin.buffer.read() if name == STANDARD else Path(name).read_bytes()
    try:
        return data.decode("utf-8"), called
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise WeftError(f"byte 0x{data[error.start]:02x} is not UTF-8", Position(line, column, called)) from None


def shown(name: str) -> str:
    """The name of a file in messages."""
    return "<stdin>" if name == STANDARD else name


def trouble(error: Exception) -> int:
    """Print an error for a command whose status 1 has a meaning of its own; returns 2, the status of trouble there."""
    from weft.errors import WeftError

    if isinstance(error, WeftError):
        click.echo(error.render(), err=True)
    elif isinstance(error, OSError):
        click.echo(f"{error.filename or 'weft'}: error: {error.strerror or error}", err=True)
    else:
        raise error
    return 2


def write(name: str | None, data: str | bytes) -> None:
    """Write a whole result, or nothing: a file is replaced only once everything is written. None or `-` is stdout."""
    contents = data.encode() if isinstance(data, str) else data
    if name is None or name == STANDARD:
        sys.stdout.buffer.write(contents)
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if path.exists() and not path.is_file():  # A pipe or a device cannot be replaced.
        path.write_bytes(contents)
        return
    target = path.resolve()
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode & 0o7777)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
