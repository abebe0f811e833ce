"""Initialisation, devices and contexts."""

from __future__ import annotations

import ctypes
import re

from weft.gpu.device_runtime import LIMITS, VERSION
from weft.gpu.driver.places import data_at, store
from weft.gpu.driver.runtime_table import both
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Context, Driver, put, text_at
from weft.gpu.driver.status import INVALID_CONTEXT, INVALID_VALUE, NOT_FOUND, Refused
from weft.gpu.driver.table import CALLS, call, named
from weft.gpu.statuses import NAMES

_INT, _UINT = ctypes.c_int, ctypes.c_uint


@call("cuInit", "u")
def _init(driver: Driver, flags: int) -> int:
    driver.initialised = driver.initialised or not flags
    return INVALID_VALUE if flags else 0


@call("cuDriverGetVersion", "p")
def _version(driver: Driver, out: int) -> None:
    put(out, VERSION, _INT)


@call("cuGetProcAddress_v2", "p p i p p")
def _address(driver: Driver, symbol: int, out: int, version: int, flags: int, status: int) -> int:
    name = named(text_at(symbol), version)
    address = 0 if name is None else ctypes.cast(getattr(driver.library, name), ctypes.c_void_p).value or 0
    put(out, address)
    put(status, 0 if address else 1, _INT)  # CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
    return 0 if address else NOT_FOUND


@call("cuGetProcAddress", "p p i p")
def _address_before(driver: Driver, symbol: int, out: int, version: int, flags: int) -> int:
    return _address(driver, symbol, out, version, flags, 0)


@call("cuGetExportTable", "p p")
def _export_table(driver: Driver, table: int, name: int) -> int:
    put(table, 0)
    if ctypes.string_at(name, 16) == _OF_RUNTIMES:
        driver.lack("a statically linked CUDA runtime without symbols is not supported: link with -cudart shared")
    return NOT_FOUND


_OF_RUNTIMES = bytes.fromhex("6bd5fb6c5bf4e74a8987d93912fd9df9")
"""The table without which NVIDIA's runtime does not start; where its functions have names, weft's are there instead."""


_TEXTS: dict[tuple[int, int], ctypes.Array[ctypes.c_char]] = {}


def _describe(status: int, out: int, which: int) -> int:
    known = NAMES.get(status)
    if known is None:
        put(out, 0)
        return INVALID_VALUE
    text = _TEXTS.setdefault((status, which), ctypes.create_string_buffer(known[which].encode()))
    put(out, ctypes.addressof(text))
    return 0


@call("cuGetErrorName", "i p")
def _error_name(driver: Driver, status: int, out: int) -> int:
    return _describe(status, out, 0)


@call("cuGetErrorString", "i p")
def _error_text(driver: Driver, status: int, out: int) -> int:
    return _describe(status, out, 1)


# -- devices --------------------------------------------------------------------------------------------------


@call("cuDeviceGetCount", "p")
def _count(driver: Driver, out: int) -> None:
    put(out, driver.devices, _INT)


@call("cuDeviceGet", "p i")
def _device(driver: Driver, out: int, number: int) -> None:
    put(out, driver.checked(number), _INT)


@call("cuDeviceGetName", "p i i")
def _name(driver: Driver, out: int, size: int, device: int) -> None:
    driver.checked(device)
    if size < 1:
        raise Refused(INVALID_VALUE, f"room for {size} bytes")
    text = driver.device.properties.name.encode()[: size - 1] + b"\0"
    store(out, text)


@call("cuDeviceGetUuid cuDeviceGetUuid_v2", "p i")
def _uuid(driver: Driver, out: int, device: int) -> None:
    store(out, uuid_of(driver.checked(device)))


def uuid_of(device: int) -> bytes:
    """The 16 bytes by which programs know a device."""
    return b"weft virtual GP" + (b"U" if not device else bytes([device]))


def bus_of(device: int) -> bytes:
    """Where a device is, as PCI says it."""
    return f"0000:{device + 1:02x}:00.0".encode()


@call("cuDeviceTotalMem_v2", "p i")
def _total(driver: Driver, out: int, device: int) -> None:
    driver.checked(device)
    put(out, driver.device.memory.size)


@both("DeviceGetPCIBusId", "p i i")
def _bus(driver: Driver, out: int, size: int, device: int) -> None:
    if size < 1:
        raise Refused(INVALID_VALUE, f"room for {size} bytes")
    text = bus_of(driver.checked(device))[: size - 1] + b"\0"
    store(out, text)


@both("DeviceGetByPCIBusId", "p p")
def _by_bus(driver: Driver, out: int, text: int) -> int:
    place = _BUS.fullmatch(data_at(text))
    if place is None or any(int(part or b"0", 16) for part in place.group(1, 3, 4)):
        return INVALID_VALUE
    device = int(place[2], 16) - 1
    if not 0 <= device < driver.devices:
        return INVALID_VALUE
    put(out, device, _INT)
    return 0


_BUS = re.compile(rb"(?:([0-9a-fA-F]+):(?=.*:)|(?=.*\.))([0-9a-fA-F]+):([0-9a-fA-F]+)(?:\.([0-9a-fA-F]+))?")
"""`domain:bus:device.function`, where the domain or the function may be missing."""


