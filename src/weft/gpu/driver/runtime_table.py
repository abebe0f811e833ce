"""The functions of the runtime by name, and what a program has registered with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from weft.errors import WeftError
from weft.gpu.driver.state import Driver
from weft.gpu.driver.status import NOT_READY, Refused
from weft.gpu.driver.table import CALLS, Call, Function, kinds_of
from weft.gpu.modules import Module, Symbol
from weft.sim import SimulationError

RUNTIME: dict[str, Call] = {}
INVALID_CONFIGURATION, INVALID_PITCH, INVALID_SYMBOL, INVALID_DEVICE_FUNCTION = 9, 12, 13, 98
_REGISTERS = re.compile(r"__cuda(Un)?[rR]egister|__cudaInitModule|weft_")
"""What programs call before they begin, and needs no device."""
_QUIET = {"cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString", "cudaGetErrorName", "cudaCreateChannelDesc"}


def call(names: str, arguments: str = "") -> Callable[[Function], Function]:
    """Register a function of the runtime."""

    def register(function: Function) -> Function:
        for name in names.split():
            RUNTIME[name] = Call(name, kinds_of(arguments, function), function)
        return function

    return register


def both(names: str, arguments: str = "") -> Callable[[Function], Function]:
    """Register a function under its names in both APIs, which are given without `cu` and `cuda`."""

    def register(function: Function) -> Function:
        for name in names.split():
            for prefix, table in (("cu", CALLS), ("cuda", RUNTIME)):
                table[prefix + name] = Call(prefix + name, kinds_of(arguments, function), function)
        return function

    return register


class Program:
    """What a program has registered: its fatbins, and its kernels and variables by the host's addresses."""

    def __init__(self) -> None:
        self.images: dict[int, tuple[list[bytes], Any]] = {}
        self.linked = 0
        self.modules: dict[tuple[int, int], Module] = {}
        self.functions: dict[int, tuple[int, str]] = {}
        self.variables: dict[int, tuple[int, str]] = {}
        self.managed: dict[int, list[str]] = {}
        self.kernels: dict[tuple[int, int], int] = {}
        self.origins: dict[int, int] = {}
        self.configurations: list[tuple[int, ...]] = []
        self.last = 0

    def module(self, driver: Driver, handle: int) -> Module:
        """The module of a fatbin on the current device, loaded when it is first needed.

        Managed variables are those of the first device.
        """
        place = handle, driver.number
        found = self.modules.get(place)
        if found is None:
            found = self.modules[place] = driver.load(self.images[handle][0])
            for name in self.managed.get(handle, ()) if place[1] else ():
                found.share(name, self.modules[handle, 0])
        return found

    def kernel(self, driver: Driver, address: int) -> int:
        """The handle on the current device of the kernel that a host function, or its handle on another, stands for."""
        address = self.origins.get(address, address)
        found = self.kernels.get((address, driver.number))
        if found is None:
            if address in driver.things:  # It is a kernel's handle already.
                return address
            if address not in self.functions:
                raise Refused(INVALID_DEVICE_FUNCTION, f"{address:#x} is not a kernel of the program")
            image, name = self.functions[address]
            found = self.kernels[address, driver.number] = driver.add(self.module(driver, image).kernel(name))
            self.origins[found] = address
        return found

    def symbol(self, driver: Driver, address: int) -> Symbol:
        """The variable that a host variable stands for."""
        if address not in self.variables:
            raise Refused(INVALID_SYMBOL, f"{address:#x} is not a variable of the program")
        image, name = self.variables[address]
        return self.module(driver, image).symbol(name)


PROGRAM = Program()


def dispatch(driver: Driver, function: Call, words: Any) -> int:
    """Call a function; its status is the last error, too.  A thread without a context gets that of the first device."""
    if not driver.stack and not _REGISTERS.match(function.name):
        driver.initialised = True
        driver.stack.append(driver.primaries[0])
    try:
        status = function(driver, words)
    except (WeftError, Refused) as error:
        status = driver.fail(function.name, error)
        if isinstance(error, SimulationError) and "Launch" in function.name:
            status = INVALID_CONFIGURATION
    if status and function.name not in _QUIET and status != NOT_READY:
        PROGRAM.last = status
    return status
