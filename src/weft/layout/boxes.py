"""Boxes of tensor copies (TMA): which boxes of a tensor a tile in shared memory is made of.

A tensor copy writes the elements of a box densely, the last dimension the fastest, through a swizzle of 32, 64 or 128
bytes that permutes chunks of 16 bytes; then a row of the box is one row of the pattern.  A tile that is wider takes
several boxes, which differ in where they begin in the tensor and in shared memory, and share one tensor map.

Source: CUDA driver API, "Tensor Map Object Management"; PTX manual, "Swizzling modes".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple

from weft.errors import LayoutError
from weft.layout.axis import m
from weft.layout.iters import Iter
from weft.layout.swizzle import ComposeLayout, Layout, SwizzleLayout
from weft.layout.tile import TileLayout

LONGEST = 256
"""Elements that a dimension of a box has at most."""
MOST_BOXES = 64
CHUNK = 16
"""Bytes that a row of a box is a multiple of."""


class Boxes(NamedTuple):
    """The boxes of a tile: the extents of each, and for each where it begins in the tile and in the tile's storage (in
    elements); `swizzle` is the pattern's row in bytes, 0 without one.
    """

    swizzle: int
    extents: tuple[int, ...]
    starts: tuple[tuple[tuple[int, ...], int], ...]


def parts(layout: Layout, shape: Sequence[int]) -> tuple[TileLayout, SwizzleLayout | None]:
    """A layout over a shape as a plain tile and a swizzle that does something."""
    if isinstance(layout, SwizzleLayout):
        layout = layout.over(shape)
    if isinstance(layout, ComposeLayout):
        return layout.tile_layout, layout.swizzle if layout.swizzle.swizzle_len else None
    return layout, None


def swizzle_bytes(swizzle: SwizzleLayout | None, bits: int) -> int:
    """The bytes of a row of the pattern that the hardware has for a swizzle, 0 for none.

    Raises:
        LayoutError: the hardware has no such swizzle.
    """
    if swizzle is None:
        return 0
    chunk = (CHUNK * 8 // bits).bit_length() - 1
    if swizzle.per_element != chunk or swizzle.atom_len != 3 or not swizzle.inner:
        raise LayoutError(
            f"{swizzle} is not a hardware swizzle for elements of {bits} bits",
            hint=f"use swz({chunk},1,3), swz({chunk},2,3) or swz({chunk},3,3) for 32, 64 or 128 bytes",
        )
    return CHUNK << swizzle.swizzle_len


@cache
def boxes(layout: Layout, shape: tuple[int, ...], bits: int) -> Boxes:
    """The boxes that a tile of `shape` in shared memory, of elements of `bits`, is made of.

    Raises:
        LayoutError: its rows are no boxes: elements that do not follow each other, a swizzle that the hardware does
            not have, rows that are no multiple of 16 bytes.
    """
    tile, swizzle = parts(layout, shape)
    span = swizzle_bytes(swizzle, bits)
    if tile.replica or any(axis is not m for axis in tile.axes):
        raise LayoutError("a tensor copy must write each element to one place in shared memory")
    groups = tile.canonicalize().group(shape).groups
    extents: list[int] = []
    outer: list[list[Iter]] = []
    dense = 1
    for run in reversed(groups):
        *rest, last = run
        inner, more = _inner(last, dense) if last.stride == dense else (1, [last] if last.extent > 1 else [])
        extents.append(inner)
        dense *= inner
        outer.append([*(each for each in rest if each.extent > 1), *more])
    extents.reverse()
    outer.reverse()
    row = extents[-1] * bits // 8
    if row % CHUNK or (span and row != span):
        wanted = f"of {span} bytes, as its swizzle" if span else f"a multiple of {CHUNK} bytes"
        raise LayoutError(f"a row of a box must be {wanted}, but {row} bytes of the tile are contiguous")
    count = prod(each.extent for run in outer for each in run)
    if count > MOST_BOXES:
        raise LayoutError(f"the tile would need {count} boxes", hint="use a layout with longer contiguous runs")
    return Boxes(span, tuple(extents), tuple(_starts(outer, extents)))


def _inner(last: Iter, dense: int) -> tuple[int, list[Iter]]:
    """How much of a dimension's fastest iter a box takes, and the iter over the boxes."""
    part = next(e for e in range(min(last.extent, LONGEST), 0, -1) if last.extent % e == 0)
    return part, [Iter(last.extent // part, dense * part)] if part < last.extent else []


def _starts(outer: list[list[Iter]], extents: list[int]) -> list[tuple[tuple[int, ...], int]]:
    """Where each box begins: coordinates in the tile, and elements of its storage."""
    found: list[tuple[tuple[int, ...], int]] = []
    digits = [each for run in outer for each in run]
    for numbers in product(*(range(each.extent) for each in digits)):
        at = iter(zip(numbers, digits, strict=True))
        coordinates: list[int] = []
        place = 0
        for run, extent in zip(outer, extents, strict=True):
            index = 0
            for _ in run:
                number, each = next(at)
                index = index * each.extent + number
                place += number * each.stride
            coordinates.append(index * extent)
        found.append((tuple(coordinates), place))
    return found
