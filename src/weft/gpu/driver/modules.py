"""Modules, libraries and launches."""

from __future__ import annotations

import ctypes
import struct
from contextlib import nullcontext
from math import prod
from pathlib import Path

from weft.errors import WeftError
from weft.fatbin.entries import HEADER, MAGIC, WRAPPER
from weft.gpu.driver import memory
from weft.gpu.driver.places import data_at, object_at, store
from weft.gpu.driver.state import Driver, put, text_at
from weft.gpu.driver.status import INVALID_HANDLE, INVALID_VALUE, NOT_FOUND, EmptyGrid, Refused
from weft.gpu.driver.table import call
from weft.gpu.driver.work import KERNEL, Run, capture_of, stream_of, submit
from weft.gpu.errors import DeviceError
from weft.gpu.foreign import bytes_at
from weft.gpu.kernels import Kernel
from weft.gpu.modules import Module
from weft.gpu.resources import resources, static_shared
from weft.gpu.streams import Stream
from weft.isa.limits import STATIC_SHARED
from weft.sim import KernelFault

_INT = ctypes.c_int
_TOO_LARGE = 720
_MOST_OPTIONS = 64
"""More options or attributes than there are kinds of."""
CUBIN = "a cubin cannot be run here; PTX is needed"
HINT = "compile to PTX, or with the PTX kept: -gencode arch=compute_80,code=compute_80"


def image_at(address: int) -> bytes:
    """The PTX or fatbin at an address, whose size nobody tells.

    Raises:
        DeviceError: it is machine code.
    """
    start = data_at(address, 4)
    if start == WRAPPER:
        address = object_at(ctypes.c_uint64, address + 8).value
        start = data_at(address, 4)
    if start == MAGIC:
        _, _, size, length = HEADER.unpack(data_at(address, HEADER.size))
        return data_at(address, size + length)
    if start == b"\x7fELF":
        raise DeviceError("no-binary", CUBIN, HINT)
    return data_at(address)


def _load(driver: Driver, out: int, data: bytes) -> None:
    put(out, driver.add(driver.load(data)))


@call("cuModuleLoad", "p p")
def _module_file(driver: Driver, out: int, path: int) -> int:
    file = Path(text_at(path))
    if not file.is_file():
        return 301  # CUDA_ERROR_FILE_NOT_FOUND
    _load(driver, out, file.read_bytes())
    return 0


@call("cuModuleLoadData cuModuleLoadFatBinary", "p p")
def _module(driver: Driver, out: int, image: int) -> None:
    _load(driver, out, image_at(image))


@call("cuModuleLoadDataEx", "p p u p p")
def _module_with_options(driver: Driver, out: int, image: int, count: int, options: int, values: int) -> None:
    if count > _MOST_OPTIONS:
        raise Refused(INVALID_VALUE, f"{count} options")
    given = {object_at(_INT, options + 4 * number).value: values + 8 * number for number in range(count)}
    _say(given, _INFORMATION, "")
    try:
        _load(driver, out, image_at(image))
    except WeftError as error:
        _say(given, _ERRORS, error.render())
        raise
    _say(given, _ERRORS, "")


_INFORMATION, _ERRORS = 3, 5
"""The options `CU_JIT_INFO_LOG_BUFFER` and `CU_JIT_ERROR_LOG_BUFFER`; those behind them are the buffers' sizes."""


def _say(given: dict[int, int], log: int, text: str) -> None:
    """Write a text to a log that the options of a program give room for; the size becomes that of the text."""
    if log not in given or log + 1 not in given:
        return
    buffer, room = (object_at(ctypes.c_uint64, given[option]).value for option in (log, log + 1))
    data = text.encode()[: max((room & 0xFFFF_FFFF) - 1, 0)] + b"\0"
    if buffer and room & 0xFFFF_FFFF:
        store(buffer, data)
    put(given[log + 1], len(data) - 1, ctypes.c_uint)


