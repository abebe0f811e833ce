"""The runs of a launch on a device: a bound kernel, and what of the device's memory it may change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from weft.dataclass import dataclass
from weft.gpu.arena import DeviceArena
from weft.gpu.arguments import DeviceArguments
from weft.gpu.memory import GRID_WORKSPACE
from weft.sim.arena import Region
from weft.sim.batch import Launch
from weft.sim.budget import Budget
from weft.sim.faults import KernelFault
from weft.sim.findings import Findings
from weft.sim.lanes import Array
from weft.sim.machine import Machine
from weft.sim.prepare import Options, saved
from weft.sim.space import WRITTEN
from weft.sim.stores import stored_regions


@dataclass(slots=True, eq=False)
class Bound:
    """A kernel bound to registers for launches of one shape; its parameters lie in the device's memory."""

    arena: DeviceArena
    launch: Launch
    batch: int
    machine: Machine
    order: Array
    used: bool = False
    held: int = 0


Give = Callable[[Bound, bool], None]
"""Takes back a bound kernel; whether it can run again."""


class DeviceRun:
    """A bound kernel, ready to run with the parameters of `data`; see `weft.sim.runs.Ready`."""

    def __init__(
        self, bound: Bound, options: Options, arguments: DeviceArguments, data: Mapping[str, bytes], give: Give
    ) -> None:
        machine = self.machine = bound.machine
        self._bound = bound
        self._arguments = arguments
        self._give = give
        if bound.used:
            machine.restart(options.seed)
        bound.used = True
        if machine.schedule is not None:
            machine.schedule.changes = options.changes
        machine.budget = Budget(options.max_steps, options.timeout)
        machine.findings = Findings(options.checks, options.report, options.suppress)
        for name, place in machine.parameters.items():
            bound.arena.contents(place.address, place.size)[:] = np.frombuffer(data[name], np.uint8)

    def _storable(self) -> list[Region]:
        return stored_regions(self.machine.program, self.machine.parameters)

    @property
    def storable(self) -> int:
        """The bytes of memory that the kernel may store to."""
        return sum(region.end - region.start for region in self._storable())

    def save(self) -> Callable[[], None]:
        """Keep what they hold now, and what is known of them."""
        base, memory = self._bound.arena.base, self._bound.arena.memory
        spans = [slice(region.start - base, region.end - base) for region in self._storable()]
        workspace = self._bound.launch.workspace - base
        if workspace >= 0:  # The barrier of a cooperative grid, which parameters do not lead to.
            spans.append(slice(workspace, workspace + GRID_WORKSPACE))
        kept = [
            (plane, span, plane[span].copy())
            for plane in (memory.bytes, memory.shadow)
            for span in spans
            if plane is not None
        ]
        others = saved(self.machine.program)

        def undo() -> None:
            for plane, span, before in kept:
                plane[span] = before
            others()

        return undo

    def execute(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Run all CTAs."""
        bound, ctas, witness = self._bound, self._bound.launch.ctas, self.machine.witness
        if witness is not None:
            bound.arena.memory.fill_unwritten(witness.fill)
        self.machine.budget.start()
        for start in range(0, ctas, bound.batch):
            self.machine.run(start, bound.order)
            if progress is not None:
                progress(min(start + bound.batch, ctas), ctas)

    def left(self) -> list[Array]:
        """What the memory holds that it may store to."""
        base, memory = self._bound.arena.base, self._bound.arena.memory
        return [memory.bytes[region.start - base : region.end - base].copy() for region in self._storable()]

    def left_alike(self, others: Sequence[list[Array]], fault: KernelFault) -> bool:
        """Whether memory holds what other runs have left, save bytes that the host must copy to see them."""
        memory, spans = self._bound.arena.memory, self._storable()
        for place, region in enumerate(spans):
            mine = memory.bytes[region.start - memory.base : region.end - memory.base]
            differs: Array = np.zeros(len(mine), np.bool_)
            for other in others:
                differs |= mine != other[place]
            if memory.shadow is not None:
                differs &= memory.shadow[region.start - memory.base : region.end - memory.base] == WRITTEN
            if differs.any() and not memory.unseen(region.start):
                return False
            memory.doubt(region.start, differs, fault)
        return True

    def finish(self) -> None:
        """Arrays of the host get what the kernel has left in their copies."""
        self._arguments.copy_out()

    def release(self) -> None:
        """Keep the bound kernel for the next launch like this."""
        self._give(self._bound, True)

    def drop(self) -> None:
        """Give back what it has allocated."""
        self._give(self._bound, False)
