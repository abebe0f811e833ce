"""Boxes of tensors: which pieces of global and of shared memory a tensor copy moves.

A box is worked out from the tensor map and the coordinates of the instruction, in units of up to 16 bytes: elements, or
larger pieces where the box starts and ends at 16-byte boundaries of the tensor.

Sources: PTX manual, "Tensors": tiled mode, im2col modes, out-of-boundary access, swizzling modes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from weft.dataclass import dataclass
from weft.isa.tensor_map_fields import Fields
from weft.isa.tensor_map_words import TensorMapError, swizzle_address, swizzle_span
from weft.sim.lanes import Array
from weft.sim.types import Dtype

CHUNK = 16
"""Bytes that swizzling keeps together (8 in the mode that flips halves)."""
_PERIOD = 1024
_WIDE = {1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "c16"}
OOB_NAN = 0x7FF7
"""The NaN that fills out-of-bound elements, in each 16 bits."""


@dataclass(frozen=True, slots=True)
class Box:
    """The pieces of a copy: addresses in the tensor, offsets in shared memory (swizzled), and their dtype.

    `inside` marks the pieces that lie in the tensor, None when all do.  `size` counts the bytes that are copied, those
    outside included, those that pad narrow elements not: an mbarrier hears of what the tensor has.  Of boxes that are
    shifted copies of each other the addresses are a `base`, `moved` by so many bytes.
    """

    addresses: Array
    offsets: Array
    inside: Array | None
    dtype: Dtype
    size: int
    base: Array | None = None
    moved: int = 0


def tile(fields: Fields, coordinates: Sequence[int], base: int) -> Box:
    """The box at `coordinates`, for a shared address `base`."""
    found = tiles(fields, np.array([coordinates], np.int64), np.array([base]))
    if found is None:
        return _tile(fields, coordinates, base)
    box, moved = found[0], int(found[1][0])
    return Box(box.addresses + moved, box.offsets, None, box.dtype, box.size, box.addresses, moved)


def tiles(fields: Fields, coordinates: Array, bases: Array) -> tuple[Box, Array] | None:
    """The box at the start of a tensor, and by how many bytes those at `coordinates`, a row each, are moved from it.

    None where some are no shifted copies of it, for shared addresses `bases`.
    """
    per = max(1, CHUNK // (fields.element.bytes or CHUNK))
    if fields.element.packed or fields.global_dim[0] % per or not len(bases):
        return None
    steps = [max(1, step) for step in fields.element_strides]
    reach = [(extent - 1) * step for extent, step in zip(fields.box_dim, steps, strict=True)]
    first, phase = int(coordinates[0, 0]) % per, int(bases[0]) % _PERIOD
    whole = (coordinates >= 0) & (coordinates + np.array(reach) < np.array(fields.global_dim))
    if not whole.all() or (coordinates[:, 0] % per != first).any() or (bases % _PERIOD != phase).any():
        return None
    moved = (coordinates[:, 0] - first) * fields.element.bytes + coordinates[:, 1:] @ np.array(
        fields.global_strides, np.int64
    )
    return _inner(fields, first, phase), moved


@lru_cache(maxsize=64)
def _inner(fields: Fields, first: int, phase: int) -> Box:
    """The box at the start of its tensor but for element `first`, for a shared address that is `phase` modulo 1024."""
    return _tile(fields, (first, *(0 for _ in fields.global_strides)), phase)


def _tile(fields: Fields, coordinates: Sequence[int], base: int) -> Box:
    extents = [_ceil(extent, step) for extent, step in zip(fields.box_dim, fields.element_strides, strict=True)]
    extents[0] = fields.box_dim[0]  # There is no traversal stride along dimension 0.
    lines = _lines(fields, list(coordinates), extents)
    return _box(fields, lines, coordinates[0], extents[0], base)


def rows(fields: Fields, column: int, numbers: Sequence[int], base: int) -> Box:
    """The four rows of `.tile::gather4` and `.tile::scatter4`."""
    if fields.rank != 2 or fields.box_dim[1] != 1:
        raise TensorMapError(
            f"a tensor map with box_dim {fields.box_dim} does not fit four rows",
            hint="gather4 and scatter4 take tensors of rank 2, and boxes of one row",
        )
    wanted = np.array(numbers, np.int64)
    lines = wanted * fields.global_strides[0], (wanted >= 0) & (wanted < fields.global_dim[1])
    return _box(fields, lines, column, fields.box_dim[0], base)


def columns(
    fields: Fields,
    coordinates: Sequence[int],
    base: int,
    offsets: Sequence[int] = (),
    halo: int = 0,
    mode: str = "im2col",
) -> Box:
    """The column of pixels from `coordinates` (C, W, H, D, N) on; `offsets` (W, H, D) are added to each position.

    In the `im2col::w` modes `offsets` is the one along W, and `halo` counts the pixels that follow the column, or each
    32 pixels of the 128 in `im2col::w::128`: they continue along W.
    """
    wide = mode != "im2col"
    if wide != (fields.mode == "im2col_w"):
        raise TensorMapError(f"the tensor map is of mode {fields.mode}, the instruction of .{mode}")
    start = list(coordinates[1:])
    spatial = len(start) - 1
    free = 1 if wide else spatial
    shift = [*offsets, *([0] * spatial)][:spatial]
    low = [fields.pixel_box_lower_corner[axis] for axis in range(free)]
    high = [fields.global_dim[1 + axis] - 1 + fields.pixel_box_upper_corner[axis] for axis in range(free)]
    for axis in range(free):
        if start[axis] > high[axis] or (start[axis] < low[axis] and not wide):
            raise TensorMapError(
                f"the column starts at {'WHD'[axis]} = {start[axis]}, outside the pixel box {low[axis]} to {high[axis]}"
            )
    steps = fields.element_strides[1:]
    if mode == "im2col::w::128":
        groups, each = 4, 32
    else:
        groups, each = 1, fields.pixels_per_column
    pixels = _walk(start, low, high, steps, groups * each)
    if halo:
        beyond = np.arange(1, halo + 1)[:, None] * np.array([steps[0], *([0] * spatial)])
        parts = [part for group in np.split(pixels, groups) for part in (group, group[-1] + beyond)]
        pixels = np.concatenate(parts)
    pixels = pixels + np.array([*shift, 0])
    sizes = np.array(fields.global_dim[1:])
    present: Array = np.all((pixels >= 0) & (pixels < sizes), axis=1, keepdims=True).reshape(-1)
    lines = pixels @ np.array(fields.global_strides), present
    return _box(fields, lines, coordinates[0], fields.channels_per_pixel, base)


def _walk(start: list[int], low: list[int], high: list[int], steps: Sequence[int], count: int) -> Array:
    """`count` positions (W, H, D, N) from `start` on: the axes that have a box run through it, N counts on."""
    out = np.empty((count, len(start)), np.int64)
    position = list(start)
    done = 0
    while done < count:
        run = min(count - done, (high[0] - position[0]) // steps[0] + 1)
        out[done : done + run] = position
        out[done : done + run, 0] += np.arange(run) * steps[0]
        done += run
        position[0] = low[0]
        for axis in range(1, len(low)):
            position[axis] += steps[axis]
            if position[axis] <= high[axis]:
                break
            position[axis] = low[axis]
        else:
            position[-1] += 1
    return out


def _ceil(a: int, b: int) -> int:
    return -(-a // b)


def _lines(fields: Fields, start: list[int], extents: list[int]) -> tuple[Array, Array]:
    """Byte offsets of the box's lines along dimension 0, and whether they lie in the tensor."""
    offsets, inside = np.zeros(1, np.int64), np.ones(1, np.bool_)
    for axis in range(1, fields.rank):
        at = start[axis] + np.arange(extents[axis], dtype=np.int64) * fields.element_strides[axis]
        here = (at >= 0) & (at < fields.global_dim[axis])
        offsets = (at[:, None] * fields.global_strides[axis - 1] + offsets).reshape(-1)
        inside = (here[:, None] & inside).reshape(-1)
    return offsets, inside


