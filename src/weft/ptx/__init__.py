"""The PTX language: syntax tree, parser, printer, formatter, verifier, requirements, diff."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.ptx.ast import Module as Module
    from weft.ptx.difference import diff as diff
    from weft.ptx.formatter import format_text as format_text
    from weft.ptx.parser import parse as parse
    from weft.ptx.printer import print_module as print_module
    from weft.ptx.requirements import requires as requires
    from weft.ptx.verifier import verify as verify

_HOME = {
    "Module": "weft.ptx.ast",
    "diff": "weft.ptx.difference",
    "format_text": "weft.ptx.formatter",
    "parse": "weft.ptx.parser",
    "print_module": "weft.ptx.printer",
    "requires": "weft.ptx.requirements",
    "verify": "weft.ptx.verifier",
}


def __getattr__(name: str) -> object:
    """Load a public name from the file it lives in, once."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value
