"""Functions along a dimension in which the order of elements matters: running sums, and the places of extremes."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any
from typing import cast as typed

from weft.tile.buffers import Buffer, cast, register, shared, tile_of
from weft.tile.digits import WARP, Digit, Key, Line, replaced
from weft.tile.dtypes import i32, mask
from weft.tile.functions import coordinates, dimension_of, max, maximum, min, minimum, where
from weft.tile.ids import thread_id
from weft.tile.machine import only_if
from weft.tile.scopes import cta
from weft.tile.trace import error
from weft.tile.warps import shuffle

THREADS = 1024
"""Threads that a block has at most."""
Combine = Callable[[Any, Any], Any]
Values = dict[Key, tuple[Any, ...]]
"""For each place in registers the element of each tile."""
_KNOWN: dict[str, Combine] = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "max": maximum, "min": minimum}


def scan(tile: Any, axis: int = -1, function: str | Combine = "add") -> Any:
    """Combine each element with all before it along a dimension, as in running sums.

    Args:
        tile: a tile in registers, or a tuple of tiles with the same shape and layout, whose elements are combined as
            tuples.
        axis: the dimension.
        function: ``add``, ``mul``, ``max``, ``min``, or an associative function of two numbers (or tuples).  For
            floats, the order is that of a tree.

    All lanes of a warp must reach it.  If the dimension is distributed over warps, they exchange through shared
    memory, and all threads of the block must reach it.

    Raises:
        CompileError: the tiles are not in registers or differ, or the layout distributes the dimension over threads
            other than by bits.
    """
    several = isinstance(tile, tuple)
    tiles = _tiles(tile)
    first = tiles[0]
    if any((each.shape, each.layout) != (first.shape, first.layout) for each in tiles):
        raise error("tiles scanned together must have the same shape and layout")
    if isinstance(function, str) and (several or function not in _KNOWN):
        of = "pass a function of two tuples" if several else f"use {', '.join(_KNOWN)}, or a function of two numbers"
        raise error(f"unknown scan '{function}'", of)
    single = _KNOWN[function] if isinstance(function, str) else function
    combine: Combine = single if several else lambda a, b: (single(a[0], b[0]),)
    line = Line(first, dimension_of(first, axis))
    values = {key: tuple(each.storage[place] for each in tiles) for key, place in line.places.items()}
    done: list[Digit] = []
    for digit in line.digits:
        if not digit.threads:
            _in_registers(values, digit, done, combine)
        elif digit.threads < WARP:
            _over_lanes(values, digit, done, combine)
        else:
            _over_warps(values, digit, done, combine)
        done.append(digit)
    results = [register(each.shape, each.dtype, each.layout) for each in tiles]
    for key, place in line.places.items():
        for result, value in zip(results, values[key], strict=True):
            result.storage[place] = value
    return tuple(results) if several else results[0]


def _tiles(given: Any) -> list[Buffer]:
    """A tile, or those of a tuple, which has one at least."""
    if isinstance(given, tuple) and given:
        return [_in_numbers(each) for each in typed("tuple[Any, ...]", given)]
    return [_in_numbers(given)]


def _in_numbers(tile: Any) -> Buffer:
    tile = tile_of(tile)
    if not isinstance(tile, Buffer):
        raise error(f"{tile!r} is not a tile in registers")
    return cast(tile, i32) if tile.dtype is mask else tile


def cumsum(tile: Any, axis: int = -1) -> Buffer:
    """Running sums along a dimension: see `scan`."""
    return scan(tile, axis)


def _last(key: Key, done: list[Digit]) -> Key:
    """The element with the largest value of each digit that is in registers."""
    for digit in done:
        if not digit.threads:
            key = replaced(key, digit, digit.extent - 1)
    return key


def _ones(done: list[Digit]) -> int:
    """The bits of the thread's number that are digits."""
    return sum(digit.threads for digit in done)


