"""`weft.Device`: a GPU that is not there."""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.checked import checked
from weft.gpu.errors import DeviceError
from weft.gpu.foreign import array_of, dtype_of
from weft.gpu.heap import DeviceRuntime
from weft.gpu.kernels import Kernel, Recent
from weft.gpu.memory import GRANULARITY, GRID_WORKSPACE, WORD, Allocation, DeviceMemory, bytes_of, check_bounds
from weft.gpu.modules import Module, Symbol
from weft.gpu.order import Order
from weft.gpu.policy import Checks, Policy, policy_of
from weft.gpu.properties import Properties, properties_of
from weft.gpu.sources import ptx_of
from weft.gpu.streams import Event, Stream
from weft.isa.target import target as target_called
from weft.ptx.ast import Module as PtxModule
from weft.sim.engines import Engine
from weft.sim.findings import Report
from weft.sim.lanes import Array
from weft.sim.prepare import RESIDENT, extents_of
from weft.sim.tensor_core import Mma

if TYPE_CHECKING:
    from types import TracebackType

    from numpy.typing import DTypeLike


MEMORY = 16 << 30
"""Bytes of address space that a device has; the system gives memory to what is touched."""

Address = int | Allocation | Symbol | Array
"""A place in a device's memory: its address, or what lies there."""


