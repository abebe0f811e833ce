"""The driver's encoders of tensor maps, by the numbers in CUDA's header."""

from __future__ import annotations

import random
import re
import struct
from pathlib import Path
from typing import Any

import pytest

from tests.gpu.calls import INVALID_VALUE, OK, Program, Words
from weft.isa.tensor_map_fields import decode
from weft.isa.tensor_map_words import DATA_TYPES
from weft.toolchain.find import Tool

ADDRESS = 0x7F00_0000_0000


@pytest.fixture
def cu() -> Program:
    return Program()


@pytest.fixture(scope="module")
def names(nvcc: Tool) -> dict[str, list[str]]:
    """The enumerators of each enumeration in their order, without what all of them begin with."""
    text = (Path(nvcc.path).resolve().parents[1] / "include" / "cuda.h").read_text(encoding="utf-8", errors="replace")
    found: dict[str, list[str]] = {}
    for name, prefix in (
        *(("DataType", "DATA_TYPE"), ("Interleave", "INTERLEAVE"), ("Swizzle", "SWIZZLE")),
        *(("L2promotion", "L2_PROMOTION"), ("FloatOOBfill", "FLOAT_OOB_FILL")),
    ):
        body = re.findall(rf"typedef enum CUtensorMap{name}_enum \{{(.*?)\}}", text, re.DOTALL)[0]
        found[name] = re.findall(rf"CU_TENSOR_MAP_{prefix}_(\w+)", body)
    return found


def packed(form: str, values: list[int]) -> Words:
    return Words.of(struct.pack(f"<{len(values)}{form}", *values))


class Given:
    """The arguments of an encoder, right unless something is said."""

    def __init__(self, kind: int = 7, rank: int = 3, **changed: Any) -> None:
        self.kind, self.rank, self.address = kind, rank, ADDRESS
        self.extents, self.strides = [64, 32, 16, 8, 4][:rank], [256, 8192, 1 << 17, 1 << 20][: rank - 1]
        self.box, self.steps = [4, 2, 3, 1, 2][:rank], [1, 2, 8, 1, 3][:rank]
        self.lower, self.upper = [-1, -2, -3][: max(rank - 2, 0)], [1, 2, 3][: max(rank - 2, 0)]
        self.channels, self.pixels = 4, 8
        self.interleave = self.swizzle = self.promotion = self.fill = self.mode = 0
        vars(self).update(changed)

    def encoded(self, cu: Program, name: str) -> tuple[int, Words]:
        """The status, and the map."""
        out = Words(136)
        tensor = (self.kind, self.rank, self.address, packed("Q", self.extents), packed("Q", self.strides))
        settings = (self.interleave, self.swizzle, self.promotion, self.fill)
        steps = packed("I", self.steps)
        if name == "Tiled":
            words = (*tensor, packed("I", self.box), steps, *settings)
        elif name == "Im2col":
            corners = packed("i", self.lower), packed("i", self.upper)
            words = (*tensor, *corners, self.channels, self.pixels, steps, *settings)
        else:
            corners = self.lower[0], self.upper[0]
            words = (*tensor, *corners, self.channels, self.pixels, steps, settings[0], self.mode, *settings[1:])
        status = cu(f"cuTensorMapEncode{name}", out, *words)
        assert (out.bytes[0 if status else 128 :] == 0xA5).all()
        return status, out

    def fields(self, cu: Program, name: str) -> Any:
        status, out = self.encoded(cu, name)
        assert status == OK, vars(self)
        return decode(bytes(out.bytes[:128]))


@pytest.mark.parametrize("rank", range(1, 6))
def test_tiled_maps_say_what_they_are_given(cu: Program, rank: int) -> None:
    given = Given(rank=rank)
    found = given.fields(cu, "Tiled")
    assert (found.global_address, found.mode, DATA_TYPES[found.data_type].name) == (ADDRESS, "tiled", "FLOAT32")
    assert [list(row) for row in (found.global_dim, found.global_strides, found.box_dim, found.element_strides)] == [
        *(given.extents, given.strides, given.box, given.steps)
    ]


