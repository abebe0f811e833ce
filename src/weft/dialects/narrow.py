"""Narrow an attribute to a number or a shaped type, with type arguments that a strict type checker accepts."""

from __future__ import annotations

from typing import TypeAlias, cast

from xdsl.dialects.builtin import IntegerAttr, MemRefType, UnrankedMemRefType, VectorType
from xdsl.ir import Attribute

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


def number(value: Attribute) -> int:
    """The number that an attribute is, which must be one."""
    assert isinstance(value, IntegerAttr)
    return value.value.data
