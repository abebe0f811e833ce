"""The 128 bytes of tensor maps: what `tensormap.replace` makes of a blank map."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import weft
from weft.isa.tensor_map_checks import check
from weft.isa.tensor_map_fields import decode, replace_field
from weft.isa.tensor_map_words import (
    DATA_TYPES,
    DRIVER_TYPES,
    FILLS,
    INTERLEAVES,
    SIZE,
    SWIZZLE_MODES,
    SWIZZLES,
    TensorMapError,
    of_driver,
)


@pytest.mark.parametrize("rank", range(1, 6))
def test_blank_maps_are_filled_in(rank: int) -> None:
    """Fields that stay 0 need not be set: a rank of one, no pattern, no interleaving, zeros outside."""
    data = bytes(SIZE)
    number = next(number for number, type_ in enumerate(DATA_TYPES) if type_.ptx == "f32")
    settings = [("elemtype", number, 0), ("global_address", 0x1000, 0)] + ([("rank", rank - 1, 0)] if rank > 1 else [])
    sizes = [(field, value, d) for (field, value), d in itertools.product(
        [("global_dim", 20), ("box_dim", 16), ("element_stride", 1)], range(rank))]  # fmt: skip
    strides = [("global_stride", 80 * 20**d, d) for d in range(rank - 1)]
    for field, value, dimension in [*settings, *sizes, *strides]:
        data = replace_field(data, field, value, dimension)
    fields = decode(data)
    check(fields)
    assert (fields.rank, fields.global_dim, fields.box_dim) == (rank, (20,) * rank, (16,) * rank)
    assert fields.swizzle == fields.interleave == fields.oob_fill == "NONE"
    assert decode(fields.encode()) == fields


@pytest.mark.parametrize("wrong", [None, 3, "x", [[1]], object()])
def test_what_is_no_array_or_no_box(wrong: Any) -> None:
    array = np.zeros((4, 16), np.float32)
    with pytest.raises(weft.WeftError, match="has no dtype and shape"):
        weft.TensorMap(wrong, box=(1,))
    with pytest.raises(weft.WeftError):
        weft.TensorMap(array, box=wrong)
    with pytest.raises(weft.WeftError):
        weft.TensorMap.encode_im2col(array, wrong, wrong, 8, 8)
    with pytest.raises(weft.WeftError):
        weft.TensorMap.encode_tiled(array, "FLOAT32", wrong, (64,), (16, 4))


def test_the_driver_numbers_types_from_zero() -> None:
    """`CUtensorMapDataType`: each number is one type's, and no other is any's."""
    numbers = [of_driver(number) for number in range(len(DRIVER_TYPES))]
    assert [DATA_TYPES[number].name for number in numbers] == list(DRIVER_TYPES)
    for wrong in (-1, len(DRIVER_TYPES)):
        with pytest.raises(TensorMapError, match=f"unknown data type {wrong}"):
            of_driver(wrong)


@pytest.mark.parametrize(
    ("field", "last"),
    [
        ("rank", 4),
        ("elemtype", 15),
        ("interleave_layout", 2),
        ("swizzle_mode", 4),
        ("swizzle_atomicity", 3),
        ("fill_mode", 1),
        ("box_dim", 256),
        ("element_stride", 8),
        ("global_dim", (1 << 32) - 1),
        ("global_stride", (1 << 40) - 1),
        ("global_address", (1 << 64) - 1),
    ],
)
def test_values_of_fields_that_are_replaced(field: str, last: int) -> None:
    """The manual's numbers of settings, and what fits the fields of the map: up to the last, in any dimension."""
    blank = bytes(SIZE)
    several = field in ("box_dim", "element_stride", "global_dim", "global_stride")
    for dimension in range(4) if several else (0,):
        changed = replace_field(replace_field(blank, "rank", 4), field, last, dimension)
        fields = decode(replace_field(changed, "swizzle_mode", 3) if field == "swizzle_atomicity" else changed)
        found = {
            "rank": fields.rank - 1,
            "elemtype": fields.data_type,
            "interleave_layout": INTERLEAVES.index(fields.interleave),
            "swizzle_mode": SWIZZLE_MODES.index(fields.swizzle) if field == "swizzle_mode" else 0,
            "swizzle_atomicity": SWIZZLES.index(fields.swizzle) - SWIZZLES.index("96B"),
            "fill_mode": FILLS.index(fields.oob_fill),
            "box_dim": fields.box_dim,
            "element_stride": fields.element_strides,
            "global_dim": fields.global_dim,
            "global_stride": fields.global_strides,
            "global_address": fields.global_address,
        }[field]
        assert found == (
            tuple(last * (n == dimension) for n in range(len(found))) if isinstance(found, tuple) else last
        )
        if last < (1 << 32) - 1 or field == "global_stride":
            with pytest.raises(TensorMapError) as caught:
                replace_field(blank, field, last + 1, dimension)
            assert caught.value.message == f"{last + 1} does not fit the field {field} of a tensor map"
