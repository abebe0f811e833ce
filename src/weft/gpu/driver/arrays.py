"""CUDA arrays: images of up to three axes that only textures, surfaces and copies see."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np

from weft.dataclass import dataclass
from weft.gpu.driver.places import object_at
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE, Refused
from weft.gpu.driver.table import call
from weft.sim.lanes import Array

_UINT = ctypes.c_uint
LAYERED, SURFACE, CUBE = 1, 2, 4
"""Flags of arrays, the same in both APIs."""
FORMATS: dict[int, str] = {1: "u1", 2: "u2", 3: "u4", 8: "i1", 9: "i2", 10: "i4", 16: "f2", 32: "f4"}
"""`CUarray_format` to NumPy's name of the type."""


@dataclass(slots=True, eq=False)
class CudaArray:
    """An array: what it was made with, and its texels as planes by rows by columns by bytes."""

    format: int
    channels: int
    extents: tuple[int, int, int]
    flags: int
    bytes: Array

    @property
    def element(self) -> int:
        """Bytes of a texel."""
        return np.dtype(FORMATS[self.format]).itemsize * self.channels

    def texels(self) -> Array:
        """The texels by the axes that the array has, as `weft.sim.textures` takes them; they share its memory."""
        width, height, depth = self.extents
        shape = [extent for extent in (depth, height) if extent] + [width]
        last = [self.channels] if self.channels > 1 else []
        return self.bytes.view(FORMATS[self.format]).reshape(*shape, *last)

    def rows(self, x: int, y: int, z: int, width: int, height: int, depth: int) -> Iterator[Array]:
        """The bytes of each row of a part; `x` and `width` are bytes.  Raises Refused where it is not inside."""
        planes, rows, row = self.bytes.shape
        if x + width > row or y + height > rows or z + depth > planes:
            raise Refused(INVALID_VALUE, f"a part of {width} bytes x {height} x {depth} at {x}, {y}, {z} of the array")
        for plane in range(z, z + depth):
            for line in range(y, y + height):
                yield self.bytes[plane, line, x : x + width]


@dataclass(slots=True, eq=False)
class Mipmapped:
    """Arrays of decreasing extents."""

    levels: list[CudaArray]


def made(extents: tuple[int, int, int], format_: int, channels: int, flags: int) -> CudaArray:
    """A new array.  Raises Refused for what no array can be."""
    width, height, depth = extents
    if format_ not in FORMATS or channels not in (1, 2, 4) or not width:
        raise Refused(INVALID_VALUE, f"an array of format {format_} with {channels} channels, {width} texels wide")
    size = np.dtype(FORMATS[format_]).itemsize * channels
    texels = np.zeros((max(depth, 1), max(height, 1), width * size), np.uint8)
    return CudaArray(format_, channels, extents, flags, texels)


def levels_of(extents: tuple[int, int, int], format_: int, channels: int, flags: int, count: int) -> Mipmapped:
    """A new array with mip levels."""
    layered = flags & (LAYERED | CUBE)
    levels: list[CudaArray] = []
    for level in range(max(count, 1)):
        width, height, depth = (max(extent >> level, 1) if extent else 0 for extent in extents)
        levels.append(made((width, height, extents[2] if layered else depth), format_, channels, flags))
    return Mipmapped(levels)


def _shape(address: int, *, three: bool) -> tuple[tuple[int, int, int], int, int, int]:
    words = object_at((ctypes.c_uint64 * (3 if three else 2)), address)
    extents = (words[0], words[1], words[2] if three else 0)
    rest = object_at((_UINT * 3), address + (24 if three else 16))
    return extents, rest[0], rest[1], rest[2] if three else 0


@call("cuArrayCreate_v2", "p p")
def _create(driver: Driver, out: int, shape: int) -> None:
    put(out, driver.add(made(*_shape(shape, three=False))))


@call("cuArray3DCreate_v2", "p p")
def _create_three(driver: Driver, out: int, shape: int) -> None:
    put(out, driver.add(made(*_shape(shape, three=True))))


@call("cuArrayDestroy", "p")
def destroy(driver: Driver, array: int) -> None:
    """Give an array back."""
    driver.drop(array, CudaArray)


def _describe(out: int, array: CudaArray, *, three: bool) -> None:
    extents = array.extents if three else array.extents[:2]
    for number, extent in enumerate(extents):
        put(out + 8 * number, extent)
    rest = (array.format, array.channels, array.flags) if three else (array.format, array.channels)
    for number, value in enumerate(rest):
        put(out + 8 * len(extents) + 4 * number, value, _UINT)


@call("cuArrayGetDescriptor_v2", "p p")
def _descriptor(driver: Driver, out: int, array: int) -> None:
    _describe(out, driver.get(array, CudaArray), three=False)


@call("cuArray3DGetDescriptor_v2", "p p")
def _descriptor_three(driver: Driver, out: int, array: int) -> None:
    _describe(out, driver.get(array, CudaArray), three=True)


@call("cuMipmappedArrayCreate", "p p u")
def _create_levels(driver: Driver, out: int, shape: int, count: int) -> None:
    put(out, driver.add(levels_of(*_shape(shape, three=True), count)))


@call("cuMipmappedArrayGetLevel", "p p u")
def level_of(driver: Driver, out: int, array: int, level: int) -> int:
    """Give a level of an array with mip levels."""
    levels = driver.get(array, Mipmapped).levels
    if level >= len(levels):
        return INVALID_VALUE
    key = f"level {array} {level}"
    handle = driver.keep.get(key)
    if handle is None:
        handle = driver.keep[key] = driver.add(levels[level])
    put(out, handle)
    return 0


@call("cuMipmappedArrayDestroy", "p")
def destroy_levels(driver: Driver, array: int) -> None:
    """Give an array with mip levels back."""
    driver.drop(array, Mipmapped)
