"""The CUDA runtime, `libcudart.so.13`, on the same driver: for C++ programs that are linked to the shared runtime.

`weft nvcc` builds them so.  Extents (`dim3`) come as two words each, as the C calling convention passes them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from weft.errors import WeftError
from weft.gpu.driver import memory, modules
from weft.gpu.driver.devices import attributes
from weft.gpu.driver.runtime_types import DeviceProperties, FunctionAttributes, PointerAttributes
from weft.gpu.driver.state import VERSION, Driver, put, text_at
from weft.gpu.driver.status import INVALID_DEVICE, INVALID_VALUE, NAMES, NOT_READY, Refused
from weft.gpu.driver.table import CALLS, Call
from weft.gpu.kernels import Kernel
from weft.gpu.modules import Module, Symbol
from weft.sim import SimulationError

RUNTIME: dict[str, Call] = {}
_INT, _UINT = ctypes.c_int, ctypes.c_uint
INVALID_CONFIGURATION, INVALID_SYMBOL, INVALID_DEVICE_FUNCTION = 9, 13, 98
_QUIET = {"cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString", "cudaGetErrorName"}

Function = Callable[..., "int | None"]


def call(names: str, arguments: str = "") -> Callable[[Function], Function]:
    """Register a function of the runtime."""

    def register(function: Function) -> Function:
        for name in names.split():
            RUNTIME[name] = Call(name, arguments.replace(" ", ""), function)
        return function

    return register


class Program:
    """What a program has registered: its fatbins, and its kernels and variables by the host's addresses."""

    def __init__(self) -> None:
        self.images: dict[int, tuple[bytes, Any]] = {}
        self.modules: dict[int, Module] = {}
        self.functions: dict[int, tuple[int, str]] = {}
        self.variables: dict[int, tuple[int, str]] = {}
        self.kernels: dict[int, int] = {}
        self.configurations: list[tuple[int, ...]] = []
        self.last = 0

    def module(self, driver: Driver, handle: int) -> Module:
        """The module of a fatbin, loaded when it is first needed."""
        found = self.modules.get(handle)
        if found is None:
            found = self.modules[handle] = driver.load(self.images[handle][0])
        return found

    def kernel(self, driver: Driver, address: int) -> int:
        """The handle of the kernel that a host function stands for."""
        found = self.kernels.get(address)
        if found is None:
            if address in driver.things:  # It is a kernel's handle already.
                return address
            if address not in self.functions:
                raise Refused(INVALID_DEVICE_FUNCTION, f"{address:#x} is not a kernel of the program")
            image, name = self.functions[address]
            found = self.kernels[address] = driver.add(self.module(driver, image).kernel(name))
        return found

    def symbol(self, driver: Driver, address: int) -> Symbol:
        """The variable that a host variable stands for."""
        if address not in self.variables:
            raise Refused(INVALID_SYMBOL, f"{address:#x} is not a variable of the program")
        image, name = self.variables[address]
        return self.module(driver, image).symbol(name)


PROGRAM = Program()


def dispatch(driver: Driver, function: Call, words: Any) -> int:
    """Call a function; its status is the last error, too."""
    try:
        status = function(driver, words)
    except (WeftError, Refused) as error:
        status = driver.fail(function.name, error)
        if isinstance(error, SimulationError) and "Launch" in function.name:
            status = INVALID_CONFIGURATION
    if status and function.name not in _QUIET and status != NOT_READY:
        PROGRAM.last = status
    return status


# -- what compiled programs call --------------------------------------------------------------------------------


@call("__cudaRegisterFatBinary cudaGetErrorString cudaGetErrorName", "p")
def _pointer_to(driver: Driver, value: int) -> None:
    """What they give is a pointer: see `POINTERS`."""


@call("__cudaRegisterFatBinaryEnd __cudaUnregisterFatBinary __cudaInitModule", "p")
def _registered(driver: Driver, handle: int) -> None:
    """Modules are loaded when they are first needed, and unloaded with the process."""


@call("__cudaRegisterFunction", "p p p p i p p p p p")
def _register_function(driver: Driver, handle: int, host: int, name: int, *rest: int) -> None:
    PROGRAM.functions[host] = (handle, text_at(name))


