"""Launches on a device: arguments become the bytes of parameters, faults get their lines of Python."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from weft.dataclass import dataclass
from weft.gpu import Device
from weft.gpu.kernels import Kernel
from weft.sim.faults import KernelFault
from weft.sim.result import Result
from weft.triton.descriptors import MapArgument
from weft.triton.faults import Source, placed
from weft.triton.mirrors import Mirrors, numbers_in
from weft.triton.packing import Pointer, Value

Extents = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Geometry:
    """The extents of a launch: CTAs, threads of a CTA, CTAs of a cluster; `shared` bytes of dynamic shared memory."""

    grid: Extents
    block: Extents
    cluster: Extents | None
    shared: int
    cooperative: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """What a parameter is given: its name in Python, its type in Triton, and the value."""

    name: str
    type: str
    value: Value


def launch(
    device: Device, kernel: Kernel, geometry: Geometry, arguments: Sequence[Argument], source: Source | None
) -> Result:
    """Run a kernel on copies of the host's memory, which are copied back, and on the device's memory as it is.

    Raises:
        TritonFault: the kernel does something wrong; what it has written so far is copied back.
        SimulationError: the launch does not fit the kernel or the device.
    """
    mirrors = Mirrors(device.memory)
    with device.lock:
        try:
            data = _block(kernel, mirrors, arguments)
            return kernel.launch(
                geometry.grid,
                geometry.block,
                parameters=data,
                cluster=geometry.cluster,
                shared=geometry.shared,
                cooperative=geometry.cooperative,
            )
        except KernelFault as fault:
            if fault.kind == "assert":
                print(fault.message, file=sys.stderr)
            raise placed(fault, kernel.module.ptx, source) from None
        finally:
            mirrors.copy_out()
            mirrors.release()
            sys.stdout.flush()


def _block(kernel: Kernel, mirrors: Mirrors, arguments: Sequence[Argument]) -> bytes:
    """The bytes of all parameters, once the memory that they point to lies on the device."""
    tables = [
        argument.value.storage
        for argument in arguments
        if argument.type in ("*i64", "*u64") and isinstance(argument.value, Pointer) and argument.value.storage
    ]
    for argument in arguments:
        value = argument.value
        if not isinstance(value, bytes) and value.storage is not None:
            mirrors.add(value.storage, argument.name)
    given = [number for argument in arguments if (number := _number(argument)) is not None]
    for numbers in (*map(numbers_in, tables), np.array(given, np.int64)):
        mirrors.add_pointees(numbers)
    mirrors.copy_in(tables)
    block = bytearray()
    for (_, offset, size), argument in zip(kernel.parameters, arguments, strict=True):
        block += bytes(offset - len(block))
        block += _encoded(mirrors, argument)[:size]
    return bytes(block)


def _number(argument: Argument) -> int | None:
    """A number that may be an address: a pointer that is given as one, or an integer of 64 bits."""
    value = argument.value
    if isinstance(value, Pointer):
        return int(np.uint64(value.address).astype(np.int64)) if value.storage is None else None
    if argument.type in ("i64", "u64") and isinstance(value, bytes):
        return int.from_bytes(value, "little", signed=True)
    return None


def _encoded(mirrors: Mirrors, argument: Argument) -> bytes:
    value = argument.value
    if isinstance(value, Pointer):
        return mirrors.address(value.address).to_bytes(8, "little")
    if (number := _number(argument)) is not None:
        return mirrors.address(number).to_bytes(8, "little", signed=True)
    if isinstance(value, MapArgument):
        return value.fields.at(mirrors.address(value.fields.global_address)).encode()
    return value
