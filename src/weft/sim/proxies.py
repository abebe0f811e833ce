"""The fences between the generic and the async proxy, and before the proxy that reads tensor maps.

Stores go through the generic proxy; bulk copies and `wgmma` read shared memory through the async proxy, which need not
see them before a `fence.proxy.async`: of the thread that stored, or of the one that starts the copy, after the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
    "tcgen05.cp",
)
"""Instructions that read shared memory through the async proxy."""
_LANE_BITS = 24
_LANE = np.uint64((1 << _LANE_BITS) - 1)
_SHIFT = np.uint64(_LANE_BITS)


def wanted(program: Program) -> bool:
    """Whether a kernel may read shared memory through the async proxy."""
    return any(
        instruction.opcode.stem in READERS
        for function in program.functions.values()
        for instruction in function.instructions()
    )


class Proxies:
    """For each four bytes of shared memory the time and the lane of the last generic store; 0 when there is none."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.time = 1
        self.numbers: Array = np.arange(machine.batch.lanes, dtype=np.uint64)
        self.stores: Array = np.zeros(0, np.uint64)
        self.fenced: Array = np.zeros(machine.batch.lanes, np.uint64)
        self._maps_changed: dict[int, int] = {}
        self._maps_acquired: dict[tuple[int, int], int] = {}

    def reset(self) -> None:
        """A new batch begins."""
        self.stores = np.zeros(len(self.machine.memory.shared.bytes) // 4, np.uint64)
        self.fenced.fill(0)
        self._maps_acquired.clear()

    def note(self, index: Array, lanes: Array | slice, size: int) -> None:
        """Lanes store `size` bytes at byte indices."""
        stamps = self.numbers[lanes] | np.uint64(self.time << _LANE_BITS)
        for part in range(0, size, 4):
            self.stores[(index + part) >> 2] = stamps

    def fence(self, lanes: Lanes) -> None:
        """Lanes execute a fence between the proxies."""
        self.time += 1
        self.fenced[lanes.select] = self.time

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
            raise site.fault("proxy-fence", message, lane)

    def forget(self, index: Array, size: int) -> None:
        """The async proxy itself has written the bytes."""
        for part in range(0, size, 4):
            self.stores[(index + part) >> 2] = 0

    def check(self, site: Site, index: Array, lanes: Array, size: int) -> None:
        """Fault when one of the bytes that the async proxy reads for lanes was stored with no fence after it."""
        for part in range(0, size, 4):
            stamps = self.stores[(index + part) >> 2]
            if not stamps.any():
                continue
            times, owners = stamps >> _SHIFT, (stamps & _LANE).astype(np.int64)
            bad = (times > 0) & (self.fenced[owners] <= times) & (self.fenced[lanes] <= times)
            if bad.any():
                which = int(bad.argmax())
                self._blame(site, int(index[which]) + part, int(lanes[which]), int(owners[which]))

    def _blame(self, site: Site, place: int, lane: int, owner: int) -> None:
        origin = self.machine.memory.shared.origin
        assert origin is not None
        offset = place - int(origin[owner])
        thread = self.machine.batch.thread(owner)
        message = (
            f"reads shared memory at {offset:#x} through the async proxy, where thread {thread.tid} has stored without "
            "a fence.proxy.async after it"
        )
        raise site.fault("proxy-fence", message, lane, offset)
