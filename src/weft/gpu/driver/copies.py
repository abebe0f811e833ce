"""Copies of boxes: rows and planes of memory, and parts of arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

from weft.dataclass import dataclass
from weft.gpu.driver import memory
from weft.gpu.driver.arrays import CudaArray
from weft.gpu.driver.places import data_at, object_at
from weft.gpu.driver.state import Driver
from weft.gpu.driver.status import INVALID_VALUE
from weft.gpu.driver.table import call
from weft.gpu.driver.work import MEMCPY, submit
from weft.gpu.foreign import host_bytes
from weft.sim.lanes import Array

_UINT = ctypes.c_uint


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a copy of a box: an array, or memory with bytes from row to row and rows from plane to plane."""

    array: CudaArray | None
    address: int
    pitch: int
    height: int
    x: int
    y: int
    z: int


def _rows(driver: Driver, side: Side, extents: tuple[int, int, int], what: str) -> Iterator[Array]:
    """The rows of a side, which may be written to; `x` and the width are bytes."""
    width, height, depth = extents
    if side.array is not None:
        yield from side.array.rows(side.x, side.y, side.z, width, height, depth)
        return
    pitch, plane = side.pitch or width, (side.pitch or width) * (side.height or height)
    device = driver.device.memory

    def row(z: int, y: int) -> Array:
        address = side.address + z * plane + y * pitch + side.x
        return device.span(address, width, what) if device.holds(address) else host_bytes(address, width, what)

    row(side.z + depth - 1, side.y + height - 1)  # Where the last one is there, there are not too many.
    for z in range(side.z, side.z + depth):
        for y in range(side.y, side.y + height):
            yield row(z, y)


def copy_box(driver: Driver, to: Side, source: Side, extents: tuple[int, int, int]) -> int:
    """Copy a box of so many bytes by rows by planes."""
    pending = driver.take_pending()
    width, height, depth = extents
    if pending or not (width and height and depth):
        return pending
    if height * depth > 1 and any(side.array is None and 0 < side.pitch < width for side in (to, source)):
        return INVALID_VALUE
    sources, targets = _rows(driver, source, extents, "copy: source"), _rows(driver, to, extents, "copy: destination")
    for target, found in zip(targets, sources, strict=True):
        for row, what, write in ((found, "copy: source", False), (target, "copy: destination", True)):
            driver.device.accesses(int(row.__array_interface__["data"][0]), width, what, write=write)
        target[:] = found
        if to.array is None:
            driver.device.memory.mark(int(target.__array_interface__["data"][0]), width)
    return 0


def flat_copy(driver: Driver, side: Side, other: int, size: int, *, into: bool) -> int:
    """Copy bytes between memory and an array from a place of it on, row after row."""
    assert side.array is not None
    row = side.array.bytes.shape[2]
    x, y = side.x, side.y
    while size:
        part = min(size, row - x)
        place = next(side.array.rows(x, y, 0, part, 1, 1))
        address = int(place.__array_interface__["data"][0])
        status = memory.move(driver, *((address, other) if into else (other, address)), part)
        if status:
            return status
        size, other, x, y = size - part, other + part, 0, y + 1
    return 0


class Copy2D(ctypes.Structure):
    """`CUDA_MEMCPY2D`."""

    _fields_ = (
        *((name, ctypes.c_size_t) for name in ("source_x", "source_y")),
        *(("source_type", _UINT), ("source_host", ctypes.c_uint64), ("source_device", ctypes.c_uint64)),
        *(("source_array", ctypes.c_uint64), ("source_pitch", ctypes.c_size_t)),
        *((name, ctypes.c_size_t) for name in ("to_x", "to_y")),
        *(("to_type", _UINT), ("to_host", ctypes.c_uint64), ("to_device", ctypes.c_uint64)),
        *(("to_array", ctypes.c_uint64), ("to_pitch", ctypes.c_size_t)),
        *((name, ctypes.c_size_t) for name in ("width", "height")),
    )


