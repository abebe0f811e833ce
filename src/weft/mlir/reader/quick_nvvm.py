"""Readers of `nvvm`'s special registers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from weft.dialects.nvvm.sregs import PREFIX, SPECIAL_REGISTERS
from weft.mlir.reader.formats import formatted

if TYPE_CHECKING:
    from weft.mlir.reader.formats import Make

_REGISTER = formatted("(`range` $range^)? attr-dict `:` type($res)")

READERS: Mapping[str, Make] = {PREFIX + name: _REGISTER for name in SPECIAL_REGISTERS}
"""What makes the reader of an operation from its class."""