@call("cuLibraryLoadData", "p p p p u p p u")
def _library(driver: Driver, out: int, image: int, *options: int) -> None:
    _load(driver, out, image_at(image))


@call("cuLibraryLoadFromFile", "p p p p u p p u")
def _library_file(driver: Driver, out: int, path: int, *options: int) -> int:
    return _module_file(driver, out, path)


@call("cuModuleUnload cuLibraryUnload", "p")
def _unload(driver: Driver, module: int) -> None:
    driver.drop(module, Module).unload()


@call("cuModuleGetLoadingMode", "p")
def _mode(driver: Driver, out: int) -> None:
    put(out, 1, _INT)


@call("cuLibraryGetModule", "p p")
def _module_of(driver: Driver, out: int, library: int) -> None:
    driver.get(library, Module)
    put(out, library)


def _kernel_handle(driver: Driver, kernel: Kernel) -> int:
    """The one handle of a kernel: its attributes are kept with it."""
    found = driver.keep.get(f"kernel {id(kernel)}")
    if found is None:
        found = driver.keep[f"kernel {id(kernel)}"] = (driver.add(kernel), kernel)
    return found[0]


@call("cuModuleGetFunction cuLibraryGetKernel", "p p p")
def _function(driver: Driver, out: int, module: int, name: int) -> None:
    put(out, _kernel_handle(driver, driver.get(module, Module).kernel(text_at(name))))


@call("cuKernelGetFunction", "p p")
def _function_of(driver: Driver, out: int, kernel: int) -> None:
    driver.get(kernel, Kernel)
    put(out, kernel)


@call("cuFuncGetModule cuKernelGetLibrary", "p p")
def _owner(driver: Driver, out: int, kernel: int) -> int:
    module = driver.get(kernel, Kernel).module
    for handle, (thing, _) in driver.things.items():
        if thing is module:
            put(out, handle)
            return 0
    return NOT_FOUND


@call("cuFuncGetName cuKernelGetName", "p p")
def name_of(driver: Driver, out: int, kernel: int) -> None:
    """Give the name of a kernel."""
    found = driver.get(kernel, Kernel)
    text = driver.keep.setdefault(f"name {found.name}", ctypes.create_string_buffer(found.name.encode()))
    put(out, ctypes.addressof(text))


@call("cuModuleGetFunctionCount cuLibraryGetKernelCount", "p p")
def _count(driver: Driver, out: int, module: int) -> None:
    put(out, len(driver.get(module, Module).names), ctypes.c_uint)


@call("cuModuleEnumerateFunctions cuLibraryEnumerateKernels", "p u p")
def _enumerate(driver: Driver, out: int, count: int, module: int) -> None:
    for number, kernel in enumerate(list(driver.get(module, Module).kernels())[:count]):
        put(out + 8 * number, _kernel_handle(driver, kernel))


@call("cuModuleGetGlobal_v2 cuLibraryGetGlobal cuLibraryGetManaged", "p p p p")
def _global(driver: Driver, address: int, size: int, module: int, name: int) -> None:
    symbol = driver.get(module, Module).symbol(text_at(name))
    put(address, symbol.address)
    put(size, symbol.size)


@call("cuFuncGetParamInfo cuKernelGetParamInfo", "p p p p")
def _parameter(driver: Driver, kernel: int, index: int, offset: int, size: int) -> int:
    parameters = driver.get(kernel, Kernel).parameters
    if index >= len(parameters):
        return INVALID_VALUE
    put(offset, parameters[index][1])
    put(size, parameters[index][2])
    return 0


@call("cuFuncGetParamCount cuKernelGetParamCount", "p p")
def _parameter_count(driver: Driver, kernel: int, out: int) -> None:
    put(out, len(driver.get(kernel, Kernel).parameters))


@call("cuFuncIsLoaded", "p p")
def _loaded(driver: Driver, out: int, kernel: int) -> None:
    put(out, 1, _INT)


