"""Regular expressions with possessive groups, `(?:...)*+`, on every Python from 3.11 on."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any

RIGHT_SINCE = (3, 11, 5)
"""Before, a turn of such a group that fails behind a part of it leaves the match there (CPython, gh-106052)."""


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` makes of a text; where Python has the mistake, with atomic groups in place of possessive ones.

    These match the same.  They take room for each turn, so that they are no better elsewhere.
    """
    return re.compile(text, flags) if sys.version_info >= RIGHT_SINCE else atomic(text, flags)


def atomic(text: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern with `(?>(?:...)*)` for `(?:...)*+`, and so with `+` and `?`; it does not tell its text."""
    parser, compiler = import_module("re._parser"), import_module("re._compiler")
    tree = parser.parse(text, flags)
    _replace(tree, parser, import_module("re._constants"))
    return compiler.compile(tree, flags)


def _replace(part: Any, parser: Any, constants: Any) -> None:
    """Replace the possessive groups in what Python's own parser makes of a text: lists of operations, in tuples."""
    if isinstance(part, tuple | list):
        for each in part:  # pyright: ignore[reportUnknownVariableType]
            _replace(each, parser, constants)
    elif isinstance(part, parser.SubPattern):
        for place, (operation, operands) in enumerate(part.data):
            _replace(operands, parser, constants)
            if operation is constants.POSSESSIVE_REPEAT:
                inner = parser.SubPattern(part.state, [(constants.MAX_REPEAT, operands)])
                part.data[place] = (constants.ATOMIC_GROUP, inner)
