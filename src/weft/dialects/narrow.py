"""Narrow an attribute to a number, a word or a shaped type, with type arguments that a strict type checker accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    StringAttr,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
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


def word(value: Attribute) -> str:
    """The word that an attribute is, which must be one of several."""
    assert isinstance(value, EnumAttribute)
    return cast("EnumAttribute[StrEnum]", value).data.value


def positions(index: AffineMap) -> list[int]:
    """The dimensions that the results of a map are, which must be dimensions."""
    return [cast("AffineDimExpr", result).position for result in index.results]


def text(value: Attribute) -> str:
    """The text that an attribute is, which must be one."""
    assert isinstance(value, StringAttr)
    return value.data


def segments(op: Operation) -> tuple[int, ...]:
    """How many operands each group of an operation has."""
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    return cast("DenseArrayBase[IntegerType]", sizes).get_values()
