"""Reading the fields of LLVM's debug metadata, whatever may be missing or odd in it."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any, cast

MOST_SCOPES = 1000
"""Scopes inside each other beyond these are left out."""


def field(attribute: Any, name: str) -> Any:
    """A field of one of LLVM's attributes, None when it has none of that name."""
    return dict(attribute.data).get(name) if isinstance(getattr(attribute, "data", None), tuple) else None


def text(attribute: Any, name: str) -> str:
    """A field that is a string or a word, empty when there is none."""
    found: object = getattr(field(attribute, name), "data", "")
    return found if isinstance(found, str) else ""


def number(attribute: Any, name: str) -> int:
    """A field that is an integer, 0 when there is none."""
    return integer(field(attribute, name)) or 0


def integer(found: Any) -> int | None:
    """An attribute that is an integer, None for others."""
    found = getattr(found, "value", found)
    value = getattr(found, "data", None)
    return value if isinstance(value, int) else None


def true(attribute: Any, name: str) -> bool:
    """A field that is true."""
    return bool(integer(field(attribute, name)))


def listed(attribute: Any, name: str) -> Sequence[Any]:
    """The elements of a field that is a list."""
    found: object = getattr(field(attribute, name), "data", ())
    return cast("tuple[Any, ...]", found) if isinstance(found, tuple) else ()


def words(attribute: Any, name: str) -> frozenset[str]:
    """The words of a field that is a set of flags."""
    return frozenset(text(attribute, name).split("|"))


def path_of(file: Any) -> str:
    """The path of a file of LLVM's debug metadata."""
    if not hasattr(file, "directory"):
        return ""
    folder, name = str(file.directory.data), str(file.file.data)
    return posixpath.join(folder, name)


def subprogram_of(scope: Any) -> Any:
    """The subprogram that a scope of LLVM's debug metadata lies in, or None."""
    for _ in range(MOST_SCOPES):
        if scope is None or scope.name == "llvm.di_subprogram":
            return scope
        if scope.name not in ("llvm.di_lexical_block", "llvm.di_lexical_block_file"):
            break
        scope = field(scope, "scope")
    return None


def function_around(scope: Any) -> Any:
    """The subprogram that a scope is or lies in, by lexical blocks; None where it lies in none."""
    for _ in range(MOST_SCOPES):
        if scope is None or scope.name not in ("llvm.di_lexical_block", "llvm.di_lexical_block_file"):
            break
        scope = field(scope, "scope")
    return scope if scope is not None and scope.name == "llvm.di_subprogram" else None


def blocks_around(scope: Any) -> list[Any]:
    """The lexical blocks that a scope lies in, its own with them, outermost first."""
    found: list[Any] = []
    for _ in range(MOST_SCOPES):
        if scope is None or scope.name not in ("llvm.di_lexical_block", "llvm.di_lexical_block_file"):
            break
        if scope.name == "llvm.di_lexical_block":
            found.append(scope)
        scope = field(scope, "scope")
    return found[::-1]
