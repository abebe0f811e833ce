"""Memrefs in the selector: a base pointer, an offset in elements, sizes and strides."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.integers import Integers
from weft.codegen.linear import Lin
from weft.codegen.types import DYNAMIC, memory_space, padded_size, static_strides
from weft.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MemRef:
    """A memref: `base` is the aligned pointer (32 bits in shared memory); offset, sizes and strides count elements."""

    base: Lin
    offset: Lin
    sizes: tuple[Lin, ...]
    strides: tuple[Lin, ...]
    space: str

    def scalars(self) -> tuple[Lin, ...]:
        """The descriptor's members, as upstream's `struct<(ptr, ptr, i64, array, array)>`."""
        return (self.base, self.base, self.offset, *self.sizes, *self.strides)


@dataclass(frozen=True, slots=True)
class Unranked:
    """A memref of any rank: its rank and the place of its descriptor, or the memref itself as long as it is known.

    The descriptor of a known one is put into the thread's own memory when something needs its address.
    """

    rank: Lin
    place: Lin | None
    known: MemRef | None = None


MAX_EXTENT = (1 << 48) - 1
"""No dimension of a memref is larger: no device addresses more bytes."""


def from_scalars(type_: Any, scalars: tuple[Lin, ...]) -> MemRef:
    """The memref with the descriptor `scalars`; what the type knows statically replaces what they say."""
    shape: tuple[int, ...] = type_.get_shape()
    strides, offset = static_strides(type_)
    rank = len(shape)
    sizes = tuple(scalars[3 + i] if extent == DYNAMIC else linear.const(extent) for i, extent in enumerate(shape))
    steps = tuple(
        scalars[3 + rank + i] if stride == DYNAMIC else linear.const(stride) for i, stride in enumerate(strides)
    )
    start = scalars[2] if offset == DYNAMIC else linear.const(offset)
    return MemRef(scalars[1], start, sizes, steps, memory_space(type_))


def of_static_type(type_: Any, base: Lin) -> MemRef:
    """A memref of static shape and layout at `base`."""
    shape: tuple[int, ...] = type_.get_shape()
    strides, offset = static_strides(type_)
    return MemRef(
        base,
        linear.const(0 if offset == DYNAMIC else offset),
        tuple(map(linear.const, shape)),
        tuple(map(linear.const, strides)),
        memory_space(type_),
    )


def element_address(b: Integers, memref: MemRef, indices: tuple[Lin, ...], element: Any) -> Lin:
    """The byte address of an element, 32 or 64 bits wide as the state space wants."""
    index = memref.offset
    for position, stride in zip(indices, memref.strides, strict=True):
        index = b.add(index, b.mul(position, stride))
    return byte_offset(b, memref.base, index, padded_size(element))


def byte_offset(b: Integers, base: Lin, index: Lin, scale: int) -> Lin:
    """base + index * scale for a pointer and a 64-bit index."""
    by = linear.scaled(index, scale)
    return b.add(base, b.truncated(by) if base.bits == 32 else by)
