"""Memory of the device and of the host."""

from __future__ import annotations

import ctypes

import numpy as np

from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE, NOT_SUPPORTED
from weft.gpu.driver.table import call
from weft.gpu.foreign import bytes_at

_INT, _UINT = ctypes.c_int, ctypes.c_uint


@call("cuMemAlloc_v2", "p p")
def alloc(driver: Driver, out: int, size: int) -> int:
    """Give memory of the device."""
    if not size:
        return INVALID_VALUE
    put(out, driver.device.alloc(size).address)
    return 0


@call("cuMemAllocAsync", "p p p")
def _alloc_async(driver: Driver, out: int, size: int, stream: int) -> int:
    return alloc(driver, out, size)


@call("cuMemAllocPitch_v2", "p p p p u")
def alloc_pitch(driver: Driver, out: int, pitch: int, width: int, height: int, element: int) -> int:
    """Give rows that start at multiples of 512 bytes."""
    row = -(-width // 512) * 512
    put(pitch, row)
    return alloc(driver, out, row * height)


@call("cuMemAllocManaged", "p p u")
def managed(driver: Driver, out: int, size: int, flags: int) -> int:
    """Give memory that the host may use, too."""
    status = alloc(driver, out, size)
    if not status:  # The host may write to it at any time.
        driver.device.memory.mark(ctypes.c_uint64.from_address(out).value, size)
    return status


@call("cuMemHostAlloc", "p p u")
def _host_alloc(driver: Driver, out: int, size: int, flags: int) -> int:
    return managed(driver, out, size, flags)


@call("cuMemAllocHost_v2", "p p")
def _alloc_host(driver: Driver, out: int, size: int) -> int:
    return managed(driver, out, size, 0)


@call("cuMemHostGetDevicePointer_v2", "p p u")
def _device_pointer(driver: Driver, out: int, pointer: int, flags: int) -> int:
    put(out, pointer)
    return 0 if driver.device.memory.find(pointer) else INVALID_VALUE


@call("cuMemHostGetFlags", "p p")
def _host_flags(driver: Driver, out: int, pointer: int) -> None:
    put(out, 0, _UINT)


@call("cuMemHostRegister_v2", "p p u")
def _register(driver: Driver, pointer: int, size: int, flags: int) -> int:
    """Pages are locked, which nobody can see; kernels that are to see the memory would need its address."""
    return NOT_SUPPORTED if flags & 2 else 0


@call("cuMemHostUnregister", "p")
def _unregister(driver: Driver, pointer: int) -> None:
    """They are unlocked."""


@call("cuMemFree_v2 cuMemFreeHost", "p")
def free(driver: Driver, pointer: int) -> int:
    """Give memory back."""
    if pointer:
        driver.device.free(pointer)
    return driver.take_pending()


@call("cuMemFreeAsync", "p p")
def _free_async(driver: Driver, pointer: int, stream: int) -> int:
    return free(driver, pointer)


@call("cuMemGetInfo_v2", "p p")
def info(driver: Driver, free: int, total: int) -> None:
    """Say how much memory is free, and how much there is."""
    memory = driver.device.memory
    put(total, memory.size)
    put(free, memory.size - memory.used)


@call("cuMemGetAddressRange_v2", "p p p")
def _range(driver: Driver, base: int, size: int, pointer: int) -> int:
    found = driver.device.memory.find(pointer)
    if found is None:
        return 500
    put(base, found.address)
    put(size, found.size)
    return 0


# -- copies ---------------------------------------------------------------------------------------------------


def move(driver: Driver, to: int, source: int, size: int, what: str = "copy") -> int:
    """Copy bytes between two places, each of which may be the host's or the device's."""
    pending = driver.take_pending()
    if pending or not size:
        return pending
    memory = driver.device.memory
    start, end = memory.holds(source), memory.holds(to)
    if start and end:
        driver.device.copy(to, source, size)
        return 0
    origin = memory.span(source, size, f"{what}: source") if start else bytes_at(source, size)
    target = memory.span(to, size, f"{what}: destination") if end else bytes_at(to, size)
    target[:] = origin
    if end:
        memory.mark(to, size)
    return 0


@call("cuMemcpy cuMemcpyHtoD_v2 cuMemcpyDtoH_v2 cuMemcpyDtoD_v2", "p p p")
def _copy(driver: Driver, to: int, source: int, size: int) -> int:
    return move(driver, to, source, size)


@call("cuMemcpyAsync cuMemcpyHtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoDAsync_v2", "p p p p")
def _copy_async(driver: Driver, to: int, source: int, size: int, stream: int) -> int:
    return move(driver, to, source, size)


@call("cuMemcpyPeer", "p p p p p")
def _copy_peer(driver: Driver, to: int, context: int, source: int, other: int, size: int) -> int:
    return move(driver, to, source, size)


class _Copy2D(ctypes.Structure):
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


_HOST_MEMORY, _ARRAY = 1, 3


def _side(copy: _Copy2D, side: str) -> tuple[int, int]:
    """The address of the first byte of a side, and the bytes from row to row."""
    kind = getattr(copy, f"{side}_type")
    base = int(getattr(copy, f"{side}_host" if kind == _HOST_MEMORY else f"{side}_device"))
    pitch = int(getattr(copy, f"{side}_pitch")) or int(copy.width)
    return base + int(getattr(copy, f"{side}_y")) * pitch + int(getattr(copy, f"{side}_x")), pitch


@call("cuMemcpy2D_v2 cuMemcpy2DUnaligned_v2", "p")
def _copy_rows(driver: Driver, parameters: int) -> int:
    copy = _Copy2D.from_address(parameters)
    if _ARRAY in (copy.source_type, copy.to_type):
        return NOT_SUPPORTED
    (source, source_pitch), (to, to_pitch) = _side(copy, "source"), _side(copy, "to")
    for row in range(int(copy.height)):
        status = move(driver, to + row * to_pitch, source + row * source_pitch, int(copy.width), f"copy of row {row}")
        if status:
            return status
    return 0


@call("cuMemcpy2DAsync_v2", "p p")
def _copy_rows_async(driver: Driver, parameters: int, stream: int) -> int:
    return _copy_rows(driver, parameters)


# -- filling --------------------------------------------------------------------------------------------------


def _fill(driver: Driver, to: int, value: int, count: int, width: int) -> int:
    size = count * width
    found = driver.device.memory.span(to, size, "memset")
    if size:
        found[:] = np.frombuffer((value & ((1 << 8 * width) - 1)).to_bytes(width, "little") * count, np.uint8)
    driver.device.memory.mark(to, size)
    return 0


@call("cuMemsetD8_v2", "p u p")
def _set8(driver: Driver, to: int, value: int, count: int) -> int:
    driver.device.memset(to, value, count)
    return 0


@call("cuMemsetD8Async", "p u p p")
def _set8_async(driver: Driver, to: int, value: int, count: int, stream: int) -> int:
    return _set8(driver, to, value, count)


@call("cuMemsetD16_v2 cuMemsetD16Async", "p u p")
def _set16(driver: Driver, to: int, value: int, count: int) -> int:
    return _fill(driver, to, value, count, 2)


@call("cuMemsetD32_v2 cuMemsetD32Async", "p u p")
def _set32(driver: Driver, to: int, value: int, count: int) -> int:
    return _fill(driver, to, value, count, 4)


@call("cuMemsetD2D8_v2 cuMemsetD2D8Async", "p p u p p")
def _set_rows8(driver: Driver, to: int, pitch: int, value: int, width: int, height: int) -> None:
    for row in range(height):
        _fill(driver, to + row * pitch, value, width, 1)


@call("cuMemsetD2D32_v2 cuMemsetD2D32Async", "p p u p p")
def _set_rows32(driver: Driver, to: int, pitch: int, value: int, width: int, height: int) -> None:
    for row in range(height):
        _fill(driver, to + row * pitch, value, width, 4)


# -- what pointers are ----------------------------------------------------------------------------------------


def _attribute(driver: Driver, out: int, which: int, pointer: int) -> int:
    found = driver.device.memory.find(pointer)
    if found is None:
        return INVALID_VALUE
    if which in (1, 9):  # CONTEXT, and DEVICE_ORDINAL below.
        put(out, driver.primary_handle if which == 1 else 0, ctypes.c_uint64 if which == 1 else _INT)
    elif which == 2:
        put(out, 2, _UINT)  # CU_MEMORYTYPE_DEVICE
    elif which in (3, 4):
        put(out, pointer)
    elif which == 7:
        put(out, found.number)
    elif which == 8:
        put(out, 0, _UINT)
    elif which in (11, 12):
        put(out, found.address if which == 11 else found.size)
    else:
        put(out, 0, _UINT)
    return 0


@call("cuPointerGetAttribute", "p i p")
def _pointer_attribute(driver: Driver, out: int, which: int, pointer: int) -> int:
    return _attribute(driver, out, which, pointer)


@call("cuPointerGetAttributes", "u p p p")
def _pointer_attributes(driver: Driver, count: int, which: int, out: int, pointer: int) -> None:
    for number in range(count):
        place = ctypes.c_uint64.from_address(out + 8 * number).value
        kind = ctypes.c_int.from_address(which + 4 * number).value
        if _attribute(driver, place, kind, pointer):
            put(place, 0, _UINT)


@call("cuPointerSetAttribute", "p i p")
def _set_pointer_attribute(driver: Driver, value: int, which: int, pointer: int) -> None:
    """SYNC_MEMOPS is what there is to set, and everything is in order."""


@call("cuMemPrefetchAsync", "p p i p")
def _prefetch(driver: Driver, pointer: int, size: int, device: int, stream: int) -> None:
    """Managed memory is where it is used already."""


@call("cuMemPrefetchAsync_v2", "p p p u p")
def _prefetch_two(driver: Driver, pointer: int, size: int, location: int, flags: int, stream: int) -> None:
    """Managed memory is where it is used already."""


@call("cuMemAdvise", "p p i i")
def _advise(driver: Driver, pointer: int, size: int, advice: int, device: int) -> None:
    """Advice changes nothing here."""


@call("cuMemAdvise_v2", "p p i p")
def _advise_two(driver: Driver, pointer: int, size: int, advice: int, location: int) -> None:
    """Advice changes nothing here."""
