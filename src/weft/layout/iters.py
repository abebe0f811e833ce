"""Runs of iters: splitting numbers into digits, grouping by a shape, fusing neighbours, slicing one group.

A run of iters maps the digits of a number (the last iter is the fastest) to `sum(digit * stride)` on each iter's axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from weft.errors import LayoutError
from weft.layout.axis import Axis, m

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    """An array of integers, element by element what an integer is."""

    Number = TypeVar("Number", int, Integers)


class Iter(NamedTuple):
    """`extent` steps of `stride` on `axis`; the extent is at least 1, the stride may be 0 or negative."""

    extent: int
    stride: int
    axis: Axis = m

    def __repr__(self) -> str:
        return f"({self.extent}, {self.stride}{'' if self.axis is m else f'@{self.axis.name}'})"


Run = tuple[Iter, ...]
Seps = tuple[int, ...]
"""Where groups begin and end: group d of a run is `run[seps[d]:seps[d + 1]]`."""


def split(number: Number, extents: Sequence[int]) -> tuple[Number, ...]:
    """The digits of a number, one per extent, the last the fastest; the first takes the whole remaining quotient."""
    digits: list[Number] = []
    # The first digit is not reduced modulo its extent: coordinates beyond a tile keep counting.
    for extent in reversed(extents[1:]):
        digits.append(number % extent)
        number = number // extent
    if extents:
        digits.append(number)
    return tuple(reversed(digits))


def flatten(digits: Sequence[Number], extents: Sequence[int]) -> Number:
    """The number whose digits these are, row-major; raises LayoutError without digits."""
    if not digits or len(digits) != len(extents):
        raise LayoutError(f"{len(digits)} digits for extents {tuple(extents)}")
    number = digits[0]
    for digit, extent in zip(digits[1:], extents[1:], strict=True):
        number = number * extent + digit
    return number


def size(run: Run) -> int:
    """The product of the extents."""
    return prod(extent for extent, _, _ in run)


def group(run: Run, shape: Sequence[int]) -> tuple[Run, Seps] | None:
    """Split iters so that one contiguous run of them stands for each entry of `shape`; None where that cannot be."""
    if not run:
        run = (Iter(1, 1),)
    out: list[Iter] = []
    seps = [0]
    step, product = 0, 1
    for extent, stride, axis in run:
        product *= extent
        # The group ends inside this iter: its slower part, of a stride `rest` times as long, is the end of the group,
        # and the faster part begins the next one.
        while step < len(shape) and product % shape[step] == 0:
            rest = product // shape[step]
            if extent % rest:
                return None
            out.append(Iter(extent // rest, stride * rest, axis))
            seps.append(len(out))
            step += 1
            extent = product = rest
        if extent != 1:
            if step >= len(shape):
                return None
            out.append(Iter(extent, stride, axis))
    return (tuple(out), tuple(seps)) if step == len(shape) else None


@cache
def common_refinement(shapes: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], tuple[Seps, ...]]:
    """The coarsest shape that refines all of `shapes`, and for each the groups of its entries.

    Raises LayoutError unless the shapes have one product and their boundaries divide one another.
    """
    if len({prod(shape) for shape in shapes}) > 1:
        raise LayoutError(f"shapes {_listed(shapes)} have different sizes")
    ends = [_products(shape) for shape in shapes]
    # An entry of 1 repeats a boundary: as many as the shape with the most has are kept, so that each shape finds its
    # own.
    counts = {end: max(each.count(end) for each in ends) for each in ends for end in each}
    merged = [end for end in sorted(counts) for _ in range(counts[end])]
    for low, high in pairwise([1, *merged]):
        if high % low:
            raise LayoutError(
                f"shapes {_listed(shapes)} have no common refinement", hint=f"{low} does not divide {high}"
            )
    refined = tuple(high // low for low, high in pairwise([1, *merged]))
    return refined, tuple(_boundaries(each, merged) for each in ends)


def _listed(shapes: Iterable[tuple[int, ...]]) -> str:
    return ", ".join(str(shape) for shape in shapes)


def _products(shape: Iterable[int]) -> list[int]:
    """The cumulative products, from the front."""
    products: list[int] = []
    product = 1
    for extent in shape:
        product *= extent
        products.append(product)
    return products


def _boundaries(ends: Sequence[int], merged: Sequence[int]) -> Seps:
    """Where the cumulative products `ends` are among `merged`; the last is the end of it."""
    seps = [0]
    for index, end in enumerate(ends):
        repeat = ends[:index].count(end)
        seps.append(merged.index(end) + repeat + 1)
    return (*seps[:-1], len(merged)) if ends else (0,)


def without_units(run: Run) -> Run:
    """The iters with more than one step; `(1, 1, axis of the first)` where there are none, nothing for nothing."""
    kept = tuple(each for each in run if each[0] != 1)
    return kept or tuple(Iter(1, 1, each.axis) for each in run[:1])


def fuse(run: Iterable[Iter]) -> Run:
    """Fuse neighbours on one axis that together are one iter."""
    out: list[Iter] = []
    for extent, stride, axis in run:
        # The slower iter steps by exactly the length of the faster one: both count on without a gap.
        if out and out[-1][2] is axis and extent * stride == out[-1][1]:
            extent *= out.pop()[0]
        out.append(Iter(extent, stride, axis))
    return tuple(out)


Offsets = tuple[tuple[Axis, int], ...]


def slice_group(run: Run, begin: int, extent: int) -> tuple[Run, list[tuple[Axis, int]]] | None:
    """`extent` steps from `begin` of a group: the iters and what they are displaced by; None where no iters say it."""
    iters = fuse(without_units(run))
    offsets: list[tuple[Axis, int]] = []
    rest = begin
    starts: list[int] = []
    for each in reversed(iters):
        digit = rest % each.extent
        rest //= each.extent
        starts.append(digit)
        # The digits of `begin` are a constant place; what is left to describe is how the places move from there on.
        offsets.append((each.axis, digit * each.stride))
    starts.reverse()
    if len(iters) == 1:
        return (Iter(extent, iters[0].stride, iters[0].axis),), offsets
    for at in range(len(iters) - 1, -1, -1):
        length, _, _ = iters[at]
        # The region takes whole rounds of this iter, so slower iters alone say how many.
        if starts[at] == 0 and extent % length == 0:
            extent //= length
            continue
        pivot = _slice_pivot(iters, starts, at, extent)
        return None if pivot is None else (pivot + iters[at + 1 :], offsets)
    return (iters, offsets) if extent == 1 else None


def _slice_pivot(iters: Run, starts: Sequence[int], at: int, extent: int) -> Run | None:
    """`extent` steps of iter `at` from its start: within it, or half in it and half in the next round of it."""
    length, stride, axis = iters[at]
    start = starts[at]
    if start + extent <= length:
        return (Iter(extent, stride, axis),)
    # The region runs over the end of the iter. Two halves of one length are still iters: the jump between them is a
    # step of the slower iter, less the way back.
    half = extent // 2
    if extent % 2 or start + half != length or at == 0:
        return None
    left = iters[at - 1]
    if left.axis is not axis or starts[at - 1] + 1 >= left.extent:
        return None
    return (Iter(2, left.stride - (length - half) * stride, axis), Iter(half, stride, axis))


def axes(run: Iterable[Iter]) -> Iterator[Axis]:
    """The axis of each iter."""
    return (axis for _, _, axis in run)
