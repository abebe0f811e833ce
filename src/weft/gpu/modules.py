"""Modules that are loaded on a device: their variables stay where they are until the module is unloaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from weft.checked import checked
from weft.dataclass import dataclass
from weft.errors import nearest
from weft.gpu.errors import DeviceError
from weft.gpu.kernels import Kernel
from weft.isa.target import TARGETS
from weft.ptx.ast import Function, Variable
from weft.ptx.ast import Module as PtxModule
from weft.sim import image
from weft.sim.faults import SimulationError
from weft.sim.lanes import Array
from weft.sim.program import defined_functions, function_address
from weft.sim.registers import Place
from weft.sim.runtime import Runtime

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from weft.gpu.device import Device


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable of a module: its address on the device and its size in bytes; `space` is `global` or `const`."""

    name: str
    address: int
    size: int
    space: str
    device: Device

    def __int__(self) -> int:
        return self.address

    @checked
    def view(self, dtype: DTypeLike = np.uint8) -> Array:
        """The variable as an array that shares its memory."""
        return self.device.view(self.address, self.size, dtype)

    def read(self) -> bytes:
        """The bytes of the variable."""
        return self.device.download(self.address, self.size)

    @checked
    def write(self, data: bytes | Array, offset: int = 0) -> None:
        """Copy bytes into the variable, from an offset on.  Raises DeviceError where they do not fit."""
        self.device.upload(self.address + offset, data)


class Module:
    """A module on a device: `kernel(name)` and `symbol(name)`.  `ptx` is the module itself, which must not change."""

    def __init__(self, device: Device, ptx: PtxModule) -> None:
        self.device = device
        self.ptx = ptx
        self._check_target()
        self._defined = defined_functions(ptx)
        self._variables = {variable.name: variable for variable in ptx.variables}
        self._places: dict[int, Place] = {}
        self._kernels: dict[str, Kernel] = {}
        self.loaded = True
        for variable in ptx.variables:
            if variable.space in ("global", "const") and variable.linkage != "extern":
                self._allocate(variable)
        for variable in ptx.variables:
            if id(variable) in self._places:
                self._initialise(variable)

    @property
    def runtime(self) -> Runtime:
        """The device's heap, and what kernels print; see `weft.sim.program.Resident`."""
        return self.device.runtime

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the kernels."""
        return tuple(function.name for function in self.ptx.kernels if function.body is not None)

    @checked
    def kernel(self, name: str) -> Kernel:
        """A kernel by its name.

        Raises:
            DeviceError: the module has none of that name, or has been unloaded.
        """
        self._live()
        found = self._kernels.get(name)
        if found is None:
            found = self._kernels[name] = Kernel(self, self._function(name))
        return found

    def kernels(self) -> Iterator[Kernel]:
        """All kernels."""
        return map(self.kernel, self.names)

    @checked
    def symbol(self, name: str) -> Symbol:
        """A `.global` or `.const` variable by its name.

        Raises:
            DeviceError: the module has none of that name, or has been unloaded.
        """
        self._live()
        variable = self._variables.get(name)
        place = None if variable is None else self._places.get(id(variable))
        if variable is None or place is None:
            known = [v.name for v in self.ptx.variables if id(v) in self._places]
            hint = nearest(name, known) if known else "it has no variables"
            raise DeviceError("not-found", f"the module has no variable '{name}'", hint)
        return Symbol(name, place.address, place.size, variable.space, self.device)

    def unload(self) -> None:
        """Give back the module's memory; its kernels cannot be launched any more."""
        if not self.loaded:
            return
        self.loaded = False
        for kernel in self._kernels.values():
            kernel.forget()
        if not self.device.closed:
            for place in self._places.values():
                self.device.memory.free(place.address)
        self._places.clear()

    def place(self, variable: Variable) -> Place:
        """Where a variable lies; see `weft.sim.program.Resident`."""
        found = self._places.get(id(variable))
        if found is None:
            if variable.linkage == "extern":
                raise SimulationError(
                    f"'{variable.name}' is declared but not defined in the module",
                    hint="load the modules that define it together: device.load([one, other])",
                )
            found = self._allocate(variable)
            self._initialise(variable)
        return found

    def share(self, name: str, other: Module) -> None:
        """Let a variable be that of a module like this one."""
        mine, theirs = self._variables[name], other._variables[name]
        self.device.memory.free(self._places.pop(id(mine)).address)
        self._places[id(mine)] = other._places[id(theirs)]

    def _allocate(self, variable: Variable) -> Place:
        size, align = image.size_of(variable), max(16, image.alignment_of(variable))
        found = self.device.memory.allocate(
            *(size, f"variable {variable.name}"),
            kind="own",
            align=align,
            writable=variable.space == "global",
            written=True,
        )
        place = self._places[id(variable)] = Place("global", found.address, size)
        return place

    def _initialise(self, variable: Variable) -> None:
        place = self._places[id(variable)]
        contents = self.device.memory.contents(place.address, place.size)
        contents[:] = 0 if variable.initializer is None else image.initial_bytes(variable, self._address)

    def _address(self, name: str) -> int:
        variable = self._variables.get(name)
        place = None if variable is None else self._places.get(id(variable))
        address = place.address if place is not None else function_address(self._defined, name)
        if address is None:
            raise SimulationError(f"'{name}' in an initialiser is not defined in the module")
        return address

    def _function(self, name: str) -> Function:
        for function in self.ptx.kernels:
            if function.name == name and function.body is not None:
                return function
        known = list(self.names)
        hint = nearest(name, known) if known else "it has no kernels"
        raise DeviceError("not-found", f"the module has no kernel '{name}'", hint)

    def _live(self) -> None:
        if not self.loaded or self.device.closed:
            raise DeviceError("closed", "the module has been unloaded")

    def _check_target(self) -> None:
        """Refuse a module that the device's driver would not take: one for a later or another architecture."""
        mine, wanted = TARGETS.get(self.device.target), TARGETS.get(self.ptx.target)
        if mine is None or wanted is None:
            return
        if not mine.runs(wanted):
            message = f"a module for {wanted.name} does not run on {mine.name}"
            raise DeviceError("no-binary", message, hint=f"use weft.Device('{wanted.name}')")