@call("__cudaRegisterVar", "p p p p i p i i")
def _register_variable(driver: Driver, handle: int, host: int, address: int, name: int, *rest: int) -> None:
    PROGRAM.variables[host] = (handle, text_at(name))


@call("__cudaRegisterManagedVar", "p p p p i p i i")
def _register_managed(driver: Driver, handle: int, host: int, address: int, name: int, *rest: int) -> None:
    symbol = PROGRAM.module(driver, handle).symbol(text_at(name))
    PROGRAM.variables[host] = (handle, symbol.name)
    put(host, symbol.address)


def register_fatbin(wrapper: int) -> int:
    """Keep a fatbin; its handle."""
    block = ctypes.create_string_buffer(16)
    handle = ctypes.addressof(block)
    PROGRAM.images[handle] = (modules.image_at(wrapper), block)
    return handle


@call("__cudaPushCallConfiguration", "p p p p p p")
def _push(driver: Driver, *words: int) -> None:
    PROGRAM.configurations.append(words)


@call("__cudaPopCallConfiguration", "p p p p")
def _pop(driver: Driver, grid: int, block: int, shared: int, stream: int) -> int:
    if not PROGRAM.configurations:
        return INVALID_CONFIGURATION
    words = PROGRAM.configurations.pop()
    for place, (low, high) in ((grid, words[:2]), (block, words[2:4])):
        put(place, low)
        put(place + 8, high, _UINT)
    put(shared, words[4])
    put(stream, words[5])
    return 0


@call("__cudaGetKernel", "p p")
def _kernel(driver: Driver, out: int, address: int) -> None:
    put(out, PROGRAM.kernel(driver, address))


def _extents(low: int, high: int) -> tuple[int, int, int]:
    return low & 0xFFFF_FFFF, low >> 32, high & 0xFFFF_FFFF


@call("cudaLaunchKernel __cudaLaunchKernel __cudaLaunchKernel_ptsz", "p p p p p p p p")
def _launch(driver: Driver, address: int, g: int, gz: int, b: int, bz: int, row: int, shared: int, stream: int) -> int:
    kernel = PROGRAM.kernel(driver, address)
    return modules.launch(driver, kernel, (*_extents(g, gz), *_extents(b, bz)), shared, row, 0)


@call("cudaLaunchCooperativeKernel", "p p p p p p p p")
def _cooperative(
    driver: Driver, address: int, g: int, gz: int, b: int, bz: int, row: int, shared: int, stream: int
) -> int:
    kernel = PROGRAM.kernel(driver, address)
    return modules.launch(driver, kernel, (*_extents(g, gz), *_extents(b, bz)), shared, row, 0, cooperative=True)


@call("cudaLaunchKernelExC", "p p p")
def _extended(driver: Driver, config: int, address: int, row: int) -> int:
    words = ctypes.string_at(config, 64)  # dim3, dim3, size_t, stream, attributes, count
    shared = int.from_bytes(words[24:32], "little")
    if shared >> 32:
        return INVALID_VALUE
    extended = words[:24] + words[24:28] + bytes(4) + words[32:52]
    block = ctypes.create_string_buffer(extended, 64)
    return modules.launch_extended(driver, ctypes.addressof(block), PROGRAM.kernel(driver, address), row, 0)


# -- errors -----------------------------------------------------------------------------------------------------


@call("cudaGetLastError")
def _last(driver: Driver) -> int:
    found, PROGRAM.last = PROGRAM.last, 0
    return found


@call("cudaPeekAtLastError")
def _peek(driver: Driver) -> int:
    return PROGRAM.last


_TEXTS: dict[tuple[int, bool], Any] = {}
_OWN = {
    0: ("cudaSuccess", "no error"),
    9: ("cudaErrorInvalidConfiguration", "invalid configuration argument"),
    12: ("cudaErrorInvalidPitchValue", "invalid pitch argument"),
    13: ("cudaErrorInvalidSymbol", "invalid device symbol"),
    98: ("cudaErrorInvalidDeviceFunction", "invalid device function"),
}
"""Errors that only the runtime has."""