def _box(fields: Fields, lines: tuple[Array, Array], first: int, count: int, base: int) -> Box:
    """The pieces of lines of `count` elements from element `first` on."""
    if fields.interleave != "NONE":
        raise TensorMapError("interleaved tensors are not simulated", hint="interleave='NONE'")
    if fields.swizzle == "96B":
        raise TensorMapError("the swizzle 96B is not simulated")
    line_offsets, line_inside = lines
    element = fields.element
    if element.packed:
        return _packed_box(fields, lines, first, count, base)
    unit, size = _unit(fields, first, count), element.bytes
    per = unit // size
    at = first + np.arange(0, count, per, dtype=np.int64)
    here = (at >= 0) & (at < fields.global_dim[0])
    addresses = (fields.global_address + line_offsets[:, None] + at * size).reshape(-1)
    inside = None if here.all() and line_inside.all() else (line_inside[:, None] & here).reshape(-1)
    offsets = shared_offsets(len(line_offsets), count * size, unit, fields.swizzle, base % _PERIOD)
    return Box(addresses, offsets, inside, np.dtype(_WIDE[unit]), len(line_offsets) * count * size)


def _unit(fields: Fields, first: int, count: int) -> int:
    """Bytes that can be moved together: 16 (8 where halves are flipped) unless the box cuts such a piece."""
    size = fields.element.bytes
    piece = 8 if fields.swizzle == "128B_ATOM_32B_FLIP_8B" else CHUNK
    per = piece // size
    cut = not 0 <= first <= fields.global_dim[0] - count and fields.global_dim[0] % per
    return size if first % per or cut or converts(fields) else piece