@call("cuFuncLoad", "p")
def _force(driver: Driver, kernel: int) -> None:
    driver.get(kernel, Kernel)


_LOCAL, _REGISTERS = 3, 4
_SETTABLE = (8, 9, 11, 12, 13, 14, 15)
"""Dynamic shared memory, the carve-out, and five about clusters, by their numbers in `CUfunction_attribute`."""


def attribute(driver: Driver, which: int, kernel: Kernel) -> int:
    """An attribute of a kernel, by its number in `CUfunction_attribute`."""
    function, properties = kernel.function, driver.device.properties
    if which == 1:  # SHARED_SIZE_BYTES
        key = f"shared {id(kernel)}"
        if key not in driver.keep:
            driver.keep[key] = static_shared(kernel.module.ptx, function)
        return int(driver.keep[key])
    if which == 8:  # MAX_DYNAMIC_SHARED_SIZE_BYTES
        return int(driver.keep.get(f"dynamic {id(kernel)}", STATIC_SHARED))
    if which in (_LOCAL, _REGISTERS):
        key = f"resources {id(kernel)}"
        if key not in driver.keep:
            driver.keep[key] = resources(kernel.module.ptx, kernel.name, driver.device.target)
        found = driver.keep[key]
        if found is not None:
            return found.stack_bytes if which == _LOCAL else found.registers
    return {
        0: properties.max_threads_per_block,
        _REGISTERS: 32,  # Nobody has allocated any.
        5: properties.major * 10 + properties.minor,
        6: properties.major * 10 + properties.minor,
    }.get(which, 0)


@call("cuFuncGetAttribute", "p i p")
def _get_attribute(driver: Driver, out: int, which: int, kernel: int) -> None:
    if not 0 <= which <= max(_SETTABLE):
        raise Refused(INVALID_VALUE, f"unknown kernel attribute {which}")
    put(out, attribute(driver, which, driver.get(kernel, Kernel)), _INT)


@call("cuKernelGetAttribute", "p i p i")
def _get_kernel_attribute(driver: Driver, out: int, which: int, kernel: int, device: int) -> None:
    _get_attribute(driver, out, which, kernel)


def set_attribute(driver: Driver, which: int, value: int, kernel: Kernel) -> int:
    """Set an attribute of a kernel."""
    if which not in _SETTABLE:
        return INVALID_VALUE
    if which == 8:
        if not 0 <= value <= driver.device.properties.shared_per_block_optin:
            return INVALID_VALUE
        driver.keep[f"dynamic {id(kernel)}"] = value
    return 0


@call("cuFuncSetAttribute", "p i i")
def _set_function_attribute(driver: Driver, kernel: int, which: int, value: int) -> int:
    return set_attribute(driver, which, value, driver.get(kernel, Kernel))


@call("cuKernelSetAttribute", "i i p i")
def _set_kernel_attribute(driver: Driver, which: int, value: int, kernel: int, device: int) -> int:
    return set_attribute(driver, which, value, driver.get(kernel, Kernel))


@call("cuFuncSetCacheConfig cuFuncSetSharedMemConfig cuKernelSetCacheConfig", "p i")
def _set_cache(driver: Driver, kernel: int, config: int) -> None:
    """Caches are not modelled."""


# -- launches -------------------------------------------------------------------------------------------------


