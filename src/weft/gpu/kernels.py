"""Kernels of a loaded module: launched on the memory of their device, and kept bound for the next launch like it."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.checked import checked
from weft.dataclass import dataclass
from weft.gpu.arena import DeviceArena
from weft.gpu.arguments import DeviceArguments, parameter_offsets, split
from weft.gpu.errors import DeviceError
from weft.gpu.launches import Bound, DeviceRun
from weft.gpu.order import between
from weft.ptx.ast import Function
from weft.sim.arguments import parameter_places
from weft.sim.earlier import Touched, touched_by
from weft.sim.faults import SimulationError
from weft.sim.handles import Handles
from weft.sim.limits import check_launch, check_memory
from weft.sim.prepare import Options, batch_of, extents_of, launch_of, located, machine_of
from weft.sim.program import Program
from weft.sim.result import Result
from weft.sim.runs import carry_out, explore
from weft.sim.trace import Trace
from weft.sim.watch import Watcher

if TYPE_CHECKING:
    from weft.gpu.modules import Module
    from weft.gpu.policy import Policy
    from weft.gpu.streams import Stream
    from weft.sim.batch import Launch

KEPT = 8
"""Bound launches that a kernel keeps."""
KERNELS, BYTES = 128, 128 << 20
"""Kernels of a device that keep any, and the bytes of their registers: Triton keeps all that it has ever compiled."""

Extents = int | Sequence[int]
Watchers = Sequence[Watcher]


@dataclass(slots=True)
class _Scene:
    """A kernel, its arguments, and what may still be used by grids before it, and by work of other streams.

    Memory keeps what a run leaves there.
    """

    kernel: Kernel
    workspace: int
    data: Mapping[str, bytes]
    arguments: DeviceArguments
    before: Sequence[Touched] = ()
    apart: Sequence[Touched] = ()
    lasting: bool = True
    last: DeviceRun | None = None

    def ready(self, options: Options, watchers: Watchers = ()) -> DeviceRun:
        """See `weft.sim.runs.Scene`."""
        device = self.kernel.device
        if (self.before or device.order is not None or device.memory.doubts) and options.check == "strict":
            options = replace(options, engine="numpy", behind=True)
        self.last = self.kernel.ready(options, self.workspace, self.data, self.arguments, watchers)
        self.last.machine.follow((*self.before, *self.apart), watched=device.order is not None)
        return self.last

    def used(self) -> list[Touched]:
        """What the grid that has run may still use, and the grids before it, if it has not waited for them."""
        machine = None if self.last is None else self.last.machine
        if machine is None or not (machine.races or machine.guard):
            return []
        waited, lives = machine.earlier is None or machine.earlier.waited, self.kernel.device.memory.lives()
        if machine.guard is not None:
            return machine.guard.touched(self.kernel.name, lives)
        return [*(() if waited else self.before), touched_by(machine.races[0], self.kernel.name, lives)]

    def drop(self) -> None:
        """Give back what was noted of memory, save what `used` has told."""
        for races in () if self.last is None else self.last.machine.races:
            races.drop()


class Recent:
    """The kernels of a device that keep bound launches: those that have run last."""

    def __init__(self) -> None:
        self._kernels: OrderedDict[weakref.ref[Kernel], int] = OrderedDict()
        self._held = 0

    def add(self, kernel: Kernel) -> None:
        """A kernel keeps something now; the one that was not used for the longest time may have to drop what it has."""
        found = weakref.ref(kernel)
        self._held += kernel.held - self._kernels.pop(found, 0)
        self._kernels[found] = kernel.held
        while len(self._kernels) > KERNELS or (self._held > BYTES and len(self._kernels) > 1):
            oldest, held = self._kernels.popitem(last=False)
            self._held -= held
            dropped = oldest()
            if dropped is not None:
                dropped.forget()


class Kernel:
    """A kernel of a module that is loaded on a device."""

    def __init__(self, module: Module, function: Function) -> None:
        self.module = module
        self.device = module.device
        self.function = function
        self._kept: OrderedDict[object, Bound] = OrderedDict()

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.function.name

    @property
    def parameters(self) -> tuple[tuple[str, int, int], ...]:
        """The name, offset and size in bytes of each parameter in the block of all of them."""
        return parameter_offsets(self.function)

    @checked
    def launch(
        self,
        grid: Extents,
        block: Extents,
        args: Sequence[Any] = (),
        *,
        parameters: bytes | None = None,
        cluster: Extents | None = None,
        shared: int = 0,
        stream: Stream | None = None,
        cooperative: bool = False,
        programmatic: bool = False,
        counters: bool = False,
        trace: Trace | None = None,
    ) -> Result:
        """Launch the kernel.  It has run when this returns; streams keep their order.

        `grid` and `block` are up to three extents, `cluster` CTAs of a cluster, `shared` bytes of dynamic shared
        memory.  With `cooperative` all CTAs run together, so that they may wait for each other.  A `programmatic`
        launch may start before the grid before it in its stream has ended: what that uses is its own until
        `griddepcontrol.wait`.

        `args` are, for each parameter: an array of the device's memory, an `Allocation`, a `Symbol`, or an integer for
        an address; a NumPy array (strided, or overlapping others), a CPU tensor, or anything with
        `__array_interface__` or DLPack, which the kernel gets a copy of that is copied back; None for a null pointer;
        a number for a scalar; bytes, a ctypes or NumPy structure, or a tuple of fields for a structure; a
        `weft.TensorMap`, `weft.Texture`, `weft.Surface`.  Or `parameters` is the block of all parameters, as the
        driver API's `CU_LAUNCH_PARAM_BUFFER_POINTER` has it.

        Raises:
            SimulationError: the launch does not fit the kernel or the device; nothing has run.
            KernelFault: the kernel does something illegal; memory holds what it has written so far.
            DeviceError: the module has been unloaded.
        """
        device = self.device
        with device.lock:
            device.check_open()
            if stream is not None and stream.device is not device:
                message = f"kernel '{self.name}' and the stream belong to different devices"
                raise DeviceError("invalid-value", message, "create one with device.stream()")
            if not self.module.loaded:
                raise DeviceError("closed", f"kernel '{self.name}' belongs to a module that has been unloaded")
            arguments = DeviceArguments(self.function, device.memory)
            try:
                if parameters is not None and len(args):
                    raise SimulationError("arguments and `parameters` cannot be combined")
                data = arguments.place(args) if parameters is None else split(self.function, parameters)
                options = self._options(device.policy, grid, block, cluster, shared, cooperative)
                device.before_launch(self, stream)
                workspace = device.grid_workspace() if cooperative else 0
                order = device.order
                place = stream or (order and order.current) or device.default_stream
                apart = order.before(place) if order is not None else ()
                scene = _Scene(self, workspace, data, arguments, place.running() if programmatic else (), apart)
                others = range(device.policy.seed + 1, device.policy.seed + (device.policy.schedules or 1))
                explored = explore(scene, options, others)
                alone = device.policy.schedules is None
                result = carry_out(scene, options, others=alone, counters=counters, trace=trace, explored=explored)
                if device.after_launch(self):
                    arguments.copy_out()
                used = scene.used()
                place.leave(used)
                if order is not None and used:
                    last, name = used[-1], f"kernel '{self.name}'"
                    order.note(place, between(name, last.written, last.reads(), last.shift, device.memory))
                scene.drop()
                return result
            except SimulationError as error:
                raise located(error, self.module.ptx, self.function) from None
            finally:
                arguments.release()
                device.printed()

    @property
    def held(self) -> int:
        """The bytes of the registers of what is kept for further launches."""
        return sum(bound.held for bound in self._kept.values())

    def forget(self) -> None:
        """Drop what is kept for further launches."""
        for bound in self._kept.values():
            self._release(bound.arena)
        self._kept.clear()

    def _options(
        self, policy: Policy, grid: Extents, block: Extents, cluster: Extents | None, shared: int, cooperative: bool
    ) -> Options:
        resident = policy.resident
        if cooperative:
            count = int(np.prod(np.atleast_1d(grid))) * -(-int(np.prod(np.atleast_1d(block))) // 32) * 32
            resident = max(resident, count)
        return Options(
            *(self.name, _plain(grid), _plain(block), None if cluster is None else _plain(cluster), index(shared)),
            *(policy.asynchrony, "strict" if policy.strict else "fast", policy.seed, resident),
            *(policy.max_steps, policy.timeout, policy.checks, policy.report, policy.suppress, None, policy.mma),
            engine=policy.engine,
        )

    def ready(
        self,
        options: Options,
        workspace: int,
        data: Mapping[str, bytes],
        arguments: DeviceArguments,
        watchers: Watchers,
    ) -> DeviceRun:
        """The kernel bound for a launch, and its parameters in place."""
        key, bound = None, None
        if not watchers and options.witness is None and not arguments.handles.things:
            key = options.bound, workspace
            bound = self._kept.pop(key, None)
        if bound is None:
            bound = self._bind(options, workspace, arguments.handles, watchers)
        return DeviceRun(bound, options, arguments, data, partial(self._take_back, key))

    def _take_back(self, key: object, bound: Bound, good: bool) -> None:
        """Keep a bound kernel for a launch like that of `key`, or give back what it has allocated."""
        if key is None or not good:
            self._release(bound.arena)
            return
        bound.held = bound.held or bound.machine.held
        self._kept[key] = bound
        while len(self._kept) > KEPT or (len(self._kept) > 1 and self.held > BYTES):
            self._release(self._kept.popitem(last=False)[1].arena)
        self.device.recent.add(self)

    def _bind(self, options: Options, workspace: int, handles: Handles, watchers: Watchers) -> Bound:
        module, function = self.module.ptx, self.function
        launch = replace(launch_of(function, options), workspace=workspace)
        limited = options.checks is None or "limits" in options.checks
        if limited:
            check_launch(module, function, launch)
        arena = DeviceArena(self.device.memory, options.check == "strict")
        try:
            program = Program(module, function, arena, handles, self.module)
            if limited:
                check_memory(program, launch)
            if limited and workspace:
                self._check_together(launch, program.static_shared)
            places = parameter_places(function, arena)
            batch = batch_of(launch, launch.ctas, options.resident)
            machine = machine_of(program, launch, batch, places, options, watchers)
        except BaseException:
            self._release(arena)
            raise
        return Bound(arena, launch, machine.batch.ctas, machine, launch.order())

    def _check_together(self, launch: Launch, static: int) -> None:
        """Refuse a cooperative grid whose CTAs the device cannot hold at once.  Raises SimulationError."""
        properties = self.device.properties
        room = properties.multiprocessors * properties.ctas_together(launch.threads, static + launch.dynamic_shared)
        if launch.ctas > room:
            raise SimulationError(
                f"a cooperative grid of {launch.ctas:,} CTAs, of which the device holds {room:,} at once",
                hint="use a grid-stride loop with fewer CTAs",
            )

    def _release(self, arena: DeviceArena) -> None:
        if not self.device.closed:
            for address in arena.own:
                self.device.memory.free(address, quarantine=False)
        arena.own.clear()


def _plain(extents: Extents) -> int | tuple[int, ...]:
    return extents if isinstance(extents, int) else extents_of(extents)
