"""Accesses of a warp to tiles in shared memory, and swizzles with which they take the fewest wavefronts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weft.errors import LayoutError
from weft.layout.access import LANES, ROW, Access
from weft.layout.axis import Scope, m
from weft.layout.conflicts import BANKS, WORD, conflicts
from weft.layout.swizzle import Layout, SwizzleLayout
from weft.layout.tile import TileLayout

if TYPE_CHECKING:
    from weft.layout.iters import Integers

MOST_ELEMENTS = 1 << 21
"""Elements of a tile that is looked at: shared memory has fewer bits."""


# -- accesses of layouts ----------------------------------------------------------------------------------------------


def _bytes_of(layout: Layout, shape: Sequence[int], bits: int) -> Integers:
    """The byte address of each element."""
    if prod(shape) > MOST_ELEMENTS or layout.span() > MOST_ELEMENTS:
        raise LayoutError(f"a tile of {prod(shape)} elements is too large for shared memory")
    places = layout.apply_all(shape)
    if set(places) != {m}:
        raise LayoutError(f"{layout} is not a layout of shared memory", hint="put its elements on axis m only")
    if bits % 8:
        raise LayoutError(f"elements of {bits} bits do not have byte addresses")
    return places[m] * (bits // 8)


def vector_accesses(
    layout: Layout, fragment: TileLayout, shape: Sequence[int], bits: int, *, width: int = 0, store: bool = False
) -> Access:
    """The accesses of threads that move a tile between shared memory and registers, each its elements in order.

    `layout` says where the elements of `shape` lie in shared memory, `fragment` which thread and register holds them.
    Without a width (in bytes), accesses are as wide as all threads' next elements are consecutive and aligned.  The
    instructions of a warp come one after another.  Raises LayoutError unless the fragment's thread axes are one when
    fused (`laneid`, `tid_in_wg` or `tx`), and for a width that cannot be.
    """
    fused = fragment.canonicalize(fuse_scopes=True)
    threads = [axis for axis in fused.axes if axis is not m]
    if len(threads) != 1 or threads[0].subscope is not Scope.THREAD:
        raise LayoutError(f"{fragment} does not map elements to threads and registers")
    address = _bytes_of(layout, shape, bits).reshape(-1)
    places = fused.apply_all((prod(shape),))
    index = np.unique(places.get(m, np.zeros(len(address), np.int64)), return_inverse=True)[1]
    thread = places[threads[0]]
    warps = int(thread.max()) // LANES + 1
    table = np.full((warps * LANES, int(index.max()) + 1), -1, np.int64)
    table[thread, index] = address
    held = np.count_nonzero(table >= 0, axis=1)
    active: NDArray[np.bool_] = held > 0
    if (held[active] != table.shape[1]).any():
        raise LayoutError(f"threads of {fragment} hold different numbers of elements")
    table[~active] = table[active][:1]
    size = bits // 8
    each = _elements_together(table, size, width)
    rows = table[:, ::each].reshape(warps, LANES, -1).transpose(0, 2, 1).reshape(-1, LANES)
    lanes = np.repeat(active.reshape(warps, LANES), len(rows) // warps, axis=0)
    return Access(rows, each * size, store=store, active=lanes)


def _elements_together(table: Integers, size: int, width: int) -> int:
    """How many of a lane's next elements one access takes: the most that all lanes can, or as the width says."""
    count = table.shape[1]
    for bytes_ in (width,) if width else (16, 8, 4, 2, 1):
        each = bytes_ // size
        if each < 1 or count % each:
            continue
        runs = table.reshape(len(table), -1, each)
        if (runs == runs[:, :, :1] + size * np.arange(each)).all() and (runs[:, :, 0] % bytes_ == 0).all():
            return each
    raise LayoutError(f"lanes cannot access {width or size} bytes at a time: they are not contiguous and aligned")


def matrix_accesses(
    layout: Layout, shape: Sequence[int], bits: int, num: int = 4, *, trans: bool = False, store: bool = False
) -> Access:
    """The accesses of ldmatrix or stmatrix of `num` matrices that go over a tile of rows by columns.

    The matrices of an instruction are 8 rows of 16 bytes in the order of an mma fragment: two below each other where
    the tile has them, then side by side.  With `trans`, the 16 bytes run down a column.  Raises LayoutError for a tile
    that matrices do not cover, and where their 16 bytes are not consecutive.
    """
    address = _bytes_of(layout, shape, bits)
    if address.ndim != 2:
        raise LayoutError(f"matrices need a two-dimensional tile, not shape {tuple(shape)}")
    address = address.T if trans else address
    across = ROW * 8 // bits
    if address.shape[0] % 8 or address.shape[1] % across or num not in (1, 2, 4):
        raise LayoutError(f"shape {tuple(shape)} cannot be covered by {num} matrices of 8 rows of 16 bytes")
    chunks = address.reshape(address.shape[0], -1, across)
    if (chunks != chunks[:, :, :1] + bits // 8 * np.arange(across)).any():
        raise LayoutError(f"the 16 bytes of a matrix row are not contiguous in {layout}")
    rows, columns = address.shape[0] // 8, address.shape[1] // across
    down = 2 if num > 1 and rows % 2 == 0 else 1
    if rows * columns % num or columns % (num // down):
        raise LayoutError(f"the {rows} x {columns} matrices of the tile are not in groups of {num}")
    starts = chunks[:, :, 0].reshape(rows // down, down, 8, columns * down // num, num // down)
    return Access(starts.transpose(0, 3, 4, 1, 2).reshape(-1, 8 * num), ROW, matrix=True, store=store)


# -- swizzles ---------------------------------------------------------------------------------------------------------


def suggest_swizzle(*accesses: Access, bits: int = 8, size: int = 0) -> SwizzleLayout | None:
    """The smallest swizzle with which accesses have no bank conflicts; None where there is none.

    The accesses are those without a swizzle; the swizzle counts in elements of `bits` bits.  Smallest is: the fewest
    bits (0: none is needed), then the smallest chunks, then the least distance of the bits.  Chunks hold what a lane
    accesses; the blocks that the swizzle permutes divide `size` bytes (by default, the power of two that all addresses
    lie below).  Raises LayoutError without accesses.
    """
    if not accesses:
        raise LayoutError("no accesses to find a swizzle for")
    if not size:
        reach = max(int(access.addresses.max()) + access.width for access in accesses)
        size = 1 << (reach - 1).bit_length()
    widest = max(access.width for access in accesses).bit_length() - 1
    for candidate in _candidates(max(widest, (bits // 8).bit_length() - 1), size):
        if not any(conflicts(access.moved(candidate)).any() for access in accesses):
            return candidate.pack(bits // 8)
    return None


def _candidates(chunk: int, size: int) -> Iterator[SwizzleLayout]:
    """Swizzles of bytes, the smallest first, with chunks of at least `2^chunk` bytes, that stay within `size` bytes."""
    bits = (size & -size).bit_length() - 1
    yield SwizzleLayout(chunk, 0, 0)
    banks = (BANKS * WORD).bit_length() - 1
    for length in range(1, banks - chunk + 1):
        for per_element in range(chunk, banks - length + 1):
            for distance in range(length, bits - per_element - length + 1):
                yield SwizzleLayout(per_element, length, distance)