class Copy3D(ctypes.Structure):
    """`CUDA_MEMCPY3D`."""

    _fields_ = (
        *((f"source_{name}", ctypes.c_size_t) for name in ("x", "y", "z", "lod")),
        *(("source_type", _UINT), ("source_host", ctypes.c_uint64), ("source_device", ctypes.c_uint64)),
        *(("source_array", ctypes.c_uint64), ("source_context", ctypes.c_uint64)),
        *(("source_pitch", ctypes.c_size_t), ("source_height", ctypes.c_size_t)),
        *((f"to_{name}", ctypes.c_size_t) for name in ("x", "y", "z", "lod")),
        *(("to_type", _UINT), ("to_host", ctypes.c_uint64), ("to_device", ctypes.c_uint64)),
        *(("to_array", ctypes.c_uint64), ("to_context", ctypes.c_uint64)),
        *(("to_pitch", ctypes.c_size_t), ("to_height", ctypes.c_size_t)),
        *((name, ctypes.c_size_t) for name in ("width", "height", "depth")),
    )


_HOST_MEMORY, _ARRAY = 1, 3


def _side(driver: Driver, copy: Copy2D | Copy3D, side: str) -> Side:
    kind = int(getattr(copy, f"{side}_type"))
    array = driver.get(int(getattr(copy, f"{side}_array")), CudaArray) if kind == _ARRAY else None
    address = int(getattr(copy, f"{side}_host" if kind == _HOST_MEMORY else f"{side}_device"))
    x, y, z, height = (int(getattr(copy, f"{side}_{name}", 0)) for name in ("x", "y", "z", "height"))
    return Side(array, address, int(getattr(copy, f"{side}_pitch")), height, x, y, z)


def copy_of(driver: Driver, copy: Copy2D | Copy3D) -> int:
    """Do what a structure of the driver API says."""
    extents = int(copy.width), int(copy.height), int(getattr(copy, "depth", 1))
    return copy_box(driver, _side(driver, copy, "to"), _side(driver, copy, "source"), extents)


def _given(driver: Driver, address: int, stream: int, kind: type[Copy2D] | type[Copy3D]) -> int:
    copy = kind.from_buffer_copy(data_at(address, ctypes.sizeof(kind)))
    return submit(driver, stream, MEMCPY, lambda: copy_of(driver, copy))


@call("cuMemcpy2D_v2 cuMemcpy2DUnaligned_v2", "p")
def _two(driver: Driver, parameters: int) -> int:
    return copy_of(driver, object_at(Copy2D, parameters))


@call("cuMemcpy2DAsync_v2", "p p")
def _two_async(driver: Driver, parameters: int, stream: int) -> int:
    return _given(driver, parameters, stream, Copy2D)


@call("cuMemcpy3D_v2 cuMemcpy3DPeer", "p")
def _three(driver: Driver, parameters: int) -> int:
    return copy_of(driver, object_at(Copy3D, parameters))


@call("cuMemcpy3DAsync_v2 cuMemcpy3DPeerAsync", "p p")
def _three_async(driver: Driver, parameters: int, stream: int) -> int:
    return _given(driver, parameters, stream, Copy3D)


def place_in(driver: Driver, array: int, offset: int) -> Side:
    """The place in an array so many bytes after its start."""
    side = driver.get(array, CudaArray)
    y, x = divmod(offset, side.bytes.shape[2])
    return Side(side, 0, 0, 0, x, y, 0)


def _flat(driver: Driver, array: int, offset: int, other: int, size: int, *, into: bool) -> int:
    return flat_copy(driver, place_in(driver, array, offset), other, size, into=into)


@call("cuMemcpyHtoA_v2 cuMemcpyDtoA_v2", "p p p p")
def _into_array(driver: Driver, array: int, offset: int, source: int, size: int) -> int:
    return _flat(driver, array, offset, source, size, into=True)


@call("cuMemcpyAtoH_v2", "p p p p")
def _from_array(driver: Driver, to: int, array: int, offset: int, size: int) -> int:
    return _flat(driver, array, offset, to, size, into=False)


@call("cuMemcpyAtoD_v2", "p p p p")
def _from_array_to_device(driver: Driver, to: int, array: int, offset: int, size: int) -> int:
    return _flat(driver, array, offset, to, size, into=False)
