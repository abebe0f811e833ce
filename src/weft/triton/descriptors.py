"""Tensor descriptors that the host makes: what Triton asks the CUDA driver to encode, as maps of the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from weft.dataclass import dataclass
from weft.isa.tensor_map_checks import check
from weft.isa.tensor_map_fields import Fields
from weft.isa.tensor_map_words import DATA_TYPES, SWIZZLES
from weft.triton.seam import decompose_descriptor
from weft.triton.storage import Storage, storage_of

_NUMBERS = {type_.name: number for number, type_ in enumerate(DATA_TYPES)}
_TF32 = _NUMBERS["TFLOAT32"]


@dataclass(frozen=True, slots=True)
class MapArgument:
    """A tensor map whose address is that of host memory; `storage` is the memory, where it is known."""

    fields: Fields
    storage: Storage | None = None


def tiled(
    address: int,
    swizzle: int,
    element_size: int,
    data_type: int,
    block: Sequence[int],
    shape: Sequence[int],
    strides: Sequence[int],
    padding: int,
) -> Fields:
    """What `cuTensorMapEncodeTiled` is asked for; `data_type` is a number of PTX, extents have the outermost first.

    Raises `TensorMapError` where the driver would refuse.
    """
    box = tuple(int(extent) for extent in reversed(block))
    common = _common(address, swizzle, element_size, data_type, shape, strides, padding)
    fields = replace(common, box_dim=box, element_strides=(1,) * len(shape))
    check(fields)
    return fields


def im2col(
    address: int,
    swizzle: int,
    element_size: int,
    data_type: int,
    block: Sequence[int],
    shape: Sequence[int],
    strides: Sequence[int],
    padding: int,
    lower: Sequence[int],
    upper: Sequence[int],
    steps: Sequence[int],
) -> Fields:
    """What `cuTensorMapEncodeIm2col` is asked for; `block` is pixels and channels.

    Raises `TensorMapError` where the driver would refuse.
    """
    fields = replace(
        _common(address, swizzle, element_size, data_type, shape, strides, padding),
        element_strides=tuple(int(step) for step in reversed(steps)),
        mode="im2col",
        pixel_box_lower_corner=tuple(int(corner) for corner in reversed(lower)),
        pixel_box_upper_corner=tuple(int(corner) for corner in reversed(upper)),
        channels_per_pixel=int(block[1]),
        pixels_per_column=int(block[0]),
    )
    check(fields)
    return fields


def _common(
    address: int,
    swizzle: int,
    element_size: int,
    data_type: int,
    shape: Sequence[int],
    strides: Sequence[int],
    padding: int,
) -> Fields:
    """What both kinds of maps say of the tensor; the box is missing."""
    return Fields(
        data_type,
        address,
        tuple(int(extent) for extent in reversed(shape)),
        tuple(int(step) * element_size for step in reversed(strides[:-1])),
        (),
        (),
        swizzle=SWIZZLES[swizzle],
        oob_fill="NAN_REQUEST_ZERO_FMA" if padding else "NONE",
        l2_promotion="L2_128B",
    )


def expanded(descriptor: Any, metadata: dict[str, Any] | None, _: object) -> list[Any]:
    """A descriptor as the arguments that the kernel takes for it: its map or its pointer, shapes and strides."""
    if metadata is None:
        return list(decompose_descriptor(descriptor))
    shape, strides = list(descriptor.shape), list(descriptor.strides)
    storage = storage_of(descriptor.base)
    address = descriptor.base.data_ptr()
    data_type = _TF32 if descriptor.round_f32_to_tf32 else int(metadata["elem_type"])
    extents = [*shape[:-1], shape[-1] * 2] if metadata["fp4_padded"] else shape
    common = address, metadata["swizzle"], metadata["elem_size"], data_type, metadata["block_size"], extents, strides
    padding = int(descriptor.padding == "nan")
    if metadata.get("is_im2col", False):
        steps = descriptor.element_strides or [1] * len(shape)
        corners = descriptor.pixel_box_lower_corner, descriptor.pixel_box_upper_corner
        fields = im2col(*common, padding, *corners, steps)
    else:
        fields = tiled(*common, padding)
    return [MapArgument(fields, storage), *shape, *strides]
