"""Tensor maps: the 128-byte objects that tell tensor copies how a tensor lies in memory and which box of it to move.

`TensorMap` is what a program makes, checked as the CUDA driver checks `cuTensorMapEncodeTiled` and its im2col sisters;
`Fields` is what one says, without the memory.  Parameters have the driver's names and order: the innermost dimension
first, dimensions and boxes in elements, strides in bytes.

NVIDIA does not document how the object's bits are laid out.  `Fields.encode` lays them out in its own way and marks
them, so that bytes that another encoder made are recognised and refused.

Sources: CUDA driver API, "Tensor Map Object Management"; PTX manual, "Tensors" and "tensormap.replace".
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from weft.dataclass import dataclass
from weft.errors import WeftError

SIZE = 128
"""Bytes of a tensor map."""
MAX_RANK = 5


class TensorMapError(WeftError):
    """A tensor map that the hardware cannot use."""


@dataclass(frozen=True, slots=True)
class DataType:
    """A type of tensor elements: its name in the driver (less the prefix) and in PTX, and its width.

    Sub-byte types come in groups of 16 elements: `packed` bytes in global memory, `stored` in shared memory.
    """

    name: str
    ptx: str
    bits: int
    kind: Literal["u", "s", "f"]
    packed: int = 0
    stored: int = 0

    @property
    def bytes(self) -> int:
        """Bytes of an element; 1 for those that are smaller."""
        return max(1, self.bits // 8)


DATA_TYPES = (
    DataType("UINT8", "u8", 8, "u"),
    DataType("UINT16", "u16", 16, "u"),
    DataType("UINT32", "u32", 32, "u"),
    DataType("INT32", "s32", 32, "s"),
    DataType("UINT64", "u64", 64, "u"),
    DataType("INT64", "s64", 64, "s"),
    DataType("FLOAT16", "f16", 16, "f"),
    DataType("FLOAT32", "f32", 32, "f"),
    DataType("FLOAT32_FTZ", "f32.ftz", 32, "f"),
    DataType("FLOAT64", "f64", 64, "f"),
    DataType("BFLOAT16", "bf16", 16, "f"),
    DataType("TFLOAT32", "tf32", 32, "f"),
    DataType("TFLOAT32_FTZ", "tf32.ftz", 32, "f"),
    DataType("16U4_ALIGN8B", "b4x16", 4, "u", 8, 8),
    DataType("16U4_ALIGN16B", "b4x16_p64", 4, "u", 8, 16),
    DataType("16U6_ALIGN16B", "b6x16_p32", 6, "u", 12, 16),
)
"""By the numbers that `tensormap.replace.elemtype` takes."""

DRIVER_TYPES = (
    *("UINT8", "UINT16", "UINT32", "INT32", "UINT64", "INT64", "FLOAT16", "FLOAT32", "FLOAT64", "BFLOAT16"),
    *("FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ", "16U4_ALIGN8B", "16U4_ALIGN16B", "16U6_ALIGN16B"),
)
"""By the numbers of CUtensorMapDataType; from 8 on they differ from those of PTX."""

_OF_DTYPE = {
    "uint8": "UINT8",
    "int8": "UINT8",
    "bool": "UINT8",
    "uint16": "UINT16",
    "int16": "UINT16",
    "uint32": "UINT32",
    "int32": "INT32",
    "uint64": "UINT64",
    "int64": "INT64",
    "float16": "FLOAT16",
    "float32": "FLOAT32",
    "float64": "FLOAT64",
    "bfloat16": "BFLOAT16",
    "float8_e4m3fn": "UINT8",
    "float8_e5m2": "UINT8",
    "float8_e8m0fnu": "UINT8",
}

Interleave = Literal["NONE", "16B", "32B"]
Swizzle = Literal["NONE", "32B", "64B", "128B", "96B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"]
OobFill = Literal["NONE", "NAN_REQUEST_ZERO_FMA"]
L2Promotion = Literal["NONE", "L2_64B", "L2_128B", "L2_256B"]
Mode = Literal["tiled", "im2col", "im2col_w"]

INTERLEAVES: tuple[Interleave, ...] = ("NONE", "16B", "32B")
SWIZZLE_MODES: tuple[Swizzle, ...] = ("NONE", "32B", "64B", "128B", "96B")
ATOMICITIES = ("", "ATOM_32B", "ATOM_32B_FLIP_8B", "ATOM_64B")
"""By the numbers that `tensormap.replace` takes; an atomicity makes `128B` one of its three other forms."""
SWIZZLES: tuple[Swizzle, ...] = (*SWIZZLE_MODES, *(cast("Swizzle", f"128B_{atom}") for atom in ATOMICITIES[1:]))
FILLS: tuple[OobFill, ...] = ("NONE", "NAN_REQUEST_ZERO_FMA")
PROMOTIONS: tuple[L2Promotion, ...] = ("NONE", "L2_64B", "L2_128B", "L2_256B")
MODES: tuple[Mode, ...] = ("tiled", "im2col", "im2col_w")

_PATTERNS = {
    "32B": ((4, 7, 1),),
    "64B": ((4, 7, 3),),
    "128B": ((4, 7, 7),),
    "128B_ATOM_32B": ((5, 7, 3),),
    "128B_ATOM_32B_FLIP_8B": ((5, 7, 3), (3, 7, 1)),
    "128B_ATOM_64B": ((6, 7, 1),),
}
"""Which bits of a shared address change: (first bit changed, first bit that changes it, mask)."""


def swizzle_address(address: Any, mode: str) -> Any:
    """A shared address (a number or an array), or what it becomes under a swizzle mode.

    The pattern follows bits 7-9 of the address itself, so that it repeats every 256 to 1024 bytes of shared memory
    wherever the box lies.
    """
    changed = address
    for to, come, mask in _PATTERNS.get(mode, ()):
        changed = changed ^ ((address >> come & mask) << to)
    return changed


def swizzle_span(mode: str) -> int:
    """Bytes of a row of a swizzle pattern; 0 without one."""
    return 0 if mode == "NONE" else int(mode.partition("B")[0])


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

    @property
    def stored_bytes(self) -> int:
        """Bytes of a row of the box in shared memory."""
        element = self.element
        return self.inner_bytes // element.packed * element.stored if element.packed else self.inner_bytes

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
            self.rank,
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
_LAYOUT = "<8s8BQ5I4Q5H5B6h2H"
_BLANK = bytes(SIZE)
_FIELDS_AT = {"global_address": 16, "global_dim": 24, "global_stride": 44, "box_dim": 76, "element_stride": 86}
_SETTINGS_AT = {"elemtype": 9, "rank": 10, "interleave_layout": 11, "swizzle_mode": 12, "swizzle_atomicity": 13,
                "fill_mode": 14}  # fmt: skip
_FORMATS = {"global_address": "<Q", "global_dim": "<I", "global_stride": "<Q", "box_dim": "<H", "element_stride": "<B"}
_LIMITS = {
    "global_dim": 1 << 32,
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
        blank = "they are all zero" if data == _BLANK else "another encoder made them, or they were overwritten"
        raise TensorMapError(
            f"the 128 bytes are not a tensor map of weft: {blank}",
            hint="pass weft.TensorMap(array, box=...) as the argument; the driver's encoding is not documented",
        )
    mode, data_type, rank, interleave, swizzle, atom, fill, l2, address, *rest = struct.unpack_from(_LAYOUT, data)[1:]
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
        changed[_SETTINGS_AT[field]] = value + 1 if field == "rank" else value
    else:
        form = _FORMATS[field]
        struct.pack_into(form, changed, _FIELDS_AT[field] + dimension * struct.calcsize(form), value)
    return bytes(changed)


# -- what is legal ------------------------------------------------------------------------------------------------


def check(fields: Fields) -> None:
    """Raise `TensorMapError` unless the driver would encode the map."""
    _check_shape(fields)
    _check_addresses(fields)
    (_check_box if fields.mode == "tiled" else _check_im2col)(fields)
    _check_swizzle(fields)
    _check_types(fields)


def _refuse(message: str, hint: str = "") -> TensorMapError:
    return TensorMapError(message, hint=hint)


def _check_shape(fields: Fields) -> None:
    least = 1 if fields.mode == "tiled" and fields.interleave == "NONE" else 3
    if not least <= fields.rank <= MAX_RANK:
        why = "im2col maps" if fields.mode != "tiled" else "interleaved tensors" if least == 3 else "tensor maps"
        raise _refuse(f"{why} have {least} to {MAX_RANK} dimensions, not {fields.rank}")
    for name, values, count in (
        ("global_strides", fields.global_strides, fields.rank - 1),
        ("element_strides", fields.element_strides, fields.rank),
    ):
        if len(values) != count:
            raise _refuse(f"{name} has {len(values)} elements, a tensor of rank {fields.rank} needs {count}")
    for number, extent in enumerate(fields.global_dim):
        if not 1 <= extent <= 1 << 31:
            raise _refuse(f"global_dim[{number}] is {extent}: dimensions have 1 to 2**31 elements")
    for number, step in enumerate(fields.element_strides):
        if not 1 <= step <= 8:
            raise _refuse(f"element_strides[{number}] is {step}: the traversal stride is 1 to 8")


def _check_addresses(fields: Fields) -> None:
    padded = fields.element.stored > fields.element.packed
    align = 32 if fields.interleave == "32B" or padded else 16
    if fields.global_address % align:
        raise _refuse(f"global_address {fields.global_address:#x} is not a multiple of {align} bytes")
    for number, stride in enumerate(fields.global_strides):
        if stride % align or not 0 <= stride < 1 << 40:
            raise _refuse(
                f"global_strides[{number}] is {stride}: strides are multiples of {align} bytes below 2**40",
                "pad the rows of the tensor",
            )


def _check_box(fields: Fields) -> None:
    if len(fields.box_dim) != fields.rank:
        raise _refuse(f"box_dim has {len(fields.box_dim)} elements, a tensor of rank {fields.rank} needs {fields.rank}")
    for number, extent in enumerate(fields.box_dim):
        if not 1 <= extent <= 256:
            raise _refuse(f"box_dim[{number}] is {extent}: boxes have 1 to 256 elements along each dimension")
    if fields.interleave == "NONE" and fields.inner_bytes % 16:
        raise _refuse(
            f"a row of the box is {fields.inner_bytes} bytes: box_dim[0] elements of .{fields.element.ptx} must make "
            "a multiple of 16 bytes"
        )


_CORNERS = {3: (-32768, 32767), 4: (-128, 127), 5: (-16, 15)}


def _check_im2col(fields: Fields) -> None:
    wide = fields.mode == "im2col_w"
    spatial = 1 if wide else fields.rank - 2
    low, high = _CORNERS[3 if wide else fields.rank]
    for name in ("pixel_box_lower_corner", "pixel_box_upper_corner"):
        corner: tuple[int, ...] = getattr(fields, name)
        if len(corner) != spatial:
            raise _refuse(f"{name} has {len(corner)} elements, this map needs {spatial}")
        if not all(low <= value <= high for value in corner):
            raise _refuse(f"{name} {corner} is out of range: {low} to {high} for rank {fields.rank}")
    for axis in range(spatial):
        size = fields.global_dim[1 + axis] - 1 + fields.pixel_box_upper_corner[axis]
        if size < fields.pixel_box_lower_corner[axis]:
            raise _refuse(f"the pixel box is empty along {'WHD'[axis]}")
    if not 1 <= fields.channels_per_pixel <= 256:
        raise _refuse(f"channels_per_pixel is {fields.channels_per_pixel}: 1 to 256")
    if not 1 <= fields.pixels_per_column <= 1024:
        raise _refuse(f"pixels_per_column is {fields.pixels_per_column}: 1 to 1024")
    if fields.interleave == "NONE" and fields.inner_bytes % 16:
        raise _refuse(f"a pixel of the box is {fields.inner_bytes} bytes, not a multiple of 16")
    if wide and fields.interleave != "NONE":
        raise _refuse("im2col::w maps are not interleaved")
    if wide and fields.swizzle in ("NONE", "128B_ATOM_32B_FLIP_8B"):
        raise _refuse(f"im2col::w maps need a swizzle mode other than {fields.swizzle}")


def _check_swizzle(fields: Fields) -> None:
    if fields.interleave == "32B" and fields.swizzle != "32B":
        raise _refuse(f"an interleave of 32B needs the swizzle 32B, not {fields.swizzle}")
    span = swizzle_span(fields.swizzle)
    if span and fields.interleave == "NONE" and fields.stored_bytes > span:
        raise _refuse(
            f"a row of the box is {fields.stored_bytes} bytes, more than the {span} of the swizzle {fields.swizzle}",
            f"use boxes of at most {span} bytes along the innermost dimension, and several copies",
        )


def _check_types(fields: Fields) -> None:
    element = fields.element
    if fields.oob_fill != "NONE" and element.kind != "f":
        raise _refuse(f"NaN fills out-of-bound elements of floating-point types only, not of .{element.ptx}")
    if not element.packed:
        return
    multiple = 2 if element.stored == element.packed else 128
    if fields.global_dim[0] % multiple:
        raise _refuse(
            f"global_dim[0] of .{element.ptx} tensors is a multiple of {multiple}, not {fields.global_dim[0]}"
        )
    inner = fields.box_dim[0] if fields.mode == "tiled" else fields.channels_per_pixel
    if multiple == 128:
        if inner != 128:
            raise _refuse(f"boxes of .{element.ptx} have 128 elements along the innermost dimension, not {inner}")
        if fields.swizzle not in ("NONE", "128B", "128B_ATOM_32B", "128B_ATOM_64B"):
            raise _refuse(f".{element.ptx} does not go with the swizzle {fields.swizzle}")
    if element.bits == 6 and fields.interleave != "NONE":
        raise _refuse(f".{element.ptx} tensors are not interleaved")


# -- what programs make -------------------------------------------------------------------------------------------


class TensorMap:
    """A tensor map of an array: a kernel argument for `.param .b8 name[128]`, or for a pointer to one.

    `box` and `element_strides` follow the array's own axes, outermost first: `TensorMap(a, box=(64, 32))` moves 64 rows
    of 32 elements.  `data_type` is the driver's name (`"FLOAT16"`), by default that of the array's dtype; 8-bit floats
    are `UINT8`.  `swizzle` is `"NONE"`, `"32B"`, `"64B"`, `"128B"` or one of the `128B_ATOM_...` forms; `oob_fill`
    `"NONE"` (zeros) or `"NAN_REQUEST_ZERO_FMA"`.

    Raises `TensorMapError` where the driver's encoder would refuse.  `encode_tiled`, `encode_im2col` and
    `encode_im2col_wide` take the driver's own parameters.
    """

    def __init__(
        self,
        array: Any,
        box: int | Sequence[int],
        *,
        data_type: str | None = None,
        element_strides: Sequence[int] | None = None,
        interleave: Interleave = "NONE",
        swizzle: Swizzle = "NONE",
        oob_fill: OobFill = "NONE",
        l2_promotion: L2Promotion = "NONE",
    ) -> None:
        box = (box,) if isinstance(box, int) else tuple(box)
        name = data_type or data_type_of(array)
        dims, strides = _extents(array, name)
        self._set(
            array,
            Fields(
                _number(name),
                0,
                dims,
                strides,
                tuple(int(extent) for extent in reversed(box)),
                tuple(reversed(element_strides)) if element_strides else (1,) * len(dims),
                _one_of(interleave, INTERLEAVES, "interleave"),
                _one_of(swizzle, SWIZZLES, "swizzle"),
                _one_of(oob_fill, FILLS, "oob_fill"),
                _one_of(l2_promotion, PROMOTIONS, "l2_promotion"),
            ),
        )

    def _set(self, array: Any, fields: Fields) -> None:
        check(fields)
        self.array = array
        self.fields = fields

    def __repr__(self) -> str:
        return f"TensorMap({self.fields})"

    def encode(self, address: int) -> bytes:
        """The 128 bytes, for the array's memory at an address."""
        return self.fields.at(address).encode()

    @staticmethod
    def _of(array: Any, fields: Fields) -> TensorMap:
        made = TensorMap.__new__(TensorMap)
        made._set(array, fields)
        return made

    @staticmethod
    def encode_tiled(
        array: Any,
        tensor_data_type: str,
        global_dim: Sequence[int],
        global_strides: Sequence[int],
        box_dim: Sequence[int],
        element_strides: Sequence[int] = (),
        interleave: Interleave = "NONE",
        swizzle: Swizzle = "NONE",
        l2_promotion: L2Promotion = "NONE",
        oob_fill: OobFill = "NONE",
    ) -> TensorMap:
        """`cuTensorMapEncodeTiled`: `array` is the memory, the rest the driver's parameters, innermost first."""
        fields = Fields(
            _number(tensor_data_type),
            0,
            tuple(global_dim),
            tuple(global_strides),
            tuple(box_dim),
            tuple(element_strides) or (1,) * len(global_dim),
            _one_of(interleave, INTERLEAVES, "interleave"),
            _one_of(swizzle, SWIZZLES, "swizzle"),
            _one_of(oob_fill, FILLS, "oob_fill"),
            _one_of(l2_promotion, PROMOTIONS, "l2_promotion"),
        )
        return TensorMap._of(array, fields)

    @staticmethod
    def encode_im2col(
        array: Any,
        pixel_box_lower_corner: Sequence[int],
        pixel_box_upper_corner: Sequence[int],
        channels_per_pixel: int,
        pixels_per_column: int,
        *,
        tensor_data_type: str | None = None,
        element_strides: Sequence[int] = (),
        interleave: Interleave = "NONE",
        swizzle: Swizzle = "NONE",
        l2_promotion: L2Promotion = "NONE",
        oob_fill: OobFill = "NONE",
        mode: Mode = "im2col",
    ) -> TensorMap:
        """`cuTensorMapEncodeIm2col` of an array N[D][H]WC; corners are (W, H, D), `element_strides` (C, W, H, D, N)."""
        name = tensor_data_type or data_type_of(array)
        dims, strides = _extents(array, name)
        fields = Fields(
            _number(name),
            0,
            dims,
            strides,
            (),
            tuple(element_strides) or (1,) * len(dims),
            _one_of(interleave, INTERLEAVES, "interleave"),
            _one_of(swizzle, SWIZZLES, "swizzle"),
            _one_of(oob_fill, FILLS, "oob_fill"),
            _one_of(l2_promotion, PROMOTIONS, "l2_promotion"),
            mode,
            tuple(pixel_box_lower_corner),
            tuple(pixel_box_upper_corner),
            channels_per_pixel,
            pixels_per_column,
        )
        return TensorMap._of(array, fields)

    @staticmethod
    def encode_im2col_wide(
        array: Any,
        pixel_box_lower_corner_width: int,
        pixel_box_upper_corner_width: int,
        channels_per_pixel: int,
        pixels_per_column: int,
        **more: Any,
    ) -> TensorMap:
        """`cuTensorMapEncodeIm2colWide`: the keywords are those of `encode_im2col`."""
        corners = (pixel_box_lower_corner_width,), (pixel_box_upper_corner_width,)
        return TensorMap.encode_im2col(array, *corners, channels_per_pixel, pixels_per_column, mode="im2col_w", **more)