@pytest.mark.parametrize("rank", range(3, 6))
def test_maps_of_pixels_say_what_they_are_given(cu: Program, rank: int) -> None:
    for name, mode in (("Im2col", "im2col"), ("Im2colWide", "im2col_w")):
        given = Given(rank=rank, swizzle=3, channels=8, pixels=5)
        found = given.fields(cu, name)
        corners = (given.lower, given.upper) if name == "Im2col" else (given.lower[:1], given.upper[:1])
        assert [list(found.pixel_box_lower_corner), list(found.pixel_box_upper_corner)] == list(corners)
        assert (found.mode, found.channels_per_pixel, found.pixels_per_column) == (mode, 8, 5)
        assert [list(row) for row in (found.global_dim, found.global_strides, found.element_strides)] == [
            *(given.extents, given.strides, given.steps)
        ]
        assert found.swizzle == "128B" and not found.box_dim


def test_settings_have_the_numbers_of_the_header(cu: Program, names: dict[str, list[str]]) -> None:
    """One after the last is none."""
    for number, name in enumerate(names["DataType"]):
        box = 16 if number < 13 else 128
        found = Given(kind=number, box=[box, 1, 1], extents=[128, 1, 1], address=ADDRESS).fields(cu, "Tiled")
        assert DATA_TYPES[found.data_type].name == name
    for number, name in enumerate(names["Interleave"]):
        assert Given(interleave=number, swizzle=number // 2).fields(cu, "Tiled").interleave == name
    for number, name in enumerate(names["Swizzle"]):
        assert Given(swizzle=number).fields(cu, "Tiled").swizzle == name
    for number, name in enumerate(names["L2promotion"]):
        assert Given(promotion=number).fields(cu, "Tiled").l2_promotion == name
    for number, name in enumerate(names["FloatOOBfill"]):
        assert Given(fill=number).fields(cu, "Tiled").oob_fill == name
    for what, listed in zip(("kind", "interleave", "swizzle", "promotion", "fill"), names.values(), strict=True):
        for wrong in (-1, len(listed)):
            for name in ("Tiled", "Im2col", "Im2colWide"):
                assert Given(**{what: wrong}).encoded(cu, name)[0] == INVALID_VALUE, (what, wrong)


def test_what_is_no_tensor(cu: Program) -> None:
    for changed in (
        {"rank": 0},
        {"rank": 6},
        {"rank": 7},
        {"rank": 0xFFFF_FFFF},
        {"address": 0},
        {"address": ADDRESS + 8},
    ):
        for name in ("Tiled", "Im2col"):
            given = Given(extents=[64] * 8, strides=[256] * 8, box=[4] * 8, steps=[1] * 8, lower=[0] * 8, upper=[0] * 8)
            vars(given).update(changed)
            assert given.encoded(cu, name)[0] == INVALID_VALUE, changed
    for rank, name, status in ((2, "Im2col", INVALID_VALUE), (1, "Im2col", INVALID_VALUE), (1, "Tiled", OK)):
        assert Given(rank=rank).encoded(cu, name)[0] == status
    assert Given(swizzle=3, mode=1).encoded(cu, "Im2colWide")[0] == INVALID_VALUE
    assert Given(swizzle=0).encoded(cu, "Im2colWide")[0] == INVALID_VALUE
    whole = [
        7,
        3,
        ADDRESS,
        packed("Q", [64, 32, 16]),
        packed("Q", [256, 8192]),
        packed("I", [4, 2, 3]),
        packed("I", [1] * 3),
    ]
    assert cu("cuTensorMapEncodeTiled", Words(128), *whole, 0, 0, 0, 0) == OK
    for missing in (3, 4, 5, 6):
        words = [0 if at == missing else word for at, word in enumerate(whole)]
        assert cu("cuTensorMapEncodeTiled", Words(128), *words, 0, 0, 0, 0) == INVALID_VALUE, missing
    assert cu("cuTensorMapEncodeTiled", 0, *whole, 0, 0, 0, 0) == INVALID_VALUE


def test_addresses_are_replaced(cu: Program) -> None:
    """Nothing else is."""
    random_ = random.Random(1)
    for name in ("Tiled", "Im2col"):
        out, other = (Given(address=ADDRESS + 16 * random_.randrange(1 << 20)).encoded(cu, name)[1] for _ in range(2))
        address = decode(bytes(other.bytes[:128])).global_address
        assert (out.bytes != other.bytes).any()
        assert cu("cuTensorMapReplaceAddress", out, address) == OK
        assert (out.bytes == other.bytes).all()
    assert cu("cuTensorMapReplaceAddress", Words(128), ADDRESS) == INVALID_VALUE
