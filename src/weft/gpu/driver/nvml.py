"""A `libnvidia-ml.so.1` that knows how many devices there are, what they are called and what memory they have.

The functions that programs ask before they start; sensors, clocks and limits of power have no meaning here, so that the
functions for them are not in the library.  Source of the functions and structures: NVIDIA's NVML API reference.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from weft.gpu.device_runtime import VERSION
from weft.gpu.driver.devices import bus_of, uuid_of
from weft.gpu.driver.places import store
from weft.gpu.driver.state import put, text_at
from weft.gpu.driver.status import Refused

if TYPE_CHECKING:
    from weft.gpu.driver.state import Driver

CALLED = "libnvidia-ml.so.1"
_INVALID_ARGUMENT, _NOT_FOUND, _INSUFFICIENT_SIZE, _UNKNOWN = 2, 6, 7, 999
_TEXTS = {
    0: "Success",
    1: "Uninitialized",
    _INVALID_ARGUMENT: "Invalid Argument",
    3: "Not Supported",
    4: "Insufficient Permissions",
    _NOT_FOUND: "Not Found",
    _INSUFFICIENT_SIZE: "Insufficient Size",
    13: "Function Not Found",
    _UNKNOWN: "Unknown Error",
}
_KEPT = {status: ctypes.create_string_buffer(text.encode()) for status, text in _TEXTS.items()}
_DRIVER = f"{VERSION // 1000 * 10 + 450}.00"
_INT, _UINT = ctypes.c_int, ctypes.c_uint
_Function = Callable[..., int]
FUNCTIONS: dict[str, _Function] = {}


class _Wrong(Exception):
    """A call that the library answers with a status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def _nvml(names: str) -> Callable[[_Function], _Function]:
    def register(function: _Function) -> _Function:
        FUNCTIONS.update(dict.fromkeys((f"nvml{name}" for name in names.split()), function))
        return function

    return register


def _number(driver: Driver, handle: int) -> int:
    """The number of the device that a handle is of: handles are numbers from 1 on."""
    if not 1 <= handle <= driver.devices:
        raise _Wrong(_INVALID_ARGUMENT)
    return handle - 1


def _give(out: int, text: bytes, size: int) -> int:
    if out and len(text) >= size & 0xFFFF_FFFF:
        return _INSUFFICIENT_SIZE
    return _fill(out, text + b"\0")


def _set(kind: Any, *pairs: tuple[int, int]) -> int:
    if not all(out for out, _ in pairs):
        return _INVALID_ARGUMENT
    for out, value in pairs:
        put(out, value, kind)
    return 0


def _fill(out: int, data: bytes) -> int:
    if not out:
        return _INVALID_ARGUMENT
    store(out, data)
    return 0


@_nvml("Init Init_v2 InitWithFlags Shutdown")
def _nothing(driver: Driver, *_: int) -> int:
    return 0


@_nvml("ErrorString")
def _error(driver: Driver, status: int, *_: int) -> int:
    return ctypes.addressof(_KEPT.get(status & 0xFFFF_FFFF, _KEPT[_UNKNOWN]))


@_nvml("SystemGetDriverVersion SystemGetNVMLVersion")
def _version(driver: Driver, out: int, size: int, *_: int) -> int:
    return _give(out, _DRIVER.encode(), size)


@_nvml("SystemGetCudaDriverVersion SystemGetCudaDriverVersion_v2")
def _cuda_version(driver: Driver, out: int, *_: int) -> int:
    return _set(_INT, (out, VERSION))


@_nvml("DeviceGetCount DeviceGetCount_v2")
def _count(driver: Driver, out: int, *_: int) -> int:
    return _set(_UINT, (out, driver.devices))


@_nvml("DeviceGetHandleByIndex DeviceGetHandleByIndex_v2")
def _by_index(driver: Driver, number: int, out: int, *_: int) -> int:
    return _set(ctypes.c_uint64, (out, _number(driver, (number & 0xFFFF_FFFF) + 1) + 1))


def _by_text(driver: Driver, wanted: int, out: int, called: Callable[[int], bytes]) -> int:
    for number in range(driver.devices):
        if wanted and called(number) == text_at(wanted).encode():
            return _set(ctypes.c_uint64, (out, number + 1))
    return _NOT_FOUND if wanted else _INVALID_ARGUMENT


@_nvml("DeviceGetHandleByUUID")
def _by_uuid(driver: Driver, wanted: int, out: int, *_: int) -> int:
    return _by_text(driver, wanted, out, _uuid_text)


@_nvml("DeviceGetHandleByPciBusId DeviceGetHandleByPciBusId_v2")
def _by_bus(driver: Driver, wanted: int, out: int, *_: int) -> int:
    return _by_text(driver, wanted, out, _long_bus)


def _uuid_text(number: int) -> bytes:
    return f"GPU-{UUID(bytes=uuid_of(number))}".encode()


def _long_bus(number: int) -> bytes:
    return b"0000" + bus_of(number)


@_nvml("DeviceGetName")
def _name(driver: Driver, device: int, out: int, size: int, *_: int) -> int:
    _number(driver, device)
    return _give(out, driver.device.properties.name.encode(), size)


@_nvml("DeviceGetUUID")
def _uuid(driver: Driver, device: int, out: int, size: int, *_: int) -> int:
    return _give(out, _uuid_text(_number(driver, device)), size)


@_nvml("DeviceGetIndex DeviceGetMinorNumber")
def _index(driver: Driver, device: int, out: int, *_: int) -> int:
    return _set(_UINT, (out, _number(driver, device)))


@_nvml("DeviceGetCudaComputeCapability")
def _capability(driver: Driver, device: int, major: int, minor: int, *_: int) -> int:
    _number(driver, device)
    properties = driver.device.properties
    return _set(_INT, (major, properties.major), (minor, properties.minor))


@_nvml("DeviceGetMemoryInfo")
def _memory(driver: Driver, device: int, out: int, *_: int) -> int:
    _number(driver, device)
    memory = driver.device.memory
    return _fill(out, struct.pack("3Q", memory.size, memory.size - memory.used, memory.used))


@_nvml("DeviceGetMemoryInfo_v2")
def _memory_reserved(driver: Driver, device: int, out: int, *_: int) -> int:
    """The version stands before the fields, and what the system reserves behind the total."""
    _number(driver, device)
    memory = driver.device.memory
    return _fill(out and out + 8, struct.pack("4Q", memory.size, 0, memory.size - memory.used, memory.used))


@_nvml("DeviceGetPciInfo_v3")
def _pci(driver: Driver, device: int, out: int, *_: int) -> int:
    number = _number(driver, device)
    return _fill(out, struct.pack("16s5I32s", bus_of(number), 0, number + 1, 0, 0, 0, _long_bus(number)))


def dispatch(driver: Driver) -> Callable[[int, Any], int]:
    """What the doors of the library call."""
    functions = list(FUNCTIONS.items())

    def run(number: int, words: Any) -> int:
        name, function = functions[number]
        try:
            return function(driver, *(words[n] for n in range(4)))
        except _Wrong as wrong:
            return wrong.status
        except Refused:
            return _INVALID_ARGUMENT
        except Exception as error:
            driver.fail(name, error)
            return _UNKNOWN

    return run
