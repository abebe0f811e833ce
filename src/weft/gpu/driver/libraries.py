"""Kernels and libraries that programs ask the runtime for by name, and the driver's functions that they ask it for."""

from __future__ import annotations

import ctypes

from weft.gpu.device_runtime import VERSION
from weft.gpu.driver import modules
from weft.gpu.driver.runtime_table import PROGRAM, RUNTIME, call
from weft.gpu.driver.state import Driver, put, text_at
from weft.gpu.driver.table import CALLS, Call, named
from weft.gpu.kernels import Kernel

_INT = ctypes.c_int
_INVALID_SYMBOL = 13

for _name in (
    *("LibraryLoadData", "LibraryLoadFromFile", "LibraryUnload", "LibraryGetKernel", "LibraryGetGlobal"),
    *("LibraryGetManaged", "LibraryGetKernelCount", "LibraryEnumerateKernels", "FuncGetParamInfo"),
):
    _found = CALLS[f"cu{_name}"]
    RUNTIME[f"cuda{_name}"] = Call(f"cuda{_name}", _found.arguments, _found.function)


def _entry(driver: Driver, symbol: int, out: int, version: int, status: int) -> int:
    name = named(text_at(symbol), version)
    address = 0 if name is None else ctypes.cast(getattr(driver.library, name), ctypes.c_void_p).value or 0
    put(out, address)
    put(status, 0 if address else 1, _INT)
    return 0 if address else _INVALID_SYMBOL


@call("cudaGetDriverEntryPoint", "p p p p")
def _entry_point(driver: Driver, symbol: int, out: int, flags: int, status: int) -> int:
    return _entry(driver, symbol, out, VERSION, status)


@call("cudaGetDriverEntryPointByVersion", "p p u p p")
def _entry_point_by_version(driver: Driver, symbol: int, out: int, version: int, flags: int, status: int) -> int:
    return _entry(driver, symbol, out, version, status)


@call("cudaGetFuncBySymbol cudaGetKernel", "p p")
def _function(driver: Driver, out: int, symbol: int) -> None:
    put(out, PROGRAM.kernel(driver, symbol))


@call("cudaFuncGetName", "p p")
def _function_name(driver: Driver, out: int, function: int) -> None:
    modules.name_of(driver, out, PROGRAM.kernel(driver, function))


@call("cudaFuncGetParamCount", "p p")
def _parameters(driver: Driver, function: int, out: int) -> None:
    put(out, len(driver.get(PROGRAM.kernel(driver, function), Kernel).parameters))


@call("cudaOccupancyAvailableDynamicSMemPerBlock", "p p i i")
def _available(driver: Driver, out: int, function: int, blocks: int, threads: int) -> None:
    modules.available_shared(driver, out, PROGRAM.kernel(driver, function), blocks, threads)


@call("cudaOccupancyMaxActiveClusters cudaOccupancyMaxPotentialClusterSize", "p p p")
def _clusters(driver: Driver, out: int, function: int, config: int) -> None:
    put(out, driver.device.properties.max_cluster, _INT)
