"""Functions along a dimension in which the order of elements matters: running sums, and the places of extremes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
_KNOWN: dict[str, Combine] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "max": maximum,
    "min": minimum,
}


def scan(tile: Any, axis: int = -1, function: str | Combine = "add") -> Buffer:
    """Running sums along a dimension: each element combined with all before it.

    `function` is ``add``, ``mul``, ``max``, ``min``, or a function of two numbers that is associative.  In floating
    point the order is that of a tree.  All lanes of a warp come; where the dimension is spread over warps, they meet in
    shared memory, and all threads of the block come, as to `cta.sync`.

    Raises:
        CompileError: not a tile in registers; a layout whose threads are no bits of the dimension.
    """
    tile = tile_of(tile)
    if not isinstance(tile, Buffer):
        raise error(f"{tile!r} is not a tile in registers")
    if isinstance(function, str) and function not in _KNOWN:
        raise error(f"there is no scan of '{function}'", f"{', '.join(_KNOWN)}, or a function of two numbers")
    if tile.dtype is mask:
        tile = cast(tile, i32)
    combine = _KNOWN[function] if isinstance(function, str) else function
    line = Line(tile, dimension_of(tile, axis))
    values = {key: tile.storage[place] for key, place in line.places.items()}
    done: list[Digit] = []
    for digit in line.digits:
        if not digit.threads:
            _in_registers(values, digit, done, combine)
        elif digit.threads < WARP:
            _over_lanes(values, digit, done, combine)
        else:
            _over_warps(values, digit, done, combine)
        done.append(digit)
    result = register(tile.shape, tile.dtype, tile.layout)
    for key, place in line.places.items():
        result.storage[place] = values[key]
    return result


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

    def __init__(self, values: dict[Key, Any], done: list[Digit], clear: int = 0) -> None:
        self._values, self._done, self._clear = values, done, clear
        self._known: dict[Key, Any] = {}

    def __getitem__(self, key: Key) -> Any:
        key = _last(key, self._done)
        if key not in self._known:
            ones = _ones(self._done)
            value = self._values[key]
            if ones or self._clear:
                value = shuffle(value, (thread_id() % WARP & ~(ones | self._clear)) | ones)
            self._known[key] = value
        return self._known[key]


def _in_registers(values: dict[Key, Any], digit: Digit, done: list[Digit], combine: Combine) -> None:
    if _ones(done) >= WARP:
        raise error("the dimension runs over warps faster than over registers", "a layout in which threads run slower")
    for value in range(1, digit.extent):
        totals = _Totals(values, done)
        for key in [key for key in values if key[digit.at] == value]:
            values[key] = combine(totals[replaced(key, digit, value - 1)], values[key])


def _over_lanes(values: dict[Key, Any], digit: Digit, done: list[Digit], combine: Combine) -> None:
    totals = _Totals(values, done, digit.threads)
    upper = (thread_id() & digit.threads) != 0
    found = {key: where(upper, combine(totals[key], value), value) for key, value in values.items()}
    values.update(found)


def _over_warps(values: dict[Key, Any], digit: Digit, done: list[Digit], combine: Combine) -> None:
    """Through shared memory: who has a block's last element writes it, who is behind reads it."""
    lasts = sorted({_last(key, done) for key in values})
    kind = values[lasts[0]].dtype
    ones = _ones(done)
    group = (ones + 1) & ~ones  # Threads side by side, the last of which has what is written.
    room = shared((len(lasts), THREADS // group), kind)
    with only_if(thread_id() % group == group - 1):
        for number, key in enumerate(lasts):
            room[number, thread_id() // group] = values[key]
    cta.sync()
    before = ((thread_id() & ~(ones | digit.threads)) | ones) // group
    totals = {key: room[number, before] for number, key in enumerate(lasts)}
    upper = (thread_id() & digit.threads) != 0
    for key, value in list(values.items()):
        values[key] = where(upper, combine(totals[_last(key, done)], value), value)
    cta.sync()


def argmax(tile: Any, axis: int = -1, *, keepdims: bool = False) -> Any:
    """Where the largest element along a dimension is (i32), the first of several; numbers before NaNs.

    `keepdims` and warps as for `sum`.
    """
    return _place(max, tile, axis, keepdims=keepdims)


def argmin(tile: Any, axis: int = -1, *, keepdims: bool = False) -> Any:
    """Where the smallest element along a dimension is (i32), the first of several; numbers before NaNs."""
    return _place(min, tile, axis, keepdims=keepdims)


def _place(extreme: Callable[..., Any], tile: Any, axis: int, *, keepdims: bool) -> Any:
    tile = tile_of(tile)
    if not isinstance(tile, Buffer):
        raise error(f"{tile!r} is not a tile in registers")
    if tile.dtype is mask:
        tile = cast(tile, i32)
    axis = dimension_of(tile, axis)
    nowhere = tile.shape[axis]
    places = where(tile == extreme(tile, axis, keepdims=True), coordinates(tile, axis), nowhere)
    found = min(places, axis, keepdims=keepdims)
    return where(found == nowhere, 0, found)
