"""Memory, in the runtime's words."""

from __future__ import annotations

import ctypes

from weft.gpu.driver import memory
from weft.gpu.driver.places import object_at
from weft.gpu.driver.pools import alloc_from
from weft.gpu.driver.runtime_table import INVALID_PITCH, PROGRAM, RUNTIME, call
from weft.gpu.driver.runtime_types import PointerAttributes
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE
from weft.gpu.driver.table import CALLS, Call
from weft.gpu.driver.work import MEMCPY, MEMSET, submit
from weft.gpu.errors import DeviceError

_UINT = ctypes.c_uint


@call("cudaMalloc", "p p")
def _malloc(driver: Driver, out: int, size: int) -> int:
    if not size:
        put(out, 0)
        return driver.take_pending()
    return driver.take_pending() or memory.alloc(driver, out, size)


@call("cudaMallocAsync", "p p p")
def _malloc_async(driver: Driver, out: int, size: int, stream: int) -> int:
    return memory.alloc_async(driver, out, max(size, 1), stream)


@call("cudaMallocFromPoolAsync", "p p p p")
def _malloc_pool(driver: Driver, out: int, size: int, pool: int, stream: int) -> int:
    return alloc_from(driver, out, max(size, 1), pool, stream)


@call("cudaMallocManaged", "p p u")
def _managed(driver: Driver, out: int, size: int, flags: int) -> int:
    return memory.managed(driver, out, size, flags)


@call("cudaHostAlloc", "p p u")
def _host_alloc(driver: Driver, out: int, size: int, flags: int) -> int:
    return memory.host_alloc(driver, out, max(size, 1), flags)


@call("cudaMallocHost", "p p")
def _malloc_host(driver: Driver, out: int, size: int) -> int:
    return memory.shared(driver, out, max(size, 1), memory.HOST)


@call("cudaMallocPitch", "p p p p")
def _malloc_pitch(driver: Driver, out: int, pitch: int, width: int, height: int) -> int:
    return memory.alloc_pitch(driver, out, pitch, width, height, 4)


@call("cudaMalloc3D", "p p p p p p p p p")
def _malloc_box(driver: Driver, out: int, *words: int) -> int:
    width, height, depth = words[5:8]  # a structure of 24 bytes lies on the stack, behind six registers
    status = memory.alloc_pitch(driver, out, out + 8, width, max(height, 1) * max(depth, 1), 4)
    put(out + 16, width)
    put(out + 24, height)
    return status


@call("cudaFree", "p")
def _free(driver: Driver, pointer: int) -> int:
    return memory.free(driver, pointer)


@call("cudaFreeHost", "p")
def _free_host(driver: Driver, pointer: int) -> int:
    return memory.free_host(driver, pointer)


@call("cudaFreeAsync", "p p")
def _free_async(driver: Driver, pointer: int, stream: int) -> int:
    return memory.free_async(driver, pointer, stream)


@call("cudaHostGetDevicePointer", "p p u")
def _device_pointer(driver: Driver, out: int, pointer: int, flags: int) -> int:
    return memory.device_pointer(driver, out, pointer, flags)


@call("cudaHostGetFlags", "p p")
def _host_flags(driver: Driver, out: int, pointer: int) -> None:
    put(out, 0, _UINT)


@call("cudaHostRegister", "p p u")
def _host_register(driver: Driver, pointer: int, size: int, flags: int) -> int:
    return memory.register(driver, pointer, size, flags)


@call("cudaHostUnregister", "p")
def _host_unregister(driver: Driver, pointer: int) -> int:
    return memory.unregister(driver, pointer)


@call("cudaMemGetInfo", "p p")
def _info(driver: Driver, free: int, total: int) -> None:
    memory.info(driver, free, total)


# -- copies -----------------------------------------------------------------------------------------------------


_SIDES = {0: ("host", "host"), 1: ("device", "host"), 2: ("host", "device"), 3: ("device", "device")}
"""Where a copy goes to and comes from, by `cudaMemcpyKind`; 4 is what the pointers say."""
_INVALID_DIRECTION, _DEFAULT = 21, 4


