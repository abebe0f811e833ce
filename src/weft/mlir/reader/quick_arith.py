"""The reader of `arith.constant`, and the steps of the directives of `arith`'s formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import SymbolRefAttr, i1
from xdsl.ir import Operation, TypedAttribute

from weft.mlir.reader.attributes import attribute
from weft.mlir.reader.custom import Made, compared, numbered_word
from weft.mlir.reader.steps import Draft
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from xdsl.irdl import OpDef

    from weft.mlir.reader.formatted import Make
    from weft.mlir.reader.reader import Read, Reader


def _constant(cls: type[Operation]) -> Read:
    """`attr-dict value`."""

    def read(reader: Reader, index: int) -> Operation:
        attributes, index = reader.dictionary(index)
        value, index = attribute(reader, index)
        if not isinstance(value, TypedAttribute) or isinstance(value, SymbolRefAttr):
            raise Unread
        return reader.finish(cls, index, (), (value.get_type(),), {"value": value}, attributes)

    return read


def _compared(definition: OpDef, lhs: int, rhs: int, result: int) -> Made:
    """The type of what is compared, and of the bits that this gives."""
    from weft.dialects.arith.directives import comparable

    return compared(comparable(definition.name).holds, lhs, rhs, result)


def _selected(definition: OpDef, condition: int, value: int) -> Made:
    """The type of what is selected from, behind that of the condition if it is no bit."""

    def step(reader: Reader, index: int, draft: Draft) -> int:
        types: list[Any] = draft.types
        kind, index = reader.type(index)
        types[condition] = i1
        if reader.tokens[index] == ",":
            types[condition] = kind
            kind, index = reader.type(index + 1)
        types[value] = kind
        return index

    return step, ()


READERS: Mapping[str, Make] = {"arith.constant": _constant}
"""What makes the reader of an operation from its class."""

DIRECTIVES: Mapping[str, Callable[..., Made]] = {
    "Compared": _compared,
    "PropertyWord": numbered_word,
    "Selected": _selected,
}
"""What makes the step of a directive, in formats of which every operand and result is a single one."""
