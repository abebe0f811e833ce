"""The reader of `affine.apply`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Operation, SSAValue

from weft.mlir.reader.attributes import attribute
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.formatted import Make
    from weft.mlir.reader.reader import Read, Reader

_INDEX = IndexType()


def _indices(reader: Reader, index: int, begin: str, end: str) -> tuple[list[SSAValue], int]:
    """Indices in brackets, if they are there."""
    tokens = reader.tokens
    found: list[SSAValue] = []
    if tokens[index] != begin:
        return found, index
    if tokens[index + 1] == end:
        return found, index + 2
    while True:
        found.append(reader.typed(tokens[index + 1], _INDEX))
        index += 2
        if tokens[index] == end:
            return found, index + 1
        if tokens[index] != ",":
            raise Unread


def _apply(cls: type[Operation]) -> Read:
    """`#map(%d)[%s]`."""

    def read(reader: Reader, index: int) -> Operation:
        found, index = attribute(reader, index)
        if not isinstance(found, AffineMapAttr):
            raise Unread
        dimensions, index = _indices(reader, index, "(", ")")
        symbols, index = _indices(reader, index, "[", "]")
        map_ = found.data
        given = (len(dimensions), len(symbols), 1)
        if (map_.num_dims, map_.num_symbols, len(map_.results)) != given or reader.tokens[index] == "{":
            raise Unread
        return reader.finish(cls, index, [*dimensions, *symbols], (_INDEX,), {"map": found}, {})

    return read


READERS: Mapping[str, Make] = {"affine.apply": _apply}
"""What makes the reader of an operation from its class."""
