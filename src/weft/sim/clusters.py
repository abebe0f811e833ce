"""The barrier of each cluster: how often each thread has arrived."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.lanes import Array, Lanes

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.site import Site


class Clusters:
    """`barrier.cluster` for all clusters of a batch."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.size = machine.launch.cluster_ctas
        self.arrivals: Array = np.zeros(machine.batch.lanes, np.int64)
        self.waited: Array = np.zeros(machine.batch.lanes, np.int64)
        self.cluster: Array = machine.batch.cta // self.size

    def reset(self) -> None:
        """A new batch begins."""
        self.arrivals.fill(0)
        self.waited.fill(0)

    def arrive(self, site: Site, lanes: Lanes, ordered: bool) -> None:
        """Lanes arrive; unless they do so relaxed (not `ordered`), what they know goes to those who wait.

        Threads arrive once before the barrier completes (PTX ISA, `barrier.cluster`): a fault where one has not waited.
        """
        again = np.flatnonzero(self.arrivals[lanes.select] > self.waited[lanes.select])
        if again.size:
            fault = site.fault(
                "barrier", "arrives a second time and has not waited in between", int(lanes.index[again[0]])
            )
            fault.hint = (
                "let each thread execute barrier.cluster.wait after barrier.cluster.arrive, before it arrives again"
            )
            raise fault
        self.arrivals[lanes.select] += 1
        self.machine.phases += 1
        self.machine.change()
        if self.machine.clocks is not None and self.machine.lifetimes is not None:
            self.machine.clocks.arrive_cluster(lanes, self.arrivals[lanes.select], ordered)
            self.machine.lifetimes.arrive(*self._phases(lanes))

    def _phases(self, lanes: Lanes) -> tuple[Array, Array]:
        """The warps of lanes, and how often they have arrived."""
        assert self.machine.clocks is not None
        rows, first = np.unique(self.machine.clocks.row_of_lane[lanes.select], return_index=True)
        return rows, self.arrivals[lanes.select][first]

    def wait(self, site: Site, lanes: Lanes) -> tuple[Lanes | None, Lanes | None]:
        """The lanes whose barrier is complete, and the others; a fault where one waits that has not arrived."""
        machine = self.machine
        idle = np.flatnonzero(self.arrivals[lanes.select] == self.waited[lanes.select])
        if idle.size:
            fault = site.fault("barrier", "waits without having arrived since its last wait", int(lanes.index[idle[0]]))
            fault.hint = "let each thread execute barrier.cluster.arrive before barrier.cluster.wait"
            raise fault
        counts = np.where(machine.alive, self.arrivals, np.iinfo(np.int64).max)
        least = np.full(-(-machine.batch.ctas // self.size), np.iinfo(np.int64).max)
        np.minimum.at(least, self.cluster, counts)
        done = least[self.cluster[lanes.lo : lanes.hi]] >= self.arrivals[lanes.lo : lanes.hi]
        if lanes.mask is not None:
            ready, asleep = done & lanes.mask, ~done & lanes.mask
        else:
            ready, asleep = done, ~done
        role = machine.batch.role
        going = Lanes.where(ready, lanes.lo, role)
        if going is not None:
            self.waited[going.select] = self.arrivals[going.select]
            if machine.clocks is not None and machine.lifetimes is not None:
                machine.clocks.wait_cluster(going, self.arrivals[going.select])
                machine.lifetimes.meet(*self._phases(going))
        return going, Lanes.where(asleep, lanes.lo, role)
