"""Which register of a thread corresponds to which: pure arithmetic on the layouts of tiles in registers.

A tile in registers puts element e of its shape into place p of thread t's storage.  Everything here is decided by
listing all elements, so it is right for any layouts, and remembered for the layouts it was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from weft.errors import LayoutError
from weft.layout import Axis, Iter, TileLayout, m

if TYPE_CHECKING:
    from numpy.typing import NDArray

Shape = tuple[int, ...]
WARP = 32


class Holding(NamedTuple):
    """Every element with a place that holds it, replicas included: flat element, thread index on each axis, place."""

    elements: NDArray[np.int64]
    threads: dict[Axis, NDArray[np.int64]]
    places: NDArray[np.int64]


@cache
def holding(layout: TileLayout, shape: Shape) -> Holding:
    """All elements of a tile with the threads and places that hold them."""
    plain = layout.canonicalize(fuse_scopes=True)
    found = plain.apply_all((prod(shape),))
    elements = np.arange(prod(shape), dtype=np.int64)
    axes = [axis for axis in dict.fromkeys([*found, *(each.axis for each in plain.replica)]) if axis.thread]
    zero = np.zeros_like(elements)
    places = found.get(m, zero)
    parts: list[tuple[NDArray[np.int64], dict[Axis, NDArray[np.int64]], NDArray[np.int64]]] = []
    for copy in product(*(range(each.extent) for each in plain.replica)):
        threads = {axis: found.get(axis, zero) for axis in axes}
        shifted = places
        for number, each in zip(copy, plain.replica, strict=True):
            if each.axis.thread:
                threads[each.axis] = threads[each.axis] + number * each.stride
            else:
                shifted = shifted + number * each.stride
        parts.append((elements, threads, shifted))
    return Holding(
        np.concatenate([part[0] for part in parts]),
        {axis: np.concatenate([part[1][axis] for part in parts]) for axis in axes},
        np.concatenate([part[2] for part in parts]),
    )


def span(layout: TileLayout) -> int:
    """Places of a thread's storage."""
    return layout.storage().span()


def _broadcast(elements: NDArray[np.int64], shape: Shape, to: Shape) -> NDArray[np.int64]:
    """The elements of a tile of shape `to` (extents equal or 1) at the coordinates of elements of `shape`."""
    if shape == to:
        return elements
    result = np.zeros_like(elements)
    rest, step = elements, 1
    for extent, other in zip(reversed(shape), reversed(to), strict=True):
        if other != 1:
            result += rest % extent * step
            step *= other
        rest = rest // extent
    return result


