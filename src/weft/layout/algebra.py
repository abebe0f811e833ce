"""The algebra of layouts as maps from an index to a place in memory: composition, complement, division, inverses.

A layout here is plain: iters on one axis, no replica, no offset.  Each operation is defined by what it does to numbers
(the laws in the docstrings), and refuses what no layout can be.  As everywhere, the last iter is the fastest: where two
layouts are put side by side, `beside(slow, fast)`, the fast one's index counts first.

The operations are those of CuTe's layout algebra (CUTLASS documentation, "CuTe Layout Algebra").
"""

from __future__ import annotations

from itertools import accumulate
from math import prod
from operator import mul
from typing import NamedTuple

from weft.errors import LayoutError
from weft.layout.axis import m
from weft.layout.iters import Iter
from weft.layout.tile import TileLayout

Mode = tuple[int, int]
"""Extent and stride."""


def _modes(layout: TileLayout) -> list[Mode]:
    """The iters of a plain layout, fused, the fastest first; raises LayoutError for others."""
    if layout.replica or any(value for _, value in layout.offset):
        raise LayoutError(f"{layout} is not a plain layout", hint="use a layout without replica and offset")
    if len({each.axis for each in layout.shard}) > 1:
        raise LayoutError(f"{layout} is on several axes", hint="use `bits`, which supports several axes")
    if any(each.stride < 0 for each in layout.shard):
        raise LayoutError(f"{layout} has a negative stride")
    fused = layout.canonicalize().shard
    return [(each.extent, each.stride) for each in reversed(fused) if each.extent > 1]


def _layout(modes: list[Mode]) -> TileLayout:
    """The layout of modes, the fastest first."""
    found = [Iter(extent, stride, m) for extent, stride in reversed(modes)] or [Iter(1, 1, m)]
    return TileLayout(found).canonicalize()


def beside(slow: TileLayout, fast: TileLayout) -> TileLayout:
    """Two layouts side by side: `beside(s, f)(i + size(f) * j)` is f(i) + s(j)."""
    return _layout([*_modes(fast), *_modes(slow)])


def cosize(layout: TileLayout) -> int:
    """The least number that is above every place."""
    return 1 + sum((extent - 1) * stride for extent, stride in _modes(layout))


LISTED = 4096
"""Elements of a composition that are listed where its digits alone do not tell it."""


class _Part(NamedTuple):
    """A part of one mode of A that a digit of B runs through: `extent` steps of `step` of the mode's own index."""

    mode: int
    extent: int
    step: int
    stride: int


def compose(a: TileLayout, b: TileLayout) -> TileLayout:
    """The layout of a(b(i)): of the size of b.

    Raises:
        LayoutError: b reaches beyond a; a digit of b falls across the digits of a, or digits of b carry into each other
            there, so that no layout is the composition.
    """
    outer = _modes(a) or [(1, 1)]
    if cosize(b) > _size(a):
        raise LayoutError(f"{b} reaches {cosize(b)} indices, but {a} has {_size(a)}")
    try:
        return _by_digits(outer, a, b)
    except LayoutError:
        # The digits refuse some compositions that are layouts all the same; a small one is decided by its places.
        found = _recognised([_place(outer, at) for at in _places(_modes(b))]) if _size(b) <= LISTED else None
        if found is None:
            raise
        return _layout(found)


def _by_digits(outer: list[Mode], a: TileLayout, b: TileLayout) -> TileLayout:
    parts = [_parts(outer, extent, stride) for extent, stride in _modes(b)]
    for number, (extent, _) in enumerate(outer[:-1]):
        # Digits of b that fall into one mode of a add up there: if their sum leaves it, there is a carry into the next
        # mode, which no stride can express.
        reached = sum((p.extent - 1) * p.step for run in parts for p in run if p.mode == number)
        if reached >= extent:
            raise LayoutError(f"{a} and {b} have no composition: the digits of {b} carry into each other in {a}")
    return _layout([(p.extent, p.stride) for run in parts for p in run])


