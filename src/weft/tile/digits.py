"""A dimension of a tile in registers as digits: where in a thread's own registers, and over which threads, it runs.

Functions along a dimension whose order matters (`scan`, `sort`) are made of steps along its digits.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from weft.errors import LayoutError
from weft.layout import ComposeLayout
from weft.layout.axis import laneid, m, tid_in_wg, tx, warpid, wgid, wid_in_wg
from weft.tile.buffers import Buffer
from weft.tile.trace import error

WARP = 32
_THREADS = {laneid: 1, tid_in_wg: 1, tx: 1, warpid: 32, wid_in_wg: 32, wgid: 128}
"""How many threads of the block a step on a thread axis is."""

Key = tuple[int, ...]
"""Which of a thread's elements: a digit for each iter of its registers."""


class Digit(NamedTuple):
    """A digit of a coordinate: of `extent` values, each `weight` of the coordinate.

    It is number `at` of the registers' keys, or (where `threads` is not 0) the bit of the thread's number that is worth
    so many threads.
    """

    extent: int
    weight: int
    at: int = 0
    threads: int = 0


class Line:
    """A dimension of a tile: its digits, the fastest first, and the places of the thread's elements by their keys.

    Raises:
        CompileError: the layout does not tell the dimension from others, or it runs over threads in steps other than
            bits of their number.
    """

    def __init__(self, tile: Buffer, axis: int) -> None:
        layout = tile.type.placed
        assert not isinstance(layout, ComposeLayout)
        try:
            groups = layout.canonicalize().group(tile.shape).groups
        except LayoutError as failure:
            raise error(f"dimension {axis} of {layout} cannot be isolated: {failure.message}") from None
        strides: list[tuple[int, int]] = []
        self.digits: list[Digit] = []
        for number, group in enumerate(groups):
            weight = 1
            for each in reversed(group):
                if each.axis is m:
                    strides.append((each.extent, each.stride))
                if number == axis and each.extent > 1:
                    self.digits += _digits(
                        each.extent, each.stride, _THREADS.get(each.axis, 0), weight, len(strides) - 1
                    )
                    if each.axis is not m and not self.digits[-1].threads:
                        raise error(
                            f"dimension {axis} of {layout} runs over '{each.axis}' in steps that are not powers of two"
                        )
                weight *= each.extent
        first = layout.offset_on(m)
        self.places: dict[Key, int] = {
            key: first + sum(x * stride for x, (_, stride) in zip(key, strides, strict=True))
            for key in product(*(range(extent) for extent, _ in strides))
        }

    def within_a_warp(self, what: str) -> None:
        """Refuse a dimension that reaches beyond a warp."""
        if any(each.threads >= WARP for each in self.digits):
            raise error(
                f"{what} cannot run along a dimension that is spread over warps",
                "use a layout that keeps it in one warp: row_layout((rows, columns), ...)",
            )


def _digits(extent: int, stride: int, threads: int, weight: int, at: int) -> list[Digit]:
    """An iter as digits: one in registers, or a bit each over threads."""
    if not threads:
        return [Digit(extent, weight, at)]
    if extent & (extent - 1) or stride < 1 or stride & (stride - 1):
        return [Digit(extent, weight, at)]
    return [Digit(2, weight << bit, 0, stride * threads << bit) for bit in range(extent.bit_length() - 1)]


def replaced(key: Key, digit: Digit, value: int) -> Key:
    """The key of the element in whose place a digit of the registers has another value."""
    return (*key[: digit.at], value, *key[digit.at + 1 :])