def _packed_box(fields: Fields, lines: tuple[Array, Array], first: int, count: int, base: int) -> Box:
    """Elements of less than a byte, moved by the byte: `packed` bytes of 16 elements become `stored` bytes."""
    element = fields.element
    multiple = 128 if element.stored > element.packed else 2
    if first % multiple:
        raise TensorMapError(f"the first coordinate of .{element.ptx} tensors is a multiple of {multiple}, not {first}")
    line_offsets, line_inside = lines
    byte = np.arange(count * element.bits // 8, dtype=np.int64)
    at = first * element.bits // 8 + byte
    here = (at >= 0) & (at < fields.global_dim[0] * element.bits // 8)
    addresses = (fields.global_address + line_offsets[:, None] + at).reshape(-1)
    inside = None if here.all() and line_inside.all() else (line_inside[:, None] & here).reshape(-1)
    wide = _ceil(len(byte), element.packed) * element.stored
    every = shared_offsets(len(line_offsets), wide, 1, fields.swizzle, base % _PERIOD).reshape(len(line_offsets), -1)
    kept = byte // element.packed * element.stored + byte % element.packed
    return Box(addresses, every[:, kept].reshape(-1), inside, np.dtype("u1"), len(addresses))


@lru_cache(maxsize=256)
def shared_offsets(lines: int, size: int, unit: int, swizzle: str, phase: int) -> Array:
    """Offsets of the pieces of `lines` lines of `size` bytes, from a shared address that is `phase` modulo 1024 on.

    Lines that are shorter than the swizzle pattern's rows take a whole row each.
    """
    pitch = max(size, swizzle_span(swizzle))
    linear = (np.arange(lines, dtype=np.int64)[:, None] * pitch + np.arange(0, size, unit)).reshape(-1)
    return swizzle_address(linear + phase, swizzle) - phase


# -- values that change on the way --------------------------------------------------------------------------------


def converts(fields: Fields) -> bool:
    """Whether loads change the values of elements."""
    return fields.element.name in ("FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ")


def conversion(fields: Fields) -> Callable[[Array], Array] | None:
    """What a load does to the words of elements: tf32 is rounded to nearest even, `_FTZ` types lose subnormals."""
    if not converts(fields):
        return None
    name = fields.element.name

    def convert(words: Array) -> Array:
        if name.startswith("TFLOAT32"):
            finite = (words & 0x7F80_0000) != 0x7F80_0000
            rounded = (words + 0xFFF + (words >> 13 & 1)) & np.uint32(0xFFFF_E000)
            words = np.where(finite, rounded, words)
        if name.endswith("FTZ"):
            words = np.where(words & 0x7F80_0000, words, words & np.uint32(0x8000_0000))
        return words.astype(np.uint32)

    return convert


def filler(fields: Fields, dtype: Dtype) -> np.generic:
    """A piece of what fills out-of-bound elements."""
    if fields.oob_fill == "NONE":
        return np.zeros(1, dtype)[0]
    return np.full(dtype.itemsize // 2, OOB_NAN, np.uint16).view(dtype)[0]
