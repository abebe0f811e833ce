"""The CUDA runtime, `libcudart.so.13`, on the same driver: for C++ programs that are linked to the shared runtime.

`weft nvcc` builds them so.  Extents (`dim3`) come as two words each, as the C calling convention passes them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from weft.gpu.device_runtime import VERSION
from weft.gpu.driver import modules
from weft.gpu.driver.devices import attributes, caches, set_caches, uuid_of
from weft.gpu.driver.places import data_at, object_at, store
from weft.gpu.driver.runtime_arrays import channel_description
from weft.gpu.driver.runtime_table import INVALID_CONFIGURATION, PROGRAM, call
from weft.gpu.driver.runtime_types import DeviceProperties, FunctionAttributes
from weft.gpu.driver.state import Driver, put, text_at
from weft.gpu.driver.status import INVALID_VALUE
from weft.gpu.kernels import Kernel
from weft.gpu.statuses import of_runtime

_INT, _UINT = ctypes.c_int, ctypes.c_uint


# -- what compiled programs call --------------------------------------------------------------------------------


@call("__cudaRegisterFatBinary cudaGetErrorString cudaGetErrorName")
def _pointer_to(driver: Driver) -> None:
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
    PROGRAM.managed.setdefault(handle, []).append(symbol.name)
    PROGRAM.variables[host] = (handle, symbol.name)
    put(host, symbol.address)


def register_fatbin(wrapper: int) -> int:
    """Keep a fatbin; its handle."""
    block = ctypes.create_string_buffer(16)
    handle = ctypes.addressof(block)
    PROGRAM.images[handle] = ([modules.image_at(wrapper)], block)
    return handle


@call("weft_register_linked", "p p")
def _register_linked(driver: Driver, wrapper: int, callback: int) -> None:
    """An object with relocatable device code: all of these are one module."""
    if PROGRAM.linked:
        PROGRAM.images[PROGRAM.linked][0].append(modules.image_at(wrapper))
    else:
        PROGRAM.linked = register_fatbin(wrapper)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(callback)(PROGRAM.linked)


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
    return modules.launch(driver, kernel, (*_extents(g, gz), *_extents(b, bz)), shared, stream, row, 0)


@call("cudaLaunchCooperativeKernel", "p p p p p p p p")
def _cooperative(
    driver: Driver, address: int, g: int, gz: int, b: int, bz: int, row: int, shared: int, stream: int
) -> int:
    kernel = PROGRAM.kernel(driver, address)
    return modules.launch(
        driver, kernel, (*_extents(g, gz), *_extents(b, bz)), shared, stream, row, 0, cooperative=True
    )


@call("cudaLaunchKernelExC", "p p p")
def _extended(driver: Driver, config: int, address: int, row: int) -> int:
    words = data_at(config, 64)  # dim3, dim3, size_t, stream, attributes, count
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


def text_of(status: int, *, name: bool) -> int:
    """The address of an error's name or text."""
    status &= 0xFFFF_FFFF
    text = of_runtime(status)[not name]
    return ctypes.addressof(_TEXTS.setdefault((status, name), ctypes.create_string_buffer(text.encode())))


# -- devices ----------------------------------------------------------------------------------------------------


@call("cudaGetDeviceCount", "p")
def _count(driver: Driver, out: int) -> None:
    put(out, driver.devices, _INT)


@call("cudaGetDevice", "p")
def _device(driver: Driver, out: int) -> None:
    put(out, driver.number, _INT)


@call("cudaSetDevice", "i")
def _set_device(driver: Driver, number: int) -> None:
    driver.context(number)
    driver.stack[-1:] = [driver.primaries[number]]


@call("cudaInitDevice", "i u u")
def _initialise(driver: Driver, number: int, *flags: int) -> None:
    driver.checked(number)


@call("cudaSetDeviceFlags cudaDeviceSetSharedMemConfig", "u")
def _flags(driver: Driver, flags: int) -> None:
    """There is nothing that they would change."""


call("cudaDeviceSetCacheConfig", "i")(set_caches)
call("cudaDeviceGetCacheConfig", "p")(caches)


@call("cudaDeviceSynchronize cudaThreadSynchronize")
def _synchronize(driver: Driver) -> int:
    driver.device.synchronize()
    return driver.take_pending()


@call("cudaProfilerStart cudaProfilerStop")
def _profiler(driver: Driver) -> int:
    return driver.take_pending()


@call("cudaDeviceReset")
def _reset(driver: Driver) -> int:
    driver.pending, found = 0, driver.pending
    return 0 if driver.sticky else found


@call("cudaDriverGetVersion cudaRuntimeGetVersion", "p")
def _version(driver: Driver, out: int) -> None:
    put(out, VERSION, _INT)


@call("cudaGetDeviceProperties", "p i")
def _properties(driver: Driver, out: int, device: int) -> None:
    found = object_at(DeviceProperties, out)
    known = attributes(driver, driver.checked(device))
    found.fill(driver.device.properties, known, uuid=uuid_of(device))


@call("cudaDeviceGetStreamPriorityRange", "p p")
def _priorities(driver: Driver, least: int, greatest: int) -> None:
    put(least, 0, _INT)
    put(greatest, -5, _INT)


@call("cudaDeviceGetSharedMemConfig cudaGetDeviceFlags", "p")
def _config(driver: Driver, out: int) -> None:
    put(out, 0, _INT)


@call("cudaDeviceGetTexture1DLinearMaxWidth", "p p i")
def _widest(driver: Driver, out: int, description: int, device: int) -> None:
    put(out, 1 << 28)


@call("cudaSetValidDevices", "p i")
def _valid_devices(driver: Driver, devices: int, count: int) -> None:
    """Threads begin with the first one all the same."""


@call("cudaCtxResetPersistingL2Cache")
def _reset_cache(driver: Driver) -> None:
    """Caches are not modelled."""


@call("cudaChooseDevice", "p p")
def _choose(driver: Driver, out: int, wanted: int) -> None:
    put(out, 0, _INT)


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
    found = object_at(FunctionAttributes, out)
    store(out, bytes(ctypes.sizeof(found)))
    found.shared, found.local, found.registers = (modules.attribute(driver, which, kernel) for which in (1, 3, 4))
    found.threads = 1024
    found.ptx = found.binary = modules.attribute(driver, 5, kernel)
    found.dynamic = modules.attribute(driver, 8, kernel)


@call("cudaOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "p p i p")
def _occupancy(driver: Driver, out: int, function: int, threads: int, shared: int) -> None:
    modules.occupancy(driver, out, PROGRAM.kernel(driver, function), threads, shared)


POINTERS: dict[str, Callable[[Any], int]] = {
    "__cudaRegisterFatBinary": lambda words: register_fatbin(words[0]),
    "cudaGetErrorString": lambda words: text_of(words[0], name=False),
    "cudaGetErrorName": lambda words: text_of(words[0], name=True),
    "cudaCreateChannelDesc": lambda words: channel_description(*words[:6]),
}
"""Functions that give a pointer, not a status."""
