"""Narrow an attribute to a number, a word or a shaped type, with type arguments that a strict type checker accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.dialects.utils import BitEnumAttribute, EnumAttribute
from xdsl.ir import Attribute, Operation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.dialects.builtin import DictionaryAttr
    from xdsl.ir.affine import AffineDimExpr, AffineMap
    from xdsl.utils.str_enum import StrEnum

MemRef: TypeAlias = MemRefType[Attribute]
"""A ranked memref of any element type."""

AnyMemRef: TypeAlias = MemRefType[Attribute] | UnrankedMemRefType[Attribute]
"""A memref, ranked or not."""

Vector: TypeAlias = VectorType[Attribute]
"""A vector of any element type."""


def memref(value: Attribute) -> MemRef | None:
    """The ranked memref type that `value` is, or None."""
    return cast("MemRef", value) if isinstance(value, MemRefType) else None


def any_memref(value: Attribute) -> AnyMemRef | None:
    """The memref type, ranked or not, that `value` is, or None."""
    return cast("AnyMemRef", value) if isinstance(value, MemRefType | UnrankedMemRefType) else None


def known_memref(value: Attribute) -> MemRef:
    """The ranked memref type that `value` is known to be."""
    assert isinstance(value, MemRefType)
    return cast("MemRef", value)


def known_vector(value: Attribute) -> Vector:
    """The vector type that `value` is known to be."""
    assert isinstance(value, VectorType)
    return cast("Vector", value)


def vector(value: Attribute) -> Vector | None:
    """The vector type that `value` is, or None."""
    return cast("Vector", value) if isinstance(value, VectorType) else None


def element(value: Attribute) -> Attribute:
    """The type of the elements of a vector; any other type itself."""
    found = vector(value)
    return value if found is None else found.element_type


def number(value: Attribute) -> int:
    """The number that an attribute is, which must be one."""
    assert isinstance(value, IntegerAttr)
    return value.value.data


def flags(value: Attribute) -> list[bool]:
    """The truth values that an attribute is an array of."""
    assert isinstance(value, ArrayAttr)
    return [bool(number(entry)) for entry in cast("ArrayAttr[Attribute]", value)]


def numbers(value: Attribute) -> tuple[int, ...]:
    """The integers that an attribute is a dense array of."""
    assert isinstance(value, DenseArrayBase)
    return cast("DenseArrayBase[IntegerType]", value).get_values()


def elements(value: Attribute) -> tuple[int, ...]:
    """The integers that an attribute is a dense vector or tensor of."""
    assert isinstance(value, DenseIntOrFPElementsAttr)
    return tuple(int(found) for found in value.get_values())


def dictionaries(op: Operation, name: str) -> Sequence[Mapping[str, Attribute]]:
    """The dictionaries that a property is an array of, one for each argument, say; none where there is no property."""
    given = op.properties.get(name)
    if given is None:
        return ()
    assert isinstance(given, ArrayAttr)
    return [cast("DictionaryAttr", each).data for each in cast("ArrayAttr[Attribute]", given)]


def stated(op: Operation, name: str, otherwise: int) -> int:
    """The number that a property is, where the operation states it."""
    given = op.properties.get(name)
    return otherwise if given is None else number(given)


def worded(op: Operation, name: str, otherwise: str) -> str:
    """The word that a property is, where the operation has it."""
    given = op.properties.get(name)
    return otherwise if given is None else word(given)


def word(value: Attribute) -> str:
    """The word that an attribute is, which must be one of several."""
    assert isinstance(value, EnumAttribute)
    return cast("EnumAttribute[StrEnum]", value).data.value


def positions(index: AffineMap) -> list[int]:
    """The dimensions that the results of a map are, which must be dimensions."""
    return [cast("AffineDimExpr", result).position for result in index.results]


def symbol(value: Attribute) -> str:
    """The name that an attribute refers to."""
    assert isinstance(value, SymbolRefAttr)
    return value.root_reference.data


def words(value: Attribute) -> set[str]:
    """The words of an attribute that is any number of them."""
    assert isinstance(value, BitEnumAttribute)
    return {flag.value for flag in cast("BitEnumAttribute[StrEnum]", value).data}


def width(value: Attribute) -> int | None:
    """The width of an integer type; None of any other."""
    return cast("IntegerType", value).width.data if isinstance(value, IntegerType) else None


def text(value: Attribute) -> str:
    """The text that an attribute is, which must be one."""
    assert isinstance(value, StringAttr)
    return value.data


def segments(op: Operation) -> tuple[int, ...]:
    """How many operands each group of an operation has."""
    return numbers(op.properties["operandSegmentSizes"])
