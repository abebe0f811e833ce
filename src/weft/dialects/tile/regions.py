"""Regions of layouts at offsets that are known only when the kernel runs, and axes whose stride is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from xdsl.utils.exceptions import VerifyException

from weft.errors import LayoutError
from weft.layout import ComposeLayout, Layout, SwizzleLayout, TileLayout
from weft.layout.iters import fuse, without_units


class DynamicTerm(NamedTuple):
    """What an offset x moves a region by: `x // divide * stride` elements on `axis`; the division leaves no rest."""

    divide: int
    stride: int
    axis: str


def over(layout: Layout, shape: Sequence[int]) -> TileLayout | ComposeLayout:
    """A layout for a buffer of this shape: a bare swizzle is over row-major memory of any shape."""
    return layout.over(shape) if isinstance(layout, SwizzleLayout) else layout


def tile_of(layout: TileLayout | ComposeLayout) -> TileLayout:
    """The tile of a layout, without its swizzle."""
    return layout.tile_layout if isinstance(layout, ComposeLayout) else layout


def runtime_axes(layout: Layout) -> set[str]:
    """The axes that are neither memory nor threads: their stride is a value that a `tile.view` binds."""
    if isinstance(layout, SwizzleLayout):
        return set()
    return {axis.name for axis in tile_of(layout).axes if not axis.memory and not axis.thread}


def region_layout(
    layout: Layout, shape: Sequence[int], regions: Sequence[tuple[int | None, int, int]]
) -> tuple[TileLayout | ComposeLayout, list[DynamicTerm]]:
    """The layout of a region, and what each dynamic offset moves it by.

    `regions` has offset (None for a dynamic one), size and, for a dynamic one, what divides the offset, for
    each dimension.  The layout is that of the region whose dynamic offsets are 0.  Raises VerifyException for regions
    outside the shape, those that no layout describes, and dynamic offsets that do not move the region by a fixed step.
    """
    placed = over(layout, shape)
    if len(regions) != len(shape):
        raise VerifyException(f"expected an offset and a size for each of {len(shape)} dimensions")
    box = [((offset or 0), (offset or 0) + size) for offset, size, _ in regions]
    try:
        sliced = placed.slice(shape, box)
        groups = tile_of(placed).canonicalize().group(shape).groups
    except LayoutError as error:
        raise VerifyException(error.message) from None
    if sliced is None:
        raise VerifyException(f"no layout describes the region {box} of {layout}")
    terms: list[DynamicTerm] = []
    for dimension, ((offset, _, divisor), group) in enumerate(zip(regions, groups, strict=True)):
        if offset is not None:
            continue
        run = fuse(without_units(group))
        held = list(accumulate((each.extent for each in run[:0:-1]), int.__mul__, initial=1))[-1]
        if divisor < 1 or divisor % held:
            raise VerifyException(
                f"the offset of dimension {dimension} is not known to be a multiple of {held}, so that it moves the "
                f"region by so much a step"
            )
        if run[0].axis.thread:
            raise VerifyException(f"the offset of dimension {dimension} would move the region to other threads")
        terms.append(DynamicTerm(held, run[0].stride, run[0].axis.name))
    return sliced, terms
