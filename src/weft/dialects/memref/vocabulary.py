"""What the rows of `memref` say in words: kinds of types, of attributes, and traits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    UnrankedMemRefType,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.kinds import ANY, Kind, Trait, is_signless
from weft.dialects.memref.layouts import strided
from weft.dialects.narrow import MemRef
from weft.dialects.traits import symbol, terminator

_BOTH = (MemRefType, UnrankedMemRefType)


def _ranked(summary: str, holds: Callable[[MemRef], bool] = lambda _: True) -> Kind:
    return Kind(summary, lambda kind: isinstance(kind, MemRefType) and holds(cast("MemRef", kind)))


def _is_number(kind: Attribute) -> bool:
    return is_signless(kind) or isinstance(kind, AnyFloat)


def _is_subscript(kind: Attribute) -> bool:
    return is_signless(kind) or isinstance(kind, IndexType)


MEMREF = _ranked("memref of any type values")
STATIC = _ranked("statically shaped memref of any type values", lambda kind: DYNAMIC_INDEX not in kind.get_shape())
_NUMBERS = "signless integer or floating-point"
_TYPES = {
    "any": ANY,
    "base": _ranked("strided memref of any type values of rank 0", lambda kind: not kind.get_num_dims()),
    "both": Kind("ranked or unranked memref of any type values", lambda kind: isinstance(kind, _BOTH)),
    "bytes": _ranked(
        "1D memref of 8-bit signless integer values", lambda kind: kind.get_num_dims() == 1 and kind.element_type == i8
    ),
    "dimmed": Kind(
        "unranked.memref of any type values or non-0-ranked.memref of any type values",
        lambda kind: isinstance(kind, _BOTH) and not (isinstance(kind, MemRefType) and not cast("MemRef", kind).shape),
    ),
    "extents": _ranked(
        "1D memref of signless integer or index values",
        lambda kind: kind.get_num_dims() == 1 and _is_subscript(kind.element_type),
    ),
    "index": Kind("index", lambda kind: isinstance(kind, IndexType)),
    "line": _ranked("1D memref of any type values", lambda kind: kind.get_num_dims() == 1),
    "memref": MEMREF,
    "number": Kind(_NUMBERS, _is_number),
    "numbers": _ranked(f"memref of {_NUMBERS} values", lambda kind: _is_number(kind.element_type)),
    "static": STATIC,
    "strided": _ranked("strided memref of any type values", lambda kind: strided(kind) is not None),
}


def integer(summary: str, kind: Attribute, holds: Callable[[int], bool] = lambda _: True) -> AttributeKind:
    """An integer of a type, of which more is asked."""
    return AttributeKind(
        summary,
        lambda value: isinstance(value, IntegerAttr),
        lambda value: cast("Any", value).type == kind and holds(cast("Any", value).value.data),
    )


ALIGNMENT = integer(
    "64-bit signless integer attribute whose value is positive and whose value is a power of two > 0",
    i64,
    lambda value: value > 0 and not value & (value - 1),
)
FLAG = integer("bool attribute", i1)


def is_a(summary: str, *classes: type[Attribute]) -> AttributeKind:
    """An attribute of some classes."""
    return AttributeKind(summary, lambda value: isinstance(value, classes))


def array_of(summary: str, holds: Callable[[Attribute], bool]) -> AttributeKind:
    """An array of attributes that hold."""
    return AttributeKind(
        summary, lambda value: isinstance(value, ArrayAttr), lambda value: all(map(holds, cast("Any", value).data))
    )


def is_long(value: Attribute) -> bool:
    """Whether an attribute is an `i64`."""
    return isinstance(value, IntegerAttr) and cast("Any", value).type == i64


def is_boolean(value: Attribute) -> bool:
    """Whether an attribute is an `i1`."""
    return isinstance(value, IntegerAttr) and cast("Any", value).type == i1


DENSE = AttributeKind(
    "i64 dense array attribute", lambda value: isinstance(value, DenseArrayBase) and cast("Any", value).elt_type == i64
)
_ATTRIBUTES = {
    **dict.fromkeys(("isDataCache", "isWrite", "nontemporal"), FLAG),
    **dict.fromkeys(("static_offsets", "static_output_shape", "static_sizes", "static_strides"), DENSE),
    **dict.fromkeys(("sym_name", "sym_visibility"), is_a("string attribute", StringAttr)),
    "alignment": ALIGNMENT,
    "aligned": integer("32-bit signless integer attribute whose value is positive", i32, lambda value: value > 0),
    "constant": is_a("unit attribute", UnitAttr),
    "initial_value": AttributeKind("any attribute", lambda _: True),
    "kind": integer(
        f"allowed 64-bit signless integer cases: {', '.join(map(str, range(16)))}", i64, lambda value: 0 <= value < 16
    ),
    "localityHint": integer(
        "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
        i32,
        lambda value: 0 <= value <= 3,
    ),
    "name": AttributeKind(
        "flat symbol reference attribute",
        lambda value: isinstance(value, SymbolRefAttr) and not value.nested_references.data,
    ),
    "permutation": is_a("AffineMap attribute", AffineMapAttr),
    "reassociation": is_a("Array of 64-bit integer array attributes", ArrayAttr),
    "type": AttributeKind("memref type attribute", lambda value: isinstance(value, TypeAttribute), MEMREF.holds),
}


def _of_element(which: str, memref: int, value: Callable[[Operation], Attribute]) -> Trait:
    """A value of the type of a memref's elements."""

    def trait(op: Operation) -> None:
        if value(op) != cast("Any", op.operands[memref].type).element_type:
            raise VerifyException(f"failed to verify that {which}")

    return trait


def _result(op: Operation) -> Attribute:
    return op.results[0].type


def _value(op: Operation) -> Attribute:
    return op.operands[0].type


def _same(op: Operation) -> None:
    if op.operands[0].type != op.results[0].type:
        raise VerifyException("failed to verify that all of {value, result} have same type")


def _unchanged(op: Operation) -> None:
    if op.operands[0].type != op.results[0].type:
        raise VerifyException("requires the same type for all operands and results")


_TRAITS: dict[str, Trait] = {
    "changed": _of_element("result type matches element type of memref", 0, _result),
    "loaded": _of_element("result type matches element type of 'memref'", 0, _result),
    "same": _same,
    "stored": _of_element("type of 'value' matches element type of 'memref'", 1, _value),
    "symbol": symbol,
    "terminator": terminator,
    "unchanged": _unchanged,
    "updated": _of_element("value type matches element type of memref", 1, _value),
}
WORDS = Vocabulary(_TYPES, _ATTRIBUTES, _TRAITS)
