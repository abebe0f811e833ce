"""Errors of the builder, at the line of Python that made the mistake."""

from __future__ import annotations

import inspect
import linecache
from pathlib import Path

from weft.errors import BuildError, Diagnostic, Position, WeftError

_HERE = str(Path(__file__).parent)


def caller() -> Position:
    """The line of Python outside the builder that called it."""
    frame = inspect.currentframe()
    assert frame is not None
    while frame.f_back is not None and _inside(frame.f_code.co_filename):
        frame = frame.f_back
    name, line = frame.f_code.co_filename, frame.f_lineno
    return Position(line, 0, name, linecache.getline(name, line).strip() or None)


def _inside(filename: str) -> bool:
    return filename.startswith(_HERE) or filename.endswith("contextlib.py")


def mistake(message: str, hint: str = "") -> BuildError:
    """An error at the caller's line."""
    return BuildError(message, caller(), hint)


def at_caller(error: WeftError) -> BuildError:
    """Another error's message, at the caller's line."""
    return BuildError(error.message, caller(), error.hint)


def finding(found: Diagnostic) -> BuildError:
    """A finding of the verifier, at the caller's line."""
    hint = found.hint
    if not hint and found.allowed:
        hint = f"use one of {', '.join(found.allowed[:12])}"
    return BuildError(found.message, caller(), hint)
