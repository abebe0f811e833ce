"""Matrix descriptors: how `wgmma` finds an operand in shared memory, from the operand's layout.

An operand is read in core matrices of 8 rows of 16 bytes, which a descriptor places by two distances: `leading` and
`stride`.  Rows run along K ("k-major") or, for 16-bit elements, along M or N ("mn-major").  With a swizzle, 2, 4 or 8
core matrices lie side by side in the rows of its pattern.

Source: PTX manual, "Asynchronous warpgroup level matrix shared memory layout" and "Matrix descriptor".
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from weft.errors import LayoutError
from weft.layout.axis import m
from weft.layout.boxes import CHUNK, parts, swizzle_bytes
from weft.layout.swizzle import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.int64]
    """Bytes behind a tile's beginning."""

_MODES = {0: 0, 128: 1, 64: 2, 32: 3}
CORE_ROWS = 8
STEP_BYTES = 32
"""Bytes of K that one product multiplies."""


class Descriptor(NamedTuple):
    """How one product finds its operand: distances in bytes, the swizzle's row in bytes, the direction of rows.

    `corners[i][j]` is where the operand of block i along M or N, step j along K, begins (bytes behind the tile's own
    first element, before the swizzle).
    """

    leading: int
    stride: int
    swizzle: int
    k_major: bool
    corners: tuple[tuple[int, ...], ...]

    @property
    def constant(self) -> int:
        """The descriptor's 64 bits, but for the address."""
        return (self.leading >> 4) << 16 | (self.stride >> 4) << 32 | _MODES[self.swizzle] << 62

    @property
    def alignment(self) -> int:
        """Bytes that the place of the tile must be a multiple of: whole repeats of the pattern."""
        return self.swizzle * CORE_ROWS or CHUNK


@cache
def descriptor(
    layout: Layout, shape: tuple[int, int], bits: int, block: int, *, k_first: bool, other: bool = True, steps: int = 1
) -> Descriptor:
    """The descriptor of an operand of `shape` in shared memory, `block` rows (or columns) a product.

    `k_first` says that the first dimension is K, as of B; `other` that rows may run along M or N; `steps` how often a
    product goes `STEP_BYTES` along K: twice beside a sparse operand.

    Raises:
        LayoutError: `wgmma` cannot read the layout, with what it reads.
    """
    tile, swizzle = parts(layout, shape)
    if tile.replica or any(axis is not m for axis in tile.axes):
        raise LayoutError("an operand of wgmma must have each element in one place in shared memory")
    span = swizzle_bytes(swizzle, bits)
    size = bits // 8
    places = tile.apply_all(shape)[m].reshape(shape)
    places = (places.T if k_first else places) * size
    step = steps * STEP_BYTES // size
    if places.shape[0] % block or places.shape[1] % step:
        raise LayoutError(f"{places.shape[0]} x {places.shape[1]} is not a multiple of {block} x {step}")
    first = places[:block, :step] - places[0, 0]
    grid = places.reshape(places.shape[0] // block, block, places.shape[1] // step, step).transpose(0, 2, 1, 3)
    corners = grid[:, :, 0, 0]
    if (grid - corners[:, :, None, None] != first).any():
        raise LayoutError("the operands of the products have different layouts")
    found = _distances(first, span, size, k_major=True)
    k_major = found is not None
    if found is None and other and bits == 16:
        found = _distances(first.T, span, size, k_major=False)
    if found is None:
        raise _refused(bits, other and bits == 16, span)
    _check_corners(corners, span)
    leading, stride = found
    return Descriptor(leading, stride, span, k_major, tuple(tuple(row) for row in corners.tolist()))


def _refused(bits: int, both: bool, span: int) -> LayoutError:
    size = bits // 8
    along = "along K, or along M or N" if both else f"along K (elements of {bits} bits are not transposed)"
    return LayoutError(
        f"wgmma needs contiguous blocks of 8 rows of {span or CHUNK} bytes {along}",
        hint=f"use shared_layout({bits}, {span or 128}, shape), with rows of {(span or 128) // size} elements",
    )


def _distances(first: Places, span: int, size: int, *, k_major: bool) -> tuple[int, int] | None:
    """The leading and stride distances of one product's operand, (rows, elements of a row); None if it has none.

    `first` is (M or N, K) where rows run along K, (K, M or N) where they do not.
    """
    rows, columns = first.shape
    chunk = CHUNK // size
    row = span or CHUNK
    across = row // size
    r: Places = np.arange(rows, dtype=np.int64)[:, None]
    c: Places = np.arange(columns, dtype=np.int64)[None, :]
    down = int(first[CORE_ROWS, 0]) if rows > CORE_ROWS else 0
    right = int(first[0, across]) if columns > across else 0
    inside = (r % CORE_ROWS) * row + (r // CORE_ROWS) * down
    if span:
        expected = inside + (c % across) * size + (c // across) * right
        if k_major and right:
            return None
        leading, stride = (0 if k_major else right), down
    else:
        expected = inside + (c % chunk) * size + (c // chunk) * right
        leading, stride = (right, down) if k_major else (down, right)
    if (first != expected).any() or leading % CHUNK or stride % CHUNK or max(leading, stride) >= 1 << 18:
        return None
    return leading, stride


def _check_corners(corners: Places, span: int) -> None:
    """Products begin at the beginning of a pattern: at its first row."""
    if span and (corners % (span * CORE_ROWS) >= span).any():
        raise LayoutError(f"products must begin at a multiple of {CORE_ROWS} rows of the swizzle")
