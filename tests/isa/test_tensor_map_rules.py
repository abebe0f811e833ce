"""Which tensor maps the driver encodes: what `cuda.h` says of the parameters of its three encoders, at every bound."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from weft.isa.tensor_map_checks import check
from weft.isa.tensor_map_fields import Fields, decode
from weft.isa.tensor_map_words import DATA_TYPES, NUMBERS, SWIZZLES, TensorMapError


def _tiled(rank: Any = 4, **more: Any) -> Fields:
    """A tensor of halves, and a box of rows of 32 bytes."""
    sizes = (64, *[8] * (rank - 1))[:rank], (128,) * (rank - 1), (16, *[2] * (rank - 1))[:rank]
    return replace(Fields(NUMBERS["FLOAT16"], 64, *sizes, (1,) * rank), **more)


def _columns(rank: Any = 4, **more: Any) -> Fields:
    """An image of halves."""
    corners = dict.fromkeys(_CORNERS, (0,) * (rank - 2))
    box = {"mode": "im2col", "box_dim": (), "channels_per_pixel": 16, "pixels_per_column": 32}
    return _tiled(rank, **{**box, **corners, **more})


def _wide(rank: Any = 4, **more: Any) -> Fields:
    """The same, of which columns along W only are copied."""
    return _columns(rank, **{"mode": "im2col_w", "swizzle": "64B", **dict.fromkeys(_CORNERS, (0,)), **more})


_CORNERS = ("pixel_box_lower_corner", "pixel_box_upper_corner")
MAKERS = pytest.mark.parametrize("make", [_tiled, _columns, _wide])
ACCEPTED = ("", "")


def _told(fields: Fields) -> tuple[str, str]:
    """What is said of a map, and the hint; nothing where it is encoded, and its bytes say the same."""
    try:
        check(fields)
    except TensorMapError as error:
        return error.message, error.hint
    assert decode(fields.encode()) == fields
    return ACCEPTED


def _refused(fields: Fields, message: str) -> None:
    assert _told(fields)[0] == message, fields


def _accepted(maps: Iterable[Fields]) -> None:
    assert {fields: _told(fields) for fields in maps if _told(fields) != ACCEPTED} == {}


def _placed(values: tuple[int, ...], number: int, value: int) -> tuple[int, ...]:
    return (*values[:number], value, *values[number + 1 :])


def test_ranks_of_tensors() -> None:
    """1 to 5 dimensions; where pixels are copied, or interleaved channels, at least 3."""
    narrow = {"interleave": "32B", "swizzle": "32B"}
    for make, more, what, least in (
        (_tiled, {}, "tensor maps", 1),
        (_tiled, {"interleave": "16B"}, "interleaved tensors", 3),
        (_tiled, narrow, "interleaved tensors", 3),
        (_columns, {}, "im2col maps", 3),
        (_columns, narrow, "im2col maps", 3),
        (_wide, {}, "im2col maps", 3),
    ):
        _accepted(make(rank, **more) for rank in range(least, 6))
        for rank in (least - 1, 6):
            _refused(make(rank, **more), f"{what} have {least} to 5 dimensions, not {rank}")


@MAKERS
def test_lengths_of_the_parameters(make: Any) -> None:
    """One stride of memory for each dimension but the innermost, one step and one extent of the box for each."""
    for name, count in (("global_strides", 3), ("element_strides", 4), *((("box_dim", 4),) if make is _tiled else ())):
        for each in (0, count - 1, count + 1):
            said = f"{name} has {each} elements, a tensor of rank 4 needs {count}"
            _refused(make(**{name: (16,) * each}), said)
    count = {_tiled: 0, _columns: 2, _wide: 1}[make]
    for name in _CORNERS[:count] and _CORNERS:
        for each in (count - 1, count + 1):
            _refused(make(**{name: (0,) * each}), f"{name} has {each} elements, this map needs {count}")


@MAKERS
@pytest.mark.parametrize("number", range(4))
def test_bounds_of_extents_and_steps(make: Any, number: int) -> None:
    """Dimensions have 1 to 2**32 elements, steps are 1 to 8, strides multiples of 16 below 2**40."""
    for name, good, bad, said in (
        ("global_dim", (1, 1 << 31, 1 << 32), (-1, 0, (1 << 32) + 1), "dimensions have 1 to 2**32 elements"),
        ("element_strides", (1, 8), (-1, 0, 9), "the traversal stride is 1 to 8"),
        ("global_strides", (0, 16, 48, (1 << 40) - 16), (-16, 8, 24, 1 << 40), "strides are multiples of 16 bytes below 2**40"),
    ):  # fmt: skip
        values = getattr(make(), name)
        if number < len(values):
            _accepted(make(**{name: _placed(values, number, value)}) for value in good)
            for value in bad:
                _refused(make(**{name: _placed(values, number, value)}), f"{name}[{number}] is {value}: {said}")


@pytest.mark.parametrize(
    ("align", "more"),
    [
        (16, {}),
        (16, {"interleave": "16B"}),
        (16, {"data_type": NUMBERS["16U4_ALIGN8B"], "box_dim": (32, 2, 2, 2)}),
        (32, {"interleave": "32B", "swizzle": "32B"}),
        *((32, {"data_type": NUMBERS[name], "global_dim": (128, 8, 8, 8), "box_dim": (128, 2, 2, 2)})
          for name in ("16U4_ALIGN16B", "16U6_ALIGN16B")),
    ],
)  # fmt: skip
def test_alignment_of_addresses_and_strides(align: int, more: dict[str, Any]) -> None:
    """To 16 bytes; to 32 where channels are interleaved in 32 bytes, and bits have gaps in shared memory."""
    _accepted(_tiled(**more, global_address=value) for value in (0, align, 3 * align))
    _accepted(_tiled(**more, global_strides=(value, 128, 128)) for value in (0, align, 3 * align))
    for value in (align // 2, align + 8):
        _refused(_tiled(**more, global_address=value), f"global_address {value:#x} is not a multiple of {align} bytes")
        said = f"global_strides[0] is {value}: strides are multiples of {align} bytes below 2**40"
        assert _told(_tiled(**more, global_strides=(value, 128, 128))) == (said, "pad the rows of the tensor")


@pytest.mark.parametrize("number", range(4))
def test_bounds_of_boxes(number: int) -> None:
    """1 to 256 elements along each dimension."""
    box = _tiled().box_dim
    _accepted(_tiled(box_dim=_placed(box, number, extent)) for extent in ((8, 256) if number == 0 else (1, 7, 256)))
    for more in ({}, {"interleave": "16B"}):
        for extent in (-1, 0, 257):
            said = f"box_dim[{number}] is {extent}: boxes have 1 to 256 elements along each dimension"
            _refused(_tiled(**more, box_dim=_placed(box, number, extent)), said)


def test_rows_and_pixels_are_whole_chunks() -> None:
    """A multiple of 16 bytes, unless channels are interleaved."""
    for count in (1, 7, 8, 12, 255, 256):
        row, pixel = {"box_dim": (count, 2, 2, 2)}, {"channels_per_pixel": count}
        _accepted([_tiled(**row, interleave="16B"), _columns(**pixel, interleave="16B")])
        if count % 8:
            said = (
                f"a row of the box is {2 * count} bytes: box_dim[0] elements of .f16 must make a multiple of 16 bytes"
            )
            _refused(_tiled(**row), said)
            _refused(_columns(**pixel), f"a pixel of the box is {2 * count} bytes, not a multiple of 16")
        else:
            _accepted([_tiled(**row), _columns(**pixel)])


@pytest.mark.parametrize(("rank", "low", "high"), [(3, -32768, 32767), (4, -128, 127), (5, -16, 15)])
def test_bounds_of_the_corners_of_pixel_boxes(rank: int, low: int, high: int) -> None:
    """The more dimensions there are, the fewer bits has each; along W alone always sixteen."""
    for make, spatial, least, most in ((_columns, rank - 2, low, high), (_wide, 1, -32768, 32767)):
        sizes = {"global_dim": (64, *[1 << 17] * (rank - 2), 8)}
        for name, axis in ((name, axis) for name in _CORNERS for axis in range(spatial)):
            _accepted(make(rank, **sizes, **{name: _placed((0,) * spatial, axis, value)}) for value in (least, most))
            for value in (least - 1, most + 1):
                corner = _placed((0,) * spatial, axis, value)
                said = f"{name} {corner} is out of range: {least} to {most} for rank {rank}"
                _refused(make(rank, **sizes, **{name: corner}), said)


@pytest.mark.parametrize("make", [_columns, _wide])
@pytest.mark.parametrize(("name", "most"), [("channels_per_pixel", 256), ("pixels_per_column", 1024)])
def test_bounds_of_columns(make: Any, name: str, most: int) -> None:
    """Up to 256 channels of up to 1024 pixels, of four bits where a pattern of 128 bytes must hold them."""
    more = {"data_type": NUMBERS["16U4_ALIGN8B"], "channels_per_pixel": 32, "swizzle": "128B"}
    _accepted(make(**more | {name: count}) for count in (32 if name.startswith("channels") else 1, most))
    for count in (-1, 0, most + 1):
        _refused(make(**more | {name: count}), f"{name} is {count}: 1 to {most}")


@pytest.mark.parametrize("low", [0, -2, 3])
@pytest.mark.parametrize(("make", "axis"), [(_columns, 0), (_columns, 1), (_columns, 2), (_wide, 0)])
def test_pixel_boxes_that_are_empty(make: Any, axis: int, low: int) -> None:
    """The corners are offsets from the first pixel and from the last: one pixel is enough, on each axis."""
    size = 4 + axis
    corners = [_placed(make(5).pixel_box_lower_corner, axis, value) for value in (low, low - size + 1, low - size)]
    lower = {"global_dim": _placed((64, 9, 9, 9, 9), 1 + axis, size), _CORNERS[0]: corners[0]}
    _accepted([make(5, **lower, **{_CORNERS[1]: corners[1]})])
    _refused(make(5, **lower, **{_CORNERS[1]: corners[2]}), f"the pixel box is empty along {'WHD'[axis]}")


@pytest.mark.parametrize("swizzle", SWIZZLES)
def test_swizzles_of_each_mode(swizzle: Any) -> None:
    """Of 32 interleaved bytes one, of columns along W three, else any whose span holds a row, if it is not interleaved."""
    said = "" if swizzle == "32B" else f"an interleave of 32B needs the swizzle 32B, not {swizzle}"
    for make in (_tiled, _columns):
        _accepted([make(swizzle=swizzle), make(swizzle=swizzle, interleave="16B")])
        _refused(make(interleave="32B", swizzle=swizzle), said)
    wide = swizzle in ("64B", "128B", "128B_ATOM_32B")
    _refused(_wide(swizzle=swizzle), "" if wide else f"im2col::w maps need a swizzle mode other than {swizzle}")
    for interleave in ("16B", "32B"):
        _refused(_wide(interleave=interleave, swizzle=swizzle), "im2col::w maps are not interleaved")
    span = 512 if swizzle == "NONE" else int(swizzle.partition("B")[0])
    for make in (_tiled, _columns):
        name = "box_dim" if make is _tiled else "channels_per_pixel"
        exact, more = (((count, 2, 2, 2) if make is _tiled else count) for count in (span // 2, span // 2 + 8))
        _accepted([make(**{name: exact}, swizzle=swizzle)])
        if swizzle != "NONE":
            _accepted([make(**{name: more}, swizzle=swizzle, interleave="16B")])
            told = f"a row of the box is {span + 16} bytes, more than the {span} of the swizzle {swizzle}"
            hint = f"use boxes of at most {span} bytes along the innermost dimension, and several copies"
            assert _told(make(**{name: more}, swizzle=swizzle)) == (told, hint)


@pytest.mark.parametrize("type_", DATA_TYPES, ids=lambda type_: type_.name)
def test_what_types_of_elements_allow(type_: Any) -> None:
    """NaN fills floats; elements of less than a byte come in groups, with few swizzles and, six bits wide, alone."""
    padded, alone = "ALIGN16B" in type_.name, type_.bits == 6
    multiple = 128 if padded else 2 if "ALIGN8B" in type_.name else 1
    floats = re.match("B?T?FLOAT", type_.name) is not None
    for make, name in ((_tiled, "box_dim"), (_columns, "channels_per_pixel")):

        def made(inner: int = 128 if padded else 32, make: Any = make, name: str = name, **more: Any) -> Fields:
            sizes = {"data_type": NUMBERS[type_.name], "global_dim": (256, 8, 8, 8)}
            return make(**sizes | {name: (inner, 1, 1, 1) if make is _tiled else inner} | more)

        said = "" if floats else f"NaN fills out-of-bound elements of floating-point types only, not of .{type_.ptx}"
        _refused(made(oob_fill="NAN_REQUEST_ZERO_FMA"), said)
        for extent in (1, 2, 3, 64, 127, 128, 129, 130, 256):
            said = f"global_dim[0] of .{type_.ptx} tensors is a multiple of {multiple}, not {extent}"
            _refused(made(global_dim=(extent, 8, 8, 8)), said if extent % multiple else "")
        _refused(made(interleave="16B"), f".{type_.ptx} tensors are not interleaved" if alone else "")
        if padded:
            for inner in (64, 192, 256):
                said = f"boxes of .{type_.ptx} have 128 elements along the innermost dimension, not {inner}"
                _refused(made(inner), said)
            for swizzle in ("NONE", *(each for each in SWIZZLES if each.startswith("128B"))):
                good = swizzle in ("NONE", "128B", "128B_ATOM_32B", "128B_ATOM_64B" if alone else "")
                said = "" if good else f".{type_.ptx} does not go with the swizzle {swizzle}"
                _refused(made(swizzle=swizzle), said)