class Device:
    """A virtual GPU, which keeps memory between launches and runs kernels on the CPU with checks.

    Pointers of the device are addresses of this process: `device.zeros(...)` is a NumPy array in its memory, and
    kernels take it as an argument.  Work is done at once; streams and events keep the interface of asynchronous work.
    Threads may share a device, and use it one at a time.

    Args:
        target: the architecture (`sm_80`, `sm_90a`).  Modules for others are rejected, as by the driver.
        memory: size of the address space in bytes.
        checks: `strict`, `fast`, or names of checks: `races`, `proxy`, `uninitialised`, `asynchronous`, `registers`,
            `copies`, `limits`.
        asynchrony: when asynchronous copies complete: `lazy`, `eager`, `random`, or `random:20` for twenty schedules
            per launch.
        report: `all` lets kernels continue after findings where possible; the result of the launch holds them.
        bounds: round the ends of allocations up to so many bytes.  The default, 4, lets atomics on 16 bits use the
            word around them; 1 is exact, and 512 is what CUDA's allocators do.
        uninitialised_memory: report reads of global memory that nothing has written.
        streams: report kernels and copies that use the same memory in unsynchronized streams, if one of them writes.
        output: where kernels print; by default standard output.

    The other parameters are those of `weft.run`.

    Raises:
        IsaError: the target is unknown.
        SimulationError: a check or a mode is unknown.
        DeviceError: the memory cannot be reserved.
    """

    @checked
    def __init__(
        self,
        target: str = "sm_90a",
        *,
        memory: int = MEMORY,
        checks: Checks = "strict",
        asynchrony: str = "lazy",
        seed: int = 0,
        report: Report = "first",
        suppress: Sequence[int | str] = (),
        max_steps: int | None = None,
        timeout: float | None = None,
        mma: Mma = "exact",
        resident: int = RESIDENT,
        engine: Engine = "auto",
        bounds: int = WORD,
        uninitialised_memory: bool = False,
        streams: bool = False,
        output: Callable[[str], object] | None = None,
    ) -> None:
        self.target = target_called(target).name
        self.policy: Policy = policy_of(
            *(checks, asynchrony),
            seed=seed,
            report=report,
            suppress=suppress,
            max_steps=max_steps,
            timeout=timeout,
            mma=mma,
            resident=resident,
            engine=engine,
        )
        if memory < 1:
            raise DeviceError("invalid-value", f"invalid size memory={memory}", "give the number of bytes, at least 1")
        check_bounds(bounds)
        self.memory = DeviceMemory(memory, bounds=bounds, shadowed=uninitialised_memory)
        self.properties: Properties = properties_of(self.target, self.memory.size)
        self.runtime = DeviceRuntime(self.memory)
        self.recent = Recent()
        self.lock = RLock()
        self.closed = False
        self.launches = 0
        self.waits = 0
        self._workspace: Allocation | None = None
        self._output = output
        self._modules: list[weakref.ref[Module]] = []
        self._streams = 0
        self._default = Stream(self)
        self.order: Order | None = Order(self.memory, self._default) if streams and self.policy.strict else None

    # -- life -------------------------------------------------------------------------------------------------

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free everything.  Arrays in the memory must not be used afterwards, and kernels cannot be launched."""
        with self.lock:
            if not self.closed:
                self.closed = True
                self.memory.close()

    def check_open(self) -> None:
        """Raises DeviceError when the device has been closed."""
        if self.closed:
            raise DeviceError("closed", "the device has been closed")

    def synchronize(self) -> None:
        """Wait for all work."""
        self.check_open()
        self.waits += 1
        if self.order is not None:
            self.order.hear(self.order.everything())

    def accesses(self, place: int, size: int, what: str, *, write: bool) -> None:
        """The host uses memory for a copy or a filling.  Raises DeviceError for races, and for unwritten bytes."""
        self.memory.accessed(place, size, what, write=write)
        if self.order is not None:
            self.order.access(place, size, what, write=write)

    # -- memory -----------------------------------------------------------------------------------------------

    @checked
    def alloc(self, size: int, name: str = "", *, align: int = GRANULARITY) -> Allocation:
        """Allocate `size` bytes until `free`; messages use `name`.

        The contents are not initialised.  Raises DeviceError if there is no room.
        """
        with self.lock:
            self.check_open()
            return self.memory.allocate(size, name, align=align)

    @checked
    def free(self, place: Address) -> None:
        """Free memory from `alloc`.

        Raises:
            DeviceError: no allocation starts at the address, or it has been freed.
        """
        with self.lock:
            self.check_open()
            address = self.address(place)
            found = self.memory.live.get(address)
            if found is not None and found.kind != "user":
                whose = "lives as long as its arrays" if found.kind == "array" else "belongs to the device or a module"
                raise DeviceError("invalid-pointer", f"free: {found.name} at {address:#x} {whose}")
            self.memory.free(address)

    @checked
    def empty(self, shape: int | Sequence[int], dtype: DTypeLike = np.float32, name: str = "") -> Array:
        """A NumPy array in the device's memory, which is freed with its last view.

        Its contents count as written, because the host may write to it at any time.
        """
        dtype = dtype_of(dtype)
        extents = extents_of(shape)
        if min(extents, default=0) < 0 or prod(extents) > self.memory.size:
            raise DeviceError(
                "invalid-value", f"an array of shape {extents}", f"the device has {self.memory.size:,} bytes"
            )
        size = prod(extents) * dtype.itemsize
        with self.lock:
            self.check_open()
            found = self.memory.allocate(size, name, kind="array", written=True)
        owner = (ctypes.c_uint8 * max(size, 1)).from_address(found.address)
        weakref.finalize(owner, _give_back, weakref.ref(self), found)
        return array_of(owner)[:size].view(dtype).reshape(extents)

    @checked
    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike = np.float32, name: str = "") -> Array:
        """Like `empty`, with zeros."""
        found = self.empty(shape, dtype, name)
        found.reshape(-1).view(np.uint8)[:] = 0
        return found

    @checked
    def array(self, contents: Any, name: str = "") -> Array:
        """Copy an array to the device's memory; see `empty`."""
        try:
            host: Array = np.asarray(contents)
        except (TypeError, ValueError, OverflowError) as error:
            raise DeviceError("invalid-value", f"array: {error}", "an array must have a single dtype") from None
        found = self.empty(host.shape, host.dtype, name)
        found[...] = host
        return found

    @checked
    def address(self, place: Address) -> int:
        """The address of an allocation, a symbol, or an array's first element."""
        if isinstance(place, np.ndarray):
            return int(place.__array_interface__["data"][0])
        return int(place)

    @checked
    def view(self, place: Address, size: int, dtype: DTypeLike = np.uint8) -> Array:
        """An array of the `size` bytes at an address, which it shares; they count as written.

        Raises:
            DeviceError: the bytes are not in one allocation.
        """
        with self.lock:
            address = self._checked(place)
            dtype = dtype_of(dtype)
            width = dtype.itemsize
            if size % width:
                message = f"a view of {size} bytes as elements of {width} bytes"
                raise DeviceError("invalid-value", message, f"give a multiple of {width}")
            found = self.memory.span(address, size, "view")
            self.memory.mark(address, size)
            self.memory.seen(address)
            return found.view(dtype)

    @checked
    def upload(self, to: Address, data: bytes | bytearray | Array) -> None:
        """Copy bytes to the device.  Raises DeviceError if they are not in one allocation."""
        source = bytes_of(data) if isinstance(data, np.ndarray) else np.frombuffer(data, np.uint8)
        with self.lock:
            address = self._checked(to)
            to_bytes = self.memory.span(address, len(source), "copy to the device")
            self.accesses(address, len(source), "copy to the device", write=True)
            to_bytes[:] = source
            self.memory.mark(address, len(source))

    @checked
    def download(self, place: Address, size: int) -> bytes:
        """Copy `size` bytes from the device.  Raises DeviceError if they are not in one allocation."""
        with self.lock:
            address = self._checked(place)
            found = self.memory.span(address, size, "copy from the device")
            self.accesses(address, size, "copy from the device", write=False)
            return found.tobytes()

    @checked
    def copy(self, to: Address, source: Address, size: int) -> None:
        """Copy within the device's memory.  Raises DeviceError if a side is not in one allocation."""
        with self.lock:
            start, end = self._checked(source), self._checked(to)
            of, into = self.memory.span(start, size, "copy: source"), self.memory.span(end, size, "copy: destination")
            self.accesses(start, size, "copy: source", write=False)
            self.accesses(end, size, "copy: destination", write=True)
            into[:] = of.copy()
            self.memory.copy_marks(end, start, size)

    @checked
    def memset(self, place: Address, value: int, size: int) -> None:
        """Set `size` bytes to an 8-bit value.  Raises DeviceError if they are not in one allocation."""
        with self.lock:
            address = self._checked(place)
            found = self.memory.span(address, size, "memset")
            self.accesses(address, size, "memset", write=True)
            found[:] = value & 0xFF
            self.memory.mark(address, size)

    @checked
    def find(self, place: Address) -> Allocation | None:
        """The allocation that contains an address."""
        return self.memory.find(self.address(place))

    def leaks(self) -> tuple[Allocation, ...]:
        """The allocations of `alloc` that have not been freed, in order."""
        found = [allocation for allocation in self.memory.allocations() if allocation.kind == "user"]
        return tuple(sorted(found, key=lambda allocation: allocation.number))

    def _checked(self, place: Address) -> int:
        self.check_open()
        return self.address(place)

    # -- code -------------------------------------------------------------------------------------------------

    @checked
    def load(self, source: str | bytes | Path | PtxModule | Sequence[str | bytes | PtxModule]) -> Module:
        """Load a module: PTX text, a `weft.Module`, a file, or several of them, which are linked.

        Variables get their addresses and initial values, and stay until `Module.unload`.

        Raises:
            PtxSyntaxError: a text is not PTX.
            DeviceError: the module is for another architecture, or there is no room for its variables.
            SimulationError: a variable is declared but not defined.
        """
        with self.lock:
            self.check_open()
            found = Module(self, ptx_of(source, self.target))
            self._modules.append(weakref.ref(found))
            return found

    @checked
    def kernel(self, source: str | bytes | Path | PtxModule, name: str) -> Kernel:
        """A kernel of a module, which is loaded for it."""
        return self.load(source).kernel(name)

    # -- work -------------------------------------------------------------------------------------------------

    @property
    def default_stream(self) -> Stream:
        """The stream that is used when none is given."""
        return self._default

    @checked
    def stream(self, *, blocking: bool = True) -> Stream:
        """A new stream; a `blocking` one and the default stream wait for each other."""
        self._streams += 1
        found = Stream(self, self._streams, blocking=blocking)
        if self.order is not None:
            self.order.add(found)
        return found

    def event(self) -> Event:
        """A new event, not yet recorded."""
        return Event(self)

    def grid_workspace(self) -> int:
        """The address of the memory in which cooperative grids count the CTAs at their barrier."""
        if self._workspace is None:
            self._workspace = self.memory.allocate(GRID_WORKSPACE, "grid workspace", kind="own", written=True)
            self.memory.contents(self._workspace.address, GRID_WORKSPACE)[:] = 0
        return self._workspace.address

    def before_launch(self, kernel: Kernel, stream: Stream | None) -> None:
        """Note a launch."""
        self.launches += 1
        self.memory.opaque.renew()
        self.runtime.children = []

    def after_launch(self, kernel: Kernel) -> bool:
        """Run what a kernel has launched, in that order, and what those launch; whether there was any."""
        children = self.runtime.launched()
        for child in children:
            found = kernel.module.kernel(child.kernel)
            found.launch(child.grid, child.block, parameters=child.parameters, shared=child.shared)
        return bool(children)

    def printed(self) -> str:
        """What kernels have printed since the last call; it also goes to the output."""
        text = "".join(self.runtime.output)
        self.runtime.output.clear()
        if text:
            (self._output or sys.stdout.write)(text)
        return text


def _give_back(device: weakref.ref[Device], allocation: Allocation) -> None:
    """The last view of an array is gone."""
    owner = device()
    if owner is not None and not owner.closed and owner.memory.live.get(allocation.address) == allocation:
        with owner.lock:
            owner.memory.free(allocation.address)
