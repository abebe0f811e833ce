"""What the rows of foreign dialects say in words: kinds of types, of attributes, and traits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, TypeAttribute

from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.foreign.checks import CHECKS
from weft.dialects.foreign.handles import HANDLES, PARAMETERS, VALUES
from weft.dialects.foreign.tensors import CHECKS as TENSOR_CHECKS
from weft.dialects.foreign.tensors import dynamic, extents
from weft.dialects.gpu.binary import name_of
from weft.dialects.kinds import ANY, Kind, element, is_signless
from weft.dialects.memref.vocabulary import array_of, is_boolean, is_long

_TENSORS = (TensorType, UnrankedTensorType)


def _tensor_of(summary: str, holds: Callable[[Attribute], bool], *, ranked: bool = False) -> Kind:
    classes = TensorType if ranked else _TENSORS
    return Kind(
        f"{'ranked ' if ranked else ''}tensor of {summary} values",
        lambda kind: isinstance(kind, classes) and holds(element(cast("Attribute", kind))),
    )


def _is_number(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType | AnyFloat)


def _is_subscript(kind: Attribute) -> bool:
    return is_signless(kind) or isinstance(kind, IndexType)


def _is_static(kind: Attribute) -> bool:
    return isinstance(kind, TensorType) and not dynamic(cast("Attribute", kind))


def _has_extents(kind: Attribute) -> bool:
    return isinstance(kind, _TENSORS) and extents(cast("Attribute", kind)) != ()


def _named(summary: str, *names: str) -> Kind:
    return Kind(summary, lambda kind: name_of(kind) in names)


def _valued(summary: str, holds: Callable[[Attribute], bool]) -> Kind:
    """A vector or ranked tensor of what holds."""
    return Kind(
        f"A shaped type with value semantics and rank. of {summary} values",
        lambda kind: isinstance(kind, VectorType | TensorType) and holds(element(cast("Attribute", kind))),
    )


def _either(*kinds: Kind) -> Kind:
    return Kind(" or ".join(kind.summary for kind in kinds), lambda kind: any(one.holds(kind) for one in kinds))


def _is_pointer(kind: Attribute) -> bool:
    return name_of(kind) == "ptr.ptr"


def _is_integer(kind: Attribute) -> bool:
    return is_signless(kind) or isinstance(kind, IndexType)


def _tensors(rank: int) -> Kind:
    return Kind(
        f"{rank}D tensor of any type values",
        lambda kind: isinstance(kind, TensorType) and len(cast("Any", kind).get_shape()) == rank,
    )


_BUFFERS = (MemRefType, UnrankedMemRefType)
_RANKED = Kind("ranked tensor of any type values", lambda kind: isinstance(kind, TensorType))
_HANDLE = _named("TransformHandleTypeInterface instance", *HANDLES)
_POINTER, _INTEGER = Kind("pointer type", _is_pointer), Kind("signless integer or index", _is_integer)
_FUTURE, _TOKEN = _named("async value type", "async.value"), _named("async token type", "async.token")
_GROUP = _named("async group type", "async.group")
TYPES: Mapping[str, Kind] = {
    "any": ANY,
    "buffer_or_tensor": Kind("shaped of any type values", lambda kind: isinstance(kind, _TENSORS + _BUFFERS)),
    "buffer_like": Kind("BufferLikeType instance", lambda kind: isinstance(kind, _BUFFERS)),
    "extended": Kind("non-0-ranked or unranked tensor", _has_extents),
    "memref": Kind("ranked or unranked memref of any type values", lambda kind: isinstance(kind, _BUFFERS)),
    "numbers": _tensor_of("signless integer or unsigned integer or signed integer or floating-point", _is_number),
    "static": Kind("statically shaped tensor of any type values", _is_static),
    "subscript_list": Kind(
        "1D tensor of signless integer or index values",
        lambda kind: kind.name == "tensor" and len(cast("Any", kind).get_shape()) == 1 and _is_subscript(element(kind)),
    ),
    "subscripts": _tensor_of("signless integer or index", _is_subscript, ranked=True),
    "tensor_like": Kind("TensorLikeType instance", lambda kind: isinstance(kind, _TENSORS)),
    "tensor": _tensor_of("any type", lambda _: True),
    "handle": _HANDLE,
    "param": _named("TransformParamTypeInterface instance", *PARAMETERS),
    "value": _named("TransformValueHandleTypeInterface instance", *VALUES),
    "handle_or_value": _named("transform operation or value handle", *HANDLES, *VALUES),
    "some_handle": _named("any transform handle", *HANDLES, *VALUES),
    "handle_or_map": _named("transform operation or value handle or ", *HANDLES, *VALUES, "transform.affine_map"),
    "handle_or_param": _named("transform any param type or any handle type", *HANDLES, *PARAMETERS),
    "something": _named("any transform handle or parameter", *HANDLES, *PARAMETERS, *VALUES),
    "group": _GROUP,
    "future": _FUTURE,
    "awaited": _either(_FUTURE, _TOKEN),
    "counted": _either(_FUTURE, _TOKEN, _GROUP),
    "tensor4": _tensors(4),
    "tensor6": _tensors(6),
    "shaped": Kind("shaped of any type values", lambda kind: isinstance(kind, (TensorType, VectorType, *_BUFFERS))),
    "ranked": _RANKED,
    "buffer_or_ranked": _either(Kind("memref of any type values", lambda kind: isinstance(kind, MemRefType)), _RANKED),
    "pointer": _POINTER,
    "like": Kind("PtrLikeTypeInterface instance", lambda kind: _is_pointer(kind) or isinstance(kind, _BUFFERS)),
    "metadata": _named("Pointer metadata type", "ptr.ptr_metadata"),
    "valued": _valued("any type", lambda _: True),
    "mask": _valued("1-bit signless integer", lambda kind: kind == i1),
    "pointers": _valued("pointer type", _is_pointer),
    "some_pointers": _either(_valued("pointer type", _is_pointer), _POINTER),
    "some_integers": _either(_valued("signless integer or index", _is_integer), _INTEGER),
    "integer": _INTEGER,
    "index": Kind("index", lambda kind: isinstance(kind, IndexType)),
    "i1": Kind("1-bit signless integer", lambda kind: kind == i1),
    "!async.token": _TOKEN,
    "!async.group": _GROUP,
    "!async.coro.id": _named("switched-resume coroutine identifier", "async.coro.id"),
    "!async.coro.handle": _named("coroutine handle", "async.coro.handle"),
    "!async.coro.state": _named("saved coroutine state", "async.coro.state"),
    "!transform.any_op": _HANDLE,
    "!transform.any_value": _named("TransformValueHandleTypeInterface instance", *VALUES),
}


def _dense(width: str, of: Attribute) -> AttributeKind:
    return AttributeKind(
        f"{width} dense array attribute",
        lambda value: isinstance(value, DenseArrayBase) and cast("Any", value).elt_type == of,
    )


def _number(summary: str, of: Attribute) -> AttributeKind:
    return AttributeKind(
        summary, lambda value: isinstance(value, IntegerAttr), lambda value: cast("Any", value).type == of
    )


_ANYTHING = AttributeKind("any attribute", lambda _: True)
_STRING = AttributeKind("string attribute", lambda value: isinstance(value, StringAttr))
ATTRIBUTES: Mapping[str, AttributeKind] = {
    "any": _ANYTHING,
    "i64": _number("64-bit signless integer attribute", i64),
    "bool": _number("bool attribute", i1),
    "str": _STRING,
    "sym": _STRING,
    "unit": AttributeKind("unit attribute", lambda value: isinstance(value, UnitAttr)),
    "i64s": _dense("i64", i64),
    "i32s": _dense("i32", i32),
    "bools": _dense("i1", i1),
    "ref": AttributeKind("symbol reference attribute", lambda value: isinstance(value, SymbolRefAttr)),
    "type": AttributeKind("any type attribute", lambda value: isinstance(value, TypeAttribute)),
    "array": AttributeKind("array attribute", lambda value: isinstance(value, ArrayAttr)),
    "dict": AttributeKind("dictionary of named attribute values", lambda value: isinstance(value, DictionaryAttr)),
    "flat": AttributeKind(
        "flat symbol reference attribute",
        lambda value: isinstance(value, SymbolRefAttr) and not value.nested_references.data,
    ),
    "ftype": AttributeKind("type attribute of function type", lambda value: isinstance(value, FunctionType)),
    "notes": AttributeKind(
        "Array of dictionary attributes",
        lambda value: isinstance(value, ArrayAttr),
        lambda value: all(isinstance(one, DictionaryAttr) for one in cast("Any", value).data),
    ),
    "strs": array_of("string array attribute", lambda one: isinstance(one, StringAttr)),
    "refs": array_of("symbol ref array attribute", lambda one: isinstance(one, SymbolRefAttr)),
    "types": array_of("type array attribute", lambda one: isinstance(one, TypeAttribute)),
    "longs": array_of("64-bit integer array attribute", is_long),
    "booleans": array_of("1-bit boolean array attribute", is_boolean),
    "orders": array_of(
        "array of arrays of i64", lambda one: isinstance(one, ArrayAttr) and all(map(is_long, cast("Any", one).data))
    ),
    "reassociation": AttributeKind(
        "Array of 64-bit integer array attributes", lambda value: isinstance(value, ArrayAttr)
    ),
}


WORDS = Vocabulary(TYPES, ATTRIBUTES, {**TENSOR_CHECKS, **CHECKS})