def _is(driver: Driver, side: str, pointer: int) -> bool:
    """Whether a pointer may be one of a side: memory that both have is on both."""
    if any(start <= pointer < start + mirror.size for start, mirror in driver.registered.items()):
        return True
    if not driver.device.memory.holds(pointer):
        return side == "host"
    found = driver.device.memory.find(pointer)
    return side == "device" or found is None or found.kind == "own" or found.address in driver.kinds


def _directed(driver: Driver, to: int, source: int, size: int, kind: int) -> int:
    """The status of a copy's direction.  Raises DeviceError where the pointers are of other sides."""
    if kind not in _SIDES:
        return 0 if kind == _DEFAULT else _INVALID_DIRECTION
    for what, side, pointer in zip(("to", "from"), _SIDES[kind], (to, source), strict=True):
        if size and not _is(driver, side, pointer):
            other = "host" if side == "device" else "device"
            message = f"copy {what} the {side}, but {pointer:#x} is memory of the {other}"
            raise DeviceError("invalid-pointer", message, "the last argument of cudaMemcpy is the direction")
    return 0


@call("cudaMemcpy", "p p p i")
def _copy(driver: Driver, to: int, source: int, size: int, kind: int) -> int:
    return _directed(driver, to, source, size, kind) or memory.move(driver, to, source, size)


@call("cudaMemcpyAsync", "p p p i p")
def _copy_async(driver: Driver, to: int, source: int, size: int, kind: int, stream: int) -> int:
    return _directed(driver, to, source, size, kind) or memory.copy_async(driver, to, source, size, stream)


def _between(driver: Driver, *sides: tuple[int, int]) -> None:
    """Raises DeviceError for pointers that are not of the devices that are named with them."""
    for pointer, device in sides:
        found = driver.device.memory.find(pointer)
        home = None if found is None else driver.homes.get(found.address)
        if home not in (None, driver.checked(device)):
            raise DeviceError("invalid-pointer", f"copy between devices: {pointer:#x} is memory of device {home}")


@call("cudaMemcpyPeer", "p i p i p")
def _copy_peer(driver: Driver, to: int, device: int, source: int, other: int, size: int) -> int:
    _between(driver, (to, device), (source, other))
    return memory.move(driver, to, source, size)


@call("cudaMemcpyPeerAsync", "p i p i p p")
def _copy_peer_async(driver: Driver, to: int, device: int, source: int, other: int, size: int, stream: int) -> int:
    _between(driver, (to, device), (source, other))
    return memory.copy_async(driver, to, source, size, stream)


def _rows(driver: Driver, to: int, pitch: int, source: int, source_pitch: int, width: int, height: int) -> int:
    if width > min(pitch, source_pitch) and height > 1:
        return INVALID_PITCH
    for row in range(height if width else 0):
        status = memory.move(driver, to + row * pitch, source + row * source_pitch, width, f"copy of row {row}")
        if status:
            return status
    return 0


@call("cudaMemcpy2D", "p p p p p p i")
def _copy_rows(driver: Driver, *words: int) -> int:
    return _directed(driver, words[0], words[2], words[4], words[6]) or _rows(driver, *words[:6])


@call("cudaMemcpy2DAsync", "p p p p p p i p")
def _copy_rows_async(driver: Driver, *words: int) -> int:
    if words[4] > min(words[1], words[3]) and words[5] > 1:
        return INVALID_PITCH
    wrong = _directed(driver, words[0], words[2], words[4], words[6])
    return wrong or submit(driver, words[7], MEMCPY, lambda: _rows(driver, *words[:6]))


def _symbol_kind(kind: int, wrong: int) -> int:
    """The status of a direction to or from a variable: neither from host to host, nor the `wrong` way."""
    return 0 if kind in (1, 2, 3, _DEFAULT) and kind != wrong else _INVALID_DIRECTION


@call("cudaMemcpyToSymbol", "p p p p i")
def _to_symbol(driver: Driver, symbol: int, source: int, size: int, offset: int, kind: int) -> int:
    to = PROGRAM.symbol(driver, symbol).address + offset
    return _symbol_kind(kind, 2) or memory.move(driver, to, source, size)


@call("cudaMemcpyToSymbolAsync", "p p p p i p")
def _to_symbol_async(driver: Driver, symbol: int, source: int, size: int, offset: int, kind: int, stream: int) -> int:
    to = PROGRAM.symbol(driver, symbol).address + offset
    return _symbol_kind(kind, 2) or memory.copy_async(driver, to, source, size, stream)


