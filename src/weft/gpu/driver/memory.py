"""Memory of the device and of the host."""

from __future__ import annotations

import ctypes

import numpy as np

from weft.gpu.driver.places import object_at, store
from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.state import Driver, Mirror, put
from weft.gpu.driver.status import INVALID_VALUE, Refused
from weft.gpu.driver.table import call
from weft.gpu.driver.work import ALLOC, FREE, MEMCPY, MEMSET, Run, capture_of, stream_of, submit
from weft.gpu.errors import DeviceError
from weft.gpu.foreign import bytes_at, host_bytes

_INT, _UINT = ctypes.c_int, ctypes.c_uint


@call("cuMemAlloc_v2", "p p")
def alloc(driver: Driver, out: int, size: int) -> int:
    """Give memory of the device."""
    if not size or not out:
        return INVALID_VALUE
    found = driver.device.alloc(size).address
    driver.settle(found, driver.number)
    put(out, found)
    return 0


@call("cuMemAllocAsync", "p p p")
def alloc_async(driver: Driver, out: int, size: int, stream: int) -> int:
    """Give memory in the order of a stream; that of a graph's node stays where it is."""
    stream_of(driver, stream)
    if not size or capture_of(driver, stream) is None:
        status = alloc(driver, out, size)
        if driver.devices > 1 and not status:
            driver.pooled[object_at(ctypes.c_uint64, out).value] = driver.pools[driver.number]
        return status
    address, again = graph_memory(driver, size)
    put(out, address)
    return submit(driver, stream, ALLOC, again)


def graph_memory(driver: Driver, size: int) -> tuple[int, Run]:
    """Memory of a graph's node: its address, which is the graph's for ever, and what lets it be there again."""
    memory, found = driver.device.memory, driver.device.alloc(size)
    _of_graphs(driver).add(found.address)

    def again() -> int:
        if found.address not in memory.live:
            memory.place(found.address, size, found.name, kind=found.kind, written=False)
        return 0

    return found.address, again


def _of_graphs(driver: Driver) -> set[int]:
    return driver.keep.setdefault("memory of graphs", set())


