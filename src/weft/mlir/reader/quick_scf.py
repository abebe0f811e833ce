"""Readers of `scf`'s loops and conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Attribute, Operation, Region, SSAValue

from weft.dialects.scf.edges import terminate
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.formatted import Make
    from weft.mlir.reader.reader import Read, Reader

_INDEX = IndexType()


def _types(reader: Reader, index: int) -> tuple[list[Attribute], int]:
    """`-> (T, ...)` or `-> T`, if it is there."""
    if reader.tokens[index] != "->":
        return [], index
    if reader.tokens[index + 1] != "(":
        kind, index = reader.type(index + 1)
        return [kind], index
    types, index = reader.types(index + 2)
    return [*types], reader.expect(index, ")")


def _pairs(reader: Reader, index: int) -> tuple[list[int], int]:
    """`(%x = %y, ...)`: the tokens that name the arguments."""
    tokens = reader.tokens
    pairs: list[int] = []
    index = reader.expect(index, "(")
    while True:
        if tokens[index + 1] != "=":
            raise Unread
        pairs.append(index)
        index += 3
        if tokens[index] == ")":
            return pairs, index + 1
        index = reader.expect(index, ",")


def _for(cls: type[Operation]) -> Read:
    """`%i = %a to %b step %s (iter_args(%x = %y) -> (T))? (: U)? { ... }`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        first = index
        if tokens[index + 1] != "=" or tokens[index + 3] != "to" or tokens[index + 5] != "step":
            raise Unread
        bounds = tokens[index + 2], tokens[index + 4], tokens[index + 6]
        index += 7
        pairs: list[int] = []
        types: list[Attribute] = []
        if tokens[index] == "iter_args":
            pairs, index = _pairs(reader, index + 1)
            types, index = _types(reader, index)
            if len(pairs) != len(types):
                raise Unread
        kind: Attribute = _INDEX
        if tokens[index] == ":":
            kind, index = reader.type(index + 1)
        operands: list[SSAValue] = [reader.typed(name, kind) for name in bounds]
        operands += [reader.typed(tokens[at + 2], type_) for at, type_ in zip(pairs, types, strict=True)]
        arguments = [reader.argument(first, kind)]
        arguments += [reader.argument(at, type_) for at, type_ in zip(pairs, types, strict=True)]
        body, index = reader.region(cls, index, arguments)
        terminate(body, scf.YieldOp)
        attributes, index = reader.dictionary(index)
        return reader.finish(cls, index, operands, types, {}, attributes, [body])

    return read


def _if(cls: type[Operation]) -> Read:
    """`%c (-> (T))? { ... } (else { ... })?`."""

    def read(reader: Reader, index: int) -> Operation:
        condition = reader.typed(reader.tokens[index], i1)
        types, index = _types(reader, index + 1)
        then, index = reader.region(cls, index)
        terminate(then, scf.YieldOp)
        otherwise = Region()
        if reader.tokens[index] == "else":
            otherwise, index = reader.region(cls, index + 1)
            terminate(otherwise, scf.YieldOp)
        attributes, index = reader.dictionary(index)
        return reader.finish(cls, index, (condition,), types, {}, attributes, [then, otherwise])

    return read


def _while(cls: type[Operation]) -> Read:
    """`(%x = %y, ...)? : (T) -> U { ... } do { ... }`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        pairs: list[int] = []
        if tokens[index] == "(":
            pairs, index = _pairs(reader, index)
        if tokens[index] != ":" or tokens[index + 1] != "(":
            raise Unread
        inputs, index = reader.types(index + 2)
        if tokens[index] != ")" or tokens[index + 1] != "->" or len(inputs) != len(pairs):
            raise Unread
        outputs, index = _types(reader, index + 1)
        operands = [reader.typed(tokens[at + 2], kind) for at, kind in zip(pairs, inputs, strict=True)]
        arguments = [reader.argument(at, kind) for at, kind in zip(pairs, inputs, strict=True)]
        before, index = reader.region(cls, index, arguments)
        after, index = reader.region(cls, reader.expect(index, "do"))
        attributes: dict[str, Attribute] = {}
        if tokens[index] == "attributes":
            attributes, index = reader.dictionary(index + 1)
        return reader.finish(cls, index, operands, outputs, {}, attributes, [before, after])

    return read


READERS: Mapping[str, Make] = {"scf.for": _for, "scf.if": _if, "scf.while": _while}
"""What makes the reader of an operation from its class."""