@call("cuDeviceGetLuid", "p p i")
def _luid(driver: Driver, out: int, mask: int, device: int) -> None:
    store(out, bytes([driver.checked(device)] * 8))
    put(mask, 1, _UINT)


@call("cuDeviceGetTexture1DLinearMaxWidth", "p i u i")
def _widest(driver: Driver, out: int, format_: int, channels: int, device: int) -> None:
    put(out, 1 << 28)


@call("cuDeviceComputeCapability", "p p i")
def _capability(driver: Driver, major: int, minor: int, device: int) -> None:
    driver.checked(device)
    put(major, driver.device.properties.major, _INT)
    put(minor, driver.device.properties.minor, _INT)


@call("cuDeviceGetProperties", "p i")
def _old_properties(driver: Driver, out: int, device: int) -> None:
    known = attributes(driver, driver.checked(device))
    for place, number in enumerate((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)):  # CUdevprop
        put(out + 4 * place, known[number], _INT)


_UNSUPPORTED_LIMIT = 215
_ATTRIBUTES = 1 << 8
"""Numbers that attributes have, and may have in later versions."""


def attributes(driver: Driver, number: int) -> dict[int, int]:
    """A device's attributes by their numbers in `CUdevice_attribute`; those that are not listed are 0."""
    p = driver.device.properties
    clusters = int(p.max_cluster > 1)
    return {
        1: p.max_threads_per_block,
        2: p.max_block[0],
        3: p.max_block[1],
        4: p.max_block[2],
        5: p.max_grid[0],
        6: p.max_grid[1],
        7: p.max_grid[2],
        8: p.shared_per_block,
        9: p.constant_bytes,
        10: p.warp_size,
        11: (1 << 31) - 1,
        12: p.registers_per_block,
        13: p.clock_khz,
        14: 512,
        15: 1,
        16: p.multiprocessors,
        19: 1,
        21: 131072,  # Widths, heights, depths and layers of textures, as devices from sm_60 on have them.
        22: 131072,
        23: 65536,
        24: 16384,
        25: 16384,
        26: 16384,
        27: 32768,
        28: 32768,
        29: 2048,
        30: 512,
        31: 1,
        32: 0,  # ECC
        33: 1 + number,
        34: 0,
        36: p.memory_clock_khz,
        37: p.bus_width,
        38: p.l2_bytes,
        39: p.threads_per_multiprocessor,
        40: 2,
        41: 1,
        42: 32768,
        43: 2048,
        51: 32,
        75: p.major,
        76: p.minor,
        78: 1,
        79: 1,
        80: 1,
        81: p.shared_per_multiprocessor,
        82: p.registers_per_multiprocessor,
        83: 1,
        84: int(driver.devices > 1),
        85: number,
        86: 0,
        87: p.single_to_double,
        89: 1,
        90: 1,
        95: 1,
        97: p.shared_per_block_optin,
        99: 1,
        101: 1,
        102: 1,  # Address ranges, and the kind of handle by which processes share memory.
        103: 1,
        106: p.blocks_per_multiprocessor,
        108: p.persisting_l2_bytes,
        109: p.access_window_bytes,
        111: p.reserved_shared,
        115: 1,
        120: clusters,
        122: 1,
        123: 1,
        125: 1,
        132: 1,
    }


@both("DeviceGetAttribute", "p i i")
def _get_attribute(driver: Driver, out: int, number: int, device: int) -> int:
    if not 0 < number < _ATTRIBUTES:
        return INVALID_VALUE
    put(out, attributes(driver, driver.checked(device)).get(number, 0), _INT)
    return 0


# -- contexts -------------------------------------------------------------------------------------------------


@call("cuDevicePrimaryCtxRetain", "p i")
def _retain(driver: Driver, out: int, device: int) -> None:
    driver.context(device).retained += 1
    put(out, driver.primaries[device])


@call("cuDevicePrimaryCtxRelease_v2", "i")
def _release(driver: Driver, device: int) -> int:
    found = driver.context(device)
    if not found.retained:
        return INVALID_CONTEXT
    found.retained -= 1
    return 0


@call("cuDevicePrimaryCtxReset_v2", "i")
def _reset(driver: Driver, device: int) -> None:
    driver.checked(device)
    driver.pending = 0


@call("cuDevicePrimaryCtxGetState", "i p p")
def _state(driver: Driver, device: int, flags: int, active: int) -> None:
    found = driver.context(device)
    put(flags, found.flags, _UINT)
    put(active, int(found.retained > 0), _INT)


@call("cuDevicePrimaryCtxSetFlags_v2", "i u")
def _set_flags(driver: Driver, device: int, flags: int) -> None:
    driver.context(device).flags = flags


def _create(driver: Driver, out: int, flags: int, device: int) -> None:
    handle = driver.add(Context(flags, driver.checked(device)))
    driver.stack.append(handle)
    put(out, handle)


@call("cuCtxCreate_v2", "p u i")
def _create_two(driver: Driver, out: int, flags: int, device: int) -> None:
    _create(driver, out, flags, device)