@call("cudaMemcpyFromSymbol", "p p p p i")
def _from_symbol(driver: Driver, to: int, symbol: int, size: int, offset: int, kind: int) -> int:
    source = PROGRAM.symbol(driver, symbol).address + offset
    return _symbol_kind(kind, 1) or memory.move(driver, to, source, size)


@call("cudaMemcpyFromSymbolAsync", "p p p p i p")
def _from_symbol_async(driver: Driver, to: int, symbol: int, size: int, offset: int, kind: int, stream: int) -> int:
    source = PROGRAM.symbol(driver, symbol).address + offset
    return _symbol_kind(kind, 1) or memory.copy_async(driver, to, source, size, stream)


@call("cudaGetSymbolAddress", "p p")
def _symbol_address(driver: Driver, out: int, symbol: int) -> None:
    put(out, PROGRAM.symbol(driver, symbol).address)


@call("cudaGetSymbolSize", "p p")
def _symbol_size(driver: Driver, out: int, symbol: int) -> None:
    put(out, PROGRAM.symbol(driver, symbol).size)


# -- filling ----------------------------------------------------------------------------------------------------


@call("cudaMemset", "p i p")
def _set(driver: Driver, to: int, value: int, size: int) -> int:
    return driver.take_pending() or memory.fill(driver, to, value, size, 1)


@call("cudaMemsetAsync", "p i p p")
def _set_async(driver: Driver, to: int, value: int, size: int, stream: int) -> int:
    return submit(driver, stream, MEMSET, lambda: memory.fill(driver, to, value, size, 1))


@call("cudaMemset2D", "p p i p p")
def _set_rows(driver: Driver, to: int, pitch: int, value: int, width: int, height: int) -> int:
    return memory.fill_rows(driver, to, pitch, value, width, height)


@call("cudaMemset2DAsync", "p p i p p p")
def _set_rows_async(driver: Driver, to: int, pitch: int, value: int, width: int, height: int, stream: int) -> int:
    return submit(driver, stream, MEMSET, lambda: memory.fill_rows(driver, to, pitch, value, width, height))


def _set_planes(driver: Driver, words: tuple[int, ...]) -> int:
    address, pitch, _, rows, width, height, depth = words[6:13]  # both structures lie on the stack
    if not (width and height) or (depth > 1 and rows < height):
        return INVALID_VALUE if width and height else 0
    for plane in range(depth):
        status = memory.fill_rows(driver, address + plane * rows * pitch, pitch, words[0], width, height)
        if status:
            return status
    return 0


@call("cudaMemset3D", "i p p p p p p p p p p p p")
def _set_box(driver: Driver, *words: int) -> int:
    return _set_planes(driver, words)


@call("cudaMemset3DAsync", "i p p p p p p p p p p p p")
def _set_box_async(driver: Driver, *words: int) -> int:
    return submit(driver, words[1], MEMSET, lambda: _set_planes(driver, words))


# -- managed memory, and what pointers are ------------------------------------------------------------------------


for _name in ("MemPrefetchAsync", "MemAdvise"):
    _same = CALLS[f"cu{_name}_v2"]
    for _form in (f"cuda{_name}", f"cuda{_name}_v2"):
        RUNTIME[_form] = Call(_form, _same.arguments, _same.function)


_TYPES = {memory.HOST: 1, memory.MANAGED: 3}


@call("cudaPointerGetAttributes", "p p")
def _pointer(driver: Driver, out: int, pointer: int) -> None:
    found = object_at(PointerAttributes, out)
    inside = driver.device.memory.find(pointer)
    found.type, found.device = 0, -2
    if inside is not None:
        found.type = _TYPES.get(driver.kinds.get(inside.address, ""), 2)
        found.device = driver.homes.get(inside.address, driver.number)
    found.device_pointer = pointer if inside is not None else 0
    found.host_pointer = pointer if found.type in (1, 3) else 0


@call("cudaMemRangeGetAttribute", "p p i p p")
def _range_attribute(driver: Driver, *words: int) -> None:
    memory.range_attribute(driver, *words)