def text_of(status: int, *, name: bool) -> int:
    """The address of an error's name or text."""
    status &= 0xFFFF_FFFF
    known = _OWN.get(status) or NAMES.get(status, ("unrecognized error code", "unrecognized error code"))
    plain = "".join(part.capitalize() for part in known[0].removeprefix("CUDA_ERROR_").split("_"))
    text = (f"cudaError{plain}" if known[0].startswith("CUDA_") else known[0]) if name else known[1]
    return ctypes.addressof(_TEXTS.setdefault((status, name), ctypes.create_string_buffer(text.encode())))


# -- devices ----------------------------------------------------------------------------------------------------


@call("cudaGetDeviceCount", "p")
def _count(driver: Driver, out: int) -> None:
    put(out, 1, _INT)


@call("cudaGetDevice", "p")
def _device(driver: Driver, out: int) -> None:
    put(out, 0, _INT)


@call("cudaSetDevice cudaInitDevice", "i u u")
def _set_device(driver: Driver, number: int, *flags: int) -> int:
    return INVALID_DEVICE if number else 0


@call("cudaSetDeviceFlags cudaDeviceSetCacheConfig cudaDeviceSetSharedMemConfig", "u")
def _flags(driver: Driver, flags: int) -> None:
    """There is nothing that they would change."""


@call("cudaDeviceSetLimit", "i p")
def _set_limit(driver: Driver, which: int, value: int) -> None:
    """Stacks grow as they need, and the heap has one size."""


@call("cudaDeviceGetLimit", "p i")
def _limit(driver: Driver, out: int, which: int) -> None:
    put(out, {0: 1024, 1: 1 << 20, 2: 8 << 20}.get(which, 0))


@call("cudaDeviceSynchronize cudaThreadSynchronize")
def _synchronize(driver: Driver) -> int:
    return driver.take_pending()


@call("cudaDeviceReset cudaProfilerStart cudaProfilerStop")
def _reset(driver: Driver) -> int:
    return driver.take_pending()


@call("cudaDriverGetVersion cudaRuntimeGetVersion", "p")
def _version(driver: Driver, out: int) -> None:
    put(out, VERSION, _INT)


@call("cudaDeviceGetAttribute", "p i i")
def _attribute(driver: Driver, out: int, which: int, device: int) -> int:
    put(out, attributes(driver).get(which, 0), _INT)
    return INVALID_DEVICE if device else 0


@call("cudaGetDeviceProperties", "p i")
def _properties(driver: Driver, out: int, device: int) -> int:
    if device:
        return INVALID_DEVICE
    DeviceProperties.from_address(out).fill(driver.device.properties)
    return 0


@call("cudaDeviceCanAccessPeer", "p i i")
def _peer(driver: Driver, out: int, device: int, other: int) -> None:
    put(out, 0, _INT)


@call("cudaDeviceGetStreamPriorityRange", "p p")
def _priorities(driver: Driver, least: int, greatest: int) -> None:
    put(least, 0, _INT)
    put(greatest, -5, _INT)


@call("cudaDeviceGetPCIBusId", "p i i")
def _bus(driver: Driver, out: int, size: int, device: int) -> None:
    ctypes.memmove(out, b"0000:01:00.0\0"[:size], min(size, 13))


@call("cudaChooseDevice", "p p")
def _choose(driver: Driver, out: int, wanted: int) -> None:
    put(out, 0, _INT)


# -- memory -----------------------------------------------------------------------------------------------------


@call("cudaMalloc", "p p")
def _malloc(driver: Driver, out: int, size: int) -> int:
    if not size:
        put(out, 0)
        return 0
    return memory.alloc(driver, out, size)


@call("cudaMallocAsync cudaMallocFromPoolAsync", "p p p")
def _malloc_async(driver: Driver, out: int, size: int, stream: int) -> int:
    return _malloc(driver, out, size) or 0


@call("cudaMallocManaged cudaHostAlloc", "p p u")
def _managed(driver: Driver, out: int, size: int, flags: int) -> int:
    return memory.managed(driver, out, max(size, 1), flags)


