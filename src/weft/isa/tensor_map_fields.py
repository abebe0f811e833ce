"""What a tensor map says, and the 128 bytes that say it."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import cast

from weft.dataclass import dataclass
from weft.isa.tensor_map_words import (
    ATOMICITIES,
    DATA_TYPES,
    FILLS,
    INTERLEAVES,
    MAX_RANK,
    MODES,
    PROMOTIONS,
    SIZE,
    SWIZZLE_MODES,
    SWIZZLES,
    DataType,
    Interleave,
    L2Promotion,
    Mode,
    OobFill,
    Swizzle,
    TensorMapError,
)


@dataclass(frozen=True, slots=True)
class Fields:
    """What a tensor map says; the innermost dimension first.

    `data_type` is a number of `DATA_TYPES`.  `global_strides` has one element fewer than `global_dim`.  The pixel box
    corners (W, H, D), `channels_per_pixel` and `pixels_per_column` belong to im2col, `box_dim` to tiled maps.
    """

    data_type: int = 0
    global_address: int = 0
    global_dim: tuple[int, ...] = ()
    global_strides: tuple[int, ...] = ()
    box_dim: tuple[int, ...] = ()
    element_strides: tuple[int, ...] = ()
    interleave: Interleave = "NONE"
    swizzle: Swizzle = "NONE"
    oob_fill: OobFill = "NONE"
    l2_promotion: L2Promotion = "NONE"
    mode: Mode = "tiled"
    pixel_box_lower_corner: tuple[int, ...] = ()
    pixel_box_upper_corner: tuple[int, ...] = ()
    channels_per_pixel: int = 0
    pixels_per_column: int = 0

    @property
    def rank(self) -> int:
        """Dimensions of the tensor."""
        return len(self.global_dim)

    @property
    def element(self) -> DataType:
        """The type of the elements."""
        return DATA_TYPES[self.data_type]

    @property
    def inner_bytes(self) -> int:
        """Bytes of a row of the box in global memory."""
        elements = self.box_dim[0] if self.mode == "tiled" else self.channels_per_pixel
        return elements * self.element.bits // 8

    def at(self, address: int) -> Fields:
        """The same tensor at another address."""
        return replace(self, global_address=address)

    def encode(self) -> bytes:
        """The 128 bytes."""
        pad = [0] * MAX_RANK
        swizzle = SWIZZLES.index(self.swizzle)
        words = struct.pack(
            _LAYOUT,
            _MAGIC,
            MODES.index(self.mode),
            self.data_type,
            max(0, self.rank - 1),
            INTERLEAVES.index(self.interleave),
            swizzle if swizzle < len(SWIZZLE_MODES) else SWIZZLE_MODES.index("128B"),
            max(0, swizzle - len(SWIZZLE_MODES) + 1),
            FILLS.index(self.oob_fill),
            PROMOTIONS.index(self.l2_promotion),
            self.global_address,
            *(*self.global_dim, *pad)[:MAX_RANK],
            *(*self.global_strides, *pad)[: MAX_RANK - 1],
            *(*self.box_dim, *pad)[:MAX_RANK],
            *(*self.element_strides, *pad)[:MAX_RANK],
            *(*self.pixel_box_lower_corner, *pad)[:3],
            *(*self.pixel_box_upper_corner, *pad)[:3],
            self.channels_per_pixel,
            self.pixels_per_column,
        )
        return words.ljust(SIZE, b"\0")


_MAGIC = b"weft.tm\x01"
_LAYOUT = "<8s8BQ5Q4Q5H5B6h2H"
_BLANK = bytes(SIZE)
_FIELDS_AT = {"global_address": 16, "global_dim": 24, "global_stride": 64, "box_dim": 96, "element_stride": 106}
_SETTINGS_AT = {"elemtype": 9, "rank": 10, "interleave_layout": 11, "swizzle_mode": 12, "swizzle_atomicity": 13,
                "fill_mode": 14}  # fmt: skip
_FORMATS = {"global_address": "<Q", "global_dim": "<Q", "global_stride": "<Q", "box_dim": "<H", "element_stride": "<B"}
_LIMITS = {
    "global_stride": 1 << 40,
    "box_dim": 257,
    "element_stride": 9,
    "rank": MAX_RANK,
    "elemtype": len(DATA_TYPES),
    "interleave_layout": len(INTERLEAVES),
    "swizzle_mode": len(SWIZZLE_MODES),
    "swizzle_atomicity": len(ATOMICITIES),
    "fill_mode": len(FILLS),
}


def decode(data: bytes) -> Fields:
    """What 128 bytes say.

    Raises `TensorMapError` for bytes that `Fields.encode` (and `replace_field`) did not make.
    """
    if data[:8] != _MAGIC:
        blank = "they are all zero" if data == _BLANK else "they come from another encoder or were overwritten"
        raise TensorMapError(
            f"the 128 bytes are not a tensor map encoded by weft: {blank}",
            hint="pass weft.TensorMap(array, box=...) as the argument; the driver's encoding is not documented",
        )
    mode, data_type, last, interleave, swizzle, atom, fill, l2, address, *rest = struct.unpack_from(_LAYOUT, data)[1:]
    rank = last + 1  # Zero-based, as `tensormap.replace` gives it: blank maps are of one dimension.
    dims, strides, box, steps = rest[:5], rest[5:9], rest[9:14], rest[14:19]
    spatial = max(0, rank - 2) if mode else 0
    corners = spatial if MODES[mode] == "im2col" else min(1, spatial)
    pattern = SWIZZLE_MODES[swizzle]
    return Fields(
        data_type,
        address,
        tuple(dims[:rank]),
        tuple(strides[: max(0, rank - 1)]),
        tuple(box[:rank]) if mode == 0 else (),
        tuple(steps[:rank]),
        INTERLEAVES[interleave],
        cast("Swizzle", f"128B_{ATOMICITIES[atom]}") if atom and pattern == "128B" else pattern,
        FILLS[fill],
        PROMOTIONS[l2],
        MODES[mode],
        tuple(rest[19 : 19 + corners]),
        tuple(rest[22 : 22 + corners]),
        rest[25],
        rest[26],
    )


def replace_field(data: bytes, field: str, value: int, dimension: int = 0) -> bytes:
    """The bytes with one field changed as `tensormap.replace.tile` does; a blank map (all zeros) may be filled in.

    `rank` is given less one; settings (`elemtype`, `swizzle_mode`, ...) are the PTX manual's numbers.

    Raises `TensorMapError` for bytes that are no tensor map and for values out of range.
    """
    if data == _BLANK:
        data = Fields().encode()
    elif data[:8] != _MAGIC:
        decode(data)
    if value >= _LIMITS.get(field, 1 << 64):
        raise TensorMapError(f"{value} does not fit the field {field} of a tensor map")
    changed = bytearray(data)
    if field in _SETTINGS_AT:
        changed[_SETTINGS_AT[field]] = value
    else:
        form = _FORMATS[field]
        struct.pack_into(form, changed, _FIELDS_AT[field] + dimension * struct.calcsize(form), value)
    return bytes(changed)