@call("cuCtxCreate_v3", "p p i u i")
def _create_three(driver: Driver, out: int, affinities: int, count: int, flags: int, device: int) -> None:
    _create(driver, out, flags, device)


@call("cuCtxCreate_v4", "p p u i")
def _create_four(driver: Driver, out: int, how: int, flags: int, device: int) -> None:
    _create(driver, out, flags, device)


@call("cuCtxDestroy_v2", "p")
def _destroy(driver: Driver, context: int) -> None:
    driver.drop(context, Context)
    for stack in driver.stacks.values():
        stack[:] = [handle for handle in stack if handle != context]


@call("cuCtxSetCurrent", "p")
def _set_current(driver: Driver, context: int) -> None:
    if context:
        driver.get(context, Context)
    driver.stack[-1:] = [context] if context else []


@call("cuCtxGetCurrent", "p")
def _current(driver: Driver, out: int) -> None:
    put(out, driver.stack[-1] if driver.stack else 0)


@call("cuCtxPushCurrent_v2", "p")
def _push(driver: Driver, context: int) -> None:
    driver.get(context, Context)
    driver.stack.append(context)


@call("cuCtxPopCurrent_v2", "p")
def _pop(driver: Driver, popped: int) -> int:
    if not driver.stack:
        return INVALID_CONTEXT
    found = driver.stack.pop()
    if popped:
        put(popped, found)
    return 0


@call("cuCtxGetDevice", "p")
def _context_device(driver: Driver, out: int) -> int:
    put(out, driver.number, _INT)
    return 0 if driver.stack else INVALID_CONTEXT


@call("cuCtxGetDevice_v2", "p p")
def _device_of(driver: Driver, out: int, context: int) -> None:
    put(out, driver.get(context, Context).number if context else driver.number, _INT)


@call("cuCtxGetFlags", "p")
def _flags(driver: Driver, out: int) -> None:
    put(out, _current_context(driver).flags, _UINT)


def _current_context(driver: Driver) -> Context:
    stack = driver.stack
    if not stack:
        raise Refused(INVALID_CONTEXT, "the thread has no current context")
    return driver.get(stack[-1], Context)


@call("cuCtxGetId", "p p")
def _identity(driver: Driver, context: int, out: int) -> None:
    put(out, 1)


@call("cuCtxGetApiVersion", "p p")
def _api_version(driver: Driver, context: int, out: int) -> None:
    put(out, 3020, _UINT)


@call("cuCtxSynchronize cuCtxSynchronize_v2", "")
def _synchronize(driver: Driver) -> int:
    driver.device.synchronize()
    return driver.take_pending()


_LIMITS = {**LIMITS, 5: 128, 6: 0}
"""What limits are at first, by their numbers in `CUlimit`."""


def _limits(driver: Driver, which: int) -> dict[int, int]:
    if which not in _LIMITS:
        raise Refused(_UNSUPPORTED_LIMIT, f"unknown limit {which}")
    return driver.keep.setdefault("limits", dict(_LIMITS))


@runtime_call("cudaDeviceGetLimit", "p i")
@call("cuCtxGetLimit", "p i")
def _limit(driver: Driver, out: int, which: int) -> None:
    put(out, _limits(driver, which)[which])


@runtime_call("cudaDeviceSetLimit", "i p")
@call("cuCtxSetLimit", "i p")
def _set_limit(driver: Driver, which: int, value: int) -> None:
    """A limit is kept, and binds nothing: stacks grow as they need, and the heap has one size."""
    _limits(driver, which)[which] = value


@call("cuCtxSetSharedMemConfig", "i")
def _set_banks(driver: Driver, which: int) -> None:
    """Banks are not modelled."""


@call("cuCtxGetSharedMemConfig", "p")
def _banks(driver: Driver, out: int) -> None:
    put(out, 0, _INT)


@call("cuCtxSetCacheConfig", "i")
def set_caches(driver: Driver, which: int) -> int:
    """What is preferred is kept; caches are not modelled."""
    if not 0 <= which <= 3:
        return INVALID_VALUE
    driver.keep[f"caches of {driver.number}"] = which
    return 0


@call("cuCtxGetCacheConfig", "p")
def caches(driver: Driver, out: int) -> None:
    """What is preferred."""
    put(out, driver.keep.get(f"caches of {driver.number}", 0), _INT)


@call("cuCtxGetStreamPriorityRange", "p p")
def _priorities(driver: Driver, least: int, greatest: int) -> None:
    put(least, 0, _INT)
    put(greatest, -5, _INT)


@call("cuCtxResetPersistingL2Cache")
def _reset_cache(driver: Driver) -> None:
    """Caches are not modelled."""


@call("cuCtxSetFlags", "u")
def _set_context_flags(driver: Driver, flags: int) -> None:
    _current_context(driver).flags = flags


@call("cuProfilerStart cuProfilerStop")
def _profiler(driver: Driver) -> None:
    """Nothing listens."""


def names() -> tuple[str, ...]:
    """All functions, in the order of their numbers."""
    return tuple(CALLS)
