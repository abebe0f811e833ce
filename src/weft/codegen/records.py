"""How values lie in memory and in parameters: the place of each scalar.

Offsets, sizes and alignments are those of LLVM's data layout for NVPTX, so that functions and data compiled by others
fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from xdsl.ir import Attribute

from weft.codegen.types import (
    Scalar,
    UnsupportedTypeError,
    align_of,
    element_bits,
    element_types,
    has_wide_elements,
    is_memref,
    is_vector,
    lanes_of,
    layout,
    padded_size,
    struct_offsets,
)
from weft.dataclass import dataclass

Place = tuple[int, Scalar]
"""A scalar and its offset in bytes."""

MAX_ALIGNMENT = 128
"""Parameters are aligned to no more."""


@cache
def places(type_: Any) -> tuple[Place, ...]:
    """The place of each scalar of a type, in the order of the type's layout."""
    kinds = layout(type_).scalars
    if is_vector(type_):
        if lanes_of(type_) is not None:
            return tuple((4 * index, kind) for index, kind in enumerate(kinds))
        return _elements(type_, kinds)
    if is_memref(type_):
        return tuple((8 * index, kind) for index, kind in enumerate(kinds))
    if type_.name in ("llvm.array", "llvm.struct", "complex"):
        members = element_types(type_)
        if type_.name == "llvm.struct":
            starts: Sequence[int] = struct_offsets(type_)
        else:
            starts = [index * padded_size(members[0]) for index in range(len(members))]
        return tuple(
            (start + offset, kind)
            for start, member in zip(starts, members, strict=False)
            for offset, kind in places(member)
        )
    return tuple((8 * index, kind) for index, kind in enumerate(kinds))


def _elements(type_: Any, kinds: Sequence[Scalar]) -> tuple[Place, ...]:
    """The places of a vector's elements, which lie bit beside bit and may share bytes with their neighbours."""
    width = element_bits(type_)
    if has_wide_elements(type_):
        if width % 8:
            raise UnsupportedTypeError(f"{type_} in memory")
        pairs = places(type_.element_type)
        return tuple((index * width // 8 + at, kind) for index in range(len(kinds) // 2) for at, kind in pairs)
    if width % 8 == 0 and width != 8 * kinds[0].moved:
        raise UnsupportedTypeError(f"{type_} in memory")
    if width % 8 == 0:
        return tuple((index * width // 8, kind) for index, kind in enumerate(kinds))
    return tuple((index * width // 8, replace(kind, bit=index * width % 8)) for index, kind in enumerate(kinds))


def spanned(kind: Scalar) -> int:
    """The bytes that a scalar which shares bytes with others reaches into."""
    assert kind.bit is not None
    return -(-(kind.bit + kind.width) // 8)


@dataclass(frozen=True, slots=True)
class Record:
    """The bytes that carry a value: where its scalars lie, how many bytes there are, and their alignment."""

    places: tuple[Place, ...]
    size: int
    alignment: int


def record(types: Sequence[Attribute]) -> Record:
    """The record of one value, or of several as the members of a struct."""
    if len(types) == 1:
        (type_,) = types
        if is_memref(type_):
            return Record(places(type_), 8 * len(layout(type_).scalars), 8)
        return Record(places(type_), padded_size(type_), min(align_of(type_), MAX_ALIGNMENT))
    found: list[Place] = []
    end, alignment = 0, 1
    for type_ in types:
        one = record([type_])
        end = -(-end // one.alignment) * one.alignment
        found += [(end + offset, kind) for offset, kind in one.places]
        end += one.size
        alignment = max(alignment, one.alignment)
    return Record(tuple(found), -(-end // alignment) * alignment, alignment)


def passed_directly(type_: Attribute) -> int:
    """The bits of the parameter that carries the value by itself, 0 when it is passed as bytes.

    Integers up to 32 bits travel as 32, those up to 64 as 64; f16, bf16, i128 and everything composite as bytes.
    """
    found = layout(type_)
    if found.composite:
        return 0
    kind = found.scalars[0]
    if kind.kind == "float":
        return kind.width if kind.width >= 32 else 0
    if kind.kind == "pointer":
        return 64
    return 32 if kind.width <= 32 else 64
