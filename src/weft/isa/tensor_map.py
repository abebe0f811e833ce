"""Tensor maps: the 128-byte objects that tell tensor copies how a tensor lies in memory and which box of it to move.

`TensorMap` is what a program makes, checked as the CUDA driver checks `cuTensorMapEncodeTiled` and its im2col sisters;
`Fields` is what one says, without the memory.  Parameters have the driver's names and order: the innermost dimension
first, dimensions and boxes in elements, strides in bytes.

NVIDIA does not document how the object's bits are laid out.  `Fields.encode` lays them out in its own way and marks
them, so that bytes that another encoder made are recognised and refused.

Sources: CUDA driver API, "Tensor Map Object Management"; PTX manual, "Tensors" and "tensormap.replace".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.checked import checked
from weft.isa.tensor_map_checks import check
from weft.isa.tensor_map_fields import Fields
from weft.isa.tensor_map_words import (
    DATA_TYPES,
    FILLS,
    INTERLEAVES,
    NUMBERS,
    OF_DTYPE,
    PROMOTIONS,
    SWIZZLES,
    Interleave,
    L2Promotion,
    Mode,
    OobFill,
    Swizzle,
    number_of,
    one_of,
    refused,
)


class TensorMap:
    """A tensor map of an array: a kernel argument for `.param .b8 name[128]`, or for a pointer to one.

    `encode_tiled`, `encode_im2col` and `encode_im2col_wide` take the parameters of the CUDA driver instead.

    Args:
        array: the tensor, a NumPy or device array.
        box: extents of the copied box in elements, in the order of the array's axes: `TensorMap(a, box=(64, 32))`
            copies 64 rows of 32 elements.
        element_strides: distance of the copied elements along each axis, in the same order.
        data_type: the driver's name of the element type, such as `"FLOAT16"`; by default that of the array's dtype.
            8-bit floats are `"UINT8"`.
        swizzle: `"NONE"`, `"32B"`, `"64B"`, `"128B"` or one of the `128B_ATOM_...` modes.
        oob_fill: `"NONE"` fills out-of-bounds elements with zeros, `"NAN_REQUEST_ZERO_FMA"` with NaNs.

    Raises:
        TensorMapError: the driver's encoder would reject the parameters.
    """

    @checked
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
                number_of(name),
                0,
                dims,
                strides,
                tuple(int(extent) for extent in reversed(box)),
                tuple(reversed(element_strides)) if element_strides else (1,) * len(dims),
                one_of(interleave, INTERLEAVES, "interleave"),
                one_of(swizzle, SWIZZLES, "swizzle"),
                one_of(oob_fill, FILLS, "oob_fill"),
                one_of(l2_promotion, PROMOTIONS, "l2_promotion"),
            ),
        )

    def _set(self, array: Any, fields: Fields) -> None:
        _check_array(array)
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
    @checked
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
            number_of(tensor_data_type),
            0,
            tuple(global_dim),
            tuple(global_strides),
            tuple(box_dim),
            tuple(element_strides) or (1,) * len(global_dim),
            one_of(interleave, INTERLEAVES, "interleave"),
            one_of(swizzle, SWIZZLES, "swizzle"),
            one_of(oob_fill, FILLS, "oob_fill"),
            one_of(l2_promotion, PROMOTIONS, "l2_promotion"),
        )
        return TensorMap._of(array, fields)

    @staticmethod
    @checked
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
            number_of(name),
            0,
            dims,
            strides,
            (),
            tuple(element_strides) or (1,) * len(dims),
            one_of(interleave, INTERLEAVES, "interleave"),
            one_of(swizzle, SWIZZLES, "swizzle"),
            one_of(oob_fill, FILLS, "oob_fill"),
            one_of(l2_promotion, PROMOTIONS, "l2_promotion"),
            mode,
            tuple(pixel_box_lower_corner),
            tuple(pixel_box_upper_corner),
            channels_per_pixel,
            pixels_per_column,
        )
        return TensorMap._of(array, fields)

    @staticmethod
    @checked
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


def _check_array(array: Any) -> None:
    """Raise `TensorMapError` for what has not the dtype and shape of an array."""
    if not all(hasattr(array, name) for name in ("dtype", "shape", "itemsize")):
        raise refused(f"a tensor map is of an array: {type(array).__name__} has no dtype and shape")


def data_type_of(array: Any) -> str:
    """The driver's name for the dtype of an array."""
    _check_array(array)
    found = OF_DTYPE.get(str(array.dtype))
    if found is None:
        raise refused(
            f"tensor maps have no type for {array.dtype} elements", "give data_type=..., one of " + ", ".join(NUMBERS)
        )
    return found


def _extents(array: Any, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Dimensions and strides of an array as it lies in device memory: without gaps, the last axis innermost."""
    _check_array(array)
    bits = DATA_TYPES[number_of(name)].bits
    shape = [int(extent) for extent in array.shape]
    if not shape:
        raise refused("a tensor must have at least one dimension")
    row = shape[-1] * int(array.itemsize)
    shape[-1] = row * 8 // bits
    strides = [row]
    for extent in shape[-2:0:-1]:
        strides.append(strides[-1] * extent)
    return tuple(reversed(shape)), tuple(strides[: len(shape) - 1])
