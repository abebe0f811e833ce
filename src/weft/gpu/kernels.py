"""Kernels of a loaded module: launched on the memory of their device, and kept bound for the next launch like it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataclass import dataclass
from weft.gpu.arena import DeviceArena
from weft.gpu.arguments import DeviceArguments, parameter_offsets, split
from weft.gpu.errors import DeviceError
from weft.ptx.ast import Function
from weft.sim.arguments import parameter_places
from weft.sim.batch import Launch
from weft.sim.budget import Budget
from weft.sim.counters import Counting
from weft.sim.faults import KernelFault, SimulationError
from weft.sim.findings import Findings, merged_findings
from weft.sim.handles import Handles
from weft.sim.lanes import Array
from weft.sim.limits import check_launch, check_memory
from weft.sim.machine import Machine
from weft.sim.prepare import Options, batch_of, launch_of, located, machine_of
from weft.sim.program import Program
from weft.sim.registers import Place
from weft.sim.result import Result, result_of
from weft.sim.trace import Trace, Tracing
from weft.sim.watch import Watcher

if TYPE_CHECKING:
    from weft.gpu.modules import Module
    from weft.gpu.policy import Policy
    from weft.gpu.streams import Stream

KEPT = 8
"""Bound launches that a kernel keeps."""

Extents = int | Sequence[int]


@dataclass(slots=True, eq=False)
class _Bound:
    """A kernel bound to registers for launches of one shape, and its parameters' places in the device's memory."""

    arena: DeviceArena
    launch: Launch
    batch: int
    machine: Machine
    places: dict[str, Place]
    order: Array
    used: bool = False


class Kernel:
    """A kernel of a module that is loaded on a device."""

    def __init__(self, module: Module, function: Function) -> None:
        self.module = module
        self.device = module.device
        self.function = function
        self._kept: OrderedDict[object, _Bound] = OrderedDict()

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.function.name

    @property
    def parameters(self) -> tuple[tuple[str, int, int], ...]:
        """The name, offset and size in bytes of each parameter in the block of all of them."""
        return parameter_offsets(self.function)

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
        counters: bool = False,
        trace: Trace | None = None,
    ) -> Result:
        """Launch the kernel.  It has run when this returns; streams keep their order.

        `grid` and `block` are up to three extents, `cluster` CTAs of a cluster, `shared` bytes of dynamic shared
        memory.  With `cooperative` all CTAs run together, so that they may wait for each other.

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
            if not self.module.loaded:
                raise DeviceError("closed", f"kernel '{self.name}' belongs to a module that has been unloaded")
            arguments = DeviceArguments(self.function, device.memory)
            try:
                data = arguments.place(args) if parameters is None else split(self.function, parameters)
                options = self._options(device.policy, grid, block, cluster, shared, cooperative)
                device.before_launch(self, stream)
                workspace = device.grid_workspace() if cooperative else 0
                result = self._run(options, workspace, data, arguments, device.policy, counters, trace)
            except SimulationError as error:
                raise located(error, self.module.ptx, self.function) from None
            finally:
                arguments.release()
            return result

    def forget(self) -> None:
        """Drop what is kept for further launches."""
        for bound in self._kept.values():
            self._drop(bound)
        self._kept.clear()

    def _options(
        self,
        policy: Policy,
        grid: Extents,
        block: Extents,
        cluster: Extents | None,
        shared: int,
        cooperative: bool,
    ) -> Options:
        resident = policy.resident
        if cooperative:
            count = int(np.prod(np.atleast_1d(grid))) * -(-int(np.prod(np.atleast_1d(block))) // 32) * 32
            resident = max(resident, count)
        return Options(
            *(self.name, _plain(grid), _plain(block), None if cluster is None else _plain(cluster), shared),
            *(policy.asynchrony, "strict" if policy.strict else "fast", policy.seed, resident),
            *(policy.max_steps, policy.timeout, policy.checks, policy.report, policy.suppress, None, policy.mma),
        )

    def _run(
        self,
        options: Options,
        workspace: int,
        data: dict[str, bytes],
        arguments: DeviceArguments,
        policy: Policy,
        counters: bool,
        trace: Trace | None,
    ) -> Result:
        explored: list[list[KernelFault]] = []
        if policy.schedules > 1:
            explored = self._explore(options, workspace, data, arguments, policy.schedules - 1)
        counting, tracing = Counting() if counters else None, Tracing(trace) if trace is not None else None
        watchers = [watcher for watcher in (counting, tracing) if watcher is not None]
        bound, key = self._bound(options, workspace, arguments.handles, watchers)
        try:
            machine = self._execute(bound, options, data)
        except BaseException:
            self._drop(bound)
            raise
        finally:
            arguments.copy_out()
            output = self.device.printed()
        result = replace(result_of(machine, counting, tracing), output=output)
        found = machine.findings.found
        if key is None:
            self._drop(bound)
        else:
            self._keep(key, bound)
        return replace(result, findings=merged_findings([found, *explored])) if found or explored else result

    def _explore(
        self, options: Options, workspace: int, data: dict[str, bytes], arguments: DeviceArguments, count: int
    ) -> list[list[KernelFault]]:
        """Run the kernel with other seeds; memory is then as it was before."""
        found: list[list[KernelFault]] = []
        memory, seed = self.device.memory, options.seed
        assert isinstance(seed, int)
        before = [
            (region, memory.contents(region.start, region.end - region.start).copy()) for region in memory.regions
        ]
        for number in range(seed + 1, seed + 1 + count):
            again = replace(options, seed=number)
            bound, key = self._bound(again, workspace, arguments.handles, [])
            try:
                machine = self._execute(bound, again, data)
                found.append(machine.findings.found)
                if key is not None:
                    self._keep(key, bound)
            except KernelFault as fault:
                self._drop(bound)
                fault.seed = number
                fault.hint += f"{'; ' if fault.hint else ''}found with asynchrony='random', seed={number}"
                bound.machine.findings.end(fault)
                found.append(bound.machine.findings.found)
            finally:
                for region, contents in before:
                    memory.contents(region.start, len(contents))[:] = contents
                self.device.runtime.output.clear()
        return found

    def _execute(self, bound: _Bound, options: Options, data: dict[str, bytes]) -> Machine:
        machine, launch = bound.machine, bound.launch
        if bound.used:
            machine.restart(options.seed)
        bound.used = True
        machine.budget = Budget(options.max_steps, options.timeout)
        machine.findings = Findings(options.checks, options.report, options.suppress)
        memory = self.device.memory
        for name, place in bound.places.items():
            memory.contents(place.address, place.size)[:] = np.frombuffer(data[name], np.uint8)
        machine.budget.start()
        try:
            for start in range(0, launch.ctas, bound.batch):
                machine.run(start, bound.order)
        except KernelFault as fault:
            machine.findings.end(fault)
        return machine

    def _bound(
        self, options: Options, workspace: int, handles: Handles, watchers: Sequence[Watcher]
    ) -> tuple[_Bound, object]:
        """A bound kernel for a launch, and the key to keep it by: None where it serves this launch only."""
        key = None
        if not watchers and not handles.things:
            key = options.bound, workspace
            kept = self._kept.pop(key, None)
            if kept is not None:
                return kept, key
        return self._bind(options, workspace, handles, watchers), key

    def _bind(self, options: Options, workspace: int, handles: Handles, watchers: Sequence[Watcher]) -> _Bound:
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
            places = parameter_places(function, arena)
            batch = batch_of(launch, launch.ctas, options.resident)
            machine = machine_of(program, launch, batch, places, options, watchers)
        except BaseException:
            self._release(arena)
            raise
        return _Bound(arena, launch, batch, machine, places, launch.order())

    def _keep(self, key: object, bound: _Bound) -> None:
        self._kept[key] = bound
        while len(self._kept) > KEPT:
            self._drop(self._kept.popitem(last=False)[1])

    def _drop(self, bound: _Bound) -> None:
        self._release(bound.arena)

    def _release(self, arena: DeviceArena) -> None:
        if not self.device.closed:
            for address in arena.own:
                self.device.memory.free(address, quarantine=False)
        arena.own.clear()


def _plain(extents: Extents) -> int | tuple[int, ...]:
    return extents if isinstance(extents, int) else tuple(int(extent) for extent in extents)
