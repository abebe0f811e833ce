"""Descriptors that the host makes as arguments of a kernel: a map, then the shape and the strides."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import weft.triton
from weft.isa.tensor_map_fields import Fields
from weft.triton.descriptors import MapArgument, expanded

NUMBERS = {"UINT8": 0, "FLOAT16": 6, "FLOAT32": 7, "TFLOAT32": 11, "16U4_ALIGN16B": 14}


def descriptor(shape: list[int], dtype: str = "f4", **more: Any) -> Any:
    """Of an array that starts at a multiple of 128 bytes, somewhere in a larger one."""
    size = np.dtype(dtype).itemsize * math.prod(shape)
    room = weft.triton.zeros(size + 128, "u1")
    at = -room.data_ptr() % 128
    base = room[at : at + size].view(dtype).reshape(shape)
    strides = [step // base.itemsize for step in base.strides]
    plain = {"padding": "zero", "round_f32_to_tf32": False, "element_strides": None, "room": room}
    return SimpleNamespace(**{"base": base, "shape": tuple(shape), "strides": tuple(strides), **plain, **more})


def arguments(one: Any, type_: str, block: list[int], **more: Any) -> tuple[Fields, list[int]]:
    plain = {"elem_type": NUMBERS[type_], "elem_size": one.base.itemsize, "swizzle": 0, "block_size": block}
    found, *rest = expanded(one, {**plain, "fp4_padded": False, **more}, None)
    assert isinstance(found, MapArgument) and found.storage is not None
    assert (found.storage.start, found.storage.size) == (one.room.data_ptr(), one.room.nbytes)
    assert found.fields.global_address == one.base.data_ptr()
    return found.fields, rest


def test_tiles() -> None:
    one = descriptor([6, 10, 64], padding="nan")
    fields, rest = arguments(one, "FLOAT32", [2, 5, 16], swizzle=2)
    assert rest == [6, 10, 64, 640, 64, 1]
    assert (fields.mode, fields.element.name, fields.swizzle) == ("tiled", "FLOAT32", "64B")
    assert (fields.global_dim, fields.global_strides, fields.box_dim) == ((64, 10, 6), (256, 2560), (16, 5, 2))
    assert fields.oob_fill == "NAN_REQUEST_ZERO_FMA"
    rounded, _ = arguments(descriptor([4, 64], round_f32_to_tf32=True), "FLOAT32", [2, 16])
    assert (rounded.element.name, rounded.oob_fill) == ("TFLOAT32", "NONE")


def test_numbers_of_four_bits_that_lie_in_bytes_of_their_own() -> None:
    """The map counts twice as many in a row as there are bytes, the kernel does not."""
    one = descriptor([8, 128], "u1")
    fields, rest = arguments(one, "16U4_ALIGN16B", [2, 128], fp4_padded=True)
    assert rest == [8, 128, 128, 1] and fields.global_dim == (256, 8) and fields.global_strides == (128,)


@pytest.mark.parametrize(("steps", "found"), [(None, (1, 1, 1, 1)), ([1, 2, 3, 1], (1, 3, 2, 1))])
def test_pixels(steps: list[int] | None, found: tuple[int, ...]) -> None:
    corners = {"pixel_box_lower_corner": [-1, -2], "pixel_box_upper_corner": [3, 4]}
    one = descriptor([2, 9, 8, 32], "f2", element_strides=steps, **corners)
    fields, rest = arguments(one, "FLOAT16", [5, 16], swizzle=1, is_im2col=True)
    assert rest == [2, 9, 8, 32, 2304, 256, 32, 1]
    assert (fields.mode, fields.pixels_per_column, fields.channels_per_pixel) == ("im2col", 5, 16)
    assert (fields.pixel_box_lower_corner, fields.pixel_box_upper_corner) == ((-2, -1), (4, 3))
    assert (fields.element_strides, fields.global_strides, fields.swizzle) == (found, (64, 512, 4608), "32B")


def test_a_target_without_maps_takes_the_pointer() -> None:
    one = descriptor([4, 64], padding="nan")
    base, *rest = expanded(one, None, None)
    assert base is one.base and rest == [4, 64, 64, 1, True, False, 4, 64, 64, 1]
