"""What the driver refuses to encode as a tensor map."""

from __future__ import annotations

from weft.isa.tensor_map_fields import Fields
from weft.isa.tensor_map_words import MAX_RANK, refused, swizzle_span


def check(fields: Fields) -> None:
    """Raise `TensorMapError` unless the driver would encode the map."""
    _check_shape(fields)
    _check_addresses(fields)
    (_check_box if fields.mode == "tiled" else _check_im2col)(fields)
    _check_swizzle(fields)
    _check_types(fields)


def _check_shape(fields: Fields) -> None:
    least = 1 if fields.mode == "tiled" and fields.interleave == "NONE" else 3
    if not least <= fields.rank <= MAX_RANK:
        why = "im2col maps" if fields.mode != "tiled" else "interleaved tensors" if least == 3 else "tensor maps"
        raise refused(f"{why} have {least} to {MAX_RANK} dimensions, not {fields.rank}")
    for name, values, count in (
        ("global_strides", fields.global_strides, fields.rank - 1),
        ("element_strides", fields.element_strides, fields.rank),
    ):
        if len(values) != count:
            raise refused(f"{name} has {len(values)} elements, a tensor of rank {fields.rank} needs {count}")
    for number, extent in enumerate(fields.global_dim):
        if not 1 <= extent <= 1 << 32:
            raise refused(f"global_dim[{number}] is {extent}: dimensions have 1 to 2**32 elements")
    for number, step in enumerate(fields.element_strides):
        if not 1 <= step <= 8:
            raise refused(f"element_strides[{number}] is {step}: the traversal stride is 1 to 8")


def _check_addresses(fields: Fields) -> None:
    padded = fields.element.stored > fields.element.packed
    align = 32 if fields.interleave == "32B" or padded else 16
    if fields.global_address % align:
        raise refused(f"global_address {fields.global_address:#x} is not a multiple of {align} bytes")
    for number, stride in enumerate(fields.global_strides):
        if stride % align or not 0 <= stride < 1 << 40:
            raise refused(
                f"global_strides[{number}] is {stride}: strides are multiples of {align} bytes below 2**40",
                "pad the rows of the tensor",
            )


def _check_box(fields: Fields) -> None:
    if len(fields.box_dim) != fields.rank:
        raise refused(f"box_dim has {len(fields.box_dim)} elements, a tensor of rank {fields.rank} needs {fields.rank}")
    for number, extent in enumerate(fields.box_dim):
        if not 1 <= extent <= 256:
            raise refused(f"box_dim[{number}] is {extent}: boxes have 1 to 256 elements along each dimension")
    if fields.interleave == "NONE" and fields.inner_bytes % 16:
        raise refused(
            f"a row of the box is {fields.inner_bytes} bytes: box_dim[0] elements of .{fields.element.ptx} must make "
            "a multiple of 16 bytes"
        )


_WIDE_SWIZZLES = ("64B", "128B", "128B_ATOM_32B")
_CORNERS = {3: (-32768, 32767), 4: (-128, 127), 5: (-16, 15)}


def _check_im2col(fields: Fields) -> None:
    wide = fields.mode == "im2col_w"
    spatial = 1 if wide else fields.rank - 2
    low, high = _CORNERS[3 if wide else fields.rank]
    for name in ("pixel_box_lower_corner", "pixel_box_upper_corner"):
        corner: tuple[int, ...] = getattr(fields, name)
        if len(corner) != spatial:
            raise refused(f"{name} has {len(corner)} elements, this map needs {spatial}")
        if not all(low <= value <= high for value in corner):
            raise refused(f"{name} {corner} is out of range: {low} to {high} for rank {fields.rank}")
    for axis in range(spatial):
        size = fields.global_dim[1 + axis] - 1 + fields.pixel_box_upper_corner[axis]
        if size < fields.pixel_box_lower_corner[axis]:
            raise refused(f"the pixel box is empty along {'WHD'[axis]}")
    if not 1 <= fields.channels_per_pixel <= 256:
        raise refused(f"channels_per_pixel is {fields.channels_per_pixel}: 1 to 256")
    if not 1 <= fields.pixels_per_column <= 1024:
        raise refused(f"pixels_per_column is {fields.pixels_per_column}: 1 to 1024")
    if fields.interleave == "NONE" and fields.inner_bytes % 16:
        raise refused(f"a pixel of the box is {fields.inner_bytes} bytes, not a multiple of 16")
    if wide and fields.interleave != "NONE":
        raise refused("im2col::w maps are not interleaved")
    if wide and fields.swizzle not in _WIDE_SWIZZLES:
        raise refused(f"im2col::w maps need a swizzle mode other than {fields.swizzle}")


def _check_swizzle(fields: Fields) -> None:
    if fields.interleave == "32B" and fields.swizzle != "32B":
        raise refused(f"an interleave of 32B needs the swizzle 32B, not {fields.swizzle}")
    span = swizzle_span(fields.swizzle)
    if span and fields.interleave == "NONE" and fields.inner_bytes > span:
        raise refused(
            f"a row of the box is {fields.inner_bytes} bytes, more than the {span} of the swizzle {fields.swizzle}",
            f"use boxes of at most {span} bytes along the innermost dimension, and several copies",
        )


def _check_types(fields: Fields) -> None:
    element = fields.element
    if fields.oob_fill != "NONE" and element.kind != "f":
        raise refused(f"NaN fills out-of-bound elements of floating-point types only, not of .{element.ptx}")
    if not element.packed:
        return
    multiple = 2 if element.stored == element.packed else 128
    if fields.global_dim[0] % multiple:
        raise refused(
            f"global_dim[0] of .{element.ptx} tensors is a multiple of {multiple}, not {fields.global_dim[0]}"
        )
    inner = fields.box_dim[0] if fields.mode == "tiled" else fields.channels_per_pixel
    if multiple == 128:
        if inner != 128:
            raise refused(f"boxes of .{element.ptx} have 128 elements along the innermost dimension, not {inner}")
        allowed = ("NONE", "128B", "128B_ATOM_32B", *(("128B_ATOM_64B",) if element.bits == 6 else ()))
        if fields.swizzle not in allowed:
            raise refused(f".{element.ptx} does not go with the swizzle {fields.swizzle}")
    if element.bits == 6 and fields.interleave != "NONE":
        raise refused(f".{element.ptx} tensors are not interleaved")