@call("cudaMallocHost", "p p")
def _malloc_host(driver: Driver, out: int, size: int) -> int:
    return memory.managed(driver, out, max(size, 1), 0)


@call("cudaMallocPitch", "p p p p")
def _malloc_pitch(driver: Driver, out: int, pitch: int, width: int, height: int) -> int:
    return memory.alloc_pitch(driver, out, pitch, width, height, 4)


@call("cudaFree cudaFreeHost", "p")
def _free(driver: Driver, pointer: int) -> int:
    return memory.free(driver, pointer)


@call("cudaFreeAsync", "p p")
def _free_async(driver: Driver, pointer: int, stream: int) -> int:
    return memory.free(driver, pointer)


@call("cudaHostGetDevicePointer", "p p u")
def _device_pointer(driver: Driver, out: int, pointer: int, flags: int) -> int:
    put(out, pointer)
    return 0 if driver.device.memory.find(pointer) else INVALID_VALUE


@call("cudaHostRegister", "p p u")
def _host_register(driver: Driver, pointer: int, size: int, flags: int) -> None:
    """Pages are locked, which nobody can see."""


@call("cudaHostUnregister", "p")
def _host_unregister(driver: Driver, pointer: int) -> None:
    """They are unlocked."""


@call("cudaMemGetInfo", "p p")
def _info(driver: Driver, free: int, total: int) -> None:
    memory.info(driver, free, total)


@call("cudaMemcpy", "p p p i")
def _copy(driver: Driver, to: int, source: int, size: int, kind: int) -> int:
    return memory.move(driver, to, source, size)


@call("cudaMemcpyAsync", "p p p i p")
def _copy_async(driver: Driver, to: int, source: int, size: int, kind: int, stream: int) -> int:
    return memory.move(driver, to, source, size)


@call("cudaMemcpyPeer", "p i p i p")
def _copy_peer(driver: Driver, to: int, device: int, source: int, other: int, size: int) -> int:
    return memory.move(driver, to, source, size)


@call("cudaMemcpy2D cudaMemcpy2DAsync", "p p p p p p i")
def _copy_rows(
    driver: Driver, to: int, pitch: int, source: int, source_pitch: int, width: int, height: int, kind: int
) -> int:
    if width > min(pitch, source_pitch):
        return 12  # cudaErrorInvalidPitchValue
    for row in range(height):
        status = memory.move(driver, to + row * pitch, source + row * source_pitch, width, f"copy of row {row}")
        if status:
            return status
    return 0


@call("cudaMemset", "p i p")
def _set(driver: Driver, to: int, value: int, size: int) -> None:
    driver.device.memset(to, value, size)


@call("cudaMemsetAsync", "p i p p")
def _set_async(driver: Driver, to: int, value: int, size: int, stream: int) -> None:
    driver.device.memset(to, value, size)


@call("cudaMemset2D cudaMemset2DAsync", "p p i p p")
def _set_rows(driver: Driver, to: int, pitch: int, value: int, width: int, height: int) -> None:
    for row in range(height):
        driver.device.memset(to + row * pitch, value, width)


@call("cudaMemcpyToSymbol cudaMemcpyToSymbolAsync", "p p p p i")
def _to_symbol(driver: Driver, symbol: int, source: int, size: int, offset: int, kind: int) -> int:
    return memory.move(driver, PROGRAM.symbol(driver, symbol).address + offset, source, size)


@call("cudaMemcpyFromSymbol cudaMemcpyFromSymbolAsync", "p p p p i")
def _from_symbol(driver: Driver, to: int, symbol: int, size: int, offset: int, kind: int) -> int:
    return memory.move(driver, to, PROGRAM.symbol(driver, symbol).address + offset, size)


@call("cudaGetSymbolAddress", "p p")
def _symbol_address(driver: Driver, out: int, symbol: int) -> None:
    put(out, PROGRAM.symbol(driver, symbol).address)


@call("cudaGetSymbolSize", "p p")
def _symbol_size(driver: Driver, out: int, symbol: int) -> None:
    put(out, PROGRAM.symbol(driver, symbol).size)