@cache
def used(layout: TileLayout, shape: Shape, packed: int) -> dict[int, tuple[int, ...]]:
    """The words of a thread's storage that a tile uses, of `packed` elements, with the places that it uses of each."""
    found: dict[int, tuple[int, ...]] = {}
    for place in sorted(set(holding(layout, shape).places.tolist())):
        found[place // packed] = (*found.get(place // packed, ()), place)
    return found


@cache
def sources(dst: TileLayout, shape: Shape, src: TileLayout, src_shape: Shape) -> tuple[int | None, ...]:
    """For each place of the destination, the place of the source that holds the element in the same thread.

    None for places that no element uses.  Raises LayoutError where a thread does not hold an element that it needs,
    or holds it in a place that differs from thread to thread.
    """
    if dst == src and shape == src_shape:
        return tuple(range(span(dst)))
    wanted, held = holding(dst, shape), holding(src, src_shape)
    axes = [axis for axis in held.threads if axis in wanted.threads]
    strangers = [axis for axis in held.threads if axis not in wanted.threads]
    if strangers:
        raise LayoutError(
            f"the operand is distributed over '{strangers[0].name}', the result is not",
            hint="give both the same thread axes",
        )
    needed = _broadcast(wanted.elements, shape, src_shape)
    limit = 1 + max([int(held.threads[axis].max()) for axis in axes], default=0)
    limit = max(limit, 1 + max([int(wanted.threads[axis].max()) for axis in axes], default=0))
    # Element and threads as one number: sorted once, all that is wanted is then looked up by binary search.
    key_held, key_wanted = held.elements, needed
    for axis in axes:
        key_held = key_held * limit + held.threads[axis]
        key_wanted = key_wanted * limit + wanted.threads[axis]
    order = np.argsort(key_held, kind="stable")
    at = np.searchsorted(key_held[order], key_wanted)
    inside = at < len(order)
    missing = ~inside
    missing[inside] = key_held[order[at[inside]]] != key_wanted[inside]
    if missing.any():
        first = int(np.flatnonzero(missing)[0])
        raise LayoutError(
            f"a thread needs element {int(needed[first])} of the operand, which another thread holds",
            hint="copy it to a layout in which each thread holds what it needs",
        )
    return _by_place(wanted.places, held.places[order[at]], span(dst))


def _by_place(places: NDArray[np.int64], found: NDArray[np.int64], count: int) -> tuple[int | None, ...]:
    result: list[int | None] = [None] * count
    pairs = np.unique(np.stack([places, found], 1), axis=0)
    for place, source in pairs.tolist():
        if result[place] is not None:
            raise LayoutError(
                f"element {place} of a thread's result comes from different registers in different threads",
                hint="registers cannot be indexed at run time: choose layouts with the same registers in all threads",
            )
        result[place] = source
    return tuple(result)


@cache
def combined(src: TileLayout, shape: Shape, dst: TileLayout, dimension: int) -> tuple[tuple[int, ...], ...]:
    """For each place of a reduction's result, the places of the source that the same thread combines into it."""
    held = holding(src, shape)
    reduced = (*shape[:dimension], 1, *shape[dimension + 1 :])
    target = holding(dst, reduced)
    axes = list(held.threads)
    if any(axis not in axes for axis in target.threads):
        raise LayoutError("the result is distributed over threads that do not hold the tile")
    elements = _broadcast(held.elements, shape, reduced)
    numbers = [*held.threads.values(), *target.threads.values()]
    limit = 1 + max([int(each.max()) for each in numbers], default=0)
    key, wanted = elements, target.elements
    for axis in axes:
        if axis not in target.threads:
            raise LayoutError(f"the layout of the result lacks the thread axis '{axis.name}'")
        key = key * limit + held.threads[axis]
        wanted = wanted * limit + target.threads[axis]
    order = np.argsort(wanted, kind="stable")
    at = np.searchsorted(wanted[order], key)
    if (at >= len(order)).any() or (wanted[order[np.minimum(at, len(order) - 1)]] != key).any():
        raise LayoutError("a thread that holds elements of the tile does not hold the result")
    if not np.isin(wanted, key).all():
        raise LayoutError("a thread that holds the result holds no elements for it")
    pairs: list[list[int]] = np.unique(np.stack([target.places[order[at]], held.places], 1), axis=0).tolist()
    result: list[list[int]] = [list[int]() for _ in range(span(dst))]
    for place, source in pairs:
        result[place].append(source)
    return tuple(tuple(each) for each in result)


_UNITS = {"laneid": 1, "tx": 1, "tid_in_wg": 1, "warpid": WARP, "wid_in_wg": WARP, "wgid": 4 * WARP}
"""Threads that lie between neighbours on each thread axis."""


class Exchange(NamedTuple):
    """The threads that a reduction combines: lanes a distance apart that is one bit of the lane's number, and digits
    of the thread's number in the block, (stride, extent), that are a multiple of a warp apart.
    """

    lanes: tuple[int, ...]
    warps: tuple[tuple[int, int], ...]


@cache
def exchanges(src: TileLayout, shape: Shape, dimension: int) -> Exchange:
    """The threads that hold elements along a dimension.

    Raises LayoutError where they are not whole bits of the lane's number, or warps.
    """
    plain = src.canonicalize(fuse_scopes=True)
    lanes: list[int] = []
    warps: list[tuple[int, int]] = []
    for each in plain.group(shape).groups[dimension]:
        if not each.axis.thread or each.extent == 1:
            continue
        stride, extent = each.stride * _UNITS.get(each.axis.name, 0), each.extent
        inside = min(extent, WARP // stride) if 0 < stride < WARP else 1
        whole = (stride > 0 and not stride & (stride - 1)) or stride % WARP == 0
        if stride < 1 or not whole or inside & (inside - 1) or extent % inside or _offset(plain, each) % extent:
            raise LayoutError(
                f"threads {each.extent}:{each.stride}@{each.axis.name} cannot be combined by exchanges between lanes",
                hint="use extents and strides that are powers of two within a warp, and multiples of 32 across warps",
            )
        lanes += [stride << bit for bit in range(inside.bit_length() - 1)]
        if extent > inside:
            warps.append((max(stride, WARP) if inside > 1 else stride, extent // inside))
    return Exchange(tuple(lanes), tuple(warps))


def _offset(layout: TileLayout, each: Iter) -> int:
    """How many strides of an iter the layout's threads begin after the first."""
    return layout.offset_on(each.axis) // each.stride


class Coordinate(NamedTuple):
    """A coordinate as a sum: of digits of thread indices, `weight * (index // stride % extent)`, and of a place's
    own part.
    """

    digits: tuple[tuple[Axis, int, int, int], ...]
    places: tuple[int | None, ...]


@cache
def coordinate(layout: TileLayout, shape: Shape, dimension: int) -> Coordinate:
    """The coordinate in a dimension of what each thread holds in each place; raises LayoutError where it is no such
    sum.
    """
    plain = layout.canonicalize(fuse_scopes=True)
    run = plain.group(shape).groups[dimension]
    digits: list[tuple[Axis, int, int, int]] = []
    weight = 1
    for each in reversed(run):
        if each.axis.thread and each.extent > 1:
            digits.append((each.axis, each.stride, each.extent, weight))
        weight *= each.extent
    held = holding(layout, shape)
    step = prod(shape[dimension + 1 :])
    actual = held.elements // step % shape[dimension]
    for axis, stride, extent, scale in digits:
        actual = actual - held.threads[axis] // stride % extent * scale
    try:
        return Coordinate(tuple(digits), _by_place(held.places, actual, span(layout)))
    except LayoutError:
        raise LayoutError(
            f"the coordinates of {layout} are not a sum of a part per thread and a part per register"
        ) from None


def fragment_words(
    layout: TileLayout, shape: Shape, tile: tuple[int, int], rows: Sequence[Sequence[tuple[int, int, int]]], bits: int
) -> dict[tuple[int, int], tuple[int, ...]]:
    """Where the registers of an instruction's fragment are, for each tile of a matrix.

    `rows[r]` lists, for register r of the fragment, lane, row and column of each element of it in each lane, lane by
    lane, the first element of a register in its lowest bits.  The result gives for each tile the word of storage that
    is register r.  Raises LayoutError where the layout is not that of the fragment.
    """
    held = holding(layout, shape)
    lanes = _lanes(held)
    packed = max(1, 32 // bits)
    by_element: dict[tuple[int, int], int] = {}
    for element, lane, place in zip(held.elements.tolist(), lanes.tolist(), held.places.tolist(), strict=True):
        by_element[element, lane] = place
    result: dict[tuple[int, int], tuple[int, ...]] = {}
    for i, j in product(range(shape[0] // tile[0]), range(shape[1] // tile[1])):
        result[i, j] = tuple(
            _word(by_element, register, (i * tile[0], j * tile[1]), shape[1], packed) for register in rows
        )
    return result


def _lanes(held: Holding) -> NDArray[np.int64]:
    if list(held.threads) and [axis.name for axis in held.threads] != ["laneid"]:
        names = ", ".join(axis.name for axis in held.threads)
        raise LayoutError(
            f"a fragment must be distributed over 'laneid', not over {names}", hint="give each warp a tile of its own"
        )
    if not held.threads:
        raise LayoutError("every thread holds the whole tile: it is not a fragment", hint="give it a fragment's layout")
    return next(iter(held.threads.values()))


def _word(
    by_element: dict[tuple[int, int], int],
    register: Sequence[tuple[int, int, int]],
    origin: tuple[int, int],
    columns: int,
    packed: int,
) -> int:
    word: int | None = None
    for at, (lane, row, column) in enumerate(register):
        row, column = origin[0] + row, origin[1] + column
        place = by_element.get((row * columns + column, lane))
        if place is None:
            raise LayoutError(f"element ({row}, {column}) is not in lane {lane}, where the instruction expects it")
        if place % packed != at % packed or (word is not None and word != place // packed):
            raise LayoutError(
                f"element ({row}, {column}) is element {place} of its lane, not in a register with its neighbours"
            )
        word = place // packed
    assert word is not None
    return word
