"""Readers of `llvm`'s operations that have a syntax of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, IntegerType, VectorType, i1, i32, i64
from xdsl.dialects.llvm import ICmpPredicateFlag, LLVMArrayType, LLVMStructType, OverflowAttr
from xdsl.ir import Attribute, Operation, SSAValue

from weft.dialects import narrow
from weft.dialects.building import segment_sizes
from weft.dialects.llvm.kinds import is_compatible
from weft.mlir.reader.attributes import Remembered, attribute
from weft.mlir.reader.custom import array, index_list
from weft.mlir.reader.formatted import Make, formatted
from weft.mlir.reader.quick_containers import llvm_function
from weft.mlir.reader.steps import values
from weft.mlir.reader.tokens import Unread

if TYPE_CHECKING:
    from weft.mlir.reader.reader import Read, Reader

_OVERFLOW = Remembered(lambda parser: IntegerAttr(OverflowAttr.parse(parser).to_int(), i32))
_NO_FLAGS = IntegerAttr(0, i32)


def _flags(reader: Reader, index: int) -> tuple[Attribute, int]:
    """`overflow<...>`, if it is there, as a number."""
    if reader.tokens[index] != "overflow":
        return _NO_FLAGS, index
    flags, index = _OVERFLOW.read(reader, index)
    assert flags is not None
    return flags, index


def _wrapping(cls: type[Operation]) -> Read:
    """`%lhs, %rhs overflow<...>? : T`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        if tokens[index + 1] != ",":
            raise Unread
        lhs, rhs = tokens[index], tokens[index + 2]
        flags, index = _flags(reader, index + 3)
        attributes, index = reader.dictionary(index)
        kind, index = reader.type(reader.expect(index, ":"))
        operands = reader.typed(lhs, kind), reader.typed(rhs, kind)
        return reader.finish(cls, index, operands, (kind,), {"overflowFlags": flags}, attributes)

    return read


def _constant(cls: type[Operation]) -> Read:
    """`(value) : T`."""

    def read(reader: Reader, index: int) -> Operation:
        value, index = attribute(reader, reader.expect(index, "("))
        attributes, index = reader.dictionary(reader.expect(index, ")"))
        kind, index = reader.type(reader.expect(index, ":"))
        return reader.finish(cls, index, (), (kind,), {"value": value}, attributes)

    return read


def _comparison(cls: type[Operation]) -> Read:
    """`"predicate" %lhs, %rhs : T`."""
    predicates = {f'"{flag.value}"': IntegerAttr(number, i64) for number, flag in enumerate(ICmpPredicateFlag)}

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        predicate = predicates.get(tokens[index])
        if predicate is None or tokens[index + 2] != ",":
            raise Unread
        lhs, rhs = tokens[index + 1], tokens[index + 3]
        attributes, index = reader.dictionary(index + 4)
        kind, index = reader.type(reader.expect(index, ":"))
        vector = narrow.vector(kind)
        if not is_compatible(kind):
            raise Unread
        result = i1 if vector is None else VectorType(i1, vector.get_shape(), vector.scalable_dims)
        operands = reader.typed(lhs, kind), reader.typed(rhs, kind)
        return reader.finish(cls, index, operands, (result,), {"predicate": predicate}, attributes)

    return read


def _truncation(cls: type[Operation]) -> Read:
    """`%arg overflow<...>? : T to U`."""

    def read(reader: Reader, index: int) -> Operation:
        name = reader.tokens[index]
        flags, index = _flags(reader, index + 1)
        attributes, index = reader.dictionary(index)
        source, index = reader.type(reader.expect(index, ":"))
        target, index = reader.type(reader.expect(index, "to"))
        return reader.finish(cls, index, (reader.typed(name, source),), (target,), {"overflowFlags": flags}, attributes)

    return read


# Control


def _destination(reader: Reader, index: int) -> tuple[int, Sequence[SSAValue], int]:
    """`^block(%a, %b : T, U)`: the token that names the block, and what it is given."""
    tokens = reader.tokens
    if tokens[index][0] != "^" or len(tokens[index]) == 1:
        raise Unread
    if tokens[index + 1] != "(":
        return index, (), index + 1
    found, end = values(reader, index + 2)
    kinds, end = reader.types(reader.expect(end, ":"))
    if not found or [value.type for value in found] != kinds:
        raise Unread
    return index, found, reader.expect(end, ")")


def _conditional_branch(cls: type[Operation]) -> Read:
    """`%test, ^then(...), ^else(...)`."""

    def read(reader: Reader, index: int) -> Operation:
        test = reader.typed(reader.tokens[index], i1)
        then, first, index = _destination(reader, reader.expect(index + 1, ","))
        otherwise, second, index = _destination(reader, reader.expect(index, ","))
        attributes, index = reader.dictionary(index)
        properties: dict[str, Attribute] = {}
        if "loop_annotation" in attributes and cls.name == "llvm.cond_br":
            properties["loop_annotation"] = attributes.pop("loop_annotation")
        properties["operandSegmentSizes"] = segment_sizes((1, len(first), len(second)))
        operands = [test, *first, *second]
        return reader.finish(cls, index, operands, (), properties, attributes, successors=(then, otherwise))

    return read


# Aggregates


def _position(reader: Reader, index: int) -> tuple[list[int], int]:
    """`[1, 2]`."""
    values, numbers, index = index_list(reader, index, 0)
    if values:
        raise Unread
    return numbers, index


def _member(kind: Attribute, position: list[int]) -> Attribute:
    """The type of a member of an aggregate."""
    for number in position:
        if isinstance(kind, LLVMArrayType) and 0 <= number < kind.size.data:
            kind = kind.type
        elif isinstance(kind, LLVMStructType) and 0 <= number < len(kind.types.data):
            kind = kind.types.data[number]
        else:
            raise Unread
    return kind