@call("cuMemAllocPitch_v2", "p p p p u")
def alloc_pitch(driver: Driver, out: int, pitch: int, width: int, height: int, element: int) -> int:
    """Give rows that start at multiples of 512 bytes."""
    if element not in (4, 8, 16):
        return INVALID_VALUE
    row = -(-width // 512) * 512
    put(pitch, row)
    return alloc(driver, out, row * height)


HOST, MANAGED = "host", "managed"
"""Memory that the host has, too: pinned, or moving to where it is used."""


def shared(driver: Driver, out: int, size: int, kind: str) -> int:
    """Give memory that the host may use, too."""
    status = alloc(driver, out, size)
    if not status:  # The host may write to it at any time.
        address = object_at(ctypes.c_uint64, out).value
        driver.device.memory.mark(address, size)
        driver.device.memory.seen(address)
        driver.kinds[address] = kind
        driver.homes.pop(address, None)
        driver.pooled.pop(address, None)
    return status


@call("cuMemAllocManaged", "p p u")
def managed(driver: Driver, out: int, size: int, flags: int) -> int:
    """Give memory that moves to where it is used; `flags` say who may use it first: everybody, or the host."""
    if flags not in (1, 2):
        return INVALID_VALUE
    return shared(driver, out, size, MANAGED)


@call("cuMemHostAlloc", "p p u")
def host_alloc(driver: Driver, out: int, size: int, flags: int) -> int:
    """Give memory of the host: portable, mapped or written in bursts, which is all the same here."""
    if flags & ~7:
        return INVALID_VALUE
    return shared(driver, out, size, HOST)


@call("cuMemAllocHost_v2", "p p")
def _alloc_host(driver: Driver, out: int, size: int) -> int:
    return shared(driver, out, size, HOST)


@call("cuMemHostGetDevicePointer_v2", "p p u")
def device_pointer(driver: Driver, out: int, pointer: int, flags: int) -> int:
    """Give the address that kernels use for memory of the host."""
    memory = driver.device.memory
    if memory.find(pointer):
        put(out, pointer)
        return 0
    for start, mirror in driver.registered.items():
        if start <= pointer < start + mirror.size:
            if mirror.copy is None:
                mirror.copy = memory.allocate(mirror.size, "registered host memory", kind="own", written=True)
            put(out, mirror.copy.address + pointer - start)
            return 0
    return INVALID_VALUE


@call("cuMemHostGetFlags", "p p")
def _host_flags(driver: Driver, out: int, pointer: int) -> None:
    put(out, 0, _UINT)


@call("cuMemHostRegister_v2", "p p u")
def register(driver: Driver, pointer: int, size: int, flags: int) -> int:
    """Note memory of the host: kernels see a copy of it, which is one with it before and after each launch."""
    if not pointer or not size:
        return INVALID_VALUE
    if any(start < pointer + size and pointer < start + known.size for start, known in driver.registered.items()):
        return 712  # HOST_MEMORY_ALREADY_REGISTERED
    driver.registered[pointer] = Mirror(size)
    return 0


@call("cuMemHostUnregister", "p")
def unregister(driver: Driver, pointer: int) -> int:
    """Forget memory of the host."""
    mirror = driver.registered.pop(pointer, None)
    if mirror is None:
        return 713  # HOST_MEMORY_NOT_REGISTERED
    if mirror.copy is not None:
        driver.device.memory.free(mirror.copy.address)
    return 0


@call("cuMemFreeHost", "p")
def free_host(driver: Driver, pointer: int) -> int:
    """Give memory of the host back."""
    return free(driver, pointer, host=True)


@call("cuMemFree_v2", "p")
def free(driver: Driver, pointer: int, *, host: bool = False) -> int:
    """Give memory back."""
    if pointer:
        if pointer in driver.device.memory.live and (driver.kinds.get(pointer) == HOST) != host:
            whose, rest = ("the device", "") if host else ("the host", "Host")
            raise DeviceError(
                "invalid-pointer", f"free: {pointer:#x} is memory of {whose}; free it with cudaFree{rest}"
            )
        driver.device.synchronize()
        if pointer in _of_graphs(driver):
            driver.device.memory.remove(pointer)
        else:
            driver.device.free(pointer)
        driver.kinds.pop(pointer, None)
    return driver.take_pending()


@call("cuMemFreeAsync", "p p")
def free_async(driver: Driver, pointer: int, stream: int) -> int:
    """Give memory back in the order of a stream: the nodes of a graph use it again with the next launch."""
    stream_of(driver, stream)
    if capture_of(driver, stream) is not None:
        return submit(driver, stream, FREE, lambda: 0, pointer)
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


def move_mirror(driver: Driver, start: int, mirror: Mirror, *, back: bool) -> None:
    """Copy registered memory of the host to the device, or back."""
    assert mirror.copy is not None
    there, here = driver.device.memory.contents(mirror.copy.address, mirror.size), bytes_at(start, mirror.size)
    if back:
        here[:] = there
    else:
        there[:] = here


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
    origin = memory.span(source, size, f"{what}: source") if start else host_bytes(source, size, f"{what}: source")
    target = memory.span(to, size, f"{what}: destination") if end else host_bytes(to, size, f"{what}: destination")
    driver.device.accesses(source, size, f"{what}: source", write=False)
    driver.device.accesses(to, size, f"{what}: destination", write=True)
    target[:] = origin
    if end:
        memory.mark(to, size)
    return 0


@call("cuMemcpy cuMemcpyHtoD_v2 cuMemcpyDtoH_v2 cuMemcpyDtoD_v2", "p p p")
def _copy(driver: Driver, to: int, source: int, size: int) -> int:
    return move(driver, to, source, size)


@call("cuMemcpyAsync cuMemcpyHtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoDAsync_v2", "p p p p")
def copy_async(driver: Driver, to: int, source: int, size: int, stream: int) -> int:
    """Copy in the order of a stream."""
    return submit(driver, stream, MEMCPY, lambda: move(driver, to, source, size))


@call("cuMemcpyPeer", "p p p p p")
def _copy_peer(driver: Driver, to: int, context: int, source: int, other: int, size: int) -> int:
    return move(driver, to, source, size)


@call("cuMemcpyPeerAsync", "p p p p p p")
def _copy_peer_async(driver: Driver, to: int, context: int, source: int, other: int, size: int, stream: int) -> int:
    return copy_async(driver, to, source, size, stream)


# -- filling --------------------------------------------------------------------------------------------------


def fill(driver: Driver, to: int, value: int, count: int, width: int) -> int:
    """Set elements of so many bytes to a value."""
    size = count * width
    if to % width:
        raise DeviceError("invalid-value", f"memset of elements of {width} bytes at {to:#x}")
    found = driver.device.memory.span(to, size, "memset")
    driver.device.accesses(to, size, "memset", write=True)
    if size:
        found[:] = np.frombuffer((value & ((1 << 8 * width) - 1)).to_bytes(width, "little") * count, np.uint8)
    driver.device.memory.mark(to, size)
    return 0


def fill_rows(driver: Driver, to: int, pitch: int, value: int, width: int, height: int, element: int = 1) -> int:
    """Set elements of rows that are `pitch` bytes apart."""
    if width * element > pitch and height > 1:
        return INVALID_VALUE
    if not width or not height:
        return 0
    driver.device.memory.span(to, pitch * (height - 1) + width * element, "memset")
    for row in range(height):
        fill(driver, to + row * pitch, value, width, element)
    return 0


def _filling(name: str, element: int) -> None:
    """The four functions that set elements of a size."""

    @call(f"cuMemset{name}_v2", "p u p")
    def now(driver: Driver, to: int, value: int, count: int) -> int:
        return fill(driver, to, value, count, element)

    @call(f"cuMemset{name}Async", "p u p p")
    def later(driver: Driver, to: int, value: int, count: int, stream: int) -> int:
        return submit(driver, stream, MEMSET, lambda: fill(driver, to, value, count, element))

    @call(f"cuMemsetD2{name}_v2", "p p u p p")
    def rows(driver: Driver, to: int, pitch: int, value: int, width: int, height: int) -> int:
        return fill_rows(driver, to, pitch, value, width, height, element)

    @call(f"cuMemsetD2{name}Async", "p p u p p p")
    def rows_later(driver: Driver, to: int, pitch: int, value: int, width: int, height: int, stream: int) -> int:
        return submit(driver, stream, MEMSET, lambda: fill_rows(driver, to, pitch, value, width, height, element))

    _ = now, later, rows, rows_later


for _name, _element in (("D8", 1), ("D16", 2), ("D32", 4)):
    _filling(_name, _element)


# -- what pointers are ----------------------------------------------------------------------------------------


def _attribute(driver: Driver, out: int, which: int, pointer: int) -> int:
    found = driver.device.memory.find(pointer)
    if found is None:
        return INVALID_VALUE
    if which in (1, 9):  # CONTEXT, and DEVICE_ORDINAL below.
        home = driver.homes.get(found.address, driver.number)
        put(out, driver.primaries[home] if which == 1 else home, ctypes.c_uint64 if which == 1 else _INT)
    elif which == 2:
        put(out, 1 if driver.kinds.get(found.address) == HOST else 2, _UINT)  # CU_MEMORYTYPE_HOST, _DEVICE
    elif which in (3, 4):
        put(out, pointer)
    elif which == 7:
        put(out, found.number)
    elif which == 8:
        put(out, int(driver.kinds.get(found.address) == MANAGED), _UINT)
    elif which in (11, 12):
        put(out, found.address if which == 11 else found.size)
    elif 1 <= which <= _POINTER_ATTRIBUTES:
        put(out, 0, _UINT)
    else:
        return INVALID_VALUE
    return 0


_POINTER_ATTRIBUTES = 22
"""The last number in `CUpointer_attribute`."""


@call("cuPointerGetAttribute", "p i p")
def _pointer_attribute(driver: Driver, out: int, which: int, pointer: int) -> int:
    return _attribute(driver, out, which, pointer)


@call("cuPointerGetAttributes", "u p p p")
def _pointer_attributes(driver: Driver, count: int, which: int, out: int, pointer: int) -> None:
    if count > _POINTER_ATTRIBUTES:
        raise Refused(INVALID_VALUE, f"{count} attributes")
    for number in range(count):
        place = object_at(ctypes.c_uint64, out + 8 * number).value
        kind = object_at(ctypes.c_int, which + 4 * number).value
        if _attribute(driver, place, kind, pointer):
            put(place, 0, _UINT)


@call("cuPointerSetAttribute", "p i p")
def _set_pointer_attribute(driver: Driver, value: int, which: int, pointer: int) -> None:
    """SYNC_MEMOPS is what there is to set, and everything is in order."""


def moved(driver: Driver, pointer: int, size: int, device: int | None, stream: int = 0) -> None:
    """Check a hint where managed memory is going to be used, which is where it lies already.

    Raises:
        Refused: there is no such device or stream.
        DeviceError: the memory is not managed.
    """
    if device is not None:
        driver.checked(device)
    stream_of(driver, stream)
    found = driver.device.memory.span(pointer, size, "a hint about managed memory")
    if found.size and driver.kinds.get(_start(driver, pointer)) != MANAGED:
        raise DeviceError("invalid-pointer", f"{pointer:#x} is not managed memory")


def _start(driver: Driver, pointer: int) -> int:
    found = driver.device.memory.find(pointer)
    return pointer if found is None else found.address


def place_of(location: int) -> int | None:
    """The device of a `CUmemLocation`, as it is passed by value: its kind, and a number."""
    return location >> 32 if location & 0xFFFF_FFFF == 1 else None


@call("cuMemPrefetchAsync", "p p i p")
def _prefetch(driver: Driver, pointer: int, size: int, device: int, stream: int) -> None:
    moved(driver, pointer, size, None if device == _HOST_NUMBER else device, stream)


@call("cuMemPrefetchAsync_v2", "p p p u p")
def prefetch(driver: Driver, pointer: int, size: int, location: int, flags: int, stream: int) -> None:
    """Check that managed memory may go somewhere."""
    moved(driver, pointer, size, place_of(location), stream)


@call("cuMemAdvise", "p p i i")
def _advise(driver: Driver, pointer: int, size: int, advice: int, device: int) -> None:
    moved(driver, pointer, size, None if device == _HOST_NUMBER or advice in _ANYWHERE else device)


@call("cuMemAdvise_v2", "p p i p")
def advise(driver: Driver, pointer: int, size: int, advice: int, location: int) -> None:
    """Check advice, which changes nothing here."""
    moved(driver, pointer, size, None if advice in _ANYWHERE else place_of(location))


_HOST_NUMBER = -1
"""`CU_DEVICE_CPU`."""
_ANYWHERE = (1, 2, 4)
"""Advice that ignores where: to copy what is only read or not to, and to have no preferred location."""


@call("cuMemRangeGetAttribute", "p p i p p")
def range_attribute(driver: Driver, out: int, size: int, which: int, pointer: int, count: int) -> None:
    """Advice is not kept: all attributes of ranges are 0."""
    driver.device.memory.span(pointer, count, "the range of an attribute")
    if not size or size % 4 or size > _DEVICES_OF_RANGES:
        raise Refused(INVALID_VALUE, f"room for {size} bytes")
    store(out, bytes(size))


@both("MemRangeGetAttributes", "p p p p p p")
def _range_attributes(driver: Driver, out: int, sizes: int, which: int, number: int, pointer: int, count: int) -> None:
    if not 0 < number < _ATTRIBUTES:
        raise Refused(INVALID_VALUE, f"{number} attributes")
    for at in range(0, 8 * number, 8):
        place, size = (object_at(ctypes.c_uint64, row + at).value for row in (out, sizes))
        range_attribute(driver, place, size, 0, pointer, count)


_DEVICES_OF_RANGES, _ATTRIBUTES = 4 << 8, 1 << 8
"""The most bytes of one attribute, and the most attributes that one call asks for."""
