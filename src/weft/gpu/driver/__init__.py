"""A virtual `libcuda.so.1`: the driver API on `weft.Device`, for programs that talk to the driver.

`weft gpu-run` starts a program with it.  The library itself calls `attach` when a program first uses it.
"""

from __future__ import annotations

import atexit
import ctypes
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.gpu.driver import (
    absent,
    any_nodes,
    arrays,
    batches,
    captures,
    copies,
    devices,
    executables,
    graph_nodes,
    graphs,
    jitlink,
    libraries,
    linking,
    memory,
    modules,
    nvml,
    nvrtc,
    pools,
    processes,
    runtime_arrays,
    runtime_memory,
    runtime_streams,
    sharing,
    streams,
    tensor_maps,
    textures,
    user_objects,
    virtual,
)
from weft.gpu.driver.build import library
from weft.gpu.driver.forms import SAME, add_forms
from weft.gpu.driver.runtime import POINTERS
from weft.gpu.driver.runtime_table import RUNTIME
from weft.gpu.driver.runtime_table import dispatch as dispatch_runtime
from weft.gpu.driver.state import Driver
from weft.gpu.driver.table import CALLS, Call

__all__ = ["attach", "build", "build_linker", "build_management", "build_runtime", "driver_calls", "nvrtc"]

_PARTS = (
    absent,
    any_nodes,
    arrays,
    batches,
    captures,
    copies,
    devices,
    executables,
    graph_nodes,
    graphs,
    linking,
    memory,
    modules,
    pools,
    processes,
    sharing,
    streams,
    tensor_maps,
    textures,
    user_objects,
    virtual,
)
_RUNTIME_PARTS = (libraries, runtime_arrays, runtime_memory, runtime_streams)  # Importing all of them fills the tables.
add_forms(CALLS, SAME)
add_forms(RUNTIME)
JITLINK, CUDART = "libnvJitLink.so.13", "libcudart.so.13"
Dispatch = Callable[[int, Any], int]
_DISPATCH = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_int, ctypes.POINTER(ctypes.c_uint64))
_KEEP: dict[str, Any] = {}
_ATTACHING = threading.Lock()


def build() -> Path:
    """The library, built unless it is there, and beside it the name that linkers look for.

    Raises ToolError where there is no C compiler.
    """
    return _linkable(library(call.name for call in driver_calls()), "libcuda.so")


def _linkable(path: Path, plain: str) -> Path:
    link = path.parent / plain
    if not link.exists():
        link.symlink_to(path.name)
    return path


def build_runtime() -> Path:
    """The runtime, built unless it is there, and beside it the name that linkers look for."""
    return _linkable(library(RUNTIME, CUDART), "libcudart.so")


def build_linker() -> Path:
    """The stand-in for nvJitLink, built unless it is there.  Raises ToolError where there is no C compiler."""
    return library(jitlink.NAMES, JITLINK)


def build_management() -> Path:
    """The stand-in for NVML, built unless it is there.  Raises ToolError where there is no C compiler."""
    return library(nvml.FUNCTIONS, nvml.CALLED)


def attach(path: str) -> None:
    """Connect the loaded library at a path to a new driver, or linker; the library calls this.

    Several threads may call it at once, as each of them finds that nothing is connected.
    """
    with _ATTACHING:
        if path in _KEEP:
            return
        doors = ctypes.CDLL(path)
        connect = {
            JITLINK: lambda: jitlink.dispatch,
            CUDART: lambda: _runtime(doors),
            nvml.CALLED: lambda: nvml.dispatch(_driver(doors)),
        }
        made = connect.get(Path(path).name, lambda: _driver_calls(doors))()
        _KEEP[path] = _DISPATCH(made)
        doors.weft_attach(_KEEP[path])
        atexit.register(doors.weft_attach, None)


def _driver(doors: ctypes.CDLL) -> Driver:
    """The one driver of this process."""
    if "driver" not in _KEEP:
        _KEEP["driver"] = Driver(doors)
    return _KEEP["driver"]


def _driver_calls(doors: ctypes.CDLL) -> Dispatch:
    driver, calls = _driver(doors), driver_calls()
    driver.library = doors

    def dispatch(number: int, words: Any) -> int:
        call = calls[number]
        with driver.device.lock:  # While a kernel runs, memory of other devices is not to be seen.
            try:
                status = driver.unready(call.name) or call(driver, words)
            except Exception as error:
                status = driver.fail(call.name, error)
        _log(driver, call, words, status)
        return status

    return dispatch


def _runtime(doors: ctypes.CDLL) -> Dispatch:
    driver, calls = _driver(doors), list(RUNTIME.values())

    def dispatch(number: int, words: Any) -> int:
        call = calls[number]
        with driver.device.lock:
            try:
                pointer = POINTERS.get(call.name)
                status = pointer(words) if pointer is not None else dispatch_runtime(driver, call, words)
            except Exception as error:
                status = driver.fail(call.name, error)
        _log(driver, call, words, status)
        return status

    return dispatch


def _log(driver: Driver, call: Call, words: Any, status: int) -> None:
    if driver.log:
        given = ", ".join(hex(words[n]) for n in range(len(call.arguments)))
        print(f"weft: {call.name}({given}) = {status}", file=sys.stderr, flush=True)


def driver_calls() -> list[Call]:
    """The functions of the driver that the library has, in the order of its doors."""
    names = {part.__name__ for part in _PARTS}
    return [call for call in CALLS.values() if call.function.__module__ in names]