def data_type_of(array: Any) -> str:
    """The driver's name for the dtype of an array."""
    found = _OF_DTYPE.get(str(array.dtype))
    if found is None:
        raise _refuse(
            f"tensor maps have no type for {array.dtype} elements", "say data_type=..., one of " + ", ".join(_NUMBERS)
        )
    return found


def _extents(array: Any, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Dimensions and strides of an array as it lies in device memory: without gaps, the last axis innermost."""
    bits = DATA_TYPES[_number(name)].bits
    shape = [int(extent) for extent in array.shape]
    if not shape:
        raise _refuse("a tensor has at least one dimension")
    row = shape[-1] * int(array.itemsize)
    shape[-1] = row * 8 // bits
    strides = [row]
    for extent in shape[-2:0:-1]:
        strides.append(strides[-1] * extent)
    return tuple(reversed(shape)), tuple(strides[: len(shape) - 1])


_NUMBERS = {data_type.name: number for number, data_type in enumerate(DATA_TYPES)}


def of_driver(number: int) -> int:
    """The number that PTX has for a CUtensorMapDataType.  Raises TensorMapError where there is none."""
    if not 0 <= number < len(DRIVER_TYPES):
        raise _refuse(f"there is no data type {number}")
    return _NUMBERS[DRIVER_TYPES[number]]


def _number(name: str) -> int:
    return _NUMBERS[_one_of(name, tuple(_NUMBERS), "data_type")]


def _one_of(value: Any, known: Sequence[Any], what: str) -> Any:
    if value not in known:
        raise _refuse(f"there is no {what} {value!r}", "one of " + ", ".join(map(str, known)))
    return value