def _extract_value(cls: type[Operation]) -> Read:
    """`%container[position] : T`."""

    def read(reader: Reader, index: int) -> Operation:
        container = reader.tokens[index]
        position, index = _position(reader, index + 1)
        attributes, index = reader.dictionary(index)
        kind, index = reader.type(reader.expect(index, ":"))
        if attributes:
            raise Unread
        properties: dict[str, Attribute] = {"position": array(i64, tuple(position))}
        operands = (reader.typed(container, kind),)
        return reader.finish(cls, index, operands, (_member(kind, position),), properties, {})

    return read


def _insert_value(cls: type[Operation]) -> Read:
    """`%value, %container[position] : T`."""

    def read(reader: Reader, index: int) -> Operation:
        value, container = reader.tokens[index], reader.tokens[index + 2]
        position, index = _position(reader, reader.expect(index + 1, ",") + 1)
        attributes, index = reader.dictionary(index)
        kind, index = reader.type(reader.expect(index, ":"))
        if attributes:
            raise Unread
        properties: dict[str, Attribute] = {"position": array(i64, tuple(position))}
        operands = reader.typed(container, kind), reader.typed(value, _member(kind, position))
        return reader.finish(cls, index, operands, (kind,), properties, {})

    return read


# Memory

_DYNAMIC = -(1 << 31)
_PROMISES = {"inbounds": 3, "nuw": 4, "nusw": 2}


@cache
def _promises(words: tuple[str, ...]) -> IntegerAttr[IntegerType]:
    """What words say of an address, as bits."""
    bits = 0
    for word in words:
        bits |= _PROMISES[word]
    return IntegerAttr(bits, i32)


def _get_element_pointer(cls: type[Operation]) -> Read:
    """`promises? %base[%i, 3] : (!llvm.ptr, i64) -> !llvm.ptr, T`."""

    def read(reader: Reader, index: int) -> Operation:
        tokens = reader.tokens
        words: tuple[str, ...] = ()
        while tokens[index] in _PROMISES:
            words += (tokens[index],)
            index += 1
            if tokens[index] != "|":
                break
            index += 1
        base = reader.operand(tokens[index])
        values, numbers, index = index_list(reader, index + 1, _DYNAMIC)
        attributes, index = reader.dictionary(index)
        if not numbers or tokens[index] != ":" or tokens[index + 1] != "(":
            raise Unread
        inputs, index = reader.types(index + 2)
        if tokens[index] != ")" or tokens[index + 1] != "->":
            raise Unread
        result, index = reader.type(index + 2)
        element, index = reader.type(reader.expect(index, ","))
        operands = [base, *values]
        if [value.type for value in operands] != inputs:
            raise Unread
        properties: dict[str, Attribute] = {
            "rawConstantIndices": array(i32, tuple(numbers)),
            "elem_type": element,
            "noWrapFlags": _promises(words),
        }
        return reader.finish(cls, index, operands, (result,), properties, attributes)

    return read


_IN_DICTIONARY = ("alignment", "nontemporal", "access_groups", "alias_scopes", "noalias_scopes", "tbaa")


def _properties(attributes: dict[str, Attribute]) -> dict[str, Attribute]:
    """What of the dictionary of a load or a store is a property; it is taken out."""
    return {name: attributes.pop(name) for name in _IN_DICTIONARY if name in attributes}


def _load(cls: type[Operation]) -> Read:
    """`%addr {...} : !llvm.ptr -> T`."""

    def read(reader: Reader, index: int) -> Operation:
        address = reader.tokens[index]
        attributes, index = reader.dictionary(index + 1)
        pointer, index = reader.type(reader.expect(index, ":"))
        kind, index = reader.type(reader.expect(index, "->"))
        operands = (reader.typed(address, pointer),)
        return reader.finish(cls, index, operands, (kind,), _properties(attributes), attributes)

    return read


def _store(cls: type[Operation]) -> Read:
    """`%value, %addr {...} : T, !llvm.ptr`."""

    def read(reader: Reader, index: int) -> Operation:
        value, address = reader.tokens[index], reader.tokens[index + 2]
        attributes, index = reader.dictionary(reader.expect(index + 1, ",") + 1)
        kind, index = reader.type(reader.expect(index, ":"))
        pointer, index = reader.type(reader.expect(index, ","))
        operands = reader.typed(value, kind), reader.typed(address, pointer)
        return reader.finish(cls, index, operands, (), _properties(attributes), attributes)

    return read


_BINARY = formatted("$lhs `,` $rhs attr-dict `:` type($res)")
_EXACT = formatted("(`exact` $isExact^)? $lhs `,` $rhs attr-dict `:` type($res)")
_CONVERSION = formatted("$arg attr-dict `:` type($arg) `to` type($res)")

READERS: Mapping[str, Make] = {
    **dict.fromkeys(("llvm.add", "llvm.sub", "llvm.mul", "llvm.shl"), _wrapping),
    **dict.fromkeys(("llvm.and", "llvm.xor", "llvm.urem", "llvm.srem"), _BINARY),
    **dict.fromkeys(("llvm.udiv", "llvm.sdiv", "llvm.lshr", "llvm.ashr"), _EXACT),
    "llvm.func": llvm_function,
    "llvm.sext": _CONVERSION,
    "llvm.trunc": _truncation,
    "cf.cond_br": _conditional_branch,
    "llvm.cond_br": _conditional_branch,
    "llvm.mlir.constant": _constant,
    "llvm.icmp": _comparison,
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.getelementptr": _get_element_pointer,
    "llvm.load": _load,
    "llvm.store": _store,
}
"""What makes the reader of an operation from its class."""