@call("cudaMemPrefetchAsync", "p p p u p")
def _prefetch(driver: Driver, pointer: int, size: int, *rest: int) -> None:
    """Managed memory is where it is used already."""


@call("cudaMemAdvise", "p p i p")
def _advise(driver: Driver, pointer: int, size: int, advice: int, location: int) -> None:
    """Advice changes nothing here."""


@call("cudaPointerGetAttributes", "p p")
def _pointer(driver: Driver, out: int, pointer: int) -> None:
    found = PointerAttributes.from_address(out)
    inside = driver.device.memory.find(pointer) is not None
    found.type, found.device = (2, 0) if inside else (0, -2)
    found.device_pointer = found.host_pointer = pointer if inside else 0


# -- streams and events -----------------------------------------------------------------------------------------


@call("cudaStreamCreate", "p")
def _stream(driver: Driver, out: int) -> None:
    put(out, driver.add(driver.device.stream()))


@call("cudaStreamCreateWithFlags", "p u")
def _stream_with_flags(driver: Driver, out: int, flags: int) -> None:
    _stream(driver, out)


@call("cudaStreamCreateWithPriority", "p u i")
def _stream_with_priority(driver: Driver, out: int, flags: int, priority: int) -> None:
    _stream(driver, out)


@call("cudaEventCreate", "p")
def _event(driver: Driver, out: int) -> None:
    put(out, driver.add(driver.device.event()))


@call("cudaEventCreateWithFlags", "p u")
def _event_with_flags(driver: Driver, out: int, flags: int) -> None:
    _event(driver, out)


for _name, _same in (
    ("cudaStreamDestroy", "cuStreamDestroy_v2"),
    ("cudaStreamSynchronize", "cuStreamSynchronize"),
    ("cudaStreamQuery", "cuStreamQuery"),
    ("cudaStreamWaitEvent", "cuStreamWaitEvent"),
    ("cudaStreamAddCallback", "cuStreamAddCallback"),
    ("cudaLaunchHostFunc", "cuLaunchHostFunc"),
    ("cudaStreamIsCapturing", "cuStreamIsCapturing"),
    ("cudaEventDestroy", "cuEventDestroy_v2"),
    ("cudaEventRecord", "cuEventRecord"),
    ("cudaEventSynchronize", "cuEventSynchronize"),
    ("cudaEventQuery", "cuEventQuery"),
    ("cudaEventElapsedTime", "cuEventElapsedTime"),
):
    _found = CALLS[_same]
    RUNTIME[_name] = Call(_name, _found.arguments, _found.function)


# -- kernels ----------------------------------------------------------------------------------------------------


@call("cudaFuncSetAttribute", "p i i")
def _set_attribute(driver: Driver, function: int, which: int, value: int) -> int:
    return modules.set_attribute(driver, which, value, driver.get(PROGRAM.kernel(driver, function), Kernel))


@call("cudaFuncSetCacheConfig cudaFuncSetSharedMemConfig", "p i")
def _set_cache(driver: Driver, function: int, config: int) -> None:
    """Caches are not modelled."""


@call("cudaFuncGetAttributes", "p p")
def _attributes(driver: Driver, out: int, function: int) -> None:
    kernel = driver.get(PROGRAM.kernel(driver, function), Kernel)
    found = FunctionAttributes.from_address(out)
    ctypes.memset(out, 0, ctypes.sizeof(found))
    found.shared, found.threads, found.registers = modules.attribute(driver, 1, kernel), 1024, 32
    found.ptx = found.binary = modules.attribute(driver, 5, kernel)
    found.dynamic = modules.attribute(driver, 8, kernel)


@call("cudaOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "p p i p")
def _occupancy(driver: Driver, out: int, function: int, threads: int, shared: int) -> None:
    modules.occupancy(driver, out, PROGRAM.kernel(driver, function), threads, shared)


POINTERS: dict[str, Callable[[int], int]] = {
    "__cudaRegisterFatBinary": register_fatbin,
    "cudaGetErrorString": lambda status: text_of(status, name=False),
    "cudaGetErrorName": lambda status: text_of(status, name=True),
}
"""Functions that give a pointer, not a status."""
