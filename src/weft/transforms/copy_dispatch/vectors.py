"""Vector accesses: their spelling, and how wide they may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import gcd

from weft.isa import Opcode, opcode
from weft.layout import Iter, m
from weft.transforms.copy_dispatch.checks import sliced
from weft.transforms.copy_dispatch.request import GLOBAL, Copy, Decline, Operand
from weft.transforms.copy_dispatch.sub_bytes import SOURCE_FORMATS

WIDTHS = (128, 64, 32, 16, 8)
"""Bits of a vector access, widest first."""


def access(load: bool, space: str, count: int, cache: str | None = None) -> Opcode:
    """The opcode that loads or stores `count` bytes; raises Decline for a cache qualifier that there is not."""
    vector = f"v{count // 4}" if count >= 8 else ""
    found = opcode("ld" if load else "st", ss=space, vec=vector, type=f"u{8 * min(count, 4)}")
    if load and cache:
        found = found.qualified(cache)
        if not found.valid:
            raise Decline(f"loads of {8 * count} bits from {space} memory have no cache qualifier '{cache}'")
    return found


def words(start: int, count: int) -> tuple[int, ...]:
    """Byte offsets of the registers that hold `count` bytes from `start` on."""
    return tuple(range(start, start + count, 4)) if count >= 8 else (start,)


def lengths(operand: Operand, widths: Iterable[int] = WIDTHS) -> Iterator[int]:
    """Elements of a vector of each width that holds whole elements, widest first."""
    if operand.element[:3] in SOURCE_FORMATS:
        widths = WIDTHS[:1]
    yield from (width // operand.bits for width in widths if width >= operand.bits)


def fits(operand: Operand, length: int, values: Iterable[int]) -> bool:
    """Whether vectors of `length` elements are aligned, displaced by the operand's offset and these values.

    Values on an axis that stands for a stride must come multiplied by what divides the stride.
    """
    if length * operand.bits > 8 * operand.alignment:
        return False
    return operand.divisor % length == 0 and all(value % length == 0 for value in values)


def worth(operand: Operand, each: Iter) -> int:
    """What a step of an iter is surely a multiple of, in elements."""
    return axis_worth(operand, each.axis.name, each.stride)


def axis_worth(operand: Operand, axis: str, value: int) -> int:
    """What a number on an axis is surely a multiple of, in elements."""
    return value if axis == "m" else value * dict(operand.strides).get(axis, 1)


def bound_limit(copy: Copy) -> int:
    """The longest vector that lies inside the bounds or outside as a whole; 0 where there are none.

    A vector runs along the dimension in which neighbours of the global operand are neighbours in memory, and does not
    leave it.
    """
    if not copy.bounds:
        return 0
    outside = copy.dst if copy.dst.space == GLOBAL else copy.src
    extents = tuple(end - begin for begin, end in outside.region)
    grouped = sliced(outside, "G").try_group(extents)
    if grouped is None:
        return gcd(*copy.bounds)
    for extent, bound, run in zip(extents, copy.bounds, grouped.groups, strict=True):
        if any(each.extent > 1 and each.stride == 1 and each.axis is m for each in run):
            return gcd(bound, extent)
    return gcd(*copy.bounds)
