"""Readers of `nvvm`'s matrix products on registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation

from weft.dialects.building import segment_sizes
from weft.dialects.engine.attributes import attr
from weft.dialects.nvvm.grouped import A_TYPE, B_TYPE, SYNTAX
from weft.mlir.reader.steps import values
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.formatted import Make
    from weft.mlir.reader.reader import Read, Reader

_UNIT = UnitAttr()


def _group(reader: Reader, index: int, name: str) -> tuple[Sequence[SSAValue], int]:
    """`A[%x, %y]`."""
    if reader.tokens[index] != name or reader.tokens[index + 1] != "[":
        raise Unread
    found, index = values(reader, index + 2)
    return found, reader.expect(index, "]")


def _product(cls: type[Operation]) -> Read:
    """`A[...] B[...] C[...] sparseMetadata[...] ... {...} : (T, T, T) -> U`."""
    assert issubclass(cls, IRDLOperation)
    syntax = SYNTAX[cls.name]
    names = [name for name, _ in syntax.further]
    further = [kind for _, kinds in syntax.further for kind in kinds]
    inferred = {register: attr("nvvm.mma_type", kind) for register, kind in syntax.inferred.items()}
    declared = list(cls.get_irdl_definition().properties)

    def read(reader: Reader, index: int) -> Operation:
        groups: list[Sequence[SSAValue]] = []
        for letter in ("A", "B", "C", *names):
            group, index = _group(reader, index, letter)
            groups.append(group)
        attributes, index = reader.dictionary(index)
        index = reader.expect(reader.expect(index, ":"), "(")
        registers, index = reader.types(index)
        if len(registers) != 3 or reader.tokens[index] != ")" or reader.tokens[index + 1] != "->":
            raise Unread
        result, index = reader.type(index + 2)
        operands = [value for group in groups for value in group]
        kinds = [kind for kind, group in zip(registers, groups, strict=False) for _ in group] + further
        if [value.type for value in operands] != kinds:
            raise Unread
        properties = {name: attributes.pop(name) for name in declared if name in attributes}
        for name, register in zip((A_TYPE, B_TYPE), registers, strict=False):
            if name not in properties and register in inferred:
                properties[name] = inferred[register]
            elif name not in properties and syntax.written:
                raise Unread
        if syntax.always_ordered:
            properties["orderedMetadata"] = _UNIT
        sizes = (*map(len, groups[:3]), *(1 for _ in further))
        properties["operandSegmentSizes"] = segment_sizes(sizes)
        return reader.finish(cls, index, operands, (result,), properties, attributes)

    return read


READERS: Mapping[str, Make] = dict.fromkeys(SYNTAX, _product)
"""What makes the reader of an operation from its class."""
