"""Readers of `arith`'s operations that have a syntax of their own, or are of another class for vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from xdsl.dialects import arith
from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import IntegerAttr, SymbolRefAttr, UnitAttr, VectorType, i1, i64
from xdsl.ir import Attribute, Operation, TypedAttribute

from weft.dialects import narrow
from weft.dialects.signature import is_shaped
from weft.mlir.reader.attributes import Remembered, attribute
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.formatted import Make
    from weft.mlir.reader.reader import Read, Reader

_FASTMATH = Remembered(lambda parser: FastMathFlagsAttr(FastMathFlagsAttr.parse_parameter(parser)))
_OVERFLOW = Remembered(lambda parser: IntegerOverflowAttr(IntegerOverflowAttr.parse_parameter(parser)))
_UNIT = UnitAttr()


def _constant(cls: type[Operation]) -> Read:
    """`attr-dict value`."""

    def read(reader: Reader, index: int) -> Operation:
        attributes, index = reader.dictionary(index)
        value, index = attribute(reader, index)
        if not isinstance(value, TypedAttribute) or isinstance(value, SymbolRefAttr):
            raise Unread
        return reader.finish(cls, index, (), (value.get_type(),), {"value": value}, attributes)

    return read


def _comparison(cls: Any) -> Read:
    """`predicate, %lhs, %rhs fastmath<...>? : T`; of xDSL's class for scalars."""
    predicates = {word: IntegerAttr(number, i64) for number, word in enumerate(cls.PREDICATES)}

    def results(kind: Attribute) -> tuple[type[Operation], Attribute]:
        vector = narrow.vector(kind)
        if not cls.KIND.holds(kind) or (vector is None and is_shaped(kind)):
            raise Unread
        return (cls.SCALAR, i1) if vector is None else (cls, VectorType(i1, vector.get_shape(), vector.scalable_dims))

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        predicate = predicates.get(tokens[index])
        if predicate is None or tokens[index + 1] != "," or tokens[index + 3] != ",":
            raise Unread
        lhs, rhs = tokens[index + 2], tokens[index + 4]
        properties: dict[str, Attribute] = {"predicate": predicate}
        index += 5
        if tokens[index] == "fastmath":
            flags, index = _FASTMATH.read(reader, index + 1)
            assert flags is not None
            properties["fastmath"] = flags
        attributes, index = reader.dictionary(index)
        kind, index = reader.type(reader.expect(index, ":"))
        operands = reader.typed(lhs, kind), reader.typed(rhs, kind)
        created, result = results(kind)
        return reader.finish(created, index, operands, (result,), properties, attributes)

    return read


def _select(cls: type[Operation]) -> Read:
    """`%cond, %a, %b : (vector<nxi1>,)? T`; of xDSL's class where the condition is one bit."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        if tokens[index + 1] != "," or tokens[index + 3] != ",":
            raise Unread
        names = tokens[index], tokens[index + 2], tokens[index + 4]
        attributes, index = reader.dictionary(index + 5)
        kind, index = reader.type(reader.expect(index, ":"))
        condition: Attribute = i1
        created: type[Operation] = arith.SelectOp
        if tokens[index] == ",":
            condition, created = kind, cls
            kind, index = reader.type(index + 1)
        operands = reader.typed(names[0], condition), reader.typed(names[1], kind), reader.typed(names[2], kind)
        return reader.finish(created, index, operands, (kind,), {}, attributes)

    return read


def _exact(cls: Any) -> Read:
    """`%lhs, %rhs exact? : T`; of xDSL's class without `exact`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        if tokens[index + 1] != ",":
            raise Unread
        lhs, rhs = tokens[index], tokens[index + 2]
        index += 3
        created = cls.INEXACT
        properties: dict[str, Attribute] = {}
        if tokens[index] == "exact":
            created = cls
            properties["isExact"] = _UNIT
            index += 1
        attributes, index = reader.dictionary(index)
        kind, index = reader.type(reader.expect(index, ":"))
        operands = reader.typed(lhs, kind), reader.typed(rhs, kind)
        return reader.finish(created, index, operands, (kind,), properties, attributes)

    return read


def _cast(cls: Any) -> Read:
    """`%in : T to U`; of xDSL's class for scalars, where it has one."""

    def read(reader: Reader, index: int) -> Operation:
        name = reader.tokens[index]
        attributes, index = reader.dictionary(index + 1)
        source, index = reader.type(reader.expect(index, ":"))
        target, index = reader.type(reader.expect(index, "to"))
        vector = narrow.vector(source) or narrow.vector(target)
        created = cls if vector or cls.SCALAR is None else cls.SCALAR
        return reader.finish(created, index, (reader.typed(name, source),), (target,), {}, attributes)

    return read


def _float_cast(cls: Any) -> Read:
    """`%in : T to U`, without a rounding mode or flags: of xDSL's class."""

    def read(reader: Reader, index: int) -> Operation:
        name = reader.tokens[index]
        attributes, index = reader.dictionary(index + 1)
        source, index = reader.type(reader.expect(index, ":"))
        target, index = reader.type(reader.expect(index, "to"))
        return reader.finish(cls.PLAIN, index, (reader.typed(name, source),), (target,), {}, attributes)

    return read


def _truncation(cls: type[Operation]) -> Read:
    """`%in overflow<...>? : T to U`; of xDSL's class for scalars without flags."""

    def read(reader: Reader, index: int) -> Operation:
        name = reader.tokens[index]
        properties: dict[str, Attribute] = {}
        index += 1
        if reader.tokens[index] == "overflow":
            flags, index = _OVERFLOW.read(reader, index + 1)
            assert flags is not None
            properties["overflowFlags"] = flags
        attributes, index = reader.dictionary(index)
        source, index = reader.type(reader.expect(index, ":"))
        target, index = reader.type(reader.expect(index, "to"))
        created = cls if properties or narrow.vector(source) else arith.TruncIOp
        return reader.finish(created, index, (reader.typed(name, source),), (target,), properties, attributes)

    return read


READERS: Mapping[str, Make] = {
    "arith.constant": _constant,
    "arith.cmpi": _comparison,
    "arith.cmpf": _comparison,
    "arith.select": _select,
    "arith.extf": _float_cast,
    "arith.truncf": _float_cast,
    "arith.trunci": _truncation,
    **{f"arith.{name}": _exact for name in ("divsi", "divui", "shrsi", "shrui")},
    **{
        f"arith.{name}": _cast
        for name in ("sitofp", "uitofp", "fptosi", "fptoui", "extsi", "extui", "index_cast", "index_castui")
    },
}
"""What makes the reader of an operation from its class."""