def prepared(
    driver: Driver,
    handle: int,
    extents: tuple[int, ...],
    shared: int,
    parameters: int,
    extra: int,
    cluster: tuple[int, ...] | None = None,
    cooperative: bool = False,
    stream: Stream | None = None,
    programmatic: bool = False,
) -> Run:
    """A launch, whose arguments are copied now; what the kernel does wrong is told by the next call that waits."""
    kernel = driver.get(handle, Kernel)
    block = _extra(extra) if extra else _block(kernel, parameters)
    if shared > int(driver.keep.get(f"dynamic {id(kernel)}", STATIC_SHARED)):
        raise Refused(
            INVALID_VALUE,
            f"{shared:,} bytes of dynamic shared memory exceed the kernel's limit, which cuFuncSetAttribute sets",
        )

    number = driver.number

    def run() -> int:
        mirrors = [(start, mirror) for start, mirror in driver.registered.items() if mirror.copy is not None]
        for start, mirror in mirrors:
            memory.move_mirror(driver, start, mirror, back=False)
        try:
            with driver.device.memory.without(driver.strangers(number)) if driver.devices > 1 else nullcontext():
                result = kernel.launch(
                    *(extents[:3], extents[3:]),
                    parameters=block,
                    cluster=cluster,
                    shared=shared,
                    stream=stream,
                    cooperative=cooperative,
                    programmatic=programmatic,
                )
            for finding in result.findings:
                driver.found(finding)
        except KernelFault as fault:
            driver.fault(fault)
        for start, mirror in mirrors:
            memory.move_mirror(driver, start, mirror, back=True)
        return 0

    return run


def launch(
    driver: Driver,
    handle: int,
    extents: tuple[int, ...],
    shared: int,
    stream: int,
    parameters: int,
    extra: int,
    cluster: tuple[int, ...] | None = None,
    cooperative: bool = False,
    programmatic: bool = False,
) -> int:
    """Launch a kernel on a stream."""
    if driver.sticky and driver.pending:
        return driver.take_pending()
    place = stream_of(driver, stream) if capture_of(driver, stream) is None else None
    if 0 in extents[:3]:
        raise EmptyGrid(f"the grid {extents[:3]} is empty", hint="give each extent at least 1")
    if cooperative:
        _all_fit(driver, handle, extents, shared)
    if driver.homes.get(stream, driver.number) != driver.number:
        raise Refused(INVALID_HANDLE, f"the stream belongs to device {driver.homes[stream]}, not to the current one")
    run = prepared(
        *(driver, handle, extents, shared, parameters, extra, cluster, cooperative),
        stream=place,
        programmatic=programmatic and place is not None,
    )
    node = struct.pack("<Q6II4xQQ", handle, *extents, shared, parameters, extra)
    return submit(driver, stream, KERNEL, run, node)


def _all_fit(driver: Driver, handle: int, extents: tuple[int, ...], shared: int) -> None:
    """Raises Refused where a device cannot hold all the CTAs of a cooperative grid."""
    static = attribute(driver, 1, driver.get(handle, Kernel))
    properties = driver.device.properties
    room = properties.ctas_together(prod(extents[3:]), shared + static) * properties.multiprocessors
    if prod(extents[:3]) > room:
        raise Refused(_TOO_LARGE, f"a cooperative grid of {prod(extents[:3]):,} CTAs, of which {room:,} run together")


def _block(kernel: Kernel, parameters: int) -> bytes:
    """The block of parameters from the addresses of each."""
    if kernel.parameters and not parameters:
        raise Refused(INVALID_VALUE, f"kernel '{kernel.name}' has parameters, but none are passed")
    data = bytearray(max((offset + size for _, offset, size in kernel.parameters), default=0))
    for number, (_, offset, length) in enumerate(kernel.parameters):
        place = object_at(ctypes.c_uint64, parameters + 8 * number).value
        if not place:
            raise Refused(INVALID_VALUE, f"kernel '{kernel.name}' has no parameter {number}")
        data[offset : offset + length] = data_at(place, length)
    return bytes(data)


def _extra(address: int) -> bytes:
    """The parameters in `extra`: pairs of a name and a value, CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE."""
    start = size = 0
    while True:
        key, value = struct.unpack("<QQ", data_at(address, 16))
        if key == 0:
            return bytes_at(start, size).tobytes()
        if key == 1:
            start = value
        elif key == 2:
            size = object_at(ctypes.c_size_t, value).value
        address += 16


