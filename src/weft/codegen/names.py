"""The names of functions and variables in PTX."""

from __future__ import annotations

import re
from functools import cache

_OUTSIDE = re.compile(r"[^A-Za-z0-9_$]")


@cache
def ptx_name(name: str) -> str:
    """A symbol's name in PTX, which has fewer characters for it: `.str.1` is `_$_str_$_1`, as LLVM spells it."""
    return _OUTSIDE.sub("_$_", name)