class _Totals:
    """What all elements of the block before are worth together: at their last element, in this thread or another."""

    def __init__(self, values: Values, done: list[Digit], clear: int = 0) -> None:
        self._values, self._done, self._clear = values, done, clear
        self._known: dict[Key, Any] = {}

    def __getitem__(self, key: Key) -> Any:
        key = _last(key, self._done)
        if key not in self._known:
            ones = _ones(self._done)
            value = self._values[key]
            if ones or self._clear:
                # The lane with all bits of finished digits set holds the last element of its block; clearing the digit
                # that is combined names the block before.
                source = (thread_id() % WARP & ~(ones | self._clear)) | ones
                value = tuple(shuffle(each, source) for each in value)
            self._known[key] = value
        return self._known[key]


def _in_registers(values: Values, digit: Digit, done: list[Digit], combine: Combine) -> None:
    if _ones(done) >= WARP:
        raise error(
            "the dimension varies faster over warps than over registers", "use a layout in which threads vary slower"
        )
    for value in range(1, digit.extent):
        totals = _Totals(values, done)
        for key in [key for key in values if key[digit.at] == value]:
            values[key] = combine(totals[replaced(key, digit, value - 1)], values[key])


def _where(condition: Any, found: tuple[Any, ...], value: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(where(condition, a, b) for a, b in zip(found, value, strict=True))


def _over_lanes(values: Values, digit: Digit, done: list[Digit], combine: Combine) -> None:
    totals = _Totals(values, done, digit.threads)
    upper = (thread_id() & digit.threads) != 0
    found = {key: _where(upper, combine(totals[key], value), value) for key, value in values.items()}
    values.update(found)


def _over_warps(values: Values, digit: Digit, done: list[Digit], combine: Combine) -> None:
    """Through shared memory: who has a block's last element writes it, who is behind reads it."""
    lasts = sorted({_last(key, done) for key in values})
    kinds = [each.dtype for each in values[lasts[0]]]
    ones = _ones(done)
    group = (ones + 1) & ~ones  # Threads side by side, the last of which has what is written.
    rooms = [shared((len(lasts), THREADS // group), kind) for kind in kinds]
    with only_if(thread_id() % group == group - 1):
        for number, key in enumerate(lasts):
            for room, value in zip(rooms, values[key], strict=True):
                room[number, thread_id() // group] = value
    cta.sync()
    before = ((thread_id() & ~(ones | digit.threads)) | ones) // group
    totals = {key: tuple(room[number, before] for room in rooms) for number, key in enumerate(lasts)}
    upper = (thread_id() & digit.threads) != 0
    for key, value in list(values.items()):
        values[key] = _where(upper, combine(totals[_last(key, done)], value), value)
    cta.sync()


def argmax(tile: Any, axis: int | None = -1, *, keepdims: bool = False) -> Any:
    """The position (i32) of the largest element along a dimension, the first one if there are several.

    NaNs are ignored unless there is nothing else.  With `axis=None` the position in the whole tile, counted row by row
    as in NumPy.  `keepdims` and warps as for `sum`.
    """
    return _place(max, tile, axis, keepdims=keepdims)


def argmin(tile: Any, axis: int | None = -1, *, keepdims: bool = False) -> Any:
    """The position (i32) of the smallest element along a dimension; see `argmax`."""
    return _place(min, tile, axis, keepdims=keepdims)


def _place(extreme: Callable[..., Any], tile: Any, axis: int | None, *, keepdims: bool) -> Any:
    tile = tile_of(tile)
    if not isinstance(tile, Buffer):
        raise error(f"{tile!r} is not a tile in registers")
    if tile.dtype is mask:
        tile = cast(tile, i32)
    if axis is None:
        nowhere, index = prod(tile.shape), 0
        for dimension, extent in enumerate(tile.shape):
            index = index * extent + coordinates(tile, dimension)
    else:
        axis = dimension_of(tile, axis)
        nowhere, index = tile.shape[axis], coordinates(tile, axis)
    # The first of several equal elements is the least of their places; rows of NaNs equal nothing, and keep `nowhere`.
    places = where(tile == extreme(tile, axis, keepdims=True), index, nowhere)
    found = min(places, axis, keepdims=keepdims)
    return where(found == nowhere, 0, found)
