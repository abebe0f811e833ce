"""Tensor maps: the driver's encoders, whose 128 bytes only this device reads."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from weft.gpu.driver.places import data_at, object_at, store
from weft.gpu.driver.state import Driver
from weft.gpu.driver.table import call
from weft.isa.tensor_map_checks import check
from weft.isa.tensor_map_fields import Fields, replace_field
from weft.isa.tensor_map_words import (
    DRIVER_SWIZZLES,
    FILLS,
    INTERLEAVES,
    PROMOTIONS,
    SIZE,
    Mode,
    TensorMapError,
    of_driver,
)

_RANKS = 5


def _row(address: int, count: int, kind: Any) -> tuple[int, ...]:
    if count > 0 and not address:
        raise TensorMapError("an array of numbers is missing")
    if count > _RANKS:
        raise TensorMapError(f"a tensor of {count} dimensions")
    return tuple(object_at((kind * count), address)) if count > 0 else ()


def _chosen(names: Sequence[Any], number: int, what: str) -> Any:
    if not 0 <= number < len(names):
        raise TensorMapError(f"unknown {what} {number}")
    return names[number]


def _encode(out: int, shape: Sequence[int], settings: Sequence[int], **box: Any) -> None:
    """Write a map: `shape` is type, rank, address, extents and strides, `settings` the driver's four last arguments."""
    kind, rank, address, extents, strides = shape
    if not 1 <= rank <= _RANKS:
        raise TensorMapError(f"a tensor of {rank} dimensions")
    if not address:
        raise TensorMapError("a tensor at a null address")
    interleave, swizzle, promotion, fill = settings
    fields = Fields(
        of_driver(kind),
        address,
        _row(extents, rank, ctypes.c_uint64),
        _row(strides, rank - 1, ctypes.c_uint64),
        _row(box.get("box", 0), rank if "box" in box else 0, ctypes.c_uint),
        _row(box["steps"], rank, ctypes.c_uint),
        _chosen(INTERLEAVES, interleave, "interleave"),
        _chosen(DRIVER_SWIZZLES, swizzle, "swizzle"),
        _chosen(FILLS, fill, "oob_fill"),
        _chosen(PROMOTIONS, promotion, "l2_promotion"),
        *box.get("im2col", ()),
    )
    check(fields)
    store(out, fields.encode())


@call("cuTensorMapEncodeTiled", "p i u p p p p p i i i i")
def _tiled(driver: Driver, out: int, *rest: int) -> None:
    _encode(out, rest[:5], rest[7:], box=rest[5], steps=rest[6])


@call("cuTensorMapEncodeIm2col", "p i u p p p p p u u p i i i i")
def _im2col(driver: Driver, out: int, *rest: int) -> None:
    lower, upper, channels, pixels, steps = rest[5:10]
    corners = (_row(corner, rest[1] - 2, ctypes.c_int) for corner in (lower, upper))
    mode: Mode = "im2col"
    _encode(out, rest[:5], rest[10:], steps=steps, im2col=(mode, *corners, channels, pixels))


@call("cuTensorMapEncodeIm2colWide", "p i u p p p i i u u p i i i i i")
def _im2col_wide(driver: Driver, out: int, *rest: int) -> None:
    lower, upper, channels, pixels, steps, interleave, mode, *settings = rest[5:]
    if mode:
        raise TensorMapError("the im2col mode W128 is not supported")
    name: Mode = "im2col_w"
    box = (name, (lower,), (upper,), channels, pixels)
    _encode(out, rest[:5], (interleave, *settings), steps=steps, im2col=box)


@call("cuTensorMapReplaceAddress", "p p")
def _replace(driver: Driver, map_: int, address: int) -> None:
    found = replace_field(data_at(map_, SIZE), "global_address", address)
    store(map_, found)
