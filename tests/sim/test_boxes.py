"""The boxes of tensor copies, element by element: where each lies in global and in shared memory, by random maps."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weft.isa.tensor_map_fields import Fields
from weft.isa.tensor_map_words import DATA_TYPES, SWIZZLES, DataType, Swizzle, TensorMapError, swizzle_span
from weft.sim import tensors

Places = dict[int, int | None]
"""Of each byte in shared memory the one in global memory, None where the tensor ends before."""
WIDE = [number for number, type_ in enumerate(DATA_TYPES) if not type_.packed]
PACKED = [number for number, type_ in enumerate(DATA_TYPES) if type_.packed]


def swizzled(address: int, mode: str) -> int:
    """Where a byte goes: bits of the address change others, as the figures of the manual show."""
    row = address >> 7
    if mode in ("32B", "64B", "128B"):
        return address ^ (row & (swizzle_span(mode) // 16 - 1)) << 4
    if mode == "128B_ATOM_32B":
        return address ^ (row & 3) << 5
    if mode == "128B_ATOM_32B_FLIP_8B":
        return address ^ (row & 3) << 5 ^ (row & 1) << 3
    return address ^ (row & 1) << 6 if mode == "128B_ATOM_64B" else address


def found(box: tensors.Box) -> Places:
    """The bytes of a box."""
    inside = np.ones(len(box.addresses), bool) if box.inside is None else box.inside
    places: Places = {}
    for address, offset, here in zip(box.addresses.tolist(), box.offsets.tolist(), inside.tolist(), strict=True):
        for byte in range(box.dtype.itemsize):
            places[offset + byte] = address + byte if here else None
    assert len(places) == len(box.addresses) * box.dtype.itemsize
    return places


def lines(fields: Fields, starts: list[list[int]], first: int, count: int, base: int) -> tuple[Places, int]:
    """Lines of elements along dimension 0, at places of the other dimensions, one after the other in shared memory."""
    element = fields.element
    wide = count * element.bits // 8
    stored = wide // element.packed * element.stored if element.packed else wide
    pitch = max(stored, swizzle_span(fields.swizzle))
    places: Places = {}
    for line, start in enumerate(starts):
        here = all(0 <= at < size for at, size in zip(start, fields.global_dim[1:], strict=True))
        row = fields.global_address + sum(map(int.__mul__, start, fields.global_strides))
        for byte in range(wide):
            at = first * element.bits // 8 + byte
            kept = byte // element.packed * element.stored + byte % element.packed if element.packed else byte
            inside = here and 0 <= at < fields.global_dim[0] * element.bits // 8
            to = swizzled(base % 1024 + line * pitch + kept, fields.swizzle) - base % 1024
            places[to] = row + at if inside else None
    return places, len(starts) * wide


def fields_of(rng: random.Random, *, rank: int, packed: bool = False, **more: Any) -> Fields:
    number = rng.choice(PACKED if packed else WIDE)
    element = DATA_TYPES[number]
    without = ("96B", "128B_ATOM_32B_FLIP_8B") if packed else ("96B",)
    modes: list[Swizzle] = [one for one in SWIZZLES if one not in without]
    swizzle = rng.choice(modes)
    span = swizzle_span(swizzle) or 128
    units = 128 if packed else rng.choice([n for n in (16, 32, 64, 128) if n <= span]) // element.bytes
    dims = (
        rng.choice([units, 2 * units, 3 * units + (0 if packed else rng.randrange(units))]),
        *(rng.randrange(1, 7) for _ in range(rank - 1)),
    )
    pitch = -(-dims[0] * element.bits // 8 // 16) * 16
    strides = [pitch]
    for extent in dims[1:-1]:
        strides.append(strides[-1] * extent + rng.choice([0, 16]))
    return Fields(
        number, 0x1000, dims, tuple(strides[: rank - 1]), (units, *(rng.randrange(1, 5) for _ in range(rank - 1))),
        (1, *(rng.choice([1, 1, 2, 3]) for _ in range(rank - 1))), "NONE", swizzle, **more,
    )  # fmt: skip


def tile_of(fields: Fields, at: list[int], base: int) -> tuple[Places, int]:
    steps = [range(-(-box // step)) for box, step in zip(fields.box_dim[1:], fields.element_strides[1:], strict=True)]
    starts = [
        [
            start + index * step
            for start, index, step in zip(at[1:], which[::-1], fields.element_strides[1:], strict=True)
        ]
        for which in product(*steps[::-1])
    ]
    return lines(fields, starts, at[0], fields.box_dim[0], base)


@pytest.mark.sample(1)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_tiles(seed: int, packed: bool) -> None:
    rng = random.Random(f"{seed} {packed}")
    for _ in range(25):
        fields = fields_of(rng, rank=rng.randrange(1, 6), packed=packed)
        whole = rng.random() < 0.5
        step = 128 if packed else rng.choice([1, 2, 8, 16])
        first = rng.randrange(0, max(1, fields.global_dim[0] - fields.box_dim[0] + 1)) // step * step
        at = [first, *(rng.randrange(size) for size in fields.global_dim[1:])]
        if not whole:
            at = [
                rng.choice([first, -step, fields.global_dim[0] // step * step]),
                *(rng.randrange(-3, size + 2) for size in fields.global_dim[1:]),
            ]
        base = rng.choice([0, 128, 384, 1024, 5 * 1024 + 256])
        places, size = tile_of(fields, at, base)
        box = tensors.tile(fields, at, base)
        assert found(box) == places, (fields, at, base)
        assert box.size == size
        if box.base is not None:  # A shifted copy of another one.
            assert (box.base + box.moved == box.addresses).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_many_tiles_at_once(seed: int) -> None:
    """Boxes that are shifted copies of the one at the start: just those that lie in the tensor whole, and alike in memory."""
    rng = random.Random(seed)
    for _ in range(40):
        fields = fields_of(rng, rank=rng.randrange(1, 4))
        per = max(1, 16 // fields.element.bytes)
        apart = rng.choice([0, 0, 1])
        every = [
            [
                rng.randrange(max(1, fields.global_dim[0] - fields.box_dim[0] + 1)) // per * per + apart * (n == 2),
                *(rng.randrange(size) for size in fields.global_dim[1:]),
            ]
            for n in range(3)
        ]
        bases = np.array([1024 * n + 256 for n in range(3)]) + rng.choice([0, 0, 0, 128]) * np.array([0, 1, 0])
        made = tensors.tiles(fields, np.array(every, np.int64), bases)
        each = [tensors.tile(fields, at, int(base)) for at, base in zip(every, bases, strict=True)]
        alike = len({int(base) % 1024 for base in bases}) == 1 and len({at[0] % per for at in every}) == 1
        inside = all(
            0 <= start and start + (box - 1) * step < size
            for at in every for start, box, step, size in zip(at, fields.box_dim, fields.element_strides, fields.global_dim, strict=True)
        )  # fmt: skip
        assert (made is not None) == (alike and inside and fields.global_dim[0] % per == 0)
        if made is not None:
            box, moved = made
            for one, by in zip(each, moved.tolist(), strict=True):
                assert (one.addresses == box.addresses + by).all() and (one.offsets == box.offsets).all()


@pytest.mark.parametrize("seed", range(2))
def test_four_rows(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        fields = fields_of(rng, rank=2)
        fields = replace(fields, box_dim=(fields.box_dim[0], 1))
        numbers = [rng.randrange(-2, fields.global_dim[1] + 2) for _ in range(4)]
        first = rng.choice([0, -1, fields.global_dim[0] - 1, rng.randrange(fields.global_dim[0])])
        places, size = lines(fields, [[number] for number in numbers], first, fields.box_dim[0], 512)
        box = tensors.rows(fields, first, numbers, 512)
        assert (found(box), box.size) == (places, size)


@pytest.mark.parametrize("rank", [1, 3])
def test_four_rows_need_a_matrix(rank: int) -> None:
    with pytest.raises(TensorMapError, match="does not fit four rows"):
        tensors.rows(fields_of(random.Random(1), rank=rank), 0, [0, 1, 2, 3], 0)


def column_of(fields: Fields, start: list[int], count: int, axes: int) -> list[list[int]]:
    """Pixels from one on: the box of the first axes is run through row by row, the last axis counts on."""
    low = fields.pixel_box_lower_corner
    high = [
        size - 1 + upper
        for size, upper in zip(fields.global_dim[1 : 1 + axes], fields.pixel_box_upper_corner, strict=True)
    ]
    pixels, at = list[list[int]](), list(start)
    for _ in range(count):
        pixels.append(list(at))
        for axis in range(axes):
            at[axis] += fields.element_strides[1 + axis]
            if at[axis] <= high[axis]:
                break
            at[axis] = low[axis]
        else:
            at[-1 if axes == len(at) - 1 else axes] += 1 if axes == len(at) - 1 else fields.element_strides[1 + axes]
    return pixels


@pytest.mark.sample(1)
@pytest.mark.parametrize("rank", [3, 4, 5])
def test_columns_of_pixels(rank: int) -> None:
    rng = random.Random(rank)
    spatial = rank - 2
    for _ in range(25):
        lower = tuple(rng.randrange(-2, 2) for _ in range(spatial))
        upper = tuple(rng.randrange(-2, 2) for _ in range(spatial))
        more = {
            "pixel_box_lower_corner": lower,
            "pixel_box_upper_corner": upper,
            "pixels_per_column": rng.randrange(1, 40),
        }
        fields = fields_of(rng, rank=rank, **more)
        larger = fields.global_dim[0], *(n + 4 for n in fields.global_dim[1:])
        fields = replace(fields, mode="im2col", channels_per_pixel=fields.box_dim[0], global_dim=larger)
        high = [size - 1 + up for size, up in zip(fields.global_dim[1:-1], upper, strict=True)]
        start = [rng.randrange(lo, hi + 1) for lo, hi in zip(lower, high, strict=True)] + [rng.randrange(2)]
        shift = [rng.randrange(3) for _ in range(spatial)]
        pixels = [
            [p + s for p, s in zip(pixel, [*shift, 0], strict=True)]
            for pixel in column_of(fields, start, fields.pixels_per_column, spatial)
        ]
        places, size = lines(fields, pixels, 0, fields.channels_per_pixel, 256)
        box = tensors.columns(fields, [0, *start], 256, shift)
        assert (found(box), box.size) == (places, size), (fields, start, shift)
        axis = rng.randrange(spatial)
        for wrong in (lower[axis] - 1, high[axis] + 1):
            outside = [0, *start]
            outside[1 + axis] = wrong
            message = (
                f"the column starts at {'WHD'[axis]} = {wrong}, outside the pixel box {lower[axis]} to {high[axis]}"
            )
            with pytest.raises(TensorMapError) as caught:
                tensors.columns(fields, outside, 0, shift)
            assert caught.value.message == message


# -- values that change on the way ----------------------------------------------------------------------------


def kept(word: int, name: str) -> int:
    """The word of a float as a tensor of a type gives it: of ten bits behind the point, without subnormal ones."""
    if name.startswith("TFLOAT32") and word >> 23 & 255 != 255:
        steps, rest = divmod(word, 1 << 13)
        word = steps + (rest > 4096 or (rest == 4096 and steps % 2 == 1)) << 13
    return word & 1 << 31 if name.endswith("FTZ") and not word >> 23 & 255 else word


@pytest.mark.parametrize("element", DATA_TYPES, ids=lambda element: element.name)
def test_words_that_loads_change(element: DataType) -> None:
    fields: Any = SimpleNamespace(element=element)
    change = tensors.conversion(fields)
    if element.name not in ("FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ"):
        assert change is None and not tensors.converts(fields)
        return
    parts = product((0, 1), (0, 1, 127, 254, 255), (0, 1, 0x1000, 0x1001, 0x2FFF, 0x3000, 0x3001, 0x7F_F000, 0x7F_FFFF))
    words = [sign << 31 | exponent << 23 | rest for sign, exponent, rest in parts]
    assert change is not None and tensors.converts(fields)
    found = change(np.array(words, np.uint32))
    assert found.dtype == np.uint32 and found.tolist() == [kept(word, element.name) for word in words]


@pytest.mark.parametrize("size", [2, 4, 8])
def test_what_fills_a_piece_outside(size: int) -> None:
    dtype = np.dtype(f"u{size}")
    for fill, word in (("NONE", "0000"), ("NAN_REQUEST_ZERO_FMA", "7ff7")):
        fields: Any = SimpleNamespace(oob_fill=fill)
        assert f"{tensors.filler(fields, dtype):0{2 * size}x}" == word * (size // 2)


@pytest.mark.parametrize(
    ("change", "message", "hint"),
    [
        ({"interleave": "16B"}, "interleaved tensors are not simulated", "interleave='NONE'"),
        ({"swizzle": "96B"}, "the swizzle 96B is not simulated", ""),
    ],
)
def test_boxes_that_are_not_simulated(change: Any, message: str, hint: str) -> None:
    fields = replace(fields_of(random.Random(1), rank=2, packed=False), **change)
    with pytest.raises(TensorMapError) as caught:
        tensors.tile(fields, [0, 0], 0)
    assert caught.value.message == message and caught.value.hint == hint
