"""The fences between the generic and the async proxy, and before the proxy that reads tensor maps.

Stores go through the generic proxy; bulk copies and `wgmma` read shared memory through the async proxy, which need not
see them before a `fence.proxy.async`, which lies between the store and the start of the copy: by the thread that stored
before it tells others, or by one that has been told, such as the one that starts the copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.clocks import FENCED, KNOWN
from weft.sim.lanes import Array, Lanes
from weft.sim.site import Site

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.program import Program

READERS = (
    "cp.async.bulk",
    "cp.reduce.async.bulk",
    "cp.async.bulk.tensor",
    "cp.reduce.async.bulk.tensor",
    "wgmma.mma_async",
    "wgmma.mma_async.sp",
    "tcgen05.mma",
    "tcgen05.mma.sp",
    "tcgen05.mma.ws",
    "tcgen05.mma.ws.sp",
    "tcgen05.cp",
)
"""Instructions that read shared memory through the async proxy."""


def wanted(program: Program) -> bool:
    """Whether a kernel may read shared memory through the async proxy."""
    return any(
        instruction.opcode.stem in READERS
        for function in program.functions.values()
        for instruction in function.instructions()
    )


class Proxies:
    """What the fences between the proxies have let through; tensor maps have a fence of their own."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.time = 1
        self._maps_changed: dict[int, int] = {}
        self._maps_acquired: dict[tuple[int, int], int] = {}

    def reset(self) -> None:
        """A new batch begins."""
        self._maps_acquired.clear()

    def fence(self, lanes: Lanes) -> None:
        """Lanes execute a fence between the proxies: all that they know passes, and so do others whom they tell."""
        clocks = self.machine.clocks
        if clocks is None:
            return
        rows = clocks.rows_of(lanes.select)
        known = clocks.all_of(rows)[KNOWN]
        clocks.known[FENCED, rows] = np.maximum(clocks.known[FENCED, rows], known)
        clocks.tick()

    def change_map(self, place: int) -> None:
        """The tensor map at a byte index of global memory is changed."""
        self.time += 1
        self._maps_changed[place] = self.time

    def acquire_map(self, lanes: Array, places: Array) -> None:
        """Lanes execute `fence.proxy.tensormap::generic.acquire` on maps: it serves their CTAs."""
        for lane, place in zip(lanes.tolist(), places.tolist(), strict=True):
            self._maps_acquired[place, int(self.machine.batch.cta[lane])] = self.time

    def check_map(self, site: Site, lane: int, place: int) -> None:
        """Fault when a tensor map was changed and no thread of the lane's CTA has acquired it since."""
        changed = self._maps_changed.get(place)
        if changed is None:
            return
        if self._maps_acquired.get((place, int(self.machine.batch.cta[lane])), 0) < changed:
            message = "the kernel has changed the tensor map, with no fence.proxy.tensormap::generic.acquire after it"
            site.report(site.fault("proxy-fence", message, lane))

    def check(self, site: Site, index: Array, lanes: Array, size: int) -> None:
        """Fault when one of the bytes that the async proxy reads for lanes was stored with no fence on the way."""
        races = self.machine.memory.shared.races
        if races is None:
            return
        bad, stamps = races.unfenced(index, lanes, size)
        if not bad.any():
            return
        which = int(bad.argmax())
        lane, origin = int(lanes[which]), self.machine.memory.shared.origin
        assert origin is not None
        offset = int(index[which]) % races.stride
        other, where, _ = races.other(int(stamps[which]), lane)
        message = (
            f"reads shared memory at {offset:#x} through the async proxy, where {other} has stored{where} without "
            "a fence.proxy.async on the way"
        )
        site.report(site.fault("proxy-fence", message, lane, offset))
