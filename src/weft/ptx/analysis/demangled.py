"""C++ names as they were written: Itanium demangling, by the C++ runtime of this machine where there is one."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

_LENGTH = re.compile(r"\d+")
_LONGEST = 50_000


@lru_cache(maxsize=4096)
def demangle(name: str) -> str | None:
    """The C++ spelling of a mangled name; None for a name that is not mangled.

    Without a C++ runtime, and for names that it gives up on (libstdc++ does past about a thousand characters), only
    the qualified name is taken out, with `<...>` for template arguments: `cutlass::device_kernel<...>`.
    """
    if not name.startswith("_Z") or len(name) > _LONGEST:
        return None
    runtime = _runtime()
    return (runtime(name) if runtime else None) or _qualified_name(name)


@cache
def _runtime() -> Callable[[str], str | None] | None:
    """A function that asks the C++ runtime; None when this machine has none."""
    try:
        library: Any = importlib.import_module("cxxfilt")
    except Exception:  # It looks for the runtime when it is imported, and fails in ways of its own.
        return None

    def ask(name: str) -> str | None:
        try:
            return library.demangle(name)
        except library.InvalidName:
            return None

    return ask


def _qualified_name(name: str) -> str | None:
    """The names of a nested name up to its first template arguments."""
    nested = name.startswith("_ZN")
    pos = 3 if nested else 2
    parts: list[str] = []
    while (length := _LENGTH.match(name, pos)) is not None:
        if len(length[0]) > 5:
            return None
        pos = length.end() + int(length[0])
        part = name[length.end() : pos]
        if len(part) != int(length[0]):
            return None
        parts.append("(anonymous namespace)" if part.startswith("_GLOBAL__N_") else part)
        if not nested:
            break
    if not parts:
        return None
    return "::".join(parts) + ("<...>" if name[pos : pos + 1] == "I" else "")