@call("cuLaunchKernel", "p u u u u u u u p p p")
def _launch_kernel(driver: Driver, kernel: int, *rest: int) -> int:
    shared, stream, parameters, extra = rest[6:]
    return launch(driver, kernel, rest[:6], shared, stream, parameters, extra)


@call("cuLaunchCooperativeKernel", "p u u u u u u u p p")
def _launch_cooperative(driver: Driver, kernel: int, *rest: int) -> int:
    shared, stream, parameters = rest[6:]
    return launch(driver, kernel, rest[:6], shared, stream, parameters, 0, cooperative=True)


@call("cuLaunchKernelEx", "p p p p")
def launch_extended(driver: Driver, config: int, kernel: int, row: int, extra: int) -> int:
    """Run a kernel with the attributes of a `CUlaunchConfig`."""
    *extents, shared, stream, attributes, count = struct.unpack("<7I4xQQI", data_at(config, 52))
    cluster, cooperative, programmatic = None, False, False
    if count > _MOST_OPTIONS:
        raise Refused(INVALID_VALUE, f"{count} attributes")
    for number in range(count):
        key, x, y, z = struct.unpack("<I4xIII", data_at(attributes + 72 * number, 20))
        if key == 4:
            cluster = (x, y, z)
        elif key == 2:
            cooperative = bool(x)
        elif key == 6:  # CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
            programmatic = bool(x)
    return launch(driver, kernel, tuple(extents), shared, stream, row, extra, cluster, cooperative, programmatic)


# -- occupancy ------------------------------------------------------------------------------------------------


@call("cuOccupancyMaxActiveBlocksPerMultiprocessor", "p p i p")
def occupancy(driver: Driver, out: int, kernel: int, threads: int, shared: int) -> None:
    """Say how many CTAs a multiprocessor holds."""
    if threads < 1:
        raise Refused(INVALID_VALUE, f"blocks of {threads} threads")
    static = attribute(driver, 1, driver.get(kernel, Kernel))
    put(out, driver.device.properties.ctas_together(threads, shared + static), _INT)


@call("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "p p i p u")
def _occupancy_with_flags(driver: Driver, out: int, kernel: int, threads: int, shared: int, flags: int) -> None:
    occupancy(driver, out, kernel, threads, shared)


@call("cuOccupancyAvailableDynamicSMemPerBlock", "p p i i")
def available_shared(driver: Driver, out: int, kernel: int, blocks: int, threads: int) -> None:
    """Say how much dynamic shared memory a CTA may have where a multiprocessor is to hold so many of them."""
    p, static = driver.device.properties, attribute(driver, 1, driver.get(kernel, Kernel))
    room = p.shared_per_multiprocessor // max(blocks, 1) - 1024 - static
    put(out, max(0, min(room, p.shared_per_block_optin - static)))


@call("cuOccupancyMaxPotentialBlockSize", "p p p p p i")
def _potential(driver: Driver, grid: int, block: int, kernel: int, function: int, shared: int, most: int) -> None:
    properties, static = driver.device.properties, attribute(driver, 1, driver.get(kernel, Kernel))
    threads = min(most or properties.max_threads_per_block, properties.max_threads_per_block)
    put(block, threads, _INT)
    put(grid, properties.multiprocessors * max(1, properties.ctas_together(threads, shared + static)), _INT)


@call("cuOccupancyMaxPotentialBlockSizeWithFlags", "p p p p p i u")
def _potential_with_flags(driver: Driver, grid: int, block: int, *rest: int) -> None:
    _potential(driver, grid, block, *rest[:4])


@call("cuOccupancyMaxActiveClusters cuOccupancyMaxPotentialClusterSize", "p p p")
def _clusters(driver: Driver, out: int, kernel: int, config: int) -> None:
    put(out, driver.device.properties.max_cluster, _INT)
