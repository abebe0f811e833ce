"""Strings as data: their bytes."""

from __future__ import annotations

from xdsl.dialects.builtin import BytesAttr, StringAttr
from xdsl.ir import Attribute


def text_bytes(value: Attribute | None) -> bytes | None:
    """The bytes of a string attribute; None for any other.

    xDSL reads a string with bytes above 127, UTF-8 or not, as a `BytesAttr`; MLIR has one kind for all.
    """
    if isinstance(value, BytesAttr):
        return value.data
    return value.data.encode() if isinstance(value, StringAttr) else None