def _parts(outer: list[Mode], extent: int, stride: int) -> list[_Part]:
    """What one digit of b runs through in a."""
    if not stride:
        return [_Part(len(outer), extent, 0, 0)]
    found: list[_Part] = []
    skip, left, last = stride, extent, len(outer) - 1
    for number, (length, step) in enumerate(outer):
        # CuTe's rule: the last mode of a is taken as unbounded. (`compose` has checked that b stays within a.)
        if number == last:
            found.append(_Part(number, left, skip, step * skip))
            break
        # b skips whole rounds of this mode: its digit is always 0.
        if skip % length == 0:
            skip //= length
            continue
        if length % skip:
            raise _falls_across(stride, length)
        room = length // skip
        taken = min(room, left)
        if left > room and left % room:
            raise _falls_across(extent, room)
        found.append(_Part(number, taken, skip, step * skip))
        left //= taken
        skip = 1
        if left == 1:
            break
    return found


def _place(modes: list[Mode], index: int) -> int:
    total = 0
    for extent, stride in modes:
        total += index % extent * stride
        index //= extent
    return total


def _places(modes: list[Mode]) -> list[int]:
    return [_place(modes, index) for index in range(prod(extent for extent, _ in modes))]


def _recognised(values: list[int]) -> list[Mode] | None:
    """The modes, the fastest first, whose places a sequence from 0 on is; None where it is of no layout."""
    count = len(values)
    if count == 1:
        return []
    stride = values[1]
    for extent in range(count, 1, -1):
        if count % extent or stride < 0:
            continue
        if all(value - values[at - at % extent] == at % extent * stride for at, value in enumerate(values)):
            rest = _recognised(values[::extent])
            if rest is not None:
                return [(extent, stride), *rest]
    return None


def _falls_across(a: int, b: int) -> LayoutError:
    return LayoutError(f"{a} and {b} have no composition: they do not divide each other")


def complement(layout: TileLayout, size: int) -> TileLayout:
    """The ordered layout that, beside `layout`, reaches every place below `size` (and no place twice).

    Raises:
        LayoutError: the layout reaches a place twice, or leaves gaps that do not divide.
    """
    found: list[Mode] = []
    reached = 1
    for extent, stride in sorted(_modes(layout), key=lambda mode: mode[1]):
        if not stride or stride % reached or stride < reached:
            raise LayoutError(f"{layout} has no complement: its places from {reached} on overlap or do not divide")
        # The gap below this mode becomes a mode of the complement; one that is no whole number of what has been reached
        # cannot be filled.
        found.append((stride // reached, reached))
        reached = extent * stride
    found.append((-(-size // reached), reached))
    return _layout([mode for mode in found if mode[0] > 1])


def divide(a: TileLayout, tiler: TileLayout) -> TileLayout:
    """a, split by a tiler: the first size(tiler) indices are the tile, what follows counts the tiles.

    Raises:
        LayoutError: the tiler's complement does not divide a.
    """
    rest = complement(tiler, _size(a))
    return beside(compose(a, rest), compose(a, tiler))


def multiply(a: TileLayout, b: TileLayout) -> TileLayout:
    """a, repeated as b says: the first size(a) indices are a, what follows is where b puts its copies.

    Raises:
        LayoutError: a reaches a place twice.
    """
    rest = complement(a, _size(a) * cosize(b))
    return beside(compose(rest, b), a)


def _size(layout: TileLayout) -> int:
    return prod(extent for extent, _ in _modes(layout))


def right_inverse(a: TileLayout) -> TileLayout:
    """The longest layout r with a(r(k)) = k."""
    modes = _modes(a)
    indices = list(accumulate((extent for extent, _ in modes), mul, initial=1))
    found: list[Mode] = []
    place = 1
    for (extent, stride), index in sorted(zip(modes, indices, strict=False), key=lambda pair: pair[0][1]):
        # Only modes that continue the run of places from 0 are taken: the first gap ends what can be inverted.
        if stride == place:
            found.append((extent, index))
            place *= extent
    return _layout(found)


def left_inverse(a: TileLayout) -> TileLayout:
    """A layout l with l(a(i)) = i.

    Raises:
        LayoutError: a reaches a place twice, or leaves gaps that do not divide.
    """
    return right_inverse(beside(complement(a, cosize(a)), a))


def common_vector(a: TileLayout, b: TileLayout) -> int:
    """How many elements follow each other in both, from the first on: the longest vector of a copy between them."""
    try:
        modes = _modes(compose(a, right_inverse(b)))
    except LayoutError:
        return 1
    return modes[0][0] if modes and modes[0][1] == 1 else 1
